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
from kernelplay.models.base import Array, Certificate, Check, Residual, View, all_differ, merged, nothing
from kernelplay.models.posterior import Expansion

if TYPE_CHECKING:
    from kernelplay.numerics.gram import Gram
    from kernelplay.numerics.shifted import Shifted

DENSE = 4000  # points up to which a matrix is formed when no low-rank factor is accurate enough
REFINED = 1e-13  # relative residual above which the solution is corrected once
FEW = 64  # points below which a dense matrix costs least
TINY_SHIFT = 1e-4  # s / mean k(x, x) below which rounding of a shows in its residual
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
    eig_min: float | None = None  # smallest eigenvalue of a K that is not positive semi-definite
    direction: Array | None = None  # (rank,)  w = L'a of a low-rank factor, found as a least-squares problem of its own
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
    def fitted(self) -> Array:
        """f at the training inputs (n,)."""
        known = self.gram.L is not None and self.direction is not None
        f = self.gram.L @ self.direction if known else self.gram.matvec(self.coef)  # type: ignore[operator]
        return read_only(f[self.group])

    @cached_property
    def expansion(self) -> Expansion:
        """f and, where the system is positive definite, what it takes from the variance."""
        return Expansion(self.kernel, self.gram, self.shifted, self.coef, self.direction)

    @cached_property
    def primal(self) -> bool:
        """Whether the certificate is about w: beside a tiny shift the large a cannot show how good f = L w is."""
        return self.direction is not None and self.shift < TINY_SHIFT * float(self.gram.diagonal.mean())

    @property
    def unknowns(self) -> Array:
        """a (n,), or w (rank,) where the shift is tiny and the factor of low rank."""
        return self.direction if self.primal and self.direction is not None else self.spread

    @property
    def factor_error(self) -> float:
        """A bound, relative to ||t||, of what the factor L L' adds to the residual: tr(K - L L') ||a|| / ||t||.

        K - L L' is positive semi-definite, so its norm is at most its trace.
        """
        size = float(np.linalg.norm(self.t))
        return self.gram.trace_error * float(np.linalg.norm(self.coef)) / size if size > 0 else 0.0

    def certify(self, unknowns: Array) -> Certificate:
        """Return the certificate that `unknowns` have in the place of those found."""
        if self.primal:
            assert self.gram.L is not None
            step, astray = self._correction(unknowns)
            left = np.append(self.gram.L @ step, astray * np.sqrt(self.gram.diagonal.max(initial=0.0)))
            label, what = say("Next correction of f"), say(
                "How far solving the equations once more would move f at a point, relative to the largest target.")
        else:
            coef = np.bincount(self.group, unknowns, minlength=len(self.t)).astype(float)
            left = self.gram.matvec(coef) + self.shift * coef - self.t
            label, what = say("Residual of the equations"), say(
                "The largest component of (K + sI)a − t, relative to the largest target.")
        scale, worst = float(np.abs(self.t).max(initial=0.0)), float(np.abs(left).max(initial=0.0))
        return Certificate((Residual("residual", label, worst / scale if scale > 0 else worst, what),))

    def _correction(self, w: Array) -> tuple[Array, float]:
        """Return (L'L + s I)^-1 (L'(t − L w) − s w) (rank,), s as declared: the Newton step from w to the minimum; and
        the length of the part of w that L does not see and that is 0 there.

        With L = U S V' each component of the gradient along V is divided by S² + s, so that none is lost for being
        small: S is from L itself, as L'L would square the small ones away.
        """
        assert self.gram.L is not None
        U, size, V = self._svd
        along = V @ w
        rest = size * (U.T @ (self.t - self.gram.L @ w)) - self.shift * along
        return V.T @ (rest / (size**2 + self.shift)), float(np.linalg.norm(w - V.T @ along))

    @cached_property
    def _svd(self) -> tuple[Array, Array, Array]:
        """U (n, r), S (r,), V' (r, rank) of L; without what is 0 to rounding where no shift settles it."""
        assert self.gram.L is not None
        U, size, V = np.linalg.svd(self.gram.L, full_matrices=False)
        kept = (size > max(self.gram.L.shape) * np.finfo(float).eps * size.max(initial=0.0)) | (self.shift > 0.0)
        return U[:, kept], size[kept], V[kept]


