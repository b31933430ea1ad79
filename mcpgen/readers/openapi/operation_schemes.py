"""The `schemes` of a 2.0 operation, which override those of the document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from .servers import SCHEMES, best_first, document_url
from .versions import Version

if TYPE_CHECKING:
    from ...api import Server, Tool
    from ...source.document import Node
    from .operation_parts import Operation
    from .reader_state import Reading


def with_schemes(operations: Iterable[Operation], reading: Reading) -> tuple[Server, ...]:
    """The document's servers, and one for each further URL scheme that an operation names.

    The document's scheme may only be assumed: it names none and was not read from a URL. If then
    every operation names schemes, only the servers for those are returned.
    """
    own = reading.servers
    if not (_overrides(reading) and own):
        return own
    by_operation = [_schemes(operation.fields.get("schemes")) for operation in operations]
    others = [_reached_by(own[0], each) for each in SCHEMES if any(each in s for s in by_operation)]
    root = _schemes(reading.document.root.get("schemes"))
    is_assumed = not (root or document_url(reading))
    return tuple(dict.fromkeys(others if is_assumed and all(by_operation) else [*own, *others]))


def with_servers(
    tools: Iterable[tuple[Tool, Operation]], reading: Reading
) -> list[tuple[Tool, Operation]]:
    """The tools with their operations; in 2.0, an operation's `schemes` choose the servers."""
    operations = list(tools)
    if not _overrides(reading):
        return operations
    return [
        (_with_servers(tool, operation, reading.servers), operation)
        for tool, operation in operations
    ]


def _with_servers(tool: Tool, operation: Operation, servers: tuple[Server, ...]) -> Tool:
    schemes = _schemes(operation.fields.get("schemes"))
    left = best_first(each for each in servers if urlsplit(each.url).scheme in schemes)
    if left[:1] == servers[:1]:
        left = ()
    if left == tool.call.servers:
        return tool
    return replace(tool, http=replace(tool.call, servers=left))


def _overrides(reading: Reading) -> bool:
    return reading.version is Version.V20 and not reading.settings.base_url


def _schemes(node: Node | None) -> tuple[str, ...]:
    listed = node.value if node is not None and isinstance(node.value, list) else ()
    names = {each.lower() for each in listed if isinstance(each, str)}
    return tuple(each for each in SCHEMES if each in names)


def _reached_by(server: Server, scheme: str) -> Server:
    return replace(server, url=re.sub(r"\Ahttps?(?=://)", scheme, server.url))
