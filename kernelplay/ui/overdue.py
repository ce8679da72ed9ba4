"""A picture that is behind for long is shown as out of date, until the new one is there."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from kernelplay.marks import Picture
from kernelplay.ui.plot import Plot
from kernelplay.ui.store import Store

PATIENCE = 400  # ms after which a picture of an earlier scene is out of date, where the fit takes its time


class Overdue(QObject):
    """Tells the plot of the canvas; connected before whatever paints it."""

    def __init__(self, store: Store, plot: Plot, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._plot = store, plot
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE)
        self._timer.timeout.connect(self._over)
        store.changed.connect(self._changed)
        store.pictured.connect(self._pictured)

    @Slot()
    def _changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        if not self._store.behind:
            self._timer.stop()
            self._plot.overdue = False

    @Slot()
    def _over(self) -> None:
        self._plot.overdue = self._store.behind and self._store.slow
        self._plot.update()
