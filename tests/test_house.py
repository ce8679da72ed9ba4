"""The plan of the house: one direction of imports, Qt in one place, one file for a new thing."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kernelplay

PACKAGE = Path(kernelplay.__file__).parent
ROOT = PACKAGE.parent
# a module may import those on its left, and its own neighbours inside a folder
ORDER = ["assets", "i18n", "errors", "files", "locks", "arrays", "formula", "notation", "spec", "figures", "marks",
         "numerics", "kernels", "notation_tex", "models", "scene", "history", "migrations", "scene_reader", "session",
         "recovery", "link", "reading", "cells", "measures", "svmlight", "faults", "class_names", "headings", "guess",
         "units", "tables", "columns", "arrival", "datasets", "examples", "tools", "sweep", "animations", "compute",
         "turn", "latest", "scripts", "latex", "as_code", "writing", "arguments", "share", "report", "values",
         "offscreen", "api", "animate_command", "cli", "__main__"]
ROOMS = ["theme", "paint", "store", "canvas", "forms", "player", "readout", "views", "figure", "dialogs", "window",
         "desk", "app"]
QT = {"PySide6", "pyqtgraph", "shiboken6"}
# reached inside the function that needs it
DOORS = {("cli", "ui"), ("api", "ui"), ("animate_command", "ui"), ("offscreen", "ui")}


def modules() -> list[tuple[str, Path]]:
    """Return (dotted name below the package, file) of every module; a package itself ends with its folder's name."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), file))
    return found


def imports(file: Path) -> Iterator[tuple[str, int, bool]]:
    """Give every imported module of a file that is loaded at run time: its full name, the line, whether at the top."""
    tree = ast.parse(file.read_text("utf-8"))
    typing_only = {id(inner) for node in ast.walk(tree)
                   if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
                   for statement in node.body for inner in ast.walk(statement)}
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, node in tree.body
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}:{node.lineno}: write the import with its full name"
            yield str(node.module), node.lineno, node in tree.body
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno, node in tree.body


def inner(name: str) -> str | None:
    """Return what an import names inside the package, if it is a module there."""
    if not name.startswith("kernelplay."):
        return None
    path = PACKAGE.joinpath(*name.split(".")[1:])
    return name.removeprefix("kernelplay.") if path.with_suffix(".py").exists() or path.is_dir() else None


def test_every_module_has_its_place_in_the_order() -> None:
    top = {name.partition(".")[0] for name, _ in modules()} - {"", "ui"}
    assert top == set(ORDER)


def test_imports_run_one_way() -> None:
    wrong = []
    for module, file in modules():
        here = module.partition(".")[0]
        if here in ("", "ui"):
            continue
        for name, line, at_top in imports(file):
            there = (inner(name) or "").partition(".")[0]
            if there == "ui":
                if (here, there) not in DOORS or at_top:
                    wrong.append(f"{module}:{line} imports {name}, but the window comes last")
            elif there and ORDER.index(there) > ORDER.index(here):
                wrong.append(f"{module}:{line} imports {name}, which comes after it")
    assert not wrong, "\n".join(wrong)


