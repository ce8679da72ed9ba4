"""The scenes that come with the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kernelplay.assets import asset
from kernelplay.errors import FileError
from kernelplay.i18n import Say, say
from kernelplay.scene import Scene
from kernelplay.session import SUFFIX, load


@dataclass(frozen=True)
class Example:
    """A scene of `assets/scenes`: its name on the command line, its title, its file."""

    key: str
    title: Say
    path: Path

    def scene(self) -> Scene:
        """Return the scene."""
        return load(self.path)


def examples() -> tuple[Example, ...]:
    """Return the example scenes in the order of the menu; the window starts with the first."""
    titles = {
        "overlapping": say("Two overlapping classes"),
        "separable": say("Two separable classes, hard margin"),
        "xor": say("Exclusive or"),
        "moons": say("Two moons"),
        "rings": say("Two rings"),
        "spiral": say("Two spirals"),
        "checkerboard": say("Checkerboard"),
        "iris": say("Iris: three species, two measurements"),
        "perceptron": say("The perceptron learns"),
        "probability": say("How certain is the classifier?"),
        "faithful": say("Old Faithful: long or short next?"),
        "sine": say("Sine with a gap"),
        "sinc": say("Sinc by kernel ridge regression"),
        "step": say("A step and the ε-tube"),
        "heteroscedastic": say("Growing noise"),
        "motorcycle": say("Motorcycle impact"),
        "mauna_loa": say("Mauna Loa: trend and seasons, continued"),
    }
    return tuple(Example(key, title, asset("scenes", f"{key}{SUFFIX}")) for key, title in titles.items())


def example_groups() -> list[tuple[Say, list[Example]]]:
    """Return the examples by task, in the order of the menu."""
    groups: dict[str, list[Example]] = {"classification": [], "regression": []}
    for example in examples():
        try:
            groups[example.scene().task].append(example)
        except FileError:
            continue  # a broken example says so when it is opened by name; the menu offers what works
    return [(say("Classification"), groups["classification"]), (say("Regression"), groups["regression"])]
