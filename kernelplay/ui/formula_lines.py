"""Formulas on as many lines as the room asks for, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QGlyphRun, QPainter

from kernelplay.notation import Fenced, Node, Over, Row, Scripted, Sign, bare, read, vectors
from kernelplay.ui.math_face import face
from kernelplay.ui.typeset import QUAD, Box, Kind, Setter, Style, beside, fences, scripts

Atom = tuple[Kind, float, Box, Node]
INDENT = 1.2  # of a line that goes on
LEADING, LEAST = 0.34, 1.42  # between two lines, and from one line of writing to the next


@dataclass(frozen=True, eq=False)
class Setting:
    """Boxes at their places in pixels: `line` is how far below the top the first line of writing is."""

    width: float
    height: float
    line: float
    size: float
    boxes: tuple[tuple[float, float, Box], ...]  # left end, line of writing
    _runs: list[QGlyphRun] = field(default_factory=list)

    def draw(self, painter: QPainter, x: float, y: float, colour: QColor) -> None:
        """Draw it with its top left corner at (x, y)."""
        if not self._runs:
            self._runs.extend(self._gathered())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour)
        for run in self._runs:
            painter.drawGlyphRun(QPointF(x, y), run)
        pixel = 1.0 / painter.device().devicePixelRatio()
        for bar in self.bars():
            painter.fillRect(_on_pixels(bar.translated(x, y), pixel), colour)
        painter.restore()

    def bars(self) -> Iterator[QRectF]:
        """Give the bars, in pixels from the top left corner."""
        for left, line, box in self.boxes:
            for piece in box.pieces:
                if piece.index < 0:
                    yield QRectF(left + piece.x * self.size, line + piece.y * self.size, piece.width * self.size,
                                 piece.height * self.size)

    def _gathered(self) -> Iterator[QGlyphRun]:
        sizes: dict[float, tuple[list[int], list[QPointF]]] = {}
        for left, line, box in self.boxes:
            for piece in box.pieces:
                if piece.index >= 0:
                    indexes, places = sizes.setdefault(piece.size, ([], []))
                    indexes.append(piece.index)
                    places.append(QPointF(left + piece.x * self.size, line + piece.y * self.size))
        for size, (indexes, places) in sizes.items():
            run = QGlyphRun()
            run.setRawFont(face().at(round(size * self.size, 2)))
            run.setGlyphIndexes(indexes)
            run.setPositions(places)
            yield run


def _on_pixels(bar: QRectF, pixel: float) -> QRectF:
    """Return a bar that is sharp: as thick as whole pixels are, and between them."""
    if bar.width() < bar.height():
        wide = max(pixel, round(bar.width() / pixel) * pixel)
        return QRectF(round(bar.x() / pixel) * pixel, bar.y(), wide, bar.height())
    high = max(pixel, round(bar.height() / pixel) * pixel)
    return QRectF(bar.x(), round(bar.y() / pixel) * pixel, bar.width(), high)


@lru_cache(maxsize=256)
def atoms_of(line: str, display: bool = False, among: tuple[str, ...] = ()) -> tuple[Atom, ...]:
    """Return what a formula is made of, set. display: fractions upright, limits below sums; among: the lines it belongs
    to, which show what is a vector."""
    return tuple(_setter(line, among).atoms(read(line), 0 if display else 1))


@lru_cache(maxsize=64)
def _setter(line: str, among: tuple[str, ...]) -> Setter:
    return Setter(vectors(among or (line,)))


@lru_cache(maxsize=256)
def box_of(line: str, display: bool = False, among: tuple[str, ...] = ()) -> Box:
    """Return a formula on one line."""
    return joined(atoms_of(line, display, among))


def _width(atoms: Sequence[Atom]) -> float:
    return sum((blank if place else 0.0) + box.width for place, (_, blank, box, _) in enumerate(atoms))


def joined(atoms: Sequence[Atom]) -> Box:
    """Return things on one line; the first has no blank before it."""
    return beside([(blank if place else 0.0, box) for place, (_, blank, box, _) in enumerate(atoms)])


@lru_cache(maxsize=128)
def broken(line: str, room: float, display: bool = True, among: tuple[str, ...] = ()) -> tuple[tuple[float, Box], ...]:
    """Return a formula on the lines that have room for it, (indentation, box) of each: parted where it has a wide
    blank, then before a relation, an operator, or a factor, and where even that is not enough within brackets."""
    whole = box_of(line, display, among)
    if whole.width <= room:
        return ((0.0, whole),)
    lines: list[tuple[float, Box]] = []
    shown: list[Atom] = []
    for clause in _clauses(atoms_of(line, display, among)):
        longer = [*shown, *clause]
        if _width(longer) <= room:
            shown = longer
            continue
        if shown:
            lines.append((0.0, joined(shown)))
        *full, (_, shown) = list(_filled(clause, room, _setter(line, among), 0 if display else 1))
        lines += [(indent, joined(atoms)) for indent, atoms in full]
        if full:
            lines.append((INDENT, joined(shown)))
            shown = []
    return (*lines, (0.0, joined(shown))) if shown else tuple(lines)


def _clauses(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    clause: list[Atom] = []
    for atom in atoms:
        if clause and atom[1] >= QUAD:
            yield clause
            clause = []
        clause.append(atom)
    yield clause


def _filled(clause: list[Atom], room: float, setter: Setter, style: Style) -> Iterator[tuple[float, list[Atom]]]:
    """Give (indentation, atoms) of the lines of a clause that is wider than `room`."""
    rest, indent = list(clause), 0.0
    while _width(rest) > room - indent:
        cut = _cut(rest, room - indent)
        if not cut:
            loose = _loosened(rest, room - indent, setter, style)
            if loose is None:
                cut = max(1, next((k for k in range(len(rest), 0, -1)
                                   if _width(rest[:k]) <= room - indent), 1))
                if cut >= len(rest):
                    break
            else:
                rest = loose
                continue
        yield indent, rest[:cut]
        rest, indent = rest[cut:], min(INDENT, room / 8)
    yield indent, rest


def _cut(atoms: Sequence[Atom], room: float) -> int:
    """Return how many atoms stand on the first line, or 0 where it can't be parted well."""
    best = (0.0, 0)
    width = 0.0
    for place, (left, right) in enumerate(pairwise(atoms), start=1):
        width += (left[1] if place > 1 else 0.0) + left[2].width
        if width > room:
            break
        product = isinstance(right[3], Sign) and right[3].text in "·×"
        worth = {"rel": 1.0, "bin": 0.5 if product else 0.9}.get(right[0], 0.4 if left[0] == "punct" else
                                             0.35 if _is_factor(left, right) else 0.0)
        if worth and place > 1:
            best = max(best, (worth * width / room, place))
    return best[1]


