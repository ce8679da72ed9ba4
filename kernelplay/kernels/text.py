"""Kernels as text: `rbf(gamma=2) + 0.5*linear() * periodic(period=2)`, read with Python's syntax tree, never run.

A kernel is written as a call with its parameters by name, the kernels it holds come first: `warp(rbf(), by="polar")`.
`+` and `*` stand for sum and product, a number times a kernel for `scale`, a number in a sum for `constant`. As in
Python a number belongs to what stands next to it: `0.5*a*b` is the product of `0.5*a` and `b`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say
from kernelplay.kernels.base import Kernel
from kernelplay.spec import Child, Matrix, build, kinds

Plain = dict[str, Any]  # a kernel as plain data: {"name": "rbf", "gamma": 2.0}

_TYPED = str.maketrans({"−": "-", "·": "*", "×": "*", "\n": " ", "\r": " ", "\t": " "})
_LONGEST = 10_000


def read(text: str) -> Kernel:
    """Return the kernel that `text` stands for; raise SpecError with the place of what cannot be read."""
    source = text.strip().translate(_TYPED)
    if not source:
        raise SpecError(say("The kernel is empty: write one such as {example}.", example="rbf(gamma=2)"), "kernel")
    if len(source) > _LONGEST:
        raise SpecError(say("The kernel text has {n} characters; the limit is {most}.", n=len(source),
                            most=_LONGEST), "kernel")
    try:
        tree = ast.parse(source, mode="eval").body
        plain = _Reader(source).kernel(tree)
        kernel: Kernel = build("kernel", plain, "kernel")
    except SyntaxError as error:
        place = min(max(error.offset or 1, 1), len(source))
        raise _at(source, place, say("check brackets, commas and names; write it as in {example}",
                                     example="rbf(gamma=2) + 0.5*linear()")) from None
    except (RecursionError, MemoryError, ValueError) as error:
        if isinstance(error, SpecError):
            raise
        raise _at(source, 1, say("it is nested too deeply or contains an invalid character")) from None
    return kernel


def _at(source: str, place: int, why: Say) -> SpecError:
    rest = source[place - 1:]
    return SpecError(say("The kernel is not valid at character {place}, “{rest}”: {why}.", place=place,
                         rest=rest if len(rest) <= 30 else rest[:29] + "…", why=why), "kernel")


class _Reader:
    """From the syntax tree to plain data, which `build` then checks, naming the path of what is wrong."""

    def __init__(self, source: str) -> None:
        self.source = source

    def wrong(self, node: ast.AST, why: Say) -> SpecError:
        before = self.source.encode()[:node.col_offset]  # type: ignore[attr-defined]
        return _at(self.source, len(before.decode(errors="ignore")) + 1, why)

    def kernel(self, node: ast.expr) -> Plain:
        value = self.value(node)
        return value if isinstance(value, dict) else {"name": "constant", "value": value}

    def value(self, node: ast.expr) -> Plain | float:
        """Return a kernel as plain data, or a number that multiplies one."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return {"name": "sum", "of": [self.kernel(part) for part in _chain(node)]}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return self.product([self.value(part) for part in _chain(node)])
        number = _number(node)
        if number is not None:
            return number
        if isinstance(node, ast.Name):
            return {"name": node.id}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node, node.func.id)
        if isinstance(node, ast.BinOp | ast.UnaryOp):
            place = node.right if isinstance(node, ast.BinOp) else node
            raise self.wrong(place, say("kernels can only be combined with + and *, and multiplied by numbers"))
        raise self.wrong(node, say("a kernel such as {example} is expected here", example="rbf(gamma=2)"))

    @staticmethod
    def product(parts: list[Plain | float]) -> Plain | float:
        result, *others = parts
        growing = False  # whether `result` is the product that this chain has begun, to which more may be added
        for part in others:
            if isinstance(result, dict) and isinstance(part, dict):
                result = {"name": "product", "of": [*(result["of"] if growing else [result]), part]}
                growing = True
            elif isinstance(result, dict) or isinstance(part, dict):
                kernel, factor = (result, part) if isinstance(result, dict) else (part, result)
                result = {"name": "scale", "factor": factor, "of": kernel}
                growing = False
            else:
                result = result * part
        return result

    def call(self, node: ast.Call, name: str) -> Plain:
        known = kinds("kernel")
        if name not in known:
            build("kernel", {"name": name}, "kernel")  # raises, naming what is near
        params = known[name].params()
        plain: Plain = {"name": name}
        slots = [key for key, param in params.items() if isinstance(param, Child)]
        if node.args:
            if not slots:
                raise self.wrong(node.args[0], say("write the parameters of {name} by name: {names}", name=name,
                                                   names=", ".join(f"{key}=…" for key in params)))
            many = params[slots[0]].many
            if len(node.args) > 1 and not many:
                raise self.wrong(node.args[1], say("{name} takes one kernel; write its other "
                                                   "parameters by name", name=name))
            held = [self.kernel(part) for part in node.args]
            plain[slots[0]] = held if many else held[0]
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.wrong(keyword.value, say("write the parameters of {name} by name: {names}", name=name,
                                                    names=", ".join(f"{key}=…" for key in params)))
            if keyword.arg in plain:
                raise self.wrong(keyword, say("{name} is given twice", name=keyword.arg))
            plain[keyword.arg] = self.parameter(keyword.value, params, keyword.arg)
        return plain

    def parameter(self, node: ast.expr, params: Mapping[str, Any], key: str) -> Any:
        if isinstance(params.get(key), Child):
            if isinstance(node, ast.List | ast.Tuple):
                return [self.kernel(part) for part in node.elts]
            return self.kernel(node)
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bool):
            return node.value
        if isinstance(node, ast.List | ast.Tuple) and isinstance(params.get(key), Matrix):
            return [self.parameter(item, params, key) for item in node.elts]
        number = _number(node)
        if number is None:
            raise self.wrong(node, say("the value of {name} must be a number, a word or a matrix", name=key))
        return number


