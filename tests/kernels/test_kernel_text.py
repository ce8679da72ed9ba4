"""The text form of kernels: what is read, what is written, and where it is wrong."""

from __future__ import annotations

import pytest

from kernelplay.errors import SpecError
from kernelplay.kernels.base import Kernel
from kernelplay.spec import build


def plain(text: str) -> dict[str, object]:
    return Kernel.from_text(text).to_dict()


def test_the_example() -> None:
    kernel = Kernel.from_text("rbf(gamma=2) + 0.5*linear() * periodic(length_scale=1, period=3)")
    assert kernel == build("kernel", {"name": "sum", "of": [
        {"name": "rbf", "gamma": 2},
        {"name": "product", "of": [{"name": "scale", "factor": 0.5, "of": {"name": "linear"}},
                                   {"name": "periodic", "length_scale": 1, "period": 3}]}]})
    assert kernel.text() == "rbf(gamma=2) + 0.5*linear() * periodic(period=3)"
    assert kernel.formula == "exp(−γ‖x − x′‖²) + s (x·x′) · exp(−2 Σⱼ sin²(π(x − x′)ⱼ/p)/ℓ²)"


@pytest.mark.parametrize(("text", "written"), [
    ("rbf", "rbf()"), (" rbf\n", "rbf()"), ('{"name": "rbf", "gamma": 3}', "rbf(gamma=3)"),
    ("rbf(gamma=scale)", 'rbf(gamma="scale")'), ('rbf(gamma="scale")', 'rbf(gamma="scale")'),
    ("2*3*rbf", "6*rbf()"), ("rbf*2", "2*rbf()"), ("2*(3*rbf)", "2*(3*rbf())"),
    ("rbf * linear * 2", "2*(rbf() * linear())"),
    ("rbf + 2", "rbf() + constant(value=2)"), ("2", "constant(value=2)"), ("rbf·linear", "rbf() * linear()"),
    ("poly(coef0=−1)", "poly(coef0=-1)"), ("poly(coef0=+1e-3, degree=2)", "poly(coef0=0.001, degree=2)"),
    ("rbf*linear*poly", "rbf() * linear() * poly()"), ("(rbf*linear)*poly", "(rbf() * linear()) * poly()"),
    ("rbf*(linear*poly)", "rbf() * (linear() * poly())"), ("rbf+linear+poly", "rbf() + linear() + poly()"),
    ("(rbf+linear)+poly", "(rbf() + linear()) + poly()"), ("((rbf+linear))+poly", "(rbf() + linear()) + poly()"),
    ("rbf+(linear+poly)", "rbf() + (linear() + poly())"), ("rbf*2*linear", "2*rbf() * linear()"),
    ("rbf*(2*linear)", "rbf() * (2*linear())"), ("0.5*(rbf*linear)", "0.5*(rbf() * linear())"),
    ("(rbf*linear)*2*poly", "2*(rbf() * linear()) * poly()"), ("(rbf + linear)*poly", "(rbf() + linear()) * poly()"),
    ("sum(rbf, linear, poly)", "rbf() + linear() + poly()"), ("product(of=[rbf, 2*linear])", "rbf() * (2*linear())"),
    ("scale(rbf(), factor=0.1)", "0.1*rbf()"), ("scale(of=rbf, factor=0.1)", "0.1*rbf()"),
    ('warp(rbf(), by="polar")', "warp(rbf())"),
    ("warp(rbf(), by=circle, period=3)", 'warp(rbf(), by="circle", period=3)'),
    ("exp(rbf + linear)", "exp(rbf() + linear())"),
    ("quadratic_form(matrix=[[2, 1], [1, 3]])", "quadratic_form(matrix=[[2, 1], [1, 3]])"),
])
def test_reading_and_writing(text: str, written: str) -> None:
    kernel = Kernel.from_text(text)
    assert kernel.text() == str(kernel) == written
    assert Kernel.from_text(written) == kernel


