"""Menus about something in the scene."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from kernelplay.ui.store import Store


def context_menu(store: Store, parent: QWidget) -> QMenu:
    """Return an empty menu about something in the scene of `store`. It closes when the scene changes, since what it is
    about may be no more then, and is gone once it is closed."""
    menu = QMenu(parent)
    menu.aboutToHide.connect(menu.deleteLater)
    store.changed.connect(menu.close)
    return menu