def solve(kernel: Kernel, X: Array, t: Array, shift: float, symbol: str, *, indefinite: bool = False,
          check: Check = nothing, like: Gram | None = None) -> System:
    """Solve (K + shift I) a = t for inputs X (n, d) and targets t (n,); `symbol` names the shift in sentences.

    indefinite: whether an indefinite K is answered all the same, with a note (ridge), or refused (GP).
    like: the factor of an earlier, nearby problem. Raises FitError where there is no answer.
    """
    from kernelplay.numerics.linalg import NotFinite, NotPositiveDefinite

    notes: list[Note] = []
    group = np.arange(len(X))
    if shift == 0:
        first, group, weight = _distinct(X, t, symbol)
        if len(first) < len(X):
            notes.append(Note(plural(int((weight > 1).sum()),
                                     "{n} input is repeated with the same target. Without {symbol} it "
                                     "counts only once.",
                                     "{n} inputs are repeated with the same target. Without {symbol} each counts only "
                                     "once.",
                                     symbol=symbol), "info", tuple(np.flatnonzero(weight[group] > 1).tolist())))
        X, t = X[first], t[first]
    gram = factor(kernel, X, shift, check, like)
    low: float | None = None
    if not kernel.psd:
        low, said = unproved(gram, indefinite)
        notes += said
    shifted: Shifted | None = None
    direction: Array | None = None
    try:
        shifted = gram.shifted(shift, check)
        if gram.L is None:
            coef = shifted.solve(t, check)
            rest = t - gram.matvec(coef) - (shift + shifted.jitter) * coef
            if np.abs(rest).max() > REFINED * np.abs(t).max():
                coef = coef + shifted.solve(rest, check)
        else:
            direction = _least_squares(shifted, t, check)
            coef = (t - gram.L @ direction) / shifted.d
    except NotPositiveDefinite:
        if not indefinite:
            raise FitError(say("The covariance matrix is singular: set {symbol} above 0, or increase the factor of the "
                               "kernel.", symbol=symbol)) from None
        coef = _indefinite(gram, t, shift, symbol)
    except NotFinite:
        raise not_finite() from None
    if not np.isfinite(coef).all():
        raise not_finite()
    if shifted is not None and shifted.jitter > 0:
        notes.append(Note(say("K + {symbol}I is numerically singular: a jitter of {jitter} was added to its diagonal. "
                              "Increase {symbol} for an exact result.", symbol=symbol, jitter=shifted.jitter)))
    if direction is not None:
        direction = read_only(direction)
    system = System(kernel, gram, shifted, shift, read_only(t), read_only(coef), group, (), low, direction)
    certificate = system.certify(system.unknowns)
    if not certificate.holds:
        notes.append(Note(say("The equations are only solved to a relative residual of {residual}: the kernel is so "
                              "much larger than {symbol} that rounding dominates. Increase {symbol} for an exact "
                              "result.", residual=certificate.worst, symbol=symbol)))
    return replace(system, notes=tuple(notes), certificate=certificate)


def _least_squares(shifted: Shifted, t: Array, check: Check) -> Array:
    """Return w (rank,) with (I + L' D^-1 L) w = L' D^-1 t, for K = L L', corrected once; a = D^-1 (t − L w)."""
    from kernelplay.numerics.linalg import solve_lower, solve_upper

    L, d = shifted.gram.L, shifted.d
    assert L is not None
    w = np.zeros(L.shape[1])
    for _ in range(2):
        gradient = L.T @ ((t - L @ w) / d) - w
        w = w + solve_upper(shifted.root, solve_lower(shifted.root, gradient, check), check)
    return w


def factor(kernel: Kernel, X: Array, shift: float, check: Check, like: Gram | None) -> Gram:
    """Return the Gram factor, of an accuracy that suits the shift: trace error / shift about 1e-11 of n.

    Raises FitError when the points are too many for the kernel or the kernel overflows on them.
    """
    from kernelplay.numerics.gram import TooLarge, factorise
    from kernelplay.numerics.linalg import NotFinite
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
        except NotFinite:
            raise not_finite() from None
        except TooLarge:
            raise FitError(say("{n} points are too many for this kernel: its {n} × {n} matrix has no low-rank form. "
                               "Use fewer points, or a kernel such as the RBF.", n=len(X))) from None


def not_finite() -> FitError:
    """Return the error for kernel values that overflow."""
    return FitError(say("The kernel values are too large to compute with: scale the inputs down, or lower the degree "
                        "or factor of the kernel."))


def _distinct(X: Array, t: Array, symbol: str) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
    """Return `merged(X, t)`; raise FitError naming the points that ask for two targets at one input."""
    first, group, weight = merged(X, t)
    if all_differ(X[first]):
        return first, group, weight
    _, place, count = np.unique(X[first], axis=0, return_inverse=True, return_counts=True)
    torn = count[place.reshape(-1)] > 1
    if torn.any():
        rows = tuple(np.flatnonzero(torn[group]).tolist())
        raise FitError(say("Points {rows} have the same input but different targets: without {symbol} no function "
                           "passes through both. Set {symbol} above 0, or remove the duplicates.",
                           rows=_rows(rows), symbol=symbol), rows)
    return first, group, weight


def _rows(rows: tuple[int, ...]) -> str:
    shown = ", ".join(str(row + 1) for row in rows[:6])
    return shown if len(rows) <= 6 else f"{shown}, …"


def unproved(gram: Gram, indefinite: bool) -> tuple[float | None, list[Note]]:
    """Return the smallest eigenvalue of an indefinite K, else None, and what is to be said of a kernel that is not
    positive semi-definite by construction."""
    from kernelplay.numerics.linalg import NotFinite, is_psd

    K = gram.dense()
    if not np.isfinite(K).all():
        raise not_finite()
    try:
        holds, low, _ = is_psd(K)
    except (NotFinite, np.linalg.LinAlgError):
        raise not_finite() from None
    if holds and indefinite:
        return None, []
    if holds:
        return None, [Note(say("This kernel is positive semi-definite on these points, but not everywhere: where it "
                               "is not, the variance is shown as 0."))]
    if indefinite:
        return low, [Note(say("The kernel matrix is not positive semi-definite: its smallest eigenvalue is {low}. The "
                              "equations are solved, but the solution may not minimise anything.",
                              low=low))]
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

