"""How everything looks: colours, pens and shapes by role, fonts by language, palette and style sheet of the window."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kernelplay.assets import asset
from kernelplay.i18n import Say, say
from kernelplay.marks import Role
from kernelplay.ui import sizes
from kernelplay.ui.style_sheet import SHEET
from kernelplay.ui.typefaces import SERIFS, families

Shape = Literal["", "disc", "square", "triangle", "diamond", "down triangle", "star", "plus", "bar", "ring",
                "double ring", "cross", "burst"]


@dataclass(frozen=True)
class Style:
    """How one role is drawn; widths and sizes in pixels at zoom 1, colours as #RRGGBB ("" is none)."""

    line: str = ""
    width: float = 1.5
    dash: tuple[float, ...] = ()  # lengths in pixels
    fill: str = ""
    opacity: float = 1.0  # of the fill
    shape: Shape = ""
    size: float = 11.0
    halo: str = ""  # around the line of a shape, as wide as that, so that it stands out from what it lies on


@dataclass(frozen=True)
class Theme:
    """All colours and styles of a look; a frozen value. `zoom` enlarges pens, symbols and text together."""

    name: str
    dark: bool
    # the window
    bar: str  # menu, tool and status bars
    panel: str
    edge: str  # between panels
    card: str  # fields, lists, combo boxes
    card_edge: str
    sunken: str  # behind segmented buttons
    groove: str
    accent: str
    accent_hover: str
    accent_text: str  # on accent
    soft: str  # chosen tool, primary button
    soft_edge: str
    soft_hover: str
    text: str
    text_mid: str
    text_dim: str
    good: str
    warn: str
    bad: str
    # the plot
    paper: str  # behind axes
    plane: str  # inside them
    frame: str
    grid: str
    tick: str
    legend: str
    neutral: str  # middle of a diverging field
    depth: float  # how far the ends of a field go from neutral to the class colour
    ramp: tuple[str, str]  # of a field that does not diverge
    roles: Mapping[Role, Style] = field(hash=False)
    zoom: float = 1.0
    far: tuple[str, ...] = ()  # the ends of a field of two classes, where they are not mixed
    ink: float = 1.0  # of a figure: enlarges pens and symbols of marks alone
    font: str = "sans"  # of a figure: one of FONTS
    outlines: bool = False  # of a figure: letters are drawn as shapes
    ground: bool = True  # of a figure: off, what lies behind it shows

    def style(self, role: Role) -> Style:
        """Return how `role` is drawn, at this theme's zoom."""
        style, zoom = self.roles[role], self.zoom * self.ink
        if zoom == 1.0:
            return style
        return replace(style, width=style.width * zoom, size=style.size * zoom,
                       dash=tuple(length * zoom for length in style.dash))

    def zoomed(self, zoom: float) -> Theme:
        """Return this theme with pens, symbols and text enlarged by `zoom`."""
        return replace(self, zoom=zoom)

    def ends(self, role: Role) -> str:
        """Return the colour of a field at the end that belongs to the class `role`."""
        own = dict(zip(("class0", "class1"), self.far, strict=False)).get(role)
        return own or mixed(self.neutral, self.roles[role].fill, self.depth)


# told apart without colour: no two cover each other by more than 85 %
CLASS_SHAPES: tuple[Shape, ...] = ("disc", "square", "triangle", "diamond", "down triangle", "star", "plus",
                                   "bar")
_CLASS_SIZES = (11.0, 10.0, 12.0, 12.5, 12.0, 13.0, 12.0, 12.0)


