"""Typed formulas: what they mean, what is refused and where, and that nothing else ever comes out."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import formula
from kernelplay.errors import SpecError
from kernelplay.formula import CONSTANTS, DEEPEST, FUNCTIONS, LONGEST, read

X = np.array([-3.0, -1.5, -0.5, 0.0, 0.25, 1.0, 2.0, 1e3])
Z = np.array([2.0, -1.0, 0.0, 0.5, -0.25, 3.0, 1.0, -1e3])


def of(text: str) -> Any:
    return read(text, ("x",))(X)


@pytest.mark.parametrize(("text", "value"), [
    ("sin(3*x) + 0.3*x^2", np.sin(3 * X) + 0.3 * X**2), ("-x^2", -(X**2)), ("(-x)^2", X**2), ("2^3^2", 512.0),
    ("2^-x", 2.0**-X), ("2**3", 8.0), ("1 - 2 - 3", -4.0), ("8/4/2", 1.0), ("8/4*2", 4.0), ("--x", X), ("+x", X),
    ("- - 2", 2.0), ("2 - -x", 2 + X), ("x*-2", -2 * X), (".5x".replace("x", "*x"), 0.5 * X), ("5.*x", 5 * X),
    ("1e-2", 0.01), ("2.5E+1", 25.0), ("e", np.e), ("pi*x", np.pi * X), ("π·x − 1", np.pi * X - 1), ("x²", X**2),
    ("2×x³÷4", X**3 / 2), ("min(x, 1)", np.minimum(X, 1)), ("max(x, 0, 2)", np.maximum(X, 2)), ("abs(x)", np.abs(X)),
    ("sinc(x)", np.sinc(X / np.pi)), ("floor(x) + sign(x)", np.floor(X) + np.sign(X)), ("（ｘ＋１）＊２", (X + 1) * 2),
    ("  x  ", X),
])
def test_it_means_what_a_lecturer_means(text: str, value: Any) -> None:
    np.testing.assert_allclose(of(text), np.broadcast_to(value, X.shape), rtol=1e-15)


def test_two_inputs_go_by_their_names() -> None:
    f = read("x1^2 + x₂² - 1", ("x1", "x2"))
    np.testing.assert_array_equal(f(X, Z), X**2 + Z**2 - 1)
    assert f.variables == ("x1", "x2") and f.text == "x1^2 + x₂² - 1"


@pytest.mark.parametrize(("text", "words"), [
    ("", "is empty: write one such as"), ("  ", "is empty"),
    ("3x", "character 2, “x”: an operator such as \\* is missing"),
    ("2(x+1)", "character 2, “\\(x\\+1\\)”: an operator"), ("x x", "character 3"), ("0,3*x", "use a decimal point"),
    ("sin(x,1)", "character 6, “,1\\)”: sin takes one value"), ("(x, 1)", "character 3.*min and max"),
    ("sine(x)", "there is no sine .did you mean sin"), ("Sin(x)", "did you mean sin"),
    ("q(x)", "no function q; available"),
    ("y", "there is no y; use only x"), ("x2 + 1", "there is no x2"), ("sin x", "in brackets, as in sin"),
    ("(x", "character 1, “\\(x”: this bracket is never closed"), ("sin(x", "character 4"), ("x)", "never opened"),
    ("x +", "at its end: a number, a variable or a function is missing"), ("* x", "character 1, “\\* x”"),
    ("x @ 2", "character 3, “@ 2”: this character has no meaning"), ("x**", "at its end"), ("1e999", "too large"),
    ("min(x)", "takes two or more values"), ("x²³", "write a power with \\^"), ("x² @", "character 4, “@”"),
    ("__import__('os')", "character 1"), ("x.real", "character 2"), ("x if x else 1", "character 3"),
    ("lambda: 1", "character 7"), ("[x]", "no meaning"), ("x = 1", "no meaning"), ("'a'*9", "no meaning"),
    ("(" * 999 + "x", "999|1000 characters"), ("(" * (DEEPEST + 1) + "x", f"nested more than {DEEPEST}"),
    ("-" * (DEEPEST + 1) + "x", "nested more than"), ("2^" * (DEEPEST + 1) + "x", "nested more than"),
    ("9" * 350, "too large"), ("x\0", "no meaning"), ("😀", "no meaning"),
])
def test_what_cannot_be_read_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as refusal:
        read(text, ("x",))
    assert len(str(refusal.value)) < 400


def test_the_longest_and_deepest_are_read() -> None:
    assert of("x" + "+x" * ((LONGEST - 1) // 2))[-1] == 1e3 * (1 + (LONGEST - 1) // 2)
    assert of("(" * (DEEPEST - 1) + "x" + ")" * (DEEPEST - 1))[0] == -3.0


@given(st.text(max_size=40) | st.text("x12.+-*/^(),sincoexplgqrtab² −·", max_size=40))
@settings(deadline=None, max_examples=400)
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    try:
        f = read(text, ("x",))
    except SpecError as error:
        assert str(error).endswith(".") and len(str(error)) < 400
    else:
        assert f(X).shape == X.shape and f(X).dtype == np.float64


BINARY = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power}


def tree(depth: int) -> st.SearchStrategy[tuple[str, Any]]:
    """Expressions as (text, value), the value by numpy, built side by side; brackets only where they are needed for
    the text to be one operand."""
    leaves = (st.just(("x", X)) | st.sampled_from([(name, np.float64(value)) for name, value in CONSTANTS.items()])
              | st.integers(0, 9).map(lambda n: (str(n), np.float64(n)))
              | st.floats(0.001, 999, allow_nan=False).map(lambda v: (repr(v), np.float64(v))))
    if depth == 0:
        return leaves
    inner = tree(depth - 1)
    return (leaves
            | st.tuples(st.sampled_from(list(BINARY)), inner, inner).map(
                lambda t: (f"({t[1][0]}) {t[0]} ({t[2][0]})", BINARY[t[0]](t[1][1], t[2][1])))
            | inner.map(lambda t: (f"-({t[0]})", -t[1]))
            | st.tuples(st.sampled_from(list(FUNCTIONS)), inner).map(
                lambda t: (f"{t[0]}({t[1][0]})", FUNCTIONS[t[0]](t[1][1])))
            | st.tuples(inner, inner).map(
                lambda t: (f"max({t[0][0]}, {t[1][0]})", np.maximum(t[0][1], t[1][1]))))


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_it_agrees_with_numpy_on_any_expression(data: st.DataObject) -> None:
    with np.errstate(all="ignore"):
        text, value = data.draw(tree(3))
        if len(text) <= LONGEST:
            np.testing.assert_array_equal(of(text), np.broadcast_to(value, X.shape))


@given(st.lists(st.tuples(st.sampled_from("+-*/^"), st.integers(1, 9)), min_size=1, max_size=5), st.integers(1, 3))
@settings(deadline=None, max_examples=150)
def test_signs_bind_as_in_python(rest: list[tuple[str, int]], first: int) -> None:
    text = f"-{first}" + "".join(f"{sign}{n if sign != '^' else n % 3}" for sign, n in rest)
    with np.errstate(all="ignore"):
        try:
            # digits and signs, made above; as floats, since 3^2^2^2^2^2 in whole numbers would never end
            expected = eval(re.sub(r"(\d)", r"\1.0", text).replace("^", "**"), {})
        except OverflowError:
            return
    np.testing.assert_allclose(of(text)[0], expected, rtol=1e-12)


def test_every_function_that_is_promised_is_there() -> None:
    for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "sinh", "cosh", "tanh", "sinc", "floor", "sign"):
        with np.errstate(all="ignore"):
            expected = np.sinc(X / np.pi) if name == "sinc" else getattr(np, name)(X)
        np.testing.assert_array_equal(of(f"{name}(x)"), expected)
    assert set(formula.SEVERAL) == {"min", "max"}
