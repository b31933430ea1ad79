"""What `mcpgen.toml` says of a tool holds on when the document gives its operation another name."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .garden import MINE, PACKAGE, cut, edit, operation, run, update, write

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


@pytest.fixture(autouse=True)
def server(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first_time: Callable[..., None]
) -> None:
    """A server with settings of its tools."""
    monkeypatch.chdir(tmp_path)
    write()
    first_time(with_settings)


def with_settings() -> None:
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


def test_settings_hold_on_whatever_the_document_calls_the_operation():
    before = facts()
    assert 'redact=["$.id"]' in before
    assert "listRows" not in before
    write(**RENAMED)
    for _ in range(2):
        assert "the tool of the table `listBeds` is now called `all-beds`" in update()
        now = facts().replace("all-beds", "listBeds").replace("all_beds", "list_beds")
        now = now.replace('"All ', '"List ')
        assert now == before
        write(**RENAMED, herbs=operation("listHerbs", "trees"))
        update()
        write(**RENAMED)


def test_a_table_that_has_another_name_is_pointed_at_and_no_filter():
    chosen = 'include_operations = ["listBeds", "listRows", "listTrees", "listHerb"]'
    text = TOML.read_text().replace("# Such as:", chosen)
    TOML.write_text(text + "[tools.listHerb]\nenabled = false\n")
    update()
    write(**RENAMED)
    told = update()
    lines = TOML.read_text().splitlines()
    for name, said in (
        ("listBeds", "the tool of the table `listBeds` is now called `all-beds`"),
        ("listHerb", "there is no tool `listHerb`"),
    ):
        line = lines.index(f"[tools.{name}]") + 1
        assert f"{said}\n  --> {TOML}:{line}:8\n" in told


def test_it_is_told_where_the_settings_are_until_they_have_the_new_name():
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
        assert f"Rename the table to `{new}`." in told
        own = TOML.read_text().replace(f"[tools.{new}]\n", "")
        TOML.write_text(own.replace(f"[tools.{old}]", f"[tools.{new}]"))
        assert f"[tools.{old}]" not in update()
    assert tools().keys() == {"all-beds", "trees"}
    assert "warning" not in run("check", "server", "--full").output


def test_the_order_of_tables_and_keys_says_nothing():
    poll = "[tools.listBeds]\npoll = {status = '/s', running = ['a']}\n"
    TOML.write_text(TOML.read_text().replace(TABLES, f"{poll}[tools.listTrees]\ntitle = 'T'\n"))
    update()
    there = {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file() and p != TOML}
    poll = "[tools.listBeds.poll]\nrunning = ['a']\nstatus = '/s'\n"
    start, _, _ = TOML.read_text().partition("[tools.listBeds]")
    TOML.write_text(f"{start}[tools.listTrees]\ntitle = 'T'\n{poll}")
    assert "nothing changed" in update()
    assert "nothing changed" in run("update", "server", "--force").output
    assert {p: p.read_bytes() for p in there} == there


def test_settings_wait_for_an_operation_that_is_gone():
    for others in ({}, {"herbs": operation("listHerbs", "trees")}):
        write(rows=None, **others)
        assert "`listRows` has a table, but its operation is gone" in update()
    write(rows=RENAMED["rows"])
    update()
    assert tools().keys() == {"listBeds", "trees"}


def test_a_table_of_the_new_name_comes_first():
    TOML.write_text(f'{TOML.read_text()}[tools.all-rows]\ndescription = "All rows."\n')
    write(**RENAMED)
    assert "`listRows` has a table, but its operation is gone" in update()
    assert tools()["all-rows"]["description"] == "All rows."


def test_settings_are_of_the_tool_that_has_their_name():
    write(rows=operation("rows", "beds"), herbs=operation("listRows", "beds"))
    assert "is now called" not in update()
    assert tools().keys() == {"listBeds", "rows", "trees"}


def test_settings_of_a_further_source_hold_on():
    Path("more.json").write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    rows = "[tools.o_listRows]\nenabled = false\n"
    source = '[[with]]\nsource = "../more.json"\nname = "orchard"\nprefix = "o_"\n'
    TOML.write_text(f"{TOML.read_text()}{rows}{source}")
    update()
    for new in ("allRows", "everyRow"):
        text = Path("more.json").read_text()
        Path("more.json").write_text(text.replace("listRows", new).replace("allRows", new))
        assert f"the table `o_listRows` is now called `o_{new}`" in update()
        assert tools().keys() == {"listBeds", "trees", "o_listBeds", "o_listTrees"}


def test_a_name_is_that_of_the_source_to_which_it_is_given():
    text = Path("api.json").read_text()
    Path("more.json").write_text(text.replace("Garden", "Orchard"))
    Path("other.json").write_text(text.replace("/beds", "/sheds"))
    more = '[[with]]\nsource = "../more.json"\nprefix = "m_"\n'
    other = '[[with]]\nsource = "../other.json"\nprefix = "o_"\nname = "orchard"\n'
    TOML.write_text(f"{TOML.read_text()}{more}{other}")
    update()
    handlers = (PACKAGE / "handlers/orchard_beds.py").read_text()
    assert '@tool("o_listBeds")' in handlers
    assert 'ctx.apis["orchard"]' in handlers


def test_a_source_that_cannot_have_its_name_is_told():
    Path("more.json").write_text(Path("api.json").read_text())
    more = '[[with]]\nsource = "../more.json"\nname = "garden"\n'
    TOML.write_text(f"{TOML.read_text()}{more}")
    line = len(TOML.read_text().splitlines())
    told = update()
    assert f"the name `garden` is taken; it is now `garden2`\n  --> {TOML}:{line}:8\n" in told


def test_settings_that_came_with_the_new_document_hold():
    TOML.write_text(TOML.read_text().replace(TABLES, TABLES.replace("listRows", "listBeds2")))
    update()
    TOML.write_text(TOML.read_text().replace("listBeds2", "listRows"))
    write(**RENAMED)
    update()
    assert tools().keys() == {"all-beds", "trees"}


COPY = '\n[[with]]\nsource = "../api.json"\nname = "{}"\n'
OTHER = '\n[[with]]\nsource = "../other.json"\nname = "{}"\n'
COPY_TABLES = """
[tools.old_listBeds]
redact = ["$.id"]
[tools.old_listTrees]
name = "grove"
"""


def test_what_is_said_and_written_of_a_further_source_follows_its_name():
    TOML.write_text(f"{TOML.read_text()}{COPY.format('old')}{COPY_TABLES}")
    update()
    handlers = PACKAGE / "handlers/old_beds.py"
    edit(handlers, "    return await", MINE)
    edit(TOML, 'name = "old"', 'name = "new"')
    for _ in range(2):
        told = update()
        assert '"""Tools tagged `beds` of new."""' in handlers.read_text()
        assert "the tool of the table `old_listBeds` is now called `new_listBeds`" in told
        assert "tool-removed" not in told
        assert 'redact=["$.id"]' in facts().partition("new_listBeds")[2]
        assert {"new_listBeds", "new_listRows", "grove"} <= tools().keys()
        listed = cut(handlers, "new_list_beds")
        assert MINE in listed
        assert 'ctx.apis["new"]' in listed
        handlers.write_text(f"{handlers.read_text()}\n\n{listed}")
        edit(Path("api.json"), '"version": "1"', '"version": "1", "x-more": 1')


def test_another_source_is_not_the_one_that_is_gone():
    other = json.loads(Path("api.json").read_text())
    paths = other["paths"]
    other["paths"] = {"/beds": paths["/beds"], "/sheds": paths["/rows"], "/doors": paths["/trees"]}
    Path("other.json").write_text(json.dumps(other))
    before = TOML.read_text()
    TOML.write_text(f"{before}{COPY.format('old')}{COPY_TABLES}")
    update()
    TOML.write_text(f"{before}{OTHER.format('new')}{COPY_TABLES}")
    told = update()
    assert "`old_listBeds` has a table, but its operation is gone" in told
    assert "old_listBeds: tool-removed" in told


def test_of_two_sources_with_other_names_each_is_the_one_most_like_it():
    some = f'{OTHER}methods = ["get"]\ninclude_paths = ["/beds", "/trees"]\n'
    Path("other.json").write_bytes(Path("api.json").read_bytes())
    TOML.write_text(
        f"{TOML.read_text()}{COPY.format('old')}{some.format('part')}{COPY_TABLES}"
        '[tools.part_listBeds]\nname = "bits"\n'
    )
    update()
    before = tools()
    edit(TOML, 'name = "old"', 'name = "new"')
    edit(TOML, 'name = "part"', 'name = "piece"')
    assert "tool-removed" not in update()
    assert {"grove", "bits", "new_listBeds", "piece_listTrees"} <= tools().keys()
    assert len(tools()) == len(before)
