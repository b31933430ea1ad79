"""What commands show on a terminal, and not in a pipe: colour, tables that fit, progress."""

import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import plain_api
import pytest
from command_line import app, run
from prepared import python

from mcpgen.cli import progress
from mcpgen.text.table import cells

pty = pytest.importorskip("pty")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
DECIDING = ("NO_COLOR", "FORCE_COLOR", "CI")

CODE = """
import atexit, os, runpy, sys
import mcpgen.cli.progress
mcpgen.cli.progress.PATIENCE = float(os.environ.get("PATIENCE", "1e9"))
atexit.register(lambda: print("rich is loaded:", "rich.console" in sys.modules))
runpy.run_module("mcpgen", run_name="__main__", alter_sys=True)
"""
END = re.compile(r"rich is loaded: (\w+)\n\Z")


def environment(columns: int, given: dict[str, str]) -> dict[str, str]:
    """The variables by which commands know a terminal of that width."""
    known = {name: os.environ[name] for name in os.environ if name not in DECIDING}
    return {**known, "COLUMNS": str(columns), "TERM": "xterm-256color", **given}


def on_terminal(columns: int, *arguments: str, cwd: Path, **given: str) -> str:
    """What a command writes to a terminal of that width, and whether it loaded rich."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        python("-c", CODE, *arguments),
        cwd=cwd,
        env=environment(columns, given),
        stdin=follower,
        stdout=follower,
        stderr=follower,
    ):
        os.close(follower)
        found = bytearray()
        while True:
            try:
                data = os.read(leader, 65536)
            except OSError:  # Linux, when the other end is closed
                break
            if not data:
                break
            found += data
    os.close(leader)
    return found.decode().replace("\r\n", "\n")


class Terminal(StringIO):
    """What commands take for a terminal, in this process."""

    def isatty(self) -> bool:
        return True


def shown_here(columns: int, *arguments: str, **given: str) -> str:
    """What a command writes to a terminal of that width, run in this process."""
    terminal = Terminal()
    with pytest.MonkeyPatch.context() as there:
        there.setattr(progress, "PATIENCE", 1e9)
        for name in DECIDING:
            there.delenv(name, raising=False)
        for name, text in environment(columns, given).items():
            there.setenv(name, text)
        with redirect_stdout(terminal), redirect_stderr(terminal), suppress(SystemExit):
            app(arguments)
    return terminal.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal")
    api = plain_api.document()
    (folder / "old.json").write_text(json.dumps(api, indent=1))
    del api["paths"]["/orders"]["post"]
    api["paths"]["/carts"]["get"]["summary"] = "The carts of a shop"
    (folder / "new.json").write_text(json.dumps(api, indent=1))
    (folder / "bad.json").write_text('{"openapi": "3.1.0",\n "info": {},\n "paths": []}')
    for name in ("one", "two"):
        made = run("from-openapi", str(folder / "old.json"), "-o", str(folder / name))
        assert made.exit_code == 0, made.output
    lock = folder / "two" / "mcpgen.toml"
    lock.write_text(lock.read_text() + 'methods = ["get"]\n')
    return folder


SCREENS = {
    "inspect": (["inspect", "old.json"], "1;33mwastes tokens|1;36mcould be clearer"),
    "all": (["inspect", "old.json", "--all"], "33mwrites, d"),
    "many": (["inspect", "old.json", "one"], "32mup to date"),
    "diff": (["diff", "old.json", "new.json"], "1;31mbreaking"),
    "check": (["check", "one", "two"], "31mstale"),
    "error": (["inspect", "bad.json"], r"1;31merror\["),
}


@pytest.mark.parametrize("columns", [60, 140])
@pytest.mark.parametrize("screen", SCREENS)
def test_screens(folder, screen, columns, monkeypatch):
    command, colour = SCREENS[screen]
    monkeypatch.chdir(folder)
    shown = shown_here(columns, *command)
    plain = shown_here(columns, *command, NO_COLOR="1")
    assert re.search(rf"\x1b\[(?:{colour})", shown)
    assert not re.search(r"\x1b\[[0-9;]*3\dm", plain)
    assert ESCAPE.sub("", shown) == ESCAPE.sub("", plain)
    for table in re.findall(r"(?m)^(?:tool|area|server)  .*(?:\n\S.*)*", ESCAPE.sub("", plain)):
        rows = [line for line in table.splitlines() if "smaller tools: " not in line]
        assert max(map(cells, rows)) <= columns
        if rows[0].endswith("tokens"):
            assert all(re.search(r"[\d,]+$", row) for row in rows[1:])


@pytest.mark.parametrize("given", [{}, {"NO_COLOR": "1"}])
def test_a_terminal_shows_what_is_shown_here(folder, given, monkeypatch):
    monkeypatch.chdir(folder)
    shown = on_terminal(60, "inspect", "old.json", cwd=folder, **given)
    assert shown.endswith("rich is loaded: True\n")
    assert END.sub("", shown) == shown_here(60, "inspect", "old.json", **given)


def test_a_pipe_gets_no_escapes_and_whole_tables(folder):
    command = python("-m", "mcpgen", "inspect", "old.json")
    env = {**os.environ, "COLUMNS": "40"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    assert "\x1b" not in done.stdout + done.stderr
    assert "PATCH /customers/{customer_id}" in done.stdout


def test_progress_is_for_terminals(folder):
    """Here the servers are checked by processes of their own."""
    odd = "odd\x1b[31m\n::stop-commands::x"
    (folder / odd).mkdir(exist_ok=True)
    shown = on_terminal(120, "check", "one", odd, "--full", cwd=folder, PATIENCE="-1")
    assert "1 of 2, one (" in shown
    assert r"2 of 2, odd\x1b[31m\n::stop-commands::x (" in shown
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 1
    assert "1 of 2" not in END.sub("", ESCAPE.sub("", shown)).splitlines()[-1]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_head_ends_it_quietly(folder, unbuffered):
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "mcpgen", "settings"]
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=writer, stderr=subprocess.PIPE
    ) as process:
        os.close(writer)
        os.close(reader)
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.parametrize("arguments", [["--version"], ["check", "one"], ["settings"]])
def test_what_has_no_colour_does_not_load_rich(folder, arguments):
    found = END.search(on_terminal(80, *arguments, cwd=folder))
    assert found is not None
    assert found[1] == "False"
