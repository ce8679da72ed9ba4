"""Animations read again by other programs: pictures, delays, places; what stands still; what a stop leaves; the dialog
under real events."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hand import Hand
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import QRectF, QSettings, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox
from stage import near

from kernelplay import cli, i18n, session
from kernelplay.animations import Steps
from kernelplay.errors import Cancelled, FileError, FitError, SpecError
from kernelplay.examples import examples
from kernelplay.figures import Figure, Length
from kernelplay.i18n import say
from kernelplay.marks import Field
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.sweep import Sweep
from kernelplay.ui import page
from kernelplay.ui.animated_files import Palette, gif, gif_delay
from kernelplay.ui.animation import Film, film, pixels
from kernelplay.ui.animation_dialog import AnimationDialog
from kernelplay.ui.animation_export import Target, earlier, estimated, export
from kernelplay.ui.shots import _open
from kernelplay.ui.theme import LIGHT

pytestmark = pytest.mark.usefixtures("qapp")

LOOK = Figure(width=Length(400.0), height=Length(300.0), dpi=96)
SVG = "{http://www.w3.org/2000/svg}"
X = np.array([0.0, 0.8, 1.7, 2.4, 3.0])
T = np.array([0.3, 1.1, 0.6, -0.7, -0.2])


def example(key: str) -> Scene:
    return next(each for each in examples() if each.key == key).scene()


def gpr() -> Scene:
    made = build("model", {"name": "gpr", "kernel": {"name": "rbf", "gamma": 1.0}, "noise_var": 0.1})
    return Scene(model=made).with_points(Points(np.column_stack([X, T]), names=("x", "t")))


def mean(x: float, noise: float) -> float:
    """The posterior mean at x, from the formula and nothing else."""
    def k(a: Any, b: Any) -> NDArray[np.float64]:
        return np.asarray(np.exp(-(np.subtract.outer(np.atleast_1d(a), b)) ** 2))

    return float((k(x, X) @ np.linalg.solve(k(X, X) + noise * np.eye(len(X)), T))[0])


def frames(path: Path) -> list[NDArray[np.uint8]]:
    """Return the pictures of an animated file as another program shows them."""
    found = []
    with Image.open(path) as opened:
        for place in range(opened.n_frames):
            opened.seek(place)
            found.append(np.asarray(opened.convert("RGB")).copy())
    return found


def curve_height(picture: NDArray[np.uint8], made: Film, x: float) -> float:
    """Return the height in data coordinates at which the mean's colour stands at x."""
    wanted = QColor(LIGHT.roles["mean"].line)
    column = int(made.plot.plane.x(np.array([x]))[0])
    apart = np.abs(picture[:, column].astype(int) - (wanted.red(), wanted.green(), wanted.blue())).max(axis=1)
    rows = np.flatnonzero(apart < 60)
    return made.plot.plane.data(column, float(rows.mean()) + 0.5 - made.top.height)[1]


@pytest.mark.parametrize("ending", [".gif", ".apng"])
def test_the_curve_in_every_picture_is_that_of_its_noise(tmp_path: Path, ending: str) -> None:
    scene, look = gpr(), LOOK.replace("legend", "none")  # whose sample has the colour of the curve
    sweep = Sweep.parse(scene.model, "noise_var=0.001:10", 5, back=True)
    export(scene, sweep, look, Target(tmp_path / f"a{ending}", fps=20), "en")
    shown, made = frames(tmp_path / f"a{ending}"), film(scene, sweep, look, "en")
    assert len(shown) == len(sweep.values) == 8
    _, _, y0, y1 = made.plot.plane.view
    for picture, noise in zip(shown, sweep.values, strict=True):
        for x in (0.4, 1.3, 2.1):
            assert curve_height(picture, made, x) == pytest.approx(mean(x, noise), abs=2.5 * (y1 - y0) / 300)
    heights = [mean(0.8, noise) for noise in sweep.there]
    assert max(heights) - min(heights) > 0.5  # they do differ


