"""An image that is painted between two events: whole once, dropped without a word, and a problem that is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from kernelplay.ui.turns import Strips, Turns


def strips(size: int, count: int = 3) -> Strips:
    """Paint an image of `size` dots of a side."""
    image = QImage(size, size, QImage.Format.Format_RGB32)
    for k in range(count):
        yield (k + 1) / count
    return image


def broken() -> Strips:
    yield 0.5
    raise MemoryError


@pytest.fixture
def turns(qtbot: Any) -> Iterator[tuple[Turns, list[Any], list[Any]]]:
    """A painter, the images that were whole, and what went wrong."""
    parent = QObject()
    made, images, errors = Turns(parent), [], []
    made.painted.connect(images.append)
    made.failed.connect(errors.append)
    yield made, images, errors
    parent.deleteLater()


def test_another_image_takes_the_place_of_the_first(turns: Any, qtbot: Any) -> None:
    made, images, errors = turns
    made.begin(strips(8))
    QApplication.processEvents()
    made.begin(strips(9))
    qtbot.waitUntil(lambda: not made.busy)
    assert [image.width() for image in images] == [9] and not errors
    QApplication.processEvents()
    assert len(images) == 1


def test_one_that_is_stopped_never_comes(turns: Any, qtbot: Any) -> None:
    made, images, errors = turns
    made.begin(strips(8, count=1))
    made.stop()
    assert not made.busy
    for _ in range(5):
        QApplication.processEvents()
    assert not images and not errors


def test_what_cannot_be_painted_is_told_once(turns: Any, qtbot: Any) -> None:
    made, images, errors = turns
    made.begin(broken())
    qtbot.waitUntil(lambda: not made.busy)
    for _ in range(5):
        QApplication.processEvents()
    assert [type(error) for error in errors] == [MemoryError] and not images
