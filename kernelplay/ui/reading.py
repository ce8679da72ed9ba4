"""What the model says at one place: the value under the pointer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.marks import Picture
from kernelplay.scene import CLASS_LABELS, Scene


@dataclass(frozen=True)
class Hover:
    """Where the pointer or the crosshair is: data coordinates, what the model says there, the point under it."""

    x: float
    y: float
    text: Say | None = None  # "f = −0.62"
    row: int | None = None


def reading(picture: Picture | None, scene: Scene, x: float, y: float) -> Say | None:
    """Return the value of the fitted function at (x, y): f or p for two classes, the winner for more, the curve's
    height in regression; None while there is no fit of this scene's kind."""
    if picture is None or picture.fit is None or not isinstance(picture.scene, Scene):
        return None
    if picture.scene.task != scene.task or len(scene.points) == 0:
        return None
    fit = picture.fit
    if scene.task == "regression":
        return verbatim(f"f(x) = {number(float(fit.decision_function(np.array([[x]]))[0]))}")
    place = np.array([[x, y]])
    if len(fit.labels) > 2:
        name = picture.scene.classes[CLASS_LABELS.index(int(fit.predict(place)[0]))]
        return say("class {name}", name=name)
    probability = getattr(fit, "p", None)
    if probability is not None:
        return verbatim(f"p = {number(float(probability(place)[0]))}")
    return verbatim(f"f = {number(float(fit.decision_function(place)[0]))}")
