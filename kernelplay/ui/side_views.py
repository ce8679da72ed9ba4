"""The views inside the model: a strip of tabs under the canvas, folded until one is asked for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from kernelplay.i18n import Say, say
from kernelplay.marks import Picture
from kernelplay.ui.controls import Dots
from kernelplay.ui.guard import guarded
from kernelplay.ui.labels import Line
from kernelplay.ui.panels import MARGIN
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme
from kernelplay.ui.views import SideView
from kernelplay.ui.words import name, tell

STRIP = 42  # height of the tabs alone


class SideViews(QWidget):
    """One tab for each side view of the newest picture; a click on a tab unfolds it, another one folds it again."""

    unfolded = Signal(bool)

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._theme = store, theme
        self._views: dict[str, SideView] = {}
        self.tabs: dict[str, QPushButton] = {}
        self._titles: dict[str, Say] = {}  # of the tabs, which stay while another document waits for its picture
        self.current = ""  # the view that is open, "" while folded
        self.away = False  # they are not to be seen while the window presents
        self.wanted = True  # there is something to show
        self._again = ""  # the view that was open before there was none to show
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        name(self, say("Side views"))
        self._strip = QWidget(self)
        sized(self._strip, "setFixedHeight", STRIP)
        self._row = QHBoxLayout(self._strip)
        sized(self._row, "setContentsMargins", MARGIN - 4, 0, MARGIN, 0)
        sized(self._row, "setSpacing", 4)
        self.more = Dots(say("More views"), self._strip)
        self.more.opens = QMenu(self.more)
        self.more.hide()
        self._row.addWidget(self.more)
        self._none = Line(say("This model has no side views."), self._strip, look="dim")
        self._none.hide()
        self._row.addWidget(self._none)
        self._row.addStretch(1)
        self._stack = QStackedWidget(self)
        self._stack.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._stack.hide()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._stack, 1)
        box.addWidget(self._strip)  # below: a tab stays under the pointer that has opened it
        store.pictured.connect(self._pictured)
        self.setFixedHeight(px(STRIP))

    def set_theme(self, theme: Theme) -> None:
        """Draw with `theme` from now on."""
        self._theme = theme
        for view in self._views.values():
            view.set_theme(theme)

    @property
    def view(self) -> SideView | None:
        """The view that is open."""
        return self._views.get(self.current)

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        charts = {chart.key: chart for chart in picture.charts[1:]}
        if tuple(charts) != tuple(self.tabs):
            self._rebuild(picture)
        tell(self._none, "say", say("Nothing to show: the model has no fit yet.") if picture.fit is None else
             say("This model has no side views."))
        self._none.setVisible(not charts)
        self.wanted = bool(charts) or picture.fit is None
        self.setVisible(self.wanted and not self.away)

    def _rebuild(self, picture: Picture) -> None:
        charts = {chart.key: chart for chart in picture.charts[1:]}
        for tab in self.tabs.values():
            tab.hide()
            tab.deleteLater()
        for key in set(self._views) - set(charts):
            view = self._views.pop(key)
            self._stack.removeWidget(view)
            view.deleteLater()
        self.tabs, self._titles = {}, {key: chart.title for key, chart in charts.items()}
        for place, (key, chart) in enumerate(charts.items()):
            tab = QPushButton(self._strip)
            tab.setProperty("look", "flat")
            tab.setProperty("key", key)
            tab.setCheckable(True)
            tab.clicked.connect(self._clicked)
            tell(tab, "setText", chart.title)
            name(tab, chart.title, say("Expand or collapse this view."))
            self._row.insertWidget(place, tab)
            self.tabs[key] = tab
        self._share_room()
        wanted = self.current or self._again
        self._again = "" if charts else wanted
        self.open(wanted if wanted in charts else next(iter(charts), "") if wanted else "")

    @Slot()
    def _clicked(self) -> None:
        tab = self.sender()
        key = str(tab.property("key")) if tab is not None else ""
        self.open("" if key == self.current else key)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the tabs that have no room any more into a menu."""
        super().resizeEvent(event)
        self._share_room()

    def retranslate(self) -> None:
        """Find out again how high the tabs are, and which of them have room."""
        self._limit()
        self._share_room()

    def _share_room(self) -> None:
        room = self._strip.width() - 2 * MARGIN - self.more.width()
        menu = self.more.opens
        assert menu is not None
        menu.clear()
        for key, tab in self.tabs.items():
            room -= tab.sizeHint().width() + self._row.spacing()
            tab.setVisible(room >= 0)
            if room < 0:
                action = QAction(menu)
                tell(action, "setText", self._titles[key])
                action.setData(key)
                action.triggered.connect(self._from_menu)
                menu.addAction(action)
        self.more.setVisible(room < 0)

    @Slot()
    def _from_menu(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.open(str(action.data()))

    def open_again(self, key: str) -> None:
        """Open the view `key`, or another one, as soon as there are any."""
        if self.tabs:
            self.open(key if key in self.tabs else next(iter(self.tabs)))
        else:
            self._again = key

    @Slot()
    def toggle(self) -> None:
        """Open the first view, or fold the open one."""
        self.open("" if self.current else next(iter(self.tabs), ""))

    def open(self, key: str) -> None:
        """Open the view `key`; "" folds."""
        was = self.current
        self.current = key
        for other, tab in self.tabs.items():
            tab.setChecked(other == key)
        if key and key not in self._views:
            view = SideView(self._store, key, self._theme, self._stack)
            name(view, self._titles[key])
            self._views[key] = view
            self._stack.addWidget(view)
        if key:
            self._stack.setCurrentWidget(self._views[key])
        if bool(was) != bool(key):
            self._stack.setVisible(bool(key))
            self._limit()
            self.unfolded.emit(bool(key))

    def _limit(self) -> None:
        """Be as high as the tabs while folded, and some more at least while a view is open."""
        self.setMinimumHeight(px(STRIP) + 96 if self.current else px(STRIP))
        self.setMaximumHeight(16777215 if self.current else px(STRIP))
