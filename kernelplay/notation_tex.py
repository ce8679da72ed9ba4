"""Formulas as LaTeX, from the tree of their notation: "½‖w‖²" is \\tfrac{1}{2} \\lVert \\mathbf{w} \\rVert^{2}."""

from __future__ import annotations

from kernelplay.kernels.written import ESCAPED, LETTERS
from kernelplay.notation import (
    ACCENTS,
    HALVES,
    HIGH,
    LOW,
    Fenced,
    Letter,
    Node,
    Number,
    Over,
    Root,
    Row,
    Scripted,
    Sign,
    Space,
    Word,
    inside,
    is_bold,
    read,
    vectors,
)

_SIGNS = {"ξ": r"\xi", "ψ": r"\psi", "ρ": r"\rho", "τ": r"\tau", "ω": r"\omega", "κ": r"\kappa", "δ": r"\delta",
          "≠": r"\ne", "←": r"\leftarrow", "→": r"\to", "⇒": r"\Rightarrow", "~": r"\sim", "∈": r"\in", "±": r"\pm",
          "≈": r"\approx", "⊤": r"\top", "|": r"\mid", "−": "-"} | LETTERS
_FENCES = {"(": (r"\left(", r"\right)"), "[": (r"\left[", r"\right]"), "{": (r"\left\{", r"\right\}"),
           "|": (r"\lvert", r"\rvert"), "‖": (r"\lVert", r"\rVert")}
_NAMED = frozenset({"exp", "tanh", "sin", "cos", "ln", "log", "min", "max"})


def tex(line: str, among: tuple[str, ...] = ()) -> str:
    """Return a formula as LaTeX; among: the lines it belongs to, which show what is a vector."""
    return " ".join(_row(read(line), vectors(among or (line,))).split())


def _row(row: Row, known: frozenset[str]) -> str:
    items = row.items
    return " ".join(_node(node, items[k + 1] if k + 1 < len(items) else None, known) for k, node in enumerate(items))


def _node(node: Node, after: Node | None, known: frozenset[str]) -> str:
    if isinstance(node, Scripted):
        base = _letter(node.base, is_bold(node, after, known)) if isinstance(node.base, Letter) else \
            _node(node.base, after, known)
        low, high = (" ".join("".join(_sign(signs.get(letter, letter)) for letter in run).split())
                     for signs, run in ((LOW, node.low), (HIGH, node.high.replace("′", ""))))
        primes = "'" * node.high.count("′")
        if primes and high:
            primes, high = "", rf"\prime {high}"
        return base.rstrip() + primes + (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    if isinstance(node, Letter):
        return _letter(node, is_bold(node, after, known))
    if isinstance(node, Number):
        above, below = HALVES.get(node.text, ("", ""))
        return rf"\tfrac{{{above}}}{{{below}}}" if above else node.text
    if isinstance(node, Word):
        return f"\\{node.text}" if node.text in _NAMED else rf"\operatorname{{{node.text}}}"
    if isinstance(node, Space):
        return r"\quad" if len(node.text) > 1 else ""
    if isinstance(node, Fenced):
        tall = any(isinstance(item, Over) for row in inside(node.body) for item in row.items)
        opens, closes = _FENCES[node.opens] if tall or node.opens not in "([" else (node.opens, node.closes)
        return f"{opens} {_row(node.body, known)} {closes}"
    if isinstance(node, Over):
        return rf"\frac{{{_bare(node.above, known)}}}{{{_bare(node.below, known)}}}"
    if isinstance(node, Root):
        return rf"\sqrt{{{_bare(Row((node.body,)), known)}}}"
    return _sign(node.text) if isinstance(node, Sign) else _row(node, known)


def _bare(row: Row, known: frozenset[str]) -> str:
    """Return a row without the brackets that a bar makes needless."""
    held = row.items[0] if len(row.items) == 1 else None
    return _row(held.body if isinstance(held, Fenced) and held.opens == "(" else row, known)


def _letter(letter: Letter, bold: bool) -> str:
    plain = _SIGNS.get(letter.text[0], letter.text[0])
    made = plain if not bold else rf"\boldsymbol{{{plain}}}" if plain.startswith("\\") else rf"\mathbf{{{plain}}}"
    for accent in letter.text[1:]:
        made = rf"\{ACCENTS[accent]}{{{made}}}"
    return made


def _sign(sign: str) -> str:
    made = _SIGNS.get(sign, ESCAPED.get(sign, sign))
    return made + " " if made.startswith("\\") else made
