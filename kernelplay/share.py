"""`kernelplay code` and `kernelplay export`: a fit as code, and data as files, without a window."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelplay.arguments import Given, Option, UsageError
from kernelplay.i18n import Say, say, verbatim

if TYPE_CHECKING:  # numpy comes with them, and the help is said without it
    from kernelplay.models.base import Fit
    from kernelplay.scene import Scene

KINDS = ("numpy", "sklearn", "latex")
WHAT = ("points", "predictions", "readouts", "steps")
TABLES = ("", ".csv", ".txt", ".dat")  # endings of files that hold CSV

CODE_OPTIONS = (
    Option(("--for",), say("Target language of the code"), "KIND", choices=KINDS),
    Option(("-o", "--output"), say("Output file; printed if omitted"), "FILE"),
)
EXPORT_OPTIONS = (
    Option(("--what",), say("What to export; default: the points"), "WHAT", choices=WHAT),
    Option(("-o", "--output"),
           say("Output file: CSV; points also as LIBSVM text (.libsvm, .svm, .svmlight) or "
               "NumPy arrays (.py)"), "FILE", needed=True),
    Option(("--at",), say("Where to predict; default: at the points"), "PLACE", choices=("points", "grid")),
    Option(("--grid",), say("Grid size, columns x rows, such as 50x50; for regression just one number, "
                            "such as 50"), "NxM"),
)


def code(fit: Fit, document: Any, given: Given) -> Say | None:
    """Print the fit as code, or write it to the file asked for and return the sentence that says so."""
    from kernelplay import as_code
    from kernelplay.files import write_whole
    from kernelplay.scene import Scene
    from kernelplay.writing import class_names

    kind = given.values.get("for", "numpy")
    if isinstance(document, Scene):
        classes = class_names(document) if document.task == "classification" else None
    else:
        classes = document.titles if fit.labels else None
    title, columns = (document.title, document.points.names) if isinstance(document, Scene) else (
        str(document.name), document.columns)
    text = as_code.code(fit, kind, title, classes, columns)
    careful = as_code.warning(fit, kind)
    if careful is not None:
        print(careful, file=sys.stderr)
    if given.values.get("output", "-") == "-":
        print(text, end="")
        return None
    write_whole(Path(given.values["output"]), text.encode())
    return say("Saved to {file}.", file=verbatim(given.values["output"]))


def export(scene: Scene, given: Given) -> Say | None:
    """Write what is asked for to the file and return the sentence that says so, or print it for the file -; raises
    FitError without a fit."""
    from kernelplay import writing
    from kernelplay.files import write_whole

    path, what = Path(given.values["output"]), given.values.get("what", "points")
    ending = path.suffix.lower()
    if ending not in TABLES and not (what == "points" and ending in (*writing.LIBSVM, ".py")):
        raise UsageError(say("{file} would be a CSV table: use the extension .csv.", file=verbatim(path.name)))
    if what != "predictions" and ("at" in given.values or "grid" in given.values):
        raise UsageError(say("--at and --grid only work with --what predictions."))
    if given.values.get("at") == "points" and "grid" in given.values:
        raise UsageError(say("--grid and --at points contradict each other: remove one of them."))
    nx, ny = _cells(given.values.get("grid", "50x50"), plane=scene.task == "classification")
    grid = None
    if given.values.get("at", "grid" if "grid" in given.values else "points") == "grid":
        grid = writing.Grid(writing.grid_of(scene).view, nx, ny)
    text = _points(scene, ending) if what == "points" else _fitted(scene, what, grid)
    if given.values["output"] == "-":
        print(text, end="")
        return None
    write_whole(path, writing.encoded(text) if ending in TABLES else text.encode())
    return say("Saved to {file}.", file=verbatim(str(path)))


def _points(scene: Scene, ending: str) -> str:
    from kernelplay import writing

    if ending in writing.LIBSVM:
        return writing.points_libsvm(scene)
    return writing.points_numpy(scene) if ending == ".py" else writing.points_csv(scene)


def _fitted(scene: Scene, what: str, grid: Any) -> str:
    import numpy as np

    from kernelplay import writing

    X, y, labels, _, _ = scene.training()
    with np.errstate(all="ignore"):  # what overflows is found by the certificate and said in sentences
        fit = scene.model.fit(X, y, labels=labels or None)
        if what == "predictions":
            return writing.predictions_csv(fit, scene, grid)
        return writing.readouts_csv(fit) if what == "readouts" else writing.steps_csv(fit, scene)


def _cells(text: str, plane: bool) -> tuple[int, int]:
    """Return how many places there are across and upwards. Without a plane, a regression, those across are enough."""
    match = re.fullmatch(r"\s*(\d{1,7})(?:\s*[x×]\s*(\d{1,7}))?\s*", text)
    if match is None or (plane and match[2] is None):
        raise UsageError(say("--grid {text} is not a grid size: write columns x rows, as in 50x50.", text=text))
    return int(match[1]), int(match[2] or 1)
