"""What the window of animations remembers from one time to the next: what was set, and the folder."""

from __future__ import annotations

from pathlib import Path

from kernelplay.animations import Animation
from kernelplay.figures import Figure
from kernelplay.ui.animation_form import small
from kernelplay.ui.kept import keep, keep_spec, kept_spec

FOLDER = "animation/folder"


def remembered() -> tuple[Animation, Figure]:
    """Return what was set the last time, value by value: one that is none any more is passed over."""
    return kept_spec("animation/kind", Animation()), kept_spec("animation/look", small(Figure()))


def remember(animation: Animation, look: Figure, path: Path) -> None:
    """Remember what was written, and the folder of `path`."""
    keep(FOLDER, str(path.parent))
    keep_spec("animation/kind", animation)
    keep_spec("animation/look", look)
