"""The three ways in which a fit is written down as code, by name."""

from __future__ import annotations

from collections.abc import Mapping
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
        "numpy": say("A script that needs NumPy alone: it solves the problem by itself and prints the same numbers."),
        "sklearn": say("A script for scikit-learn with the same parameters, which prints the same numbers; where its "
                       "definitions differ, a comment says so."),
        "latex": say("The problem and its solution as formulas, with the numbers filled in; it needs article and "
                     "amsmath."),
    }[kind]


def code(fit: Fit, kind: str, title: str = "", classes: Mapping[Any, str] | None = None) -> str:
    """Return `fit` as code of a `kind` in CODES; raises SpecError where it cannot be written down.

    title: of the scene; classes: names of the labels.
    """
    if kind == "latex":
        from kernelplay.latex import latex

        return latex(fit, title, classes)
    if kind == "sklearn":
        from kernelplay.scripts.sklearn_script import sklearn_script

        return sklearn_script(fit, title, classes)
    from kernelplay.scripts.numpy_script import numpy_script

    return numpy_script(fit, title, classes)


def warning(fit: Fit, kind: str) -> Say | None:
    """Return what is to be known of the code before it is trusted; None as a rule."""
    if kind != "sklearn":
        return None
    from kernelplay.scripts.sklearn_vectors import warning

    return warning(fit)