def roles_of(colours: tuple[str, ...], outline: str, halo: str, *, ink: str, mid: str, thin: str, hollow: str,
             plane: str, target: str, target_line: str, mean: str, alarm: str,
             player: tuple[str, str, str]) -> dict[Role, Style]:
    """Return the styles of all roles from a few inks; `colours` are those of the eight classes.

    A mark of a class is seen on any ground whatever, 3 : 1 and more, if among its colour, `outline` and `halo` none is
    more than nine times as bright as the next darker one, measured as contrast ratios are; a test asks for that.
    """
    names: tuple[Role, ...] = ("class0", "class1", "class2", "class3", "class4", "class5", "class6", "class7")
    classes: dict[Role, Style] = {
        role: Style(line=outline, width=1.3 if halo else 1.4, fill=colour, shape=shape, size=size, halo=halo)
        for role, colour, shape, size in zip(names, colours, CLASS_SHAPES, _CLASS_SIZES, strict=True)
    }
    looked, added, separator = player
    blue, vermilion = colours[0], colours[1]
    return classes | {
        "target": Style(line=target_line, width=1.4, fill=target, shape="disc", size=10.0),
        "faded": Style(line=hollow, width=1.4, fill=plane, shape="disc", size=8.0),
        "boundary": Style(line=ink, width=2.2),
        "margin": Style(line=mid, width=1.4, dash=(6.0, 4.0)),
        "contour": Style(line=thin, width=1.0),
        "mean": Style(line=mean, width=2.4),
        "tube": Style(line=mean, width=1.2, dash=(5.0, 4.0), fill=mean, opacity=0.13),
        "band": Style(line="", width=1.0, fill=mean, opacity=0.18),
        "support_free": Style(line=ink, width=1.8, shape="ring", size=21.0),
        "support_bounded": Style(line=ink, width=1.6, shape="double ring", size=27.0),
        "slack": Style(line=thin, width=1.3),
        "error": Style(line=ink, width=1.9, shape="cross", size=20.0),
        "conflict": Style(line=alarm, width=2.4, shape="burst", size=30.0),
        "looked_at": Style(line=looked, width=3.0, shape="ring", size=30.0),
        "vector": Style(line=ink, width=2.0),
        "added": Style(line=added, width=2.4),
        "result": Style(line=looked, width=2.4),
        "radius": Style(line=thin, width=1.4, dash=(2.0, 3.0)),
        "separator": Style(line=separator, width=1.8, dash=(8.0, 3.0, 2.0, 3.0)),
        "bar0": Style(line="", fill=blue),
        "bar1": Style(line="", fill=vermilion),
        "limit": Style(line=mid, width=1.3, dash=(6.0, 4.0)),
        "curve0": Style(line=separator, width=2.0),  # u and theta as on the canvas, no class
        "curve1": Style(line=looked, width=2.0),
        "bound0": Style(line=separator, width=1.4, dash=(6.0, 4.0)),
        "bound1": Style(line=looked, width=1.4, dash=(6.0, 4.0)),
        "count": Style(line="", fill=hollow),
        "count_now": Style(line="", fill=looked),
        "guide": Style(line=hollow, width=1.0),
        "label": Style(line=mid, width=1.0),
    }


# Okabe and Ito's colours
_OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#5F6368")
_WHITE, _INK = "#FFFFFF", "#14171A"

