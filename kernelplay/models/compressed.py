"""The evidence of GP regression over one input at a cost that does not depend on the number of points.

A smooth kernel on an interval is a short double Chebyshev series, k(x, z) = b(x)' S b(z). With B = b(X) = Q R taken
once, C = Q (R S R' + s I) Q' + s (I − Q Q'), and each evaluation of evidence and gradient needs only matrices as long
as the series. What it gives is checked at the end: a maximum found with it is certified by the model itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Array
from kernelplay.models.gradient import kernel_derivative
from kernelplay.numerics import smooth
from kernelplay.spec import Path

ORDERS = (24, 40, 64, 96)
FEWER = 0.8  # of the points: a series longer than that saves nothing
DEAD = 2e-8  # change of the evidence that a series too short may make: n / 2 noise times its last coefficients
ROUNDING = 3e-15  # relative size of coefficients that are rounding
LEAST_NOISE = 1e-7  # relative to the kernel: below it rounding in the small matrices would count


@dataclass(frozen=True, eq=False)
class Basis:
    """The first Chebyshev polynomials at the inputs, orthogonalised, and the targets in their coordinates."""

    to_series: Array  # (m, m): R times the coefficients of values at the nodes
    t: Array  # (m,)  Q't
    rest: float  # |t − Q Q't|²


class Compressed:
    """Evidence and gradient of one model on one set of points, for many values of its parameters."""

    def __init__(self, model: Any, x: Array, t: Array) -> None:
        self.model, self.x, self.t = model, x, t
        self.kernel: Kernel = model.kernel
        self.bases: dict[int, Basis] = {}
        self.ends = np.array([x.min(), x.max()])
        self.orders = [order for order in ORDERS if order <= FEWER * len(x)]
        self.at = 0  # the order that was enough last time

    def evidence(self, values: Mapping[Path, float]) -> tuple[float, Array] | None:
        """Return ln p(t) and its derivatives by `values`, in their order; None where the series would be too long."""
        kernel, noise = self.kernel, float(self.model.noise_var)
        for path, value in values.items():
            if path == "noise_var":
                noise = value
            else:
                kernel = kernel.perturbed(path.removeprefix("kernel."), value)
        for at in range(self.at, len(self.orders)):
            nodes, coefficients = smooth.nodes(self.orders[at])
            places = smooth.stretch(nodes, self.ends)[:, None]
            M = kernel(places, places)
            size = float(M.max())
            if not np.isfinite(size) or noise <= LEAST_NOISE * size:
                return None
            enough = max(DEAD * noise / len(self.x), ROUNDING * size)
            if float(np.abs(coefficients[-2:] @ M).max()) <= enough:
                shorter = self.orders[max(0, at - 1)]
                would_do = at > 0 and float(np.abs(coefficients[shorter - 2:shorter] @ M).max()) <= enough
                self.at = at - 1 if would_do else at
                return self._evaluate(kernel, noise, self._basis(len(nodes)), places, M, tuple(values))
        self.at = 0
        return None

    def _evaluate(self, kernel: Kernel, noise: float, basis: Basis, places: Array, M: Array,
                  paths: tuple[Path, ...]) -> tuple[float, Array] | None:
        from scipy.linalg.lapack import dpotrf, dtrtri

        n, m, V = len(self.x), len(basis.t), basis.to_series
        A = V @ M @ V.T
        A.flat[:: m + 1] += noise
        root, failed = dpotrf(A.T, lower=0, overwrite_a=1)  # A = root' root
        if failed:
            return None
        half, _ = dtrtri(root, lower=0)
        b = basis.t @ half
        a = half @ b
        lml = -0.5 * (float(b @ b) + basis.rest / noise + 2 * float(np.log(np.diagonal(root)).sum())
                      + (n - m) * math.log(noise) + n * math.log(2 * math.pi))
        spread, drawn = half.T @ V, a @ V
        slopes = np.empty(len(paths))
        for i, path in enumerate(paths):
            if path == "noise_var":
                trace = float(np.vdot(half, half))
                slopes[i] = 0.5 * (float(a @ a) + basis.rest / noise / noise - trace - (n - m) / noise)
            else:
                dM = kernel_derivative(kernel, path.removeprefix("kernel."), places, places, M)
                slopes[i] = 0.5 * float(drawn @ dM @ drawn - np.vdot(spread @ dM, spread))
        return lml, slopes

    def _basis(self, order: int) -> Basis:
        if order not in self.bases:
            Q, R = np.linalg.qr(smooth.basis(self.x, self.ends, order))
            t = Q.T @ self.t
            rest = self.t - Q @ t
            self.bases[order] = Basis(R @ smooth.nodes(order)[1], t, float(rest @ rest))
        return self.bases[order]


def compressed(model: Any, X: Array, y: Array) -> Compressed | None:
    """Return the fast evidence for GP regression over one input; None where it does not apply."""
    X = np.asarray(X, dtype=float)
    x = X[:, 0] if X.ndim == 2 and X.shape[1] == 1 else X
    if type(model).key != "gpr" or x.ndim != 1 or not model.kernel.psd or not np.ptp(x) > 0 or len(x) < 30:
        return None
    return Compressed(model, x, np.asarray(y, dtype=float))
