"""A function spanned by kernels at the training inputs, and the variance that goes with it, at new inputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Array, Check, nothing

if TYPE_CHECKING:
    from kernelplay.numerics.gram import Gram
    from kernelplay.numerics.shifted import Shifted

CACHED = 12_000  # kernel values at once that need no fresh memory from the system, whose pages cost more than they
SPANNED = 1e-11  # share of k(z, z) that a factor may miss before the difference is put back


@dataclass(frozen=True, eq=False)
class Expansion:
    """f(z) = sum_n coef_n k(z, x_n) and v(z) = k(z, z) − k_z' C^-1 k_z for the factorised C of `shifted`.

    With a low-rank factor both are taken in its own coordinates u = corner^-1 k(P, z): f = u' L' coef keeps the digits
    that weights on the landmarks themselves would lose, and v = (k(z, z) − |u|²) + |root^-1 u|² is a sum of two parts
    that are not negative, the first by rounding alone. Away from the points k_z is not quite L u. The difference d
    counts to first order, −2 k_z' C^-1 d in v and coef' d in f, and is put back unless it is only for a picture.
    """

    kernel: Kernel
    gram: Gram
    shifted: Shifted | None
    coef: Array
    direction: Array | None = None  # (rank,)  L' coef, where it is known better than from coef

    @cached_property
    def w(self) -> Array:
        """L' coef (rank,)."""
        assert self.gram.L is not None
        return self.gram.L.T @ self.coef if self.direction is None else self.direction

    def mean(self, Z: Array, check: Check = nothing, *, picture: bool = False) -> Array:
        """Return f (m,) at Z (m, d); for a picture to 1e-6."""
        f = np.empty(len(Z))
        for block in blocks(len(Z), self.gram.rank):
            check()
            k = self.kernel(Z[block], self.gram.landmarks)
            if self.gram.L is None:
                f[block] = k @ self.coef
                continue
            u = self.gram.project(k, check)
            f[block] = u @ self.w
            prior = self.kernel.diagonal(Z[block])
            far = np.abs(prior - np.einsum("mr,mr->m", u, u)) > SPANNED * prior
            if not picture and far.any():
                exact = self.kernel(Z[block][far], self.gram.X) @ self.coef
                f[block][far] += exact - u[far] @ (self.gram.L.T @ self.coef)
        return f

    @cached_property
    def weights(self) -> Array:
        """(rank,): f(z) = k(z, landmarks) @ weights, as exact as for a picture."""
        from kernelplay.numerics.linalg import solve_upper

        return self.coef if self.gram.L is None else solve_upper(self.gram.corner, self.w)

    def moments(self, Z: Array, check: Check = nothing, *, picture: bool = False) -> tuple[Array, Array]:
        """Return f (m,) and v (m,) at Z (m, d), correct to about 1e-15 k(z, z); for a picture to 1e-7."""
        f, v = np.empty(len(Z)), np.empty(len(Z))
        for block in blocks(len(Z), self.gram.rank):
            k, prior = self.kernel(Z[block], self.gram.landmarks), self.kernel.diagonal(Z[block])
            f[block], v[block] = self.of(k, prior, None if picture else Z[block], check)
        return f, v

    def of(self, k: Array, prior: Array, Z: Array | None = None, check: Check = nothing) -> tuple[Array, Array]:
        """Return f (m,) and v (m,) from k = k(Z, landmarks) (m, rank), prior = k(z, z) (m,); with Z to all digits."""
        from kernelplay.numerics.linalg import solve_lower, solve_upper

        assert self.shifted is not None
        if self.gram.L is None:
            return k @ self.coef, self.shifted.variance(k, prior, check)
        u = solve_lower(self.gram.corner, k.T, check)
        left = solve_lower(self.shifted.root, u, check)
        missing, shrunk = prior - np.einsum("rm,rm->m", u, u), np.einsum("rm,rm->m", left, left)
        weights, inside = self._directions
        f, v = self.w @ u, np.maximum(missing, 0.0) + shrunk
        far = np.flatnonzero(np.abs(missing) > SPANNED * prior) if Z is not None else ()
        if Z is not None and len(far):
            rest = -u[:, far].T @ inside.T
            for some in blocks(len(far), len(weights), CACHED, 8):
                rest[some] += self.kernel(Z[far[some]], self.gram.X) @ weights
            f[far] += rest[:, 0]
            slopes = solve_upper(self.shifted.root, left[:, far], check)
            v[far] = np.maximum(missing[far] + shrunk[far] - 2 * np.einsum("rm,mr->m", slopes, rest[:, 1:]), 0.0)
        return f, v

    @cached_property
    def _directions(self) -> tuple[Array, Array]:
        """[coef, D^-1 L] (n, 1 + rank) and its product with L, (1 + rank, rank)."""
        assert self.gram.L is not None and self.shifted is not None
        weights = np.column_stack([self.coef, self.gram.L / self.shifted.d[:, None]])
        return weights, weights.T @ self.gram.L


def blocks(count: int, width: int, numbers: int = 32_768, least: int = 64) -> list[slice]:
    """Return slices over `count` rows of `width` numbers: about `numbers` at once, `least` to 512 rows."""
    size = max(least, min(512, numbers // max(1, width)))
    return [slice(start, start + size) for start in range(0, count, size)]
