"""The problems of tools that make them hard to use, or that models' APIs refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from ..catalogue import tools_json
from ..diff.tool_changes import ToolList, Wire
from ..operations.in_words import says_only_that
from ..runtime.parts.search.index import pieces
from ..runtime.parts.search.texts import gist
from ..schemas.rules import types_of
from ..schemas.subschemas import VALUES
from ..text.suspicious import found_in
from .clients import CLIENTS, refused_list
from .kinds import KINDS, Kind

MANY_TOOLS = 40
LARGE_TOOL = 2_000
LONG_TEXTS = 0.05
"""The share of the list's tokens that could be left out of the texts of arguments."""
_VAGUE = re.compile(
    r"(get|list|create|update|delete|post|put|patch|fetch|run|call|do|execute|query|data|info|"
    r"search|item|items|test|main|root|index|api|operation|action)(_?root|[_-]?\d+)?",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(
    r"(?:x\w*[_-])?(?:api[_-]?key|client[_-]?secret|authorization"
    r"|(?:access|api|auth|bearer|oauth|security)[_-]?token)",
    re.IGNORECASE,
)
_PERHAPS = re.compile("auth|key|secret|token", re.IGNORECASE)
"""Names that may be of anything; what is said of the argument decides."""
_READS = frozenset(
    {"browse", "calculate", "count", "estimate", "fetch", "filter", "find", "get", "list"}
    | {"lookup", "preview", "query", "read", "search", "show", "validate", "view"}
)
"""Words that a name begins with, or a path ends with, where a call only reads."""
_ACTS = frozenset(
    {"cancel", "delete", "logout", "remove", "reset", "revoke", "signout", "trigger", "unsubscribe"}
)
"""Words that a name begins with, or a path ends with, where a call changes something."""
_TO_SIGN_IN = re.compile(r"\b(?:authenticat|authoriz|api key\b|oauth)", re.IGNORECASE)


class Problem(Struct, frozen=True):
    """One problem of a tool, or of all tools together."""

    code: str
    tool: str
    where: str = ""
    detail: str = ""
    place: str = ""
    """File, line and column of the tool."""

    def to_json(self) -> dict[str, Any]:
        """The problem as a JSON object."""
        return {**structs.asdict(self), **structs.asdict(self.kind)}

    @property
    def kind(self) -> Kind:
        """The kind of the problem."""
        return KINDS[self.code]

    def __str__(self) -> str:
        place = f" `{self.where}`" if self.where else ""
        detail = f" ({self.detail})" if self.detail else ""
        at = f"{self.place}: " if self.place else ""
        return f"{at}{self.tool or 'all tools'}{place}{detail}"


def problems(tools: ToolList, server: str, clients: tuple[str, ...] = ()) -> Iterator[Problem]:
    """The problems of a server's tools, and why the given clients would refuse them.

    The size of the list, and the reasons of clients, concern only the tools that clients list, not
    those that they find by search.
    """
    listed = tools.listed
    if len(listed) > MANY_TOOLS:
        yield Problem("many-tools", "", detail=f"{len(listed)}")
    whole = tools_json.tokens(listed)
    if (saved := _saved(listed)) > LONG_TEXTS * whole:
        yield Problem("long-texts", "", detail=f"about {saved:,} tokens, {saved / whole:.0%}")
    for client in clients:
        for refusal in refused_list(listed, client, tools.instructions):
            yield Problem(refusal.code, "", refusal.where, refusal.detail)
    for tool in tools.tools:
        for problem in _read(tool, tools):
            yield replace(problem, place=tools.places.get(tool["name"], ""))
    for tool in listed:
        for problem in _in_list(tool, server, clients):
            yield replace(problem, place=tools.places.get(tool["name"], ""))


def _read(tool: Wire, tools: ToolList) -> Iterator[Problem]:
    """The problems that matter for every tool, whether clients list it or find it by search."""
    name = tool["name"]
    yield from _text(tool)
    if len(name) < 3 or _VAGUE.fullmatch(name):
        yield Problem("vague-name", name)
    method, _, path = tools.operation_of(tool).partition(" ")
    reads = (tool.get("annotations") or {}).get("readOnlyHint", False)
    words = {*pieces(name)[:1], *pieces(path)[-1:]}
    if method == "POST" and not reads and words & _READS:
        yield Problem("reads-by-post", name, detail=path)
    if method == "GET" and reads and words & _ACTS:
        yield Problem("acts-by-get", name, detail=path)


def _in_list(tool: Wire, server: str, clients: tuple[str, ...]) -> Iterator[Problem]:
    """The problems that matter only for a tool that clients list."""
    full = f"mcp__{server}__{tool['name']}"
    if len(full) > 64:
        yield Problem("long-name", tool["name"], detail=f"{len(full)}")
    if tokens(tool) > LARGE_TOOL:
        yield Problem("large-tool", tool["name"], detail=f"about {tokens(tool):,}")
    for client in clients:
        for refusal in CLIENTS[client](tool):
            yield Problem(refusal.code, tool["name"], refusal.where, refusal.detail)


def _saved(tools: Sequence[Wire]) -> int:
    """About how many tokens are saved if arguments' descriptions are cut to their gist."""
    left_out: list[str] = []
    stack: list[Any] = [tool["inputSchema"] for tool in tools]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            text = node.get("description")
            if isinstance(text, str):
                left_out.append(text[len(gist(text)) :])
            stack += [inner for key, inner in node.items() if key not in VALUES]
        elif isinstance(node, list):
            stack += node
    return tools_json.tokens_of_value("".join(left_out))


def tokens(tool: Wire) -> int:
    """About how many tokens one tool costs an agent."""
    return tools_json.tokens([tool])


def _text(tool: Wire) -> Iterator[Problem]:
    name, description = tool["name"], tool.get("description") or ""
    if not description.strip() or says_only_that(description):
        yield Problem("no-description", name)
    elif len(description) < 20:
        yield Problem("short-description", name, detail=description)
    for where, text in (("", description), ("title", tool.get("title") or "")):
        for quoted in found_in(text).values():
            yield Problem("instructions", name, where, quoted)
    held = tool["inputSchema"].get("$defs")
    pool = held if isinstance(held, Mapping) else {}  # older dialects do not know the keyword
    for argument, schema in _properties(tool):
        text = schema.get("description") or ""
        if not text and "$ref" not in schema:
            yield Problem("undescribed-argument", name, argument)
        if _is_credential(argument, text) and "string" in types_of(schema, pool):
            yield Problem("credential-argument", name, argument)
        for quoted in found_in(text).values():
            yield Problem("instructions", name, argument, quoted)


def _is_credential(argument: str, description: str) -> bool:
    if _CREDENTIAL.fullmatch(argument):
        return True
    return bool(_PERHAPS.fullmatch(argument) and _TO_SIGN_IN.search(description))


def _properties(tool: Wire) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for argument, schema in tool["inputSchema"].get("properties", {}).items():
        yield argument, schema if isinstance(schema, Mapping) else {}
