"""`x-mcp-header`: clients copy an argument into an HTTP header (MCP, server/tools)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..runtime.values.media import is_token
from ..schemas.subschemas import VALUES
from ..text.words import split

if TYPE_CHECKING:
    from ..diagnostics import Diagnostics
    from ..source.document import Node

KEY = "x-mcp-header"

_PRIMITIVES = ("string", "integer", "boolean")
_SECRETS = frozenset(
    {"password", "passwd", "secret", "token", "credential", "credentials", "apikey", "pin", "otp"}
)
_PLACES = frozenset({"continuation", "cursor", "next", "page", "pagination", "sync"})
"""A word before `token` that makes it a position in a list: `nextPageToken`."""


def check_headers(schema: Node, diagnostics: Diagnostics) -> None:
    """Report every use of `x-mcp-header` in an inputSchema that MCP forbids."""
    names: dict[str, str] = {}
    stack: list[tuple[Node, bool, str]] = [(schema, False, "")]
    while stack:
        node, reachable, name = stack.pop()
        if isinstance(node.value, dict) and KEY in node.value:
            problem = problem_of(node.value, name, names) if reachable else _UNREACHABLE
            if problem:
                diagnostics.error("mcp-header", f"`{KEY}` {problem}", node[KEY])
        at_root = node.pointer == schema.pointer
        stack += reversed(list(_inside(node, inherits=reachable or at_root)))


_UNREACHABLE = "may only stand on a property that the root reaches through `properties` alone"


def _inside(node: Node, *, inherits: bool) -> list[tuple[Node, bool, str]]:
    """Each node in a schema, whether `x-mcp-header` may be there, and the property's name."""
    children: list[tuple[Node, bool, str]] = []
    for key, child in node.items():
        if key == "properties":
            children += [(prop, inherits, name) for name, prop in child.items()]
        elif key not in VALUES:
            children += [(inner, False, "") for inner in (child, *child.elements())]
    return children


def problem_of(schema: Mapping[str, Any], name: str, names: dict[str, str]) -> str:
    """Why `x-mcp-header` is not allowed on a property; empty if it is allowed.

    `names` maps the headers found so far to their properties; the header of this property is added
    to it.
    """
    header = schema[KEY]
    if not isinstance(header, str) or not header:
        return "must be the name of a header"
    if not is_token(header):
        return f"must be a header's name (RFC 9110 5.6.2), not {header!r}"
    if schema.get("type") not in _PRIMITIVES:
        return "may only stand on a string, an integer or a boolean"
    if is_secret(schema, name):
        return "would show a secret to everything between client and server"
    first = names.setdefault(header.lower(), name)
    return f"{header!r} is already used by `{first}`" if first != name else ""


def is_secret(schema: Mapping[str, Any], name: str) -> bool:
    """Whether a property's name or schema shows that it is a password, a key or the like."""
    words = [word.lower() for word in split(name)]
    pairs = {"".join(pair) for pair in pairwise(words)}
    if words[-1:] == ["token"] and not _PLACES.isdisjoint(words[-2:-1]):
        words.pop()
    telling = not _SECRETS.isdisjoint({*words, *pairs})
    return telling or schema.get("format") == "password" or schema.get("writeOnly") is True
