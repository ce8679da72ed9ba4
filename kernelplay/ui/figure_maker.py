"""Figures made beside the window: charts, SVG and PDF on a worker, an image strip by strip between two events.

An image needs pixmaps, which belong to the thread of the window; a vector file needs none. It is drawn from a plot of
its own, so that the one that is looked at can be painted meanwhile; both are let go of on the thread of the window.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from kernelplay.compute import Compute, Request
from kernelplay.errors import FileError
from kernelplay.figures import Figure
from kernelplay.i18n import Say, say
from kernelplay.marks import Picture
from kernelplay.models.base import Check
from kernelplay.scene import Scene
from kernelplay.ui import figure, page
from kernelplay.ui.page import Told
from kernelplay.ui.plot import Plot
from kernelplay.ui.theme import Theme
from kernelplay.ui.turns import Turns
from kernelplay.ui.worker import Worker

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


@dataclass(frozen=True, eq=False)
class Copied:
    """A figure as the clipboard takes it: an image, and for other programs the same as PNG and as SVG."""

    image: QImage
    png: bytes
    svg: bytes


class FigureMaker(Worker):
    """Lays out the figure that was asked for last, and makes its file. One is made at a time, the newest wins.

    `made` tells that it is laid out, `encoded` that the content of its file is there, `copied` that what the clipboard
    takes is.
    """

    made = Signal(object)  # Made
    encoded = Signal(object)  # bytes
    copied = Signal(object)  # Copied
    failed = Signal(object)  # Say

    def __init__(self, source: Source, parent: QObject) -> None:
        super().__init__(parent)
        self.source: Source | None = source
        self.latest_made: Made | None = None
        self._figure = Figure()
        self._drawing: Generator[Request, Picture, Plot] | None = None
        self._turns = Turns(self)
        self._turns.painted.connect(self._painted)
        self._turns.failed.connect(self._broken)
        self._then: Callable[[QImage], None] = self._pack
        self._asked = 0
        self._after: Callable[[Any], None] | None = None
        self._compute = Compute.after(source.picture)
        self._picture: Picture | None = source.picture  # with the charts of the figure that is laid out
        self._plots: dict[int, Plot] = {}  # that the worker draws
        self._count = 0

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is still to come."""
        return self._drawing is not None or self._turns.busy or self._after is not None

    def ask(self, wanted: Figure, source: Source | None = None) -> None:
        """Lay out `wanted`, from another source if one is given; what was being made before is dropped."""
        self.drop()
        if source is not None:
            self.source, self._compute = source, Compute.after(source.picture)
        assert self.source is not None
        self.latest_made = None
        self._figure = wanted
        self._picture = self.source.picture
        self._drawing = figure.plotting(self.source.picture, self.source.scene, wanted, screen=self.source.screen,
                                        step=self.source.step)
        self._advance(None)

    def drop(self) -> None:
        """Make nothing any more."""
        self._drawing = self._after = None
        self._asked = 0
        self._turns.stop()

    def forget(self) -> None:
        """Hold nothing any more of what was made; the next figure is asked for with its source."""
        self.drop()
        self.source = self.latest_made = self._picture = None
        self._compute = Compute()
        self._then = self._pack
        self._plots.clear()

    def encode(self, ending: str) -> None:
        """Make the content of the file of the figure that is laid out; `encoded` tells it. What was being made before
        is dropped."""
        made = self.latest_made
        assert made is not None
        self.drop()
        if ending.lower() == ".png":
            self._paint(self._pack)
            return
        plots, key = self._plots, self._plot()
        source, wanted = made.source, made.figure  # not the plot: the worker may be the last that holds this

        def work(check: Check) -> bytes:
            return figure.encoded(plots[key], source.picture, source.scene, wanted, ending)

        self._begin(work, self.encoded.emit)

    def copy(self) -> None:
        """Make what the clipboard takes of the figure that is laid out; `copied` tells it. What was being made before
        is dropped."""
        self.drop()
        self._paint(self._clip)

    def _plot(self) -> int:
        """Lay out a plot for the worker to draw, and return its number."""
        made, picture = self.latest_made, self._picture
        assert made is not None and picture is not None
        source = made.source
        self._count += 1
        self._plots[self._count] = figure.lay_out(picture, source.scene, made.figure, screen=source.screen,
                                                  step=source.step)
        return self._count

    def _paint(self, then: Callable[[QImage], None]) -> None:
        """Paint the image of the figure that is laid out, with all its dots; `then` takes it."""
        made = self.latest_made
        assert made is not None
        self._then = then
        self._turns.begin(page.strips(made.plot, made.figure))

    def _pack(self, drawn: QImage) -> None:
        made = self.latest_made
        assert made is not None
        told = made.told
        self._begin(lambda check: page.packed(drawn, told), self.encoded.emit)

    def _clip(self, drawn: QImage) -> None:
        made = self.latest_made
        assert made is not None
        told, wanted, plots, key = made.told, made.figure, self._plots, self._plot()

        def work(check: Check) -> Copied:
            packed = page.packed(drawn, told)
            check()
            return Copied(drawn, packed, page.svg(plots[key], wanted, told))

        self._begin(work, self.copied.emit)

    def _begin(self, work: Work, after: Callable[[Any], None]) -> None:
        self._after = after
        self._asked = self.submit(work)

    def work(self, work: Work, check: Check) -> Any:
        """Do it."""
        return work(check)

    def _advance(self, picture: Picture | None) -> None:
        """Go on with the layout, with the picture it has waited for."""
        assert self._drawing is not None and self.source is not None
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
            self._begin(lambda check: compute.picture(wanted, check), self._advance)

    def arrive(self, number: int, result: object) -> None:
        """Go on with what was waited for."""
        after = self._after
        if number == self._asked and after is not None:
            self._after = None
            self._plots.clear()
            after(result)

    def fail(self, number: int, error: BaseException) -> None:
        """Say that there is no figure."""
        if number == self._asked:
            self._broken(error)

    @Slot(object)
    def _broken(self, error: BaseException) -> None:
        self.drop()
        self.failed.emit(_sentence(error))

    @Slot(object)
    def _painted(self, drawn: QImage) -> None:
        self._then(drawn)

    def close(self) -> None:
        """Stop what is being made."""
        self.drop()
        super().close()
        self._plots.clear()


def _sentence(error: BaseException) -> Say:
    if isinstance(error, MemoryError):
        return say("Not enough memory for this figure: reduce the resolution or the size.")
    return say("This figure could not be drawn ({kind}): change the settings, or report it.",
               kind=type(error).__name__)
