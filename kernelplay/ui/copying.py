"""The picture of the canvas on the clipboard: made beside the window, put there when it is whole."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from kernelplay.errors import FileError
from kernelplay.figures import DPI, Figure
from kernelplay.i18n import Say, say
from kernelplay.ui import figure
from kernelplay.ui.figure_maker import Copied, FigureMaker, Source
from kernelplay.ui.store import Store
from kernelplay.ui.theme import theme


def put(copied: Copied) -> None:
    """Put a figure on the clipboard. PNG is there beside the image, or Qt would make it, on the thread of the window,
    while another program waits for it."""
    data = QMimeData()
    data.setImageData(copied.image)
    data.setData("image/png", copied.png)
    data.setData("image/svg+xml", copied.svg)
    QGuiApplication.clipboard().setMimeData(data)


class Copying(QObject):
    """Copies what the canvas of `window` shows. A copy that is asked for meanwhile takes the place of the first; what
    any program puts on the clipboard meanwhile stays there, since it was wanted later."""

    def __init__(self, store: Store, window: QWidget) -> None:
        super().__init__(window)
        self._store, self._window = store, window
        self._wanted = False
        self._maker: FigureMaker | None = None
        store.closing.connect(self._close)

    @Slot()
    def copy(self) -> None:
        """Begin to copy the picture as it is now."""
        picture = self._store.picture
        if picture is None:
            return
        canvas = getattr(self._window, "canvas", self._window)
        wanted = Figure().sized(max(float(canvas.width()), DPI), max(float(canvas.height()), DPI))
        try:
            figure.check(None, wanted)
        except FileError as error:
            self._failed(error.sentence)
            return
        source = Source(picture, self._store.scene, theme(str(self._window.property("theme"))), self._store.step)
        if self._maker is None:
            self._maker = FigureMaker(source, self)
            self._maker.made.connect(self._made)
            self._maker.copied.connect(self._copied)
            self._maker.failed.connect(self._failed)
            QGuiApplication.clipboard().dataChanged.connect(self._other)
        self._store.say(say("Copying the figure…"))
        self._wanted = True
        self._maker.ask(wanted, source)

    @Slot(object)
    def _made(self, made: object) -> None:
        assert self._maker is not None
        self._maker.copy()

    @Slot(object)
    def _copied(self, copied: Copied) -> None:
        self._forget()
        put(copied)
        self._store.say(say("Figure copied to the clipboard."))

    @Slot(object)
    def _failed(self, sentence: Say) -> None:
        self._forget()
        self._store.say(sentence, problem=True)

    @Slot()
    def _other(self) -> None:
        """Something else was copied, here or in another program."""
        if self._wanted and self._maker is not None:
            self._forget()
            self._store.say(say("The figure was not copied because something else was copied meanwhile. "
                                "Copy it again."))

    def _forget(self) -> None:
        """Nothing is copied any more: the document may be another one long before the next copy."""
        self._wanted = False
        if self._maker is not None:
            self._maker.forget()

    @Slot()
    def _close(self) -> None:
        self._wanted = False
        if self._maker is not None:
            self._maker.close()