def test_delays_sizes_and_repetition_are_those_asked_for(tmp_path: Path) -> None:
    sweep = Sweep.parse(gpr().model, "noise_var=0.01:1", 4)
    export(gpr(), sweep, LOOK, Target(tmp_path / "a.gif", fps=20))
    export(gpr(), sweep, LOOK, Target(tmp_path / "b.gif", fps=12, loops=1))
    export(gpr(), sweep, LOOK, Target(tmp_path / "c.apng", fps=12, loops=3))
    for name, delay, loop in (("a.gif", 50, 0), ("b.gif", 80, None), ("c.apng", 1000 / 12, 3)):
        with Image.open(tmp_path / name) as opened:
            assert (opened.size, opened.n_frames, opened.info.get("loop")) == ((400, 300), 4, loop), name
            for place in range(4):
                opened.seek(place)
                assert opened.info["duration"] == pytest.approx(delay), name


def test_what_a_gif_cannot_do_is_said() -> None:
    scene, sweep = gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 2)
    for fps, rate, said in ((10.0, 10, None), (12.0, 12.5, "12.5 frames per second instead of 12"),
                            (80.0, 50, "at most 50 frames per second, not 80")):
        target = Target(Path("a.gif"), fps=fps)
        assert target.rate == Fraction(rate) and Fraction(100, gif_delay(fps)) == rate
        assert (said is None) == (target.slip is None) and (said is None or said in str(target.slip.sentence))  # type: ignore[union-attr]
    assert Target(Path("a.apng"), fps=12.0).slip is None
    assert film(scene, sweep, LOOK).shots


def test_nothing_but_the_picture_moves(tmp_path: Path) -> None:
    """Axes, colour bar and legend are the same dots in every picture; limits are the widest of all."""
    scene = example("overlapping")
    sweep = Sweep.parse(scene.model, "C=0.01:1000", 5)
    made = film(scene, sweep, LOOK, "en")
    plane, top = made.plot.plane, made.top.height
    rects = {(rect.x(), rect.y(), rect.width(), rect.height())
             for k in range(5) if pixels(made.image(k)).size and (rect := made.plot.legend_rect).isValid()}
    assert len(rects) == 1
    fields = [mark for shot in made.shots for mark in shot.layers.behind if isinstance(mark, Field)]
    assert len(fields) == 5 and len({mark.limits for mark in fields}) == 1
    alone = [film(scene, Sweep.parse(scene.model, f"C={C!r}:{2 * C!r}", 2), LOOK, "en").shots[0]
             for C in (sweep.there[0], sweep.there[-1])]
    ends = [next(mark for mark in shot.layers.behind if isinstance(mark, Field)) for shot in alone]
    assert fields[0].limits[1] >= max(mark.values.max() * 0.5 for mark in ends) > 1.5
    export(scene, sweep, LOOK, Target(tmp_path / "a.gif"), "en")
    shown = frames(tmp_path / "a.gif")
    outside = np.ones(shown[0].shape[:2], bool)
    outside[: int(top) + 1] = False  # the caption
    outside[int(plane.top + top) - 1: int(plane.bottom + top) + 2, int(plane.left) - 1: int(plane.right) + 2] = False
    for picture in shown[1:]:
        assert (picture[outside] == shown[0][outside]).all()
        assert (picture != shown[0]).any()


def test_the_legend_names_what_any_picture_shows_in_one_order() -> None:
    made = film(example("overlapping"), Sweep.parse(example("overlapping").model, "C=0.01:1000", 5), LOOK, "en")
    texts = []
    for k in range(5):
        made.image(k)
        texts.append(made.plot.legend.texts)
    assert len(set(texts)) == 1
    assert {"support vector, free", "support vector, bounded (α = C)", "margins f = ±1"} <= set(texts[0])


def test_a_player_has_one_entry_for_what_changes_its_words() -> None:
    made = film(example("perceptron"), Steps(), LOOK, "en")
    made.image(3)
    assert len(made.plot.legend.texts) == len({(mark.role, type(mark)) for shot in made.shots
                                              for mark in (*shot.layers.points, *shot.layers.behind,
                                                           *shot.layers.front)
                                              if mark.label is not None and not isinstance(mark, Field)})
    one, other = (say("added: {vector}", vector=vector) for vector in ("+ x₁", "− x₂"))
    assert str(_open(one, other)) == "added: …" and _open(one, one) == one
    assert "added: " in str(made.shots[1].caption) or "Update 1" in str(made.shots[1].caption)


