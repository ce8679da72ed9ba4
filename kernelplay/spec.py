"""Spec: a frozen value of declared parameters (one file: declarations hold Specs, and Specs hold declarations).

A parameter is declared once, as a dataclass field: default, range, symbol, label and one sentence of help. From the
declaration come validation and its sentences, the form with its sliders, the command-line flag, the key in the
session file, and the tests that run over all kernels and models.

    @dataclass(frozen=True)
    class RBF(Kernel):
        key = "rbf"
        gamma: float = real(1.0, 1e-3, 1e3, log=True, symbol="γ", label=say("Inverse width"), help=say("…"))

A Spec may hold Specs (`child`, `children`): a model holds its kernel, a sum holds kernels. Specs of one kind
(`Kernel`, `Model`, `Dataset`) live in one folder, one file each; `kinds` finds them by scanning it.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import math
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, number, say, verbatim

DEEPEST = 40  # Specs inside one another; a tower of kernels higher than this is a slip, not a kernel
Path = str  # "kernel.of.0.gamma": names of fields, and positions in lists of Specs, joined by dots


@dataclass(frozen=True)
class Param:
    """What a field may hold and how it is shown. `when` = (field, values): shown only while it has one of them."""

    default: Any
    label: Say
    help: Say
    symbol: str = ""
    when: tuple[str, tuple[Any, ...]] | None = None

    def check(self, value: Any, path: Path) -> Any:
        """Return `value` as it is stored; raise SpecError with a sentence if it is outside the declaration."""
        raise NotImplementedError

    def parse(self, text: str, path: Path) -> Any:
        """Return the value written as `text` (typed, or from the command line)."""
        raise NotImplementedError

    def wrong(self, value: Any, remedy: Say, path: Path) -> SpecError:
        """Return the error for `value`, with what would be right."""
        sentence, shown = (say("{path} cannot be {value}: {remedy}.", path=name, value=_short(value), remedy=remedy)
                           for name in (path, self.label))
        return SpecError(sentence, path, shown)


@dataclass(frozen=True)
class Real(Param):
    """A number. `low`, `high`: the slider's range (a typed value outside widens it) and the bounds when it is
    optimised; `least`, `most`: what is allowed at all (`open_least`: the least itself is not). `words`: words allowed
    instead of a number, such as gamma's "scale"."""

    low: float = 0.0
    high: float = 1.0
    least: float = -math.inf
    most: float = math.inf
    open_least: bool = False
    log: bool = False
    integer: bool = False
    words: tuple[str, ...] = ()
    unit: str = ""

    def check(self, value: Any, path: Path) -> Any:
        if isinstance(value, str) and value in self.words:
            return value
        if isinstance(value, str) or type(value).__name__ in ("bool", "bool_") or not hasattr(value, "__float__"):
            raise self.wrong(value, self.remedy(), path)
        try:
            x = float(value)
        except (OverflowError, TypeError, ValueError):  # 10**400, an array of several numbers
            raise self.wrong(value, self.remedy(), path) from None
        bad = not math.isfinite(x) or x < self.least or x > self.most or (self.open_least and x == self.least)
        if bad or (self.integer and x != round(x)):
            raise self.wrong(value, self.remedy(), path)
        return int(x) if self.integer else x

    def remedy(self) -> Say:
        """Return what values are allowed, as part of a sentence."""
        base = self._range()
        if self.words:
            return say("{base}, or “{word}”", base=base, word=" / ".join(self.words))
        return base

    def _range(self) -> Say:
        least, most = number(self.least, 6), number(self.most, 6)
        if self.integer and math.isfinite(self.most):
            return say("it must be a whole number from {least} to {most}", least=least, most=most)
        if self.integer:
            return say("it must be a whole number, {least} or more", least=least)
        if math.isfinite(self.most) and self.open_least:
            return say("it must be a number above {least} and at most {most}", least=least, most=most)
        if math.isfinite(self.most):
            return say("it must be a number from {least} to {most}", least=least, most=most)
        if math.isfinite(self.least) and self.open_least:
            return say("it must be a number above {least}", least=least)
        if math.isfinite(self.least):
            return say("it must be a number, {least} or more", least=least)
        return say("it must be a finite number")

    def parse(self, text: str, path: Path) -> Any:
        text = text.strip()
        if text in self.words:
            return text
        try:
            return self.check(float(text.replace("−", "-").replace(",", ".")), path)
        except ValueError:  # SpecError is one: what is wrong is said as it was typed
            raise self.wrong(text, self.remedy(), path) from None


