"""The window that writes a figure, with real keys: what is typed, seen, remembered; and the same bytes by the flags."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand import Hand
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit
from test_figure import dots, output

from kernelplay import cli, i18n, session
from kernelplay.examples import examples
from kernelplay.figures import Figure, preset
from kernelplay.ui import page
from kernelplay.ui.export_dialog import ExportDialog
from kernelplay.ui.figure_maker import FigureMaker
from kernelplay.ui.words import retranslate


@pytest.fixture
def dialog(open_window: Callable[..., Any], qtbot: Any) -> Iterator[ExportDialog]:
    """The export window of the first example, with its figure made."""
    window = open_window()
    Hand(qtbot, window).settled()
    opened = ExportDialog(window.store, "light", window)
    opened.show()
    made(qtbot, opened)
    yield opened
    opened.reject()
    opened.deleteLater()


def made(qtbot: Any, dialog: ExportDialog) -> None:
    """Wait until what the form says is what is looked at."""
    def there() -> bool:
        now = dialog.maker.latest_made
        shown = dialog.preview
        return now is not None and now.figure == dialog.figure and shown.made is now and shown.whole

    qtbot.waitUntil(there, timeout=20_000)


def typed(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Tab)


def choose(combo: Any, key: str) -> None:
    """Take an entry by the arrow keys."""
    combo.setFocus()
    way = combo.findData(key) - combo.currentIndex()
    for _ in range(abs(way)):
        QTest.keyClick(combo, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
    assert combo.key == key


def test_every_value_of_the_declaration_has_its_control(dialog: ExportDialog) -> None:
    form = dialog.form
    shown = {*form.fields, *form.combos, *form.ticks, *form.lines, "hide", "show"}
    assert shown == set(Figure.params())
    for control in (*form.fields.values(), *form.combos.values(), *form.ticks.values(), *form.lines.values(),
                    *form.layers.values(), dialog.preview, dialog.path, dialog.format, form.unit, form.preset):
        assert control.accessibleName(), control


def test_the_preview_is_painted_by_the_code_that_writes(dialog: ExportDialog, qtbot: Any) -> None:
    for key in ("paper", "slide"):
        choose(dialog.form.preset, key)
        made(qtbot, dialog)
        preview, size = dialog.preview, dialog.preview.shown.size()
        assert size.width() / size.height() == pytest.approx(np.divide(*dialog.figure.size), rel=0.01)
        expected = page.image(preview.made.plot, dialog.figure, (int(size.width()), int(size.height())))
        seen = preview.grab(preview.shown.toRect()).toImage()
        assert np.abs(dots(seen)[2:-2, 2:-2] - dots(expected)[2:-2, 2:-2]).max() <= 3


def test_sizes_are_typed_in_any_unit_and_converted(dialog: ExportDialog, qtbot: Any) -> None:
    form = dialog.form
    before = dialog.figure.height.px
    typed(form.fields["width"], "85mm")
    assert dialog.figure.width == (85.0, "mm") and form.unit.key == "mm"
    assert dialog.figure.height.px == pytest.approx(before, rel=1e-5)
    typed(form.fields["height"], "64")
    assert dialog.figure.height == (64.0, "mm")
    choose(form.unit, "in")
    assert dialog.figure.width.unit == "in" and dialog.figure.width.px == pytest.approx(85 / 25.4 * 96, rel=1e-5)
    QTest.keyClick(form.fields["dpi"], Qt.Key.Key_Up)
    assert dialog.figure.dpi == 204


def test_what_is_wrong_is_a_sentence_and_the_last_value_stays(dialog: ExportDialog, qtbot: Any) -> None:
    before = dialog.figure
    for path, text, words in (("width", "1", "Width cannot be"), ("font_size", "x", "Font size cannot be"),
                              ("dpi", "0", "Resolution (dpi) cannot be")):
        typed(dialog.form.fields[path], text)
        assert dialog.error.isVisible() and words in dialog.error.text()
    assert dialog.figure == before
    typed(dialog.form.fields["font_size"], "72")
    typed(dialog.form.fields["width"], "120")
    typed(dialog.form.fields["height"], "120")
    qtbot.waitUntil(lambda: "there is no room" in dialog.error.text())
    assert dialog.preview.made is not None, "the last good one can still be seen"


def test_a_sentence_at_the_foot_moves_nothing_and_names_the_field(dialog: ExportDialog, qtbot: Any) -> None:
    still = (dialog.path, dialog.browse, dialog.box)
    places = [widget.geometry() for widget in still]
    typed(dialog.form.fields["width"], "1")
    QApplication.processEvents()
    assert dialog.error.isVisible() and [widget.geometry() for widget in still] == places
    i18n.use("ko")
    retranslate(dialog)
    assert dialog.error.text().startswith(str(Figure.params()["width"].label)) and "width" not in dialog.error.text()
    i18n.use("en")


def test_fields_and_lists_are_equally_high(dialog: ExportDialog) -> None:
    heights = {widget.height() for widget in (*dialog.form.fields.values(), *dialog.form.combos.values(), dialog.path,
                                              dialog.format) if widget.isVisible()}
    assert max(heights) - min(heights) <= 1


def test_a_preset_is_shown_until_one_of_its_values_is_another(dialog: ExportDialog, qtbot: Any) -> None:
    form = dialog.form
    choose(form.preset, "paper")
    assert dialog.figure == preset("paper").of(dialog.figure) and form.combos["theme"].key == "print"
    typed(form.lines["title"], "ignored while it is hidden") if form.lines["title"].isVisible() else None
    choose(form.combos["legend"], "below")
    choose(form.combos["theme"], "dark")
    choose(form.unit, "in")
    assert form.preset.key == "paper", "colours are a matter of taste, and another unit is the same size"
    choose(form.unit, "mm")
    typed(form.fields["font_size"], "7.5")
    assert form.preset.key == "own"
    choose(form.preset, "window")
    canvas = dialog.parentWidget().canvas  # type: ignore[attr-defined]
    assert dialog.figure.dots == (2 * canvas.width(), 2 * canvas.height())


def test_a_typed_title_is_seen_and_a_hidden_layer_is_not(dialog: ExportDialog, qtbot: Any) -> None:
    form = dialog.form
    assert not form.lines["title"].isVisible()
    choose(form.combos["heading"], "typed")
    form.lines["title"].setFocus()
    QTest.keyClicks(form.lines["title"], "Two classes")
    tick = form.layers["field"]
    tick.setFocus()
    QTest.keyClick(tick, Qt.Key.Key_Space)
    made(qtbot, dialog)
    plot = dialog.preview.made.plot
    assert plot.heading.text == "Two classes" and "field" not in {mark.layer for mark in plot.layers.marks}
    QTest.keyClick(tick, Qt.Key.Key_Space)
    assert dialog.figure.hide == () == dialog.figure.show


def test_a_layer_that_the_document_hides_can_be_shown(open_window: Callable[..., Any], qtbot: Any) -> None:
    window = open_window(replace(examples()[0].scene(), hidden=frozenset({"field"})))
    Hand(qtbot, window).settled()
    opened = ExportDialog(window.store, "light", window)
    opened.show()
    try:
        tick = opened.form.layers["field"]
        assert not tick.isChecked()
        tick.setFocus()
        QTest.keyClick(tick, Qt.Key.Key_Space)
        made(qtbot, opened)
        assert opened.figure.show == ("field",)
        assert "field" in {mark.layer for mark in opened.preview.made.plot.layers.marks}
        assert "field" in window.store.scene.hidden
    finally:
        opened.reject()
        opened.deleteLater()


def test_the_real_size_is_that_of_the_paper_and_moves_by_keys(dialog: ExportDialog, qtbot: Any) -> None:
    choose(dialog.form.preset, "slide")
    made(qtbot, dialog)
    QTest.mouseClick(dialog.zoom.button("real"), Qt.MouseButton.LeftButton)
    preview = dialog.preview
    assert preview.shown.width() == 1280
    before = preview.shown.left()
    QTest.keyClick(preview, Qt.Key.Key_Left)
    assert preview.shown.left() == before + 40
    for _ in range(40):
        QTest.keyClick(preview, Qt.Key.Key_Left)
    assert 0 <= preview.shown.left() <= 20, "no further than to the edge"


def test_the_ground_that_is_missing_shows_as_squares(dialog: ExportDialog, qtbot: Any) -> None:
    choose(dialog.form.combos["theme"], "print")
    dialog.form.ticks["transparent"].setFocus()
    QTest.keyClick(dialog.form.ticks["transparent"], Qt.Key.Key_Space)
    made(qtbot, dialog)
    seen = dots(dialog.preview.grab(dialog.preview.shown.toRect()).toImage())
    assert len(np.unique(seen[-20:-4, 2:14].reshape(-1, 3), axis=0)) == 2


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_flags_of_the_command_line_write_the_same_file(dialog: ExportDialog, qtbot: Any, tmp_path: Path,
                                                           ending: str) -> None:
    scene = tmp_path / "scene.kplay"
    session.save(dialog.maker.source.scene, scene)
    form = dialog.form
    choose(form.preset, "half slide")
    choose(form.combos["legend"], "right")
    choose(form.combos["heading"], "typed")
    form.lines["title"].setFocus()
    QTest.keyClicks(form.lines["title"], "One figure")
    tick = form.layers["slack"]
    tick.setFocus()
    QTest.keyClick(tick, Qt.Key.Key_Space)
    by_hand, by_flags = tmp_path / f"hand.{ending}", tmp_path / f"flags.{ending}"
    typed(dialog.path, str(by_hand))
    dialog.path.setFocus()
    QTest.keyClick(dialog.path, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)
    assert cli.main(["render", str(scene), "-o", str(by_flags), "--preset", "half slide", "--legend", "right",
                     "--title", "One figure", "--hide", "slack", "--lang", "en"]) == 0
    if ending != "pdf":
        assert by_hand.read_bytes() == by_flags.read_bytes()
        return
    assert output("pdftotext", str(by_hand), "-") == output("pdftotext", str(by_flags), "-")
    for path in (by_hand, by_flags):
        subprocess.run(["pdftoppm", "-r", "150", "-png", "-singlefile", str(path), str(path.with_suffix(""))],
                       check=True)
    assert QImage(str(tmp_path / "hand.png")) == QImage(str(tmp_path / "flags.png"))


def test_the_line_below_says_the_true_size_of_the_file(dialog: ExportDialog, qtbot: Any, tmp_path: Path) -> None:
    choose(dialog.format, ".png")
    assert dialog.path.text().endswith(".png")
    qtbot.waitUntil(lambda: "kB" in dialog.info.text(), timeout=20_000)
    assert "{} × {} pixels".format(*dialog.figure.dots) in dialog.info.text()
    said = dialog.info.text().split(" · ")[-1]
    typed(dialog.path, str(tmp_path / "a.png"))
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)
    assert said == f"{i18n.number((tmp_path / 'a.png').stat().st_size / 1000)} kB"


def test_copy_puts_image_and_vectors_on_the_clipboard_and_stays(dialog: ExportDialog, qtbot: Any) -> None:
    choose(dialog.form.preset, "square")
    made(qtbot, dialog)
    button = next(each for each in dialog.box.buttons()
                  if dialog.box.buttonRole(each) == QDialogButtonBox.ButtonRole.ActionRole)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    board = QGuiApplication.clipboard()
    qtbot.waitUntil(lambda: not board.image().isNull(), timeout=20_000)
    assert (board.image().width(), board.image().height()) == dialog.figure.dots
    assert b'width="120mm"' in bytes(board.mimeData().data("image/svg+xml").data())
    assert dialog.isVisible() and "clipboard" in dialog.info.text()


def test_a_figure_that_cannot_be_written_is_a_sentence_and_can_be_tried_again(dialog: ExportDialog, qtbot: Any,
                                                                              tmp_path: Path) -> None:
    (tmp_path / "taken.svg").mkdir()
    for name, words in (("taken.svg", "is a folder"), ("missing/a.svg", "not found: create it"),
                        ("a.gif", "use the extension"),
                        ("a\0b.svg", "could not be written")):
        dialog.path.setText(str(tmp_path / name))
        dialog.accept()
        qtbot.waitUntil(dialog.error.isVisible, timeout=20_000)
        assert words in dialog.error.text() and dialog.isVisible() and dialog.box.isEnabled()
        dialog.error.show_sentence(None)
    typed(dialog.form.fields["dpi"], "2400")
    typed(dialog.form.fields["width"], "2000")
    dialog.path.setText(str(tmp_path / "a.png"))
    dialog.accept()
    assert "pixels is too large" in dialog.error.text()
    dialog.path.setText(str(tmp_path / "a.svg"))
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)
    assert (tmp_path / "a.svg").exists() and QGuiApplication.overrideCursor() is None


def test_the_next_window_remembers_all_but_the_words(dialog: ExportDialog, qtbot: Any, tmp_path: Path) -> None:
    choose(dialog.form.preset, "paper")
    choose(dialog.form.combos["legend"], "below")
    choose(dialog.form.combos["heading"], "typed")
    dialog.form.lines["title"].setFocus()
    QTest.keyClicks(dialog.form.lines["title"], "Once")
    dialog.path.setText(str(tmp_path / "a.pdf"))
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)
    again = ExportDialog(dialog._store, "dark", dialog.parentWidget())
    assert again.figure == replace(dialog.figure, heading="none", title="")
    assert again.path.text().startswith(str(tmp_path)) and again.format.key == ".pdf"
    again.deleteLater()


@pytest.mark.parametrize("stored", ["", "[]", "{", '{"width": "9km"}', '{"theme": 3, "colour": 1}', "null",
                                    json.dumps({"dpi": 10**400})])
def test_settings_of_another_version_are_no_trouble(open_window: Callable[..., Any], qtbot: Any, stored: str) -> None:
    window = open_window()
    Hand(qtbot, window).settled()
    QSettings().setValue("export/figure", stored)
    again = ExportDialog(window.store, "light", window)
    assert again.figure == again.form.presets["window"].of(Figure()) and again.form.preset.key == "window"
    again.deleteLater()


def test_it_can_be_closed_while_it_works(dialog: ExportDialog, qtbot: Any) -> None:
    choose(dialog.form.preset, "wide paper")
    choose(dialog.format, ".png")
    dialog.accept()
    dialog.reject()
    assert not dialog.isVisible() and not dialog.maker.busy and QGuiApplication.overrideCursor() is None


@pytest.mark.parametrize("turns", range(3))
def test_an_image_that_is_not_wanted_any_more_takes_no_other_files_place(dialog: ExportDialog, qtbot: Any,
                                                                         turns: int) -> None:
    maker, found = FigureMaker(dialog.maker.source, dialog), []
    maker.encoded.connect(lambda content: found.append(content))
    maker.ask(dialog.figure)
    qtbot.waitUntil(lambda: not maker.busy)
    maker.encode(".png")
    for _ in range(turns):
        QApplication.processEvents()
    maker.encode(".svg")
    qtbot.waitUntil(lambda: bool(found) and not maker.busy, timeout=20_000)
    maker.close()
    assert [content[:5] for content in found] == [b"<?xml"]


def test_the_file_is_what_its_name_says_though_another_one_was_being_weighed(dialog: ExportDialog, qtbot: Any,
                                                                             tmp_path: Path) -> None:
    dialog.path.setText(str(tmp_path / "a.png"))
    while not dialog.maker.busy:  # until the first strip of the image is painted, to know its size
        QApplication.processEvents()
    dialog.path.setText(str(tmp_path / "a.svg"))
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")


def test_a_name_that_is_changed_after_export_was_chosen_comes_too_late(dialog: ExportDialog, qtbot: Any,
                                                                       tmp_path: Path) -> None:
    dialog.path.setText(str(tmp_path / "a.svg"))
    typed(dialog.form.fields["width"], "85mm")
    assert dialog.maker.latest_made is None, "it is being laid out"
    dialog.accept()
    dialog.path.setText(str(tmp_path / "a.png"))
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)
    assert [path.name for path in tmp_path.glob("a.*")] == ["a.svg"]
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")


def test_another_format_is_weighed_though_the_last_one_is_under_way(dialog: ExportDialog, qtbot: Any) -> None:
    choose(dialog.format, ".png")
    while not dialog.maker.busy:
        QApplication.processEvents()
    choose(dialog.format, ".svg")
    dialog._rest.timeout.emit()  # the rest is over before the image is whole
    qtbot.waitUntil(lambda: "kB" in dialog.info.text() and not dialog.maker.busy, timeout=20_000)
    assert dialog._content is not None and dialog._content.startswith(b"<?xml")
