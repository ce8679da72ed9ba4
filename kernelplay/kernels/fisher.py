"""The Fisher kernel of a Gaussian: inputs are compared by how they would move its mean."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.errors import FitError
from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.kernels.written import literal, tex_matrix

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


WHITENED = """
def whitened(X, mean, root):  # root'root is the covariance of the inputs
    return np.linalg.solve(np.array(root).T, (X - np.array(mean)).T).T
"""


@dataclass(frozen=True)
class Fisher(Kernel):
    """k(x, x') = g(x)' F^-1 g(x') for N(mu, S), with score g(x) = S^-1 (x − mu) and F = S^-1: (x − mu)' S^-1 (x' − mu).

    mu and S (divided by N) are those of the data. Bishop (6.32), (6.33). `mean` and `root`, upper triangular with
    S = root' root, are filled in by `bind`.
    """

    key = "fisher"
    label = say("Fisher")
    about = say("The inner product of the centred inputs, scaled by the covariance of the data.")
    order = 95

    mean: tuple[float, ...] = ()
    root: tuple[tuple[float, ...], ...] = ()

    def bind(self, X: Array) -> Self:
        if self.mean:
            return self
        mean = X.mean(axis=0)
        centred = X - mean
        spread = np.abs(centred).max(axis=0)
        n, d = X.shape
        # each coordinate in its own unit, so that only the shape of the data decides what is singular; np.ptp is exact
        if n <= d or np.any(np.ptp(X, axis=0) == 0) or np.any(spread == 0):
            raise self._singular(n)
        smallest, largest = np.linalg.svd(centred / spread, compute_uv=False)[[-1, 0]]
        if smallest <= n * np.finfo(float).eps * (1 + np.max(np.abs(mean) / spread)) * largest:
            raise self._singular(n)
        root = np.linalg.qr(centred, mode="r") / np.sqrt(n)
        return dataclasses.replace(self, mean=tuple(mean.tolist()), root=tuple(map(tuple, root.tolist())))

    @staticmethod
    def _singular(n: int) -> FitError:
        return FitError(say("The Fisher kernel inverts the covariance of the points, but the covariance matrix of "
                            "these {n} points is singular. Add points in other directions, or use another kernel.",
                            n=n))

    def _phi(self, X: Array) -> Array:
        if not self.mean:
            raise FitError(say("The Fisher kernel estimates its mean and covariance from the data: "
                               "call bind(X) first."))
        if X.shape[1] != len(self.mean):
            raise FitError(say("The Fisher kernel was bound to points with {n} coordinates; these have {d}.",
                               n=len(self.mean), d=X.shape[1]))
        phi: Array = np.linalg.solve(np.array(self.root).T, (X - np.array(self.mean)).T).T
        return phi

    def __call__(self, X: Array, Z: Array) -> Array:
        left = self._phi(X)
        K: Array = left @ (left if Z is X else self._phi(Z)).T
        return K

    def diagonal(self, X: Array) -> Array:
        return np.asarray(np.sum(self._phi(X) ** 2, axis=1))

    @property
    def psd(self) -> bool:
        return True

    def features(self, X: Array) -> Array | None:
        return self._phi(X)

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        weights = np.linalg.solve(np.array(self.root), self._phi(X).T)  # S^-1 (x_n − mu), (2, n)
        one = np.ones(len(X))
        return [((x[:, None] - self.mean[0]) * weights[0], np.ones((len(y), 1)) * one),
                (np.ones((len(x), 1)) * one, (y[:, None] - self.mean[1]) * weights[1])]

    def python(self, X: str, Z: str) -> str:
        given = f"{literal(self.mean)}, {literal(self.root)}"
        return f"(whitened({X}, {given}) @ whitened({Z}, {given}).T)"

    def needs(self) -> tuple[str, ...]:
        return (WHITENED,)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        if self.mean:
            root = np.array(self.root)
            put.define(rf"\boldsymbol{{\mu}} = {tex_matrix(tuple((m,) for m in self.mean))}, \quad "
                       rf"S = {tex_matrix(tuple(map(tuple, (root.T @ root).tolist())))}")
        return rf"\left({x} - \boldsymbol{{\mu}}\right)^\top S^{{-1}} \left({z} - \boldsymbol{{\mu}}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"({x} − μ)ᵀS⁻¹({z} − μ)"

    @property
    def binding(self) -> int:
        return 1
