"""What an update warns of is told by every check, with and without --full, until it is mended."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import run

from .beds import HANDLERS, edit, write

pytestmark = pytest.mark.usefixtures("beds")

CALL = "    return await ctx.api.send("
FUNCTION = "tool listBeds: "


def checks() -> Iterator[tuple[int, str]]:
    """The exit codes and lines of a check that compares hashes alone, and of one that generates."""
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        yield done.exit_code, done.stdout


def test_a_handler_that_requires_what_its_tool_no_longer_has():
    edit("a: int | Unset = UNSET", "a: int")
    edit(CALL, f"    print(a)\n{CALL}")
    write(b="integer")
    assert run("update", "server").exit_code == 1
    said = f"broken: garden_mcp/handlers/beds.py:11: {FUNCTION}it requires `a`, which the tool"
    for code, told in checks():
        assert (code, told.count(said)) == (3, 1)
        assert told.startswith("server: up to date, but broken: mend it\n")
    found = json.loads(run("check", "server", "--json").stdout)["servers"][0]
    assert (found["state"], found["clean"]) == ("broken", False)
    assert run("update", "server").exit_code == 0  # there is nothing to update
    told = run("check", "server", "--format", "github").stdout
    assert f"::error file={HANDLERS},line=11,col=1::{FUNCTION}it requires `a`" in told
    edit("print(a)", "print(b)")
    edit(", a: int)", ")")
    assert [code for code, _ in checks()] == [0, 0]


def test_a_new_argument_that_an_edited_body_does_not_use_is_told_and_no_fault():
    edit(CALL, f"    print(a)\n{CALL}")
    edit('query={"a": a}', "query=dict(a=a)")
    write(a="integer", b="integer")
    assert run("update", "server").exit_code == 1
    said = f"note: garden_mcp/handlers/beds.py:11: {FUNCTION}its edited body does not use `b`"
    for code, told in checks():
        assert (code, told.count(said)) == (0, 1)


def test_an_import_that_fails_is_told_without_generating():
    Path("server/garden_mcp/helpers.py").write_text("from .api import AGE\n")
    for code, told in checks():
        assert code == 3
        assert "broken: garden_mcp/helpers.py:1: uses `AGE` of `garden_mcp/api.py`" in told
