"""The solver that the NumPy scripts bring along for the dual problems of SVM, SVR and the perceptron's margin."""

from __future__ import annotations

from kernelplay.i18n import Say, say
from kernelplay.scripts.source import comment

_SOLVE = '''
def solve(Q, c, s, most):
    force = abs(c).max()
    unit = min(most, force / abs(np.diag(Q)).max())  # of z: in it all numbers are near 1
    Q, c, C = Q * (unit / force), c / force, most / unit
    soft, best, no = np.isfinite(C), np.inf, np.zeros(len(c))
    z = np.full(len(c), min(C, 2.0) / 2)
    q = C - z
    m, v, b = no + 1, no + soft, 0.0  # multipliers of z >= 0, z <= C and s'z = 0
    corner = float(not s.any())  # s = 0: no such condition
    least = 1e-14 * abs(np.diag(Q)).max()  # against rounding, where Q is singular
    for _ in range(100):
        gap = z @ m + (q @ v if soft else 0.0)
        error = max(gap / (1 + abs(c @ z)), abs(Q @ z + c - m + v + b * s).max(), abs(s @ z))
        if error < best:
            best, found = error, (z, q, m, v, b)
        elif best < 1e-9:
            break
        A = np.block([[Q + np.diag(m / z + v / q + least), s[:, None]], [s, corner]])

        def step(low, high):  # a Newton step towards z m = low and q v = high, and how far it may go
            right = low / z - high / q - (Q @ z + c + b * s)
            *dz, db = np.linalg.solve(A, np.append(right, -s @ z))
            dz = np.array(dz)
            dm, dv = (low - m * dz) / z - m, (high + v * dz) / q - v
            ends = [-dz / z, -dm / m] + ([dz / q, -dv / v] if soft else [])
            return dz, dm, dv, db, 0.99 / max(0.99, np.max(ends))

        dz, dm, dv, db, t = step(no, no)
        ahead = (z + t * dz) @ (m + t * dm) + ((q - t * dz) @ (v + t * dv) if soft else 0.0)
        mu = gap / len(z) / (1 + soft) * (ahead / gap) ** 3
        dz, dm, dv, db, t = step(mu - dz * dm, mu + dz * dv if soft else no)
        z, q, m, v, b = z + t * dz, q - t * dz, m + t * dm, v + t * dv, b + t * db
    z, q, m, v, b = found
    size = max(z.max(), 1e-20 / least)
    zero, full = z < m * size, q < v * size
    z = np.where(zero, 0.0, np.where(full, C, z))
    free = np.flatnonzero(~zero & ~full)
    if len(free):  # the linear equations of the free ones, solved once more
        A = np.block([[Q[np.ix_(free, free)], s[free, None]], [s[free], corner]])
        right = np.append(-(Q @ z + c + b * s)[free], -s @ z)
        z[free] += np.linalg.lstsq(A, right, rcond=None)[0][:-1]
    return np.where(full, most, z * unit)
'''

_BIAS = '''
def bias(Q, c, s, C, z):
    free, rest = (z > 0) & (z < C), -s * (Q @ z + c)
    if free.any():
        return rest[free].mean()
    low = rest[np.where(s > 0, z < C, z > 0)].max(initial=-np.inf)
    high = rest[np.where(s > 0, z > 0, z < C)].min(initial=np.inf)
    return (low + high) / 2 if np.isfinite(low + high) else low if np.isfinite(low) else high
'''


def solver() -> str:
    """Return `solve(Q, c, s, most)`."""
    return _said(_SOLVE, say("Minimise 1/2 z'Qz + c'z with 0 <= z <= most and s'z = 0, by Mehrotra's "
                             "predictor-corrector interior point method."))


def bias() -> str:
    """Return `bias(Q, c, s, C, z)`."""
    return _said(_BIAS, say("The offset: the mean over the free multipliers, or the middle of the interval that the "
                            "bounded ones allow."))


def _said(function: str, sentence: Say) -> str:
    """Return the source of a function with a sentence below its first line."""
    first, rest = function.strip("\n").split("\n", 1)
    return f"{first}\n{comment(sentence, 4)}\n{rest}\n"
