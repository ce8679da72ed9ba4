"""Tables come in through the Import dialog: what a person sees, changes and gets; with real events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand import LEFT, NO_KEY, Hand
from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QStyle, QStyleOptionViewItem
from test_clipping import all_cut
from test_pseudo_language import strays

from kernelplay import i18n
from kernelplay.examples import examples
from kernelplay.i18n import verbatim
from kernelplay.scene import Points, Scene
from kernelplay.ui.controls import Combo
from kernelplay.ui.import_dialog import ImportDialog
from kernelplay.ui.window import MainWindow

EUROPE = """# measured in the field
Länge;Breite;Gewicht;Art
5,1;3,5;1.234,5;setosa
4,9;3,0;1.100,0;setosa
7,0;3,2;1.400,0;versicolor
5,x;3,1;1.490,0;versicolor
6,3;3,3;2.511,0;virginica
5,8;2,7
"""


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    made = Hand(qtbot, open_window(examples()[0].scene()))
    made.settled()
    return made


def drop(window: MainWindow, file: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    actions, buttons = Qt.DropAction.CopyAction, LEFT
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(200, 200), actions, data, buttons, NO_KEY))
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), actions, data, buttons, NO_KEY))


def dialog_of(user: Hand, wait: bool = True) -> ImportDialog:
    """Return the dialog that is open, when it shows what it has read."""
    user.bot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), ImportDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ImportDialog)
    user.bot.waitUntil(dialog.isActiveWindow)
    if wait:
        user.bot.waitUntil(lambda: not dialog.reader.busy, timeout=20_000)
    return dialog


def dropped(user: Hand, tmp_path: Path, content: str | bytes, name: str = "points.csv") -> ImportDialog:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    drop(user.window, file)
    return dialog_of(user)


def choose(user: Hand, dialog: ImportDialog, combo: Combo, key: str) -> None:
    """Open a list with a click, and take an entry with the keys."""
    dialog.form.ensureWidgetVisible(combo)
    QTest.mouseClick(combo, LEFT)
    view = combo.view()
    user.bot.waitUntil(view.isVisible)
    way = combo.findData(key) - combo.currentIndex()
    for _ in range(abs(way)):
        QTest.keyClick(view, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_Return)
    user.bot.waitUntil(lambda: not dialog.reader.busy, timeout=20_000)


def take_column(user: Hand, dialog: ImportDialog, column: int, text: str) -> None:
    """Click on the name of a column and choose where it goes."""
    header = dialog.rows.horizontalHeader()
    x = header.sectionViewportPosition(column) + 20
    QTest.mouseClick(header.viewport(), LEFT, NO_KEY, QPoint(x, header.height() // 2))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    user.pick(menu, text)
    user.bot.waitUntil(lambda: not dialog.reader.busy, timeout=20_000)


def header_texts(dialog: ImportDialog) -> list[str]:
    model = dialog.rows.model()
    return [str(model.headerData(c, Qt.Orientation.Horizontal)).replace("\n", " ") for c in range(model.columnCount())]


def cells(dialog: ImportDialog, column: int) -> list[str]:
    model = dialog.rows.model()
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def finish(user: Hand, dialog: ImportDialog) -> None:
    """Press Enter wherever the focus is, and come back to the window."""
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)
    user.bot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    user.back()


def test_a_table_of_another_country_is_dropped_checked_and_comes_in(user: Hand, tmp_path: Path) -> None:
    store = user.window.store
    before = store.scene
    dialog = dropped(user, tmp_path, EUROPE)
    assert header_texts(dialog) == ["x₁ Länge", "x₂ Breite", "– Gewicht", "label Art"]
    assert cells(dialog, 0)[:2] == ["5,1", "4,9"], "as they stand in the file"
    assert dialog.summary.count.text() == "4 points of 3 classes will be imported."
    listed = [dialog.summary.list.item(row).text() for row in range(dialog.summary.list.count())]
    assert listed == ["Line 6: “5,x” in Länge is not a finite number, or too large.",
                      "Line 8: The row has 2 cells instead of 4."]
    choose(user, dialog, dialog.form.combos["decimal"], ".")
    assert "no usable rows" in dialog.problem.text() and not dialog.button.isEnabled()
    choose(user, dialog, dialog.form.combos["decimal"], ",")
    assert dialog.problem.isHidden() and dialog.button.isEnabled()
    take_column(user, dialog, 2, "Use as x₂")
    assert header_texts(dialog) == ["x₁ Länge", "– Breite", "x₂ Gewicht", "label Art"]
    assert store.scene is before, "nothing has come in yet"
    dialog.button.setFocus()
    finish(user, dialog)
    points = store.scene.points
    assert points.xy.tolist() == [[5.1, 1234.5], [4.9, 1100], [7, 1400], [6.3, 2511]]
    assert points.names == ("Länge", "Gewicht") and store.scene.classes == ("setosa", "versicolor", "virginica")
    user.settled()
    assert [str(name) for name in user.canvas.plot.names] == ["Länge", "Gewicht"]
    x0, x1, y0, y1 = user.canvas.plane.view
    assert x0 < 4.9 and x1 > 7 and y0 < 1100 and y1 > 2511
    assert "4 points imported from points.csv" in user.window.status.sentence.full
    assert len(store.history.steps) == 2
    user.keys("Ctrl+Z")
    assert store.scene.digest == before.digest


def test_a_clear_file_is_dropped_and_enter_finishes_it(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a,b,label\n0,0,-1\n1,1,1\n0,1,-1\n")
    assert QApplication.focusWidget() is dialog.button and dialog.doubts.isHidden()
    assert "Replaces the current 48 points" in dialog.summary.model.text()
    finish(user, dialog)
    assert user.window.store.scene.points.cls.tolist() == [1, 0, 1]
    assert len(user.window.store.history.steps) == 2


def test_enter_before_everything_is_read_brings_it_in_when_it_is(user: Hand, tmp_path: Path) -> None:
    content = "".join(f"{i % 97},{i % 89},{i % 2}\n" for i in range(40_000))
    file = tmp_path / "large.csv"
    file.write_text(content, "utf-8")
    drop(user.window, file)
    dialog = dialog_of(user, wait=False)
    finish(user, dialog)
    assert len(user.window.store.scene.points) == 40_000


def test_escape_leaves_everything_as_it_was_even_while_reading(user: Hand, tmp_path: Path) -> None:
    before = user.window.store.history
    file = tmp_path / "large.csv"
    file.write_bytes(b"0.5,1.5,1\n" * 100_000)
    drop(user.window, file)
    dialog = dialog_of(user, wait=False)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    user.bot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    user.back()
    assert user.window.store.history is before


def test_another_task_is_said_and_brings_another_model(user: Hand, tmp_path: Path) -> None:
    before = user.window.store.scene
    dialog = dropped(user, tmp_path, "x,t\n0,1\n1,2\n2,2.5\n3,1.25\n")
    assert "Gaussian process regression" in dialog.summary.model.text()
    finish(user, dialog)
    scene = user.window.store.scene
    assert scene.task == "regression" and scene.points.names == ("x", "t") and len(scene.points) == 4
    assert scene.classification is before.classification
    user.settled()
    user.keys("Ctrl+Z")
    assert user.window.store.scene.digest == before.digest


def test_columns_are_chosen_with_the_keys_alone(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a,b,c,k\n1,2,3,u\n4,5,6,v\n7,8,9,u\n")
    combo = dialog.form.combos["x1"]
    for _ in range(60):
        if QApplication.focusWidget() is combo:
            break
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is combo
    QTest.keyClick(combo, Qt.Key.Key_Down)
    user.bot.waitUntil(lambda: not dialog.reader.busy)
    assert dialog.reading.inputs == (1, 0), "the column that was x₂ changes places"
    QTest.keyClick(combo, Qt.Key.Key_Down)
    user.bot.waitUntil(lambda: not dialog.reader.busy)
    assert dialog.reading.inputs == (2, 0)
    finish(user, dialog)
    assert user.window.store.scene.points.xy.tolist() == [[3, 1], [6, 4], [9, 7]]


def test_many_labels_become_two_classes_as_one_likes(user: Hand, tmp_path: Path) -> None:
    content = "".join(f"{i % 7},{i % 5},k{i % 12:02}\n" for i in range(60))
    dialog = dropped(user, tmp_path, content)
    assert dialog.reading.classes == "rest" and "12 labels, but at most 8" in dialog.summary.notes.text()
    choose(user, dialog, dialog.form.combos["positive"], "k03")
    assert dialog.summary.count.text() == "60 points of 2 classes will be imported."
    choose(user, dialog, dialog.form.combos["classes"], "each")
    assert "at most 8 classes" in dialog.problem.text() and not dialog.button.isEnabled()
    choose(user, dialog, dialog.form.combos["classes"], "rest")
    choose(user, dialog, dialog.form.combos["positive"], "k03")
    finish(user, dialog)
    scene = user.window.store.scene
    assert scene.classes == ("k03", "≠ k03") and int((scene.points.cls == 0).sum()) == 5


def test_numbers_are_cut_at_a_threshold_that_is_typed(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "".join(f"{i},{i * i % 7},{i / 8}\n" for i in range(16)))
    assert dialog.reading.task == "regression"
    choose(user, dialog, dialog.form.combos["task"], "classification")
    choose(user, dialog, dialog.form.combos["classes"], "threshold")
    field = dialog.form.fields["threshold"]
    dialog.form.ensureWidgetVisible(field)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1.5")
    finish(user, dialog)
    scene = user.window.store.scene
    assert scene.classes == ("≥ 1.5", "< 1.5") and int((scene.points.cls == 0).sum()) == 4


def test_points_are_added_to_those_that_are_there(user: Hand, tmp_path: Path) -> None:
    store = user.window.store
    n = len(store.scene.points)
    dialog = dropped(user, tmp_path, "a,b,label\n30,0,-1\n31,1,new\n32,1,old\n")
    QTest.mouseClick(dialog.place.button("add"), LEFT)
    user.bot.waitUntil(lambda: not dialog.reader.busy)
    assert "Added to the current 48 points" in dialog.summary.model.text()
    finish(user, dialog)
    assert len(store.scene.points) == n + 3 and store.scene.classes == ("+1", "−1", "new", "old")
    assert store.scene.points.cls[-3:].tolist() == [1, 2, 3]
    user.settled()
    assert user.canvas.plane.view[1] > 31


def test_libsvm_text_comes_in_by_the_same_door(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "+1 1:0.5 2:1.5\n-1 2:0.25 3:1\n+1 1:1\n", "train.txt")
    assert dialog.form.combos["format"].key == "svmlight" and dialog.form.combos["decimal"].isHidden()
    take_column(user, dialog, 2, "Use as x₂")
    finish(user, dialog)
    assert user.window.store.scene.points.xy.tolist() == [[0.5, 0], [0, 1], [1, 0]]
    assert user.window.store.scene.points.names == ("x1", "x3")


def test_another_separator_gives_other_columns(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a;b;k\n1;2;u\n3;4;v\n5;6;u\n")
    choose(user, dialog, dialog.form.combos["delimiter"], "|")
    assert "no table found" in dialog.problem.text() and not dialog.button.isEnabled()
    choose(user, dialog, dialog.form.combos["delimiter"], ";")
    assert header_texts(dialog) == ["x₁ a", "x₂ b", "label k"]
    QTest.mouseClick(dialog.form.header, LEFT, NO_KEY, QPoint(8, dialog.form.header.height() // 2))
    user.bot.waitUntil(lambda: not dialog.reader.busy)
    assert header_texts(dialog)[0] == "x₁ x1" and dialog.summary.list.count() == 1
    finish(user, dialog)
    assert len(user.window.store.scene.points) == 3


def test_letters_show_whether_the_encoding_is_right(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "x,y,kind\n1,2,å\n2,3,ö\n".encode("cp1252"))
    assert "is not UTF-8" in dialog.doubts.text() and not dialog.doubts.isHidden()
    assert cells(dialog, 2) == ["å", "ö"]
    choose(user, dialog, dialog.form.combos["encoding"], "cp1251")
    assert cells(dialog, 2) == ["е", "ц"]
    dialog.reject()


def test_standardised_axes_say_so(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a,b,k\n1,10,u\n2,30,v\n3,50,u\n")
    choose(user, dialog, dialog.form.combos["units"], "inputs")
    assert "b has mean 30" in dialog.summary.notes.text()
    finish(user, dialog)
    assert user.window.store.scene.points.names == ("(a − 2) / 0.816", "(b − 30) / 16.3")


# the other ways in

def paste(user: Hand, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    user.canvas.setFocus()
    user.keys("Ctrl+V")


def test_clean_rows_are_pasted_at_once_and_doubtful_ones_are_shown_first(user: Hand) -> None:
    store = user.window.store
    n = len(store.scene.points)
    paste(user, "0.1\t0.2\n0.3\t0.4\n")
    assert len(store.scene.points) == n + 2 and QApplication.activeModalWidget() is None
    paste(user, "0.1\t0.2\n0.3\toops\n")
    dialog = dialog_of(user)
    assert dialog.place.key == "add" and "oops" in dialog.summary.list.item(0).text()
    finish(user, dialog)
    assert len(store.scene.points) == n + 3 and store.scene.points.cls[-1] == store.current_class
    paste(user, "1,234\t2,500\n3,456\t1,999\n")
    dialog = dialog_of(user)
    assert "thousands" in dialog.doubts.text()
    choose(user, dialog, dialog.form.combos["decimal"], ".")
    choose(user, dialog, dialog.form.combos["thousands"], ",")
    finish(user, dialog)
    assert store.scene.points.xy[-2:].tolist() == [[1234, 2500], [3456, 1999]]
    assert len(store.history.steps) == 4


def test_rows_with_other_columns_than_the_canvas_has_axes_are_shown_and_not_refused(user: Hand) -> None:
    store = user.window.store
    n = len(store.scene.points)
    paste(user, "0.1\t7\t0.2\t−1\n0.3\t8\t0.4\t+1\n")
    dialog = dialog_of(user)
    take_column(user, dialog, 2, "Use as x₂")
    finish(user, dialog)
    assert store.scene.points.xy[n:].tolist() == [[0.1, 0.2], [0.3, 0.4]]
    user.window.actions_["model:gpr"].trigger()
    paste(user, "0.1\t7\t0.2\n0.3\t8\t0.4\n")
    dialog = dialog_of(user)
    dialog.reject()
    user.back()


def test_points_with_decimal_commas_go_to_a_spreadsheet_and_come_back(user: Hand) -> None:
    store = user.window.store
    odd = Points([[0.1, -2.5], [3, 1e-7], [1e20, 0.25]], [1, 0, 1])
    for scene in (store.scene.with_points(odd), Scene(classes=("0", 'x\t"y"'), classification=odd),
                  Scene(regression=Points(odd.xy)).with_model("krr")):
        store.edit(scene, verbatim("Other points"))
        user.window.actions_["copy_as:commas"].trigger()
        copied = QGuiApplication.clipboard().text()
        assert copied.startswith("0,1\t-2,5") and "." not in copied
        user.canvas.setFocus()
        user.keys("Ctrl+V")
        points = store.scene.points
        assert np.array_equal(points.xy, np.vstack([odd.xy, odd.xy])) and store.scene.classes == scene.classes
        assert points.cls.tolist() == [*scene.points.cls.tolist(), *scene.points.cls.tolist()]
        user.settled()


@pytest.mark.parametrize(("content", "words"), [
    ("2019,2020,class\n1.5,2,a\n2,3,b\n", "first row was read as data"),
    ("1.234\t2.345\tA\n3.456\t1.999\tB\n", "thousands"), ("1 10:30\n2 11:45\n", "time of day"),
    ("0,0,1.0\n1,1,1\n2,2,2\n", "same number"),
])
def test_what_could_be_otherwise_stands_in_the_dialog(user: Hand, tmp_path: Path, content: str, words: str) -> None:
    dialog = dropped(user, tmp_path, content)
    assert words in dialog.doubts.text() and words not in dialog.summary.notes.text()
    dialog.reject()
    user.back()


def test_a_hint_at_inputs_of_other_sizes_goes_when_it_is_followed(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "pay,rate,k\n30000,0.1,a\n50000,0.3,b\n40000,0.2,a\n")
    assert "pay varies 100000 times as much as rate" in dialog.doubts.text() and not dialog.doubts.isHidden()
    choose(user, dialog, dialog.form.combos["units"], "inputs")
    assert dialog.doubts.isHidden()
    finish(user, dialog)
    np.testing.assert_allclose(user.window.store.scene.points.xy.std(axis=0), 1)


def test_zero_and_one_are_plain_and_a_file_keeps_the_classes_that_are_there(user: Hand, tmp_path: Path) -> None:
    finish(user, dropped(user, tmp_path, "a,b,k\n0,0,0\n9,9,1\n0,9,1\n"))
    scene = user.window.store.scene
    assert scene.classes == ("1", "0") and scene.points.cls.tolist() == [1, 0, 0]
    finish(user, dropped(user, tmp_path, "a,b,k\n0,0,0\n9,9,0\n0,8,1\n"))
    assert user.window.store.scene.classes == ("1", "0") and user.window.store.scene.points.cls.tolist() == [1, 1, 0]


def test_new_classes_that_a_paste_brings_are_said(user: Hand) -> None:
    paste(user, "0.1\t0.2\tred\n0.3\t0.4\tblue\n0.3\t0.4\t+1\n")
    assert "3 points pasted. 2 new classes: blue, red." in user.window.status.sentence.full


def test_no_reason_in_the_list_is_cut_off(user: Hand, tmp_path: Path) -> None:
    """Qt takes the padding of an item into account when it draws lines, and not when it gives them room."""
    rows = "".join(f"1,2{'!' * n},a\n" for n in range(40))
    shown = dropped(user, tmp_path, f"x,y,k\n{rows}1,2,b\n").summary.list
    user.bot.waitUntil(lambda: shown.count() == 39)
    for row in range(shown.count()):
        item = shown.item(row)
        option = QStyleOptionViewItem()
        shown.initViewItemOption(option)
        option.rect, option.text = shown.visualItemRect(item), item.text()
        option.rect.setWidth(min(option.rect.width(), shown.viewport().width()))
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        room = shown.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, shown)
        margin = shown.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, shown) + 1
        needed = shown.fontMetrics().boundingRect(room.adjusted(margin, 0, -margin, 9999), Qt.TextFlag.TextWordWrap,
                                                  item.text())
        assert needed.height() <= room.height(), item.text()


def test_the_menu_imports_a_file(user: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "data.tsv"
    file.write_text("a\tb\tk\n1\t2\tu\n3\t4\tv\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(file), ""))
    user.keys("Ctrl+I")
    dialog = dialog_of(user)
    finish(user, dialog)
    assert len(user.window.store.scene.points) == 2


@pytest.mark.parametrize("content", [b"", b"\x00\xff\x00", b"hello\nworld\n", b"1\n2\n3\n", b"1,2\n3,4\0\n"])
def test_what_is_no_table_is_said_without_a_dialog(user: Hand, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "noise.csv"
    file.write_bytes(content)
    before = user.window.store.history
    drop(user.window, file)
    assert QApplication.activeModalWidget() is None and user.window.store.history is before
    assert "noise.csv" in user.window.status.sentence.full and user.window.status.dot.state == "bad"


@pytest.mark.parametrize("content", [
    b"a,b\nx,y\n", b"a,b,c\n", b"1e400,1e308,1\n1e400,2,1\n", b",".join([b"1.5"] * 5000) + b"\n", b'1,2\n"3,4\n',
    b"a,a,a\n1,2,3\n2,3,3\n", b"1 1:2\n" * 3, b"0,a\n1,b\n2,a\n",
])
def test_whatever_is_dropped_is_shown_or_said(user: Hand, tmp_path: Path, content: bytes) -> None:
    dialog = dropped(user, tmp_path, content)
    assert dialog.ready != (not dialog.problem.isHidden())
    dialog.grab()
    dialog.reject()


# words and room

@pytest.fixture
def shown(qtbot: Any, open_window: Callable[..., MainWindow], tmp_path: Path) -> Iterator[Callable[..., ImportDialog]]:
    points = Points([[0, 0], [1, 1]], [0, 1])
    made = Hand(qtbot, open_window(Scene(classification=points)))
    made.settled()

    def show(language: str) -> ImportDialog:
        made.window.set_language(language)
        return dropped(made, tmp_path, EUROPE)

    yield show
    for dialog in made.window.findChildren(ImportDialog):
        dialog.reject()
    made.window.set_language("en")


def test_every_word_of_the_dialog_comes_from_the_catalogue(shown: Callable[..., ImportDialog]) -> None:
    dialog = shown(i18n.PSEUDO)
    assert not strays(dialog)
    entries = [dialog.summary.list.item(row).text() for row in range(dialog.summary.list.count())]
    assert all(entry.startswith("⟦") for entry in entries) and len(entries) == 2


@pytest.mark.parametrize("language", [*i18n.LANGUAGES])
def test_nothing_in_the_dialog_is_cut_off(shown: Callable[..., ImportDialog], language: str) -> None:
    dialog = shown(language)
    dialog.resize(980, 560)
    QCoreApplication.sendPostedEvents()
    assert not all_cut(dialog)


def test_the_preview_shows_classes_as_the_canvas_will(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a,b,k\n0,0,u\n9,9,v\n0,9,v\n")
    user.bot.waitUntil(lambda: dialog.arriving.plot.plane.width > 50)
    image = dialog.arriving.grab().toImage()
    plane, look = dialog.arriving.plot.plane, user.window.look
    for row, cls in ((0, 1), (1, 0), (2, 0)):
        x, y = plane.pixels(np.array([[[0, 0], [9, 9], [0, 9]][row]], float))[0]
        assert image.pixelColor(round(x), round(y)).name() == look.style(f"class{cls}").fill.lower()  # type: ignore[arg-type]
    dialog.reject()


def test_which_class_is_positive_is_shown_before_and_said_after(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a,b,k\n0,0,yes\n9,9,no\n0,9,no\n")
    assert dialog.summary.signs.text() == "+1 (f ≥ 0) is class yes, −1 is class no."
    dialog.accept()
    assert user.window.store.scene.classes == ("yes", "no")
    assert "+1 (f ≥ 0) is class yes, −1 is class no." in user.window.status.sentence.full


def test_what_names_itself_is_not_said_again(user: Hand, tmp_path: Path) -> None:
    dialog = dropped(user, tmp_path, "a,b,k\n0,0,1\n9,9,-1\n0,9,1\n")
    assert not dialog.summary.signs.isVisible()
    dialog.reject()


def test_columns_without_numbers_are_seen_and_not_chosen_and_dates_say_their_unit(user: Hand, tmp_path: Path) -> None:
    rows = "".join(f"2024-01-{i + 1:02},{20 + i % 7}.5,{40 + i}%,note {i},{'ab'[i % 2]}\n" for i in range(20))
    dialog = dropped(user, tmp_path, "date,temp,humidity,note,kind\n" + rows)
    first = dialog.form.combos["x1"]
    states = {first.itemText(i): bool(first.model().flags(first.model().index(i, 0)) & Qt.ItemFlag.ItemIsEnabled)
              for i in range(first.count())}
    assert states == {"1: date": True, "2: temp": True, "3: humidity": True, "4: note – no numbers": False,
                      "5: kind – no numbers": False}
    assert first.key == "1" and dialog.form.combos["x2"].key == "2" and not dialog.form.combos["date_unit"].isVisible()
    choose(user, dialog, first, "0")
    user.bot.waitUntil(lambda: not dialog.reader.busy and dialog.form.combos["date_unit"].isVisible())
    choose(user, dialog, dialog.form.combos["date_unit"], "years")
    user.bot.waitUntil(lambda: not dialog.reader.busy)
    dialog.accept()
    user.settled()
    points = user.window.store.scene.points
    assert points.names == ("date (years)", "humidity (%)") and points.xy[0].tolist() == [2024.0, 40.0]
