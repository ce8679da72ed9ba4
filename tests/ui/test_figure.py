"""Figures opened again by other programs (QtSvg, librsvg, poppler) and measured: places, sizes, letters, colours; what
they say of themselves; and files that cannot be written. One file: all of it needs the same eyes."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import stage
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from stage import near

from kernelplay.compute import cold
from kernelplay.errors import FileError
from kernelplay.figures import DPI, PRESETS, Figure, preset
from kernelplay.i18n import LANGUAGES
from kernelplay.marks import Curve, Field, Picture
from kernelplay.scene import Points, Scene
from kernelplay.ui import figure, page
from kernelplay.ui.theme import LIGHT, Theme

pytestmark = pytest.mark.usefixtures("qapp")

SIZE = (640, 480)
PLAIN = Figure().sized(*SIZE, dpi=192)
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


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_every_format_shows_the_same_picture(svm: tuple[Picture, Scene], tmp_path: Path, theme: str) -> None:
    picture, scene = svm
    wanted = PLAIN.replace("theme", theme)
    made = figure.plot(picture, scene, wanted, language="en")
    shown = {}
    for ending in ("png", "svg", "pdf"):
        figure.render(picture, scene, tmp_path / f"a.{ending}", wanted, language="en")
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
        made = figure.plot(picture, scene, PLAIN.sized(*size), language="en")
        field = next(mark for mark in made.layers.behind if isinstance(mark, Field))
        x0, x1, y0, y1 = made.plane.view
        assert field.x[0] <= x0 and field.x[1] >= x1 and field.y[0] <= y0 and field.y[1] >= y1
        sx, sy = made.plane.scale
        assert sx == pytest.approx(sy)


def test_a_figure_shows_the_view_that_is_asked_for(svm: tuple[Picture, Scene]) -> None:
    picture, scene = svm
    made = figure.plot(picture, scene, PLAIN, language="en", view=(0.0, 0.5, 0.0, 0.5))
    x0, x1, y0, y1 = made.plane.view
    assert x0 <= 0 and x1 >= 0.5 and min(x1 - x0, y1 - y0) == pytest.approx(0.5)


class TestSVG:
    @pytest.fixture
    def root(self, svm: tuple[Picture, Scene], tmp_path: Path) -> ElementTree.Element:
        figure.render(*svm, tmp_path / "a.svg", PLAIN, language="en")
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
        assert (root.get("width"), root.get("height")) == ("640", "480")

    def test_a_regression_has_no_image_at_all(self, tmp_path: Path) -> None:
        scene = stage.scene("gpr")
        figure.render(cold(scene), scene, tmp_path / "a.svg", PLAIN, language="en")
        assert "<image" not in (tmp_path / "a.svg").read_text("utf-8")


def plain(text: str) -> str:
    """Return text without spaces and with one form of each character: a font's glyph may stand for several."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


