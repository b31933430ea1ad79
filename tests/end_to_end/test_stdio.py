"""A generated server as a person runs it: `python -m PACKAGE` over stdio."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from prepared import python
from runtime.serving import INITIALIZE

from .servers import Server
from .upstream import Answer


@pytest.fixture(scope="module")
def shop(generated: Callable[[str], Server]) -> Server:
    return generated("bookshop.yaml")


def run(
    server: Server, use: Callable[[Client], Any], *arguments: str, env: Mapping[str, str]
) -> Any:
    """Run a coroutine function with a client of the server's own process."""
    command, *rest = python("-m", server.package, *arguments)
    process = StdioServerParameters(
        command=command,
        args=rest,
        cwd=server.folder,
        env=dict(env),
    )

    async def main() -> Any:
        async with Client(process, read_timeout_seconds=20) as client:
            return await use(client)

    return anyio.run(main)


def test_a_session(shop: Server) -> None:
    book = {"id": 17, "title": "Zoë's Road", "price": 850, "condition": "used", "subtitle": None}
    shop.upstream.answer = Answer.of(book)
    shop.upstream.seen = []
    names = list(shop.tools)

    async def use(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == names
        found = await client.call_tool("getBook", {"book_id": 17})
        assert found.structured_content == book
        changed = await client.call_tool("updateBook", {"book_id": 17, "subtitle": "é"})
        assert not changed.is_error
        wrong = await client.call_tool("getBook", {"book_id": "x"})
        assert wrong.is_error

    key = {shop.api.security_schemes["shop_key"].env: "k1"}
    run(shop, use, "--base-url", f"{shop.upstream.url}/v1", env=key)
    first, second = shop.upstream.seen
    assert (first.method, first.target) == ("GET", "/v1/books/17")
    assert first.header("X-Shop-Key") == "k1"
    assert (second.method, second.target) == ("PATCH", "/v1/books/17")
    assert second.json == {"subtitle": "é"}


def test_a_first_call_without_any_api(shop: Server) -> None:
    async def use(client: Client) -> Any:
        return (await client.call_tool("getAuthor", {"author_id": 4})).structured_content

    found = run(shop, use, "--mock", env={})
    assert found == {"id": 4, "name": "Ada Winter", "born": "1961-03-09"}


def test_the_list_of_tools(shop: Server) -> None:
    done = subprocess.run(
        [sys.executable, "-m", shop.package, "--list"],
        cwd=shop.folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    for tool in shop.tools:
        assert tool in done.stdout
    assert done.stderr == ""


def call(server: Server, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        python("-m", server.package, "--mock", "--call", *arguments),
        cwd=server.folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=30,
    )


def test_one_call_from_the_command_line(shop: Server) -> None:
    done = call(shop, "getAuthor", "--arguments", '{"author_id": 4}')
    assert json.loads(done.stdout)["name"] == "Ada Winter"
    assert (done.returncode, done.stderr) == (0, "")
    image = call(shop, "getCover", "--arguments", '{"book_id": 4}')
    assert image.stdout.startswith("[image: image/png, about ")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("getAuthor",), 1, "`author_id` is required"),
        (("getAuthor", "--arguments", "[4]"), 2, "must be a JSON object, and '[4]' is none"),
        (
            ("getAuthor", "--arguments", "{4"),
            2,
            "must be a JSON object, and '{4' is not well-formed",
        ),
        (("getAuthor", "--arguments", '{"author_id": NaN}'), 2, "holds NaN, which is not JSON"),
        (("getAuthor", "--arguments", '{"author_id": 1e400}'), 2, "beyond the range of floating"),
        (("nobody",), 1, "Unknown tool: nobody; --list prints the tools"),
        (("getAuthor", "--argument", "{}"), 2, "usage: bookshop-mcp"),
    ],
)
def test_a_call_that_cannot_be_made(
    shop: Server, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = call(shop, *arguments)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_but_protocol_on_stdout(shop: Server) -> None:
    messages: list[dict[str, Any]] = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", shop.package],
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
