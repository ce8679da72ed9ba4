"""What the scripts have in common: header, data, kernel, the places where they predict, and how they print."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from kernelplay import __version__
from kernelplay.i18n import Say, say, wrapped
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.written import functions, literal, unbracketed
from kernelplay.models.base import Array, Fit

WIDTH = 100  # characters of a line
FAR = 100  # times the extent of the inputs from the origin at which digits are lost
EPS, FINE = float(np.finfo(float).eps), 1e-7  # of a double; share of the range of f above which rounding is told of
SIDE = 5  # places along each side of the grid

SHOW = '''
def show(name, value):
    form = {"float_kind": "{:.10g}".format}
    print(f"{name}:", np.array2string(np.asarray(value), threshold=10**9, max_line_width=100, formatter=form))
'''


def comment(sentence: Say, indent: int = 0) -> str:
    """Return a sentence, in the language now in use, as lines of comment, each indented."""
    lines = wrapped(str(sentence), WIDTH - 2 - indent)  # a line break in the name of a scene must not end the comment
    return "\n".join(f"{' ' * indent}# {line}" for line in lines) or "#"


def header(fit: Fit, needs: Say, title: str = "") -> str:
    """Return the first lines: the name of the scene, what was fitted, what the script needs."""
    lines = [say("{title}", title=title)] if title.strip() else []
    lines += [fit.status(), needs, say("Written by kernelplay {version}.", version=__version__)]
    return "\n".join(map(comment, lines))


def blocks(*parts: str) -> str:
    """Return parts of a script one after another, definitions with the two empty lines that they are due."""
    text = ""
    defined = False
    for part in filter(None, (part.strip("\n") for part in parts)):
        defines = part.startswith(("def ", "class "))
        text += ("\n\n\n" if defines or defined else "\n\n") * bool(text) + part
        defined = defines
    return text + "\n"


def filled(lead: str, items: Iterable[str], end: str) -> str:
    """Return `lead`, the items separated by commas, and `end`, wrapped and indented below the opening bracket."""
    inside = textwrap.fill(", ".join(items), WIDTH - 2, initial_indent=lead, subsequent_indent=" " * len(lead),
                           break_long_words=False, break_on_hyphens=False)
    return (inside if inside.startswith(lead.rstrip()) else lead) + end


def array(name: str, values: Array | Sequence[float]) -> str:
    """Return `name = np.array([...])` with all digits of the values (n,) or (n, d)."""
    rows = np.asarray(values, dtype=float)
    if rows.ndim == 1:
        return filled(f"{name} = np.array([", map(number, rows.tolist()), "], float)")
    # no blanks within a row, so that it stays on one line
    items = ["[" + ",\u00a0".join(map(number, row)) + "]" for row in rows.tolist()]
    return filled(f"{name} = np.array([", items, "], float)").replace("\u00a0", " ")


def number(value: float) -> str:
    """Return the shortest literal of a number that reads back as the same; whole ones without a fraction."""
    if value == round(value) and abs(value) < 1e15 and not (value == 0 and np.signbit(value)):
        return str(int(value))
    return repr(float(value))


def data(fit: Fit, classes: Mapping[Any, str]) -> str:
    """Return X, y and, with classes, what their numbers stand for; `classes` names the labels that have names."""
    called = [classes.get(label, str(label)) for label in fit.labels]
    names = ", ".join(called)
    if not fit.labels:
        said = say("The points: inputs X and targets y.")
    elif len(fit.labels) == 1:
        said = say("The points: inputs X and classes y; all of them are of class {names}.", names=names)
    elif len(fit.labels) == 2:
        said = say("The points: inputs X and classes y; +1 is class {first}, −1 is class {second}.",
                   first=called[0], second=called[1])
    else:
        said = say("The points: inputs X and classes y, positions in this list: {names}.", names=names)
    return f"{comment(said)}\n{array('X', fit.X)}\n{array('y', fit.y)}"


def kernel_source(kernel: Kernel, middle: bool = False) -> list[str]:
    """Return the definition of `kernel(X, Z)` and, before it, of the functions that it calls; middle: of inputs less
    `middle`, defined before all.

    Raises SpecError where a kernel cannot be written down.
    """
    formula = " ".join(f"k(x, x′) = {kernel.formula}".split())
    inputs = ("(X - middle)", "(Z - middle)") if middle else ("X", "Z")
    body = f"return {unbracketed(kernel.python(*inputs))}"
    if len(body) > WIDTH - 4 and kernel.key == "sum":
        parts = [unbracketed(part.python(*inputs)) for part in kernel.get("of")]
        body = "return (" + "\n            + ".join(parts) + ")"
    before = []
    if middle:
        said = say("Far from the origin x·x′ would lose the digits that tell the points apart. With an offset b, a "
                   "kernel of the inputs less their mean has the same f.")
        before = [f"{comment(said)}\nmiddle = X.mean(axis=0)"]
    return [*before, *functions(kernel), f"def kernel(X, Z):  # {formula}\n    {body}\n"]


def far(X: Array) -> bool:
    """Return whether the inputs (n, d) lie so far from the origin that squares of theirs lose their digits."""
    return bool(np.abs(X.mean(axis=0)).max() > FAR * np.ptp(X, axis=0).max())


def centred(fit: Any) -> bool:
    """Return whether the script for `fit` takes the mean off the inputs: its model has an offset, which makes up for
    it."""
    return fit.model.key in ("svm", "svr") and _affine(fit.kernel) and far(fit.X)


def _affine(kernel: Kernel) -> bool:
    """Return whether k(x, x') = x·(a x') + c: moving all inputs changes it by what an offset makes up for."""
    if kernel.key in ("linear", "constant"):
        return True
    if kernel.key == "scale":
        return _affine(kernel.get("of"))
    return kernel.key == "sum" and all(map(_affine, kernel.get("of")))


def seen_kernel(fit: Any) -> Array:
    """Return the kernel matrix (n, n) as the script of `fit` computes it."""
    X = fit.X - fit.X.mean(axis=0) if centred(fit) else fit.X
    return np.asarray(fit.kernel(X, X))


def offset(fit: Any) -> str:
    """Return the expression for b, the offset that belongs to the kernel of the inputs as they are."""
    return "f(np.zeros((1, X.shape[1])))[0]" if centred(fit) else "b"


def given_offset(fit: Any, K: Array, coef: Array) -> float:
    """Return b for the kernel matrix K (n, n) of the script, with the coefficients (n,) of the fit."""
    return float(np.median(fit.f_train - K @ coef)) if centred(fit) else float(fit.b)


def rounding(fit: Any, K: Array, beta: Array, eps: float) -> float:
    """Return what a relative error `eps` in the entries of K (n, n) can do to f at a point, relative to half the range
    of f; beta (n,)."""
    root = np.sqrt(np.abs(np.diag(K)))
    return eps * float(root.max() * (np.abs(beta) @ root)) / _reach(fit)


def _reach(fit: Any) -> float:
    """Return half the range of f, or 1 where it is flat."""
    return float(max(np.ptp(fit.y), np.ptp(fit.f_train))) / 2 or 1.0


def loss(fit: Any, beta: Array, points: str = "", weights: str = "") -> str:
    """Return the lines that print what rounding may do to f, where that is more than FINE of its range; "" elsewhere.

    beta (n,): coefficients of the points; points, weights: the names of the inputs and coefficients in the script;
    without them it prints what was found here.
    """
    share = rounding(fit, seen_kernel(fit), beta, EPS)
    if not share > FINE:
        return ""
    said = say("The coefficients are so large that rounding alone can change f by {share} times its range: "
               "another machine may print other digits.", share=share)
    if not points:
        return f'{comment(said)}\nshow("rounding_of_f", {literal(float(f"{share * _reach(fit):.4g}"))})'
    return f"""{comment(said)}
