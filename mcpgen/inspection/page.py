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


def html(inspection: Inspection) -> str:
    """The page: every tool with its schemas, size and problems, to be searched."""
    count = len(inspection.tools.tools)
    return page(
        "catalogue",
        title=literals.one_line(inspection.tools.server or inspection.tools.name) or "MCP server",
        totals=(
            ("tool" if count == 1 else "tools", f"{count:,}"),
            ("tokens of tools/list", f"about {inspection.tools.tokens:,}"),
            ("problems for agents", f"{len(inspection.problems):,}"),
        ),
        data=json.dumps(_data(inspection), separators=(",", ":")).translate(_ESCAPES),
    )


def _data(inspection: Inspection) -> dict[str, Any]:
    by_tool: dict[str, list[dict[str, str]]] = {}
    for problem in inspection.problems:
        told = problem.to_json()
        shown = {key: told[key] for key in ("code", "where", "detail", "meaning")}
        by_tool.setdefault(problem.tool, []).append(shown)
    return {
        "tokens": inspection.tools.tokens,
        "tools": [
            {
                "tool": tool,
                "operation": operation_of(tool, inspection.tools),
                "tokens": tokens(tool),
                "problems": by_tool.get(tool["name"], []),
            }
            for tool in inspection.tools.tools
        ],
        "problems": by_tool.get("", []),
    }
