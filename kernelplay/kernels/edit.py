"""Building a kernel part by part: what the model panel does to a tree of kernels. Every function returns a new kernel.

A part is named by its path from the whole, "" for the whole itself: "of", "of.1.of".
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.spec import Child, Real, build, kinds

_UNITS = ("gamma", "length_scale")  # one and the same reach: gamma = 1/(2 l²)


@dataclass(frozen=True)
class Part:
    """One kernel of a tree: its path, how deep it lies, itself, and what can be done to it."""

    path: str
    depth: int
    kernel: Kernel
    removable: bool  # one of several in a sum or a product
    holds: int  # how many kernels it holds: 0 a kernel by itself, 1 a wrapping that can be taken off


def parts(kernel: Kernel) -> tuple[Part, ...]:
    """Return all parts in the order in which they are read, the whole first."""
    return tuple(_walk(kernel, "", 0, False))


def _walk(kernel: Kernel, path: str, depth: int, removable: bool) -> list[Part]:
    inner = _held(kernel)
    found = [Part(path, depth, kernel, removable, len(inner))]
    for name, part in inner:
        found += _walk(part, _join(path, name), depth + 1, len(inner) > 1)
    return found


def alone() -> tuple[str, ...]:
    """Return the keys of the kernels that hold no other."""
    return tuple(key for key, cls in kinds("kernel").items() if _slot(cls) is None)


def wrappings() -> tuple[str, ...]:
    """Return the keys of the kernels that hold one other: scale, exp, polynomial_of, weighted, warp."""
    return tuple(key for key, cls in kinds("kernel").items() if (slot := _slot(cls)) and not slot[1].many)


def part_at(kernel: Kernel, path: str) -> Kernel:
    """Return the part at `path`; raise SpecError if there is none."""
    found = kernel.get(path) if path else kernel
    if not isinstance(found, Kernel):
        raise SpecError(say("There is no kernel at {path}.", path=path), path)
    return found


def add(kernel: Kernel, path: str, key: str) -> Kernel:
    """Return the kernel with a new one added to the part at `path`, in the sum that it is or is in, or a new one."""
    return _combine(kernel, path, key, "sum")


def multiply(kernel: Kernel, path: str, key: str) -> Kernel:
    """Return the kernel with the part at `path` multiplied by a new one, in the product that it is or stands in."""
    return _combine(kernel, path, key, "product")


def _combine(kernel: Kernel, path: str, key: str, by: str) -> Kernel:
    new, part = build("kernel", {"name": key}), part_at(kernel, path)
    if part.key == by:
        return _put(kernel, _join(path, "of"), (*part.get("of"), new))
    outer, place = _parent(path)
    if place is not None and part_at(kernel, outer).key == by:
        siblings = part_at(kernel, outer).get("of")
        return _put(kernel, _join(outer, "of"), (*siblings[:place + 1], new, *siblings[place + 1:]))
    return _put(kernel, path, build("kernel", {"name": by, "of": [part, new]}))


def wrap(kernel: Kernel, path: str, key: str) -> Kernel:
    """Return the kernel with the part at `path` inside a new scale, exp, polynomial_of, weighted or warp."""
    if key not in wrappings():
        raise SpecError(say("The kernel {name} does not wrap a single kernel; these do: {names}.", name=key,
                            names=", ".join(wrappings())), path)
    return _put(kernel, path, build("kernel", {"name": key, "of": part_at(kernel, path)}))


def unwrap(kernel: Kernel, path: str) -> Kernel:
    """Return the kernel with the wrapping at `path` taken off, what it held in its place."""
    held = _held(part_at(kernel, path))
    if len(held) != 1:
        raise SpecError(say("The kernel {name} does not wrap a single kernel, so it cannot be unwrapped.",
                            name=part_at(kernel, path).key), path)
    return _put(kernel, path, held[0][1])


def remove(kernel: Kernel, path: str) -> Kernel:
    """Return the kernel without the part at `path`; a sum or product left with one part becomes that part."""
    part_at(kernel, path)
    outer, place = _parent(path)
    if place is None:
        raise SpecError(say("Only a part of a sum or product can be removed. Choose another kernel instead."), path)
    siblings = part_at(kernel, outer).get("of")
    left = (*siblings[:place], *siblings[place + 1:])
    return _put(kernel, outer, left[0]) if len(left) == 1 else _put(kernel, _join(outer, "of"), left)


def change(kernel: Kernel, path: str, key: str) -> Kernel:
    """Return the kernel with another kind at `path`, keeping the parameters that both have, and the reach.

    Kernels that are held stay where the new kind holds as many (one, or several); otherwise it holds the old part
    itself, so that nothing that was built is lost, except where a kernel by itself is chosen for a combination.
    """
    old = part_at(kernel, path)
    known = kinds("kernel")
    if key not in known:
        build("kernel", {"name": key})
    cls = known[key]
    fields: dict[str, Any] = {}
    for name, param in cls.params().items():
        if isinstance(param, Real) and isinstance(old.params().get(name), Real):
            with suppress(SpecError):  # a negative offset is no offset of a linear kernel
                fields[name] = param.check(getattr(old, name), name)
    for unit in _UNITS:
        if unit in cls.params() and unit not in fields and (reach := _reach(old)) is not None:
            with suppress(SpecError, ArithmeticError):  # of a reach of 1e200 there is no gamma
                fields[unit] = cls.params()[unit].check(reach if unit == "length_scale" else 1 / (2 * reach**2), unit)
    slot, old_slot = _slot(cls), _slot(type(old))
    if slot is not None:
        name, held = slot
        if old_slot is not None and old_slot[1].many == held.many:
            fields[name] = getattr(old, old_slot[0])
        else:
            fields[name] = (old, *held.check(held.default, name)[1:]) if held.many else old
    return _put(kernel, path, cls(**fields))


def _reach(kernel: Kernel) -> float | None:
    """Return the length scale of a kernel that has one, if it does not wait for the data."""
    if isinstance(getattr(kernel, "gamma", None), str):
        return None
    length: float | None = getattr(kernel, "length_scale", None)
    return length if length and math.isfinite(length) else None


def _slot(cls: type[Kernel]) -> tuple[str, Child] | None:
    """Return the field in which a kind holds kernels."""
    return next(((name, param) for name, param in cls.params().items() if isinstance(param, Child)), None)


def _held(kernel: Kernel) -> list[tuple[str, Kernel]]:
    slot = _slot(type(kernel))
    if slot is None:
        return []
    name, param = slot
    value: Any = getattr(kernel, name)
    return [(f"{name}.{i}", part) for i, part in enumerate(value)] if param.many else [(name, value)]


def _parent(path: str) -> tuple[str, int | None]:
    """Return the path of what holds the part at `path`, and its place there if there are several."""
    outer, _, last = path.rpartition(".")
    if last.isdecimal():
        return outer.rpartition(".")[0], int(last)
    return outer, None


def _put(kernel: Kernel, path: str, new: Any) -> Kernel:
    return kernel.replace(path, new) if path else new


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