def test_the_steps_are_those_of_the_player() -> None:
    scene = example("perceptron")
    every, some = film(scene, Steps(), LOOK, "en"), film(scene, Steps(1, 10, 4), LOOK, "en")
    assert [str(shot.caption) for shot in some.shots] == [str(every.shots[k].caption) for k in (1, 5, 9, 10)]
    with pytest.raises(SpecError, match="no steps to play"):
        film(gpr(), Steps(), LOOK)
    with pytest.raises(SpecError, match="The steps run from"):
        film(scene, Steps(0, 999), LOOK)


def test_an_apng_holds_the_dots_exactly_and_a_gif_one_palette(tmp_path: Path) -> None:
    scene = example("overlapping")
    sweep = Sweep.parse(scene.model, "C=0.1:100", 4)
    for ending in (".gif", ".apng"):
        export(scene, sweep, LOOK, Target(tmp_path / f"a{ending}"), "en")
    made = film(scene, sweep, LOOK, "en")
    drawn = [pixels(made.image(k)) for k in range(4)]
    for exact, picture in zip(drawn, frames(tmp_path / "a.apng"), strict=True):
        assert (exact == picture).all()
    apart = [np.abs(exact.astype(int) - picture) .max(axis=2) for exact, picture in
             zip(drawn, frames(tmp_path / "a.gif"), strict=True)]
    assert all(np.quantile(each, 0.97) <= 4 for each in apart)
    assert max(each.max() for each in apart) < 90
    source = (tmp_path / "a.gif").read_bytes()
    assert source[10] & 0x80 and local_palettes(source) == [False] * 4


def local_palettes(source: bytes) -> list[bool]:
    """Return of each picture of a GIF whether it brings colours of its own."""
    found, at = [], 13 + 3 * 256
    while source[at] != 0x3B:
        if source[at] == 0x2C:
            found.append(bool(source[at + 9] & 0x80))
            at += 11
        else:
            at += 2
        while source[at]:
            at += 1 + source[at]
        at += 1
    return found


def test_a_colour_keeps_its_place_whatever_stands_around_it() -> None:
    rng = np.random.default_rng(0)
    pictures = [rng.integers(0, 256, (20, 25, 3)).astype(np.uint8) for _ in range(3)]
    for picture in pictures:
        picture[5:15, 5:15] = (18, 52, 86)
    palette = Palette.of(pictures, [(1, 2, 3)])
    assert len(palette.colours) <= 255 and [1, 2, 3] in palette.colours.tolist()
    assert [18, 52, 86] in palette.colours.tolist()
    for picture in pictures:
        shown = palette.colours[palette.places(picture)].astype(int)
        everything = np.abs(picture[:, :, None].astype(int) - palette.colours[None, None].astype(int))
        best = (everything**2).sum(axis=3).min(axis=2)
        assert (((picture - shown) ** 2).sum(axis=2) == best).all()
    few = [np.zeros((4, 4, 3), np.uint8), np.full((4, 4, 3), 7, np.uint8)]
    assert Palette.of(few).radius == 0
    assert gif(few, Palette.of(few), 10).endswith(b";")


def test_pictures_in_numbers_are_whole_and_not_written_over(tmp_path: Path) -> None:
    scene, sweep = gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 3)
    target = Target(tmp_path / "noise.png")
    done = export(scene, sweep, LOOK, target, "en")
    names = ["noise-0001.png", "noise-0002.png", "noise-0003.png"]
    assert [file.name for file in done.files] == names == sorted(os.listdir(tmp_path)) and done.count == 3
    made = film(scene, sweep, LOOK, "en")
    for k, file in enumerate(done.files):
        with Image.open(file) as opened:
            assert (np.asarray(opened.convert("RGB")) == pixels(made.image(k))).all()
            assert opened.info["dpi"] == pytest.approx((96, 96), abs=0.1)
    (tmp_path / "noise-0007.png").write_text("somebody's")
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    with pytest.raises(FileError, match=r"4 files noise-0001.png to noise-0007.png already"):
        export(scene, sweep, LOOK, target, "en")
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before
    done = export(scene, sweep, LOOK, Target(target.path, replace=True), "en")
    assert "noise-0007.png is left over from an earlier animation" in str(done.notes[0].sentence)
    assert len(earlier(target.path)) == 4


