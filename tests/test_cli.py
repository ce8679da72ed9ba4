"""The command line, in this process and as people start it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelplay import cli, i18n
from kernelplay.arguments import UsageError, columns, read, wide
from kernelplay.examples import examples
from kernelplay.spec import kinds

TABLE = "x1,x2,label\n0,0,no\n1,0,no\n0,1,no\n3,3,yes\n4,3,yes\n3,4,yes\n"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    yield
    i18n.use("en")


@pytest.fixture
def table(tmp_path: Path) -> str:
    (tmp_path / "points.csv").write_text(TABLE)
    return str(tmp_path / "points.csv")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.main(words)
    out, err = capsys.readouterr()
    return status, out, err


def program(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    given = {name: value for name, value in os.environ.items() if name not in screens}
    return subprocess.run([sys.executable, "-m", "kernelplay", *words], capture_output=True, text=True, timeout=120,
                          env=given | {"PYTHONIOENCODING": "utf-8"} | environment)


def test_fit_prints_status_readouts_and_certificate(capsys: pytest.CaptureFixture[str], table: str) -> None:
    status, out, err = run(capsys, "fit", table, "--kernel", "linear", "--set", "margin=hard")
    assert status == 0 and not err
    assert "support vectors" in out and "Certificate: holds" in out and "Rounding limit" in out
    assert re.search(r"Margin.*1\.\d+", out)


def test_fit_says_which_columns_go_where_if_it_guessed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("temp;day;ok\n21,5;01.02.2024;yes\n19,5;03.02.2024;no\n18,0;04.02.2024;no\n")
    status, _, err = run(capsys, "fit", str(tmp_path / "t.csv"), "--model", "svm")
    assert status == 0 and "Inputs: temp, day (days since 1970-01-01) · label or target: ok" in err.splitlines()


def test_fit_as_json(capsys: pytest.CaptureFixture[str], table: str) -> None:
    status, out, _ = run(capsys, "fit", table, "--kernel=linear", "--set", "margin=hard", "--set=C=10", "--json")
    result = json.loads(out)
    assert status == 0 and result["n"] == 6 and result["labels"] == ["yes", "no"]
    assert result["model"]["margin"] == "hard" and result["model"]["C"] == 10.0
    assert result["certificate"]["holds"] and result["certificate"]["residuals"]
    assert result["certificate"]["bounds"]["rounding_floor"] > 0
    margin = 5 / (2 * 2**0.5)  # from the line x1 + x2 = 1 to the point (3, 3)
    assert result["results"]["margin"] == pytest.approx(margin, rel=1e-6)


@pytest.mark.parametrize("model", kinds("model"))
def test_every_model_fits_the_same_table(capsys: pytest.CaptureFixture[str], tmp_path: Path, model: str) -> None:
    (tmp_path / "t.csv").write_text("a,b,c,y\n0,0,1,-1\n1,0,2,-1\n3,3,0,1\n4,3,1,1\n")
    status, out, err = run(capsys, "fit", str(tmp_path / "t.csv"), "--model", model, "--json")
    assert status == 0, err
    assert json.loads(out)["model"]["name"] == model and json.loads(out)["certificate"]["holds"]


def test_rows_left_out_are_said(capsys: pytest.CaptureFixture[str], table: str) -> None:
    Path(table).write_text(TABLE + "nan,1,yes\n")
    assert "lines 8" in run(capsys, "fit", table)[1].replace("line 8", "lines 8")
    assert "skipped" in json.loads(run(capsys, "fit", table, "--json")[1])["notes"][0]["text"]


def test_examples_go_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "fit", "sine", "--model", "krr", "--set", "lambda=0.5", "--json")
    assert status == 0 and json.loads(out)["model"]["lambda_"] == 0.5
    listed = json.loads(run(capsys, "list", "scenes", "--json")[1])
    assert [item["name"] for item in listed] == [example.key for example in examples()]


@pytest.mark.parametrize("kind", ["kernel", "model", "dataset"])
def test_everything_is_listed_with_its_parameters(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    listed = json.loads(run(capsys, "list", f"{kind}s", "--json")[1])
    assert {item["name"]: [parameter["name"] for parameter in item["parameters"]] for item in listed} == {
        key: list(cls.params()) for key, cls in kinds(kind).items()}
    text = run(capsys, "list", f"{kind}s")[1]
    for key, cls in kinds(kind).items():
        assert re.search(rf"^{key}  {re.escape(str(cls.label))}\.", text, re.M)


@pytest.mark.parametrize(("words", "said"), [
    (["--foo"], "There is no option --foo"), (["fit", "x.csv", "--jsn"], "did you mean --json"),
    (["fit"], "SCENE_OR_CSV is missing"), (["fit", "a", "b"], "Unexpected b"), (["fti", "a"], "did you mean fit"),
    (["fit", "missing.csv"], "missing.csv"), (["fit", "."], "is a folder"),
    (["list"], "kernels|models|datasets|scenes"), (["list", "foo"], "choose one of kernels, models"),
    (["list", "kernels", "--json=1"], "takes no value"), (["render", "moons"], "-o is missing"),
    (["render", "moons", "-o"], "-o needs a value"), (["render", "moons", "-o", ""], "-o is missing"),
    (["fit", ""], "SCENE_OR_CSV is missing"), (["fit", "moons", "--lang", ""], "--lang cannot be \"\""),
    (["render", "moons", "-o", "f.png", "--size", "big"], "800x600"),
    (["render", "moons", "-o", "f.png", "--dpi", "big"], "dpi cannot be big"),
    (["render", "moons", "-o", "f.jpg"], ".svg"),
    (["render", "moons", "-o", "no/f.png"], "not found: create it"),
    (["render", "moons", "-o", "f.png", "--theme", "pink"], "light"),
    (["--lang", "xx"], "en, ko, ja"), (["fit", "moons", "--lang"], "--lang needs a value"),
    (["fit", "moons", "--model", "svmm"], "Did you mean svm"),
    (["fit", "moons", "--kernel", "rbff"], "Did you mean rbf"),
    (["fit", "moons", "--kernel", "rbf("], "character"), (["fit", "moons", "--set", "C"], "no value"),
    (["fit", "moons", "--set", "C=0"], "C cannot be 0"), (["fit", "moons", "--set", "kernel.gama=1"], "gamma"),
    (["fit", "moons", "--set", "kernel.gamma=x"], "kernel.gamma cannot be x"), (["nothing"], "nothing"),
])
def test_a_slip_is_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str], words: list[str], said: str,
                                             tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *words)
    assert status == 2 and out == "" and said in err, err
    assert err.count("\n") == 1 and err.strip().endswith((".", "?")) and "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("content", "said"), [
    ("", "is empty"), ("hello\n", "no table"), ('{"format": "kernelplay"', "damaged or incomplete"),
    ("x1,x2,label\n1,2,a\n", "one class"), ("x,y\n1,a\n2,b\n", ""),
])
def test_a_bad_file_is_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str,
                                                 said: str) -> None:
    (tmp_path / "f.csv").write_text(content)
    words = ["--model", "gpr"] if said == "" else []
    status, out, err = run(capsys, "fit", str(tmp_path / "f.csv"), *words)
    assert status == 2 and out == "" and said in err and err.strip().endswith(".") and err.count("\n") == 1


def test_a_fault_of_our_own_is_a_sentence_and_a_file(capsys: pytest.CaptureFixture[str],
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> int:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(cli, "_list", broken)
    status, _, err = run(capsys, "list", "kernels")
    assert status == 2 and "ZeroDivisionError" in err and err.count("\n") == 1
    log = Path(re.search(r"file (\S+\.log)", err)[1])  # type: ignore[index]
    assert "planted" in log.read_text("utf-8")
    log.unlink()


@pytest.mark.parametrize(("variables", "words", "language"), [
    ({"LANG": "ko_KR.UTF-8"}, [], "ko"), ({"LANG": "de_DE.UTF-8"}, [], "en"),
    ({"LANG": "ko_KR", "LC_ALL": "ja_JP"}, [], "ja"),
    ({"LANG": "ko_KR"}, ["--lang", "ja"], "ja"), ({"LANG": "ko_KR"}, ["--lang=en"], "en"), ({"LANG": "C"}, [], "en"),
])
def test_the_language_is_that_of_the_flag_or_of_the_environment(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variables: dict[str, str],
        words: list[str], language: str) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    status, _, err = run(capsys, "fit", "missing.csv", *words)
    assert status == 2 and i18n.current() == language
    said = i18n.say("File {file} not found: check the name and the folder.", file="missing.csv")
    assert err.strip() == said.text(language)


def test_nothing_that_is_printed_bypasses_the_catalogue(capsys: pytest.CaptureFixture[str], table: str) -> None:
    for words in (["--help"], ["fit", "--help"], ["render", "--help"], ["list", "--help"], ["fit", table],
                  ["list", "models"]):
        out = run(capsys, *words, "--lang", "pseudo")[1]
        while "⟦" in out:
            before = out
            out = re.sub(r"⟦[^⟦⟧]*⟧", "", out)
            assert out != before, "brackets do not match"
        rest = re.sub(r"kernelplay.*|--?[a-z].*|[A-Za-z_]\w*=.*|^\s*[A-Z_]+(  .*)?$|^[a-z]\w*  .*", "", out, flags=re.M)
        assert not re.search(r"[A-Za-z]{3,}", rest), (words, rest)


def test_columns_are_aligned_by_the_width_of_the_letters() -> None:
    lines = columns([("여백", "1"), ("Margin", "2"), ("マージン", "3")]).splitlines()
    assert [wide(line[:-1]) for line in lines] == [wide(lines[0][:-1])] * 3
    assert wide("한글ab") == 6 and wide("e\u0301") == 1


def test_version_and_help_are_answered_before_numpy_is_loaded() -> None:
    code = """import sys
