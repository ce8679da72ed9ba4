"""What is shipped: the wheel, the source archive, the README and the gate say the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import kernelplay

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SHIPPED = ("data", "fonts", "i18n", "icons", "scenes")  # of assets; the pictures are the README's


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)],
                   cwd=ROOT, check=True, capture_output=True, timeout=120)
    return folder


def files(*folders: str, root: Path = ROOT) -> set[str]:
    return {str(file.relative_to(root)) for folder in folders for file in (root / folder).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts}


def test_the_wheel_holds_the_package_and_its_assets_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        scripts = wheel.read(next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))).decode()
        licence = [name for name in wheel.namelist() if name.endswith("LICENSE")]
    assets = {f"kernelplay/{name}" for name in files(*(f"assets/{folder}" for folder in SHIPPED))}
    assert len(assets) > 20
    assert names == files("kernelplay") | assets
    assert "kernelplay = kernelplay.__main__:main" in scripts and licence


def test_every_folder_of_assets_is_shipped_or_is_for_the_readme() -> None:
    assert {path.name for path in (ROOT / "assets").iterdir()} == {*SHIPPED, "pictures"}


def test_the_source_archive_can_be_built_and_tested(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert files("kernelplay", "assets", "tests") <= names
    assert {"LICENSE", "README.md", "pyproject.toml"} <= names


def test_an_installed_wheel_finds_its_assets(built: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    code = """import kernelplay.assets, kernelplay.examples
print(kernelplay.assets.asset("i18n", "ko.json"))
print(len(kernelplay.examples.examples()[0].scene().points))"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          env=os.environ | {"PYTHONPATH": str(tmp_path / "site")})
    place, points = done.stdout.split()
    assert Path(place) == tmp_path / "site/kernelplay/assets/i18n/ko.json" and int(points) > 10


def test_the_version_is_said_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"] and re.fullmatch(r"\d+\.\d+\.\d+", kernelplay.__version__)


def test_the_readme_has_two_commands_for_each_system() -> None:
    commands = [line for line in README.splitlines() if re.match(r"(python3|py) -m venv ", line)]
    assert len(commands) == 4
    for posix, windows in zip(commands[:2], commands[2:], strict=True):
        as_windows = posix.replace("python3 -m", "py -m").replace(".venv/bin/", ".venv\\Scripts\\").replace("'", "")
        assert as_windows == windows


def test_the_gate_runs_the_test_command_of_the_readme() -> None:
    gate = ROOT / ".ci" / "run"
    assert os.access(gate, os.X_OK)
    pattern = re.search(r"grep -m1 '(\S.*?)' README\.md", gate.read_text("utf-8"))
    assert pattern is not None
    found = [line for line in README.splitlines() if re.search(pattern[1], line)]
    assert len(found) == 1 and "pip install -e '.[test]'" in found[0]


def test_the_readme_names_the_libraries_that_the_gate_installs() -> None:
    gate = (ROOT / ".ci" / "run").read_text("utf-8")
    libraries = set(re.findall(r"\blib(?:xcb|xkb|egl|gl|dbus|fontconfig)[\w-]*", gate))
    assert len(libraries) > 10 and all(library in README for library in libraries)


def test_the_pictures_of_the_readme_are_made_by_the_commands_beside_them(tmp_path: Path) -> None:
    shown = re.findall(r"!\[[^\]]+\]\((assets/pictures/\w+\.png)\)", README)
    commands = re.findall(r"^    kernelplay (render .*)$", README, re.M)
    assert len(shown) == 2 and len(commands) == 2
    for picture, command in zip(shown, commands, strict=True):
        words = command.split()
        assert words[words.index("-o") + 1] == picture
        words[words.index("-o") + 1] = str(tmp_path / "again.png")
        subprocess.run([sys.executable, "-m", "kernelplay", *words], check=True, timeout=60)
        old, new = (ROOT / picture).read_bytes(), (tmp_path / "again.png").read_bytes()
        assert old[:8] == new[:8] == b"\x89PNG\r\n\x1a\n" and old[16:24] == new[16:24], "another size"


def test_the_kernel_of_the_readme_is_a_kernel() -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", README, re.S) if "class Cauchy" in block)
    names: dict[str, object] = {}
    exec("from dataclasses import dataclass\nfrom kernelplay.i18n import say\n"
         "from kernelplay.kernels.base import Kernel\nfrom kernelplay.spec import real\n" + code, names)
    kernel = names["Cauchy"](length=2.0)  # type: ignore[operator]
    assert kernel.gram([[0.0], [2.0]]).tolist() == [[1.0, 0.5], [0.5, 1.0]] and kernel.psd
