"""gamma = "scale": the inverse width that follows from the spread of the inputs."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from kernelplay.errors import FitError
from kernelplay.i18n import Say, say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.spec import real

LEAST = 1e-300  # variance whose inverse is a number

K = TypeVar("K", bound=Kernel)


def gamma_field(default: float, label: Say, help: Say) -> float:
    """Declare the parameter gamma: a number, or the word "scale"."""
    field: float = real(default, 1e-2, 1e2, log=True, words=("scale",), symbol="γ", label=label, help=help)
    return field


def scale(X: Array) -> float:
    """Return 1/(d Var(X)) for X (n, d), the variance taken over all entries; 1 where they are all the same.

    Raises FitError where the variance is too small or too large for a number.
    """
    X = np.asarray(X, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        if X.size == 0 or np.ptp(X) == 0:
            return 1.0
        variance = float(np.var(X))
    if not LEAST <= variance <= 1 / LEAST:
        raise FitError(say("gamma = scale needs inputs with a finite, positive variance, but it is {variance}. Scale "
                           "the inputs, or set gamma to a number.", variance=variance))
    return float(1 / (X.shape[1] * variance))


def with_gamma(kernel: K, X: Array) -> K:
    """Return the kernel with the word "scale" replaced by its number."""
    if isinstance(kernel.gamma, str):  # type: ignore[attr-defined]
        return kernel.replace("gamma", scale(X))
    return kernel


def gamma_of(kernel: Kernel) -> float:
    """Return the number gamma; raise FitError where it still waits for the data."""
    gamma: float | str = kernel.gamma  # type: ignore[attr-defined]
    if isinstance(gamma, str):
        raise FitError(say("The kernel {name} takes gamma from the data: call bind(X) first.",
                           name=kernel.key))
    return gamma
