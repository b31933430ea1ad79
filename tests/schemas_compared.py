"""Small schemas, and how much the change from one to another matters to callers."""

import json
from typing import Any

from diff_risk import worst_of

from mcpgen.diff.changes import Risk
from mcpgen.diff.tool_changes import ToolList, compare

B, R, H = Risk.BREAKING, Risk.RISKY, Risk.HARMLESS
S: dict[str, Any] = {"type": "string"}
N, NULL = {"type": "integer"}, {"type": "null"}


def record(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members}


def listing(schema: Any) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def of_input(schema: Any) -> dict[str, Any]:
    definitions = schema.get("$defs", {})
    return {"type": "object", "properties": {"v": schema}, "$defs": definitions}


def worst(old: Any, new: Any, key: str = "inputSchema") -> Risk | None:
    tools = ({"name": "t", "inputSchema": {}, key: schema} for schema in (old, new))
    changes = compare(*(ToolList("", [tool]) for tool in tools)).changes
    assert bool(changes) == (old != new or json.dumps(old) != json.dumps(new))
    return worst_of(changes)
