"""What faults are seeded into: a generated server, its handlers, and edits of their text."""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen.bundled.contents import RUNTIME


@dataclass(frozen=True)
class Fault:
    """One faulty file of a server."""

    kind: str
    where: str
    """What was changed, for the list of survivors."""
    path: str
    """The file, relative to the server's folder."""
    text: str
    tool: str | None = None
    """The only tool that is affected; None: any may be."""


Edit = tuple[ast.AST | tuple[int, int], str]


class Source:
    """A module's text, and edits of it by syntax node."""

    def __init__(self, path: Path) -> None:
        self.bytes = path.read_bytes()
        self.tree = ast.parse(self.bytes)
        lines = self.bytes.splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: Any) -> tuple[int, int]:
        """Where a node begins and ends, in bytes."""
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.bytes[start:end].decode()

    def edited(self, *edits: Edit) -> str:
        """The module with some nodes replaced."""
        spans = [(at if isinstance(at, tuple) else self.span(at), new) for at, new in edits]
        result = self.bytes
        for (start, end), new in sorted(spans, reverse=True):
            result = result[:start] + new.encode() + result[end:]
        text = result.decode()
        compile(text, "<fault>", "exec")
        return text


@dataclass(frozen=True)
class Server:
    """What the faults need to know of a server."""

    root: Path
    package: str
    tools: Mapping[str, Mapping[str, Any]]
    schemes: tuple[str, ...]
    security: Any
    servers: str
    """The text of the API's own servers."""

    @classmethod
    def read(cls, root: Path) -> Server:
        """Read a generated server's folder."""
        package = next(path.parent.name for path in sorted(root.glob("*/tools.json")))
        listed = json.loads((root / package / "tools.json").read_bytes())["tools"]
        source = Source(root / package / "api.py")
        call = api_call(source)
        schemes = call.get("security_schemes")
        keys = [ast.literal_eval(key) for key in schemes.keys] if schemes is not None else []
        security = ast.literal_eval(call["security"]) if "security" in call else []
        servers = source.text(call["servers"]) if "servers" in call else "[]"
        tools = {tool["name"]: tool for tool in listed}
        return cls(root, package, tools, tuple(keys), security, servers)

    def handlers(self) -> Iterator[tuple[str, Source]]:
        """The handler modules: path relative to the server, and source."""
        for path in sorted((self.root / self.package / "handlers").glob("*.py")):
            if path.name != "__init__.py":
                yield path.relative_to(self.root).as_posix(), Source(path)

    def calls(self) -> Iterator[Handler]:
        """The handlers that call the API."""
        for path, source in self.handlers():
            for node in source.tree.body:
                handler = _handler(self, path, source, node)
                if handler is not None:
                    yield handler


def vendored(root: Path, target: Path) -> Path:
    """A copy of a server that holds the runtime, in whose modules faults are seeded."""
    shutil.copytree(root, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    (package,) = (path.parent for path in target.glob("*/tools.json"))
    if not (package / "_runtime" / "app").is_dir():
        ignored = shutil.ignore_patterns("__pycache__", "*.toml")
        shutil.copytree(RUNTIME, package / "_runtime", ignore=ignored, dirs_exist_ok=True)
    return target


def api_call(source: Source) -> dict[str, Any]:
    """The keywords of the `Api` that `api.py` declares."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Api":
            return {each.arg: each.value for each in node.keywords if each.arg}
    raise ValueError("api.py declares no Api")


@dataclass(frozen=True)
class Handler:
    """A handler in its module, and its call of `send`."""

    server: Server
    path: str
    source: Source
    tool: str
    function: ast.AsyncFunctionDef
    send: ast.Call

    @property
    def options(self) -> dict[str, ast.keyword]:
        """The keywords of `send`."""
        return {each.arg: each for each in self.send.keywords if each.arg}

    def fault(self, kind: str, where: str, *edits: Edit) -> Fault:
        """A fault of this tool only."""
        return Fault(
            kind, f"{self.tool}: {where}", self.path, self.source.edited(*edits), self.tool
        )

    @property
    def security(self) -> list[Mapping[str, Any]]:
        """The alternatives of schemes that the call asks for."""
        option = self.options.get("security")
        found = self.server.security if option is None else ast.literal_eval(option.value)
        return list(found)

    def pairs(self, location: str) -> list[tuple[ast.Constant, ast.expr]]:
        """The wire names (text) and values of one location."""
        members = self.members(location)
        if members is None:
            return []
        found = zip(members.keys, members.values, strict=True)
        return [(key, value) for key, value in found if isinstance(key, ast.Constant)]

    def members(self, location: str) -> ast.Dict | None:
        """What is written of one location member by member."""
        value = self.options[location].value if location in self.options else None
        if isinstance(value, ast.Call) and self.source.text(value.func) == "if_given":
            value = value.args[0]
        return value if isinstance(value, ast.Dict) else None

    def add(self, text: str) -> Edit:
        """An edit that adds a keyword to `send`."""
        end = self.source.span(self.send.args[1])[1]
        return (end, end), f", {text}"

    def remove(self, option: str) -> Edit:
        """An edit that removes a keyword of `send`."""
        start, end = self.source.span(self.options[option])
        rest = self.source.bytes[end:]
        comma = len(rest) - len(rest.lstrip(b" \n"))
        return (start, end + comma + 1 if rest.lstrip(b" \n")[:1] == b"," else end), ""

    def schema(self, keyword: str) -> Mapping[str, Any]:
        """The schema of the argument that a keyword receives, references followed."""
        names: dict[str, str] = {}
        for decorator in self.function.decorator_list:
            if isinstance(decorator, ast.Call):
                names = {
                    each.arg or "": ast.literal_eval(each.value) for each in decorator.keywords
                }
        whole = self.server.tools[self.tool]["inputSchema"]
        found = whole.get("properties", {}).get(names.get(keyword, keyword), {})
        for _ in range(20):
            if not isinstance(found, dict) or "$ref" not in found:
                break
            key = found["$ref"].rpartition("/")[2].replace("~1", "/").replace("~0", "~")
            found = whole.get("$defs", {}).get(key, {})
        return found if isinstance(found, dict) else {}

    def optional(self, value: ast.expr) -> bool:
        """Whether the value is a bare keyword that may be absent."""
        defaults = zip(self.function.args.kwonlyargs, self.function.args.kw_defaults, strict=True)
        names = {arg.arg for arg, default in defaults if default is not None}
        return isinstance(value, ast.Name) and value.id in names


def _handler(server: Server, path: str, source: Source, node: ast.stmt) -> Handler | None:
    if not isinstance(node, ast.AsyncFunctionDef):
        return None
    marks = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    sends = [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == "send"
    ]
    if not marks or not sends:
        return None
    return Handler(server, path, source, ast.literal_eval(marks[0].args[0]), node, sends[0])
