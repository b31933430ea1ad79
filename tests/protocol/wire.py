"""Messages of each revision, and a generated server that they are sent to as lines or over HTTP."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
from end_to_end.servers import Server
from line_process import LineProcess
from prepared import python

CURRENT = "2026-07-28"
OLDER = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
REVISIONS = (*OLDER, CURRENT)
OF_OLDER = [("stdio", OLDER[0]), ("http", OLDER[1]), ("stdio", OLDER[2]), ("http", OLDER[3])]
"""A transport for each of the older revisions."""
META = "io.modelcontextprotocol/"
NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
}

Message = dict[str, Any]
_IDS = count(100)


def request(
    method: str, params: Mapping[str, Any] | None = None, revision: str = CURRENT, **more: Any
) -> Message:
    """A request as a client of that revision sends it; `more` goes into its `_meta`.

    But `id` is the request's, and `capabilities` are what the client can do.
    """
    number = more.pop("id", None) or next(_IDS)
    own = {
        f"{META}protocolVersion": CURRENT,
        f"{META}clientInfo": {"name": "test", "version": "1"},
        f"{META}clientCapabilities": more.pop("capabilities", {}),
    }
    meta = {f"{META}{key}" if key == "logLevel" else key: value for key, value in more.items()}
    if revision == CURRENT:
        meta |= own
    body = {**(params or {}), **({"_meta": meta} if meta else {})}
    return {"jsonrpc": "2.0", "id": number, "method": method} | ({"params": body} if body else {})


def call(tool: str, revision: str = CURRENT, **more: Any) -> Message:
    """A call of a tool."""
    arguments = more.pop("arguments", {})
    return request("tools/call", {"name": tool, "arguments": arguments}, revision, **more)


def notification(method: str, **params: Any) -> Message:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method} | ({"params": params} if params else {})


def initialize(revision: str, **more: Any) -> Message:
    """The first request of clients before 2026-07-28."""
    params = {
        "protocolVersion": revision,
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    return request("initialize", params, "", **more)


INITIALIZED = notification("notifications/initialized")


def headers(message: Message, session: str | None = None, revision: str = "") -> dict[str, str]:
    """The headers of the HTTP request that carries a message."""
    found = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    params = message.get("params", {})
    version = params.get("_meta", {}).get(f"{META}protocolVersion", revision)
    if version:
        found["MCP-Protocol-Version"] = version
    method = message.get("method")
    if version and version not in OLDER and method and "id" in message:
        found["Mcp-Method"] = method
        if name := NAMED.get(method):
            found["Mcp-Name"] = str(params.get(name, ""))
    return found | ({"Mcp-Session-Id": session} if session else {})


def messages(answer: httpx2.Response) -> list[Message]:
    """What an HTTP answer says, as one JSON object or as a stream."""
    if "event-stream" not in answer.headers.get("content-type", ""):
        return [answer.json()] if answer.content else []
    lines = (line.partition("data:")[2].strip() for line in answer.text.splitlines())
    return [json.loads(line) for line in lines if line]


class Http:
    """A client in raw HTTP requests: one session of an older revision, or none."""

    def __init__(self, base: str, revision: str = CURRENT, **own: str) -> None:
        self.url = f"{base}/mcp"
        self.revision = revision
        self.own = own
        self.session: str | None = None
        if revision != CURRENT:
            answer = self.post(initialize(revision))
            self.opened = messages(answer)[-1]
            self.session = answer.headers["mcp-session-id"]
            assert self.post(INITIALIZED).status_code == 202

    def headers(self, message: Message) -> dict[str, str]:
        """The headers of a message of this client."""
        return headers(message, self.session, self.revision) | self.own

    def post(self, message: Message, **more: str) -> httpx2.Response:
        """The HTTP answer to a message."""
        sent = self.headers(message) | {name.replace("_", "-"): text for name, text in more.items()}
        return httpx2.post(self.url, json=message, headers=sent, timeout=20)

    def ask(self, message: Message) -> Message:
        """The last message of the answer."""
        return messages(self.post(message))[-1]

    def all(self, message: Message) -> list[Message]:
        """Every message of the answer."""
        return messages(self.post(message))


class Lines(LineProcess):
    """A client over stdio, line by line; `heard` is whatever came before what was waited for."""

    def __init__(self, server: Server, revision: str = CURRENT, **environ: str) -> None:
        self.revision = revision
        self.heard: list[Message] = []
        prefix = server.api.env_prefix
        process = subprocess.Popen(
            python("-m", server.package),
            cwd=server.folder,
            env={**os.environ, f"{prefix}_BASE_URL": server.upstream.url, **environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        super().__init__(process)
        if revision != CURRENT:
            self.opened = self.ask(initialize(revision))
            self.say(INITIALIZED)

    def hear(self) -> Message:
        """The next line, which is among those `heard`."""
        self.heard.append(super().hear())
        return self.heard[-1]

    def answer(self, message: Message) -> Message:
        """Wait for the answer to a request that was sent."""
        while (found := self.hear()).get("id") != message["id"]:
            pass
        return found

    def ask(self, message: Message) -> Message:
        """Send a request and wait for its answer."""
        self.say(message)
        return self.answer(message)

    def all(self, message: Message) -> list[Message]:
        """Every message up to the answer to a request."""
        start = len(self.heard)
        self.ask(message)
        return self.heard[start:]

    def end(self) -> list[Message]:
        """Close stdin and read to the end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        rest = [json.loads(line) for line in self.process.stdout.read().splitlines()]
        assert self.process.wait(20) == 0
        self.heard += rest
        return rest


@contextmanager
def lines(server: Server, revision: str = CURRENT, **environ: str) -> Iterator[Lines]:
    """A client over stdio, whose server is gone when the block ends."""
    client = Lines(server, revision, **environ)
    try:
        yield client
    finally:
        client.kill()


def filled(server: Server, folder: Path) -> Server:
    """A server with the functions that a person wrote into it."""
    package = server.folder / server.package
    for path in folder.glob("*.py"):
        home = package / "handlers" if (package / "handlers" / path.name).exists() else package
        (home / path.name).write_bytes(path.read_bytes())
    return server
