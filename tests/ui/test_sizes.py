"""The size of letters, controls, marks and lines: chosen by keys, kept, and nothing is cut off in any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hand import Hand, as_usual, drawn, end
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QLineEdit
from test_clipping import all_cut

from kernelplay import i18n
from kernelplay.spec import kinds
from kernelplay.ui.dialogs import CommandsDialog
from kernelplay.ui.sizes import SIZES, scale
from kernelplay.ui.window import MainWindow


@pytest.fixture(autouse=True)
def usual_again(qtbot: Any) -> Iterator[None]:
    """Every test begins and ends in the usual size, in English."""
    yield
    as_usual(qtbot)


def person(qtbot: Any, window: MainWindow) -> Hand:
    """Return somebody at the window."""
    window.activateWindow()
    made = Hand(qtbot, window)
    made.settled()
    return made


def letters() -> int:
    """Return how high the letters of the application are, in pixels."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app.font().pixelSize()


def test_keys_enlarge_everything_and_bring_it_back(qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    window = open_window(size=(1920, 1080))
    user = person(qtbot, window)
    window.canvas.setFocus()
    seen = []
    for keys in ("Ctrl++", "Ctrl+=", "Ctrl++", "Ctrl++", "Ctrl++", "Ctrl+-"):
        user.keys(keys)
        seen.append(round(100 * scale()))
        assert not window.updatesEnabled() or len(seen) == 5, "nobody sees it half done"
        qtbot.waitUntil(drawn)
        assert window.actions_[f"size:{seen[-1]}"].isChecked() and str(seen[-1]) == QSettings().value("size")
        assert window.canvas.theme.zoom == scale() and letters() == round(13 * scale())
    assert seen == [125, 150, 175, 200, 200, 175]
    table, slider = window.data_panel.table, next(iter(window.model_panel.model.form.rows.values()))
    assert table.rowHeight(0) == 42 and slider.label.fontMetrics().height() > 20
    user.keys("Ctrl++")
    user.keys("Ctrl+-")  # faster than the window can follow
    user.keys("Ctrl+0")
    qtbot.waitUntil(drawn)
    assert scale() == 1.0 and table.rowHeight(0) == 24 and letters() == 13


@pytest.mark.parametrize("word", ["size", "zoom", "larger", "enlarge", "projector", "150"])
def test_the_command_list_finds_the_sizes(qtbot: Any, open_window: Callable[..., MainWindow], word: str) -> None:
    user = person(qtbot, open_window())

    def find(dialog: CommandsDialog) -> None:
        field = dialog.findChild(QLineEdit)
        assert isinstance(field, QLineEdit)
        field.setText(word)
        found = [dialog.list.item(row, 0).text() for row in range(dialog.list.rowCount())
                 if not dialog.list.isRowHidden(row)]
        assert "150 %" in found and len(found) <= len(SIZES) + 4

    user.in_dialog(find, lambda: user.keys("Ctrl+Shift+P"))


def test_a_window_begins_in_the_size_that_was_left(qtbot: Any) -> None:
    from kernelplay.ui.app import start

    for kept, size in (("125", 1.25), ("", 1.0), ("90", 1.0), ("large", 1.0), ("1e9", 1.0)):
        QSettings().setValue("size", kept)
        window = start()
        assert scale() == size == window.canvas.theme.zoom and window.actions_[f"size:{round(100 * size)}"].isChecked()
        end([window])


def test_all_windows_have_the_same_size(qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    from kernelplay.ui.desk import Desk

    desk, windows = Desk(), [open_window(), open_window()]
    for window in windows:
        window.desk = desk
        desk.adopt(window)
    windows[0].sizing.take(150)
    qtbot.waitUntil(drawn)
    assert [window.canvas.theme.zoom for window in windows] == [1.5, 1.5]
    assert all(window.actions_["size:150"].isChecked() for window in windows)
    for window in windows:
        window.desk = None


@pytest.mark.parametrize("language", ["ko", "ja"])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_nothing_is_cut_off_at_200_percent(qtbot: Any, open_window: Callable[..., MainWindow], language: str,
                                           size: tuple[int, int]) -> None:
    window = open_window(size=size)
    user = person(qtbot, window)
    window.set_language(language)
    window.sizing.take(200)
    found: dict[str, list[str]] = {}
    for key in kinds("model"):
        window.actions_[f"model:{key}"].trigger()
        user.settled()
        qtbot.waitUntil(drawn)
        for panel in (window.data_panel, window.model_panel, window.player):
            if panel.isVisible() and (panel is not window.player or size[0] > 1280):
                found[f"{key} {panel.accessibleName()}"] = all_cut(panel)
    assert not {key: texts for key, texts in found.items() if texts}
    assert window.size().toTuple() == size
    bottom = window.status.mapTo(window, window.status.rect().bottomLeft()).y()
    assert bottom < size[1] and window.centre.height() > size[1] // 3


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_the_canvas_keeps_half_of_the_width(qtbot: Any, open_window: Callable[..., MainWindow], language: str) -> None:
    window = open_window(size=(1280, 720))
    user = person(qtbot, window)
    window.set_language(language)
    window.sizing.take(150)
    qtbot.waitUntil(lambda: drawn() and window.canvas.width() >= 640)
    assert window.model_panel.isVisible() and not window.data_panel.isVisible()
    window.canvas.setFocus()
    user.keys("F7")
    assert window.data_panel.isVisible() and not window.model_panel.isVisible()
    qtbot.waitUntil(lambda: window.canvas.width() >= 640)
    user.keys("F7")  # the other one had given way to it
    assert window.model_panel.isVisible() and not window.data_panel.isVisible()
    user.keys("F7")
    user.keys("F8")
    assert window.model_panel.isVisible() and not window.data_panel.isVisible()
    window.resize(1920, 1080)
    assert window.model_panel.isVisible() and window.data_panel.isVisible()
    window.resize(1280, 720)
    window.restore_layout()
    assert not window.data_panel.isVisible()
    user.keys("Ctrl+0")
    qtbot.waitUntil(drawn)
    assert window.model_panel.isVisible() and window.data_panel.isVisible()


def test_a_panel_that_gave_way_is_there_again_at_the_next_start(qtbot: Any,
                                                                open_window: Callable[..., MainWindow]) -> None:
    window = open_window(size=(1280, 720))
    window.sizing.take(150)
    window.leave()  # before it has taken the size
    assert not window.data_panel.isVisible()
    assert QSettings().value("show/data_panel") in (True, "true")