LIGHT = Theme(
    name="light", dark=False,
    bar="#FAF9F7", panel="#F7F6F3", edge="#DEDBD5", card="#FFFFFF", card_edge="#D9D5CE", sunken="#E9E6E0",
    groove="#D9D5CE", accent="#00507E", accent_hover="#006AA6", accent_text="#FFFFFF", soft="#DFE9F1",
    soft_edge="#C3D4E1", soft_hover="#D3E1EB", text="#1B1F24", text_mid="#4A5058", text_dim="#60666E",
    good="#1F7A4D", warn="#9A5B00", bad="#B3261E",
    paper="#FFFFFF", plane="#FFFFFF", frame="#C9C5BF", grid="#1B1F24", tick="#4A5058", legend="#FFFFFF",
    neutral="#FDFCFA", depth=0.42, ramp=("#FDFCFA", "#6BA3C4"),
    roles=roles_of(_OKABE_ITO, _INK, _WHITE, ink=_INK, mid="#3D434A", thin="#565C64", hollow="#6A7078", plane=_WHITE,
                   target="#2B3138", target_line=_WHITE, mean="#0072B2", alarm="#B8004E",
                   player=("#7B3FA0", "#00694C", "#8A5A00")),
)
DARK = Theme(
    name="dark", dark=True,
    bar="#1B1D20", panel="#202327", edge="#32363B", card="#2A2E33", card_edge="#41464D", sunken="#17191C",
    groove="#454B52", accent="#6CBDF0", accent_hover="#93D0F6", accent_text="#0E1418", soft="#263B4A",
    soft_edge="#36536A", soft_hover="#2D4658", text="#ECEEF0", text_mid="#C0C5CB", text_dim="#A0A7AF",
    good="#5FCB95", warn="#F0B45A", bad="#FF8A80",
    paper="#16181B", plane="#1A1C20", frame="#4A5057", grid="#FFFFFF", tick="#C0C5CB", legend="#22262A",
    neutral="#1D2023", depth=0.33, ramp=("#1D2023", "#3E83AD"),
    roles=roles_of(("#5CB3EA", "#F98E52", "#38C499", "#E09AC2", "#F2B33D", "#8AD0F5", "#F2E85C", "#C9CDD2"),
                   "#000000", "", ink="#EBEDF0", mid="#C6CBD1", thin="#AEB5BC", hollow="#9AA1A9", plane="#1A1C20",
                   target="#E6E9EC", target_line="#0E1012", mean="#6CBDF0", alarm="#FF93BC",
                   player=("#CFA8EE", "#4FD6A8", "#E8B85A")),
)
THEMES: Mapping[str, Say] = {"light": say("Light"), "dark": say("Dark")}  # what a person chooses from


def theme(name: str) -> Theme:
    """Return the theme called `name`: "light" or "dark"."""
    return {"light": LIGHT, "dark": DARK}[name]


