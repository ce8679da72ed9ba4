"""Figures made beside the window: charts, SVG and PDF on a worker, an image strip by strip between two events.

An image needs pixmaps, which belong to the thread of the window; a vector file needs none. It is drawn from a plot of
its own, so that the one that is looked at can be painted meanwhile; both are let go of on the thread of the window.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from kernelplay.compute import Compute, Request
from kernelplay.errors import FileError
from kernelplay.figures import Figure
from kernelplay.i18n import Say, say
from kernelplay.latest import Latest
from kernelplay.marks import Picture
from kernelplay.models.base import Check
from kernelplay.scene import Scene
from kernelplay.ui import figure, page
from kernelplay.ui.page import Told
from kernelplay.ui.plot import Plot
from kernelplay.ui.theme import Theme

Work = Callable[[Check], Any]


@dataclass(frozen=True, eq=False)
class Source:
    """What a figure is made of: the picture that has the fit, its scene, the window's theme, the step of the player."""

    picture: Picture
    scene: Scene
    screen: Theme
    step: int | None = None


@dataclass(frozen=True, eq=False)
class Made:
    """A figure that is laid out."""

    source: Source
    figure: Figure
    plot: Plot

    @property
    def told(self) -> Told:
        """What its file says of itself."""
        return figure.told(self.plot, self.source.picture, self.source.scene, self.figure)


class FigureMaker(QObject):
    """Lays out the figure that was asked for last, and makes its file. One is made at a time, the newest wins.

    `made` tells that it is laid out, `encoded` that the content of its file is there, `painted` that its image is.
    """

    made = Signal(object)  # Made
    painted = Signal(object)  # QImage
    encoded = Signal(object)  # bytes
    failed = Signal(object)  # Say
    _arrived = Signal(int, object)
    _broke = Signal(int, object)

    def __init__(self, source: Source, parent: QObject) -> None:
        super().__init__(parent)
        self.source = source
        self.latest_made: Made | None = None
        self._figure = Figure()
        self._drawing: Generator[Request, Picture, Plot] | None = None
        self._painting: Generator[float, None, QImage] | None = None
        self._then: Callable[[QImage], None] | None = None
        self._asked = 0
        self._after: Callable[[Any], None] | None = None
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._strip)
        self._arrived.connect(self._answer)
        self._broke.connect(self._break)
        self._compute = Compute.after(source.picture)
        self._picture = source.picture  # with the charts of the figure that is laid out
        self._plots: dict[int, Plot] = {}  # that the worker draws
        self._count = 0
        self._latest: Latest[Work, Any] | None = None  # begins with the first work

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is still to come."""
        return self._drawing is not None or self._painting is not None or self._after is not None

    def ask(self, wanted: Figure) -> None:
        """Lay out `wanted`; what was being made before is dropped."""
        self.drop()
        self.latest_made = None
        self._figure = wanted
        self._picture = self.source.picture
        self._drawing = figure.plotting(self.source.picture, self.source.scene, wanted, screen=self.source.screen,
                                        step=self.source.step)
        self._advance(None)

    def drop(self) -> None:
        """Make nothing any more."""
        self._drawing = self._painting = self._then = self._after = None
        self._asked = 0
        self._turn.stop()

    def encode(self, ending: str) -> None:
        """Make the content of the file of the figure that is laid out; `encoded` tells it."""
        made = self.latest_made
        assert made is not None
        self._asked, self._after = 0, None
        if ending.lower() == ".png":
            self.paint(self._pack)
            return
        source, wanted, plots = made.source, made.figure, self._plots
        self._count += 1
        key = self._count
        plots[key] = figure.lay_out(self._picture, source.scene, wanted, screen=source.screen, step=source.step)

        def work(check: Check) -> bytes:
            return figure.encoded(plots[key], source.picture, source.scene, wanted, ending)

        self._submit(work, self.encoded.emit)

    def paint(self, then: Callable[[QImage], None] | None = None) -> None:
        """Paint the image of the figure that is laid out, with all its dots; `painted` tells it, unless `then` takes
        it."""
        made = self.latest_made
        assert made is not None
        self._painting, self._then = page.strips(made.plot, made.figure), then
        self._turn.start()

    def _pack(self, drawn: QImage) -> None:
        made = self.latest_made
        assert made is not None
        told = made.told
        self._submit(lambda check: page.packed(drawn, told), self.encoded.emit)

    def _submit(self, work: Work, after: Callable[[Any], None]) -> None:
        if self._latest is None:
            self._latest = Latest(lambda work, check: work(check), self._arrived.emit, self._broke.emit)
        self._after = after
        self._asked = self._latest.submit(work)

    def _advance(self, picture: Picture | None) -> None:
        """Go on with the layout, with the picture it has waited for."""
        assert self._drawing is not None
        self._picture = picture or self._picture
        try:
            wanted = next(self._drawing) if picture is None else self._drawing.send(picture)
        except StopIteration as done:
            self._drawing = None
            self.latest_made = Made(self.source, self._figure, done.value)
            self.made.emit(self.latest_made)
        except FileError as error:
            self._drawing = None
            self.failed.emit(error.sentence)
        else:
            compute = self._compute
            self._submit(lambda check: compute.picture(wanted, check), self._advance)

    @Slot(int, object)
    def _answer(self, number: int, result: object) -> None:
        after = self._after
        if number == self._asked and after is not None:
            self._after = None
            self._plots.clear()
            after(result)

    @Slot(int, object)
    def _break(self, number: int, error: BaseException) -> None:
        if number == self._asked:
            self.drop()
            self.failed.emit(_sentence(error))

    @Slot()
    def _strip(self) -> None:
        if self._painting is None:
            self._turn.stop()
            return
        try:
            next(self._painting)
        except StopIteration as done:
            then = self._then or self.painted.emit
            self._painting = self._then = None
            self._turn.stop()
            then(done.value)

    def close(self) -> None:
        """Stop the worker and wait for it."""
        self.drop()
        if self._latest is not None:
            self._latest.close()
        self._plots.clear()


def _sentence(error: BaseException) -> Say:
    if isinstance(error, MemoryError):
        return say("There is not enough memory for this figure: take fewer dots per inch or a smaller size.")
    return say("This figure could not be drawn ({kind}): take other settings, or report it.",
               kind=type(error).__name__)
