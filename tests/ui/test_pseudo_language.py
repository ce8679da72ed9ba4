"""In the pseudo-language every sentence stands in brackets: whatever stands without them has bypassed the catalogue."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hand import Hand
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QTableWidget,
    QWidget,
)

from kernelplay import i18n
from kernelplay.examples import examples
from kernelplay.spec import kinds
from kernelplay.ui import figure
from kernelplay.ui.dialogs import AboutDialog, CommandsDialog, CoordinatesDialog, GesturesDialog
from kernelplay.ui.export_dialog import ExportDialog
from kernelplay.ui.labels import Line
from kernelplay.ui.window import MainWindow

NUMBER = re.compile(r"[-−+]?\d+(\.\d+)?(e[-−+]?\d+)?")


def stray(text: str) -> str:
    """Return the letters that stand outside of all brackets; numbers such as 1e−7 are no words."""
    depth, outside = 0, []
    for letter in text:
        depth += (letter == "⟦") - (letter == "⟧")
        if depth == 0 and letter != "⟧":
            outside.append(letter)
    rest = NUMBER.sub("", "".join(outside))
    return "".join(letter for letter in rest if letter.isalpha())


def test_the_measure_itself() -> None:
    assert stray("⟦a ⟦b⟧ c⟧ 1.5 · 2e−7 ⋯") == ""
    assert stray("⟦a⟧ b") == "b" and stray("Undo") == "Undo"


def words_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Give every text a widget shows or speaks, with what it is."""
    yield "tooltip", widget.toolTip()
    yield "accessible name", widget.accessibleName()
    yield "accessible description", widget.accessibleDescription()
    if widget.isWindow():
        yield "title", widget.windowTitle()
    if isinstance(widget, Line):
        yield "text", widget.full
    elif isinstance(widget, (QLabel, QAbstractButton)):
        yield "text", widget.text()
    elif isinstance(widget, QLineEdit):
        yield "placeholder", widget.placeholderText()
        if not isinstance(widget.parent(), (QComboBox, QTableView)) and widget.objectName() != "path":
            yield "content", widget.text()
    elif isinstance(widget, QComboBox):
        yield from (("entry", widget.itemText(index)) for index in range(widget.count()))
    elif isinstance(widget, QMenu):
        yield "menu", widget.title()
        for action in widget.actions():
            yield from words_of_action(action)
    if isinstance(widget, QTableView):
        model = widget.model()
        for column in range(model.columnCount()):
            if not widget.horizontalHeader().isHidden():
                yield "header", str(model.headerData(column, Qt.Orientation.Horizontal) or "")
            for row in range(min(model.rowCount(), 60)):
                index = model.index(row, column)
                yield "cell", str(index.data() or "")
                yield "cell tooltip", str(index.data(Qt.ItemDataRole.ToolTipRole) or "")


def words_of_action(action: QAction) -> Iterator[tuple[str, str]]:
    yield "action", action.text()
    yield "action on the tool bar", action.iconText()
    yield "action tooltip", action.toolTip()


def strays(root: QWidget) -> list[str]:
    found = []
    for widget in (root, *root.findChildren(QWidget)):
        if type(widget).__name__ in ("QToolBarExtension", "QTableCornerButton") or widget.objectName().startswith(
            "qt_"
        ):
            continue
        for what, text in words_of(widget):
            if stray(text):
                found.append(f"{what} of {type(widget).__name__}: {text!r}")
    for action in root.findChildren(QAction):
        for what, text in words_of_action(action):
            if stray(text) and action.text() and type(action.parent()).__name__ != "GraphicsScene":  # never shown
                found.append(f"{what}: {text!r}")
    return sorted(set(found))


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Iterator[Hand]:
    window = open_window(examples()[0].scene())
    made = Hand(qtbot, window)
    made.settled()
    window.set_language(i18n.PSEUDO)
    yield made
    window.set_language("en")


@pytest.mark.parametrize("example", [example.key for example in examples()])
def test_every_word_in_the_window_comes_from_the_catalogue(user: Hand, example: str, tmp_path: Path) -> None:
    window = user.window
    window.documents.show_example(next(one for one in examples() if one.key == example))
    picture = user.settled()
    window.side_views.toggle()
    window.menus.commands()
    x0, x1, y0, y1 = window.canvas.plane.view
    window.canvas.hover((x0 + x1) / 2, (y0 + y1) / 2)
    if picture.frames is not None:
        window.store.play_at(picture.frames.count // 2)
    assert not strays(window)
    file = tmp_path / "figure.svg"
    figure.render(picture, window.store.scene, file, language=i18n.PSEUDO)
    texts = ["".join(node.itertext()) for node in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    assert len(texts) > 8
    assert stray(" ".join(texts)) == "", "a sentence is one text or several, for each font one"


def test_every_kernel_has_its_words_in_the_catalogue(user: Hand) -> None:
    panel = user.window.model_panel.kernel
    for key in kinds("kernel"):
        panel.build("change", "", key)
        user.settled()
        assert not strays(user.window.model_panel), key


def test_what_goes_wrong_is_said_in_the_catalogue(user: Hand, tmp_path: Path) -> None:
    window = user.window
    form = window.model_panel.model.form
    assert form is not None
    form.rows["C"].offer("abc")
    window.documents.open_path(tmp_path / "nothing.kplay")
    assert window.status.sentence.full and not strays(window)
    user.keys("Ctrl+A")
    user.keys("Del")
    assert user.settled().problem is not None
    assert not strays(window)


def test_the_dialogs_speak_from_the_catalogue(user: Hand) -> None:
    window = user.window
    dialogs: tuple[QWidget, ...] = (
        ExportDialog(window.store, "light", window),
        CommandsDialog(window.menus.commands(), window),
        GesturesDialog(window),
        AboutDialog(window),
        CoordinatesDialog(("x₁", "x₂"), (0.5, -1.5), window),
    )
    for dialog in dialogs:
        assert not strays(dialog), type(dialog).__name__
        for table in dialog.findChildren(QTableWidget):
            assert table.rowCount() > 40
        dialog.deleteLater()


def test_the_panels_are_as_wide_as_the_words_of_another_language_need(user: Hand) -> None:
    window = user.window
    for language in (i18n.PSEUDO, "en"):
        window.set_language(language)
        user.settled()
        for panel in (window.data_panel, window.model_panel):
            given = panel.minimumWidth()
            panel.fit_width()
            assert given == panel.minimumWidth(), language


def test_the_window_speaks_english_again(user: Hand) -> None:
    window = user.window
    window.set_language("en")
    user.settled()
    for widget in window.findChildren(QWidget):
        for what, text in words_of(widget):
            assert "⟦" not in text, (what, text)
    for action in window.findChildren(QAction):
        assert "⟦" not in action.text() + action.toolTip() + action.iconText()
