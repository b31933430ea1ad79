"""Names of handlers, given by people and by the document: every tool has one function, its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .garden import BEDS, MINE, PACKAGE, TREES, edit, operation, run, update, write

pytestmark = pytest.mark.usefixtures("garden")

WALLS = PACKAGE / "handlers/walls.py"


def served(tool: str) -> str:
    """The module and the function that the table of tools has for a tool."""
    table = ast.parse((PACKAGE / "handlers/__init__.py").read_text()).body[-1]
    assert isinstance(table, ast.Assign)
    found = ast.literal_eval(table.value)[tool]
    assert isinstance(found, str)
    return found


def handler(function: str) -> str:
    """The text of a handler of beds."""
    text = BEDS.read_text()
    (node,) = (n for n in ast.parse(text).body if getattr(n, "name", "") == function)
    return ast.get_source_segment(text, node) or ""


def handler_names() -> list[str]:
    """The functions of beds."""
    return [n.name for n in ast.parse(BEDS.read_text()).body if isinstance(n, ast.AsyncFunctionDef)]


def test_a_handler_keeps_its_name_while_all_tools_of_its_module_are_gone() -> None:
    edit(TREES, "async def list_trees(", "async def mine(")
    update()
    write(trees=None)
    assert "it was edited and stays" in update()
    write(beds=operation("listBeds", "beds"))
    update()
    write()
    update()
    assert served("listTrees") == "trees:mine"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('@tool("listBeds")', '# Mine.\n@tool("listBeds")'),
        ('@tool("listBeds")', '\n# Mine.\n\n@tool("listBeds")'),
        ('\n\n\n@tool("listRows")', '\n    # Mine.\n\n\n@tool("listRows")'),
    ],
    ids=["above", "apart", "below"],
)
def test_a_comment_keeps_a_handler_with_its_name_and_its_module(old: str, new: str) -> None:
    edit(BEDS, old, new)
    write(beds=operation("listBeds", "walls", "size"))
    update()
    assert served("listBeds") == "beds:list_beds"
    write(beds=None, rows=operation("listBeds", "beds", "size"))
    update()
    assert "# Mine." in BEDS.read_text()
    assert '"/beds"' in handler("list_beds")
    assert served("listBeds").startswith("beds:list_beds_")


def test_a_form_feed_is_no_new_line() -> None:
    edit(BEDS, '@tool("listRows")', '# \x0c\u2028größe\n@tool("listRows")')
    edit(BEDS, "async def list_rows(", "async def mine(")
    write(rows=operation("listRows", "walls", "size"))
    update()
    assert served("listRows") == "beds:mine"


def test_an_untouched_handler_that_leaves_gives_its_name_on() -> None:
    edit(BEDS, '@tool("listRows")', '# Mine.\n@tool("listRows")')
    write(beds=None, rows=operation("listBeds", "beds", "size"))
    update()
    assert served("listBeds") == "beds:list_beds"
    assert '"/rows"' in handler("list_beds")


def test_a_handler_that_was_kept_and_a_later_one_of_its_tools_name_are_two() -> None:
    edit(BEDS, "    return await", MINE)
    write(beds=None)
    update()
    write(beds=None, rows=operation("listBeds", "beds", "size"))
    update()
    assert '"/beds"' in handler("list_beds")
    assert served("listBeds").startswith("beds:list_beds_")


def test_names_that_are_given_on_in_an_edited_module_stay_plain() -> None:
    edit(BEDS, "    return await", MINE)
    write(beds=operation("listRows", "beds", "size"), rows=operation("listBeds", "beds", "size"))
    update()
    assert served("listBeds") == "beds:list_beds"
    assert '"/rows"' in handler("list_beds")
    assert "# Mine." in handler("list_rows")


def test_a_name_may_be_given_in_two_modules() -> None:
    edit(BEDS, "async def list_beds(", "async def mine(")
    edit(TREES, "async def list_trees(", "async def mine(")
    update()
    assert (served("listBeds"), served("listTrees")) == ("beds:mine", "trees:mine")
    update()


def test_a_name_that_is_given_takes_none_from_another_module() -> None:
    edit(BEDS, "async def list_beds(", "async def list_trees(")
    update()
    assert (served("listBeds"), served("listTrees")) == ("beds:list_trees", "trees:list_trees")


def test_any_name_may_be_given() -> None:
    before = "list_beds"
    for number, name in enumerate(("_mine", "list", "größe")):
        edit(BEDS, f"async def {before}(", f"async def {name}(")
        write(beds=operation(f"show{number}", "beds", "size", "depth"))
        update()
        assert served(f"show{number}") == f"beds:{name}"
        before = name
    write(beds=operation("showBeds", "walls", "size"))
    update()
    assert served("showBeds") == "beds:größe"
    assert not WALLS.exists()


def test_a_tool_that_moves_to_a_module_with_a_copy_is_served_by_that() -> None:
    copy = handler("list_beds").replace("list_beds(", "copied(")
    TREES.write_text(f'{TREES.read_text()}\n\n@tool("listBeds")\n{copy}')
    update()
    write(beds=operation("listBeds", "trees", "size"))
    update()
    assert served("listBeds") == "trees:copied"


def test_a_file_of_a_persons_own_that_does_not_parse_hinders_nothing() -> None:
    own = BEDS.with_name("mine.py")
    own.write_text("def (:\n")
    edit(BEDS, "async def list_beds(", "async def mine(")
    update()
    assert served("listBeds") == "beds:mine"
    assert own.read_text() == "def (:\n"


def test_of_two_handlers_of_one_tool_the_one_that_served_it_serves_it() -> None:
    edit(BEDS, "    return await", MINE)
    write(beds=None, rows=operation("listBeds", "beds", "size"))
    update()
    assert "# Mine." in handler("list_beds")
    assert BEDS.read_text().count("async def list_beds") == 2
    edit(BEDS, f"async def {served('listBeds').removeprefix('beds:')}(", "async def mine(")
    update()
    assert served("listBeds") == "beds:mine"
    assert '"/rows"' in handler("mine")


def test_a_name_goes_with_the_file_that_had_it() -> None:
    edit(BEDS, "async def list_beds(", "async def Mine(")
    update()
    BEDS.unlink()
    update()
    assert served("listBeds") == "beds:list_beds"


def test_a_function_of_a_handlers_name_in_another_module_is_no_handler() -> None:
    edit(BEDS, '@tool("listRows")', 'def list_trees() -> None: ...\n\n\n@tool("listRows")')
    TREES.unlink()
    update()
    assert served("listTrees") == "trees:list_trees"
    assert "def list_trees() -> None: ..." in BEDS.read_text()


@pytest.mark.parametrize("function", ["list_beds", "list_rows"])
def test_a_handler_that_was_deleted_is_put_back_as_it_was(function):
    before = BEDS.read_text()
    mark = f'@tool("{function.title().replace("_", "").replace("L", "l", 1)}")\n'
    text = mark + handler(function)
    BEDS.write_text(before.replace(f"\n\n{text}\n", "", 1))
    assert handler_names() == [name for name in ("list_beds", "list_rows") if name != function]
    assert "was put back" in update()
    assert BEDS.read_text() == before
    assert "beds.py" not in update()


def test_what_is_put_back_has_no_name_that_a_person_gave() -> None:
    """A handler that is not known again, as its mark has another name, is put back beside it."""
    edit(TREES, "async def list_trees(", "async def mine(")
    update()
    edit(TREES, '@tool("listTrees")', 'mark = tool\n\n\n@mark("listTrees")')
    head, mine = TREES.read_text().split("mark = tool")
    TREES.write_text(head)
    BEDS.write_text(f"{BEDS.read_text()}\n\nmark = tool{mine}")
    assert "was put back" in update()
    assert served("listTrees") == "trees:list_trees"
    assert handler("mine").startswith("async def mine(")


def test_names_are_found_without_a_lock() -> None:
    edit(BEDS, "async def list_beds(", "async def mine(")
    update()
    Path("server/mcpgen.lock").unlink()
    assert run("update", "server", "--force").exit_code == 0
    update()
    assert served("listBeds") == "beds:mine"
    write(rows=None)
    update()
    assert "list_rows" not in BEDS.read_text()
