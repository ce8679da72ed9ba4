"""The kernel: a tree of kernels built by hand. Each node is a list to choose from, its parameters, and its parts."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.kernels import edit
from kernelplay.kernels.base import Kernel
from kernelplay.scene import Scene
from kernelplay.spec import Child, Path, kinds
from kernelplay.ui.controls import Combo, Dots, Quiet
from kernelplay.ui.forms import Form
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.theme import math_font
from kernelplay.ui.words import name, tell


class Node(QFrame):
    """One kernel of the tree: its name in a list, a menu, its parameters, and the nodes of its parts."""

    def __init__(self, panel: KernelPanel, path: Path, kernel: Kernel, parent: QWidget) -> None:
        super().__init__(parent)
        self._panel, self.path, self.cls = panel, path, type(kernel)
        self.removable = path.rpartition(".")[2].isdecimal()  # one of several in a sum or a product
        nested = path != ""
        box = QVBoxLayout(self)
        box.setContentsMargins(10 if nested else 0, 0, 0, 0)
        box.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(4)
        self.combo = Combo(self)
        self.combo.setProperty("look", "" if nested else "strong")
        self.combo.set_options([(key, cls.label) for key, cls in kinds("kernel").items()])
        self.combo.show_key(kernel.key)
        self.combo.chosen.connect(self._chosen)
        name(self.combo, say("Kernel"))
        tell(self.combo, "setToolTip", kernel.about)
        self.more = Dots(say("Add, multiply, transform or remove this kernel"), self)
        self.more.opens = panel.menu(self)
        head.addWidget(self.combo, 1)
        head.addWidget(self.more)
        box.addLayout(head)
        self.form = Form(type(kernel), parent=self)
        self.form.edited.connect(self._edited)
        box.addWidget(self.form)
        self.parts = [Node(panel, f"{path}.{place}".lstrip("."), part, self) for place, part in children_of(kernel)]
        for part in self.parts:
            box.addWidget(part)
        self.show_kernel(kernel)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line that joins a part to what holds it."""
        if self.path:
            painter = QPainter(self)
            painter.fillRect(0, 4, 2, self.height() - 8, self.palette().color(QPalette.ColorRole.Mid))
            painter.end()

    def show_kernel(self, kernel: Kernel) -> bool:
        """Show the values of `kernel`; return False where the tree has another shape, and nothing could be shown."""
        held = children_of(kernel)
        if type(kernel) is not self.cls or len(held) != len(self.parts):
            return False
        self.form.show_spec(kernel)
        shown = [part.show_kernel(held_part) for part, (_, held_part) in zip(self.parts, held, strict=True)]
        return all(shown)

    def show_resolved(self, bound: Kernel) -> None:
        """Show what words such as "scale" stand for, from the kernel bound to the data."""
        held = children_of(bound)
        if type(bound) is self.cls and len(held) == len(self.parts):
            self.form.show_resolved(bound)
            for part, (_, held_part) in zip(self.parts, held, strict=True):
                part.show_resolved(held_part)

    @Slot(str)
    def _chosen(self, key: str) -> None:
        self._panel.build("change", self.path, key)

    @Slot(str, object, str)
    def _edited(self, parameter: str, value: object, gesture: str) -> None:
        self._panel.change(self, parameter, value, gesture)


def children_of(kernel: Kernel) -> list[tuple[str, Kernel]]:
    """Return (path, kernel) of the kernels that `kernel` holds."""
    found: list[tuple[str, Kernel]] = []
    for key, param in type(kernel).params().items():
        if isinstance(param, Child):
            held = getattr(kernel, key)
            found += [(f"{key}.{i}", part) for i, part in enumerate(held)] if param.many else [(key, held)]
    return found


