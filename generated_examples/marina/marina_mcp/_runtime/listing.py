"""The answer to `tools/list`."""

from __future__ import annotations

from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from .catalogue import Catalogue
from .revisions import tools_for

TTL_MS = 300_000
"""The tools are the same for everyone and change only with the package's files."""


class Listing:
    """Pages of tools in document order; a cursor is the number of the first tool of its page."""

    def __init__(self, catalogue: Catalogue, page_size: int | None) -> None:
        self._catalogue = catalogue
        self._page_size = page_size

    def page(self, cursor: str | None, version: str = "2026-07-28") -> dict[str, Any]:
        """The page that starts at a cursor, for clients of a revision of the protocol.

        Raises:
            MCPError: a cursor that no page has given out.
        """
        tools = self._catalogue.tools
        size = self._page_size or len(tools) or 1
        start = self._start(cursor, size, len(tools))
        result: dict[str, Any] = {
            "resultType": "complete",
            "tools": tools_for(version, tools[start : start + size]),
            "ttlMs": TTL_MS,
            "cacheScope": "public",
        }
        if start + size < len(tools):
            result["nextCursor"] = str(start + size)
        return result

    @staticmethod
    def _start(cursor: str | None, size: int, total: int) -> int:
        if cursor is None:
            return 0
        if cursor.isascii() and cursor.isdigit() and len(cursor) < 10:
            start = int(cursor)
            if 0 < start < total and start % size == 0 and str(start) == cursor:
                return start
        raise MCPError(code=INVALID_PARAMS, message="Unknown cursor: use the nextCursor of a page")