@pytest.mark.parametrize("ending", [".gif", ".apng", ".png", ".svg"])
@pytest.mark.parametrize("checks", [3, 22, 30])
def test_a_stop_leaves_nothing(tmp_path: Path, ending: str, checks: int) -> None:
    """However far it has come: fitting, or in the middle of the pictures."""
    scene, sweep = gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 12)
    (tmp_path / f"a{ending}").write_bytes(b"old")
    left = checks * 3

    def check() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        export(scene, sweep, LOOK, Target(tmp_path / f"a{ending}", replace=True), check=check)
    assert os.listdir(tmp_path) == [f"a{ending}"] and (tmp_path / f"a{ending}").read_bytes() == b"old"


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    scene, sweep = gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 2)
    (tmp_path / "b-0001.png").mkdir()
    for target, look, said in (
            (Target(tmp_path / "a.mp4"), LOOK, r"\.gif, \.apng, \.png \(numbered frames\) or \.svg"),
            (Target(tmp_path / "a"), LOOK, "use the extension"),
            (Target(tmp_path / "no" / "a.gif"), LOOK, "not found: create it"),
            (Target(tmp_path / "no" / "a.png"), LOOK, "not found: create it"),
            (Target(tmp_path / "b.png", replace=True), LOOK, "could not be saved"),
            (Target(tmp_path / "a.gif", fps=0.0), LOOK, "from 0.1 to 100"),
            (Target(tmp_path / "a.gif"), Figure(dpi=2400), "20,000 × 15,000 pixels"),
            (Target(tmp_path / "a.gif"), Figure(height=Length(96.0), font_size=40.0), "leave no room")):
        with pytest.raises(FileError, match=said):
            export(scene, sweep, look, target)
    assert os.listdir(tmp_path) == ["b-0001.png"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "full.gif").symlink_to("/dev/full")
    with pytest.raises(FileError, match="Not enough disk space"):
        export(gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 2), LOOK, Target(tmp_path / "full.gif"))


def test_a_value_without_a_fit_is_told_and_seen(tmp_path: Path) -> None:
    scene = example("step")
    made = film(scene, Sweep.parse(scene.model, "C=1:1e300", 3), LOOK, "en")
    assert [shot.problem is None for shot in made.shots] == [True, False, False]
    assert [shot.layers.stale for shot in made.shots] == [False, True, True]
    done = export(scene, Sweep.parse(scene.model, "C=1e300:1", 3), LOOK, Target(tmp_path / "a.gif"), "en")
    said = str(done.notes[0].sentence)
    assert said.startswith("2 frames between C = 10³⁰⁰ and C = 10¹⁵⁰ have no fit") and "too extreme" in said
    warn = QColor(LIGHT.warn)
    shown = pixels(made.image(1))[: int(made.top.height)]
    assert (np.abs(shown.astype(int) - (warn.red(), warn.green(), warn.blue())).max(axis=2) < 40).sum() > 30
    with pytest.raises(FitError, match="No frame has a fit"):
        film(scene, Sweep.parse(scene.model, "C=1e299:1e300", 2), LOOK)


