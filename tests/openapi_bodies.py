"""Tools of operations with a request body."""

from pathlib import Path
from typing import Any

from openapi_reading import Reading, one, read_document

from mcpgen.api import Tool

TEXT = {"type": "string"}
BINARY = {"type": "string", "format": "binary"}


def posted(
    folder: Path,
    content: dict[str, Any],
    *,
    required: bool = True,
    version: str = "3.1.0",
    **root: Any,
) -> Reading:
    """A document whose only operation is a POST with a body of this content."""
    operation = {"requestBody": {"required": required, "content": content}}
    return read_document(one(operation, method="post", openapi=version, **root), folder)


def body_tool(
    tmp_path: Path, content: dict[str, Any], required: bool = True, **operation: Any
) -> Tool:
    """The tool of a POST with a request body."""
    entries = {name: {"schema": s} if "schema" not in s else s for name, s in content.items()}
    body = {"required": required, "content": entries}
    return read_document(one({"requestBody": body, **operation}, method="post"), tmp_path).tool
