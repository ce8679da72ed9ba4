"""Values that a program gives to the library: taken as they are meant, or refused in a sentence with their name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import LONGEST
from kernelplay.spec import Flag, Param


def wrong(value: Any, name: str, remedy: Say) -> SpecError:
    """Return the error for `value`, with what would be right."""
    return Param(None, verbatim(name), verbatim("")).wrong(value, remedy, name)


def file_name(value: Any, name: str) -> str | os.PathLike[str]:
    """Return what names a file; raises SpecError for anything else."""
    if not isinstance(value, (str, os.PathLike)):
        raise SpecError(say("{path} must be a file name, not a {kind}.", path=name, kind=type(value).__name__), name)
    return value


def whole(value: Any, name: str, least: int) -> int:
    """Return a whole number that is not below `least`; raises SpecError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise wrong(value, name, say("it must be a whole number, {least} or more", least=str(least)))
    return int(value)


def flag(value: Any, name: str) -> bool:
    """Return yes or no; raises SpecError for what is only taken for it."""
    return bool(Flag(False, verbatim(name), verbatim("")).check(value, name))


def text(value: Any, name: str) -> str:
    """Return a text that is no longer than a name may be; raises SpecError for anything else."""
    if not isinstance(value, str) or len(value) > LONGEST:
        raise wrong(value, name, say("it must be text of at most {most} characters", most=LONGEST))
    return value


def texts(values: Any, name: str) -> tuple[str, ...]:
    """Return several texts; raises SpecError for anything else, and for a text alone, whose letters are not meant."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise wrong(values, name, say("it must be a list"))
    return tuple(text(value, name) for value in values)
