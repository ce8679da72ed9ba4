"""A turn of the window: a job waits while it is a long one, and not for ever."""

from __future__ import annotations

import pytest

from kernelplay.turn import LONG, LONGEST, Turn


class Clock:
    """A time of its own, in which somebody may end a turn."""

    def __init__(self, turn: Turn, ends: float = float("inf")) -> None:
        self.now, self.turn, self.ends = 0.0, turn, ends

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds
        if self.now >= self.ends:
            self.turn.end()


@pytest.mark.parametrize(("age", "ends", "goes_on"), [
    (0.0, 1.0, 0.0), (0.9 * LONG, 1.0, 0.9 * LONG), (1.1 * LONG, 2 * LONG, 2 * LONG), (1.1 * LONG, 1.0, LONGEST),
    (1.1 * LONGEST, 1.0, 1.1 * LONGEST)])
def test_a_job_gives_way_to_a_long_turn_and_not_for_ever(age: float, ends: float, goes_on: float,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    turn = Turn()
    clock = Clock(turn, ends)
    monkeypatch.setattr("kernelplay.turn.time", clock)
    turn.give_way()
    assert clock.now == 0.0, "there is no turn"
    turn.begin()
    clock.now = age
    turn.give_way()
    assert clock.now == pytest.approx(goes_on, abs=0.0021)


def test_a_turn_begins_once_and_a_new_one_is_not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = Turn()
    clock = Clock(turn)
    monkeypatch.setattr("kernelplay.turn.time", clock)
    turn.begin()
    clock.now = 1.1 * LONG
    turn.begin()
    assert turn.began == 0.0
    turn.end()
    turn.begin()
    turn.give_way()
    assert clock.now == turn.began == 1.1 * LONG
