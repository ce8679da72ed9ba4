"""The style sheet of the window: flat controls in the colours of a theme.

`@name` stands for a colour of the theme, `@px12` for a length that grows with its zoom, as all lengths but the 1px of a
line do. The dynamic property `look` chooses a variant: QLabel "dim", "help", "key", "value", "good", "warn", "bad",
"symbol"; QPushButton "primary", "flat", "link", "segment", "row"; QToolButton "primary", "chip",
"mark", "step"; QLineEdit "number", "cell"; QComboBox "strong", "cell"; QListWidget "lines"; QFrame "card",
"segments", "notice"; QWidget "panel", "presenting". `wrong` ("true") marks a field whose text cannot be used.
"""

SHEET = """
QWidget { color: @text; }
QMainWindow, QDialog { background: @panel; }
QMainWindow::separator { background: @edge; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QToolTip { background: @card; color: @text; border: 1px solid @card_edge; padding: 5px 7px; }

/* bars */
QMenuBar { background: @bar; border-bottom: 1px solid @edge; padding: 2px 6px; }
QMenuBar::item { padding: 5px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenuBar::item:pressed { background: @soft; color: @accent; }
QMenu { background: @card; border: 1px solid @card_edge; padding: 5px 0; }
QMenu::item { padding: 6px 26px 6px 26px; }
QMenu::item:selected { background: @soft; color: @accent; }
QMenu::item:disabled { color: @faint; background: transparent; }
QMenu::separator { height: 1px; background: @edge; margin: 5px 10px; }
QMenu::icon { padding-left: 8px; }
QMenu, QToolButton, QPushButton, QAbstractItemView { icon-size: 16px; }
QMenu::indicator { width: 14px; height: 14px; left: 7px; }
QMenu::indicator:checked { image: url("@image_check"); background: @accent; border-radius: 3px; }
QMenu::right-arrow { image: url("@image_right"); width: 10px; height: 10px; right: 8px; }
QToolBar { background: @bar; border: none; border-bottom: 1px solid @edge; padding: 5px 9px; spacing: 4px; }
QToolBar::separator { background: @edge; width: 1px; margin: 5px 5px; }
QToolBar QLabel { color: @text_dim; }
QStatusBar { background: @bar; border-top: 1px solid @edge; color: @text; min-height: 26px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { padding: 0 6px; }

/* panels */
QScrollArea { background: @panel; border: none; }
QScrollArea > QWidget > QWidget { background: @panel; }
QWidget[look="panel"] { background: @panel; }
QWidget[look="presenting"] { background: @bar; border-bottom: 1px solid @edge; }
QFrame[look="card"] { background: @card; border: 1px solid @card_edge; border-radius: 7px; }
QFrame[look="notice"] { background: @card; border: 1px solid @accent; border-radius: 8px; }
QFrame[look="segments"] { background: @sunken; border: none; border-radius: 8px; }
QSplitter::handle { background: @edge; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

/* words */
QLabel { background: transparent; }
QLabel[look="dim"] { color: @text_dim; }
QLabel[look="help"] { color: @text_dim; font-size: @px12; }
QLabel[look="key"] { color: @text_mid; }
QLabel[look="value"] { color: @text; font-weight: 600; }
QLabel[look="good"] { color: @good; }
QLabel[look="warn"] { color: @warn; }
QLabel[look="bad"] { color: @bad; }
QLabel[look="symbol"] { color: @text_mid; font-style: italic; }

/* buttons */
QPushButton { background: @card; border: 1px solid @card_edge; border-radius: 6px; padding: 6px 12px; color: @text; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @sunken; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @faint; background: @panel; }
QPushButton:default, QPushButton[look="primary"] {
    background: @soft; border-color: @soft_edge; color: @accent; font-weight: 600; }
QPushButton:default:hover, QPushButton[look="primary"]:hover { background: @soft_hover; }
QPushButton[look="primary"]:focus { border-color: @accent; }
QPushButton[look="primary"]:disabled { background: @panel; border-color: @edge; color: @faint; }
QPushButton[look="flat"], QPushButton[look="link"] { background: transparent; border: 1px solid transparent; }
QPushButton[look="flat"]:hover { background: @hover; }
QPushButton[look="flat"]:checked { background: @soft; color: @accent; font-weight: 600; }
QPushButton[look="flat"]:focus { border-color: @accent; }
QPushButton[look="link"] { color: @accent; padding: 4px 2px; text-align: left; }
QPushButton[look="link"]:hover { color: @accent_hover; text-decoration: underline; }
QPushButton[look="link"]:focus { border-color: @accent; }
QPushButton[look="link"]:disabled { color: @faint; }
QPushButton[look="segment"] {
    background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 5px 3px; margin: 2px;
    color: @text_mid; }
QPushButton[look="segment"]:hover { color: @text; }
QPushButton[look="segment"]:checked { background: @card; border-color: @card_edge; color: @text; font-weight: 600; }
QPushButton[look="segment"]:focus { border-color: @accent; }
QPushButton[look="segment"]:disabled { color: @faint; }
QPushButton[look="row"] {
    background: transparent; border: 1px solid transparent; border-radius: 7px; padding: 6px 8px; text-align:
    left; }
QPushButton[look="row"]:hover { background: @hover; }
QPushButton[look="row"]:checked { background: @card; border-color: @card_edge; }
QPushButton[look="row"]:focus { border-color: @accent; }
QToolButton {
    background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 5px 9px; color: @text;
    }
QToolButton:hover { background: @hover; }
QToolButton:pressed { background: @sunken; }
QToolButton:checked { background: @soft; color: @accent; font-weight: 600; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @faint; }
QToolButton[look="primary"] { background: @soft; color: @accent; font-weight: 600; }
QToolButton[look="primary"]:hover { background: @soft_hover; }
QToolButton[popupMode="2"] { padding-right: 20px; }
QToolButton[popupMode="1"] { padding-right: 24px; }
QToolButton::menu-button { background: transparent; border: none; border-radius: 6px; width: 22px; }
QToolButton::menu-button:hover { background: @sunken; }
QToolButton[look="step"] { padding-left: 7px; padding-right: 19px; }
QToolButton[look="step"]::menu-button { width: 17px; }
QToolButton::menu-arrow { image: url("@image_down"); width: 10px; height: 10px; }
QToolButton::menu-indicator {
    image: url("@image_down"); width: 10px; height: 10px; subcontrol-position: right center; right: 6px; }

/* values */
QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit {
    background: @card; border: 1px solid @card_edge; border-radius: 6px; padding: 3px 8px; color: @text;
    selection-background-color: @accent; selection-color: @accent_text; }
QLineEdit:focus, QAbstractSpinBox:focus, QPlainTextEdit:focus, QTextEdit:focus { border-color: @accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled { color: @faint; background: @panel; }
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"] { border-color: @bad; color: @bad; }
QAbstractSpinBox QLineEdit { border: none; background: transparent; padding: 0 4px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { background: transparent; border: none; width: 16px; }
QAbstractSpinBox::up-arrow { image: url("@image_up"); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url("@image_down"); width: 9px; height: 9px; }
QComboBox {
    background: @card; border: 1px solid @card_edge; border-radius: 7px; padding: 6px 28px 6px 10px; color:
    @text; combobox-popup: 0; }
QComboBox:hover { background: @hover; }
QComboBox:focus, QComboBox:on { border-color: @accent; }
QComboBox:disabled { color: @faint; background: @panel; }
QComboBox[look="strong"] { font-weight: 600; }
QComboBox[look="cell"] { padding: 0 20px 0 4px; border-color: @accent; border-radius: 3px; }
QComboBox[look="cell"]::drop-down { width: 20px; }
QComboBox::drop-down { border: none; width: 26px; }
QComboBox::down-arrow { image: url("@image_down"); width: 10px; height: 10px; }
QComboBoxPrivateContainer { background: @card; border: none; padding: 0; margin: 0; }
QComboBox QAbstractItemView, QComboBox QAbstractItemView:focus {
    background: @card; border: 1px solid @card_edge; border-radius: 0; padding: 5px 0; outline: none;
    font-weight: 400; selection-background-color: @soft; selection-color: @accent; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 2px 10px; border: none; }
QComboBox QAbstractItemView::item:selected { background: @soft; color: @accent; }
QSlider { min-height: 20px; }
QSlider::groove:horizontal { background: @groove; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; height: 4px; border-radius: 2px; }
QSlider::handle:horizontal {
    background: @card; border: 2px solid @accent; width: 12px; height: 12px; margin: -6px 0; border-radius: 8px;
    }
QSlider::handle:horizontal:hover { background: @soft; }
QSlider::handle:horizontal:focus { background: @soft_edge; }
QSlider::handle:horizontal:disabled { border-color: @groove; background: @panel; }
QSlider::sub-page:horizontal:disabled { background: @groove; }
QCheckBox { spacing: 7px; background: transparent; min-height: 20px; }
QCheckBox:disabled { color: @faint; }
QCheckBox::indicator {
    width: 15px; height: 15px; border: 1px solid @text_dim; border-radius: 4px; background: @card; }
QCheckBox::indicator:hover { border-color: @accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
    background: @accent; border-color: @accent; image: url("@image_check"); }
QCheckBox::indicator:disabled { border-color: @groove; background: @panel; }
QCheckBox:focus { color: @accent; }
QProgressBar { background: @groove; border: none; border-radius: 3px; max-height: 6px; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

/* lists, tables, tabs */
QAbstractItemView {
    background: @card; border: 1px solid @card_edge; border-radius: 7px; alternate-background-color: @panel;
    selection-background-color: @soft; selection-color: @text; outline: none; gridline-color: @edge; }
QAbstractItemView::item { padding: 3px 6px; }
QAbstractItemView::item:disabled { color: @faint; }
QListWidget[look="lines"] { padding: 0 6px; }
QListWidget[look="lines"]::item { padding: 3px 0; }
QAbstractItemView:focus { border-color: @accent; }
QHeaderView { background: @panel; border: none; border-radius: 0; }
QHeaderView::section {
    background: @panel; color: @text_dim; border: none; border-bottom: 1px solid @edge; padding: 5px; font-
    weight: 600; }
QHeaderView::section:vertical { border-bottom: none; padding: 0 5px 0 0; font-weight: 400; }
QTableCornerButton::section { background: @panel; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @groove; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @text_dim; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

/* panels: narrow variants */
QPushButton[look="segment"] { padding: 4px 4px; }
QToolButton[look="chip"] {
    background: transparent; border: 1px solid @card_edge; border-radius: 6px; padding: 2px 7px; color:
    @text_dim; font-size: @px12; }
QToolButton[look="chip"]:hover { background: @hover; }
QToolButton[look="chip"]:checked { background: @soft; border-color: @soft_edge; color: @accent; font-weight: 600; }
QToolButton[look="chip"]:focus { border-color: @accent; }
QPushButton[look="link"] { padding: 4px 5px; }
QToolButton[look="mark"] { padding: 0; }
QToolButton[look="mark"]:checked { background: @soft; border-color: @accent; }
QLineEdit[look="number"] { padding: 1px 7px; }
QDialog QLineEdit, QDialog QLineEdit[look="number"] { padding: 6px 8px; }
QLineEdit[look="cell"], QDialog QLineEdit[look="cell"] {
    padding: 0 5px; border: 1px solid @accent; border-radius: 3px; }
QLineEdit[look="number"]:focus { border-color: @accent; }
QStatusBar { min-height: 32px; }
QStatusBar QToolButton { padding: 2px 7px; }
QStatusBar QToolButton[popupMode="2"] { padding-right: 20px; }
"""
