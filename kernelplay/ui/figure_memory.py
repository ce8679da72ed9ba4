"""What the export window remembers from one time to the next: the figure that was set, its folder and its format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kernelplay.figures import Figure
from kernelplay.ui.figure import FORMATS
from kernelplay.ui.kept import keep, keep_spec, kept_key, kept_spec
from kernelplay.ui.recent import folder_for

FIGURE, FOLDER, ENDING = "export/figure", "export/folder", "export/ending"
WORDS = ("heading", "title", "axes", "x_label", "y_label")  # belong to one figure, not to the next


def remembered(first: Figure) -> Figure:
    """Return the figure that was set the last time, value by value, without what was typed for that one alone; `first`
    the first time."""
    return replace(kept_spec(FIGURE, first), **{name: getattr(first, name) for name in WORDS})


def remembered_path(stem: str, scene: Path | None = None) -> Path:
    """Return where the next figure goes: a file named `stem`, in the format of the last one, in the folder of the file
    `scene` or of the last figure."""
    return folder_for(FOLDER, scene) / f"{stem}{kept_key(ENDING, '.svg', *FORMATS)}"


def remember(figure: Figure, path: Path | None) -> None:
    """Keep what was set, and where the file went if there is one."""
    keep_spec(FIGURE, figure)
    if path is not None:
        keep(FOLDER, str(path.parent))
        keep(ENDING, path.suffix.lower())
