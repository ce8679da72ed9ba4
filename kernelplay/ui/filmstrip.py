"""A filmstrip: pictures of an animation side by side in one SVG; what they have in common is in it once."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from xml.etree import ElementTree

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from kernelplay.figures import DPI, Length
from kernelplay.i18n import LANGUAGES, say
from kernelplay.models.base import Check, nothing
from kernelplay.ui import page
from kernelplay.ui.animation import Film, Progress, Tell, silent
from kernelplay.ui.legend import Legend
from kernelplay.ui.paint import words
from kernelplay.ui.shots import EDGE
from kernelplay.ui.typefaces import SERIFS, families

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
Element = ElementTree.Element
ROW = 6  # pictures beside one another, unless it is said how many
DRAWN = {f"{{{SVG}}}{name}" for name in ("path", "rect", "polyline", "polygon", "line", "circle", "ellipse", "image",
                                         "text")}


def chosen(count: int, most: int | None) -> tuple[int, ...]:
    """Return the places of `most` of `count` pictures, evenly, the first and the last among them; None: of all."""
    if most is None or most >= count:
        return tuple(range(count))
    return tuple(np.unique(np.rint(np.linspace(0, count - 1, max(1, most))).astype(int)).tolist())


def filmstrip(made: Film, most: int | None = None, columns: int | None = None, check: Check = nothing,
              tell: Tell = silent) -> bytes:
    """Return `most` of the pictures (None: all), row by row in `columns`, as SVG 1.1. Each has the size of the figure,
    in its unit, and is clipped to it; under them is one legend for all, if the pictures have none of their own."""
    places, wide, high = grid(made, most, columns)
    width, height = page.room(made.look)
    strip = _Strip()
    panels = []
    for done, place in enumerate(places):
        tell(Progress(True, done, len(places)))
        check()
        panels.append(strip.panel(_source(width, height, partial(made.draw, place=place, vector=True))))
    legend = _legend(made, wide * width, high * height)
    if legend is not None:
        panels.append(strip.panel(_source(wide * width, high * height + legend.rect.height(), legend.draw)))
    below = 0.0 if legend is None else legend.rect.height() / height
    size = (_length(made.look.width, wide), _length(made.look.height, high + below))
    root = ElementTree.Element(f"{{{SVG}}}svg", {
        "version": "1.1", "width": size[0], "height": size[1],
        "viewBox": f"0 0 {wide * width:.6g} {(high + below) * height:.6g}",
        "role": "img", "aria-labelledby": "title desc"})
    if made.plot.language in LANGUAGES:
        root.set("{http://www.w3.org/XML/1998/namespace}lang", made.plot.language)
    first, last = (made.shots[made.order[places[k]]].caption for k in (0, -1))
    for tag, text in (("title", words(say("{first} to {last}", first=first, last=last), made.plot.language)),
                      ("desc", words(say("{n} frames, row by row.", n=len(places)), made.plot.language))):
        ElementTree.SubElement(root, f"{{{SVG}}}{tag}", {"id": tag}).text = text
    root.append(strip.definitions(panels, width, height))
    outer = ElementTree.SubElement(root, f"{{{SVG}}}g", strip.pens | {"font-family": _families(made)})
    if made.plot.theme.ground:
        ElementTree.SubElement(outer, f"{{{SVG}}}rect", {"width": f"{wide * width:.6g}", "stroke": "none",
                                                         "height": f"{(high + below) * height:.6g}",
                                                         "fill": made.plot.theme.paper})
    for place, panel in enumerate(panels[: len(places)]):
        x, y = place % wide * width, place // wide * height
        group = ElementTree.SubElement(outer, f"{{{SVG}}}g", {"transform": f"translate({x:.6g},{y:.6g})",
                                                              "clip-path": "url(#panel)"})
        group.extend(strip.used(panel))
    if legend is not None:
        outer.extend(strip.used(panels[-1]))
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    written: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return written


def grid(made: Film, most: int | None, columns: int | None) -> tuple[tuple[int, ...], int, int]:
    """Return the places of the pictures of a filmstrip, and how many columns and rows they make."""
    places = chosen(len(made.shots), most)  # the way back shows the same again
    wide = min(columns or ROW, len(places))
    return places, wide, math.ceil(len(places) / wide)


def image(made: Film, most: int | None, columns: int | None, width: int, height: int) -> QImage:
    """Return a filmstrip as an image that fits into `width` x `height` dots."""
    places, wide, high = grid(made, most, columns)
    one = page.room(made.look)
    legend = _legend(made, wide * one[0], high * one[1])
    whole = (wide * one[0], high * one[1] + (legend.rect.height() if legend is not None else 0.0))
    ratio = min(width / whole[0], height / whole[1])
    target = QImage(max(1, round(whole[0] * ratio)), max(1, round(whole[1] * ratio)),
                    QImage.Format.Format_ARGB32_Premultiplied)
    target.fill(QColor(made.plot.theme.paper) if made.plot.theme.ground else Qt.GlobalColor.transparent)
    painter = QPainter(target)
    painter.scale(ratio, ratio)
    for number, place in enumerate(places):
        painter.save()
        painter.translate(number % wide * one[0], number // wide * one[1])
        made.draw(painter, place)
        painter.restore()
    if legend is not None:
        legend.draw(painter)
    painter.end()
    return target


def _legend(made: Film, width: float, top: float) -> Legend | None:
    """Return a legend for all pictures, laid out under them; None where each has its own, or where none is wanted."""
    if made.shots[0].layers.legend or made.bare:
        return None
    legend = Legend(made.plot.theme, made.plot.language)
    legend.enter(made.shots[0].layers.marks)
    if not legend.texts:
        return None
    legend.arrange_below(width - 2 * EDGE, EDGE, top)
    return legend


def _source(width: float, height: float, draw: Callable[[QPainter], None]) -> str:
    """Return one picture as Qt writes it."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the default, Tiny 1.2, knows no clipping
    generator.setOutputDevice(buffer)
    generator.setResolution(round(DPI))
    generator.setSize(QSize(round(width), round(height)))
    generator.setViewBox(QRectF(0, 0, width, height))
    painter = QPainter(generator)
    draw(painter)
    painter.end()
    return bytes(buffer.data().data()).decode("utf-8")


