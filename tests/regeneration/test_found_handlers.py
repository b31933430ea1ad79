"""Handlers that people moved, marked otherwise or kept: they are found, and their tools served."""

import ast
import re

import pytest

from .garden import BEDS, MINE, PACKAGE, TREES, cut, edit, operation, run, update, write

pytestmark = pytest.mark.usefixtures("garden")


def test_a_handler_that_was_kept_is_the_tools_again_where_its_signature_fits():
    edit(TREES, "    return await", MINE)
    edit(TREES, '"size": size', '"size": size or 1')
    edit(BEDS, '@tool("listBeds")', '@tool("listBeds", wide="size")')
    edit(BEDS, "size: int", "wide: int")
    edit(BEDS, '"size": size', '"size": wide')
    before = BEDS.read_text(), TREES.read_text()
    write(beds=None, trees=None)
    update()
    write()
    told = update()
    for name in ("listBeds", "listTrees"):
        assert f"tool {name} is back, with the handler that was kept" in told
    assert (BEDS.read_text(), TREES.read_text()) == before
    assert "is back" not in update()


def test_a_tool_comes_back_to_its_module_whatever_its_tag_would_be_called_now():
    """Of two tags with one name one has a hash in its module's name, and alone has none."""
    oaks = operation("listOaks", "Trees", "size")
    write(oaks=oaks)
    update()
    served = re.compile(r'"listOaks": "(\w+):')
    (module,) = served.findall((PACKAGE / "handlers/__init__.py").read_text())
    assert module.startswith("trees_")
    edit(PACKAGE / f"handlers/{module}.py", "    return await", MINE)
    write(trees=None)
    update()
    write(trees=None, oaks=oaks)
    assert "tool listOaks is back, with the handler that was kept" in update()
    assert served.findall((PACKAGE / "handlers/__init__.py").read_text()) == [module]


def test_a_handler_that_was_moved_to_another_module_is_followed():
    moved = cut(BEDS, "list_beds").replace("    return await", MINE)
    TREES.write_text(f"{TREES.read_text()}\n\n{moved}")
    write(beds=operation("listBeds", "beds", "size", "depth", type="string"))
    assert "put back" not in update()
    assert "list_beds" not in BEDS.read_text()
    text = TREES.read_text()
    assert "# Mine." in text
    assert "size: str" in text
    assert '"depth": depth' in text
    write(beds=operation("showBeds", "beds", "size"))
    update()
    assert "# Mine." in TREES.read_text()
    assert "depth" not in TREES.read_text()


@pytest.mark.parametrize("path", [BEDS, TREES])
def test_a_copy_of_a_handler_is_a_function_of_its_own(path):
    there = BEDS.read_text()
    copy = cut(BEDS, "list_beds").replace("async def list_beds(", "async def copied(")
    BEDS.write_text(there)
    path.write_text(f"{path.read_text()}\n\n{copy}")
    write(beds=operation("listBeds", "beds", "size", "depth"))
    update()
    assert '"listBeds": "beds:list_beds"' in (PACKAGE / "handlers/__init__.py").read_text()
    assert BEDS.read_text().count('"depth": depth') == 1
    assert copy in path.read_text()


def test_marks_of_conflicts_are_where_they_are_said_to_be():
    edit(BEDS, '@tool("listRows")', "@tool(ROWS)")
    edit(BEDS, "@tool(", 'ROWS = "listRows"\n\n\n@tool(')
    edit(BEDS, '"""List beds', '"""Mine')
    edit(BEDS, '"""List rows', '"""Mine')
    changed = {name: operation(f"list{name.title()}", "beds", "size") for name in ("beds", "rows")}
    for each in changed.values():
        each["get"]["summary"] = "Show"
    write(**changed)
    done = run("update", "server", "--conflicts", "markers")
    lines = BEDS.read_text().splitlines()
    first, second = (i + 1 for i, line in enumerate(lines) if line == "<<<<<<< yours")
    assert [lines[first], lines[second]] == [f'    """Mine: GET /{x}."""' for x in ("beds", "rows")]
    assert [lines[first + 1], lines[second + 1]] == ["======="] * 2
    assert f"{BEDS}:{first}: tool listBeds: docstring" in done.output
    assert f"{BEDS}:{second}: tool listRows: docstring" in done.output
    done = run("check", "server")
    assert f"--> {BEDS}:{first}:1" in done.output
    assert "Choose between the two sides" in done.output


def test_edits_stay_with_method_and_path_when_names_are_given_on():
    edit(BEDS, "    return await", MINE)
    write(
        beds=operation("listBedsV1", "beds", "size"),
        rows=operation("listBeds", "beds", "size"),
        more=operation("listRows", "beds"),
    )
    update()
    functions = {
        node.name: ast.get_source_segment(BEDS.read_text(), node) or ""
        for node in ast.parse(BEDS.read_text()).body
        if isinstance(node, ast.AsyncFunctionDef)
    }
    (mine,) = (text for text in functions.values() if "# Mine." in text)
    assert '"/beds"' in mine
    assert "list_beds_v1" in mine


@pytest.mark.parametrize("name", ["listBeds", "showBeds"])
def test_a_handler_that_was_moved_to_a_module_of_a_persons_own_is_told(name):
    head = BEDS.read_text().partition("@tool")[0]
    moved = cut(BEDS, "list_beds").replace("    return await", MINE)
    mine = BEDS.with_name("mine.py")
    mine.write_text(f"{head}{moved}")
    edit(BEDS, "from .._runtime", "from .mine import list_beds\nfrom .._runtime")
    write(beds=operation(name, "beds", "size"))
    told = f"{mine.relative_to('server')}: no handler in this file is called: beds.py has the"
    assert told in update()
    assert told not in update()
    assert MINE in mine.read_text()


def test_a_file_of_handlers_that_is_gone_is_told():
    edit(BEDS, "    return await", MINE)
    mine = BEDS.rename(BEDS.with_name("mine.py"))
    mine.with_name("other.py").write_text("# listBeds\n")
    done = update()
    assert f"{BEDS.relative_to('server')}: was missing, and is" in done
    told = f"{mine.relative_to('server')}: no handler in this file is called: rename it to beds.py"
    assert told in done
    assert "other.py" not in done
    mine.rename(BEDS)
    assert "no handler" not in update()
    assert MINE in BEDS.read_text()


def test_a_module_that_became_a_package_is_not_written_beside_it():
    """Python imports the package: what the document says from then on would never be served."""
    edit(BEDS, "    return await", MINE)
    package = BEDS.with_suffix("")
    package.mkdir()
    BEDS.rename(package / "__init__.py")
    write(beds=operation("listBeds", "beds", "size", "depth"))
    done = run("update", "server")
    assert done.exit_code == 1
    assert "Python imports garden_mcp/handlers/beds/__init__.py instead" in done.output
    assert not BEDS.exists()
    moved = package.rename(package.with_name("of_beds")) / "__init__.py"
    moved.write_text(moved.read_text().replace("from ..", "from ..."))
    assert "was missing, and is written again" in update()


def test_hooks_that_became_a_package_are_the_users_still():
    hooks = PACKAGE / "hooks.py"
    hooks.with_suffix("").mkdir()
    hooks.rename(hooks.with_suffix("") / "__init__.py")
    write(beds=operation("listBeds", "beds", "size", "depth"))
    update()
    assert not hooks.exists()
