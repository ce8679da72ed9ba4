"""Families of letters, best first, for the window and for figures; for Korean and Japanese the ones of their kind."""

from __future__ import annotations

from collections.abc import Mapping

_LATIN = ("Inter", "SF Pro Text", "Segoe UI Variable Text", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans")
_KOREAN = ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic")
_JAPANESE = ("Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic UI", "Meiryo")
_KOREAN_SERIF = ("Noto Serif CJK KR", "Noto Serif KR", "AppleMyungjo", "Batang")
_JAPANESE_SERIF = ("Noto Serif CJK JP", "Noto Serif JP", "Hiragino Mincho ProN", "Yu Mincho", "MS Mincho")
FONTS: Mapping[str, tuple[str, ...]] = {  # of a figure: families of Latin letters, best first
    "sans": _LATIN,
    "helvetica": ("Helvetica Neue", "Helvetica", "Arial", "Liberation Sans", "Nimbus Sans", *_LATIN),
    "times": ("Times New Roman", "Times", "Liberation Serif", "Nimbus Roman", "STIX Two Text", "DejaVu Serif"),
    "latin modern": ("Latin Modern Roman", "LM Roman 10", "CMU Serif", "STIX Two Text", "DejaVu Serif"),
}
SERIFS = frozenset({"times", "latin modern"})


def families(language: str, font: str = "sans") -> list[str]:
    """Return the font families for `language`, best first: Han glyphs differ between Korean and Japanese."""
    korean, japanese = (_KOREAN_SERIF, _JAPANESE_SERIF) if font in SERIFS else (_KOREAN, _JAPANESE)
    order = (japanese, korean) if language == "ja" else (korean, japanese)
    return [*FONTS[font], *order[0], *order[1]]
