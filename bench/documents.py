"""Documents for the benchmarks, made to size: nothing in them is special but how much there is."""

from __future__ import annotations

from typing import Any

_SCALARS = ("string", "integer", "number", "boolean")


def document(operations: int, schemas: int = 0) -> dict[str, Any]:
    """An OpenAPI 3.1 document with tools of about 1 kB each."""
    count = schemas or max(operations // 4, 1)
    paths: dict[str, Any] = {}
    for number in range(operations):
        resource = f"resource{number // 4}"
        path = f"/{resource}" if number % 4 < 2 else f"/{resource}/{{id}}"
        method = ("get", "post", "put", "delete")[number % 4]
        paths.setdefault(path, {})[method] = _operation(number, method, resource, count)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"Bench {operations}", "version": "1.0.0"},
        "servers": [{"url": "https://api.bench.example"}],
        "paths": paths,
        "components": {"schemas": {f"Schema{n}": _schema(n, count) for n in range(count)}},
    }


def _operation(number: int, method: str, resource: str, schemas: int) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    if number % 4 >= 2:
        parameters.append(_parameter("id", "path", "string", required=True))
    if method == "get":
        parameters += [
            _parameter("limit", "query", "integer"),
            _parameter("cursor", "query", "string"),
            _parameter("sort", "query", "string"),
        ]
    reference = {"$ref": f"#/components/schemas/Schema{number % schemas}"}
    content = {"application/json": {"schema": reference}}
    operation: dict[str, Any] = {
        "operationId": f"{method}_{resource}_{number}",
        "tags": [f"group{number // 40}"],
        "summary": f"{method.title()} a {resource}",
        "description": f"Works on {resource} number {number}. " + "It says what it does. " * 8,
        "parameters": parameters,
        "responses": {"200": {"description": "Done.", "content": content}},
    }
    if method in ("post", "put"):
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _parameter(name: str, where: str, kind: str, *, required: bool = False) -> dict[str, Any]:
    return {
        "name": name,
        "in": where,
        "required": required,
        "description": f"The {name} of what is asked for, as the service knows it.",
        "schema": {"type": kind},
    }


def _schema(number: int, count: int) -> dict[str, Any]:
    properties: dict[str, Any] = {
        f"field_{n}": {"type": _SCALARS[n % 4], "description": f"Field {n} of the object."}
        for n in range(6)
    }
    properties["state"] = {"type": "string", "enum": ["open", "closed", f"state-{number}"]}
    properties["owner"] = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "email": {"type": "string"}},
    }
    if number % 5 == 1 and number + 1 < count:
        properties["next"] = {"$ref": f"#/components/schemas/Schema{number + 1}"}
    return {"type": "object", "required": ["field_0", "state"], "properties": properties}
