"""The face of formulas: a subset of STIX Two Math that comes with kernelplay, so that they look the same on every
machine, and what its MATH table says about setting them (OpenType 1.9, "MATH"). All lengths are in units of the em."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache, lru_cache

from PySide6.QtGui import QFont, QRawFont

from kernelplay.assets import asset

_CONSTANTS = (  # of the table MathConstants, in its order, from its fifth number on: value and device table each
    "math_leading", "axis_height", "accent_base_height", "flattened_accent_base_height", "subscript_shift_down",
    "subscript_top_max", "subscript_baseline_drop_min", "superscript_shift_up", "superscript_shift_up_cramped",
    "superscript_bottom_min", "superscript_baseline_drop_max", "sub_superscript_gap_min",
    "superscript_bottom_max_with_subscript", "space_after_script", "upper_limit_gap_min",
    "upper_limit_baseline_rise_min", "lower_limit_gap_min", "lower_limit_baseline_drop_min", "stack_top_shift_up",
    "stack_top_display_style_shift_up", "stack_bottom_shift_down", "stack_bottom_display_style_shift_down",
    "stack_gap_min", "stack_display_style_gap_min", "stretch_stack_top_shift_up", "stretch_stack_bottom_shift_down",
    "stretch_stack_gap_above_min", "stretch_stack_gap_below_min", "fraction_numerator_shift_up",
    "fraction_numerator_display_style_shift_up", "fraction_denominator_shift_down",
    "fraction_denominator_display_style_shift_down", "fraction_numerator_gap_min",
    "fraction_num_display_style_gap_min", "fraction_rule_thickness", "fraction_denominator_gap_min",
    "fraction_denom_display_style_gap_min", "skewed_fraction_horizontal_gap", "skewed_fraction_vertical_gap",
    "overbar_vertical_gap", "overbar_rule_thickness", "overbar_extra_ascender", "underbar_vertical_gap",
    "underbar_rule_thickness", "underbar_extra_descender", "radical_vertical_gap",
    "radical_display_style_vertical_gap", "radical_rule_thickness", "radical_extra_ascender")


@dataclass(frozen=True)
class Glyph:
    """A glyph and what its place depends on; `lean` is its italic correction, `top` where an accent stands."""

    index: int
    advance: float
    height: float
    depth: float
    left: float
    right: float
    lean: float
    top: float


class Face:
    """The font, measured once in units of the em; `at` gives it in a size in pixels."""

    def __init__(self) -> None:
        self._file = str(asset("fonts", "kernelplay-math.ttf"))
        self._raw = self.at(1000.0)
        table = bytes(self._raw.fontTable("MATH").data())
        constants, info, variants = struct.unpack(">HHH", table[4:10])
        scale = 1 / self._raw.unitsPerEm()
        down, further, _, display = struct.unpack(">hhHH", table[constants:constants + 8])
        self.script, self.script_script, self.display_operator = down / 100, further / 100, display * scale
        values = struct.unpack(f">{2 * len(_CONSTANTS)}h", table[constants + 8:constants + 8 + 4 * len(_CONSTANTS)])
        self.of = {name: values[2 * k] * scale for k, name in enumerate(_CONSTANTS)}
        lean, top = struct.unpack(">HH", table[info:info + 4])
        self._lean = _values(table, info + lean, scale)
        self._top = _values(table, info + top, scale)
        self._variants = _variants(table, variants, scale)

    @lru_cache(maxsize=64)  # noqa: B019 - there is one face as long as the program runs
    def at(self, pixels: float) -> QRawFont:
        """Return the font in a size. It is not fitted to pixels: distances are those of the page at every zoom."""
        return QRawFont(self._file, pixels, QFont.HintingPreference.PreferNoHinting)

    @cache  # noqa: B019
    def glyph(self, letter: str) -> Glyph | None:
        """Return the glyph of a letter, or None where the face has none."""
        [index] = self._raw.glyphIndexesForString(letter) or [0]
        return self.measured(index) if index else None

    @cache  # noqa: B019
    def measured(self, index: int) -> Glyph:
        """Return a glyph by its number."""
        box = self._raw.boundingRect(index)
        advance = self._raw.advancesForGlyphIndexes([index])[0].x() / 1000
        lean = self._lean.get(index, 0.0)
        left, right = box.left() / 1000, box.right() / 1000
        return Glyph(index, advance, -box.top() / 1000, box.bottom() / 1000, left, right, lean,
                     self._top.get(index, (left + right) / 2))

    def grown(self, letter: str, least: float) -> Glyph | None:
        """Return the smallest form of a sign that is as high as `least`, or the highest there is."""
        plain = self.glyph(letter)
        if plain is None:
            return None
        forms = self._variants.get(plain.index, ())
        index = next((index for index, height in forms if height >= least), forms[-1][0] if forms else plain.index)
        return self.measured(index)


@cache
def face() -> Face:
    """Return the face, read from its file when the first formula is set."""
    return Face()


def _coverage(table: bytes, at: int) -> list[int]:
    """Return the glyphs of a coverage table, in order."""
    form, count = struct.unpack(">HH", table[at:at + 4])
    if form == 1:
        return list(struct.unpack(f">{count}H", table[at + 4:at + 4 + 2 * count]))
    ranges = struct.iter_unpack(">HHH", table[at + 4:at + 4 + 6 * count])
    return [glyph for first, last, _ in ranges for glyph in range(first, last + 1)]


def _values(table: bytes, at: int, scale: float) -> dict[int, float]:
    """Return the numbers of an italic correction or accent attachment table by glyph."""
    coverage, count = struct.unpack(">HH", table[at:at + 4])
    numbers = struct.unpack(f">{2 * count}h", table[at + 4:at + 4 + 4 * count])[::2]
    return {glyph: number * scale for glyph, number in zip(_coverage(table, at + coverage), numbers, strict=True)}


def _variants(table: bytes, at: int, scale: float) -> dict[int, tuple[tuple[int, float], ...]]:
    """Return the forms of signs that grow upwards, (glyph, height) from the smallest, by glyph."""
    _, coverage, _, count, _ = struct.unpack(">HHHHH", table[at:at + 10])
    offsets = struct.unpack(f">{count}H", table[at + 10:at + 10 + 2 * count])
    found = {}
    for glyph, offset in zip(_coverage(table, at + coverage), offsets, strict=True):
        _, forms = struct.unpack(">HH", table[at + offset:at + offset + 4])
        pairs = struct.iter_unpack(">HH", table[at + offset + 4:at + offset + 4 + 4 * forms])
        found[glyph] = tuple((form, height * scale) for form, height in pairs)
    return found
