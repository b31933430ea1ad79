"""The catalogue as one HTML page that needs no other files."""

from __future__ import annotations

import json
from typing import Any

from msgspec import structs

from ..catalogue.tools_json import tokens_of_value
from ..diff.tool_changes import Wire
from ..render.templating import page
from ..text import literals
from .catalogue import Inspection
from .kinds import KINDS, Severity
from .problems import tokens

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""No JSON in a page ends its script element or begins another (HTML, "Restrictions for contents of
script elements")."""


def html(inspection: Inspection) -> str:
    """The page, which can be searched: every tool with its schemas, tokens and problems."""
    return page(
        "catalogue",
        title=literals.one_line(inspection.tools.server or inspection.tools.name) or "MCP server",
        totals=_totals(inspection),
        data=json.dumps(_data(inspection), separators=(",", ":")).translate(_ESCAPES),
    )


def _totals(inspection: Inspection) -> list[tuple[str, str]]:
    """The figures at the top of the page, with their labels."""
    tools = inspection.tools
    count = len(tools.tools)
    all_of_them = [("tool" if count == 1 else "tools", f"{count:,}")]
    if tools.listed is not tools.tools:
        all_of_them = [
            ("tools by search", f"{count:,} (about {tools.tokens_of_all:,} tokens)"),
            ("tools that clients list", f"{len(tools.listed):,}"),
        ]
    return [
        *all_of_them,
        ("tokens of tools/list", f"about {tools.tokens:,}"),
        ("problems for agents", f"{len(inspection.problems):,}"),
    ]


def _data(inspection: Inspection) -> dict[str, Any]:
    by_tool: dict[str, list[dict[str, str]]] = {}
    for problem in inspection.problems:
        entry = {"code": problem.code, "where": problem.where, "detail": problem.detail}
        by_tool.setdefault(problem.tool, []).append(entry)
    codes = {problem.code for problem in inspection.problems}
    listing = inspection.tools
    return {
        "tokens": listing.tokens_of_all,
        "tools": [
            {
                "tool": tool,
                "operation": listing.operation_of(tool),
                "area": listing.areas.get(tool["name"], ""),
                "place": listing.places.get(tool["name"], ""),
                "tokens": tokens(tool),
                "parts": _parts(tool),
                "problems": by_tool.get(tool["name"], []),
            }
            for tool in listing.tools
        ],
        "problems": by_tool.get("", []),
        "kinds": {code: structs.asdict(kind) for code, kind in KINDS.items() if code in codes},
        "severities": [severity.value for severity in Severity],
    }


def _parts(tool: Wire) -> list[int]:
    """The numbers of tokens in a tool's description, its arguments and its answer."""
    members = ("description", "inputSchema", "outputSchema")
    return [tokens_of_value(tool[key]) if key in tool else 0 for key in members]
