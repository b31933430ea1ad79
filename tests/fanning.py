"""Documents with few schemas that have very many forms."""

from typing import Any

LEVELS = 22


def schemas(kind: str, prefix: str, levels: int = LEVELS) -> dict[str, Any]:
    """As many schemas, each with twice the forms of the one inside it."""
    named: dict[str, Any] = {f"L{levels}": {"type": "string"}}
    for level in range(levels):
        inner = {"$ref": f"{prefix}L{level + 1}"}
        forms = {"anyOf": [inner, {"type": "array", "items": inner}]}
        named[f"L{level}"] = forms if kind == "forms" else {"type": "array", "items": forms}
    return named


def document(kind: str, name: str = "fan", title: str = "Fans") -> dict[str, Any]:
    """A document with one operation, which takes and answers the outermost of them."""
    root = {"$ref": "#/components/schemas/L0"}
    body = {
        "type": "object",
        "required": ["a", "number"],
        "properties": {"a": root, "number": {"type": "integer"}},
    }
    operation = {
        "operationId": name,
        "summary": "Turn the fan",
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "200": {"description": "", "content": {"application/json": {"schema": root}}}
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": "https://fans.example"}],
        "components": {"schemas": schemas(kind, "#/components/schemas/")},
        "paths": {f"/{name}": {"post": operation}},
    }


def tool_file(kind: str) -> dict[str, Any]:
    """A tool file with one tool, which takes the outermost of them."""
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/L0"}},
        "$defs": schemas(kind, "#/$defs/"),
    }
    tool = {"name": "fan", "description": "Turn the fan.", "inputSchema": schema}
    return {"server": {"name": "fans"}, "tools": [tool]}
