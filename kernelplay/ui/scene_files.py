"""Scenes in files of their own, with the fingerprint that tells whether another program has changed them since."""

from __future__ import annotations

from pathlib import Path

from kernelplay import session
from kernelplay.assets import asset
from kernelplay.files import fingerprint, fingerprint_of, read_bytes, sweep, write_whole
from kernelplay.scene import Scene


class Older(str):
    """The fingerprint of a file that is written in the form of an earlier version."""


def load(path: Path) -> tuple[Scene, str]:
    """Return the scene in the file at `path`, and the fingerprint of the file, an Older one where the file is of an
    earlier form; raise FileError."""
    content = read_bytes(path)
    scene, older = session.parse_any(content, path.name)
    return scene, Older(fingerprint(content)) if older else fingerprint(content)


def own_file(path: Path) -> Path | None:
    """Return `path` as the file of a document, None for an example of ours: that is not saved over."""
    return None if path.parent == asset("scenes") else path


def write(scene: Scene, path: Path, known: str | None) -> str | None:
    """Write `scene` to the file at `path` and return the fingerprint of the file; raise FileError.

    known: the fingerprint the file is expected to have; if it has another one, nothing is written, and None returned.
    """
    if known is not None and fingerprint_of(path) not in (known, ""):
        return None
    content = session.dump(scene).encode("utf-8")
    write_whole(path, content)
    sweep(path.parent)
    return fingerprint(content)
