"""Damaged files against every reader: `python tests/bench/fuzz.py [--n 100000] [--seed 1] [--only KIND ...]`.

Sound session files, tables, LIBSVM texts and link lines are mutated, byte by byte and in their structure, and read.
Allowed is a value that the program can go on with, or one plain sentence (FileError). Counted as faults are any other
exception, an input that takes longer than a second, and memory that grows with the number of inputs. Ends with status 1
after a fault, and prints the seed of each, from which `mutant(kind, seed)` makes the same input again.
"""

from __future__ import annotations

import argparse
import copy
import gc
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kernelplay import link, session, tables
from kernelplay.assets import asset
from kernelplay.errors import FileError
from kernelplay.scene import Scene

SLOW = 1.0  # seconds that one input may take
GROWTH = 64.0  # megabytes between the first tenth of the inputs and the last: what the allocator moves by itself
CASES = Path(__file__).parent.parent / "cases"
NUMBERS = ("nan", "inf", "-inf", "1e400", "1e308", "-1e-320", "0", "-0", "1,5", "1.234.567,8", "0x10", "1_000", "٣",
           "１", "1e", "+", "−3", "3" * 400, "1e999999999", "true", "null", "")
CELLS = (*NUMBERS, "a", "setosa", '"', '""', '"a;b"', "a,b", "#", "sep=;", "\ufeff", "\u2028", "\x00", " ", "\t",
         "x" * 3000)
WILD: tuple[Any, ...] = (None, True, False, -1, 0, 1, 10**40, 1e308, -1e308, 5e-324, "", "x", "rbf", "svm", "\ud800",
                         "\x00", "9" * 5000, [], {}, [[]], [None], {"name": "rbf"}, {"name": "svm", "C": 0},
                         [1] * 300)
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32")
WORDS = (b"NaN", b"Infinity", b"-Infinity", b"\xff\xfe", b"\xef\xbb\xbf", b"\x00", b"\xc3", b"\xed\xa0\x80",
         b"[" * 2000, b'{"a":' * 500, b'"', b",", b";", b"\t", b"\r", b"\n", b"\r\n", b":", b"1:1", b"-", b"e",
         b"9" * 400)


@cache
def sound(kind: str) -> tuple[bytes, ...]:
    """Return sound inputs of a kind."""
    scenes = sorted(asset("scenes").glob("*.kplay"))
    rng = np.random.default_rng(0)
    if kind == "session":
        return tuple(path.read_bytes() for path in scenes)
    if kind == "link":
        return tuple(link.text(session.load(path)).encode() for path in scenes)
    if kind == "libsvm":
        made = []
        for labels in ((1, -1), (0, 1, 2), (0.25, -3.5, 1e-3)):
            lines = [f"{labels[i % len(labels)]} 1:{rng.normal():.4g} 2:{rng.normal():.4g}" for i in range(12)]
            made.append("\n".join(lines).encode() + b"\n")
        return tuple(made)
    tables_ = [path.read_bytes() for path in sorted(CASES.glob("*.csv")) if path.stat().st_size < 20_000]
    for delimiter, decimal in ((",", "."), (";", ","), ("\t", "."), (" ", ".")):
        rows = [delimiter.join(f"{value:.5g}".replace(".", decimal) for value in (*rng.normal(size=2), i % 2))
                for i in range(15)]
        tables_.append(("\n".join(["a" + delimiter + "b" + delimiter + "label", *rows]) + "\n").encode())
    return tuple(tables_)


def mutant(kind: str, seed: int) -> bytes:
    """Return the damaged input that `seed` makes."""
    dice = random.Random(f"{kind} {seed}")
    content = dice.choice(sound(kind))
    if kind == "session" and dice.random() < 0.6:
        content = _restructured(dice, content)
    if kind in ("table", "libsvm") and dice.random() < 0.6:
        content = _other_cells(dice, content)
    for _ in range(dice.choice((0, 1, 1, 2, 3, 8, 40))):
        content = _other_bytes(dice, content)
    return content


def _restructured(dice: random.Random, content: bytes) -> bytes:
    """Replace, remove, repeat or rename nodes of the JSON."""
    data = json.loads(content)
    for _ in range(dice.choice((1, 1, 2, 4))):
        places: list[tuple[Any, Any]] = []
        level: list[Any] = [data]
        while level:
            node = level.pop()
            items = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
            # one branch of many alike is enough to be wrong in
            for key, value in dice.sample(items, min(len(items), 12)):
                places.append((node, key))
                if isinstance(value, (dict, list)):
                    level.append(value)
        if not places:
            break
        node, key = dice.choice(places)
        deed = dice.randrange(5)
        if deed == 0 and isinstance(node, dict):
            node[dice.choice(("nonsense", "name", "format", "version", str(key) + "x"))] = node.pop(key)
        elif deed == 1:
            del node[key]
        elif deed == 2 and isinstance(node, list):
            node.extend([node[key]] * dice.choice((1, 3, 200)))
        elif deed == 3 and isinstance(node[key], (int, float)) and not isinstance(node[key], bool):
            node[key] = node[key] * dice.choice((-1, 0, 1e6, 1e-9, 1e200)) if abs(node[key]) < 1e100 else 0
        else:
            node[key] = copy.deepcopy(dice.choice(WILD))
    return json.dumps(data).encode("utf-8", "surrogatepass")


