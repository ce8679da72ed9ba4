"""Maximum evidence: BFGS in a box on the logarithms of the parameters with exact gradients, from several starts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import Cancelled, FitError, SpecError
from kernelplay.i18n import say
from kernelplay.models import ascent
from kernelplay.models.base import Array, Certificate, Check, Fit, Model, Residual, nothing
from kernelplay.models.compressed import compressed
from kernelplay.models.gradient import ByPath, full_path
from kernelplay.spec import Path, Real

SCREENED = 8  # places looked at for each further start
APART = 0.1  # of the box, at least, between two starts
SAME = 1e-5  # maxima nearer than this, by parameters and by lml, are one
STEEP = 1e-7  # gradient for each point at which BFGS hands over to
ROUNDING = 1e-9  # relative difference of two evidences that may be rounding
POLISH = 5  # Newton steps at most: there the evidence itself hardly shows a difference
DIFFERENCE = 1e-5  # step in the coordinates for the slopes of the exact gradient
ASIDE = 0.5  # of a coordinate, moved to see whether the evidence is flat there
LEVEL = 1e-6  # relative change of the evidence that is none
FLAT = 1e-10  # gradient, relative to the number of points, at which a maximum is found


@dataclass(frozen=True)
class Maximum:
    """Where one climb ended: the values by path, the evidence, the largest gradient component that is not held by a
    bound, the paths of the parameters at a bound and of those that hardly matter there (a plateau), and how many
    starts led there."""

    values: ByPath
    lml: float
    gradient: float
    at_bound: tuple[Path, ...]
    flat: tuple[Path, ...] = ()
    starts: int = 1


@dataclass(frozen=True)
class Progress:
    """How far a maximisation has come: the start it is on (from 1) of how many, and the best evidence so far."""

    start: int
    starts: int
    evaluations: int
    best: float


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best maximum found, as a Fit whose certificate holds its evidence gradient, and all maxima, best first.

    `stopped`: `check` ended the search early; this is the best so far.
    """

    fit: Any
    maxima: tuple[Maximum, ...]
    start_lml: float
    evaluations: int
    stopped: bool

    @property
    def model(self) -> Model:
        """The model with the parameters found."""
        model: Model = self.fit.model
        return model

    @property
    def lml(self) -> float:
        """The evidence there."""
        return float(self.fit.lml)

    @property
    def values(self) -> ByPath:
        """The parameters found, by path or short name."""
        return self.maxima[0].values


def maximise(model: Model, X: Array, y: NDArray[Any], paths: Sequence[str] | None = None,
             bounds: Mapping[str, tuple[float, float]] | None = None, starts: int = 5, seed: int = 0,
             check: Check = nothing, progress: Callable[[Progress], None] = lambda _: None,
             labels: tuple[Any, ...] | None = None) -> Optimum:
    """Return the parameters of largest evidence: of GP regression its own, of GP classification Laplace's.

    paths: what to change, by path or short name ("gamma"); by default all parameters of the kernel, and the noise of a
    regression. bounds: by the same names; by default the declared ranges, widened to the value that is set now.
    starts: the first is the values set now, the others come from a seeded search of the box. Raises FitError when
    there is no fit at the values set now, SpecError for an unknown name or a value that is not allowed.
    """
    if not hasattr(model, "diagonal"):
        raise SpecError(say("model cannot be {name}: only Gaussian processes have an evidence. Choose gpr or gpc.",
                            name=model.key), "model")
    with np.errstate(all="ignore"):  # where something overflows there is no evidence, and the search goes elsewhere
        first = model.fit(X, y, labels=labels, check=check)
        bound = model.replace("kernel", first.kernel)
        search = _Search(bound, first, y, labels, _box(bound, paths, bounds or {}), check, progress, starts)
        return search.run(seed)


@dataclass(frozen=True)
class _Axis:
    """One parameter: its path, its bounds, and its coordinate, a logarithm where the parameter is a scale."""

    path: Path
    log: bool
    least: float
    most: float

    @cached_property
    def low(self) -> float:
        """The coordinate of the lower bound."""
        return float(np.log(self.least)) if self.log else self.least

    @cached_property
    def high(self) -> float:
        """The coordinate of the upper bound."""
        return float(np.log(self.most)) if self.log else self.most

    def value(self, z: float) -> float:
        """Return the value at a coordinate: never beyond a bound, where rounding of the logarithm would lead."""
        value = float(np.exp(min(z, self.high))) if self.log else float(z)
        return min(max(value, self.least), self.most)

    def coordinate(self, value: float) -> float:
        z = np.log(value) if self.log and value > 0 else -np.inf if self.log else value
        return float(np.clip(z, self.low, self.high))


def _box(model: Any, names: Sequence[str] | None, bounds: Mapping[str, tuple[float, float]]) -> tuple[_Axis, ...]:
    reals = {path: param for path, param in model.reals() if path.startswith("kernel.") or path == model.diagonal}
    if names is None:
        names = tuple(path for path in reals if path != model.diagonal or model.task == "regression")
    limits = {_known(name, reals): pair for name, pair in bounds.items()}
    return tuple(_axis(path, reals[path], float(model.get(path)), limits.get(path))
                 for path in dict.fromkeys(_known(name, reals) for name in names))


