"""Documents for the benchmarks, made to size: nothing in them is special but how much there is."""

from __future__ import annotations

from typing import Any

_SCALARS = ("string", "integer", "number", "boolean")
_WORDS = (
    *("account", "branch", "check", "comment", "commit", "event", "invoice", "issue", "job"),
    *("label", "license", "member", "milestone", "package", "project", "release", "review"),
    *("runner", "secret", "status", "team", "token", "topic", "user", "workflow"),
)
_FORMATS = ("date-time", "uri", "uuid", "email")


def document(operations: int, schemas: int = 0, *, detailed: bool = False) -> dict[str, Any]:
    """An OpenAPI 3.1 document with tools of about 1 kB each.

    `detailed`: its schemas are as large as those of an API that has grown for years, on average
    twelve described properties, with objects, lists, enumerations and references among them.
    """
    count = schemas or max(operations // 4, 1)
    names = [
        f"{_WORDS[n % len(_WORDS)].title() if detailed else 'Schema'}{n}" for n in range(count)
    ]
    make = _detailed_schema if detailed else _schema
    paths: dict[str, Any] = {}
    for number in range(operations):
        resource = f"resource{number // 4}"
        path = f"/{resource}" if number % 4 < 2 else f"/{resource}/{{id}}"
        method = ("get", "post", "put", "delete")[number % 4]
        paths.setdefault(path, {})[method] = _operation(number, method, resource, names)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"Bench {operations}", "version": "1.0.0"},
        "servers": [{"url": "https://api.bench.example"}],
        "paths": paths,
        "components": {"schemas": {name: make(n, names) for n, name in enumerate(names)}},
    }


def change(document: dict[str, Any], turn: int) -> None:
    """Give one operation a parameter more."""
    items = list(document["paths"].values())
    operation = next(iter(items[turn * 7 % len(items)].values()))
    operation["parameters"].append(_parameter(f"added_{turn}", "query", "string"))


def _operation(number: int, method: str, resource: str, names: list[str]) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    if number % 4 >= 2:
        parameters.append(_parameter("id", "path", "string", required=True))
    if method == "get":
        parameters += [
            _parameter("limit", "query", "integer"),
            _parameter("cursor", "query", "string"),
            _parameter("sort", "query", "string"),
        ]
    reference = _reference(names[number % len(names)])
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


def _schema(number: int, names: list[str]) -> dict[str, Any]:
    properties: dict[str, Any] = {
        f"field_{n}": {"type": _SCALARS[n % 4], "description": f"Field {n} of the object."}
        for n in range(6)
    }
    properties["state"] = {"type": "string", "enum": ["open", "closed", f"state-{number}"]}
    properties["owner"] = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "email": {"type": "string"}},
    }
    if number % 5 == 1 and number + 1 < len(names):
        properties["next"] = _reference(names[number + 1])
    return {"type": "object", "required": ["field_0", "state"], "properties": properties}


def _detailed_schema(number: int, names: list[str]) -> dict[str, Any]:
    size = 4 + number * 7 % 17
    keys = [_name(number * 3 + index * 5, index) for index in range(size)]
    properties = {
        key: _detailed_property(number * 31 + index * 17, key, number, names)
        for index, key in enumerate(keys)
    }
    return {
        "type": "object",
        "title": f"{_WORDS[number % len(_WORDS)].title()} {number}",
        "description": f"What the service knows of {_WORDS[number % len(_WORDS)]} {number}.",
        "required": keys[: size // 2],
        "properties": properties,
    }


def _detailed_property(seed: int, name: str, number: int, names: list[str]) -> dict[str, Any]:
    about = f"The {name.replace('_', ' ')} as it was when the object was last changed."
    match seed % 12:
        case 0:
            members = [f"{_WORDS[(seed + n * 3) % len(_WORDS)]}_{n}" for n in range(2 + seed % 5)]
            return {"type": "string", "enum": members, "description": about}
        case 1:
            inner = {
                _name(seed + n * 7, n): {"type": _SCALARS[n % 4], "description": about}
                for n in range(3 + seed % 4)
            }
            return {"type": "object", "properties": inner, "description": about}
        case 2 | 5 if number % 4 < 3 and number // 4 * 4 + 3 < len(names):
            return _reference(names[number + 1 + seed % (3 - number % 4)])
        case 3:
            return {"type": "array", "items": {"type": "string"}, "description": about}
        case 4:
            kind = ["string", "null"]
            return {"type": kind, "format": _FORMATS[seed // 12 % 4], "description": about}
        case kind:
            return {"type": _SCALARS[kind % 4], "description": about, "examples": _shown(kind % 4)}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _shown(kind: int) -> list[Any]:
    return [("a text", 42, 0.5, True)[kind]]


def _name(seed: int, index: int) -> str:
    """A name that an object has once only."""
    return f"{_WORDS[seed % len(_WORDS)]}_{('id', 'name', 'url', 'count')[index % 4]}_{index}"
