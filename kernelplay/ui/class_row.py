"""One class in the list: its mark, name, count and key; pressed, renamed, dragged to another place."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from kernelplay.i18n import plural, say, verbatim
from kernelplay.marks import Role
from kernelplay.ui.labels import Line
from kernelplay.ui.sizes import sized
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell


class ClassRow(QPushButton):
    """One class: its mark, its name, how many points it has, its key. Pressed: new points are of this class.

    A click on the mark chooses another look; a double click or F2 renames; dragging it, or Alt with Up and Down, moves
    it in the list.
    """

    renamed = Signal(int, str)
    look_wanted = Signal(int)
    moved = Signal(int, int)  # the class, and by how many places
    lifted = Signal(int, int)  # it is dragged: the class, and how far down, in pixels
    dropped = Signal(int, bool)  # it is let go; False: called off
    menu_wanted = Signal(int, object)

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.number = number
        self._worn: object = None
        self._pressed: float | None = None  # height on the screen where the button went down
        self.is_dragged = False
        self.setProperty("look", "row")
        self.setCheckable(True)
        sized(self, "setFixedHeight", 32)
        self.mark = QToolButton(self)
        sized(self.mark, "setFixedSize", 26, 26)
        self.mark.setProperty("look", "mark")
        sized(self.mark, "setIconSize", 16, 16)
        self.mark.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the menu of the class has it for the keyboard
        self.mark.clicked.connect(self._mark_clicked)
        self.title = Line(verbatim(""), self)
        self.count = Line(verbatim(""), self, look="dim")
        self.count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.key = Line(verbatim(str(number + 1)), self, look="dim")
        self.key.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.editor = QLineEdit(self)
        self.editor.hide()
        name(self.editor, say("Class name"))
        self.editor.editingFinished.connect(self._typed)
        for label in (self.title, self.count, self.key):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        sized(row, "setContentsMargins", 3, 0, 10, 0)
        sized(row, "setSpacing", 3)
        row.addWidget(self.mark)
        row.addWidget(self.title, 1)
        row.addWidget(self.editor, 1)
        row.addSpacing(4)
        row.addWidget(self.count)
        row.addSpacing(4)
        row.addWidget(self.key)

    def show_mark(self, theme: Theme, role: Role) -> None:
        """Show the mark of the class, that of `role`, in the colours of `theme`."""
        if (theme, role) != self._worn:
            self._worn = (theme, role)
            self.mark.setIcon(swatch(theme, role))

    def show_class(self, title: str, count: int) -> None:
        """Show the name and the number of points."""
        tell(self.title, "say", verbatim(title))
        tell(self.count, "say", plural(count, "{n} point", "{n} points"))
        name(self, say("class {name}, {count}", name=verbatim(title), count=plural(count, "{n} point", "{n} points")),
             say("New points get the selected class. Drag a class to reorder the list."))
        name(self.mark, say("Colour and shape of class {name}", name=verbatim(title)),
             say("Choose the colour and shape of this class."))

    @Slot()
    def _mark_clicked(self) -> None:
        self.look_wanted.emit(self.number)

    def below_mark(self) -> QPoint:
        """Return where on the screen a list opens that belongs to the mark."""
        return self.mapToGlobal(QPoint(3, self.height()))

    def rename(self) -> None:
        """Let the name be typed."""
        self.editor.setText(self.title.full)
        self.title.hide()
        self.editor.show()
        self.editor.setFocus()
        self.editor.selectAll()

    def give_up(self) -> None:
        """Leave the name as it is, whatever was typed."""
        if not self.editor.isHidden():
            mine = self.editor.hasFocus()
            self.editor.hide()  # losing the focus, it finds nothing to take any more
            self.title.show()
            if mine:
                self.setFocus()

    @Slot()
    def _typed(self) -> None:
        if self.editor.isHidden():
            return
        text = self.editor.text().strip()
        self.editor.hide()
        self.title.show()
        if text and text != self.title.full:
            self.renamed.emit(self.number, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Press, or take hold of the class."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.globalPosition().y()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the class once the hand means it."""
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        way = round(event.globalPosition().y() - self._pressed)
        if not self.is_dragged and abs(way) >= QApplication.startDragDistance():
            self.is_dragged = True
            self.setDown(False)  # letting go is no click then
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        if self.is_dragged:
            self.lifted.emit(self.number, way)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the class, or do what a click does."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.let_go(True)
        super().mouseReleaseEvent(event)

    def let_go(self, here: bool) -> None:
        """End dragging; `here`: the class stays where it is now."""
        self._pressed = None
        if self.is_dragged:
            self.is_dragged = False
            self.unsetCursor()
            self.dropped.emit(self.number, here)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click renames."""
        self.rename()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames, Alt with Up and Down moves; Escape leaves the name and the place as they were."""
        if event.key() == Qt.Key.Key_Escape and self.is_dragged:
            self.let_go(False)
        elif event.key() == Qt.Key.Key_F2:
            self.rename()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(self.number, -1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.key() == Qt.Key.Key_Escape and not self.editor.isHidden():
            self.give_up()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: object) -> None:
        """Ask for the menu of the class."""
        self.menu_wanted.emit(self.number, self.mapToGlobal(QPoint(12, self.height())))
