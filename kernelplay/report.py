"""What the command line prints: a fit and the lists of what there is, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelplay.arguments import columns
from kernelplay.errors import Note
from kernelplay.examples import examples
from kernelplay.i18n import number, say
from kernelplay.marks import Readout
from kernelplay.models.base import Fit
from kernelplay.spec import Child, Choice, Flag, Matrix, Param, Real, Spec, kinds


def as_text(fit: Fit, notes: Sequence[Note] = ()) -> str:
    """Return the status sentence, the notes, the readouts and the certificate of `fit`."""
    readouts = fit.readouts()
    results = [(str(line.label), str(line.value)) for line in readouts if line.group == "result"]
    proof = [(str(residual.label), number(residual.value)) for residual in fit.certificate.residuals]
    verdict = (say("holds: every number is below {tolerance}", tolerance=fit.certificate.tolerance)
               if fit.certificate.holds else
               say("does not hold: a number is above {tolerance}", tolerance=fit.certificate.tolerance))
    parts = [str(fit.status()), *(str(note.sentence) for note in (*notes, *fit.notes)), columns(results),
             f"{say('Certificate')}: {verdict}\n{columns(proof)}"]
    return "\n\n".join(part for part in parts if part)


def as_json(fit: Fit, notes: Sequence[Note] = ()) -> str:
    """Return the same as JSON; infinite and undefined numbers are null."""
    readouts: tuple[Readout, ...] = fit.readouts()
    return json.dumps({
        "status": str(fit.status()),
        "model": fit.model.to_dict(),
        "n": len(fit.X),
        "labels": _plain(list(fit.labels)),
        "results": {line.key: _plain(line.raw) for line in readouts if line.group == "result"},
        "certificate": {
            "holds": fit.certificate.holds,
            "tolerance": fit.certificate.tolerance,
            "residuals": {residual.key: _plain(residual.value) for residual in fit.certificate.residuals},
        },
        "notes": [{"level": note.level, "text": str(note.sentence), "rows": list(note.points)}
                  for note in (*notes, *fit.notes)],
    }, ensure_ascii=False, indent=2)


def listed(what: str, *, as_json: bool) -> str:
    """Return the list of "kernels", "models", "datasets" (with their parameters) or "scenes"."""
    if what == "scenes":
        scenes = [{"name": example.key, "title": str(example.title), "file": str(example.path)}
                  for example in examples()]
        return _json(scenes) if as_json else columns([(scene["name"], scene["title"]) for scene in scenes], indent="")
    specs = kinds(what.removesuffix("s")).values()
    if as_json:
        return _json([_described(spec) for spec in specs])
    return "\n\n".join(_paragraph(spec) for spec in specs)


def _paragraph(spec: type[Spec]) -> str:
    rows = [(f"{name}={_shown(param.default)}", _words(param)) for name, param in spec.params().items()]
    lines = [f"{spec.key}  {say('{label}. {help}', label=spec.label, help=spec.about)}", columns(rows, indent="    ")]
    return "\n".join(line for line in lines if line)


def _words(param: Param) -> str:
    match param:
        case Real():
            return str(say("{label}: {allowed}. {help}", label=param.label, allowed=param.remedy(), help=param.help))
        case Choice():
            names = ", ".join(key for key, _ in param.options)
            return str(say("{label}: choose one of {names}. {help}", label=param.label, names=names, help=param.help))
        case _:
            return str(say("{label}. {help}", label=param.label, help=param.help))


def _shown(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False) if isinstance(value, (dict, tuple, list)) else str(value)


def _described(spec: type[Spec]) -> dict[str, Any]:
    task = {"task": spec.task} if hasattr(spec, "task") else {}
    return {"name": spec.key, "label": str(spec.label), "about": str(spec.about), **task,
            "parameters": [_parameter(name, param) for name, param in spec.params().items()]}


def _parameter(name: str, param: Param) -> dict[str, Any]:
    described: dict[str, Any] = {"name": name, "label": str(param.label), "help": str(param.help),
                                 "symbol": param.symbol, "default": _plain(param.default)}
    match param:
        case Real():
            described |= {"type": "integer" if param.integer else "number", "low": param.low, "high": param.high,
                          "least": _plain(param.least), "most": _plain(param.most), "above_least": param.open_least,
                          "logarithmic": param.log, "words": list(param.words)}
        case Choice():
            described |= {"type": "choice", "choices": [key for key, _ in param.options]}
        case Flag():
            described |= {"type": "flag"}
        case Matrix():
            described |= {"type": "matrix"}
        case Child():
            described |= {"type": param.kind, "several": param.many}
    return described


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
