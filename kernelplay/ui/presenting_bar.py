"""The bar of a presentation: classes to draw with, the model, its kernel, and what is turned most."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.edit import parts
from kernelplay.marks import Picture
from kernelplay.scene import Scene
from kernelplay.spec import Param, Real, Spec, kinds
from kernelplay.ui.controls import Combo
from kernelplay.ui.forms import NumberRow
from kernelplay.ui.model_panel import choose_model
from kernelplay.ui.panels import MARGIN
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import SIDE, swatch
from kernelplay.ui.theme import Theme, icon
from kernelplay.ui.words import name, tell

MOST_NUMBERS = 2  # of the model, and of the kernel


def numbers(spec: Spec) -> list[str]:
    """Return the names of the numbers of a model or kernel that are turned most: the degree of a polynomial before its
    factors; never a seed or a limit of the work, the whole numbers of models."""
    shown: dict[str, Param] = dict(spec.shown())
    reals = {path: param for path, param in shown.items() if isinstance(param, Real)}
    if isinstance(spec, Kernel):
        found = sorted(reals, key=lambda path: not reals[path].integer)
    else:
        found = [path for path, param in reals.items() if not param.integer]
    return found[:MOST_NUMBERS]


class PresentingBar(QWidget):
    """Shows the scene and edits it as the panels do; it lies above the canvas, in one line or two."""

    kernel_chosen = Signal(str)
    left = Signal()  # the presentation is over

    def __init__(self, store: Store, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._theme = store, theme
        self.setProperty("look", "presenting")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        name(self, say("Presentation"))
        self.classes: list[QToolButton] = []
        self.model, self.kernel = Combo(self), Combo(self)
        self.model.setProperty("look", "strong")
        for combo, kind in ((self.model, "model"), (self.kernel, "kernel")):
            combo.set_options([(key, cls.label) for key, cls in kinds(kind).items()])
            combo.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        name(self.model, say("Model"), say("Model to fit to the points."))
        name(self.kernel, say("Kernel"))
        self.model.chosen.connect(self._model_chosen)
        self.kernel.chosen.connect(self.kernel_chosen)
        self.close_button = QToolButton(self)
        self.close_button.setIcon(icon("remove", theme))
        self.close_button.clicked.connect(self.left)
        name(self.close_button, say("End the presentation"), say("End the presentation (Esc)"))
        self.rows: dict[str, NumberRow] = {}
        self._kinds: tuple[type[Spec], ...] = ()
        self._marks = QHBoxLayout()
        self._numbers = QHBoxLayout()
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        box = QVBoxLayout(self)
        sized(box, "setContentsMargins", MARGIN, 6, MARGIN, 6)
        sized(box, "setSpacing", 4)
        for layout, gap in ((self._marks, 2), (self._numbers, 18), (self._first, 14), (self._second, 14)):
            sized(layout, "setSpacing", gap)
        self._first.addLayout(self._marks)
        self._first.addWidget(self.model)
        self._first.addWidget(self.kernel)
        self._first.addStretch(1)
        self._first.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._second.addLayout(self._numbers, 1)
        box.addLayout(self._first)
        box.addLayout(self._second)
        self._in_one = False
        store.parting.connect(self._give_up)
        store.changed.connect(self._changed)
        store.mode.connect(self._mode)
        store.told.connect(self._pictured)
        self._show(store.scene)
        if store.picture is not None:
            self._pictured(store.picture)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours and the size of `theme`."""
        self._theme = theme
        self.close_button.setIcon(icon("remove", theme))
        self._show_classes(self._store.scene)

    def retranslate(self) -> None:
        """Take the room that the words need."""
        self._share()

    def typing(self, widget: QWidget) -> bool:
        """Whether `widget` is one of the fields of this bar; what was typed is given up then."""
        for row in self.rows.values():
            if row.field is widget:
                row.restore()
                return True
        return False

    @Slot()
    def _give_up(self) -> None:
        for row in self.rows.values():
            row.forget()

    # what is shown

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if new.model is not old.model:
            self._show(new)
        elif (new.classes, new.looks) != (old.classes, old.looks):
            self._show_classes(new)

    def _show(self, scene: Scene) -> None:
        self.model.show_key(type(scene.model).key)
        self.kernel.show_key(scene.model.kernel.key)
        specs = {path: spec for path, spec in turned(scene).items() if numbers(spec)}
        rows = [f"{path}.{each}".lstrip(".") for path, spec in specs.items() for each in numbers(spec)]
        if rows != list(self.rows) or tuple(map(type, specs.values())) != self._kinds:
            self._kinds = tuple(map(type, specs.values()))
            self._rebuild(specs)
        for path, spec in specs.items():
            for each in numbers(spec):
                self.rows[f"{path}.{each}".lstrip(".")].show_value(getattr(spec, each))
        self._show_classes(scene)

    def _rebuild(self, specs: dict[str, Spec]) -> None:
        for row in self.rows.values():
            self._numbers.removeWidget(row)
            row.forget()  # what is being typed was meant for that model
            row.hide()
            row.deleteLater()
        self.rows = {}
        for path, spec in specs.items():
            for each in numbers(spec):
                whole = f"{path}.{each}".lstrip(".")
                param = spec.params()[each]
                assert isinstance(param, Real)
                row = NumberRow(each, param, False, self)
                row.setObjectName(whole)
                row.edited.connect(self._edited)
                self._numbers.addWidget(row, 1)
                row.show()
                self.rows[whole] = row
        self._share()

    def _show_classes(self, scene: Scene) -> None:
        titles = scene.classes if scene.task == "classification" else ()
        while len(self.classes) < len(titles):
            button = QToolButton(self)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            sized(button, "setIconSize", SIDE, SIDE)
            button.clicked.connect(self._class_chosen)
            self._marks.addWidget(button)
            self.classes.append(button)
        for number, button in enumerate(self.classes):
            button.setVisible(number < len(titles))
            if number < len(titles):
                title = verbatim(titles[number])
                tell(button, "setText", verbatim(short(titles[number])))
                name(button, say("class {name}", name=title), say("New points get this class ({key}).",
                                                                  key=verbatim(str(number + 1))))
                button.setIcon(swatch(self._theme, scene.roles[number]))
        self._mode()
        self._share()

    @Slot()
    def _mode(self) -> None:
        for number, button in enumerate(self.classes):
            button.setChecked(number == self._store.current_class)

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        """Show the numbers that words such as "scale" stand for."""
        fit = picture.fit
        if fit is None or picture.scene.model is not self._store.scene.model:
            return
        for part in parts(fit.kernel):
            for each in numbers(part.kernel):
                row = self.rows.get(".".join(place for place in ("kernel", part.path, each) if place))
                value = getattr(part.kernel, each)
                if row is not None and not isinstance(value, str):
                    row.show_resolved(float(value))

    # one line or two

    def event(self, event: QEvent) -> bool:
        """Find out again whether one line has room for everything."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._share()
        return super().event(event)

    def _share(self) -> None:
        heads = {row: max(row.head.sizeHint().width(), px(170)) for row in self.rows.values()}
        for row, wide in heads.items():
            self._numbers.setStretchFactor(row, wide)
        most = sum(heads.values()) + px(18) * len(heads)
        others = sum(button.sizeHint().width() for button in self.classes if not button.isHidden()) + \
            self.model.sizeHint().width() + self.kernel.sizeHint().width() + self.close_button.sizeHint().width()
        in_one = others + most + px(2 * MARGIN + 80) <= self.width()
        if in_one != self._in_one:
            self._in_one = in_one
            source, target = (self._second, self._first) if in_one else (self._first, self._second)
            _take(source, self._numbers)
            if in_one:
                target.insertLayout(target.count() - 2, self._numbers, 10)
            else:
                target.addLayout(self._numbers, 1)

    # what a person does

    @Slot()
    def _class_chosen(self) -> None:
        button = self.sender()
        if isinstance(button, QToolButton):
            self._store.use_class(self.classes.index(button))

    @Slot(str)
    def _model_chosen(self, key: str) -> None:
        choose_model(self._store, key)

    @Slot(object, str)
    def _edited(self, value: object, gesture: str) -> None:
        row = self.sender()
        if not isinstance(row, NumberRow):
            return
        label: Say = row.param.label
        try:
            scene = self._store.scene.with_value(row.objectName(), value)
        except SpecError as error:
            row.restore()
            row.complain(error.shown)
        else:
            self._store.edit(scene, say("Change {name}", name=label), gesture)


def turned(scene: Scene) -> dict[str, Spec]:
    """Return, by path, the Specs whose numbers the bar offers: the model, and the first kernel that has any."""
    found: dict[str, Spec] = {"": scene.model}
    for part in parts(scene.model.kernel):
        if numbers(part.kernel):
            found["kernel" if not part.path else f"kernel.{part.path}"] = part.kernel
            break
    return found


def short(title: str) -> str:
    """Return the name of a class in at most 12 letters."""
    return title if len(title) <= 12 else title[:11] + "…"


def _take(layout: QLayout, inner: QLayout) -> None:
    """Take one layout out of another."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is not None and item.layout() is inner:
            layout.takeAt(place)
            inner.setParent(None)
            return
