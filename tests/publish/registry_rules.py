"""What the MCP registry takes, as a JSON Schema in our own words.

After https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, whose members,
limits and words these are; it is stricter, for a member that is not there is refused.
"""

from __future__ import annotations

from typing import Any


def closed(required: list[str], **members: Any) -> dict[str, Any]:
    kind = {"type": "object", "additionalProperties": False}
    return {**kind, "required": required, "properties": members}


TEXT = {"type": "string", "minLength": 1}
HTTPS = {"type": "string", "pattern": r"^https://[^\s]+$"}
VARIABLE = closed(
    ["name", "description"],
    name=TEXT,
    description=TEXT,
    isRequired={"const": True},
    isSecret={"const": True},
    format={"enum": ["string", "number", "boolean", "filepath"]},
    default=TEXT,
    choices={"type": "array", "items": TEXT, "minItems": 1},
)
PACKAGE = closed(
    ["registryType", "identifier", "transport", "environmentVariables"],
    registryType={"enum": ["pypi", "oci"]},
    identifier=TEXT,
    version={"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?$"},
    runtimeHint={"enum": ["uvx", "docker"]},
    transport=closed(["type"], type={"const": "stdio"}),
    environmentVariables={"type": "array", "items": VARIABLE},
)
ICON = closed(
    ["src"],
    src={**HTTPS, "maxLength": 255},
    mimeType={"enum": ["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]},
    sizes={"type": "array", "items": {"type": "string", "pattern": r"^(\d+x\d+|any)$"}},
    theme={"enum": ["light", "dark"]},
)
REMOTE = closed(["type", "url"], type={"const": "streamable-http"}, url=HTTPS)
SERVER = closed(
    ["$schema", "name", "description", "version"],
    **{
        "$schema": {
            "const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
        },
        "name": {
            "type": "string",
            "minLength": 3,
            "maxLength": 200,
            "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
        },
        "title": {**TEXT, "maxLength": 100},
        "description": {**TEXT, "maxLength": 100},
        "version": {**TEXT, "maxLength": 255},
        "websiteUrl": HTTPS,
        "repository": closed(["url", "source"], url=HTTPS, source=TEXT),
        "icons": {"type": "array", "items": ICON},
        "packages": {"type": "array", "items": PACKAGE},
        "remotes": {"type": "array", "items": REMOTE},
    },
)
