"""The library: what `import kernelplay as kp` offers, loaded when it is first used."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kernelplay import figures, session
from kernelplay.arrays import labels, numbers
from kernelplay.errors import SpecError
from kernelplay.figures import Figure
from kernelplay.i18n import LANGUAGES, PSEUDO, say
from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Fit, Model
from kernelplay.offscreen import offscreen
from kernelplay.scene import Scene
from kernelplay.spec import build

if TYPE_CHECKING:
    from kernelplay.marks import Picture
    from kernelplay.models.evidence import Optimum



def kernel(name: str | Mapping[str, Any] | Kernel, **parameters: Any) -> Kernel:
    """Return a kernel: `kernel("rbf", gamma=2.0)`, `kernel("2*rbf(gamma=2) + linear()")`, or from plain data,
    `kernel({"name": "sum", "of": [{"name": "rbf"}, {"name": "linear"}]})`.

    Raises SpecError, a ValueError with a sentence, for unknown names and for values outside their range.
    """
    if isinstance(name, str) and parameters and name.isidentifier():
        name = {"name": name}
    if isinstance(name, Mapping):
        name = {**name, **parameters}
        parameters = {}
    made = _kernel(name)
    for key, value in parameters.items():
        made = made.replace(key, value)
    return made


def model(name: str | Mapping[str, Any] | Model, *, kernel: str | Mapping[str, Any] | Kernel | None = None,
          **parameters: Any) -> Model:
    """Return a model: `model("svm", kernel="rbf", C=10.0)`; parameters left out have their defaults.

    Names: perceptron, svm, svr, krr, gpr, gpc. Raises SpecError as `kernel` does.
    """
    return _model(name, kernel, parameters)


def fit(X: ArrayLike, y: ArrayLike, model: str | Mapping[str, Any] | Model = "svm", *,
        kernel: str | Mapping[str, Any] | Kernel | None = None, **parameters: Any) -> Fit:
    """Fit `model` to inputs X (n, d) and targets or labels y (n,) and return the Fit.

    Labels may be numbers or texts; of two classes the larger, or the last in alphabetical order, is the one with
    f >= 0. The Fit predicts (`predict`, `decision_function`), knows its unknowns by the names of the field (`alpha`,
    `support`, …) and carries its `certificate`. Raises FitError with a sentence where these data have no answer,
    SpecError for parameters outside their range.

        fit = kernelplay.fit(X, y, model="svm", kernel=kernelplay.kernel("rbf", gamma=2.0), C=1.0)
    """
    chosen = _model(model, kernel, parameters)
    with np.errstate(all="ignore"):  # what overflows is found by the certificate and said in sentences
        return chosen.fit(numbers(X, "X"), numbers(y, "y") if chosen.task == "regression" else labels(y))


def maximise(X: ArrayLike, y: ArrayLike, model: str | Mapping[str, Any] | Model = "gpr", *,
             kernel: str | Mapping[str, Any] | Kernel | None = None, paths: Sequence[str] | None = None,
             bounds: Mapping[str, tuple[float, float]] | None = None, starts: int = 5, seed: int = 0,
             **parameters: Any) -> Optimum:
    """Return the parameters of largest evidence of a Gaussian process, `gpr` or `gpc`: an Optimum with its `fit` and
    all `maxima` that were found from several starts, of which the first is the model as given.

    paths: the parameters to change, by path or short name ("gamma", "noise_var"; default: those of the kernel, and the
    noise of a regression); bounds: by the same names. Raises FitError and SpecError as `fit` does.
    """
    from kernelplay.models import evidence

    chosen = _model(model, kernel, parameters)
    paths = (paths,) if isinstance(paths, str) else paths
    for name, pair in (bounds or {}).items():
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise SpecError(say("The bounds of {path} must be two numbers, the lower first; they are {value}.",
                                path=name, value=str(pair)), name)
    _whole(starts, "starts", 1)
    _whole(seed, "seed", 0)
    targets = numbers(y, "y") if chosen.task == "regression" else labels(y)
    with np.errstate(all="ignore"):
        return evidence.maximise(chosen, numbers(X, "X"), targets, paths, bounds, starts, seed)


def load(path: str | os.PathLike[str]) -> Scene:
    """Return the Scene in a `.kplay` file; raises FileError with a sentence if there is none in it."""
    return session.load(_named(path, "path"))


def save(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write `scene` to a `.kplay` file, whole or not at all; raises FileError."""
    if not isinstance(scene, Scene):
        raise SpecError(say("Only a Scene can be saved; this is of type {kind}.", kind=type(scene).__name__), "scene")
    session.save(scene, _named(path, "path"))


def render(scene: Scene | str | os.PathLike[str], path: str | os.PathLike[str], figure: Figure | str | None = None, *,
           language: str = "en", **values: Any) -> Picture:
    """Draw `scene` (or the scene in that file) to `path`: .png, .svg or .pdf.

    figure: a Figure, or the name of a preset as in `figure`; values: fields of it, as in
    `render(scene, "a.pdf", "paper", width="80mm", title="Two moons")`; without any it is 800 by 600 pixels and looks as
    in the window. Needs no display. A scene whose fit has no answer is drawn with its points alone. Returns the
    Picture that was drawn; its `problem` says why there is no fit, its `status` and `readouts` are what the window
    says. Raises FileError for a path and a size that cannot be drawn, SpecError for the other arguments.
    """
    wanted = figure if isinstance(figure, Figure) else figures.preset(figure or "window").of(Figure())
    wanted = wanted.with_values(values)
    if language not in (*LANGUAGES, PSEUDO):
        raise SpecError(say("language cannot be {language}: choose one of {names}.", language=language,
                            names=", ".join(LANGUAGES)), "language")
    drawn = scene if isinstance(scene, Scene) else session.load(_named(scene, "scene"))
    path = _named(path, "path")
    session.check_size(drawn)  # what no file can hold, no view can show
    with offscreen():
        from kernelplay.compute import cold
        from kernelplay.ui.figure import check, render

        check(Path(path), wanted)
        picture = cold(drawn, aspect=wanted.size[0] / wanted.size[1])
        render(picture, drawn, Path(path), wanted, language=language)
    return picture


def _named(path: Any, name: str) -> str | os.PathLike[str]:
    """Return what names a file; raises SpecError for anything else."""
    if not isinstance(path, (str, os.PathLike)):
        raise SpecError(say("{path} must be the name of a file; this is of type {kind}.", path=name,
                            kind=type(path).__name__), name)
    return path


def _whole(value: Any, name: str, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise SpecError(say("{path} cannot be {value}: {remedy}.", path=name, value=str(value), remedy=say(
            "it must be a whole number, {least} or more", least=str(least))), name)


def _kernel(name: str | Mapping[str, Any] | Kernel) -> Kernel:
    if isinstance(name, Kernel):
        return name
    if isinstance(name, str):
        return Kernel.from_text(name)
    built: Kernel = build("kernel", name)
    return built


def _model(name: str | Mapping[str, Any] | Model, kernel: str | Mapping[str, Any] | Kernel | None,
           parameters: Mapping[str, Any]) -> Model:
    if kernel is not None:
        parameters = {**parameters, "kernel": _kernel(kernel)}
    if not isinstance(name, Model):
        data = name if isinstance(name, Mapping) else {"name": name}
        built: Model = build("model", {**data, **parameters})
        return built
    for key, value in parameters.items():
        name = name.replace(key, value)
    return name

