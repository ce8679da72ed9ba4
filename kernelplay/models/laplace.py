"""Laplace's approximation for two classes: the mode of p(a | t) by Newton steps, and the evidence at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.i18n import say
from kernelplay.marks import read_only
from kernelplay.models.base import Array, Certificate, Check, Residual, nothing

if TYPE_CHECKING:
    from kernelplay.numerics.gram import Gram
    from kernelplay.numerics.shifted import Shifted

STEPS = 100
HALVINGS = 40
ENOUGH = 1e-12  # relative gradient at which the search ends
SMALL = 1e-6
NEAR = 1e-2  # relative gradient below which the factor of an earlier W is used again
ROUNDING = 1e-14  # of the log posterior, by which it may seem to fall
IN_PLACE = 1000  # points up to which a factorisation may keep the interpreter lock: a few milliseconds
STEEPEST = 300.0  # |a| beyond which 1/W = 2 + 2 cosh a is kept from overflowing; sigma is 0 or 1 to 130 digits there


@dataclass(frozen=True, eq=False)
class Mode:
    """The mode a = C alpha, alpha = t − sigma(a), t in {0, 1}, C = K + nu I; `shifted` is C + W^-1 there.

    W = sigma (1 − sigma); (C + W^-1)^-1 = W^1/2 B^-1 W^1/2 with B = I + W^1/2 C W^1/2 (Rasmussen and Williams (3.26)).
    """

    gram: Gram
    shifted: Shifted
    y: Array  # (n,)  +1 or -1
    nu: float
    alpha: Array  # (n,)
    latent: Array  # (n,)  a
    steps: int
    climb: tuple[float, ...]  # ln p(a | t) + const at the start and after every Newton step

    @cached_property
    def sigma(self) -> Array:
        """sigma(a) (n,): the probability of class +1 at the mode."""
        return sigmoid(self.latent)

    @property
    def inverse_w(self) -> Array:
        """1/W (n,)."""
        return inverse_w(self.latent)

    @property
    def log_determinant(self) -> float:
        """ln|B|."""
        return self.shifted.logdet - float(np.log(self.inverse_w).sum())

    @property
    def factor_error(self) -> float:
        """A bound, relative to max |a|, of what the factor L L' leaves out of a = C alpha: tr(K − L L') ||alpha||.

        K − L L' is positive semi-definite, so its norm is at most its trace.
        """
        size = float(np.abs(self.latent).max())
        return self.gram.trace_error * float(np.linalg.norm(self.alpha)) / size if size > 0 else 0.0

    def gradient(self, alpha: Array) -> tuple[Array, Array]:
        """Return a = C alpha and the gradient of ln p(a | t) there, t − sigma(a) − C^-1 a."""
        a = self.gram.matvec(alpha) + self.nu * alpha
        return a, self.y * sigmoid(-self.y * a) - alpha

    def certify(self, alpha: Array) -> Certificate:
        """Return how far a = C alpha is from the mode: the relative gradient, and the relative Newton step."""
        a, gradient = self.gradient(alpha)
        size = float(max(np.abs(alpha + gradient).max(), np.abs(alpha).max()))
        ahead = self.shifted.solve(gradient * self.inverse_w)
        step = self.gram.matvec(ahead) + self.nu * ahead
        reach = float(np.abs(a).max())
        return Certificate((
            Residual("gradient", say("Gradient of the log posterior"), float(np.abs(gradient).max()) / (size or 1.0),
                     say("The largest component of t − σ(a) − C⁻¹a, relative to t − σ(a).")),
            Residual("newton_step", say("Next Newton step"), float(np.abs(step).max()) / (reach or 1.0),
                     say("How far another Newton step would move the latent values, relative to their size."))))


def sigmoid(a: Array) -> Array:
    """Return 1/(1 + exp(−a)) without overflow, its small values to full relative accuracy."""
    small = np.exp(-np.abs(a))
    p: Array = np.where(a >= 0, 1.0, small) / (1.0 + small)
    return p


def inverse_w(a: Array) -> Array:
    """Return 1/(sigma(a)(1 − sigma(a))) = 2 + 2 cosh a."""
    value: Array = 2.0 + 2.0 * np.cosh(np.minimum(np.abs(a), STEEPEST))
    return value


def _likelihood(y: Array, a: Array) -> tuple[Array, float]:
    """Return t − sigma(a) = y sigma(−y a) (n,) and sum ln sigma(y a), from the same exponentials."""
    m = y * a
    small = np.exp(-np.abs(m))
    target: Array = y * np.where(m >= 0, small, 1.0) / (1.0 + small)
    return target, float(np.minimum(m, 0.0).sum() - np.log1p(small).sum())


def find_mode(gram: Gram, y: Array, nu: float, nearby: Mode | None = None, check: Check = nothing,
              enough: float = ENOUGH) -> Mode:
    """Return the mode of p(a | t), ln p = −1/2 a'C^-1 a + sum ln sigma(y_n a_n), for C = K + nu I, nu >= 0.

    Newton in alpha = C^-1 a (Rasmussen and Williams, Algorithm 3.1): (C + W^-1) step = W^-1 gradient, the step halved
    until ln p does not fall. Near the mode W hardly changes, and its factor serves for several steps. `nearby`: the
    mode of a similar problem with as many points, to start from with its factor; it does not change the result.
    `enough`: the relative gradient at which to stop. The Shifted is always that of the mode itself.
    """
    alpha, a = np.zeros(len(y)), np.zeros(len(y))
    factor: Shifted | None = None
    scale, before, fresh, made_at = inverse_w(a), np.inf, False, np.inf
    if nearby is not None:
        alpha, factor, scale, made_at = nearby.alpha, nearby.shifted, nearby.inverse_w, 0.0
        a = gram.matvec(alpha) + nu * alpha
    target, likelihood = _likelihood(y, a)
    climb = [likelihood - 0.5 * float(alpha @ a)]
    while len(climb) <= STEPS:
        check()
        gradient = target - alpha
        size = max(float(np.abs(target).max()), float(np.abs(alpha).max()))
        worst = float(np.abs(gradient).max()) / (size or 1.0)  # both may be too small for a number
        slow = worst > before / 4
        # a step with W at its place squares a small gradient; one that it no longer shrinks is rounding
        if worst <= enough or (slow and fresh and before < SMALL):
            break
        fresh = factor is None or slow or made_at > NEAR
        if factor is None or fresh:
            scale, made_at = inverse_w(a), worst
            factor = shifted(gram, nu + scale, check)
        before = worst
        step = factor.solve(gradient * scale, check)
        ahead = _ahead(y, alpha, a, step, gram.matvec(step) + nu * step, climb[-1])
        if ahead is not None:
            alpha, a, target, level = ahead
            climb.append(level)
        elif fresh:
            break
        else:
            factor = None
    at_mode = shifted(gram, nu + inverse_w(a), check)
    return Mode(gram, at_mode, y, nu, read_only(alpha), read_only(a), len(climb) - 1, tuple(climb))


def _ahead(y: Array, alpha: Array, a: Array, step: Array, a_step: Array,
           least: float) -> tuple[Array, Array, Array, float] | None:
    """Return alpha, a, t − sigma(a) and ln p after the longest of 1, 1/2, 1/4, ... of the step that does not fall."""
    for _ in range(HALVINGS):
        alpha_next, a_next = alpha + step, a + a_step
        target, likelihood = _likelihood(y, a_next)
        level = likelihood - 0.5 * float(alpha_next @ a_next)
        if level >= least - ROUNDING * abs(least):
            return alpha_next, a_next, target, level
        step, a_step = step / 2, a_step / 2
    return None


def shifted(gram: Gram, d: Array, check: Check = nothing) -> Shifted:
    """Return `gram.shifted(d)`; a small dense matrix is factorised in place, in half the time."""
    from kernelplay.numerics.shifted import Shifted

    if gram.low_rank or gram.n > IN_PLACE:
        return gram.shifted(d, check)
    from scipy.linalg.lapack import dpotrf

    A = gram.dense().copy()
    A.flat[:: gram.n + 1] += d
    upper, failed = dpotrf(A.T, lower=0, clean=1, overwrite_a=1)  # A.T is Fortran-ordered, and symmetric
    if failed or not np.isfinite(upper[-1, -1]):
        return gram.shifted(d, check)
    logdet = 2.0 * float(np.log(np.diagonal(upper)).sum())
    return Shifted(gram, d, 0.0, logdet, upper.T, False)
