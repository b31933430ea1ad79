"""The data of `mcpgen inspect`: the tools of a catalogue and their problems."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..diff.tool_changes import ToolList
from ..settings.rows import meanings
from ..settings.settings import Argument, Tool
from ..text import literals
from .problems import Problem, tokens


class Inspection(Struct, frozen=True):
    """What `mcpgen inspect` finds out about a list of tools."""

    tools: ToolList
    problems: tuple[Problem, ...]

    def over(self, max_tools: int | None, max_tokens: int | None) -> list[str]:
        """The limits that the list exceeds."""
        excesses = []
        if max_tools is not None and len(self.tools.listed) > max_tools:
            excesses.append(f"there are {len(self.tools.listed)} tools; the limit is {max_tools}")
        if max_tokens is not None and self.tools.tokens > max_tokens:
            cost = f"the tools cost about {self.tools.tokens:,} tokens"
            excesses.append(f"{cost}; the limit is {max_tokens:,}")
        return excesses


def as_json(inspection: Inspection) -> dict[str, Any]:
    """The inspection as one JSON object."""
    return {
        "source": inspection.tools.name,
        "count": len(inspection.tools.tools),
        "listed": len(inspection.tools.listed),
        "tokens": inspection.tools.tokens,
        "tools": [
            {
                "name": tool["name"],
                "operation": inspection.tools.operation_of(tool),
                "area": inspection.tools.areas.get(tool["name"], ""),
                "annotations": tool.get("annotations", {}),
                "arguments": list(tool["inputSchema"].get("properties", {})),
                "required": tool["inputSchema"].get("required", []),
                "tokens": tokens(tool),
                "pages": inspection.tools.pages.get(tool["name"]),
            }
            for tool in inspection.tools.tools
        ],
        "problems": [problem.to_json() for problem in inspection.problems],
    }


def settings_tables(tools: ToolList) -> str:
    """Empty tables for `mcpgen.toml`, one for each tool."""
    lines = ["", "# Single tools. Remove the `#` before each line that you want to change.", "#"]
    lines += [f"#   {key}: {about}" for key, about in meanings(Tool).items()]
    lines += [f"#   arguments.<name>.{key}: {about}" for key, about in meanings(Argument).items()]
    for tool in tools.tools:
        about = literals.sentence(tool.get("description") or tool.get("title") or "", 80)
        lines += [
            "",
            f"[tools.{literals.toml(tool['name'])}]  # {tokens(tool):,} tokens: {about}",
            "# enabled = false",
            f"# name = {literals.toml(tool['name'])}",
            f"# title = {literals.toml(tool.get('title') or tool['name'])}",
            f"# description = {literals.toml(tool.get('description') or '')}",
            '# fields = ["$"]',
            "# pinned = true",
        ]
        for name, schema in tool["inputSchema"].get("properties", {}).items():
            about = schema.get("description", "") if isinstance(schema, dict) else ""
            key = f"# arguments.{literals.toml(name)}"
            lines += [f"{key}.name = {literals.toml(name)}"]
            lines += [f"{key}.description = {literals.toml(about)}", f"{key}.hidden = true"]
    return "\n".join(lines) + "\n"
