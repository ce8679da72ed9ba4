"""Where the legend of a plot has its seat: in the plane, under it, at its right, or folded into a chip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from kernelplay.ui.crowd import Crowd
from kernelplay.ui.legend import SHARE, TIGHT, Legend
from kernelplay.ui.plane import Plane

Form = Literal["inside", "below", "beside", "folded"]
Place = Callable[[float, float], Plane]  # the plane that is left beside and above a legend of so many pixels

CANVAS: tuple[Form, ...] = ("inside", "below", "beside", "folded")  # the first that has room is taken
SIDE: tuple[Form, ...] = ("beside", "below", "folded")  # of a chart of lines, which a legend in the plane would cover
BESIDE = 0.4  # of the width of a plot that it may take at the right, where it covers nothing
PAGE = 0.5  # of a figure's width or height that a legend may take: there is no chip to click on paper
COVERED = 0.1  # of the boundary or the curve of the mean that it may lie on, on a page
SMALLEST = 0.6  # of the size of letters, on a page too small for its legend
CORNERS: Mapping[str, tuple[int, int]] = {"top left": (0, 0), "top right": (1, 0), "bottom left": (0, 1),
                                          "bottom right": (1, 1)}


class Seat:
    """Chooses the form of one plot's legend and gives it its room.

    The form is chosen again when the plot has another size, or entries or points come and go; while the size stays, it
    only goes on along the list, so that the steps of the player do not make the plane jump.
    """

    def __init__(self, legend: Legend) -> None:
        self.legend = legend
        self.forms = CANVAS
        self.whole = False  # in a figure: never folded
        self.asked: tuple[Form, ...] = ()  # in a figure: the forms it may have, smaller letters before the next
        self.form: Form = "inside"
        self._stepping = False
        self._for: tuple[tuple[float, float], tuple[str, ...], int] | None = None
        self._strip = 0.0  # height of the room under the plane so far

    def forget(self) -> None:
        """Choose anew from the first form on: another document."""
        self._for = None

    def ask(self, place: str) -> None:
        """Take the place that a figure wants: one of CORNERS, "right", "below", or "auto"."""
        self.whole, self.legend.pitch = True, TIGHT
        self.legend.corner = CORNERS.get(place)
        outside: Mapping[str, tuple[Form, ...]] = {"auto": (), "right": ("beside", "below"), "below": ("below",)}
        self.asked = outside.get(place, ("inside", "below"))
        self.forget()

    def step(self, shown: bool) -> None:
        """Take note whether a step of the player is shown: the legend lies in the plane then, or is folded for as long
        as steps are shown, and takes no room from the plane."""
        if shown != self._stepping:
            self._stepping = shown
            self.forget()

    def settle(self, size: tuple[float, float], points: int, place: Place, crowd: Callable[[], Crowd],
               held: bool) -> None:
        """Choose the form if it has to be chosen, and place plane and legend. held: something is dragged just now,
        and everything stays where it is."""
        if not self.legend.texts:
            self._for, self._strip = None, 0.0
            place(0.0, 0.0)
            return
        state = (size, self.legend.texts, points)
        if state != self._for and not held:
            if self._for is None or self._for[0] != size:
                self.form, self._strip = self.forms[0], 0.0
            self.form = self._chosen(size, place, crowd)
            self._for = state
        self._take(size, place)

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
        for form in self.forms[self.forms.index(self.form):]:
            if form == "folded":
                break
            if self._stepping and form != "inside":
                continue
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
        self.form, self._strip = form, 0.0
        across, up = self._take(size, place).scale
        self._strip = 0.0
        return across * up

    def _take(self, size: tuple[float, float], place: Place) -> Plane:
        zoom = self.legend.zoom
        if self.form == "below":
            # entries that come and go with the steps of the player do not make the plane jump
            below = self.legend.arrange_below(size[0] - 20 * zoom, 0.0, 0.0) - 4 * zoom
            self._strip = below = max(below, self._strip)
            plane = place(0.0, below)
            left = max(min(plane.left - 10 * zoom, size[0] - 10 * zoom - self.legend.rect.width()), 10 * zoom)
            self.legend.arrange_below(size[0] - 20 * zoom, left, size[1] - below - 5 * zoom)
        elif self.form == "beside":
            room = self.legend.arrange_beside(place(0.0, 0.0))
            plane = place(room, 0.0)
            self.legend.arrange_beside(plane)
        else:
            self.legend.folded = self.form == "folded"
            plane = place(0.0, 0.0)
        return plane