from kernelplay.cli import main
status = main(sys.argv[1:])
print([name for name in ("numpy", "PySide6", "argparse") if name in sys.modules], status)"""
    for words in (["--version"], ["--help"], ["fit", "--help"], ["fit", "x", "--help", "--lang", "ja"]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60,
                              env=os.environ | {"PYTHONIOENCODING": "utf-8"})
        assert done.stdout.splitlines()[-1] == "[] 0", done.stderr
    assert re.fullmatch(r"kernelplay \d+\.\d+\.\d+\n", program("--version").stdout)


def test_one_blas_thread_is_set_before_numpy_is_loaded() -> None:
    code = """import os, sys
os.environ.pop("OPENBLAS_NUM_THREADS", None)
from kernelplay.cli import main
assert "numpy" not in sys.modules
main(["fit", "moons"])
print(os.environ["OPENBLAS_NUM_THREADS"])
from threadpoolctl import threadpool_info
print({pool["num_threads"] for pool in threadpool_info() if pool["internal_api"] == "openblas"})"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-2:] == ["1", "{1}"], done.stderr


@pytest.mark.parametrize("words", [(), ("moons",)])
def test_without_a_display_there_is_a_sentence_and_no_abort(words: tuple[str, ...]) -> None:
    done = program(*words, QT_QPA_PLATFORM="")
    assert done.returncode == 2 and done.stdout == ""
    assert "display" in done.stderr and "kernelplay render" in done.stderr and done.stderr.count("\n") == 1


