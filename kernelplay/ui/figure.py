"""Figures: a picture as PNG, SVG, PDF or on the clipboard, drawn by the code that draws the canvas."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QMimeData, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from kernelplay.compute import Compute, Request
from kernelplay.errors import FileError
from kernelplay.files import write_whole
from kernelplay.i18n import current, say
from kernelplay.marks import Picture
from kernelplay.scene import Rectangle, Scene, axis_labels, data_view
from kernelplay.ui.layers import layers
from kernelplay.ui.plot import Plot
from kernelplay.ui.theme import Theme, families

SIZE = (800, 600)  # pixels at 96 dpi
DPI = 96.0
LEAST, MOST = 120, 10_000  # pixels of a side; the larger also of a scaled image
FORMATS = (".png", ".svg", ".pdf")


def plot(picture: Picture, scene: Scene, size: tuple[int, int], *, theme: Theme, language: str = "",
         view: Rectangle | None = None, step: int | None = None) -> Plot:
    """Return the plot of the canvas of `picture`: what the window shows, without what the hand adds to it.

    A figure of another shape shows another rectangle; the charts are made for it, from the same fit.
    """
    _application()
    made = Plot(theme, language or current())
    made.seat.whole = True
    made.set_size(*size)
    made.set_view(view or scene.view or data_view(scene), scene.task == "classification")
    compute, drawn_for = Compute.after(picture), None
    for _ in range(4):  # the room for the colour bar's numbers depends on the picture
        frame = picture.frames.at(step) if picture.frames is not None and step is not None else None
        made.set_layers(layers(picture, scene, frame), axis_labels(scene))
        plane = made.plane
        if picture.fit is None or plane.view == drawn_for:
            break
        drawn_for = plane.view
        picture = compute.picture(Request(scene, plane.view, aspect=plane.width / plane.height))
    return made


def render(picture: Picture, scene: Scene, path: Path | str, size: tuple[int, int] = SIZE, scale: float = 1.0, *,
           theme: Theme, language: str = "", view: Rectangle | None = None, step: int | None = None) -> None:
    """Write the figure to `path` in the format of its ending: .png, .svg or .pdf.

    size: in pixels at 96 dpi; scale: enlarges everything, pens and text too. Raises FileError with a sentence for
    another ending, a size that cannot be drawn, or a file that cannot be written; the old file then stays as it was.
    """
    path = Path(path)
    check(path, size, scale)
    made = plot(picture, scene, size, theme=theme, language=language, view=view, step=step)
    encode: dict[str, Callable[[Plot, tuple[int, int], float], bytes]] = {".png": _png, ".svg": _svg, ".pdf": _pdf}
    write_whole(path, encode[path.suffix.lower()](made, size, scale))


def image(picture: Picture, scene: Scene, size: tuple[int, int] = SIZE, scale: float = 1.0, *, theme: Theme,
          language: str = "", view: Rectangle | None = None, step: int | None = None) -> QImage:
    """Return the figure as an image of `size` times `scale` pixels. Raises FileError as `render` does."""
    check(None, size, scale)
    return _image(plot(picture, scene, size, theme=theme, language=language, view=view, step=step), size, scale)


def copy(picture: Picture, scene: Scene, size: tuple[int, int] = SIZE, scale: float = 2.0, *, theme: Theme,
         language: str = "", view: Rectangle | None = None, step: int | None = None) -> None:
    """Put the figure on the clipboard, as an image of `size` times `scale` pixels and as SVG."""
    check(None, size, scale)
    made = plot(picture, scene, size, theme=theme, language=language, view=view, step=step)
    data = QMimeData()
    data.setImageData(_image(made, size, scale))
    data.setData("image/svg+xml", QByteArray(_svg(made, size, 1.0)))
    QGuiApplication.clipboard().setMimeData(data)


def check(path: Path | None, size: tuple[int, int], scale: float) -> None:
    """Raise FileError if the ending of `path` is not known or the figure would be too small or too large."""
    if path is not None and path.suffix.lower() not in FORMATS:
        raise FileError(say("A figure cannot be written as {name}: the name needs the ending .png, .svg or .pdf.",
                            name=path.name))
    largest = max(size) * (scale if path is None or path.suffix.lower() == ".png" else 1.0)
    if not (min(size) >= LEAST and largest <= MOST and scale > 0):
        raise FileError(say("A figure of {width} × {height} pixels at scale {scale} cannot be drawn: each side must be "
                            "at least {least} pixels, and at most {most} after scaling.", width=size[0], height=size[1],
                            scale=float(scale), least=LEAST, most=MOST))


def _image(made: Plot, size: tuple[int, int], scale: float) -> QImage:
    target = QImage(round(size[0] * scale), round(size[1] * scale), QImage.Format.Format_ARGB32_Premultiplied)
    target.setDevicePixelRatio(scale)
    target.setDotsPerMeterX(round(DPI * scale / 0.0254))
    target.setDotsPerMeterY(round(DPI * scale / 0.0254))
    target.fill(Qt.GlobalColor.white)
    painter = QPainter(target)
    made.draw(painter)
    painter.end()
    return target


def _png(made: Plot, size: tuple[int, int], scale: float) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    _image(made, size, scale).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def _svg(made: Plot, size: tuple[int, int], scale: float) -> bytes:
    buffer = QBuffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the default, Tiny 1.2, knows no clipping
    generator.setOutputDevice(buffer)
    generator.setResolution(round(DPI))
    generator.setSize(QSize(round(size[0] * scale), round(size[1] * scale)))
    generator.setViewBox(QRectF(0, 0, *size))
    generator.setTitle("kernelplay")
    painter = QPainter(generator)
    made.draw(painter, vector=True)
    painter.end()
    return _fonts(bytes(buffer.data().data()).decode("utf-8"), made.language).encode("utf-8")


def _fonts(source: str, language: str) -> str:
    """Return an SVG whose texts fall back to other families of the language and at last to any sans serif: Qt writes
    the first family alone, and a viewer without it takes a serif face."""
    names = ", ".join(f"'{name}'" if " " in name else name for name in families(language))
    return re.sub(r'font-family="[^"]*"', f'font-family="{names}, sans-serif"', source)


def _pdf(made: Plot, size: tuple[int, int], scale: float) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(1200)
    writer.setTitle("kernelplay")
    writer.setCreator("kernelplay")
    points = QSizeF(size[0] * scale * 72 / DPI, size[1] * scale * 72 / DPI)
    writer.setPageLayout(QPageLayout(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch),
                                     QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    painter.scale(scale * 1200 / DPI, scale * 1200 / DPI)
    made.draw(painter, vector=True)
    painter.end()
    return bytes(buffer.data().data())


def _application() -> None:
    """Make sure that there is an application: text and pictures need one, also where no window will be shown."""
    global _own
    if QGuiApplication.instance() is None:
        if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) and os.name == "posix":
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _own = QApplication([])


_own: QApplication | None = None
