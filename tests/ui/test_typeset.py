"""Formulas as they are set: nothing overlaps, every glyph is there, everything fits, and labels say the plain line."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from kernelplay.examples import examples
from kernelplay.i18n import verbatim
from kernelplay.notation import parted
from kernelplay.ui.formula_label import FormulaLabel, FormulaLine, FormulaNote
from kernelplay.ui.formula_lines import box_of, broken, settle
from kernelplay.ui.formula_words import set_words
from kernelplay.ui.math_face import face
from kernelplay.ui.theme import apply, theme, ui_font
from kernelplay.ui.typeset import Box, Piece, scripts, sign, word
from tests.test_notation import ALL

pytestmark = pytest.mark.usefixtures("qapp")
LABELS = ("Margin 1/‖w‖", "R = max ‖x̃ₙ‖", "Bound (R/γ)²", "Data fit −½aᵀC⁻¹a + Σ ln p(t | a)", "Noise σ",
          "Complexity −½ln|C|", "√k η R", "(u·θ₀ + k η γ) / √(‖θ₀‖² + k η² R²)", "64 ε |K| Σ|α|")


def rect(piece: Piece) -> QRectF:
    """Return where the ink of a piece is."""
    if piece.index < 0:
        return QRectF(piece.x, piece.y, piece.width, piece.height)
    glyph = face().measured(piece.index)
    return QRectF(piece.x + glyph.left * piece.size, piece.y - glyph.height * piece.size,
                  (glyph.right - glyph.left) * piece.size, (glyph.height + glyph.depth) * piece.size)


def ink(box: Box, pixels: int = 40) -> QImage:
    """Return a box drawn black on white."""
    setting = settle(((0.0, box),), pixels)
    image = QImage(int(setting.width) + 20, int(setting.height) + 20, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    setting.draw(painter, 10, 10, QColor("black"))
    painter.end()
    return image


@pytest.mark.parametrize("display", [True, False])
@pytest.mark.parametrize("lines", [*ALL, *((text,) for label in LABELS for is_one, text in parted(label) if is_one)],
                         ids=lambda lines: lines[0][:30])
def test_no_two_things_lie_over_one_another_and_all_lie_in_their_box(lines: tuple[str, ...], display: bool) -> None:
    for line in lines:
        box = box_of(line, display, lines)
        inks = [rect(piece) for piece in box.pieces]
        for one, other in itertools.combinations(inks, 2):
            shared = one.intersected(other)
            # slanted letters, a prime and a bracket reach over their neighbours' corners; nothing over what is read
            assert min(shared.width(), shared.height()) < 0.11, f"{line}: {one} over {other}"
        for each in inks:
            assert each.left() > -0.06 and each.right() < box.width + 0.06, line
            assert -box.height - 0.02 < each.top() and each.bottom() < box.depth + 0.02, line


@pytest.mark.parametrize("lines", ALL, ids=lambda lines: lines[0][:30])
def test_the_face_has_every_sign_of_every_formula(lines: tuple[str, ...]) -> None:
    for line in lines:
        box = box_of(line, True, lines)
        shown = sum(letter not in " ½√‖|′()" for letter in line.replace(" / ", ""))
        drawn = sum(piece.index > 0 for piece in box.pieces)
        assert all(piece.index != 0 for piece in box.pieces)
        slashes = line.count("/")
        assert drawn >= shown - slashes, line


@pytest.mark.parametrize("room", [30.0, 17.0, 12.0])
@pytest.mark.parametrize("lines", ALL, ids=lambda lines: lines[0][:30])
def test_lines_are_no_wider_than_their_room_and_nothing_is_lost(lines: tuple[str, ...], room: float) -> None:
    for line in lines:
        found = broken(line, room, True, lines)
        assert max(indent + box.width for indent, box in found) <= room
        whole = box_of(line, True, lines)
        assert sum(len(box.pieces) for _, box in found) >= len(whole.pieces) - 2 * line.count("/"), "something is lost"


def boxes(box: Box) -> dict[int, Box]:
    """Return a box and all that are in it, each once."""
    found = {id(box): box}
    for _, _, inner in box.inside:
        found |= boxes(inner)
    return found


@pytest.mark.parametrize("depth", [3, 12])
def test_what_is_set_once_is_neither_copied_nor_set_again(depth: int) -> None:
    line = "exp(x·x′ + " * depth + "c" + ")²/(1 + ‖x‖²)" * depth
    whole = box_of(line, True)
    made = boxes(whole)
    assert sum(len(box.own) for box in made.values()) <= len(whole.pieces)
    for room in (40.0, 14.0):
        lines = {place for _, box in broken(line, room) for place in boxes(box)}
        assert len(lines - set(made)) < len(lines) / 2, "more than what is taken apart"


@pytest.mark.parametrize("text", ["exp(" * 9 + "x·x′" + ")" * 9, " + ".join(["exp(−γ‖x − x′‖²)"] * 40), "(" * 50,
                                  "f(x) " * 200, "((x·x′ + c)ᴹ/(1 + ‖x‖²)/3)²" * 8])
def test_any_formula_ends_up_in_lines(text: str) -> None:
    assert broken(text, 9.0)
    assert settle(broken(text, 9.0), 15.0).height > 0


def test_a_subscript_stands_below_a_superscript_and_both_are_smaller() -> None:
    base, low, high = word("x", 1), word("1", 2), word("2", 2)
    box = scripts(base, low, high, 1, False)
    _, below, above = box.pieces
    assert above.y < 0 < below.y and above.size == below.size == face().script < 1
    assert rect(above).bottom() < rect(below).top()


def test_a_fraction_is_upright_in_display_and_has_a_slash_in_a_sentence() -> None:
    upright, flat = box_of("exp(−‖x‖/ℓ)", True), box_of("exp(−‖x‖/ℓ)")
    assert upright.height + upright.depth > 1.5 * (flat.height + flat.depth) and upright.width < flat.width
    slash = sign("/", 1).pieces[0].index
    assert slash in {piece.index for piece in flat.pieces} and slash not in {piece.index for piece in upright.pieces}


def test_operators_have_air_and_signs_have_none() -> None:
    def apart(line: str) -> float:
        first, second = sorted(map(rect, box_of(line).pieces), key=QRectF.left)[:2]
        return second.left() - first.right()

    assert apart("a − b") > apart("−b") + 0.15 and apart("a = b") > apart("ab") + 0.2
    assert box_of("a−b").width == box_of("a − b").width


def test_brackets_grow_with_what_they_hold() -> None:
    def highest(line: str) -> float:
        return max(rect(piece).height() for piece in box_of(line, True).pieces if piece.index >= 0)

    assert highest("(1 + ‖x‖/ℓ)") > 1.5 * highest("(1 + ℓ)")


def test_it_is_drawn_where_its_boxes_are() -> None:
    image = ink(box_of("Σₙ ξₙ", True))
    dark = [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).value() < 128]
    assert len(dark) > 100
    assert min(x for x, _ in dark) >= 9 and max(x for x, _ in dark) <= image.width() - 9
    assert min(y for _, y in dark) >= 9 and max(y for _, y in dark) <= image.height() - 9


def test_words_and_formulas_share_a_line_of_writing_and_wrap() -> None:
    font = ui_font("en")
    sentence = "Higher: each point reaches less far. The length scale is ℓ = 1/√(2γ), and γ is what is set."
    one, many = set_words(sentence, font, 10_000), set_words(sentence, font, 150)
    assert len({line for _, line, _ in one.parts}) == 1 < len({line for _, line, _ in many.parts})
    assert many.width <= 150 and many.height > 2 * one.height
    for _, line, part in one.parts:
        if part.formula is not None:
            assert abs(part.formula.boxes[0][1] - part.formula.line) <= 0.5 and line == one.parts[0][1]


def test_korean_words_and_what_follows_a_formula_stay_together() -> None:
    font = ui_font("ko")
    for room in range(80, 300, 20):
        words = set_words("길이 척도는 ℓ = 1/√(2γ)입니다. 경계가 γ에 따라 굽습니다.", font, room)
        rows: dict[float, list[str]] = {}
        for _, line, part in words.parts:
            rows.setdefault(line, []).append(part.text)
        assert not any(texts[0].startswith(("입니다", "에", "도는")) for texts in rows.values())


@pytest.fixture
def label(qtbot: Any) -> Callable[..., FormulaLabel]:
    def make(text: str, width: int = 300, name: str = "light") -> FormulaLabel:
        apply(theme(name), "en")
        made = FormulaLabel(1.2)
        qtbot.addWidget(made)
        made.setText(text)
        made.resize(width, made.heightForWidth(width))
        made.show()
        return made

    return make


def test_a_label_says_and_copies_the_plain_line(label: Callable[..., FormulaLabel]) -> None:
    made = label("min ½‖w‖² + C Σₙ ξₙ\nyₙ f(xₙ) ≥ 1 − ξₙ")
    assert made.text() == made.accessibleName() == "min ½‖w‖² + C Σₙ ξₙ\nyₙ f(xₙ) ≥ 1 − ξₙ"
    QApplication.sendEvent(made, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), QPoint(5, 5)))
    menu = made.findChild(QMenu)
    assert menu is not None
    plain, latex = menu.actions()
    plain.trigger()
    assert QGuiApplication.clipboard().text() == made.text()
    latex.trigger()
    assert QGuiApplication.clipboard().text().startswith(r"\min \tfrac{1}{2} \lVert \mathbf{w} \rVert^{2} + C \sum_{n}")
    menu.close()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_colour_is_that_of_the_text(label: Callable[..., FormulaLabel], name: str) -> None:
    made = label("‖w‖‖w‖‖w‖", name=name)
    panel = QWidget()
    panel.setProperty("look", "panel")
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    panel.resize(made.size())
    made.setParent(panel)
    image = panel.grab().toImage()
    found = {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}
    assert {theme(name).text, theme(name).panel} <= found


def test_a_narrow_label_is_higher_and_holds_everything(label: Callable[..., FormulaLabel]) -> None:
    made = label(ALL[-1][-1])
    assert made.heightForWidth(150) > made.heightForWidth(400)


def test_notes_without_formulas_are_drawn_as_ever(qtbot: Any) -> None:
    plain, set_one = FormulaNote(verbatim("No formula here.")), FormulaNote(verbatim("The margin 1/‖w‖ is here."))
    symbol = FormulaLine(verbatim("σ²"), look="symbol")
    for made in (plain, set_one, symbol):
        qtbot.addWidget(made)
        assert made.sizeHint().height() > 8 and made.text()
    assert set_one.heightForWidth(60) > set_one.heightForWidth(600)


def test_the_panels_show_formulas_set(open_window: Callable[..., Any], qtbot: Any) -> None:
    for example in examples()[:2]:
        window = open_window(example.scene())
        found = [each for each in window.findChildren(QWidget) if isinstance(each, FormulaLabel)]
        texts = {each.text() for each in found}
        model = window.store.scene.model
        assert "\n".join(model.formula) in texts and any(text.startswith("k(x, x′) = ") for text in texts)
        for each in found:
            if each.isVisible():
                assert each.height() >= each.heightForWidth(each.width()) - 1, "a formula is cut off"