def _chain(node: ast.BinOp) -> list[ast.expr]:
    """Return the operands of a + b + c; (a + b) + c, with brackets, has two."""
    left, parts = node.left, [node.right]
    # a bracket makes the whole begin before its left operand
    while isinstance(left, ast.BinOp) and type(left.op) is type(node.op) and left.col_offset == node.col_offset:
        parts.append(left.right)
        left = left.left
    return [left, *reversed(parts)]


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inside = _number(node.operand)
        return inside if inside is None or isinstance(node.op, ast.UAdd) else -inside
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # type: ignore[arg-type]
    return None


def write(kernel: Kernel) -> str:
    """Return the text that `read` turns into an equal kernel; parameters at their default are left out."""
    if kernel.key == "sum":
        return " + ".join(_inside(part, ("sum",)) for part in kernel.get("of"))
    if kernel.key == "product":
        first, *others = kernel.get("of")
        return " * ".join([_inside(first, ("sum", "product")),
                           *(_inside(part, ("sum", "product", "scale")) for part in others)])
    if kernel.key == "scale":
        return f"{_literal(kernel.get('factor'))}*{_inside(kernel.get('of'), ('sum', 'product', 'scale'))}"
    held: list[str] = []
    named: list[str] = []
    for name, param in kernel.params().items():
        value = getattr(kernel, name)
        if isinstance(param, Child) and not held and not named:
            held = [write(part) for part in (value if param.many else (value,))]
        elif isinstance(param, Child):
            named.append(f"{name}=" + (f"[{', '.join(map(write, value))}]" if param.many else write(value)))
        elif value != param.default:
            named.append(f"{name}={_literal(value)}")
    return f"{kernel.key}({', '.join(held + named)})"


def _inside(part: Kernel, bracketed: tuple[str, ...]) -> str:
    return f"({write(part)})" if part.key in bracketed else write(part)


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_literal, value)) + "]"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return f'"{value}"' if isinstance(value, str) else repr(value)
