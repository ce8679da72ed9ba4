"""The menu of what can be done to a kernel: add, multiply, transform, remove."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from kernelplay.i18n import Say, say
from kernelplay.kernels import edit
from kernelplay.kernels.edit import Part
from kernelplay.spec import kinds
from kernelplay.ui.words import tell


class KernelMenu(QMenu):
    """What can be done to a kernel of the tree, or to the whole: one menu for all of them, made when first opened."""

    done = Signal(str, str)  # deed, key

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        known = kinds("kernel")
        for sentence, deed in ((say("Add a kernel:  k + …"), "add"), (say("Multiply by a kernel:  k · …"), "multiply")):
            more = self.addMenu("")
            tell(more, "setTitle", sentence)
            for key in edit.alone():
                self._add(more, known[key].label, deed, key)
        self.addSeparator()
        for key in edit.wrappings():
            self._add(self, known[key].label, "wrap", key)
        self._end = self.addSeparator()
        self._remove = self._add(self, say("Remove this kernel"), "remove")
        self._unwrap = self._add(self, say("Unwrap: keep the inner kernel"), "unwrap")

    def _add(self, menu: QMenu, sentence: Say, deed: str, key: str = "") -> QAction:
        action = QAction(menu)
        tell(action, "setText", sentence)
        action.setData((deed, key))
        action.triggered.connect(self._chosen)
        menu.addAction(action)
        return action

    def be_about(self, part: Part | None) -> None:
        """Offer what can be done to `part`, or to the whole."""
        self._remove.setVisible(part is not None and part.removable)
        self._unwrap.setVisible(part is not None and part.kernel.key in edit.wrappings())
        self._end.setVisible(self._remove.isVisible() or self._unwrap.isVisible())

    def shut(self) -> None:
        """Close, with what it has opened."""
        for menu in (*self.findChildren(QMenu), self):
            menu.close()

    @Slot()
    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.done.emit(*action.data())
