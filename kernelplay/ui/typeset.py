"""Formulas set like in a book (one file: a method for each thing of a tree).

The tree of `notation` becomes glyphs and bars in their places, by the rules of TeX (The
TeXbook, appendix G) with the numbers of the face's own MATH table. Lengths are in units of the em until it is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from kernelplay.notation import (
    ACCENTS,
    BINARY,
    HALVES,
    HIGH,
    LOW,
    RELATIONS,
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
    bare,
    is_bold,
)
from kernelplay.ui.math_face import Glyph, face

Style = Literal[0, 1, 2, 3]  # display, text, script, script of a script
Kind = Literal["ord", "op", "bin", "rel", "open", "close", "punct", "inner"]
THIN, MEDIUM, THICK, QUAD = 3 / 18, 4 / 18, 5 / 18, 1.0
# of the TeXbook, page 170: blanks between neighbours; those in capitals fall away in scripts
_KINDS: tuple[Kind, ...] = ("ord", "op", "bin", "rel", "open", "close", "punct", "inner")
_BLANKS = dict(zip(_KINDS, ("- t M K - - - T", "t t - K - - - T", "M M - - M - - M", "K K - - K - - K",
                            "- - - - - - - -", "- t M K - - - T", "T T - T T T T T", "T t M K T - T T"), strict=True))
_WIDTHS = {"-": 0.0, "t": THIN, "T": THIN, "M": MEDIUM, "K": THICK}
_LATIN_ITALIC, _LATIN_BOLD = 0x1D434, 0x1D400
_GREEK_ITALIC, _GREEK_BOLD = 0x1D6E2, 0x1D71C
_SIGNS = {"·": "⋅", "~": "∼", "-": "−", "|": "∣"}


@dataclass(frozen=True)
class Piece:
    """A glyph (`index`), or a bar (`index` -1, of `width` and `height`), with its left end on the line at (x, y); y
    counts downwards from the line of writing; `size` is that of the glyph in units of the em."""

    index: int
    x: float
    y: float
    size: float
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True)
class Box:
    """Something that is set: how wide it is, how far it goes above and below the line of writing, what it is made of:
    its `own` pieces, and the boxes `inside` it at their places, which are not copied however deep they lie.
    `core` and `foot` are height and depth without what stands out of the line as scripts do, and count for brackets;
    `lean` is how far a slanted letter at its end reaches over a subscript, `top` where an accent stands."""

    width: float
    height: float
    depth: float
    own: tuple[Piece, ...]
    core: float
    foot: float
    lean: float = 0.0
    top: float = 0.0
    inside: tuple[tuple[float, float, Box], ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All of its pieces, those of the boxes in it too."""
        return tuple(self._moved(0.0, 0.0))

    def _moved(self, x: float, y: float) -> Iterator[Piece]:
        for piece in self.own:
            yield Piece(piece.index, piece.x + x, piece.y + y, piece.size, piece.width, piece.height)
        for right, down, box in self.inside:
            yield from box._moved(x + right, y + down)


EMPTY = Box(0.0, 0.0, 0.0, (), 0.0, 0.0)


def beside(boxes: Sequence[tuple[float, Box]]) -> Box:
    """Return boxes beside one another, each after a blank."""
    x = 0.0
    inside: list[tuple[float, float, Box]] = []
    for blank, box in boxes:
        inside.append((x + blank, 0.0, box))
        x += blank + box.width
    high, deep, core, foot = (max((getattr(box, name) for _, box in boxes), default=0.0)
                              for name in ("height", "depth", "core", "foot"))
    return Box(x, high, deep, (), core, foot, inside=tuple(inside))


def size_of(style: Style) -> float:
    """Return the size of letters in a style."""
    return 1.0 if style < 2 else face().script if style == 2 else face().script_script


