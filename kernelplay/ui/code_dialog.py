"""The window that shows the current fit as code."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSettings, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.as_code import CODES, about, code, warning
from kernelplay.i18n import say
from kernelplay.marks import Picture
from kernelplay.models.base import Check, Fit
from kernelplay.scene import Scene
from kernelplay.ui.controls import Segmented
from kernelplay.ui.store import Store
from kernelplay.ui.text_dialog import TextDialog
from kernelplay.ui.text_maker import Wanted
from kernelplay.ui.theme import Theme
from kernelplay.writing import class_names


class CodeDialog(TextDialog):
    """The fit of a picture as a script for NumPy, for scikit-learn, or as LaTeX."""

    def __init__(self, store: Store, picture: Picture, look: Theme, parent: QWidget | None) -> None:
        super().__init__(say("Show as code"), store, look, parent)
        self._fit: Fit = picture.fit
        self._scene: Scene = picture.scene
        self.kind = Segmented(tuple((key, label) for key, (label, _) in CODES.items()), say("Language"), self)
        chosen = str(QSettings().value("code/kind", "numpy"))
        self.kind.show_key(chosen if chosen in CODES else "numpy")
        self.kind.chosen.connect(self._choose)
        self.choices.addWidget(self.kind)
        self._choose()

    @Slot()
    def _choose(self) -> None:
        QSettings().setValue("code/kind", self.kind.key)
        self.about.show_sentence(about(self.kind.key))
        self.refresh()

    def wanted(self) -> Wanted:
        return Wanted(partial(_code, self._fit, self._scene, self.kind.key),
                      "latex" if self.kind.key == "latex" else "python",
                      partial(warning, self._fit, self.kind.key))

    def file_name(self) -> tuple[str, str]:
        return ("-sklearn" if self.kind.key == "sklearn" else ""), CODES[self.kind.key][1]


def _code(fit: Fit, scene: Scene, kind: str, check: Check) -> str:
    check()
    classes = class_names(scene) if scene.task == "classification" else None
    return code(fit, kind, scene.title, classes, scene.points.names)
