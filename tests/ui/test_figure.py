"""Figures opened again by other programs: clipping, text, pens, colours, sizes; and files that cannot be written."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import stage
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from stage import near

from kernelplay.compute import cold
from kernelplay.errors import FileError
from kernelplay.i18n import LANGUAGES
from kernelplay.marks import Field, Picture
from kernelplay.scene import Scene
from kernelplay.ui import figure
from kernelplay.ui.theme import DARK, LIGHT

pytestmark = pytest.mark.usefixtures("qapp")

SIZE = (640, 480)
SVG = "{http://www.w3.org/2000/svg}"


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def output(name: str, *arguments: str) -> str:
    """Return what a program prints; the test is skipped where it is not installed."""
    return subprocess.run([tool(name), *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def svm() -> tuple[Picture, Scene]:
    scene = stage.scene(C=2.0)
    return cold(scene), scene


def svg_image(path: Path, scale: int = 2) -> QImage:
    """Return what librsvg makes of an SVG file, where it is installed, else what Qt does."""
    if shutil.which("rsvg-convert"):
        out = path.with_suffix(".rsvg.png")
        subprocess.run(["rsvg-convert", "-w", str(SIZE[0] * scale), str(path), "-o", str(out)], check=True)
        return QImage(str(out))
    return qt_svg_image(path, scale)


def qt_svg_image(path: Path, scale: int = 2) -> QImage:
    renderer = QSvgRenderer(str(path))
    assert renderer.isValid()
    shown = QImage(SIZE[0] * scale, SIZE[1] * scale, QImage.Format.Format_ARGB32_Premultiplied)
    shown.fill(QColor("white"))
    painter = QPainter(shown)
    renderer.render(painter, QRectF(0, 0, shown.width(), shown.height()))
    painter.end()
    return shown


def pdf_image(path: Path, scale: int = 2) -> QImage:
    out = path.with_suffix("")
    subprocess.run([tool("pdftoppm"), "-r", str(96 * scale), "-png", "-singlefile", str(path), str(out)], check=True)
    return QImage(str(out.with_suffix(".png")))


def probe(shown: QImage, made: object, x: float, y: float, scale: float) -> QColor:
    px, py = made.plane.pixels(np.array([[x, y]]))[0]  # type: ignore[attr-defined]
    return shown.pixelColor(int(px * scale), int(py * scale))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda look: look.name)
def test_every_format_shows_the_same_picture(svm: tuple[Picture, Scene], tmp_path: Path, theme: object) -> None:
    picture, scene = svm
    made = figure.plot(picture, scene, SIZE, theme=theme, language="en")  # type: ignore[arg-type]
    shown = {}
    for ending in ("png", "svg", "pdf"):
        figure.render(picture, scene, tmp_path / f"a.{ending}", SIZE, 2.0 if ending == "png" else 1.0,
                      theme=theme, language="en")  # type: ignore[arg-type]
    shown["png"] = QImage(str(tmp_path / "a.png"))
    shown["svg"] = svg_image(tmp_path / "a.svg")
    shown["svg in Qt"] = qt_svg_image(tmp_path / "a.svg")
    shown["pdf"] = pdf_image(tmp_path / "a.pdf")
    reference = made.ink.theme
    x0, x1, y0, y1 = made.plane.view
    for kind, seen in shown.items():
        assert abs(seen.width() - 2 * SIZE[0]) <= 2 and abs(seen.height() - 2 * SIZE[1]) <= 2, kind
        for (x, y), role in zip(stage.FOUR, ("class0", "class1", "class0", "class1"), strict=True):
            assert near(probe(seen, made, x, y, 2), reference.roles[role].fill, 20), (kind, x, y)  # type: ignore[index]
        for x, y in ((x0 + 0.02, 0.31), (x1 - 0.02, -0.31), (0.31, y1 - 0.02), (-0.13, y0 + 0.02)):
            assert near(probe(seen, made, x, y, 2), probe(shown["png"], made, x, y, 2).name(), 10), (kind, x, y)


def test_the_field_covers_the_plane_whatever_the_shape_of_the_figure(svm: tuple[Picture, Scene]) -> None:
    picture, scene = svm
    for size in ((300, 900), (1200, 300), (640, 480)):
        made = figure.plot(picture, scene, size, theme=LIGHT, language="en")
        field = next(mark for mark in made.layers.behind if isinstance(mark, Field))
        x0, x1, y0, y1 = made.plane.view
        assert field.x[0] <= x0 and field.x[1] >= x1 and field.y[0] <= y0 and field.y[1] >= y1
        sx, sy = made.plane.scale
        assert sx == pytest.approx(sy)


def test_a_figure_shows_the_view_that_is_asked_for(svm: tuple[Picture, Scene]) -> None:
    picture, scene = svm
    made = figure.plot(picture, scene, SIZE, theme=LIGHT, language="en", view=(0.0, 0.5, 0.0, 0.5))
    x0, x1, y0, y1 = made.plane.view
    assert x0 <= 0 and x1 >= 0.5 and min(x1 - x0, y1 - y0) == pytest.approx(0.5)


class TestSVG:
    @pytest.fixture
    def root(self, svm: tuple[Picture, Scene], tmp_path: Path) -> ElementTree.Element:
        figure.render(*svm, tmp_path / "a.svg", SIZE, theme=LIGHT, language="en")
        return ElementTree.parse(tmp_path / "a.svg").getroot()

    def test_text_is_text_in_fonts_with_fallbacks(self, root: ElementTree.Element) -> None:
        texts = {"".join(each.itertext()).strip() for each in root.iter(f"{SVG}text")}
        assert {"class +1", "class −1", "boundary f = 0", "margins f = ±1", "x₁", "x₂", "−1"} <= texts
        assert "decision value f(x)" in texts
        families = {each.get("font-family") for each in root.iter() if each.get("font-family")}
        assert families and all(family.endswith("sans-serif") for family in families)  # type: ignore[union-attr]

    def test_only_the_field_is_an_image(self, root: ElementTree.Element) -> None:
        assert len(list(root.iter(f"{SVG}image"))) == 1

    def test_marks_are_clipped_to_the_plane(self, root: ElementTree.Element) -> None:
        assert len(list(root.iter(f"{SVG}clipPath"))) >= 1
        assert any(each.get("clip-path") for each in root.iter())

    def test_pens_are_plain_and_of_the_width_of_the_style(self, root: ElementTree.Element) -> None:
        widths = {float(each.get("stroke-width")) for each in root.iter()  # type: ignore[arg-type]
                  if each.get("stroke-width") and each.get("stroke") not in (None, "none")}
        assert LIGHT.roles["boundary"].width in widths and max(widths) < 4
        assert not any(each.get("vector-effect") == "non-scaling-stroke" and each.get("stroke") not in (None, "none")
                       for each in root.iter())

    def test_it_has_the_size_in_millimetres_and_pixels(self, root: ElementTree.Element) -> None:
        assert root.get("viewBox") == "0 0 640 480"
        assert float(root.get("width", "").removesuffix("mm")) == pytest.approx(640 * 25.4 / 96, abs=0.2)

    def test_a_regression_has_no_image_at_all(self, tmp_path: Path) -> None:
        scene = stage.scene("gpr")
        figure.render(cold(scene), scene, tmp_path / "a.svg", SIZE, theme=LIGHT, language="en")
        assert "<image" not in (tmp_path / "a.svg").read_text("utf-8")


def plain(text: str) -> str:
    """Return text without spaces and with one form of each character: a font's glyph may stand for several."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


