"""Hints for every tool, and for those of a method."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from tables import table

API = """openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get: {operationId: list, summary: Pets, responses: {"200": {description: ok}}}
    post: {operationId: add, summary: A new pet, responses: {"200": {description: ok}}}
    put: {operationId: swap, summary: Others, responses: {"200": {description: ok}}}
"""
COMMON = """source = "../api.yaml"
[tools."*".annotations]
openWorldHint = false
post = { destructiveHint = false, openWorldHint = true }
[tools.swap.annotations]
openWorldHint = true
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api.yaml").write_text(API)
    (tmp_path / "s").mkdir()
    return tmp_path / "s"


def hints(folder: Path) -> dict[str, Any]:
    [tools] = folder.glob("*/tools.json")
    return {tool["name"]: tool["annotations"] for tool in json.loads(tools.read_text())["tools"]}


def test_hints_of_a_method_go_before_those_of_all_and_a_tools_own_first(folder):
    (folder / "mcpgen.toml").write_text(COMMON)
    done = run("update", "s")
    assert done.exit_code == 0
    found = hints(folder)
    assert {name: each["openWorldHint"] for name, each in found.items()} == {
        "list": False,
        "add": True,
        "swap": True,
    }
    assert {name: each["destructiveHint"] for name, each in found.items()} == {
        "list": False,
        "add": False,
        "swap": True,
    }
    assert done.stdout.rstrip().splitlines()[-1].startswith("  now 3 tools, about ")


@table(
    "line, said",
    ("posts = { destructiveHint = false }", "Did you mean `post`?"),
    ("post = false", '`tools."*".annotations.post` must be a table'),
    ("post = { get = {} }", "`get`"),
    ("post = { destructiveHint = 1 }", "must be true or false"),
)
def test_hints_that_are_none_are_refused(line, said, folder):
    (folder / "mcpgen.toml").write_text(
        f'source = "../api.yaml"\n[tools."*".annotations]\n{line}\n'
    )
    done = run("update", "s")
    assert done.exit_code == 1
    assert said in done.stderr
    assert [path.name for path in folder.iterdir()] == ["mcpgen.toml"]


def test_check_finds_the_servers_below(folder, monkeypatch):
    root = folder.parent
    for name in ("a/one", "b/two", "node_modules/three", ".hidden/four"):
        made = run("from-openapi", "api.yaml", "--runtime", "package", "-o", name)
        assert made.exit_code == 0
    (folder / "mcpgen.toml").unlink(missing_ok=True)
    done = run("check")
    assert done.exit_code == 0
    assert [name for name in ("one", "two", "three", "four") if name in done.stdout] == [
        "one",
        "two",
    ]
    monkeypatch.chdir(root / "a" / "one")
    assert run("check").stdout == ".: up to date\n"
    monkeypatch.chdir(folder)
    done = run("check")
    assert done.exit_code == 1
    assert "name the folder of one, or several" in done.stderr


def test_github_annotates_what_breaks_callers(folder):
    (folder / "mcpgen.toml").write_text('source = "../api.yaml"\n')
    assert run("update", "s").exit_code == 0
    (folder.parent / "api.yaml").write_text(
        API.replace("operationId: add", "x-mcp: {name: new_pet}")
    )
    done = run("check", "s", "--format", "github")
    assert done.exit_code == 3
    assert (
        "::error file=s/pets_mcp/tools.json,line=1,col=1::breaking: add: tool-renamed"
        in done.stdout
    )