def _known(name: str, reals: Mapping[Path, Real]) -> Path:
    try:
        return full_path(name, reals)
    except KeyError:
        raise SpecError(say("There is no parameter {path}; available: {names}.", path=name, names=", ".join(reals)),
                        name) from None


def _axis(path: Path, param: Real, value: float, limits: tuple[float, float] | None) -> _Axis:
    low, high = limits or (min(param.low, value if value > 0 or not param.log else param.low), max(param.high, value))
    low, high = float(param.check(low, path)), float(param.check(high, path))
    return _Axis(path, param.log and low > 0, low, high)


@dataclass(frozen=True, eq=False)
class _End:
    """Where a climb ended: coordinates, evidence, its gradient and second derivatives by the coordinates."""

    z: Array
    lml: float
    gradient: Array
    curvature: Array


class _Search:
    """One maximisation: counts evaluations, keeps the best Fit, ends where `check` says so."""

    def __init__(self, model: Any, first: Any, y: NDArray[Any], labels: tuple[Any, ...] | None, axes: tuple[_Axis, ...],
                 check: Check, progress: Callable[[Progress], None], starts: int) -> None:
        self.model, self.X, self.y, self.labels, self.axes = model, first.X, y, labels, axes
        self.check, self.progress, self.starts = check, progress, starts
        self.paths = tuple(axis.path for axis in axes)
        self.low, self.high = np.array([a.low for a in axes]), np.array([a.high for a in axes])
        self.logs = np.array([a.log for a in axes], dtype=bool)
        self.evaluations, self.start = 0, 0
        self.first: Any = first
        self.last: Any = first
        self.best: tuple[float, Array] = (float(first.lml), self._origin())
        self.best_gradient: Any = None
        self.fast = compressed(model, first.X, first.y)

    def _origin(self) -> Array:
        return np.array([axis.coordinate(float(self.model.get(axis.path))) for axis in self.axes])

    def values(self, z: Array) -> Array:
        """Return the parameters at the coordinates z."""
        return np.array([axis.value(coordinate) for axis, coordinate in zip(self.axes, z, strict=True)])

    def at(self, z: Array) -> Any:
        """Return the model with the parameters at the coordinates z."""
        model = self.model
        for axis, value in zip(self.axes, self.values(z).tolist(), strict=True):
            model = model.replace(axis.path, value)
        return model

    def evaluate(self, z: Array) -> tuple[float, Array]:
        """Return lml and its gradient by the coordinates, and tell the progress; (−inf, 0) where there is no fit."""
        self.check()
        self.evaluations += 1
        found = self._evidence(z)
        if found[0] > self.best[0]:
            self.best, self.best_gradient = (found[0], np.array(z)), found[1]
        self.progress(Progress(self.start, self.starts, self.evaluations, self.best[0]))
        return found

    def _evidence(self, z: Array) -> tuple[float, Array]:
        values = self.values(z)
        slopes = None
        if self.fast is not None:
            found = self.fast.evidence(dict(zip(self.paths, values.tolist(), strict=True)))
            if found is not None:
                lml, slopes = found
        if slopes is None:
            try:
                fit = self.at(z).fit(self.X, self.y, labels=self.labels, check=self.check, last=self.last)
            except FitError:
                return -np.inf, np.zeros(len(z))
            self.last = fit
            gradient = fit.gradient(self.paths)
            lml, slopes = float(fit.lml), np.array([gradient[path] for path in self.paths])
        slopes = np.where(self.logs, values, 1.0) * slopes
        return (lml, slopes) if np.isfinite(lml) and np.isfinite(slopes).all() else (-np.inf, np.zeros(len(z)))

    def run(self, seed: int) -> Optimum:
        """Climb from every start, and polish and certify the best maximum."""
        ends: list[_End] = []
        stopped = False
        try:
            for number, z in enumerate(self._places(self._origin(), seed), 1):
                self.start = number
                ends.append(self._polished(ascent.climb(self.evaluate, z, self.low, self.high, STEEP * len(self.y))))
        except Cancelled:
            self.check, stopped = nothing, True
        # a polished end may lie a rounding error below what the climb to it saw
        if not ends or self.best[0] > max(end.lml for end in ends) + ROUNDING * (1.0 + abs(self.best[0])):
            ends.append(_End(self.best[1], *self._evidence(self.best[1]), np.ones(len(self.axes))))
        found = self._distinct(sorted(ends, key=lambda end: -end.lml))
        best = found[0][1].z
        fit = self.at(best).fit(self.X, self.y, labels=self.labels, last=self.last)
        maxima = tuple(maximum for maximum, _ in found)
        return Optimum(self._certified(fit, best), maxima, float(self.first.lml), self.evaluations, stopped)

    def _places(self, origin: Array, seed: int) -> Any:
        """Yield the coordinates to start from: the values set now, then the best, well apart, of a Latin hypercube."""
        yield origin
        count, size = SCREENED * (self.starts - 1), self.high - self.low
        if count <= 0 or len(origin) == 0:
            return
        random = np.random.default_rng(seed)
        ranks = np.column_stack([random.permutation(count) for _ in origin])
        places = self.low + size * (ranks + random.uniform(size=ranks.shape)) / count
        order = np.argsort([-self.evaluate(z)[0] for z in places], kind="stable")
        chosen = [origin]
        for z in places[order]:
            distance = min(float(np.max(np.abs(z - other) / np.where(size > 0, size, 1.0))) for other in chosen)
            if distance >= APART and len(chosen) < self.starts:
                chosen.append(z)
                yield z

    def _polished(self, z: Array) -> _End:
        """Return the maximum that Newton steps on the exact gradient reach, each kept only if it lessens that."""
        known = self.best_gradient is not None and np.array_equal(z, self.best[1])
        lml, gradient = (self.best[0], self.best_gradient) if known else self._evidence(z)
        curvature = np.zeros(len(z))
        for _ in range(POLISH):
            free = np.flatnonzero(ascent.free(z, gradient, self.low, self.high))
            worst = float(np.abs(gradient[free]).max(initial=0.0))
            if worst <= FLAT * len(self.y):
                break
            self.check()
            bend = self._bend(z, gradient, free)
            curvature[free] = np.diagonal(bend)
            try:
                forward = np.linalg.solve(bend, gradient[free])
            except np.linalg.LinAlgError:
                break
            trial = z.copy()
            trial[free] = np.clip(z[free] - forward, self.low[free], self.high[free])
            new_lml, new = self._evidence(trial)
            left = float(np.abs(new[ascent.free(trial, new, self.low, self.high)]).max(initial=0.0))
            if not (left < worst and new_lml >= lml - ROUNDING * (1.0 + abs(lml))):
                break
            lml, gradient, z = new_lml, new, trial
        return _End(z, lml, gradient, curvature)

    def _bend(self, z: Array, gradient: Array, free: NDArray[np.intp]) -> Array:
        """Return the second derivatives by the coordinates `free`, from differences of the exact gradient."""
        bend = np.empty((len(free), len(free)))
        for column, i in enumerate(free):
            step = np.zeros(len(z))
            step[i] = DIFFERENCE if z[i] + DIFFERENCE <= self.high[i] else -DIFFERENCE
            bend[:, column] = (self._evidence(z + step)[1] - gradient)[free] / step[i]
        symmetric: Array = (bend + bend.T) / 2
        return symmetric

    def _distinct(self, ends: list[_End]) -> list[tuple[Maximum, _End]]:
        """Return the distinct maxima among `ends`, which are sorted, with an end that led to each."""
        found: list[tuple[Maximum, _End]] = []
        for end in ends:
            twin = next((i for i, (_, known) in enumerate(found)
                         if abs(known.lml - end.lml) <= SAME * (1.0 + abs(end.lml))
                         and float(np.abs(known.z - end.z).max(initial=0.0)) <= np.sqrt(SAME)), None)
            if twin is not None:
                known, first = found[twin]
                found[twin] = (dataclasses.replace(known, starts=known.starts + 1), first)
                continue
            values = ByPath({axis.path: axis.value(c) for axis, c in zip(self.axes, end.z, strict=True)})
            free = ascent.free(end.z, end.gradient, self.low, self.high)
            left = float(np.abs(end.gradient[free]).max(initial=0.0))
            held = tuple(path for path, loose in zip(self.paths, free, strict=True) if not loose)
            found.append((Maximum(values, end.lml, left, held, self._flat(end)), end))
        return found

    def _flat(self, end: _End) -> tuple[Path, ...]:
        """Return the parameters whose change by half a unit of their coordinate leaves the evidence as it is."""
        found = []
        for i, path in enumerate(self.paths):
            level = LEVEL * (1.0 + abs(end.lml))
            if abs(end.curvature[i]) > 100 * level:
                continue
            places = (end.z + side * ASIDE * (np.arange(len(end.z)) == i) for side in (-1, 1))
            inside = [place for place in places if self.low[i] <= place[i] <= self.high[i]]
            if inside and all(abs(self._evidence(place)[0] - end.lml) <= level for place in inside):
                found.append(path)
        return tuple(found)

    def _certified(self, fit: Fit, z: Array) -> Fit:
        """Return the Fit with its evidence gradient, taken from the model itself, in the certificate."""
        slopes = fit.gradient(self.paths)  # type: ignore[attr-defined]
        gradient = np.array([slopes[path] for path in self.paths]) * np.where(self.logs, self.values(z), 1.0)
        left = float(np.abs(gradient[ascent.free(z, gradient, self.low, self.high)]).max(initial=0.0)) / len(self.y)
        residual = Residual("evidence_gradient", say("Gradient of the evidence"), left,
                            say("The largest derivative with respect to a log parameter that is not at a bound, "
                                "divided by the number of points."))
        whole = Certificate((*fit.certificate.residuals, residual), fit.certificate.goal)
        return dataclasses.replace(fit, certificate=whole)
