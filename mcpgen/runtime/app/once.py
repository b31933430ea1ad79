"""The command line's one-off commands: `--call TOOL`, `--list`, and `--mock` for the API."""

from __future__ import annotations

import json
import sys
from base64 import b64decode
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import httpx2

from ..calls.catalogue import read_json
from ..values.display import visible
from ..values.errors import DRY_RUN
from ..values.jsontext import NotJson, parse
from .logs import print_lines

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolResult, ElicitResult, Tool


def call(server: Server[Any], tool: str, arguments: str) -> int:
    """Call a tool with arguments given as a JSON object, and print its result.

    Returns the exit code: 0, also for a dry run; 1 if the tool answers with an error or does not
    exist; 2 if the arguments are not a JSON object.
    """
    try:
        value = parse(arguments).value
        problem = "" if isinstance(value, dict) else "is not one"
    except NotJson as refusal:
        problem = str(refusal)
    if problem:
        print(f"--arguments must be a JSON object, and {arguments!r} {problem}", file=sys.stderr)
        return 2
    import anyio

    result = anyio.run(_call, server, tool, value)
    if isinstance(result, str):
        print(result, file=sys.stderr)
        return 1
    blocks = (block.model_dump(mode="json", by_alias=True) for block in result.content)
    is_failed = result.is_error and not (result.meta or {}).get(DRY_RUN)
    return print_lines(map(_render, blocks)) or int(bool(is_failed))


async def _call(server: Server[Any], tool: str, arguments: dict[str, Any]) -> CallToolResult | str:
    from mcp.client import Client
    from mcp.shared.exceptions import MCPError

    tasks: Any = server.get_request_handler("tasks/get")
    if tasks is not None:
        tasks.handler.__self__.start = False
    calls: Any = server.get_request_handler("tools/call")
    as_called = getattr(getattr(calls.handler, "__self__", None), "as_called", None)
    if as_called is not None:
        tool, arguments = as_called(tool, arguments)
    asked: Any = _asked if sys.stdin.isatty() else None
    async with Client(server, elicitation_callback=asked) as client:
        try:
            return await client.call_tool(tool, arguments)
        except MCPError as problem:
            text = problem.error.message
            unknown = text.startswith("Unknown tool")
            return f"{text.rstrip('.')}; --list prints the tools" if unknown else text


async def _asked(_: Any, question: Any) -> ElicitResult:
    """Ask the user at the terminal.

    The end of input means a refusal. A question without fields is accepted only by `y`, `Y` or
    `yes`.
    """
    import anyio
    from mcp_types import ElicitResult

    async def answer(prompt: str) -> str:
        print(visible(prompt), end=" ", file=sys.stderr, flush=True)
        line: str = await anyio.to_thread.run_sync(sys.stdin.readline)
        if not line:
            raise EOFError
        return line.strip()

    schema = getattr(question, "requested_schema", {})
    fields = schema.get("properties", {})
    content: dict[str, Any] = {}
    try:
        if not fields:
            about = f"{question.message} {getattr(question, 'url', '')}".strip()
            agreed = await answer(f"{about} [y/N]") in ("y", "Y", "yes")
            return ElicitResult(action="accept" if agreed else "decline")
        print(visible(question.message), file=sys.stderr)
        for name, field in fields.items():
            if text := await answer(f"{name}:"):
                content[name] = text if field.get("type") == "string" else _value(text)
    except EOFError:
        return ElicitResult(action="decline")
    return ElicitResult(action="accept", content=content)


def _value(text: str) -> Any:
    """The JSON value of a text, or the text itself if it is not JSON."""
    try:
        return parse(text).value
    except NotJson:
        return text


def tools_of(server: Server[Any]) -> list[dict[str, Any]]:
    """The tools as a client sees them, after hooks have added, removed or hidden tools."""
    import anyio
    from mcp.client import Client

    async def fetch() -> list[Tool]:
        async with Client(server) as client:
            page = await client.list_tools()
            tools = list(page.tools)
            while page.next_cursor is not None:
                page = await client.list_tools(cursor=page.next_cursor)
                tools += page.tools
            return tools

    return [tool.model_dump(mode="json", by_alias=True) for tool in anyio.run(fetch)]


def _render(block: dict[str, Any]) -> str:
    """A content block for a terminal: its text (complete JSON is indented), or its kind."""
    block |= block.get("resource", {})
    text = block.get("text")
    if text is None:
        size = block.get("size") or len(block.get("data") or block.get("blob") or "") * 3 // 4
        what = block.get("uri") or block["type"]
        return f"[{what}: {block.get('mimeType') or 'no media type'}, about {size:,} bytes]"
    with suppress(NotJson):
        parsed = parse(text)
        if not parsed.losses:
            text = json.dumps(parsed.value, indent=2, ensure_ascii=False)
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in str(text))


class MockTransport(httpx2.AsyncBaseTransport):
    """Answers each request with the mock answer of the tool, resource or prompt that sent it."""

    is_mock = True
    """Tells the client to ask for no credential."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def _answers(self) -> dict[str, dict[str, Any]]:
        return read_json(self._package, "mock.json")

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The mock answer for the tool, resource or prompt that sent a request; else status 204."""
        answer = self._answers.get(request.extensions.get("mcp_tool", ""), {"status": 204})
        headers = {}
        if answer.get("content_type"):
            headers["Content-Type"] = answer["content_type"]
        return httpx2.Response(answer.get("status", 200), headers=headers, content=_body(answer))


def _body(answer: dict[str, Any]) -> bytes:
    if "json" in answer:
        return json.dumps(answer["json"], ensure_ascii=False).encode()
    if "text" in answer:
        return str(answer["text"]).encode()
    return b64decode(answer.get("base64", ""))
