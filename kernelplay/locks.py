"""Files that say that a process is at work on something: held while it lives, free as soon as it has ended."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


class Lock:
    """A file that this process holds until `release`, or until it ends. Raises BlockingIOError if another one does."""

    def __init__(self, path: Path) -> None:
        self._path = path
        while True:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _hold(self._handle)
            except OSError:
                os.close(self._handle)
                raise
            if self._still_there():
                return
            os.close(self._handle)  # its last holder has removed it meanwhile

    def _still_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._handle), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self, remove: bool = True) -> None:
        """Let it go, and remove the file."""
        if os.name == "posix" and remove:
            self._path.unlink(missing_ok=True)  # while it is held: nobody else can have it
        os.close(self._handle)
        if os.name != "posix" and remove:
            with contextlib.suppress(PermissionError):  # another process has opened it already, and will remove it
                self._path.unlink(missing_ok=True)


def _hold(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
