"""The dialogs that Qt draws itself speak the language of the window, to the last label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTreeView,
    QWidget,
)

from kernelplay import i18n
from kernelplay.i18n import catalogue
from kernelplay.ui import language as speech
from kernelplay.ui.qt_words import WORDS

SPOKEN = ("text", "toolTip", "title", "windowTitle", "placeholderText", "accessibleName", "accessibleDescription")
SAID = {"kplay", "CSV", "SVG", "OK"}  # kinds of files, and what Japanese has no other word for


@pytest.fixture(params=["ko", "ja"])
def language(request: pytest.FixtureRequest, qapp: object) -> Iterator[str]:
    speech.use(request.param)
    yield request.param
    speech.use("en")


def words(root: QWidget) -> Iterator[str]:
    """Give every text that a dialog shows or reads out: widgets, actions, entries of lists, headings."""
    for thing in (root, *root.findChildren(QObject)):
        for what in SPOKEN:
            said = getattr(thing, what, None)
            text = said() if callable(said) and not isinstance(thing, QLineEdit) else ""
            yield from [text] if isinstance(text, str) else []
        if isinstance(thing, QComboBox) and thing.objectName() != "lookInCombo":  # that one has the folders
            yield from (thing.itemText(i) for i in range(thing.count()))
        if isinstance(thing, QAbstractItemView) and thing.model() is not None:
            model = thing.model()
            yield from (str(model.headerData(column, Qt.Orientation.Horizontal) or "")
                        for column in range(model.columnCount()))


def english(texts: Iterator[str], language: str) -> set[str]:
    """Return which of `texts` have English words in them, besides those of ours that nobody has translated yet."""
    waiting = {str(word) for word in WORDS.values() if word.template not in catalogue(language)}
    return {text for text in texts if text not in waiting
            and set(re.findall("[A-Za-z]{2,}", text.partition("\t")[0])) - SAID}


@pytest.mark.parametrize("saving", [False, True])
def test_a_file_dialog_has_no_english_word(qtbot: Any, tmp_path: Path, language: str, saving: bool) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.kplay", "b.csv", "c.svg", "noext"):
        (tmp_path / name).write_text("1,2\n")
    dialog = QFileDialog(None, "—", str(tmp_path), "*.kplay;;*")
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setNameFilter("*")
    dialog.setViewMode(QFileDialog.ViewMode.Detail)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave if saving else QFileDialog.AcceptMode.AcceptOpen)
    with qtbot.waitExposed(dialog):
        dialog.show()
    files = dialog.findChild(QTreeView)
    model, root = files.model(), files.rootIndex()
    qtbot.waitUntil(lambda: model.rowCount(files.rootIndex()) == 5)
    root = files.rootIndex()
    kinds = [str(model.index(row, 2, root).data()) for row in range(5)]
    assert not english(iter(kinds), language)
    assert len(list(words(dialog))) > 60 and not english(words(dialog), language)
    boxes = dialog.findChildren(QDialogButtonBox)
    assert boxes and all(not button.text().isascii() for box in boxes for button in box.buttons())


def test_menus_of_fields_and_standard_buttons_have_no_english_word(qtbot: Any, language: str) -> None:
    for field in (QLineEdit("1.5"), QPlainTextEdit("text")):
        qtbot.addWidget(field)
        menu = field.createStandardContextMenu()
        assert not english((action.text() for action in menu.actions()), language)
        menu.deleteLater()
    box = QMessageBox()
    qtbot.addWidget(box)
    box.setDetailedText("…")
    for standard in (QMessageBox.StandardButton.Save, QMessageBox.StandardButton.Cancel,
                     QMessageBox.StandardButton.Discard, QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Ok):
        box.addButton(standard)
    assert not english((button.text() for button in box.buttons()), language)
    assert not english((action.text() for action in box.findChildren(QAction)), language)


def test_what_qt_lacks_is_ours_and_what_it_has_is_its_own(language: str) -> None:
    for (context, source), word in WORDS.items():
        assert QCoreApplication.translate(context, source) == word.text(language)
        assert word.text(language).count("%1") == source.count("%1")
    assert not QCoreApplication.translate("QFileDialog", "File &name:").isascii()
    assert QCoreApplication.translate("QFileDialog", "nothing of Qt's") == "nothing of Qt's"
    assert QLocale().name().startswith(language)


def test_english_comes_back_with_the_formats_of_the_system(qapp: object) -> None:
    speech.use("ja")
    speech.use("en")
    assert QCoreApplication.translate("QFileDialog", "File &name:") == "File &name:"
    assert QLocale() == QLocale.system() and i18n.current() == "en"
    assert speech.preferred(None, "") in i18n.LANGUAGES