@dataclass(frozen=True)
class Choice(Param):
    """One of `options`: pairs of the stored value (a short word) and its label."""

    options: tuple[tuple[str, Say], ...] = ()

    def check(self, value: Any, path: Path) -> Any:
        if any(value == option for option, _ in self.options):
            return value
        names = ", ".join(option for option, _ in self.options)
        raise self.wrong(value, say("choose one of {names}", names=names), path)

    def parse(self, text: str, path: Path) -> Any:
        return self.check(text.strip(), path)


@dataclass(frozen=True)
class Flag(Param):
    """Yes or no."""

    def check(self, value: Any, path: Path) -> Any:
        if isinstance(value, bool) or type(value).__name__ == "bool":
            return bool(value)
        raise self.wrong(value, say("it must be true or false"), path)

    def parse(self, text: str, path: Path) -> Any:
        word = text.strip().lower()
        if word in ("true", "yes", "on", "1"):
            return True
        if word in ("false", "no", "off", "0"):
            return False
        raise self.wrong(text, say("it must be true or false"), path)


@dataclass(frozen=True)
class Text(Param):
    """A line of text of at most `longest` characters. `read` raises SpecError with a sentence for one of no use."""

    read: Callable[[str], Any] | None = None
    longest: int = 400

    def check(self, value: Any, path: Path) -> Any:
        if not isinstance(value, str) or len(value) > self.longest or not value.isprintable():
            raise self.wrong(value, say("it must be a single line of at most {most} characters", most=self.longest),
                             path)
        value = value.strip()
        if self.read is not None:
            try:
                self.read(value)
            except SpecError as error:
                raise SpecError(error.sentence, path, error.shown) from None
        return value

    def parse(self, text: str, path: Path) -> Any:
        return self.check(" ".join(text.split()), path)


@dataclass(frozen=True)
class Matrix(Param):
    """A square symmetric matrix, as rows; the empty one stands for the identity of whatever size the data have."""

    def check(self, value: Any, path: Path) -> Any:
        remedy = say("it must be a symmetric square matrix of finite numbers, written as rows such as [[2, 1], [1, 3]]")
        try:
            rows = tuple(tuple(float(cell) for cell in row) for row in value)
        except (TypeError, ValueError):
            raise self.wrong(value, remedy, path) from None
        n = len(rows)
        if any(len(row) != n for row in rows) or not all(math.isfinite(cell) for row in rows for cell in row):
            raise self.wrong(value, remedy, path)
        if any(rows[i][j] != rows[j][i] for i in range(n) for j in range(i)):
            raise self.wrong(value, remedy, path)
        return rows

    def parse(self, text: str, path: Path) -> Any:
        import json

        try:
            return self.check(json.loads(text), path)
        except json.JSONDecodeError:
            return self.check(text, path)


@dataclass(frozen=True)
class Child(Param):
    """A Spec of `kind`, or with `many` a tuple of at least `least` of them."""

    kind: str = ""
    many: bool = False
    least: int = 1

    def check(self, value: Any, path: Path) -> Any:
        if not self.many:
            return self._one(value, path)
        if isinstance(value, (str, Mapping, Spec)) or not isinstance(value, Sequence) or len(value) < self.least:
            raise self.wrong(value, say("it must be a list of {n} or more", n=self.least), path)
        return tuple(self._one(item, f"{path}.{i}") for i, item in enumerate(value))

    def _one(self, value: Any, path: Path) -> Spec:
        if isinstance(value, Mapping):
            spec: Spec = build(self.kind, value, path)
            return spec
        if isinstance(value, Spec) and self.kind in value.kind_names():
            return value
        remedy = {"kernel": say("it must be a kernel"), "model": say("it must be a model"),
                  "dataset": say("it must be a dataset")}[self.kind]
        raise self.wrong(value, remedy, path)

    def parse(self, text: str, path: Path) -> Any:
        return self.check(_base(self.kind).from_text(text), path)