class TestPDF:
    def test_text_can_be_searched_in_every_language(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        for language in LANGUAGES:
            path = tmp_path / f"{language}.pdf"
            figure.render(*svm, path, PLAIN, language=language)
            text = output("pdftotext", str(path), "-")
            words = figure.plot(*svm, PLAIN, language=language)
            for label in words.legend.texts:
                assert plain(label) in plain(text), (language, label)
            assert "−1" in text

    def test_every_letter_is_the_one_that_was_typed(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        title = "日本語 一人用 大小 金色 두 金 <&> x"
        wanted = preset("square").of(Figure(heading="typed", title=title))
        figure.render(*svm, tmp_path / "a.pdf", wanted, language="ja")
        source = (tmp_path / "a.pdf").read_bytes()
        assert title in output("pdftotext", "-layout", str(tmp_path / "a.pdf"), "-")
        assert b"begincmap" in source and b"<0009>" not in b"".join(re.findall(rb"\[<[^\]]*\]", source))

    def test_fonts_are_embedded(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "a.pdf", PLAIN, language="en")
        rows = output("pdffonts", str(tmp_path / "a.pdf")).splitlines()[2:]
        assert rows and all(row.split()[-5] == "yes" for row in rows)  # name type encoding emb sub uni object ID

    def test_one_page_of_the_size_asked_for(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "a.pdf", PLAIN, language="en")
        info = output("pdfinfo", str(tmp_path / "a.pdf"))
        assert re.search(r"Pages:\s+1\b", info)
        width, height = map(float, re.search(r"Page size:\s+([\d.]+) x ([\d.]+) pts", info).groups())  # type: ignore[union-attr]
        assert (width, height) == (pytest.approx(480, abs=1), pytest.approx(360, abs=1))


def test_an_image_has_the_pixels_asked_for_and_says_its_resolution(svm: tuple[Picture, Scene]) -> None:
    shown = figure.image(*svm, PLAIN.sized(400, 300, dpi=240), language="en")
    assert (shown.width(), shown.height()) == (1000, 750)
    assert shown.dotsPerMeterX() == pytest.approx(240 / 0.0254, abs=1)


def test_the_figure_is_in_the_language_asked_for_not_the_one_in_use(svm: tuple[Picture, Scene]) -> None:
    english, pseudo = (figure.plot(*svm, PLAIN, language=language) for language in ("en", "pseudo"))
    assert "class +1" in english.legend.texts and "⟦class +1⟧" in pseudo.legend.texts


def test_a_step_of_the_player_can_be_exported(tmp_path: Path) -> None:
    apart = np.array([[2.0, 2.0], [1.5, 2.5], [-2.0, -1.5], [-1.0, -2.5]])
    scene = stage.scene("perceptron", apart, (0, 0, 1, 1))
    picture = cold(scene)
    last = picture.frames.count - 1  # type: ignore[union-attr]
    finished = figure.image(picture, scene, PLAIN, language="en")
    assert finished != figure.image(picture, scene, PLAIN, language="en", step=last)


def test_a_scene_without_points_and_one_with_a_problem_are_drawn(tmp_path: Path) -> None:
    for scene in (stage.scene(xy=np.zeros((0, 2)), cls=()), stage.scene(cls=(0, 0, 0, 0)),
                  stage.scene(xy=[[0, 0], [0, 0]], cls=(0, 1), margin="hard")):
        figure.render(cold(scene), scene, tmp_path / "a.svg", language="en")
        assert QSvgRenderer(str(tmp_path / "a.svg")).isValid()


class TestUnwritable:
    @pytest.mark.parametrize("name", ["figure", "figure.jpeg", "figure.svgz", "figure."])
    def test_an_unknown_ending_is_named_with_those_there_are(self, svm: tuple[Picture, Scene], tmp_path: Path,
                                                             name: str) -> None:
        with pytest.raises(FileError, match=r"\.png, \.svg or \.pdf") as caught:
            figure.render(*svm, tmp_path / name, language="en")
        assert name in str(caught.value) and not list(tmp_path.iterdir())

    def test_endings_are_the_same_in_capitals(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "A.PNG", language="en")
        assert not QImage(str(tmp_path / "A.PNG")).isNull()

    def test_a_png_of_too_many_dots_is_refused_and_vectors_are_not(self, svm: tuple[Picture, Scene],
                                                                  tmp_path: Path) -> None:
        wanted = Figure(width="1000mm", height="800mm", dpi=600, font_size=60)
        with pytest.raises(FileError, match="23,622 × 18,898 pixels"):
            figure.render(*svm, tmp_path / "a.png", wanted, language="en")
        with pytest.raises(FileError):
            figure.image(*svm, wanted, language="en")
        figure.render(*svm, tmp_path / "a.svg", wanted, language="en")
        assert ElementTree.parse(tmp_path / "a.svg").getroot().get("width") == "1000mm"

    def test_letters_that_leave_no_room_are_a_sentence(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        with pytest.raises(FileError, match="With a font size of 60 pt there is no room"):
            figure.render(*svm, tmp_path / "a.svg", Figure(width="60mm", height="40mm", font_size=60), language="en")
        assert not list(tmp_path.iterdir())

    def test_a_missing_folder_and_a_folder_in_the_way(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        (tmp_path / "taken.pdf").mkdir()
        (tmp_path / "taken.pdf" / "inside").write_text("kept")
        for path, why in ((tmp_path / "missing" / "a.svg", "Folder .*missing.* not found"),
                          (tmp_path / "taken.pdf", "taken.pdf is a folder")):
            with pytest.raises(FileError, match=why):
                figure.render(*svm, path, language="en")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["taken.pdf"]  # no half-written file is left

    @pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
    def test_the_file_is_readable_by_others_as_any_new_file(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        figure.render(*svm, tmp_path / "a.png", language="en")
        (tmp_path / "b").write_text("")
        modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.png", "b")]
        assert modes[0] == modes[1]

    def test_an_old_file_is_replaced_whole(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        path = tmp_path / "a.svg"
        path.write_text("old " * 100_000)
        figure.render(*svm, path, language="en")
        assert path.read_text("utf-8").startswith("<?xml") and len(list(tmp_path.iterdir())) == 1


def dots(shown: QImage) -> np.ndarray:
    """Return the colours (height, width, 3) of an image, red first."""
    shown = shown.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.bytesPerLine() // 4, 4)
    return rows[:, :shown.width(), 2::-1].astype(int)


class Page:
    """A file opened by another program, in dots of `dpi`, and the plot that should be on it."""

    def __init__(self, seen: QImage, made: object, wanted: Figure, dpi: float) -> None:
        self.seen, self.made, self.wanted = seen, made, wanted
        self.dots = dots(seen)
        self.scale = dpi / DPI * page.zoom(wanted)  # dots for each pixel of the plot

    def dot(self, x: float, y: float) -> tuple[float, float]:
        px, py = self.made.plane.pixels(np.array([[x, y]]))[0]  # type: ignore[attr-defined]
        return float(px * self.scale), float(py * self.scale)

    def ink(self, x0: float, x1: float, y0: float, y1: float, colour: str, tolerance: int = 60) -> np.ndarray:
        """Return rows of (x, y) of the centres of the dots of this colour inside a rectangle of dots."""
        wanted = np.array(QColor(colour).getRgb()[:3])
        rows, columns = slice(max(int(y0), 0), int(y1)), slice(max(int(x0), 0), int(x1))
        y, x = np.nonzero((np.abs(self.dots[rows, columns] - wanted) <= tolerance).all(axis=2))
        return np.column_stack([x + columns.start, y + rows.start]) + 0.5


def opened(path: Path, made: object, wanted: Figure, dpi: float = 288.0) -> Iterator[tuple[str, Page]]:
    """Give the pages that the programs which are installed make of a file."""
    width, height = (round(side * dpi / DPI) for side in wanted.size)
    if path.suffix == ".png":
        yield "png", Page(QImage(str(path)), made, wanted, wanted.dpi)
    elif path.suffix == ".pdf":
        out = path.with_suffix("")
        subprocess.run([tool("pdftoppm"), "-r", str(dpi), "-png", "-singlefile", str(path), str(out)], check=True)
        yield "pdftoppm", Page(QImage(f"{out}.png"), made, wanted, dpi)
    else:
        renderer = QSvgRenderer(str(path))
        seen = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        seen.fill(QColor("white"))
        painter = QPainter(seen)
        renderer.render(painter, QRectF(0, 0, *(side * dpi / DPI for side in wanted.size)))
        painter.end()
        yield "QtSvg", Page(seen, made, wanted, dpi)
        if shutil.which("rsvg-convert"):
            out = path.with_suffix(".rsvg.png")
            size = ["-w", str(width)] if wanted.width.unit == "px" else ["-d", str(dpi), "-p", str(dpi)]
            subprocess.run(["rsvg-convert", *size, str(path), "-o", str(out)], check=True)
            yield "rsvg", Page(QImage(str(out)), made, wanted, dpi)


def marks_lie_where_their_data_say(seen: Page, theme: Theme) -> None:
    """Look at the four points, the boundary on a row, and the frame; each within half a pixel of the plot."""
    half = 0.5 * seen.scale
    for (x, y), role in zip(stage.FOUR, ("class0", "class1", "class0", "class1"), strict=True):
        cx, cy = seen.dot(x, y)
        reach = 9 * seen.scale
        found = seen.ink(cx - reach, cx + reach + 1, cy - reach, cy + reach + 1, theme.roles[role].fill)
        assert len(found) > 4 * seen.scale**2
        off = found.mean(axis=0) - (cx, cy)
        assert np.abs(off).max() <= half, (x, y, off / seen.scale)
    plane = seen.made.plane  # type: ignore[attr-defined]
    middle = (plane.top + plane.height * 0.55) * seen.scale
    for edge in (plane.left, plane.right):
        found = seen.ink((edge - 3) * seen.scale, (edge + 4) * seen.scale, middle, middle + 1, theme.frame, 90)
        assert len(found) and abs(found[:, 0].mean() / seen.scale - edge - 0.5) <= 1.0


def boundary_lies_on_its_curve(seen: Page, theme: Theme) -> None:
    lines = next(mark for mark in seen.made.layers.behind  # type: ignore[attr-defined]
                 if isinstance(mark, Curve) and mark.role == "boundary").lines
    at = seen.made.plane.pixels(lines[0][len(lines[0]) // 3][None])[0] * seen.scale  # type: ignore[attr-defined]
    reach = 5 * seen.scale
    found = seen.ink(at[0] - reach, at[0] + reach, at[1] - reach, at[1] + reach, theme.roles["boundary"].line, 70)
    curve = np.vstack([seen.made.plane.pixels(line) for line in lines]) * seen.scale  # type: ignore[attr-defined]
    dense = np.vstack([curve[:-1] + share * np.diff(curve, axis=0) for share in np.linspace(0, 1, 5)])
    apart = np.hypot(*(found[:, None] - dense).transpose(2, 0, 1)).min(axis=1)
    width = theme.roles["boundary"].width * seen.scale
    assert len(found) > 4 * seen.scale**2 and apart.max() <= width / 2 + seen.scale


SHAPES = {
    "window": Figure(), "millimetres": Figure(width="85mm", height="76.3mm", font_size=8.0, theme="print"),
    "inches": Figure(width="6.25in", height="3.3in", font_size=14.0, theme="dark", legend="right", heading="typed",
                     title="한국어 日本語"),
    "square below": Figure(width="120mm", height="120mm", legend="below", colour_bar=False, line_scale=1.0, dpi=300),
    "corner": Figure(width="500px", height="600px", legend="bottom left", dpi=96, axes="none", text="outlines"),
}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
@pytest.mark.parametrize("shape", SHAPES)
def test_marks_lie_where_their_data_say(svm: tuple[Picture, Scene], tmp_path: Path, shape: str, ending: str) -> None:
    picture, scene = svm
    wanted = SHAPES[shape].replace("hide", ("support", "slack", "errors", "field", "margins", "contours"))
    made = figure.plot(picture, scene, wanted, language="en")
    path = tmp_path / f"a.{ending}"
    figure.render(picture, scene, path, wanted, language="en")
    looked = 0
    for program, seen in opened(path, made, wanted):
        width, height = (side * seen.scale for side in page.room(wanted))
        assert abs(seen.seen.width() - width) <= 1 and abs(seen.seen.height() - height) <= 1, program
        if not made.legend_rect.contains(made.plane.left + 1, made.plane.top + 1):
            marks_lie_where_their_data_say(seen, made.theme)
            boundary_lies_on_its_curve(seen, made.theme)
        looked += 1
    assert looked


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("language", [*LANGUAGES, "pseudo"])
def test_nothing_is_cut_off_and_the_legend_covers_no_point(svm: tuple[Picture, Scene], name: str,
                                                           language: str) -> None:
    picture, scene = svm
    wanted = preset(name).of(Figure())
    made = figure.plot(picture, scene, wanted, language=language)
    width, height = page.room(wanted)
    assert QRectF(0, 0, width, height).contains(made.legend_rect) and not made.legend.folded
    assert made.legend.shrink == 1.0, "the letters of the legend are as large as the others"
    for x, y in made.plane.pixels(scene.points.xy):
        assert not made.legend_rect.contains(float(x), float(y))
    assert min(made.plane.width, made.plane.height) >= 0.4 * min(width, height)
    seen = dots(page.image(made, wanted, (round(width), round(height))))
    for edge in (seen[0], seen[-1], seen[:, 0], seen[:, -1]):
        assert (edge == seen[0, 0]).all(), "nothing reaches the edge of the page"


class TestLetters:
    @pytest.mark.parametrize("points", [6.0, 8.0, 9.5, 24.0])
    def test_they_have_the_size_in_points_that_was_asked_for(self, svm: tuple[Picture, Scene], tmp_path: Path,
                                                             points: float) -> None:
        wanted = Figure(width="200mm", height="160mm", font_size=points)
        figure.render(*svm, tmp_path / "a.svg", wanted, language="en")
        root = ElementTree.parse(tmp_path / "a.svg").getroot()
        units = float(root.get("viewBox", "").split()[2])
        text = next(each for each in root.iter(f"{SVG}text")
                    if re.fullmatch(r"−?[0-9.]+", "".join(each.itertext()).strip()))
        assert float(text.get("font-size", "")) / units * 200 / 25.4 * 72 == pytest.approx(points, rel=1e-4)
        figure.render(*svm, tmp_path / "a.pdf", wanted, language="en")
        boxes = output("pdftotext", "-bbox", str(tmp_path / "a.pdf"), "-")
        low, high = map(float, re.search(r'yMin="([\d.]+)"[^>]*yMax="([\d.]+)">class<', boxes).groups())  # type: ignore[union-attr]
        assert points <= high - low <= 1.5 * points

    def test_outlines_are_shapes_in_the_place_of_the_text(self, svm: tuple[Picture, Scene], tmp_path: Path) -> None:
        shown = {}
        for text in ("text", "outlines"):
            wanted = PLAIN.replace("text", text)
            figure.render(*svm, tmp_path / f"{text}.svg", wanted, language="ko")
            figure.render(*svm, tmp_path / f"{text}.pdf", wanted, language="ko")
            shown[text] = svg_image(tmp_path / f"{text}.svg")
        assert "<text" not in (tmp_path / "outlines.svg").read_text("utf-8")
        assert not output("pdftotext", str(tmp_path / "outlines.pdf"), "-").strip()
        assert not output("pdffonts", str(tmp_path / "outlines.pdf")).splitlines()[2:]
        made = figure.plot(*svm, PLAIN, language="ko")
        rect = made.legend_rect
        inside = slice(int(2 * rect.top()), int(2 * rect.bottom())), slice(int(2 * rect.left()), int(2 * rect.right()))
        dark = [np.argwhere(dots(seen)[inside].max(axis=2) < 110) for seen in shown.values()]
        assert dark[0].mean(axis=0) == pytest.approx(dark[1].mean(axis=0), abs=2.0)
        assert len(dark[0]) == pytest.approx(len(dark[1]), rel=0.15)

    @pytest.mark.parametrize("font", ["helvetica", "times", "latin modern"])
    def test_another_font_is_written_with_families_to_fall_back_to(self, svm: tuple[Picture, Scene], tmp_path: Path,
                                                                   font: str) -> None:
        figure.render(*svm, tmp_path / "a.svg", PLAIN.replace("font", font), language="ja")
        source = (tmp_path / "a.svg").read_text("utf-8")
        assert source.count("font-family") > 5 and "Inter" not in re.sub(r'"[^"]*Helvetica[^"]*"', "", source)
        assert ('sans-serif"' in source) == (font == "helvetica")


class TestSaid:
    def test_title_and_description_are_in_the_file_and_name_what_is_seen(self, svm: tuple[Picture, Scene],
                                                                         tmp_path: Path) -> None:
        wanted = PLAIN.with_values({"title": "A < B & \"C\" 한 ]]>"})
        for language in ("en", "ko"):
            figure.render(*svm, tmp_path / "a.svg", wanted, language=language)
            root = ElementTree.parse(tmp_path / "a.svg").getroot()
            title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
            assert title is not None and title.text == wanted.title
            assert description is not None and svm[0].status.text(language) in (description.text or "")
            assert root.get("role") == "img"
            assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
            assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == language
        figure.render(*svm, tmp_path / "a.png", wanted, language="en")
        assert QImage(str(tmp_path / "a.png")).text("Title") == wanted.title
        figure.render(*svm, tmp_path / "a.pdf", wanted, language="en")
        assert wanted.title in output("pdfinfo", str(tmp_path / "a.pdf"))

    @pytest.mark.parametrize("name", ["a\0b", "\ud800", "tab\tline\n", "\x1b[0m", "\uffff", "<&>\"'", "\u202e"])
    def test_names_that_no_file_can_hold_are_drawn_without_what_it_cannot(self, tmp_path: Path, name: str) -> None:
        scene = stage.scene()
        scene = replace(scene, classification=replace(scene.points, names=(name, name)), classes=(name, "−1"),
                        title=name)
        wanted = PLAIN.with_values({"title": name, "x_label": name})
        for ending in ("svg", "pdf", "png"):
            figure.render(cold(scene), scene, tmp_path / f"a.{ending}", wanted, language="en")
        ElementTree.parse(tmp_path / "a.svg")
        assert QSvgRenderer(str(tmp_path / "a.svg")).isValid()


def test_a_transparent_figure_has_no_ground(svm: tuple[Picture, Scene], tmp_path: Path) -> None:
    wanted = PLAIN.with_values({"transparent": True, "hide": ("field", "legend")})
    made = figure.plot(*svm, wanted, language="en")
    figure.render(*svm, tmp_path / "a.png", wanted, language="en")
    figure.render(*svm, tmp_path / "a.svg", wanted, language="en")
    seen = {"png": QImage(str(tmp_path / "a.png"))}
    if shutil.which("rsvg-convert"):
        subprocess.run(["rsvg-convert", "-w", "1280", str(tmp_path / "a.svg"), "-o", str(tmp_path / "b.png")],
                       check=True)
        seen["svg"] = QImage(str(tmp_path / "b.png"))
    for kind, shown in seen.items():
        assert shown.pixelColor(3, 3).alpha() == 0, kind
        x, y = made.plane.pixels(np.array([[1.35, 0.4]]))[0] * 2
        assert shown.pixelColor(int(x), int(y)).alpha() <= 40, kind  # the grid, at most
        x, y = made.plane.pixels(stage.FOUR[:1])[0] * 2
        assert shown.pixelColor(int(x), int(y)).alpha() == 255, kind
    whole = figure.image(*svm, PLAIN, language="en")
    assert not whole.hasAlphaChannel()


def test_layers_are_left_out_and_brought_back(svm: tuple[Picture, Scene]) -> None:
    picture, scene = svm
    made = figure.plot(picture, scene, PLAIN.replace("hide", ("field", "support", "points")), language="en")
    assert {mark.layer for mark in made.layers.marks}.isdisjoint({"field", "support", "points"})
    bare = replace(scene, hidden=frozenset({"field", "support"}))
    made = figure.plot(cold(bare), bare, PLAIN.replace("show", ("field",)), language="en")
    assert "field" in {mark.layer for mark in made.layers.marks}
    assert "support" not in {mark.layer for mark in made.layers.marks}
    for wanted in (PLAIN.replace("legend", "none"), PLAIN.replace("hide", ("legend",))):
        assert figure.plot(picture, scene, wanted, language="en").legend_rect.isEmpty()


def test_the_legend_stands_where_it_is_asked_for(svm: tuple[Picture, Scene]) -> None:
    picture, scene = svm
    rects = {}
    for place in ("top left", "top right", "bottom left", "bottom right", "right", "below"):
        made = figure.plot(picture, scene, PLAIN.replace("legend", place), language="en")
        made.arrange_legend()
        plane, rect = made.plane, made.legend_rect
        rects[place] = rect
        if place == "right":
            bar = made._bar.width(made.layers.field)  # type: ignore[arg-type]
            assert plane.right + bar < rect.left() and rect.right() <= SIZE[0]
        elif place == "below":
            assert rect.top() > plane.bottom
        else:
            assert (rect.center().x() > plane.left + plane.width / 2) == place.endswith("right")
            assert (rect.center().y() > plane.top + plane.height / 2) == place.startswith("bottom")
    assert len({(rect.left(), rect.top()) for rect in rects.values()}) == 6


def test_the_same_figure_comes_of_a_scene_whatever_was_looked_at_before(svm: tuple[Picture, Scene],
                                                                       tmp_path: Path) -> None:
    picture, scene = svm
    wanted = PLAIN.sized(900, 300)
    elsewhere = cold(scene, view=(-9.0, 9.0, 3.0, 4.0), aspect=0.2)
    one, other = (figure.image(each, scene, wanted, language="en") for each in (picture, elsewhere))
    assert one == other


def test_print_keeps_the_classes_apart_in_grey(svm: tuple[Picture, Scene]) -> None:
    look = figure.look(Figure(theme="print"), LIGHT)

    def grey(colour: str) -> float:
        return float(QColor(colour).convertTo(QColor.Spec.Rgb).lightness())

    assert abs(grey(look.roles["class0"].fill) - grey(look.roles["class1"].fill)) > 50
    assert abs(grey(look.ends("class0")) - grey(look.ends("class1"))) > 30
    assert look.paper == "#FFFFFF" and look.frame == look.text == "#000000"


def test_lines_and_symbols_alone_grow_with_their_scale(svm: tuple[Picture, Scene]) -> None:
    counts = []
    for scale in (1.0, 2.0):
        wanted = PLAIN.with_values({"line_scale": scale, "hide": ("field", "legend", "support", "errors", "slack")})
        made = figure.plot(*svm, wanted, language="en")
        seen = Page(page.image(made, wanted), made, wanted, wanted.dpi)
        x, y = seen.dot(*stage.FOUR[0])
        counts.append(len(seen.ink(x - 40, x + 40, y - 40, y + 40, made.theme.roles["class0"].fill, 30)))
        assert made.axes.theme.zoom == 1.0
    assert counts[1] == pytest.approx(4 * counts[0], rel=0.3)


@pytest.mark.parametrize("write", [page.png, page.svg, page.pdf])
def test_a_drawing_that_is_broken_off_is_ended(svm: tuple[Picture, Scene], write: Callable[..., bytes],
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    made = figure.plot(*svm, PLAIN, language="en")
    painters: list[QPainter] = []

    def broken_off(painter: QPainter, **_: bool) -> None:
        painters.append(painter)
        assert painter.isActive()
        raise KeyboardInterrupt

    monkeypatch.setattr(made, "draw", broken_off)  # a signal arrives: Qt crashes if a painter outlives its page
    with pytest.raises(KeyboardInterrupt):
        write(made, PLAIN, page.Told("t", "d", "en"))
    assert [painter.isActive() for painter in painters] == [False]


def test_strips_leave_no_seams(svm: tuple[Picture, Scene], monkeypatch: pytest.MonkeyPatch) -> None:
    made = figure.plot(*svm, PLAIN, language="en")
    in_strips = page.image(made, PLAIN)
    monkeypatch.setattr(page, "STRIP", 10**9)
    whole = page.image(made, PLAIN)
    one, other = (np.frombuffer(each.constBits(), np.uint8).astype(int) for each in (in_strips, whole))
    assert np.abs(one - other).max() <= 3


def test_a_class_of_every_look_is_drawn_in_print(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scene = Scene(classes=tuple("abcdefgh")).with_points(Points(rng.normal(size=(24, 2)), np.arange(24) % 8))
    wanted = preset("paper").of(Figure())
    figure.render(cold(scene), scene, tmp_path / "a.pdf", wanted, language="en")
    text = output("pdftotext", str(tmp_path / "a.pdf"), "-")
    assert all(f"class {each}" in text for each in "abcdefgh")
