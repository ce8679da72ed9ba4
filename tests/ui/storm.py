"""A person in a hurry, one file: all that one can do to a window, in no sensible order, by mouse and keys.

Every method `do_…` is one thing that is done; the number that its docstring begins with is how often. All chance comes
from a seed that is drawn for each action, so that a run is a list of (action, seed) and can be done again, cut short by
hypothesis (`machine`), or timed (`tests/bench/storm.py`).
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    QSize,
    Qt,
    QTimer,
    QUrl,
)
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QGuiApplication, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QSlider,
    QWidget,
)
from shiboken6 import isValid
from weather import Heart, House, Witness, wait_until

from kernelplay import link, session
from kernelplay.compute import cold
from kernelplay.examples import examples
from kernelplay.i18n import LANGUAGES, say
from kernelplay.marks import Dots, Field
from kernelplay.scene import Scene
from kernelplay.ui.panels import Fold
from kernelplay.ui.sizing import USUAL
from kernelplay.ui.theme import THEMES

Key, Modifier = Qt.Key, Qt.KeyboardModifier
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NO_KEY, NONE = Modifier.NoModifier, Qt.MouseButton.NoButton
SHIFT, CTRL, ALT = Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier
KEYS = (Key.Key_Escape, Key.Key_Delete, Key.Key_Backspace, Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down,
        Key.Key_Return, Key.Key_Tab, Key.Key_Backtab, Key.Key_Space, Key.Key_Home, Key.Key_End, Key.Key_PageUp,
        Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_9, Key.Key_P, Key.Key_B, Key.Key_E, Key.Key_S, Key.Key_F, Key.Key_L,
        Key.Key_Plus, Key.Key_Minus, Key.Key_A, Key.Key_C, Key.Key_V, Key.Key_D, Key.Key_Z, Key.Key_Y, Key.Key_M,
        Key.Key_G, Key.Key_J, Key.Key_F2, Key.Key_F6, Key.Key_F7, Key.Key_F8, Key.Key_F9, Key.Key_Menu)
HELD = (NO_KEY, NO_KEY, NO_KEY, SHIFT, CTRL, ALT, CTRL | SHIFT)
GARBAGE = ("", " ", "1,5", "−2", "1e400", "nan", "-0", "1e-320", "0", "abc", "１２", "3.5.1", "1 2; 3", "2 1; 1 3", "∞",
           "10⁻³", "99999", "-1", "scale", "\u202e7", "0.41621937", "{x}", "%s", "& ⟦⟧", "sin(x)", "x*(", "x^2 - 1/y")
CLIPS = ("", "1\t2\n", "1,2\n3,4\n", "x1,x2,label\n0,1,1\n1,0,-1\n", "a b c\n", "1;2;3;4\n", "\x00\x01", "nan,nan,1\n",
         "1e308,1e308\n-1e308,0\n", "0.5 0.5 +1\n0.5 0.5 -1\n", "5\n6\n7\n", "x" * 3000,
         "1,2,rot\n3,4,blau\n2,2,grün\n", "kernelplay:1AAAA", "kernelplay:9")
FILES = {"cut.kplay": '{"format": "kernelplay', "list.kplay": "[]", "empty.kplay": "", "empty.csv": "",
         "words.csv": "a,b\nc,d\n", "bytes.csv": "\x00\x00\x00", "ragged.csv": "1,2\n3\n4,5,6\n",
         "good.csv": "x1,x2,label\n0,0,1\n1,1,-1\n0,1,1\n1,0,-1\n0.2,0.1,1\n", "line.csv": "x,t\n0,1\n1,2\n2,1\n3,4\n",
         "comma.csv": "a;b;c\n1,5;2,5;rot\n0,5;1,25;blau\n2,0;0,5;rot\n", "few.svm": "1 1:0.5 2:1\n-1 1:1.5\n1 2:2\n"}
END = ("close", "quit")  # no command of a storm
ALONE = ("full_screen", "new_window", "duplicate")  # have an action of their own
DIALOGS = ("export", "animate", "export_data", "code", "import", "commands", "gestures", "about", "coordinates",
           "save_as", "open")
PATIENCE = 4  # things that are done in a dialog before it is left
MOST_WINDOWS = 3


class Storm:
    """Acts on the window of a house, and knows what must hold after each thing that is done."""

    def __init__(self, house: House, witness: Witness, seed: int = 0) -> None:
        self.house, self.witness = house, witness
        self.window, self.store, self.folder = house.window, house.window.store, house.folder
        self.heart = Heart(self.window)
        self.master = random.Random(seed)
        self.dice = random.Random(seed)
        self.down = NONE  # the button that is held on the canvas
        self.at = QPoint(0, 0)
        self.did: list[tuple[str, int]] = []
        self.begin = self.store.scene
        self.forgot = False  # the history has dropped its oldest steps
        self._first = self.store.history.steps[0]
        self._waits = False
        self._over = False
        self._patience = PATIENCE
        self._answers = random.Random(seed)
        self.store.changed.connect(self._changed)
        for name, text in FILES.items():
            (self.folder / name).write_text(text, "utf-8")
        self._later()

    def _changed(self, old: Scene, new: Scene) -> None:
        steps = self.store.history.steps
        if len(steps) == 1:
            self.begin, self.forgot, self._first = new, False, steps[0]
        elif steps[0].label is not self._first.label:
            self.forgot = True

    # what is in the way

    def _later(self) -> None:
        """Come back soon; a timer of its own each time, since what is done then may wait for another one."""
        timer = QTimer(self.window)
        timer.setSingleShot(True)
        timer.timeout.connect(self._answer)
        timer.timeout.connect(timer.deleteLater)
        timer.start(15)

    def _answer(self) -> None:
        """Do something with a dialog that is in the way, or with the menu of a button, which waits too."""
        if self._over:
            return
        self._later()
        self.heart.beat()
        popup = QApplication.activePopupWidget()
        if popup is not None and self._waits:
            popup.close()
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            self._choose_file(dialog)
        elif isinstance(dialog, QDialog) and dialog.isVisible():
            self._patience -= 1
            if self._patience < 0:
                self._patience = PATIENCE
                dialog.reject()
            else:
                self._fiddle(dialog)
        self.heart.beat()

    def _choose_file(self, dialog: QFileDialog) -> None:
        saves = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        if self._answers.random() < 0.4:
            dialog.reject()
            return
        there = [path.name for path in self.folder.iterdir() if path.is_file()]
        name = f"{self._answers.choice('abc')}.kplay" if saves else self._answers.choice(there)
        dialog.setDirectory(str(self.folder))
        dialog.selectFile(name)
        dialog.accept()
        if dialog.isVisible():
            dialog.reject()

    def _fiddle(self, dialog: QDialog) -> None:
        """Type, choose, drag or press something in a dialog."""
        dice = self._answers
        things = [thing for kind in (QLineEdit, QComboBox, QSlider, QAbstractButton) for thing in
                  dialog.findChildren(kind) if thing.isVisible() and thing.isEnabled() and thing.objectName() != "path"]
        if not things:
            dialog.reject()
            return
        self.heart.skip()
        thing = dice.choice(things)
        if isinstance(thing, QLineEdit):
            thing.setText(dice.choice(GARBAGE))
            QTest.keyClick(thing, dice.choice((Key.Key_Return, Key.Key_Tab)))
        elif isinstance(thing, QComboBox):
            QTest.keyClick(thing, dice.choice((Key.Key_Down, Key.Key_Up)))
        elif isinstance(thing, QSlider):
            thing.setValue(dice.randint(thing.minimum(), thing.maximum()))
        else:
            self._waits = True
            QTest.mouseClick(thing, LEFT)
            self._waits = False

    # running

    @classmethod
    def deeds(cls) -> dict[str, int]:
        """Return the names of all actions, and how often each is done."""
        return {name: int(getattr(cls, name).__doc__.split()[0]) for name in dir(cls) if name.startswith("do_")}

    def act(self, name: str, seed: int) -> None:
        """Do one thing, let the window live for a moment, and see whether all is well."""
        self.did.append((name, seed))
        self.dice, self._answers = random.Random(seed), random.Random(seed + 1)
        self._patience = self._answers.randrange(PATIENCE + 1)
        self.heart.deed = f"{name}:{seed}"
        self.heart.skip()
        getattr(self, name)()
        for _ in range(self.dice.randrange(1, 4)):
            self.turn()
        self.glance()
        self.heart.skip()

    def turn(self) -> None:
        """Let the window answer what has come, and delete what is to be deleted, as the loop of an application does."""
        self.heart.beat()
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.heart.beat()

    def run(self, steps: int, rest: int, said: Callable[[int], None] | None = None) -> None:
        """Do `steps` things, and look at everything after every `rest` of them."""
        deeds = self.deeds()
        for step in range(1, steps + 1):
            name = self.master.choices(list(deeds), list(deeds.values()))[0]
            self.act(name, self.master.randrange(1 << 30))
            if step % rest == 0:
                self.look()
                if said is not None:
                    said(step)
        self.look()
        self.back_and_forth()

    def stop(self) -> None:
        """Do nothing more."""
        self.settle()
        self._over = True
        self.heart.stop()
        self.store.changed.disconnect(self._changed)

    # what is done: the docstring begins with how often

    def do_move(self) -> None:
        """20 Move the pointer over the canvas."""
        for _ in range(self.dice.randrange(1, 4)):
            self.at = self._anywhere(near=self.down != NONE)
            self._mouse(QEvent.Type.MouseMove, NONE, self.down)

    def do_press(self) -> None:
        """10 Press a button, or let it go."""
        if self.down != NONE:
            held, self.down = self.down, NONE
            self._mouse(QEvent.Type.MouseButtonRelease, held, NONE)
            return
        self.at = self._anywhere()
        self.down = self.dice.choice((LEFT, LEFT, LEFT, RIGHT, MIDDLE))
        self._mouse(QEvent.Type.MouseButtonPress, self.down, self.down, self.dice.choice(HELD))

    def do_click(self) -> None:
        """8 Click somewhere on the canvas."""
        QTest.mouseClick(self._viewport, self.dice.choice((LEFT, LEFT, RIGHT)), self.dice.choice(HELD),
                         self._anywhere())

    def do_drag(self) -> None:
        """12 Drag something along a way, with a key or a step back in between."""
        if self.down != NONE:
            self.do_press()
        held, steps = self.dice.choice(HELD), self.dice.randrange(2, 12)
        self.at, self.down = self._anywhere(), LEFT
        self._mouse(QEvent.Type.MouseButtonPress, LEFT, LEFT, held)
        odd = self.dice.randrange(4 * steps)  # in one drag of four
        for step in range(steps):
            self.at = self._anywhere(near=True)
            self._mouse(QEvent.Type.MouseMove, NONE, LEFT, held)
            self.turn()
            if step == odd:
                self.dice.choice((self.do_steps, self.do_key, self.do_history, self.do_select, self.do_tool))()
        if self.down != NONE and self.dice.random() < 0.9:
            self.down = NONE
            self._mouse(QEvent.Type.MouseButtonRelease, LEFT, NONE, held)

    def do_double_click(self) -> None:
        """2 Double click."""
        QTest.mouseDClick(self._viewport, LEFT, NO_KEY, self._anywhere())

    def do_wheel(self) -> None:
        """3 Turn the wheel somewhere."""
        where = self._some(QWidget)
        if where is not None:
            self._wheel(where)

    def do_zoom(self) -> None:
        """4 Turn the wheel over the canvas."""
        self._wheel(self._viewport)

    def do_key(self) -> None:
        """22 Press a key in whatever has the focus, or on the canvas."""
        key, held = self.dice.choice(KEYS), self.dice.choice(HELD)
        target = QApplication.focusWidget() if self.dice.random() < 0.4 else self.window.canvas
        popup = QApplication.activePopupWidget()
        self._key(popup or target or self.window.canvas, key, held)

    def do_combo(self) -> None:
        """6 Choose something else from a list by keys."""
        combo = self._some(QComboBox)
        if combo is not None:
            for _ in range(self.dice.randrange(1, 4)):
                self._key(combo, self.dice.choice((Key.Key_Down, Key.Key_Up)))

    def do_slider(self) -> None:
        """10 Drag a slider."""
        slider = self._some(QSlider)
        if slider is None:
            return
        middle = slider.height() // 2
        places = [QPoint(self.dice.randrange(max(1, slider.width())), middle) for _ in range(4)]
        QTest.mousePress(slider, LEFT, NO_KEY, places[0])
        for place in places[1:]:
            QTest.mouseMove(slider, place)
            QApplication.sendEvent(slider, QMouseEvent(QEvent.Type.MouseMove, QPointF(place),
                                                       QPointF(slider.mapToGlobal(place)), NONE, LEFT, NO_KEY))
            self.turn()
            if not isValid(slider):
                return  # the form has been made anew
        QTest.mouseRelease(slider, LEFT, NO_KEY, places[-1])
        if self.dice.random() < 0.2 and isValid(slider):
            QTest.mouseDClick(slider, LEFT, NO_KEY, places[0])

    def do_type(self) -> None:
        """7 Type something into a field."""
        field = self._some(QLineEdit)
        if field is not None:
            field.setFocus()
            field.selectAll()
            _type(field, self.dice.choice(GARBAGE))
            self._key(field, self.dice.choice((Key.Key_Return, Key.Key_Tab, Key.Key_Escape, Key.Key_Up)))

    def do_button(self) -> None:
        """8 Click on a button; a notice has some too."""
        button = self._some(QAbstractButton)
        if button is not None:
            self._waits = True
            QTest.mouseClick(button, LEFT)
            self._waits = False

    def do_command(self) -> None:
        """12 Give a command of the menus."""
        self._trigger(self.dice.choice([key for key in self.window.actions_.keys("") if key not in (*END, *ALONE)]))

    def do_dialog(self) -> None:
        """1 Open one of the larger dialogs; what is in the way is answered."""
        self._trigger(self.dice.choice(DIALOGS))

    def do_model(self) -> None:
        """5 Choose another model."""
        self._trigger(self.dice.choice(self.window.actions_.keys("model:")))

    def do_kernel(self) -> None:
        """4 Choose another kernel."""
        self._trigger(self.dice.choice(self.window.actions_.keys("kernel:")))

    def do_tool(self) -> None:
        """5 Take another tool into the hand."""
        self._trigger(self.dice.choice(self.window.actions_.keys("tool:")))

    def do_select(self) -> None:
        """6 Select some points, or all."""
        n = len(self.store.scene.points)
        if n == 0 or self.dice.random() < 0.3:
            self._trigger("select_all")
        else:
            self.store.select(frozenset(self.dice.sample(range(n), self.dice.randrange(min(n, 6) + 1))))

    def do_arrange(self) -> None:
        """8 Do something with some points."""
        if not self.store.selection:
            self.do_select()
        actions = self.window.actions_
        self._trigger(self.dice.choice((*actions.keys("arrange:"), *actions.keys("assign:"), "duplicate_points",
                                        "switch", "delete", "snap")))

    def do_steps(self) -> None:
        """6 Go back and forth many times."""
        for _ in range(self.dice.randrange(1, 12)):
            self._trigger(self.dice.choice(("undo", "undo", "redo")))

    def do_history(self) -> None:
        """6 Open the list of steps, and go somewhere in it."""
        panel = self.window.history_panel
        if panel is None or not panel.isVisible() or self.dice.random() < 0.1:
            self._trigger("history")
            return
        steps = panel.list.steps
        index = steps.index(self.dice.randrange(steps.rowCount()))
        panel.list.scrollTo(index)
        if self.dice.random() < 0.5:
            QTest.mouseClick(panel.list.viewport(), LEFT, NO_KEY, panel.list.visualRect(index).center())
        else:
            for _ in range(self.dice.randrange(5)):
                self._key(panel.list, self.dice.choice((Key.Key_Up, Key.Key_Down, Key.Key_PageUp, Key.Key_End)))
            self._key(panel.list, self.dice.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)))

    def do_class(self) -> None:
        """5 Rename, move, look at, remove or add a class."""
        classes = self.window.data_panel.classes
        if not classes.isVisible():
            return
        row = self.dice.choice(classes.rows)
        what = self.dice.randrange(6)
        if what == 0 and classes.add.isVisible():
            QTest.mouseClick(classes.add, LEFT)
        elif what == 1:
            self._key(row, self.dice.choice((Key.Key_Up, Key.Key_Down)), ALT)
        elif what == 2:
            QTest.mouseDClick(row, LEFT, NO_KEY, row.rect().center())
            if row.editor.isVisible():
                _type(row.editor, self.dice.choice(GARBAGE))
                self._key(row.editor, self.dice.choice((Key.Key_Return, Key.Key_Escape, Key.Key_Tab)))
        elif what == 3:
            QTest.mouseClick(row, LEFT)
        elif what == 4:
            QTest.mouseClick(row.mark, LEFT)
            popup = QApplication.activePopupWidget()
            for _ in range(self.dice.randrange(4) if popup is not None else 0):
                self._key(popup, self.dice.choice((Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down)))
            if popup is not None:
                self._key(popup, self.dice.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)))
        else:
            row.menu_wanted.emit(row.number, row.mapToGlobal(QPoint(4, 4)))

    def do_paste(self) -> None:
        """4 Paste something: rows, words, a whole scene as a line."""
        clip = self.dice.choice((*CLIPS, None, None))
        if clip is None:
            clip = link.text(self.dice.choice(examples()).scene())
            clip = clip[:self.dice.choice((len(clip), len(clip), len(clip) // 2))]
        self.heart.skip()
        QGuiApplication.clipboard().setText(clip)
        self._trigger("paste")

    def do_generate(self) -> None:
        """4 Draw points of some kind."""
        generator = self.window.data_panel.generator
        for _ in range(self.dice.randrange(3)):
            self._key(generator.combo, self.dice.choice((Key.Key_Down, Key.Key_Up)))
        QTest.mouseClick(self.dice.choice((generator.replace, generator.add, generator.dice)), LEFT)

    def do_file(self) -> None:
        """2 Open a file, most of them broken."""
        there = [path for path in self.folder.iterdir() if path.is_file()]
        self.window.documents.open_path(self.dice.choice((*there, self.folder / "missing.csv")))

    def do_drop(self) -> None:
        """1 Drop a file on the window."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self.folder / self.dice.choice(tuple(FILES))))])
        self.window.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, LEFT, NO_KEY))

    def do_save(self) -> None:
        """2 Save."""
        self._trigger("save")

    def do_meddle(self) -> None:
        """1 Change or delete the file of the document behind its back."""
        path = self.store.path
        if path is not None and path.is_relative_to(self.folder):
            if self.dice.random() < 0.5:
                path.unlink(missing_ok=True)
            else:
                session.save(self.dice.choice(examples()).scene(), path)

    def do_example(self) -> None:
        """1 Open an example."""
        self.window.documents.show_example(self.dice.choice(examples()))

    def do_window(self) -> None:
        """1 Open another window, or close all but this one."""
        windows = self.house.desk.windows
        if len(windows) >= MOST_WINDOWS or self.dice.random() < 0.5:
            self._close_others()
        else:
            self._trigger(self.dice.choice(("new_window", "duplicate")))
            while not self.house.desk.ready and self.dice.random() < 0.9:
                self.turn()
        self.window.activateWindow()

    def do_language(self) -> None:
        """1 Speak another language."""
        self.window.set_language(self.dice.choice(tuple(LANGUAGES)))

    def do_theme(self) -> None:
        """1 Wear another theme."""
        self.window.set_theme(self.dice.choice(tuple(THEMES)))

    def do_resize(self) -> None:
        """2 Resize the window."""
        self.window.resize(QSize(self.dice.randrange(1024, 1500), self.dice.randrange(640, 950)))

    def do_search(self) -> None:
        """3 Search for the largest evidence, or stop."""
        panel = self.window.model_panel
        self.dice.choice((panel.evidence.start, panel.evidence.start, panel.optimiser.stop))()

    def do_play(self) -> None:
        """4 Play and step."""
        player = self.window.player
        self.dice.choice((player.toggle, player.back, player.forward, player.first, player.last))()

    def do_table(self) -> None:
        """6 Click into the table, the row below the points too, and type; sort; paste a block."""
        table = self.window.data_panel.table
        if not table.isVisible():
            return
        rows = table.points.rowCount()
        row = self.dice.choice((rows - 1, self.dice.randrange(rows)))
        index = table.points.index(row, self.dice.randrange(table.points.columnCount()))
        table.scrollTo(index)
        held = self.dice.choice(HELD)
        QTest.mouseClick(table.viewport(), LEFT, held, table.visualRect(index).center())
        self.turn()
        what = self.dice.randrange(8)
        if what == 0:
            header = table.horizontalHeader()
            section = self.dice.randrange(header.count())
            QTest.mouseClick(header.viewport(), LEFT, NO_KEY, QPoint(header.sectionViewportPosition(section) + 8, 10))
        elif what == 1:
            QGuiApplication.clipboard().setText(self.dice.choice(("1\t2\n3\t4\n", "7\n", "a\tb\n", "1\t2\t+1\n")))
            self._key(table, Key.Key_V, CTRL)
        elif what < 6:
            self._key(table, self.dice.choice((Key.Key_F2, Key.Key_5, Key.Key_Return, Key.Key_Tab)))
            editor = QApplication.focusWidget()
            if isinstance(editor, QLineEdit) and table.isAncestorOf(editor):
                _type(editor, self.dice.choice(GARBAGE))
                if self.dice.random() < 0.2:
                    self.do_steps()  # with the editor open
                editor = QApplication.focusWidget()
                if isinstance(editor, QLineEdit):
                    self._key(editor, self.dice.choice((Key.Key_Return, Key.Key_Escape, Key.Key_Tab, Key.Key_Backtab)))
        else:
            for _ in range(self.dice.randrange(1, 5)):
                self._key(table, self.dice.choice((Key.Key_Down, Key.Key_Right, Key.Key_Space, Key.Key_Delete)))

    def do_menu(self) -> None:
        """3 Ask for the menu of something, and choose from it or not."""
        widget = self._some(QWidget)
        if widget is not None:
            at = widget.rect().center()
            QApplication.sendEvent(widget, QContextMenuEvent(
                self.dice.choice((QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard)), at,
                widget.mapToGlobal(at)))

    def do_close_menus(self) -> None:
        """10 Choose from the open menu, or close it."""
        for _ in range(5):
            popup = QApplication.activePopupWidget()
            if popup is None:
                return
            if isinstance(popup, QMenu) and self.dice.random() < 0.5:
                for _ in range(self.dice.randrange(1, 6)):
                    self._key(popup, Key.Key_Down)
                action = popup.activeAction()
                if action is not None and action.objectName() not in (*END, *ALONE):
                    self._key(popup, Key.Key_Return)
                    continue
            self._key(popup, Key.Key_Escape)
            if popup.isVisible():
                popup.close()

    # what must hold

    def glance(self) -> None:
        """Check what holds at any moment, and that nothing has gone wrong so far."""
        self.witness.check()
        store, window = self.store, self.window
        scene, history = store.scene, store.history
        assert 0 <= history.at < len(history.steps)
        assert all(0 <= row < len(scene.points) for row in store.selection)
        assert 0 <= store.current_class < len(scene.classes)
        assert window.isWindowModified() == store.modified
        assert (window.actions_["undo"].isEnabled(), window.actions_["redo"].isEnabled()) == (
            history.at > 0, history.at + 1 < len(history.steps))
        assert window.actions_[f"tool:{store.tool}"].isChecked()
        table = window.data_panel.table
        assert table.points.rowCount() == len(scene.points) + 1 and table.points.points is scene.points
        panel = window.history_panel
        if panel is not None and panel.isVisible():
            steps = panel.list.steps
            assert steps.at == history.at and steps.rowCount() == len(history.steps)
            assert [steps.index(row).data() for row in range(steps.rowCount())] == [
                " ".join(str(step.label).split()) for step in history.steps]

    def settle(self) -> None:
        """Let go of everything, and wait for rest."""
        store, window = self.store, self.window
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if self.down != NONE:
            self.do_press()
        window.player._stop()
        window.model_panel.optimiser.stop()
        wait_until(lambda: not window.model_panel.optimiser.busy)
        wait_until(lambda: store.settled and self.house.desk.idle and window.updatesEnabled())

    def look(self) -> None:
        """Let go of everything, wait for rest, and compare all that is shown with a picture made from nothing."""
        self.settle()
        self.glance()
        store, window = self.store, self.window
        picture, scene = store.picture, store.scene
        assert picture is not None and picture.scene is scene
        screen = store._screen
        assert screen is not None
        alone = cold(scene, screen.view, screen.aspect)
        assert str(alone.problem) == str(picture.problem)
        assert [chart.key for chart in alone.charts] == [chart.key for chart in picture.charts] or picture.stale
        if picture.problem is None:
            self._same_fields(picture, alone)
        rows = np.concatenate([np.zeros(0, np.intp), *(mark.index for mark in window.canvas.plot.layers.points
                                                       if isinstance(mark, Dots))])
        assert "points" in scene.hidden or sorted(rows.tolist()) == list(range(len(scene.points)))
        for mark in window.canvas.plot.layers.points:
            assert isinstance(mark, Dots) and np.array_equal(mark.xy, scene.points.xy[mark.index])
        assert window.status.sentence.full, "the status line is never blank"
        if window.status._message is None:
            warns = any(note.level == "warning" for note in picture.notes)
            state = "bad" if picture.problem is not None else "warn" if warns else "good"
            assert window.status.dot.state == (state if len(scene.points) else "empty")
            assert window.status.sentence.full == str(window.status.about(picture))
        assert window.model_panel.readouts.rows() == [(str(each.label), str(each.value)) for each in picture.readouts]
        assert window.model_panel.model.combo.key == type(scene.model).key
        assert window.model_panel.model.form is not None
        for path, row in window.model_panel.model.form.rows.items():
            value = getattr(scene.model, path)
            shown = getattr(row, "_value", value)
            assert shown == value, (path, shown, value)
        assert tuple(window.side_views.tabs) == tuple(chart.key for chart in picture.charts[1:])
        self._saved_and_read()
        self.heart.skip()

    def _same_fields(self, picture: Any, alone: Any) -> None:
        for ours, other in zip(picture.canvas.marks, alone.canvas.marks, strict=True):
            assert type(ours) is type(other) and ours.role == other.role
            if isinstance(ours, Field):
                span = max(1.0, float(np.ptp(other.values)))
                assert ours.values.shape == other.values.shape
                assert np.abs(ours.values - other.values).max() <= 2e-2 * span, type(picture.fit).__name__

    def _saved_and_read(self) -> None:
        """The scene comes back from a file and from a line as it went in."""
        scene, path = self.store.scene, self.folder / ".looked"
        session.save(scene, path)
        for back in (session.load(path), link.scene(link.text(scene))):
            assert back.digest == scene.digest and back.views == scene.views, differences(back, scene)

    def back_and_forth(self) -> None:
        """Undo everything and do it again: the first scene, and the last; and each one between, gone to."""
        store = self.store
        digests = [step.scene.digest for step in store.history.steps]
        while store.history.undoable is not None:
            store.undo()
            self.heart.beat()
            assert store.scene.digest == digests[store.history.at]
        if not self.forgot:
            assert store.scene.digest == self.begin.digest, differences(store.scene, self.begin)
        while store.history.redoable is not None:
            store.redo()
            self.heart.beat()
        assert store.scene.digest == digests[-1]
        for at in self.master.sample(range(len(digests)), min(5, len(digests))):
            store.go(at)
            assert store.scene.digest == digests[at]
        wait_until(lambda: store.settled)
        self.witness.check()
        self.heart.skip()

    def tidy(self) -> None:
        """Close what was opened and begin the first example anew, as a house looks before a storm."""
        self.heart.deed = "tidy"
        self.settle()
        self._close_others()
        window = self.window
        window.presenting.turn(False)
        wait_until(window.updatesEnabled)
        window.sizing.take(USUAL)
        wait_until(window.updatesEnabled)
        for command in (partial(window.set_language, "en"), partial(window.set_theme, "light"),
                        partial(window.resize, 1280, 800), partial(self.store.use_tool, "point"),
                        partial(self.store.open, examples()[0].scene(), None, say("Open"))):
            command()
            self.turn()  # a person gives one command at a time
        QGuiApplication.clipboard().clear()
        window.documents.forget_recent()
        if window.history_panel is not None and window.history_panel.isVisible():
            self._trigger("history")
        for panel, key in ((window.data_panel, "data_panel"), (window.model_panel, "model_panel")):
            if panel.isHidden():
                self._trigger(key)
        self.settle()
        for tab in (*window.side_views.tabs, ""):
            window.side_views.open(tab)
        generator = window.data_panel.generator
        for key in ("point", "select", "brush", "point"):
            self.store.use_tool(key)
        generator.choose("separable")
        generator.combo.show_key("separable")
        for fold in window.findChildren(Fold):
            fold.setChecked(fold is not generator.fold)
        assert not generator.form.isVisible()
        self._fill_menus()
        self.settle()
        window.grab()  # what is made when it is drawn
        self.heart.skip()

    def once(self) -> None:
        """Let everything be made that is made when it is first asked for, and then kept."""
        window = self.window
        self.heart.deed = "once"
        self.settle()
        self._patience = 0
        for task in ("regression", "classification"):
            window.data_panel.task.chosen.emit(task)
            for key in window.actions_.keys("model:"):
                self._trigger(key)
                self.settle()
                for tab in tuple(window.side_views.tabs):
                    window.side_views.open(tab)
                    self.turn()
            for key in (*window.actions_.keys("kernel:"), *window.actions_.keys("tool:"), "snap", "snap"):
                self._trigger(key)
                self.turn()
            generator = window.data_panel.generator
            for place in range(generator.combo.count()):
                generator.choose(str(generator.combo.itemData(place)))
        self._trigger("model:svm")  # the last points were a curve's
        self.turn()
        while window.data_panel.classes.add.isEnabled() and window.data_panel.classes.add.isVisible():
            window.data_panel.classes.add.click()  # a row of each class is kept
            self.turn()
        for key in (*DIALOGS, "history", "copy_picture"):
            self._trigger(key)
        window.model_panel.kernel.menu(None)
        for code in LANGUAGES:
            for name in THEMES:
                window.set_language(code)
                self.turn()
                window.set_theme(name)
                self.settle()
                self._fill_menus()
        self.heart.skip()

    def _fill_menus(self) -> None:
        """Open every menu for a moment: some are filled only then, with what there is."""
        for menu in self.window.findChildren(QMenu):
            menu.popup(self.window.mapToGlobal(QPoint(0, 0)))
            menu.close()
        self.turn()

    def _close_others(self) -> None:
        windows = list(self.house.desk.whole())
        self.heart.skip()  # nobody closes a window that is not there yet
        for window in windows:
            if window is not self.window:
                window.leave()
                self.heart.beat()

    # where and how

    @property
    def _viewport(self) -> QWidget:
        return self.window.canvas.viewport()

    def _anywhere(self, near: bool = False) -> QPoint:
        viewport = self._viewport
        if near:
            return self.at + QPoint(self.dice.randrange(-40, 41), self.dice.randrange(-40, 41))
        points = self.store.scene.points.xy
        if len(points) and self.dice.random() < 0.4:
            return self.window.canvas.to_pixels(*points[self.dice.randrange(len(points))].tolist())
        return QPoint(self.dice.randrange(viewport.width()), self.dice.randrange(viewport.height()))

    def _mouse(self, kind: QEvent.Type, button: Qt.MouseButton, down: Qt.MouseButton,
               held: Qt.KeyboardModifier = NO_KEY) -> None:
        viewport = self._viewport
        QApplication.sendEvent(viewport, QMouseEvent(kind, QPointF(self.at), QPointF(viewport.mapToGlobal(self.at)),
                                                     button, down, held))
        self.heart.beat()

    def _key(self, where: QWidget, key: Qt.Key, held: Qt.KeyboardModifier = NO_KEY) -> None:
        if key in (Key.Key_W, Key.Key_Q) and held & CTRL:
            return  # the end
        QTest.keyClick(where, key, held)
        self.heart.beat()

    def _trigger(self, key: str) -> None:
        self.window.actions_[key].trigger()
        self.heart.beat()

    def _wheel(self, where: QWidget) -> None:
        at = QPointF(where.rect().center())
        turn = QPoint(0, self.dice.choice((-240, -120, 120, 240, 37)))
        QApplication.sendEvent(where, QWheelEvent(at, QPointF(where.mapToGlobal(at.toPoint())), QPoint(), turn, NONE,
                                                  self.dice.choice((NO_KEY, CTRL)), Qt.ScrollPhase.NoScrollPhase,
                                                  False))
        self.heart.beat()

    def _some(self, kind: Any) -> Any:
        """Return one of the visible widgets of a kind."""
        found = [widget for widget in self.window.findChildren(kind) if widget.isVisible() and widget.isEnabled()
                 and not isinstance(widget, QMenu) and widget.window() is self.window]
        self.heart.skip()
        return self.dice.choice(found) if found else None


