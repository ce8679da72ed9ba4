"""A fit as a script for scikit-learn with the same parameters, where the two agree, and the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.models.base import Fit
from kernelplay.scripts.sklearn_perceptron import perceptron
from kernelplay.scripts.sklearn_process import gpc, gpr
from kernelplay.scripts.sklearn_vectors import krr, several, svm, svr
from kernelplay.scripts.source import blocks, data, header, places_source, shown


def sklearn_script(fit: Fit, title: str = "", classes: Mapping[Any, str] | None = None,
                   columns: Sequence[str] = ()) -> str:
    """Return the script; raises SpecError with a sentence for what cannot be written down or scikit-learn lacks.

    title: of the scene; classes: names of the labels; columns: of the inputs and, of a regression, of the target. The
    comments are in the language now in use.
    """
    writers = {"svm": several if len(fit.labels) > 2 else svm, "svr": svr, "krr": krr, "gpr": gpr, "gpc": gpc,
               "perceptron": perceptron}
    own = fit.code("sklearn") if fit.model.key not in writers else None
    if fit.model.key not in writers and own is None:
        raise SpecError(say("The model {name} cannot be exported as a script.", name=type(fit.model).label))
    imports, body, after = ("", list(own), "") if own is not None else writers[fit.model.key](fit)
    needs = say("This script needs NumPy and scikit-learn, version 1.7 or newer.")
    return blocks(header(fit, needs, title), f"import numpy as np\n{imports}".strip(),
                  data(fit, classes or {}, columns), *body, places_source(fit.X),
                  shown(("decision_function", "f(X)"), ("decision_function_grid", "f(Z)")), after)
