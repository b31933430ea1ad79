"""Ten changes of one document in six updates, and the edits of its server kept through all of them.

At the end the server's own tests are green.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import generated_tests
import yaml

from mcpgen import servers
from mcpgen.regeneration.outcome import Policy
from mcpgen.servers import Result

SPEC = Path(__file__).parents[2] / "specs" / "bookshop.yaml"


class Shop:
    """The bookshop's document, its server, and the edits of a person in it."""

    def __init__(self, folder: Path) -> None:
        self.document: dict[str, Any] = yaml.safe_load(SPEC.read_text())
        self.source = folder / "api.yaml"
        self.server = folder / "server"
        self.edits: list[str] = []
        self.pairs = 0
        self.conflicts = 0
        self.write()
        given = {"source": str(self.source), "runtime": "package"}
        made = servers.generate_into(self.server, given, Policy(), servers.silent)
        assert not made.failed, made

    @property
    def paths(self) -> dict[str, Any]:
        paths: dict[str, Any] = self.document["paths"]
        return paths

    def write(self) -> None:
        self.source.write_text(yaml.safe_dump(self.document, sort_keys=False))

    def file(self, module: str) -> Path:
        return self.server / "bookshop_mcp" / "handlers" / f"{module}.py"

    def edit(self, module: str, old: str, new: str, keeps: str) -> None:
        """Replace a text; `keeps` is what must be there from now on."""
        text = self.file(module).read_text()
        assert text.count(old) == 1, (old, text.count(old))
        self.file(module).write_text(text.replace(old, new))
        self.edits.append(keeps)

    def update(self, conflicts: int = 0) -> Result:
        """Update, with every edit kept, and nothing left to do after."""
        self.write()
        result = servers.update(self.server, Policy(), servers.silent)
        assert not result.failed, (result.errors, result.diagnostics)
        assert len(result.report.conflicts) == conflicts, result.report.conflicts
        self.pairs += len(self.edits)
        self.conflicts += conflicts
        texts = "".join(p.read_text() for p in self.file("x").parent.glob("*.py"))
        for kept in self.edits:
            assert kept in texts, kept
        assert servers.check(self.server, servers.silent, whole=True).report.clean
        return result


def notes(result: Result) -> str:
    return "\n".join(map(str, (*result.report.notes, *result.report.kept)))


