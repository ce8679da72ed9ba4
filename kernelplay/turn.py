"""Turn: the thread that answers the hand goes first; in a long turn of it, others wait at their next check."""

from __future__ import annotations

import time

LONG, LONGEST = 0.008, 0.1  # seconds of a turn between which a job gives way to it


class Turn:
    """What the thread that answers the hand does in one go, from the first thing that may take long to the end.

    Two threads that both want the interpreter take twice as long, and more. So a job lets a turn have it alone, at its
    next check, once the turn has become long; short ones go on beside it. The time is bounded, as somebody may wait for
    the job in that turn.
    """

    def __init__(self) -> None:
        self.began: float | None = None  # by `time.monotonic`

    def begin(self) -> None:
        """Something begins that may take long: the turn too, if none is on."""
        if self.began is None:
            self.began = time.monotonic()

    def end(self) -> None:
        """The turn has ended."""
        self.began = None

    def give_way(self) -> None:
        """Wait while the turn that is on is a long one."""
        began = self.began
        while began is not None and self.began == began and LONG < time.monotonic() - began < LONGEST:
            time.sleep(0.001)


TURN = Turn()
