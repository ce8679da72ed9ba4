"""Scripts are run as they are, by a Python that knows nothing of kernelplay, and must print the numbers of the fit."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernelplay import api, i18n
from kernelplay.as_code import CODES, code, warning
from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.kernels.written import functions, unbracketed
from kernelplay.models.base import Certificate, Fit, Model
from kernelplay.scripts.numpy_script import numpy_script
from kernelplay.scripts.sklearn_script import sklearn_script
from kernelplay.scripts.source import places
from kernelplay.spec import kinds, real
from tests.kernels.test_kernel_laws import COMBINED, ends

TOLERANCE = 1e-6
RIGHT = {"PYTHONPATH": "", "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error"}


def clouds(n: int = 30, classes: int = 2, seed: int = 0) -> tuple[Array, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.normal(size=(n, 2)) + 1.4 * np.column_stack([np.cos(2.1 * y), np.sin(2.1 * y)])
    return X, np.where(y == 1, -1, 1) if classes == 2 else y


def curve(n: int = 25, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = np.sort(rng.uniform(-2, 2, size=(n, 1)), axis=0)
    return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=n)


def twice(X: Array, y: Any, rows: int = 4) -> tuple[Array, Any]:
    return np.vstack([X, X[:rows]]), np.concatenate([y, y[:rows]])


def separable() -> tuple[Array, Any]:
    X, y = clouds(24, seed=3)
    return X + 1.5 * np.outer(y, [0.8, -0.6]), y


def data_of(case: Case) -> tuple[Array, Any]:
    if case.data:
        return {"separable": separable(), "three": clouds(36, 3), "again": twice(*clouds()),
                "curve again": twice(*curve()), "one": (clouds()[0], np.ones(30)),
                "far": (clouds()[0] + 1e6, clouds()[1]), "far apart": (separable()[0] + 1e6, separable()[1]),
                "three far": (clouds(36, 3)[0] + 1e6, clouds(36, 3)[1]), "far curve": (curve()[0] + 1e6, curve()[1]),
                "many": clouds(1300, seed=5), "incomes": (1e6 * separable()[0], separable()[1]),
                "stars": (1e30 * separable()[0], separable()[1]), "atoms": (1e-9 * clouds()[0], clouds()[1]),
                "integers": (np.array([[1.0, 2], [2, 1], [0, 3], [-1, 0], [1, -1], [-2, 1], [3, 3], [0, -2]]),
                             np.array([1, 1, 1, -1, -1, -1, 1, -1])),
                "space": (np.random.default_rng(1).normal(size=(20, 3)), np.where(np.arange(20) % 2, 1, -1))}[case.data]
    return clouds() if api.model(case.model).task == "classification" else curve()


@dataclass(frozen=True)
class Case:
    model: str
    kernel: str
    options: tuple[tuple[str, Any], ...] = ()
    data: str = ""
    apart: frozenset[str] = frozenset()  # what scikit-learn does not print, or finds another of

    def fit(self) -> Fit:
        return api.fit(*data_of(self), self.model, kernel=self.kernel, **dict(self.options))

    def __str__(self) -> str:
        return "-".join([self.model, self.kernel, *(f"{key}={value}" for key, value in self.options), self.data])


def case(model: str, kernel: str, data: str = "", apart: str = "", **options: Any) -> Case:
    return Case(model, kernel, tuple(options.items()), data, frozenset(apart.split()))


BOUND = "bound gamma"
COUNTS = "support_vectors free_support_vectors support_sides"  # of repeated points libsvm may take one
ALL = "mistakes epochs converged R bound gamma alpha"  # scikit-learn's Perceptron leaves no trace of these
CASES = (
    case("svm", "rbf(gamma=0.7)"),
    case("svm", "linear()", C=100.0),
    case("svm", "linear(coef0=2)", margin="hard", data="separable"),
    case("svm", "poly(degree=2, gamma=scale)", C=0.05),
    case("svm", "rbf(gamma=4)", margin="hard"),
    case("svm", "0.5*rbf() + linear() * matern32()", C=30.0),
    case("svm", "rbf()", data="again", apart=COUNTS),
    case("svm", "rbf()", data="three", C=5.0),
    case("svm", "periodic()", data="three", margin="soft"),
    case("svm", "rbf(gamma=0.3)", data="space"),
    case("svr", "rbf()"),
    case("svr", "linear()", C=0.1, epsilon=0.3),
    case("svr", "matern52()", C=500.0, epsilon=0.01),
    case("svr", "rbf(gamma=20)", margin="hard", epsilon=0.25),
    case("svr", "rbf()", data="curve again", C=2.0, apart=COUNTS),
    case("svm", "linear()", data="far"),  # kernel values of 1e12, of which libsvm keeps seven digits
    case("svm", "2*linear() + constant()", data="far"),
    case("svm", "linear()", data="far apart", margin="hard"),
    case("svm", "linear()", data="three far"),
    case("svm", "rbf()", data="far"),
    case("svm", "linear()", data="stars", apart="b"),  # out of the range of single precision
    case("svr", "linear()", data="far curve"),
    case("svr", "1*rbf() + constant(value=1e5)", apart="b"),
    case("krr", "rbf()", data="far curve"),
    case("krr", "rbf(gamma=2)"),
    case("krr", "poly(degree=4, gamma=0.5)", lambda_=0.5),
    case("krr", "matern12()", data="curve again", lambda_=0.0),
    case("krr", "fisher() + constant(value=0.3)", lambda_=0.1),
    case("krr", "sigmoid(gamma=0.5, coef0=-1)", lambda_=0.3),
    case("gpr", "1.7*rbf(gamma=2)"),
    case("gpr", "0.8*rbf() + constant() + 0.3*linear()", noise_var=0.05),
    case("gpr", "2*(periodic() * rational_quadratic(alpha=0.5))"),
    case("gpr", "poly(degree=3, gamma=0.5)", noise_var=0.1),
    case("gpr", "basis(number=5) + 1*linear()"),
    case("gpr", "matern32()", data="curve again", noise_var=0.0),
    case("gpc", "3*rbf(gamma=0.5)"),
    case("gpc", "9*rbf()", probability="map"),
    case("gpc", "2*matern12() + linear()", nu=0.1),
    case("gpc", "warp(rbf(), by=polar)"),
    case("gpc", "rbf()", nu=0.0),
    case("perceptron", "linear()", data="separable", apart=ALL),
    case("perceptron", "linear()", data="separable", apart="w", bias=False, eta=0.3),
    case("perceptron", "linear(coef0=3)", data="separable", apart=BOUND + " w", start="1/n"),
    case("perceptron", "linear()", data="separable", apart=BOUND + " w epochs", order="random", seed=4, start="1/n"),
    case("perceptron", "linear()", data="integers", apart=BOUND + " w"),
    case("perceptron", "linear()", apart="w", max_epochs=7),
    case("perceptron", "linear()", apart="w", max_updates=20),
    case("perceptron", "rbf(gamma=3)", apart=BOUND),
    case("perceptron", "rbf(gamma=3)", apart=BOUND + " epochs", order="random", bias=False, start="1/n", eta=0.2),
    case("perceptron", "poly(degree=2)", data="integers", apart=BOUND, start="1/n"),
)
NUMPY_ONLY = (
    case("svm", "sigmoid(gamma=2)"),  # several stationary points
    case("svm", "linear()", data="many"),  # too many for the solver
    case("svm", "0*rbf()"),  # multipliers that the problem leaves open
    case("svr", "0*rbf()"),
    case("svr", "warp(sigmoid(gamma=scale), by=fold)"),
    case("svm", "linear()", data="atoms"),
    case("svr", "rbf()", epsilon=5.0),  # a flat line: no support vector, and no bound on the offset but its middle
    case("svm", "linear()", data="incomes"),
    case("gpc", "rbf()", data="one"),
)


@pytest.fixture(scope="module")
def fits() -> dict[Case, Fit]:
    return {each: each.fit() for each in (*CASES, *NUMPY_ONLY)}


def run(script: str, folder: Path) -> str:
    (folder / "script.py").write_text(script, "utf-8")
    done = subprocess.run([sys.executable, "-W", "error", str(folder / "script.py")], capture_output=True, text=True,
                          cwd=folder, timeout=60, env=os.environ | RIGHT, encoding="utf-8")
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]
    return done.stdout


def printed(text: str) -> dict[str, Array]:
    """Return what a script has printed, by name."""
    found = {}
    for name, body in re.findall(r"^(\w+): ((?:.|\n(?!\w+:))*)", text, re.MULTILINE):
        words = re.sub(r"[\[\]]", " ", body).replace("True", "1").replace("False", "0").split()
        found[name] = np.array(list(map(float, words)))
    return found


def expected(fit: Any) -> Iterator[tuple[str, Any]]:
    """Give every number that a script has to print."""
    Z = places(fit.X)
    for line in fit.readouts():
        if line.group == "result" and line.raw is not None and not line.key.startswith("lml_gradient"):
            yield line.key, line.raw
    yield "decision_function", fit.decision_function(fit.X)
    yield "decision_function_grid", fit.decision_function(Z)
    if hasattr(fit, "b") and (fit.model.key != "perceptron" or fit.space.constant):
        yield "b", fit.b
    if hasattr(fit, "free_sv"):
        yield "free_support_vectors", len(fit.free_sv)
    if fit.model.key == "perceptron":
        yield "alpha", fit.alpha
    if len(fit.labels) > 2:
        yield "predicted", [fit.labels.index(label) for label in fit.predict(fit.X)]
    if fit.model.key == "gpr":
        yield "latent_std_grid", np.sqrt(fit.latent_var(Z))
        yield "predictive_std_grid", fit.predict(Z, return_std=True)[1]
    if fit.model.key == "gpc":
        yield "probability", (fit.p if fit.model.probability == "averaged" else fit.p_map)(fit.X)
        yield "latent_std_grid", fit.predict(Z, return_std=True)[1]


def agree(fit: Fit, found: Mapping[str, Array], apart: frozenset[str] = frozenset()) -> None:
    for name, value in expected(fit):
        if name in apart:
            continue
        wanted = np.ravel(np.asarray(value, float))
        assert name in found, f"{name} is not printed"
        scale = max(float(np.abs(wanted).max(initial=0.0)), 1e-3 if name == "training_error" else 1e-300)
        assert found[name].shape == wanted.shape, name
        wrong = float(np.abs(found[name] - wanted).max(initial=0.0)) / scale
        assert wrong <= TOLERANCE, f"{name}: {found[name][:4]} is not {wanted[:4]}"


ALL_AT_ONCE = """
import runpy, sys, warnings
warnings.simplefilter("error")
for file in sys.argv[1:]:
    print("=====", flush=True)
    runpy.run_path(file)
