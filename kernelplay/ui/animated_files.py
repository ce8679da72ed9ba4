"""Animated GIF and APNG, written picture by picture; the only door to Pillow, which is imported when one is written.

Pillow encodes each picture; the file around them is made here, because its own writers hold every picture of an
animation until the last one has come: 200 of 1920 x 1080 are 1.7 GB. Formats: GIF89a (CompuServe, 1990) with the loop
block of Netscape 2.0; PNG third edition (W3C, 2025), chunks acTL, fcTL, fdAT.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # (height, width, 3), or 4 with opacity

TICKS = 100  # of a second: the clock of a GIF
FASTEST = 2  # ticks: viewers slow down what is faster to a tenth of a second
COLOURS = 255  # of a palette; its last place stays empty
COMMON = 0.97  # of the pixels, paper and fields: theirs come first, since a step in an even ground is seen
FIRST = 176  # places of a palette for them; the edges of letters and lines share the rest
RADII = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 48, 64, 96, 128, 255)
_NONE = 255


def gif_delay(fps: float) -> int:
    """Return the delay between the pictures of a GIF for `fps` pictures a second, in hundredths of a second."""
    return max(FASTEST, round(TICKS / fps))


@dataclass(frozen=True, eq=False)
class Palette:
    """The colours (k, 3) of all pictures of a GIF; `radius`: how far 97 % of the pixels are from theirs at most, of 255
    steps of a channel. One palette for all, and every colour has one place in it whatever stands around it: nothing
    flickers, and nothing crawls as dithered dots do."""

    colours: NDArray[np.uint8]
    radius: int
    _places: NDArray[np.uint8] = field(default_factory=lambda: np.full(1 << 24, _NONE, np.uint8))

    @classmethod
    def of(cls, pictures: Iterable[Pixels], inks: Iterable[tuple[int, int, int]] = ()) -> Palette:
        """Return the palette for what `pictures` show; `inks` are in it whether or not they were among them."""
        seen, counts = np.zeros(0, np.uint32), np.zeros(0, np.int64)
        for picture in pictures:
            new, times = np.unique(_codes(picture), return_counts=True)
            seen, place = np.unique(np.concatenate([seen, new]), return_inverse=True)
            counts = np.bincount(place, np.concatenate([counts, times]), len(seen)).astype(np.int64)
        order = np.argsort(-counts, kind="stable")
        colours, counts = _channels(seen[order]), counts[order]
        forced = np.array(sorted(set(inks)), np.int16).reshape(-1, 3)[:COLOURS // 2]
        share = np.cumsum(counts) / max(1, counts.sum())
        often = colours[: int(np.searchsorted(share, COMMON)) + 1]
        first, radius = _covering(often, forced, FIRST)
        chosen, _ = _covering(colours, first, COLOURS)
        return cls(chosen.astype(np.uint8), radius)

    def places(self, picture: Pixels) -> NDArray[np.uint8]:
        """Return the place (height, width) in the palette of each pixel: that of the nearest colour."""
        codes = _codes(picture)
        found = self._places[codes]
        if (found == _NONE).any():
            new = np.unique(codes[found == _NONE])
            for part in np.array_split(new, len(new) // 4096 + 1):
                apart = _channels(part)[:, None, :].astype(np.int32) - self.colours[None].astype(np.int32)
                self._places[part] = (apart * apart).sum(axis=2).argmin(axis=1)
            found = self._places[codes]
        return found


def _codes(picture: Pixels) -> NDArray[np.uint32]:
    wide = picture.astype(np.uint32)
    return np.asarray((wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2], np.uint32)


def _channels(codes: NDArray[np.uint32]) -> NDArray[np.int16]:
    return np.column_stack([codes >> 16, (codes >> 8) & 255, codes & 255]).astype(np.int16)


def _apart(colours: NDArray[np.int16], chosen: NDArray[np.int16], radius: int) -> NDArray[np.int16]:
    """Return those of `colours` that are further than `radius` from all of `chosen`."""
    for colour in chosen:
        colours = colours[np.abs(colours - colour).max(axis=1) > radius]
    return colours


def _covering(colours: NDArray[np.int16], given: NDArray[np.int16], most: int) -> tuple[NDArray[np.int16], int]:
    """Return `given` and the most frequent of `colours`, in all at most `most`, and how far any of `colours` is from
    the nearest of them: the least of RADII for which that many suffice."""
    for radius in RADII:
        chosen, left = list(given), _apart(colours, given, radius)
        while len(left) and len(chosen) < most:
            chosen.append(left[0])
            left = left[np.abs(left - left[0]).max(axis=1) > radius]
        if not len(left):
            break
    return np.array(chosen, np.int16).reshape(-1, 3), radius


def gif(pictures: Iterable[Pixels], palette: Palette, delay: int, loops: int = 0) -> bytes:
    """Return an animated GIF. delay: in hundredths of a second; loops: how often it is played, 0 for ever."""
    from PIL import GifImagePlugin, Image

    out = BytesIO()
    table = np.zeros((256, 3), np.uint8)
    table[: len(palette.colours)] = palette.colours
    before: NDArray[np.uint8] | None = None
    for picture in pictures:
        now = palette.places(picture)
        if before is None:
            height, width = now.shape
            out.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + table.tobytes())
            if loops != 1:
                out.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", max(0, loops - 1)) + b"\x00")
        left, top, right, bottom = _changed(before, now)
        part = Image.fromarray(np.ascontiguousarray(now[top:bottom, left:right]))
        part.putpalette(table.tobytes())
        # without a palette of its own, and with its delay in milliseconds
        out.write(b"".join(GifImagePlugin.getdata(part, (left, top), duration=1000 * delay // TICKS)))
        before = now
    out.write(b";")
    return out.getvalue()


def apng(pictures: Iterable[Pixels], count: int, fps: Fraction, loops: int = 0) -> bytes:
    """Return an animated PNG of `count` pictures, in full colour. loops: how often it is played, 0 for ever."""
    out = BytesIO()
    delay = (1 / fps).limit_denominator(65_535)
    number = 0
    before: Pixels | None = None
    for picture in pictures:
        left, top, right, bottom = _changed(before, picture)
        part = png(picture[top:bottom, left:right])
        if before is None:
            out.write(part[:8] + _chunk(b"IHDR", next(_data(part, b"IHDR"))))
            out.write(_chunk(b"acTL", struct.pack(">II", count, loops)))
        # 0, 0: the next picture is drawn over this one, and this one replaces what lies under it
        out.write(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, right - left, bottom - top, left, top,
                                              delay.numerator, delay.denominator, 0, 0)))
        number += 1
        for data in _data(part, b"IDAT"):
            if before is None:
                out.write(_chunk(b"IDAT", data))
            else:
                out.write(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
        before = picture
    out.write(_chunk(b"IEND", b""))
    return out.getvalue()


def png(picture: Pixels, dpi: float = 0.0) -> bytes:
    """Return one picture as PNG."""
    from PIL import Image

    out = BytesIO()
    image = Image.fromarray(np.ascontiguousarray(picture))
    if dpi:
        image.save(out, "PNG", dpi=(dpi, dpi))
    else:
        image.save(out, "PNG")
    return out.getvalue()


def _changed(before: NDArray[np.uint8] | None, now: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Return the rectangle (left, top, right, bottom) outside of which nothing has changed: at least one pixel."""
    if before is None:
        return 0, 0, now.shape[1], now.shape[0]
    differs = before != now
    if differs.ndim == 3:
        differs = differs.any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _data(source: bytes, kind: bytes) -> Iterator[bytes]:
    """Give the data of all chunks of one kind of a PNG."""
    place = 8
    while place < len(source):
        length, found = struct.unpack(">I4s", source[place: place + 8])
        if found == kind:
            yield source[place + 8: place + 8 + length]
        place += 12 + length
