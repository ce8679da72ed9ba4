"""Whatever a hurried person does, and in whatever order: no error, nothing stale, and undo leads back to the start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hand import Hand
from storm import Storm

from kernelplay.examples import examples
from kernelplay.ui.window import MainWindow


@pytest.mark.parametrize(("seed", "scene"), [(1, "overlapping"), (2, "sine"), (3, "perceptron")])
def test_a_storm_passes(qtbot: Any, open_window: Callable[..., MainWindow], tmp_path: Path, seed: int,
                        scene: str) -> None:
    window = open_window(next(example for example in examples() if example.key == scene).scene())
    Storm(Hand(qtbot, window), seed, tmp_path).run(steps=150, rest=50)
