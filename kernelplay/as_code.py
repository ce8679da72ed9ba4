"""The three ways in which a fit is written down as code, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kernelplay.i18n import Say, say, verbatim
from kernelplay.models.base import Fit

CODES: Mapping[str, tuple[Say, str]] = {  # what it is called, the ending of its file
    "numpy": (verbatim("NumPy"), ".py"),
    "sklearn": (verbatim("scikit-learn"), ".py"),
    "latex": (verbatim("LaTeX"), ".tex"),
}


def about(kind: str) -> Say:
    """Return one sentence about what the code does."""
    return {
        "numpy": say("A script that needs only NumPy: it solves the problem itself and prints the same numbers."),
        "sklearn": say("A scikit-learn script with the same parameters that prints the same numbers; comments explain "
                       "where its definitions differ."),
        "latex": say("The problem and its solution as formulas with the numbers filled in; requires article and "
                     "amsmath."),
    }[kind]


def code(fit: Fit, kind: str, title: str = "", classes: Mapping[Any, str] | None = None,
         columns: Sequence[str] = ()) -> str:
    """Return `fit` as code of a `kind` in CODES; raises SpecError where it cannot be written down.

    title: of the scene; classes: names of the labels; columns: names of the inputs, with their units, and, of a
    regression, of the target.
    """
    if kind == "latex":
        from kernelplay.latex import latex

        return latex(fit, title, classes, columns)
    if kind == "sklearn":
        from kernelplay.scripts.sklearn_script import sklearn_script

        return sklearn_script(fit, title, classes, columns)
    from kernelplay.scripts.numpy_script import numpy_script

    return numpy_script(fit, title, classes, columns)


def warning(fit: Fit, kind: str) -> Say | None:
    """Return what is to be known of the code before it is trusted; None as a rule."""
    if kind != "sklearn":
        return None
    from kernelplay.scripts.sklearn_vectors import warning

    return warning(fit)