@dataclass(frozen=True)
class Setter:
    """Sets trees, in display style with fractions upright and limits below the sum, or in the style of running text;
    `known` are the letters that are vectors. What it has set once it remembers, for the other widths of a line."""

    known: frozenset[str]
    _set: dict[tuple[object, ...], tuple[object, Box]] = field(default_factory=dict, compare=False, repr=False)

    def atoms(self, row: Row, style: Style) -> list[tuple[Kind, float, Box, Node]]:
        """Return (kind, blank before it, box, node) of everything in a row."""
        found: list[tuple[Kind, float, Box, Node]] = []
        blank = ""
        items = row.items
        for place, node in enumerate(items):
            if isinstance(node, Space):
                blank = node.text
                continue
            after = items[place + 1] if place + 1 < len(items) else None
            before = next((item for item in reversed(items[:place]) if not isinstance(item, Space)), None)
            box = self.node(node, style, after, before)
            kind = kind_of(node, style)
            last = found[-1][0] if found else None
            if kind == "bin" and (last in (None, "bin", "op", "rel", "open", "punct") or after is None):
                kind = "ord"
            if kind in ("rel", "close", "punct") and last == "bin":
                found[-1] = ("ord", *found[-1][1:])
            space = 0.0 if last is None else self.blank(last, left_of(node, kind), style)
            if len(blank) > 1 and last is not None:
                space = max(space, QUAD)
            elif blank and last == "op" and space == 0.0:
                space = THIN
            found.append((kind, space, box, node))
            blank = ""
        return found

    def blank(self, left: Kind, right: Kind, style: Style) -> float:
        """Return the blank between two neighbours."""
        letter = _BLANKS[left].split()[_KINDS.index(right)]
        return 0.0 if style >= 2 and letter.isupper() else _WIDTHS[letter] * size_of(style)

    def row(self, row: Row, style: Style) -> Box:
        """Return a row on one line."""
        return beside([(blank, box) for _, blank, box, _ in self.atoms(row, style)])

    def node(self, node: Node, style: Style, after: Node | None = None, before: Node | None = None) -> Box:
        """Return one thing; `after` and `before` are its neighbours."""
        key = (id(node), style, id(after), id(before))  # to hash a tree means to go through all of it, at every node
        if key not in self._set:
            self._set[key] = ((node, after, before), self._node(node, style, after, before))  # kept: so is the id
        return self._set[key][1]

    def _node(self, node: Node, style: Style, after: Node | None, before: Node | None) -> Box:
        base = bare(before) if before is not None else None
        if isinstance(node, Fenced) and isinstance(base, Letter) and base.text == "N" and str(node).startswith("(0,"):
            return Setter(self.known | {"0"}).fenced(node, style)  # the mean of a vector is a vector
        if isinstance(node, Scripted):
            return self.scripted(node, style, after)
        if isinstance(node, Letter):
            return self.letter(node, style, after, node, before)
        if isinstance(node, Number):
            if node.text in HALVES:
                above, below = HALVES[node.text]
                return fraction(word(above, 2), word(below, 2), 1)
            return word("𝟎" if node.text in self.known else node.text, style)
        if isinstance(node, Word):
            return word(node.text, style)
        if isinstance(node, Sign):
            return self.sign(node, style)
        if isinstance(node, Fenced):
            return self.fenced(node, style)
        if isinstance(node, Over):
            return self.over(node, style)
        if isinstance(node, Root):
            return self.root(node, style)
        return self.row(node, style) if isinstance(node, Row) else EMPTY

    def letter(self, node: Letter, style: Style, after: Node | None, whole: Node, before: Node | None = None) -> Box:
        letter = node.text[0]
        if letter == "N" and isinstance(before, Sign) and before.text == "~":
            box = sign("𝒩", style)
        else:
            box = sign(styled(letter, is_bold(whole, after, self.known)), style)
        for accent in node.text[1:]:
            if accent in ACCENTS:
                box = accented(box, accent, style)
        return box

    def sign(self, node: Sign, style: Style) -> Box:
        if node.text == "Σ" and style == 0:
            grown = face().grown("∑", face().display_operator)
            if grown is not None:
                return centred(grown, 1.0)
        if node.text == "Σ":
            return sign("∑", style)
        return sign(_SIGNS.get(node.text, node.text), style)

    def fenced(self, node: Fenced, style: Style) -> Box:
        body = self.row(node.body, style)
        opens, closes = fences(node.opens, node.closes, body, style)
        pad = 0.06 * size_of(style) if node.opens in "|‖" else 0.0
        return beside([(0.0, opens), (pad, body), (pad, closes)])

    def over(self, node: Over, style: Style) -> Box:
        if style == 0:
            below = node.below
            if len(below.items) == 1 and isinstance(held := below.items[0], Fenced) and held.opens == "(":
                below = held.body
            above = node.above
            if len(above.items) == 1 and isinstance(held := above.items[0], Fenced) and held.opens == "(":
                above = held.body
            return fraction(self.row(above, 1), self.row(below, 1), 0)
        gap = THIN * size_of(style) if len(node.slash) > 1 else 0.0
        return beside([(0.0, self.row(node.above, style)), (gap, sign("/", style)),
                       (gap, self.row(node.below, style))])

    def root(self, node: Root, style: Style) -> Box:
        held = node.body
        body = self.row(held.body, style) if isinstance(held, Fenced) and held.opens == "(" else self.node(held, style)
        of, size = face().of, size_of(style)
        bar = of["radical_rule_thickness"] * size
        gap = of["radical_vertical_gap" if style else "radical_display_style_vertical_gap"] * size * 0.8
        need = body.height + body.depth + gap + bar
        glyph = face().grown("√", need / size)
        if glyph is None:
            return body
        high = (glyph.height + glyph.depth) * size
        gap += max(0.0, high - need) / 2
        top = -(body.height + gap + bar)  # of the bar
        own = (Piece(glyph.index, 0.0, top + glyph.height * size, size),
               Piece(-1, glyph.right * size - bar / 2, top, size, body.width + bar / 2 + 0.05 * size, bar))
        above, deep = -top + of["radical_extra_ascender"] * size / 2, max(body.depth, top + high)
        return Box(glyph.right * size + body.width + 0.05 * size, above, deep, own, above, deep,
                   inside=((glyph.right * size, 0.0, body),))

    def scripted(self, node: Scripted, style: Style, after: Node | None) -> Box:
        base_node = node.base
        base = self.letter(base_node, style, after, node) if isinstance(base_node, Letter) else \
            self.node(base_node, style)
        primes, high, low = node.high.count("′"), node.high.replace("′", ""), node.low
        inner: Style = 2 if style < 2 else 3
        if primes:
            mark = word("′" * primes, style)
            base = beside([(0.0, base), (base.lean, mark), (-0.05 * mark.height, EMPTY)])
        if is_sum(node) and style == 0 and not high:
            return below(base, self.script(low, inner))
        if primes and not high and not low:
            return base
        return scripts(base, self.script(low, inner) if low else None, self.script(high, inner) if high else None,
                       style, base.core > 0.95 * size_of(style))

    def script(self, run: str, style: Style) -> Box:
        """Return what a run of small letters stands for."""
        text = "".join(LOW.get(letter) or HIGH.get(letter, letter) for letter in run)
        return beside([(0.0, sign(styled(letter, False) if letter.isalpha() else letter, style)) for letter in text])


