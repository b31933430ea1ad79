"""Tools of plain HTTP calls, and the data of their generated tests."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from mcpgen import cases
from mcpgen.api import Annotations, Api, Argument, HttpCall, In, SecurityScheme, Server, Tool

SCHEMES = (
    SecurityScheme("key", "apiKey", name="X-Key", location="header"),
    SecurityScheme("query", "apiKey", name="api key", location="query"),
    SecurityScheme("cookie", "apiKey", name="session", location="cookie"),
    SecurityScheme("basic", "http", scheme="basic"),
    SecurityScheme("bearer", "http", scheme="bearer"),
    SecurityScheme("hoba", "http", scheme="hoba"),
    SecurityScheme("oauth", "oauth2"),
)


@dataclass(frozen=True)
class Names:
    env: dict[str, dict[str, str]] = field(
        default_factory=lambda: {
            scheme.key: {"env": f"T_{scheme.key.upper()}"}
            if scheme.scheme != "basic"
            else {"username_env": "T_USER", "password_env": "T_PASSWORD"}
            for scheme in SCHEMES
        }
    )
    env_prefix: str = "T"

    @property
    def apis(self) -> dict[str, Names]:
        return {"": self}


def argument(name: str, location: In, schema: Any = None, **more: Any) -> Argument:
    options = {"required": False, **more}
    return Argument(
        name, {"type": "string"} if schema is None else schema, location, name, **options
    )


def tool(*arguments: Argument, http: HttpCall, **more: Any) -> Tool:
    schema = {
        "type": "object",
        "properties": {each.name: each.schema for each in arguments},
        "required": [each.name for each in arguments if each.required],
        "additionalProperties": bool(http.body and http.body.extra),
    }
    options: dict[str, Any] = {
        "output_schema": None,
        "result": {"type": "object"},
        "result_media_type": "application/json",
        **more,
    }
    hints = Annotations(True, False, True)
    return Tool(
        "t", "T", "T.", "T.", arguments, schema, annotations=hints, http=http, tag="a", **options
    )


def build(*tools: Tool, **more: Any) -> dict[str, Any]:
    options: dict[str, Any] = {
        "servers": (Server("https://api.example.org/v1"),),
        "security_schemes": SCHEMES,
        **more,
    }
    built = cases.build(Api("A", "1", tools=tools, **options), Names())
    assert built == json.loads(cases.to_json(built))
    return built


def of_kind(built: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [case for case in built["cases"] if case["kind"] == kind]


def request(kind: str, *arguments: Argument, http: HttpCall, **more: Any) -> dict[str, Any]:
    (case,) = of_kind(build(tool(*arguments, http=http), **more), kind)
    found: dict[str, Any] = case["request"]
    return found
