"""The menu bar and the tool bar, made of the commands."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolBar, QToolButton, QWidget

from kernelplay.examples import example_groups
from kernelplay.i18n import Say, say, verbatim
from kernelplay.spec import kinds
from kernelplay.ui.actions import Actions
from kernelplay.ui.documents import Documents
from kernelplay.ui.hovering import Hover
from kernelplay.ui.recent import is_there, recent_files
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.tool_button import StepButton, ToolButton
from kernelplay.ui.words import name, retranslate, tell

# the commands of each menu by name; "-" is a line, ">x" the sub-menu x
MENUS: tuple[tuple[str, Say, tuple[str, ...]], ...] = (
    (
        "file",
        say("&File"),
        ("new", "new_window", "open", ">recent", ">examples", "-", "import", "-", "save", "save_as", "duplicate",
         "revert", "-", "export", "animate", "export_data", "code", "copy_picture", "-", "close", "quit"),
    ),
    (
        "edit",
        say("&Edit"),
        (
            "undo",
            "redo",
            "history",
            "-",
            "copy",
            ">copy_as",
            "copy_line",
            "paste",
            "-",
            "select_all",
            "select_none",
            "-",
            "duplicate_points",
            "delete",
            "switch",
            "coordinates",
            ">assign",
            ">arrange",
            "clear",
            "-",
            ">tool",
            ">class",
            "snap",
        ),
    ),
    (
        "view",
        say("&View"),
        (
            "fit_view",
            "-",
            ">layers",
            "legend",
            "-",
            "data_panel",
            "model_panel",
            "side_views",
            "-",
            ">theme",
            ">language",
            "-",
            ">size",
            "present",
            "full_screen",
        ),
    ),
    (
        "model",
        say("&Model"),
        ("@models", "-", ">kernel", "-", "maximise", "-", "play", "step_back", "step_forward", "first_step",
         "last_step"),
    ),
    ("help", say("&Help"), ("gestures", "commands", "-", "about")),
)
SUBMENUS: dict[str, Say] = {
    "recent": say("Open &recent"),
    "examples": say("E&xamples"),
    "assign": say("Class of &selected points"),
    "arrange": say("Arran&ge"),
    "tool": say("&Tool"),
    "copy_as": say("Copy points &as"),
    "class": say("&Class of new points"),
    "layers": say("&Layers"),
    "theme": say("&Theme"),
    "language": say("Lan&guage"),
    "size": say("&Size"),
    "kernel": say("&Kernel"),
}
HEADING = "heading"  # an entry that names those below it, and is no command


class Menus(QObject):
    """Fills the menu bar, and the menus whose entries change."""

    def __init__(self, bar: QMenuBar, actions: Actions, documents: Documents) -> None:
        super().__init__(bar)
        self._actions, self._documents = actions, documents
        self.menus: dict[str, QMenu] = {}
        for key, title, entries in MENUS:
            menu = bar.addMenu("")
            tell(menu, "setTitle", title)
            self.menus[key] = menu
            for entry in entries:
                self._add(menu, entry)
        self.menus["examples"].aboutToShow.connect(self.fill_examples)
        self.menus["recent"].aboutToShow.connect(self.fill_recent)
        documents.recent_changed.connect(self.fill_recent)
        self.fill_recent()

    def _add(self, menu: QMenu, entry: str) -> None:
        if entry == "-":
            menu.addSeparator()
        elif entry == "@models":
            for key in self._actions.keys("model:"):
                menu.addAction(self._actions[key])
        elif entry.startswith(">"):
            inner = QMenu(menu)
            tell(inner, "setTitle", SUBMENUS[entry[1:]])
            self.menus[entry[1:]] = inner
            menu.addMenu(inner)
            for key in self._actions.keys(f"{entry[1:]}:"):
                inner.addAction(self._actions[key])
            if entry == ">size":
                inner.addSeparator()
                for key in ("larger", "smaller", "usual_size"):
                    inner.addAction(self._actions[key])
        else:
            menu.addAction(self._actions[entry])

    @Slot()
    def fill_examples(self) -> None:
        """Fill the menu of examples, by task."""
        menu = self.menus["examples"]
        if menu.actions():
            return
        for title, some in example_groups():
            if menu.actions():
                menu.addSeparator()
            heading = QAction(menu)
            tell(heading, "setText", title)
            heading.setEnabled(False)
            heading.setObjectName(HEADING)
            menu.addAction(heading)
            for example in some:
                action = QAction(menu)
                tell(action, "setText", example.title)
                action.setData(example.key)
                action.triggered.connect(self._documents.open_example)
                menu.addAction(action)

    @Slot()
    def fill_recent(self) -> None:
        """Fill the menu of recent files."""
        menu = self.menus["recent"]
        menu.clear()
        paths = recent_files()
        for path in paths:
            action = QAction(menu)
            there = is_there(path)
            title = verbatim(path.name.replace("&", "&&"))
            tell(action, "setText", title if there else say("{file} (not found)", file=title))
            tell(action, "setToolTip", verbatim(str(path)))
            action.setEnabled(there)
            action.setData(str(path))
            action.triggered.connect(self._documents.open_recent)
            menu.addAction(action)
        if paths:
            menu.addSeparator()
        clear = QAction(menu)
        tell(clear, "setText", say("Clear list"))
        clear.setEnabled(bool(paths))
        clear.triggered.connect(self._documents.forget_recent)
        menu.addAction(clear)

    def commands(self) -> list[tuple[Say, QAction]]:
        """Return every command there is, with the title of its menu."""
        self.fill_examples()
        found: list[tuple[Say, QAction]] = []
        for key, title, _ in MENUS:
            self._collect(self.menus[key], title, found)
        return found

    def _collect(self, menu: QMenu, title: Say, found: list[tuple[Say, QAction]]) -> None:
        names = {inner.menuAction(): key for key, inner in self.menus.items()}
        for action in menu.actions():
            if action in names and action.menu() is not None:
                self._collect(self.menus[names[action]], SUBMENUS[names[action]], found)
            elif not action.isSeparator() and action.text() and action.objectName() != HEADING:
                found.append((title, action))

    def retranslate(self) -> None:
        """Say the menus again whose entries are made when they open."""
        for menu in self.menus.values():
            retranslate(menu)


class Tools(QToolBar):
    """Tools, undo and redo, view, examples at the left; the figure at the right."""

    def __init__(self, actions: Actions, examples: QMenu, store: Store, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        sized(self, "setIconSize", 16, 16)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        name(self, say("Tools"))
        families: dict[str, list[QAction]] = {}
        for key, tool in kinds("tool").items():
            families.setdefault(tool.family or key, []).append(actions[f"tool:{key}"])
        for family in families.values():
            self.addWidget(ToolButton(family, self))
        self.addSeparator()
        self.undo = StepButton(actions["undo"], -1, actions["history"], store, self)
        self.redo = StepButton(actions["redo"], 1, actions["history"], store, self)
        for button in (self.undo, self.redo):
            self.addWidget(button)
        self.addSeparator()
        self._button(actions["fit_view"])
        self.addSeparator()
        self.examples = QToolButton(self)
        self.examples.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.examples.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.examples.setMenu(examples)
        Hover(self.examples).follow(examples)
        self.examples.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tell(self.examples, "setText", say("Examples"))
        name(self.examples, say("Examples"), say("Open one of the example scenes."))
        self.addWidget(self.examples)
        room = QWidget(self)
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(room)
        self._button(actions["export"]).setProperty("look", "primary")

    def _button(self, action: QAction) -> QToolButton:
        self.addAction(action)
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button
