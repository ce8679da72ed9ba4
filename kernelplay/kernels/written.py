"""Kernels written down for other programs: as an expression of NumPy, and as LaTeX.

A kernel gives both in its own file (`Kernel.python`, `Kernel.latex`). One that does not is still written: its Python is
taken from the source of its `__call__`, with the numbers in place of its parameters, and its LaTeX from its formula in
Unicode.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.spec import Child, Spec

if TYPE_CHECKING:
    from kernelplay.kernels.base import Kernel

SQUARED_DISTANCES = """
def squared_distances(X, Z):
    return ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
"""


def literal(value: Any) -> str:
    """Return the Python literal of a parameter, all digits kept: 2.0, "bump", [[2.0, 1.0], [1.0, 3.0]]."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(float(value)) if isinstance(value, float) else repr(value)


def within(kernel: Spec) -> Iterator[Spec]:
    """Give a kernel and all kernels it holds, itself first."""
    yield kernel
    for name, param in kernel.params().items():
        if isinstance(param, Child):
            value = getattr(kernel, name)
            for held in value if param.many else (value,):
                yield from within(held)


def functions(kernel: Kernel) -> list[str]:
    """Return the source of the functions that `kernel.python` calls, each once, in the order of their use."""
    found: list[str] = []
    for part in within(kernel):
        found += [source for source in part.needs() if source not in found]  # type: ignore[attr-defined]
    return found


def unbracketed(expression: str) -> str:
    """Return the expression without brackets about the whole of it."""
    if not (expression.startswith("(") and expression.endswith(")")):
        return expression
    depth = 0
    for place, letter in enumerate(expression):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and place < len(expression) - 1:
            return expression
    return expression[1:-1]


