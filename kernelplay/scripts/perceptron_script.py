"""The run of a perceptron as lines of NumPy: the rule itself, and the margin that its bound needs."""

from __future__ import annotations

from typing import Any

from kernelplay.i18n import say
from kernelplay.kernels.written import literal
from kernelplay.scripts.solver import solver
from kernelplay.scripts.source import SHOW, array, comment, filled, kernel_source, shown

MOST = 5000  # updates in random order up to which they are played again

SCORE = """
def score(theta, n):  # summed from the first coordinate to the last, so that ties are told alike
    return sum(value * x for value, x in zip(theta.tolist(), X_[n].tolist()))
"""


def perceptron(fit: Any) -> list[str]:
    """Return the parts of the script of a PerceptronFit."""
    margin = bounded(fit)
    return [*definitions(fit), *([solver()] if margin else []), SHOW, set_up(fit), *rule(fit), run(fit),
            f"def f(Z):\n    return {function(fit)}\n",
            _margin(fit) if margin else comment(say("No margin is known for these points, so there is no bound on the "
                                                    "number of updates.")), results(fit, margin)]


def bounded(fit: Any) -> bool:
    """Whether a margin, and with it a bound, is known."""
    return fit.gamma is not None and fit.bound is not None


def linear(fit: Any) -> bool:
    """Whether theta is written out: the kernel is linear."""
    return fit.space.lifted is not None


def definitions(fit: Any) -> list[str]:
    """Return what is defined before the data are used."""
    return [SCORE] if linear(fit) else kernel_source(fit.kernel)


def set_up(fit: Any) -> str:
    """Return eta, the start, and x~ or the kernel matrix."""
    constant, start = fit.space.constant, literal(float(fit.space.start))
    eta = f"eta = {literal(fit.model.eta)}"
    if not linear(fit):
        return f"{eta}\nconstant = {literal(constant)}\nK = kernel(X, X) + constant\nstart = {start}"
    if not constant:
        return f"{eta}\nX_ = X\nstart = np.full(X_.shape[1], {start})"
    root = "1.0" if constant == 1 else f"np.sqrt({literal(constant)})"
    return (f"{eta}\n{comment(say('With an offset, the constant is the first coordinate.'))}\n"
            f"X_ = np.column_stack([np.full(len(X), {root}), X])\nstart = np.full(X_.shape[1], {start})")


def rule(fit: Any) -> list[str]:
    """Return the definition of `play`, which plays the run; nothing for a long one in random order."""
    if not linear(fit):
        state = "values = K @ (start * y)  # f / eta at all points"
        value, update, result = "values[n]", "values += y[n] * K[n]", ""
    else:
        state, value, update, result = "theta = start.copy()", "score(theta, n)", "theta += y[n] * X_[n]", "theta, "
    if fit.model.order == "random":
        if fit.mistakes > MOST:
            return []
        return [f"""def play(order):
    {state}
    counts = np.zeros(len(y))
    for n in order:
        assert ({value} >= 0) != (y[n] > 0)  # each of them is a mistake
        {update}
        counts[n] += 1
    return {result}counts
"""]
    afresh = "" if linear(fit) else """
        if made == 0:  # once more, without the rounding of many additions
            values = K @ ((counts + start) * y)
            if ((values >= 0) != (y > 0)).any():
                continue"""
    return [f"""def play(max_passes, max_updates):
    {state}
    counts = np.zeros(len(y))
    passes, converged, full = 0, False, False
    while passes < max_passes and not converged and not full:
        made = 0
        for n in range(len(y)):
            if ({value} >= 0) == (y[n] > 0):  # f = 0 counts as +1
                continue
            {update}
            counts[n] += 1
            made += 1
            full = counts.sum() == max_updates
            if full:
                break{afresh}
        passes += 1
        converged = made == 0
    return {result}counts, passes, converged
"""]


def run(fit: Any) -> str:
    """Return the lines that play, up to the caps of the model."""
    result = "theta, counts" if linear(fit) else "counts"
    if fit.model.order != "random":
        most = max(fit.model.max_updates, fit.mistakes)  # passes that repeat themselves may go on beyond the cap
        return f"{result}, passes, converged = play({fit.model.max_epochs}, {most})"
    if fit.mistakes > MOST:
        said = comment(say("The run in random order is too long to replay here: these are the update counts of the "
                           "points."))
        played = f"{said}\n{array('counts', fit.alpha)}"
        if linear(fit):
            played += "\ntheta = start + (counts * y) @ X_"
    else:
        said = comment(say("The misclassified points, in the random order in which they were drawn."))
        order = filled("order = [", map(str, fit.trace.point.tolist()), "]")
        played = f"{said}\n{order}\n{result} = play(order)"
    values = "X_ @ theta" if linear(fit) else "K @ ((counts + start) * y)"
    return f"{played}\npasses, converged = {fit.epochs}, ((({values}) >= 0) == (y > 0)).all()"


def function(fit: Any) -> str:
    """Return f(Z) as an expression."""
    if not linear(fit):
        return "eta * (kernel(Z, X) + constant) @ ((counts + start) * y)"
    return "eta * (theta[0] * X_[0, 0] + Z @ theta[1:])" if fit.space.constant else "eta * (Z @ theta)"


def results(fit: Any, margin: bool) -> str:
    """Return the lines that print the readouts."""
    pairs = [("mistakes", "int(counts.sum())"), ("epochs", "passes"), ("converged", "converged")]
    if margin:
        pairs += [("bound", "bound"), ("gamma", "gamma")]
    longest = "(X_**2).sum(axis=1)" if linear(fit) else "np.diag(K)"
    pairs += [("R", f"np.sqrt({longest}.max())"), ("training_error", "((f(X) >= 0) != (y > 0)).mean()"),
              ("alpha", "counts")]
    if linear(fit):
        pairs.append(("w", "eta * theta[1:]" if fit.space.constant else "eta * theta"))
    if fit.space.constant:
        pairs.append(("b", "eta * theta[0] * X_[0, 0]" if linear(fit) else
                      "eta * constant * ((counts + start) * y).sum()"))
    return shown(*pairs)


def _margin(fit: Any) -> str:
    said = comment(say("The largest margin gamma of a unit vector u through the origin of the space of the inputs with "
                       "their constant, and the largest k with u.theta_0 + k eta gamma <= ||theta_k||: the bound on "
                       "the number of updates."))
    gram, longest = ("X_ @ X_.T", "(X_**2).sum(axis=1).max()") if linear(fit) else ("K", "np.diag(K).max()")
    lines = f"""{said}
Q = y[:, None] * ({gram}) * y
z = solve(Q, -np.ones(len(y)), np.zeros(len(y)), np.inf)
gamma = 1 / np.sqrt(z @ Q @ z)
R2 = {longest}
"""
    if not fit.space.start:
        return f"{lines}bound = R2 / gamma**2"
    if linear(fit):
        lines += "along, norm2 = gamma * (z * y) @ X_ @ start, start @ start\n"
    else:
        lines += "along, norm2 = gamma * start * (Q @ z).sum(), start**2 * Q.sum()\n"
    return lines + """half = R2 - 2 * along * gamma
bound = (half + np.sqrt(half**2 + 4 * gamma**2 * (norm2 - along**2))) / (2 * gamma**2)"""