root = np.sqrt(abs(np.diag(kernel({points}, {points}))))
show("rounding_of_f", np.finfo(float).eps * root.max() * (abs({weights}) @ root))"""


def places(X: Array) -> Array:
    """Return the inputs (m, d) beside X (n, d) at which the scripts predict: a small grid, or middles of points."""
    low, high = X.min(axis=0), X.max(axis=0)
    if X.shape[1] == 1:
        return np.asarray(low + (high - low) * np.arange(2 * SIDE - 1)[:, None] / (2 * SIDE - 2))
    if X.shape[1] == 2:
        steps = np.array([(a, b) for b in range(SIDE) for a in range(SIDE)]) / (SIDE - 1)
        return np.asarray(low + (high - low) * steps)
    return np.asarray((X + np.roll(X, 1, axis=0))[:SIDE] / 2)


def places_source(X: Array) -> str:
    """Return the lines that make the same places, Z."""
    ends = "low, high = X.min(axis=0), X.max(axis=0)\n"
    if X.shape[1] == 1:
        return (f"{comment(say('Places beside the points: from the smallest to the largest input.'))}\n{ends}"
                f"Z = low + (high - low) * np.arange({2 * SIDE - 1})[:, None] / {2 * SIDE - 2}")
    if X.shape[1] == 2:
        return (f"{comment(say('Places beside the points: a grid over the rectangle that holds them, row by row.'))}\n"
                f"{ends}Z = low + (high - low) * np.array([(a, b) for b in range({SIDE}) for a in range({SIDE})])"
                f" / {SIDE - 1}")
    return (f"{comment(say('Places beside the points: middles between some of them.'))}\n"
            f"Z = (X + np.roll(X, 1, axis=0))[:{SIDE}] / 2")


def shown(*pairs: tuple[str, Any]) -> str:
    """Return the lines that print values by name."""
    return "\n".join(f'show("{name}", {value})' for name, value in pairs)


def distinct(fit: Any) -> str:
    """Return the lines that take repeated points once, where the system of `fit` does; else the plain ones."""
    if len(fit.system.t) == len(fit.X):
        return "points, t = X, y"
    said = comment(say("Without a number on the diagonal repeated points count once."))
    return (f"{said}\nonce = np.sort(np.unique(np.column_stack([X, y]), axis=0, return_index=True)[1])\n"
            "points, t = X[once], y[once]")
