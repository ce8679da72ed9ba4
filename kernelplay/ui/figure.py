"""Figures: a picture as PNG, SVG or PDF, drawn by the code that draws the canvas."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from kernelplay.compute import Compute, Request
from kernelplay.errors import FileError
from kernelplay.figures import MOST_DOTS, Figure
from kernelplay.files import write_whole
from kernelplay.i18n import LANGUAGES, Say, current, plural, say, verbatim
from kernelplay.marks import Picture
from kernelplay.scene import Rectangle, Scene, axis_labels, data_view
from kernelplay.ui import page
from kernelplay.ui.layers import layers
from kernelplay.ui.page import Told
from kernelplay.ui.paint import LEAST_ON_PAPER, words
from kernelplay.ui.paper import PRINT
from kernelplay.ui.plot import Plot
from kernelplay.ui.theme import DARK, LIGHT, Theme

FORMATS = (".png", ".svg", ".pdf")
LEAST = 24.0  # pixels of the plot that the plane must have
ROUNDS = 4  # the room for the colour bar's numbers depends on the picture, and the picture on the room


def plot(picture: Picture, scene: Scene, figure: Figure | None = None, *, screen: Theme = LIGHT, language: str = "",
         view: Rectangle | None = None, step: int | None = None) -> Plot:
    """Return the plot of the canvas of `picture` as `figure` wants it: what the window shows, without what the hand
    adds to it. Its own pixels are those of `page.room(figure)`.

    A figure of another shape shows another rectangle; the charts are made for it, from the same fit. screen: the theme
    of the window; step: of the player; view: the rectangle that is to be seen, that of the scene if not given. Raises
    FileError where letters leave no room for the picture.
    """
    drawing = plotting(picture, scene, figure or Figure(), screen=screen, language=language, view=view, step=step)
    compute = Compute.after(picture)
    try:
        wanted = next(drawing)
        while True:
            wanted = drawing.send(compute.picture(wanted))
    except StopIteration as done:
        made: Plot = done.value
        return made


def plotting(picture: Picture, scene: Scene, figure: Figure, *, screen: Theme = LIGHT, language: str = "",
             view: Rectangle | None = None, step: int | None = None) -> Generator[Request, Picture, Plot]:
    """Do the work of `plot` on the side of Qt: give a Request for every picture that is needed, be sent it, return the
    plot. Compute.after(picture) answers from the same fit.

    What is asked for first depends on nothing that is on the screen, so that the same figure comes of the same scene
    whatever was looked at before.
    """
    def laid_out() -> Plot:
        return lay_out(picture, scene, figure, screen=screen, language=language, view=view, step=step)

    if picture.fit is None:
        return laid_out()
    width, height = figure.size
    picture = yield Request(shown(scene, figure), view or scene.view or data_view(scene), aspect=width / height)
    drawn_for = None
    for _ in range(ROUNDS):
        made = laid_out()
        if made.plane.view == drawn_for:
            return made
        drawn_for = made.plane.view
        picture = yield Request(shown(scene, figure), drawn_for, aspect=made.plane.width / made.plane.height)
    return laid_out()


def lay_out(picture: Picture, scene: Scene, figure: Figure, *, screen: Theme = LIGHT, language: str = "",
            view: Rectangle | None = None, step: int | None = None) -> Plot:
    """Return the plot with the charts of `picture` as they are: what `plot` does once they are of the right view."""
    application()
    made = Plot(look(figure, screen), language or current())
    made.seat.ask(figure.legend)
    made.ink.least = LEAST_ON_PAPER
    made.coloured = figure.colour_bar
    made.heading.text = words(heading(figure, scene), made.language)
    made.set_size(*page.room(figure))
    made.set_view(view or scene.view or data_view(scene), scene.task == "classification")
    frame = picture.frames.at(step) if picture.frames is not None and step is not None else None
    made.set_layers(layers(picture, shown(scene, figure), frame), names(figure, scene))
    if min(made.plane.width, made.plane.height) < LEAST:
        raise FileError(say("With a font size of {points} pt there is no room for the plot in a figure of {width} × "
                            "{height}: increase the size or reduce the font size.", points=float(figure.font_size),
                            width=verbatim(str(figure.width)), height=verbatim(str(figure.height))))
    return made


def render(picture: Picture, scene: Scene, path: Path | str, figure: Figure | None = None, *, screen: Theme = LIGHT,
           language: str = "", view: Rectangle | None = None, step: int | None = None) -> None:
    """Write the figure to `path` in the format of its ending: .png, .svg or .pdf.

    Raises FileError with a sentence for another ending, a size that cannot be drawn, or a file that cannot be written;
    the old file then stays as it was.
    """
    path, figure = Path(path), figure or Figure()
    check(path, figure)
    made = plot(picture, scene, figure, screen=screen, language=language, view=view, step=step)
    write_whole(path, encoded(made, picture, scene, figure, path.suffix))


def encoded(made: Plot, picture: Picture, scene: Scene, figure: Figure, ending: str) -> bytes:
    """Return the content of the file of a plot that is laid out."""
    encode: dict[str, Callable[[Plot, Figure, Told], bytes]] = {".png": page.png, ".svg": page.svg, ".pdf": page.pdf}
    return encode[ending.lower()](made, figure, told(made, picture, scene, figure))


def image(picture: Picture, scene: Scene, figure: Figure | None = None, *, screen: Theme = LIGHT, language: str = "",
          view: Rectangle | None = None, step: int | None = None) -> QImage:
    """Return the figure as an image, with the dots of a PNG. Raises FileError as `render` does."""
    figure = figure or Figure()
    check(None, figure)
    return page.image(plot(picture, scene, figure, screen=screen, language=language, view=view, step=step), figure)


def check(path: Path | None, figure: Figure) -> None:
    """Raise FileError if the ending of `path` is not known, or for a PNG of more dots than can be drawn."""
    if path is not None and path.suffix.lower() not in FORMATS:
        raise FileError(say("A figure cannot be saved as {name}: use the extension .png, .svg or .pdf.",
                            name=path.name))
    width, height = figure.dots
    if (path is None or path.suffix.lower() == ".png") and max(width, height) > MOST_DOTS:
        raise FileError(say("A PNG of {width} × {height} pixels is too large: the limit is {most} per side. Reduce the "
                            "resolution or the size, or use SVG or PDF.",
                            width=width, height=height, most=MOST_DOTS))


def look(figure: Figure, screen: Theme) -> Theme:
    """Return the theme that `figure` is drawn with in a window with the theme `screen`."""
    base = {"screen": screen, "light": LIGHT, "dark": DARK, "print": PRINT}[figure.theme]
    return replace(base, zoom=1.0, ink=figure.line_scale, font=figure.font, outlines=figure.text == "outlines",
                   ground=not figure.transparent)


def shown(scene: Scene, figure: Figure) -> Scene:
    """Return the scene with the layers hidden that `figure` leaves out."""
    hidden = figure.hidden(scene.hidden)
    return scene if hidden == scene.hidden else replace(scene, hidden=hidden)


def heading(figure: Figure, scene: Scene) -> Say:
    """Return the title of the figure, or nothing."""
    return verbatim({"none": "", "scene": scene.title, "typed": figure.title}[figure.heading])


def names(figure: Figure, scene: Scene) -> tuple[Say, Say]:
    """Return what stands at the axes."""
    x, y = axis_labels(scene)
    if figure.axes == "none":
        return verbatim(""), verbatim("")
    if figure.axes == "typed":
        return (verbatim(figure.x_label) if figure.x_label else x), (verbatim(figure.y_label) if figure.y_label else y)
    return x, y


def told(made: Plot, picture: Picture, scene: Scene, figure: Figure) -> Told:
    """Return what the file says of itself: the title, and in a few sentences what is to be seen."""
    x, y = (name if str(name) else axis for name, axis in zip(names(figure, scene), axis_labels(scene), strict=True))
    x0, x1, y0, y1 = made.plane.view
    n = len(scene.points)
    parts = [plural(n, "{n} point.", "{n} points."), picture.status,
             say("Horizontal axis: {x} from {x0} to {x1}; vertical axis: {y} from {y0} to {y1}.",
                 x=x, x0=x0, x1=x1, y=y, y0=y0, y1=y1)]
    if made.legend.texts:
        parts.append(say("Shown: {names}.", names=", ".join(made.legend.texts)))
    title = made.heading.text or words(verbatim(scene.title), made.language) or \
        words(type(scene.model).label, made.language)
    return Told(title, " ".join(words(part, made.language) for part in parts),
                made.language if made.language in LANGUAGES else "en")


def application() -> None:
    """Make sure that there is an application: text and pictures need one, also where no window will be shown."""
    global _own
    if QGuiApplication.instance() is None:
        if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) and os.name == "posix":
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _own = QApplication([])


_own: QApplication | None = None
