"""Gaussian processes as lines for scikit-learn."""

from __future__ import annotations

import math
from typing import Any

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.written import literal
from kernelplay.scripts.source import SHOW, comment, distinct, kernel_source, loss, shown

Parts = tuple[str, list[str], str]  # imports, body, what is printed at the end

GIVEN = '''
class Given(Kernel):  # `kernel` as the Gaussian processes of scikit-learn want it
    def __init__(self):
        pass

    def __call__(self, X, Y=None, eval_gradient=False):
        K = kernel(X, X if Y is None else Y)
        return (K, np.empty((*K.shape, 0))) if eval_gradient else K

    def diag(self, X):
        return np.diag(kernel(X, X)).copy()

    def is_stationary(self):
        return False
'''


def _process_kernel(kernel: Kernel, d: int) -> str:
    """Return the kernel as a Gaussian process of scikit-learn has it, a factor without brackets; "" where it lacks it.

    A parameter that is 0 is fixed there, because the others are held as logarithms.
    """
    def fixed(value: float) -> str:
        return f'{literal(value)}, "fixed"' if value == 0 else literal(value)

    match kernel.key:
        case "rbf":
            return f"RBF({literal(1 / math.sqrt(2 * kernel.get('gamma')))})"
        case "matern12" | "matern32" | "matern52":
            return f"Matern({literal(kernel.get('length_scale'))}, nu={kernel.key[-2]}/{kernel.key[-1]})"
        case "rational_quadratic":
            return f"RationalQuadratic({literal(kernel.get('length_scale'))}, {literal(kernel.get('alpha'))})"
        case "periodic" if d == 1:
            return f"ExpSineSquared({literal(kernel.get('length_scale'))}, {literal(kernel.get('period'))})"
        case "constant":
            return f"ConstantKernel({fixed(kernel.get('value'))})"
        case "linear":
            return f"DotProduct({fixed(math.sqrt(kernel.get('coef0')))})"
        case "poly" if kernel.get("coef0") >= 0:
            gamma, degree = kernel.get("gamma"), kernel.get("degree")
            inner = f"DotProduct({fixed(math.sqrt(kernel.get('coef0') / gamma))})"
            return f"ConstantKernel({literal(float(gamma**degree))}) * {inner} ** {degree}"
        case "scale":
            inner = _process_kernel(kernel.get("of"), d)
            return inner and f"ConstantKernel({fixed(kernel.get('factor'))}) * {inner}"
        case "sum" | "product":
            parts = [_process_kernel(part, d) for part in kernel.get("of")]
            if not all(parts):
                return ""
            return " * ".join(parts) if kernel.key == "product" else "(" + " + ".join(parts) + ")"
    return ""


_NAMES = ("ConstantKernel", "DotProduct", "ExpSineSquared", "Kernel", "Matern", "RBF", "RationalQuadratic",
          "WhiteKernel")


def _process(fit: Any, noise: str = "") -> tuple[str, str, list[str]]:
    """Return the imports, the kernel, and what it needs to be defined."""
    formula = _process_kernel(fit.kernel, fit.X.shape[1])
    own = [] if formula else [*kernel_source(fit.kernel), GIVEN]
    formula = (formula or "Given()") + noise
    used = [name for name in _NAMES if f"{name}(" in formula or (name == "Kernel" and own)]
    return f"from sklearn.gaussian_process.kernels import {', '.join(used)}", formula, own


def gpr(fit: Any) -> Parts:
    imports, formula, own = _process(fit)
    jitter = f" + {literal(fit.jitter)}" if fit.jitter else ""
    model = f"""noise_var = {literal(fit.model.noise_var)}
process = GaussianProcessRegressor({formula},
                                   alpha=noise_var{jitter}, optimizer=None).fit(points, t)"""
    f = "def f(Z):  # the mean\n    return process.predict(Z)\n"
    said = comment(say("The standard deviation that scikit-learn returns is that of the curve, without noise."), 4)
    variance = f"def latent_std(Z):\n{said}\n    return process.predict(Z, return_std=True)[1]\n"
    numbers = f"""
data_fit = -t @ process.alpha_ / 2
complexity = -np.log(np.diag(process.L_)).sum()
show("coef", process.alpha_)
{shown(("log_marginal_likelihood", "process.log_marginal_likelihood_value_"), ("data_fit", "data_fit"),
       ("complexity", "complexity"), ("normalisation", "-len(t) * np.log(2 * np.pi) / 2"),
       ("noise", "np.sqrt(noise_var)"), ("training_error", "np.sqrt(((y - f(X)) ** 2).mean())"))}"""
    after = shown(("latent_std", "latent_std(X)"), ("latent_std_grid", "latent_std(Z)"),
                  ("predictive_std_grid", "np.sqrt(latent_std(Z) ** 2 + noise_var)"))
    return (f"from sklearn.gaussian_process import GaussianProcessRegressor\n{imports}",
            [*own, SHOW, distinct(fit), model, f, variance, numbers, loss(fit, fit.system.spread)], after)


def gpc(fit: Any) -> Parts:
    if len(fit.labels) < 2:
        raise SpecError(say("scikit-learn has no Gaussian process classifier for a single class: add points of a "
                            "second class, or use the NumPy script."))
    nu = fit.model.nu
    imports, formula, own = _process(fit, f" + WhiteKernel({literal(nu)})" if nu else "")
    said = comment(say("The white kernel is nu, on the diagonal only.")) + "\n" if nu else ""
    model = f"""{said}process = GaussianProcessClassifier({formula},
                                    optimizer=None).fit(X, y)
inner = process.base_estimator_"""
    f = "def f(Z):  # the latent mean\n    return process.latent_mean_and_variance(Z)[0]\n"
    averaged = fit.model.probability == "averaged"
    ratio = "mean / np.sqrt(1 + np.pi * variance / 8)" if averaged else "mean"
    p = f"""def p(Z):
    mean, variance = process.latent_mean_and_variance(Z)
    return 1 / (1 + np.exp(-{ratio}))
"""
    why = say("predict_proba of scikit-learn averages over the latent value; this is the sigmoid of its mean.")
    if averaged:
        why = say("predict_proba of scikit-learn averages over the latent value with another approximation; this is "
                  "MacKay's, as in kernelplay.")
    numbers = f"""
complexity = -np.log(np.diag(inner.L_)).sum()
show("coef", inner.y_train_ - inner.pi_)
{shown(("log_marginal_likelihood", "process.log_marginal_likelihood_value_"),
       ("data_fit", "process.log_marginal_likelihood_value_ - complexity"), ("complexity", "complexity"),
       ("training_error", "(np.where(f(X) >= 0, 1, -1) != y).sum()"))}"""
    after = shown(("probability", "p(X)"), ("probability_grid", "p(Z)"),
                  ("latent_std_grid", "np.sqrt(process.latent_mean_and_variance(Z)[1])"))
    return (f"from sklearn.gaussian_process import GaussianProcessClassifier\n{imports}",
            [*own, SHOW, model, f, comment(why), p, numbers], after)
