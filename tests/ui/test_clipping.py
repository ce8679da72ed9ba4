"""No text is cut off: every language, every model, at the smallest window that is supported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hand import Hand
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from kernelplay import i18n
from kernelplay.examples import examples
from kernelplay.spec import kinds
from kernelplay.ui.controls import Combo, Tick
from kernelplay.ui.formula_label import FormulaLabel
from kernelplay.ui.labels import Line
from kernelplay.ui.number import Slider
from kernelplay.ui.window import SMALLEST, MainWindow


def cut(widget: QWidget) -> str:
    """Return what is cut off, or nothing."""
    metrics = QFontMetrics(widget.font())
    if isinstance(widget, FormulaLabel):
        return widget.text() if widget.heightForWidth(widget.width()) > widget.height() + 1 else ""
    if isinstance(widget, Line):
        return widget.full if widget.text() != widget.full else ""
    if isinstance(widget, QLabel):
        if not widget.text():
            return ""
        if not widget.wordWrap():
            return widget.text() if metrics.horizontalAdvance(widget.text()) > widget.width() else ""
        wide = max(metrics.horizontalAdvance(word) for word in widget.text().split() if word.isascii()) if any(
            word.isascii() for word in widget.text().split()) else 0  # between Han, Hangul and Kana a line may break
        short = widget.heightForWidth(widget.width()) > widget.height() + 1
        return widget.text() if short or wide > widget.width() else ""
    if isinstance(widget, (Combo, Tick)):
        whole = widget.currentText() if isinstance(widget, QComboBox) else widget.text()
        return whole if widget.elided() != whole else ""
    if isinstance(widget, QPushButton):
        text = widget.text().replace("&", "")
        return text if metrics.horizontalAdvance(text) > widget.width() - 2 else ""
    if isinstance(widget, QToolButton):
        action = widget.defaultAction()
        text = (
            ""
            if widget.toolButtonStyle().name == "ToolButtonIconOnly"
            else (action.iconText() if action else widget.text())
        )
        return text if metrics.horizontalAdvance(text) > widget.width() - 8 else ""
    if isinstance(widget, QLineEdit) and widget.placeholderText() and not widget.text():
        return (
            widget.placeholderText()
            if metrics.horizontalAdvance(widget.placeholderText()) > widget.width() - 12
            else ""
        )
    return ""


def all_cut(root: QWidget) -> list[str]:
    for _ in range(8):  # what has just been shown gets its place, and then what is around it
        QCoreApplication.sendPostedEvents()
    shown = [widget for widget in root.findChildren(QWidget) if widget.isVisible()]
    assert len(shown) > 5
    leaves = (QAbstractButton, QLineEdit, QComboBox, Slider)
    too_low = [f"{type(widget).__name__} {widget.accessibleName()} is {widget.height()} high" for widget in shown
               if isinstance(widget, leaves) and widget.height() < widget.minimumSizeHint().height() - 1]
    return [f"{type(widget).__name__}: {text!r}" for widget in shown if (text := cut(widget))] + too_low


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Iterator[Hand]:
    window = open_window(size=(SMALLEST.width(), SMALLEST.height()))
    made = Hand(qtbot, window)
    made.settled()
    yield made
    window.set_language("en")


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_nothing_is_cut_off_in_the_smallest_window(user: Hand, language: str) -> None:
    window = user.window
    window.set_language(language)
    assert window.size() == SMALLEST
    found: dict[str, list[str]] = {}
    for key in kinds("model"):
        window.actions_[f"model:{key}"].trigger()
        user.settled()
        found[key] = all_cut(window)
    assert not {key: texts for key, texts in found.items() if texts}


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_nothing_is_cut_off_in_any_kernel_or_data_set(user: Hand, language: str) -> None:
    window = user.window
    window.set_language(language)
    found: dict[str, list[str]] = {}
    for key in kinds("kernel"):
        window.model_panel.kernel.build("change", "", key)
        user.settled()
        found[key] = all_cut(window.model_panel)
    user.press(window.data_panel.generator.fold)
    for key, cls in kinds("dataset").items():
        if cls.task == window.store.scene.task:
            window.data_panel.generator.choose(key)
            user.settled()
            found[key] = all_cut(window.data_panel)
    assert not {key: texts for key, texts in found.items() if texts}


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_what_the_examples_say_fits_into_the_status_line(user: Hand, language: str) -> None:
    window = user.window
    window.set_language(language)
    for example in examples():
        window.documents.show_example(example)
        user.settled()
        x0, x1, y0, y1 = window.canvas.plane.view
        window.canvas.hover((2 * x0 + x1) / 3, (2 * y0 + y1) / 3)
        user.bot.waitUntil(lambda: bool(window.status.sentence.full))
        assert not all_cut(window.status), example.key
