"""A seeded sample of the fuzz run: damaged files, tables and link lines end in a value or in a plain sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "bench"))

import fuzz


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_damaged_inputs_end_in_a_value_or_a_sentence(kind: str) -> None:
    said: list[str] = []
    assert fuzz.run(800, 20_261_130, (kind,), said.append) == 0, "\n".join(said)


def test_the_same_seed_makes_the_same_input() -> None:
    for kind in fuzz.KINDS:
        assert fuzz.mutant(kind, 7) == fuzz.mutant(kind, 7) != fuzz.mutant(kind, 8)
