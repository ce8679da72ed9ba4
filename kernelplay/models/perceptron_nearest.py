"""The point of a convex hull that is nearest to the origin: the margin of a separator, or the proof that there is none.

With z_n = y_n x~_n the largest margin of a unit vector, max_u min_n u.z_n, is the distance of the origin from the hull
of the z_n, and u points at the nearest point v (Rosen 1965; Wolfe 1976). v = 0 is the certificate that no vector has a
positive margin: weights >= 0 with sum weights_n z_n = 0. Wolfe's method ends at a vertex: at most r + 1 points in r
dimensions carry weight, which names few points and settles v = 0 to the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelplay.models.base import Array, Check, nothing

Index = NDArray[np.intp]
EPS = float(np.finfo(np.float64).eps)
TINY = 16 * EPS  # a weight that is nothing but rounding


@dataclass(frozen=True, eq=False)
class Nearest:
    """v = sum over `corral` of weight_i z_i, weights > 0 with sum 1. `zero`: v is 0 up to the rounding of its terms."""

    corral: Index  # (m,)
    weight: Array  # (m,)
    v: Array  # (r,)
    zero: bool


def nearest(Z: Array, check: Check = nothing, doubt: Array | None = None) -> Nearest:
    """Return the point of the hull of the rows of Z (n, r) nearest to 0. Wolfe (1976), Math. Programming 11, 128.

    doubt: (n,) by how much the entries of each row may be wrong, where they are results of rounding themselves.
    """
    doubt = np.zeros(len(Z)) if doubt is None else doubt
    size2 = np.einsum("ij,ij->i", Z, Z)
    corral = [int(size2.argmin())]
    weight = np.ones(1)
    v = Z[corral[0]]
    best = (corral, weight, v)
    for _ in range(100 + 20 * Z.shape[1]):
        check()
        if _vanishes(Z[corral], weight, v, doubt[corral]):
            return Nearest(np.array(corral), weight, v, True)
        along = Z @ v
        new = int(along.argmin())
        # nothing lies below the plane through v, up to rounding: v is nearest
        if new in corral or along[new] >= v @ v - 4 * EPS * np.sqrt(float(size2[new]) * float(v @ v)):
            break
        corral, weight = _minor(Z, [*corral, new], np.append(weight, 0.0))
        v = weight @ Z[corral]
        if v @ v >= best[2] @ best[2]:  # rounding turns in circles
            break
        best = (corral, weight, v)
    corral, weight, v = best
    return Nearest(np.array(corral), weight, v, _vanishes(Z[corral], weight, v, doubt[corral]))


def _minor(Z: Array, corral: list[int], weight: Array) -> tuple[list[int], Array]:
    """Walk to the nearest point of the corral's affine hull, and drop points until it lies inside their hull."""
    while True:
        aim = _affine(Z[corral])
        stop = aim <= TINY
        if not stop.any():
            return corral, aim
        step = float((weight[stop] / (weight[stop] - aim[stop])).min()) if (weight[stop] > aim[stop]).any() else 0.0
        weight = weight + step * (aim - weight)
        keep = weight > TINY
        keep[stop & (weight <= weight[stop].min())] = False
        corral = [n for n, kept in zip(corral, keep, strict=True) if kept]
        weight = weight[keep] / weight[keep].sum()


def _affine(Z: Array) -> Array:
    """Return the weights (m,), of sum 1, of the point nearest to 0 in the affine hull of the rows of Z (m, r)."""
    if len(Z) == 1:
        return np.ones(1)
    base = Z[0]
    apart = (Z[1:] - base).T
    rest = np.linalg.lstsq(apart, -base, rcond=None)[0]
    rest += np.linalg.lstsq(apart, -(base + apart @ rest), rcond=None)[0]  # one step of refinement
    return np.concatenate([[1 - rest.sum()], rest])


def _vanishes(Z: Array, weight: Array, v: Array, doubt: Array) -> bool:
    """Whether each component of v is 0 up to the rounding of the terms of which it is the sum."""
    return bool((np.abs(v) <= 8 * EPS * (weight @ np.abs(Z)) + weight @ doubt).all())


