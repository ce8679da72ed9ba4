"""A plot that is laid out, as the pixels of an image and as the bytes of a PNG, SVG or PDF.

The plot is drawn in its own pixels, in which letters have the sizes of the window, and put on the page at one scale:
letters, pens and symbols keep their proportions in every size and every format.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Generator
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from kernelplay.figures import DPI, POINTS, Figure, Length
from kernelplay.ui.plot import Plot
from kernelplay.ui.typefaces import SERIFS, families

FINE = 1200  # steps of an inch of a PDF
STRIP = 400_000  # dots that are painted at a time
MOST_SHOWN = 4000  # dots of a side that are painted to be looked at
INCH = 0.0254  # metres


@dataclass(frozen=True)
class Told:
    """What a file says of itself to those who cannot see it, and to those who look for it; the language it is in."""

    title: str
    description: str
    language: str


def zoom(figure: Figure) -> float:
    """Return how much larger than in the plot everything is, in pixels of 1/96 inch."""
    return figure.font_size / POINTS


def room(figure: Figure) -> tuple[float, float]:
    """Return width and height of the plot, in its own pixels."""
    width, height = figure.size
    return width / zoom(figure), height / zoom(figure)


def image(made: Plot, figure: Figure, dots: tuple[int, int] | None = None) -> QImage:
    """Return the figure as an image of `dots`, those of its resolution unless others are given."""
    painting = strips(made, figure, dots)
    try:
        while True:
            next(painting)
    except StopIteration as done:
        drawn: QImage = done.value
        return drawn


def strips(made: Plot, figure: Figure, dots: tuple[int, int] | None = None) -> Generator[float, None, QImage]:
    """Paint the figure as an image strip by strip, and return it: give the share that is done after each, so that a
    window can go on while a large one is painted."""
    wide, high = dots or figure.dots
    target = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied if figure.transparent
                    else QImage.Format.Format_RGB32)
    target.fill(Qt.GlobalColor.transparent if figure.transparent else QColor(made.theme.paper))
    target.setDevicePixelRatio(wide / room(figure)[0])
    count = max(1, round(wide * high / STRIP))
    for k in range(count):
        top, bottom = k * high // count, (k + 1) * high // count
        with QPainter(target) as painter:  # ended whatever happens: Qt crashes where one outlives its image
            ratio = target.devicePixelRatio()
            painter.setClipRect(QRectF(0, top / ratio, wide / ratio + 1, (bottom - top) / ratio))
            made.draw(painter)
        yield (k + 1) / count
    target.setDotsPerMeterX(round(figure.dpi / INCH))
    target.setDotsPerMeterY(round(figure.dpi / INCH))
    return target


def png(made: Plot, figure: Figure, told: Told) -> bytes:
    """Return the figure as PNG, with title and description."""
    return packed(image(made, figure), told)


def packed(drawn: QImage, told: Told) -> bytes:
    """Return an image as PNG, with title and description; on any thread."""
    for key, text in (("Title", told.title), ("Description", told.description), ("Software", "kernelplay")):
        drawn.setText(key, text)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    drawn.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def svg(made: Plot, figure: Figure, told: Told) -> bytes:
    """Return the figure as SVG 1.1, of the size and in the unit that was asked for."""
    width, height = room(figure)
    buffer = QBuffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the default, Tiny 1.2, knows no clipping
    generator.setOutputDevice(buffer)
    generator.setResolution(round(DPI))
    generator.setSize(QSize(round(width), round(height)))
    generator.setViewBox(QRectF(0, 0, width, height))
    generator.setTitle("title")
    generator.setDescription("desc")
    with QPainter(generator) as painter:
        made.draw(painter, vector=True)
    return _mended(bytes(buffer.data().data()).decode("utf-8"), figure, told).encode("utf-8")


def _mended(source: str, figure: Figure, told: Told) -> str:
    """Return an SVG of Qt with what Qt cannot say: a size that is no whole number of pixels, who reads it aloud, and
    fonts to fall back to, at last any of their sort: Qt writes the families for one script alone."""
    width, height = room(figure)
    head, mark, body = source.partition("<defs>")
    root = (f'<svg width="{_length(figure.width)}" height="{_length(figure.height)}" '
            f'viewBox="0 0 {width:.6g} {height:.6g}" role="img" aria-labelledby="title desc" '
            f'xml:lang="{told.language}"')
    head = re.sub(r'<svg width="[^"]*" height="[^"]*"\s+viewBox="[^"]*"', lambda _: root, head)
    head = head.replace("<title>title</title>", f'<title id="title">{escape(told.title)}</title>')
    head = head.replace("<desc>desc</desc>", f'<desc id="desc">{escape(told.description)}</desc>')
    names = ", ".join(f"'{name}'" if " " in name else name for name in families(told.language, figure.font))
    generic = "serif" if figure.font in SERIFS else "sans-serif"
    return re.sub(r'font-family="[^"]*"', f'font-family="{names}, {generic}"', head + mark + body)


def _length(length: Length) -> str:
    """Return a length as SVG writes it; pixels are its own unit."""
    return f"{length.value:.6g}{'' if length.unit == 'px' else length.unit}"


def pdf(made: Plot, figure: Figure, told: Told) -> bytes:
    """Return the figure as PDF of one page."""
    points = QSizeF(*(side * 72 / DPI for side in figure.size))
    whole = QSizeF(-int(-points.width() // 1), -int(-points.height() // 1))  # Qt's pages are whole points
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(FINE)
    writer.setTitle(told.title)
    writer.setCreator("kernelplay")
    writer.setPageLayout(QPageLayout(QPageSize(whole, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch),
                                     QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    with QPainter(writer) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.scale(zoom(figure) * FINE / DPI, zoom(figure) * FINE / DPI)
        made.draw(painter, vector=True)
    return _readable(_cropped(bytes(buffer.data().data()), points, whole))


def _readable(source: bytes) -> bytes:
    """Return a PDF whose words can be found and copied. Where a glyph stands for several characters Qt names the first
    one: the radical ⽇ for 日, and for the space the tabulator. No byte moves."""
    def named(found: re.Match[bytes]) -> bytes:
        letter = chr(int(found[1], 16))
        usual = " " if letter == "\t" else unicodedata.normalize("NFKC", letter)
        return b"<%04X>" % ord(usual) if len(usual) == 1 and ord(usual) <= 0xFFFF else found[0]

    return re.sub(rb"begincmap.*?endcmap", lambda table: re.sub(
        rb"<(0009|2E[89A-F][0-9A-F]|2F[0-9A-D][0-9A-F])>(?=[^<]*(?:<[0-9A-F]{4}> )*\])", named, table[0]), source,
        flags=re.DOTALL)


def _cropped(source: bytes, points: QSizeF, whole: QSizeF) -> bytes:
    """Return a PDF whose page has the size `points`, measured from its upper left corner, where the picture begins.
    No byte moves, since a PDF counts them."""
    low = whole.height() - points.height()
    box = f"0 {low:.3f} {points.width():.3f} {whole.height():.0f}".encode()
    return re.sub(rb"(?<=/MediaBox \[)[0-9. ]+(?=\])", lambda found: box.ljust(len(found[0])), source)
