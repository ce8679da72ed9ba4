"""Sentences on widgets: a widget remembers what it says, so that a change of language can say it again."""

from __future__ import annotations

from PySide6.QtCore import QObject

from kernelplay.i18n import Say, current


def tell(thing: QObject, setter: str, sentence: Say) -> None:
    """Call `thing.<setter>` with the sentence, now and whenever the language changes.

    What is said already is not said again: while a point is dragged most sentences stay the same.
    """
    said = thing.__dict__.setdefault("_sentences", {})
    if said.get(setter) != (sentence, current()):
        said[setter] = (sentence, current())
        getattr(thing, setter)(str(sentence))


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