print("=====", *sorted({name.partition(".")[0] for name in sys.modules} & {"kernelplay", "scipy", "sklearn"}))
"""


def run_all(scripts: dict[Case, str], folder: Path) -> tuple[dict[Case, str], str]:
    """Run scripts one after another, each with names of its own, in one process: to begin one takes longest. Return
    what they print, and which of the libraries were loaded."""
    files = []
    for number, script in enumerate(scripts.values()):
        files.append(folder / f"script{number}.py")
        files[-1].write_text(script, "utf-8")
    done = subprocess.run([sys.executable, "-c", ALL_AT_ONCE, *map(str, files)], capture_output=True, text=True,
                          timeout=120, cwd=folder, env=os.environ | RIGHT, encoding="utf-8")
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]
    *texts, loaded = re.split("^=====", done.stdout, flags=re.MULTILINE)[1:]
    return dict(zip(scripts, texts, strict=True)), loaded.strip()


@pytest.fixture(scope="module")
def by_numpy(fits: dict[Case, Fit], tmp_path_factory: pytest.TempPathFactory) -> dict[Case, str]:
    found, loaded = run_all({each: numpy_script(fit) for each, fit in fits.items()}, tmp_path_factory.mktemp("numpy"))
    assert loaded == ""
    return found


@pytest.fixture(scope="module")
def by_sklearn(fits: dict[Case, Fit], tmp_path_factory: pytest.TempPathFactory) -> dict[Case, str]:
    found, loaded = run_all({each: sklearn_script(fits[each]) for each in CASES}, tmp_path_factory.mktemp("sklearn"))
    assert loaded == "scipy sklearn"
    return found


@pytest.mark.parametrize("each", (*CASES, *NUMPY_ONLY), ids=str)
def test_numpy_alone_finds_the_same_numbers(each: Case, fits: dict[Case, Fit], by_numpy: dict[Case, str]) -> None:
    found = printed(by_numpy[each])
    agree(fits[each], found)
    if "kkt_violation" in found:
        assert (each in NUMPY_ONLY[:6] or each.data == "stars") and found["kkt_violation"] < 1e-6


@pytest.mark.parametrize("each", CASES, ids=str)
def test_scikit_learn_finds_the_same_numbers(each: Case, fits: dict[Case, Fit], by_sklearn: dict[Case, str]) -> None:
    found = printed(by_sklearn[each])
    agree(fits[each], found, each.apart)
    if "decision_function_libsvm" in found:  # before it is refined: single precision
        f = fits[each].f_train
        assert np.abs(found["decision_function_libsvm"] - f).max() <= 1e-4 * np.abs(f).max()


def test_scikit_learns_own_estimators_are_used(fits: dict[Case, Fit]) -> None:
    names = {"svm": "SVC(", "svr": "SVR(", "krr": "KernelRidge(", "gpr": "GaussianProcessRegressor(",
             "gpc": "GaussianProcessClassifier(", "perceptron": "Perceptron("}
    for each in CASES:
        assert names[each.model] in sklearn_script(fits[each])
    scripts = {str(each): sklearn_script(fits[each]) for each in CASES}
    assert "\nmodel = Perceptron(eta0" in scripts["perceptron-linear()-separable"]  # linear, and converged
    assert "class KernelPerceptron" in scripts["perceptron-rbf(gamma=3)-"]
    assert 'kernel="rbf", gamma=0.7' in scripts["svm-rbf(gamma=0.7)-"]
    assert "kernel=kernel" in scripts["svm-0.5*rbf() + linear() * matern32()-C=30.0-"]
    assert "ConstantKernel(0.8) * RBF(" in scripts["gpr-0.8*rbf() + constant() + 0.3*linear()-noise_var=0.05-"]
    assert "class Given(Kernel)" in scripts["gpr-basis(number=5) + 1*linear()-"]


EVERY = [kernel for key in kinds("kernel") for kernel in ends(key)] + [Kernel.from_text(text) for text in COMBINED]


@pytest.mark.parametrize("kernel", EVERY, ids=str)
def test_every_kernel_is_written_as_its_formula(kernel: Kernel) -> None:
    rng = np.random.default_rng(7)
    X, Z = rng.normal(size=(9, 2)), rng.normal(size=(5, 2))
    bound = kernel.bind(X)
    names: dict[str, Any] = {"np": np, "X": X, "Z": Z}
    for source in functions(bound):
        exec(source, names)  # our own text
    K = eval(unbracketed(bound.python("X", "Z")), names)
    assert np.abs(K - bound(X, Z)).max() <= 1e-12 * max(float(np.abs(K).max()), 1e-300)
    as_factor = eval(f"names['Z'].sum() * {bound.python('X', 'Z')}", names | {"names": names})
    assert np.abs(as_factor - Z.sum() * K).max() <= 1e-12 * max(float(np.abs(K).max()), 1e-300)


class Plain(Kernel):
    key = "throwaway_plain"
    label = about = say("Plain")
    length: float = real(2.0, 0.1, 10.0, log=True, symbol="l", label=say("Length"), help=say("Higher: flatter."))

    def __call__(self, X: Array, Z: Array) -> Array:
        squared: Array = ((X[:, None] - Z[None]) ** 2).sum(axis=2)
        return 1 / (1 + squared / self.length**2)


class Winding(Plain):
    key = "throwaway_winding"

    def __call__(self, X: Array, Z: Array) -> Array:
        return self.somewhere(X, Z)  # type: ignore[no-any-return,attr-defined]


def test_a_kernel_without_a_formula_of_its_own_is_written_from_its_call() -> None:
    import dataclasses

    kernel = dataclasses.dataclass(frozen=True)(Plain)(length=0.5)
    X = np.random.default_rng(0).normal(size=(6, 2))
    names: dict[str, Any] = {"np": np, "X": X}
    [source] = functions(kernel)
    exec(source, names)
    assert np.allclose(eval(kernel.python("X", "X"), names), kernel(X, X)) and "self" not in source and "0.5" in source
    with pytest.raises(SpecError, match="cannot be exported as a script"):
        functions(dataclasses.dataclass(frozen=True)(Winding)())


@pytest.mark.parametrize("write", [numpy_script, sklearn_script])
@pytest.mark.parametrize("language", ["ko", "ja", i18n.PSEUDO])
def test_comments_speak_the_language_and_the_code_stays(write: Any, language: str, fits: dict[Case, Fit]) -> None:
    for each in CASES:
        english = ast.dump(ast.parse(write(fits[each])))
        i18n.use(language)
        try:
            script = write(fits[each])
        finally:
            i18n.use("en")
        assert ast.dump(ast.parse(script)) == english
        assert not re.search(r"^(?!\s*#).*⟦", script, re.MULTILINE)


def test_names_that_people_give_stay_within_the_comments(fits: dict[Case, Fit], tmp_path: Path) -> None:
    fit = fits[CASES[0]]
    title = 'a\nimport os; os.abort()\r"""\\ \u2028 #'
    script = numpy_script(fit, title, {1: "'''\nraise", -1: "{0} % \\"})
    assert ast.dump(ast.parse(script)) == ast.dump(ast.parse(numpy_script(fit)))
    assert "os.abort()" in script and "{0} % \\" in script
    agree(fit, printed(run(script, tmp_path)))


