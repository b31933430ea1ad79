"""Three sources of one server, whose tools and types are called as everybody's are."""

import json
from pathlib import Path
from typing import Any

from .servers import read


def document(title: str, schema: dict[str, Any], **scheme: str) -> dict[str, Any]:
    """A document whose operation, tag, schema and scheme are called as everybody's are."""
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}
    operation = {
        "operationId": "createItem",
        "tags": ["items"],
        "requestBody": {"required": True, **answer},
        "responses": {"200": {"description": "The item.", **answer}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": f"https://{title.lower()}.example"}],
        "security": [{"key": []}],
        "paths": {
            "/items": {"post": operation, "get": {"responses": {"200": {"description": ""}}}}
        },
        "components": {
            "schemas": {"Item": schema},
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", **scheme}},
        },
    }


def item(name: str, kind: str) -> dict[str, Any]:
    child = {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
    return {"type": "object", "properties": {name: {"type": kind}, "parts": child}}


TOOL_FILE = read("tally")


def write(name: str, value: Any) -> None:
    Path(name).write_text(json.dumps(value, indent=1), encoding="utf-8")


def write_all() -> None:
    write("garden.json", document("Garden", item("colour", "string"), name="X-Garden"))
    write("shop.json", document("Shop", item("price", "integer"), name="X-Shop"))
    write("tally.json", TOOL_FILE)
