"""What a person finds again at the next start, each as it was left; and settings that hold nonsense, which are none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hand import Hand, end
from PySide6.QtCore import QSettings

from kernelplay import i18n
from kernelplay.figures import Figure
from kernelplay.spec import kinds
from kernelplay.ui.app import start
from kernelplay.ui.desk import Desk
from kernelplay.ui.figure_memory import FOLDER, remember, remembered, remembered_path
from kernelplay.ui.kept import keep_spec, kept_key, kept_number, kept_spec, kept_switch
from kernelplay.ui.recent import folder_for, recent_files
from kernelplay.ui.theme import DARK
from kernelplay.ui.window import MainWindow

NOISE = ["\x00\x01", 17, [1, "a"], b"\xff\xfe", "@Invalid()", {"a": 1}, "[1, 2]", '{"radius": "wide"}',
         '{"radius": NaN}', '{"radius": -4, "x": 1e400, "n": [], "of": {"name": "rbf"}}', "[" * 100_000]


@pytest.fixture
def begin(qtbot: Any) -> Iterator[Callable[[], Hand]]:
    """Start the application anew, the session before having ended."""
    windows: list[MainWindow] = []

    def again() -> Hand:
        if windows:
            windows[-1].leave()
        window = start()
        windows.append(window)
        with qtbot.waitExposed(window):
            window.show()
        user = Hand(qtbot, window)
        user.settled()
        return user

    yield again
    end(windows)
    i18n.use("en")


def test_the_options_of_every_tool_are_found_again(begin: Callable[[], Hand]) -> None:
    user, wanted = begin(), {}
    for key, cls in kinds("tool").items():
        tool = cls()
        for name, param in cls.params().items():
            tool = tool.replace(name, param.low + (param.high - param.low) // 3)
        user.canvas.toolbox.set_tool(tool)
        wanted[key] = tool
    assert wanted["brush"] != kinds("tool")["brush"]()
    user = begin()
    for key, tool in wanted.items():
        user.window.store.use_tool(key)
        assert user.canvas.toolbox.tool == tool
        if key != "point":
            shown = {name: row.field.text() for name, row in user.window.data_panel.tool.form.rows.items()}
            assert {name: float(text) for name, text in shown.items()} == pytest.approx(
                {name: tool.get(name) for name in type(tool).params()}, rel=1e-4)
    user.window.store.use_tool("point")


def test_a_wheel_over_the_canvas_is_remembered_and_so_is_the_grid(begin: Callable[[], Hand]) -> None:
    user = begin()
    user.canvas.setFocus()
    user.keys("B")
    assert user.canvas.toolbox.widen(2.0)
    radius = user.canvas.toolbox.tool.reach
    user.keys("Ctrl+G")
    grid = user.window.data_panel.grid
    grid.form.rows["x"].edited.emit(0.25, "")
    assert user.canvas.toolbox.grid is not None and user.canvas.toolbox.grid[0] == 0.25
    user = begin()
    assert user.window.store.tool == "point", "it begins with the tool that everything begins with"
    assert user.canvas.toolbox.grid is not None and user.canvas.toolbox.grid[0] == 0.25
    assert user.window.actions_["snap"].isChecked() and user.window.data_panel.grid.isVisible()
    assert user.canvas.plot.over.grid == user.canvas.toolbox.grid
    user.keys("B")
    assert user.canvas.toolbox.tool.reach == radius
    user.keys("Ctrl+G")
    assert begin().canvas.toolbox.grid is None


def test_panels_sizes_views_and_the_player_are_as_they_were(begin: Callable[[], Hand]) -> None:
    user = begin()
    window = user.window
    window.resize(1024, 700)
    for keys in ("F6", "F8", "F9"):
        user.keys(keys)
    view = window.side_views.current
    upright = window._upright
    upright.setSizes([upright.height() - 260, 260])
    upright.splitterMoved.emit(upright.height() - 260, 1)
    height = window.side_views.height()
    window.player.speed.setCurrentIndex(0)
    window.player.speed.chosen.emit(window.player.speed.key)
    speed = window.player.speed.key
    window.data_panel.generator.choose("spiral")
    data = window.data_panel.generator
    data.form.rows["n"].edited.emit(123, "")
    assert data.data.n == 123
    chosen = data.data
    user = begin()
    window = user.window
    assert (window.width(), window.height()) == (1024, 700)
    assert window.history_panel is not None and window.history_panel.isVisible()
    assert not window.model_panel.isVisible() and not window.actions_["model_panel"].isChecked()
    assert window.side_views.current == view != "" and abs(window.side_views.height() - height) <= 2
    assert window.player.speed.key == speed
    assert window.data_panel.generator.data == chosen


def test_theme_language_and_files_are_as_they_were(begin: Callable[[], Hand], tmp_path: Path) -> None:
    user = begin()
    user.window.set_theme("dark")
    user.window.set_language("ja")
    path = tmp_path / "a.kplay"
    user.window.documents.remember(path)
    remember(Figure(), tmp_path / "figure.pdf")
    user = begin()
    assert user.window.look == DARK and user.canvas.theme == DARK and i18n.current() == "ja"
    assert user.window.actions_["theme:dark"].isChecked() and user.window.actions_["language:ja"].isChecked()
    assert recent_files()[0] == path and folder_for(FOLDER) == tmp_path
    user.window.set_theme("light")
    user.window.set_language("en")


def test_another_window_has_the_tools_as_they_are_in_the_first(qtbot: Any, begin: Callable[[], Hand]) -> None:
    user = begin()
    desk = Desk()
    desk.adopt(user.window)
    user.canvas.toolbox.set_tool(kinds("tool")["brush"](radius=77.0))
    desk.open(user.window.store.scene)
    qtbot.waitUntil(lambda: desk.ready)
    other = desk.windows[-1]
    other.store.use_tool("brush")
    assert other is not user.window and other.canvas.toolbox.tool.reach == 77.0
    other.leave()
    other.deleteLater()


@pytest.mark.parametrize("noise", NOISE, ids=range(len(NOISE)))
def test_nonsense_in_the_settings_gives_what_everything_begins_with(begin: Callable[[], Hand], noise: Any) -> None:
    settings = QSettings()
    for key in ("tool/brush", "tool/magnet", "grid/classification", "grid/snap", "data/moons", "data/classification",
                "show/history", "show/model_panel", "show/side_view", "side_height", "history_height", "player/speed",
                "geometry", "widths", "export/figure", "export/folder", "recent"):
        settings.setValue(key, noise)
    settings.sync()
    user = begin()
    window, toolbox = user.window, user.canvas.toolbox
    window.store.use_tool("brush")
    assert toolbox.tool == kinds("tool")["brush"]() and toolbox.grid is None
    window.store.use_tool("point")
    assert window.model_panel.isVisible() and window.player.speed.key == "5"
    assert window.data_panel.generator.data == type(window.data_panel.generator.data)()
    assert window.status.dot.state == "good", "and without a word"
    user.keys("F6")
    assert window.history_panel is not None and window.history_panel.isVisible()


def test_values_are_taken_back_one_by_one(qapp: object) -> None:
    brush = kinds("tool")["brush"]()
    keep_spec("tool/brush", brush.replace("radius", 61.0).replace("rate", 7.0))
    assert kept_spec("tool/brush", brush) == brush.replace("radius", 61.0).replace("rate", 7.0)
    QSettings().setValue("tool/brush", '{"name": "eraser", "radius": -1, "rate": 7.0, "old": true}')
    assert kept_spec("tool/brush", brush) == brush.replace("rate", 7.0)
    QSettings().setValue("n", "12")
    assert kept_number("n", 5, 1, 10) == 10 and kept_number("m", 5, 1, 10) == 5
    QSettings().setValue("n", "1e3")
    assert kept_number("n", 5, 1, 10) == 5 and kept_switch("n", True) and not kept_switch("n", False)
    assert kept_key("n", "a", "b") == "a"


def test_one_bad_value_of_a_figure_loses_no_other_and_its_words_are_its_own(qapp: object, tmp_path: Path) -> None:
    first, wanted = Figure(font_size=10.0), Figure(font_size=11.0, dpi=300, legend="below")
    remember(replace(wanted, heading="typed", title="Once", axes="typed", x_label="x", y_label="y"), None)
    assert remembered(first) == wanted
    stored = json.loads(str(QSettings().value("export/figure")))
    QSettings().setValue("export/figure", json.dumps(stored | {"theme": "sepia", "font_size": "large", "old": 1}))
    assert remembered(first) == replace(wanted, font_size=10.0)
    for ending, kept in ((".pdf", ".pdf"), (".exe", ".svg")):
        QSettings().setValue("export/ending", ending)
        assert remembered_path("a", tmp_path / "scene.kplay") == tmp_path / f"a{kept}"


@pytest.mark.parametrize("key", ["export/folder", "animation/folder"])
def test_a_file_goes_beside_its_document_else_where_the_last_one_went(qapp: object, tmp_path: Path, key: str) -> None:
    last, other = tmp_path / "last", tmp_path / "other"
    last.mkdir()
    assert folder_for(key) == folder_for(key, other / "a.kplay") == Path.home()
    for kept, folder in ((str(last), last), ("last", Path.home()), (str(other), Path.home()), ("\0", Path.home())):
        QSettings().setValue(key, kept)
        assert folder_for(key) == folder_for(key, other / "a.kplay") == folder
        assert folder_for(key, tmp_path / "a.kplay") == tmp_path
