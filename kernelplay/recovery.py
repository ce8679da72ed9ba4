"""Unsaved work on disk: one journal for each document, which a process that is killed leaves behind to be found.

A journal is a file of records that is only ever appended to; now and then it is written anew, and put in the place of
the old one in one step. A record is a line of JSON, its `bytes` and a line end:

    {"kind": "points" | "scene", "bytes": 240, "sha256": "…"}

"points" are arrays (an .npz file, raw numbers) that scenes refer to by their hash, so that turning a slider over
100,000 points writes a few kB. "scene" is JSON: the session text of the scene without its points, the hashes of these,
its file. What is kept is the last scene whose record and points are whole. A record that is torn, by a kill in the
middle of writing or by a full disk, has no right hash: it and what follows are not there, and the one before it counts.

Whoever writes a journal holds the lock of the file beside it, and the system takes that away from a process that has
ended, however it ended: two running windows never take each other's documents for lost.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay import session
from kernelplay.errors import FileError
from kernelplay.files import read_bytes, sweep, sync_folder
from kernelplay.i18n import say
from kernelplay.locks import Lock
from kernelplay.scene import Points, Scene

MAGIC = b"kernelplay journal 1\n"
SUFFIX, LOCK, NEW = ".journal", ".lock", ".new"
ROOM = 4_000_000  # bytes that a journal may have before it is written anew; or eight times what it holds, if more
BLOCKS = ("classification", "regression")


@dataclass(frozen=True)
class Kept:
    """A document with unsaved work: the Scene, its file if it has one, and the fingerprint of what that held when it
    was last read or written (None: not known)."""

    scene: Scene
    path: Path | None = None
    disk: str | None = None


@dataclass(frozen=True)
class Lost:
    """What a journal says about the document in it: its title ("" for none), file, time of the last change (seconds
    since 1970) and number of points."""

    title: str
    path: Path | None
    time: float
    points: int


class Journal:
    """The unsaved work of one document, in `folder`. Used by one thread at a time, but for `sync`.

    `write`, `sync` and `clear` raise OSError; what was kept before is then still there.
    """

    def __init__(self, folder: Path, name: str = "") -> None:
        self._folder = folder
        self._name = name or secrets.token_hex(8)
        self._lock: Lock | None = None
        self._file: io.FileIO | None = None
        self._gate = threading.Lock()  # held while the file is another one, and while `sync` takes hold of it
        self._named = True  # whether the folder knows the file even after a power cut
        self._end = 0  # of the last record that is whole
        self._held: set[str] = set()  # hashes of the points in the file
        self._packed: dict[str, tuple[Points, str, bytes]] = {}  # what is written for the points of the last scene
        self._last: Kept | None = None

    @property
    def path(self) -> Path:
        """The file, which is there while something is kept."""
        return self._folder / f"{self._name}{SUFFIX}"

    def lock(self) -> None:
        """Make this journal that of this process; raises BlockingIOError if another one has it."""
        if self._lock is None:
            self._lock = Lock(self._folder / f"{self._name}{LOCK}")

    def write(self, kept: Kept) -> None:
        """Keep a document from now on: when this returns it outlives the end of the process, after `sync` also that of
        the power. A disk may take a second for that, in which the next action is to be written already."""
        last = self._last
        if last is not None and last.scene is kept.scene and (last.path, last.disk) == (kept.path, kept.disk):
            return
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.lock()
        blocks = {key: self._pack(key, getattr(kept.scene, key)) for key in BLOCKS}
        record = _record("scene", _described(kept, {key: sha for key, (sha, _) in blocks.items()}))
        new = {sha: content for sha, content in blocks.values() if sha not in self._held}
        added = b"".join([*(_record("points", content) for content in new.values()), record])
        whole = len(record) + sum(len(content) for _, content in blocks.values())
        if self._file is None or self._end + len(added) > max(ROOM, 8 * whole):
            new = dict(blocks.values())
            self._begin(b"".join([MAGIC, *(_record("points", content) for content in new.values()), record]))
            self._held = set(new)
        else:
            self._append(added)
            self._held |= set(new)
        self._last = kept

    def _pack(self, key: str, points: Points) -> tuple[str, bytes]:
        known = self._packed.get(key)
        if known is None or known[0] is not points:
            content = _packed(points)
            known = self._packed[key] = (points, hashlib.sha256(content).hexdigest(), content)
        return known[1], known[2]

    def _append(self, content: bytes) -> None:
        assert self._file is not None
        self._file.truncate(self._end)  # what a full disk has cut off
        self._file.seek(self._end)
        _write_all(self._file, content)
        self._end += len(content)

    def sync(self) -> None:
        """Wait until the disk has what was written; on any thread, and beside `write`."""
        with self._gate:
            if self._file is None:
                return
            handle, named, self._named = os.dup(self._file.fileno()), self._named, True
        try:
            os.fsync(handle)
            if not named:
                sync_folder(self._folder)
        finally:
            os.close(handle)

    def _begin(self, content: bytes) -> None:
        """Put a file with `content` in the place of what is there, in one step."""
        fresh = self._folder / f"{self._name}{NEW}"
        file = io.FileIO(fresh, "w")
        try:
            _write_all(file, content)
            if self.path.exists():
                os.fsync(file.fileno())  # before it takes the place of one that is good
            if os.name != "posix":
                file.close()  # an open file cannot be renamed there
                self._shut()
            os.replace(fresh, self.path)
        except OSError:
            file.close()
            fresh.unlink(missing_ok=True)
            raise
        self._shut()
        with self._gate:
            self._file = file if os.name == "posix" else io.FileIO(self.path, "r+")
            self._named = False
        self._end = len(content)

    def _shut(self) -> None:
        with self._gate:
            if self._file is not None:
                self._file.close()
                self._file = None

    def clear(self) -> None:
        """Keep nothing: the document is saved, or is to be given up."""
        if self._lock is None:
            return  # nothing was ever kept
        self._shut()
        self._held, self._last, self._end = set(), None, 0
        self.path.unlink(missing_ok=True)

    def close(self, keep: bool = False) -> None:
        """End with this document: nothing of it is left, or with `keep` what the next start finds."""
        if not keep:
            self.clear()
        self._shut()
        if self._lock is not None:
            self._lock.release(remove=not keep)
            self._lock = None

    def lost(self) -> Lost:
        """Return what is kept, in a few words; raise FileError if it is nothing."""
        data, _ = self._read()
        path = data["path"]
        return Lost(str(data["title"]), Path(path) if path else None, float(data["time"]), int(data["points"]))

    def read(self) -> Kept:
        """Return what is kept; raise FileError if it is nothing, or nothing that can be used."""
        data, blocks = self._read()
        bare = session.parse(data["scene"].encode(), self.path.name)
        try:
            columns = {key: _unpacked(blocks[data["blocks"][key]]) for key in BLOCKS}
            points: dict[str, Any] = {key: dataclasses.replace(getattr(bare, key), **columns[key]) for key in BLOCKS}
        except (KeyError, TypeError, ValueError):
            raise self._useless() from None
        scene = dataclasses.replace(bare, **points)
        checked = session.parse(session.dump(scene).encode(), self.path.name)  # it may be of another version
        return Kept(checked, Path(data["path"]) if data["path"] else None, data["disk"])

    def _read(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Return the last scene that is whole, and all points."""
        content = read_bytes(self.path)
        last: dict[str, Any] | None = None
        blocks: dict[str, bytes] = {}
        at = len(MAGIC) if content.startswith(MAGIC) else len(content)
        while (found := _next(content, at)) is not None:
            kind, sha, payload, at = found
            if kind == "points":
                blocks[sha] = payload
            else:
                last = json.loads(payload)
        if last is None:
            raise self._useless()
        return last, blocks

    def _useless(self) -> FileError:
        return FileError(say("The recovery file {file} cannot be used: it is incomplete, or from another version of "
                             "kernelplay.", file=str(self.path)))


