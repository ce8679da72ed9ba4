"""Points, predictions, readouts and steps as text for other programs; every number reads back as exactly the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelplay.class_names import heading, plain
from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say
from kernelplay.models.base import Array, Check, Fit, nothing
from kernelplay.scene import CLASS_LABELS, PLAIN_AXES, USUAL_AXES, Rectangle, Scene, data_view
from kernelplay.scripts.source import array

LIBSVM = (".libsvm", ".svm", ".svmlight")  # endings of LIBSVM text
CHUNK = 1000  # rows between two checks
CELLS = (50, 50)  # of the grid, unless it is said otherwise
MOST_CELLS = 1_000_000


@dataclass(frozen=True)
class Grid:
    """Places in a rectangle: `nx` from its left to its right edge, and with two inputs `ny` from below to above."""

    view: Rectangle
    nx: int = CELLS[0]
    ny: int = CELLS[1]

    def __post_init__(self) -> None:
        if not 1 <= self.nx * self.ny <= MOST_CELLS or min(self.nx, self.ny) < 1:
            raise SpecError(say("A grid of {nx} × {ny} points cannot be exported: choose from 1 to {most} each.",
                                nx=self.nx, ny=self.ny, most=MOST_CELLS), "grid")

    def places(self, d: int) -> Array:
        """Return the places (m, d), for d = 1 or 2; row by row from below."""
        x0, x1, y0, y1 = self.view
        x = np.linspace(x0, x1, self.nx)
        if d == 1:
            return x[:, None]
        y = np.linspace(y0, y1, self.ny)
        return np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])


def encoded(text: str) -> bytes:
    """Return a text as a file holds it: UTF-8, with its mark where there is more than ASCII, for spreadsheets."""
    return text.encode("utf-8" if text.isascii() else "utf-8-sig")


def points_csv(scene: Scene, rows: Sequence[int] | None = None) -> str:
    """Return the points of the current task, or `rows` of them, as CSV: the names of the axes, and the class last.

    Where some are switched off, a first column `on` holds 1 and 0. A minus sign is written so that it is read as one.
    Where the last column alone would not give the classes back, in their order, its name does: "class: A|B".
    """
    points = scene.points
    chosen = np.arange(len(points)) if rows is None else np.asarray(rows, np.intp)
    some_off = not points.on[chosen].all()
    classes = scene.task == "classification"
    labels = [plain(scene.classes[c]) for c in points.cls[chosen].tolist()] if classes else []
    heads = (["on"] if some_off else []) + _heads(points.names)
    heads += [heading(scene.classes, labels)] if classes else []
    lines = []
    for i, row in enumerate(chosen.tolist()):
        cells = [str(int(points.on[row]))] if some_off else []
        cells += map(repr, points.xy[row].tolist())
        lines.append(cells + labels[i:i + 1])
    return _csv(heads, lines)


def points_libsvm(scene: Scene, rows: Sequence[int] | None = None) -> str:
    """Return the points that are switched on, or those of `rows`, as LIBSVM text: label 1:x1 2:x2, or target 1:x.

    Classes have their numbers: +1, -1, 2, 3, …
    """
    points = scene.points
    chosen = np.arange(len(points)) if rows is None else np.asarray(rows, np.intp)
    lines = []
    for row in chosen[points.on[chosen]].tolist():
        x, y = points.xy[row].tolist()
        if scene.task == "regression":
            lines.append(f"{y!r} 1:{x!r}")
        else:
            label = CLASS_LABELS[int(points.cls[row])]
            lines.append(f"{'+1' if label == 1 else label} 1:{x!r} 2:{y!r}")
    return "\n".join(lines) + "\n" if lines else ""


def points_numpy(scene: Scene, rows: Sequence[int] | None = None) -> str:
    """Return the points that are switched on, or those of `rows`, as Python: X and y as NumPy arrays."""
    points = scene.points
    chosen = np.arange(len(points)) if rows is None else np.asarray(rows, np.intp)
    chosen = chosen[points.on[chosen]]
    if scene.task == "regression":
        X, y = points.xy[chosen, :1], points.xy[chosen, 1]
    else:
        X, y = points.xy[chosen], np.array(CLASS_LABELS, float)[points.cls[chosen]]
    if not len(chosen):
        return f"X = np.empty((0, {X.shape[1]}))\ny = np.empty(0)\n"
    return f"{array('X', X)}\n{array('y', y)}\n"


def predictions_csv(fit: Fit, scene: Scene, grid: Grid | None = None, check: Check = nothing) -> str:
    """Return what `fit`, that of `scene`, predicts at its points, or on `grid`, as CSV.

    Beside the place: for classes the decision values (the latent mean and deviation and the probability of a Gaussian
    process) and the predicted class; for regression f (mean and deviations of a Gaussian process). At the points also
    their own class or target, and, where some are switched off, `on`.
    """
    points, d = scene.points, fit.X.shape[1]
    Z = points.xy[:, :d] if grid is None else grid.places(d)
    some_off = grid is None and not points.on.all()
    classes = scene.task == "classification"
    heads = ["on"] * some_off + _heads(points.names)[:d]
    if grid is None:
        heads.append("class" if classes else points.names[1])

    def lines() -> Iterator[Sequence[str]]:
        for start in range(0, len(Z), CHUNK):
            check()
            rows = slice(start, start + CHUNK)
            columns = [[str(int(on)) for on in points.on[rows]]] if some_off else []
            columns += [_cells(Z[rows, j]) for j in range(d)]
            if grid is None and classes:
                columns.append([plain(scene.classes[c]) for c in points.cls[rows].tolist()])
            elif grid is None:
                columns.append(_cells(points.xy[rows, 1]))
            yield from zip(*columns, *_predicted(fit, scene, Z[rows]), strict=True)

    return _csv([*heads, *_predicted_names(fit, scene)], lines())


def _predicted_names(fit: Fit, scene: Scene) -> list[str]:
    if fit.model.key == "gpr":
        return ["mean", "latent_std", "predictive_std"]
    if fit.model.key == "gpc":
        return ["latent_mean", "latent_std", "probability", "predicted"]
    if fit.model.task == "regression":
        return ["f"]
    if len(fit.labels) > 2:
        return [f"score {name}" for name in _names(fit, scene)] + ["predicted"]
    return ["decision_value", "predicted"]


def _predicted(fit: Any, scene: Scene, Z: Array) -> list[list[str]]:
    """Return the columns of predictions at Z (m, d) as texts."""
    if fit.model.key == "gpr":
        latent = fit.latent_var(Z)
        return [_cells(fit.predict(Z)), _cells(np.sqrt(latent)), _cells(np.sqrt(latent + fit.model.noise_var))]
    if fit.model.task == "regression":
        return [_cells(fit.predict(Z))]
    names = dict(zip(fit.labels, _names(fit, scene), strict=True))
    predicted = [names[label] for label in fit.predict(Z).tolist()]
    if fit.model.key == "gpc":
        probability = fit.p(Z) if fit.model.probability == "averaged" else fit.p_map(Z)
        return [_cells(fit.latent_mean(Z)), _cells(np.sqrt(fit.latent_var(Z))), _cells(probability), predicted]
    values = fit.decision_function(Z)
    return [*map(_cells, values.T if values.ndim == 2 else [values]), predicted]


def _names(fit: Fit, scene: Scene) -> list[str]:
    called = class_names(scene)
    return [plain(called.get(label, str(label))) for label in fit.labels]


def class_names(scene: Scene) -> dict[Any, str]:
    """Return what the labels of the classes are called in this scene."""
    return dict(zip(CLASS_LABELS, scene.classes, strict=False))


def readouts_csv(fit: Fit) -> str:
    """Return the readouts of `fit` and the parameters it was made with as CSV: group, name, label, value.

    Labels are in the language now in use; names and numbers are the same in all, the numbers with all their digits.
    """
    lines = [["model", "model", str(type(fit.model).label), fit.model.key],
             ["model", "kernel", str(say("Kernel")), fit.kernel.text()]]
    for name, param in fit.model.shown().items():
        value = getattr(fit.model, name)
        if name != "kernel":
            lines.append(["model", name.rstrip("_"), str(param.label), _value(value)])
    lines.append(["data", "n", str(say("Points")), str(len(fit.X))])
    lines += [[line.group, line.key, str(line.label), _value(line.raw)] for line in fit.readouts()
              if line.group != "time"]
    return _csv(["group", "name", "label", "value"], lines)


def steps_csv(fit: Any, scene: Scene, check: Check = nothing) -> str:
    """Return the run of a perceptron as CSV: a line for the start and one for each update.

    update: k; pass, look: when; row: the place of the point in the table of points, counted from 1; its inputs and y;
    y_f: y f(x) before the update; theta after it, where it is written out; norm_theta: ||theta_k||, u_theta: u.theta_k.
    Raises SpecError for a model without steps.
    """
    if fit.model.key != "perceptron":
        raise SpecError(say("{model} has no steps to export: only the perceptron learns step by step.",
                            model=type(fit.model).label), "steps")
    d, eta, trace, lemmas = fit.X.shape[1], fit.model.eta, fit.trace, fit.lemmas
    rows = np.flatnonzero(scene.points.on)
    lifted, theta = fit.space.lifted, None
    names = []
    if lifted is not None:
        theta = np.array(fit.space.theta_0)
        names = ["theta_0"] * bool(fit.space.constant) + [f"theta_{j + 1}" for j in range(d)]
    inputs = _heads(scene.points.names) if d == 2 else [f"x{j + 1}" for j in range(d)]
    heads = ["update", "pass", "look", "row", *inputs, "y", "y_f", *names, "norm_theta"]
    heads += ["u_theta"] if lemmas.along is not None else []
    indefinite = fit.separation.unknown == "indefinite"
    norm = np.sqrt(np.maximum(lemmas.norm2, 0)) * (np.nan if indefinite else eta)

    def ending(k: int) -> list[str]:
        cells = [] if theta is None else _cells(eta * theta)
        return [*cells, _number(norm[k]), *([_number(eta * lemmas.along[k])] if lemmas.along is not None else [])]

    lines = [["0", *[""] * (5 + d), *ending(0)]]
    passes, looks = trace.epoch, trace.look
    for k, n in enumerate(trace.point.tolist(), 1):
        if k % CHUNK == 0:
            check()
        if theta is not None:
            theta += fit.y[n] * lifted[n]
        lines.append([str(k), str(int(passes[k - 1]) + 1), str(int(looks[k - 1])), str(int(rows[n]) + 1),
                      *_cells(fit.X[n]), str(int(fit.y[n])), _number(eta * trace.score[k - 1]), *ending(k)])
    return _csv(heads, lines)


def grid_of(scene: Scene, shown: Rectangle | None = None) -> Grid:
    """Return a grid over what is visible: the rectangle `shown`, else that of the scene."""
    return Grid(shown or scene.view or data_view(scene))


def problem_of(scene: Scene) -> Say:
    """Return the sentence for a scene without a fit, whose predictions, readouts, steps and scripts do not exist."""
    if not len(scene.points):
        return say("No points yet: click the canvas to add some.")
    return say("Without a fit only the points can be exported: solve the problem shown in the status bar first.")


def _cells(values: Iterable[Any]) -> list[str]:
    return [_number(value) for value in np.asarray(values, dtype=float).tolist()]


def _number(value: float) -> str:
    value = float(value)
    return "" if np.isnan(value) else repr(value)


def _value(raw: Any) -> str:
    if isinstance(raw, (np.ndarray, np.generic)):
        raw = raw.tolist()
    if raw is None:
        return ""
    if isinstance(raw, (list, tuple, dict)):
        return json.dumps(raw)
    return _number(raw) if isinstance(raw, float) else str(raw)


def _heads(names: Sequence[str]) -> list[str]:
    """Return the names of axes as every program can read them: the usual ones without subscripts."""
    return list(PLAIN_AXES if tuple(names) == USUAL_AXES else names)


def _csv(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(lines)
    return stream.getvalue()
