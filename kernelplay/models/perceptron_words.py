"""What is said of a run of the perceptron: the status line, the notes, the readouts, the certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernelplay.errors import Note
from kernelplay.i18n import Say, counted, number, plural, say, verbatim
from kernelplay.marks import Readout
from kernelplay.models.base import Array, Certificate, Residual
from kernelplay.models.perceptron_bound import whole

if TYPE_CHECKING:
    from kernelplay.models.perceptron import PerceptronFit

SAMPLES = 8  # updates of a run behind a kernel whose scores are computed again


def cap(fit: PerceptronFit) -> Say:
    """Return which cap stopped the run, as part of a sentence."""
    if fit.trace.cap == "epochs":
        return plural(fit.model.max_epochs, "the limit of {n} pass", "the limit of {n} passes")
    return plural(fit.model.max_updates, "the limit of {n} update", "the limit of {n} updates")


def status(fit: PerceptronFit) -> Say:
    """Return the sentence of the status line: how the run ended, and what that means."""
    n, wrong, everything = fit.mistakes, len(fit.misclassified), len(fit.y)
    if fit.separation.unknown == "indefinite":
        return plural(n, "Perceptron: kernel matrix not positive semi-definite, smallest eigenvalue {eig}; "
                      "{wrong} of {all} points misclassified after {n} update.",
                      "Perceptron: kernel matrix not positive semi-definite, smallest eigenvalue {eig}; "
                      "{wrong} of {all} points misclassified after {n} updates.",
                      eig=fit.separation.eig_min, wrong=wrong, all=everything)
    if fit.converged and fit.bound_floor is None:
        return plural(n, "Perceptron: converged after {n} update, pass {epochs} was clean; no bound is known.",
                      "Perceptron: converged after {n} updates, pass {epochs} was clean; no bound is known.",
                      epochs=fit.epochs)
    if fit.converged:
        return plural(n, "Perceptron: converged after {n} update of at most {bound}; pass {epochs} was clean.",
                      "Perceptron: converged after {n} updates of at most {bound}; pass {epochs} was clean.",
                      bound=fit.bound_floor, epochs=fit.epochs)
    values = {"cap": cap(fit), "wrong": wrong, "all": everything}
    if fit.separation.endless:
        return plural(n, "Perceptron: not separable, the updates never end; "
                      "stopped at {cap} after {n} update, {wrong} of {all} points misclassified.",
                      "Perceptron: not separable, the updates never end; "
                      "stopped at {cap} after {n} updates, {wrong} of {all} points misclassified.", **values)
    if fit.separable is False:
        return plural(n, "Perceptron: no margin is possible, so there is no bound; "
                      "stopped at {cap} after {n} update, {wrong} of {all} points misclassified.",
                      "Perceptron: no margin is possible, so there is no bound; "
                      "stopped at {cap} after {n} updates, {wrong} of {all} points misclassified.", **values)
    if fit.separable:
        return plural(n, "Perceptron: separable, but stopped at {cap} after {n} update, "
                      "{wrong} of {all} points misclassified.",
                      "Perceptron: separable, but stopped at {cap} after {n} updates, "
                      "{wrong} of {all} points misclassified.", **values)
    return plural(n, "Perceptron: stopped at {cap} after {n} update, {wrong} of {all} points misclassified; it is not "
                     "known whether it would end.",
                  "Perceptron: stopped at {cap} after {n} updates, {wrong} of {all} points misclassified; it is not "
                  "known whether it would end.", **values)


def notes(fit: PerceptronFit) -> tuple[Note, ...]:
    """Return what was known before playing and what the run showed."""
    return tuple(note for note in (_before(fit), _cycle(fit), _capped(fit)) if note is not None)


def _before(fit: PerceptronFit) -> Note | None:
    proof, linear = fit.separation, fit.space.lifted is not None
    if proof.unknown == "indefinite":
        return Note(say("The kernel matrix is not positive semi-definite (smallest eigenvalue {eig}): there is no "
                        "feature space, hence no margin and no bound. The updates run anyway.",
                        eig=proof.eig_min))
    if proof.unknown == "small" and proof.separable:
        return Note(say("The points are separable, but γ is too small to compute: the run shows that the bound is "
                        "above {least}.", least=fit.bound_least), "info")
    if proof.unknown == "small":
        return Note(say("It is not known whether the points are separable: no margin γ was found, and the run shows "
                        "that the bound, if any, is above {least}.", least=fit.bound_least))
    if proof.separable:
        return None
    return Note(_not_separable(fit, linear), points=proof.conflict)


def _not_separable(fit: PerceptronFit, linear: bool) -> Say:
    if not fit.separation.endless:
        return say("No boundary through the origin leaves a margin (γ = 0, as the marked points prove), so there is no "
                   "bound. Since f = 0 counts as +1, the updates may still end: only running it shows.")
    if not linear:
        return say("Not separable with this kernel, as the marked points prove. There is no bound, and the updates "
                   "never end. Try another kernel.")
    if fit.space.constant:
        return say("Not separable: the marked points prove that no straight line classifies them all correctly. There "
                   "is no bound, and the updates never end.")
    if len(fit.conflict) == 1:
        return say("Not separable through the origin: the marked negative point lies at the origin, where f = 0 always "
                   "counts as +1. There is no bound, and the updates never end. Turn on the offset.")
    return say("Not separable through the origin: the marked points prove that no boundary through the origin "
               "classifies them all correctly. There is no bound, and the updates never end. Turn on the offset.")


def _cycle(fit: PerceptronFit) -> Note | None:
    if not fit.trace.period:
        return None
    return Note(plural(fit.trace.period,
                       "θ returns to exactly the same value after {n} pass: the updates repeat forever.",
                       "θ returns to exactly the same value after {n} passes: the updates repeat forever."), "info")


def _capped(fit: PerceptronFit) -> Note | None:
    if fit.converged or fit.trace.period or fit.separation.endless:
        return None
    if fit.bound_floor is not None:
        return Note(say("The run stopped at {cap}. It ends after at most {bound} updates: raise the limit to see the "
                        "end.", cap=cap(fit), bound=fit.bound_floor), "info")
    return Note(say("The run stopped at {cap}: raise the limit to see whether it ends.", cap=cap(fit)), "info")


def readouts(fit: PerceptronFit) -> tuple[Readout, ...]:
    """Return the lines of numbers, the certificate last."""
    wrong = len(fit.misclassified)
    lines = [
        Readout("mistakes", say("Updates"), _updates(fit), fit.mistakes,
                say("Number of mistakes: each one updates θ.")),
        Readout("bound", say("Bound (R/γ)²") if not fit.space.start else say("Bound"), _bound(fit), fit.bound,
                say("There can be no more updates than this, whatever the order of the points.")),
        Readout("R", say("R = max ‖x̃ₙ‖"), verbatim(number(fit.R)), fit.R,
                say("Norm of the longest input; with an offset, the constant 1 is an extra coordinate.")),
        Readout("gamma", say("Margin γ"), _margin(fit), fit.gamma,
                say("The largest distance that a boundary through the origin of x̃ space can keep from all points; "
                    "with an offset, the constant 1 is an extra coordinate.")),
        Readout("epochs", say("Passes"), verbatim(counted(fit.epochs)), fit.epochs,
                say("Passes over the points, including the final clean one.")),
        Readout("converged", say("Converged"), _converged(fit), fit.converged,
                say("Whether a whole pass had no mistakes.")),
        Readout("training_error", say("Training error"), say("{wrong} of {all}", wrong=wrong, all=len(fit.y)),
                fit.training_error, say("Training points on the wrong side of the boundary.")),
    ]
    if fit.w is not None and len(fit.w) <= 3:
        shown = ", ".join(number(float(w)) for w in fit.w)
        label = say("θ, inputs’ coordinates") if fit.space.constant else verbatim("θ")
        lines.append(Readout("w", label, verbatim(f"({shown})"), fit.w.tolist(),
                             say("The vector θ, without its constant coordinate.")))
    if fit.space.constant:
        lines.append(Readout("b", say("Offset b"), verbatim(number(fit.b)), fit.b,
                             say("The constant coordinate of θ times the constant input: what f is at the origin.")))
    for residual in fit.certificate.residuals:
        lines.append(Readout(residual.key, residual.label, verbatim(number(residual.value)), residual.value,
                             residual.help, "certificate"))
    return tuple(lines)


def _bound(fit: PerceptronFit) -> Say:
    if fit.bound is not None:
        return verbatim(bound_number(fit.bound))
    return verbatim(f"> {number(fit.bound_least)}") if fit.separation.unknown == "small" else say("none")


def bound_number(bound: float) -> str:
    """Return a bound with four digits, or as many as it takes not to round it up past the next whole number."""
    for digits in range(4, 12):
        if bound >= 1e6 or whole(float(f"{bound:.{digits - 1}e}")) == whole(bound):
            return number(bound, digits)
    return str(whole(bound))


def _margin(fit: PerceptronFit) -> Say:
    if fit.gamma is not None:
        return verbatim(number(fit.gamma))
    return say("not found") if fit.separation.unknown == "small" else say("none")


def _updates(fit: PerceptronFit) -> Say:
    if fit.bound_floor is None:
        return verbatim(counted(fit.mistakes))
    return say("{n} of at most {bound}", n=fit.mistakes, bound=fit.bound_floor)


def _converged(fit: PerceptronFit) -> Say:
    if fit.converged:
        return say("yes")
    return say("no, it cannot") if fit.separation.endless or fit.trace.period else say("not yet")


def certificate(fit: PerceptronFit, alpha: Array) -> Certificate:
    """Return how far the numbers of updates `alpha` (n,), the run and what was known before are from being true."""
    scores = fit.y * fit.space.activations(alpha)
    scale = max(float(np.abs(fit.trace.final).max()), abs(fit.R2), 1e-300)
    residuals = [
        Residual("theta", say("θ from the counts"), float(np.abs(scores - fit.trace.final).max()) / scale,
                 say("How far θ₀ + η Σ cₙ yₙ x̃ₙ (cₙ: updates of point n) is from the θ of the run, at the points.")),
        Residual("replay", say("Replay error"), _replay(fit) / scale,
                 say("How far yₙ f(xₙ) before an update is from its recomputed value, and by how much the point was "
                     "not misclassified.")),
    ]
    if fit.converged:
        residuals.append(Residual("mistakes_left", say("Remaining mistakes"), max(0.0, -float(scores.min())) / scale,
                                  say("How far the worst point is on the wrong side.")))
    proof = fit.separation
    if proof.separable and proof.margins is not None:
        first, second = fit.lemmas.violation
        residuals += [
            Residual("lemma1", say("First lemma"), first, say("By how much u·θₖ ever falls below u·θ₀ + k η γ.")),
            Residual("lemma2", say("Second lemma"), second, say("By how much ‖θₖ‖² ever exceeds ‖θ₀‖² + k η² R².")),
            Residual("margin_gap", say("Margin gap"), proof.residual,
                     say("Gap between γ, attained by u, and an upper bound on every margin.")),
        ]
    elif proof.separable is False:
        residuals.append(Residual("conflict", say("Conflict"), proof.residual,
                                  say("How far the weighted sum of yₙ x̃ₙ over the conflicting points is from 0.")))
    return Certificate(tuple(residuals))


def _replay(fit: PerceptronFit) -> float:
    """Return the largest error of a score of the run, computed again from the counts, or of its being a mistake."""
    trace, k = fit.trace, fit.mistakes
    if not k:
        return 0.0
    if fit.path is not None and fit.space.lifted is not None:
        inputs = fit.space.lifted[trace.point] * fit.y[trace.point, None]
        again = np.einsum("ij,ij->i", fit.path[:-1], inputs)
        return max(float(np.abs(again - trace.score).max()), float(trace.score.max()), 0.0)
    some = np.unique(np.linspace(0, k - 1, SAMPLES).astype(int))
    again = np.array([fit.y[n] * fit.space.activations(trace.counts(int(i)), fit.X[n: n + 1])[0]
                      for i, n in zip(some, trace.point[some], strict=True)])
    return max(float(np.abs(again - trace.score[some]).max()), float(trace.score.max()), 0.0)