def real(default: float | str, low: float, high: float, *, label: Say, help: Say, symbol: str = "", log: bool = False,
         least: float | None = None, most: float = math.inf, open_least: bool | None = None,
         words: tuple[str, ...] = (), unit: str = "", when: tuple[str, tuple[Any, ...]] | None = None) -> Any:
    """Declare a real parameter. A logarithmic one must be positive unless `least` says otherwise."""
    floor = (0.0 if log else -math.inf) if least is None else least
    strict = (log and least is None) if open_least is None else open_least
    return _field(Real(default, label, help, symbol, when, low, high, floor, most, strict, log, False, words, unit))


def integer(default: int, low: int, high: int, *, label: Say, help: Say, symbol: str = "", log: bool = False,
            least: int | None = None, most: float = math.inf, when: tuple[str, tuple[Any, ...]] | None = None) -> Any:
    """Declare a whole-number parameter; `least` is the slider's low end unless given."""
    floor = low if least is None else least
    return _field(Real(default, label, help, symbol, when, low, high, floor, most, False, log, True))


def choice(default: str, options: Mapping[str, Say], *, label: Say, help: Say, symbol: str = "",
           when: tuple[str, tuple[Any, ...]] | None = None) -> Any:
    """Declare a choice between the keys of `options`, shown by their labels."""
    return _field(Choice(default, label, help, symbol, when, tuple(options.items())))


def flag(default: bool, *, label: Say, help: Say, when: tuple[str, tuple[Any, ...]] | None = None) -> Any:
    """Declare a yes-or-no parameter."""
    return _field(Flag(default, label, help, "", when))


def text(default: str, *, label: Say, help: Say, symbol: str = "", read: Callable[[str], Any] | None = None,
         longest: int = 400) -> Any:
    """Declare a line of text; `read` raises SpecError for one of no use."""
    return _field(Text(default, label, help, symbol, None, read, longest))


def matrix(*, label: Say, help: Say, symbol: str = "") -> Any:
    """Declare a symmetric matrix; the default is the identity."""
    return _field(Matrix((), label, help, symbol))


def child(kind: str, default: Any, *, label: Say, help: Say, symbol: str = "") -> Any:
    """Declare a field that holds one Spec of `kind`; `default` is a plain dict such as {"name": "rbf"}."""
    return _field(Child(default, label, help, symbol, None, kind))


def children(kind: str, default: Any, *, label: Say, help: Say, symbol: str = "", least: int = 2) -> Any:
    """Declare a field that holds several Specs of `kind`."""
    return _field(Child(default, label, help, symbol, None, kind, True, least))


def _field(param: Param) -> Any:
    if isinstance(param, Child):  # a plain dict, which dataclasses refuse as a default
        return dataclasses.field(default_factory=lambda: param.default, metadata={"param": param})
    return dataclasses.field(default=param.default, metadata={"param": param})