def kind_of(node: Node, style: Style) -> Kind:
    """Return the kind of a thing at its right end: what is in brackets ends as a bracket does."""
    base = bare(node)
    if isinstance(base, Sign):
        text = base.text
        if base.wide or text in RELATIONS:
            return "rel"
        if text in BINARY:
            return "bin"
        return "punct" if text in ",:;" else "op" if text == "Σ" else "ord"
    if isinstance(base, Word):
        return "op" if base.text.isascii() else "ord"
    if isinstance(base, Fenced):
        return "close"
    return "inner" if isinstance(base, Over) and style == 0 else "ord"


def left_of(node: Node, kind: Kind) -> Kind:
    """Return the kind of a thing at its left end."""
    return "open" if isinstance(bare(node), Fenced) else kind


def is_sum(node: Scripted) -> bool:
    """Whether it is a sum with its index."""
    return isinstance(node.base, Sign) and node.base.text == "Σ"


def styled(letter: str, bold: bool) -> str:
    """Return the mathematical form of a letter: slanted, or upright and bold for a vector or matrix."""
    code = ord(letter)
    if letter.isascii() and letter.isalpha():
        if letter == "h" and not bold:
            return "ℎ"
        place = code - 65 if code < 97 else code - 71
        return chr((_LATIN_BOLD if bold else _LATIN_ITALIC) + place)
    if 0x391 <= code <= 0x3A9:
        return chr(_GREEK_BOLD + code - 0x391) if bold else letter
    if 0x3B1 <= code <= 0x3C9:
        return chr((_GREEK_BOLD if bold else _GREEK_ITALIC) + 26 + code - 0x3B1)
    return chr(0x1D715) if letter == "∂" else letter


def of_glyph(glyph: Glyph, size: float, y: float = 0.0) -> Box:
    """Return one glyph as a box."""
    high, deep = glyph.height * size - y, glyph.depth * size + y
    return Box((glyph.advance + glyph.lean) * size, high, deep, (Piece(glyph.index, 0.0, y, size),), high, deep,
               glyph.lean * size, glyph.top * size)


@lru_cache(maxsize=1024)
def sign(letter: str, style: Style) -> Box:
    """Return one letter or sign; one that the face does not have is left out."""
    glyph = face().glyph(letter)
    return of_glyph(glyph, size_of(style)) if glyph is not None else EMPTY


@lru_cache(maxsize=1024)
def word(text: str, style: Style) -> Box:
    """Return upright letters beside one another."""
    return beside([(0.0, sign(letter, style)) for letter in text])


def centred(glyph: Glyph, size: float) -> Box:
    """Return a glyph with its middle on the axis, the height of a minus sign."""
    return of_glyph(glyph, size, ((glyph.height - glyph.depth) / 2 - face().of["axis_height"]) * size)


