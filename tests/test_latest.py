"""The worker: newest wins, nothing goes backwards, errors arrive, closing waits. Paced by events, never by sleeping."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

import pytest

from kernelplay import latest, turn
from kernelplay.latest import Latest
from kernelplay.turn import TURN

LIMIT = 10.0  # seconds after which a test that hangs fails


class Desk:
    """Work that waits at a gate for each request, and a record of what came of it."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.delivered: list[tuple[int, str]] = []
        self.failed: list[tuple[int, BaseException]] = []
        self.gates: dict[str, threading.Event] = {}
        self.happened = threading.Condition()
        self.worker = Latest(self.work, self.deliver, self.fail)

    def gate(self, request: str) -> threading.Event:
        with self.happened:
            return self.gates.setdefault(request, threading.Event())

    def work(self, request: str, check: Callable[[], None]) -> str:
        with self.happened:
            self.started.append(request)
            self.happened.notify_all()
        while not self.gate(request).wait(0.001):
            check()
        check()
        if request.startswith("bad"):
            raise ZeroDivisionError(request)
        return request.upper()

    def deliver(self, number: int, result: str) -> None:
        with self.happened:
            self.delivered.append((number, result))
            self.happened.notify_all()

    def fail(self, number: int, error: BaseException) -> None:
        with self.happened:
            self.failed.append((number, error))
            self.happened.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        with self.happened:
            assert self.happened.wait_for(condition, LIMIT)


@pytest.fixture
def desk():  # type: ignore[no-untyped-def]
    desk = Desk()
    yield desk
    for gate in desk.gates.values():
        gate.set()
    desk.worker.close()
    assert not desk.worker._thread.is_alive()


def test_the_newest_waiting_request_wins_and_order_is_kept(desk: Desk) -> None:
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    for request in "bcd":
        desk.worker.submit(request)
    desk.gate("a").set()
    desk.gate("d").set()
    desk.until(lambda: len(desk.delivered) == 2)
    assert desk.delivered == [(1, "A"), (4, "D")] and desk.started == ["a", "d"]


def test_a_young_superseded_job_still_delivers(desk: Desk) -> None:
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    desk.worker.submit("b")
    desk.gate("a").set()
    desk.until(lambda: desk.delivered == [(1, "A")])


def test_an_old_superseded_job_is_stopped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest, "PATIENCE", 0.0)
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    desk.gate("b").set()
    desk.worker.submit("b")
    desk.until(lambda: desk.delivered == [(2, "B")])
    assert not desk.failed


def test_an_old_job_that_nobody_supersedes_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest, "PATIENCE", 0.0)
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    desk.gate("a").set()
    desk.until(lambda: desk.delivered == [(1, "A")])


def test_an_urgent_request_stops_the_running_one_at_once(desk: Desk) -> None:
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    desk.gate("b").set()
    desk.worker.submit("b", urgent=True)
    desk.until(lambda: desk.delivered == [(2, "B")])


def test_an_error_arrives_with_its_number_and_the_worker_goes_on(desk: Desk) -> None:
    desk.gate("bad").set()
    desk.worker.submit("bad")
    desk.until(lambda: len(desk.failed) == 1)
    assert desk.failed[0][0] == 1 and isinstance(desk.failed[0][1], ZeroDivisionError)
    desk.gate("b").set()
    desk.worker.submit("b")
    desk.until(lambda: desk.delivered == [(2, "B")])


def test_closing_stops_the_job_waits_for_it_and_delivers_nothing(desk: Desk) -> None:
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    desk.worker.submit("b")
    desk.worker.close()
    assert not desk.worker._thread.is_alive()
    assert desk.delivered == [] and desk.failed == [] and desk.started == ["a"]
    assert desk.worker.submit("c") == 2, "after closing nothing is taken"
    desk.worker.close()


def test_idle_says_when_nothing_runs_or_waits(desk: Desk) -> None:
    desk.worker.submit("a")
    desk.until(lambda: desk.started == ["a"])
    assert not desk.worker.idle
    desk.gate("a").set()
    with desk.worker._lock:
        assert desk.worker._lock.wait_for(lambda: desk.worker._running is None and desk.worker._waiting is None, LIMIT)
    assert desk.worker.idle


def test_nothing_is_held_of_a_job_that_is_done() -> None:
    class Thing:
        """Something large."""

    held: list[weakref.ref[Thing]] = []

    def work(request: Thing, check: Callable[[], None]) -> Thing:
        made = Thing()
        held.append(weakref.ref(made))
        return made

    worker = Latest[Thing, Thing](work, lambda number, result: None, lambda number, error: None)
    request = Thing()
    held.append(weakref.ref(request))
    worker.submit(request)
    del request
    with worker._lock:
        assert worker._lock.wait_for(lambda: worker._running is None and worker._waiting is None, LIMIT)
    assert [each() for each in held] == [None, None]
    worker.close()


def test_the_worker_gives_way_at_its_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()
    monkeypatch.setattr(TURN, "give_way", asked.set)
    desk = Desk()
    desk.worker.submit("a")
    assert asked.wait(LIMIT)
    desk.gate("a").set()
    desk.worker.close()


def test_closing_does_not_wait_for_a_job_that_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "LONG", -1.0)
    monkeypatch.setattr(turn, "LONGEST", 1e9)  # for ever, unless the turn ends
    desk = Desk()
    asleep = threading.Event()
    monkeypatch.setattr("kernelplay.turn.time.sleep", lambda seconds: asleep.set())
    TURN.begin()
    try:
        desk.worker.submit("a")
        assert asleep.wait(LIMIT)
        closing = threading.Thread(target=desk.worker.close, daemon=True)
        closing.start()
        closing.join(LIMIT)
        assert not closing.is_alive()
    finally:
        TURN.end()
