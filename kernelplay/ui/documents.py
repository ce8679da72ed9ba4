"""Scenes and files: new, open, save, revert, duplicate, recent, examples, and a question before something is lost."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from kernelplay import link, session
from kernelplay.errors import FileError
from kernelplay.examples import Example, examples
from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import Scene
from kernelplay.spec import build
from kernelplay.ui.notice import Notice
from kernelplay.ui.recent import forget_files, recent_folder, remember_file
from kernelplay.ui.scene_files import Older, load, own_file, write
from kernelplay.ui.store import Store
from kernelplay.ui.waiting import wait_for
from kernelplay.ui.watch import Watch

if TYPE_CHECKING:
    from kernelplay.ui.desk import Desk

TABLES = "*.csv *.tsv *.tab *.txt *.dat *.data *.svm *.libsvm *.svmlight"


class Documents(QObject):
    """What is done with whole documents. A file that cannot be used is said in the status line; the document stays."""

    recent_changed = Signal()

    def __init__(self, store: Store, window: QWidget, notice: Notice, desk: Desk | None = None) -> None:
        super().__init__(window)
        self._store, self._window, self._notice, self._desk = store, window, notice, desk
        self._busy = False  # a file is being read or written
        self._theirs = ""  # fingerprint of what another program has put into the file
        self.watch = Watch(store, window)
        self.watch.differs.connect(self._differs)
        self.watch.same.connect(self._same)
        store.changed.connect(self._changed)

    @property
    def title(self) -> Say:
        """What the document is called."""
        if self._store.path is not None:
            return verbatim(self._store.path.name)
        title = self._store.scene.title
        named = next((each.title for each in examples() if each.title.template == title), verbatim(title))
        return named if title else say("untitled")

    def may_go(self) -> bool:
        """Return whether the document may be left: it is saved, or gets saved now, or need not be."""
        if self._busy:
            return False
        if not self._store.modified:
            return True
        named = self._store.path is not None or self._store.scene.title
        from kernelplay.ui.dialogs import ask_to_save

        answer = ask_to_save(say("“{title}”", title=self.title) if named else say("This scene"), self._window)
        return answer == "discard" or (answer == "save" and self.save())

    @Slot()
    def new(self) -> None:
        """Begin an empty scene with the model in use, as it is at first."""
        if self.may_go():
            self._store.open(self._fresh(), None, say("New scene"))

    def _fresh(self) -> Scene:
        return Scene(model=build("model", {"name": self._store.scene.model.key}))

    @Slot()
    def new_window(self) -> None:
        """Open another window with an empty scene."""
        if self._desk is not None:
            self._desk.open(self._fresh())

    @Slot()
    def duplicate(self) -> None:
        """Open another window with a copy of the scene: it has no file; nothing is lost with it until it changes."""
        if self._desk is not None:
            path = self._store.path
            title = self.title if path is None else verbatim(path.stem)
            self._desk.open(dataclasses.replace(self._store.scene, title=str(say("{title} copy", title=title))))

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        kinds = ";;".join((f"{say('Scenes and tables')} (*.kplay {TABLES})", f"{say('All files')} (*)"))
        path, _ = QFileDialog.getOpenFileName(self._window, str(say("Open")), recent_folder(), kinds)
        if path:
            self.open_path(Path(path))

    @Slot()
    def import_table(self) -> None:
        """Ask for a table and open the dialog that brings it in."""
        kinds = ";;".join((f"{say('Tables')} ({TABLES})", f"{say('All files')} (*)"))
        path, _ = QFileDialog.getOpenFileName(self._window, str(say("Import")), recent_folder(), kinds)
        if path:
            from kernelplay.ui.import_dialog import import_file

            import_file(self._store, Path(path), self._window)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open several files: the first one here, each of the others in a window of its own."""
        for number, path in enumerate(paths):
            if number and self._desk is not None:
                self._desk.open_path(path)
            else:
                self.open_path(path)

    def open_path(self, path: Path) -> None:
        """Open a scene, or read a table into the current one. A scene that is open in a window is shown there."""
        if path.suffix.lower() != session.SUFFIX:
            from kernelplay.ui.import_dialog import import_file

            import_file(self._store, path, self._window)
            return
        if self._desk is not None and self._desk.show_file(path, self._window):
            return
        read = self._read(path)
        if read is not None and self.may_go():
            scene, disk = read
            own = own_file(path)
            self._store.open(scene, own, say("Open"), disk if own is not None else None)
            if own is not None:
                self.remember(path)

    @Slot(str)
    def open_line(self, line: str) -> None:
        """Open a scene that comes as a line of text; it is in no file yet."""
        if self._busy:
            return
        self._busy = True
        try:
            scene = wait_for(partial(link.scene, line))
        except FileError as error:
            self._store.say(error.sentence, problem=True)
            return
        finally:
            self._busy = False
        if self.may_go():
            self._store.open(scene, None, say("Open"), saved=False)
            self._notice.over(*QUESTIONS)

    def _read(self, path: Path) -> tuple[Scene, str] | None:
        """Return the scene in a file and the fingerprint of the file; None if it cannot be used, which is said."""
        if self._busy:
            return None
        self._busy = True
        try:
            return wait_for(partial(load, path))
        except FileError as error:
            self._store.say(error.sentence, problem=True)
            return None
        finally:
            self._busy = False

    @Slot()
    def revert(self) -> None:
        """Go back to what is in the file, as a step that can be undone."""
        path = self._store.path
        read = self._read(path) if path is not None else None
        if path is None or read is None:
            return
        scene, disk = read
        self._notice.over(*QUESTIONS)
        if scene.digest != self._store.scene.digest:
            self._store.select(frozenset())
            self._store.edit(scene, say("Revert to {file}", file=verbatim(path.name)))
        else:
            scene = self._store.scene
        self._store.saved_as(path, disk, scene)
        self._store.say(say("Reverted to the saved version of {file}.", file=verbatim(path.name)))

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
            str((path.parent if path is not None else Path(recent_folder())) / f"{stem}{session.SUFFIX}"),
            f"{say('Scenes')} (*{session.SUFFIX})",
        )
        if not chosen:
            return False
        target = Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(session.SUFFIX)
        if self._desk is not None and self._desk.find(target, self._window) is not None:
            self._store.say(say("{file} is open in another window: choose a different name.",
                                file=verbatim(target.name)), problem=True)
            return False
        return self._write(target)

    def _write(self, path: Path, overwrite: bool = False) -> bool:
        store = self._store
        if self._busy:
            return False
        known = store.disk if path == store.path and not overwrite else None
        scene = store.scene
        self._busy = True
        try:
            disk = wait_for(partial(write, scene, path, known))
        except FileError as error:
            store.say(error.sentence, problem=True)
            self._notice.ask("not saved", say("Not saved. {why}", why=error.sentence), say("Save as…"),
                             say("Later"), self._not_saved)
            return False
        finally:
            self._busy = False
        if disk is None:
            from kernelplay.ui.dialogs import ask_to_overwrite

            answer = ask_to_overwrite(verbatim(path.name), self._window)
            return self._write(path, overwrite=True) if answer == "overwrite" else answer == "other" and self.save_as()
        store.saved_as(path, disk, scene)
        self._notice.over(*QUESTIONS)
        store.say(say("Saved to {file}.", file=verbatim(path.name)))
        self.remember(path)
        return True

    def _not_saved(self, elsewhere: bool) -> None:
        if elsewhere:
            self.save_as()

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if self._store.opening:
            self._notice.over(*QUESTIONS)  # which were about another document

    @Slot(object)
    def _differs(self, now: str) -> None:
        """Say that another program has changed or deleted the file, and offer what can be done."""
        path = self._store.path
        if path is None or self._busy:
            return
        if not now:
            if self._notice.about != "gone":
                self._store.unsaved()
                self._ask("gone", say("The file {file} no longer exists. The scene is still open in this window.",
                                      file=verbatim(path.name)), say("Save again"), say("Later"))
            return
        sentence = (say("{file} was changed by another program, and you have unsaved changes here.",
                        file=verbatim(path.name)) if self._store.modified
                    else say("{file} was changed by another program.", file=verbatim(path.name)))
        self._theirs = now
        self._ask("changed", sentence, say("Reload"), say("Keep this version"), safe=not self._store.modified)

    def _ask(self, about: str, sentence: Say, yes: Say, no: Say, safe: bool = True) -> None:
        if self._notice.about != about:
            self._store.say(sentence)
        self._notice.ask(about, sentence, yes, no, self._save_again if about == "gone" else self._load_again, safe)

    def _save_again(self, wanted: bool) -> None:
        if wanted:
            self.save()
        else:
            self._store.disk = ""  # that there is no file is known now

    def _load_again(self, wanted: bool) -> None:
        if wanted:
            self.revert()
        else:
            self._store.disk = self._theirs  # saving over it is decided now
            self._store.unsaved()

    @Slot()
    def _same(self) -> None:
        self._notice.over("gone", "changed")

    @Slot()
    def export(self) -> None:
        """Open the window that writes a figure."""
        from kernelplay.ui.export_dialog import ExportDialog

        if self._store.picture is None:
            return
        dialog = ExportDialog(self._store, str(self._window.property("theme")), self._window)
        dialog.exec()
        dialog.deleteLater()

    @Slot()
    def forget_recent(self) -> None:
        """Empty the list of recent files."""
        forget_files()
        self.recent_changed.emit()

    def remember(self, path: Path) -> None:
        """Put the file that was opened or saved at the top of the list of recent files; say once if what was opened is
        of an earlier form."""
        remember_file(path)
        self.recent_changed.emit()
        if isinstance(self._store.disk, Older):
            self._notice.ask("older", say("{file} is in an older format. Saving converts it to the current format, "
                                          "which earlier versions of kernelplay cannot read.",
                                          file=verbatim(path.name)),
                             say("Save as…"), say("OK"), self._not_saved, safe=False)


QUESTIONS = ("not saved", "gone", "changed", "older")  # that are over when a document is opened or saved


def file_stem(title: str) -> str:
    """Return a name for the file of a scene with this title that every system accepts."""
    return " ".join(re.sub(r'[<>:"/\\|?*\x00-\x1f]+', " ", title).split()).strip(". ") or "kernelplay"