def fences(opens: str, closes: str, body: Box, style: Style) -> tuple[Box, Box]:
    """Return brackets or bars as high as what they hold."""
    size, axis = size_of(style), face().of["axis_height"] * size_of(style)
    reach = max(body.core - axis, body.foot + axis)
    need = 2 * reach * 0.901
    found = []
    for letter in (opens, closes):
        glyph = face().grown(letter, need / size)
        if letter in "|‖" and glyph is not None:
            found.append(bars(letter, max(reach, (glyph.height - axis / size) * size * 0.94), axis, size))
        elif glyph is None:
            found.append(EMPTY)
        elif glyph.index == (plain := sign(letter, style)).pieces[0].index:
            found.append(plain)
        else:
            found.append(centred(glyph, size))
    return found[0], found[1]


def bars(letter: str, reach: float, axis: float, size: float) -> Box:
    """Return | or ‖ as bars that reach as far above the axis as below."""
    thick, side, gap = 0.058 * size, 0.09 * size, 0.105 * size
    xs = [side] if letter == "|" else [side, side + thick + gap]
    pieces = tuple(Piece(-1, x, -axis - reach, size, thick, 2 * reach) for x in xs)
    return Box(xs[-1] + thick + side, axis + reach, reach - axis, pieces, axis + reach, reach - axis)


def fraction(above: Box, below: Box, style: Style) -> Box:
    """Return a fraction with a bar."""
    of = face().of
    axis, bar = of["axis_height"], of["fraction_rule_thickness"] * 0.9
    if style == 0:
        gap_up = gap_down = of["fraction_num_display_style_gap_min"]
        up, down = of["fraction_numerator_display_style_shift_up"], of["fraction_denominator_display_style_shift_down"]
    else:
        gap_up = gap_down = of["fraction_numerator_gap_min"] * 1.2
        up = down = 0.0
    up = max(up, axis + bar / 2 + gap_up + above.depth)
    down = max(down, -axis + bar / 2 + gap_down + below.height)
    over = 0.06
    width = max(above.width, below.width) + 2 * over
    side = 0.06
    inside = ((side + (width - above.width) / 2, -up, above), (side + (width - below.width) / 2, down, below))
    high, deep = up + above.height, down + below.depth
    return Box(width + 2 * side, high, deep, (Piece(-1, side, -axis - bar / 2, 1.0, width, bar),), high, deep,
               inside=inside)


def accented(base: Box, accent: str, style: Style) -> Box:
    """Return a letter with an accent."""
    glyph = face().glyph(accent)
    if glyph is None:
        return base
    size = size_of(style)
    lift = max(0.0, base.height - face().of["accent_base_height"] * size)
    x = base.top - glyph.top * size
    return Box(base.width, glyph.height * size + lift, base.depth, (Piece(glyph.index, x, -lift, size),),
               base.core, base.foot, base.lean, base.top, ((0.0, 0.0, base),))


def below(base: Box, limit: Box) -> Box:
    """Return a sum with its index below it."""
    of = face().of
    down = max(of["lower_limit_baseline_drop_min"] * 0.55, base.depth + of["lower_limit_gap_min"] * 0.8 + limit.height)
    width = max(base.width, limit.width)
    inside = (((width - base.width) / 2, 0.0, base), ((width - limit.width) / 2, down, limit))
    return Box(width, base.height, down + limit.depth, (), base.core, base.foot, inside=inside)


def scripts(base: Box, low: Box | None, high: Box | None, style: Style, tall: bool) -> Box:
    """Return something with a sub- and a superscript, above one another where there are both."""
    of, size = face().of, size_of(style)
    up = max(of["superscript_shift_up"] * size,
             base.height - of["superscript_baseline_drop_max"] * size if tall else 0.0)
    down = max(of["subscript_shift_down"] * size,
               base.depth + of["subscript_baseline_drop_min"] * size if tall else 0.0)
    if high is not None:
        up = max(up, high.depth + of["superscript_bottom_min"] * size)
    if low is not None:
        down = max(down, low.height - of["subscript_top_max"] * size)
    if low is not None and high is not None:
        short = of["sub_superscript_gap_min"] * size - ((up - high.depth) - (low.height - down))
        down += max(0.0, short)
    inside, width, height, depth = [(0.0, 0.0, base)], base.width, base.height, base.depth
    if low is not None:
        at = base.width - base.lean
        inside.append((at, down, low))
        width, depth = max(width, at + low.width), max(depth, down + low.depth)
    if high is not None:
        inside.append((base.width, -up, high))
        width, height = max(width, base.width + high.width), max(height, up + high.height)
    return Box(width + of["space_after_script"] * size, height, depth, (), base.core, base.foot, inside=tuple(inside))