def test_imports_in_the_window_run_one_way() -> None:
    wrong = []
    for module, file in modules():
        here = module.removeprefix("ui.")
        if not module.startswith("ui.") or here not in ROOMS:
            continue
        for name, line, _ in imports(file):
            there = (inner(name) or "").removeprefix("ui.")
            if there in ROOMS and ROOMS.index(there) > ROOMS.index(here):
                wrong.append(f"{module}:{line} imports {name}, which comes after it")
            if there in ("cli", "api"):
                wrong.append(f"{module}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_no_two_modules_import_each_other() -> None:
    edges = {module: {there for name, _, at_top in imports(file)
                      if at_top and (there := inner(name)) and there != module} for module, file in modules()}
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " -> ".join((*above, module))
        if module not in done:
            for there in sorted(edges.get(module, ())):
                visit(there, (*above, module))
            done.add(module)

    for module in edges:
        visit(module, ())


def test_qt_is_imported_in_the_window_alone_and_cvxopt_behind_one_door() -> None:
    doors: dict[str, set[str]] = {"cvxopt": set(), "contourpy": set()}
    for module, file in modules():
        for name, line, _ in imports(file):
            library = name.partition(".")[0]
            assert library not in QT or module.startswith("ui."), f"{module}:{line} imports {name}"
            assert library not in ("sklearn", "pytest", "hypothesis", "matplotlib"), f"{module}:{line} imports {name}"
            if library in doors:
                doors[library].add(module)
    assert all(len(modules) == 1 and next(iter(modules)).startswith("numerics.") for modules in doors.values()), doors


def test_no_module_is_named_for_nothing() -> None:
    names = {part for module, _ in modules() for part in module.split(".")}
    assert not names & {"utils", "util", "helper", "helpers", "manager", "managers", "common", "misc"}


def python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=120,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"} | environment)


def test_importing_the_library_loads_nothing_heavy() -> None:
    code = """import sys, kernelplay
dir(kernelplay)
print([name for name in ('numpy', 'scipy', 'PySide6') if name in sys.modules])"""
    assert python(code).stdout.strip() == "[]"


def test_models_are_known_before_scipy_cvxopt_and_contourpy_are_loaded() -> None:
    code = """import sys
from kernelplay.spec import kinds
from kernelplay.compute import cold
for kind in ('kernel', 'model', 'dataset'):
    kinds(kind)
print([name for name in ('scipy', 'cvxopt', 'contourpy') if name in sys.modules])"""
    assert python(code).stdout.strip() == "[]", "start-up would pay for them"


def test_a_window_opens_before_what_only_its_dialogs_need_is_loaded(tmp_path: Path) -> None:
    code = """import sys
from kernelplay.ui import app
application = app.application(["kernelplay"])
window = app.start(None, "en", "light")
late = ("scipy", "cvxopt", "contourpy", "PIL")
inside = ("dialog", "figure", "figures", "page", "writing", "tables", "columns", "arrival", "guess", "class_names",
          "svmlight", "cells", "scripts", "latex", "as_code", "animate_command", "animation", "animations", "sweep",
          "share", "report", "arguments", "history_panel", "import_form", "filmstrip", "animator", "text_dialog", "cli",
          "api")
print(sorted(name for name in sys.modules if name.split(".")[0] in late and "." not in name
             or name.startswith("kernelplay") and (name.split(".")[-1] in inside or name.endswith("dialog"))))
window.store.close()  # it was not shown, so nothing was fitted yet
"""
    folders = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    assert python(code, QT_QPA_PLATFORM="offscreen", **folders).stdout.strip() == "[]", "start-up would pay for them"


def test_every_model_is_fitted_and_drawn_where_no_qt_module_is_loaded() -> None:
    code = """import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('PySide6', 'pyqtgraph', 'shiboken6'):
            raise ImportError(f'{name} was asked for')
sys.meta_path.insert(0, NoQt())
from kernelplay.compute import cold
from kernelplay.examples import examples
from kernelplay.spec import kinds
scenes = {example.scene().task: example.scene() for example in examples()[::-1]}
for key, model in kinds('model').items():
    picture = cold(scenes[model.task].with_model(key), resolution=12)
    assert picture.fit is not None, (key, str(picture.problem))
    if picture.frames is not None:
        picture.frames.at(0)
    print(key, [name for name in sys.modules if name.partition('.')[0] in ('PySide6', 'pyqtgraph', 'shiboken6')])"""
    done = python(code)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) >= 6 and all(line.endswith(" []") for line in lines), done.stdout


KERNEL = '''from __future__ import annotations
from dataclasses import dataclass
import numpy as np
from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.spec import real

@dataclass(frozen=True)
class Cauchy(Kernel):
    """k(x, x') = 1 / (1 + |x - x'|^2 / l^2)."""
    key = "throwaway_kernel"
    label = say("Cauchy")
    about = say("Long tails.")
    length: float = real(1.0, 0.1, 10.0, log=True, symbol="l", label=say("Length"), help=say("Higher: flatter."))

    def __call__(self, X: Array, Z: Array) -> Array:
        squared = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
        return 1 / (1 + squared / self.length**2)

    @property
    def psd(self) -> bool:
        return True

    def expression(self, x: str, z: str) -> str:
        return f"1/(1 + |{x} - {z}|2/l2)"
'''
MODEL = '''from __future__ import annotations
from dataclasses import dataclass
import numpy as np
from kernelplay.arrays import inputs
from kernelplay.i18n import number, say, verbatim
from kernelplay.marks import Chart, Readout, read_only
from kernelplay.models.base import Certificate, Fit, Model, Residual, checked, no_deviation, nothing
from kernelplay.spec import real

@dataclass(frozen=True)
class Smoother(Model):
    """Kernel smoothing by ridge: (K + lambda I) a = t."""
    key = "throwaway_model"
    label = say("Smoother")
    about = say("A throw-away.")
    task = "regression"
    ridge: float = real(0.1, 1e-6, 10.0, log=True, symbol="r", label=say("Ridge"), help=say("Higher: flatter."))

    @property
    def formula(self):
        return ("a = (K + r I)^-1 t",)

    def fit(self, X, y, *, labels=None, check=nothing, last=None):
        X, t, _ = checked(self, X, y, labels)
        check()
        kernel = self.kernel.bind(X)
        a = np.linalg.solve(kernel(X, X) + self.ridge * np.eye(len(X)), t)
        fit = SmootherFit(self, kernel, X, t, (), Certificate(()), (), read_only(a))
        object.__setattr__(fit, "certificate", fit.certify(a))
        return fit

@dataclass(frozen=True, eq=False)
class SmootherFit(Fit):
    a: object

    @property
    def variables(self):
        return self.a

    def certify(self, variables):
        rest = self.K @ variables + self.model.ridge * variables - self.y
        scale = max(float(np.abs(self.y).max()), 1e-300)
        return Certificate((Residual("residual", say("Residual"), float(np.abs(rest).max()) / scale),))

    def decision_function(self, Z):
        return self.kernel(inputs(Z, self.X.shape[1]), self.X) @ self.a

    def predict(self, Z, return_std=False):
        no_deviation(return_std)
        return self.decision_function(Z)

    def status(self):
        return say("Smoothed.")

    def readouts(self):
        return (Readout("norm", say("Norm"), verbatim(number(float(np.linalg.norm(self.a)))), 1.0),)

    def charts(self, view, check=nothing):
        return (Chart("canvas", verbatim(""), ()),)
'''
FINDS = """
import json, os, sys
import kernelplay.kernels, kernelplay.models
kernelplay.kernels.__path__.append(os.environ["THROWAWAY_KERNELS"])
kernelplay.models.__path__.append(os.environ["THROWAWAY_MODELS"])
"""