def test_what_cannot_be_written_is_said(fits: dict[Case, Fit]) -> None:
    with pytest.raises(SpecError, match="a single class"):
        sklearn_script(fits[NUMPY_ONLY[-1]])
    assert "not positive semi-definite" in numpy_script(fits[NUMPY_ONLY[0]])


BEYOND = {
    "penalty": (lambda: curve(), "svr", {"kernel": "rbf()", "C": 1e10}),
    "inputs": (lambda: (clouds()[0] + 1e4, clouds()[1]), "svm", {"kernel": "poly(degree=2)"}),
}


@pytest.mark.parametrize("make, model, options", BEYOND.values(), ids=BEYOND)
def test_what_single_precision_cannot_solve_is_not_taken_for_a_solution(make: Any, model: str, options: Any,
                                                                        tmp_path: Path) -> None:
    fit = api.fit(*make(), model, **options)
    assert "can change f" in str(warning(fit, "sklearn")) and warning(fit, "numpy") is None
    script = sklearn_script(fit)
    assert "# Warning" in script
    (tmp_path / "script.py").write_text(script, "utf-8")
    done = subprocess.run([sys.executable, "-W", "ignore", str(tmp_path / "script.py")], capture_output=True,
                          text=True, timeout=60, env=os.environ | RIGHT, encoding="utf-8", check=True)
    lines = done.stdout.splitlines()
    [verdict] = [line for line in lines if line.startswith("Warning: the optimality conditions are violated")]
    lines.remove(verdict)
    assert not printed("\n".join(lines))["kkt_violation"] < 1e-6


