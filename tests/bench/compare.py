"""Speed against scikit-learn, side by side in one run: `python tests/bench/compare.py [--json FILE] [--only NAME ...]`.

Both use one BLAS thread and the same data; scikit-learn runs with tol=1e-8, so that both reach the same accuracy.
Each figure is the median of alternating runs (ours, theirs, ours, theirs, ...), as the ratio ours / scikit-learn;
objectives, duality gaps and KKT residuals of both stand beside it. `growth` measures seconds and peak memory at 1,000,
10,000 and 100,000 points, each in a process of its own, scikit-learn beside it for as long as 120 s suffice.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import json
import math
import multiprocessing
import platform
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

GAMMA, NOISE = 2.0, 0.25
LIMIT = 120.0  # seconds that scikit-learn is given in `growth`


@dataclass
class Row:
    """One line of the table: what was measured, milliseconds of both, the ratio and what accuracy both reached."""

    work: str
    ours_ms: float
    theirs_ms: float
    aim: float | None = None
    accuracy: dict[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """Ours / scikit-learn."""
        return self.ours_ms / self.theirs_ms

    def __str__(self) -> str:
        aim = "" if self.aim is None else f" (aim {self.aim:g}{'' if self.ratio <= self.aim else ', MISSED'})"
        shown = "  ".join(f"{name} {value:.3g}" for name, value in self.accuracy.items())
        return f"{self.work:<58}{self.ours_ms:10.2f} {self.theirs_ms:10.2f} {self.ratio:8.3f}{aim:<22}{shown}"


def moons(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return two moons with noise 0.25: X (n, 2), y (n,) of +1 and -1."""
    from sklearn.datasets import make_moons

    X, c = make_moons(n, noise=NOISE, random_state=seed)
    return X, 2.0 * c - 1.0


