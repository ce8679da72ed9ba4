"""The LaTeX of fits: a document that plain article and amsmath set, with the numbers of the fit in it."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import api, i18n
from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.written import LETTERS, Spelling, tex, tex_number
from kernelplay.latex import _kernel, latex
from kernelplay.models.base import Fit
from kernelplay.spec import kinds, real
from tests.test_script import CASES, EVERY, NUMPY_ONLY, Case, Plain

# what plain LaTeX and amsmath know, of all that may stand in a document
KNOWN = {
    "Vert", "alpha", "approx", "begin", "bigl", "bigr", "boldsymbol", "cdot", "cos", "documentclass", "dots", "ell",
    "end", "eta", "exp", "frac", "gamma", "ge", "hat", "hline", "hyperlink", "in", "infty", "lVert", "lambda", "le",
    "left", "leftarrow", "ln", "lvert", "mathbf", "mathcal", "max", "mid", "min", "mu", "ne", "nu", "operatorname",
    "phi", "pi", "qquad", "quad", "rVert", "right", "rule", "rvert", "setlength", "sigma", "sim", "sin", "small",
    "sqrt", "sum", "tabcolsep", "tanh", "text", "tfrac", "theta", "tilde", "times", "top", "usepackage", "varepsilon",
    "vdots", "xi",
}
ENVIRONMENTS = {"document", "align*", "gather*", "pmatrix", "tabular", "center"}


class Shown(Plain):
    key = "throwaway_shown"
    length: float = real(2.0, 0.1, 10.0, log=True, symbol="l", label=say("Length"), help=say("Higher: flatter."))

    def expression(self, x: str, z: str) -> str:
        return f"1/(1 + ‖{x} − {z}‖²/l²)"


def set_part(text: str) -> str:
    """Return the text without its comments."""
    lines = [line for line in text.split("\n") if not line.startswith("%")]
    return "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in lines)


def check(text: str) -> None:
    """What pdflatex would stop at."""
    body = set_part(text)
    assert body.isascii()
    stack: list[str] = []
    for command, name in re.findall(r"\\(begin|end)\{([^}]*)\}", body):
        assert name in ENVIRONMENTS, name
        if command == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    depth = 0
    for mark in re.findall(r"\\[{}\\]|[{}]", body):
        depth += (mark == "{") - (mark == "}")
        assert depth >= 0
    assert depth == 0 and body.count(r"\left") - body.count(r"\leftarrow") == body.count(r"\right")
    assert body.count("$") % 2 == 0 and "\n\n" not in "".join(re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}", body,
                                                                          re.DOTALL))
    unknown = set(re.findall(r"\\([A-Za-z]+)", body)) - KNOWN
    assert not unknown, unknown
    assert "- -" not in body
    assert not re.search(r"\^[^{}\\\s]*'|\^\{[^{}]*\}\^|_\{[^{}]*\}_", body), "a double script"
    for block in re.findall(r"\\begin\{align\*\}(.*?)\\end\{align\*\}", body, re.DOTALL):
        for line in re.sub(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", "", block, flags=re.DOTALL).split(r"\\"):
            assert re.search("(?<!\\\\)&", line), line
    for columns, rows in re.findall(r"\\begin\{tabular\}\{(r+)\}(.*?)\\end\{tabular\}", body, re.DOTALL):
        for row in re.split(r"\\\\(?: \\hline)?", rows)[:-1]:
            assert row.count("&") == len(columns) - 1, row


@pytest.fixture(scope="module")
def fits() -> dict[Case, Fit]:
    return {each: each.fit() for each in (*CASES, *NUMPY_ONLY)}


def test_every_fit_is_a_sound_document_in_every_language(fits: dict[Case, Fit]) -> None:
    for each, fit in fits.items():
        english = latex(fit)
        check(english)
        for language in ("ko", i18n.PSEUDO):
            i18n.use(language)
            try:
                other = latex(fit)
            finally:
                i18n.use("en")
            assert set_part(other) == set_part(english), str(each)


@pytest.mark.parametrize("kernel", EVERY, ids=str)
def test_every_kernel_is_a_sound_formula(kernel: Kernel) -> None:
    bound = kernel.bind(np.random.default_rng(3).normal(size=(12, 2)))
    for numbers in (False, True):
        put = Spelling(bound, numbers)
        formula = bound.latex(r"\mathbf{x}", r"\mathbf{x}'", put)
        lines = [formula, *put.definitions, *(value for pair in put.values() for value in pair)]
        check("\n".join(f"\\begin{{align*}}\n &{line}\n\\end{{align*}}" for line in lines))
        assert r"\mathbf{x}" in formula or kernel.key == "constant" or "0" in formula


def numbers_in(text: str) -> list[float]:
    """Return the numbers of a text, powers of ten among them."""
    found = re.findall(r"(?<![\w.{])(-?\d+(?:\.\d+)?)(?: \\cdot 10\^\{(-?\d+)\})?", text)
    return [float(f"{mantissa}e{power or 0}") for mantissa, power in found]


def near(value: float, text: str) -> bool:
    return any(abs(abs(found) - abs(value)) <= 1e-5 * abs(value) for found in numbers_in(text))


def test_the_numbers_are_those_of_the_fit(fits: dict[Case, Fit]) -> None:
    by_model: dict[str, Any] = {}
    for each, fit in fits.items():
        by_model.setdefault(each.model, fit)
    svm, svr, krr = by_model["svm"], by_model["svr"], by_model["krr"]
    gpr, gpc, perceptron = by_model["gpr"], by_model["gpc"], by_model["perceptron"]
    wanted = [(svm, [svm.b, svm.norm, svm.margin, svm.objective, svm.model.C, 0.7, *np.sort(svm.alpha)[-3:]]),
              (svr, [svr.b, svr.norm, svr.objective, svr.model.epsilon, svr.model.C]),
              (krr, [krr.model.lambda_, krr.norm, *krr.coef[:3], *krr.f_train[:5]]),
              (gpr, [gpr.lml, gpr.data_fit, gpr.complexity, gpr.model.noise_var, *gpr.coef[:3], 1.7]),
              (gpc, [gpc.lml, *gpc.coef[:3], *gpc.latent_mode[:3], gpc.model.nu]),
              (perceptron, [*perceptron.theta, perceptron.bound, perceptron.R, perceptron.gamma])]
    for fit, values in wanted:
        text = set_part(latex(fit))
        for value in values:
            assert near(float(value), text), (fit.model.key, value)


def test_the_table_is_cut_off_where_it_is_asked_to_be(fits: dict[Case, Fit]) -> None:
    fit: Any = fits[CASES[0]]
    for most in (1, 5, 1000):
        rows = len(re.findall(r"^  \d+ & ", latex(fit, most=most), re.MULTILINE))
        assert rows == min(most, fit.n_sv) and (r"\vdots" in latex(fit, most=most)) == (most < fit.n_sv)


def test_symbols_that_several_kernels_share_are_numbered() -> None:
    kernel = Kernel.from_text("rbf(gamma=2) + 0.5*rbf(gamma=3) + linear(coef0=1)")
    put = Spelling(kernel)
    formula = kernel.latex("x", "z", put)
    assert r"\gamma_{1}" in formula and r"\gamma_{2}" in formula and "c_" not in formula
    assert dict(put.values()) == {r"\gamma_{1}": "2", "s": "0.5", r"\gamma_{2}": "3", "c": "1"}


def test_names_that_people_give_stay_within_the_comments(fits: dict[Case, Fit]) -> None:
    fit = fits[CASES[0]]
    text = latex(fit, "100 %\n\\end{document} \u2028\\input{x}", {1: "a\n\\bad", -1: "$"})
    assert set_part(text) == set_part(latex(fit)) and r"\input{x}" in text


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None, max_examples=200)
def test_a_number_is_written_to_six_digits(value: float) -> None:
    text = tex_number(value)
    found = re.fullmatch(r"(-?)(?:(\d+(?:\.\d+)?)(?: \\cdot )?)?(?:10\^\{(-?\d+)\})?", text)
    assert found, text
    read = float(f"{found[1]}{found[2] or 1}e{found[3] or 0}") if found[2] != "10" or not found[3] else value
    assert read == pytest.approx(value, rel=0.51e-5, abs=1e-320)


def test_every_symbol_of_every_declaration_has_a_spelling() -> None:
    for kind in ("kernel", "model"):
        for cls in kinds(kind).values():
            for param in cls.params().values():
                assert tex(param.symbol).isascii(), param.symbol
    assert tex("σ²") == r"\sigma ^{2}" and tex("c₀") == "c_{0}" and set(LETTERS) >= set("γλεηνσℓφ")


def test_a_parameter_that_does_not_matter_has_no_symbol_to_number() -> None:
    kernel = Kernel.from_text("periodic() + matern32()*periodic(period=2) + warp(rbf(), by=polar) + basis()")
    X = np.array([[0.0, 1], [1, 0], [2, 2], [3, 1]])
    text = latex(api.fit(X, [1, -1, 1, -1], kernel=kernel))
    check(text)
    assert "p_{1}" in text and "p_{2}" in text and "p_{3}" not in text


def test_a_kernel_without_latex_of_its_own_has_its_numbers_below_the_formula() -> None:
    kernel = dataclasses.dataclass(frozen=True)(Shown)(length=0.5)
    lines = "\n".join(_kernel(kernel))
    check(lines)
    assert "l = 0.5" in lines