class TestFilmstrip:
    @pytest.fixture
    def strip(self, tmp_path: Path) -> Path:
        scene = gpr()
        export(scene, Sweep.parse(scene.model, "noise_var=0.001:10", 12), Figure(width=Length(80.0, "mm"),
               height=Length(60.0, "mm")), Target(tmp_path / "a.svg", panels=4, columns=2), "en")
        return tmp_path / "a.svg"

    def test_it_is_one_valid_file_of_the_size_asked_for(self, strip: Path) -> None:
        root = ElementTree.parse(strip).getroot()
        assert root.get("width") == "160mm" and re.fullmatch(r"12\d\.?\d*mm", root.get("height", ""))
        ids = [each.get("id") for each in root.iter() if each.get("id")]
        assert len(ids) == len(set(ids))
        named = set(re.findall(r'(?:url\(|href=")#([\w]+)', strip.read_text("utf-8")))
        assert named <= set(ids)
        assert QSvgRenderer(str(strip)).isValid()

    def test_captions_are_text_and_what_is_shared_is_there_once(self, strip: Path) -> None:
        source = strip.read_text("utf-8")
        root = ElementTree.parse(strip).getroot()
        texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
        captions = [text for text in texts if text.startswith("σ² = ")]
        assert captions == ["σ² = 0.001", "σ² = 0.0285", "σ² = 0.351", "σ² = 10"]
        assert texts.count("mean") == 1 and source.count("<use") > 40
        panels = [each for each in root.iter(f"{SVG}g") if each.get("clip-path") == "url(#panel)"]
        assert len(panels) == 4

    @pytest.mark.parametrize("renderer", ["rsvg-convert", "Qt"])
    def test_every_panel_shows_its_curve(self, strip: Path, tmp_path: Path, renderer: str) -> None:
        look = Figure(width=Length(80.0, "mm"), height=Length(60.0, "mm"))
        scene = gpr()
        sweep = Sweep.parse(scene.model, "noise_var=0.001:10", 12)
        made = film(scene, sweep, look, "en", strip=True)
        width, height = page.room(look)
        scale = 2.0
        if renderer == "Qt":
            drawn = QSvgRenderer(str(strip))
            box = drawn.viewBoxF()
            shown = QImage(round(box.width() * scale), round(box.height() * scale), QImage.Format.Format_RGB32)
            shown.fill(QColor("white"))
            painter = QPainter(shown)
            drawn.render(painter, QRectF(0, 0, shown.width(), shown.height()))
            painter.end()
        else:
            if shutil.which(renderer) is None:
                pytest.skip(f"{renderer} is not installed")
            subprocess.run([renderer, "-w", str(round(2 * width * scale)), str(strip), "-o", str(tmp_path / "a.png")],
                           check=True)
            shown = QImage(str(tmp_path / "a.png"))
        for panel, k in enumerate((0, 4, 7, 11)):
            for x in (0.4, 1.3, 2.1):
                px, py = made.plot.plane.pixels(np.array([[x, mean(x, sweep.there[k])]]))[0]
                at = ((panel % 2 * width + px) * scale, (panel // 2 * height + made.top.height + py) * scale)
                column = [shown.pixelColor(int(at[0]), int(at[1]) + step) for step in range(-3, 4)]
                assert any(near(colour, LIGHT.roles["mean"].line, 40) for colour in column), (panel, x)


def test_transparent_pictures_keep_their_opacity_and_a_gif_gets_its_ground(tmp_path: Path) -> None:
    scene, sweep = gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 2)
    look = LOOK.replace("transparent", True)
    for name in ("a.apng", "a.gif"):
        export(scene, sweep, look, Target(tmp_path / name), "en")
    with Image.open(tmp_path / "a.apng") as opened:
        shown = np.asarray(opened.convert("RGBA"))
    assert shown[0, 0, 3] == 0 and shown[..., 3].max() == 255
    assert frames(tmp_path / "a.gif")[0][0, 0].tolist() == [255, 255, 255]


def test_captions_are_in_the_language_of_the_animation() -> None:
    made = film(example("perceptron"), Steps(0, 2), LOOK, "ko")
    assert made.plot.language == "ko"
    assert made.shots[1].caption.text("ko") != made.shots[1].caption.text("en")
    english = film(example("perceptron"), Steps(0, 2), LOOK, "en")
    band = slice(0, int(min(made.top.height, english.top.height)))
    assert (pixels(made.image(1))[band] != pixels(english.image(1))[band]).any()


def test_the_size_that_is_foreseen_is_about_the_size_that_comes(tmp_path: Path) -> None:
    scene = example("overlapping")
    sweep = Sweep.parse(scene.model, "C=0.01:1000", 12)
    for ending in (".gif", ".apng", ".png", ".svg"):
        target = Target(tmp_path / f"a{ending}")
        done = export(scene, sweep, LOOK, target, "en")
        made = film(scene, sweep.thinned(6), LOOK, "en", strip=ending == ".svg")
        real = sum(file.stat().st_size for file in done.files)
        assert 0.4 < estimated(made, target, 12) / real < 2.5, ending


# in the window


@pytest.fixture
def hand(qtbot: Any, open_window: Any, tmp_path: Path) -> Hand:
    QSettings().setValue("animation/folder", str(tmp_path))
    made = Hand(qtbot, open_window(example("overlapping")))
    made.settled()
    return made


def typed(field: QLineEdit, text: str) -> None:
    """Click into a field, type another value, press Enter."""
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def animated(hand: Hand, do: Any) -> None:
    """Open the dialog by its keys and do something in it; what it still writes then is stopped."""
    def now(dialog: AnimationDialog) -> None:
        try:
            do(dialog)
        finally:
            dialog.animator.stop()
            hand.bot.waitUntil(lambda: not dialog.animator.writing, timeout=20_000)

    hand.in_dialog(now, lambda: hand.keys("Ctrl+Alt+E"))


def answered(hand: Hand, button: str, asked: list[str]) -> None:
    """Press the button with this name in the question that comes next."""
    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), box
        asked.append(box.text())
        named = {each.text().replace("&", ""): each for each in box.buttons()}
        if button not in named:
            box.reject()  # a window that nobody closes would stop all tests
        QTest.mouseClick(named[button], Qt.MouseButton.LeftButton)

    QTimer.singleShot(100, hand.window, press)


