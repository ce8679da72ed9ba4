"""What is loaded ahead: all that a fit would wait for, in turns that give way, and nothing after the end."""

from __future__ import annotations

import ast
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication

import kernelplay
from kernelplay.turn import TURN
from kernelplay.ui import ahead
from kernelplay.ui.ahead import MODULES, Ahead, Courtesy

FEW = ("colorsys", "plistlib")  # of the standard library, wanted by nobody here


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "MODULES", FEW)
    for name in FEW:
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_modules_are_loaded_on_a_thread_that_gives_way(qtbot: Any, few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[threading.Thread] = []
    monkeypatch.setattr(TURN, "give_way", lambda: asked.append(threading.current_thread()))
    loading = Ahead(0)
    qtbot.waitUntil(lambda: all(name in sys.modules for name in FEW))
    loading.restore()
    assert len(asked) >= len(FEW) and {thread.name for thread in asked} == {"kernelplay-ahead"}
    assert not [finder for finder in sys.meta_path if isinstance(finder, Courtesy)]


def test_nothing_is_loaded_after_the_end(qtbot: Any, few: None) -> None:
    loading = Ahead(0)
    loading.restore()
    QCoreApplication.processEvents()
    assert not [name for name in FEW if name in sys.modules]
    assert "kernelplay-ahead" not in {thread.name for thread in threading.enumerate()}


def test_all_that_a_fit_would_wait_for_is_loaded_ahead() -> None:
    late = set()
    for path in Path(kernelplay.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("scipy", "cvxopt"):
                late.add(".".join(node.module.split(".")[:2]))
    assert late == set(MODULES)