def differences(one: Scene, other: Scene) -> list[tuple[str, object, object]]:
    """Return where two scenes differ."""
    return [(field.name, getattr(one, field.name), getattr(other, field.name)) for field in dataclasses.fields(Scene)
            if getattr(one, field.name) != getattr(other, field.name)]


def _type(field: QWidget, text: str) -> None:
    """Type characters that a keyboard may not have."""
    for letter in text:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(field, QKeyEvent(kind, Key.Key_unknown, NO_KEY, letter))


def machine(begin: Callable[[], Storm], end: Callable[[Storm], None]) -> type[RuleBasedStateMachine]:
    """Return the storm as a state machine: every action is a rule, with the seed of its chance as its argument; what
    holds at any moment is the invariant, and at the end everything is looked at. Failures are cut down to the few
    actions that they need."""

    class Person(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.storm = begin()

        @invariant()
        def well(self) -> None:
            self.storm.glance()

        def teardown(self) -> None:
            try:
                self.storm.look()
                self.storm.back_and_forth()
            finally:
                end(self.storm)

    def acting(name: str) -> Callable[[Person, int], None]:
        def act(self: Person, seed: int) -> None:
            self.storm.act(name, seed)

        act.__name__ = name
        return act

    for name in Storm.deeds():
        setattr(Person, name, rule(seed=st.integers(0, 255))(acting(name)))
    return Person