@dataclass(frozen=True)
class Spec:
    """The base of all that is declared; subclasses are frozen dataclasses with a `key`, a `label` and an `about`."""

    key: ClassVar[str] = ""  # the name in files, on the command line and in the API
    label: ClassVar[Say] = verbatim("")
    about: ClassVar[Say] = verbatim("")  # one sentence
    kind: ClassVar[str] = ""  # "kernel", "model", "dataset": set by the base class of the kind
    package: ClassVar[str] = ""  # the folder that is scanned for this kind

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            _bases[cls.kind] = cls

    def __post_init__(self) -> None:
        for name, param in self.params().items():
            object.__setattr__(self, name, param.check(getattr(self, name), name))

    @classmethod
    @cache
    def params(cls) -> Mapping[str, Param]:
        """Return the declared parameters by field name, in order."""
        return {field.name: field.metadata["param"] for field in dataclasses.fields(cls) if "param" in field.metadata}

    @classmethod
    def kind_names(cls) -> tuple[str, ...]:
        """Return the kinds this class belongs to."""
        return tuple(base.kind for base in cls.__mro__ if issubclass(base, Spec) and base.kind)

    @classmethod
    def from_text(cls, text: str) -> Any:
        """Return what `text` stands for on the command line: the name of a Spec of this kind, or JSON."""
        import json

        if text.lstrip().startswith("{"):
            try:
                return build(cls.kind, json.loads(text), cls.kind)
            except (json.JSONDecodeError, RecursionError) as error:
                raise SpecError(say("{text} is not valid JSON: {why}.", text=_short(text), why=str(error))) from None
        return build(cls.kind, {"name": text.strip()}, cls.kind)

    def shown(self) -> Mapping[str, Param]:
        """Return the parameters that matter now (see `Param.when`)."""
        return {name: param for name, param in self.params().items()
                if param.when is None or getattr(self, param.when[0]) in param.when[1]}

    def get(self, path: Path, whole: Path = "") -> Any:
        """Return the value at `path`; raise SpecError if there is no such parameter (`whole`: as the user wrote it)."""
        whole = whole or path
        head, _, rest = path.partition(".")
        value = self._own(head, whole)
        if not rest:
            return value
        if isinstance(value, tuple):
            place, rest = self._place(value, rest, whole)
            value = value[place]
            if not rest:
                return value
        if not isinstance(value, Spec):
            raise _unknown(whole, "", ())
        return value.get(rest, whole)

    def replace(self, path: Path, value: Any) -> Self:
        """Return this Spec with `value` at `path`."""
        head, _, rest = path.partition(".")
        old = self._own(head, path)
        if rest and isinstance(old, tuple):
            place, deeper = self._place(old, rest, path)
            new = value if not deeper else old[place].replace(deeper, value)
            value = (*old[:place], new, *old[place + 1:])
        elif rest:
            if not isinstance(old, Spec):
                raise _unknown(path, "", ())
            value = old.replace(rest, value)
        return dataclasses.replace(self, **{head: value})

    def set_text(self, path: Path, text: str) -> Self:
        """Return this Spec with the value written as `text` at `path`, as on the command line."""
        return self.replace(path, self.param(path).parse(text, path))

    def param(self, path: Path) -> Param:
        """Return the declaration of the parameter at `path`."""
        head, _, rest = path.rpartition(".")
        owner = self.get(head, path) if head else self
        if isinstance(owner, tuple):  # one of several children: "of.0"
            return dataclasses.replace(self.param(head), many=False)  # type: ignore[call-arg]
        if not isinstance(owner, Spec):
            raise _unknown(path, "", ())
        owner._own(rest, path)
        return owner.params()[rest]

    def perturbed(self, path: Path, value: complex) -> Self:
        """Return this Spec with an unchecked value at `path`: a complex step for derivatives, nothing else."""
        head, _, rest = path.partition(".")
        new: Any = value
        if rest:
            old = self._own(head, path)
            if isinstance(old, tuple):
                place, deeper = self._place(old, rest, path)
                new = (*old[:place], old[place].perturbed(deeper, value), *old[place + 1:])
            else:
                new = old.perturbed(rest, value)
        twin = object.__new__(type(self))
        for name in self._names():
            object.__setattr__(twin, name, new if name == head else getattr(self, name))
        return twin

    @classmethod
    @cache
    def _names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in dataclasses.fields(cls))

    def reals(self) -> tuple[tuple[Path, Real], ...]:
        """Return every continuous parameter here and in the Specs held, as (path, declaration), words excluded."""
        found: list[tuple[Path, Real]] = []
        for name, param in self.params().items():
            value = getattr(self, name)
            if isinstance(param, Real) and not param.integer and not isinstance(value, str):
                found.append((name, param))
            elif isinstance(param, Child):
                held = value if param.many else (value,)
                for i, spec in enumerate(held):
                    prefix = f"{name}.{i}" if param.many else name
                    found += [(f"{prefix}.{path}", inner) for path, inner in spec.reals()]
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Return this Spec as plain data, the form of the session file: {"name": "rbf", "gamma": 1.0}."""
        return {"name": self.key} | {name: _plain(getattr(self, name)) for name in self.params()}

    def _own(self, name: str, path: Path) -> Any:
        if name not in self.params():
            raise _unknown(path, name, tuple(self.params()))
        return getattr(self, name)

    @staticmethod
    def _place(items: tuple[Any, ...], rest: Path, path: Path) -> tuple[int, Path]:
        position, _, deeper = rest.partition(".")
        if not position.isdecimal() or int(position) >= len(items):
            raise _unknown(path, position, tuple(str(i) for i in range(len(items))))
        return int(position), deeper


_bases: dict[str, type[Spec]] = {}


def _base(kind: str) -> type[Spec]:
    if kind not in _bases:
        importlib.import_module(f"kernelplay.{kind}s.base")
    return _bases[kind]


@cache
def kinds(kind: str) -> Mapping[str, type[Any]]:
    """Return the Specs of `kind` by key, found by scanning its folder; `kinds.cache_clear()` scans again."""
    base = _base(kind)
    package = importlib.import_module(base.package)
    found: dict[str, type[Any]] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        for value in vars(importlib.import_module(f"{base.package}.{module}")).values():
            if isinstance(value, type) and issubclass(value, base) and value.__dict__.get("key"):
                found[value.key] = value
    return dict(sorted(found.items(), key=lambda item: (_place(item[1]), item[0])))


def _place(cls: type[Any]) -> int:
    """Return the place in the list: `place`, for a Spec with a parameter named `order`, else `order`."""
    place: int = getattr(cls, "place", getattr(cls, "order", 100))
    return place


def build(kind: str, data: Any, path: Path = "") -> Any:
    """Return the Spec that `data`, a plain dict such as {"name": "rbf", "gamma": 2}, stands for.

    Raises SpecError, naming the place, for an unknown name, an unknown parameter or a value outside its range.
    """
    if path.count(".") > 2 * DEEPEST:  # two names a level: "of.0"
        raise SpecError(say("{kind} is nested too deeply: the limit is {deepest} levels.", kind=path.partition(".")[0],
                            deepest=DEEPEST), path)
    if not isinstance(data, Mapping) or not isinstance(data.get("name"), str):
        raise SpecError(say("{path} must be an object with a name, such as {example}.", path=path or kind,
                            example='{"name": "…"}'), path)
    known = kinds(kind)
    name = data["name"]
    if name not in known:
        raise _unknown_name(kind, name, tuple(known))
    cls = known[name]
    params = cls.params()
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key == "name":
            continue
        inner = f"{path}.{key}" if path else str(key)
        if f"{key}_" in params:  # "lambda" in a file, lambda_ in Python
            key = f"{key}_"
        if key not in params:
            raise _unknown(inner, str(key), tuple(params))
        values[key] = params[key].check(value, inner)
    return cls(**values)


def _unknown(path: Path, part: str, known: tuple[str, ...]) -> SpecError:
    """Return the error for `path`, of which `part` is not among the names `known` there."""
    near = [name for name in known if name.lower() == part.lower()] or difflib.get_close_matches(part, known, n=1)
    path = _short(path)
    if near:
        return SpecError(say("There is no parameter {path}; did you mean {near}?", path=path, near=near[0]), path)
    if known:
        names = ", ".join(known)
        return SpecError(say("There is no parameter {path}; available: {names}.", path=path, names=names), path)
    return SpecError(say("There is no parameter {path}.", path=path), path)


def _unknown_name(kind: str, name: str, known: tuple[str, ...]) -> SpecError:
    near = difflib.get_close_matches(name.strip().lower(), known, n=1)
    name, names = _short(name), ", ".join(known)
    sentence = {
        "kernel": say("There is no kernel named {name}; available: {names}.", name=name, names=names),
        "model": say("There is no model named {name}; available: {names}.", name=name, names=names),
        "dataset": say("There is no dataset named {name}; available: {names}.", name=name, names=names),
    }[kind]
    if near:
        sentence = say("{sentence} Did you mean {near}?", sentence=sentence, near=near[0])
    return SpecError(sentence, "name")


def _plain(value: Any) -> Any:
    if isinstance(value, Spec):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _short(value: Any) -> str:
    try:
        text = value if isinstance(value, str) else repr(value.to_dict()) if isinstance(value, Spec) else repr(value)
    except ValueError:  # Python writes no integers of thousands of digits
        return "…"
    text = " ".join(text.split()) or '""'
    return text if len(text) <= 60 else text[:57] + "…"
