"""The command that makes an animation."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.ui.documents import file_stem
from kernelplay.ui.store import Store


class Animating(QObject):
    """Opens the window that makes animations, for the document of one main window."""

    def __init__(self, store: Store, window: QWidget) -> None:
        super().__init__(window)
        self._store, self._window = store, window

    @Slot()
    def open(self) -> None:
        """Make animations until that window is closed."""
        from kernelplay.ui.animation_dialog import AnimationDialog

        path, title = self._store.path, self._store.scene.title
        dialog = AnimationDialog(self._store, str(self._window.property("theme")),
                                 path.stem if path is not None else file_stem(title), self._window)
        dialog.exec()
        dialog.deleteLater()
