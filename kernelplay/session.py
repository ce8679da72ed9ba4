"""Scenes as files: `.kplay`, JSON with one point a line, read strictly and written whole or not at all."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

import numpy as np

from kernelplay.errors import FileError, SpecError
from kernelplay.files import read_bytes, write_whole
from kernelplay.i18n import Say, say
from kernelplay.marks import Layer
from kernelplay.models.base import Model, Task
from kernelplay.scene import CLASS_LABELS, Points, Rectangle, Scene
from kernelplay.spec import DEEPEST, build

FORMAT = "kernelplay"
VERSION = 1
SUFFIX = ".kplay"
MOST_POINTS = 100_000
LARGEST = 1e100  # of a coordinate: its square is still far from overflowing


def load(path: str | os.PathLike[str]) -> Scene:
    """Return the Scene in the file at `path`; raise FileError, naming file and place, if it is not a sound one."""
    file = Path(path)
    return parse(read_bytes(file), file.name)


def save(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write `scene` to the file at `path`: all of it, or nothing is changed. Raises FileError."""
    write_whole(Path(path), dump(scene).encode("utf-8"))


def dump(scene: Scene) -> str:
    """Return the text of the session file of `scene`: readable, one point a line, so that changes show as lines."""
    data = {"format": FORMAT, "version": VERSION} | scene.to_dict()
    lines = [f"{json.dumps(key)}: {_text(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def parse(content: bytes, name: str) -> Scene:
    """Return the Scene in `content`, the bytes of a session file called `name`; raise FileError."""
    reader = _Reader(name)
    return reader.scene(reader.json(content))


def _text(value: Any, indent: str = "") -> str:
    inner = indent + " "
    if isinstance(value, Mapping) and value:
        items = [f"{inner}{json.dumps(key)}: {_text(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    if isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(v, (list, dict)) for v in value):
        return "[\n" + ",\n".join(f"{inner}{_text(item, inner)}" for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _Reader:
    """Reads one file and says in every complaint which file and which place in it is meant."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fail(self, place: str, why: Say) -> NoReturn:
        raise FileError(say("The scene file {file} cannot be used; {place}: {why}.", file=self.name, place=place,
                            why=why))

    def json(self, content: bytes) -> Mapping[str, Any]:
        if not content.strip():
            raise FileError(say("The file {file} is empty: it holds no scene.", file=self.name))
        try:
            data = json.loads(content.decode("utf-8-sig"), parse_constant=self._constant,
                              object_pairs_hook=self._object)
        except UnicodeDecodeError:
            raise self._not_ours() from None
        except json.JSONDecodeError as error:
            if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
                raise self._not_ours() from None
            raise FileError(say("The scene file {file} is damaged or incomplete: line {line} cannot be read. Open an "
                                "earlier copy of it.", file=self.name, line=error.lineno)) from None
        except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
            raise FileError(say("The scene file {file} is damaged: it is nested too deeply, or a number in it is too "
                                "long.", file=self.name)) from None
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise self._not_ours()
        version = data.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            self.fail("version", say("it must be a whole number, 1 or more"))
        if version > VERSION:
            raise FileError(say("The scene file {file} was written by a newer version of kernelplay (format version "
                                "{version}; this one reads {known}): install a newer kernelplay to open it.",
                                file=self.name, version=version, known=VERSION))
        return data

    def _not_ours(self) -> FileError:
        return FileError(say("The file {file} is not a kernelplay scene: choose a file that was saved by kernelplay.",
                             file=self.name))

    def _constant(self, word: str) -> NoReturn:
        raise FileError(say("The scene file {file} cannot be used: it contains {word}, which is not a finite number.",
                            file=self.name, word=word))

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if any(key == other for other, _ in pairs[:i]))
            self.fail(twice, say("it is there twice"))
        return data

    def scene(self, data: Mapping[str, Any]) -> Scene:
        default = Scene().to_dict()
        for key in data:
            if key not in default and key not in ("format", "version"):
                self.fail(key, say("there is nothing of this name in a scene"))
        for key in ("model", "classification", "regression"):
            if key not in data:
                self.fail(key, say("it is missing"))
        model = self.model(data["model"], "model")
        kept = self.list(data.get("shelf", []), "shelf")
        shelf = tuple(self.model(item, f"shelf.{i}") for i, item in enumerate(kept))
        keys = [type(other).key for other in (model, *shelf)]
        for i, key in enumerate(keys[1:]):
            if key in keys[:i + 1]:
                self.fail(f"shelf.{i}", say("the model {name} is there twice", name=key))
        names = self.list(data.get("classes", default["classes"]), "classes")
        classes = tuple(self.string(name, "classes") for name in names)
        if not 2 <= len(classes) <= len(CLASS_LABELS):
            self.fail("classes", say("there must be from 2 to {most} classes", most=len(CLASS_LABELS)))
        layers = get_args(Layer)
        hidden = [self.string(item, "hidden") for item in self.list(data.get("hidden", default["hidden"]), "hidden")]
        for layer in hidden:
            if layer not in layers:
                self.fail("hidden", say("choose one of {names}", names=", ".join(layers)))
        return Scene(model, self.points(data["classification"], "classification", len(classes)),
                     self.points(data["regression"], "regression", 0), classes,
                     frozenset(hidden),  # type: ignore[arg-type]
                     shelf, self.views(data.get("views", {})), self.string(data.get("title", ""), "title"))

    def model(self, data: Any, place: str) -> Model:
        if _depth(data) > 3 * DEEPEST:
            self.fail(place, say("it is nested too deeply"))
        try:
            model: Model = build("model", data, place)
        except SpecError as error:
            raise FileError(say("The scene file {file} cannot be used: {why}", file=self.name,
                                why=error.sentence)) from None
        return model

    def points(self, data: Any, place: str, classes: int) -> Points:
        self.object(data, place, {"names", "xy", "off"} | ({"class"} if classes else set()))
        rows = self.list(data.get("xy"), f"{place}.xy")
        if len(rows) > MOST_POINTS:
            self.fail(f"{place}.xy", say("there are too many points: {n}, the limit is {most}", n=len(rows),
                                         most=MOST_POINTS))
        xy = np.array([self.numbers(row, f"{place}.xy.{i}", 2) for i, row in enumerate(rows)], float).reshape(-1, 2)
        numbers = self.list(data.get("class"), f"{place}.class") if classes else [0] * len(xy)
        if len(numbers) != len(xy):
            self.fail(f"{place}.class", say("there must be one class for each point: {n} points, {m} classes",
                                            n=len(xy), m=len(numbers)))
        for i, number in enumerate(numbers):
            self.whole(number, f"{place}.class.{i}", max(classes, 1))
        off = self.list(data.get("off", []), f"{place}.off")
        for i, row in enumerate(off):
            self.whole(row, f"{place}.off.{i}", len(xy))
        on = np.ones(len(xy), np.bool_)
        on[off] = False
        names = self.list(data.get("names"), f"{place}.names")
        if len(names) != 2:
            self.fail(f"{place}.names", say("there must be two names, one for each axis"))
        return Points(xy, np.array(numbers, np.intp), on, (self.string(names[0], f"{place}.names"),
                                                           self.string(names[1], f"{place}.names")))

    def views(self, data: Any) -> tuple[tuple[Task, Rectangle], ...]:
        self.object(data, "views", {"classification", "regression"})
        views: list[tuple[Task, Rectangle]] = []
        for task in ("classification", "regression"):
            if task in data:
                x0, x1, y0, y1 = self.numbers(data[task], f"views.{task}", 4)
                if not (x0 < x1 and y0 < y1):
                    self.fail(f"views.{task}", say("each axis needs a lower end below its upper end"))
                views.append((task, (x0, x1, y0, y1)))
        return tuple(views)

    def object(self, data: Any, place: str, known: set[str]) -> None:
        if not isinstance(data, Mapping):
            self.fail(place, say("it must be an object with {names}", names=", ".join(sorted(known))))
        for key in data:
            if key not in known:
                self.fail(f"{place}.{key}", say("there is nothing of this name in a scene"))

    def list(self, data: Any, place: str) -> list[Any]:
        if not isinstance(data, list):
            self.fail(place, say("it must be a list"))
        return data

    def string(self, data: Any, place: str) -> str:
        if not isinstance(data, str) or len(data) > 1000:
            self.fail(place, say("it must be a text of at most 1000 characters"))
        return data

    def whole(self, data: Any, place: str, below: int) -> None:
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data < below:
            self.fail(place, say("it must be a whole number from 0 to {most}", most=below - 1))

    def numbers(self, data: Any, place: str, n: int) -> tuple[float, ...]:
        if not isinstance(data, list) or len(data) != n or any(
                isinstance(value, bool) or not isinstance(value, (int, float)) for value in data):
            self.fail(place, say("it must be {n} numbers", n=n))
        if any(abs(value) > LARGEST or math.isnan(value) for value in data):
            self.fail(place, say("its numbers must lie between −1e100 and 1e100"))
        return tuple(float(value) for value in data)


def _depth(data: Any) -> int:
    """Return how deeply lists and objects are nested, without recursion."""
    depth, level = 0, [data]
    while level:
        depth += 1
        level = [item for value in level if isinstance(value, (dict, list))
                 for item in (value.values() if isinstance(value, dict) else value)]
    return depth