def _is_factor(left: Atom, right: Atom) -> bool:
    """Whether a line may end between two factors: after a bracket, before a function."""
    return left[0] in ("close", "inner") and right[0] != "punct" and not (
        isinstance(right[3], Sign) and right[0] == "close")


def _loosened(atoms: list[Atom], room: float, setter: Setter, style: Style) -> list[Atom] | None:
    """Return the atoms with the first one that is too wide, or does not fit after what is before it, taken apart."""
    width = 0.0
    for place, (_, blank, box, node) in enumerate(atoms):
        width += (blank if place else 0.0) + box.width
        if width > room:
            parts = _apart(node, setter, style)
            if parts:
                first = (parts[0][0], blank, *parts[0][2:])
                return [*atoms[:place], first, *parts[1:], *atoms[place + 1:]]
    return None


def _apart(node: Node, setter: Setter, style: Style) -> list[Atom]:
    base = bare(node)
    if isinstance(base, Fenced) and len(base.body.items) > 1:
        body = setter.row(base.body, style)
        opens, closes = fences(base.opens, base.closes, body, style)
        if isinstance(node, Scripted):
            low, high = node.low, node.high
            closes = scripts(closes, setter.script(low, 2) if low else None, setter.script(high, 2) if high else None,
                             style, closes.core > 0.95)
        return [("open", 0.0, opens, Sign(base.opens)), *setter.atoms(base.body, style),
                ("close", 0.0, closes, Sign(base.closes))]
    if isinstance(node, Over) and style == 0:
        return [*setter.atoms(node.above, 1), *setter.atoms(Row((Sign("/"), node.below)), 1)]
    return []


def settle(lines: Sequence[tuple[float, Box]], size: float, width: float = 0.0, centred: bool = False) -> Setting:
    """Return lines below one another, `size` pixels to the em; centred in `width`, or at its left."""
    y, line, boxes = 0.0, 0.0, []
    before: Box | None = None
    for indent, box in lines:
        high = max(box.height, 0.72) * size
        if before is None:
            line = y = high
        else:
            y += max(LEAST * size, (max(before.depth, 0.2) + LEADING) * size + high)
        x = (width - box.width * size) / 2 if centred else indent * size
        boxes.append((max(0.0, x), float(round(y)), box))
        before = box
    deep = max(before.depth, 0.2) * size if before is not None else 0.0
    right = max((x + box.width * size for x, _, box in boxes), default=0.0)
    return Setting(right, y + deep, line, size, tuple(boxes))
