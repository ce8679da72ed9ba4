"""Scenes and files: new, open, save, recent, examples, dropped files, and one question before something is lost."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from kernelplay import session
from kernelplay.errors import FileError
from kernelplay.examples import Example, examples
from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import Scene
from kernelplay.ui.dialogs import ask_to_save
from kernelplay.ui.exchange import open_table
from kernelplay.ui.export_dialog import ExportDialog
from kernelplay.ui.store import Store

RECENT = 8


class Documents(QObject):
    """What is done with whole documents. A file that cannot be used is said in the status line; the document stays."""

    recent_changed = Signal()

    def __init__(self, store: Store, window: QWidget) -> None:
        super().__init__(window)
        self._store, self._window = store, window

    @property
    def title(self) -> Say:
        """What the document is called."""
        if self._store.path is not None:
            return verbatim(self._store.path.name)
        return verbatim(self._store.scene.title) if self._store.scene.title else say("untitled")

    def may_go(self) -> bool:
        """Return whether the document may be left: it is saved, or gets saved now, or need not be."""
        if not self._store.precious:
            return True
        named = self._store.path is not None or self._store.scene.title
        answer = ask_to_save(self.title if named else say("This scene"), self._window)
        return answer == "discard" or (answer == "save" and self.save())

    @Slot()
    def new(self) -> None:
        """Begin an empty scene with the model and kernel in use."""
        if self.may_go():
            scene = self._store.scene
            fresh = Scene(model=scene.model, shelf=scene.shelf, hidden=scene.hidden)
            self._store.open(fresh, None, say("New scene"))

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        kinds = ";;".join((f"{say('Scenes and tables')} (*.kplay *.csv *.tsv *.txt *.dat)", f"{say('All files')} (*)"))
        path, _ = QFileDialog.getOpenFileName(self._window, str(say("Open")), self._folder(), kinds)
        if path:
            self.open_path(Path(path))

    def open_path(self, path: Path) -> None:
        """Open a scene, or read a table into the current one."""
        if path.suffix.lower() != session.SUFFIX:
            open_table(self._store, path)
            return
        try:
            scene = session.load(path)
        except FileError as error:
            self._store.say(error.sentence, problem=True)
            return
        if self.may_go():
            self._store.open(scene, path, say("Open"))
            self._remember(path)

    @Slot()
    def open_recent(self) -> None:
        """Open the file of the menu entry that was chosen."""
        action = self.sender()
        if isinstance(action, QAction):
            self.open_path(Path(str(action.data())))

    @Slot()
    def open_example(self) -> None:
        """Open the example of the menu entry that was chosen."""
        action = self.sender()
        if isinstance(action, QAction):
            self.show_example(next(example for example in examples() if example.key == action.data()))

    def show_example(self, example: Example) -> None:
        """Open an example scene; it has no file, so that saving asks for a name."""
        try:
            scene = example.scene()
        except FileError as error:
            self._store.say(error.sentence, problem=True)
            return
        if self.may_go():
            self._store.open(scene, None, say("Open"))

    @Slot()
    def save(self) -> bool:
        """Write the document to its file; return whether it is saved now."""
        return self._write(self._store.path) if self._store.path is not None else self.save_as()

    @Slot()
    def save_as(self) -> bool:
        """Ask for a file and write the document there."""
        path = self._store.path
        stem = path.stem if path is not None else file_stem(self._store.scene.title)
        chosen, _ = QFileDialog.getSaveFileName(
            self._window,
            str(say("Save as")),
            str(Path(self._folder()) / f"{stem}{session.SUFFIX}"),
            f"{say('Scenes')} (*{session.SUFFIX})",
        )
        if not chosen:
            return False
        return self._write(Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(session.SUFFIX))

    def _write(self, path: Path) -> bool:
        try:
            session.save(self._store.scene, path)
        except FileError as error:
            self._store.say(error.sentence, problem=True)
            return False
        self._store.saved_as(path)
        self._store.say(say("Saved as {file}.", file=verbatim(path.name)))
        self._remember(path)
        return True

    @Slot()
    def export(self) -> None:
        """Open the window that writes a figure."""
        if self._store.picture is None:
            return
        dialog = ExportDialog(self._store, str(self._window.property("theme")), self._window)
        dialog.exec()
        dialog.deleteLater()

    def recent(self) -> list[Path]:
        """Return the files that were opened or saved last and are still there."""
        stored = QSettings().value("recent", [])
        paths = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, (list, tuple)) else []
        return [path for path in map(Path, map(str, paths)) if path.is_file()]

    @Slot()
    def forget_recent(self) -> None:
        """Empty the list of recent files."""
        QSettings().remove("recent")
        self.recent_changed.emit()

    def _remember(self, path: Path) -> None:
        path = path.resolve()
        paths = [path, *(other for other in self.recent() if other != path)][:RECENT]
        QSettings().setValue("recent", [str(each) for each in paths])
        self.recent_changed.emit()

    def _folder(self) -> str:
        recent = self.recent()
        return str(recent[0].parent if recent else Path.home())


def file_stem(title: str) -> str:
    """Return a name for the file of a scene with this title that every system accepts."""
    return " ".join(re.sub(r'[<>:"/\\|?*\x00-\x1f]+', " ", title).split()).strip(". ") or "kernelplay"


def example_groups() -> list[tuple[Say, list[Example]]]:
    """Return the examples by task, in the order of the menu."""
    groups: dict[str, list[Example]] = {"classification": [], "regression": []}
    for example in examples():
        try:
            groups[example.scene().task].append(example)
        except FileError:
            continue  # a broken example says so when it is opened by name; the menu offers what works
    return [(say("Classification"), groups["classification"]), (say("Regression"), groups["regression"])]
