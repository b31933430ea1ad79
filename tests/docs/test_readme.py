"""The README of a generated server, and what our own shows of one."""

import json
import re
from pathlib import Path

import examples
import pytest
from command_line import run


def _readme(folder: Path, operations: int) -> str:
    paths = {
        f"/{tag}/{number}": {"get": {"tags": [tag], "responses": {}}}
        for number in range(operations)
        for tag in ("wharves", "berths")
    }
    info = {"title": "Shelved Harbour", "version": "1"}
    (folder / "api.json").write_text(json.dumps({"openapi": "3.1.0", "info": info, "paths": paths}))
    result = run("from-openapi", str(folder / "api.json"), "-o", str(folder / "server"))
    assert result.exit_code == 0, result.output
    return (folder / "server" / "README.md").read_text()


def test_many_tools_are_in_tables_of_their_modules_below_all_else(tmp_path):
    before, tools = _readme(tmp_path, 21).split("\n## Tools\n")
    assert "42 [tools](#tools)" in before
    assert "\n## " not in tools
    _, berths, wharves = tools.split("\n### ")
    assert berths.startswith("`handlers/berths.py`\n\n| tool |")
    assert wharves.startswith("`handlers/wharves.py`\n\n| tool |")
    assert [line.split("`")[3] for line in berths.splitlines() if line.startswith("| `")] == [
        f"GET /berths/{number}" for number in range(21)
    ]


@pytest.mark.parametrize("operations", [1, 20])
def test_few_tools_are_in_one_table(operations, tmp_path):
    text = _readme(tmp_path, operations)
    (tools,) = (part for part in text.split("\n## ") if part.startswith("Tools\n\n| tool |"))
    assert tools.count("\n| `") == 2 * operations
    assert "###" not in tools


def test_what_a_newcomer_needs_is_before_what_is_looked_up(tmp_path):
    """A table of thirty settings was between the tools and how to serve them."""
    _, *parts = _readme(tmp_path, 1).split("\n## ")
    assert [part.partition("\n")[0] for part in parts] == [
        "Set it up", "Tools", "Other clients", "Try it", "Change it",
    ]  # fmt: skip
    assert "`SHELVED_HARBOUR_BASE_URL`" in parts[0]
    assert "_TIMEOUT" not in "".join(parts)
    assert "`SHELVED_HARBOUR_TIMEOUT`" in (tmp_path / "server" / "DEPLOY.md").read_text()


def test_what_a_server_offers_stands_together():
    text = (examples.FOLDER / "lighthouse" / "README.md").read_text("utf-8")
    headings = [part.partition("\n")[0] for part in text.split("\n## ")[1:]]
    assert headings[1:4] == ["Tools", "Resources", "Prompts"]


@pytest.mark.parametrize("name", sorted(examples.SOURCES))
def test_no_variable_is_named_that_the_server_does_not_read(name):
    """A server without an API was said to read its headers and its proxy."""
    files = ("README.md", "DEPLOY.md")
    texts = [(examples.FOLDER / name / file).read_text("utf-8") for file in files]
    (prefix,) = re.findall(r"`(\w+)_SHUTDOWN_TIMEOUT` seconds", texts[1])
    said = "".join(texts)
    names = {each.removesuffix("_FILE") for each in re.findall(rf"\b{prefix}_\w+", said)}
    rows = re.findall(r"(?m)^\| `(\w+)` \|", said)
    assert names <= {each.removesuffix("_FILE") for each in rows}


def test_the_handler_that_is_shown_is_that_of_the_bookshop():
    (shown,) = re.findall(
        r"```python\n(.*?)```", (examples.ROOT / "README.md").read_text(), re.DOTALL
    )
    handlers = examples.FOLDER / "bookshop" / "bookshop_mcp" / "handlers"
    assert shown in (handlers / "orders.py").read_text()
