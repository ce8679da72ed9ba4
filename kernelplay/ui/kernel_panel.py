"""The kernel: a tree of kernels built by hand. Each node is a list to choose from, its parameters, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, number, plural, say, verbatim
from kernelplay.kernels import edit
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.edit import Part
from kernelplay.scene import Scene
from kernelplay.spec import DEEPEST, Path, build, kinds
from kernelplay.ui.controls import Quiet
from kernelplay.ui.follower import Follower
from kernelplay.ui.formula_label import FormulaLabel
from kernelplay.ui.kernel_menu import KernelMenu
from kernelplay.ui.kernel_node import Node
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.words import name, tell

RATION = 8  # rows and heads that are made in one turn: about 15 ms
SHOWN = 40  # kernels that are shown until more are asked for


class Grow(Quiet):
    """The button under the tree, for what can be done to the whole."""

    def __init__(self, panel: KernelPanel) -> None:
        super().__init__(say("+ Add or multiply a kernel"), panel)
        self._panel = panel

    @Slot()
    def _open(self) -> None:
        self.opens = self._panel.menu(None)
        super()._open()


class KernelPanel(Section):
    """The tree of kernels of the current model, its formula, and ways to let it grow.

    What is shown is the beginning of the tree as it is, never anything else: a large one is made over several turns of
    the event loop. A node that shows a kernel goes on showing it wherever it comes to stand.
    """

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Kernel"), parent)
        self._store = store
        self.kinds = [(key, cls.label) for key, cls in kinds("kernel").items()]
        self._tree = QWidget(self.content)
        self._column = QVBoxLayout(self._tree)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.body.addWidget(self._tree)
        self._shown: list[Node] = []
        self._spare: list[Node] = []  # of the same tree, further down than what is shown so far
        self._most = SHOWN
        self._menu: KernelMenu | None = None
        self._asked: Node | None = None  # the node that the menu is about; None: the whole
        self.rest = Quiet(_rest(1), self)
        self.rest.hide()
        self.rest.clicked.connect(self._show_rest)
        self.body.addWidget(self.rest)
        self.formula = FormulaLabel(1.12, parent=self, look="key")
        self.body.addWidget(self.formula)
        self.doubt = Note(
            say("Not guaranteed to be positive semi-definite: check the smallest eigenvalue on these points."),
            self,
            look="warn",
        )
        self.body.addWidget(self.doubt)
        self.grow = Grow(self)
        self.body.addWidget(self.grow)
        self._follower = Follower(self.content)
        self._follower.due.connect(self._follow)
        store.parting.connect(self._give_up)
        store.changed.connect(self._changed)
        self._follow()

    # the menu

    def menu(self, node: Node | None) -> QMenu:
        """Return the menu of what can be done with a node, or with the whole tree."""
        if self._menu is None:
            self._menu = KernelMenu(self)
            self._menu.done.connect(self._deed)
        self._asked = node
        self._menu.be_about(None if node is None else node.part)
        return self._menu

    @Slot(str, str)
    def _deed(self, deed: str, key: str) -> None:
        node = self._asked
        if node is None:
            self.build(deed, "", key)
        elif self._still(node):
            self.build(deed, node.path, key)

    # what is done

    def choose(self, node: Node, key: str) -> None:
        """Put another kind of kernel where `node` is."""
        if self._still(node):
            self.build("change", node.path, key)

    @Slot(str)
    def put(self, key: str) -> None:
        """Put another kind of kernel in place of the whole."""
        self.build("change", "", key)

    def build(self, deed: str, path: Path, key: str = "") -> None:
        """Do to the kernel at `path` what a menu offers: "add", "multiply", "wrap", "unwrap", "remove", "change"."""
        kernel: Kernel = self._store.scene.model.kernel
        if deed == "add":
            self._put(edit.add(kernel, path, key), say("Add kernel"))
        elif deed == "multiply":
            self._put(edit.multiply(kernel, path, key), say("Multiply by kernel"))
        elif deed == "wrap":
            self._put(edit.wrap(kernel, path, key), say("Transform kernel"))
        elif deed == "unwrap":
            self._put(edit.unwrap(kernel, path), say("Unwrap kernel"))
        elif deed == "remove":
            self._put(edit.remove(kernel, path), say("Remove kernel"))
        elif edit.part_at(kernel, path).key != key:
            self._put(edit.change(kernel, path, key), say("Choose {name}", name=kinds("kernel")[key].label))

    def change(self, node: Node, parameter: str, value: object, gesture: str) -> None:
        """Set a parameter of the kernel at `node`."""
        if not self._still(node):
            return
        path = ".".join(place for place in ("kernel", node.path, parameter) if place)
        try:
            scene = self._store.scene.with_value(path, value)
        except SpecError as error:
            node.form.complain(parameter, error.shown)
        else:
            self._store.edit(scene, say("Change {name}", name=node.cls.params()[parameter].label), gesture)

    def _still(self, node: Node) -> bool:
        """Whether what a person did to `node` is meant for a kernel that is still there: steps back and forth that
        came before it in this turn may not be shown yet."""
        kernel, path = node.kernel, node.path
        self._follower.now()
        return node in self._shown and (node.kernel is kernel or (node.path == path and node.cls is type(kernel)))

    def _put(self, kernel: Kernel, label: Say) -> None:
        try:
            build("kernel", kernel.to_dict(), "model.kernel")
        except SpecError:  # as it would be read from the file of the scene
            self._store.say(say("Kernels can be nested at most {deepest} levels deep. Unwrap or remove "
                                "a part first.", deepest=DEEPEST), problem=True)
            self._fill_again()
            return
        self._store.edit(self._store.scene.with_value("kernel", kernel), label)

    def _fill_again(self) -> None:
        """Let the lists say what holds: the choice that was made in one of them could not be taken."""
        for node in self._shown:
            node.combo.show_key(node.kernel.key)

    # what is shown

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in the order in which they stand below one another."""
        while self._follower.late:
            self._follower.now()
        return tuple(self._shown)

    @property
    def root(self) -> Node:
        """The node of the whole."""
        return self.nodes[0]

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if self._store.opening:
            self._most = SHOWN
        if old.model.kernel is not new.model.kernel:
            if self._menu is not None:
                self._menu.shut()  # it may speak of parts that are no more
            self._follower.ask()

    @Slot()
    def _give_up(self) -> None:
        for node in self._shown:
            node.form.forget()

    @Slot()
    def _show_rest(self) -> None:
        self._most += SHOWN
        self._follow()

    @Slot()
    def _follow(self) -> None:
        """Show the kernel as it is now, with what is there already and a ration of what has to be made."""
        scene = self._store.scene
        kernel: Kernel = scene.model.kernel
        parts = edit.parts(kernel)
        hidden = max(0, len(parts) - self._most)
        parts = parts[:self._most]
        before = [*self._shown, *self._spare]
        held = self._held()
        found = matched(parts, before)
        shown: list[Node] = []
        ration = RATION
        for part, (node, same) in zip(parts, found, strict=True):
            if node is None or node.cls is not type(part.kernel):
                if ration <= 0:
                    break
                ration -= 1 + len(part.kernel.params())
            if node is None:
                node = Node(self, part, self._tree)
            node.show_part(part, same)
            shown.append(node)
        more = len(shown) < len(parts)
        if ration < RATION or shown != self._shown or more:
            self._arrange(shown, [node for node, _ in found[len(shown):] if node is not None])
            self._follower.rest(more)
        self._join(shown)
        if held is not None:
            self._hold(*held)
        self.rest.setVisible(hidden > 0)
        if hidden:
            tell(self.rest, "setText", _rest(hidden))
            name(self.rest, _rest(hidden))
        self.doubt.setVisible(not kernel.psd)
        self._describe(kernel)
        picture = self._store.picture
        if picture is not None and picture.fit is not None and picture.scene.model.kernel is kernel:
            self._resolve(picture.fit.kernel)

    def _held(self) -> tuple[Path, int, QWidget] | None:
        """Return the kernel that the keys belong to, and which of its controls."""
        keys = self.window().focusWidget()
        node = next((node for node in self._shown if keys is not None and node.isAncestorOf(keys)), None)
        if node is None or keys is None:
            return None
        stops = node.stops()
        return node.path, next((place for place, each in enumerate(stops) if each is keys), 0), keys

    def _hold(self, path: Path, place: int, control: QWidget) -> None:
        """Give the keys to the kernel that is at `path` now, or to the nearest one that would hold it."""
        by_path = {node.path: node for node in self._shown}
        while path and path not in by_path:
            path = path.rpartition(".")[0]
        node = by_path.get(path)
        if node is not None and not (control is self.window().focusWidget() and node.isAncestorOf(control)):
            stops = [each for each in node.stops() if each.isVisibleTo(node)]
            (stops[place] if place < len(stops) else node.combo).setFocus()

    def _arrange(self, shown: list[Node], spare: list[Node]) -> None:
        """Put the nodes below one another, let go of those that are not needed, and order what Tab goes through."""
        self._column.setEnabled(False)  # else every single one that appears has them all laid out anew
        kept = {id(node) for node in (*shown, *spare)}
        for node in (*self._shown, *self._spare):
            if id(node) not in kept:
                node.form.forget()
                node.hide()
                self._column.removeWidget(node)
                node.deleteLater()
        for node in spare:
            node.form.forget()
            node.hide()
            self._column.removeWidget(node)
        for place, node in enumerate(shown):
            item = self._column.itemAt(place)
            if item is None or item.widget() is not node:
                self._column.removeWidget(node)
                self._column.insertWidget(place, node)
            node.show()
        self._column.setEnabled(True)
        self._column.update()
        self._shown, self._spare = shown, spare
        keys = [each for node in shown for each in node.stops()]
        for one, next_ in pairwise((self.heading, *keys, self.rest, self.grow)):
            QWidget.setTabOrder(one, next_)

    def _join(self, shown: Sequence[Node]) -> None:
        """Let each node know its neighbours."""
        for place, node in enumerate(shown):
            below = shown[place + 1].part.depth if place + 1 < len(shown) else 0
            node.place(below, place == 0)

    def show_resolved(self, bound: Kernel) -> None:
        """Show what words such as "scale" stand for, from the kernel bound to the data."""
        if self._follower.late:
            return  # they will come with what is still to be shown
        self._resolve(bound)

    def _resolve(self, bound: Kernel) -> None:
        by_path = {part.path: part.kernel for part in edit.parts(bound)}
        for node in self._shown:
            if node.path in by_path:
                node.show_resolved(by_path[node.path])
        self._describe(bound)

    def _describe(self, kernel: Kernel) -> None:
        """Show the formula, and below it what follows from the parameters: the length scale of an RBF."""
        derived = [f"{symbol} = {number(value)}"
                   for part in edit.parts(kernel) for symbol, value in part.kernel.derived]
        tell(self.formula, "setText", verbatim("\n".join((f"k(x, x′) = {kernel.formula}", *derived))))