class KernelPanel(Section):
    """The tree of kernels of the current model, its formula, and ways to let it grow."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Kernel"), parent)
        self._store = store
        self._tree = QVBoxLayout()
        self.body.addLayout(self._tree)
        self.root: Node | None = None
        self.formula = Note(None, self)
        self.formula.setFont(math_font(13))
        self.body.addWidget(self.formula)
        self.doubt = Note(
            say("Not guaranteed to be positive semi-definite: on these points the smallest eigenvalue decides."),
            self,
            look="warn",
        )
        self.body.addWidget(self.doubt)
        self.grow = Quiet(say("+ add or multiply a kernel"), self)
        self.grow.opens = self.menu(None)
        self.body.addWidget(self.grow)
        store.changed.connect(self._changed)
        self._show(store.scene.model.kernel)

    def menu(self, node: Node | None) -> QMenu:
        """Return the menu of what can be done with a node, or with the whole tree."""
        known = kinds("kernel")
        menu = QMenu(self.grow if node is None else node)
        for sentence, deed in ((say("Add a kernel:  k + …"), "add"), (say("Multiply by a kernel:  k · …"), "multiply")):
            more = menu.addMenu("")
            tell(more, "setTitle", sentence)
            for key in edit.alone():
                self._action(more, known[key].label, node, deed, key)
        menu.addSeparator()
        for key in edit.wrappings():
            self._action(menu, known[key].label, node, "wrap", key)
        if node is not None and node.removable:
            menu.addSeparator()
            self._action(menu, say("Remove this kernel"), node, "remove")
        if node is not None and node.cls.key in edit.wrappings():
            menu.addSeparator()
            self._action(menu, say("Unwrap: keep the inner kernel"), node, "unwrap")
        return menu

    def _action(self, menu: QMenu, sentence: Say, node: Node | None, deed: str, key: str = "") -> None:
        action = QAction(menu)
        tell(action, "setText", sentence)
        action.setData((deed, "" if node is None else node.path, key))
        action.triggered.connect(self._deed)
        menu.addAction(action)

    @Slot()
    def _deed(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            deed, path, key = action.data()
            self.build(deed, path, key)

    def build(self, deed: str, path: Path, key: str = "") -> None:
        """Do to the kernel at `path` what a menu offers: "add", "multiply", "wrap", "unwrap", "remove", "change"."""
        kernel: Kernel = self._store.scene.model.kernel
        if deed == "add":
            self._put(edit.add(kernel, path, key), say("Add a kernel"))
        elif deed == "multiply":
            self._put(edit.multiply(kernel, path, key), say("Multiply by a kernel"))
        elif deed == "wrap":
            self._put(edit.wrap(kernel, path, key), say("Transform a kernel"))
        elif deed == "unwrap":
            self._put(edit.unwrap(kernel, path), say("Take a transformation off"))
        elif deed == "remove":
            self._put(edit.remove(kernel, path), say("Remove a kernel"))
        elif edit.part_at(kernel, path).key != key:
            self._put(edit.change(kernel, path, key), say("Choose {name}", name=kinds("kernel")[key].label))

    def change(self, node: Node, parameter: str, value: object, gesture: str) -> None:
        """Set a parameter of the kernel at `node`."""
        path = ".".join(place for place in ("kernel", node.path, parameter) if place)
        try:
            scene = self._store.scene.with_value(path, value)
        except SpecError as error:
            node.form.complain(parameter, error.shown)
        else:
            self._store.edit(scene, say("Change {name}", name=node.cls.params()[parameter].label), gesture)

    def _put(self, kernel: Kernel, label: Say) -> None:
        self._store.edit(self._store.scene.with_value("kernel", kernel), label)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if old.model is not new.model:
            self._show(new.model.kernel)

    def _show(self, kernel: Kernel) -> None:
        if self.root is None or not self.root.show_kernel(kernel):
            if self.root is not None:
                for menu in self.root.findChildren(QMenu):  # an open one would speak of parts that are no more
                    menu.close()
                self.root.hide()
                self.root.deleteLater()
            self.root = Node(self, "", kernel, self)
            self._tree.addWidget(self.root)
        self._describe(kernel)
        self.doubt.setVisible(not kernel.psd)

    def show_resolved(self, bound: Kernel) -> None:
        """Show what words such as "scale" stand for, from the kernel bound to the data."""
        if self.root is not None:
            self.root.show_resolved(bound)
        self._describe(bound)

    def _describe(self, kernel: Kernel) -> None:
        """Show the formula, and below it what follows from the parameters: the length scale of an RBF."""
        derived = [f"{symbol} = {number(value)}"
                   for part in edit.parts(kernel) for symbol, value in part.kernel.derived]
        tell(self.formula, "setText", verbatim("\n".join((f"k(x, x′) = {kernel.formula}", *derived))))
