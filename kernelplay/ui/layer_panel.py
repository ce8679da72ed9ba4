"""The layers of the canvas: what is drawn and what is left out."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Layer, Picture
from kernelplay.scene import Scene
from kernelplay.ui.controls import Tick
from kernelplay.ui.follower import Follower
from kernelplay.ui.panels import Section
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.words import tell

LAYERS: dict[Layer, Say] = {
    "field": say("Decision field"), "boundary": say("Boundary"), "margins": say("Margins"), "mean": say("Curve"),
    "band": say("Band"), "tube": say("Tube"), "support": say("Support vectors"), "slack": say("Slack"),
    "errors": say("Errors"), "contours": say("Contours"), "contour_labels": say("Contour labels"),
    "steps": say("Steps"), "points": say("Points"), "legend": say("Legend"),
}
ALWAYS: frozenset[Layer] = frozenset({"points", "legend"})
_WITH: dict[Layer, Layer] = {"contour_labels": "contours"}  # offered together with another


class LayerPanel(Section):
    """A tick for each layer that the current model has drawn, in two columns."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Layers"), parent)
        self._store = store
        self._known: dict[str, set[Layer]] = {}  # by model: the layers it has drawn so far
        self._drawn: dict[str, frozenset[Layer]] = {}  # by model: those it has drawn last
        self.ticks: dict[Layer, Tick] = {}
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        sized(self._grid, "setHorizontalSpacing", 10)
        sized(self._grid, "setVerticalSpacing", 5)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        self._placed: tuple[Layer, ...] = ()
        for layer, title in LAYERS.items():
            tick = Tick(title, self)
            tick.ticked.connect(self._ticked)
            tick.hide()
            self.ticks[layer] = tick
        store.changed.connect(self._changed)
        store.told.connect(self._pictured)
        self._follower = Follower(self.content)
        self._follower.due.connect(self._show)
        self._show()

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if old.hidden != new.hidden or type(old.model) is not type(new.model):
            self._follower.ask()

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        if picture.fit is None:
            return
        known = self._known.setdefault(picture.fit.model.key, set())
        drawn = frozenset(mark.layer for mark in picture.canvas.marks)
        if not drawn <= known or drawn != self._drawn.get(picture.fit.model.key):
            known |= drawn
            self._drawn[picture.fit.model.key] = drawn
            self._follower.ask()

    @Slot()
    def _show(self) -> None:
        scene = self._store.scene
        known = self._known.get(type(scene.model).key, set())
        offered = tuple(layer for layer in LAYERS if layer in ALWAYS or layer in known or _WITH.get(layer) in known
                        or (layer in scene.hidden and layer not in _WITH))
        if offered != self._placed:
            for layer in self._placed:
                self.ticks[layer].hide()
                self._grid.removeWidget(self.ticks[layer])
            for place, layer in enumerate(offered):
                self._grid.addWidget(self.ticks[layer], place // 2, place % 2)
                self.ticks[layer].show()
            self._placed = offered
            self._follower.rest()
        for layer in offered:
            tick = self.ticks[layer]
            tick.show_ticked(layer not in scene.hidden)
            of = _WITH.get(layer, layer)
            idle = layer not in ALWAYS and of not in self._drawn.get(type(scene.model).key, {of}) and not (
                {layer, of} & scene.hidden)
            if tick.isEnabled() is idle:
                tick.setEnabled(not idle)
                tell(tick, "setToolTip", say("This fit has nothing of this kind to draw.") if idle else verbatim(""))

    @Slot(bool)
    def _ticked(self, on: bool) -> None:
        tick = self.sender()
        layer = next(layer for layer, other in self.ticks.items() if other is tick)
        show_layer(self._store, layer, on)


def show_layer(store: Store, layer: Layer, on: bool) -> None:
    """Show or hide a layer, as a step of the history."""
    scene = store.scene
    hidden = scene.hidden - {layer} if on else scene.hidden | {layer}
    label = say("Show {layer}", layer=LAYERS[layer]) if on else say("Hide {layer}", layer=LAYERS[layer])
    store.edit(dataclasses.replace(scene, hidden=frozenset(hidden)), label)
