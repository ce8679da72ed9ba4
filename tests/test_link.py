"""Scenes as one line of text: exact, short, and never believed when something is wrong with it."""

from __future__ import annotations

import base64
import json
import string
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import link, session
from kernelplay.errors import FileError
from kernelplay.examples import Example, examples
from kernelplay.scene import Points, Scene
from kernelplay.scene_reader import MOST_POINTS, VERSION

MOONS = next(example for example in examples() if example.key == "moons").scene()
LINE = link.text(MOONS)
ALPHABET = string.ascii_letters + string.digits + "-_"
finite = st.floats(-1e100, 1e100)


def same(one: Scene, other: Scene) -> bool:
    """Whether two scenes are equal in everything, bit by bit."""
    return one.digest == other.digest and one.views == other.views and session.dump(one) == session.dump(other)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.key)
def test_every_example_comes_back_from_one_short_line(example: Example) -> None:
    scene = example.scene()
    line = link.text(scene)
    assert same(link.scene(line), scene)
    assert line.startswith("kernelplay:1") and set(line.removeprefix("kernelplay:")) <= set(ALPHABET)
    plain = json.dumps(scene.to_dict(), ensure_ascii=False, separators=(",", ":")).encode()
    assert len(line) < 0.75 * len(base64.b64encode(zlib.compress(plain, 9))), "what anybody would do first is longer"


def test_two_moons_of_80_points_fit_into_a_chat() -> None:
    assert len(LINE) <= 550
    assert len(link.text(Scene())) < 60


coordinates = st.one_of(finite, st.floats(-(2.0**99), 2.0**99, width=32), st.sampled_from([0.0, -0.0]),
                        st.integers(-10**9, 10**9).map(lambda n: n / 1000), st.integers(-50, 50).map(float))


@given(st.lists(st.tuples(coordinates, coordinates, st.integers(0, 7), st.booleans()), max_size=10),
       st.lists(st.tuples(coordinates, coordinates), max_size=4), st.permutations(range(8)),
       st.lists(st.text(max_size=12), min_size=8, max_size=8), st.sampled_from(["svm", "gpr", "perceptron"]))
@settings(max_examples=80, deadline=None)
def test_any_scene_comes_back_bit_by_bit(rows: list[tuple[float, float, int, bool]], curve: list[tuple[float, float]],
                                         looks: list[int], names: list[str], model: str) -> None:
    points = Points([row[:2] for row in rows], [row[2] for row in rows], [row[3] for row in rows],
                    (names[0], names[1]))
    scene = Scene(classification=points, regression=Points(curve, names=("x", "β")), classes=tuple(names),
                  looks=tuple(looks), title=names[2]).with_view((-1.0, 1 / 3, -1e100, 1e-300)).with_model(model)
    assert same(link.scene(link.text(scene)), scene)


@pytest.mark.parametrize("values", [
    [0.0], [0.0, -0.0], [-0.0, -0.0], [7.0, 7.0], [0.1 + 0.2, 0.3], [1e-300, 5e-324], [1e100, -1e100], [2.0**53, 1.0],
    [2.0**53 - 1, -(2.0**53 - 1)], [1.5, 2.0**-20], [float(np.float32(0.1)), 3.0], [1e15 + 0.3, 0.7], [4e22, 0.001],
    [123456.789, -0.001], [1e-15, 1.0], [1958.2 + k / 12 for k in range(60)], [k / 8 for k in range(60)],
    [-0.0, *(k / 1000 for k in range(1, 90))], [(-1) ** k * (2.0**53 - 1 - k) for k in range(60)],
    [round(1900 + 0.083 * k, 3) for k in range(90)]])
def test_a_column_is_written_in_a_way_that_gives_back_the_same_bits(values: list[float]) -> None:
    column = np.array(values)
    way, packed = link._column(column)
    assert np.array(link._Bits(packed).column(way, len(values))).tobytes() == column.tobytes()


def test_what_comes_with_mail_does_not_matter() -> None:
    broken = "\n  " + "\r\n".join(LINE[at:at + 70] for at in range(0, len(LINE), 70)) + " \n"
    assert link.is_link(broken) and same(link.scene(broken), MOONS)


def test_a_line_cut_off_at_any_letter_is_said_to_be_incomplete() -> None:
    for end in range(len("kernelplay:"), len(LINE)):
        with pytest.raises(FileError, match="is incomplete: copy all of it"):
            link.scene(LINE[:end])


def test_a_line_with_any_letter_changed_is_refused() -> None:
    """The length comes first: with another one the end looks missing; every other letter is under the checksum."""
    rng = np.random.default_rng(0)
    for at in range(len("kernelplay:1"), len(LINE)):
        other = rng.choice([letter for letter in ALPHABET if letter != LINE[at]])
        with pytest.raises(FileError, match=r"is damaged|is incomplete"):
            link.scene(LINE[:at] + str(other) + LINE[at + 1:])
    for wrong in (LINE + "A", LINE + "AAAA", LINE[:40] + LINE[41:], LINE[:40] + "." + LINE[41:], "kernelplay:x"):
        with pytest.raises(FileError, match=r"is damaged|is incomplete"):
            link.scene(wrong)