def _other_cells(dice: random.Random, content: bytes) -> bytes:
    """Put other texts into cells, drop and repeat rows and cells."""
    delimiter = max((b",", b";", b"\t", b" "), key=content.count)
    rows = [row.split(delimiter) for row in content.split(b"\n")]
    for _ in range(dice.choice((1, 2, 5, 30))):
        row = dice.choice(rows)
        deed = dice.randrange(6)
        if deed == 0:
            row.append(dice.choice(CELLS).encode("utf-8", "surrogatepass"))
        elif deed == 1 and len(row) > 1:
            row.pop(dice.randrange(len(row)))
        elif deed == 2:
            rows.insert(dice.randrange(len(rows)), list(row))
        elif deed == 3 and len(rows) > 1:
            rows.remove(row)
        else:
            row[dice.randrange(len(row))] = dice.choice(CELLS).encode("utf-8", "surrogatepass")
        if not rows:
            break
    text = b"\n".join(delimiter.join(row) for row in rows)
    if dice.random() < 0.15:
        text = text.decode("utf-8", "replace").encode(dice.choice(ENCODINGS))
    return text


def _other_bytes(dice: random.Random, content: bytes) -> bytes:
    """Cut, insert, overwrite, double or swap some bytes."""
    at = dice.randrange(len(content) + 1)
    end = min(len(content), at + dice.choice((1, 2, 5, 30, 400)))
    deed = dice.randrange(7)
    if deed == 0:
        return content[:at]
    if deed == 1:
        return content[:at] + content[end:]
    if deed == 2:
        return content[:at] + bytes([dice.randrange(256)]) + content[at + 1:]
    if deed == 3:
        return content[:at] + dice.choice(WORDS) + content[at:]
    if deed == 4:
        return content[:end] + content[at:end] * dice.choice((1, 20)) + content[end:]
    if deed == 5 and at < len(content):
        return content[:at] + bytes([content[at] ^ (1 << dice.randrange(8))]) + content[at + 1:]
    other = dice.randrange(len(content) + 1)
    return content[:at] + content[other:other + 40] + content[at:]


def read(kind: str, content: bytes) -> str:
    """Read a damaged input as the program does; return what became of it ("read" or "refused"). Raises on a fault."""
    try:
        if kind == "session":
            scene = session.parse(content, "file.kplay")
        elif kind == "link":
            scene = link.scene(content.decode("utf-8", "replace"))
        else:
            scene = tables.parse(content, "file.csv").to_scene(Scene())
            xy = scene.points.xy
            assert np.isfinite(xy).all(), "a number that is none came in"
            if (np.abs(xy) > session.LARGEST).any():
                return "read"  # refused where it is imported: too far out to be drawn
    except FileError as error:
        sentence = str(error)
        assert sentence.strip() and "\x00" not in sentence, "no sentence"
        sentence.encode("utf-8")
        return "refused"
    again = session.parse(session.dump(scene).encode(), "again.kplay")
    assert again.digest == scene.digest, "saved and opened it is another scene"
    return "read"


def memory() -> float:
    """Return the megabytes that the process holds; 0 where the system does not say."""
    try:
        return float(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


KINDS = ("session", "table", "libsvm", "link")


def run(n: int, seed: int, kinds: tuple[str, ...] = KINDS, say: Callable[[str], None] = print) -> int:
    """Read n damaged inputs; return the number of faults."""
    faults, slowest, first, outcomes = 0, (0.0, "", 0), 0.0, Counter[str]()
    began = time.perf_counter()
    for number in range(n):
        kind = kinds[number % len(kinds)]
        content = mutant(kind, seed + number)
        start = time.perf_counter()
        try:
            outcome = read(kind, content)
        except Exception:
            outcome = "fault"
            say(f"fault: mutant({kind!r}, {seed + number})\n{traceback.format_exc(limit=-4)}")
        took = time.perf_counter() - start
        if took > SLOW:
            outcome = "fault"
            say(f"slow: mutant({kind!r}, {seed + number}) took {took:.2f} s")
        faults += outcome == "fault"
        outcomes[f"{kind} {outcome}"] += 1
        slowest = max(slowest, (took, kind, seed + number))
        if number == n // 10:
            gc.collect()
            first = memory()
    gc.collect()
    grown = memory() - first
    say(f"{n} inputs in {time.perf_counter() - began:.0f} s: "
        + ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    say(f"slowest {1e3 * slowest[0]:.0f} ms: mutant({slowest[1]!r}, {slowest[2]}); memory grew by {grown:.1f} MB")
    if n >= 1000 and grown > GROWTH:
        faults += 1
        say("fault: memory grows with the number of inputs")
    return faults


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=KINDS, default=list(KINDS))
    args = parser.parse_args()
    return 1 if run(args.n, args.seed, tuple(args.only)) else 0


if __name__ == "__main__":
    sys.exit(main())