def left_behind(folder: Path) -> list[tuple[Journal, Lost]]:
    """Return the journals in `folder` that no running process has, newest first, each locked for this one; those that
    hold nothing are removed, those that another version may understand are left alone."""
    sweep(folder)
    found: list[tuple[Journal, Lost]] = []
    try:
        names = {file.stem for file in folder.iterdir() if file.suffix in (SUFFIX, LOCK, NEW)}
    except OSError:
        return []
    for name in sorted(names):
        journal = Journal(folder, name)
        try:
            journal.lock()
        except OSError:
            continue  # of a window that is open
        (folder / f"{name}{NEW}").unlink(missing_ok=True)
        try:
            lost = journal.lost()
            if already_saved(journal, lost):
                journal.close()
                continue
        except FileError:
            journal.close(keep=_foreign(journal.path))
            continue
        found.append((journal, lost))
    return sorted(found, key=lambda each: -each[1].time)


def already_saved(journal: Journal, lost: Lost) -> bool:
    """Return whether the file of a document holds what its journal does: the process ended between saving the one and
    clearing the other."""
    try:
        if lost.path is None or lost.path.stat().st_mtime < lost.time - 2.0:  # file systems count in whole seconds
            return False
        return session.load(lost.path).digest == journal.read().scene.digest
    except (OSError, FileError):
        return False


