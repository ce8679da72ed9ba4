"""Whatever a hurried person does, and in whatever order: no error, nothing stale, and undo leads back to the start.

The long run, with an eye on stalls, memory and what is forgotten, is `tests/bench/storm.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from storm import Storm, machine
from weather import House, Witness, at_home_in

from kernelplay.examples import examples


@pytest.fixture
def folder(qtbot: Any, tmp_path: Path) -> Iterator[Path]:
    """A folder that is home and working folder."""
    home = tmp_path / "home"
    home.mkdir()
    with at_home_in(home):
        yield home


@pytest.mark.parametrize(("seed", "scene"), [(1, "overlapping"), (2, "sine"), (3, "perceptron")])
def test_a_storm_passes(folder: Path, seed: int, scene: str) -> None:
    house = House(folder, next(example for example in examples() if example.key == scene).scene())
    with Witness() as witness:
        storm = Storm(house, witness, seed)
        try:
            storm.run(steps=100, rest=50)
        except BaseException:
            print("\n".join(f"{name}:{number}" for name, number in storm.did[-8:]))
            raise
        finally:
            storm.stop()
            house.clear()


def test_every_action_of_a_storm_is_a_rule(folder: Path) -> None:
    """Sequences of actions that hypothesis chooses, and makes shorter when one fails."""
    witness = Witness()

    def begin() -> Storm:
        witness.heard.clear()
        return Storm(House(folder, examples()[0].scene()), witness)

    def end(storm: Storm) -> None:
        storm.stop()
        storm.house.clear()

    with witness:
        run_state_machine_as_test(machine(begin, end), settings=settings(
            max_examples=int(os.environ.get("STORMS", "4")), stateful_step_count=30, deadline=None, derandomize=True,
            database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink]))
