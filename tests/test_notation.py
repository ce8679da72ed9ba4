"""The notation of formulas: every formula of the program is read, and is the same line again; what becomes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernelplay.kernels.base import Kernel
from kernelplay.notation import Fenced, Node, Over, Root, Row, Scripted, Sign, inside, is_bold, parted, read, vectors
from kernelplay.notation_tex import tex
from kernelplay.spec import kinds

SIGNS = "xyzwkCNσγθξℓ₁ₙⱼ²⁻ᵀ′\u0302\u0303½0123.,:;()[]|‖√/+−·=≤~Σ  explnminmax"


def formulas() -> list[tuple[str, ...]]:
    """Return the lines of formulas that there are: each kernel's, and each model's in its forms."""
    made: list[tuple[str, ...]] = [(f"k(x, x′) = {cls().formula}",) for cls in kinds("kernel").values()]
    for cls in kinds("model").values():
        model = cls()
        made.append(model.formula)
        if "margin" in cls.params():
            made.append(replace(model, margin="hard").formula)
        if "bias" in cls.params():
            made += [replace(model, bias=False).formula, replace(model, kernel=Kernel.from_text("rbf")).formula]
    return made


ALL = formulas()


def signs(row: Row) -> list[str]:
    """Return the signs of a tree that have no meaning of their own."""
    return [item.text for each in inside(row) for item in each.items if isinstance(item, Sign)]


def bold(line: str, *among: str) -> set[str]:
    """Return the letters of a line that are set bold."""
    known = vectors((line, *among))
    return {str(item) for row in inside(read(line)) for k, item in enumerate(row.items)
            if is_bold(item, row.items[k + 1] if k + 1 < len(row.items) else None, known)}


@pytest.mark.parametrize("lines", ALL, ids=lambda lines: lines[0][:30])
def test_every_formula_is_understood(lines: tuple[str, ...]) -> None:
    for line in lines:
        row = read(line)
        assert str(row) == line
        assert not set("()[]‖√/") & set(signs(row)), "a bracket, bar, root or slash without meaning"
        assert set(signs(row)) <= set("+−·=≠≤≥~←,:|Σ"), "a sign that nothing is known of"


@settings(deadline=None, max_examples=150)
@given(st.text(st.sampled_from(SIGNS), max_size=40))
@example("((‖|)")
@example("/√/")
@example("a / b / c | d |")
def test_every_line_comes_back_as_it_was(line: str) -> None:
    assert str(read(line)) == line
    assert "".join(text for _, text in parted(line)) == line
    assert tex(line) == tex(line, (line,))


def only(line: str) -> Node:
    [item] = read(line).items
    return item


def test_a_slash_takes_what_adjoins_it_and_with_blanks_the_whole_product() -> None:
    tight, wide = only("√3‖x − x′‖/(2αℓ²)"), only("∂ ln p / ∂ ln γ")
    assert isinstance(tight, Over) and (str(tight.above), str(tight.below)) == ("√3‖x − x′‖", "(2αℓ²)")
    assert isinstance(wide, Over) and (str(wide.above), str(wide.below)) == ("∂ ln p", "∂ ln γ")
    assert [type(item) for item in read("yₙ f(xₙ)/‖w‖").items][-1] is Over
    assert str(read("a + b/c").items[-1]) == "b/c"


def test_bars_are_brackets_or_stand_between_blanks() -> None:
    assert isinstance(only("|tₙ − f(xₙ)|"), Fenced) and isinstance(only("‖x − x′‖²"), Scripted)
    held = read("p(a | t)").items[1]
    assert isinstance(held, Fenced) and Sign("|", wide=True) in held.body.items


def test_a_root_takes_one_thing() -> None:
    assert str(read("√k η R").items[0]) == "√k" and str(only("√(1 + πv/8)")) == "√(1 + πv/8)"
    assert isinstance(only("√(1 + πv/8)"), Root)


def test_scripts_and_primes_belong_to_what_is_before_them() -> None:
    one = only("x̃ₙ")
    assert isinstance(one, Scripted) and str(one.base) == "x̃" and (one.low, one.high) == ("ₙ", "")
    both = only("x₁²")
    assert isinstance(both, Scripted) and (both.low, both.high) == ("₁", "²")


def test_vectors_and_matrices_are_bold_and_their_components_are_not() -> None:
    assert bold("k(x, x′) = exp(−γ‖x − x′‖²)") == {"x", "x′"}
    assert bold("√2 x₁x₂") == set()
    assert bold("a = (K + λI)⁻¹t,  f(x) = k(x)ᵀa", "min Σₙ (tₙ − f(xₙ))²") == {"a", "K", "I", "t", "k", "x"}
    assert bold("min Σₙ (tₙ − f(xₙ))² + λ‖w‖²") == {"xₙ", "w"}
    assert bold("f(x) = θ·x̃") == {"θ", "x", "x̃"} and bold("θ₀ exp(−θ₁‖x − x′‖²/2)") == {"x", "x′"}
    assert bold("min ½‖w‖² + C Σₙ ξₙ") == {"w"} and "C" in bold("t ~ N(0, C)")


def test_what_is_bold_in_the_models_is_what_the_notes_print_bold() -> None:
    lines = {cls.key: cls().formula for cls in kinds("model").values()}
    assert bold(lines["gpc"][0], *lines["gpc"]) == {"a", "C", "K", "I"}
    assert bold(lines["gpc"][1], *lines["gpc"]) == {"a", "t", "C"}
    assert bold(lines["gpr"][2], *lines["gpr"]) == {"t", "tᵀ", "C", "C⁻¹"}


@pytest.mark.parametrize(("sentence", "formulas"), [
    ("Margin 1/‖w‖", ["1/‖w‖"]), ("마진 1/‖w‖", ["1/‖w‖"]), ("R = max ‖x̃ₙ‖", ["R = max ‖x̃ₙ‖"]),
    ("Data fit −½aᵀC⁻¹a + Σ ln p(t | a)", ["−½aᵀC⁻¹a + Σ ln p(t | a)"]), ("γ가 커지면", ["γ"]), ("Length of w", ["w"]),
    ("The length scale is ℓ = 1/√(2γ).", ["ℓ = 1/√(2γ)"]), ("a point, I said", []), ("12 of 24", []), ("4·10⁻¹¹", []),
    ("relative to the size of f: a residual below it", ["f"]), ("(1.2, 3.4)", []), ("2 × 3 points", []),
    ("bounded (α = C)", ["(α = C)"]), ("never (see γ), or", ["γ"]), ("k-means and x-axis", []),
])
def test_formulas_are_found_in_sentences(sentence: str, formulas: list[str]) -> None:
    assert [text for formula, text in parted(sentence) if formula] == formulas
    assert "".join(text for _, text in parted(sentence)) == sentence


@pytest.mark.parametrize("lines", ALL, ids=lambda lines: lines[0][:30])
def test_every_formula_is_written_as_latex(lines: tuple[str, ...]) -> None:
    for line in lines:
        made = tex(line, lines)
        assert made.isascii() and made.count("{") == made.count("}")
        assert made.count(r"\left") == made.count(r"\right") + made.count(r"\leftarrow")


def test_latex_says_what_the_line_says() -> None:
    assert tex("½‖w‖²") == r"\tfrac{1}{2} \lVert \mathbf{w} \rVert^{2}"
    assert tex("1/√(2γ)") == r"\frac{1}{\sqrt{2 \gamma}}"
    assert tex("ξ̂ₙ ≥ 0") == r"\hat{\xi}_{n} \ge 0"


def test_what_nobody_foresaw_is_read_too_and_in_no_time() -> None:
    assert [str(item) for item in read("planted(x, x′) + 2").items] == ["planted", "(x, x′)", " ", "+", " ", "2"]
    for line in ("(" * 400 + ")" * 400, "(" * 900, "√" * 900, "‖|" * 300, "a/" * 500):
        assert str(read(line)) == line
