"""The gradient of the evidence by every continuous parameter, exact: derivatives of the kernel by complex steps.

imag(k(theta + ih))/h is dk/dtheta to rounding, from the one formula of the kernel (Squire and Trapp 1998). With a
low-rank factor K^ = K_XP K_PP^-1 K_PX the derivative is that of the *factored* evidence, landmarks P kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelplay.i18n import say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Readout
from kernelplay.models.base import Array
from kernelplay.spec import Path

if TYPE_CHECKING:
    from kernelplay.models.laplace import Mode
    from kernelplay.models.ridge import System
    from kernelplay.numerics.gram import Gram

Slopes = dict[Path, float]
Paths = Collection[Path] | None  # full paths; None: all
STEP = 1e-20  # relative size of the complex step: its square vanishes beside 1
EVERY_PICTURE = 150_000  # kernel values up to which the gradient is among the readouts of every picture


@dataclass(frozen=True, eq=False)
class ByPath(Mapping[str, float]):
    """Numbers by the path of a parameter ("kernel.of.gamma"). A name is also understood without "kernel.", and by its
    last part ("gamma") where only one parameter has it."""

    numbers: Mapping[Path, float]

    def __getitem__(self, name: str) -> float:
        return self.numbers[full_path(name, self.numbers)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, eq=False)
class Gradient(ByPath):
    """Derivatives by the parameters; `theta`: the values of those."""

    theta: Mapping[Path, float]

    @property
    def log(self) -> Gradient:
        """The derivatives by the logarithms: theta times the derivative by theta."""
        return Gradient({path: self.theta[path] * slope for path, slope in self.numbers.items()}, self.theta)


def full_path(name: str, paths: Collection[Path]) -> Path:
    """Return the one of `paths` that `name` stands for; raises KeyError if there is none, or more than one."""
    if name in paths:
        return name
    if f"kernel.{name}" in paths:
        return f"kernel.{name}"
    ends = [path for path in paths if path.rpartition(".")[2] == name]
    if len(ends) != 1:
        raise KeyError(name)
    return ends[0]


def kernel_derivative(kernel: Kernel, path: Path, X: Array, P: Array, K: Array | None = None) -> Array:
    """Return dk(X, P)/dtheta (n, m) for the parameter of the kernel at `path`; `K` = k(X, P), where it is known."""
    theta = float(kernel.get(path))
    if path == "factor" and K is not None and theta > 0 and kernel.key == "scale":
        return K / theta
    step = STEP * (abs(theta) or 1.0)
    derivative: Array = np.imag(kernel.perturbed(path, complex(theta, step))(X, P)) / step
    return derivative


def _by_kernel(kernel: Kernel, gram: Gram, slope: Callable[[Array, Array | None], float],
               paths: Paths) -> tuple[Slopes, Slopes]:
    """Return slopes and values by path; `slope` takes dk(X, P) and, where the landmarks P are no longer rows of X (one
    of them was moved under the hand), dk(P, P)."""
    slopes, theta = {}, {}
    P = gram.landmarks
    K = gram.dense() if gram.L is None else gram.L @ gram.corner.T
    apart = gram.low_rank and gram.landmark_rows is None
    for path, _ in kernel.reals():
        if paths is None or f"kernel.{path}" in paths:
            corner = kernel_derivative(kernel, path, P, P) if apart else None
            slopes[f"kernel.{path}"] = slope(kernel_derivative(kernel, path, gram.X, P, K), corner)
            theta[f"kernel.{path}"] = float(kernel.get(path))
    return slopes, theta


def regression_gradient(model: Any, kernel: Kernel, system: System, paths: Paths = None) -> Gradient:
    """Return d ln p(t)/d theta = 1/2 a' dC a − 1/2 tr(C^-1 dC), a = C^-1 t, by the parameters at `paths`.

    Bishop (6.70); Rasmussen and Williams (5.9).
    """
    gram, shifted, a = system.gram, system.shifted, system.coef
    assert shifted is not None

    def slope(dK: Array, corner: Array | None) -> float:
        return 0.5 * (float(a @ gram.derivative_matvec(dK, a, corner)) - shifted.trace_with(dK, corner))

    values, theta = _by_kernel(kernel, gram, slope, paths)
    if paths is None or "noise_var" in paths:
        noise = float(model.noise_var)
        by_noise = 0.5 * float(a @ a - shifted.inverse_diagonal().sum())
        values["noise_var"], theta["noise_var"] = by_noise, noise
        if noise > 0:
            values["beta"], theta["beta"] = -noise * (noise * by_noise), 1 / noise
    return Gradient(values, theta)


def laplace_gradient(model: Any, kernel: Kernel, mode: Mode, paths: Paths = None) -> Gradient:
    """Return the gradient of Laplace's evidence, with the part that comes from the mode's own movement.

    Rasmussen and Williams, Algorithm 5.1, written with R = (C + W^-1)^-1: the direct part is
    1/2 alpha' dC alpha − 1/2 tr(R dC); the implicit one s'(I − C R) dC alpha, s_n = −1/2 (1 − R_nn/W_n)(1 − 2 sigma_n).
    """
    gram, shifted, alpha = mode.gram, mode.shifted, mode.alpha
    s = -0.5 * (1 - shifted.inverse_diagonal() * mode.inverse_w) * (1 - 2 * mode.sigma)
    moved = s - shifted.solve(gram.matvec(s) + mode.nu * s)

    def slope(dK: Array, corner: Array | None) -> float:
        b = gram.derivative_matvec(dK, alpha, corner)
        return 0.5 * (float(alpha @ b) - shifted.trace_with(dK, corner)) + float(moved @ b)

    values, theta = _by_kernel(kernel, gram, slope, paths)
    if paths is None or "nu" in paths:
        values["nu"] = 0.5 * float(alpha @ alpha - shifted.inverse_diagonal().sum()) + float(moved @ alpha)
        theta["nu"] = float(model.nu)
    return Gradient(values, theta)


def gradient_readouts(fit: Any, gram: Gram) -> tuple[Readout, ...]:
    """Return d lml / d ln theta line by line, for parameters above 0; nothing where that would delay the picture."""
    if gram.n * gram.rank > EVERY_PICTURE:
        return ()
    lines = []
    for path, value in fit.lml_gradient_log.items():
        if path == "beta" or fit.lml_gradient.theta[path] <= 0:
            continue
        name = path.removeprefix("kernel.")
        owner = fit.kernel if path.startswith("kernel.") else fit.model
        symbol = owner.param(name).symbol or name
        lines.append(Readout(f"lml_gradient_log.{path}", verbatim(f"∂ ln p / ∂ ln {symbol}"),
                             say("{value}", value=value), value,
                             say("Above 0: a larger {path} would raise the log marginal likelihood; it is 0 at its "
                                 "maximum.", path=name)))
    return tuple(lines)

