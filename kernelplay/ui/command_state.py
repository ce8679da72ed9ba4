"""Which commands can be given now, what they are called and which of them are checked: they follow the store."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeySequence

from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import Scene
from kernelplay.ui.actions import Actions
from kernelplay.ui.layer_panel import LAYERS
from kernelplay.ui.optimiser import can_search
from kernelplay.ui.player import Player
from kernelplay.ui.store import Store
from kernelplay.ui.words import tell


class CommandState(QObject):
    """Keeps the commands of a window in step with its store and its player."""

    def __init__(self, store: Store, actions: Actions, player: Player, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._actions = store, actions
        self._steps: tuple[Say | None, Say | None] | None = None  # what undo and redo say they would do
        store.changed.connect(self._changed)
        store.selected.connect(self._selected)
        store.mode.connect(self._mode)
        player.shown.connect(self._player_shown)
        self._changed(store.scene, store.scene)
        self._mode()
        self._player_shown(False)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        self._name_steps()
        if new.model is not old.model or new is old:
            self._show_model(new)
        if new.hidden != old.hidden or new is old:
            for layer in LAYERS:
                self._actions[f"layers:{layer}"].setChecked(layer not in new.hidden)
        if (new.task, new.classes) != (old.task, old.classes) or new is old:
            self._name_classes(new)
        if len(new.points) != len(old.points) or new is old:
            self._selected(self._store.selection)

    def _name_steps(self) -> None:
        """Say what undo and redo would do."""
        history, actions = self._store.history, self._actions
        undo, redo = history.undoable, history.redoable
        if (undo, redo) == self._steps:
            return
        self._steps = (undo, redo)
        for key, step, none, sentence in (
            ("undo", undo, say("Undo"), say("Undo: {step}", step=undo)),
            ("redo", redo, say("Redo"), say("Redo: {step}", step=redo)),
        ):
            actions[key].setEnabled(step is not None)
            sentence = none if step is None else sentence
            tell(actions[key], "setText", sentence)
            keys = actions[key].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tell(actions[key], "setToolTip", say("{text} ({keys})", text=sentence, keys=verbatim(keys)))
            tell(actions[key], "setIconText", none)

    def _show_model(self, new: Scene) -> None:
        actions = self._actions
        actions[f"model:{type(new.model).key}"].setChecked(True)
        actions["maximise"].setEnabled(can_search(new))
        for key in actions.keys("kernel:"):
            actions[key].setChecked(key == f"kernel:{new.model.kernel.key}")

    def _name_classes(self, new: Scene) -> None:
        actions = self._actions
        classification = new.task == "classification"
        for number, key in enumerate(actions.keys("class:")):
            possible = classification and number < len(new.classes)
            actions[key].setVisible(possible)
            title = verbatim(new.classes[number]) if number < len(new.classes) else verbatim(str(number + 1))
            tell(actions[key], "setText", say("class {name}", name=title))

    @Slot(object)
    def _selected(self, rows: frozenset[int]) -> None:
        for key in ("delete", "switch", "select_none"):
            self._actions[key].setEnabled(bool(rows))
        self._actions["coordinates"].setEnabled(len(rows) == 1)
        for key in ("select_all", "copy", "clear", *self._actions.keys("copy_as:")):
            self._actions[key].setEnabled(len(self._store.scene.points) > 0)

    @Slot()
    def _mode(self) -> None:
        self._actions[f"tool:{self._store.tool}"].setChecked(True)
        self._actions[f"class:{self._store.current_class}"].setChecked(True)

    @Slot(bool)
    def _player_shown(self, shown: bool) -> None:
        for key in ("play", "step_back", "step_forward", "first_step", "last_step"):
            self._actions[key].setEnabled(shown)