class _Strip:
    """Takes the pictures apart and finds what stands in several of them."""

    def __init__(self) -> None:
        self.pens: dict[str, str] = {}  # what Qt gives to all of a picture
        self._definitions: dict[str, Element] = {}  # clips and gradients, by what they are without their names
        self._counts: Counter[str] = Counter()
        self._shared: dict[str, str] = {}  # name of what stands in several places, by what it is

    def panel(self, source: str) -> list[Element]:
        """Return the parts of one picture, in order, with names that are those of the whole strip."""
        root = ElementTree.fromstring(source)
        names = {}
        for each in root.iterfind(f"{{{SVG}}}defs/*"):
            own = each.attrib.pop("id")
            each.tail = None
            key = _text(each)
            if key not in self._definitions:
                each.set("id", f"d{len(self._definitions) + 1}")
                self._definitions[key] = each
            names[own] = self._definitions[key].get("id", "")
        outer = root.find(f"{{{SVG}}}g")
        assert outer is not None
        self.pens = dict(outer.attrib)
        parts = [each for each in outer if any(inner.tag in DRAWN for inner in each.iter())]
        for part in parts:
            for each in part.iter():
                _tidy(each, names)
            self._counts[_text(part)] += 1
        return parts

    def definitions(self, panels: Sequence[list[Element]], width: float, height: float) -> Element:
        """Return clips, gradients and everything that stands in several places."""
        found = ElementTree.Element(f"{{{SVG}}}defs")
        clip = ElementTree.SubElement(found, f"{{{SVG}}}clipPath", {"id": "panel"})
        ElementTree.SubElement(clip, f"{{{SVG}}}rect", {"width": f"{width:.6g}", "height": f"{height:.6g}"})
        found.extend(self._definitions.values())
        for part in (part for panel in panels for part in panel):
            key = _text(part)
            if self._counts[key] > 1 and key not in self._shared:
                self._shared[key] = f"s{len(self._shared) + 1}"
                named = ElementTree.SubElement(found, f"{{{SVG}}}g", {"id": self._shared[key]})
                named.append(part)
        return found

    def used(self, panel: list[Element]) -> list[Element]:
        """Return the parts of a picture, those that are defined as references."""
        return [ElementTree.Element(f"{{{SVG}}}use", {f"{{{XLINK}}}href": f"#{self._shared[key]}"})
                if (key := _text(part)) in self._shared else part for part in panel]


def _text(part: Element) -> str:
    return ElementTree.tostring(part, "unicode")


def _tidy(each: Element, names: dict[str, str]) -> None:
    """Give references their new names; leave out line breaks, fonts of what is no text, and what changes nothing."""
    written = each.tag == f"{{{SVG}}}text"
    if not written:
        each.text = None
    each.tail = None
    for key, value in list(each.attrib.items()):
        if value.startswith("url(#"):
            each.set(key, f"url(#{names[value[5:-1]]})")
        if key == "font-family" or (key.startswith("font-") and not written) or \
                (key == "transform" and re.fullmatch(r"matrix\(1,0,0,1,0,0\)", value)):
            del each.attrib[key]


def _families(made: Film) -> str:
    """Return the fonts to take and to fall back to, at last any of their sort."""
    language = made.plot.language if made.plot.language in LANGUAGES else "en"
    names = ", ".join(f"'{name}'" if " " in name else name for name in families(language, made.look.font))
    return f"{names}, {'serif' if made.look.font in SERIFS else 'sans-serif'}"


def _length(one: Length, times: float) -> str:
    """Return so many lengths as SVG writes them; pixels are its own unit."""
    return f"{times * one.value:.6g}{'' if one.unit == 'px' else one.unit}"
