"""Reading and writing whole files, with a sentence for each thing that can go wrong."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import time
from pathlib import Path

from kernelplay.errors import FileError
from kernelplay.i18n import Say, number, say

MOST_BYTES = 100_000_000
ABANDONED = 60.0  # seconds after which what a killed process was writing is nobody's any more


def read_bytes(file: Path) -> bytes:
    """Return the content of `file`; raise FileError if it cannot be read or is too large to be one of ours."""
    try:
        if file.stat().st_size > MOST_BYTES and file.is_file():
            raise FileError(say("The file {file} is too large: it has {size} million bytes; the "
                                "limit is {most}.", file=file.name, size=file.stat().st_size // 1_000_000,
                                most=MOST_BYTES // 1_000_000))
        with open(file, "rb") as stream:
            content = stream.read(MOST_BYTES + 1)  # a pipe or a device does not say how much there is
        if len(content) > MOST_BYTES:
            raise FileError(say("The file {file} is too large: the limit is {most} million bytes.",
                                file=file.name, most=MOST_BYTES // 1_000_000))
        return content
    except FileNotFoundError:
        raise FileError(say("File {file} not found: check the name and the folder.", file=str(file))) from None
    except PermissionError:
        raise _folder(file) or FileError(say("You do not have permission to read {file}: ask its owner.",
                                             file=str(file))) from None
    except (OSError, ValueError) as error:
        raise _folder(file) or FileError(say("The file {file} could not be read ({why}): check that it is a file.",
                                             file=_name(file), why=_reason(error))) from None


def write_whole(file: Path, content: bytes) -> None:
    """Put `content` into `file`, so that at every moment it holds the old content or the new; raise FileError.

    What is not a file but a pipe or a device is written to as it is.
    """
    try:
        if file.is_dir():
            raise IsADirectoryError
        if file.exists() and not file.is_file():  # a pipe, a device: replacing would destroy it
            with open(file, "wb") as stream:  # whose path need not lead to it: /dev/stdout
                stream.write(content)
            return
        file = file.resolve()  # a link stays a link
        temporary = file.parent / f".kernelplay-{secrets.token_hex(6)}"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if file.exists():
                os.chmod(temporary, file.stat().st_mode & 0o777)
            os.replace(temporary, file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(file.parent)
    except FileNotFoundError:
        raise FileError(say("Folder {folder} not found: create it, or choose another folder.",
                            folder=str(file.parent))) from None
    except PermissionError:
        raise _folder(file) or FileError(say("You do not have permission to write {file}: choose another folder.",
                                             file=str(file))) from None
    except (OSError, ValueError) as error:
        raise _folder(file) or _full(file, error) or FileError(
            say("The file {file} could not be written ({why}): choose another folder or name.", file=_name(file),
                why=_reason(error))) from None


def fingerprint(content: bytes) -> str:
    """Return what tells one content of a file from another: its SHA-256."""
    return hashlib.sha256(content).hexdigest()


def fingerprint_of(file: Path) -> str:
    """Return the fingerprint of what is in `file` now, "" if there is no such file; raise FileError if it cannot be
    read."""
    try:
        if not file.exists():
            return ""
    except OSError:
        pass  # reading says why
    return fingerprint(read_bytes(file))


def sync_folder(folder: Path) -> None:
    """Let the names in `folder` outlive a power cut, where a system offers that."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder that may be written to but not listed
    try:
        os.fsync(handle)
    except OSError:
        pass  # some network drives refuse; the file itself is there
    finally:
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove from `folder` what `write_whole` had begun in a process that was killed."""
    try:
        for file in folder.iterdir():
            if re.fullmatch(r"\.kernelplay-[0-9a-f]{12}", file.name) and _age(file) > ABANDONED:
                file.unlink(missing_ok=True)
    except OSError:
        return  # the folder has gone, or may not be read: then it is not ours to tidy


def _age(file: Path) -> float:
    return time.time() - file.stat().st_mtime


def size_text(count: int, digits: int = 3) -> Say:
    """Return how large a file of `count` bytes is, as people read it."""
    if count < 1000:
        return say("{n} B", n=count)
    if count < 1_000_000:
        return say("{n} kB", n=number(count / 1000, digits))
    return say("{n} MB", n=number(count / 1_000_000, digits))


def _full(file: Path, error: OSError | ValueError) -> FileError | None:
    """Return the complaint about a disk that takes no more, if it is one."""
    code = getattr(error, "errno", None)
    if code in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG):
        if os.path.lexists(file):
            return FileError(say("Not enough disk space for {file}: free some space, or choose another folder. The "
                                 "existing file is unchanged.", file=_name(file)))
        return FileError(say("Not enough disk space for {file}: free some space, or choose another folder.",
                             file=_name(file)))
    if code == errno.EROFS:
        return FileError(say("The disk with {file} is read-only: choose another folder.", file=_name(file)))
    return None


def _folder(file: Path) -> FileError | None:
    """Return the complaint that `file` is a folder, if it is one: systems report this in different ways."""
    try:
        folder = file.is_dir()
    except (OSError, ValueError):
        return None
    return FileError(say("{file} is a folder: enter a file name.", file=str(file))) if folder else None


def _name(file: Path) -> str:
    return str(file).replace("\0", "")


def _reason(error: OSError | ValueError) -> str | Say:
    return getattr(error, "strerror", None) or str(error)
