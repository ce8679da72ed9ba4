"""Thousands of random things done to a real window: nothing may break, warn, be forgotten, or stand still.

    python tests/bench/storm.py [--actions 10000] [--runs 3] [--seed 0] [--rest 500] [--again NAME:SEED ...]

Each run is a process of its own: a window without a display, and the person of `tests/ui/storm.py`. Checked are, after
every action, what holds at any moment; after every `rest` actions, all that is shown against a picture made from
nothing, and the scene against what comes back from a file and from a line of text; at the end, the way back to the
first step and forth again. An exception that nobody caught, an error in the log or a warning of Qt is a failure.

A heart that beats in the event loop and after every event tells how long the window stood still: the places where that
was longest are listed with what was done, the share in them of the GUI thread and of all threads. One over 100 ms fails
the run if our threads worked for most of it; else the machine was busy elsewhere.

What was made and not let go is found by counting Qt objects and values of kernelplay by type, each time in a window
tidied up as at the start: when everything has been made that is made once, after a tenth of the actions, and at the
end. `--again` does a list of actions alone.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import faulthandler
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ui"))

from kernelplay.history import BYTES, LIMIT, History

SPARE = 12  # objects of a type more than before that are no leak: what is held for the picture that is shown
MOST = 25  # failures after which a run ends
LIST = 10


def one_run(seed: int, actions: int, rest: int, again: list[str]) -> int:
    """Do one run, print what was found, and return how many failures there were."""
    from PySide6.QtCore import QSettings, QStandardPaths

    from kernelplay.ui.ahead import Ahead
    from kernelplay.ui.app import Garbage, Precedence, application
    from kernelplay.ui.desk import Desk

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "home"
        folder.mkdir()
        QStandardPaths.setTestModeEnabled(True)
        application(["kernelplay"])
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(Path(name) / "settings"))
        import storm  # noqa: F401  what a storm needs is there before the application, and no part of its garbage
        from weather import House, Witness, at_home_in

        from kernelplay.examples import examples

        with at_home_in(folder), Witness() as witness:
            desk = Desk(folder / "unsaved")
            guards = (Garbage(desk), Precedence(), Ahead())  # as in the application: before the first window
            house = House(folder, random.Random(seed).choice(examples()).scene(), desk)
            failures = _storm(house, witness, seed, actions, rest, again)
            house.clear()
            for guard in guards:
                guard.restore()
    return failures


def _storm(house: object, witness: object, seed: int, actions: int, rest: int, again: list[str]) -> int:
    from storm import Storm
    from weather import STALL, Stall, census

    storm = Storm(house, witness, seed)  # type: ignore[arg-type]
    failures: Counter[str] = Counter()
    slowest = 0.0

    def attempt(what: str, do: object, *given: object) -> None:
        try:
            do(*given)  # type: ignore[operator]
        except (AssertionError, RuntimeError) as error:
            lines = str(error).strip().splitlines() or traceback.format_exc().strip().splitlines()[-3:]
            if lines[-1] not in failures:
                print(f"  FAILED at {len(storm.did)} ({what}):", *traceback.format_exc().splitlines()[-14:],
                      sep="\n    ", flush=True)
            failures[lines[-1]] += 1

    deeds = storm.deeds()
    chosen = [tuple(each.rsplit(":", 1)) for each in again] or [
        (storm.master.choices(list(deeds), list(deeds.values()))[0], str(storm.master.randrange(1 << 30)))
        for _ in range(actions)]
    warm: Counter[str] = Counter()
    storm.heart.skip()
    if not again:
        attempt("once", storm.once)
        storm.tidy()
    begin = time.monotonic()
    for step, (name, number) in enumerate(chosen, 1):
        attempt(f"{name}:{number}", storm.act, name, int(number))
        if _too_large(storm.store.history):
            failures["the history is larger than it may be"] += 1
        if step % rest == 0:
            before = time.monotonic()
            attempt("look", storm.look)
            slowest = max(slowest, time.monotonic() - before)
        if step == len(chosen) // 10 and not again:
            attempt("back and forth", storm.back_and_forth)
            storm.tidy()
            warm = census()
            storm.heart.skip()
        if failures.total() >= MOST:
            break
    attempt("look", storm.look)
    attempt("back and forth", storm.back_and_forth)
    storm.tidy()
    grown = {kind: (warm[kind], n) for kind, n in sorted(census().items()) if n > warm[kind] + SPARE} if warm else {}
    stalls = sorted(storm.heart.stalls, key=lambda stall: -stall.wall)
    storm.stop()
    long = [stall for stall in stalls if stall.wall > STALL and stall.ours]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"seed {seed}: {len(storm.did)} actions in {time.monotonic() - begin:.0f} s, {failures.total()} failures, "
          f"{len(long)} stalls of ours over 100 ms, {len(grown)} types grown, {memory:.0f} MB at most")
    places: dict[tuple[str, ...], list[Stall]] = {}
    for stall in stalls:
        places.setdefault(stall.where[:1] if stall.where else (stall.deed.partition(":")[0],), []).append(stall)
    for there in list(places.values())[:LIST]:
        worst = there[0]
        print(f"  still {len(there)} times, at most {1000 * worst.wall:.0f} ms (GUI thread {1000 * worst.own:.0f}, all "
              f"threads {1000 * worst.all_:.0f}): {worst.deed}: {' > '.join(worst.where)}")
    for line, n in failures.most_common():
        print(f"  {n} times: {line}")
    for kind, (was, now) in grown.items():
        print(f"  {kind}: {was}, then {now}")
    return failures.total() + len(long) + len(grown)


def _too_large(history: History) -> bool:
    return len(history.steps) > LIMIT or sum(each.size for each in history.steps[1:]) > BYTES


def main() -> int:
    """Do the runs, each in a process of its own; return how many were not clean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rest", type=int, default=500)
    parser.add_argument("--again", nargs="*", default=[], metavar="NAME:SEED")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one or asked.again:
        faulthandler.enable()
        return min(1, one_run(asked.seed, asked.actions, asked.rest, asked.again))
    unclean = 0
    for seed in range(asked.seed, asked.seed + asked.runs):
        done = subprocess.run([sys.executable, __file__, "--one", "--seed", str(seed), "--actions", str(asked.actions),
                               "--rest", str(asked.rest)], check=False)
        unclean += done.returncode != 0
    print(f"{asked.runs} runs of {asked.actions} actions, {unclean} not clean")
    return unclean


if __name__ == "__main__":
    sys.exit(main())
