"""The command line, one file: open the window, fit, render, …. Nothing heavy is imported before it is known what is
wanted."""

from __future__ import annotations

import difflib
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelplay import __version__, animate_command, share
from kernelplay.arguments import Command, Given, Option, UsageError, columns, help_of, read
from kernelplay.errors import FileError, Spoken
from kernelplay.figures import PRESETS, Figure, preset
from kernelplay.i18n import LANGUAGES, PSEUDO, Say, current, say, use
from kernelplay.spec import Choice, Flag, Param

if TYPE_CHECKING:
    from kernelplay.models.base import Model
    from kernelplay.scene import Scene
    from kernelplay.tables import Table

THEMES = ("light", "dark")
LISTS = ("kernels", "models", "datasets", "scenes")
QT_OPTIONS = {"-platform": 1, "-platformpluginpath": 1, "-platformtheme": 1, "-plugin": 1, "-style": 1,
              "-stylesheet": 1, "-qwindowgeometry": 1, "-qwindowicon": 1, "-qwindowtitle": 1, "-display": 1,
              "-geometry": 1, "-reverse": 0}

_LANG = Option(("--lang",), say("Language of the window and messages: en, ko, ja"), "LANG")
_THEME = Option(("--theme",), say("Colour theme of the window"), "THEME", choices=THEMES)
_JSON = Option(("--json",), say("Print machine-readable JSON"))
_MODEL = Option(("--model",), say("Use this model; \"kernelplay list models\" shows them"), "MODEL")
_KERNEL = Option(("--kernel",), say("Use this kernel, such as \"rbf(gamma=2) + linear()\""), "KERNEL")
_SET = Option(("--set",), say("Set a parameter, such as C=10 or kernel.gamma=0.5; can be repeated"),
              "PATH=VALUE", repeated=True)



def _figure_option(name: str, param: Param) -> Option:
    """Return the flag of one declared value of a figure."""
    flag = name.replace("_", "-")
    if isinstance(param, Flag):
        if param.default:
            return Option((f"--no-{flag}",), say("Turn this off: {what}", what=param.label))
        return Option((f"--{flag}",), param.help)
    choices = tuple(key for key, _ in param.options) if isinstance(param, Choice) else ()
    return Option((f"--{flag}",), param.help, name.upper(), choices=choices)


_FIGURE = tuple(_figure_option(name, param) for name, param in Figure.params().items())

OPEN = Command("", say("Open the window."), "[FILE…]",
               say("A scene (.kplay file or scene text), a table (.csv) or an example name; the first example if "
                   "omitted"),
               (_LANG, _THEME))
FIT = Command("fit", say("Fit a model and print its results and certificate."), "SCENE_OR_CSV",
              say("A scene (.kplay file or scene text), a table (.csv) whose last column is the label or target, or an "
                  "example name"),
              (_MODEL, _KERNEL, _SET, _JSON, _LANG))
RENDER = Command("render", say("Render a scene to a file; no display needed."), "SCENE",
                 say("A scene (.kplay file or scene text), a table (.csv) or an example name"),
                 (Option(("-o", "--output"),
                         say("Output file; its extension sets the format: .png, .svg or .pdf"), "FIGURE",
                         needed=True),
                  Option(("--preset",), say("Start from the size, font size, resolution and theme "
                                            "of this preset"), "PRESET",
                         choices=tuple(PRESETS)),
                  Option(("--size",), say("Width and height together, such as 85x64mm or 800x600"), "WxH"),
                  *_FIGURE, _LANG, _MODEL, _KERNEL, _SET))
ANIMATE = Command("animate", say("Render a parameter sweep, or the steps of the model, as an animation."), "SCENE",
                  say("A scene (.kplay file or scene text), a table (.csv) or an example name"),
                  (*animate_command.OPTIONS, *(option for option in RENDER.options if option.name != "output")))
CODE = Command("code", say("Print a fit as a script for NumPy or scikit-learn, or as LaTeX."), "SCENE_OR_CSV",
               FIT.operand_help, (*share.CODE_OPTIONS, _MODEL, _KERNEL, _SET, _LANG))
EXPORT = Command("export", say("Export points, predictions, readouts or steps to a file."), "SCENE",
                 RENDER.operand_help, (*share.EXPORT_OPTIONS, _MODEL, _KERNEL, _SET, _LANG))
LINK = Command("link", say("Print a scene as text that can be pasted into a window or given as SCENE."),
               "SCENE", say("A scene (.kplay), a table (.csv) or an example name"),
               (_LANG, _MODEL, _KERNEL, _SET))
LIST = Command("list", say("List models, kernels and more, "
                           "with all parameters."), "WHAT", say("What to list"), (_JSON, _LANG),
               LISTS)
