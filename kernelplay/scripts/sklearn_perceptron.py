"""The perceptron as lines for scikit-learn: its own where it plays the same run, else an estimator of a few lines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.kernels.written import literal
from kernelplay.scripts import perceptron_script as plain
from kernelplay.scripts.source import SHOW, comment, kernel_source, shown

Parts = tuple[str, list[str], str]  # imports, body, what is printed at the end


def perceptron(fit: Any) -> Parts:
    if plain.linear(fit) and _same_rule(fit):
        return _library_perceptron(fit)
    said = say("scikit-learn's Perceptron has no kernels, so this estimator implements the rule itself.")
    if plain.linear(fit):
        said = say("scikit-learn's Perceptron counts f = 0 as a mistake for either class and cannot reproduce a "
                   "truncated run or this random order, so this estimator implements the rule itself.")
    if fit.model.order == "random" and fit.mistakes > plain.MOST:
        raise SpecError(say("This run in random order has {n} updates, too many to list: use the NumPy script, or the "
                            "cyclic order.", n=fit.mistakes))
    set_up = f"eta, constant = {literal(fit.model.eta)}, {literal(float(fit.model.bias))}"
    use = f"model = KernelPerceptron({_limits(fit)}).fit(X, y)"
    f = "def f(Z):\n    return model.decision_function(Z)\n"
    pairs = [("mistakes", "int(model.counts_.sum())"), ("converged", "model.converged_"),
             ("R", "np.sqrt((np.diag(kernel(X, X)) + constant).max())"),
             ("training_error", "(model.predict(X) != y).mean()"), ("alpha", "model.counts_")]
    if fit.model.order == "cyclic":
        pairs[1:1] = [("epochs", "model.passes_")]
    if not plain.linear(fit) and fit.space.constant:
        pairs.append(("b", f"eta * constant * ((model.counts_ + {literal(float(fit.space.start))}) * y).sum()"))
    elif fit.space.constant:
        pairs.append(("b", "f(np.zeros((1, X.shape[1])))[0]"))
    return ("from sklearn.base import BaseEstimator, ClassifierMixin",
            [*kernel_source(fit.kernel), SHOW, set_up, comment(said), _estimator(fit), use, f, shown(*pairs)], "")


def _limits(fit: Any) -> str:
    if fit.model.order == "cyclic":
        return f"max_passes={fit.model.max_epochs}, max_updates={max(fit.model.max_updates, fit.mistakes)}"
    return f"order=[{', '.join(map(str, fit.trace.point.tolist()))}]"


def _estimator(fit: Any) -> str:
    """Return the class of an estimator that plays the run behind a kernel."""
    start = literal(float(fit.space.start))
    before, after = "np.zeros(len(y))", ""
    if fit.space.start and plain.linear(fit):
        root = literal(math.sqrt(fit.space.constant))
        before, after = f"{start} * (X.sum(axis=1) + {root})", f" + {start} * (Z.sum(axis=1) + {root})"
    elif fit.space.start:
        before, after = f"{start} * K @ y", f" + {start} * K @ self.y_"
    if fit.model.order == "random":
        given, keep, loop = "order", "self.order = order", """
        for n in self.order:  # the mistaken points as they were drawn
            assert (values[n] >= 0) != (y[n] > 0)
            counts[n] += 1
            values += y[n] * K[n]
        self.converged_ = bool(((values >= 0) == (y > 0)).all())"""
    else:
        given, keep = "max_passes=100, max_updates=5000", "self.max_passes, self.max_updates = max_passes, max_updates"
        loop = """
        passes, made = 0, 1
        while made and passes < self.max_passes and counts.sum() < self.max_updates:
            passes, made = passes + 1, 0
            for n in range(len(y)):
                if (values[n] >= 0) != (y[n] > 0) and counts.sum() < self.max_updates:  # f = 0 counts as +1
                    counts[n] += 1
                    values += y[n] * K[n]
                    made += 1
        self.passes_, self.converged_ = passes, made == 0"""
    return f"""class KernelPerceptron(ClassifierMixin, BaseEstimator):
    def __init__(self, {given}):
        {keep}

    def fit(self, X, y):
        K = kernel(X, X) + constant
        values, counts = {before}, np.zeros(len(y)){loop}
        self.X_, self.y_, self.counts_, self.classes_ = X, y, counts, np.unique(y)
        return self

    def decision_function(self, Z):
        K = kernel(Z, self.X_) + constant
        return eta * (K @ (self.counts_ * self.y_){after})

    def predict(self, Z):
        return np.where(self.decision_function(Z) >= 0, 1, -1)
"""


def _same_rule(fit: Any) -> bool:
    """Whether scikit-learn's Perceptron, begun after the first update, plays the same run: to its end, in order, and
    no point of class +1 ever lies exactly on the boundary."""
    if fit.model.order != "cyclic" or not fit.converged or not fit.mistakes or fit.space.constant not in (0.0, 1.0):
        return False
    if fit.path is None:
        return False
    points, mistaken = fit.trace.looks()
    made = np.cumsum(mistaken) - mistaken  # updates before each look
    later = np.flatnonzero(made >= 1)
    scores = np.einsum("ij,ij->i", fit.path[made[later]], fit.space.lifted[points[later]])
    return bool((np.abs(scores) > 1e-9 * np.abs(scores).max(initial=1.0)).all())


def _library_perceptron(fit: Any) -> Parts:
    first = int(fit.trace.point[0])
    offset = bool(fit.space.constant)
    start = fit.model.eta * fit.path[1]
    w, b = (start[1:], start[0]) if offset else (start, 0.0)
    said = comment(say("scikit-learn's Perceptron counts f = 0 as a mistake for either class; here it counts as +1. "
                       "Starting from the state after the first update, at row {row} of X, both make the same run.",
                       row=first))
    model = f"""{said}
eta = {literal(fit.model.eta)}
order = np.roll(np.arange(len(y)), {-first - 1})
model = Perceptron(eta0=eta, fit_intercept={offset}, shuffle=False, tol=None, max_iter={fit.epochs})
model.fit(X[order], y[order], coef_init=np.array([{', '.join(literal(float(v)) for v in w)}]),
          intercept_init=np.array([{literal(float(b))}]))"""
    f = "def f(Z):\n    return model.decision_function(Z)\n"
    pairs = [("training_error", "((f(X) >= 0) != (y > 0)).mean()"), ("w", "model.coef_[0]")]
    if offset:
        pairs.append(("b", "model.intercept_[0]"))
    return "from sklearn.linear_model import Perceptron", [SHOW, model, f, shown(*pairs)], ""