def _rest(n: int) -> Say:
    return plural(n, "Show {n} more kernel", "Show {n} more kernels")


def matched(parts: Sequence[Part], nodes: Sequence[Node]) -> list[tuple[Node | None, bool]]:
    """Return for each part the node that is to show it, and whether it showed that part before; None: there is none.

    The same kernel comes first, wherever it was; then one of the same kind at the same place, which may have other
    values; then any of the kind; then what stood at the place, so that the keys stay in the list where another kind was
    chosen; then any that is left.
    """
    free = list(nodes)
    found: list[tuple[Node | None, bool]] = [(None, False)] * len(parts)

    def take(of: Callable[[Part], object], same: bool) -> None:
        keys: dict[object, list[Node]] = {}
        for node in free:
            keys.setdefault(of(node.part), []).append(node)
        for place, part in enumerate(parts):
            if found[place][0] is None and (some := keys.get(of(part))):
                found[place] = (some.pop(0), same)
        taken = {id(node) for node, _ in found}
        free[:] = [node for node in free if id(node) not in taken]

    take(lambda part: id(part.kernel), True)
    take(lambda part: (part.path, type(part.kernel)), True)
    take(lambda part: type(part.kernel), False)
    take(lambda part: part.path, False)
    take(lambda part: None, False)
    return found
