"""A document as a framework writes it of an API whose author wrote few descriptions."""

from typing import Any

AREAS = ("orders", "products", "customers", "invoices", "carts")
OPERATIONS = 26


def document(areas: tuple[str, ...] = AREAS) -> dict[str, Any]:
    """Five operations for each area, and one that says whether the API is well."""
    paths: dict[str, Any] = {"/health": {"get": _operation("health", "default", [])}}
    for area in areas:
        one = area.removesuffix("s")
        key = {"name": f"{one}_id", "in": "path", "required": True, "schema": {"type": "string"}}
        page = [
            {"name": n, "in": "query", "schema": {"type": "integer"}} for n in ("skip", "limit")
        ]
        paths[f"/{area}"] = {
            "get": _operation(f"list_{area}", area, page),
            "post": _with_body(_operation(f"create_{one}", area, [])),
        }
        paths[f"/{area}/{{{one}_id}}"] = {
            "get": _operation(f"read_{one}", area, [key]),
            "patch": _with_body(_operation(f"update_{one}", area, [key])),
            "delete": _operation(f"delete_{one}", area, [key]),
        }
    info = {"title": "Shop", "version": "0.1.0"}
    servers = [{"url": "https://shop.example"}]
    return {"openapi": "3.1.0", "info": info, "servers": servers, "paths": paths}


def _operation(name: str, tag: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    answer = {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}}
    summary = name.replace("_", " ").title()
    about = {"operationId": name, "summary": summary, "tags": [tag], "parameters": parameters}
    return {**about, "responses": {"200": answer}}


def _with_body(operation: dict[str, Any]) -> dict[str, Any]:
    members = {"name": {"type": "string"}, "note": {"type": ["string", "null"]}}
    schema = {"type": "object", "properties": members, "required": ["name"]}
    return {**operation, "requestBody": {"content": {"application/json": {"schema": schema}}}}
