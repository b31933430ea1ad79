"""Names of handlers, given by people and by the document: every tool has one function, its own."""

import ast

import pytest

from .garden import BEDS, MINE, PACKAGE, TREES, edit, operation, update, write

pytestmark = pytest.mark.usefixtures("garden")


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


def test_a_tool_that_moves_to_a_module_with_a_copy_is_served_by_that():
    copy = handler("list_beds").replace("list_beds(", "copied(")
    TREES.write_text(f'{TREES.read_text()}\n\n@tool("listBeds")\n{copy}')
    update()
    write(beds=operation("listBeds", "trees", "size"))
    update()
    assert served("listBeds") == "trees:copied"


def test_a_file_of_a_persons_own_that_does_not_parse_hinders_nothing():
    own = BEDS.with_name("mine.py")
    own.write_text("def (:\n")
    edit(BEDS, "async def list_beds(", "async def mine(")
    update()
    assert served("listBeds") == "beds:mine"
    assert own.read_text() == "def (:\n"


def test_of_two_handlers_of_one_tool_the_one_that_served_it_serves_it():
    edit(BEDS, "    return await", MINE)
    write(beds=None, rows=operation("listBeds", "beds", "size"))
    update()
    assert "# Mine." in handler("list_beds")
    assert BEDS.read_text().count("async def list_beds") == 2
    edit(BEDS, f"async def {served('listBeds').removeprefix('beds:')}(", "async def mine(")
    update()
    assert served("listBeds") == "beds:mine"
    assert '"/rows"' in handler("mine")


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


def test_what_is_put_back_has_no_name_that_a_person_gave():
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
