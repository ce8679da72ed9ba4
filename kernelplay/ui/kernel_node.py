"""One kernel of the tree: its name in a list, a menu, its parameters; lines at its left say what it is a part of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.edit import Part
from kernelplay.spec import Real, Spec
from kernelplay.ui.controls import Combo, Dots
from kernelplay.ui.forms import Form
from kernelplay.ui.labels import restyle
from kernelplay.ui.panels import GAP
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.words import name, tell

if TYPE_CHECKING:
    from kernelplay.ui.kernel_panel import KernelPanel

STEP, DEEP, NARROW, MOST = 10, 6, 4, 96  # pixels of a level; the levels below the sixth are narrower, and end


def indent(depth: int) -> int:
    """Return how many pixels further right a kernel begins that lies so deep."""
    return min(STEP * min(depth, DEEP) + NARROW * max(0, depth - DEEP), MOST)


class More(Dots):
    """The button of what can be done to a kernel; all of them open one menu."""

    def __init__(self, node: Node) -> None:
        super().__init__(say("Add, multiply, transform or remove this kernel"), node)
        self._node = node

    @Slot()
    def _open(self) -> None:
        self.opens = self._node.panel.menu(self._node)
        super()._open()


class Node(QFrame):
    """A kernel of the tree. All of them stand below one another in one column, so that one that stays while others
    come and go is neither made again nor moved."""

    def __init__(self, panel: KernelPanel, part: Part, parent: QWidget) -> None:
        super().__init__(parent)
        self.panel, self.part = panel, part
        self._below = 0  # depth of the kernel that comes next
        self._column = QVBoxLayout(self)
        sized(self._column, "setSpacing", GAP)
        head = QHBoxLayout()
        sized(head, "setSpacing", 4)
        self.combo = Combo(self)
        self.combo.setProperty("look", "strong" if part.depth == 0 else "")
        self.combo.set_options(panel.kinds)
        self.combo.chosen.connect(self._chosen)
        name(self.combo, say("Kernel"))
        self.more = More(self)
        head.addWidget(self.combo, 1)
        head.addWidget(self.more)
        self._column.addLayout(head)
        self.form = self._form_of(part.kernel)
        self._fill()

    @property
    def kernel(self) -> Kernel:
        """The kernel that is shown."""
        return self.part.kernel

    @property
    def cls(self) -> type[Kernel]:
        """The kind of kernel that is shown."""
        return type(self.part.kernel)

    @property
    def path(self) -> str:
        """Its place in the whole."""
        return self.part.path

    def _form_of(self, kernel: Kernel) -> Form:
        form = Form(type(kernel), parent=self)
        form.edited.connect(self._edited)
        self._column.addWidget(form)
        return form

    def show_part(self, part: Part, same: bool) -> None:
        """Show `part` from now on; `same`: it is the one that was shown, perhaps with other values."""
        if part.kernel is not self.kernel:
            fits = type(part.kernel) is self.cls
            if not fits or (not same and waits(part.kernel)):
                self.form.forget()  # what is being typed was meant for that kernel
                self.form.hide()
                self.form.deleteLater()
                self.form = self._form_of(part.kernel)
            elif not same:
                self.form.forget()
            self.part = part
            self._fill()
        self.part = part

    def _fill(self) -> None:
        self.combo.show_key(self.kernel.key)
        tell(self.combo, "setToolTip", self.kernel.about)
        self.form.show_spec(self.kernel)

    def place(self, below: int, first: bool) -> None:
        """Stand at the right depth, with the lines that its neighbours need: the next one lies `below` deep."""
        depth = self.part.depth
        sized(self._column, "setContentsMargins", indent(depth), 0 if first else GAP, 0, 0)
        restyle(self.combo, "strong" if depth == 0 else "")
        if below != self._below:
            self._below = below
            self.update()

    def show_resolved(self, bound: Kernel) -> None:
        """Show what words such as "scale" stand for, from the kernel bound to the data."""
        if type(bound) is self.cls:
            self.form.show_resolved(bound)

    def stops(self) -> list[QWidget]:
        """Return what Tab goes through, in order."""
        return [self.combo, self.more, *self.form.stops()]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines that join parts to what holds them: each runs along all that one part holds."""
        depth = self.part.depth
        painter = QPainter(self)
        colour = self.palette().color(QPalette.ColorRole.Mid)
        for level in range(1, depth + 1):
            top = px(GAP + 4) if level == depth else 0
            bottom = self.height() - (px(4) if self._below <= level else 0)
            painter.fillRect(px(indent(level - 1)), top, px(2), bottom - top, colour)
        painter.end()

    @Slot(str)
    def _chosen(self, key: str) -> None:
        self.panel.choose(self, key)

    @Slot(str, object, str)
    def _edited(self, parameter: str, value: object, gesture: str) -> None:
        self.panel.change(self, parameter, value, gesture)


def waits(spec: Spec) -> bool:
    """Whether a value of `spec` is a word that stands for a number which the data will give."""
    return any(isinstance(param, Real) and isinstance(getattr(spec, path), str)
               for path, param in spec.params().items())
