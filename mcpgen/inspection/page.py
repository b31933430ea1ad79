"""The catalogue as one page of HTML that needs nothing but a browser."""

from __future__ import annotations

import json
from typing import Any

from ..render.templating import page
from ..text import literals
from .catalogue import Inspection, operation_of
from .problems import tokens

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""No JSON in a page ends its script element or begins another (HTML, "Restrictions for contents of
script elements")."""


def html(found: Inspection) -> str:
    """The page: every tool with its schemas, size and problems, to be searched."""
    count = len(found.tools.tools)
    return page(
        "catalogue",
        title=literals.one_line(found.tools.server or found.tools.name) or "MCP server",
        totals=(
            ("tool" if count == 1 else "tools", f"{count:,}"),
            ("tokens of tools/list", f"about {found.tools.tokens:,}"),
            ("problems for agents", f"{len(found.problems):,}"),
        ),
        data=json.dumps(_data(found), separators=(",", ":")).translate(_ESCAPES),
    )


def _data(found: Inspection) -> dict[str, Any]:
    by_tool: dict[str, list[dict[str, str]]] = {}
    for problem in found.problems:
        told = problem.to_json()
        shown = {key: told[key] for key in ("code", "where", "detail", "meaning")}
        by_tool.setdefault(problem.tool, []).append(shown)
    return {
        "tokens": found.tools.tokens,
        "tools": [
            {
                "tool": tool,
                "operation": operation_of(tool, found.tools),
                "tokens": tokens(tool),
                "problems": by_tool.get(tool["name"], []),
            }
            for tool in found.tools.tools
        ],
        "problems": by_tool.get("", []),
    }
