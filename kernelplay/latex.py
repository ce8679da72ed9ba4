"""A fit as LaTeX: the problem and its solution in symbols, then with the numbers filled in (article and amsmath)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernelplay import __version__
from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say, wrapped
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.written import Spelling, tex_number
from kernelplay.models.base import Fit

MOST = 12  # points in a table before it is cut off
X, Z = r"\mathbf{x}", r"\mathbf{x}'"


def latex(fit: Fit, title: str = "", classes: Mapping[Any, str] | None = None, most: int = MOST) -> str:
    """Return a whole LaTeX document; raises SpecError for a model that cannot be written down.

    most: rows of the table of coefficients. Sentences stand in comments, in the language now in use: what is set needs
    no more than article and amsmath, whatever the language.
    """
    writers = {"svm": _several if len(fit.labels) > 2 else _svm, "svr": _svr, "krr": _krr, "gpr": _gpr, "gpc": _gpc,
               "perceptron": _perceptron}
    own = writers[fit.model.key](fit, most) if fit.model.key in writers else fit.code("latex")
    if own is None:
        raise SpecError(say("The model {name} cannot be written as LaTeX.", name=type(fit.model).label))
    names = [(classes or {}).get(label, str(label)) for label in fit.labels]
    said = [say("{title}", title=title)] if title.strip() else []
    said += [fit.status(), say("Written by kernelplay {version}.", version=__version__)]
    if names:
        said.append(say("Classes: {names}.", names=", ".join(names)))
    body = [*own, *_kernel(fit.kernel)]
    return "\n".join(["\n".join(map(_comment, said)), r"\documentclass{article}", r"\usepackage{amsmath}",
                      r"\begin{document}", "", "\n\n".join(body), "", r"\end{document}", ""])


def _comment(sentence: Say) -> str:
    return "\n".join(f"% {line}" for line in wrapped(str(sentence), 98)) or "%"


def _lines(*lines: str, said: Say | None = None) -> str:
    """Return formulas below one another, aligned at &."""
    body = " \\\\\n".join(f"  {line}" for line in lines if line)
    top = f"{_comment(said)}\n" if said is not None else ""
    return f"{top}\\begin{{align*}}\n{body}\n\\end{{align*}}"


def _values(pairs: Sequence[tuple[str, float]]) -> str:
    """Return symbols with their numbers, four on a line."""
    shown = [f"{symbol} &= {tex_number(float(value))}" for symbol, value in pairs]
    lines = [r", & \quad ".join(shown[i:i + 4]) for i in range(0, len(shown), 4)]
    return _lines(*lines, said=say("The numbers."))


def _kernel(kernel: Kernel) -> list[str]:
    """Return the kernel in symbols, with numbers, and what its formula only names."""
    symbols, numbers = Spelling(kernel), Spelling(kernel, numbers=True)
    general, special = _terms(kernel, symbols), _terms(kernel, numbers)
    used = symbols.values()
    lines = [rf"k({X}, {Z}) &= {general}"]
    if special != general:
        lines.append(rf"&= {special}")
    lines += [definition.replace(" = ", " &= ", 1) for definition in numbers.definitions]
    given = [rf"{symbol} &= {value}" for symbol, value in used
             if special != general or "pmatrix" in value or symbol in general]
    rows = [r", & \quad ".join(given[i:i + 4]) for i in range(0, len(given), 4)]
    return [_lines(*lines, said=say("The kernel.")), *([_lines(*rows)] if rows else [])]


def _terms(kernel: Kernel, put: Spelling) -> str:
    """Return the formula, a sum with each of its terms on a line of its own."""
    if kernel.key != "sum":
        return kernel.latex(X, Z, put)
    return " \\\\\n  &\\quad + ".join(part.latex(X, Z, put) for part in kernel.get("of"))


def _table(fit: Fit, columns: Sequence[tuple[str, Any]], rows: Any, most: int) -> list[str]:
    """Return the table of `rows` of X with more columns, each (n,), cut off after `most` rows."""
    rows = np.asarray(rows)
    if not len(rows):
        return []
    d = fit.X.shape[1]
    inputs = ["x_n"] if d == 1 else [f"x_{{n,{j + 1}}}" for j in range(d)]
    heads = ["n", *inputs, *(head for head, _ in columns)]
    lines = [" & ".join(f"${head}$" for head in heads) + r" \\ \hline"]
    for row in rows[:most]:
        cells = [str(int(row) + 1), *(f"${tex_number(float(v))}$" for v in fit.X[row]),
                 *(f"${tex_number(float(values[row]))}$" for _, values in columns)]
        lines.append(" & ".join(cells) + r" \\")
    if len(rows) > most:
        lines.append(" & ".join([r"$\vdots$"] * len(heads)) + r" \\")
    said = say("The points that f is made of, {shown} of {n}.", shown=min(most, len(rows)), n=len(rows))
    body = "\n".join(f"  {line}" for line in lines)
    return [f"{_comment(said)}\n\\begin{{center}}\n\\begin{{tabular}}{{{'r' * len(heads)}}}\n{body}\n\\end{{tabular}}\n"
            "\\end{center}"]


def _expansion(weights: Any, rows: Any, offset: float | None, most: int, name: str = "f") -> str:
    """Return f(x) = sum of weights times kernel values, written out for the first few of `rows`."""
    few = min(most, 3)
    terms = []
    for place, row in enumerate(np.asarray(rows)[:few]):
        value = float(weights[row])
        sign = ("-" if value < 0 else "") if place == 0 else (" - " if value < 0 else " + ")
        size = "" if abs(value) == 1 else rf"{tex_number(abs(value))}\, "
        terms.append(rf"{sign}{size}k(\mathbf{{x}}_{{{int(row) + 1}}}, {X})")
    written = "".join(terms) or "0"
    if len(rows) > few:
        written += r" + \dots"
    if offset is not None:
        written += (" - " if offset < 0 else " + ") + tex_number(abs(offset))
    return f"{name}({X}) &\\approx {written}"


_CONDITIONS = {"soft": r"0 \le \alpha_n \le C", "hard": r"0 \le \alpha_n"}


def _svm(fit: Any, most: int) -> list[str]:
    model = fit.model
    soft = model.margin == "soft"
    slack, room = (r" + C \sum_n \xi_n", r" - \xi_n, \quad \xi_n \ge 0") if soft else ("", "")
    unknowns = r"\mathbf{w}, b, \boldsymbol{\xi}" if soft else r"\mathbf{w}, b"
    primal = _lines(rf"\min_{{{unknowns}}} \quad "
                    rf"& \frac{{1}}{{2}} \lVert \mathbf{{w}} \rVert^2{slack}",
                    rf"\text{{s.t.}} \quad & y_n f(\mathbf{{x}}_n) \ge 1{room}", said=say("The problem."))
    dual = _lines(r"\max_{\boldsymbol{\alpha}} \quad & \sum_n \alpha_n - \frac{1}{2} \sum_n \sum_m \alpha_n \alpha_m "
                  r"y_n y_m k(\mathbf{x}_n, \mathbf{x}_m)",
                  rf"\text{{s.t.}} \quad & {_CONDITIONS[model.margin]}, \quad \sum_n \alpha_n y_n = 0",
                  said=say("Its dual."))
    weights = fit.alpha * fit.y
    function = _lines(rf"f({X}) &= \sum_n \alpha_n y_n k(\mathbf{{x}}_n, {X}) + b",
                      _expansion(weights, fit.support, fit.b, most), said=say("The decision function."))
    pairs = [("C", model.C)] if soft else []
    pairs += [("b", fit.b), (r"\lVert \mathbf{w} \rVert", fit.norm), (r"1 / \lVert \mathbf{w} \rVert", fit.margin),
              (r"\tfrac{1}{2} \lVert \mathbf{w} \rVert^2" + slack, fit.objective)]
    order = fit.support[np.argsort(-fit.alpha[fit.support], kind="stable")]
    table = _table(fit, [("y_n", fit.y), (r"\alpha_n", fit.alpha), (r"f(\mathbf{x}_n)", fit.f_train)], order, most)
    return [primal, dual, function, _values(pairs), *table]


def _several(fit: Any, most: int) -> list[str]:
    formulas = []
    for pair in fit.pairs:
        weights = np.zeros(len(fit.y))
        weights[pair.rows] = pair.fit.alpha * pair.fit.y
        formulas.append(_expansion(weights, pair.rows[pair.fit.support], pair.fit.b, most,
                                   f"f_{{{pair.i + 1}{pair.j + 1}}}"))
    rule = _lines(rf"f_{{ij}}({X}) &= \sum_n \alpha_n^{{(ij)}} y_n^{{(ij)}} k(\mathbf{{x}}_n, {X}) + b_{{ij}}",
                  rf"\hat{{y}}({X}) &= \operatorname*{{arg\,max}}_i \sum_{{j \ne i}} [\, f_{{ij}}({X}) \ge 0 \,], "
                  r"\qquad f_{ji} = -f_{ij}", said=say("One against one: each pair of classes votes."))
    pairs = [("C", fit.model.C)] if fit.model.margin == "soft" else []
    return [rule, _lines(*formulas, said=say("The decision functions of the pairs.")),
            _values([*pairs, *((f"b_{{{pair.i + 1}{pair.j + 1}}}", pair.fit.b) for pair in fit.pairs)])]


def _svr(fit: Any, most: int) -> list[str]:
    model = fit.model
    soft = model.margin == "soft"
    slack = r" + C \sum_n (\xi_n + \hat{\xi}_n)" if soft else ""
    tube = (r"-\varepsilon - \hat{\xi}_n \le t_n - f(\mathbf{x}_n) \le \varepsilon + \xi_n, \quad "
            r"\xi_n, \hat{\xi}_n \ge 0") if soft else r"\lvert t_n - f(\mathbf{x}_n) \rvert \le \varepsilon"
    primal = _lines(rf"\min \quad & \frac{{1}}{{2}} \lVert \mathbf{{w}} \rVert^2{slack}",
                    rf"\text{{s.t.}} \quad & {tube}", said=say("The problem."))
    function = _lines(rf"f({X}) &= \sum_n (a_n - \hat{{a}}_n)\, k(\mathbf{{x}}_n, {X}) + b",
                      _expansion(fit.coef, fit.support, fit.b, most), said=say("The regression function."))
    pairs = [("C", model.C)] if soft else []
    pairs += [(r"\varepsilon", model.epsilon), ("b", fit.b), (r"\lVert \mathbf{w} \rVert", fit.norm),
              (r"\tfrac{1}{2} \lVert \mathbf{w} \rVert^2" + slack, fit.objective)]
    order = fit.support[np.argsort(-np.abs(fit.coef[fit.support]), kind="stable")]
    table = _table(fit, [("t_n", fit.y), ("a_n", fit.alpha), (r"\hat{a}_n", fit.alpha_star),
                         (r"f(\mathbf{x}_n)", fit.f_train)], order, most)
    return [primal, function, _values(pairs), *table]


def _krr(fit: Any, most: int) -> list[str]:
    problem = _lines(r"\min \quad & \sum_n \left(t_n - f(\mathbf{x}_n)\right)^2 + \lambda \lVert \mathbf{w} \rVert^2",
                     said=say("The problem."))
    function = _lines(r"\mathbf{a} &= (K + \lambda I)^{-1} \mathbf{t}, \quad K_{nm} = k(\mathbf{x}_n, \mathbf{x}_m)",
                      rf"f({X}) &= \sum_n a_n k(\mathbf{{x}}_n, {X})",
                      _expansion(fit.coef, np.arange(len(fit.y)), None, most), said=say("The regression function."))
    table = _table(fit, [("t_n", fit.y), ("a_n", fit.coef), (r"f(\mathbf{x}_n)", fit.f_train)],
                   np.arange(len(fit.y)), most)
    return [problem, function, _values([(r"\lambda", fit.model.lambda_), (r"\lVert \mathbf{w} \rVert", fit.norm)]),
            *table]


def _gpr(fit: Any, most: int) -> list[str]:
    model = fit.model
    problem = _lines(r"\mathbf{t} &\sim \mathcal{N}(\mathbf{0}, C), \quad C = K + \sigma^2 I, \quad "
                     r"K_{nm} = k(\mathbf{x}_n, \mathbf{x}_m)", said=say("The prior of the targets."))
    function = _lines(rf"m({X}) &= \mathbf{{k}}({X})^\top C^{{-1}} \mathbf{{t}} = \sum_n a_n k(\mathbf{{x}}_n, {X})",
                      _expansion(fit.coef, np.arange(len(fit.y)), None, most, "m"),
                      rf"s^2({X}) &= k({X}, {X}) + \sigma^2 - \mathbf{{k}}({X})^\top C^{{-1}} \mathbf{{k}}({X})",
                      said=say("Mean and variance of a new target."))
    total = " ".join((_signed(fit.data_fit, True), _signed(fit.complexity), _signed(fit.normalisation)))
    evidence = _lines(r"\ln p(\mathbf{t}) &= -\tfrac{1}{2} \mathbf{t}^\top C^{-1} \mathbf{t} - \tfrac{1}{2} \ln |C| "
                      r"- \tfrac{N}{2} \ln 2\pi", rf"&= {total} = {tex_number(fit.lml)}", said=say("The evidence."))
    table = _table(fit, [("t_n", fit.y), ("a_n", fit.coef), (r"m(\mathbf{x}_n)", fit.f_train)],
                   np.arange(len(fit.y)), most)
    return [problem, function, evidence, _values([(r"\sigma^2", model.noise_var), ("N", len(fit.system.t))]), *table]


def _gpc(fit: Any, most: int) -> list[str]:
    model, mode = fit.model, fit.mode
    problem = _lines(r"p(t_n = 1 \mid a) &= \sigma(a(\mathbf{x}_n)), \quad \sigma(a) = \frac{1}{1 + e^{-a}}",
                     r"\mathbf{a} &\sim \mathcal{N}(\mathbf{0}, C), \quad C = K + \nu I",
                     r"\mathbf{a} &= C \left(\mathbf{t} - \sigma(\mathbf{a})\right) \quad \text{at the mode}",
                     said=say("The prior, and the mode of the posterior."))
    averaged = model.probability == "averaged"
    p = r"\sigma\left(\frac{m}{\sqrt{1 + \pi v / 8}}\right)" if averaged else r"\sigma(m)"
    function = _lines(rf"m({X}) &= \sum_n (t_n - \sigma_n)\, k(\mathbf{{x}}_n, {X})",
                      _expansion(fit.coef, np.arange(len(fit.y)), None, most, "m"),
                      rf"v({X}) &= k({X}, {X}) + \nu - \mathbf{{k}}({X})^\top (W^{{-1}} + C)^{{-1}} \mathbf{{k}}({X}), "
                      r"\quad W_{nn} = \sigma_n (1 - \sigma_n)",
                      rf"p({X}) &= {p}", said=say("Latent mean, latent variance, probability of class +1."))
    fitted, complexity = mode.climb[-1], -0.5 * mode.log_determinant
    evidence = _lines(r"\ln p(\mathbf{t}) &\approx -\tfrac{1}{2} \mathbf{a}^\top C^{-1} \mathbf{a} + \sum_n \ln p(t_n "
                      r"\mid a_n) - \tfrac{1}{2} \ln |B|, \quad B = I + W^{1/2} C W^{1/2}",
                      rf"&= {_signed(fitted, True)} {_signed(complexity)} = {tex_number(fit.lml)}",
                      said=say("The evidence, by Laplace's approximation."))
    table = _table(fit, [("t_n", (fit.y + 1) / 2), ("a_n", fit.latent_mode), (r"\sigma_n", mode.sigma)],
                   np.arange(len(fit.y)), most)
    return [problem, function, evidence, _values([(r"\nu", model.nu)]), *table]


def _perceptron(fit: Any, most: int) -> list[str]:
    constant = fit.space.constant
    inputs = r"\tilde{\mathbf{x}}"
    first = f"({tex_number(float(np.sqrt(constant)))}, \\mathbf{{x}})" if constant else r"\mathbf{x}"
    lift = f"{inputs} = {first}"
    if fit.theta is not None:
        theta = r" \\ ".join(tex_number(float(value)) for value in fit.theta)
        written = ", ".join(tex_number(float(value)) for value in fit.theta) if len(fit.theta) > 8 else ""
        shown = rf"({written})" if written else rf"\begin{{pmatrix}} {theta} \end{{pmatrix}}"
        rule = _lines(rf"f({X}) &= \boldsymbol{{\theta}} \cdot {inputs}, \quad {lift}, \quad "
                      r"\operatorname{sign}(0) = +1",
                      rf"y_n \ne \operatorname{{sign}} f(\mathbf{{x}}_n): \quad & \boldsymbol{{\theta}} \leftarrow "
                      rf"\boldsymbol{{\theta}} + \eta\, y_n {inputs}_n", said=say("The rule."))
        function = _lines(rf"\boldsymbol{{\theta}} &= {shown}", said=say("The decision function."))
    else:
        rule = _lines(rf"f({X}) &= \eta \sum_n c_n y_n k(\mathbf{{x}}_n, {X}){' + b' if constant else ''}",
                      r"y_n \ne \operatorname{sign} f(\mathbf{x}_n): \quad & c_n \leftarrow c_n + 1",
                      said=say("The rule."))
        weights = fit.model.eta * fit.space.coefficients(fit.alpha)
        function = _lines(_expansion(weights, np.flatnonzero(weights), fit.b if constant else None, most),
                          said=say("The decision function."))
    parts = [rule, function]
    if fit.gamma is not None and fit.bound is not None and not fit.space.start:
        parts.append(_lines(rf"k &\le \left(\frac{{R}}{{\gamma}}\right)^2 = \left(\frac{{{tex_number(fit.R)}}}"
                            rf"{{{tex_number(fit.gamma)}}}\right)^2 = {tex_number(fit.bound)}",
                            said=say("The bound on the number of updates.")))
    pairs = [(r"\eta", fit.model.eta), ("k", fit.mistakes), ("R", fit.R)]
    pairs += [(r"\gamma", fit.gamma)] if fit.gamma is not None else []
    pairs += [("b", fit.b)] if constant else []
    table = _table(fit, [("y_n", fit.y), ("c_n", fit.alpha), (r"f(\mathbf{x}_n)", fit.f_train)],
                   np.flatnonzero(fit.alpha), most)
    return [*parts, _values(pairs), *table]


def _signed(value: float, first: bool = False) -> str:
    text = tex_number(abs(value))
    if first:
        return f"-{text}" if value < 0 else text
    return f"- {text}" if value < 0 else f"+ {text}"
