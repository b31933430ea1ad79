"""Small documents of Swagger 2.0 for the reader's tests."""

from typing import Any

from openapi_reading import one


def swagger(operation: dict[str, Any], *, method: str = "post", **root: Any) -> dict[str, Any]:
    """A 2.0 document with one operation."""
    path = root.pop("path", "/pets")
    return {"swagger": "2.0", **one(operation, method=method, path=path), **root}