@pytest.mark.parametrize(("line", "words"), [
    ("", "is not a scene"), ("hello", "starts with kernelplay:"), ("Kernelplay:1", "starts with kernelplay:"),
    ("kernelplay:", "is incomplete"), ("kernelplay:1", "is incomplete"), ("kernelplay:1A", "is incomplete"),
    ("kernelplay:9" + LINE[12:], "newer version of kernelplay .version 9; this one reads 1"),
    ("kernelplay:2", "newer version"), ("kernelplay:1" + "A" * 9_000_000, "too long"),
    ("kernelplay:1" + "\ud800", "is damaged"), ("kernelplay:1" + "é" * 40, "is damaged"),
])
def test_what_is_no_line_of_ours_is_said(line: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        link.scene(line)


def forged(data: bytes, behind: bytes = b"") -> str:
    """Return a line with length and checksum right, as somebody would make it who knows how."""
    press = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, link._DICTIONARY)
    body = press.compress(data) + press.flush() + behind
    whole = link._varint(len(body)) + zlib.crc32(body).to_bytes(4, "big") + body
    return "kernelplay:1" + base64.urlsafe_b64encode(whole).decode().rstrip("=")


def plain(**changes: Any) -> bytes:
    data = {"version": VERSION} | Scene().to_dict() | {
        "classification": {"names": ["a", "b"], "class": "01", "x": [0, 0, 1], "y": [0, 5, 0]},
        "regression": {"names": ["x", "t"]}}
    return json.dumps(data | changes).encode()


def points(**changes: Any) -> bytes:
    return plain(classification={"names": ["a", "b"], "class": "01", "x": [0, 0, 1], "y": [0, 5, 0]} | changes)


def test_a_line_made_by_hand_is_read_as_it_says() -> None:
    scene = link.scene(forged(plain(), b"\x40"))
    assert scene.points.xy.tolist() == [[0.0, 5.0], [1.0, 5.0]] and scene.points.cls.tolist() == [0, 1]


@pytest.mark.parametrize(("data", "words"), [
    (b"", "is damaged"), (b"[]", "is damaged"), (b"{", "damaged"), (b"{}", "damaged"),
    (b'{"version":2}', "is damaged"),
    (b'{"a":' * 2000, "nested too deeply"), (b'{"title":"' + b"x" * 10_000_000 + b'"}', "is damaged"),
    (plain(version=VERSION + 1), "newer version"), (plain(version=0), "version"), (plain(title=7), "title"),
    (plain(model={"name": "nothing"}), "no model named nothing"), (plain(other=1), "other"),
    (plain(classification=[]), "is damaged"), (points(**{"class": 7}), "is damaged"),
    (points(**{"class": "0x"}), "is damaged"), (points(**{"class": "09"}), "is damaged"),
    (points(**{"class": "07"}), "from 0 to 1"), (points(**{"class": "0" * (MOST_POINTS + 1)}), "is damaged"),
    (points(off="1"), "is damaged"), (points(off=[0]), "is damaged"), (points(x=None), "is damaged"),
    (points(x=[0, 0]), "is damaged"), (points(x=[0, 0, 60]), "is damaged"), (points(x=[99, 0, 1]), "is damaged"),
    (points(x=[0, 2**60, 1]), "is damaged"), (points(x=[0, 0, 1, 2]), "is damaged"),
    (points(x=[0.0, 0, 1]), "is damaged"), (points(x=[64]), "is damaged"), (points(names=["a"]), "two names"),
    (points(x=[100, 0, 1]), "is damaged"), (points(x=[100, 0, 1, 2**60]), "is damaged"),
    (points(x=[100, 0, 56, 0]), "is damaged"), (points(x=[100, 0, 1, 0, 2]), "is damaged"),
    (points(x=[True, 0, 1]), "is damaged"), (points(x=[-1, 0, 1]), "is damaged"),
    (plain(regression={"names": ["x", "t"], "n": 10**9, "x": [0, 0, 0], "y": [0, 0, 0]}), "is damaged"),
    (plain(regression={"names": ["x", "t"], "n": True}), "is damaged"),
])
def test_a_forged_line_is_a_sentence(data: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words):
        link.scene(forged(data, b"\x40"))


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e101])
def test_what_is_no_coordinate_is_none_in_a_line_either(value: float) -> None:
    with pytest.raises(FileError, match=r"classification\.points\.1: its coordinates must be numbers"):
        link.scene(forged(points(x=[64]), np.array([0.0, value], ">f8").tobytes()))


def test_a_line_that_bursts_when_it_is_unpacked_is_not_unpacked() -> None:
    bomb = forged(b'{"title":"' + b"x" * 300_000_000)
    assert len(bomb) < 500_000
    with pytest.raises(FileError, match="is damaged"):
        link.scene(bomb)


def test_all_the_points_there_may_be_fit_and_more_are_refused() -> None:
    rng = np.random.default_rng(0)
    scene = Scene().with_points(Points(rng.normal(size=(MOST_POINTS, 2)), rng.integers(0, 2, MOST_POINTS)))
    line = link.text(scene)
    assert len(line) < link.MOST_LETTERS and link.scene(line).digest == scene.digest
    with pytest.raises(FileError, match="Delete 1 point before"):
        link.text(scene.with_points(scene.points.add([0.0, 0.0])))
