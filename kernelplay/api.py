"""The library: what `import kernelplay as kp` offers, loaded when it is first used."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from kernelplay import figures, session
from kernelplay.arrays import labels, numbers
from kernelplay.errors import SpecError
from kernelplay.figures import DPI, Figure
from kernelplay.i18n import LANGUAGES, PSEUDO, current, say, use
from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Fit, Model
from kernelplay.offscreen import offscreen
from kernelplay.scene import Scene
from kernelplay.spec import build
from kernelplay.values import file_name, flag, text, texts, whole, wrong

if TYPE_CHECKING:
    from kernelplay.animations import Steps
    from kernelplay.marks import Picture
    from kernelplay.models.evidence import Optimum
    from kernelplay.sweep import Sweep


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

    Labels may be numbers or texts; of two classes the last in their order (1 of 0 and 1, "yes" of "no" and "yes") is
    +1, the one with f >= 0, and stands first in `fit.labels`. The Fit predicts (`predict`, `decision_function`), knows
    its unknowns by the names of the field (`alpha`, `support`, …) and carries its `certificate`. Raises FitError with a
    sentence where these data have no answer, SpecError for parameters outside their range.

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
            raise SpecError(say("The bounds of {path} must be two numbers, the lower first, not {value}.",
                                path=name, value=str(pair)), name)
    whole(starts, "starts", 1)
    whole(seed, "seed", 0)
    targets = numbers(y, "y") if chosen.task == "regression" else labels(y)
    with np.errstate(all="ignore"):
        return evidence.maximise(chosen, numbers(X, "X"), targets, paths, bounds, starts, seed)


def load(path: str | os.PathLike[str]) -> Scene:
    """Return the Scene in a `.kplay` file; raises FileError with a sentence if there is none in it."""
    return session.load(file_name(path, "path"))


def save(scene: Scene | Fit, path: str | os.PathLike[str], *, columns: Sequence[str] = (), title: str = "") -> None:
    """Write `scene`, or the points and the model of a fit, to a `.kplay` file that the window opens, whole or not at
    all. columns, title: of a fit, what the two axes are called, with their units, and the whole. Raises FileError, and
    SpecError for a fit that no canvas has axes for and for the other arguments."""
    if not isinstance(scene, (Scene, Fit)):
        raise SpecError(say("Only a Scene can be saved, not a {kind}.", kind=type(scene).__name__), "scene")
    path, title, names = file_name(path, "path"), text(title, "title"), texts(columns, "columns")
    if isinstance(scene, Scene):
        if names or title:
            name = "columns" if names else "title"
            raise SpecError(say("A Scene has its own {path}: leave this argument out.", path=name), name)
        session.save(scene, path)
    elif len(names) not in (0, 2):
        raise wrong(names, "columns", say("there must be two names, one for each axis"))
    else:
        session.save(_document(scene, names, title), path)


def render(scene: Scene | Fit | str | os.PathLike[str], path: str | os.PathLike[str],
           figure: Figure | str | None = None, *, language: str = "en", **values: Any) -> Picture:
    """Draw `scene` (a Scene, the file of one, or a fit) to `path`: .png, .svg or .pdf.

    figure: a Figure, or the name of a preset as in `figure`; values: fields of it, as in
    `render(scene, "a.pdf", "paper", width="80mm", title="Two moons")`; without any it is 800 by 600 pixels and looks as
    in the window. Needs no display. A scene whose fit has no answer is drawn with its points alone. Returns the
    Picture that was drawn; its `problem` says why there is no fit, its `status` and `readouts` are what the window
    says. Raises FileError for a path and a size that cannot be drawn, SpecError for the other arguments.
    """
    wanted = _figure(figure, values)
    _known(language)
    drawn = _scene(scene)
    path = file_name(path, "path")
    session.check_size(drawn)  # what no file can hold, no view can show
    with offscreen():
        from kernelplay.compute import cold
        from kernelplay.ui.figure import check, render

        check(Path(path), wanted)
        picture = cold(drawn, aspect=wanted.size[0] / wanted.size[1])
        render(picture, drawn, Path(path), wanted, language=language)
    return picture


def animate(scene: Scene | Fit | str | os.PathLike[str], path: str | os.PathLike[str], sweep: str | Sweep | None = None,
            figure: Figure | str | None = None, *, steps: Steps | bool = False, frames: int = 24,
            spacing: Literal["linear", "log"] | None = None, back: bool = False, fps: float = 12.5, once: bool = False,
            panels: int | None = None, columns: int | None = None, overwrite: bool = False, language: str = "en",
            **values: Any) -> tuple[Path, ...]:
    """Write an animation of `scene` and return its files: .gif or .apng, .png for numbered pictures, .svg for a strip.

        animate(scene, "moons.gif", "C=0.1:100", frames=40, back=True)
        animate(scene, "run.apng", steps=True)

    sweep: the parameter that changes and its ends, with `frames` values in between, in equal ratios or steps as
    `spacing` says (as its slider if not given), and `back` again; or steps: those of the player, all or as a
    `kernelplay.animations.Steps`. fps: pictures a second; once: played once, not for ever; panels, columns: of a strip;
    overwrite: numbered pictures that are there may be replaced. figure, values, language: as in `render`. Needs no
    display. Raises SpecError, FitError where not one of the pictures has a fit, and FileError; then nothing is written.
    """
    from kernelplay.animations import Animation, Steps
    from kernelplay.sweep import Sweep

    declared = Animation.params()
    fps = declared["fps"].check(fps, "fps")
    panels = None if panels is None else declared["panels"].check(panels, "panels")
    columns = None if columns is None else declared["columns"].check(columns, "columns")
    for name, given in (("back", back), ("once", once), ("overwrite", overwrite)):
        flag(given, name)
    wanted = _figure(figure, values if figure is not None or "dpi" in values else {"dpi": round(DPI)} | values)
    _known(language)
    drawn = _scene(scene)
    if not isinstance(steps, Steps):
        steps = flag(steps, "steps")
    if (sweep is None) == (steps is False):
        raise SpecError(say("Choose what changes from frame to frame, one thing only: a sweep such as \"C=0.1:100\", "
                            "or steps=True."), "sweep")
    source: Sweep | Steps
    if sweep is None:
        source = steps if isinstance(steps, Steps) else Steps()
        whole(source.first, "first", 0)
        whole(0 if source.last is None else source.last, "last", 0)
        whole(source.every, "every", 1)
    elif isinstance(sweep, Sweep):
        source = sweep
    else:
        if not isinstance(sweep, str):
            raise SpecError(say("{text} is not a sweep: write a parameter and two values, as in C=0.1:100.",
                                text=str(sweep)), "sweep")
        source = Sweep.parse(drawn.model, sweep, whole(frames, "frames", 2), spacing, back)
    path = Path(file_name(path, "path"))
    session.check_size(drawn)
    with offscreen():
        from kernelplay.ui.animation_export import Target, export

        target = Target(path, fps, 1 if once else 0, panels, columns, overwrite)
        return export(drawn, source, wanted, target, language).files


def code(fit: Fit | Scene | str | os.PathLike[str], kind: str = "numpy", path: str | os.PathLike[str] | None = None, *,
         title: str = "", columns: Sequence[str] = (), language: str = "en") -> str:
    """Return a fit (or that of a scene, or of the file of one) written down, and write it to `path` if that is given.

    kind: "numpy", a script that needs NumPy alone, solves the problem and prints the same numbers; "sklearn", one for
    scikit-learn; "latex", a document with the formulas and their numbers. title, columns: what the data and the columns
    of X are called, and with one more y, where a scene does not say it. Raises FitError where there is no fit,
    SpecError where it cannot be written down and for the other arguments, FileError where the file cannot be written.
    """
    from kernelplay import as_code
    from kernelplay.files import write_whole
    from kernelplay.writing import class_names

    _known(language)
    if kind not in tuple(as_code.CODES):
        raise wrong(kind, "kind", say("choose one of {names}", names=", ".join(as_code.CODES)))
    title, columns = text(title, "title"), texts(columns, "columns")
    file = None if path is None else Path(file_name(path, "path"))
    classes = None
    if not isinstance(fit, Fit):
        document = _scene(fit)
        X, y, known, _, _ = document.training()
        title, columns = title or document.title, columns or document.points.names
        classes = class_names(document) if document.task == "classification" else None
        with np.errstate(all="ignore"):
            fit = document.model.fit(X, y, labels=known or None)
    _columns_of(fit, columns)
    before = current()
    use(language)
    try:
        with np.errstate(all="ignore"):
            written = as_code.code(fit, kind, title, classes, columns)
    finally:
        use(before)
    if file is not None:
        write_whole(file, written.encode())
    return written


def _figure(figure: Figure | str | None, values: Mapping[str, Any]) -> Figure:
    if not isinstance(figure, Figure):
        figure = figures.preset("window" if figure is None else str(figure)).of(Figure())
    return figure.with_values(values)


def _known(language: str) -> None:
    if language not in (*LANGUAGES, PSEUDO):
        raise SpecError(say("language cannot be {language}: choose one of {names}.", language=language,
                            names=", ".join(LANGUAGES)), "language")


def _scene(given: Scene | Fit | str | os.PathLike[str]) -> Scene:
    """Return the Scene that is given, or read from a file, or that of a fit."""
    if isinstance(given, Scene):
        return given
    if isinstance(given, Fit):
        return _document(given)
    return session.load(file_name(given, "scene"))


def _document(fit: Fit, columns: Sequence[str] = (), title: str = "") -> Scene:
    """Return the Scene of the points and the model of a fit; raises SpecError where it has other inputs than axes."""
    from kernelplay.class_names import MOST_CLASSES, titles
    from kernelplay.scene import CLASS_NAMES, Points

    X, y, model = fit.X, fit.y, fit.model
    axes = (str(columns[0]), str(columns[1])) if len(columns) == 2 else None
    if X.shape[1] != (2 if model.task == "classification" else 1):
        raise SpecError(say("A figure needs two input columns for classification or one for regression; X has {d} "
                            "columns.", d=X.shape[1]), "X")
    if model.task == "regression":
        return Scene(model, regression=Points(np.column_stack([X, y]), names=axes or ("x", "t")), title=title)
    if len(fit.labels) > MOST_CLASSES:
        raise SpecError(say("{n} classes are too many: a figure shows at most {most}.", n=len(fit.labels),
                            most=MOST_CLASSES), "y")
    known = [label.decode("utf-8", "replace") if isinstance(label, bytes) else label for label in fit.labels]
    classes = tuple(titles(known).values())
    cls = np.where(y > 0, 0, 1) if len(classes) == 2 else y.astype(int) if len(classes) > 2 else np.zeros(len(y), int)
    if len(classes) == 1 and classes[0] in CLASS_NAMES[:2]:
        classes, cls = CLASS_NAMES[:2], cls + CLASS_NAMES.index(classes[0])
    elif len(classes) == 1:
        classes = (*classes, "…")
    return Scene(model, Points(X, cls, names=axes or ("x₁", "x₂")), classes=classes, title=title)


def _columns_of(fit: Fit, names: Sequence[str]) -> None:
    """Raise SpecError unless there is no name, or one for each column of X and, of a regression, perhaps one for y."""
    d = fit.X.shape[1]
    if fit.model.task == "regression" and len(names) not in (0, d, d + 1):
        raise wrong(names, "columns", say("there must be one name for each column of X ({n}), optionally followed by "
                                          "one for y", n=d))
    if fit.model.task != "regression" and len(names) not in (0, d):
        raise wrong(names, "columns", say("there must be one name for each column of X ({n})", n=d))


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

