"""Drawing without a display: Qt is told to draw into memory, and the environment is as before afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from kernelplay.errors import FileError

# what is read when Qt, PySide and pyqtgraph are loaded, and not after; PySide sets the last one by itself
_OURS = ("QT_QPA_PLATFORM", "PYQTGRAPH_QT_LIB", "PYSIDE6_OPTION_PYTHON_ENUM")


@contextmanager
def offscreen() -> Iterator[None]:
    """Let Qt need neither a display nor the libraries of one; raises FileError with a sentence where it lacks more."""
    before = {name: os.environ.get(name) for name in _OURS}
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from kernelplay.ui.preflight import preflight

        problem = preflight()
        if problem is not None:  # Qt would say so in its own words, and end the process
            raise FileError(problem)
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