def test_python_builds_what_the_text_says() -> None:
    a, b, c = (Kernel.from_text(name) for name in ("rbf", "linear", "poly"))
    assert a + b == Kernel.from_text("rbf + linear")
    assert a * b == Kernel.from_text("rbf * linear")
    assert 0.5 * a * b == Kernel.from_text("0.5 * rbf * linear")
    assert a + 2 * (b * c) == Kernel.from_text("rbf + 2*(linear*poly)")


@pytest.mark.parametrize(("text", "sentence"), [
    ("rbf(gamma=", r"at character 4, “\(gamma=”: check brackets, commas and names"),
    ("rbf() linear()", "is not valid at character"),
    ("rbff", "There is no kernel named rbff.*Did you mean rbf"),
    ("exp(rbff(gamma=1))", "There is no kernel named rbff"),
    ("rbf(gama=2)", r"no parameter kernel\.gama; did you mean gamma"),
    ("rbf(2)", r"at character 5, “2\)”: write the parameters of rbf by name: gamma=…"),
    ("linear + rbf(gamma=-1)", r"kernel\.of\.1\.gamma cannot be -1\.0"),
    ("rbf() - linear()", r"at character 9, “linear\(\)”: kernels can only be combined with \+ and \*"),
    ("rbf / 2", r"at character 7, “2”: kernels can only be combined with"),
    ("-rbf", r"kernels can only be combined with"),
    ("-1*rbf", r"kernel\.factor cannot be -1\.0"),
    ("__import__('os').system('true')", "a kernel such as rbf"),
    ("__import__('os')", "There is no kernel named __import__"),
    ("import os", "is not valid at character 1"),
    ("lambda: rbf", "a kernel such as rbf"),
    ("rbf + 'x'", "at character 7, “'x'”: a kernel such as"),
    ("rbf(gamma=linear())", r"at character 11, “linear\(\)\)”: the value of gamma must be a number"),
    ("rbf(gamma=1, gamma=2)", "gamma is given twice"),
    ("exp(rbf, of=linear)", "of is given twice"),
    ("exp(rbf, linear)", "at character 10.*exp takes one kernel"),
    ("rbf(**x)", "write the parameters of rbf by name"),
    ("sum(rbf)", r"kernel\.of cannot be.*a list of 2 or more"),
    ("", "The kernel is empty"),
    ("   ", "The kernel is empty"),
    ("rbf\0", "is not valid at character"),
    ("(" * 500 + "rbf" + ")" * 500, "is not valid at character"),
    ("1+" * 6000 + "rbf", "12,003 characters; the limit is 10,000"),
    ("-" * 5000 + "1*rbf", "nested too deeply|cannot be read"),
    ('{"name": "rbf", "gamma": }', "is not valid JSON"),
    ('{"name": "rbf", "gamma": -2}', r"kernel\.gamma cannot be -2"),
    ("커널", "There is no kernel named 커널"),
    ("rbf + 커널(1) - rbf", "at character 15, “rbf”"),
    ("True*rbf", "at character 1.*a kernel such as"),
])
def test_what_is_wrong_is_said_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        Kernel.from_text(text)


def test_a_long_sum_is_read() -> None:
    assert len(Kernel.from_text(" + ".join(["rbf"] * 300)).of) == 300
    assert len(Kernel.from_text("*".join(["rbf"] * 300)).of) == 300


def test_a_kernel_held_by_a_model_is_read_from_text() -> None:
    assert plain("exp(0.5*linear)") == {"name": "exp", "of": {"name": "scale", "factor": 0.5,
                                                              "of": {"name": "linear", "coef0": 0.0}}}
    outer = Kernel.from_text("exp(rbf)")
    assert outer.set_text("of", "linear + 2*rbf") == Kernel.from_text("exp(linear + 2*rbf)")
    assert Kernel.from_text("rbf + poly").set_text("of.1", "matern12") == Kernel.from_text("rbf + matern12")
