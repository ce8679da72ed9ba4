"""Journals of unsaved work: what was written last and whole comes back, whatever was cut off or is in use."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernelplay import recovery, session
from kernelplay.errors import FileError
from kernelplay.examples import examples
from kernelplay.files import fingerprint_of
from kernelplay.recovery import MAGIC, Journal, Kept, left_behind
from kernelplay.scene import Points, Scene
from kernelplay.spec import kinds


def scene(n: int = 5, seed: int = 0) -> Scene:
    xy = np.random.default_rng(seed).normal(size=(n, 2))
    points = Points(xy, (xy[:, 0] > 0).astype(int), np.arange(n) % 3 > 0, ("μ [µm]", "b"))
    return Scene(classification=points, title="두 달")


def story(length: int) -> list[Scene]:
    """Scenes as edits make them: points of one task or the other, a parameter, a model, everything deleted."""
    now = scene()
    scenes = [now]
    models = list(kinds("model"))
    for step in range(1, length):
        if step % 5 == 1:
            now = now.with_points(now.points.add([step / 7, -step]))
        elif step % 5 == 2:
            now = now.with_model(models[step % len(models)])
        elif step % 5 == 3:
            now = now.with_points(now.points.move([0], [step, 1 / 3]) if len(now.points) else Points([[1e-300, -0.0]]))
        elif step % 5 == 4:
            now = dataclasses.replace(now, title=f"step {step}")
        else:
            now = now.with_points(now.points.remove(range(len(now.points) // 2)))
        scenes.append(now)
    return scenes


def test_every_example_comes_back_as_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for each in examples():
        kept = Kept(each.scene(), tmp_path / "a b.kplay", "123")
        journal.write(kept)
        back = journal.read()
        assert back.scene.to_dict() == kept.scene.to_dict()
        assert (back.path, back.disk) == (kept.path, kept.disk)
    journal.close()
    assert not list(tmp_path.iterdir())


def test_it_says_title_file_time_and_number_of_points(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "made" / "here")
    journal.write(Kept(scene(7)))
    lost = journal.lost()
    assert (lost.title, lost.path, lost.points) == ("두 달", None, 7)
    journal.write(Kept(scene(8), Path("relative.kplay")))
    assert journal.lost().path == Path.cwd() / "relative.kplay"
    assert journal.lost().time >= lost.time
    journal.close()


def test_a_turn_of_a_slider_over_many_points_writes_little(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    many = scene(100_000)
    journal.write(Kept(many))
    before = journal.path.stat().st_size
    journal.write(Kept(many.with_value("C", 3.0)))
    assert journal.path.stat().st_size - before < 5_000
    assert journal.read().scene.model.get("C") == 3.0
    journal.close()


def test_the_file_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "ROOM", 20_000)
    journal = Journal(tmp_path)
    now = scene(100)
    for step in range(120):
        now = now.with_points(now.points.move([0], [step, step]))
        journal.write(Kept(now))
        assert journal.path.stat().st_size <= 60_000
        if step % 25 == 0:
            assert journal.read().scene.digest == now.digest
    journal.close()


@settings(max_examples=40, deadline=None)
@example(0.6634311350251031, "flip")  # in the word that says what a record is
@given(st.floats(0, 1, allow_nan=False), st.sampled_from(["cut", "zeros", "flip"]))
def test_what_was_whole_before_the_damage_comes_back(tmp_path_factory: pytest.TempPathFactory, share: float,
                                                     damage: str) -> None:
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder)
    scenes, ends = story(12), []
    for each in scenes:
        journal.write(Kept(each))
        ends.append(journal.path.stat().st_size)
    journal.close(keep=True)
    content = bytearray(journal.path.read_bytes())
    at = len(MAGIC) + int(share * (len(content) - len(MAGIC) - 1))
    if damage == "cut":
        del content[at:]
    elif damage == "zeros":  # what some file systems leave after a power cut
        content[at:] = bytes(len(content) - at)
    else:
        content[at] ^= 0x40
    journal.path.write_bytes(content)
    whole = [each for each, end in zip(scenes, ends, strict=True) if end <= at]
    found = left_behind(folder)
    if not whole:
        assert not found and not list(folder.iterdir()), "what holds nothing is not offered and not kept"
        return
    [(again, _)] = found
    assert again.read().scene.to_dict() == whole[-1].to_dict()
    again.close()


def test_a_write_that_was_cut_off_by_a_full_disk_does_not_hide_the_next(tmp_path: Path,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path)
    journal.write(Kept(scene(5)))
    whole = recovery._write_all

    def half(file: object, content: bytes) -> None:
        whole(file, content[:len(content) // 2])  # type: ignore[arg-type]
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recovery, "_write_all", half)
    with pytest.raises(OSError, match="No space"):
        journal.write(Kept(scene(6)))
    assert len(journal.read().scene.points) == 5
    monkeypatch.undo()
    journal.write(Kept(scene(7)))
    assert len(journal.read().scene.points) == 7
    journal.close()


def test_a_saved_document_keeps_nothing_and_the_next_edit_does_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    one = scene()
    journal.write(Kept(one))
    journal.clear()
    assert not journal.path.exists()
    with pytest.raises(FileError):
        journal.read()
    journal.write(Kept(one))
    assert journal.read().scene.digest == one.digest
    journal.close()


def test_what_is_open_is_not_offered_and_what_is_offered_is_not_offered_twice(tmp_path: Path) -> None:
    mine, other = Journal(tmp_path), Journal(tmp_path)
    mine.write(Kept(scene(3)))
    other.write(Kept(scene(4)))
    assert left_behind(tmp_path) == []
    other.close(keep=True)
    [(found, lost)] = left_behind(tmp_path)
    assert lost.points == 4
    assert left_behind(tmp_path) == [], "the first to look has it"
    found.close(keep=True)
    assert len(left_behind(tmp_path)) == 1
    mine.close()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from kernelplay.recovery import Journal, Kept
from kernelplay.scene import Points, Scene
journal = Journal(Path({str(tmp_path)!r}))
journal.write(Kept(Scene(classification=Points([[1.0, 2.0]]))))
print("there", flush=True)
sys.stdin.read()
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == b"there\n"
        assert left_behind(tmp_path) == [], "it is running"
        process.kill()
    [(journal, _)] = left_behind(tmp_path)
    assert journal.read().scene.points.xy.tolist() == [[1.0, 2.0]]
    journal.write(Kept(scene(2)))
    assert len(journal.read().scene.points) == 2, "and can go on in it"
    journal.close()
    assert not list(tmp_path.iterdir())


def test_nothing_is_offered_that_the_file_holds_already(tmp_path: Path) -> None:
    file = tmp_path / "a.kplay"
    journal = Journal(tmp_path / "unsaved")
    now = scene()
    journal.write(Kept(now, file))
    session.save(now, file)  # and the process ends before it clears the journal
    journal.close(keep=True)
    assert left_behind(tmp_path / "unsaved") == []
    assert not list((tmp_path / "unsaved").iterdir())
    journal.write(Kept(scene(9), file, fingerprint_of(file)))
    journal.close(keep=True)
    assert len(left_behind(tmp_path / "unsaved")) == 1


def test_a_journal_of_another_version_is_left_alone_and_rubbish_is_not_offered(tmp_path: Path) -> None:
    later = tmp_path / "later.journal"
    later.write_bytes(MAGIC.replace(b"1", b"2") + b"whatever")
    for name, content in (("a.journal", b""), ("b.journal", b"\x00" * 500), ("c.journal", MAGIC),
                          ("d.new", b"half"), ("e.lock", b"")):
        (tmp_path / name).write_bytes(content)
    assert left_behind(tmp_path) == []
    assert later.exists() and {file.stem for file in tmp_path.iterdir()} == {"later"}
    assert left_behind(tmp_path / "nowhere") == []


def test_a_killed_window_loses_at_most_its_last_action() -> None:
    """A sample of tests/bench/crash.py: real windows, killed in the middle of edits and of saves."""
    bench = Path(__file__).parent / "bench" / "crash.py"
    done = subprocess.run([sys.executable, str(bench), "3", "7287"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout.startswith("3 kills, 0 failed"), done.stdout + done.stderr
