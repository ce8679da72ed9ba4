"""Combinations worth having at hand, offered beside the single kernels."""

from __future__ import annotations

from dataclasses import dataclass

from kernelplay.i18n import Say, say
from kernelplay.kernels.base import Kernel


@dataclass(frozen=True)
class Preset:
    """A kernel with a name of its own: the text it is read from, and one sentence."""

    key: str
    label: Say
    about: Say
    text: str

    @property
    def kernel(self) -> Kernel:
        """The kernel itself."""
        return Kernel.from_text(self.text)


def presets() -> tuple[Preset, ...]:
    """Return the presets in the order of the menu."""
    return (
        Preset("gp", say("Standard Gaussian process kernel"),
               say("θ₀ exp(−θ₁‖x − x′‖²/2) + θ₂ + θ₃ x·x′: a smooth function, an offset and a slope (Bishop 6.63)."),
               "1*rbf() + constant() + 1*linear()"),
        Preset("gp_rbf", say("RBF with variance"),
               say("An RBF kernel times a number, the prior variance of the Gaussian process."), "1*rbf()"),
        Preset("locally_periodic", say("Locally periodic"),
               say("A repeating pattern that slowly changes shape."),
               "1*(rbf(gamma=0.1) * periodic())"),
        Preset("additive", say("One curve per coordinate"),
               say("The sum of a function of the first coordinate and a function of the second."),
               'warp(rbf(), by="first") + warp(rbf(), by="second")'),
        Preset("rings", say("Rings"),
               say("Only the distance from the origin matters: boundaries are circles around it."),
               'warp(rbf(), by="radius")'),
    )
