"""Handlers that other code in their module uses: without them it would not load, or fail later."""

import ast

import pytest

from .garden import BEDS, PACKAGE, cut, operation, run, update, write

pytestmark = pytest.mark.usefixtures("garden")

CALL = "async def mine(ctx: Context) -> object:\n    return await list_beds(ctx)\n"
USES = (
    "again = list_beds\n",
    '__all__ = ["list_beds"]\n',
    "class Mine:\n    look = staticmethod(list_beds)\n",
)


def defined() -> set[str]:
    """The functions in the module of beds."""
    return {getattr(node, "name", "") for node in ast.parse(BEDS.read_text()).body}


def test_one_that_is_called_is_broken_when_its_operation_goes():
    BEDS.write_text(f"{BEDS.read_text()}\n\n{CALL}")
    write(beds=None)
    said = "sends `GET /beds`, which the document no longer has"
    told = run("update", "server").output
    assert "tool listBeds is not generated any more; it stays, since other code uses it" in told
    assert told.count(said) == 1
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        assert (done.exit_code, done.output.count(said)) == (3, 1)
    BEDS.write_text(BEDS.read_text().replace("return await list_beds(ctx)", "return list_beds"))
    assert run("check", "server").exit_code == 0


def test_it_keeps_its_module_and_its_name():
    BEDS.write_text(f"{BEDS.read_text()}\n\n{USES[0]}")
    write(beds=None, rows=None)
    update()
    assert "list_beds" in defined()
    write()
    update()
    assert defined() >= {"list_beds", "list_rows"}
    write(beds=operation("findBeds", "trees", "size"), rows=operation("listRows", "trees"))
    update()
    assert "list_beds" in defined()
    assert '"findBeds": "beds:list_beds"' in (PACKAGE / "handlers/__init__.py").read_text()


def test_one_that_stands_in_a_branch_serves_its_tool():
    handler = cut(BEDS, "list_beds").rstrip()
    lines = "".join(f"    {line}\n" for line in handler.splitlines())
    BEDS.write_text(f"{BEDS.read_text()}\n\nif True:  # Mine.\n{lines}")
    assert "put back" not in run("update", "server").output
    write(beds=operation("listBeds", "trees", "size"))
    assert run("update", "server").exit_code == 0
    write(beds=operation("findBeds", "trees", "size"))
    done = run("update", "server")
    place = BEDS.read_text().splitlines().index("if True:  # Mine.") + 1
    assert f"beds.py:{place}: tool findBeds: name was changed on both sides" in done.output
    assert done.exit_code == 1
    assert '"findBeds": "beds:list_beds"' in (PACKAGE / "handlers/__init__.py").read_text()
    assert run("check", "server", "--full").exit_code == 0