def mixed(low: str, high: str, t: float) -> str:
    """Return the colour `t` of the way from `low` to `high`, as #RRGGBB."""
    return QColor.fromRgbF(*(x + (y - x) * t for x, y in zip(rgb(low), rgb(high), strict=True))).name()


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of #RRGGBB, each from 0 to 1."""
    made = QColor(colour)
    return made.redF(), made.greenF(), made.blueF()


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2, 0 for black and 1 for white."""
    def linear(c: float) -> float:
        return c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(c) for c in rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ui_font(language: str, pixels: float = 13.0, weight: QFont.Weight = QFont.Weight.Normal,
            named: str = "sans") -> QFont:
    """Return the font of the window for `language`; named: another one of FONTS."""
    font = QFont()
    font.setFamilies(families(language, named))
    font.setPixelSize(max(1, round(pixels)))
    font.setWeight(weight)
    font.setStyleHint(QFont.StyleHint.Serif if named in SERIFS else QFont.StyleHint.SansSerif)
    font.setFeature(QFont.Tag("calt"), 0)  # Inter's other forms of + − ( ) would be lost as text in a PDF
    return font


def heading_font(language: str, pixels: float = 11.0) -> QFont:
    """Return the font of section headings: small, semi-bold, spaced capitals; of the window, in its size."""
    font = ui_font(language, pixels * sizes.scale(), QFont.Weight.DemiBold)
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.6 * sizes.scale())
    return font


def qpalette(theme: Theme) -> QPalette:
    """Return the palette for the Fusion style."""
    palette = QPalette()
    groups = QPalette.ColorGroup
    roles = QPalette.ColorRole
    pairs = {
        roles.Window: theme.panel, roles.WindowText: theme.text, roles.Base: theme.card,
        roles.AlternateBase: theme.panel, roles.Text: theme.text, roles.Button: theme.card,
        roles.ButtonText: theme.text, roles.BrightText: theme.accent_text, roles.ToolTipBase: theme.card,
        roles.ToolTipText: theme.text, roles.PlaceholderText: theme.text_dim, roles.Highlight: theme.accent,
        roles.HighlightedText: theme.accent_text, roles.Link: theme.accent, roles.LinkVisited: theme.accent,
        roles.Light: theme.card, roles.Midlight: theme.edge, roles.Mid: theme.card_edge, roles.Dark: theme.frame,
        roles.Shadow: theme.frame, roles.Accent: theme.accent,
    }
    for role, colour in pairs.items():
        palette.setColor(role, QColor(colour))
    faint = QColor(mixed(theme.text_dim, theme.panel, 0.35))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(groups.Disabled, role, faint)
    palette.setColor(groups.Disabled, roles.Highlight, QColor(theme.groove))
    return palette


def stylesheet(theme: Theme) -> str:
    """Return the style sheet of the whole application in the colours of `theme`."""
    values = {each.name: str(getattr(theme, each.name)) for each in fields(theme)}
    values |= {"faint": mixed(theme.text_dim, theme.panel, 0.35), "hover": mixed(theme.panel, theme.text, 0.06)}
    images = {name: asset("icons", f"{name}.svg").as_posix()
              for name in (f"check-{theme.name}", f"down-{theme.name}", f"up-{theme.name}", f"right-{theme.name}")}
    values |= {f"image_{name.partition('-')[0]}": path for name, path in images.items()}

    def put(match: re.Match[str]) -> str:
        name = match.group(1)
        if name.startswith("px"):
            return f"{round(float(name[2:]) * theme.zoom)}px"
        return values[name]

    def grow(match: re.Match[str]) -> str:
        return f"{round(int(match.group(1)) * theme.zoom)}px"

    sheet = SHEET if theme.zoom == 1.0 else re.sub(r"(?<![@\w])([2-9]|\d\d+)px", grow, SHEET)  # lines stay 1 px
    return re.sub(r"@([a-z]\w*)", put, sheet)


Inks = tuple[str, str, str, str, str]  # of an icon: plain, under the pointer, in a chosen row, disabled, switched on


class Glyph(QIconEngine):
    """An icon of `assets/icons` drawn when it is asked for, in the size and the colour of its mode and state."""

    def __init__(self, source: str, inks: Inks) -> None:
        super().__init__()
        self._source, self._inks = source, inks

    def clone(self) -> QIconEngine:
        """Return another one; Qt asks for it when an icon that is shared is changed."""
        return Glyph(self._source, self._inks)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw it into `rect`."""
        plain, active, selected, disabled, lit = self._inks
        colour = {QIcon.Mode.Normal: plain, QIcon.Mode.Active: active, QIcon.Mode.Selected: selected,
                  QIcon.Mode.Disabled: disabled}[mode]
        if state == QIcon.State.On and mode in (QIcon.Mode.Normal, QIcon.Mode.Active):
            colour = lit
        QSvgRenderer(QByteArray(self._source.replace("currentColor", colour).encode())).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return it as a picture of `size` device pixels; of none for a button that has no room for it yet."""
        if size.isEmpty():
            return QPixmap()
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap


def icon(name: str, theme: Theme) -> QIcon:
    """Return the icon `assets/icons/{name}.svg` in the colours of `theme`: plain, switched on, disabled."""
    return _icon(name, (theme.text_mid, theme.text, theme.accent_text, mixed(theme.text_dim, theme.panel, 0.45),
                        theme.accent))


@lru_cache(maxsize=256)
def _icon(name: str, inks: Inks) -> QIcon:
    return QIcon(Glyph(asset("icons", f"{name}.svg").read_text("utf-8"), inks))


def apply(theme: Theme, language: str) -> None:
    """Give the whole application the Fusion style, palette, style sheet and font of `theme` and `language`; what it has
    already is left alone, see `dressing`."""
    from PySide6.QtWidgets import QApplication

    app = QGuiApplication.instance()
    assert isinstance(app, QApplication)
    sizes.use(theme.zoom)
    sheet, font = stylesheet(theme), ui_font(language, 13 * theme.zoom)
    if not app.styleSheet():
        app.setStyle("Fusion")
        app.setFont(font)
        app.setPalette(qpalette(theme))
        app.setStyleSheet(sheet)
    elif app.styleSheet() != sheet or app.font() != font:
        from kernelplay.ui.dressing import dress

        dress(qpalette(theme), sheet, font)
