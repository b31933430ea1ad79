"""Settings of single tools: what agents see, and what is sent without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.settings import tools as settings_tools
from mcpgen.settings.tools import SettingProblem

SPEC = Path(__file__).parents[1] / "specs" / "bookshop.yaml"
TABLES = """
[tools.listBooks]
name = "find_books"
title = "Find books"
description = "Find books by genre."
annotations = { openWorldHint = false }
[tools.listBooks.arguments]
filter.hidden = true
sort.value = "price"
limit.default = 7
genre.description = "One of the shop's genres."
cursor.env = "BOOK_CURSOR"
[tools.getBook.arguments]
book_id.env = "BOOK_ID"
[tools.removeBook]
enabled = false
[tools.placeOrder.arguments]
customer.value = "reader@example.org"
message.env = "ORDER_MESSAGE"
[tools.replaceBook]
annotations = { destructiveHint = false }
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("overrides") / "server"
    run = CliRunner().invoke
    assert run(app, ["from-openapi", str(SPEC), "-o", str(folder)]).exit_code == 0
    with (folder / "mcpgen.toml").open("a") as file:
        file.write(TABLES)
    done = run(app, ["update", str(folder)])
    assert done.exit_code == 0, done.output
    assert run(app, ["check", "--full", str(folder)]).exit_code == 0
    return folder


def tools(server: Path) -> dict[str, Any]:
    listed = json.loads((server / "bookshop_mcp" / "tools.json").read_bytes())["tools"]
    return {tool["name"]: tool for tool in listed}


def test_the_agent_sees_what_the_user_wrote(server: Path) -> None:
    found = tools(server)
    tool = found["find_books"]
    assert (tool["title"], tool["description"]) == ("Find books", "Find books by genre.")
    assert tool["annotations"]["openWorldHint"] is False
    properties = tool["inputSchema"]["properties"]
    assert list(properties) == ["genre", "limit"]
    assert properties["limit"]["default"] == 7
    assert properties["genre"]["description"] == "One of the shop's genres."
    assert "$defs" not in tool["inputSchema"]
    assert "removeBook" not in found
    assert "required" not in found["getBook"]["inputSchema"]
    assert found["placeOrder"]["inputSchema"]["required"] == ["lines"]
    assert found["replaceBook"]["annotations"]["destructiveHint"] is False


def test_the_servers_own_tests_see_what_is_sent(server: Path) -> None:
    environment = {**os.environ, "BOOK_ID": "99"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=server,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    cases = json.loads((server / "tests" / "cases.json").read_bytes())
    assert set(cases["fixed"]) == {"BOOK_CURSOR", "BOOK_ID", "ORDER_MESSAGE"}
    sent = [
        c["request"]["url"] for c in cases["cases"] if c["tool"] == "find_books" and "request" in c
    ]
    assert sent
    for url in sent:
        assert "sort=price" in url
        assert "cursor=sentinel-book-cursor" in url
    assert any("limit=7" in url for url in sent)
    assert "`BOOK_ID`" in (server / "README.md").read_text()
    assert "ORDER_MESSAGE=" in (server / ".env.example").read_text()


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"a": {"enable": True}}, 'unknown setting `enable` of tools."a"'),
        ({"a": {"enabled": "no"}}, "must be of type bool"),
        ({"a": {"name": "two words"}}, "is no tool's name"),
        ({"a": {"annotations": {"readonlyHint": True}}}, "unknown setting `readonlyHint`"),
        ({"a": {"annotations": {"readOnlyHint": 1}}}, "must be true or false"),
        ({"a": {"arguments": {"b": {"env": "lower"}}}}, "is no environment variable"),
        ({"a": {"arguments": {"b": {"value": 1, "env": "B"}}}}, "exclude each other"),
        ({"a": {"arguments": {"b": 1}}}, "must be a table"),
        ([], "must be a table"),
    ],
)
def test_what_is_wrong_is_named(tables: Any, message: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        settings_tools.check(tables)
    assert message in caught.value.message


def test_unknown_names_are_warnings_with_the_nearest(tmp_path: Path) -> None:
    run = CliRunner().invoke
    folder = tmp_path / "server"
    folder.mkdir()
    toml = '[tools.listBook]\nname = "x"\n[tools.getBook.arguments]\nbook.hidden = true\n'
    (folder / "mcpgen.toml").write_text(toml)
    done = run(app, ["from-openapi", str(SPEC), "-o", str(folder), "--force"])
    assert done.exit_code == 0, done.output
    assert "there is no tool `listBook`" in done.output
    assert "Did you mean `listBooks`?" in done.output
    assert "has no argument `book`" in done.output


def test_a_required_argument_is_not_hidden(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "mcpgen.toml").write_text("[tools.getBook.arguments]\nbook_id.hidden = true\n")
    done = CliRunner().invoke(app, ["from-openapi", str(SPEC), "-o", str(folder), "--force"])
    assert done.exit_code == 1
    assert "cannot do without `book_id`" in done.output
