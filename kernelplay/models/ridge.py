"""(K + s I) a = t: the one linear system behind kernel ridge regression and GP regression, solved and proved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FitError, Note
from kernelplay.i18n import plural, say
from kernelplay.kernels.base import Kernel
from kernelplay.marks import read_only
from kernelplay.models.base import Array, Certificate, Check, Residual, View, merged, nothing

if TYPE_CHECKING:
    from kernelplay.numerics.gram import Gram
    from kernelplay.numerics.shifted import Shifted

DENSE = 4000  # points up to which a matrix is formed when no low-rank factor is accurate enough
CACHED = 12_000  # kernel values at once that need no fresh memory from the system, whose pages cost more than they
LARGEST = 1e150  # target whose square is a number
REFINED = 1e-13  # relative residual above which the solution is corrected once
SPANNED = 1e-11  # share of k(z, z) that a factor may miss before the difference is put back
FEW = 64  # points below which a dense matrix costs least
SMALL_SHIFT = 1e-7  # s / mean k(x, x) below which the trace error of a factor would count: the matrix is exact there


@dataclass(frozen=True, eq=False)
class System:
    """The solved system. Without a shift, repeated points with one target stand in it once: `group` (n,) is the row
    of each point in it, `t` (u,) and `coef` (u,) are those of the rows; otherwise u = n."""

    kernel: Kernel
    gram: Gram
    shifted: Shifted | None  # None: K + s I is indefinite, solved without a Cholesky factor
    shift: float  # s as it was asked for
    t: Array  # (u,)
    coef: Array  # (u,)
    group: NDArray[np.intp]  # (n,)
    notes: tuple[Note, ...]
    certificate: Certificate = field(default_factory=lambda: Certificate(()))

    @property
    def jitter(self) -> float:
        """The number that rounding made it necessary to add to the diagonal besides s; 0 as a rule."""
        return self.shifted.jitter if self.shifted is not None else 0.0

    @cached_property
    def spread(self) -> Array:
        """a (n,), the coefficient of a row shared by the points that it stands for."""
        count = np.bincount(self.group, minlength=len(self.t))
        return read_only((self.coef / count)[self.group])

    @cached_property
    def expansion(self) -> Expansion:
        """f and, where the system is positive definite, what it takes from the variance."""
        return Expansion(self.kernel, self.gram, self.shifted, self.coef)

    @property
    def factor_error(self) -> float:
        """A bound, relative to ||t||, of what the factor L L' adds to the residual: tr(K - L L') ||a|| / ||t||.

        K - L L' is positive semi-definite, so its norm is at most its trace.
        """
        size = float(np.linalg.norm(self.t))
        return self.gram.trace_error * float(np.linalg.norm(self.coef)) / size if size > 0 else 0.0

    def certify(self, spread: Array) -> Certificate:
        """Return the certificate of the coefficients `spread` (n,), those of `spread` by default."""
        coef = np.bincount(self.group, spread, minlength=len(self.t)).astype(float)
        left = self.gram.matvec(coef) + (self.shift + self.jitter) * coef - self.t
        scale = float(np.abs(self.t).max())
        worst = float(np.abs(left).max())
        return Certificate((Residual("residual", say("Residual of the equations"),
                                     worst / scale if scale > 0 else worst,
                                     say("The largest component of (K + sI)a − t, relative to the largest target.")),))


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

    def mean(self, Z: Array, check: Check = nothing, *, picture: bool = False) -> Array:
        """Return f (m,) at Z (m, d); for a picture to 1e-6 and in a time that does not grow with n."""
        f = np.empty(len(Z))
        few = picture and self.gram.L is not None
        for block in blocks(len(Z), self.gram.rank if few else len(self.coef)):
            check()
            if few and self.gram.L is not None:
                k = self.kernel(Z[block], self.gram.landmarks)
                f[block] = self.gram.project(k, check) @ (self.gram.L.T @ self.coef)
            else:
                f[block] = self.kernel(Z[block], self.gram.X) @ self.coef
        return f

    @cached_property
    def weights(self) -> Array:
        """(rank,): f(z) = k(z, landmarks) @ weights, as exact as for a picture."""
        from kernelplay.numerics.linalg import solve_upper

        return self.coef if self.gram.L is None else solve_upper(self.gram.corner, self.gram.L.T @ self.coef)

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
        f, v = inside[0] @ u, np.maximum(missing, 0.0) + shrunk
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


def solve(kernel: Kernel, X: Array, t: Array, shift: float, symbol: str, *, indefinite: bool = False,
          check: Check = nothing, like: Gram | None = None) -> System:
    """Solve (K + shift I) a = t for inputs X (n, d) and targets t (n,); `symbol` names the shift in sentences.

    indefinite: whether an indefinite K is answered all the same, with a note (ridge), or refused (GP).
    like: the factor of an earlier, nearby problem. Raises FitError where there is no answer.
    """
    from kernelplay.numerics.linalg import NotPositiveDefinite

    if not np.abs(t).max() < LARGEST:
        raise FitError(say("The targets are too large to compute with: scale them down."))
    notes: list[Note] = []
    group = np.arange(len(X))
    if shift == 0:
        first, group, weight = _distinct(X, t, symbol)
        if len(first) < len(X):
            notes.append(Note(plural(int((weight > 1).sum()),
                                     "{n} input is repeated with the same target. Without {symbol} it counts once.",
                                     "{n} inputs are repeated with the same target. Without {symbol} each counts once.",
                                     symbol=symbol), "info", tuple(np.flatnonzero(weight[group] > 1).tolist())))
        X, t = X[first], t[first]
    gram = factor(kernel, X, shift, check, like)
    if not kernel.psd:
        notes += unproved(gram, indefinite)
    shifted: Shifted | None = None
    try:
        shifted = gram.shifted(shift, check)
        coef = shifted.solve(t, check)
        rest = t - gram.matvec(coef) - (shift + shifted.jitter) * coef
        if np.abs(rest).max() > REFINED * np.abs(t).max():
            coef = coef + shifted.solve(rest, check)
    except NotPositiveDefinite:
        if not indefinite:
            raise FitError(say("The covariance matrix is singular: set {symbol} above 0, or raise the factor of the "
                               "kernel.", symbol=symbol)) from None
        coef = _indefinite(gram, t, shift, symbol)
    if not np.isfinite(coef).all():
        raise not_finite()
    if shifted is not None and shifted.jitter > 0:
        notes.append(Note(say("K + {symbol}I is singular to rounding: {jitter} was added to its diagonal (jitter). "
                              "A larger {symbol} makes the answer exact.", symbol=symbol, jitter=shifted.jitter)))
    system = System(kernel, gram, shifted, shift, read_only(t), read_only(coef), group, ())
    certificate = system.certify(system.spread)
    if not certificate.holds:
        notes.append(Note(say("The equations are solved to a relative residual of {residual} only: the kernel is so "
                              "much larger than {symbol} that rounding drowns it. A larger {symbol} makes the answer "
                              "exact.", residual=certificate.worst, symbol=symbol)))
    return replace(system, notes=tuple(notes), certificate=certificate)


def factor(kernel: Kernel, X: Array, shift: float, check: Check, like: Gram | None) -> Gram:
    """Return the Gram factor, of an accuracy that suits the shift: trace error / shift about 1e-11 of n.

    Raises FitError when the points are too many for the kernel or the kernel overflows on them.
    """
    from kernelplay.numerics.gram import TooLarge, factorise
    from kernelplay.numerics.thin import thin

    with np.errstate(over="ignore", invalid="ignore"):
        scale = float(np.mean(kernel.diagonal(X)))
        if not np.isfinite(scale):
            raise not_finite()
        spanned = kernel.psd and kernel.features(X[:1]) is not None
        exact = shift < SMALL_SHIFT * scale and len(X) <= DENSE and not spanned
        if not exact and X.shape[1] == 1 and len(X) >= FEW and kernel.psd and not spanned:
            gram = thin(kernel, X, check)
            if gram is not None:
                return gram
        tol = 0.0 if exact else min(1e-10, max(2e-15, 1e-11 * shift / max(scale, 1e-300)))
        try:
            return factorise(kernel, X, check=check, tol=tol, dense_limit=DENSE, like=like)
        except TooLarge:
            raise FitError(say("{n} points are too many for this kernel, whose matrix of {n} × {n} values cannot be "
                               "shortened: take fewer points, or a kernel such as the RBF.", n=len(X))) from None


def not_finite() -> FitError:
    """Return the error for kernel values that overflow."""
    return FitError(say("The kernel values of these points are too large to compute with: scale the inputs down, or "
                        "lower the degree or the factor of the kernel."))


def _distinct(X: Array, t: Array, symbol: str) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
    """Return `merged(X, t)`; raise FitError naming the points that ask for two targets at one input."""
    first, group, weight = merged(X, t)
    _, place, count = np.unique(X[first], axis=0, return_inverse=True, return_counts=True)
    torn = count[place.reshape(-1)] > 1
    if torn.any():
        rows = tuple(np.flatnonzero(torn[group]).tolist())
        raise FitError(say("Points {rows} repeat one input with different targets: without {symbol} no function passes "
                           "through both. Set {symbol} above 0, or remove the duplicates.",
                           rows=_rows(rows), symbol=symbol), rows)
    return first, group, weight


def _rows(rows: tuple[int, ...]) -> str:
    shown = ", ".join(str(row + 1) for row in rows[:6])
    return shown if len(rows) <= 6 else f"{shown}, …"


def unproved(gram: Gram, indefinite: bool) -> list[Note]:
    """Return what is to be said of a kernel that is not positive semi-definite by construction."""
    from kernelplay.numerics.linalg import NotFinite, is_psd

    K = gram.dense()
    if not np.isfinite(K).all():
        raise not_finite()
    try:
        holds, low, _ = is_psd(K)
    except (NotFinite, np.linalg.LinAlgError):
        raise not_finite() from None
    if holds and indefinite:
        return []
    if holds:
        return [Note(say("This kernel is positive semi-definite on these points, but not everywhere: where it is not, "
                         "the variance is shown as 0."))]
    if indefinite:
        return [Note(say("The kernel matrix is not positive semi-definite: its smallest eigenvalue is {low}. The "
                         "equations are solved all the same, but the solution need not minimise anything.", low=low))]
    raise FitError(say("The kernel matrix of these points is not positive semi-definite: its smallest eigenvalue is "
                       "{low}. No Gaussian process has such a covariance: choose another kernel or other parameters.",
                       low=low))


def _indefinite(gram: Gram, t: Array, shift: float, symbol: str) -> Array:
    try:
        return np.asarray(np.linalg.solve(gram.dense() + shift * np.eye(gram.n), t), dtype=float)
    except np.linalg.LinAlgError:
        raise FitError(say("K + {symbol}I is singular, so the coefficients are not determined: set {symbol} above 0.",
                           symbol=symbol)) from None


def abscissae(view: View, X: Array) -> Array:
    """Return the inputs (m, 1) at which curves over one input are drawn: two for each column of the view and somewhat
    beyond it, and the training inputs X themselves, where a narrow band is narrowest."""
    low, high = view.x
    beyond = 0.01 * (high - low)
    even = np.linspace(low - beyond, high + beyond, 2 * view.nx + 1)
    inside = X[(X[:, 0] > low) & (X[:, 0] < high), 0]
    if 0 < len(inside) <= view.nx:
        even = np.union1d(even, inside)
    return even[:, None]

