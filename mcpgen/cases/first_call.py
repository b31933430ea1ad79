"""The tool call that a newcomer should try first."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..api import Api, Tool
from ..samples.scalars import NoSample
from .arguments import Arguments


def first_call(api: Api) -> tuple[str, dict[str, Any]] | None:
    """A tool to call first, with sample arguments; preferably it only reads and needs none.

    None if no tool that calls the API can be given sample arguments. A tool that asks its user, or
    is always a task, cannot be called from a command line.
    """
    plain = (tool for tool in api.tools if not tool.questions and tool.task != "required")
    for tool in sorted((tool for tool in plain if tool.http), key=_effort):
        with suppress(NoSample):
            return tool.name, Arguments(tool).required()
    return None


def _effort(tool: Tool) -> tuple[bool, bool, bool]:
    """A sort key: tools that are easier to try come first."""
    return not tool.annotations.read_only, bool(tool.input_schema.get("required")), tool.deprecated
