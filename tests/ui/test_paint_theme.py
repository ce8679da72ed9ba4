"""Colours that can be told apart, by everybody: contrast ratios of WCAG 2.2 computed from the themes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import stage
from PySide6.QtGui import QColor, QFontInfo, QPalette

from kernelplay.assets import asset
from kernelplay.i18n import LANGUAGES
from kernelplay.marks import Role
from kernelplay.ui.field_image import table
from kernelplay.ui.style_sheet import SHEET
from kernelplay.ui.theme import THEMES, Theme, contrast, icon, mixed, qpalette, stylesheet, theme, ui_font
from kernelplay.ui.typefaces import families

THEME = [theme(name) for name in THEMES]
CLASSES = [f"class{k}" for k in range(8)]


def fields(look: Theme) -> list[str]:
    """Return the colours that can stand behind marks: the plane, and fields of any two classes."""
    found = {look.plane, look.neutral, *look.ramp}
    for role in CLASSES:
        found |= {mixed(look.neutral, look.ends(role), t) for t in (0.25, 0.5, 0.75, 1.0)}
    return sorted(found)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert contrast("#0072B2", "#0072B2") == 1


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
def test_text_stands_out_from_whatever_it_is_written_on(look: Theme) -> None:
    for ground in (look.panel, look.bar, look.card, look.paper, look.legend, look.sunken):
        for ink in (look.text, look.text_mid):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    for ground in (look.panel, look.bar, look.card, look.paper, look.sunken):
        assert contrast(look.text_dim, ground) >= 4.5, ground
        for ink in (look.good, look.warn, look.bad):
            assert contrast(ink, look.panel) >= 4.5 and contrast(ink, look.bar) >= 4.5, ink
    for ink, ground in ((look.accent, look.soft), (look.accent, look.soft_hover), (look.accent, look.card),
                        (look.accent, look.panel), (look.accent_text, look.accent), (look.tick, look.paper)):
        assert contrast(ink, ground) >= 4.5, (ink, ground)


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
def test_points_stand_out_from_every_field(look: Theme) -> None:
    """Against what is behind them, or by an outline that separates them from it."""
    for role in (*CLASSES, "target"):
        style = look.roles[role]  # type: ignore[index]
        for ground in fields(look):
            direct = contrast(style.fill, ground)
            outlined = min(contrast(style.fill, style.line), 3.0) if style.line else 0.0
            by_line = contrast(style.line, ground) if style.line else 0.0
            assert max(direct, outlined, by_line) >= 2.99, (role, ground)


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
@pytest.mark.parametrize("role", ["boundary", "margin", "contour", "support_free", "support_bounded", "slack", "error",
                                  "conflict", "looked_at", "vector", "added", "result", "radius", "separator"])
def test_lines_stand_out_from_every_field_they_cross(look: Theme, role: Role) -> None:
    pair = [mixed(look.neutral, look.ends(side), t) for side in ("class0", "class1") for t in (0, 0.5, 1)]
    for ground in (look.plane, *pair):
        assert contrast(look.roles[role].line, ground) >= 3, ground


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
def test_every_role_has_a_style_and_classes_differ_by_shape_and_colour(look: Theme) -> None:
    assert set(look.roles) == set(get_args(Role))
    styles = [look.roles[role] for role in CLASSES]  # type: ignore[index]
    assert len({style.shape for style in styles}) == len({style.fill for style in styles}) == 8
    assert look.roles["support_free"].shape != look.roles["support_bounded"].shape


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
def test_the_two_sides_of_a_field_are_told_apart_and_meet_in_the_middle(look: Theme) -> None:
    lut = table(look, ("class0", "class1"), "diverging")[:-1]
    rgb = np.array([QColor.fromRgb(int(c)).getRgb()[:3] for c in lut])  # type: ignore[index]
    assert rgb[0, 0] > rgb[0, 2] and rgb[-1, 0] < rgb[-1, 2]  # vermilion below, blue above
    middle = (rgb[511] + rgb[512]) / 2
    assert np.abs(middle - QColor(look.neutral).getRgb()[:3]).max() <= 1.5  # type: ignore[index]
    assert np.abs(np.diff(rgb, axis=0)).max() <= 2  # no step that would look like a contour


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
def test_fills_are_quiet_and_regions_are_told_apart(look: Theme) -> None:
    regions = [QColor.fromRgb(int(c)).name() for c in table(look, tuple(CLASSES), "regions")[:-1]]
    for k, (role, region) in enumerate(zip(CLASSES, regions, strict=True)):  # yellow is bright whatever is done
        assert contrast(region, look.plane) < (1.6 if k < 4 else 1.9), role
        assert contrast(look.ends(role), look.plane) < (2.1 if k < 4 else 2.8), role
    for k, one in enumerate(regions[:3]):
        for other in regions[k + 1:3]:
            apart = [abs(a - b) for a, b in zip(QColor(one).getRgb()[:3], QColor(other).getRgb()[:3], strict=True)]  # type: ignore[index]
            assert max(apart) >= 14, (one, other)


def test_zoom_enlarges_pens_symbols_and_dashes_together() -> None:
    plain, large = stage.LIGHT.style("margin"), stage.LIGHT.zoomed(1.5).style("margin")
    assert large.width == 1.5 * plain.width
    assert large.dash == tuple(1.5 * length for length in plain.dash)
    assert stage.LIGHT.zoomed(2).style("class0").size == 2 * stage.LIGHT.style("class0").size


@pytest.mark.parametrize("look", THEME, ids=lambda look: look.name)
def test_the_style_sheet_has_no_open_names_and_its_images_exist(qapp: object, look: Theme) -> None:
    sheet = stylesheet(look)
    assert "@" not in sheet
    paths = re.findall(r'url\("([^"]+)"\)', sheet)
    assert len(paths) >= 5
    assert all(Path(path).is_file() for path in paths)
    assert SHEET.count("{") == SHEET.count("}")
    assert SHEET.count("@px12") > 0
    assert stylesheet(look.zoomed(2.0)).count("font-size: 24px") == SHEET.count("font-size: @px12")


def test_the_palette_is_the_themes_own(qapp: object) -> None:
    for look in THEME:
        palette = qpalette(look)
        assert palette.color(QPalette.ColorRole.Window) == QColor(look.panel)
        assert palette.color(QPalette.ColorRole.Highlight) == QColor(look.accent)
        text, disabled = (palette.color(group, QPalette.ColorRole.Text).name() for group in
                          (QPalette.ColorGroup.Active, QPalette.ColorGroup.Disabled))
        assert text != disabled


@pytest.mark.parametrize("path", sorted(asset("icons").glob("*.svg")), ids=lambda path: path.stem)
def test_every_icon_is_drawn(qapp: object, path: object) -> None:
    name = path.stem  # type: ignore[attr-defined]
    for look in THEME:
        made = icon(name, look)
        shown = made.pixmap(24, 24).toImage()
        inked = [shown.pixelColor(x, y) for x in range(24) for y in range(24) if shown.pixelColor(x, y).alpha() > 200]
        assert len(inked) > 12


def test_fonts_put_the_language_first() -> None:
    for language in LANGUAGES:
        names = families(language)
        korean, japanese = names.index("Noto Sans CJK KR"), names.index("Noto Sans CJK JP")
        assert (japanese < korean) == (language == "ja")
        assert names[0] == "Inter"


def test_fonts_have_the_size_that_was_asked_for(qapp: object) -> None:
    assert QFontInfo(ui_font("ko", 17)).pixelSize() == 17
