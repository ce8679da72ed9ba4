"""What SVM and SVR say alike: the readouts of the certificate, the sentences for indefinite and unsolved problems."""

from __future__ import annotations

import math

from kernelplay.errors import Note
from kernelplay.i18n import Say, number, plural, say, verbatim
from kernelplay.marks import Readout
from kernelplay.models.base import Certificate


def value(x: float) -> tuple[Say, float | None]:
    """Return x as a readout shows it, and as JSON can hold it."""
    return verbatim(number(x)), x if math.isfinite(x) else None


def support_line(n: int, total: int, free: int) -> Readout:
    """Return the readout of the number of support vectors: "16 of 48 (13 free)"."""
    shown = say("{n} of {total} ({free} free)", n=n, total=total, free=free)
    return Readout("support_vectors", say("Support vectors"), shown, n,
                   say("The points with α > 0. Removing any of the others would not change f."))


def certificate_lines(certificate: Certificate, factor_error: float, indefinite: float | None) -> tuple[Readout, ...]:
    """Return the readouts of the certificate, and what else says how far the numbers can be trusted."""
    lines = [Readout(residual.key, residual.label, *value(residual.value), residual.help, "certificate")
             for residual in certificate.residuals]
    floor = next(residual.floor for residual in certificate.residuals if residual.key == "kkt_residual")
    lines.append(Readout("rounding_floor", say("Rounding limit"), *value(floor),
                         say("64 ε |K| Σ|α|, ε = 2.2·10⁻¹⁶, relative to the size of f: a KKT residual below it is "
                             "rounding in double precision."), "certificate"))
    if factor_error > 0.0:
        bound = say("How far f at a training point can be from its value with the full kernel matrix: the problem was "
                    "solved with a low-rank factor.")
        lines.append(Readout("factor_error", say("Low-rank error"), verbatim(f"≤ {number(factor_error)}"),
                             factor_error, bound, "certificate"))
    if indefinite is not None:
        lines.append(Readout("eig_min", say("Smallest eigenvalue"), *value(indefinite),
                             say("Of the kernel matrix. If negative, the problem is not convex and the result is a "
                                 "stationary point."), "certificate"))
    return tuple(lines)


def limit_notes(certificate: Certificate) -> tuple[Note, ...]:
    """Return the warning that rounding, and not the goal, decides whether the certificate holds; none where not."""
    if not certificate.floor_decides:
        return ()
    return (Note(say("This problem is at the limit of double precision: a residual of {worst} is above {goal} but "
                     "within the rounding error {floor}. Scale the data, choose another kernel, or allow more slack "
                     "with a smaller C.",
                     worst=certificate.worst, goal=certificate.goal, floor=certificate.tolerance)),)


def indefinite_note(low: float) -> Note:
    """Return the note that the kernel matrix is indefinite, with its smallest eigenvalue."""
    return Note(say("The kernel matrix is not positive semi-definite: smallest eigenvalue {low}. The result is a "
                    "stationary point, not a proven minimum.", low=low))


def indefinite_status(low: float, n: int, free: int) -> Say:
    """Return the status line of a stationary point with n support vectors."""
    return plural(n, "Kernel matrix not positive semi-definite: smallest eigenvalue {low}. A stationary point with {n} "
                     "support vector ({free} free).",
                  "Kernel matrix not positive semi-definite: smallest eigenvalue {low}. A stationary point with {n} "
                  "support vectors ({free} free).", low=low, free=free)


def not_convex(low: float) -> Say:
    """Return why there is no hard margin or tube with an indefinite kernel matrix."""
    return say("The kernel matrix is not positive semi-definite (smallest eigenvalue {low}). Without slack this "
               "problem has no well-defined solution: choose “Soft”, or another kernel.", low=low)


def undecided(n: int) -> Say:
    """Return that working precision cannot tell whether n points are in conflict."""
    return plural(n, "Not separable to working precision: whether a hard margin exists depends on kernel differences "
                     "at {n} marked point that are too small to resolve. Use the soft margin, move the point away from "
                     "its neighbours, or choose another kernel.",
                  "Not separable to working precision: whether a hard margin exists depends on kernel differences at "
                  "{n} marked points that are too small to resolve. Use the soft margin, move the points apart, or "
                  "choose another kernel.")


def not_solved(residual: float, tolerance: float, hard: bool) -> Say:
    """Return that the solver stayed short of its accuracy, and what helps; an infinite residual is not shown."""
    remedy = say("Use a smaller C, separate points that are too close together, scale the data, or choose another "
                 "kernel.")
    if hard:
        remedy = say("Choose “Soft”, separate points that are too close together, scale the data, or choose another "
                     "kernel.")
    if not math.isfinite(residual):
        return say("This problem could not be solved: its numbers are too extreme for "
                   "double precision. {remedy}", remedy=remedy)
    return say("This problem could not be solved to the required accuracy: the residual is {residual} but should be at "
               "most {tolerance}. {remedy}", residual=residual, tolerance=tolerance, remedy=remedy)
