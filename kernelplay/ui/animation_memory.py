"""What the window of animations remembers from one time to the next: what was set, and the folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings

from kernelplay.animations import Animation
from kernelplay.errors import SpecError
from kernelplay.figures import Figure
from kernelplay.ui.animation_form import small
from kernelplay.ui.recent import is_there


def remembered() -> tuple[Animation, Figure]:
    """Return what was set the last time, value by value: one that is none any more is passed over."""
    settings = QSettings()
    animation, look = Animation(), small(Figure())
    for key, value in _object(settings.value("animation/kind")).items():
        animation = _with(animation, key, value)
    for key, value in _object(settings.value("animation/look")).items():
        look = _with(look, key, value)
    return animation, look


def remember(animation: Animation, look: Figure, path: Path) -> None:
    """Remember what was written, and the folder of `path`."""
    settings = QSettings()
    settings.setValue("animation/folder", str(path.parent))
    settings.setValue("animation/kind", json.dumps(animation.to_dict()))
    settings.setValue("animation/look", json.dumps(look.to_dict()))


def folder() -> Path:
    """Return the folder of the last animation, if it is still there."""
    last = Path(str(QSettings().value("animation/folder", "")))
    return last if last.is_absolute() and is_there(last) else Path.home()


def _object(stored: Any) -> Mapping[str, Any]:
    """Return what was kept in the settings, or nothing if that is no object any more."""
    try:
        found = json.loads(stored) if isinstance(stored, str) else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _with(spec: Any, key: str, value: Any) -> Any:
    """Return a Spec with one value that was kept, as it is where that is none of its values any more."""
    try:
        return spec.replace(key, value)
    except SpecError:
        return spec
