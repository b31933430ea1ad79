"""What a generation tells at its end."""

import json
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest
from command_line import run
from tables import table

from mcpgen.cli import summary

ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
PATHS = {
    "token": {"post": {"operationId": "makeToken"}},
    "old": {"get": {"operationId": "listOldShips", "deprecated": True}},
    "ships": {"get": {"operationId": "listShips"}, "post": {"operationId": "addShip"}},
    "ships/{id}": {"get": {"operationId": "getShip", "parameters": [ID]}},
}


def told(folder: Path, paths: dict[str, Any], *options: str, **fields: Any) -> str:
    """What is told of a server that is made of these paths."""
    info = {"title": "Harbour", "version": "1"}
    document = {"openapi": "3.1.0", "info": info, "paths": paths, **fields}
    (folder / "api.json").write_text(json.dumps(document))
    given = ["from-openapi", str(folder / "api.json"), "-o", str(folder / "server")]
    done = run(*given, *options)
    assert done.exit_code == 0, done.output
    return done.output


@table(
    "paths, called",
    (["token", "ships/{id}", "old", "ships"], "--call listShips"),
    (["token", "ships/{id}", "old"], "--call listOldShips"),
    (["token", "ships/{id}"], '--call getShip --arguments \'{"id": '),
    (["token"], "--call makeToken"),
)
def test_the_first_call_reads(tmp_path, paths, called):
    """A newcomer is shown a tool that changes nothing, the one that is called most easily."""
    output = told(tmp_path, {f"/{path}": PATHS[path] for path in paths})
    (line,) = [line for line in output.splitlines() if " --mock " in line]
    assert f"harbour-mcp --mock {called}" in line


@pytest.mark.parametrize(("last", "called"), [("GET /ships", "--call hail"), (None, "")])
def test_the_first_call_can_be_made_from_a_command_line(tmp_path, monkeypatch, last, called):
    """Which has no user to ask, and no tasks."""
    monkeypatch.chdir(tmp_path)
    schema = {"type": "object"}
    tools = [
        {"name": "sink", "inputSchema": schema, "http": "GET /a", "input": [{"message": "Sure?"}]},
        {"name": "tow", "inputSchema": schema, "http": "GET /b", "task": "required"},
        {"name": "hail", "inputSchema": schema} | ({"http": last} if last else {}),
    ]
    Path("tools.json").write_text(json.dumps({"tools": tools}))
    done = run("from-schema", "tools.json", "-o", "server")
    assert done.exit_code == 0, done.output
    assert ("--mock" in done.output, called in done.output) == (bool(called), True)


@table("folder, shown", ("server", "./server"), ("a b/c", "'./a b/c'"), ("../x", "../x"))
def test_the_server_is_started_from_its_folder(tmp_path, monkeypatch, folder, shown):
    """To pip and uv a mere name is a package on PyPI, which anybody may have put there."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("tools.yaml").write_text("tools: [{name: moor, inputSchema: {type: object}}]")
    done = run("from-schema", "tools.yaml", "-o", folder)
    assert done.exit_code == 0, done.output
    assert f"  pip install {shown}\n  tools-mcp --list\n" in done.output
    assert " files written\n" in done.output
    assert "  nothing changed\n" in run("from-schema", "tools.yaml", "-o", folder).output


@table(
    "folder, shown",
    ("C:\\work\\server", "C:/work/server"),
    ("..\\server", "../server"),
    ("a\\b", "./a/b"),
    (".", "."),
)
def test_a_folder_on_windows_needs_no_quotes(folder, shown):
    assert summary._path(PureWindowsPath(folder)) == shown


@table(
    "length, fields, expected",
    (50, {}, ["asks for no credentials"]),
    (51, {}, ["asks for no credentials", f"mcp__harbour__{'a' * 51} and 1 more; a shorter"]),
    (9, {"components": {"securitySchemes": {"k": {"type": "http", "scheme": "basic"}}}}, []),
)
def test_what_is_met_later_is_told_in_a_line(tmp_path, length, fields, expected):
    paths = {f"/{n}": {"get": {"operationId": n * length}} for n in "ab"}
    lines = told(tmp_path, paths, **fields).splitlines()
    said = [line for line in lines if "credentials;" in line or "mcp__" in line]
    assert len(said) == len(expected)
    assert all(part in line for part, line in zip(expected, said, strict=True))
    assert "asks for no credentials" not in told(tmp_path, paths, **fields)


def test_what_calls_no_api_is_not_tried_without_one(tmp_path):
    (tmp_path / "tools.yaml").write_text("tools: [{name: moor, inputSchema: {type: object}}]")
    given = ["from-schema", str(tmp_path / "tools.yaml"), "-o", str(tmp_path / "server")]
    done = run(*given)
    assert done.exit_code == 0, done.output
    assert "--list" in done.output
    readme = (tmp_path / "server" / "README.md").read_text()
    assert "--call TOOL" in readme
    assert "--mock" not in done.output + readme
    (package,) = (tmp_path / "server").glob("*_mcp")
    assert "(request" not in (package / "hooks.py").read_text()
    assert "servers" not in (package / "api.py").read_text()


@table(
    "surface, words, is_said", ("tools", 2000, True), ("tools", 20, False), ("search", 2000, False)
)
def test_what_fills_an_agents_context_is_said(tmp_path, surface, words, is_said):
    """Nobody learns of it later: clients cut such a list or refuse it, each in its own way."""
    paths = {
        f"/ships{n}": {"get": {"operationId": f"listShips{n}", "description": "word " * words}}
        for n in range(15)
    }
    output = told(tmp_path, paths, "--surface", surface)
    assert ("which agents find by search" in output) is (surface == "search")
    assert (f"`mcpgen inspect {tmp_path / 'server'}`" in output) is is_said


def test_what_makes_a_long_list_shorter_is_told_on_lines_of_its_own(tmp_path):
    responses = {"204": {"description": "Done"}}
    long = {"description": "A ship of the harbour. " * 80, "responses": responses}
    paths = {f"/ships{at}": {"get": {"operationId": f"ship{at}", **long}} for at in range(70)}
    output = told(tmp_path, paths, "--surface", "tools", "--runtime", "package")
    lines = output.splitlines()
    assert "\\n" not in output
    assert any(line.startswith("  agents read all of it; `mcpgen inspect ") for line in lines)
    assert any(line.startswith("  leave those tools out") for line in lines)