def closed(hand: Hand, dialog: AnimationDialog) -> None:
    hand.bot.waitUntil(lambda: not dialog.isVisible(), timeout=30_000)


def test_the_dialog_writes_what_the_command_line_writes(hand: Hand, tmp_path: Path,
                                                        capsys: pytest.CaptureFixture[str]) -> None:
    scene, steps = hand.window.store.scene, hand.window.store.history.steps

    def do(dialog: AnimationDialog) -> None:
        assert dialog.form.sources.currentText() == "Penalty C"
        for row, text in (("start", "0.1"), ("end", "100"), ("count", "6")):
            typed(dialog.form.fields[row], text)
        for key, text in (("width", "320px"), ("height", "240px")):
            typed(dialog.form.fields[key], text)
        typed(dialog.form.fields["fps"], "10")
        hand.bot.waitUntil(lambda: dialog._forecast is not None and len(dialog.preview.images) == 6, timeout=20_000)
        assert re.match(r"6 frames of 320 × 240 pixels, 0.6 s, about [\d.]+ kB\.",
                        dialog.summary.text())
        place = dialog.preview.place
        hand.bot.waitUntil(lambda: dialog.preview.place != place)  # it plays
        typed(dialog.path, str(tmp_path / "dialog.gif"))
        QTest.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
        closed(hand, dialog)

    animated(hand, do)
    assert hand.window.store.scene is scene and hand.window.store.history.steps is steps
    session.save(scene, tmp_path / "a.kplay")  # with the view of the window
    assert cli.main(["animate", str(tmp_path / "a.kplay"), "-o", str(tmp_path / "line.gif"), "--sweep", "C=0.1:100",
                     "--frames", "6", "--fps", "10", "--size", "320x240", "--lang", "en"]) == 0
    assert "6 frames" in capsys.readouterr().out
    assert (tmp_path / "dialog.gif").read_bytes() == (tmp_path / "line.gif").read_bytes()
    assert not list(tmp_path.glob(".kernelplay-*"))


def test_cancel_in_the_middle_leaves_nothing_and_the_window_open(hand: Hand, tmp_path: Path) -> None:
    def do(dialog: AnimationDialog) -> None:
        typed(dialog.form.fields["count"], "300")
        typed(dialog.form.fields["width"], "1600px")
        typed(dialog.path, str(tmp_path / "long.apng"))
        assert dialog.form.animation.format == "apng"
        dialog.export_button.setFocus()
        QTest.keyClick(dialog.export_button, Qt.Key.Key_Space)
        hand.bot.waitUntil(lambda: dialog.bar.isVisible() and dialog.bar.value() > 3, timeout=20_000)
        assert dialog.close_button.text() == "Cancel" and not dialog.form.isEnabled()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        hand.bot.waitUntil(lambda: not dialog.animator.writing, timeout=20_000)
        assert dialog.isVisible() and dialog.error.text() == "Stopped: nothing was saved."
        assert dialog.error.property("look") != "bad", "it is what was asked for"
        assert dialog.close_button.text() == "Close" and dialog.form.isEnabled()
        QTest.mouseClick(dialog.close_button, Qt.MouseButton.LeftButton)
        closed(hand, dialog)

    animated(hand, do)
    assert not (tmp_path / "long.apng").exists() and not list(tmp_path.glob(".kernelplay-*"))


def test_a_sequence_that_is_there_is_written_over_only_when_allowed(hand: Hand, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"s-000{number}.png").write_bytes(b"mine")

    def do(dialog: AnimationDialog) -> None:
        typed(dialog.form.fields["count"], "3")
        for key, text in (("width", "320px"), ("height", "240px")):
            typed(dialog.form.fields[key], text)
        typed(dialog.path, str(tmp_path / "s.png"))
        for answer in ("Cancel", "Replace"):
            asked: list[str] = []
            answered(hand, answer, asked)
            QTest.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
            assert asked == ["2 files “s-0001.png” to “s-0002.png” already exist."]
            assert dialog.animator.writing == (answer == "Replace")
            assert (tmp_path / "s-0001.png").read_bytes() == b"mine"
        closed(hand, dialog)

    animated(hand, do)
    assert (tmp_path / "s-0001.png").read_bytes()[:4] == b"\x89PNG"
    assert [file.name for file in earlier(tmp_path / "s.png")] == [f"s-000{k}.png" for k in (1, 2, 3)]


