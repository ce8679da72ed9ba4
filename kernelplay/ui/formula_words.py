"""Sentences with formulas in them: words in the font of the window, formulas set, all on one line of writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QTextBoundaryFinder
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout

from kernelplay.notation import parted
from kernelplay.ui.formula_lines import Atom, Setting, atoms_of, joined, settle

SCALE = 1.1  # of formulas in a sentence: their small letters are then about as high as those of the words


@dataclass(frozen=True)
class Part:
    """What is not parted at the end of a line: words, or a formula or a part of it, after a blank. `free`: a line may
    begin with it."""

    free: bool
    blank: float
    width: float
    text: str
    formula: Setting | None = None


@dataclass(frozen=True, eq=False)
class Words:
    """A sentence on its lines: (left end, line of writing, part)."""

    width: float
    height: float
    parts: tuple[tuple[float, float, Part], ...]

    def draw(self, painter: QPainter, x: float, y: float, colour: QColor) -> None:
        """Draw it with its top left corner at (x, y), the words in the font of the painter."""
        painter.setPen(colour)
        for left, line, part in self.parts:
            if part.formula is None:
                painter.drawText(QPointF(x + left, y + line), part.text)
            else:
                part.formula.draw(painter, x + left, y + line - part.formula.line, colour)


@lru_cache(maxsize=2048)
def has_formula(text: str) -> bool:
    """Whether there is a formula in a sentence."""
    return any(formula for formula, _ in parted(text))


def set_words(text: str, font: QFont, room: float) -> Words:
    """Return a sentence on as many lines as it needs where lines are `room` pixels long."""
    key = (*font.families(), font.pixelSize(), font.pointSizeF(), font.weight().value, font.italic())
    return _filled(text, Letters(key, font), round(room))


@dataclass(frozen=True)
class Letters:
    """A font, the same as another one with the same key."""

    key: tuple[object, ...]
    font: QFont = field(compare=False)


@lru_cache(maxsize=256)
def _filled(text: str, letters: Letters, room: int) -> Words:
    font = letters.font
    above, under = _line(text, font)
    lines: list[list[Part]] = [[]]
    used = 0.0
    for group in _groups(_parts(text, font, room)):
        wide = sum(part.blank + part.width for part in group)
        if lines[-1] and used + wide > room:
            lines.append([])
            used = 0.0
            wide -= group[0].blank
        lines[-1] += group
        used += wide
    placed: list[tuple[float, float, Part]] = []
    y = widest = 0.0
    for line in lines:
        high = max([above, *(part.formula.line for part in line if part.formula is not None)])
        deep = max([under, *(part.formula.height - part.formula.line for part in line
                                         if part.formula is not None)])
        x = 0.0
        for place, part in enumerate(line):
            x += part.blank if place else 0.0
            placed.append((x, y + round(high), part))
            x += part.width
        y += high + deep
        widest = max(widest, x)
    return Words(widest, y, tuple(placed))


def _line(text: str, font: QFont) -> tuple[float, float]:
    """Return how far a line goes above and below the line of writing: Korean letters, of another font, are higher."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    return line.ascent(), line.height() - line.ascent()


def _groups(parts: Iterator[Part]) -> Iterator[list[Part]]:
    group: list[Part] = []
    for part in parts:
        if group and part.free:
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _parts(text: str, font: QFont, room: float) -> Iterator[Part]:
    """Give the parts of a sentence, in order; where lines may end in words is for Unicode to say."""
    metrics = QFontMetricsF(font)
    size = (font.pixelSize() if font.pixelSize() > 0 else metrics.ascent()) * SCALE
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Line,
                                 "".join(letter if ord(letter) < 0x10000 else "x" for letter in text))
    ends: set[int] = set()
    while (end := finder.toNextBoundary()) >= 0:
        if text[end - 1:end].isspace() or not _is_hangul(text[end:end + 1]):  # Korean words stay whole
            ends.add(end)
    place, blank = 0, 0.0
    for formula, piece in parted(text):
        if formula:
            for number, (gap, atoms) in enumerate(_chunks(atoms_of(piece), room / size)):
                box = joined(atoms)
                yield Part(bool(number) or blank > 0 or place in ends, gap * size if number else blank,
                           box.width * size, piece, settle(((0.0, box),), size))
            blank = 0.0
        else:
            cuts = [place, *sorted(end for end in ends if place < end < place + len(piece)), place + len(piece)]
            for start, end in pairwise(cuts):
                run = text[start:end]
                shown = run.strip()
                blank += metrics.horizontalAdvance(run[:len(run) - len(run.lstrip())]) if shown else 0.0
                if shown:
                    yield Part(blank > 0 or start in ends, blank, metrics.horizontalAdvance(shown), shown)
                    blank = 0.0
                rest = run[len(run.rstrip()):] if shown else run
                blank += metrics.horizontalAdvance(rest) if rest else 0.0
        place += len(piece)


def _is_hangul(letter: str) -> bool:
    return "가" <= letter <= "힣"


def _chunks(atoms: Sequence[Atom], room: float) -> Iterator[tuple[float, list[Atom]]]:
    """Give (blank, atoms) of a formula that is too long for half a line, parted before relations and operators."""
    chunk: list[Atom] = []
    whole = joined(atoms).width <= room / 2
    for atom in atoms:
        if chunk and not whole and atom[0] in ("rel", "bin"):
            yield chunk[0][1], chunk
            chunk = []
        chunk.append(atom)
    if chunk:
        yield chunk[0][1], chunk
