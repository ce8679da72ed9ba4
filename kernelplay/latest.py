"""Latest: one worker thread, one waiting slot; the newest request wins and results never go backwards."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from kernelplay.errors import Cancelled
from kernelplay.turn import TURN

Q = TypeVar("Q")
R = TypeVar("R")

PATIENCE = 1.0  # seconds a superseded job may go on: stopping at every slider tick would starve the screen


class Latest(Generic[Q, R]):
    """Runs `work(request, check)` on a thread of its own and hands each result to `deliver(number, result)` there.

    A request that waits is replaced by a newer one. A running job is stopped, by `check` raising Cancelled, only when
    it is superseded and older than PATIENCE, when the newer request says `urgent` (another kind of model), or at close.
    An exception of the work goes to `failed(number, error)`. `deliver` and `failed` are called on the worker thread.
    """

    def __init__(self, work: Callable[[Q, Callable[[], None]], R], deliver: Callable[[int, R], None],
                 failed: Callable[[int, BaseException], None]) -> None:
        self._work, self._deliver, self._failed = work, deliver, failed
        self._lock = threading.Condition()
        self._waiting: tuple[int, Q] | None = None
        self._number = 0
        self._running: tuple[int, float] | None = None
        self._stop_before = 0  # jobs with a smaller number stop at their next check
        self._closed = False
        self._thread = threading.Thread(target=self._loop, name="kernelplay-latest", daemon=True)
        self._thread.start()

    def submit(self, request: Q, urgent: bool = False) -> int:
        """Put `request` into the waiting slot and return its number; never blocks."""
        with self._lock:
            if self._closed:
                return self._number
            self._number += 1
            self._waiting = (self._number, request)
            if urgent:
                self._stop_before = self._number
            self._lock.notify_all()
            return self._number

    @property
    def idle(self) -> bool:
        """Whether nothing runs and nothing waits."""
        with self._lock:
            return self._waiting is None and self._running is None

    def close(self) -> None:
        """Stop what runs, drop what waits, and wait for the thread to end."""
        with self._lock:
            self._closed = True
            self._waiting = None
            self._lock.notify_all()
        TURN.end()  # who waits here for the job to end must not be waited for by it
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _check(self) -> None:
        TURN.give_way()
        # read without the lock: each is one reference, and a late answer only means one check later
        running, waiting = self._running, self._waiting
        if self._closed:
            raise Cancelled
        if running is not None and (running[0] < self._stop_before
                                    or (waiting is not None and time.monotonic() - running[1] > PATIENCE)):
            raise Cancelled

    def _loop(self) -> None:
        while True:
            with self._lock:
                while self._waiting is None and not self._closed:
                    self._lock.wait()
                if self._closed or self._waiting is None:
                    return
                number, request = self._waiting
                self._waiting = None
                self._running = (number, time.monotonic())
            self._do(number, request)
            del request  # while the next one is waited for, nothing is held of this one
            with self._lock:
                self._running = None
                self._lock.notify_all()

    def _do(self, number: int, request: Q) -> None:
        try:
            result = self._work(request, self._check)
        except Cancelled:
            pass
        except BaseException as error:  # whatever it is, it must become a sentence on the screen
            if not self._closed:
                self._failed(number, error)
        else:
            if not self._closed:
                self._deliver(number, result)
