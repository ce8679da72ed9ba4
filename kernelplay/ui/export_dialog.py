"""The dialog that writes a figure."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from kernelplay.errors import FileError, SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.spec import Real, integer, real
from kernelplay.ui import figure
from kernelplay.ui.controls import Combo, Push
from kernelplay.ui.dialogs import Dialog
from kernelplay.ui.labels import Note
from kernelplay.ui.number import NumberField, plain
from kernelplay.ui.store import Store
from kernelplay.ui.theme import THEMES, Theme, theme
from kernelplay.ui.words import name, tell

WIDTH: Real = integer(800, 200, 3000, least=50, most=10_000, label=say("Width"), help=say("Width in pixels.")).metadata[
    "param"
]
HEIGHT: Real = integer(
    600, 200, 3000, least=50, most=10_000, label=say("Height"), help=say("Height in pixels.")
).metadata["param"]
SCALE: Real = real(2.0, 1.0, 4.0, least=0.25, most=20.0, label=say("Scale"),
                   help=say("Dots for each pixel, for PNG: 2 is sharp on a screen, 4 in print.")).metadata["param"]
PREVIEW = QSize(460, 345)


class ExportDialog(Dialog):
    """Writes what is on the canvas to a file, as PNG, SVG or PDF, with a look at what will be in it."""

    def __init__(self, store: Store, theme_name: str, parent: QWidget | None) -> None:
        super().__init__(say("Export figure"), parent)
        self._store = store
        settings = QSettings()
        folder = Path(str(settings.value("export/folder", str(Path.home()))))
        stem = store.path.stem if store.path is not None else "kernelplay"
        ending = str(settings.value("export/ending", ".svg"))
        self.preview = QLabel(self)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(PREVIEW)
        name(self.preview, say("Preview"))
        self.column.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignHCenter)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        self.path = QLineEdit(str(folder / f"{stem}{ending}"), self)
        self.path.setObjectName("path")
        name(self.path, say("File"), say("The ending chooses the format: .png, .svg or .pdf."))
        self.browse = Push(say("Browse…"), self, look="")
        self.browse.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.browse.clicked.connect(self._browse)
        line = QHBoxLayout()
        line.setSpacing(7)
        line.addWidget(self.path, 1)
        line.addWidget(self.browse)
        form.addRow(self._label(say("File")), line)
        self.width_field, self.height_field, self.scale_field = NumberField(self), NumberField(self), NumberField(self)
        size = QHBoxLayout()
        size.setSpacing(7)
        for field, param in ((self.width_field, WIDTH), (self.height_field, HEIGHT), (self.scale_field, SCALE)):
            if size.count():
                size.addSpacing(9)
                size.addWidget(self._label(param.label))
            name(field, param.label, param.help)
            size.addWidget(field)
        size.addStretch(1)
        form.addRow(self._label(WIDTH.label), size)
        self.look = Combo(self)
        self.look.set_options(tuple(THEMES.items()))
        self.look.show_key(theme_name)
        name(self.look, say("Theme"))
        self.look.chosen.connect(self._refresh)
        form.addRow(self._label(say("Theme")), self.look)
        self.column.addLayout(form)
        self.note = Note(say("The ending chooses the format: .png, .svg or .pdf."), self)
        self.error = Note(None, self, look="bad")
        self.error.hide()
        self.column.addWidget(self.note)
        self.column.addWidget(self.error)
        self.buttons(
            (say("Export"), QDialogButtonBox.ButtonRole.AcceptRole),
            (say("Cancel"), QDialogButtonBox.ButtonRole.RejectRole),
        )
        self._values: dict[NumberField, float | int] = {}
        for field, param, key in self._fields():
            value = settings.value(f"export/{key}", param.default, type=type(param.default))
            self._values[field] = param.default
            self._take(field, param, str(value))
            field.typed.connect(self._typed)
            field.stepped.connect(self._stepped)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(60)
        self._soon.timeout.connect(self._draw)
        self._draw()

    def _label(self, sentence: Say) -> QLabel:
        label = QLabel(self)
        label.setProperty("look", "key")
        tell(label, "setText", sentence)
        return label

    def _fields(self) -> tuple[tuple[NumberField, Real, str], ...]:
        return (
            (self.width_field, WIDTH, "width"),
            (self.height_field, HEIGHT, "height"),
            (self.scale_field, SCALE, "scale"),
        )

    def _take(self, field: NumberField, param: Real, text: str) -> None:
        try:
            self._values[field] = param.parse(text, param.label.template.lower())
        except SpecError as error:
            self.error.show_sentence(error.sentence)
        else:
            self.error.show_sentence(None)
        field.show_value(self._values[field])
        field.restore()

    @Slot(str)
    def _typed(self, text: str) -> None:
        field = self.sender()
        for other, param, _ in self._fields():
            if other is field:
                self._take(other, param, plain(text))
        self._refresh()

    @Slot(int, str)
    def _stepped(self, steps: int, gesture: str) -> None:
        field = self.sender()
        for other, param, _ in self._fields():
            if other is field:
                step = 10 * steps if param.integer else 0.5 * steps
                self._take(other, param, str(self._values[other] + step))
        self._refresh()

    @property
    def size_asked(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return int(self._values[self.width_field]), int(self._values[self.height_field])

    @property
    def theme_asked(self) -> Theme:
        """The theme of the figure."""
        return theme(self.look.key)

    @Slot()
    def _refresh(self) -> None:
        self._soon.start()

    @Slot()
    def _draw(self) -> None:
        picture = self._store.picture
        if picture is None:
            return
        width, height = self.size_asked
        ratio = self.devicePixelRatioF()
        scale = ratio * min(PREVIEW.width() / width, PREVIEW.height() / height)
        image = figure.image(
            picture, self._store.scene, (width, height), scale, theme=self.theme_asked, step=self._store.step
        )
        image.setDevicePixelRatio(ratio)
        self.preview.setPixmap(QPixmap.fromImage(image))

    @Slot()
    def _browse(self) -> None:
        kinds = ";;".join(("SVG (*.svg)", "PDF (*.pdf)", "PNG (*.png)"))
        path, _ = QFileDialog.getSaveFileName(self, str(say("Export figure")), self.path.text(), kinds)
        if path:
            self.path.setText(path)

    def accept(self) -> None:
        """Write the figure; a problem is said here and the window stays open."""
        for field, param, _ in self._fields():
            self._take(field, param, plain(field.text()))
            if not self.error.isHidden():
                return
        picture = self._store.picture
        path = Path(self.path.text()).expanduser()
        if picture is None:
            return
        try:
            figure.render(picture, self._store.scene, path, self.size_asked, float(self._values[self.scale_field]),
                          theme=self.theme_asked, step=self._store.step)
        except FileError as error:
            self.error.show_sentence(error.sentence)
            return
        settings = QSettings()
        settings.setValue("export/folder", str(path.parent))
        settings.setValue("export/ending", path.suffix)
        for field, _, key in self._fields():
            settings.setValue(f"export/{key}", self._values[field])
        self._store.say(say("The figure is in {file}.", file=verbatim(str(path))))
        super().accept()
