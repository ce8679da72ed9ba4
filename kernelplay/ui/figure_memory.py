"""What the export window remembers from one time to the next: the figure that was set, its folder and its format."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QSettings

from kernelplay.errors import SpecError
from kernelplay.figures import Figure
from kernelplay.ui.figure import FORMATS
from kernelplay.ui.recent import is_there

WORDS = frozenset({"heading", "title", "axes", "x_label", "y_label"})  # belong to one figure, not to the next


def remembered(first: Figure) -> Figure:
    """Return the figure that was set the last time, without what was typed for that one alone; `first` the first
    time."""
    try:
        stored = json.loads(str(QSettings().value("export/figure", "")))
        return Figure(**{key: value for key, value in stored.items() if key in set(Figure.params()) - WORDS})
    except (SpecError, TypeError, ValueError, AttributeError, RecursionError):
        return first  # or it is of another version, or changed by hand


def remembered_path(stem: str, scene: Path | None = None) -> Path:
    """Return where the next figure goes: a file named `stem`, in the format of the last one; `scene`: as for
    `export_folder`."""
    ending = str(QSettings().value("export/ending", ".svg"))
    return export_folder(scene) / f"{stem}{ending if ending in FORMATS else '.svg'}"


def export_folder(scene: Path | None = None) -> Path:
    """Return the folder of the file `scene`; if there is none, that of the last file that was written, if it is still
    there."""
    if scene is not None and is_there(scene.parent):
        return scene.parent
    folder = Path(str(QSettings().value("export/folder", "")))
    return folder if folder.is_absolute() and is_there(folder) else Path.home()


def remember(figure: Figure, path: Path | None) -> None:
    """Keep what was set, and where the file went if there is one."""
    settings = QSettings()
    settings.setValue("export/figure", json.dumps(figure.to_dict()))
    if path is not None:
        settings.setValue("export/folder", str(path.parent))
        settings.setValue("export/ending", path.suffix.lower())
