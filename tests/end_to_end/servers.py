"""Generating a server through the public command line, starting it and calling its tools."""

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import pytest
import runtime_package
import yaml
from command_line import run
from mcp import Client
from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    TextContent,
    Tool,
)
from prepared import python
from runtime.issuer import RESOURCE, Issuer
from runtime.serving import in_thread
from written_documents import write

from .upstream import Answer, Seen, Upstream

DOCUMENTS = Path(__file__).parent / "documents"
SPECS = Path(__file__).parents[2] / "specs"
PACKAGE = ("--runtime", "package")
"""Where no file of the runtime is in the server, it is imported once for all of them."""


@dataclass(frozen=True)
class Call:
    """A tool call: what the client got, and what the API saw."""

    result: CallToolResult
    requests: tuple[Seen, ...]

    @property
    def request(self) -> Seen:
        """The one request that a call that went well makes."""
        assert not self.result.is_error, self.text
        assert len(self.requests) == 1, self.requests
        return self.requests[0]

    @property
    def refused(self) -> str:
        """The text of a call that was refused before anything was sent."""
        assert self.result.is_error
        assert not self.requests, self.requests
        return self.text

    @property
    def failed(self) -> str:
        """The text of a call that the API failed."""
        assert self.result.is_error
        assert self.requests
        return self.text

    @property
    def data(self) -> Any:
        """structuredContent without headers, which its first text says too."""
        assert not self.result.is_error, self.text
        data = self.result.structured_content
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key != "_headers"}
        first = self.result.content[0]
        assert isinstance(first, TextContent)
        spoken = json.loads(first.text)
        assert spoken == data or {"result": spoken} == data
        return data

    @property
    def texts(self) -> list[str]:
        """The text blocks."""
        return [block.text for block in self.result.content if isinstance(block, TextContent)]

    @property
    def text(self) -> str:
        """All text."""
        return "\n".join(self.texts)

    def block(self, kind: type[ImageContent] | type[AudioContent] | type[EmbeddedResource]) -> Any:
        """The only block of this kind."""
        assert not self.result.is_error, self.text
        (found,) = [block for block in self.result.content if isinstance(block, kind)]
        return found


@dataclass
class Server:
    """A generated server in its folder, imported into this process."""

    folder: Path
    package: str
    upstream: Upstream
    summary: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def module(self, name: str) -> Any:
        """A module of the package, or of the runtime that it depends on."""
        folder, _, rest = name.partition(".")
        if folder == "_runtime" and rest and not self.is_vendored:
            return importlib.import_module(f"mcpgen_runtime.{rest}")
        package = sys.modules.get(self.package)
        if package is None or _folder_of(package) != self.folder:
            _put_aside(self.package)
            sys.modules.update(_ASIDE.pop(self.folder, {}))
            sys.path.insert(0, str(self.folder))
            importlib.invalidate_caches()
        return importlib.import_module(f"{self.package}.{name}")

    @cached_property
    def is_vendored(self) -> bool:
        """Whether the runtime is copied into it."""
        return (self.folder / self.package / "_runtime/values").exists()

    @cached_property
    def api(self) -> Any:
        """The generated description of the API."""
        return self.module("api").API

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """What a client lists, by name, in order."""
        return {tool.name: tool for tool in self._run(_list)}

    def arguments(self, tool: str) -> dict[str, Any]:
        """The properties of a tool's inputSchema."""
        properties: dict[str, Any] = self.tools[tool].input_schema["properties"]
        return properties

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        answer: Answer | None = None,
        **settings: Any,
    ) -> Call:
        """Call a tool through an MCP client in memory; the request goes over a real socket."""
        self.upstream.answer = answer or Answer()
        self.upstream.seen = []

        async def use(client: Client) -> CallToolResult:
            return await client.call_tool(tool, dict(arguments or {}))

        result = self._run(use, **settings)
        return Call(result, tuple(self.upstream.seen))

    def _run(self, use: Callable[[Client], Any], transport: Any = None, **settings: Any) -> Any:
        settings = {"base_url": self.upstream.url, "timeout": 10.0} | settings
        mode = settings.pop("mode", "auto")
        made = self.module("server").APP.parts.kind(**settings)

        async def main() -> Any:
            server = self.module("server").create_server(made, transport=transport)
            async with Client(server, read_timeout_seconds=20, mode=mode) as client:
                return await use(client)

        return anyio.run(main)

    def over_http(self, env: Mapping[str, str]) -> AbstractContextManager[str]:
        """This server in a process of its own; the value is its URL."""
        return over_http(python("-m", self.package), self.folder, env)

    @contextmanager
    def serving(self, **settings: Any) -> Iterator[str]:
        """This server over HTTP, in a thread of this process; the value is where it is."""
        kind = self.module("server").APP.parts.kind
        app = self.module("server").create_app(kind(**{"base_url": self.upstream.url} | settings))
        with in_thread(app) as base:
            yield base

    @contextmanager
    def behind(self, issuer: Issuer, **settings: Any) -> Iterator[str]:
        """The same for callers with tokens of an issuer, which runs as long."""
        with in_thread(issuer.app) as issuer.url:
            who = {"http_issuer": issuer.url, "http_resource": RESOURCE}
            with self.serving(**who, **settings) as base:
                yield base

    def use(self, use: Callable[[Client], Any], transport: Any = None, **settings: Any) -> Any:
        """Run a coroutine function with a client of this server."""
        return self._run(use, transport, **settings)


