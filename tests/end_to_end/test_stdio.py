"""A generated server as a person runs it: `python -m PACKAGE` over stdio."""

import json
import os
import subprocess

import anyio
from mcp import Client, StdioServerParameters
from prepared import python
from runtime.serving import INITIALIZE
from tables import table

from .servers import Server, of_spec
from .upstream import Answer

shop = of_spec("bookshop.yaml")


def test_a_session(shop):
    book = {"id": 17, "title": "Zoë's Road", "price": 850, "condition": "used", "subtitle": None}
    shop.upstream.answer = Answer.of(book)
    shop.upstream.seen = []
    names = list(shop.tools)

    async def use(client):
        assert [tool.name for tool in (await client.list_tools()).tools] == names
        found = await client.call_tool("getBook", {"book_id": 17})
        assert found.structured_content == book
        changed = await client.call_tool("updateBook", {"book_id": 17, "subtitle": "é"})
        assert not changed.is_error
        wrong = await client.call_tool("getBook", {"book_id": "x"})
        assert wrong.is_error

    async def main():
        async with Client(process, read_timeout_seconds=20) as client:
            await use(client)

    key = {shop.api.security_schemes["shop_key"].env: "k1"}
    command, *rest = python("-m", shop.package, "--base-url", f"{shop.upstream.url}/v1")
    process = StdioServerParameters(command=command, args=rest, cwd=shop.folder, env=key)
    anyio.run(main)
    first, second = shop.upstream.seen
    assert (first.method, first.target) == ("GET", "/v1/books/17")
    assert first.header("X-Shop-Key") == "k1"
    assert (second.method, second.target) == ("PATCH", "/v1/books/17")
    assert second.json == {"subtitle": "é"}


def call(server: Server, *arguments: str) -> int:
    """The exit code of `--mock --call`, as a server's command line has it."""
    try:
        return int(server.module("server").APP.main(["--mock", "--call", *arguments]))
    except SystemExit as end:
        return int(str(end.code))


def test_one_call_from_the_command_line_without_any_api(shop, capsys):
    assert call(shop, "getAuthor", "--arguments", '{"author_id": 4}') == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"id": 4, "name": "Ada Winter", "born": "1961-03-09"}
    assert said.err == ""
    assert call(shop, "getCover", "--arguments", '{"book_id": 4}') == 0
    assert capsys.readouterr().out.startswith("[image: image/png, about ")


@table(
    "arguments, code, said",
    (("getAuthor",), 1, "`author_id` is required"),
    (("getAuthor", "--arguments", "[4]"), 2, "must be a JSON object, and '[4]' is not one"),
    (("getAuthor", "--arguments", "{4"), 2, "must be a JSON object, and '{4' is not well-formed"),
    (("getAuthor", "--arguments", '{"author_id": NaN}'), 2, "holds NaN, which is not JSON"),
    (("getAuthor", "--arguments", '{"author_id": 1e400}'), 2, "beyond the range of floating"),
    (("nobody",), 1, "Unknown tool: nobody; --list prints the tools"),
    (("getAuthor", "--argument", "{}"), 2, "usage: bookshop-mcp"),
)
def test_a_call_that_cannot_be_made(shop, capsys, arguments, code, said):
    assert call(shop, *arguments) == code
    assert said in "".join(capsys.readouterr())


def test_nothing_but_protocol_on_stdout(shop):
    messages = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    done = subprocess.run(
        python("-m", shop.package),
        cwd=shop.folder,
        env={"PATH": os.environ["PATH"]},
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer["id"] for answer in answers} == {0, 2}
    (listed,) = [answer["result"] for answer in answers if answer["id"] == 2]
    assert [tool["name"] for tool in listed["tools"]] == list(shop.tools)
    assert done.returncode == 0
