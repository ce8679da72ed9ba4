"""Session files of older versions brought up to the newest: one function a version, on plain data.

Each takes the data of its version as it stands in the file, which nobody has looked at before, and returns that of the
next; data that has no meaning is left as it is, or raises Flaw where the next version could not say what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernelplay.i18n import Say, say

Data = Mapping[str, Any]


class Flaw(Exception):
    """What stands at `place` in data of an older version cannot be used."""

    def __init__(self, place: str, why: Say) -> None:
        super().__init__(place)
        self.place, self.why = place, why


def from_1(data: Data) -> Data:
    """Version 1 kept coordinates, classes and the numbers of points switched off in lists of their own, so that one
    point less changed them all; version 2 has one row a point. Version 1 had no looks: class c wore look c."""
    if "looks" in data:
        raise Flaw("looks", say("a scene has no entry of this name"))
    rows = {task: _rows(data[task], task) for task in ("classification", "regression") if task in data}
    return {**data, **rows, "version": 2}


def _rows(points: Any, task: str) -> Any:
    """Return the points of a task of version 1 in the form of version 2."""
    known = {"names", "xy", "off"} | ({"class"} if task == "classification" else set())
    if not isinstance(points, Mapping):
        raise Flaw(task, say("it must be an object with {names}", names=", ".join(sorted(known))))
    for key in points:
        if key not in known:
            raise Flaw(f"{task}.{key}", say("a scene has no entry of this name"))
    xy, off = _list(points.get("xy"), f"{task}.xy"), _list(points.get("off", []), f"{task}.off")
    rows: list[Any] = []
    for i, place in enumerate(xy):
        if not isinstance(place, list) or len(place) != 2:
            raise Flaw(f"{task}.xy.{i}", say("it must be two coordinates"))
        rows.append(list(place))
    if "class" in known:
        classes = _list(points.get("class"), f"{task}.class")
        if len(classes) != len(xy):
            raise Flaw(f"{task}.class", say("there must be one class for each point: {n} points, {m} classes",
                                            n=len(xy), m=len(classes)))
        for row, cls in zip(rows, classes, strict=True):
            row.append(cls)
    for i, place in enumerate(off):
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(xy):
            raise Flaw(f"{task}.off.{i}", say("it must be a point number from 0 to {most}", most=len(xy) - 1))
        if rows[place][-1] != "off":
            rows[place].append("off")
    return {"names": points.get("names"), "points": rows}


def _list(data: Any, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise Flaw(place, say("it must be a list"))
    return data


MIGRATIONS: Mapping[int, Callable[[Data], Data]] = {1: from_1}  # by the version that is read