async def _list(client: Client) -> list[Tool]:
    return list((await client.list_tools()).tools)


def generate(
    document: Path,
    folder: Path,
    upstream: Upstream,
    *options: str,
    command: str = "from-openapi",
) -> Server:
    """Generate a server with `mcpgen from-openapi` and make its package importable."""
    arguments = [command, str(document), "-o", str(folder), "--json", *options]
    done = run(*arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return imported(folder, upstream, json.loads(done.stdout))


def read(name: str) -> Any:
    """A document, a tool file or cases of `documents/`."""
    found: Any = yaml.safe_load((DOCUMENTS / f"{name}.yaml").read_text("utf-8"))
    return found


def openapi(title: str, paths: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A document."""
    info = {"title": title, "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, **more}


def generate_from(
    document: Mapping[str, Any] | str,
    folder: Path,
    upstream: Upstream,
    *options: str,
    settings: str = "",
) -> Server:
    """The server of a document or a tool file, or of its name; `settings` are its mcpgen.toml."""
    document = read(document) if isinstance(document, str) else document
    source = write(folder / "document.json", document)
    if settings:
        write(folder / "server/mcpgen.toml", settings)
    command = "from-schema" if "tools" in document else "from-openapi"
    return generate(source, folder / "server", upstream, *options, command=command)


def packaged(
    document: Mapping[str, Any] | str,
    folder: Path,
    upstream: Upstream,
    *options: str,
    settings: str = "",
) -> Server:
    """The same, but it depends on the runtime as a package."""
    return generate_from(document, folder, upstream, *PACKAGE, *options, settings=settings)


def of_document(document: Mapping[str, Any] | str, *options: str, settings: str = "") -> Any:
    """A fixture: the packaged server of a document or a tool file, made once for a module."""

    @pytest.fixture(scope="module")
    def made(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
        folder = tmp_path_factory.mktemp("made")
        return packaged(document, folder, upstream, *options, settings=settings)

    return made


def of_spec(name: str) -> Any:
    """A fixture: the server of a document in `specs/`."""

    @pytest.fixture(scope="module")
    def made(generated: Callable[[str], Server]) -> Server:
        return generated(name)

    return made


_ASIDE: dict[Path, dict[str, ModuleType]] = {}
"""The modules of packages whose name another server has at the moment, by folder."""


def _folder_of(package: ModuleType) -> Path:
    return Path(str(package.__file__)).parents[1]


def _put_aside(package: str) -> None:
    names = [name for name in sys.modules if name.partition(".")[0] == package]
    modules = {name: sys.modules.pop(name) for name in names}
    if package in modules:
        _ASIDE[_folder_of(modules[package])] = modules


def imported(folder: Path, upstream: Upstream, summary: Mapping[str, Any] | None = None) -> Server:
    """The server that is in the folder, whose package can be imported from now on.

    What was imported from this folder before is forgotten. A package of the same name in another
    folder is put aside until its server is asked for a module again.
    """
    folder = folder.absolute()
    (package,) = [path.parent.name for path in folder.glob("*/server.py")]
    _put_aside(package)
    _ASIDE.pop(folder, None)
    sys.path.insert(0, str(folder))
    server = Server(folder, package, upstream, summary or {})
    if not server.is_vendored and not find_spec("mcpgen_runtime"):
        sys.path.append(runtime_package.folder())
    importlib.invalidate_caches()
    return server


@contextmanager
def over_http(command: list[str], folder: Path, env: Mapping[str, str]) -> Iterator[str]:
    """The server's own process; the value is its URL."""
    with subprocess.Popen(
        [*command, "--http", "127.0.0.1:0"],
        cwd=folder,
        env=dict(env),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://\S+", process.stderr.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()
