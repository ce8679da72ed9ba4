"""What the window of animations remembers from one time to the next: what was set, and the folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from kernelplay.animations import Animation
from kernelplay.figures import Figure
from kernelplay.ui.animation_form import small
from kernelplay.ui.kept import keep_spec, kept_spec
from kernelplay.ui.recent import is_there


def remembered() -> tuple[Animation, Figure]:
    """Return what was set the last time, value by value: one that is none any more is passed over."""
    return kept_spec("animation/kind", Animation()), kept_spec("animation/look", small(Figure()))


def remember(animation: Animation, look: Figure, path: Path) -> None:
    """Remember what was written, and the folder of `path`."""
    QSettings().setValue("animation/folder", str(path.parent))
    keep_spec("animation/kind", animation)
    keep_spec("animation/look", look)


def folder(scene: Path | None = None) -> Path:
    """Return the folder of the file `scene`; if there is none, that of the last animation, if it is still there."""
    if scene is not None and is_there(scene.parent):
        return scene.parent
    last = Path(str(QSettings().value("animation/folder", "")))
    return last if last.is_absolute() and is_there(last) else Path.home()