def from_source(kernel: Kernel) -> str:
    """Return `def <key>_kernel(X, Z)` made of the source of the kernel's `__call__`, its numbers in place of its
    parameters; raises SpecError where that is no plain formula of NumPy."""
    refused = SpecError(say("The kernel {name} cannot be exported as a script: its file gives no Python formula.",
                            name=kernel.key), "kernel")
    call = type(kernel).__call__
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(call)))
    except (OSError, TypeError, SyntaxError):
        raise refused from None
    [function] = tree.body
    if not isinstance(function, ast.FunctionDef) or len(function.args.args) != 3:
        raise refused
    if any(isinstance(param, Child) for param in kernel.params().values()):
        raise refused
    own, *inputs = (argument.arg for argument in function.args.args)

    class Numbers(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            if isinstance(node.value, ast.Name) and node.value.id == own:
                if node.attr not in kernel.params():
                    raise refused
                return ast.copy_location(ast.parse(literal(getattr(kernel, node.attr)), mode="eval").body, node)
            return self.generic_visit(node)

        def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
            assert node.value is not None
            return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    function.name, function.decorator_list, function.returns = f"{kernel.key}_kernel", [], None
    function.args.args = [ast.arg(name) for name in inputs]
    made = ast.fix_missing_locations(Numbers().visit(function))
    stored = {node.id for node in ast.walk(made) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    stored |= {argument.arg for node in ast.walk(made) if isinstance(node, ast.arguments) for argument in node.args}
    for node in ast.walk(made):
        if isinstance(node, ast.Name) and node.id not in stored | {"np", "math"} and not hasattr(builtins, node.id):
            raise refused
    return "\n" + ast.unparse(made) + "\n"


LETTERS = {"α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "ε": r"\varepsilon", "η": r"\eta", "θ": r"\theta",
           "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "π": r"\pi", "σ": r"\sigma", "φ": r"\phi", "ℓ": r"\ell",
           "Σ": r"\sum", "·": r"\cdot", "−": "-", "′": "'", "√": r"\surd", "‖": r"\Vert", "≤": r"\le", "≥": r"\ge",
           "∞": r"\infty", "∂": r"\partial", "×": r"\times"}
_LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉ₙₘⱼᵢ", "0123456789nmji", strict=True))
_HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀᴹᵅ", (*"0123456789-", r"\top", "M", r"\alpha"), strict=True))
ESCAPED = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
           "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}


def tex(text: str) -> str:
    """Return a formula or symbol in Unicode as LaTeX: "σ²" is \\sigma^{2}, "c₀" is c_{0}."""
    parts = []
    for run in re.findall(f"[{''.join(_LOW)}]+|[{''.join(_HIGH)}]+|[A-Za-z]{{2,}}|.", text, re.DOTALL):
        if run[0] in _LOW:
            parts.append("_{" + "".join(_LOW[letter] for letter in run) + "}")
        elif run[0] in _HIGH:
            parts.append("^{" + " ".join(_HIGH[letter] for letter in run).replace(" ", "") + "}")
        elif run in ("exp", "tanh", "sin", "cos"):
            parts.append(f"\\{run} ")
        elif len(run) > 1:
            parts.append(rf"\operatorname{{{run}}}")
        else:
            letter = LETTERS.get(run, ESCAPED.get(run, run))
            parts.append(letter + " " if letter[-1:].isalpha() and letter.startswith("\\") else letter)
    return "".join(parts).strip()


def tex_number(value: float, digits: int = 6) -> str:
    """Return a number as LaTeX with `digits` significant digits: 0.25, -3, 4.1 \\cdot 10^{-7}, \\infty."""
    if not math.isfinite(value):
        return r"\text{--}" if math.isnan(value) else r"-\infty" if value < 0 else r"\infty"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if value == 0 or -5 < int(exponent) < digits:
        shown = f"{value:.{max(0, digits - 1 - int(exponent))}f}" if value else "0"
        return shown.rstrip("0").rstrip(".") if "." in shown else shown
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = f"10^{{{int(exponent)}}}"
    return {"1": power, "-1": f"-{power}"}.get(mantissa, rf"{mantissa} \cdot {power}")


@dataclass(frozen=True)
class Spelling:
    """How the parameters of a kernel stand in its LaTeX: as symbols, numbered where several kernels share one, or as
    `numbers`. `define` takes what a formula only names: the basis functions, the weight f."""

    kernel: Kernel
    numbers: bool = False
    definitions: list[str] = field(default_factory=list)

    def __call__(self, part: Kernel, name: str) -> str:
        """Return how the parameter `name` of `part`, a kernel within the whole one, is written."""
        value = getattr(part, name)
        if self.numbers and isinstance(value, (int, float)):
            return tex_number(float(value))
        return self.symbol(part, name)

    def symbol(self, part: Kernel, name: str) -> str:
        """Return the symbol of a parameter: \\gamma, or \\gamma_{2} where it is the second of several."""
        base = tex(part.param(name).symbol or name)
        sharing = [id(other) for other in within(self.kernel)
                   if any(tex(param.symbol or key) == base for key, param in other.shown().items())]
        if len(set(sharing)) < 2 or id(part) not in sharing:  # one that does not matter now has no number
            return base
        place = list(dict.fromkeys(sharing)).index(id(part)) + 1
        return f"{base}_{{{place}}}" if "_" not in base else re.sub(r"_\{(\w+)\}", rf"_{{\1,{place}}}", base)

    def define(self, definition: str) -> None:
        """Take note of a definition that belongs below the formula."""
        if definition not in self.definitions:
            self.definitions.append(definition)

    def values(self) -> list[tuple[str, str]]:
        """Return (symbol, value) of every number and matrix of the kernel, in order."""
        found: list[tuple[str, str]] = []
        for part in within(self.kernel):
            for name in part.shown():
                value = getattr(part, name)
                if isinstance(value, (int, float)):
                    shown = tex_number(float(value))
                elif isinstance(value, tuple) and value and isinstance(value[0], tuple):
                    shown = tex_matrix(value)
                else:
                    continue
                pair = (self.symbol(part, name), shown)  # type: ignore[arg-type]
                if pair not in found:
                    found.append(pair)
        return found


def tex_matrix(rows: tuple[tuple[float, ...], ...]) -> str:
    """Return a matrix as LaTeX."""
    return r"\begin{pmatrix} " + r" \\ ".join(" & ".join(map(tex_number, row)) for row in rows) + r" \end{pmatrix}"


def tex_bracketed(part: Kernel, x: str, z: str, put: Spelling) -> str:
    """Return the LaTeX of a part of a product, in brackets if it is a sum."""
    formula = part.latex(x, z, put)
    return formula if part.binding else rf"\left({formula}\right)"