COMMANDS = {command.name: command for command in (OPEN, FIT, RENDER, ANIMATE, CODE, EXPORT, LINK, LIST)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0, or 2 after a sentence on the error output."""
    # two BLAS threads beside the window's loop make the same work many times slower; read when numpy is loaded
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that has no ‖ shows "?", and goes on
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        use(_language(words))
        status = _run(words)
        print(end="", flush=True)  # while a reader that has gone can still be said or passed over
        return status
    except Spoken as error:
        if isinstance(error.__context__, BrokenPipeError):  # as below, with -o /dev/stdout
            return 0
        print(error, file=sys.stderr)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:  # files have sentences of their own; this is what we print to
        print(say("The output could not be written: {why}.", why=error.strerror or str(error)), file=sys.stderr)
    except MemoryError:
        print(say("Not enough memory: use fewer points."), file=sys.stderr)
    except Exception as error:  # whatever it is, a person gets a sentence
        print(_unexpected(error), file=sys.stderr)
    return 2


def _run(words: list[str]) -> int:
    command = COMMANDS.get(words[0], OPEN) if words and words[0] else OPEN
    words = words if command is OPEN else words[1:]
    options = words[:words.index("--")] if "--" in words else words
    if "--help" in options or "-h" in options:
        print(_overview() if command is OPEN else help_of(command))
        return 0
    if "--version" in options:
        print(f"kernelplay {__version__}")
        return 0
    near = difflib.get_close_matches(words[0], [name for name in COMMANDS if name], n=1) if words else []
    if command is OPEN and len(words) > 1 and near and not Path(words[0]).exists():
        raise UsageError(say("There is no command {word}; did you mean {near}?", word=words[0], near=near[0]))
    given = read(command, words, QT_OPTIONS if command is OPEN else {})
    return {"": _open, "fit": _fit, "render": _render, "animate": _animate, "code": _code, "export": _export,
            "link": _link, "list": _list}[command.name](given)


def _language(words: list[str]) -> str:
    """Return the language of the messages: --lang, else that of the environment, else English."""
    asked = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--lang"]
    asked += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    if asked and asked[-1] not in (*LANGUAGES, PSEUDO):
        raise UsageError(say("{option} cannot be {value}: choose one of {names}.", option="--lang",
                             value=asked[-1] or '""', names=", ".join(LANGUAGES)))
    if asked:
        return asked[-1]
    import locale

    variables = [os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    named = next((value for value in variables if value), locale.getlocale()[0] or "")  # Windows: "Korean_Korea"
    return next((language for language in LANGUAGES if named.lower().startswith(language)), "en")


def _overview() -> str:
    usages = [(command.usage, str(command.about)) for command in COMMANDS.values()]
    lines = "\n".join(f"  {usage}\n      {about}" for usage, about in usages)
    title = str(say("kernelplay {version}, a playground for kernel methods.", version=__version__))
    return "\n\n".join([
        title, lines,
        columns([("--help", str(say("Show this help, or the help of a command"))),
                 ("--version", str(say("Show the version number")))])])


def _unexpected(error: Exception) -> Say:
    handle, name = tempfile.mkstemp(prefix="kernelplay-", suffix=".log", text=True)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        traceback.print_exception(error, file=file)
    return say("kernelplay hit an internal error ({kind}). Please report it and attach the file {file}.",
               kind=type(error).__name__, file=name)


def _open(given: Given) -> int:
    line = given.operand if given.operand and _is_line(given.operand) else ""
    if line:
        _document(line)  # what cannot be opened is said here, not in a window
    names = () if line else given.operands
    for name in names:
        if not _path(name).exists():
            raise FileError(say("{file} is not a file, an example or a command: \"kernelplay list scenes\" and "
                                "\"kernelplay --help\" list them.", file=name))
    from kernelplay.ui.preflight import preflight

    problem = preflight()
    if problem is not None:
        print(problem, file=sys.stderr)
        return 2
    from kernelplay.ui.app import run

    return run([sys.argv[0], *given.rest], paths=[_path(name) for name in names],
               language=given.values.get("lang"), theme=given.values.get("theme"), line=line)


def _fit(given: Given) -> int:
    import numpy as np

    from kernelplay import report
    from kernelplay.scene import Scene
    from kernelplay.writing import class_names

    document = _document(given.operand, given)
    model, X, y, labels = _problem(document, given)
    notes = getattr(document, "notes", ())
    with np.errstate(all="ignore"):  # what overflows is found by the certificate and said in sentences
        fit = model.fit(X, y, labels=labels)
        called = class_names(document) if isinstance(document, Scene) else {}
        text = report.as_json(fit, notes) if "json" in given.switches else report.as_text(fit, notes, called)
    print(text)
    return 0


def _render(given: Given) -> int:
    from kernelplay import api

    picture = api.render(_scene(given), given.values["output"], _figure(given), language=current())
    if picture.problem is not None:
        print(picture.problem, file=sys.stderr)
    return 0


def _animate(given: Given) -> int:
    return animate_command.animate(_scene(given), given, _figure(given))


def _code(given: Given) -> int:
    import numpy as np

    document = _document(given.operand, given)
    model, X, y, labels = _problem(document, given)
    with np.errstate(all="ignore"):
        fit = model.fit(X, y, labels=labels)
        said = share.code(fit, document, given)
    if said is not None:
        print(said)
    return 0


def _export(given: Given) -> int:
    said = share.export(_scene(given), given)
    if said is not None:
        print(said)
    return 0


def _link(given: Given) -> int:
    from kernelplay import link

    print(link.text(_scene(given)))
    return 0


def _scene(given: Given) -> Scene:
    """Return the scene that is named, a table as the window would show it, with the flags applied; its notes go to the
    error output."""
    from kernelplay.scene import Scene

    document = _document(given.operand)
    for note in getattr(document, "notes", ()):
        print(note.sentence, file=sys.stderr)
    return _changed(document if isinstance(document, Scene) else document.to_scene(Scene()), given)


def _list(given: Given) -> int:
    from kernelplay import report

    print(report.listed(given.operand, as_json="json" in given.switches))
    return 0


def _is_line(name: str) -> bool:
    from kernelplay import link

    return link.is_link(name)


def _path(name: str) -> Path:
    """Return the path of the file `name`, or of the example of that name."""
    if Path(name).exists():
        return Path(name)
    from kernelplay.examples import examples

    return {example.key: example.path for example in examples()}.get(name, Path(name))


def _document(name: str, given: Given | None = None) -> Scene | Table:
    """Return the scene or the table that is called `name`, the latter read for the model that is given."""
    from kernelplay import link, session, tables
    from kernelplay.files import read_bytes
    from kernelplay.spec import kinds

    if link.is_link(name):
        return link.scene(name)
    path = _path(name)
    content = read_bytes(path)
    if path.suffix == session.SUFFIX or content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return session.parse(content, path.name)
    table = tables.parse(content, path.name)
    model = kinds("model").get(given.values.get("model", "")) if given is not None else None
    if model is not None and model.task == "regression":
        table = tables.with_targets(table, content)
    if table.doubts:  # the notes say what could be otherwise
        print(table.reading.described(), file=sys.stderr)
        print(say("Inputs: {inputs} · label or target: {target}", inputs=", ".join(table.columns[:-1]),
                  target=table.columns[-1]), file=sys.stderr)
    return table


def _changed(scene: Scene, given: Given) -> Scene:
    """Return the scene with --model, --kernel and --set carried out."""
    import dataclasses

    if "model" in given.values:
        scene = scene.with_model(given.values["model"])
    return dataclasses.replace(scene, model=_with_options(scene.model, given))


def _with_options(model: Model, given: Given) -> Model:
    if "kernel" in given.values:
        model = model.set_text("kernel", given.values["kernel"])
    for setting in given.lists.get("set", ()):
        path, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(say("--set {setting} has no value: write, for "
                                 "example, --set C=10.", setting=setting or '""'))
        names = ["lambda_" if name == "lambda" else name for name in path.strip().split(".")]
        model = model.set_text(".".join(names), text)
    return model


def _problem(document: Scene | Table, given: Given) -> tuple[Model, Any, Any, Any]:
    """Return the model and what it is fitted to, (X, y, labels)."""
    from kernelplay.scene import Scene
    from kernelplay.spec import build

    if isinstance(document, Scene):
        scene = _changed(document, given)
        X, y, labels, _, _ = scene.training()
        return scene.model, X, y, labels or None
    usual = "svm" if document.task == "classification" else "gpr"
    model = _with_options(build("model", {"name": given.values.get("model", usual)}), given)
    document.check_task(model.task)
    on = document.on if len(document.on) else slice(None)
    order = document.order if model.task == "classification" else None
    return model, document.X[on], document.y[on], order


def _figure(given: Given) -> Figure:
    """Return the figure that the flags ask for."""
    made = Figure()
    if "preset" in given.values:
        made = preset(given.values["preset"]).of(made)
    texts = {"width": "", "height": ""}
    if "size" in given.values:
        texts["width"], texts["height"] = _size(given.values["size"])
    for name, param in Figure.params().items():
        flag = name.replace("_", "-")
        if isinstance(param, Flag):
            if (f"no-{flag}" if param.default else flag) in given.switches:
                texts[name] = "no" if param.default else "yes"
        elif flag in given.values:
            texts[name] = given.values[flag]
    return made.with_texts({name: text for name, text in texts.items() if text or name not in ("width", "height")})


def _size(text: str) -> tuple[str, str]:
    """Return width and height, both in the unit that stands at the end."""
    match = re.fullmatch(r"\s*([0-9.,]+)\s*([a-z]*)\s*[x×]\s*([0-9.,]+)\s*([a-z]*)\s*", text)
    if match is None or len(text) > 40:
        raise UsageError(say("--size {text} is not a size: give width and height, as in 800x600 or 85x64mm.",
                             text=text))
    width, unit, height, last = match.groups()
    return f"{width}{unit or last}", f"{height}{last or unit}"
