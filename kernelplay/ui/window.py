"""The main window: canvas, panels, views, player (one file: its parts and what a person chooses there)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QFrame,
    QMainWindow,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kernelplay import i18n
from kernelplay.i18n import say, verbatim
from kernelplay.scene import Scene
from kernelplay.ui import language as speech
from kernelplay.ui.arranging import Arranging
from kernelplay.ui.canvas import Canvas
from kernelplay.ui.command_state import CommandState
from kernelplay.ui.commands import commands
from kernelplay.ui.data_panel import DataPanel
from kernelplay.ui.documents import Documents
from kernelplay.ui.dressing import afterwards, finish, in_turns
from kernelplay.ui.editing import Editing
from kernelplay.ui.hovering import Hover
from kernelplay.ui.kept import kept_number, kept_switch
from kernelplay.ui.layer_panel import LAYERS, show_layer
from kernelplay.ui.menus import Menus, Tools
from kernelplay.ui.model_panel import ModelPanel, choose_model
from kernelplay.ui.notice import Notice
from kernelplay.ui.player import Player
from kernelplay.ui.presenting import Presenting
from kernelplay.ui.sharing import Sharing
from kernelplay.ui.side_room import SideRoom
from kernelplay.ui.side_views import SideViews
from kernelplay.ui.sizes import resize, scale
from kernelplay.ui.sizing import Sizing
from kernelplay.ui.status import StatusLine
from kernelplay.ui.store import Store
from kernelplay.ui.theme import apply, icon, theme
from kernelplay.ui.words import name, retranslate, tell

if TYPE_CHECKING:
    from kernelplay.ui.desk import Desk
    from kernelplay.ui.history_panel import HistoryPanel

Standard = QKeySequence.StandardKey
SMALLEST = QSize(1024, 560)
HISTORY = 236  # height of the history when it is first opened
FRAME = QSize(16, 48)  # about what a window manager adds around a window


class MainWindow(QMainWindow):
    """Everything a person sees. It owns the store, and closes it. `desk` has the other windows, if there are any.

    All of it takes 50 ms to make, and as much to be shown; beside windows that are in use it is made in parts, one by
    each `build_on`, and may be used when that returns False.
    """

    closed = Signal()

    def __init__(self, scene: Scene, path: Path | None = None, theme_name: str = "light",
                 desk: Desk | None = None, at_once: bool = True) -> None:
        super().__init__()
        self.desk = desk
        self._leaving = False  # what would be lost has been asked about
        self.look = theme(theme_name).zoomed(scale())
        self.scale = scale()  # of what is in it
        self._language = i18n.current()  # in which it was begun
        self._narrow: tuple[float, list[int], int, int] | None = None  # scale and widths of before, while they change
        self.setProperty("theme", theme_name)
        self.store = Store(scene, self)
        self.store.path = path
        self._below = 0  # the height that the side views were given by hand
        self.history_panel: HistoryPanel | None = None  # made when it is first asked for
        self.setMinimumSize(SMALLEST)
        self.setAcceptDrops(True)
        self._parts = self._build()
        while at_once and self.build_on():
            pass

    # building

    def build_on(self) -> bool:
        """Make the next part; return whether there was one."""
        return next(self._parts, False)

    def _build(self) -> Iterator[bool]:
        """Make one part for each True."""
        self._frame()
        self.data_panel = DataPanel(self.store, self.look, self._left)  # in the order in which Tab goes through them
        yield True
        self.canvas = Canvas(self.store, self.look, self._middle)
        self.player = Player(self.store, self._middle)
        self.side_views = SideViews(self.store, self.look, self._upright)
        yield True
        self.model_panel = ModelPanel(self.store, self._across)
        self.status = StatusLine(self.store, self.look, self)
        self.notice = Notice(self._middle)
        yield True
        self.documents = Documents(self.store, self, self.notice, self.desk)
        self.arranging = Arranging(self.canvas, self)
        self.editing = Editing(self.store, self.arranging, self)
        self.sharing = Sharing(self.store, self)
        self.presenting = Presenting(self)
        self.sizing = Sizing(self)
        self.side_room = SideRoom(self)
        self.actions_ = commands(self)
        self.arranging.offer(self.actions_)
        self.editing.offer(self.actions_)
        yield True
        self.menus = Menus(self.menuBar(), self.actions_, self.documents)
        self.tools = Tools(self.actions_, self.menus.menus["examples"], self.store, self)
        self.addToolBar(self.tools)
        self._add_status_buttons()
        yield True
        self._lay_out()
        self.canvas.hovered.connect(self.status.point_at)
        self.canvas.menu_wanted.connect(self.editing.point_menu)
        self.editing.line_pasted.connect(self.documents.open_line)
        self.data_panel.table.left.connect(self._to_canvas)
        self.data_panel.table.pointed.connect(self.canvas.point_at)
        self.canvas.play_wanted.connect(self.player.toggle)
        toolbox = self.canvas.toolbox
        self.data_panel.tool.changed.connect(toolbox.set_tool)
        toolbox.tooled.connect(self.data_panel.tool.show_tool)
        self.data_panel.grid.changed.connect(toolbox.set_grid)
        self.data_panel.grid.fitted.connect(toolbox.fit_grid)
        toolbox.gridded.connect(self.data_panel.grid.show_grid)
        self.command_state = CommandState(self.store, self.actions_, self.player, self)
        self.store.changed.connect(self._changed)
        self.store.document.connect(self._document)
        self._document()
        self.fit_panels()
        self.canvas.setFocus()

    def _frame(self) -> None:
        """Make what the panels lie in: moving a panel into it later would dress all of its widgets anew, in 40 ms."""
        self._across = QSplitter(Qt.Orientation.Horizontal, self)
        self.setCentralWidget(self._across)
        self._left = QSplitter(Qt.Orientation.Vertical, self._across)
        self._upright = QSplitter(Qt.Orientation.Vertical, self._across)
        self._middle = QWidget(self._upright)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.player)
        self.notice.lie_on(self._middle)
        for splitter, stretch in ((self._upright, (1, 0)), (self._left, (1,)), (self._across, (0, 1, 0))):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
            for place, share in enumerate(stretch):
                splitter.setStretchFactor(place, share)
        self.side_views.unfolded.connect(self._unfolded)
        self._upright.splitterMoved.connect(self._divided)
        self.setStatusBar(self.status)
        room = self.screen().availableSize() - FRAME
        self.resize(QSize(1440, 900).boundedTo(room).expandedTo(SMALLEST))
        self._across.setSizes([self.data_panel.minimumWidth(), 10_000, self.model_panel.minimumWidth()])

    def _add_status_buttons(self) -> None:
        self.language_button = QToolButton(self)
        self.language_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.language_button.setMenu(self.menus.menus["language"])
        Hover(self.language_button).follow(self.menus.menus["language"])
        self.language_button.setText(i18n.LANGUAGES.get(i18n.current(), i18n.current()))
        name(self.language_button, say("Language"), say("Language of the window."))
        self.theme_button = QToolButton(self)
        self.theme_button.setIcon(icon("theme", self.look))
        self.theme_button.clicked.connect(self._other_theme)
        name(self.theme_button, say("Light or dark theme"), say("Switch between the light and dark themes."))
        for button in (self.language_button, self.theme_button):
            button.setAutoRaise(True)
            self.status.add(button)

    @property
    def centre(self) -> QWidget:
        """What canvas and player lie in."""
        return self._middle

    def add_bar(self, bar: QWidget) -> None:
        """Put a bar above the canvas."""
        column = self._middle.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, bar)

    def division(self) -> tuple[QByteArray, QByteArray, QByteArray]:
        """Return how the window is divided: across, at the left, and below the canvas."""
        return self._across.saveState(), self._left.saveState(), self._upright.saveState()

    def divide(self, across: QByteArray, left: QByteArray, upright: QByteArray) -> None:
        """Divide the window as `division` told."""
        for splitter, state in ((self._across, across), (self._left, left), (self._upright, upright)):
            splitter.restoreState(state)

    # what the store says

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if self.store.opening:
            self.canvas.setFocus()  # another document: the keys belong to its points
        if new.view is None and old.view is not None and old.task == new.task:
            self.canvas.fit_view()  # other points came in from elsewhere

    @Slot()
    def _document(self) -> None:
        self.setWindowModified(self.store.modified)
        self.actions_["revert"].setEnabled(self.store.path is not None)
        self.setWindowFilePath(str(self.store.path) if self.store.path is not None else "")
        title = say("{title}[*] — kernelplay", title=self.documents.title)
        tell(self, "setWindowTitle", title)

    # what a person chooses

    def _data(self) -> str:
        action = self.sender()
        return str(action.data()) if isinstance(action, QAction) else ""

    @Slot()
    def choose_model(self) -> None:
        """Fit the model of the command that was chosen."""
        choose_model(self.store, self._data())

    @Slot()
    def choose_kernel(self) -> None:
        """Take the kernel of the command that was chosen."""
        self.model_panel.kernel.build("change", "", self._data())

    @Slot(bool)
    def show_layer(self, on: bool) -> None:
        """Show or hide the layer of the command that was chosen."""
        layer = next(layer for layer in LAYERS if layer == self._data())
        show_layer(self.store, layer, on)

    @Slot(bool)
    def show_panel(self, on: bool) -> None:
        """Show or hide a panel."""
        key = self._data()
        self.panel(key).setVisible(on)
        self._show_left()
        self._sided(key, on)

    def panel(self, key: str) -> QWidget:
        """Return the panel "data_panel", "model_panel" or "history"; of the last one what is there."""
        return {"data_panel": self.data_panel, "model_panel": self.model_panel,
                "history": self.history_panel or self.data_panel}[key]

    def _sided(self, key: str, on: bool) -> None:
        """Give the canvas its room when a panel has come or gone."""
        if on:
            self.side_room.fit(key)
        else:
            self.side_room.hidden_by_hand(key)

    @Slot(bool)
    def show_history(self, on: bool) -> None:
        """Show the list of steps under the data, with the keys in it, or hide it."""
        if on and self.history_panel is None:
            from kernelplay.ui.history_panel import HistoryPanel

            self.history_panel = HistoryPanel(self.store, self.look, self._left)
            self.history_panel.left.connect(self._to_canvas)
            self.history_panel.unwanted.connect(self.actions_["history"].trigger)
            self._left.addWidget(self.history_panel)
            QWidget.setTabOrder(self.data_panel.table, self.history_panel.button)
            QWidget.setTabOrder(self.history_panel.button, self.history_panel.list)
            height = kept_number("history_height", HISTORY, 1, 10_000)
            self._left.setSizes([max(1, self._left.height() - height), height])
        if self.history_panel is not None:
            had_keys = self.history_panel.list.hasFocus()
            self.history_panel.setVisible(on)
            self._show_left()
            if on:
                self.history_panel.list.setFocus()
            elif had_keys:
                self._to_canvas()
            self._sided("history", on)

    def _show_left(self) -> None:
        """Give the left side no room while there is nothing in it."""
        parts = (self.data_panel, self.history_panel)
        self._left.setVisible(any(part is not None and not part.isHidden() for part in parts))

    @Slot(bool)
    def _unfolded(self, unfolded: bool) -> None:
        height = self._upright.height()
        below = max(200, self._below or height // 4) if unfolded else self.side_views.maximumHeight()
        self._upright.setSizes([height - below, below])

    @Slot()
    def _divided(self) -> None:
        """Take note of the height that the side views were given by hand."""
        if self.side_views.current:
            self._below = self._upright.sizes()[1]

    @Slot()
    def _to_canvas(self) -> None:
        self.canvas.setFocus()

    @Slot()
    def toggle_legend(self) -> None:
        """Fold the legend of the canvas, or open it."""
        self.canvas.plot.toggle_legend()

    @Slot(bool)
    def fill_screen(self, on: bool) -> None:
        """Fill the screen, or be a window again."""
        if on != self.isFullScreen():
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    @Slot()
    def choose_language(self) -> None:
        """Speak the language of the command that was chosen."""
        self.set_language(self._data())

    @Slot()
    def choose_theme(self) -> None:
        """Wear the theme of the command that was chosen."""
        self.set_theme(self._data())

    @Slot()
    def _other_theme(self) -> None:
        self.set_theme("light" if self.look.dark else "dark")

    def set_theme(self, theme_name: str) -> None:
        """Draw all windows in the theme called `theme_name`, and remember it."""
        apply(theme(theme_name).zoomed(scale()), i18n.current())
        windows = sorted(self.all_windows, key=lambda window: window is not self)
        for window in windows:
            window.look = theme(theme_name).zoomed(scale())
        in_turns(windows, MainWindow.wear_look)
        QSettings().setValue("theme", theme_name)

    @property
    def all_windows(self) -> Sequence[MainWindow]:
        """All windows there are; those on their way `follow` when they are made."""
        return self.desk.windows if self.desk is not None else [self]

    def follow(self, other: MainWindow) -> None:
        """Look and speak as `other` does: while this window was made, all others may have been changed."""
        if (self.look, self.scale, self._language) != (other.look, scale(), i18n.current()):
            self.look = other.look
            self._check_language()
            afterwards([self], *MainWindow.SIZING)

    def _check_language(self) -> None:
        if i18n.current() in i18n.LANGUAGES:
            self.actions_[f"language:{i18n.current()}"].setChecked(True)

    def wear(self, theme_name: str) -> None:
        """Draw this window in the theme called `theme_name`, which the application has already."""
        self.look = theme(theme_name).zoomed(scale())
        self.wear_look()

    def wear_look(self) -> None:
        """Draw this window in the theme that is chosen for it."""
        self.look = self.look.zoomed(scale())
        self.setProperty("theme", self.look.name)
        self.canvas.set_theme(self.look)
        for part in (self.data_panel, self.side_views, self.status, self.actions_, self.history_panel,
                     self.presenting.bar):
            if part is not None:
                part.set_theme(self.look)
        self.theme_button.setIcon(icon("theme", self.look))
        self.actions_[f"theme:{self.look.name}"].setChecked(True)

    def set_language(self, language: str) -> None:
        """Say all windows in `language`, and remember it."""
        speech.use(language)
        apply(self.look, language)
        windows = sorted(self.all_windows, key=lambda window: window is not self)
        afterwards(windows, MainWindow.retranslate, MainWindow.fit_panels)
        for window in windows:
            window._check_language()
        missing = speech.font_missing(language)
        if missing is not None:
            self.store.say(missing, problem=True)
        if language in i18n.LANGUAGES:
            QSettings().setValue("language", language)

    def fit_size(self) -> None:
        """Be as large as the application is now; the rest of `SIZING` follows."""
        if self._narrow is None:
            self._narrow = (self.scale, self._across.sizes(), self.data_panel.minimumWidth(),
                            self.model_panel.minimumWidth())
        self.scale = scale()
        resize(self)
        padded = [each for each in self.findChildren(QFrame) if not each.contentsMargins().isNull()]
        for part in (self.menuBar(), self.tools, *self.findChildren(QComboBox), *padded):
            QApplication.sendEvent(part, QEvent(QEvent.Type.StyleChange))  # else they keep margins and heights
        self.wear_look()
        self.show_size()

    def measure_words(self) -> None:
        """Measure all words in the size that `fit_size` gave them."""
        self.retranslate()

    def fit_words(self) -> None:
        """Let the panels be as wide as the words need."""
        assert self._narrow is not None
        (before, widths, *least), self._narrow = self._narrow, None
        self.fit_panels()
        left, right = (panel.minimumWidth() + round((width - narrow) * self.scale / before) if width else 0
                       for panel, width, narrow in zip((self.data_panel, self.model_panel), widths[::2], least,
                                                       strict=True))  # what is wider than it must be stays so
        self._across.setSizes([left, max(1, sum(widths) - left - right), right])
        if not self.side_views.current:
            self._unfolded(False)

    SIZING = (fit_size, measure_words, fit_words)  # each in a turn of its own

    def show_size(self) -> None:
        """Show among the commands which size is in use."""
        self.actions_[f"size:{round(100 * scale())}"].setChecked(True)

    def retranslate(self) -> None:
        """Say everything again, in the language now in use; `fit_panels` is the rest of it."""
        retranslate(self)
        self.language_button.setText(str(verbatim(i18n.LANGUAGES.get(i18n.current(), i18n.current()))))
        self._document()

    # help

    @Slot()
    def show_commands(self) -> None:
        """Show every command, and do the one that is chosen."""
        from kernelplay.ui.dialogs import CommandsDialog

        dialog = CommandsDialog(self.menus.commands(), self)
        if dialog.exec() and dialog.chosen is not None:
            dialog.chosen.trigger()
        dialog.deleteLater()

    @Slot()
    def show_gestures(self) -> None:
        """Show what mouse and keys do."""
        from kernelplay.ui.dialogs import GesturesDialog

        self._run(GesturesDialog(self))

    @Slot()
    def show_about(self) -> None:
        """Show what this is."""
        from kernelplay.ui.dialogs import AboutDialog

        self._run(AboutDialog(self))

    @staticmethod
    def _run(dialog: QDialog) -> None:
        dialog.exec()
        dialog.deleteLater()

    # the frame

    def fit_panels(self) -> None:
        """Let the panels be as wide as their words need, and no narrower."""
        for panel in (self.data_panel, self.model_panel):
            panel.fit_width()
        self.side_room.fit()

    def restore_layout(self) -> None:
        """Come back where and as large as the window was last, with the same panels."""
        settings = QSettings()
        geometry, widths = settings.value("geometry"), settings.value("widths")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(widths, QByteArray):
            self._across.restoreState(widths)
        for key in ("data_panel", "model_panel"):
            if kept_switch(f"show/{key}", True) is not self.actions_[key].isChecked():
                self.actions_[key].trigger()
        if kept_switch("show/history", False):
            self.actions_["history"].trigger()
            self.canvas.setFocus()
        self._below = kept_number("side_height", 0, 0, 10_000)
        view = str(settings.value("show/side_view", ""))
        if view:
            self.side_views.open_again(view)
        self.canvas.toolbox.recall()
        self.data_panel.generator.recall()

    def _keep_layout(self) -> None:
        self.presenting.turn(False)
        finish(self)
        settings = QSettings()
        settings.setValue("geometry", self.saveGeometry())
        settings.setValue("widths", self._across.saveState())
        for key in ("data_panel", "model_panel", "history"):
            settings.setValue(f"show/{key}", self.actions_[key].isChecked() or key in self.side_room.away)
        settings.setValue("show/side_view", self.side_views.current)
        settings.setValue("side_height", self._below)
        self.canvas.toolbox.keep()
        self.data_panel.generator.keep()
        if self.history_panel is not None and self.history_panel.isVisible():
            settings.setValue("history_height", self.history_panel.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find out again which panels have room."""
        super().resizeEvent(event)
        self.side_room.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Take note when the window fills the screen, whoever asked for it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.actions_["full_screen"].setChecked(self.isFullScreen())

    def createPopupMenu(self) -> QMenu | None:
        """Have no menu of tool bars: the View menu has what can be hidden."""
        return None

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and text."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped scene, or read a dropped table; further files get windows of their own."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.documents.open_paths(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask once if something would be lost; then stop the worker."""
        if not self._leaving and not self.documents.may_go():
            event.ignore()
            return
        self._keep_layout()
        self.store.close()
        event.accept()
        self.closed.emit()

    def leave(self) -> None:
        """Close without a question: it was asked already."""
        self._leaving = True
        self.close()

    @Slot()
    def quit(self) -> None:
        """Close all windows."""
        if self.desk is not None:
            self.desk.quit()
        else:
            self.close()