def test_rendering_needs_no_display(tmp_path: Path) -> None:
    done = program("render", "moons", "-o", str(tmp_path / "moons.png"), "--size", "400x300", "--dpi", "192",
                   "--theme", "dark", "--lang", "ja", "--set", "C=5")
    assert done.returncode == 0, done.stderr
    content = (tmp_path / "moons.png").read_bytes()
    assert (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")) == (800, 600)


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    done = subprocess.run(f"{sys.executable} -m kernelplay list kernels | head -c 10", shell=True, capture_output=True,
                          text=True, timeout=60)
    assert len(done.stdout) == 10 and done.stderr == ""


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no name for the output here")
def test_a_reader_who_has_seen_enough_of_a_file_is_no_error_either() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        for words in (("code", "moons"), ("export", "moons")):
            done = subprocess.run([sys.executable, "-m", "kernelplay", *words, "-o", "/dev/stdout"], stdout=write_end,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
            assert done.returncode == 0 and done.stderr == ""
    finally:
        os.close(write_end)


def test_stopped_while_it_is_loaded_it_ends_without_a_traceback() -> None:
    code = """import builtins, sys
from kernelplay.__main__ import main
load = builtins.__import__
def stopped(name, *rest):
    if name.startswith("kernelplay.arguments"):
        raise KeyboardInterrupt  # what Ctrl+C does at this moment
    return load(name, *rest)
builtins.__import__ = stopped
sys.exit(main())"""
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_what_is_to_be_known_of_a_script_is_said_on_the_error_output(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "code", "sine", "--model", "svr", "--set", "C=1e10", "--for", "sklearn")
    assert status == 0 and "SVR(C=C" in out and err.startswith("Warning: libsvm")
    assert run(capsys, "code", "moons", "--for", "sklearn")[2] == ""


def test_letters_the_terminal_lacks_do_not_stop_it() -> None:
    done = program("fit", "moons", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0 and "?" in done.stdout, done.stderr


def test_what_belongs_to_qt_is_handed_on_and_dashes_end_the_options() -> None:
    given = read(cli.OPEN, ["-platform", "xcb", "a.kplay", "--theme=dark", "-reverse"], cli.QT_OPTIONS)
    assert given.rest == ("-platform", "xcb", "-reverse")
    assert given.operand == "a.kplay" and given.values == {"theme": "dark"}
    assert read(cli.OPEN, ["--", "--odd"], cli.QT_OPTIONS).operand == "--odd"
    with pytest.raises(UsageError, match="no option -platform"):
        read(cli.FIT, ["-platform", "xcb", "a.kplay"], {})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_a_full_disk_is_a_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "kernelplay", "list", "kernels"], stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=60, env=os.environ | {"LANG": "C"})
    assert done.returncode == 2 and "could not be written" in done.stderr and done.stderr.count("\n") == 1


def test_an_interrupt_ends_it_without_a_word(capsys: pytest.CaptureFixture[str],
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_list", interrupted)
    assert run(capsys, "list", "kernels") == (130, "", "")


@pytest.mark.parametrize("platform", ["xcb", "wayland", "nonsense"])
def test_rendering_asks_for_no_platform(tmp_path: Path, platform: str) -> None:
    done = program("render", "moons", "-o", str(tmp_path / "f.png"), "--size", "200x150", QT_QPA_PLATFORM=platform)
    assert done.returncode == 0 and not done.stderr and (tmp_path / "f.png").stat().st_size > 500


def test_a_figure_without_a_fit_says_why(capsys: pytest.CaptureFixture[str], tmp_path: Path, table: str) -> None:
    Path(table).write_text("x1,x2,y\n0,0,a\n1,0,b\n0,1,c\n")
    figure = tmp_path / "f.svg"
    status, out, err = run(capsys, "render", table, "-o", str(figure), "--model", "gpc", "--size", "200x150")
    assert status == 0 and not out and "two classes" in err and figure.exists()


def test_a_path_that_does_not_exist_is_named_whole(capsys: pytest.CaptureFixture[str]) -> None:
    for path, near in (("kernel.of.0.gamma", "gamma"), ("kernel.Gamma", "did you mean gamma"), ("c", "did you mean C")):
        err = run(capsys, "fit", "moons", "--set", f"{path}=1")[2]
        assert f"There is no parameter {path}" in err and near in err


def test_json_holds_no_number_that_json_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--kernel", "0*rbf()"], ["--kernel", "sigmoid"], ["--model", "perceptron"], ["--set", "C=1e-300"]):
        status, out, err = run(capsys, "fit", "moons", *words, "--json")
        assert status == 0, err
        json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_a_long_cell_that_is_no_number_does_not_take_minutes(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"a,b\n{'1' * 100_000}x,2\n3,4\n5,7\n")
    done = program("fit", str(tmp_path / "t.csv"), "--json")  # the time of `program` is up if each digit is read twice
    assert "line 2" in json.loads(done.stdout)["notes"][0]["text"], done.stderr
