"""Files are written whole or not at all, and what goes wrong is said with a remedy."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelplay.errors import FileError
from kernelplay.files import fingerprint, fingerprint_of, read_bytes, size_text, sweep, write_whole

root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0 or sys.platform != "linux",
                          reason="only root on Linux can mount a small disk")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with room for 64 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def only(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "a.kplay", tmp_path / "link.kplay"
    write_whole(file, b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"new")
    assert file.read_bytes() == b"new" and link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert only(tmp_path) == ["a.kplay", "link.kplay"]


def test_who_reads_meanwhile_sees_the_old_content_or_the_new(tmp_path: Path) -> None:
    file = tmp_path / "a.kplay"
    contents = [bytes([number]) * 200_000 for number in range(30)]
    write_whole(file, contents[0])
    seen: set[bytes] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(file.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for content in contents:
        write_whole(file, content)
    done.set()
    reader.join()
    assert seen and seen <= set(contents)


@root
def test_a_full_disk_is_said_and_the_old_content_is_still_there(small_disk: Path) -> None:
    file = small_disk / "scene.kplay"
    write_whole(file, b"old")
    with pytest.raises(FileError, match=r"disk space for .*scene\.kplay.*free some space.*unchanged"):
        write_whole(file, b"x" * 1_000_000)
    assert file.read_bytes() == b"old" and only(small_disk) == ["scene.kplay"]
    with pytest.raises(FileError, match=r"disk space for .*new\.kplay.*choose another folder\.$"):
        write_whole(small_disk / "new.kplay", b"x" * 1_000_000)
    write_whole(file, b"y" * 1000)
    assert file.read_bytes() == b"y" * 1000


def test_a_limit_on_the_size_of_files_is_said_and_the_old_content_is_still_there(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "scene.kplay"
    write_whole(file, b"old")
    code = f"""
import resource, signal
from pathlib import Path
from kernelplay.errors import FileError
from kernelplay.files import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    write_whole(Path({str(file)!r}), b"x" * 5000)
except FileError as error:
    print(error)
"""
    assert resource.RLIMIT_FSIZE is not None
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "Not enough disk space for" in said
    assert file.read_bytes() == b"old" and only(tmp_path) == ["scene.kplay"]


@root
def test_a_disk_that_can_only_be_read_is_said(small_disk: Path) -> None:
    file = small_disk / "scene.kplay"
    write_whole(file, b"old")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(FileError, match=r"is read-only: choose another folder"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"


def test_a_folder_that_has_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not found: create it"):
        write_whole(tmp_path / "gone" / "scene.kplay", b"new")


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
                    reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    with pytest.raises(FileError, match="permission to write"):
        write_whole(folder / "scene.kplay", b"new")


def test_a_fingerprint_tells_contents_apart_and_that_there_is_no_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    assert fingerprint_of(file) == ""
    file.write_bytes(b"one")
    assert fingerprint_of(file) == fingerprint(b"one") != fingerprint(b"two")
    assert read_bytes(file) == b"one"
    with pytest.raises(FileError):
        fingerprint_of(tmp_path)


def test_what_a_killed_process_had_begun_is_swept_away_and_nothing_else(tmp_path: Path) -> None:
    names = [".kernelplay-0123456789ab", ".kernelplay-ba9876543210", ".kernelplay-notes", "a.kplay"]
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    long_ago = time.time() - 3600
    for name in (names[0], *names[2:]):
        os.utime(tmp_path / name, (long_ago, long_ago))
    sweep(tmp_path)
    assert only(tmp_path) == sorted(names[1:]), "the second may be one that is being written now"
    sweep(tmp_path / "gone")


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="a system without /dev/fd")
def test_the_path_of_an_open_pipe_leads_into_it() -> None:
    reader, writer = os.pipe()
    try:
        write_whole(Path(f"/dev/fd/{writer}"), b"whole")
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
        os.close(writer)


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (12_345, "12.3 kB"),
                                             (2_500_000, "2.5 MB")])
def test_sizes_are_said_in_the_units_of_people(count: int, text: str) -> None:
    assert str(size_text(count)) == text
