"""Building a kernel tree part by part, as the model panel does."""

from __future__ import annotations

import pytest

from kernelplay.errors import SpecError
from kernelplay.kernels import edit
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.presets import presets
from kernelplay.spec import kinds


def k(text: str) -> Kernel:
    return Kernel.from_text(text)


TREE = "rbf(gamma=3) + exp(2*linear) * poly"


def test_parts_in_reading_order() -> None:
    shown = [(part.path, part.depth, part.kernel.key, part.removable, part.holds) for part in edit.parts(k(TREE))]
    assert shown == [
        ("", 0, "sum", False, 2),
        ("of.0", 1, "rbf", True, 0),
        ("of.1", 1, "product", True, 2),
        ("of.1.of.0", 2, "exp", True, 1),
        ("of.1.of.0.of", 3, "scale", False, 1),
        ("of.1.of.0.of.of", 4, "linear", False, 0),
        ("of.1.of.1", 2, "poly", True, 0),
    ]


@pytest.mark.parametrize(("start", "path", "key", "result"), [
    ("rbf", "", "linear", "rbf + linear"),
    ("rbf + linear", "", "poly", "rbf + linear + poly"),
    ("rbf + linear", "of.0", "poly", "rbf + poly + linear"),
    ("rbf * linear", "of.0", "poly", "(rbf + poly) * linear"),
    ("exp(rbf)", "of", "linear", "exp(rbf + linear)"),
    ("exp(rbf)", "", "linear", "exp(rbf) + linear"),
])
def test_add(start: str, path: str, key: str, result: str) -> None:
    assert edit.add(k(start), path, key) == k(result)


@pytest.mark.parametrize(("start", "path", "key", "result"), [
    ("rbf", "", "linear", "rbf * linear"),
    ("rbf * linear", "", "poly", "rbf * linear * poly"),
    ("rbf * linear", "of.1", "poly", "rbf * linear * poly"),
    ("rbf + linear", "of.1", "poly", "rbf + linear * poly"),
    ("rbf + linear", "", "poly", "(rbf + linear) * poly"),
])
def test_multiply(start: str, path: str, key: str, result: str) -> None:
    assert edit.multiply(k(start), path, key) == k(result)


def test_wrap_and_unwrap_undo_each_other() -> None:
    assert edit.wrappings() == ("scale", "exp", "polynomial_of", "weighted", "warp")
    tree = k(TREE)
    for part in edit.parts(tree):
        for key in edit.wrappings():
            wrapped = edit.wrap(tree, part.path, key)
            assert edit.part_at(wrapped, part.path).key == key
            assert edit.unwrap(wrapped, part.path) == tree
    with pytest.raises(SpecError, match="rbf does not wrap a single kernel, so it cannot be unwrapped"):
        edit.unwrap(tree, "of.0")
    with pytest.raises(SpecError, match="rbf does not wrap a single kernel; these do: scale, exp"):
        edit.wrap(tree, "", "rbf")


@pytest.mark.parametrize(("start", "path", "result"), [
    ("rbf + linear", "of.0", "linear"),
    ("rbf + linear + poly", "of.1", "rbf + poly"),
    ("exp(rbf * linear)", "of.of.1", "exp(rbf)"),
    (TREE, "of.1.of.0", "rbf(gamma=3) + poly"),
    (TREE, "of.1", "rbf(gamma=3)"),
])
def test_remove(start: str, path: str, result: str) -> None:
    assert edit.remove(k(start), path) == k(result)


def test_only_a_part_of_several_can_be_removed() -> None:
    for path in ("", "of.1.of.0.of"):
        with pytest.raises(SpecError, match="Only a part of a sum or product can be removed"):
            edit.remove(k(TREE), path)
    for part in edit.parts(k(TREE)):
        if part.removable:
            assert len(edit.parts(edit.remove(k(TREE), part.path))) < len(edit.parts(k(TREE)))


@pytest.mark.parametrize(("start", "path", "key", "result"), [
    ("rbf(gamma=3)", "", "poly", "poly(gamma=3)"),
    ("rbf(gamma=2)", "", "matern32", "matern32(length_scale=0.5)"),
    ("matern12(length_scale=0.5)", "", "rbf", "rbf(gamma=2)"),
    ("rational_quadratic(length_scale=3, alpha=9)", "", "periodic", "periodic(length_scale=3)"),
    ("rbf(gamma=scale)", "", "sigmoid", "sigmoid(gamma=scale)"),
    ("rbf(gamma=scale)", "", "matern12", "matern12"),
    ("poly(coef0=2, degree=4)", "", "linear", "linear(coef0=2)"),
    ("rbf + linear", "", "product", "rbf * linear"),
    ("rbf + linear", "", "exp", "exp(rbf + linear)"),
    ("2*poly", "", "exp", "exp(poly)"),
    ("2*poly", "", "sum", "2*poly + linear"),
    ("rbf", "", "scale", "1*rbf"),
    ("rbf + linear", "", "poly", "poly"),
    ("rbf + linear(coef0=1)", "of.1", "poly", "rbf + poly(coef0=1)"),
    ("weighted(poly, width=3)", "", "warp", "warp(poly, width=3)"),
    ("basis(width=3, low=-1)", "", "weighted", "weighted(basis(width=3, low=-1), width=3)"),
])
def test_change_keeps_what_both_kinds_have(start: str, path: str, key: str, result: str) -> None:
    assert edit.change(k(start), path, key) == k(result)


def test_a_value_that_the_new_kind_does_not_allow_is_left_at_its_default() -> None:
    assert edit.change(k("poly(coef0=-1)"), "", "linear") == k("linear")
    assert edit.change(k("matern52(length_scale=2)"), "", "rbf") == k("rbf(gamma=0.125)")
    assert edit.change(k("matern52(length_scale=1e200)"), "", "rbf") == k("rbf"), "no number is its gamma"
    assert edit.change(k("matern52(length_scale=1e-200)"), "", "rbf") == k("rbf")
    assert edit.change(k("sigmoid(coef0=-2)"), "", "poly") == k("poly(coef0=-2)")


def test_every_kind_can_take_every_other_place() -> None:
    for start in kinds("kernel"):
        for key in kinds("kernel"):
            changed = edit.change(k(f"rbf + exp({start})"), "of.1.of", key)
            assert edit.part_at(changed, "of.1.of").key == key
    assert set(edit.alone()) | set(edit.wrappings()) | {"sum", "product"} == set(kinds("kernel"))


def test_names_and_places_that_are_not_there() -> None:
    with pytest.raises(SpecError, match="no kernel named rbff"):
        edit.add(k(TREE), "", "rbff")
    with pytest.raises(SpecError, match="no kernel named rbff"):
        edit.change(k(TREE), "", "rbff")
    with pytest.raises(SpecError, match=r"no kernel at of\.0\.gamma"):
        edit.add(k(TREE), "of.0.gamma", "rbf")
    with pytest.raises(SpecError, match="no parameter"):
        edit.remove(k(TREE), "of.7")


def test_presets_are_kernels_with_names() -> None:
    keys = [preset.key for preset in presets()]
    assert len(set(keys)) == len(keys) and keys[0] == "gp"
    assert presets()[0].kernel.formula == "s exp(−γ‖x − x′‖²) + v + s (x·x′)"
    for preset in presets():
        assert preset.kernel.psd and str(preset.label) and str(preset.about).endswith(".")
        assert preset.kernel.text() == k(preset.text).text()
