"""Copying the picture by its keys: made beside the window, one at a time, and never over what was copied later."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from hand import Hand
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer

from kernelplay.examples import examples
from kernelplay.i18n import say
from kernelplay.ui.copying import Copying

KEYS = "Ctrl+Shift+C"
DONE, BUSY = "Figure copied to the clipboard.", "Copying the figure…"


@pytest.fixture
def user(open_window: Callable[..., Any], qtbot: Any) -> Hand:
    made = Hand(qtbot, open_window())
    made.settled()
    return made


def said(user: Hand) -> str:
    return user.window.status.sentence.full


def copied(user: Hand) -> QImage:
    """Wait for the picture and return it."""
    user.bot.waitUntil(lambda: said(user) == DONE, timeout=20_000)
    return QGuiApplication.clipboard().image()


def test_the_status_line_says_so_and_the_clipboard_has_it_in_every_form(user: Hand) -> None:
    user.keys(KEYS)
    board = QGuiApplication.clipboard()
    assert said(user) == BUSY and board.image().isNull(), "it is made beside the window"
    image, data, canvas = copied(user), board.mimeData(), user.window.canvas
    assert (image.width(), image.height()) == (2 * canvas.width(), 2 * canvas.height())
    packed = QImage.fromData(data.data("image/png"))
    assert packed.convertToFormat(image.format()) == image and packed.text("Software") == "kernelplay"
    assert QSvgRenderer(QByteArray(data.data("image/svg+xml"))).isValid()


def test_a_second_copy_takes_the_place_of_the_first(user: Hand) -> None:
    board, arrivals = QGuiApplication.clipboard(), []
    board.dataChanged.connect(lambda: arrivals.append(board.image().size()))
    user.window.actions_["copy_picture"].trigger()
    user.window.actions_["theme:dark"].trigger()
    user.window.actions_["copy_picture"].trigger()
    assert copied(user).pixelColor(2, 2).lightness() < 60, "it is the dark one"
    user.bot.wait(300)
    assert len(arrivals) == 1, "the first one never came"


def test_what_is_copied_meanwhile_stays_and_is_said(user: Hand) -> None:
    user.keys(KEYS)
    QGuiApplication.clipboard().setText("wanted later")
    assert "something else was" in said(user)
    maker = user.window.editing._copying._maker
    user.bot.waitUntil(lambda: maker.idle and not maker.busy, timeout=20_000)
    user.bot.wait(100)
    assert QGuiApplication.clipboard().text() == "wanted later"
    user.keys(KEYS)
    assert not copied(user).isNull(), "and it can be copied again"


def test_what_is_copied_afterwards_is_no_matter(user: Hand) -> None:
    user.keys(KEYS)
    copied(user)
    QGuiApplication.clipboard().setText("later")
    assert said(user) == DONE


def test_a_window_can_be_closed_while_it_copies(user: Hand) -> None:
    user.keys(KEYS)
    user.window.close()
    assert QGuiApplication.clipboard().image().isNull()


def test_a_picture_that_cannot_be_drawn_is_said(user: Hand) -> None:
    copying = Copying(user.window.store, user.window)
    copying._failed(say("Not enough memory for this figure: reduce the resolution or the size."))
    assert "Not enough memory" in said(user)


def test_nothing_is_held_of_a_picture_that_was_copied(user: Hand) -> None:
    user.keys(KEYS)
    copied(user)
    user.bot.waitUntil(lambda: user.window.editing._copying._maker.idle)
    held = weakref.ref(user.window.store.picture)
    user.window.store.open(examples()[1].scene(), None, say("Open"))
    user.settled()
    gc.collect()
    assert held() is None
    user.keys(KEYS)
    assert not copied(user).isNull(), "and the next one can be copied"
