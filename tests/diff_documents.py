"""Small documents for the command that compares them, and what it finds."""

from typing import Any


def document(**operations: Any) -> dict[str, Any]:
    answer = {"200": {"description": "ok"}}
    paths = {
        f"/{key}": {"get": {"operationId": key, "responses": answer, **given}}
        for key, given in operations.items()
    }
    scheme = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": {"one": scheme, "two": scheme}},
    }


def codes(found: dict[str, Any]) -> dict[str, str]:
    return {change["code"]: change["risk"] for change in found["changes"]}
