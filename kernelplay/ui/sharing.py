"""What leaves the window as text: the fit as code, data as files, points on the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.ui.exchange import rows_with_commas
from kernelplay.ui.sizes import scale
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme, theme

COPIES: dict[str, Say] = {"csv": verbatim("CSV"), "libsvm": verbatim("LIBSVM"), "numpy": verbatim("NumPy")}
COMMAS = say("Spreadsheet with decimal commas")  # on the clipboard only


class Sharing(QObject):
    """What the menus call; the dialogs are loaded when they are opened."""

    def __init__(self, store: Store, window: QWidget) -> None:
        super().__init__(window)
        self._store, self._window = store, window

    @property
    def _look(self) -> Theme:
        return theme(str(self._window.property("theme"))).zoomed(scale())

    @Slot()
    def show_code(self) -> None:
        """Open the window that shows the fit as code; without a fit, say what to do."""
        picture = self._store.picture
        if picture is None or picture.fit is None:
            self._say_problem()
            return
        from kernelplay.ui.code_dialog import CodeDialog

        dialog = CodeDialog(self._store, picture, self._look, self._window)
        dialog.exec()
        dialog.deleteLater()

    @Slot()
    def export_data(self) -> None:
        """Open the window that writes points, predictions, readouts and steps."""
        if not len(self._store.scene.points):
            self._say_problem()
            return
        from kernelplay.ui.data_dialog import DataDialog

        dialog = DataDialog(self._store, self._store.picture, self._look, self._window)
        dialog.exec()
        dialog.deleteLater()

    @Slot()
    def copy_points_as(self) -> None:
        """Copy the selected points, or all, in the form of the command that was chosen."""
        action, scene = self.sender(), self._store.scene
        if not isinstance(action, QAction):
            return
        from kernelplay.writing import points_csv, points_libsvm, points_numpy

        writers = {"csv": points_csv, "libsvm": points_libsvm, "numpy": points_numpy, "commas": rows_with_commas}
        rows = sorted(self._store.selection) or None
        QGuiApplication.clipboard().setText(writers[str(action.data())](scene, rows))
        n = len(rows) if rows is not None else len(scene.points)
        if str(action.data()) in ("libsvm", "numpy"):  # only what is switched on is written
            n = int(scene.points.on[rows].sum() if rows is not None else scene.points.on.sum())
        self._store.say(plural(n, "{n} point copied.", "{n} points copied."))

    def _say_problem(self) -> None:
        from kernelplay.writing import problem_of

        self._store.say(problem_of(self._store.scene), problem=True)
