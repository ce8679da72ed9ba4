"""The files that were opened or saved last, kept in the settings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

MOST = 8
KEY = "recent"


def recent_files() -> list[Path]:
    """Return the files that were opened or saved last; some of them may not be there now."""
    stored = QSettings().value(KEY, [])
    paths = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, (list, tuple)) else []
    return [Path(path) for path in paths if isinstance(path, str) and path and "\0" not in path][:MOST]


def remember_file(path: Path) -> None:
    """Put a file at the top of the list."""
    path = path.resolve()
    paths = [path, *(other for other in recent_files() if other != path)][:MOST]
    QSettings().setValue(KEY, [str(each) for each in paths])


def forget_files() -> None:
    """Empty the list."""
    QSettings().remove(KEY)


def recent_folder() -> str:
    """Return the folder of the file that was used last and is still there."""
    folders = [path.parent for path in recent_files()]
    return str(next((folder for folder in folders if is_there(folder)), Path.home()))


def folder_for(key: str, scene: Path | None = None) -> Path:
    """Return the folder in which a file is proposed: that of the file `scene`; if there is none, the one that was kept
    under `key`, if it is still there."""
    if scene is not None and is_there(scene.parent):
        return scene.parent
    last = Path(str(QSettings().value(key, "")))
    return last if last.is_absolute() and is_there(last) else Path.home()


def is_there(path: Path) -> bool:
    """Return whether there is such a file or folder now; what cannot be asked for, on a drive that has gone, is not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
