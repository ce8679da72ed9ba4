"""The window: the only folder that imports PySide6 and pyqtgraph."""

import os

from kernelplay import compute, examples, history, recovery, session  # noqa: F401
from kernelplay.spec import kinds

os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")  # else it takes PyQt6 where that is installed as well
# Once PySide6 is there it reads the source of every module that is imported: what needs no Qt comes first.
for _kind in ("kernel", "model", "dataset", "tool"):
    kinds(_kind)
