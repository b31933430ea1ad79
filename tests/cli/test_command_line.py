"""What the command line asks for, read apart from doing it."""

import inspect
import json
import re
import subprocess
import sys
import warnings
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from command_line import run
from prepared import python
from tables import table
from typer.main import get_command

from mcpgen import __version__
from mcpgen.cli import actions
from mcpgen.cli.app import command_line, decide
from mcpgen.cli.invocation import Invocation
from mcpgen.cli.main import _plain, main


def invocation(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Invocation | None:
    monkeypatch.setattr(sys, "argv", ["mcpgen", *arguments])
    return decide(arguments[0])


def test_a_command_says_what_it_asks_for_and_does_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = invocation(monkeypatch, "from-openapi", "a.yaml", "-o", "out", "--methods", "get, post")
    given = {"source": "a.yaml", "reader": "openapi", "methods": ["get", "post"]}
    asked = {"folder": Path("out"), "flags": given, "force": False, "as_json": False}
    assert found == Invocation("generate", asked)
    checked = invocation(monkeypatch, "check", "one", "two", "--json", "--full")
    folders = [Path("one"), Path("two")]
    assert checked == Invocation("check", {"folders": folders, "form": "json", "full": True})
    assert list(tmp_path.iterdir()) == []


@table("flags", ["get,post"], ["get, post,"], ["get", "post"], ["", "get", " post"])
def test_methods_are_a_list_or_repeated(flags, monkeypatch):
    words = [word for flag in flags for word in ("--methods", flag)]
    found = invocation(monkeypatch, "from-openapi", "a.yaml", "-o", "out", *words)
    assert found is not None
    assert found.arguments["flags"]["methods"] == ["get", "post"]


@table("line", "check --help", "check --bogus", "update no*where", "update --conflicts=x")
def test_help_and_what_cannot_be_read_are_left_to_the_command_line(line, monkeypatch, capsys):
    assert invocation(monkeypatch, *line.split()) is None
    assert capsys.readouterr() == ("", "")


@table("command", "from-openapi", "from-schema", "update", "check", "diff", "inspect")
def test_help_has_each_flag_whole_and_says_what_it_does(command, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        command_line(command)([command, "--help"])
    told = capsys.readouterr().out
    flags = vars(get_command(command_line(command)))["commands"][command].params
    for flag in flags:
        assert flag.help, flag.opts
        for name in (name for name in flag.opts if name.startswith("--")):
            assert re.search(rf"{name}\b(?!-).*  \S", told), name


def test_the_overview_says_all_of_what_a_command_does(capsys):
    with pytest.raises(SystemExit):
        command_line()(["--help"])
    assert "..." not in capsys.readouterr().out.partition("Commands:")[2]


def test_help_needs_no_docstrings():
    command = [sys.executable, "-OO", "-m", "mcpgen", "--help"]
    assert "from-openapi" in subprocess.run(command, capture_output=True, text=True).stdout


@table(
    "arguments, code, said",
    (["check", "--help"], 0, "Writes nothing"),
    (["templates", "check", "--help"], 0, "3: a template is"),
    (["check", "--bogus"], 2, "No such option: --bogus"),
    (["update", "no*where"], 2, "nothing matches no*where"),
    (["update", "/no/where"], 1, "holds no server"),
    (["chekc"], 2, "No such command"),
)
def test_each_is_told_once(arguments, code, said):
    command = python("-m", "mcpgen", *arguments)
    done = subprocess.run(command, capture_output=True, text=True)
    told = " ".join(f"{done.stdout}{done.stderr}".split())
    assert done.returncode == code
    assert told.count(said) == 1, told


@table(
    "arguments, said",
    (["check", "--format", "xml"], "for --format: text, json or github"),
    (["diff", "a", "b", "--format", "xml"], "for --format: text, markdown or json"),
    (["diff", "a", "b", "--fail-on", "all"], "for --fail-on: breaking, risky or any"),
    (["inspect", "a", "--client", "mine"], "for --client: "),
)
def test_a_value_that_is_none_of_a_flags_is_a_mistake_of_use(arguments, said):
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_the_version_and_the_schema_of_tool_files_are_printed():
    assert run("--version").stdout == f"{__version__}\n"
    assert json.loads(run("schema").stdout)["properties"]["tools"]


def test_one_process_reads_the_command_line_where_it_cannot_be_two(monkeypatch, capsys):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.setattr("mcpgen.cli.main.run", lambda work: work())
    monkeypatch.setattr(sys, "argv", ["mcpgen", "check", "--full", "/no/where"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "holds no server" in capsys.readouterr().err


def test_what_linters_say_of_edited_modules_is_not_told(monkeypatch):
    """Python 3.12 and later warn of them where they are parsed, and name no file."""
    warn = partial(warnings.warn, "invalid escape sequence", SyntaxWarning, stacklevel=1)
    monkeypatch.setattr("mcpgen.cli.main.run", lambda work: warn())
    with warnings.catch_warnings(record=True) as found:
        main()
    assert found == []


FOLDERS = ([], ["a"], ["a", "b/c", "a"], ["a", "a/", "./a"], [""])
SOURCES = (["api.yaml", "-o", "server"], ["", "--output", "a b"])


@table(
    "command, given",
    *product(("update", "check"), FOLDERS),
    *product(("from-openapi", "from-schema"), SOURCES),
)
def test_places_alone_ask_for_the_same_without_typer(command, given, monkeypatch):
    read, plain = invocation(monkeypatch, command, *given), _plain(command, given)
    assert read is not None
    assert plain is not None
    work = inspect.signature(getattr(actions, plain.function))
    defaults = {n: p.default for n, p in work.parameters.items() if p.default is not p.empty}
    assert read.arguments == {**defaults, **plain.arguments}
    assert read.function == plain.function


@table(
    "line",
    *("check --full", "check -h", "check servers/*", "check a --json", "from-openapi - -o a"),
    *("from-openapi a -o --help", "from-openapi -o a b", "from-openapi a -o b --force"),
    "from-openapi a",
)
def test_what_is_more_than_places_is_read_by_typer(line):
    command, *given = line.split()
    assert _plain(command, given) is None
