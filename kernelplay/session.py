"""Scenes as files: `.kplay`, JSON with one point a line, read strictly and written whole or not at all.

The format, version 2. One object in UTF-8, whose keys are

    format          "kernelplay"
    version         2
    title           text; "" for none
    model           {"name": key, parameter: value, …}; a kernel is an object of the same form within it
    shelf           the other models as they were last set, each once, by name; [] for none
    classes         from 2 to 8 names
    looks           for each class which of the eight looks it wears, 0 to 7, no two the same
    classification  {"names": [x1, x2], "points": [[x1, x2, class], …]}; class counts from 0
    regression      {"names": [x, t], "points": [[x, t], …]}
    hidden          the layers that are not drawn (`marks.Layer`)
    views           {"classification": [x1 low, x1 high, x2 low, x2 high], "regression": …}; a task left out, or not
                    there, is shown so that all its points are seen

A point that is switched off has "off" as the last item of its row. Numbers are written with as many digits as it takes
to read exactly the same number again; NaN and infinities are no numbers. Every parameter is written, those at their
default too: what a default is may change with the program, the picture of a file must not. For the same reason
whatever a model draws at random is seeded by a parameter of its own. Keys that may be left out when a file is written
by hand: title, shelf, classes, looks, hidden, views, and any parameter. A key that is not known is refused.

Nothing in a file depends on language, locale, screen or machine. `kernelplay.migrations` brings files of older versions
up to this one; a file of a newer version is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kernelplay.errors import FileError
from kernelplay.files import read_bytes, write_whole
from kernelplay.i18n import plural, say
from kernelplay.scene import Scene
from kernelplay.scene_reader import FORMAT, VERSION, Reader
from kernelplay.scene_reader import LARGEST as LARGEST
from kernelplay.scene_reader import MOST_POINTS as MOST_POINTS

SUFFIX = ".kplay"


def load(path: str | os.PathLike[str]) -> Scene:
    """Return the Scene in the file at `path`; raise FileError, naming file and place, if it is not a sound one."""
    file = Path(path)
    return parse(read_bytes(file), file.name)


def save(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write `scene` to the file at `path`: all of it, or nothing is changed. Raises FileError."""
    write_whole(Path(path), dump(scene).encode("utf-8"))


def dump(scene: Scene) -> str:
    """Return the text of the session file of `scene`: readable, one point a line, so that changes show as lines.

    Raises FileError if `scene` has more points, or points farther out, than a file may hold: it could not be opened
    again.
    """
    check_size(scene)
    data = {"format": FORMAT, "version": VERSION} | scene.to_dict()
    lines = [f"{json.dumps(key)}: {_text(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def check_size(scene: Scene) -> None:
    """Raise FileError if `scene` has more points of one task than a file, or a line of text, may hold, or one whose
    coordinates it may not hold."""
    n = max(len(scene.classification), len(scene.regression))
    if n > MOST_POINTS:
        raise FileError(plural(n - MOST_POINTS, "The scene has {total} points; the limit is {most}. Delete {n} point "
                                                "before saving.",
                                                "The scene has {total} points; the limit is {most}. Delete {n} points "
                                               "before saving.", total=n, most=MOST_POINTS))
    for points in (scene.classification, scene.regression):
        wrong = np.flatnonzero(~(np.abs(points.xy) <= LARGEST).all(axis=1))  # NaN is not smaller
        if len(wrong):
            raise FileError(say("Point {n} cannot be saved: its coordinates must be numbers between −1e100 and 1e100.",
                                n=int(wrong[0]) + 1))


def parse(content: bytes, name: str) -> Scene:
    """Return the Scene in `content`, the bytes of a session file called `name`; raise FileError."""
    return parse_any(content, name)[0]


def parse_any(content: bytes, name: str) -> tuple[Scene, bool]:
    """Return the Scene in `content`, and whether it was written in an older form; raise FileError."""
    reader = Reader(name)
    data = reader.json(content)
    newest = reader.newest(data)
    return reader.scene(newest), newest is not data


def _text(value: Any, indent: str = "") -> str:
    inner = indent + " "
    if isinstance(value, Mapping) and value:
        items = [f"{inner}{json.dumps(key)}: {_text(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    if isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(v, (list, dict)) for v in value):
        return "[\n" + ",\n".join(f"{inner}{_text(item, inner)}" for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
