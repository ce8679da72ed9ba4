"""Errors in methods that Qt calls: reported at once, never carried back through Qt.

An exception that leaves an overridden virtual is kept by PySide and raised later somewhere else; with one override
inside another (`event` and `focusNextPrevChild`) it ends the process. `sys.excepthook` is where the application writes
its log and where tests see it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from kernelplay.turn import TURN

P = ParamSpec("P")
R = TypeVar("R")


def guarded(method: Callable[P, R]) -> Callable[P, R]:
    """Return `method` so that an exception goes to `sys.excepthook`; it then returns None, which Qt takes as false."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        TURN.begin()
        try:
            return method(*args, **kwargs)
        except Exception:
            sys.excepthook(*sys.exc_info())
            return None  # type: ignore[return-value]

    return call
