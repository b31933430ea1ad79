"""A generated package as a server in this process, and what its API sees."""

import json
import logging
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult

import mcpgen.runtime

BASE = "https://api.fuzz.example/base"


class Hosted:
    """A package's tools, called through an MCP client in memory."""

    def __init__(self, server: ModuleType, files: Mapping[str, str | bytes], package: str) -> None:
        self._server = server
        self.tools: list[dict[str, Any]] = json.loads(files[f"{package}/tools.json"])["tools"]
        tested = json.loads(files["tests/cases.json"])
        self.cases: list[dict[str, Any]] = tested["cases"]
        self.environment: dict[str, str] = tested["environment"]
        self.requests: list[httpx2.Request] = []
        self.logged: list[str] = []

    def use(self, use: Callable[[Client], Awaitable[None]]) -> None:
        """Run a coroutine function with a client of this server."""
        settings = mcpgen.runtime.Settings(base_url=BASE, retries=0)
        transport = httpx2.MockTransport(self._answer)

        async def main() -> AssertionError | None:
            made = self._server.create_server(settings, transport=transport)
            async with Client(made, read_timeout_seconds=60) as client:
                try:
                    await use(client)
                except AssertionError as wrong:
                    return wrong
            return None

        handler = _Failures(self.logged)
        logger = logging.getLogger("mcpgen.runtime")
        logger.addHandler(handler)
        try:
            wrong = anyio.run(main)
        finally:
            logger.removeHandler(handler)
        if wrong is not None:
            raise wrong

    async def call(
        self, client: Client, tool: str, arguments: Mapping[str, Any]
    ) -> CallToolResult | MCPError:
        """The answer of a call: a result, or a refusal by the protocol."""
        self.requests.clear()
        self.logged.clear()
        try:
            result = await client.call_tool(tool, dict(arguments))
        except MCPError as refused:
            return refused
        assert isinstance(result, CallToolResult)
        return result

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(200, json={})


class _Failures(logging.Handler):
    """Keeps what went wrong inside the server, which an agent is told nothing about."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(logging.Formatter().format(record))


@contextmanager
def hosted(files: Mapping[str, str | bytes], package: str) -> Iterator[Hosted]:
    """The package imported, every module of it, and its credentials set.

    Its runtime is mcpgen's own: the same bytes.
    """
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            if path.startswith(f"{package}/") and not path.startswith(f"{package}/_runtime/"):
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text if isinstance(text, bytes) else text.encode())
        sys.path.insert(0, folder)
        _share_runtime(files, package)
        try:
            invalidate_caches()
            for path in sorted(Path(folder, package).rglob("*.py")):
                name = ".".join(path.relative_to(folder).with_suffix("").parts)
                if not name.endswith("__main__"):
                    import_module(name.removesuffix(".__init__"))
            server = Hosted(sys.modules[f"{package}.server"], files, package)
            with pytest.MonkeyPatch.context() as patch:
                for variable, credential in server.environment.items():
                    patch.setenv(variable, credential)
                yield server
        finally:
            sys.path.remove(folder)
            for name in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
                del sys.modules[name]


def _share_runtime(files: Mapping[str, str | bytes], package: str) -> None:
    """Have the package import each module of mcpgen's own runtime once: classes are compared."""
    for path in files:
        if path.startswith(f"{package}/_runtime/") and path.endswith(".py"):
            parts = Path(path).with_suffix("").parts[2:]
            name = "".join(f".{part}" for part in parts if part != "__init__")
            sys.modules[f"{package}._runtime{name}"] = import_module(f"mcpgen.runtime{name}")