def _foreign(file: Path) -> bool:
    """Return whether there is a journal of another version."""
    try:
        with open(file, "rb") as stream:
            begin = stream.read(len(MAGIC))
    except OSError:
        return False
    return begin.startswith(MAGIC[:-2]) and begin != MAGIC


def _described(kept: Kept, blocks: dict[str, str]) -> bytes:
    scene = kept.scene
    points: dict[str, Any] = {key: _without_rows(getattr(scene, key)) for key in BLOCKS}
    bare = dataclasses.replace(scene, **points)
    return json.dumps({
        "title": scene.title, "path": str(kept.path.absolute()) if kept.path is not None else None, "disk": kept.disk,
        "time": time.time(), "points": len(scene.points), "blocks": blocks, "scene": session.dump(bare),
    }).encode()


def _columns(points: Points) -> dict[str, NDArray[Any]]:
    """Return the arrays of `points`, each with a row for each point."""
    values = {field.name: getattr(points, field.name) for field in dataclasses.fields(points)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def _without_rows(points: Points) -> Points:
    empty: dict[str, Any] = {name: column[:0] for name, column in _columns(points).items()}
    return dataclasses.replace(points, **empty)


def _packed(points: Points) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **_columns(points))  # type: ignore[arg-type]
    return stream.getvalue()


def _unpacked(content: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(content), allow_pickle=False) as columns:
        return dict(columns)


def _record(kind: str, content: bytes) -> bytes:
    head = {"kind": kind, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return json.dumps(head).encode() + b"\n" + content + b"\n"


def _next(content: bytes, at: int) -> tuple[str, str, bytes, int] | None:
    """Return kind, hash and content of the record at `at`, and where the next begins; None if there is none whole."""
    end = content.find(b"\n", at)
    if end < 0:
        return None
    try:
        head = json.loads(content[at:end])
        kind, length, sha = str(head["kind"]), int(head["bytes"]), str(head["sha256"])
    except (ValueError, KeyError, TypeError):
        return None
    payload = content[end + 1:end + 1 + length]
    after = end + 1 + length
    if kind not in ("points", "scene") or length < 0 or content[after:after + 1] != b"\n":
        return None
    if hashlib.sha256(payload).hexdigest() != sha:
        return None
    return kind, sha, payload, after + 1


def _write_all(file: io.FileIO, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[file.write(view) or 0:]
