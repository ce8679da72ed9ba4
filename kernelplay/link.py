"""A whole scene as one line of text, short enough for a chat, a mail or a link: `kernelplay:1` and base64url.

What the letters stand for, version 1: the number of bytes that follow the checksum, as a variable-length integer (seven
bits a byte, the lowest first); their CRC-32, four bytes; the plain data of the session file as JSON, with the points of
each task replaced by what describes their columns, as a raw deflate stream with the preset dictionary `_DICTIONARY`;
the columns, bit by bit.

A column of n coordinates is written in the shortest of four ways that give back exactly the same numbers: as whole
numbers of 10⁻ᵏ less the smallest of them, each in as many bits as the largest needs, `[k, smallest, bits, …]` with the
rows of negative zeros behind; so the differences from one to the next, `[100 + k, smallest, bits, first number, …]`,
which are small where points stand in a row; in single precision, `[32]`; in double precision, `[64]`. Classes and what
is switched off are one digit a point.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FileError
from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.scene_reader import FORMAT, MOST_POINTS, VERSION, Reader
from kernelplay.session import check_size

PREFIX = f"{FORMAT}:"
LINK_VERSION = 1
MOST_LETTERS = 8_000_000  # all the points there may be, of both tasks, in double precision, are 4.3 million
MOST_DATA = 4_000_000  # bytes of the plain data: what deflates well may have been made to burst
MOST_DECIMALS = 15
DIFFERENCES = 100  # and the number of decimals: what follows are differences

# part of version 1: another one makes every line that was ever copied unreadable
_DICTIONARY = (
    '"lambda_":"epsilon":"max_updates":"max_epochs":"order":"cyclic","seed":"form":"dual","bias":true,"degree":3,'
    '"coef0":1.0,{"name":"linear"}{"name":"product","of":[{"name":"poly","gamma":{"name":"sum","of":[{"name":'
    '"matern","ell":"periodic","period":"constant""rational_quadratic""field","contours","boundary","margins",'
    '"support","slack","errors","points","band","tube","mean","steps","legend""offset":{"name":"perceptron","kernel":'
    '{"name":"krr","kernel":{"name":"svr","kernel":{"name":"gpc","kernel":{"name":"gpr","kernel":{"name":"scale",'
    '"factor":1.0,"of":{"name":"rbf","gamma":1.0}},"noise_var":0.01,"band":"predictive","sigmas":2.0}'
    '"off":"000000000000","x":[3,-"y":[2,-"class":"0000000011111111"looks":[0,1,2],"title":"","views":{},'
    '"version":2,"model":{"name":"svm","kernel":{"name":"rbf","gamma":1.0},"margin":"soft","C":1.0},"shelf":[],'
    '"classes":["+1","−1"],"looks":[0,1],"classification":{"names":["x₁","x₂"],"class":"","x":[],"y":[]},'
    '"regression":{"names":["x","t"],"x":[3,-2,12],"y":[3,-1,12]},"hidden":[],"views":{"classification":['
).encode()


def is_link(text: str) -> bool:
    """Whether `text` begins as a scene in one line does."""
    return text[:1000].lstrip().startswith(PREFIX)


def text(scene: Scene) -> str:
    """Return `scene` as one line of text. Raises FileError if it has too many points."""
    check_size(scene)
    plain = dataclasses.replace(scene, classification=Points(), regression=Points()).to_dict()
    packed = b""
    for task, points in (("classification", scene.classification), ("regression", scene.regression)):
        plain[task], columns = _described(points, task == "classification")
        packed += columns
    data = json.dumps({"version": VERSION} | plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    level = 9 if len(data) < 20_000 else 6  # a twelfth more letters, in a twentieth of the time
    press = zlib.compressobj(level, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
    body = press.compress(data.encode("utf-8")) + press.flush() + packed
    whole = _varint(len(body)) + zlib.crc32(body).to_bytes(4, "big") + body
    return f"{PREFIX}{LINK_VERSION}{base64.urlsafe_b64encode(whole).decode().rstrip('=')}"


def scene(text: str) -> Scene:
    """Return the Scene in a line of text; blanks and line ends that a mail has put into it do not matter.

    Raises FileError, with what is wrong and what to do, for what is not one, not all of it, or not as it was.
    """
    if not is_link(text):
        raise FileError(say("This text is not a scene: scene text starts with {prefix}.", prefix=PREFIX))
    if len(text) > MOST_LETTERS:
        raise FileError(say("The text is too long to be a scene: it has more than {most} million characters.",
                            most=MOST_LETTERS // 1_000_000))
    version, letters = _split("".join(text.split()).removeprefix(PREFIX))
    if version > LINK_VERSION:
        raise FileError(say("The scene text was created by a newer version of kernelplay (version {version}; this one "
                            "reads {known}): update kernelplay to open it.", version=version, known=LINK_VERSION))
    body = _checked(letters)
    pull = zlib.decompressobj(-15, _DICTIONARY)
    try:
        data = pull.decompress(body, MOST_DATA)
    except zlib.error:
        raise _damaged() from None
    if not pull.eof or not data.startswith(b"{"):
        raise _damaged()
    reader = Reader(f"{PREFIX}{LINK_VERSION}…")
    plain = reader.json(b'{"format":"' + FORMAT.encode() + b'",' + data[1:])
    bits = _Bits(pull.unused_data)
    plain = {**plain, **{task: _points(plain.get(task), bits, task == "classification")
                         for task in ("classification", "regression")}}
    return reader.scene(reader.newest(plain))


def _split(line: str) -> tuple[int, str]:
    """Return the version of a line and the letters behind it."""
    match = re.match(r"[0-9]", line)
    if match is None:
        raise _cut_off() if not line else _damaged()
    return int(match[0]), line[1:]


def _checked(letters: str) -> bytes:
    """Return the bytes of the letters behind the version, without length and checksum, which must be right."""
    if re.fullmatch(r"[A-Za-z0-9_-]*", letters) is None:
        raise _damaged()
    letters = letters if len(letters) % 4 != 1 else letters[:-1]  # six bits make no byte: the end was cut off
    try:
        whole = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    except binascii.Error:
        raise _damaged() from None
    length, at = 0, 0
    while at < len(whole) and whole[at] & 0x80 and at < 4:
        length |= (whole[at] & 0x7F) << 7 * at
        at += 1
    if at >= len(whole):
        raise _cut_off()
    length |= (whole[at] & 0x7F) << 7 * at
    body = whole[at + 5:]
    if len(body) < length:
        raise _cut_off()
    if len(body) > length or zlib.crc32(body) != int.from_bytes(whole[at + 1:at + 5], "big"):
        raise _damaged()
    return body


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _cut_off() -> FileError:
    return FileError(say("The scene text is incomplete: copy all of it, from {prefix} to "
                         "the last character.", prefix=PREFIX))


def _damaged() -> FileError:
    return FileError(say("The scene text is damaged: copy it again from where it was created."))


def _described(points: Points, with_class: bool) -> tuple[dict[str, Any], bytes]:
    """Return what stands for `points` in the plain data, and their columns, packed."""
    described: dict[str, Any] = {"names": list(points.names)}
    if with_class:
        described["class"] = _digits(points.cls)
    if not points.on.all():
        described["off"] = _digits(~points.on)
    packed = b""
    if len(points):
        for name, values in zip("xy", points.xy.T, strict=True):
            described[name], column = _column(np.ascontiguousarray(values))
            packed += column
        if not with_class:
            described["n"] = len(points)
    return described, packed


def _digits(values: NDArray[Any]) -> str:
    return (values + 48).astype(np.uint8).tobytes().decode("ascii")


def _column(values: NDArray[np.float64]) -> tuple[list[int], bytes]:
    """Return how the values (n,) are written, and the bytes."""
    exactly = values.view(np.int64)  # 0.0 and −0.0 are two numbers here
    negative_zeros = np.flatnonzero((values == 0) & np.signbit(values)).tolist()
    positive = values + 0.0
    found: tuple[list[int], bytes] = ([64], values.astype(">f8").tobytes())
    with np.errstate(over="ignore", under="ignore"):
        single = values.astype(np.float32)
        if (single.astype(np.float64).view(np.int64) == exactly).all():
            found = [32], single.astype(">f4").tobytes()
        for decimals in range(MOST_DECIMALS + 1):
            scaled = np.rint(values * 10.0**decimals)
            if np.abs(scaled).max() >= 2.0**53:
                break
            whole = scaled.astype(np.int64)
            if ((whole / 10.0**decimals).view(np.int64) == positive.view(np.int64)).all():
                steps = np.diff(whole)
                low, bits = _bits_of(whole)
                low_step, bits_step = _bits_of(steps)
                if bits_step * len(steps) + 40 < bits * len(whole):  # five letters, for the first number
                    way = [DIFFERENCES + decimals, low_step, bits_step, int(whole[0]), *negative_zeros]
                    return way, _packed((steps - low_step).astype(np.uint64), bits_step)
                if bits < found[0][0]:
                    found = [decimals, low, bits, *negative_zeros], _packed((whole - low).astype(np.uint64), bits)
                break
    return found


def _bits_of(whole: NDArray[np.int64]) -> tuple[int, int]:
    """Return the smallest of some whole numbers, and how many bits the largest needs that is left over it."""
    if not len(whole):
        return 0, 0
    low = int(whole.min())
    return low, (int(whole.max()) - low).bit_length()


def _packed(values: NDArray[np.uint64], bits: int) -> bytes:
    shifts = np.arange(bits, dtype=np.uint64)[::-1]
    return np.packbits(((values[:, None] >> shifts) & np.uint64(1)).astype(np.uint8)).tobytes()


class _Bits:
    """The bytes of the columns, read from front to back."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def column(self, way: Any, n: int) -> list[float]:
        """Return the next n values, written in `way`."""
        numbers = isinstance(way, list) and all(type(number) is int for number in way)
        if numbers and way in ([32], [64]):
            width = way[0] // 8
            return [float(value) for value in np.frombuffer(self._take(n * width), f">f{width}").tolist()]
        if not numbers or len(way) < 3:
            raise _damaged()
        decimals, low, bits, *negative_zeros = way
        first: list[int] = []
        if decimals >= DIFFERENCES and negative_zeros:
            decimals, first, negative_zeros = decimals - DIFFERENCES, negative_zeros[:1], negative_zeros[1:]
            n -= len(first)
        if not (0 <= decimals <= MOST_DECIMALS and abs(low) < 2**54 and 0 <= bits <= 55
                and all(abs(value) < 2**53 for value in first)
                and all(0 <= row < n + len(first) for row in negative_zeros)):
            raise _damaged()
        some = np.unpackbits(np.frombuffer(self._take((n * bits + 7) // 8), np.uint8), count=n * bits)
        powers = np.uint64(1) << np.arange(bits, dtype=np.uint64)[::-1]
        whole = (some.reshape(n, bits).astype(np.uint64) @ powers).astype(np.int64) + low
        if first:
            whole = np.cumsum(np.concatenate([np.array(first, np.int64), whole]))
        column = whole / 10.0**decimals
        column[negative_zeros] = -0.0
        return [float(value) for value in column.tolist()]

    def _take(self, n: int) -> bytes:
        self._at += n
        if self._at > len(self._content):
            raise _damaged()
        return self._content[self._at - n:self._at]


def _points(described: Any, bits: _Bits, with_class: bool) -> dict[str, Any]:
    """Return the plain data of the points that `described` and the next bits stand for; unknown is passed on."""
    if not isinstance(described, Mapping):
        raise _damaged()
    classes, off = described.get("class", ""), described.get("off", "")
    n = len(classes) if with_class and isinstance(classes, str) else described.get("n", 0)
    if not isinstance(classes, str) or not isinstance(off, str) or type(n) is not int or not 0 <= n <= MOST_POINTS:
        raise _damaged()
    rows: list[list[Any]] = [[] for _ in range(n)]
    if n:
        for name in "xy":
            for row, value in zip(rows, bits.column(described.get(name), n), strict=True):
                row.append(value)
    if re.fullmatch("[0-7]*", classes) is None or len(off) not in (0, n):
        raise _damaged()
    if with_class:
        for row, cls in zip(rows, classes, strict=True):
            row.append(int(cls))
    for row, switched in zip(rows, off, strict=False):
        if switched == "1":
            row.append("off")
    return {"names": described.get("names"), "points": rows}