def test_no_other_script_is_warned_of(fits: dict[Case, Fit], by_sklearn: dict[Case, str]) -> None:
    for each in CASES:
        assert warning(fits[each], "sklearn") is None and "# Warning" not in sklearn_script(fits[each])
        if each.model in ("svm", "svr"):
            assert printed(by_sklearn[each])["kkt_violation"] < TOLERANCE


def test_what_rounding_does_to_f_is_told(tmp_path: Path) -> None:
    X, y = twice(*curve())
    for model, option in (("krr", "lambda_"), ("gpr", "noise_var")):
        fit = api.fit(X, y, model, kernel="rbf()", **{option: 0.0})
        for write in (numpy_script, sklearn_script):
            found = printed(run(write(fit), tmp_path))
            apart = np.abs(found["decision_function"] - fit.decision_function(X)).max()
            assert TOLERANCE < apart < 100 * found["rounding_of_f"]
            assert "rounding_of_f" not in write(api.fit(X, y, model, kernel="rbf()"))


class SilentFit(Fit):
    """The fit of a model that nobody has written down."""

    def status(self) -> i18n.Say:
        return say("Fitted.")


class MeanFit(SilentFit):
    """The mean of the targets, everywhere, with its code in its own file."""

    def code(self, kind: str) -> tuple[str, ...] | None:
        script = ("def f(Z):\n    return np.full(len(Z), y.mean())\n",
                  "def show(name, value):\n    print(f\"{name}:\", value)\n")
        return {"numpy": script, "sklearn": script}.get(kind, (r"\\[ f = \\bar{y} \\]",))


class Mean(Model):
    key = "throwaway_mean"
    label = about = say("Mean")
    task = "regression"


def test_a_model_of_its_own_file_brings_its_code_or_is_refused_in_a_sentence(tmp_path: Path) -> None:
    X, y = curve()
    parts = (Mean(), api.kernel("rbf"), X, y, (), Certificate(()), ())
    for kind in CODES:
        with pytest.raises(SpecError, match="The model Mean cannot be exported as"):
            code(SilentFit(*parts), kind)
        assert warning(SilentFit(*parts), kind) is None
    for kind in ("numpy", "sklearn"):
        found = printed(run(code(MeanFit(*parts), kind), tmp_path))
        assert np.allclose(found["decision_function"], y.mean())
    assert r"\bar{y}" in code(MeanFit(*parts), "latex")