def wave(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return a noisy sine over [-3, 3]: X (n, 1), t (n,)."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-3, 3, n))
    return x[:, None], np.sin(2 * x) + 0.2 * rng.standard_normal(n)


def alternate(ours: Callable[[], Any], theirs: Callable[[], Any], runs: int = 5,
              before: Callable[[], Any] = lambda: None) -> tuple[float, float]:
    """Return the median milliseconds of both over alternating runs, after one run of each that is not counted.

    before: called before each run, not timed.
    """
    before(), ours(), theirs()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for call, kept in zip((ours, theirs), times, strict=True):
            before()
            began = time.perf_counter()
            call()
            kept.append(1e3 * (time.perf_counter() - began))
    return statistics.median(times[0]), statistics.median(times[1])


def svm_accuracy(fit: Any, theirs: Any, y: np.ndarray) -> dict[str, float]:
    """Return objectives, gaps and KKT residuals of both, scikit-learn's judged by our certificate."""
    alpha = np.zeros(len(y))
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
    judged = fit.certify(alpha)
    return {"objective": float(fit.objective), "gap": fit.certificate["duality_gap"], "kkt": fit.certificate.worst,
            "sk_gap": judged["duality_gap"], "sk_kkt": judged.worst}


def svm_cold() -> list[Row]:
    """Soft SVM from nothing."""
    from sklearn.svm import SVC

    import kernelplay as kp

    rows = []
    plan = [(1000.0, n, aim) for n, aim in ((200, 0.8), (500, 0.3), (1000, 0.2), (2000, 0.2))]
    plan += [(1.0, n, 2.0) for n in (100, 200, 500, 1000, 2000)]
    for C, n, aim in plan:
        X, y = moons(n)
        kernel = kp.kernel("rbf", gamma=GAMMA)

        def ours(X: np.ndarray = X, y: np.ndarray = y, C: float = C, kernel: Any = kernel) -> Any:
            return kp.fit(X, y, model="svm", kernel=kernel, C=C)

        def theirs(X: np.ndarray = X, y: np.ndarray = y, C: float = C) -> Any:
            return SVC(C=C, gamma=GAMMA, tol=1e-8, cache_size=500).fit(X, y)

        a, b = alternate(ours, theirs)
        rows.append(Row(f"soft SVM cold, C = {C:g}, n = {n}", a, b, aim, svm_accuracy(ours(), theirs(), y)))
    return rows


def svm_refit() -> list[Row]:
    """Refit after a small change, as under the hand; scikit-learn has no warm start and fits again."""
    from sklearn.svm import SVC

    import kernelplay as kp

    rows = []
    for C in (1.0, 1000.0):
        for n, aim in ((100, 0.5), (500, 0.2), (2000, 0.2)):
            X, y = moons(n)
            first = kp.fit(X, y, model="svm", kernel=kp.kernel("rbf", gamma=GAMMA), C=C)
            latest: list[Any] = [first]
            moved = X.copy()
            row = int(first.support[0])
            moved[row] += 0.05 / math.sqrt(2)
            changes = {"a point moved": (moved, C, GAMMA), "C + 5 %": (X, 1.05 * C, GAMMA),
                       "gamma + 5 %": (X, C, 1.05 * GAMMA)}
            for name, (Z, C2, gamma) in changes.items():
                model = first.model.replace("C", C2).replace("kernel.gamma", gamma)

                def again(X: np.ndarray = X, y: np.ndarray = y, first: Any = first, latest: list[Any] = latest) -> None:
                    # a refit takes the kernel rows over from the fit before it: each run has one of its own
                    latest[:] = [first.model.fit(X, y)]

                def ours(Z: np.ndarray = Z, y: np.ndarray = y, model: Any = model, latest: list[Any] = latest) -> Any:
                    return model.fit(Z, y, last=latest[0])

                def theirs(Z: np.ndarray = Z, y: np.ndarray = y, C: float = C2, gamma: float = gamma) -> Any:
                    return SVC(C=C, gamma=gamma, tol=1e-8, cache_size=500).fit(Z, y)

                a, b = alternate(ours, theirs, before=again)
                again()
                work = f"SVM refit, C = {C:g}, n = {n}: {name}"
                rows.append(Row(work, a, b, aim, svm_accuracy(ours(), theirs(), y)))
    return rows


def svr_cold() -> list[Row]:
    """SVR from nothing, C = 10, epsilon = 0.1."""
    from sklearn.svm import SVR

    import kernelplay as kp

    rows = []
    for n in (100, 200, 500, 1000, 2000):
        X, t = wave(n)
        kernel = kp.kernel("rbf", gamma=GAMMA)

        def ours(X: np.ndarray = X, t: np.ndarray = t, kernel: Any = kernel) -> Any:
            return kp.fit(X, t, model="svr", kernel=kernel, C=10.0, epsilon=0.1)

        def theirs(X: np.ndarray = X, t: np.ndarray = t) -> Any:
            return SVR(C=10.0, epsilon=0.1, gamma=GAMMA, tol=1e-8, cache_size=500).fit(X, t)

        a, b = alternate(ours, theirs)
        fit, other = ours(), theirs()
        coef = np.zeros(n)
        coef[other.support_] = other.dual_coef_[0]
        judged = fit.certify(coef)
        accuracy = {"gap": fit.certificate["duality_gap"], "kkt": fit.certificate.worst,
                    "sk_gap": judged["duality_gap"], "sk_kkt": judged.worst,
                    "apart": float(np.abs(fit.f_train - other.predict(X)).max())}
        rows.append(Row(f"SVR cold, C = 10, epsilon = 0.1, n = {n}", a, b, 1.0, accuracy))
    return rows


def decision_map() -> list[Row]:
    """Decision map of 200 x 200 cells from the same 100 support vectors."""
    from sklearn.svm import SVC

    import kernelplay as kp
    from kernelplay.numerics import grid

    n = next(n for n in range(100, 2000) if len(SVC(C=1.0, gamma=GAMMA).fit(*moons(n)).support_) == 100)
    theirs = SVC(C=1.0, gamma=GAMMA, tol=1e-8).fit(*moons(n))
    x, y = np.linspace(-2, 3, 200), np.linspace(-1.5, 2, 200)
    nodes = np.column_stack([a.ravel() for a in np.meshgrid(x, y)])
    kernel, S, coef = kp.kernel("rbf", gamma=GAMMA), theirs.support_vectors_, theirs.dual_coef_[0]

    def ours() -> np.ndarray:
        return np.asarray(grid.evaluate(kernel, S, coef, x, y)) + theirs.intercept_[0]

    a, b = alternate(ours, lambda: theirs.decision_function(nodes))
    apart = np.abs(ours().ravel() - theirs.decision_function(nodes)).max()
    return [Row("decision map 200 x 200, 100 support vectors", a, b, 0.02, {"apart": float(apart)})]


def gp_regression() -> list[Row]:
    """GP regression fit and 400 predictions with deviations; then the evidence maximum from the same start."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    import kernelplay as kp
    from kernelplay.models.evidence import maximise

    rows = []
    Z = np.linspace(-4, 4, 400)[:, None]
    for n, aim in ((100, 0.3), (500, 0.1), (2000, 0.05)):
        X, t = wave(n)
        kernel = kp.kernel("rbf", gamma=GAMMA)

        def ours(X: np.ndarray = X, t: np.ndarray = t, kernel: Any = kernel) -> Any:
            return kp.fit(X, t, model="gpr", kernel=kernel, noise_var=0.04).predict(Z, return_std=True)

        def theirs(X: np.ndarray = X, t: np.ndarray = t) -> Any:
            gp = GaussianProcessRegressor(RBF(0.5) + WhiteKernel(0.04), optimizer=None, alpha=0.0)
            return gp.fit(X, t).predict(Z, return_std=True)

        a, b = alternate(ours, theirs)
        one, two = ours(), theirs()
        apart = {"mean apart": float(np.abs(one[0] - two[0]).max()), "std apart": float(np.abs(one[1] - two[1]).max())}
        rows.append(Row(f"GP regression fit + 400 predictions, n = {n}", a, b, aim, apart))
    for n, aim in ((100, 0.1), (500, 0.05)):
        X, t = wave(n)
        model = kp.model("gpr", kernel=kp.kernel("scale", factor=1.0, of=kp.kernel("rbf", gamma=0.5)), noise_var=0.1)

        def climb(X: np.ndarray = X, t: np.ndarray = t, model: Any = model) -> Any:
            return maximise(model, X, t, starts=1)

        def climbed(X: np.ndarray = X, t: np.ndarray = t) -> Any:
            kernel = ConstantKernel(1.0, (1e-3, 1e3)) * RBF(1.0, (0.0224, 22.4)) + WhiteKernel(0.1, (1e-6, 10))
            return GaussianProcessRegressor(kernel, alpha=0.0).fit(X, t)

        a, b = alternate(climb, climbed)
        mine, other = climb().fit.lml, climbed().log_marginal_likelihood_value_
        rows.append(Row(f"evidence maximum from the same start, n = {n}", a, b, aim,
                        {"evidence": mine, "sk": other, "above sk": mine - other}))
    return rows


def gp_classification() -> list[Row]:
    """GP classifier fit (Laplace), and a probability map of 100 x 100 cells."""
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, WhiteKernel

    import kernelplay as kp
    from kernelplay.models.base import View

    rows = []
    x, y = np.linspace(-2, 3, 100), np.linspace(-1.5, 2, 100)
    nodes = np.column_stack([a.ravel() for a in np.meshgrid(x, y)])
    half = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    view = View((x[0] - half[0], x[-1] + half[0]), (y[0] - half[1], y[-1] + half[1]), 100, 100)
    for n, aim in ((100, 0.3), (500, 0.2), (1000, 0.1)):
        X, c = moons(n)
        kernel = kp.kernel("rbf", gamma=GAMMA)

        def ours(X: np.ndarray = X, c: np.ndarray = c, kernel: Any = kernel) -> Any:
            return kp.fit(X, c, model="gpc", kernel=kernel, nu=0.01)

        def theirs(X: np.ndarray = X, c: np.ndarray = c) -> Any:
            return GaussianProcessClassifier(RBF(0.5) + WhiteKernel(0.01), optimizer=None).fit(X, c)

        a, b = alternate(ours, theirs)
        fit, other = ours(), theirs()
        rows.append(Row(f"GP classifier fit, n = {n}", a, b, aim,
                        {"evidence": fit.lml, "sk": other.log_marginal_likelihood_value_}))
        a, b = alternate(lambda fit=fit: fit.charts(view), lambda other=other: other.predict_proba(nodes))
        rows.append(Row(f"probability map 100 x 100, n = {n}", a, b, 0.2))
    return rows


def _grow(which: str, n: int, whose: str, answer: Any) -> None:
    """Fit once in this process and send seconds and peak memory in MB."""
    import sklearn.svm  # noqa: F401 - imported before the clock starts

    import kernelplay as kp

    X, y = moons(n) if which.startswith("SVM") else wave(n)
    kernel = kp.kernel("rbf", gamma=GAMMA)
    C = 1000.0 if which.endswith("1000") else 1.0
    kp.fit(X[:50], y[:50], model="krr" if "SVM" not in which else "svm", kernel=kernel)  # imports done
    began = time.perf_counter()
    if whose == "ours":
        if which.startswith("SVM"):
            kp.fit(X, y, model="svm", kernel=kernel, C=C)
        elif which.startswith("GP"):
            kp.fit(X, y, model="gpr", kernel=kernel, noise_var=0.04)
        else:
            kp.fit(X, y, model="krr", kernel=kernel, lambda_=0.04)
    elif which.startswith("SVM"):
        from sklearn.svm import SVC

        SVC(C=C, gamma=GAMMA, tol=1e-8, cache_size=1000).fit(X, y)
    elif which.startswith("GP"):
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import RBF

        GaussianProcessRegressor(RBF(0.5), optimizer=None, alpha=0.04).fit(X, y)
    else:
        from sklearn.kernel_ridge import KernelRidge

        KernelRidge(alpha=0.04, kernel="rbf", gamma=GAMMA).fit(X, y)
    seconds = time.perf_counter() - began
    answer.put((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def growth() -> list[dict[str, Any]]:
    """Seconds and peak memory against the number of points, with the exponent between the last two sizes."""
    context = multiprocessing.get_context("spawn")
    table = []
    sizes = (1_000, 10_000, 100_000)
    for which in ("SVM, C = 1", "SVM, C = 1000", "GP regression", "kernel ridge"):
        for whose in ("ours", "scikit-learn"):
            seconds: list[float | None] = []
            memory: list[float | None] = []
            for n in sizes:
                answer = context.Queue()
                # a dense kernel matrix of 100,000 points would take 80 GB: not started, it would end the machine
                dense = whose != "ours" and not which.startswith("SVM") and n > 20_000
                late = bool(seconds) and seconds[-1] is None
                result: tuple[float | None, float | None] = (None, None)
                if not dense and not late:
                    process = context.Process(target=_grow, args=(which, n, whose, answer))
                    process.start()
                    process.join(LIMIT + 20)
                    if process.is_alive():
                        process.kill()
                        process.join()
                    elif not answer.empty():
                        result = answer.get()
                seconds.append(result[0])
                memory.append(result[1])
            exponent = math.log10(seconds[-1] / seconds[-2]) if seconds[-1] and seconds[-2] else None
            table.append({"work": which, "whose": whose, "n": sizes, "seconds": seconds, "peak_MB": memory,
                          "exponent": exponent})
            shown = "  ".join(f"n={n}: " + (f"{s:.3f} s {m:.0f} MB" if s is not None else "not within the limit")
                              for n, s, m in zip(sizes, seconds, memory, strict=True))
            print(f"{which:<16}{whose:<14}{shown}   exponent "
                  + (f"{exponent:.2f}" if exponent is not None else "–"), flush=True)
    return table


PARTS: dict[str, Callable[[], list[Row]]] = {
    "svm": svm_cold, "refit": svm_refit, "svr": svr_cold, "map": decision_map, "gpr": gp_regression,
    "gpc": gp_classification,
}


def main() -> None:
    """Run the parts asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--only", nargs="*", choices=[*PARTS, "growth"], default=[*PARTS, "growth"])
    args = parser.parse_args()
    import scipy
    import sklearn

    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version(),
               "numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}
    print("  ".join(f"{name} {value}" for name, value in machine.items()))
    print(f"{'work':<58}{'ours ms':>10} {'sk ms':>10} {'ratio':>8}")
    rows: list[Row] = []
    for name in (part for part in args.only if part in PARTS):
        for row in PARTS[name]():
            rows.append(row)
            print(row, flush=True)
    grown = growth() if "growth" in args.only else []
    if args.json:
        result = {"machine": machine, "rows": [asdict(row) | {"ratio": row.ratio} for row in rows], "growth": grown}
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()