def test_a_history(tmp_path: Path) -> None:
    shop = Shop(tmp_path)

    # A person makes the server his own.
    shop.edit("books", "from .._runtime", "import logging\n\nfrom .._runtime", "import logging\n")
    shop.edit(
        "books",
        '@tool("listBooks")',
        "log = logging.getLogger(__name__)\n\n\n"
        "def counted(function: Any) -> Any:\n    return function\n\n\n"
        '# The most used one.\n@tool("listBooks")\n@counted',
        "@counted\n",
    )
    shop.edit(
        "books",
        "TYPE_CHECKING, Literal",
        "TYPE_CHECKING, Any, Literal",
        "def counted(function: Any)",
    )
    shop.edit(
        "books",
        '    """List books: GET /books."""\n',
        '    """List books: GET /books."""\n    log.info("listing up to %s", limit)\n',
        'log.info("listing up to %s", limit)',
    )
    shop.edit(
        "books",
        '    """Look a book up: GET /books/{book_id}."""\n    return await ',
        '    """Look a book up: GET /books/{book_id}."""\n'
        "    # Second-hand copies are books of their own.\n    found = await ",
        "# Second-hand copies are books of their own.",
    )
    shop.edit(
        "books",
        '    found = await ctx.api.send("GET", "/books/{book_id}", path={"book_id": book_id})\n',
        '    found = await ctx.api.send("GET", "/books/{book_id}", path={"book_id": book_id})\n'
        '    log.info("found %s", found.status)\n    return found\n',
        "return found",
    )
    shop.edit("books", "async def replace_book(", "async def renew_book(", "def renew_book(")
    shop.edit("authors", '"author_id": author_id', '"author_id": int(author_id)', "int(author_id)")
    shop.edit("orders", '"message": message', '"message": clean(message)', "clean(message)")
    shop.edit(
        "orders",
        '@tool("placeOrder"',
        'def clean(text: Any) -> Any:\n    return text\n\n\n@tool("placeOrder"',
        "def clean(text: Any)",
    )
    shop.edit("orders", "import TYPE_CHECKING", "import TYPE_CHECKING, Any", "TYPE_CHECKING, Any")

    # 1. A new optional parameter: its keyword and its place in the call join the edited handler.
    language = {"name": "language", "in": "query", "schema": {"type": "string"}}
    shop.paths["/books"]["get"]["parameters"].append(language)

    # 2. A type changes: the edited handler's signature follows.
    shop.document["components"]["parameters"]["BookId"]["schema"] = {"type": "string"}
    shop.document["components"]["parameters"]["BookId"]["example"] = "b-17"

    # 3. An operation goes, and nobody had edited its handler: it goes too.
    del shop.paths["/books/{book_id}"]["delete"]
    shop.update()
    text = shop.file("books").read_text()
    assert "language: str | Unset = UNSET" in text
    assert '"language": language' in text
    assert "get_book(ctx: Context, *, book_id: str)" in text
    assert "remove_book" not in text

    # 4. An operation gets another name: the edits go with it.
    shop.paths["/books/{book_id}"]["get"]["operationId"] = "fetchBook"

    # 5. A new operation whose function would have the name of somebody's helper.
    shop.paths["/clean"] = {
        "post": {
            "operationId": "clean",
            "tags": ["orders"],
            "responses": {"204": {"description": "Done."}},
        }
    }

    # 6. A body gets a property that is required; an entry that was edited stays beside it.
    body = shop.paths["/orders"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body["properties"]["gift"] = {"type": "boolean"}
    body["required"].append("gift")
    shop.update()
    text = shop.file("books").read_text()
    assert '@tool("fetchBook")\nasync def fetch_book(' in text
    assert "get_book" not in text
    text = shop.file("orders").read_text()
    assert text.count("def clean(") == 1
    assert "gift: bool," in text
    assert '"gift": gift' in text

    # 7. Another tag: an edited handler stays where it is, one that nobody edited moves.
    shop.paths["/books"]["get"]["tags"] = ["catalogue"]
    shop.paths["/books"]["post"]["tags"] = ["catalogue"]
    shop.update()
    assert "list_books" in shop.file("books").read_text()
    assert "add_book" in shop.file("catalogue").read_text()
    assert "add_book" not in shop.file("books").read_text()

    # 8. A summary changes where somebody had written a docstring: the one conflict.
    shop.edit("orders", "Place an order: POST", "Reserve books, please: POST", "books, please")
    shop.paths["/orders"]["post"]["summary"] = "Order books"
    told = shop.update(conflicts=1)
    (conflict,) = told.report.conflicts
    assert conflict.path == "bookshop_mcp/handlers/orders.py"
    assert "def place_order(" in shop.file("orders").read_text().splitlines()[conflict.line - 1]
    assert '-"""Reserve books, please' in conflict.diff.replace("    ", "")
    assert '+"""Order books' in conflict.diff.replace("    ", "")

    # 9. An operation goes whose handler was edited: it stays, out of the table, and that is told.
    del shop.paths["/authors/{author_id}"]
    told = shop.update()
    assert "tool getAuthor is not generated any more; it was edited and stays" in notes(told)
    table = (shop.server / "bookshop_mcp/handlers/__init__.py").read_text()
    assert "getAuthor" not in table

    # 10. Everything in another order, and a type with another name.
    shop.document["paths"] = dict(reversed(shop.paths.items()))
    text = yaml.safe_dump(shop.document, sort_keys=False).replace(
        "schemas/Book'", "schemas/Volume'"
    )
    shop.document = yaml.safe_load(text)
    schemas = shop.document["components"]["schemas"]
    schemas["Volume"] = schemas.pop("Book")
    shop.update()
    text = shop.file("books").read_text()
    assert "-> Response[Volume]" in text
    assert "import BookPage, ListBooksFilter, Volume" in text.replace("Condition, ", "")
    assert shop.conflicts / shop.pairs <= 0.02
    done = generated_tests.run(shop.server, "-x")
    assert done.returncode == 0, done.stdout[-3000:]
