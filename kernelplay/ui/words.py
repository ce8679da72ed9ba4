"""Sentences on widgets: a widget remembers what it says, so that a change of language can say it again."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject

from kernelplay.i18n import Say, current


def tell(thing: QObject, setter: str, sentence: Say) -> None:
    """Call `thing.<setter>` with the sentence, now and whenever the language changes.

    What is said already is not said again: while a point is dragged most sentences stay the same.
    """
    said = thing.__dict__.setdefault("_sentences", {})
    if said.get(setter) != (sentence, current()):
        said[setter] = (sentence, current())
        text = str(sentence)
        getattr(thing, setter)(in_lines(text) if setter == "setToolTip" else text)


def in_lines(text: str) -> str:
    """Return `text` in lines that are read at a glance: a tooltip is one line however long it is. Lines are broken
    between words, and between Han, Hangul and Kana letters where there are no words; none begins with a full stop."""
    if _width(text) <= LINE + LINE // 4:
        return text
    many = -(-_width(text) // LINE)
    room = _width(text) / many + 4  # lines about as long as one another
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and _width(lines[-1] + piece.rstrip()) > room:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines).rstrip()


LINE = 52  # letters of Latin; Han, Hangul and Kana are twice as wide
_KANA = "[\u3040-\u30ff\u3400-\u9fff]"
_PIECES = re.compile(rf"\n|{_KANA}[、。」』）ー]*\s*|(?:(?!{_KANA})\S)+[、。」』）]*(?: = \S+)?\s*|\s+")


def _width(text: str) -> int:
    return len(text) + sum(letter >= "\u2e80" for letter in text)


def name(thing: QObject, sentence: Say, about: Say | None = None) -> None:
    """Give a control its accessible name, and with `about` its tooltip and accessible description."""
    tell(thing, "setAccessibleName", sentence)
    if about is not None:
        tell(thing, "setToolTip", about)
        tell(thing, "setAccessibleDescription", about)


def retranslate(root: QObject) -> None:
    """Say everything below `root` again, in the language now in use; then let who measures words measure them again."""
    things = (root, *root.findChildren(QObject))
    for thing in things:
        for setter, (sentence, _) in tuple(thing.__dict__.get("_sentences", {}).items()):
            tell(thing, setter, sentence)
    for thing in things:
        again = getattr(thing, "retranslate", None)
        if again is not None and thing is not root:
            again()