def test_the_steps_of_the_player_are_offered_first_and_can_be_chosen(qtbot: Any, open_window: Any,
                                                                     tmp_path: Path) -> None:
    QSettings().setValue("animation/folder", str(tmp_path))
    hand = Hand(qtbot, open_window(example("perceptron")))
    hand.settled()

    def do(dialog: AnimationDialog) -> None:
        assert dialog.form.sources.currentText() == "Steps of the model"
        typed(dialog.form.fields["first"], "9")
        typed(dialog.form.fields["last"], "4")
        assert "The first step, 9, comes after the last one, 4" in dialog.error.text()
        hand.bot.waitUntil(lambda: not dialog.export_button.isEnabled())
        typed(dialog.form.fields["width"], "1")
        assert "Width cannot be" in dialog.error.text() and not dialog.export_button.isEnabled()
        dialog.animator.failed.emit(i18n.say("Too bad"))
        assert not dialog.export_button.isEnabled(), "nothing else has changed"
        typed(dialog.form.fields["first"], "0")
        assert dialog.error.isHidden()
        hand.bot.waitUntil(lambda: len(dialog.preview.images) == 5 and dialog.preview.images[-1] is not None,
                           timeout=20_000)
        QTest.keyClick(dialog.preview, Qt.Key.Key_Space)
        assert not dialog.preview.playing
        dialog.form.sources.setFocus()
        QTest.keyClick(dialog.form.sources, Qt.Key.Key_Down)
        hand.bot.waitUntil(lambda: "start" in dialog.form.fields)

    animated(hand, do)


def test_every_word_of_the_dialog_is_in_the_catalogue(qtbot: Any, open_window: Any) -> None:
    i18n.use("pseudo")
    window = open_window(example("perceptron"))
    hand = Hand(qtbot, window)
    hand.settled()

    def do(dialog: AnimationDialog) -> None:
        for widget in dialog.findChildren(QLineEdit):
            assert widget.accessibleName().startswith("⟦"), widget
        for text in (dialog.windowTitle(), dialog.export_button.text(), dialog.close_button.text(),
                     dialog.summary.text()):
            assert text.startswith("⟦"), text

    animated(hand, do)


def test_what_was_set_last_is_there_again_and_nonsense_is_passed_over(hand: Hand) -> None:
    QSettings().setValue("animation/kind", '{"name": "animation", "format": "apng", "fps": 1e9, "old": true}')
    QSettings().setValue("animation/look", "not json")

    def do(dialog: AnimationDialog) -> None:
        animation = dialog.form.animation
        assert (animation.format, animation.fps) == ("apng", 12.5)
        assert dialog.form.look.dots == (800, 600) and dialog.path.text().endswith(".apng")

    animated(hand, do)


def test_the_thread_ends_with_the_dialog_while_a_preview_is_made(hand: Hand) -> None:
    for _ in range(3):
        animated(hand, lambda dialog: hand.bot.waitUntil(lambda: bool(dialog.preview.images), timeout=20_000))
    assert QApplication.activeModalWidget() is None


def test_the_chunks_of_an_apng_are_in_order(tmp_path: Path) -> None:
    export(gpr(), Sweep.parse(gpr().model, "noise_var=0.01:1", 3), LOOK, Target(tmp_path / "a.apng"))
    source, at, kinds, numbers = (tmp_path / "a.apng").read_bytes(), 8, [], []
    while at < len(source):
        length, kind = struct.unpack(">I4s", source[at: at + 8])
        kinds.append(kind)
        if kind in (b"fcTL", b"fdAT"):
            numbers.append(struct.unpack(">I", source[at + 8: at + 12])[0])
        at += 12 + length
    assert kinds[:3] == [b"IHDR", b"acTL", b"fcTL"] and kinds[-1] == b"IEND" and kinds.count(b"fcTL") == 3
    assert numbers == list(range(len(numbers)))