class TestPDF:
    def test_text_can_be_searched_in_every_language(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        for language in LANGUAGES:
            path = tmp_path / f"{language}.pdf"
            figure.render(*svm, path, SIZE, theme=LIGHT, language=language)
            text = output("pdftotext", str(path), "-")
            words = figure.plot(*svm, SIZE, theme=LIGHT, language=language)
            for label in words.legend.texts:
                assert plain(label) in plain(text), (language, label)
            assert "−1" in text

    def test_fonts_are_embedded(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "a.pdf", SIZE, theme=LIGHT, language="en")
        rows = output("pdffonts", str(tmp_path / "a.pdf")).splitlines()[2:]
        assert rows and all(row.split()[-5] == "yes" for row in rows)  # name type encoding emb sub uni object ID

    def test_one_page_of_the_size_asked_for(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "a.pdf", SIZE, theme=LIGHT, language="en")
        info = output("pdfinfo", str(tmp_path / "a.pdf"))
        assert re.search(r"Pages:\s+1\b", info)
        width, height = map(float, re.search(r"Page size:\s+([\d.]+) x ([\d.]+) pts", info).groups())  # type: ignore[union-attr]
        assert (width, height) == (pytest.approx(480, abs=1), pytest.approx(360, abs=1))


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_scale_enlarges_pens_with_everything_else(svm: tuple[Picture, Scene], tmp_path: Path, ending: str) -> None:
    """The boundary, cut along a row of pixels: twice the scale, twice the ink."""
    picture, scene = svm
    made = figure.plot(picture, scene, SIZE, theme=LIGHT, language="en")
    boundary = next(mark for mark in made.layers.behind if mark.role == "boundary").lines[0]  # type: ignore[attr-defined]
    at = boundary[len(boundary) // 3]
    inks = []
    for scale in (1, 2):
        path = tmp_path / f"{scale}.{ending}"
        figure.render(picture, scene, path, SIZE, float(scale), theme=LIGHT, language="en")
        if ending == "png":
            seen = QImage(str(path))
        elif ending == "pdf":
            seen = pdf_image(path, 2)
        else:
            out = path.with_suffix(".png")
            subprocess.run([tool("rsvg-convert"), "-z", "2", str(path), "-o", str(out)], check=True)
            seen = QImage(str(out))
        real = seen.width() / SIZE[0]
        px, py = made.plane.pixels(at[None])[0] * real
        window = [seen.pixelColor(x, y).lightness() < 110 for x in range(int(px - 5 * real), int(px + 5 * real))
                  for y in range(int(py - 5 * real), int(py + 5 * real))]
        inks.append(np.sum(window) / real**2)
    assert inks[0] > 10 and inks[1] == pytest.approx(inks[0], rel=0.25)


def test_an_image_has_the_pixels_asked_for_and_says_its_resolution(svm: tuple[Picture, Scene]) -> None:
    shown = figure.image(*svm, (400, 300), 2.5, theme=LIGHT, language="en")
    assert (shown.width(), shown.height()) == (1000, 750)
    assert shown.dotsPerMeterX() == pytest.approx(96 * 2.5 / 0.0254, abs=1)


def test_the_figure_is_in_the_language_asked_for_not_the_one_in_use(svm: tuple[Picture, Scene]) -> None:
    english, pseudo = (figure.plot(*svm, SIZE, theme=LIGHT, language=language) for language in ("en", "pseudo"))
    assert "class +1" in english.legend.texts and "⟦class +1⟧" in pseudo.legend.texts


def test_a_step_of_the_player_can_be_exported(tmp_path: Path) -> None:
    apart = np.array([[2.0, 2.0], [1.5, 2.5], [-2.0, -1.5], [-1.0, -2.5]])
    scene = stage.scene("perceptron", apart, (0, 0, 1, 1))
    picture = cold(scene)
    last = picture.frames.count - 1  # type: ignore[union-attr]
    finished = figure.image(picture, scene, SIZE, theme=LIGHT, language="en")
    assert finished != figure.image(picture, scene, SIZE, theme=LIGHT, language="en", step=last)


def test_a_scene_without_points_and_one_with_a_problem_are_drawn(tmp_path: Path) -> None:
    for scene in (stage.scene(xy=np.zeros((0, 2)), cls=()), stage.scene(cls=(0, 0, 0, 0)),
                  stage.scene(xy=[[0, 0], [0, 0]], cls=(0, 1), margin="hard")):
        figure.render(cold(scene), scene, tmp_path / "a.svg", theme=LIGHT, language="en")
        assert QSvgRenderer(str(tmp_path / "a.svg")).isValid()


def test_the_clipboard_has_an_image_and_vectors(svm: tuple[Picture, Scene]) -> None:
    board = QGuiApplication.clipboard()
    try:
        figure.copy(*svm, (400, 300), theme=LIGHT, language="en")
        data = board.mimeData()
        assert data.hasImage() and board.image().width() == 800
        assert QSvgRenderer(QByteArray(data.data("image/svg+xml"))).isValid()
    finally:
        board.clear()


class TestUnwritable:
    @pytest.mark.parametrize("name", ["figure", "figure.jpeg", "figure.svgz", "figure."])
    def test_an_unknown_ending_is_named_with_those_there_are(self, svm: tuple[Picture, Scene], tmp_path: Path,
                                                             name: str) -> None:
        with pytest.raises(FileError, match=r"\.png, \.svg or \.pdf") as caught:
            figure.render(*svm, tmp_path / name, theme=LIGHT, language="en")
        assert name in str(caught.value) and not list(tmp_path.iterdir())

    def test_endings_are_the_same_in_capitals(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "A.PNG", theme=LIGHT, language="en")
        assert not QImage(str(tmp_path / "A.PNG")).isNull()

    @pytest.mark.parametrize(("size", "scale"), [((0, 0), 1.0), ((640, 30), 1.0), ((640, 480), 0.0), ((640, 480), -1.0),
                                                 ((640, 480), 100.0), ((640, 480), float("nan"))])
    def test_a_size_that_cannot_be_drawn_is_refused(self, svm: tuple[Picture, Scene], tmp_path: Path,
                                                    size: tuple[int, int], scale: float) -> None:
        with pytest.raises(FileError, match="pixels"):
            figure.render(*svm, tmp_path / "a.png", size, scale, theme=LIGHT, language="en")
        with pytest.raises(FileError):
            figure.image(*svm, size, scale, theme=LIGHT, language="en")

    def test_a_missing_folder_and_a_folder_in_the_way(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        (tmp_path / "taken.pdf").mkdir()
        (tmp_path / "taken.pdf" / "inside").write_text("kept")
        for path, why in ((tmp_path / "missing" / "a.svg", "There is no folder .*missing"),
                          (tmp_path / "taken.pdf", "taken.pdf is a folder")):
            with pytest.raises(FileError, match=why):
                figure.render(*svm, path, theme=LIGHT, language="en")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["taken.pdf"]  # no half-written file is left

    @pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
    def test_the_file_is_readable_by_others_as_any_new_file(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "a.png", theme=LIGHT, language="en")
        (tmp_path / "b").write_text("")
        modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.png", "b")]
        assert modes[0] == modes[1]

    def test_an_old_file_is_replaced_whole(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        path = tmp_path / "a.svg"
        path.write_text("old " * 100_000)
        figure.render(*svm, path, theme=LIGHT, language="en")
        assert path.read_text("utf-8").startswith("<?xml") and len(list(tmp_path.iterdir())) == 1