def certain(u: Array, Z: Array) -> tuple[Array, bool]:
    """Return the margins Z u (n,), and whether all of them are positive beyond any doubt of rounding."""
    margins = Z @ u
    doubt = (Z.shape[1] + 2) * EPS * (np.abs(Z) @ np.abs(u))
    return margins, bool((margins > doubt).all())


def balanced(Phi: Array, constant: bool) -> Array:
    """Return features (n, r) with every column scaled to a largest entry of 1, and moved to its mean if the first is
    `constant`: nothing of it changes whether there is a separator, but far from the origin it saves the digits."""
    if constant:
        Phi = np.column_stack([Phi[:, :1], Phi[:, 1:] - Phi[:, 1:].mean(axis=0)])
    largest = np.abs(Phi).max(axis=0)
    values: Array = Phi / np.where(largest > 0, largest, 1.0)
    return values


def length_of(v: Array) -> float:
    """Return ||v|| of a v (r,) other than 0, although the square of 1e-200 is no number."""
    unit = float(np.abs(v).max())
    return unit * float(np.linalg.norm(v / unit))


def polished(Z: Array, found: Nearest) -> tuple[Array, Array]:
    """Return u (r,), of length 1, and a (m,) with u = sum over the corral of a_i z_i.

    The margins of v and of the shortest w with w.z_i = 1 on the corral are the same but for rounding, against which the
    second is better where the margin is a small difference of large numbers; the one with the larger margin wins.
    """
    Z_c = Z[found.corral]
    length = length_of(found.v)
    u, a = found.v / length, found.weight / length
    w = np.linalg.lstsq(Z_c, np.ones(len(Z_c)), rcond=None)[0]
    size = np.sqrt(float(w @ w))
    if size > 0 and (Z @ w).min() / size > (Z @ u).min():
        return w / size, np.linalg.lstsq(Z_c.T, w / size, rcond=None)[0]
    return u, a


def facing_negative(Z: Array, negative: NDArray[np.bool_], check: Check = nothing) -> Array | None:
    """Return weights (n,) >= 0 with sum weights_n z_n = 0, of which a negative point carries some, or None.

    They exist exactly when no theta has theta.z_n >= 0 for all and > 0 for the negative points (Motzkin's transposition
    theorem): then sign(0) = +1 saves no run either. A certificate of positive points alone forces theta to be
    orthogonal to all of them; what is left is the same question for the others, seen along the orthogonal complement.
    """
    size = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    seen = Z
    left = np.arange(len(Z))
    levels: list[tuple[Index, Array, Array]] = []  # points, weights, Z as seen at that level
    while True:
        flat = np.sqrt(np.einsum("ij,ij->i", seen[left], seen[left])) <= 1e-12 * size[left]
        if (flat & negative[left]).any():
            return _lifted(Z, levels, left[flat & negative[left]][:1], np.ones(1))
        left = left[~flat]
        if not len(left):
            return None
        found = nearest(seen[left], check, 64 * EPS * size[left] * bool(levels))
        if not found.zero:
            return None
        corral = left[found.corral]
        if negative[corral].any():
            return _lifted(Z, levels, corral, found.weight)
        levels.append((corral, found.weight, seen))
        basis = np.linalg.svd(seen[corral], full_matrices=False)
        rows = basis[2][basis[1] > 1e-12 * basis[1][0]]
        seen = seen - (seen @ rows.T) @ rows


def _lifted(Z: Array, levels: list[tuple[Index, Array, Array]], points: Index, weight: Array) -> Array:
    """Return weights (n,) of all points: what is left over in the span of an earlier certificate is cancelled by it."""
    weights = np.zeros(len(Z))
    weights[points] = weight
    for corral, certificate, seen in reversed(levels):
        over = weights @ seen
        share = np.linalg.lstsq(seen[corral].T, -over, rcond=None)[0]
        weights[corral] += share + max(0.0, float((-share / certificate).max())) * certificate
    weights[weights <= TINY * weights.max()] = 0.0
    total: Array = weights / weights.sum()
    return total
