"""What a picture is made of, free of Qt: marks with a role, charts of marks, frames to step through, readouts.

A mark says *what* it is (its role), never how it looks: colours, pens and shapes belong to `ui.theme`. Its `layer` is
what the user can switch off; its `label` is its entry in the legend (none: no entry). All arrays are read-only, in data
coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import Note
from kernelplay.i18n import Say, verbatim

Array = NDArray[np.float64]

Role = Literal[
    # the eight looks; which class wears which: Scene.looks
    "class0", "class1", "class2", "class3", "class4", "class5", "class6", "class7",
    "target",  # points of regression
    "faded",  # points that do not matter to the fit: inside the tube
    "boundary", "margin", "contour",  # f = 0 or p = 1/2; f = -1, +1; other level sets
    "mean", "tube", "band",  # curves and fills of regression
    "support_free", "support_bounded",  # rings: 0 < alpha < C, alpha = C
    "slack", "error", "conflict",  # segment to the margin; cross; a point of a Farkas certificate
    "looked_at", "vector", "added", "result", "radius", "separator",  # the perceptron's player
    "bar0", "bar1", "limit", "curve0", "curve1", "bound0", "bound1",  # side views
    "count", "count_now",  # bars that belong to no class, and of these the one looked at
    "guide", "label",  # thin help lines, plain text
]

Layer = Literal["field", "contours", "contour_labels", "boundary", "margins", "support", "slack", "errors", "points",
                "band", "tube", "mean", "steps", "legend"]


def read_only(values: Any, dtype: Any = np.float64) -> NDArray[Any]:
    """Return `values` as an array that cannot be written to (a copy only if it must be)."""
    array = np.asarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Mark:
    """The base of all marks."""

    role: Role
    layer: Layer
    label: Say | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                object.__setattr__(self, name, read_only(value, value.dtype))


@dataclass(frozen=True, eq=False)
class Field(Mark):
    """Values on a grid, drawn as colours below everything else.

    values: (ny, nx), row 0 at the bottom, each value at the *centre* of its cell; x, y: (low, high) outer edges of the
    grid. `diverging`: centre at `centre` with class colours on both sides, else a single ramp from low to high.
    `limits`: (low, high) of the colour bar; values beyond keep the end colour and the bar says so.
    `roles`: the classes whose colours stand at the high and at the low end. `regions`: with three and more classes
    values are positions in `roles` and no colour bar is drawn.
    """

    values: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    limits: tuple[float, float] = (-1.0, 1.0)
    centre: float = 0.0
    diverging: bool = True
    regions: bool = False
    roles: tuple[Role, ...] = ("class0", "class1")


@dataclass(frozen=True, eq=False)
class Curve(Mark):
    """Polylines, each (m, 2); `texts`: one short text for each line (a contour's level), or nothing."""

    lines: tuple[Array, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Band(Mark):
    """The area between `lower` and `upper` over `x`, each (m,)."""

    x: Array = field(default_factory=lambda: np.zeros(0))
    lower: Array = field(default_factory=lambda: np.zeros(0))
    upper: Array = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, eq=False)
class Dots(Mark):
    """Marks at `xy` (n, 2); the shape is the role's (disc, square, ring, double ring, cross, ...).

    `index`: the row of X behind each dot, for picking and hovering; empty where there is none.
    """

    xy: Array = field(default_factory=lambda: np.zeros((0, 2)))
    index: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))


@dataclass(frozen=True, eq=False)
class Segments(Mark):
    """Straight pieces from `start` to `end`, each (n, 2); with `arrow`, a head at the end."""

    start: Array = field(default_factory=lambda: np.zeros((0, 2)))
    end: Array = field(default_factory=lambda: np.zeros((0, 2)))
    arrow: bool = False


@dataclass(frozen=True, eq=False)
class Bars(Mark):
    """Upright bars at `x` (n,) of height `height` (n,) from 0, `width` wide; `index` as for Dots."""

    x: Array = field(default_factory=lambda: np.zeros(0))
    height: Array = field(default_factory=lambda: np.zeros(0))
    width: float = 0.8
    index: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))


@dataclass(frozen=True, eq=False)
class Text(Mark):
    """A short text beside the point `at`."""

    at: tuple[float, float] = (0.0, 0.0)
    text: Say = field(default_factory=lambda: verbatim(""))


@dataclass(frozen=True, eq=False)
class Chart:
    """A plane with axes and marks, painted in the order given. The ranges are None where they follow the view; `whole`:
    those of x and y that show everything, where the ranges show the part that matters."""

    key: str  # "canvas", "dual", "convergence", ...: names the tab and remembers what is open
    title: Say
    marks: tuple[Mark, ...]
    x_label: Say = field(default_factory=lambda: verbatim(""))
    y_label: Say = field(default_factory=lambda: verbatim(""))
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    equal_aspect: bool = False
    caption: Say | None = None  # one line beside the title: a formula, a condition
    whole: tuple[tuple[float, float], tuple[float, float]] | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """One step of the player: marks over the canvas and over side views (by chart key), and a sentence."""

    caption: Say
    canvas: tuple[Mark, ...] = ()
    views: tuple[tuple[str, tuple[Mark, ...]], ...] = ()
    replaces: tuple[Layer, ...] = ()  # layers of the finished picture that this step draws instead


@dataclass(frozen=True, eq=False)
class Frames:
    """The steps of a model that can be played, made when they are looked at: `at(k)` for 0 <= k < count."""

    count: int
    at: Callable[[int], Frame]


@dataclass(frozen=True)
class Readout:
    """One line of numbers: its label, its value, one sentence about it; `group` keeps certificates together."""

    key: str  # stable name for --json and tests: "margin", "duality_gap"
    label: Say
    value: Say
    raw: Any = None  # the number itself, for --json
    help: Say = field(default_factory=lambda: verbatim(""))
    group: Literal["result", "certificate", "time"] = "result"


@dataclass(frozen=True, eq=False)
class Picture:
    """Everything there is to draw and to say about one Scene."""

    charts: tuple[Chart, ...]  # charts[0] is the canvas
    status: Say
    readouts: tuple[Readout, ...] = ()
    notes: tuple[Note, ...] = ()
    frames: Frames | None = None
    problem: Say | None = None  # there is no fit: why, and what to do; charts then show the points alone
    conflict: tuple[int, ...] = ()  # rows named by the problem
    scene: Any = None  # the Scene it was made from
    fit: Any = None
    number: int = 0  # of the request it answers
    coarse: bool = False  # a finer one follows when the hand rests
    stale: bool = False  # there is a problem, and charts still show the last good fit behind the new points

    @property
    def canvas(self) -> Chart:
        """The first chart."""
        return self.charts[0]
