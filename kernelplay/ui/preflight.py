"""Whether a window can be opened here, found out before Qt is asked: Qt ends the process where it cannot."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import os
import sys
from pathlib import Path

from kernelplay.i18n import Say, say

_HEADLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")


def preflight() -> Say | None:
    """Return why no window can be opened and what to do about it, or None. Imports nothing of Qt, and is quick."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None:
        return say("PySide6 is not installed, so no window can be opened: install it with {command}, or render to a "
                   "file with {render}.", command="pip install kernelplay", render=_RENDER)
    if sys.platform != "linux":
        return None
    libraries = Path(spec.origin).parent
    chosen = os.environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if chosen in _HEADLESS:
        return _missing(_widgets(libraries))
    if chosen != "xcb" and _wayland():
        return _missing(_widgets(libraries)) or _missing(_plugin(libraries, "libqwayland.so"))
    if not os.environ.get("DISPLAY"):
        return say(
            "There is no display (DISPLAY is not set): start kernelplay on a desktop, or render to a file with "
            "{render}.",
            render=_RENDER,
        )
    problem = _missing(_widgets(libraries)) or _missing(_plugin(libraries, "libqxcb.so"))
    if problem is None and not _answers():
        return say(
            "The display {display} does not respond, so no window can be opened: check DISPLAY and its access rights, "
            "or render to a file with {render}.",
            display=os.environ["DISPLAY"],
            render=_RENDER,
        )
    return problem


_RENDER = "kernelplay render SCENE -o figure.svg"


def _widgets(libraries: Path) -> Path:
    return next(libraries.glob("QtWidgets*.so"), libraries / "QtWidgets.so")


def _plugin(libraries: Path, file: str) -> Path:
    return libraries / "Qt" / "plugins" / "platforms" / file


def _wayland() -> bool:
    socket = os.environ.get("WAYLAND_DISPLAY")
    return bool(socket) and Path(os.environ.get("XDG_RUNTIME_DIR", "/"), str(socket)).exists()


def _missing(library: Path) -> Say | None:
    """Return the sentence for what `library` needs and the system lacks; the loader names the first it misses."""
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        file = str(error).split(":")[0].strip()
        package = _PACKAGES.get(file.split(".so")[0], "")
        if package:
            return say(
                "Qt needs the system library {file}: install it with {command}, or render to a file with {render}.",
                file=file,
                command=f"sudo apt install {package}",
                render=_RENDER,
            )
        return say("Qt cannot be loaded ({why}): install the missing system library, or render to a "
                   "file with {render}.",
                   why=str(error), render=_RENDER)
    return None


def _answers() -> bool:
    """Return whether the X server in DISPLAY lets us in."""
    xcb = ctypes.CDLL(ctypes.util.find_library("xcb") or "libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    error: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return error == 0


# what Qt's platform plug-in and QtGui load, and the Debian and Ubuntu package each is in
_PACKAGES = {
    "libxcb-cursor": "libxcb-cursor0",
    "libxcb-icccm": "libxcb-icccm4",
    "libxcb-keysyms": "libxcb-keysyms1",
    "libxcb-image": "libxcb-image0",
    "libxcb-render-util": "libxcb-render-util0",
    "libxcb-shape": "libxcb-shape0",
    "libxcb-xkb": "libxcb-xkb1",
    "libxcb-randr": "libxcb-randr0",
    "libxcb-sync": "libxcb-sync1",
    "libxcb-xfixes": "libxcb-xfixes0",
    "libxcb-shm": "libxcb-shm0",
    "libxcb-render": "libxcb-render0",
    "libxcb-xinerama": "libxcb-xinerama0",
    "libxcb": "libxcb1",
    "libX11-xcb": "libx11-xcb1",
    "libX11": "libx11-6",
    "libxkbcommon-x11": "libxkbcommon-x11-0",
    "libxkbcommon": "libxkbcommon0",
    "libEGL": "libegl1",
    "libGL": "libgl1",
    "libGLX": "libglx0",
    "libOpenGL": "libopengl0",
    "libdbus-1": "libdbus-1-3",
    "libfontconfig": "libfontconfig1",
    "libfreetype": "libfreetype6",
    "libglib-2.0": "libglib2.0-0",
    "libgthread-2.0": "libglib2.0-0",
    "libwayland-client": "libwayland-client0",
    "libwayland-cursor": "libwayland-cursor0",
    "libwayland-egl": "libwayland-egl1",
    "libz": "zlib1g",
    "libzstd": "libzstd1",
}
