"""Every command of the window, once: its words, keys and icon. Menus, tool bar and command list take them from here."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.ui.theme import Theme, icon
from kernelplay.ui.words import tell

Keys = str | QKeySequence.StandardKey


class Actions(QObject):
    """The commands by name."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._by_key: dict[str, QAction] = {}
        self._icons: dict[str, str] = {}
        self._groups: dict[str, QActionGroup] = {}

    def __getitem__(self, key: str) -> QAction:
        return self._by_key[key]

    def keys(self, prefix: str) -> list[str]:
        """Return the names that begin with `prefix`, in the order in which the commands were added."""
        return [key for key in self._by_key if key.startswith(prefix)]

    def add(
        self,
        key: str,
        text: Say,
        slot: Callable[..., object],
        keys: Keys | tuple[Keys, ...] = (),
        image: str = "",
        *,
        short: Say | None = None,
        group: str = "",
        checkable: bool = False,
        only_in: QWidget | None = None,
        data: object = None,
        about: Say | None = None,
    ) -> QAction:
        """Add a command. `short`: its words on the tool bar; `group`: one of those that exclude each other; `only_in`:
        its keys work only with the focus there; `about`: a sentence by whose words the command list finds it too."""
        action = QAction(self._window)
        action.setObjectName(key)
        tell(action, "setText", text)
        action.setShortcuts(sequences(keys))
        first = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tell(action, "setToolTip", say("{text} ({keys})", text=text, keys=verbatim(first)) if first else text)
        if short is not None:
            tell(action, "setIconText", short)
        if about is not None:
            tell(action, "setWhatsThis", about)
        action.setCheckable(checkable or bool(group))
        action.setData(data)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if group:
            self._groups.setdefault(group, QActionGroup(self)).addAction(action)
        if image:
            self._icons[key] = image
            action.setIcon(icon(image, self._theme))
        if only_in is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            only_in.addAction(action)
        else:
            self._window.addAction(action)
        action.triggered.connect(slot)
        self._by_key[key] = action
        return action

    def set_theme(self, theme: Theme) -> None:
        """Show the icons in the colours of `theme`."""
        self._theme = theme
        for key, image in self._icons.items():
            self._by_key[key].setIcon(icon(image, theme))


def sequences(keys: Keys | tuple[Keys, ...]) -> list[QKeySequence]:
    """Return the key sequences of words such as "Ctrl+E" and of the platform's standard keys, without doubles."""
    found: list[QKeySequence] = []
    for key in keys if isinstance(keys, tuple) else (keys,):
        some = QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        found += [sequence for sequence in some if sequence not in found]
    return found
