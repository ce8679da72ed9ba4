"""The window: the only folder that imports PySide6 and pyqtgraph."""

import os

os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")  # else it takes PyQt6 where that is installed as well
