"""The eight looks to choose from, as a small grid that opens at the mark of a class."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QToolButton, QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import CLASS_ROLES, Scene
from kernelplay.ui.sizes import sized
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name

ACROSS = 4
LOOKS: tuple[Say, ...] = (
    say("blue disc"), say("red-orange square"), say("green triangle"), say("pink diamond"),
    say("amber inverted triangle"), say("sky-blue star"), say("yellow plus"), say("grey bar"),
)  # in the order of CLASS_ROLES; the colours of both themes have the same names


class LookPicker(QFrame):
    """Eight marks; the one that is clicked is the look of the class from then on. Arrow keys, Enter and Escape work."""

    chosen = Signal(int, int)  # class, look

    def __init__(self, scene: Scene, cls: int, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("look", "card")
        self._cls = cls
        name(self, say("Colour and shape of class {name}", name=verbatim(scene.classes[cls])))
        self.buttons: list[QToolButton] = []
        grid = QGridLayout(self)
        sized(grid, "setContentsMargins", 6, 6, 6, 6)
        sized(grid, "setSpacing", 2)
        for look, role in enumerate(CLASS_ROLES):
            button = QToolButton(self)
            button.setIcon(swatch(theme, role))
            sized(button, "setIconSize", 16, 16)
            sized(button, "setFixedSize", 34, 32)
            button.setProperty("look", "mark")
            button.setCheckable(True)
            button.setChecked(scene.looks[cls] == look)
            words = LOOKS[look]
            if look in scene.looks and look != scene.looks[cls]:
                other = verbatim(scene.classes[scene.looks.index(look)])
                words = say("{look}: used by class {name}, which gets this class's colour "
                            "and shape instead", look=words,
                            name=other)
            name(button, LOOKS[look], words)
            button.clicked.connect(self._clicked)
            grid.addWidget(button, look // ACROSS, look % ACROSS)
            self.buttons.append(button)

    def open(self, where: QPoint) -> None:
        """Open it at a place of the screen, at the look the class has now."""
        self.adjustSize()
        room = self.screen().availableGeometry()
        left = max(room.left(), min(where.x(), room.right() - self.width()))
        self.move(left, max(room.top(), min(where.y(), room.bottom() - self.height())))
        self.show()
        next(button for button in self.buttons if button.isChecked()).setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def _clicked(self) -> None:
        button = self.sender()
        if isinstance(button, QToolButton):
            self._choose(self.buttons.index(button))

    def _choose(self, look: int) -> None:
        self.close()
        self.chosen.emit(self._cls, look)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from look to look, Enter takes one, Escape leaves it as it was."""
        here = next((i for i, button in enumerate(self.buttons) if button.hasFocus()), 0)
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -ACROSS, Qt.Key.Key_Down: ACROSS}
        if event.key() in step:
            self.buttons[(here + step[Qt.Key(event.key())]) % len(self.buttons)].setFocus(
                Qt.FocusReason.TabFocusReason)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(here)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
