"""The least half-width of a hard tube that some function of a kernel keeps: a linear program, said so that it holds."""

from __future__ import annotations

import math

import numpy as np

from kernelplay.models.base import Array

MOST, MOST_RANK = 400, 60  # points, and rank of their matrix, up to which the program is solved
DIGITS = 3  # as many as a sentence shows
TRIES = 6  # next larger numbers of so many digits that are tried


def least_epsilon(Phi: Array, t: Array) -> float | None:
    """Return the smallest max |t_n − w'phi_n − b| over w and b, for features Phi (u, r) and targets t (u,).

    min z subject to −z <= t − Phi w − b <= z (linear program). None where the program finds no answer.
    """
    from scipy.optimize import linprog  # a tenth of a second to import, and seldom wanted

    size = np.abs(Phi).max(axis=0, initial=0.0)
    columns = Phi[:, size > 0] / size[size > 0]
    reach = float(np.abs(t).max(initial=0.0)) or 1.0
    one, scaled = np.ones((len(t), 1)), t / reach
    rows = np.vstack([np.hstack([columns, one, -one]), np.hstack([-columns, -one, -one])])
    cost = np.zeros(columns.shape[1] + 2)
    cost[-1] = 1.0
    free = [(None, None)] * (columns.shape[1] + 1)
    found = linprog(cost, A_ub=rows, b_ub=np.concatenate([scaled, -scaled]), bounds=[*free, (0, None)],
                    method="highs-ds")
    return float(found.x[-1]) * reach if found.x is not None else None


def rounded_up(value: float, steps: int = 0) -> float:
    """Return the number of three digits that is not below the positive `value`, or the one `steps` beyond it."""
    unit = 10.0 ** (math.floor(math.log10(value)) - DIGITS + 1)
    return float(f"{(math.ceil(value / unit) + steps) * unit:.{DIGITS}g}")
