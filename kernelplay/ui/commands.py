"""All commands of the main window: what each is called, which keys it has, what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from kernelplay import i18n
from kernelplay.i18n import say, verbatim
from kernelplay.kernels.edit import alone
from kernelplay.scene import CLASS_LABELS
from kernelplay.spec import kinds
from kernelplay.tools.arrange import ARRANGEMENTS
from kernelplay.ui.actions import Actions
from kernelplay.ui.animating import Animating
from kernelplay.ui.layer_panel import LAYERS
from kernelplay.ui.sharing import COMMAS, COPIES
from kernelplay.ui.sizes import SIZES, scale
from kernelplay.ui.theme import THEMES

if TYPE_CHECKING:
    from kernelplay.ui.window import MainWindow

Standard = QKeySequence.StandardKey


def commands(window: MainWindow) -> Actions:
    """Return the commands of `window`."""
    actions = Actions(window, window.look)
    add, files, edit, player = actions.add, window.documents, window.editing, window.player
    add("new", say("New"), files.new, Standard.New, "new")
    add("new_window", say("New window"), files.new_window, "Ctrl+Shift+N")
    add("open", say("Open…"), files.open, Standard.Open, "open")
    add("import", say("Import…"), files.import_table, "Ctrl+I", "table")
    add("save", say("Save"), files.save, Standard.Save, "save")
    add("save_as", say("Save as…"), files.save_as, ("Ctrl+Shift+S", Standard.SaveAs))
    add("duplicate", say("Duplicate in new window"), files.duplicate, "Ctrl+Shift+D")
    add("revert", say("Revert to saved"), files.revert)
    for key in ("new_window", "duplicate"):
        actions[key].setEnabled(window.desk is not None)
    add("export", say("Export figure…"), files.export, "Ctrl+E", "export", short=say("Export figure"))
    add("animate", say("Export animation…"), Animating(window.store, window).open, "Ctrl+Alt+E")
    add("export_data", say("Export data…"), window.sharing.export_data, "Ctrl+Shift+E", "table")
    add("code", say("Show as code…"), window.sharing.show_code, "Ctrl+K")
    add("copy_picture", say("Copy figure"), edit.copy_picture, "Ctrl+Shift+C", "copy")
    add("close", say("Close window"), window.close, ("Ctrl+W", Standard.Close))
    add("quit", say("Quit"), window.quit, ("Ctrl+Q", Standard.Quit))
    add("undo", say("Undo"), edit.undo, ("Ctrl+Z", Standard.Undo), "undo", short=say("Undo"))
    add("redo", say("Redo"), edit.redo, ("Ctrl+Shift+Z", Standard.Redo, "Ctrl+Y"), "redo", short=say("Redo"))
    add("history", say("History"), window.show_history, "F6", checkable=True)
    add("copy", say("Copy points"), edit.copy_points, Standard.Copy)
    for form, called in (*COPIES.items(), ("commas", COMMAS)):
        add(f"copy_as:{form}", called, window.sharing.copy_points_as, data=form)
    add("copy_line", say("Copy scene as text"), edit.copy_line, "Ctrl+Alt+C")
    add("paste", say("Paste rows, or a scene as text"), edit.paste, Standard.Paste)
    add("select_all", say("Select all"), edit.select_all, Standard.SelectAll)
    add("select_none", say("Deselect all"), edit.select_none, "Ctrl+Shift+A")
    add("delete", say("Delete selected points"), edit.delete, ("Del", "Backspace"), "delete")
    add("switch", say("Switch selected points off/on"), edit.switch, "Ctrl+D")
    add("coordinates", say("Coordinates of the selected point…"), edit.type_coordinates, "Ctrl+Return")
    add("clear", say("Delete all points"), edit.clear, "Ctrl+Shift+Del")
    add("duplicate_points", say("Duplicate selected points"), window.arranging.duplicate, "Ctrl+J")
    for key, how in ARRANGEMENTS.items():
        add(f"arrange:{key}", how.label, window.arranging.arrange, data=key)
    add("snap", say("Snap to grid"), window.canvas.toolbox.snap, "Ctrl+G", checkable=True)
    for key, tool in kinds("tool").items():
        add(
            f"tool:{key}",
            tool.command,
            edit.choose_tool,
            tool.keys,
            key,
            short=tool.label,
            group="tool",
            only_in=window.canvas,
            data=key,
        )
    for number in range(len(CLASS_LABELS)):
        add(
            f"class:{number}",
            say("Class {number}", number=number + 1),
            edit.choose_class,
            str(number + 1),
            group="class",
            only_in=window.canvas,
            data=number,
        )
        add(
            f"assign:{number}",
            say("Class {number}", number=number + 1),
            window.arranging.assign,
            f"Shift+{number + 1}",
            only_in=window.canvas,
            data=number,
        )
    add(
        "fit_view",
        say("Zoom to fit"),
        window.canvas.fit_view,
        "F",
        "fit",
        short=say("Zoom to fit"),
        only_in=window.canvas,
    )
    add("legend", say("Expand or collapse legend"), window.toggle_legend, "L", only_in=window.canvas)
    for layer, title in LAYERS.items():
        add(f"layers:{layer}", title, window.show_layer, checkable=True, data=layer)
    add("data_panel", say("Data panel"), window.show_panel, "F7", checkable=True, data="data_panel")
    add("model_panel", say("Model panel"), window.show_panel, "F8", checkable=True, data="model_panel")
    for key in ("data_panel", "model_panel"):
        actions[key].setChecked(True)
    add("side_views", say("Expand or collapse side views"), window.side_views.toggle, "F9")
    for key, title in THEMES.items():
        add(f"theme:{key}", title, window.choose_theme, group="theme", data=key)
    for code, title_ in i18n.LANGUAGES.items():
        add(f"language:{code}", verbatim(title_), window.choose_language, group="language", data=code)
    zooming = say("The size of letters, controls, marks and lines: zoom in or out, larger or smaller, enlarged for a "
                  "projector.")
    for percent in SIZES:
        add(f"size:{percent}", say("{n} %", n=percent), window.sizing.choose, group="size", data=percent, about=zooming)
    add("larger", say("Larger text and symbols"), window.sizing.larger, ("Ctrl++", "Ctrl+=", Standard.ZoomIn),
        about=zooming)
    add("smaller", say("Smaller text and symbols"), window.sizing.smaller, ("Ctrl+-", Standard.ZoomOut), about=zooming)
    add("usual_size", say("Default size of text and symbols"), window.sizing.usual, "Ctrl+0", about=zooming)
    add("present", say("Presentation"), window.presenting.turn, "F5", "play", checkable=True,
        about=say("For a projector: full screen, no panels, larger text and symbols, and a toolbar above the canvas."))
    add(
        "full_screen",
        say("Full screen"),
        window.fill_screen,
        ("F11", Standard.FullScreen),
        "fullscreen",
        checkable=True,
    )
    for place, (key, cls) in enumerate(kinds("model").items(), 1):
        add(
            f"model:{key}",
            cls.label,
            window.choose_model,
            f"Ctrl+{place}" if place < 10 else (),
            group="model",
            data=key,
        )
    for key in alone():
        add(f"kernel:{key}", kinds("kernel")[key].label, window.choose_kernel, group="kernel", data=key)
    search = window.model_panel.evidence
    add("maximise", say("Maximise the evidence"), search.start, "Ctrl+M", "optimise")
    add("play", say("Play or pause steps"), player.toggle, "Ctrl+Space", "play")
    add("step_back", say("Step back"), player.back, "Alt+Left", "back")
    add("step_forward", say("Step forward"), player.forward, "Alt+Right", "step")
    add("first_step", say("First step"), player.first, "Alt+Home", "first")
    add("last_step", say("Last step"), player.last, "Alt+End", "last")
    add("gestures", say("Mouse and keyboard"), window.show_gestures, Standard.HelpContents, "help")
    add("commands", say("Commands and shortcuts…"), window.show_commands, ("Ctrl+Shift+P", "Ctrl+?"), "search")
    add("about", say("About kernelplay"), window.show_about, image="info")
    actions[f"theme:{window.look.name}"].setChecked(True)
    actions[f"size:{round(100 * scale())}"].setChecked(True)
    if i18n.current() in i18n.LANGUAGES:
        actions[f"language:{i18n.current()}"].setChecked(True)
    return actions
