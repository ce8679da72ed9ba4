"""kernelplay: a playground for kernel methods.

    import kernelplay as kp

    fit = kp.fit(X, y, model="svm", kernel=kp.kernel("rbf", gamma=2.0), C=1.0)
    fit.predict(Z), fit.decision_function(Z), fit.alpha, fit.support, fit.certificate

    kp.render(fit, "figure.pdf", "paper"), kp.animate(fit, "sweep.gif", "C=0.1:100"), kp.code(fit, "latex")
    kp.save(fit, "mine.kplay", columns=("length (cm)", "width (cm)"))

Importing it costs nothing: numpy is loaded with the first name that is used, Qt when something is drawn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["Cancelled", "FileError", "Fit", "FitError", "Kernel", "Model", "Scene", "SpecError",
           "animate", "code", "fit", "kernel", "load", "maximise", "model", "render", "save"]

if TYPE_CHECKING:
    from kernelplay.api import animate, code, fit, kernel, load, maximise, model, render, save
    from kernelplay.errors import Cancelled, FileError, FitError, SpecError
    from kernelplay.kernels.base import Kernel
    from kernelplay.models.base import Fit, Model
    from kernelplay.scene import Scene

_HOME = {
    "Cancelled": "errors", "FileError": "errors", "FitError": "errors", "SpecError": "errors",
    "Kernel": "kernels.base", "Fit": "models.base", "Model": "models.base", "Scene": "scene",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME.get(name, 'api')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
