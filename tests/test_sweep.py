"""Sweeps: exact ends, equal steps or equal ratios, whole numbers, captions; and the steps of a player."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay.animations import Animation, Steps, format_of
from kernelplay.errors import SpecError
from kernelplay.i18n import use
from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Model
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.sweep import MOST_FRAMES, Sweep, sweepable


def model(name: str = "svm", kernel: str = "rbf", **values: object) -> Model:
    made: Model = build("model", {"name": name, **values})
    return made.replace("kernel", Kernel.from_text(kernel))


positive = st.floats(1e-12, 1e12)


@settings(deadline=None, max_examples=60)
@given(positive, positive, st.integers(2, 90), st.sampled_from(["linear", "log"]))
def test_both_ends_are_exact_and_values_run_one_way(start: float, end: float, frames: int, spacing: str) -> None:
    if math.isclose(start, end, rel_tol=1e-6):
        return
    sweep = Sweep.of(model(), "C", start, end, frames, spacing)  # type: ignore[arg-type]
    values = np.array(sweep.values)
    assert (values[0], values[-1], len(values)) == (start, end, frames)
    steps = np.diff(values) * np.sign(end - start)
    assert (steps > 0).all()
    even = np.diff(np.log(values) if spacing == "log" else values)
    assert np.allclose(even, even.mean(), rtol=1e-6, atol=1e-9 * np.abs(values).max() if spacing == "linear" else 1e-9)


def test_the_spacing_is_that_of_the_slider_unless_it_is_said() -> None:
    assert Sweep.parse(model(), "C=0.1:100", 4).values == pytest.approx((0.1, 1.0, 10.0, 100.0), rel=1e-15)
    assert Sweep.parse(model(), "C=0.1:100", 4, "linear").values == pytest.approx((0.1, 33.4, 66.7, 100.0))
    assert Sweep.parse(model("svr"), "epsilon=0:0.3", 4).values == pytest.approx((0.0, 0.1, 0.2, 0.3))


def test_there_and_back_goes_through_every_value_and_shows_the_ends_once() -> None:
    sweep = Sweep.parse(model(), "C=1:1000", 4, back=True)
    assert sweep.order == (0, 1, 2, 3, 2, 1) and sweep.values == tuple(sweep.there[k] for k in sweep.order)


def test_whole_numbers_stay_whole_and_come_once() -> None:
    sweep = Sweep.parse(model(kernel="poly"), "degree=1:6", 24)
    assert sweep.values == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    scene = Scene(model=model(kernel="poly"))
    assert [sweep.scene(scene, value).model.get("kernel.degree") for value in sweep.values] == [1, 2, 3, 4, 5, 6]


def test_a_scene_of_a_sweep_differs_in_one_number_and_shares_the_rest() -> None:
    scene = Scene(model=model()).with_points(Points(np.eye(2), np.array([0, 1])))
    before = scene.digest
    one = Sweep.parse(scene.model, "gamma=0.5:2", 3).scene(scene, 0.5)
    assert one.points is scene.points and one.model == scene.model.replace("kernel.gamma", 0.5)
    assert scene.digest == before


@pytest.mark.parametrize(("text", "said"), [
    ("C", "write a parameter and two values"), ("C=1", "write a parameter and two values"),
    ("=1:2", "write a parameter and two values"),
    ("C=1:1", "needs two different values"), ("C=0:1", "C cannot be 0"), ("C=x:1", "C cannot be x"),
    ("C=1:inf", "cannot be inf"),
    ("D=1:2", "There is no parameter D to sweep; available: kernel.gamma, C"), ("margin=1:2", "margin is not a number"),
    ("kernel=1:2", "kernel is not a number"), ("gamma=scale:2", "a sweep goes from a number to a number"),
])
def test_a_slip_is_a_sentence(text: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Sweep.parse(model(), text)


def test_what_has_no_effect_is_not_swept() -> None:
    with pytest.raises(SpecError, match="no effect with the current model"):
        Sweep.parse(model(margin="hard"), "C=1:2")


@pytest.mark.parametrize("frames", [0, 1, -3, MOST_FRAMES + 1, True, 2.5])
def test_the_number_of_frames_is_bounded(frames: object) -> None:
    with pytest.raises(SpecError, match=f"from 2 to {MOST_FRAMES}"):
        Sweep.of(model(), "C", 1.0, 2.0, frames)  # type: ignore[arg-type]


def test_equal_ratios_need_values_above_zero() -> None:
    with pytest.raises(SpecError, match="Equal ratios need two values above 0"):
        Sweep.parse(model("svr"), "epsilon=0:1", 4, "log")


def test_parameters_go_by_their_last_name_where_that_is_clear() -> None:
    two = model("krr", "rbf(gamma=1) + rbf(gamma=2)")
    assert Sweep.parse(two, "lambda=1:2").path == "lambda_"
    assert Sweep.parse(two, "kernel.of.1.gamma=1:2").path == "kernel.of.1.gamma"
    with pytest.raises(SpecError, match=r"gamma is ambiguous: choose one of kernel.of.0.gamma, kernel.of.1"):
        Sweep.parse(two, "gamma=1:2")


def test_the_caption_names_symbol_and_value() -> None:
    svm, two = model(), model("krr", "rbf(gamma=1) + rbf(gamma=2)")
    sweep = Sweep.parse(svm, "C=0.1:100", 7)
    assert [str(sweep.caption(svm, value)) for value in sweep.values[:3]] == ["C = 0.1", "C = 0.316", "C = 1"]
    near = Sweep.parse(svm, "C=1:1.001", 5)
    captions = [str(near.caption(svm, value)) for value in near.values]
    assert len(set(captions)) == 5 and captions[1] == "C = 1.0002"
    assert str(Sweep.parse(two, "kernel.of.1.gamma=1:2").caption(two, 1.0)) == "γ (kernel.of.1.gamma) = 1"
    use("pseudo")
    assert str(sweep.caption(svm, 0.1)) == "⟦C = 0.1⟧"


def test_every_number_of_every_model_can_be_swept() -> None:
    for name in ("perceptron", "svm", "svr", "krr", "gpr", "gpc"):
        made = model(name)
        assert sweepable(made)
        for path, param in sweepable(made):
            sweep = Sweep.of(made, path, param.low, param.high, 5)
            for value in sweep.there:
                assert sweep.scene(Scene(model=made), value).model.get(path) == value
                assert str(sweep.caption(made, value))


def test_steps_end_with_the_last_one() -> None:
    assert Steps().places(4) == (0, 1, 2, 3)
    assert Steps(1, 8, 3).places(20) == (1, 4, 7, 8)
    assert Steps(5, 5).places(6) == (5,)
    assert len(Steps().thinned(40, 1000).places(1000)) <= 40
    for wrong in (Steps(-1), Steps(0, 9), Steps(every=0)):
        with pytest.raises(SpecError, match="The steps run from 0 to 8"):
            wrong.places(9)
    with pytest.raises(SpecError, match="only every step number 11"):
        Steps().places(10_500)


def test_every_format_has_its_ending() -> None:
    for key, _ in Animation.params()["format"].options:  # type: ignore[attr-defined]
        assert format_of(Animation(format=key).ending.upper()) == key
    assert format_of(".mp4") is None
