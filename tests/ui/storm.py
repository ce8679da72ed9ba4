"""A person in a hurry: thousands of random things done to one window, by mouse and keys, in no sensible order."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
from hand import LEFT, NO_KEY, RIGHT, Hand
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QLineEdit, QMenu, QSlider, QWidget

from kernelplay.compute import cold
from kernelplay.i18n import LANGUAGES
from kernelplay.marks import Dots, Field
from kernelplay.scene import Scene
from kernelplay.ui.theme import THEMES

Key, Modifier = Qt.Key, Qt.KeyboardModifier
NONE = Qt.MouseButton.NoButton
KEYS = (Key.Key_Escape, Key.Key_Delete, Key.Key_Backspace, Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down,
        Key.Key_Return, Key.Key_Tab, Key.Key_Backtab, Key.Key_Space, Key.Key_Home, Key.Key_End, Key.Key_PageUp,
        Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_9, Key.Key_P, Key.Key_B, Key.Key_E, Key.Key_S, Key.Key_F, Key.Key_L,
        Key.Key_Plus, Key.Key_Minus, Key.Key_A, Key.Key_C, Key.Key_V, Key.Key_D, Key.Key_Z, Key.Key_Y, Key.Key_M,
        Key.Key_F2, Key.Key_F7, Key.Key_F8, Key.Key_F9, Key.Key_Menu)
HELD = (NO_KEY, NO_KEY, NO_KEY, Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier,
        Modifier.ControlModifier | Modifier.ShiftModifier)
GARBAGE = ("", " ", "1,5", "−2", "1e400", "nan", "-0", "1e-320", "0", "abc", "１２", "3.5.1", "1 2; 3", "2 1; 1 3", "∞",
           "10⁻³", "99999", "-1", "scale", "\u202e7", "0.41621937", "{x}", "%s", "& ⟦⟧")
CLIPS = ("", "1\t2\n", "1,2\n3,4\n", "x1,x2,label\n0,1,1\n1,0,-1\n", "a b c\n", "1;2;3;4\n", "\x00\x01", "nan,nan,1\n",
         "1e308,1e308\n-1e308,0\n", "0.5 0.5 +1\n0.5 0.5 -1\n", "5\n6\n7\n", "x" * 3000,
         "1,2,rot\n3,4,blau\n2,2,grün\n")
FILES = {"cut.kplay": '{"format": "kernelplay', "list.kplay": "[]", "empty.kplay": "", "empty.csv": "",
         "words.csv": "a,b\nc,d\n", "bytes.csv": "\x00\x00\x00", "ragged.csv": "1,2\n3\n4,5,6\n",
         "good.csv": "x1,x2,label\n0,0,1\n1,1,-1\n0,1,1\n1,0,-1\n0.2,0.1,1\n", "line.csv": "x,t\n0,1\n1,2\n2,1\n3,4\n"}
AWAY = ("open", "save", "save_as", "export", "quit", "full_screen")  # windows of the system, and the end


class Storm:
    """Acts on one window, and knows what must hold when everything has come to rest."""

    def __init__(self, hand: Hand, seed: int, folder: Path) -> None:
        self.hand, self.window, self.store = hand, hand.window, hand.window.store
        self.dice = random.Random(seed)
        self.folder = folder
        self.down = NONE  # the button that is held on the canvas
        self.at = QPoint(0, 0)
        self._waits = False
        self.did: list[str] = []
        self.begin = self.store.scene
        self.store.changed.connect(self._changed)
        for name, text in FILES.items():
            (folder / name).write_text(text, "utf-8")
        self._closer = QTimer(self.window)
        self._closer.setInterval(15)
        self._closer.timeout.connect(self._answer)
        self._closer.start()

    def _changed(self, old: Any, new: Any) -> None:
        if len(self.store.history.steps) == 1:
            self.begin = new

    def _answer(self) -> None:
        """Do something with a dialog that is in the way, or with the menu of a button, which waits too."""
        popup = QApplication.activePopupWidget()
        if popup is not None and self._waits:
            popup.close()
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QDialog) and dialog.isVisible():
            fields = [field for field in dialog.findChildren(QLineEdit) if field.isVisible()]
            for field in fields[:2]:
                field.setText(self.dice.choice(GARBAGE))
            buttons = [button for button in dialog.findChildren(QAbstractButton) if button.isVisible()
                       and "Save" not in button.text()]
            if buttons and not fields and self.dice.random() < 0.7:
                QTest.mouseClick(self.dice.choice(buttons), LEFT)
            else:
                dialog.reject()

    def run(self, steps: int, rest: int) -> None:
        """Do `steps` things, and look at everything after every `rest` of them."""
        deeds = [(name, getattr(self, name), int(getattr(self, name).__doc__.split()[0])) for name in dir(self)
                 if name.startswith("do_")]
        for step in range(1, steps + 1):
            name, deed, _ = self.dice.choices(deeds, [weight for _, _, weight in deeds])[0]
            self.did.append(name)
            deed()
            for _ in range(self.dice.randrange(4)):
                QCoreApplication.processEvents()
            if step % rest == 0:
                self.look()
        self.look()
        self.back_and_forth()
        self._closer.stop()

    # what is done: the docstring begins with how often

    def do_move(self) -> None:
        """30 Move the pointer over the canvas."""
        self.at = self._anywhere(near=self.down != NONE)
        self._mouse(QEvent.Type.MouseMove, NONE, self.down)

    def do_press(self) -> None:
        """12 Press a button, or let it go."""
        if self.down != NONE:
            held, self.down = self.down, NONE
            self._mouse(QEvent.Type.MouseButtonRelease, held, NONE)
            return
        self.at = self._anywhere()
        self.down = self.dice.choice((LEFT, LEFT, LEFT, RIGHT, Qt.MouseButton.MiddleButton))
        self._mouse(QEvent.Type.MouseButtonPress, self.down, self.down, self.dice.choice(HELD))

    def do_click(self) -> None:
        """10 Click somewhere on the canvas."""
        QTest.mouseClick(self.window.canvas.viewport(), self.dice.choice((LEFT, LEFT, RIGHT)), self.dice.choice(HELD),
                         self._anywhere())

    def do_double_click(self) -> None:
        """2 Double click."""
        QTest.mouseDClick(self.window.canvas.viewport(), LEFT, NO_KEY, self._anywhere())

    def do_wheel(self) -> None:
        """4 Turn the wheel somewhere."""
        where = self._some(QWidget)
        if where is not None:
            self._wheel(where)

    def do_zoom(self) -> None:
        """4 Turn the wheel over the canvas."""
        self._wheel(self.window.canvas.viewport())

    def do_key(self) -> None:
        """25 Press a key in whatever has the focus, or on the canvas."""
        key, held = self.dice.choice(KEYS), self.dice.choice(HELD)
        if (key, held) == (Key.Key_S, Modifier.ControlModifier) or (key == Key.Key_S and held & Modifier.ShiftModifier):
            return
        if held & Modifier.ControlModifier and key in (Key.Key_E,):
            return
        target = QApplication.focusWidget() if self.dice.random() < 0.4 else self.window.canvas
        popup = QApplication.activePopupWidget()
        QTest.keyClick(popup or target or self.window.canvas, key, held)

    def do_combo(self) -> None:
        """8 Choose something else from a list by keys."""
        combo = self._some(QComboBox)
        if combo is not None and combo.isEnabled():
            for _ in range(self.dice.randrange(1, 4)):
                QTest.keyClick(combo, self.dice.choice((Key.Key_Down, Key.Key_Up)))

    def do_slider(self) -> None:
        """10 Drag a slider."""
        slider = self._some(QSlider)
        if slider is not None:
            middle = slider.height() // 2
            places = [QPoint(self.dice.randrange(max(1, slider.width())), middle) for _ in range(4)]
            QTest.mousePress(slider, LEFT, NO_KEY, places[0])
            for place in places[1:]:
                QTest.mouseMove(slider, place)
                QApplication.sendEvent(slider, QMouseEvent(QEvent.Type.MouseMove, QPointF(place),
                                                           QPointF(slider.mapToGlobal(place)), NONE, LEFT, NO_KEY))
                QCoreApplication.processEvents()
            QTest.mouseRelease(slider, LEFT, NO_KEY, places[-1])
            if self.dice.random() < 0.2:
                QTest.mouseDClick(slider, LEFT, NO_KEY, places[0])

    def do_type(self) -> None:
        """8 Type something into a field."""
        field = self._some(QLineEdit)
        if field is not None and field.isEnabled():
            field.setFocus()
            field.selectAll()
            _type(field, self.dice.choice(GARBAGE))
            QTest.keyClick(field, self.dice.choice((Key.Key_Return, Key.Key_Tab, Key.Key_Escape, Key.Key_Up)))

    def do_button(self) -> None:
        """8 Click on a button."""
        button = self._some(QAbstractButton)
        words = "" if button is None else button.text() + button.toolTip()
        if button is not None and not any(word in words for word in ("…", "figure", "Ctrl+E")):
            self._waits = True
            QTest.mouseClick(button, LEFT)
            self._waits = False

    def do_command(self) -> None:
        """12 Give a command of the menus."""
        keys = [key for key in self.window.actions_.keys("") if key not in AWAY]
        self.window.actions_[self.dice.choice(keys)].trigger()

    def do_model(self) -> None:
        """5 Choose another model."""
        self.window.actions_[self.dice.choice(self.window.actions_.keys("model:"))].trigger()

    def do_kernel(self) -> None:
        """4 Choose another kernel."""
        self.window.actions_[self.dice.choice(self.window.actions_.keys("kernel:"))].trigger()

    def do_steps(self) -> None:
        """6 Go back and forth many times."""
        for _ in range(self.dice.randrange(1, 12)):
            self.window.actions_[self.dice.choice(("undo", "undo", "redo"))].trigger()

    def do_paste(self) -> None:
        """3 Paste something."""
        QGuiApplication.clipboard().setText(self.dice.choice(CLIPS))
        self.window.actions_["paste"].trigger()

    def do_file(self) -> None:
        """2 Open a file, most of them broken."""
        self.window.documents.open_path(self.folder / self.dice.choice((*FILES, "missing.csv")))

    def do_example(self) -> None:
        """1 Open an example."""
        from kernelplay.examples import examples

        self.window.documents.show_example(self.dice.choice(examples()))

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
        panel = self.window.model_panel.evidence
        self.dice.choice((panel.start, panel.start, self.window.model_panel.optimiser.stop))()

    def do_play(self) -> None:
        """5 Play and step."""
        player = self.window.player
        self.dice.choice((player.toggle, player.back, player.forward, player.first, player.last))()

    def do_table(self) -> None:
        """4 Click into the table, and type."""
        table = self.window.data_panel.table
        if not table.isVisible() or not table.points.rowCount():
            return
        index = table.points.index(self.dice.randrange(table.points.rowCount()), self.dice.randrange(3))
        table.scrollTo(index)
        QTest.mouseClick(table.viewport(), LEFT, self.dice.choice(HELD), table.visualRect(index).center())
        if self.dice.random() < 0.5:
            QTest.keyClick(table, Key.Key_F2)
            editor = QApplication.focusWidget()
            if isinstance(editor, QLineEdit):
                _type(editor, self.dice.choice(GARBAGE))
                QTest.keyClick(editor, self.dice.choice((Key.Key_Return, Key.Key_Escape, Key.Key_Tab)))

    def do_menu(self) -> None:
        """3 Ask for the menu of something, and choose from it or not."""
        widget = self._some(QWidget)
        if widget is not None:
            at = widget.rect().center()
            QApplication.sendEvent(widget, QContextMenuEvent(
                self.dice.choice((QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard)), at,
                widget.mapToGlobal(at)))

    def do_close_menus(self) -> None:
        """12 Choose from the open menu, or close it."""
        for _ in range(5):
            popup = QApplication.activePopupWidget()
            if popup is None:
                return
            if isinstance(popup, QMenu) and self.dice.random() < 0.5:
                for _ in range(self.dice.randrange(1, 6)):
                    QTest.keyClick(popup, Key.Key_Down)
                action = popup.activeAction()
                if action is not None and action.objectName() not in AWAY:
                    QTest.keyClick(popup, Key.Key_Return)
                    continue
            QTest.keyClick(popup, Key.Key_Escape)
            if popup.isVisible():
                popup.close()

    # what must hold

    def look(self) -> None:
        """Let go of everything, wait for rest, and compare all that is shown with a picture made from nothing."""
        store, window = self.store, self.window
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if self.down != NONE:
            self.do_press()
        window.player._stop()
        window.model_panel.optimiser.stop()
        self.hand.bot.waitUntil(lambda: not window.model_panel.optimiser.busy, timeout=30_000)
        self.hand.bot.waitUntil(lambda: store.settled, timeout=60_000)
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
        assert all(0 <= row < len(scene.points) for row in store.selection)
        assert 0 <= store.current_class < len(scene.classes)
        table = window.data_panel.table
        assert table.points.rowCount() == len(scene.points) and table.points.points is scene.points
        assert window.status.sentence.full, "the status line is never blank"
        if window.status._message is None:
            assert window.status.dot.state == ("good" if picture.problem is None else "bad")
            assert window.status.sentence.full == str(picture.problem or picture.status)
        assert window.model_panel.readouts.rows() == [(str(each.label), str(each.value)) for each in picture.readouts]
        assert window.model_panel.model.combo.key == type(scene.model).key
        assert window.model_panel.model.form is not None
        for path, row in window.model_panel.model.form.rows.items():
            value = getattr(scene.model, path)
            shown = getattr(row, "_value", value)
            assert shown == value, (path, shown, value)
        assert window.isWindowModified() == store.modified
        assert tuple(window.side_views.tabs) == tuple(chart.key for chart in picture.charts[1:])

    def _same_fields(self, picture: Any, alone: Any) -> None:
        for ours, other in zip(picture.canvas.marks, alone.canvas.marks, strict=True):
            assert type(ours) is type(other) and ours.role == other.role
            if isinstance(ours, Field):
                span = max(1.0, float(np.ptp(other.values)))
                assert ours.values.shape == other.values.shape
                assert np.abs(ours.values - other.values).max() <= 2e-2 * span, type(picture.fit).__name__

    def back_and_forth(self) -> None:
        """Undo everything and do it again: the first scene, and the last."""
        store = self.store
        last, steps = store.history.steps[-1].scene.digest, len(store.history.steps)
        while store.history.undoable is not None:
            store.undo()
        if steps < 500:
            assert store.scene.digest == self.begin.digest, [
                (field.name, getattr(store.scene, field.name), getattr(self.begin, field.name))
                for field in dataclasses.fields(Scene)
                if getattr(store.scene, field.name) != getattr(self.begin, field.name)]
        while store.history.redoable is not None:
            store.redo()
        assert store.scene.digest == last
        self.hand.bot.waitUntil(lambda: store.settled, timeout=60_000)

    # where

    def _anywhere(self, near: bool = False) -> QPoint:
        viewport = self.window.canvas.viewport()
        if near:
            return self.at + QPoint(self.dice.randrange(-40, 41), self.dice.randrange(-40, 41))
        points = self.store.scene.points.xy
        if len(points) and self.dice.random() < 0.4:
            return self.window.canvas.to_pixels(*points[self.dice.randrange(len(points))].tolist())
        return QPoint(self.dice.randrange(viewport.width()), self.dice.randrange(viewport.height()))

    def _mouse(self, kind: QEvent.Type, button: Qt.MouseButton, down: Qt.MouseButton,
               held: Qt.KeyboardModifier = NO_KEY) -> None:
        viewport = self.window.canvas.viewport()
        QApplication.sendEvent(viewport, QMouseEvent(kind, QPointF(self.at), QPointF(viewport.mapToGlobal(self.at)),
                                                     button, down, held))

    def _wheel(self, where: QWidget) -> None:
        at = QPointF(where.rect().center())
        turn = QPoint(0, self.dice.choice((-240, -120, 120, 240, 37)))
        QApplication.sendEvent(where, QWheelEvent(at, QPointF(where.mapToGlobal(at.toPoint())), QPoint(), turn, NONE,
                                                  self.dice.choice((NO_KEY, Modifier.ControlModifier)),
                                                  Qt.ScrollPhase.NoScrollPhase, False))

    def _some(self, kind: Any) -> Any:
        """Return one of the visible widgets of a kind."""
        found = [widget for widget in self.window.findChildren(kind) if widget.isVisible() and widget.isEnabled()
                 and not isinstance(widget, QMenu) and widget.window() is self.window]
        return self.dice.choice(found) if found else None


def _type(field: QWidget, text: str) -> None:
    """Type characters that a keyboard may not have."""
    for letter in text:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(field, QKeyEvent(kind, Key.Key_unknown, NO_KEY, letter))
