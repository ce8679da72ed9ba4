"""How large letters and controls are: the sizes there are, the one in use, and lengths that follow it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize

SIZES = (100, 125, 150, 175, 200)  # percent, what a person chooses from
_scale = 1.0


def scale() -> float:
    """Return how many times as large as usual letters and controls are now."""
    return _scale


def use(zoom: float) -> None:
    """Let lengths be `zoom` times as large from now on; what is there already follows by `resize`."""
    global _scale
    _scale = zoom


def px(pixels: float) -> int:
    """Return a length in the size now in use."""
    return round(pixels * _scale)


def sized(thing: QObject, setter: str, *pixels: float) -> None:
    """Call `thing.<setter>` with lengths, now and whenever the size changes: as `words.tell` does with sentences."""
    thing.__dict__.setdefault("_lengths", {})[setter] = pixels
    _set(thing, setter, pixels)


def resize(root: QObject) -> None:
    """Give everything below `root` its lengths in the size now in use; words are measured by `words.retranslate`."""
    for thing in (root, *root.findChildren(QObject)):
        for setter, pixels in tuple(thing.__dict__.get("_lengths", {}).items()):
            _set(thing, setter, pixels)


def _set(thing: QObject, setter: str, pixels: tuple[float, ...]) -> None:
    lengths = [px(each) for each in pixels]
    if setter == "setIconSize":
        lengths = [QSize(*lengths)]  # type: ignore[list-item]
    getattr(thing, setter)(*lengths)
