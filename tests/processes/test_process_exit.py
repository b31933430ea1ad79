"""How the command line ends: its exit code, and output that cannot be written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from prepared import python
from tables import table

FULL = Path("/dev/full")


def mcpgen(*arguments: str, stdout: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mcpgen", *arguments]
    with (stdout or Path("/dev/null")).open("w") as out:
        return subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is full")
@pytest.mark.parametrize(("command", "unbuffered"), [("settings", "1"), ("--help", "")])
def test_output_that_cannot_be_written_is_an_error(command, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    done = mcpgen(command, stdout=FULL)
    assert (done.returncode, done.stderr) == (1, "mcpgen: [Errno 28] No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closed with a shell")
@table(
    "closed, command, code",
    (">&-", "--version", 0),
    ("2>&-", "bogus", 2),
    ("<&- >&- 2>&-", "inspect -", 1),
)
def test_closed_streams_are_no_errors(closed, command, code):
    program = [sys.executable, "-m", "mcpgen", *command.split()]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *program]
    done = subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_all_output_arrives():
    command = python("-m", "mcpgen", "templates", "context")
    whole = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert len(whole) > 5000
    assert whole.endswith("\n")


def test_what_the_outputs_encoding_does_not_have_is_escaped(tmp_path):
    operation = {"operationId": "get", "responses": {"200": {"description": ""}}}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}}
    path = tmp_path / "api.json"
    document["servers"] = [{"url": "https://api.example"}]
    path.write_text(json.dumps({**document, "paths": {"/→": {"get": operation}}}))
    command = [sys.executable, "-m", "mcpgen", "inspect", str(path)]
    given = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, capture_output=True, text=True, env=given)
    assert (done.returncode, done.stderr) == (0, "")
    assert "GET /\\u2192" in done.stdout


def test_an_interrupt_while_the_command_line_is_loaded_is_one_line():
    """The moment is that of an import."""
    code = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
runpy.run_module("mcpgen", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "mcpgen: interrupted\n")
