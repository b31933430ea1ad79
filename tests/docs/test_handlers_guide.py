"""docs/handlers.md and docs/hooks.md, followed to the letter."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run
from ruff import find_ruff_bin
from typed import assert_typed

ROOT = Path(__file__).parents[2]
BOOKS = Path("bookshop_mcp", "handlers", "books.py")
ORDERS = BOOKS.with_name("orders.py")
BLOCK = r"```(?:python|toml)\n(.*?)```"


def blocks() -> dict[str, list[str]]:
    """The Python of the page by the heading above it."""
    texts = [(ROOT / "docs" / f"{name}.md").read_text() for name in ("handlers", "hooks")]
    parts = (part.partition("\n") for text in texts for part in text.split("\n## "))
    return {head: re.findall(BLOCK, body, re.DOTALL) for head, _, body in parts}


def put(path: Path, pattern: str, new: str) -> None:
    """Replace the one place that a pattern finds."""
    text, count = re.subn(pattern, lambda _: new, path.read_text(), flags=re.DOTALL | re.MULTILINE)
    assert count == 1, pattern
    path.write_text(text)


@pytest.fixture
def bookshop(tmp_path: Path) -> Path:
    """The bookshop's server."""
    folder = tmp_path / "server"
    done = run("from-openapi", str(ROOT / "specs" / "bookshop.yaml"), "-o", str(folder))
    assert done.exit_code == 0, done.output
    return folder


def test_the_page_is_right(bookshop):
    shown = blocks()
    folder, books = bookshop, bookshop / BOOKS
    put(books, r'^@tool\("getBook"\).*?\n\n\n', shown["A handler"][0] + "\n\n")
    put(books, r"Response, Unset", "Response, ToolError, Unset")
    put(books, r"^from typing", "from dataclasses import replace\nfrom typing")
    (folder / "bookshop_mcp" / "hooks.py").write_text(
        "".join(shown["# Hooks: what sees every request"])
    )
    conftest, own = shown["The tests"]
    headers, tools = conftest.split("\n\n")
    put(folder / "tests" / "conftest.py", r"^OWN_HEADERS = .*?\)$", headers)
    put(folder / "tests" / "conftest.py", r"^OWN_TOOLS.*?$", tools.strip())
    (folder / "tests" / "test_worn_books.py").write_text(own)
    tested = generated_tests.run(folder, "-k", "Book or worn or server")
    assert tested.returncode == 0, tested.stdout
    command = [find_ruff_bin(), "check", "-q", "--no-cache", "."]
    clean = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert clean.returncode == 0, clean.stdout
    assert_typed(folder, ".")
    for command, code in (("check", 0), ("update", 0)):
        done = run(command, str(folder))
        assert done.exit_code == code, done.output
    assert "another copy" in books.read_text()


def test_two_calls_in_one_tool_and_an_argument_of_ones_own(bookshop):
    handler, table = blocks()["Two calls in one tool"]
    orders, settings = bookshop / ORDERS, bookshop / "mcpgen.toml"
    put(orders, r'^@tool\("getOrder"\).*', handler)
    put(orders, r"^from typing import TYPE_CHECKING$", "from typing import TYPE_CHECKING, Any")
    put(orders, r"\n\nif TYPE_CHECKING", "\nfrom .books import get_book\n\nif TYPE_CHECKING")
    assert "no agent can give `titles`" in run("check", str(bookshop)).output
    settings.write_text(f"{settings.read_text()}\n{table}")
    for command, code in (("update", 0), ("check", 0)):
        done = run(command, str(bookshop))
        assert (done.exit_code, "broken" in done.output) == (code, False), done.output
    put(
        bookshop / "tests/conftest.py",
        r"^OWN_TOOLS.*?$",
        'OWN_TOOLS: tuple[str, ...] = ("getOrder",)',
    )
    tested = generated_tests.run(bookshop, "-k", "Order or server")
    assert tested.returncode == 0, tested.stdout
    assert_typed(bookshop, "bookshop_mcp")
    mocked = run_server(bookshop, "--call", "getOrder", {"order_id": "AB-123456", "titles": True})
    assert len(mocked["titles"]) == len(mocked["lines"])
    put(orders, r'data\["title"\]', 'data["name"]')
    with pytest.raises(AssertionError, match='no key "name"'):
        assert_typed(bookshop, "bookshop_mcp")


def test_a_tool_of_ones_own_calls_a_handler_of_the_document(bookshop):
    book_id = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    tool = {"name": "titleOf", "description": "The title of a book.", "inputSchema": book_id}
    (bookshop / "own-tools.yaml").write_text(json.dumps({"tools": [tool]}))
    with (bookshop / "mcpgen.toml").open("a") as settings:
        settings.write('\n[[with]]\nsource = "own-tools.yaml"\n')
    assert run("update", str(bookshop)).exit_code == 0
    (own,) = (
        p for p in bookshop.glob("bookshop_mcp/handlers/*.py") if "title_of(" in p.read_text()
    )
    put(
        own,
        r"^    raise .*",
        '    return {"title": (await get_book(ctx, book_id=id)).data["title"]}\n',
    )
    put(own, r"\n\n\n@tool", "\nfrom .books import get_book\n\n\n@tool")
    assert run("check", str(bookshop)).exit_code == 0
    assert run_server(bookshop, "--call", "titleOf", {"id": 17}) == {"title": "The Salt Road"}


def run_server(folder: Path, flag: str, tool: str, arguments: dict[str, object]) -> Any:
    """What the server answers with the examples of its document."""
    command = [sys.executable, "-m", "bookshop_mcp", "--mock", flag, tool]
    command += ["--arguments", json.dumps(arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_handler_that_asks_for_ever_fails_its_tests(bookshop):
    """The API that the generated tests play gives the same page again and again."""
    books = bookshop / BOOKS
    put(
        books,
        r'(?<="""List books: GET /books."""\n)    return (await ctx.api.send\(.*?\n    \))\n\n',
        """    found: list[object] = []
    while True:
        page = await ctx.api.send("GET", "/books", query={"cursor": cursor})
        found += page.data["items"]
        if (cursor := page.data.get("next")) is None:
            return replace(page, data={"items": found})

""",
    )
    put(books, r"^from typing", "from dataclasses import replace\nfrom typing")
    tested = generated_tests.run(bookshop, "-k", "test_call and listBooks")
    assert "101 requests, not 1: if intended, add the tool to OWN_TOOLS" in tested.stdout
    conftest = bookshop / "tests" / "conftest.py"
    put(conftest, r"^OWN_TOOLS.*?$", 'OWN_TOOLS: tuple[str, ...] = ("listBooks",)')
    tested = generated_tests.run(bookshop, "-k", "listBooks")
    assert tested.returncode == 0, tested.stdout


def test_a_handler_may_take_the_rest_of_its_arguments_in_one_keyword(bookshop):
    books = bookshop / BOOKS
    put(
        books,
        r'^@tool\("getBook".*?\n\n\n',
        '@tool("getBook", rest="*")\n'
        "async def get_book(ctx: Context, *, rest: dict[str, Any]) -> Response[Book]:\n"
        '    return await ctx.api.send("GET", "/books/{book_id}", path=rest)\n\n\n',
    )
    put(
        books,
        r'^@tool\("listBooks".*?\n\n\n',
        '@tool("listBooks")\n'
        "async def list_books(ctx: Context, **rest: Any) -> Response[Any]:\n"
        '    return await ctx.api.send("GET", "/books", query=rest)\n\n\n',
    )
    tested = generated_tests.run(bookshop, "-k", "test_handler")
    assert tested.returncode == 0, tested.stdout
