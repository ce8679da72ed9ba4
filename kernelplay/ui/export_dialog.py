"""The window that writes a figure: a look at it, its declaration as a form, and where it goes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kernelplay.errors import FileError
from kernelplay.figures import DPI, LAYERS, PRESETS, Figure, Length, Preset
from kernelplay.files import size_text, write_whole
from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Field, Layer
from kernelplay.scene import axis_labels
from kernelplay.ui import figure
from kernelplay.ui.controls import Combo, Push, Segmented
from kernelplay.ui.copying import put
from kernelplay.ui.dialogs import Dialog, file_typed, may_replace, select_name
from kernelplay.ui.documents import file_stem
from kernelplay.ui.figure_form import FigureForm
from kernelplay.ui.figure_maker import Copied, FigureMaker, Made, Source
from kernelplay.ui.figure_memory import remember, remembered, remembered_path
from kernelplay.ui.figure_preview import Preview
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import SCROLL, Panel
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import theme
from kernelplay.ui.words import name, tell

FORMATS: tuple[tuple[str, Say], ...] = ((".svg", verbatim("SVG")), (".pdf", verbatim("PDF")), (".png", verbatim("PNG")))
REST = 350  # ms without a change after which the size of the file is found out, by making it
WIDEST = 420  # of the column of settings
ALWAYS: frozenset[Layer] = frozenset({"points"})


class ExportDialog(Dialog):
    """Writes what is on the canvas to a file, as PNG, SVG or PDF, with a look at what will be in it."""

    def __init__(self, store: Store, theme_name: str, parent: QWidget | None) -> None:
        super().__init__(say("Export figure"), parent)
        self._store = store
        picture = store.picture
        assert picture is not None
        drawn = {mark.layer for mark in picture.canvas.marks}
        layers: tuple[Layer, ...] = tuple(layer for layer in LAYERS if layer in drawn | ALWAYS | store.scene.hidden)
        layers = tuple(layer for layer in layers if layer != "legend")
        self.maker = FigureMaker(Source(picture, store.scene, theme(theme_name), store.step), self)
        self._todo = ""  # "write" or "copy": what waits for the figure to be made
        self._content: bytes | None = None  # of the file, once it is made
        self._content_for = ""  # its ending
        self._target = Path()
        self._agreed: Path | None = None  # a file that may be replaced: the window that names files has asked

        self.preview = Preview(self)
        name(self.preview, say("Preview"))
        self.zoom = Segmented((("fit", say("Fit")), ("real", say("Actual size"))), say("Preview"), self)
        self.zoom.show_key("fit")
        self.zoom.chosen.connect(self._zoom)
        self.info = Note(None, self)
        self.form = FigureForm(self._window_preset(), layers, store.scene.hidden, self)
        panel = Panel(say("Figure settings"), 330, self)
        panel.column.addWidget(self.form)
        panel.setMinimumWidth(max(panel.least, min(panel.column.sizeHint().width() + SCROLL, WIDEST)))
        left = QVBoxLayout()
        sized(left, "setSpacing", 8)
        left.addWidget(self.preview, 1)
        under = QHBoxLayout()
        under.addWidget(self.info, 1)
        under.addWidget(self.zoom)
        left.addLayout(under)
        both = QHBoxLayout()
        sized(both, "setSpacing", 12)
        both.addLayout(left, 1)
        both.addWidget(panel)
        self.column.addLayout(both, 1)

        proposed = remembered_path(store.path.stem if store.path is not None else file_stem(store.scene.title),
                                   store.path)
        self._folder = proposed.parent
        self.path = QLineEdit(str(proposed), self)
        self.path.setObjectName("path")
        name(self.path, say("File"), say("The extension sets the format: .png, .svg or .pdf."))
        self.path.textChanged.connect(self._renamed)
        self.format = Combo(self)
        self.format.set_options(FORMATS)
        sized(self.format, "setMaximumWidth", 96)
        name(self.format, say("Format"), say("SVG and PDF stay sharp at any size; PNG has pixels."))
        self.format.chosen.connect(self._format)
        self.browse = Push(say("Browse…"), self, look="")
        self.browse.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.browse.clicked.connect(self._browse)
        line = QHBoxLayout()
        sized(line, "setSpacing", 7)
        label = QLabel(self)
        label.setProperty("look", "key")
        tell(label, "setText", say("File"))
        label.setBuddy(self.path)
        for widget, stretch in ((label, 0), (self.path, 1), (self.format, 0), (self.browse, 0)):
            line.addWidget(widget, stretch)
        self.column.addLayout(line)
        self.error = self.add_error()
        self.box = self.buttons(
            (say("Export"), QDialogButtonBox.ButtonRole.AcceptRole),
            (say("Copy to clipboard"), QDialogButtonBox.ButtonRole.ActionRole),
            (say("Close"), QDialogButtonBox.ButtonRole.RejectRole),
        )
        self.box.clicked.connect(self._clicked)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._weigh)
        self.maker.made.connect(self._made)
        self.maker.failed.connect(self._failed)
        self.maker.encoded.connect(self._encoded)
        self.maker.copied.connect(self._copied)
        self.form.edited.connect(self._edited)
        self.form.refused.connect(self._refused)
        self.form.show_names(*axis_labels(store.scene))
        self.form.show_figure(remembered(self.form.presets["window"].of(Figure())))
        self._show_format()
        barred = any(isinstance(mark, Field) and not mark.regions for mark in picture.canvas.marks)
        self.form.ticks["colour_bar"].setVisible(barred)
        self.fit(1060, 780)
        self.path.setFocus()
        select_name(self.path)
        self._show_info()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to work."""
        super().showEvent(event)
        if self.maker.latest_made is None and not self.maker.busy:
            self._edited(self.form.figure)

    @property
    def figure(self) -> Figure:
        """The figure as it stands in the form."""
        return self.form.figure

    def _window_preset(self) -> Preset:
        """Return the preset of the size that the canvas has now."""
        canvas = getattr(self.parentWidget(), "canvas", None)
        if canvas is None:
            return PRESETS["window"]
        values = dict(PRESETS["window"].values)
        return Preset(PRESETS["window"].label, values | {"width": Length(max(float(canvas.width()), DPI)),
                                                         "height": Length(max(float(canvas.height()), DPI))})

    def _ending(self) -> str:
        return Path(self.path.text()).suffix.lower()

    @Slot(object)
    def _edited(self, wanted: Figure) -> None:
        """Make the figure anew."""
        self.error.show_sentence(None)
        self._content = None
        self._rest.stop()
        self.maker.ask(wanted)
        self._show_info()

    @Slot(object)
    def _refused(self, sentence: Say) -> None:
        self.error.show_sentence(sentence)

    @Slot(object)
    def _made(self, made: Made) -> None:
        self.preview.show_made(made)
        self._show_info()
        if self._todo:
            self._go_on()
        else:
            self._rest.start()

    @Slot(object)
    def _failed(self, sentence: Say) -> None:
        self._stop_waiting()
        self.error.show_sentence(sentence)

    @Slot()
    def _weigh(self) -> None:
        """Make the file already, to know its size; it is then written at once."""
        ending = self._ending()
        if self.maker.latest_made is None or self._todo or (self.maker.busy and self._content_for == ending):
            return
        try:
            figure.check(Path(f"figure{ending}"), self.figure)
        except FileError:
            return  # said when it is to be written
        self._content_for = ending
        self.maker.encode(ending)

    @Slot(bytes)
    def _encoded(self, content: bytes) -> None:
        self._content = content
        self._show_info()
        if self._todo == "write":
            self._write()

    def _show_info(self) -> None:
        """Say how large the figure is, on paper, in dots and on disk."""
        now = self.figure
        width, height = now.in_unit("mm").size_text() if now.unit == "px" else now.size_text()
        size = say("{width} × {height}", width=verbatim(width), height=verbatim(height))
        parts = [size]
        if self._ending() == ".png":
            parts.append(say("{width} × {height} pixels", width=now.dots[0], height=now.dots[1]))
        if self._content is not None and self._content_for == self._ending():
            parts.append(size_text(len(self._content)))
        sentence = parts[0]
        for part in parts[1:]:
            sentence = say("{first} · {second}", first=sentence, second=part)
        self.info.show_sentence(sentence)

    @Slot(str)
    def _zoom(self, key: str) -> None:
        self.preview.show_real(key == "real")
        self.zoom.show_key("real" if self.preview.real else "fit")

    @Slot(str)
    def _renamed(self, text: str) -> None:
        self._show_format()
        if self._ending() != self._content_for:
            self._content = None
            self._rest.start()
        self._show_info()

    def _show_format(self) -> None:
        self.format.show_key(self._ending())

    @Slot(str)
    def _format(self, ending: str) -> None:
        path = Path(self.path.text())
        self.path.setText(str(path.with_suffix(ending)) if path.name else f"{path}figure{ending}")

    @Slot()
    def _browse(self) -> None:
        kinds = {".svg": "SVG (*.svg)", ".pdf": "PDF (*.pdf)", ".png": "PNG (*.png)"}
        path, kind = QFileDialog.getSaveFileName(self, str(say("Export figure")), self.path.text(),
                                                 ";;".join(kinds.values()), kinds.get(self._ending(), ""))
        if path:
            chosen = next((ending for ending, text in kinds.items() if text == kind), ".svg")
            self.path.setText(path if Path(path).suffix else path + chosen)
            self._agreed = Path(path)

    @Slot(object)
    def _clicked(self, button: QPushButton) -> None:
        if self.box.buttonRole(button) == QDialogButtonBox.ButtonRole.ActionRole and self.form.commit():
            self._begin("copy", None)

    def accept(self) -> None:
        """Write the figure; a problem is said here and the window stays open."""
        if self._todo or not self.form.commit():
            return
        path = file_typed(self.path.text(), self._folder)
        self._target = path
        self._begin("write", path)

    def _begin(self, todo: str, path: Path | None) -> None:
        """Do `todo` as soon as the figure is laid out."""
        self.error.show_sentence(None)
        try:
            figure.check(path, self.figure)
            if path is not None and not path.parent.is_dir():
                write_whole(path, b"")  # says what is wrong with the folder
        except FileError as error:
            self.error.show_sentence(error.sentence)
            return
        if path is not None and path != self._agreed and not may_replace(path, self):
            return
        self._todo = todo
        self._rest.stop()
        self.box.setEnabled(False)
        QGuiApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        if self.maker.latest_made is not None:
            self._go_on()

    def _go_on(self) -> None:
        if self._todo == "copy":
            self.maker.copy()
            return
        ending = self._target.suffix.lower()
        if self._content is not None and self._content_for == ending:
            self._write()
        elif not (self.maker.busy and self._content_for == ending):
            self._content_for = ending
            self.maker.encode(ending)

    def _stop_waiting(self) -> None:
        if self._todo:
            self._todo = ""
            self.box.setEnabled(True)
            QGuiApplication.restoreOverrideCursor()

    def _write(self) -> None:
        assert self._content is not None
        path = self._target
        self._stop_waiting()
        try:
            write_whole(path, self._content)
        except FileError as error:
            self.error.show_sentence(error.sentence)
            return
        remember(self.figure, path)
        self._store.say(say("Figure saved to {file}.", file=verbatim(str(path))))
        super().accept()

    @Slot(object)
    def _copied(self, copied: Copied) -> None:
        if self._todo != "copy":
            return
        self._stop_waiting()
        put(copied)
        remember(self.figure, None)
        self.info.show_sentence(say("Figure copied to the clipboard."))

    def done(self, result: int) -> None:
        """Stop the worker when the window closes."""
        self._stop_waiting()
        self._rest.stop()
        self.maker.close()
        super().done(result)
