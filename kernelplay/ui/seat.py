"""Where the legend of a plot has its seat: in the plane, under it, at its right, or folded into a chip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from kernelplay.ui.crowd import Crowd
from kernelplay.ui.legend import SHARE, TIGHT, Legend
from kernelplay.ui.plane import Plane

Form = Literal["inside", "below", "beside", "folded"]
Place = Callable[[float, float], Plane]  # the plane that is left beside and above a legend of so many pixels

CANVAS: tuple[Form, ...] = ("inside", "below", "beside", "folded")  # the first that has room is taken
SIDE: tuple[Form, ...] = ("beside", "below", "folded")  # of a chart of lines, which a legend in the plane would cover
BESIDE = 0.4  # of the width of a plot that it may take at the right, where it covers nothing
PAGE = 0.5  # of a figure's width or height that a legend may take: there is no chip to click on paper
RESIZED = 0.12  # of a side of the plot by which it may change until the form is chosen again
COVERED = 0.1  # of the boundary or the curve of the mean that it may lie on, on a page
SMALLEST = 0.6  # of the size of letters, on a page too small for its legend
CORNERS: Mapping[str, tuple[int, int]] = {"top left": (0, 0), "top right": (1, 0), "bottom left": (0, 1),
                                          "bottom right": (1, 1)}


class Seat:
    """Chooses the form of one plot's legend and gives it its room.

    The form is chosen for another document or model, and at another size of the plot. From then on (`fix`) the plane
    keeps its room, whatever comes and goes: a legend that covers points, or has become too large for the room it has,
    is folded into a chip until it has a place again.
    """

    def __init__(self, legend: Legend) -> None:
        self.legend = legend
        self.forms = CANVAS
        self.whole = False  # in a figure: never folded
        self.asked: tuple[Form, ...] = ()  # in a figure: the forms it may have, smaller letters before the next
        self.form: Form = "inside"  # as it is now
        self.fixed = False  # the plane keeps its room
        self._home: Form = "inside"  # as it was chosen
        self._stepping = False
        self._for: tuple[tuple[float, float], tuple[str, ...], int] | None = None
        self._at = (0.0, 0.0)  # the size for which it was chosen
        self._below = self._beside = 0.0  # the room it has under the plane, and at its right

    def forget(self) -> None:
        """Choose anew from the first form on: another document, another model."""
        self._for, self.fixed = None, False
        self.legend.loosen()

    def fix(self) -> None:
        """Leave the plane its room from now on: what is shown is what was opened."""
        self.fixed = self._for is not None and not self.whole

    def lift(self) -> None:
        """Have the legend in the plane, where it was put by hand; what it had outside stays free."""
        self.form = self._home = "inside"

    def ask(self, place: str) -> None:
        """Take the place that a figure wants: one of CORNERS, "right", "below", or "auto"."""
        self.whole, self.legend.pitch = True, TIGHT
        self.legend.corner = CORNERS.get(place)
        outside: Mapping[str, tuple[Form, ...]] = {"auto": (), "right": ("beside", "below"), "below": ("below",)}
        self.asked = outside.get(place, ("inside", "below"))
        self.forget()

    def step(self, shown: bool) -> None:
        """Take note whether a step of the player is shown: folded, the legend stays so for as long as there are."""
        self._stepping = shown

    def settle(self, size: tuple[float, float], points: int, place: Place, crowd: Callable[[], Crowd],
               held: bool) -> None:
        """Choose the form if it has to be chosen, and place plane and legend. held: something is dragged just now,
        and everything stays where it is."""
        if not self.legend.texts and not self.fixed:
            self._for = None
            self._below = self._beside = 0.0
            place(0.0, 0.0)
            return
        state = (size, self.legend.texts, points)
        if self.legend.texts and state != self._for and not held:
            if not self.fixed or self._for is None or self._resized(size):
                self.legend.loosen()
                self.form = self._home = self._chosen(size, place, crowd)
                self._take(self.form, size, place)
                self._at = size
            self._for = state
        plane = place(self._beside, self._below)
        if self.legend.texts and self.form in ("below", "beside"):
            self._put(self.form, size, plane)

    def _resized(self, size: tuple[float, float]) -> bool:
        """Whether the plot has quite another size than when the form was chosen; a panel with longer words next to it
        is no reason to choose again."""
        return any(abs(now - then) > RESIZED * then for now, then in zip(size, self._at, strict=True))

    def arrange(self, size: tuple[float, float], plane: Plane, crowd: Callable[[], Crowd]) -> None:
        """Place the legend for what is shown now, without taking room from the plane or giving it any."""
        legend = self.legend
        if self.fixed and not (self._stepping and self.form == "folded"):
            self.form = self._fitting(size, plane, crowd)
        if self.form == "folded" or (legend.closed and not self.whole):
            legend.fold(plane, crowd(), QRectF(0, 0, *size), self._aside(size, plane))
        elif self.form == "inside":
            legend.arrange(plane, crowd())
        elif not self.fixed:
            self._put(self.form, size, plane)

    def _fitting(self, size: tuple[float, float], plane: Plane, crowd: Callable[[], Crowd]) -> Form:
        """Return the form that it has in the room that it was given."""
        legend, home = self.legend, self._home
        largest = legend.shrink if self._stepping and self.form == home else 1.0  # from step to step it does not dance
        legend.shrink = 1.0
        if home in ("inside", "folded"):
            chip = QRectF(legend.rect) if legend.folded else None
            if chip is not None:
                legend.loosen()  # where the chip is says nothing about where the whole of it covers least
            if legend.arrange(plane, crowd()) == 0:
                return "inside"
            legend.rect = chip or legend.rect
            return "folded"
        for legend.shrink in (shrink for shrink in (1.0, 0.9, 0.8) if shrink <= largest):
            room = self._put(home, size, plane)
            if home == "below" and room <= self._below + 1 and legend.rect.width() <= size[0]:
                return home
            if home == "beside" and room <= self._beside + 1 and legend.rect.bottom() <= size[1]:
                return home
        legend.shrink = 1.0
        return "folded"

    def _aside(self, size: tuple[float, float], plane: Plane) -> QPointF | None:
        """Return where a chip stands in the room outside of the plane, if there is any."""
        if self._home == "below" and self._below:
            return QPointF(plane.left, size[1] - self._below)
        if self._home == "beside" and self._beside:
            return QPointF(plane.right + self.legend.aside + 10 * self.legend.zoom, plane.top)
        return None

    def keep(self, size: tuple[float, float], plane: Plane) -> None:
        """Leave the legend where it is, with the entries it has now: something is dragged."""
        corner = self.legend.rect.topLeft()
        if not self.legend.texts or not self.legend.rect.isValid():
            return
        if self.form == "below":
            self.legend.arrange_below(size[0] - 20 * self.legend.zoom, corner.x(), corner.y())
        elif self.form == "beside":
            self.legend.arrange_beside(plane)
        elif self.form == "inside":
            self.legend.keep(plane)

    def _chosen(self, size: tuple[float, float], place: Place, crowd: Callable[[], Crowd]) -> Form:
        self.legend.shrink = 1.0
        if self.asked:
            return self._asked(size, place, crowd)
        if self.whole and not self._fits("inside", size, place, crowd):
            shares: tuple[tuple[Form, float], ...] = (("below", SHARE), ("beside", PAGE))
            outside = [form for form, share in shares if self._fits(form, size, place, crowd, share)]
            if outside:  # the one that leaves a unit of the data more room
                return max(outside, key=lambda form: self._room(form, size, place))
        for form in self.forms:
            if form == "folded":
                break
            if self._fits(form, size, place, crowd):
                return form
        if not self.whole:
            return "folded"
        for self.legend.shrink in np.arange(1.0, SMALLEST - 0.01, -0.1).tolist():
            for form in ("below", "beside"):
                if self._fits(form, size, place, crowd, PAGE):
                    return form
        return "below"

    def _asked(self, size: tuple[float, float], place: Place, crowd: Callable[[], Crowd]) -> Form:
        for form in self.asked:
            for self.legend.shrink in np.arange(1.0, SMALLEST - 0.01, -0.1).tolist():
                if self._fits(form, size, place, crowd, PAGE):
                    return form
        return self.asked[-1]

    def _fits(self, form: Form, size: tuple[float, float], place: Place, crowd: Callable[[], Crowd],
              share: float = SHARE) -> bool:
        plane = place(0.0, 0.0)
        if form == "inside":
            there = crowd()
            return self.legend.arrange(plane, there) == 0 and (
                not self.whole or self.legend.corner is not None
                or there.answer_under(self.legend.rect) <= COVERED)
        if form == "below":
            width = size[0] - 20 * self.legend.zoom
            return self.legend.arrange_below(width, 0.0, 0.0) <= share * plane.height and \
                self.legend.rect.width() <= width
        return self.legend.arrange_beside(plane) + self.legend.aside <= max(share, BESIDE) * size[0] and \
            self.legend.rect.height() <= size[1]

    def _room(self, form: Form, size: tuple[float, float], place: Place) -> float:
        """Return the pixels that a square of one by one unit has with the legend in `form`."""
        across, up = self._take(form, size, place).scale
        return across * up

    def _take(self, form: Form, size: tuple[float, float], place: Place) -> Plane:
        """Give the legend the room that it needs in `form`, and return the plane that is left."""
        self._below = self._beside = 0.0
        plane = place(0.0, 0.0)
        if form == "below":
            self._below = self._put(form, size, plane)
        elif form == "beside":
            self._beside = self._put(form, size, plane)
        return place(self._beside, self._below)

    def _put(self, form: Form, size: tuple[float, float], plane: Plane) -> float:
        """Put the legend under the plane or beside it, and return the room it takes."""
        zoom = self.legend.theme.zoom
        if form == "beside":
            return self.legend.arrange_beside(plane)
        width = size[0] - 20 * zoom
        below = self.legend.arrange_below(width, 0.0, 0.0) - 4 * zoom
        left = max(min(plane.left - 10 * zoom, size[0] - 10 * zoom - self.legend.rect.width()), 10 * zoom)
        self.legend.arrange_below(width, left, size[1] - max(below, self._below) - 5 * zoom)
        return below
