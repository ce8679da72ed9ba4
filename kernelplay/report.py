"""What the command line prints: a fit and the lists of what there is, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernelplay.arguments import columns
from kernelplay.class_names import signs, titles
from kernelplay.errors import Note
from kernelplay.examples import examples
from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.marks import Readout
from kernelplay.models.base import Certificate, Fit
from kernelplay.spec import Child, Choice, Flag, Matrix, Param, Real, Spec, Text, kinds


def as_text(fit: Fit, notes: Sequence[Note] = (), classes: Mapping[Any, str] | None = None) -> str:
    """Return the status sentence, which of two classes is +1, the notes, the readouts and the certificate of `fit`.

    classes: what the labels are called, where it is not what they are.
    """
    readouts = fit.readouts()
    results = [(str(line.label), str(line.value)) for line in readouts if line.group == "result"]
    proof = [(str(line.label), str(line.value)) for line in _proof(fit, readouts)]
    called = {label: (classes or {}).get(label) or name for label, name in titles(fit.labels).items()}
    which = signs(*called.values()) if len(called) == 2 else None
    parts = [str(fit.status()), str(which or ""), *(str(note.sentence) for note in (*notes, *fit.notes)),
             columns(results),
             f"{say('Certificate')}: {_verdict(fit.certificate)}\n{columns(proof)}"]
    return "\n\n".join(part for part in parts if part)


def _verdict(certificate: Certificate) -> Say:
    if certificate.floor_decides:
        return say("holds only up to rounding: all residuals below the rounding limit, {floor}",
                   floor=certificate.tolerance)
    if certificate.holds:
        return say("holds: all residuals below {tolerance}", tolerance=certificate.tolerance)
    return say("does not hold: a residual is above {tolerance}", tolerance=certificate.tolerance)


def _proof(fit: Fit, readouts: Sequence[Readout]) -> list[Readout]:
    """Return the lines of the certificate: its residuals, and what else says how far the numbers can be trusted."""
    lines = [line for line in readouts if line.group == "certificate"]
    shown = {line.key for line in lines}
    rest = [Readout(residual.key, residual.label, verbatim(number(residual.value)), residual.value, residual.help,
                    "certificate") for residual in fit.certificate.residuals if residual.key not in shown]
    return [*rest, *lines]


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
            "bounds": {line.key: _plain(line.raw) for line in _proof(fit, readouts)
                       if line.key not in {residual.key for residual in fit.certificate.residuals}},
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
        case Text():
            described |= {"type": "text", "longest": param.longest}
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
