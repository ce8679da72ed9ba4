"""Values kept in the settings from one session to the next: read back one by one; what is no value is passed over."""

from __future__ import annotations

import json
from typing import TypeVar

from PySide6.QtCore import QSettings

from kernelplay.errors import SpecError
from kernelplay.spec import Spec

S = TypeVar("S", bound=Spec)


def kept_spec(key: str, spec: S) -> S:
    """Return `spec` with the values that were kept under `key`; those that are none of its values any more - the
    settings are of another version, or were changed by hand - are as they are in `spec`."""
    stored = QSettings().value(key)
    try:
        found = json.loads(stored) if isinstance(stored, str) else {}
    except (ValueError, RecursionError):
        found = {}
    for name, value in found.items() if isinstance(found, dict) else ():
        try:
            spec = spec.replace(name, value)
        except SpecError:
            continue
    return spec


def keep_spec(key: str, spec: Spec) -> None:
    """Keep the values of `spec` under `key`."""
    keep(key, json.dumps(spec.to_dict()))


def keep(key: str, value: str | bool) -> None:
    """Keep a value under `key`. Most are as they were, and each one that is set is a file written."""
    settings, text = QSettings(), value if isinstance(value, str) else str(value).lower()
    if str(settings.value(key)) != text:
        settings.setValue(key, text)


def kept_number(key: str, default: int, low: int, high: int) -> int:
    """Return the whole number from `low` to `high` that was kept under `key`."""
    try:
        return min(max(int(str(QSettings().value(key, default))), low), high)
    except ValueError:
        return default


def kept_switch(key: str, default: bool) -> bool:
    """Return whether something was left switched on."""
    return {"true": True, "false": False}.get(str(QSettings().value(key, default)).lower(), default)


def kept_key(key: str, *known: str) -> str:
    """Return the one of the words `known` that was kept under `key`, or the first."""
    stored = str(QSettings().value(key, ""))
    return stored if stored in known else known[0]
