"""Reports where the document's descriptions say more than its schemes and schemas do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ... import schemas
from ...api import In

if TYPE_CHECKING:
    from ...api import Argument, Tool
    from .operation_parts import Operation
    from .reader_state import Reading

_LINE = 'security_schemes.token = {{ type = "{}", {} }}'
_AUTHORIZATION = re.compile(
    r"\bAuthorization[\"']?\s*:\s*[\"']?(Bearer|Basic|[A-Z][A-Za-z-]{2,20})\s+[<{\[`$A-Za-z0-9]"
)
_KEY_HEADER = re.compile(
    r"\b(X-(?:[A-Za-z0-9]+-)*(?:Api-?Key|Auth|Key|Token)(?:-[A-Za-z0-9]+)*)\b", re.IGNORECASE
)
_TEXTS = r"alias|handle|name|path|slug|string|text|url|username"
_EITHER = re.compile(
    rf"\b(?:ids?|integer|number)\b[^.]{{0,40}}\bor\b[^.]{{0,40}}\b(?:{_TEXTS})\b"
    rf"|\b(?:{_TEXTS})\b[^.]{{0,40}}\bor\b[^.]{{0,40}}\b(?:id|integer|number)\b",
    re.IGNORECASE,
)
"""Phrases that say that an identifier may also be text."""
_READ, _SENTENCES = 20_000, 500
"""How many characters are read of the API's description, and of an argument's."""


def scheme_line(reading: Reading) -> tuple[str, bool]:
    """The `mcpgen.toml` line for the API's credential, and whether a description mentions it.

    If the API's description mentions no credential, the line declares the most usual one, a bearer
    token.
    """
    info = reading.document.root.value.get("info")
    text = info.get("description") if isinstance(info, dict) else None
    text = text[:_READ] if isinstance(text, str) else ""
    if match := _AUTHORIZATION.search(text):
        scheme = match[1].lower() if match[1] in ("Bearer", "Basic") else match[1]
        return _LINE.format("http", f'scheme = "{scheme}"'), True
    if match := _KEY_HEADER.search(text):
        return _LINE.format("apiKey", f'in = "header", name = "{match[1]}"'), True
    return _LINE.format("http", 'scheme = "bearer"'), False


def report_identifiers(chosen: Iterable[tuple[Tool, Operation]], reading: Reading) -> None:
    """Report integer arguments whose description also allows a string; each name once."""
    places: dict[str, list[tuple[Tool, Operation]]] = {}
    for tool, operation in chosen:
        for argument in _either(tool):
            places.setdefault(argument.name, []).append((tool, operation))
    for name, those in places.items():
        tool, operation = those[0]
        more = f" and {len(those) - 1} more" if len(those) > 1 else ""
        message = (
            f"`{name}` of `{tool.name}`{more} is a number, but its description also allows text"
        )
        which = '"*"' if more else f'"{tool.name}"'
        line = f'tools.{which}.arguments."{name}".schema = {{ type = ["integer", "string"] }}'
        hint = f"Set `{line}` in mcpgen.toml."
        reading.diagnostics.note("argument-type", message, operation.node, hint)


def _either(tool: Tool) -> Iterator[Argument]:
    pool = tool.input_schema.get("$defs", {})
    for argument in tool.arguments:
        is_outside = argument.location in (In.PATH, In.QUERY)
        is_either = is_outside and _EITHER.search(argument.description[:_SENTENCES])
        if is_either and schemas.types_of(argument.schema, pool) <= {"integer", "number"}:
            yield argument
