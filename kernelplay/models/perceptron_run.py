"""The run of the perceptron, in one order or another, with plain numbers in the plane and rows of k~ elsewhere.

The rule (Rosenblatt 1958; Bishop, Pattern Recognition and Machine Learning, 4.1.7): sign(0) = +1; a point is mistaken
when sign(theta.x~_n) != y_n, and then theta <- theta + eta y_n x~_n. With z_n = y_n x~_n, in units of eta, it is
mistaken when theta.z_n < 0, or = 0 for a negative point, and then theta <- theta + z_n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.models.base import Array, Check
from kernelplay.models.perceptron_space import PLANE, Space
from kernelplay.models.perceptron_trace import Cap, Index, Rule, Trace

LEAST = 5e-324  # the smallest positive number: s < LEAST is s <= 0
SPARSE = 128  # with fewer mistakes in a pass than one in so many points, searching whole arrays is faster
AHEAD = 12_000  # kernel values that are computed when a row of k~ is missing: further rows come with it
TRIES = 16  # random draws before all mistakes are listed to draw from
REPEATED = 1_000_000  # updates up to which passes that repeat themselves are written out


def play(space: Space, rule: Rule, check: Check) -> Trace:
    """Return the run from theta_0, with its caps. A clean pass is looked at once more with f computed afresh."""
    small = space.lifted is not None and space.lifted.shape[1] <= PLANE
    state: _Plane | _Rows = _Plane(space) if small else _Rows(space)
    if not rule.cyclic:
        run = _at_random(state, rule, check)
    elif isinstance(state, _Plane):
        run = _in_order_of_plane(state, rule, check)
    else:
        run = _in_order_of_rows(state, rule, check)
    return _trace(state, run, rule)


@dataclass(frozen=True)
class _Run:
    points: list[int] | Index
    scores: list[float] | Array
    ends: list[int] | Index
    converged: bool = False
    cap: Cap = ""
    period: int = 0


def _trace(state: _Plane | _Rows, run: _Run, rule: Rule) -> Trace:
    point, ends = np.array(run.points, np.intp), np.array(run.ends, np.intp)
    arrays = point, np.array(run.scores, float), ends, state.after(point)
    for array in arrays:
        array.flags.writeable = False
    return Trace(state.n, rule.cyclic, *arrays, converged=run.converged, cap=run.cap, period=run.period)


def _thresholds(y: Array) -> Array:
    """(n,): a point is mistaken when its score lies below this; a tie counts as +1."""
    return np.where(y > 0, 0.0, LEAST)


class _Plane:
    """Theta as three plain numbers, in front of which missing coordinates are 0: a look takes some 60 ns."""

    def __init__(self, space: Space) -> None:
        assert space.lifted is not None and space.theta_0 is not None
        self.n = n = len(space.y)
        self.z = np.zeros((3, n))
        self.z[3 - space.lifted.shape[1]:] = (space.lifted * space.y[:, None]).T
        self.start: list[float] = [0.0] * (3 - len(space.theta_0)) + space.theta_0.tolist()
        self.a, self.b, self.c = self.start
        self.threshold = _thresholds(space.y)
        self.least: list[float] = self.threshold.tolist()
        self.rows: list[tuple[float, float, float]] = list(zip(*self.z.tolist(), strict=True))

    def score(self, n: int) -> float:
        x, y, z = self.rows[n]
        value: float = self.a * x + self.b * y + self.c * z
        return value

    def update(self, n: int) -> None:
        x, y, z = self.rows[n]
        self.a += x
        self.b += y
        self.c += z

    def scores(self, first: int = 0) -> Array:
        """The scores of the points from `first` on; bit for bit those of `score`."""
        x, y, z = self.z[:, first:]
        values: Array = self.a * x + self.b * y + self.c * z
        return values

    def mistaken(self) -> Index:
        """The points that are mistaken now."""
        return np.flatnonzero(self.scores() < self.threshold)

    def after(self, points: Index) -> Array:
        """The scores (n,) after updates with `points`, one after another from the start."""
        path = np.column_stack([self.start, self.z[:, points]]).cumsum(axis=1)
        self.a, self.b, self.c = path[:, -1].tolist()
        return self.scores()


class _Rows:
    """f at all points, to which the row of k~ of each updated point is added."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.n = len(space.y)
        self.threshold = _thresholds(space.y)
        self.least: list[float] = self.threshold.tolist()
        self.made: list[int] = []
        self.scores = space.y * space.activations(np.zeros(self.n))
        self.rows: list[Array | None] = [None] * self.n

    def score(self, n: int) -> float:
        return float(self.scores[n])

    def update(self, n: int) -> None:
        row = self.rows[n]
        np.add(self.scores, self.row(n) if row is None else row, self.scores)
        self.made.append(n)

    def row(self, n: int) -> Array:
        """What an update with point n adds to the scores, kept; and the same of points that will be asked for soon."""
        late = (self.scores[n + 1:] < self.threshold[n + 1:]).nonzero()[0] + (n + 1)
        soon = np.array([n, *(i for i in late[: AHEAD // self.n].tolist() if self.rows[i] is None)])
        y = self.space.y
        for i, row in zip(soon.tolist(), y[soon, None] * y * self.space.rows(soon), strict=True):
            self.rows[i] = row
        first = self.rows[n]
        assert first is not None
        return first

    def after(self, points: Index) -> Array:
        """The scores (n,) after updates with `points`."""
        counts = np.bincount(points, minlength=self.n).astype(float)
        return self.space.y * self.space.activations(counts)

    def mistaken(self) -> Index:
        """The points that are mistaken now; that there are none is looked at with f computed afresh."""
        found = np.flatnonzero(self.scores < self.threshold)
        if not len(found):
            # without the rounding of many additions
            self.scores = self.after(np.array(self.made, np.intp))
            found = np.flatnonzero(self.scores < self.threshold)
        return found


class _Cycle:
    """Brent's search for a state that comes back: the present one is compared with that of the pass 1, 2, 4, 8, …"""

    def __init__(self) -> None:
        self.state = np.zeros(0)
        self.at = 0

    def period(self, passes: int, state: Array) -> int:
        """Return after how many passes `state`, that after so many passes, has come back; 0 if it has not."""
        if self.at and np.array_equal(state, self.state):
            return passes - self.at
        if passes & (passes - 1) == 0:
            self.state, self.at = state.copy(), passes
        return 0


def _in_order_of_plane(state: _Plane, rule: Rule, check: Check) -> _Run:
    n = state.n
    looked = list(zip(range(n), *state.z.tolist(), state.least, strict=True))
    points: list[int] = []
    scores: list[float] = []
    ends: list[int] = []
    cycle = _Cycle()
    few = False
    while True:
        check()
        before = len(points)
        if few:
            first = 0
            while first < n:
                s = state.scores(first)
                wrong = s < state.threshold[first:]
                ahead = int(wrong.argmax())
                if not wrong[ahead]:
                    break
                points.append(first + ahead)
                scores.append(float(s[ahead]))
                state.update(first + ahead)
                first += ahead + 1
        else:
            a, b, c = state.a, state.b, state.c
            for i, x, y, z, least in looked:
                value = a * x + b * y + c * z
                if value < least:
                    a += x
                    b += y
                    c += z
                    points.append(i)
                    scores.append(value)
            state.a, state.b, state.c = a, b, c
        ends.append(len(points))
        made = len(points) - before
        few = made * SPARSE < n
        stopped = _stopped(points, scores, ends, cycle, np.array([state.a, state.b, state.c]), rule)
        if stopped is not None:
            return stopped


def _in_order_of_rows(state: _Rows, rule: Rule, check: Check) -> _Run:
    n, threshold, rows = state.n, state.threshold, state.rows
    points = state.made
    scores: list[float] = []
    ends: list[int] = []
    cycle = _Cycle()
    flags = bytearray(n)  # 1 where a point is mistaken; searching bytes from a place on is faster than slicing arrays
    wrong = np.frombuffer(flags, np.bool_)
    while True:
        check()
        before, now = len(points), state.scores
        np.less(now, threshold, wrong)
        first = flags.find(1)
        while first >= 0:
            points.append(first)
            scores.append(now.item(first))
            row = rows[first]
            np.add(now, state.row(first) if row is None else row, now)
            np.less(now, threshold, wrong)
            first = flags.find(1, first + 1)
            if len(points) % 256 == 0:
                check()
        if len(points) == before and len(state.mistaken()):
            continue  # f computed afresh disagrees: the pass was not clean
        ends.append(len(points))
        stopped = _stopped(points, scores, ends, cycle, state.scores, rule)
        if stopped is not None:
            return stopped


def _stopped(points: list[int], scores: list[float], ends: list[int], cycle: _Cycle, state: Array,
             rule: Rule) -> _Run | None:
    """Return the whole run if the pass that has just ended is the last one, else None."""
    if ends[-1] == (ends[-2] if len(ends) > 1 else 0):
        return _Run(points, scores, ends, converged=True)
    if len(points) > rule.max_updates or (len(points) == rule.max_updates and len(ends) < rule.max_epochs):
        return _cut(points, scores, ends, rule.max_updates, 0)
    period = cycle.period(len(ends), state)
    if len(ends) >= rule.max_epochs:
        return _Run(points, scores, ends, cap="epochs", period=period)
    return _repeated(points, scores, ends, period, rule) if period else None


def _repeated(points: list[int], scores: list[float], ends: list[int], period: int, rule: Rule) -> _Run:
    """Return the run whose last `period` passes go on for ever: they need not be played again."""
    first = ends[-period - 1] if len(ends) > period else 0
    lengths = np.diff(np.array([first, *ends[len(ends) - period:]]))
    missing = rule.max_epochs - len(ends)
    times = min(-(-missing // period), REPEATED // (ends[-1] - first) + 1)
    all_ends = np.concatenate([np.array(ends, np.intp), ends[-1] + np.tile(lengths, times)[:missing].cumsum()])
    total = int(all_ends[-1])
    point = np.concatenate([np.array(points, np.intp), np.tile(np.array(points[first:], np.intp), times)])[:total]
    score = np.concatenate([np.array(scores), np.tile(np.array(scores[first:]), times)])[:total]
    if total > REPEATED:
        return _cut(point, score, all_ends, REPEATED, period)
    return _Run(point, score, all_ends, cap="epochs", period=period)


def _cut(points: list[int] | Index, scores: list[float] | Array, ends: list[int] | Index, most: int,
         period: int) -> _Run:
    """Return the run of the first `most` updates."""
    kept = np.asarray(ends, dtype=np.intp)
    return _Run(points[:most], scores[:most], np.append(kept[kept < most], most), cap="updates", period=period)


def _at_random(state: _Plane | _Rows, rule: Rule, check: Check) -> _Run:
    """Each update takes a mistaken point, all of them being equally likely: drawn by rejection while there are many."""
    n, rng = state.n, np.random.default_rng(rule.seed)
    most = min(rule.max_updates, rule.max_epochs * n)
    points: list[int] = []
    scores: list[float] = []
    draws: list[int] = []
    tries = TRIES
    while True:
        if len(points) % 256 == 0:
            check()
        if len(draws) < tries:
            draws = rng.integers(n, size=1024).tolist()
        for _ in range(tries):
            i = draws.pop()
            value = state.score(i)
            if value < state.least[i]:
                break
        else:
            found = state.mistaken()
            if not len(found):
                return _Run(points, scores, [*_blocks(n, len(points)), len(points)], converged=True)
            tries = TRIES if len(found) * TRIES > n else 0
            i = int(found[int(rng.random() * len(found))])
            value = state.score(i)
        if len(points) == most:
            cap: Cap = "epochs" if most == rule.max_epochs * n else "updates"
            return _Run(points, scores, _blocks(n, most), cap=cap)
        points.append(i)
        scores.append(value)
        state.update(i)


def _blocks(n: int, updates: int) -> list[int]:
    """Return the ends of passes of n updates each, the last one perhaps shorter."""
    return [*range(n, updates, n), *([updates] if updates else [])]
