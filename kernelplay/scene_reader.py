"""Reads the plain data of a session file strictly: whatever is not sound is a FileError that names the place."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn, get_args

import numpy as np

from kernelplay.errors import FileError, SpecError
from kernelplay.i18n import Say, say
from kernelplay.marks import Layer
from kernelplay.migrations import MIGRATIONS, Flaw
from kernelplay.models.base import Model, Task
from kernelplay.scene import CLASS_LABELS, LONGEST, Points, Rectangle, Scene
from kernelplay.spec import DEEPEST, build

FORMAT = "kernelplay"
VERSION = 2
MOST_POINTS = 100_000
MOST_BYTES = 40_000_000  # a scene with all the points there may be has 10 million
LARGEST = 1e100  # of a coordinate: its square is still far from overflowing
LARGEST_NUMBER = 10**300  # a whole number that floating point can still hold
MOST_PARTS = 20_000  # of the plain data of a model: no model has a tenth of them


class Reader:
    """Reads one file and says in every complaint which file and which place in it is meant."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fail(self, place: str, why: Say) -> NoReturn:
        """Raise FileError: what is at `place` cannot be used."""
        place = place if len(place) <= 100 else f"{place[:100]}…"
        raise FileError(say("The scene file {file} cannot be used; {place}: {why}.", file=self.name,
                            place=place.encode("utf-8", "replace").decode(), why=why))

    def json(self, content: bytes) -> Mapping[str, Any]:
        """Return the plain data in `content`, of this or an older version."""
        if len(content) > MOST_BYTES:
            raise FileError(say("The scene file {file} is too large: it has {size} million bytes; the limit is {most}.",
                                file=self.name, size=len(content) // 1_000_000, most=MOST_BYTES // 1_000_000))
        if not content.strip():
            raise FileError(say("The scene file {file} is empty.", file=self.name))
        if not content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            raise self._not_ours()
        try:
            data = json.loads(content.decode("utf-8-sig"), parse_constant=self._constant,
                              object_pairs_hook=self._object)
        except UnicodeDecodeError as error:
            if b'"format"' not in content[:1000]:
                raise self._not_ours() from None
            line = content.count(b"\n", 0, error.start) + 1
            raise FileError(say("The scene file {file} is damaged: line {line} is not valid UTF-8. Open an earlier "
                                "copy, or save it as UTF-8 in your editor.", file=self.name, line=line)) from None
        except json.JSONDecodeError as error:
            raise FileError(say("The scene file {file} is damaged or incomplete: line {line} cannot be read. Open an "
                                "earlier copy.", file=self.name, line=error.lineno)) from None
        except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
            raise FileError(say("The scene file {file} is damaged: it is nested too deeply, or a number in it is too "
                                "long.", file=self.name)) from None
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise self._not_ours()
        return data

    def newest(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the plain data `data` brought up to the newest version."""
        version = data.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            self.fail("version", say("it must be a whole number, 1 or more"))
        if version > VERSION:
            raise FileError(say("The scene file {file} was saved by a newer version of kernelplay (format version "
                                "{version}; this one reads {known}): update kernelplay to open it.",
                                file=self.name, version=version if version < 10**9 else "…", known=VERSION))
        for older in range(version, VERSION):
            try:
                data = MIGRATIONS[older](data)
            except Flaw as flaw:
                self.fail(flaw.place, flaw.why)
        return data

    def _not_ours(self) -> FileError:
        return FileError(say("The file {file} is not a kernelplay scene: choose a file saved by kernelplay.",
                             file=self.name))

    def _constant(self, word: str) -> NoReturn:
        raise FileError(say("The scene file {file} cannot be used: it contains {word}, which is not a finite number.",
                            file=self.name, word=word))

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.fail(key, say("it appears twice"))
                seen.add(key)
        return data

    def scene(self, data: Mapping[str, Any]) -> Scene:
        """Return the Scene of plain data of the newest version."""
        default = Scene().to_dict()
        for key in data:
            if key not in default and key not in ("format", "version"):
                self.fail(key, say("a scene has no entry of this name"))
        for key in ("model", "classification", "regression"):
            if key not in data:
                self.fail(key, say("it is missing"))
        titles = self.items(data.get("classes", default["classes"]), "classes")
        if not 2 <= len(titles) <= len(CLASS_LABELS):
            self.fail("classes", say("there must be 2 to {most} classes", most=len(CLASS_LABELS)))
        classes = tuple(self.names(titles, "classes"))
        model = self.model(data["model"], "model")
        return Scene(model, self.points(data["classification"], "classification", len(classes)),
                     self.points(data["regression"], "regression", 0), classes,
                     self.hidden(data.get("hidden", default["hidden"])), self.shelf(data.get("shelf", []), model),
                     self.views(data.get("views", {})), self.string(data.get("title", ""), "title"),
                     self.looks(data.get("looks", []), len(classes)))

    def model(self, data: Any, place: str) -> Model:
        """Return the model in `data`."""
        why = _unlike_a_model(data)
        if why is not None:
            self.fail(place, why)
        try:
            model: Model = build("model", data, place)
        except SpecError as error:
            raise FileError(say("The scene file {file} cannot be used: {why}", file=self.name,
                                why=error.sentence)) from None
        return model

    def shelf(self, data: Any, model: Model) -> tuple[Model, ...]:
        """Return the models in `data`, none of them twice, nor of the kind of `model`."""
        shelf: dict[str, Model] = {}
        for i, item in enumerate(self.items(data, "shelf")):
            kept = self.model(item, f"shelf.{i}")
            if kept.key in shelf or kept.key == model.key:
                self.fail(f"shelf.{i}", say("the model {name} appears twice", name=kept.key))
            shelf[kept.key] = kept
        return tuple(shelf.values())

    def looks(self, data: Any, classes: int) -> tuple[int, ...]:
        """Return the look of each class; those that are missing are for the Scene to choose."""
        looks = self.items(data, "looks")
        if looks and len(looks) != classes:
            self.fail("looks", say("there must be one look for each class: {n} classes, {m} looks", n=classes,
                                   m=len(looks)))
        for i, look in enumerate(looks):
            self.whole(look, f"looks.{i}", len(CLASS_LABELS))
            if look in looks[:i]:
                self.fail(f"looks.{i}", say("two classes cannot look the same"))
        return tuple(looks)

    def hidden(self, data: Any) -> frozenset[Layer]:
        """Return the layers that are not drawn."""
        layers = get_args(Layer)
        names = self.items(data, "hidden")
        for name in names:
            if name not in layers:
                self.fail("hidden", say("choose one of {names}", names=", ".join(layers)))
        return frozenset(names)

    def points(self, data: Any, place: str, classes: int) -> Points:
        """Return the points in `data`; classes: how many there are, 0 in regression."""
        self.object(data, place, {"names", "points"})
        names = self.names(data.get("names"), f"{place}.names")
        if len(names) != 2:
            self.fail(f"{place}.names", say("there must be two names, one for each axis"))
        rows = self.items(data.get("points"), f"{place}.points")
        if len(rows) > MOST_POINTS:
            self.fail(f"{place}.points", say("there are too many points: {n}; the limit is {most}", n=len(rows),
                                             most=MOST_POINTS))
        width = 3 if classes else 2
        on = np.ones(len(rows), np.bool_)
        numbers: list[list[Any]] = []
        for i, row in enumerate(rows):
            if not isinstance(row, list) or not width <= len(row) <= width + 1:
                self.fail(f"{place}.points.{i}", say("it must be two coordinates and a class") if classes else
                          say("it must be two coordinates"))
            if len(row) > width:
                if row[-1] != "off":
                    self.fail(f"{place}.points.{i}", say("only {word} can follow it", word='"off"'))
                on[i] = False
                row = row[:-1]
            if not (_is_coordinate(row[0]) and _is_coordinate(row[1])):
                self.fail(f"{place}.points.{i}", say("its coordinates must be numbers between −1e100 and 1e100"))
            if classes and (type(row[2]) is not int or not 0 <= row[2] < classes):
                self.whole(row[2], f"{place}.points.{i}.2", classes)
            numbers.append(row)
        table = np.array(numbers, float).reshape(-1, width)
        cls = table[:, 2] if classes else np.zeros(len(rows))
        return Points(table[:, :2], cls.astype(np.intp), on, (names[0], names[1]))

    def views(self, data: Any) -> tuple[tuple[Task, Rectangle], ...]:
        """Return the visible rectangle of each task."""
        self.object(data, "views", {"classification", "regression"})
        views: list[tuple[Task, Rectangle]] = []
        for task in ("classification", "regression"):
            if task in data:
                edges = data[task]
                if not isinstance(edges, list) or len(edges) != 4 or not all(map(_is_coordinate, edges)):
                    self.fail(f"views.{task}", say("it must be four numbers between −1e100 and 1e100"))
                x0, x1, y0, y1 = map(float, edges)
                if not (x0 < x1 and y0 < y1):
                    self.fail(f"views.{task}", say("each axis needs a lower end below its upper end"))
                views.append((task, (x0, x1, y0, y1)))
        return tuple(views)

    def object(self, data: Any, place: str, known: set[str]) -> None:
        """Fail unless `data` is an object with some of the keys `known`."""
        if not isinstance(data, Mapping):
            self.fail(place, say("it must be an object with {names}", names=", ".join(sorted(known))))
        for key in data:
            if key not in known:
                self.fail(f"{place}.{key}", say("a scene has no entry of this name"))

    def items(self, data: Any, place: str) -> list[Any]:
        """Return `data`, which must be a list."""
        if not isinstance(data, list):
            self.fail(place, say("it must be a list"))
        return data

    def names(self, data: Any, place: str) -> list[str]:
        """Return `data`, which must be a list of texts."""
        return [self.string(name, f"{place}.{i}") for i, name in enumerate(self.items(data, place))]

    def string(self, data: Any, place: str) -> str:
        """Return `data`, which must be a text of a reasonable length."""
        if not isinstance(data, str) or len(data) > LONGEST:
            self.fail(place, say("it must be text of at most {most} characters", most=LONGEST))
        if _has_half(data):
            self.fail(place, say("it contains an incomplete character"))
        return data

    def whole(self, data: Any, place: str, below: int) -> None:
        """Fail unless `data` is a whole number from 0 to below - 1."""
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data < below:
            self.fail(place, say("it must be a whole number from 0 to {most}", most=below - 1))


def _has_half(text: str) -> bool:
    """Whether there is half of a character in `text`, which JSON can spell and no other text can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_coordinate(value: Any) -> bool:
    return (type(value) is float or type(value) is int) and -LARGEST <= value <= LARGEST and not math.isnan(value)


def _unlike_a_model(data: Any) -> Say | None:
    """Return why `data` is no model whatever stands in it: too deep, too much, or a text without end; else None.

    Level by level: what is nested deeply enough would exhaust the stack, what is long the patience.
    """
    depth, parts, level = 0, 0, [data]
    while level:
        depth, parts = depth + 1, parts + len(level)
        if depth > 3 * DEEPEST:
            return say("it is nested too deeply")
        if parts > MOST_PARTS:
            return say("it has too many parts")
        inner: list[Any] = []
        for value in level:
            if isinstance(value, str) and (len(value) > LONGEST or _has_half(value)):
                return say("it contains text that is not a name")
            if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
                return say("it contains a number that is too large")
            if isinstance(value, list):
                inner += value
            elif isinstance(value, dict):
                inner += value
                inner += value.values()
        level = inner
    return None
