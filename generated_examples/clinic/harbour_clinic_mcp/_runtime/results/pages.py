"""Pages of a list that the protocol lets clients read piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

TTL_MS = 300_000
"""What is listed is the same for everyone and changes only with the package's files."""


def page(key: str, items: Sequence[Any], cursor: str | None, size: int | None) -> dict[str, Any]:
    """The page of `items` that starts at a cursor, which is the number of its first item.

    Raises:
        MCPError: a cursor that no page has given out.
    """
    size = size or len(items) or 1
    start = _start(cursor, size, len(items))
    result: dict[str, Any] = {
        "resultType": "complete",
        key: list(items[start : start + size]),
        "ttlMs": TTL_MS,
        "cacheScope": "public",
    }
    if start + size < len(items):
        result["nextCursor"] = str(start + size)
    return result


def _start(cursor: str | None, size: int, total: int) -> int:
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) < 10:
        start = int(cursor)
        if 0 < start < total and start % size == 0 and str(start) == cursor:
            return start
    raise MCPError(code=INVALID_PARAMS, message="Unknown cursor: use the nextCursor of a page")
