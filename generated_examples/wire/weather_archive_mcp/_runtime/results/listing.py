"""The answer to `tools/list`."""

from __future__ import annotations

from typing import Any

from ..catalogue import Catalogue
from .pages import page
from .revisions import tools_for


class Listing:
    """Pages of tools in document order."""

    def __init__(self, catalogue: Catalogue, page_size: int | None) -> None:
        self._catalogue = catalogue
        self._page_size = page_size

    def page(self, cursor: str | None, version: str = "2026-07-28") -> dict[str, Any]:
        """The page that starts at a cursor, for clients of a revision of the protocol.

        Raises:
            MCPError: a cursor that no page has given out.
        """
        result = page("tools", self._catalogue.tools, cursor, self._page_size)
        result["tools"] = tools_for(version, result["tools"])
        return result
