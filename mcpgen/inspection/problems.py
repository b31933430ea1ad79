"""What makes tools hard for agents, or is refused by the APIs of their models."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..diff.tools import ToolList, Wire

CODES = {
    "no-description": "the description says no more than the operation's method and path",
    "short-description": "the description is shorter than 20 characters",
    "vague-name": "the name says nothing about what the tool works on",
    "undescribed-argument": "an argument has no description",
    "instructions": "the text reads like instructions to a model",
    "long-name": "`mcp__<server>__<tool>`, as some clients call it, is over 64 characters",
    "many-tools": "more tools than agents choose well among",
    "large-tool": "one tool costs more than 2,000 tokens",
    "claude-name": "Anthropic's API refuses the name",
    "claude-property": "Anthropic's API refuses an argument's name",
    "claude-root": "Anthropic's API refuses oneOf, anyOf and allOf at the root of a schema",
    "openai-name": "OpenAI's API refuses the name",
    "openai-tools": "OpenAI's API refuses more than 128 tools",
    "openai-root": "OpenAI's API refuses oneOf, anyOf, allOf, enum and not at the root of a schema",
    "openai-items": "OpenAI's API refuses an array without items",
    "gemini-enum": "Gemini's API refuses enums of anything but strings",
    "gemini-type": "Gemini's API refuses a schema without a type",
    "gemini-name": "Gemini's API refuses the name",
    "inspector-type": "the MCP Inspector makes no form for an argument without a type",
}
CLIENTS = ("claude", "gemini", "inspector", "openai")
MANY_TOOLS = 40
LARGE_TOOL = 2_000
_VAGUE = re.compile(
    r"(get|list|create|update|delete|post|put|patch|fetch|run|call|do|execute|query|data|info|"
    r"search|item|items|test|main|root|index|api|operation|action)(_?root|[_-]?\d+)?",
    re.IGNORECASE,
)
_OPERATION = re.compile(r"(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|QUERY) /\S*")
_INSTRUCTIONS = re.compile(
    r"ignore (all |any |the )?(previous|prior|above)|disregard (all|any|previous|the above)|"
    r"system prompt|you are (an?|the) (ai|assistant|agent|model)|"
    r"do not (tell|inform|mention to) the user|<\s*(important|system|instructions?)\s*>|"
    r"without (asking|telling) the user|"
    r"(always|first) call this tool",
    re.IGNORECASE,
)
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")


@dataclass(frozen=True)
class Problem:
    """One problem of one tool, or of all together."""

    code: str
    tool: str
    where: str = ""
    detail: str = ""
    place: str = ""
    """File, line and column of the tool."""

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        return {**asdict(self), "meaning": CODES[self.code]}

    def __str__(self) -> str:
        place = f" `{self.where}`" if self.where else ""
        detail = f" ({self.detail})" if self.detail else ""
        at = f"{self.place}: " if self.place else ""
        return f"{at}{self.tool or 'all tools'}{place}: {CODES[self.code]}{detail} [{self.code}]"


def problems(tools: ToolList, server: str, clients: tuple[str, ...] = ()) -> Iterator[Problem]:
    """The problems of a list of tools on a server of that name, also those of some clients."""
    if len(tools.tools) > MANY_TOOLS:
        yield Problem("many-tools", "", detail=f"{len(tools.tools)}")
    if "openai" in clients and len(tools.tools) > 128:
        yield Problem("openai-tools", "", detail=f"{len(tools.tools)}")
    for tool in tools.tools:
        place = tools.places.get(tool["name"], "")
        for problem in _of_tool(tool, server, clients):
            yield replace(problem, place=place)


def _of_tool(tool: Wire, server: str, clients: tuple[str, ...]) -> Iterator[Problem]:
    yield from _text(tool)
    yield from _name(tool, server, clients)
    if tokens(tool) > LARGE_TOOL:
        yield Problem("large-tool", tool["name"], detail=f"about {tokens(tool):,}")
    yield from _schema(tool, clients)


def tokens(tool: Wire) -> int:
    """About what one tool costs an agent."""
    return ToolList("", [tool]).tokens


def _text(tool: Wire) -> Iterator[Problem]:
    name, description = tool["name"], tool.get("description") or ""
    if not description.strip() or _OPERATION.fullmatch(description.strip()):
        yield Problem("no-description", name)
    elif len(description) < 20:
        yield Problem("short-description", name, detail=description)
    for where, text in (("", description), ("title", tool.get("title") or "")):
        found = _INSTRUCTIONS.search(text)
        if found:
            yield Problem("instructions", name, where, found[0])
    for argument, schema in _properties(tool):
        text = schema.get("description") or ""
        if not text and "$ref" not in schema:
            yield Problem("undescribed-argument", name, argument)
        found = _INSTRUCTIONS.search(text)
        if found:
            yield Problem("instructions", name, argument, found[0])


def _name(tool: Wire, server: str, clients: tuple[str, ...]) -> Iterator[Problem]:
    name = tool["name"]
    if len(name) < 3 or _VAGUE.fullmatch(name):
        yield Problem("vague-name", name)
    full = f"mcp__{server}__{name}"
    if len(full) > 64:
        yield Problem("long-name", name, detail=f"{len(full)}")
    for client, pattern in (("claude", _NAME), ("openai", _NAME), ("gemini", _GEMINI_NAME)):
        if client in clients and not pattern.fullmatch(name):
            yield Problem(f"{client}-name", name)


def _schema(tool: Wire, clients: tuple[str, ...]) -> Iterator[Problem]:
    name, schema = tool["name"], tool["inputSchema"]
    for client, keywords in (
        ("claude", ("oneOf", "anyOf", "allOf")),
        ("openai", ("oneOf", "anyOf", "allOf", "enum", "not")),
    ):
        found = [keyword for keyword in keywords if keyword in schema]
        if client in clients and found:
            yield Problem(f"{client}-root", name, detail=", ".join(found))
    if "claude" in clients:
        for argument, _ in _properties(tool):
            if not _PROPERTY.fullmatch(argument):
                yield Problem("claude-property", name, argument)
    if "inspector" in clients:
        for argument, inner in _properties(tool):
            if not inner.keys() & {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"}:
                yield Problem("inspector-type", name, argument)
    for where, inner in _walk(schema, ""):
        if "openai" in clients and inner.get("type") == "array" and "items" not in inner:
            yield Problem("openai-items", name, where)
        if "gemini" in clients:
            values = inner.get("enum", ())
            if any(not isinstance(value, str) for value in values):
                yield Problem("gemini-enum", name, where)
            if not inner.keys() & {"type", "$ref", "anyOf", "oneOf", "allOf"}:
                yield Problem("gemini-type", name, where)


def _properties(tool: Wire) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for argument, schema in tool["inputSchema"].get("properties", {}).items():
        yield argument, schema if isinstance(schema, Mapping) else {}


def _walk(schema: Any, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema below a root, each with its place."""
    stack = [(where, schema)]
    while stack:
        place, found = stack.pop()
        if not isinstance(found, Mapping):
            continue
        yield place, found
        for key in ("properties", "$defs"):
            for name, inner in found.get(key, {}).items():
                at = f"$defs/{name}" if key == "$defs" else f"{place}.{name}".lstrip(".")
                stack.append((at, inner))
        for key in ("items", "additionalProperties"):
            stack.append((f"{place}[]" if key == "items" else f"{place}.*", found.get(key)))
        for key in ("anyOf", "oneOf", "allOf"):
            stack += [(place, inner) for inner in found.get(key, ())]