@pytest.fixture(scope="module")
def throwaway(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One new file for a kernel and one for a model, in folders of their own, and a plug-in that makes them known."""
    folder = tmp_path_factory.mktemp("throwaway")
    for name, text in (("kernels", KERNEL), ("models", MODEL)):
        (folder / name).mkdir()
        (folder / name / f"throwaway_{name}.py").write_text(text, "utf-8")
    (folder / "throwaway_plugin.py").write_text(FINDS, "utf-8")
    return {"THROWAWAY_KERNELS": str(folder / "kernels"), "THROWAWAY_MODELS": str(folder / "models"),
            "PYTHONPATH": str(folder), "QT_QPA_PLATFORM": "offscreen"}


def test_one_file_each_is_found_by_command_line_and_session(throwaway: dict[str, str], tmp_path: Path) -> None:
    table = tmp_path / "curve.csv"
    table.write_text("x,t\n0,0\n1,1\n2,0\n3,1\n")
    run = FINDS + "from kernelplay.cli import main; sys.exit(main(sys.argv[1:]))"
    for what in ("kernel", "model"):
        listed = python(run, "list", f"{what}s", "--json", **throwaway)
        entry = next(item for item in json.loads(listed.stdout) if item["name"] == f"throwaway_{what}")
        assert {item["name"] for item in entry["parameters"]} >= {"length" if what == "kernel" else "ridge"}
    fitted = python(run, "fit", str(table), "--model", "throwaway_model", "--kernel", "throwaway_kernel(length=2)",
                    "--set", "ridge=0,5", "--set", "kernel.length=3", "--json", **throwaway)
    result = json.loads(fitted.stdout)
    kernel = {"name": "throwaway_kernel", "length": 3.0}
    assert result["model"] == {"name": "throwaway_model", "kernel": kernel, "ridge": 0.5}
    assert result["certificate"]["holds"]
    refused = python(run, "fit", str(table), "--model", "throwaway_model", "--set", "ridge=-1", **throwaway)
    assert refused.returncode == 2 and "ridge cannot be" in refused.stderr
    saved = python(FINDS + f"""
import kernelplay as kp
scene = kp.Scene().with_model("throwaway_model").with_value("kernel", kp.kernel("throwaway_kernel", length=4.0))
kp.save(scene, {str(tmp_path / 'A.kplay')!r})
print(kp.load({str(tmp_path / 'A.kplay')!r}).digest == scene.digest)""", **throwaway)
    assert saved.stdout.strip() == "True", saved.stderr


def test_one_file_each_is_found_by_the_form(throwaway: dict[str, str], tmp_path: Path) -> None:
    code = FINDS + """
from pathlib import Path
from PySide6.QtWidgets import QWidget
import kernelplay as kp
from kernelplay.ui.app import application, start
scene = kp.Scene().with_model("throwaway_model").with_value("kernel", {"name": "throwaway_kernel"})
kp.save(scene, sys.argv[1])
app = application(["kernelplay"])
window = start(Path(sys.argv[1]))
app.processEvents()
names = " ".join(widget.accessibleName() for widget in window.findChildren(QWidget))
print(json.dumps([word for word in ("Ridge", "Length") if word in names]))
window.close()
"""
    done = python(code, str(tmp_path / "A.kplay"), XDG_CONFIG_HOME=str(tmp_path), XDG_STATE_HOME=str(tmp_path),
                  XDG_DATA_HOME=str(tmp_path), **throwaway)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == ["Ridge", "Length"]


def test_one_file_each_is_put_under_the_laws(throwaway: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "throwaway_plugin", "-p", "no:cacheprovider", "-q", "-rA", "-k",
         "throwaway", "tests/test_laws_models.py", "tests/kernels/test_kernel_laws.py", "tests/test_spec.py"],
        capture_output=True, text=True, cwd=ROOT, timeout=300,
        env=os.environ | throwaway | {"OPENBLAS_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stdout[-3000:]
    for what in ("throwaway_model", "throwaway_kernel"):
        assert done.stdout.count(what) >= 4, done.stdout


def test_a_long_file_says_in_its_first_line_why_it_is_one() -> None:
    for name, file in modules():
        lines = file.read_text("utf-8").splitlines()
        assert len(lines) <= 350 or "one file" in lines[0], f"{name} has {len(lines)} lines: split it by meaning"
