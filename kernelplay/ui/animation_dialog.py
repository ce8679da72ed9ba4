"""The dialog that makes animations: a form, a preview that plays, and the work with its progress and its end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kernelplay.animations import ENDINGS, MOVING, Source, Steps, format_of
from kernelplay.errors import FileError, SpecError
from kernelplay.files import size_text
from kernelplay.i18n import Say, current, number, plural, say, verbatim
from kernelplay.ui.animation import Progress
from kernelplay.ui.animation_export import Target, Written, check_target, earlier
from kernelplay.ui.animation_form import AnimationForm
from kernelplay.ui.animation_memory import FOLDER, remember, remembered
from kernelplay.ui.animation_preview import AnimationPreview
from kernelplay.ui.animator import Animator, Forecast, Glimpse, Job
from kernelplay.ui.controls import Push
from kernelplay.ui.dialogs import Dialog, file_typed, may_go, may_replace
from kernelplay.ui.filmstrip import chosen
from kernelplay.ui.labels import Complaint, Note
from kernelplay.ui.recent import folder_for
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import theme
from kernelplay.ui.words import name, tell

SOON = 150  # ms without another change after which a preview is made


class AnimationDialog(Dialog):
    """Makes animations of the scene as it is when it opens. Neither the document nor its history is touched."""

    def __init__(self, store: Store, theme_name: str, stem: str, parent: QWidget | None) -> None:
        super().__init__(say("Export animation"), parent)
        self._store, self._scene, self._screen = store, store.scene, theme(theme_name)
        picture = store.picture
        steps = picture.frames.count if picture is not None and picture.frames is not None else 0
        self._forecast: Forecast | None = None
        self._agreed: Path | None = None  # a file that may be replaced: the window that names files has asked
        self.animator = Animator(self)
        self.form = AnimationForm(self._scene, steps, self)
        self.preview = AnimationPreview(self)
        self.summary = Note(verbatim(" "), self)
        left = QVBoxLayout()
        sized(left, "setSpacing", 8)
        left.addWidget(self.preview, 1)
        left.addWidget(self.summary)
        across = QHBoxLayout()
        sized(across, "setSpacing", 12)
        across.addLayout(left, 1)
        across.addWidget(self.form)
        self.column.addLayout(across, 1)
        self.column.addLayout(self._build_file())
        self.error = Complaint(self)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        name(self.bar, say("Progress"))
        self.bar.hide()
        place = QGridLayout()  # nothing can be wrong while it works: one place for both
        place.addWidget(self.error, 0, 0)
        place.addWidget(self.bar, 0, 0)
        self.column.addLayout(place)
        box = self.buttons((say("Export"), QDialogButtonBox.ButtonRole.AcceptRole),
                           (say("Close"), QDialogButtonBox.ButtonRole.RejectRole))
        self.export_button = next(each for each in box.buttons()
                                  if box.buttonRole(each) == QDialogButtonBox.ButtonRole.AcceptRole)
        self.close_button = next(each for each in box.buttons() if each is not self.export_button)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._soon.timeout.connect(self._preview)
        self._restore(stem)
        self.form.changed.connect(self._changed)
        self.form.formatted.connect(self._formatted)
        self.form.refused.connect(self._refused)
        self.animator.progressed.connect(self._progressed)
        self.animator.glimpsed.connect(self._glimpsed)
        self.animator.foreseen.connect(self._foreseen)
        self.animator.written.connect(self._written)
        self.animator.failed.connect(self._failed)
        self.preview.resized.connect(self._resized)
        self.fit(self.sizeHint().expandedTo(self.minimumSizeHint()).width() + 120, 700)
        self._changed()

    def _build_file(self) -> QHBoxLayout:
        self.path = QLineEdit(self)
        self.path.setObjectName("path")
        self.path.editingFinished.connect(self._named)
        name(self.path, say("File"), say("The extension follows the format: .gif, .apng, .png or .svg."))
        self.browse = Push(say("Browse…"), self, look="")
        self.browse.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.browse.clicked.connect(self._browse)
        label = QLabel(self)
        label.setProperty("look", "key")
        tell(label, "setText", say("File"))
        label.setBuddy(self.path)
        line = QHBoxLayout()
        sized(line, "setSpacing", 7)
        line.addWidget(label)
        line.addWidget(self.path, 1)
        line.addWidget(self.browse)
        return line

    # what is asked for

    @property
    def target(self) -> Target:
        """The file that is asked for."""
        return Target.of(file_typed(self.path.text(), folder_for(FOLDER, self._store.path)), self.form.animation)

    def _job(self, source: Source, room: tuple[int, int] | None) -> Job:
        return Job(self._scene, source, self.form.look, self.target, current(), self._screen, self.form.steps, room)

    @Slot()
    def _changed(self) -> None:
        """Something else is asked for: say what it comes to, and make a preview of it soon."""
        self._forecast = None
        self._asked()
        self._show()
        self._soon.start()

    @Slot(str)
    def _formatted(self, ending: str) -> None:
        self.path.setText(str(Path(self.path.text()).with_suffix(ending)))

    @Slot()
    def _named(self) -> None:
        chosen = format_of(self.target.ending)
        if chosen is not None and chosen != self.form.animation.format:
            self.form.use(self.form.animation.replace("format", chosen), self.form.look)
            self._changed()

    @Slot()
    def _browse(self) -> None:
        kinds = ";;".join(f"{ending.removeprefix('.').upper()} (*{ending})" for ending in ENDINGS.values())
        path, _ = QFileDialog.getSaveFileName(self, str(say("Export animation")), self.path.text(), kinds)
        if path:
            self.path.setText(path)
            self._agreed = Path(path)
            self._named()

    def _possible(self) -> tuple[Source | None, Say | None]:
        """Return the source, or what is wrong with it."""
        try:
            source = self.form.source
            if isinstance(source, Steps):
                source.places(self.form.steps)
        except SpecError as error:
            return None, error.shown
        return source, None if source is not None else say(
            "There is nothing to animate: the model has neither steps nor numeric parameters.")

    def _asked(self) -> Source | None:
        """Return the source, or None after saying what is wrong with it."""
        source, wrong = self._possible()
        self.error.show_sentence(wrong)
        return source

    # the preview

    @Slot()
    def _preview(self) -> None:
        source, _ = self._possible()
        self.export_button.setEnabled(source is not None and not self.animator.writing)
        if source is not None and not self.animator.writing:
            self.animator.begin(self._job(source, self.preview.room))

    @Slot()
    def _resized(self) -> None:
        """Draw the pictures for the room they have now."""
        if not self.animator.writing:
            self._soon.start()

    @Slot(object)
    def _glimpsed(self, glimpse: Glimpse) -> None:
        self.preview.take(glimpse)
        source = self.form.source
        if glimpse.place == 0 and source is not None:
            if glimpse.count > 1:
                self.preview.play(self._count(source) / float(self.target.rate))
            else:
                self.preview.pause()

    @Slot(object)
    def _foreseen(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._show()

    def _count(self, source: Source) -> int:
        return len(source.places(self.form.steps)) if isinstance(source, Steps) else len(source.order)

    def _show(self) -> None:
        """Say how many pictures there are, how long they last, and how large the file will be."""
        source, _ = self._possible()
        if source is None:
            return
        target, animation, count = self.target, self.form.animation, self._count(source)
        size = size_text(self._forecast.size, 2) if self._forecast is not None else None
        if animation.format == "svg":
            shots = count if isinstance(source, Steps) else len(source.there)
            line = _strip_sentence(len(chosen(shots, animation.panels)), shots, size)
        else:
            seconds = number(count / float(target.rate)) if animation.format in MOVING else ""
            line = _sentence(count, seconds, self.form.look.dots, size)
        notes = [target.slip.sentence] if target.slip is not None else []
        if self._forecast is not None and self._forecast.failures is not None:
            notes.append(self._forecast.failures)
        for note in notes:
            line = say("{sentence} {more}", sentence=line, more=note)
        tell(self.summary, "setText", line)

    # the work

    def accept(self) -> None:
        """Write the animation; a problem is said here and the window stays open."""
        source = self._asked()
        if source is None or self.animator.writing:
            return
        target = replace(self.target, replace=True)  # a person is asked here
        try:
            check_target(target, self.form.look)
        except FileError as error:
            self.error.show_sentence(error.sentence)
            return
        if target.ending == ".png":
            there = earlier(target.path)
            if there and not may_go(there, self):
                return
        elif target.path != self._agreed and not may_replace(target.path, self):
            return
        self._soon.stop()
        self.animator.begin(replace(self._job(source, None), target=target))
        self.bar.setRange(0, 0)
        self._busy(True)

    def _busy(self, busy: bool) -> None:
        if busy:
            self.error.show_sentence(None)
        self.bar.setVisible(busy)
        for widget in (self.form, self.path, self.browse):
            widget.setEnabled(not busy)
        self.export_button.setEnabled(not busy and self._possible()[0] is not None)
        tell(self.close_button, "setText", say("Cancel") if busy else say("Close"))

    @Slot(object)
    def _progressed(self, now: Progress) -> None:
        self.bar.setRange(0, 2 * now.total)
        self.bar.setValue(now.done + (now.total if now.drawing else 0))

    @Slot(object)
    def _written(self, done: Written | None) -> None:
        self._busy(False)
        self.export_button.setFocus()
        if done is None:
            self.error.show_sentence(say("Stopped: nothing was saved."), look="dim")
            return
        sentence = done.sentence
        for note in done.notes:
            sentence = say("{sentence} {more}", sentence=sentence, more=note.sentence)
        remember(self.form.animation, self.form.look, self.target.path)
        self._store.say(sentence)
        super().accept()

    @Slot(object)
    def _refused(self, sentence: Say) -> None:
        self.error.show_sentence(sentence)

    @Slot(object)
    def _failed(self, sentence: Say) -> None:
        self._busy(False)
        self.error.show_sentence(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a field takes the value, and writes nothing yet."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            event.accept()
        else:
            super().keyPressEvent(event)

    def reject(self) -> None:
        """Stop the work, or close."""
        if self.animator.writing:
            self.animator.stop()
        else:
            super().reject()

    def done(self, result: int) -> None:
        """Close, when nothing works for this window any more."""
        self._soon.stop()
        self.preview.pause()
        self.animator.close()
        super().done(result)

    # what was set last

    def _restore(self, stem: str) -> None:
        animation, look = remembered()
        self.form.use(animation, look)
        self.path.setText(str(folder_for(FOLDER, self._store.path) / f"{stem}{animation.ending}"))


def _sentence(n: int, seconds: str, dots: tuple[int, int], size: Say | None) -> Say:
    """Return how many pictures there are, how large they are, how long they last, and how large the file will be."""
    given = {"seconds": seconds, "width": dots[0], "height": dots[1], "size": size or ""}
    if seconds and size is not None:
        return plural(n, "{n} frame of {width} × {height} pixels, {seconds} s, about {size}.",
                      "{n} frames of {width} × {height} pixels, {seconds} s, about {size}.",
                      **given)
    if seconds:
        return plural(n, "{n} frame of {width} × {height} pixels, {seconds} s.",
                      "{n} frames of {width} × {height} pixels, {seconds} s.", **given)
    if size is not None:
        return plural(n, "{n} frame of {width} × {height} pixels, about {size} in total.",
                      "{n} frames of {width} × {height} pixels, about {size} in total.", **given)
    return plural(n, "{n} frame of {width} × {height} pixels.", "{n} frames of {width} × {height} pixels.", **given)


def _strip_sentence(panels: int, n: int, size: Say | None) -> Say:
    """Return how many of the pictures stand in a filmstrip, and how large its file will be."""
    if size is None:
        return plural(n, "The strip shows {panels} of {n} frame.", "The strip shows {panels} of {n} frames.",
                      panels=panels)
    return plural(n, "The strip shows {panels} of {n} frame, about {size}.",
                  "The strip shows {panels} of {n} frames, about {size}.", panels=panels, size=size)
