"""Classes with names, colours and shapes of their own, and a whole scene that is pasted as one line of text."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand import LEFT, NO_KEY, Hand
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox

from kernelplay import link
from kernelplay.compute import cold
from kernelplay.i18n import say
from kernelplay.marks import Dots, Field, Role
from kernelplay.scene import CLASS_ROLES, Points, Scene, point_marks
from kernelplay.ui.field_image import table
from kernelplay.ui.look_picker import LOOKS, LookPicker
from kernelplay.ui.paper import PRINT
from kernelplay.ui.swatch import swatch
from kernelplay.ui.symbols import Stamps, path
from kernelplay.ui.theme import DARK, LIGHT, Style, Theme, contrast, mixed
from kernelplay.ui.window import MainWindow

XY = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])
THEMES = (LIGHT, DARK, PRINT)


def scene(**changes: Any) -> Scene:
    made = Scene(classes=("one", "two", "three"), classification=Points(XY, [0, 1, 2, 0]), **changes)
    return made.with_view((-2.0, 2.0, -2.0, 2.0))


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    made = Hand(qtbot, open_window(scene(), size=(1280, 900)))
    made.settled()
    return made


def picker() -> LookPicker:
    """Return the looks that are open to choose from."""
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, LookPicker) and each.isVisible())


def same(one: QImage, other: QImage) -> bool:
    return one.convertToFormat(QImage.Format.Format_ARGB32) == other.convertToFormat(QImage.Format.Format_ARGB32)


def worn(window: MainWindow, number: int) -> int:
    """Return the look that the mark in the list of classes has."""
    shown = window.data_panel.classes.rows[number].mark.icon().pixmap(16, 16).toImage()
    return next(look for look, role in enumerate(CLASS_ROLES)
                if same(shown, swatch(window.look, role).pixmap(16, 16).toImage()))


def test_a_click_on_the_mark_of_a_class_chooses_another_look_and_everything_wears_it(user: Hand) -> None:
    window, store = user.window, user.window.store
    assert [worn(window, number) for number in range(3)] == [0, 1, 2]
    user.press(window.data_panel.classes.rows[1].mark)
    grid = picker()
    assert [button.isChecked() for button in grid.buttons].index(True) == 1 and len(grid.buttons) == 8
    QTest.mouseClick(grid.buttons[6], LEFT)
    assert store.scene.looks == (0, 6, 2) and [worn(window, number) for number in range(3)] == [0, 6, 2]
    picture = user.settled()
    assert {mark.role for mark in picture.canvas.marks if isinstance(mark, Dots) and mark.layer == "points"} == {
        "class0", "class6", "class2"}
    field = next(mark for mark in picture.canvas.marks if isinstance(mark, Field))
    assert field.roles == ("class0", "class6", "class2")
    table = window.data_panel.table.points
    icon = table.index(1, 3).data(Qt.ItemDataRole.DecorationRole).pixmap(16, 16).toImage()
    assert same(icon, swatch(window.look, "class6").pixmap(16, 16).toImage())
    centre = user.pixel(1.0, 1.0)
    assert centre.red() > 200 and centre.green() > 180 and centre.blue() < 120, "yellow, on the canvas too"
    user.back()
    user.keys("Ctrl+Z")
    assert store.scene.looks == (0, 1, 2) and worn(window, 1) == 1


def test_a_look_that_another_class_wears_is_swapped(user: Hand) -> None:
    store = user.window.store
    user.press(user.window.data_panel.classes.rows[0].mark)
    grid = picker()
    assert "used by class three" in grid.buttons[2].toolTip()
    QTest.mouseClick(grid.buttons[2], LEFT)
    assert store.scene.looks == (2, 1, 0)
    assert [worn(user.window, number) for number in range(3)] == [2, 1, 0]


def test_looks_are_chosen_with_the_keys_and_escape_leaves_them(user: Hand) -> None:
    store, row = user.window.store, user.window.data_panel.classes.rows[0]
    row.setFocus()
    user.window.data_panel.classes.choose_look(0)
    grid = picker()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(grid, key)
    assert grid.buttons[4].hasFocus()
    QTest.keyClick(grid.buttons[4], Qt.Key.Key_Return)
    assert store.scene.looks[0] == 4
    user.window.data_panel.classes.choose_look(0)
    QTest.keyClick(picker(), Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert store.scene.looks[0] == 4 and len(store.history.steps) == 2


def test_a_class_is_moved_renamed_and_removed_with_its_points_and_its_look(user: Hand) -> None:
    window, store = user.window, user.window.store
    rows = window.data_panel.classes.rows
    rows[2].click()
    QTest.keyClick(rows[2], Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert store.scene.classes == ("one", "three", "two") and store.scene.looks == (0, 2, 1)
    assert store.scene.points.cls.tolist() == [0, 2, 1, 0] and store.current_class == 1
    QTest.keyClick(rows[0], Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert len(store.history.steps) == 2, "it is the first already"

    def menu(number: int, entry: str) -> None:
        QTest.mouseClick(rows[number], Qt.MouseButton.RightButton)
        rows[number].menu_wanted.emit(number, rows[number].mapToGlobal(QPoint(5, 5)))
        opened = [each for each in window.data_panel.classes.findChildren(QMenu) if each.isVisible()][-1]
        user.pick(opened, entry)

    QTest.mouseDClick(rows[1], LEFT, NO_KEY, QPoint(rows[1].width() // 2, 10))
    QTest.keyClicks(rows[1].editor, "third")
    QTest.keyClick(rows[1].editor, Qt.Key.Key_Return)
    assert store.scene.classes == ("one", "third", "two")
    menu(0, "Remove class and its points")
    assert store.scene.classes == ("third", "two") and store.scene.looks == (2, 1)
    assert store.scene.points.cls.tolist() == [1, 0] and worn(window, 0) == 2
    user.press(window.data_panel.classes.add)
    assert store.scene.looks == (2, 1, 0), "a new class wears the first look that is free"
    menu(0, "Move down")
    assert store.scene.classes[:2] == ("two", "third") and store.scene.looks == (1, 2, 0)
    user.keys("Ctrl+Z", len(store.history.steps) - 1)
    assert store.scene.looks == (0, 1, 2) and store.scene.classes == ("one", "two", "three")


def test_no_two_classes_get_the_same_name(user: Hand) -> None:
    window, store = user.window, user.window.store
    rows = window.data_panel.classes.rows
    store.edit(store.scene.without_class(0), say("Remove class"))
    store.edit(dataclasses.replace(store.scene, classes=("one", "3")), say("Rename class"))
    for _ in range(6):
        user.press(window.data_panel.classes.add)
    assert len(set(store.scene.classes)) == len(store.scene.classes) == 8
    steps = len(store.history.steps)
    QTest.mouseDClick(rows[1], LEFT, NO_KEY, QPoint(rows[1].width() // 2, 10))
    QTest.keyClicks(rows[1].editor, "one")
    QTest.keyClick(rows[1].editor, Qt.Key.Key_Return)
    assert store.scene.classes[1] == "3" and len(store.history.steps) == steps
    assert "A class named one already exists" in window.status.sentence.full and rows[1].title.full == "3"
    store.edit(dataclasses.replace(store.scene, classes=("2", "3"), looks=()), say("Remove class"))
    window.data_panel.generator.choose("blobs")
    user.press(window.data_panel.generator.add)
    assert len(set(store.scene.classes)) == len(store.scene.classes) == 4


def test_the_colours_of_a_field_are_those_of_the_classes_that_are_fitted() -> None:
    two = Scene(classification=Points(XY, [0, 1, 1, 0]), looks=(5, 3))
    for model in ("svm", "perceptron", "gpc"):
        marks = cold(two.with_model(model), resolution=8).canvas.marks
        fields = [mark for mark in marks if isinstance(mark, Field)]
        assert fields and all(field.roles == ("class5", "class3") for field in fields), model
    assert [mark.role for mark in point_marks(two)] == ["class5", "class3"]
    assert two.with_look(0, 1).training()[3] == ("class1", "class3")
    assert two.digest != two.with_look(0, 1).digest


def brightness(rgb: Any) -> Any:
    """Return the relative luminance of WCAG 2.2 of colours (n, 3), 0 to 255."""
    share = np.asarray(rgb, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def seen(style: Style, grounds: Any) -> float:
    """Return the contrast of the worst of `grounds` (luminances) to whatever of a mark contrasts with it most."""
    inks = brightness([QColor(ink).getRgb()[:3] for ink in (style.fill, style.line, style.halo) if ink])  # type: ignore[index]
    low, high = np.minimum(inks[:, None], grounds), np.maximum(inks[:, None], grounds)
    return float(((high + 0.05) / (low + 0.05)).max(axis=0).min())


def field_colours(look: Theme) -> Any:
    """Return the luminances of the fields of every pair of classes from end to end, and of all of them as regions."""
    tables = [table(look, pair, "diverging") for pair in itertools.permutations(CLASS_ROLES, 2)]
    packed = np.unique(np.concatenate([*tables, table(look, CLASS_ROLES, "regions")]))
    packed = packed[packed > 0]  # the last one of each is transparent
    return brightness(np.column_stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255]))


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
@pytest.mark.parametrize("role", CLASS_ROLES)
def test_every_look_is_seen_on_every_field_and_on_any_ground_of_a_transparent_figure(look: Theme, role: Role) -> None:
    style = look.style(role)
    assert seen(style, field_colours(look)) >= 3
    assert seen(style, np.linspace(0, 1, 2001)) >= 3, "white, black and whatever slide"
    assert style.width >= 1.2 and contrast(style.line, style.halo or style.fill) >= 3, "an outline that is seen"
    assert seen(look.style("target"), np.linspace(0, 1, 2001)) >= 3


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
@pytest.mark.parametrize("role", ["support_free", "support_bounded", "error", "conflict", "looked_at", "boundary"])
def test_rings_and_crosses_are_seen_on_every_field(look: Theme, role: Role) -> None:
    style = look.style(role)
    assert seen(style, field_colours(look)) >= 3
    assert contrast(style.line, look.plane) >= 3
    assert seen(Style(line=look.accent), field_colours(look)) >= 3, "the rim of a chosen point"


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_faded_points_are_seen_in_tubes_and_bands(look: Theme) -> None:
    grounds = {look.plane}
    for role in ("tube", "band"):
        over = look.style(role)  # type: ignore[arg-type]
        grounds |= {mixed(ground, over.fill, over.opacity) for ground in grounds}
    faded = look.style("faded")
    assert min(contrast(faded.line, ground) for ground in grounds) >= 3 and contrast(faded.line, faded.fill) >= 3


def silhouette(role: Role) -> Any:
    style, wide = LIGHT.style(role), 200
    drawn = QImage(wide, wide, QImage.Format.Format_Grayscale8)
    drawn.fill(0)
    painter = QPainter(drawn)
    painter.translate(wide / 2, wide / 2)
    painter.scale(8, 8)
    painter.fillPath(path(style.shape, style.size), QColor("white"))
    painter.end()
    return np.array(drawn.constBits()).reshape(wide, drawn.bytesPerLine())[:, :wide] > 127


def test_the_eight_looks_are_told_apart_without_any_colour(qapp: object) -> None:
    """In grey, and by whoever sees red and green alike: of two shapes laid on each other a sixth is not covered."""
    shapes = {role: silhouette(role) for role in CLASS_ROLES}
    for one, other in itertools.combinations(CLASS_ROLES, 2):
        both, either = shapes[one] & shapes[other], shapes[one] | shapes[other]
        assert both.sum() / either.sum() <= 0.85, (one, other)
    areas = [shape.sum() for shape in shapes.values()]
    assert max(areas) <= 1.6 * min(areas), "none is much louder than another"
    assert len(LOOKS) == len(CLASS_ROLES) == len({str(words) for words in LOOKS})


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_what_is_stamped_has_its_outline_on_all_sides(qapp: object, look: Theme, ratio: float) -> None:
    """In the pixels: around every mark that is drawn there is a closed rim 3 : 1 apart from its ground."""
    ground = look.ends("class0")
    for role in CLASS_ROLES:
        drawn = QImage(48, 48, QImage.Format.Format_RGB32)
        drawn.fill(QColor(ground))
        painter = QPainter(drawn)
        painter.scale(ratio, ratio)
        Stamps().draw(painter, look, role, np.array([[24.0, 24.0]]) / ratio, vector=False)
        painter.end()
        shown = np.array(drawn.constBits()).reshape(48, 48, 4)[:, :, 2::-1]
        low, high = np.sort(np.stack([brightness(shown), np.full((48, 48), brightness(
            QColor(ground).getRgb()[:3]))]), axis=0)  # type: ignore[index]
        strong = (high + 0.05) / (low + 0.05) >= 3
        reached = np.zeros((48, 48), bool)  # from the corner, over what is not strong: it must not come to the middle
        reached[0, 0] = True
        for _ in range(200):
            grown = reached.copy()
            grown[1:] |= reached[:-1]
            grown[:-1] |= reached[1:]
            grown[:, 1:] |= reached[:, :-1]
            grown[:, :-1] |= reached[:, 1:]
            reached = grown & ~strong
        assert not reached[24, 24], (role, ratio)


# a scene as one line of text


def test_a_scene_is_copied_as_a_line_and_pasted_into_another_window(user: Hand,
                                                                    open_window: Callable[..., MainWindow]) -> None:
    given = user.window.store.scene
    user.keys("Ctrl+Alt+C")
    line = QGuiApplication.clipboard().text()
    assert link.is_link(line) and "\n" not in line and str(len(line)) in user.window.status.sentence.full
    other = Hand(user.bot, open_window())
    other.settled()
    other.keys("Ctrl+V")
    store = other.window.store
    assert store.scene.digest == given.digest
    assert store.path is None and store.modified, "it is in no file yet"
    assert len(store.history.steps) == 1


def test_a_line_is_pasted_into_the_table_as_a_document_too(user: Hand) -> None:
    moons = Scene(title="Moons").with_points(Points(XY * 2, [0, 1, 1, 0]))
    table = user.window.data_panel.table
    table.setCurrentIndex(table.points.index(0, 1))
    table.setFocus()
    QGuiApplication.clipboard().setText("  " + link.text(moons) + "\n")
    user.keys("Ctrl+V")
    assert user.window.store.scene.digest == moons.digest


def test_pasting_a_line_asks_before_something_is_lost(user: Hand) -> None:
    store = user.window.store
    user.click(0.0, 0.0)
    mine = store.scene
    QGuiApplication.clipboard().setText(link.text(Scene(title="Other")))

    def answer(words: str) -> Callable[[Any], None]:
        def press(box: Any) -> None:
            assert isinstance(box, QMessageBox)
            next(button for button in box.buttons() if button.text().replace("&", "") == words).click()

        return press

    user.in_dialog(answer("Cancel"), lambda: user.keys("Ctrl+V"))
    assert store.scene is mine
    user.in_dialog(answer("Don’t save"), lambda: user.keys("Ctrl+V"))
    assert store.scene.title == "Other"


def test_a_line_that_is_not_whole_is_said_and_the_document_stays(user: Hand) -> None:
    store, line = user.window.store, link.text(Scene(title="Other"))
    before = store.scene
    for wrong, words in ((line[:-5], "is incomplete"), (line[:20] + "AA" + line[22:], "is damaged"),
                         ("kernelplay:7abc", "newer version")):
        QGuiApplication.clipboard().setText(wrong)
        user.keys("Ctrl+V")
        assert words in user.window.status.sentence.full and user.window.status.dot.state == "bad"
    assert store.scene is before


def test_the_command_line_takes_a_line_in_place_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from kernelplay.cli import main

    assert main(["link", "moons", "--set", "C=3"]) == 0
    line = capsys.readouterr().out.strip()
    assert link.scene(line).model.get("C") == 3.0
    assert main(["fit", line]) == 0
    of_line = capsys.readouterr().out
    assert main(["fit", "moons", "--set", "C=3"]) == 0
    assert capsys.readouterr().out == of_line
    assert main(["link", line]) == 0
    assert link.scene(capsys.readouterr().out).digest == link.scene(line).digest
    picture = tmp_path / "moons.png"
    assert main(["render", line, "-o", str(picture)]) == 0 and picture.stat().st_size > 10_000
    for command in ([line[:-9]], ["fit", line[:-9]]):
        assert main(command) == 2
        assert "is incomplete" in capsys.readouterr().err
