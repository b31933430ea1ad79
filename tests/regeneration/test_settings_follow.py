"""What `mcpgen.toml` says of a tool holds on when the document gives its operation another name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .garden import PACKAGE, operation, run, update, write

TOML = Path("server/mcpgen.toml")
TABLES = """
[tools.listBeds]
redact = ["$.id"]
scopes = ["beds"]
arguments.size.value = 3
[tools.listRows]
enabled = false
[tools.listTrees]
name = "trees"
"""
RENAMED = {
    "beds": operation("all-beds", "beds", "size"),
    "rows": operation("all-rows", "beds", "size"),
    "trees": operation("all-trees", "trees", "size"),
}

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(autouse=True)
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with settings of its tools."""
    monkeypatch.chdir(tmp_path)
    write()
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    with TOML.open("a") as file:
        file.write(TABLES)
    update()


def tools() -> dict[str, Any]:
    listed = json.loads((PACKAGE / "tools.json").read_bytes())["tools"]
    return {tool["name"]: tool for tool in listed}


def facts() -> str:
    """All that the package says of its tools beside their handlers."""
    files = ("tools.json", "access.json", "api.py", "handlers/__init__.py")
    return "".join((PACKAGE / name).read_text() for name in files)


def test_settings_hold_on_whatever_the_document_calls_the_operation() -> None:
    before = facts()
    assert 'redact=["$.id"]' in before
    assert "listRows" not in before
    write(**RENAMED)
    for _ in range(2):
        assert "what the table `listBeds` is for has another name: `all-beds`" in update()
        now = facts().replace("all-beds", "listBeds").replace("all_beds", "list_beds")
        now = now.replace('"All ', '"List ')
        assert now == before
        write(**RENAMED, herbs=operation("listHerbs", "trees"))
        update()
        write(**RENAMED)


def test_a_table_that_has_another_name_is_pointed_at_and_no_filter() -> None:
    chosen = 'include_operations = ["listBeds", "listRows", "listTrees", "listHerb"]'
    text = TOML.read_text().replace("# include_operations = []", chosen)
    TOML.write_text(text + "[tools.listHerb]\nenabled = false\n")
    update()
    write(**RENAMED)
    told = update()
    lines = TOML.read_text().splitlines()
    for name, said in (
        ("listBeds", "what the table `listBeds` is for has another name: `all-beds`"),
        ("listHerb", "there is no tool `listHerb`"),
    ):
        line = lines.index(f"[tools.{name}]") + 1
        assert f"{said}\n  --> {TOML}:{line}:8\n" in told


def test_it_is_told_where_the_settings_are_until_they_have_the_new_name() -> None:
    write(**RENAMED)
    update()
    with TOML.open("a") as file:
        file.write('[tools.all-beds]\n# name = "what --write-settings wrote"\n')
    for old, new in (
        ("listBeds", "all-beds"),
        ("listRows", "all-rows"),
        ("listTrees", "all-trees"),
    ):
        line = TOML.read_text().split("\n").index(f"[tools.{old}]") + 1
        told = run("check", "server", "--full").output
        assert f"mcpgen.toml:{line}:8" in told, told
        assert f"Rename it to `{new}`." in told
        own = TOML.read_text().replace(f"[tools.{new}]\n", "")
        TOML.write_text(own.replace(f"[tools.{old}]", f"[tools.{new}]"))
        assert f"[tools.{old}]" not in update()
    assert tools().keys() == {"all-beds", "trees"}
    assert "warning" not in run("check", "server", "--full").output


def test_settings_wait_for_an_operation_that_is_gone() -> None:
    for others in ({}, {"herbs": operation("listHerbs", "trees")}):
        write(rows=None, **others)
        assert "there is no tool `listRows`" in update()
    write(rows=RENAMED["rows"])
    update()
    assert tools().keys() == {"listBeds", "trees"}


def test_a_table_of_the_new_name_comes_first() -> None:
    TOML.write_text(f'{TOML.read_text()}[tools.all-rows]\ndescription = "All rows."\n')
    write(**RENAMED)
    assert "there is no tool `listRows`" in update()
    assert tools()["all-rows"]["description"] == "All rows."


def test_settings_are_of_the_tool_that_has_their_name() -> None:
    write(rows=operation("rows", "beds"), herbs=operation("listRows", "beds"))
    assert "has another name" not in update()
    assert tools().keys() == {"listBeds", "rows", "trees"}


def test_settings_of_a_further_source_hold_on() -> None:
    Path("more.json").write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    rows = "[tools.o_listRows]\nenabled = false\n"
    source = '[[with]]\nsource = "../more.json"\nname = "orchard"\nprefix = "o_"\n'
    TOML.write_text(f"{TOML.read_text()}{rows}{source}")
    update()
    for new in ("allRows", "everyRow"):
        text = Path("more.json").read_text()
        Path("more.json").write_text(text.replace("listRows", new).replace("allRows", new))
        assert f"`o_listRows` is for has another name: `o_{new}`" in update()
        assert tools().keys() == {"listBeds", "trees", "o_listBeds", "o_listTrees"}


def test_settings_that_came_with_the_new_document_hold() -> None:
    TOML.write_text(TOML.read_text().replace(TABLES, TABLES.replace("listRows", "listBeds2")))
    update()
    TOML.write_text(TOML.read_text().replace("listBeds2", "listRows"))
    write(**RENAMED)
    update()
    assert tools().keys() == {"all-beds", "trees"}
