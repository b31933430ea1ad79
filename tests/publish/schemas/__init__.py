"""The official schemas, and whether a document holds to one. README.md says where they are from.

The rules for cards and catalogues are our own words for those of the specifications that
`mcpgen/runtime/parts/cards.py` names. A card is held to the official file too where the variable
SERVER_CARD_SCHEMA names it: `schema.json` of that commit.
"""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema


def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / name).read_text())
    return found


SERVER = _schema("server.schema.json")
MANIFEST = _schema("mcpb-manifest-v0.4.schema.json")


_TEXT = {"type": "string", "minLength": 1}
_SHORT = {**_TEXT, "maxLength": 100}
_ADDRESS = {"type": "string", "pattern": r"^https?://\S+$"}
_CARD = {
    "type": "object",
    "required": ["$schema", "description", "name", "version"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"pattern": r"^https://static\.modelcontextprotocol\.io/schemas/v1/"},
        "name": {"type": "string", "maxLength": 200, "pattern": r"^[\w.-]+/[\w.-]+$"},
        "title": _SHORT,
        "description": _SHORT,
        "version": {**_TEXT, "maxLength": 255},
        "websiteUrl": _ADDRESS,
        "repository": {"required": ["source", "url"], "properties": {"url": _ADDRESS}},
        "icons": {"type": "array", "items": {"required": ["src"]}},
        "remotes": {
            "type": "array",
            "items": {
                "required": ["type", "url"],
                "properties": {"type": {"enum": ["streamable-http", "sse"]}, "url": _ADDRESS},
            },
        },
    },
}
_ENTRY = {
    "required": ["identifier", "type"],
    "additionalProperties": False,
    "properties": {
        "identifier": {"pattern": r"^urn:air:[a-z0-9.-]+(:[\w.-]+)+$"},
        "type": {"const": "application/mcp-server-card+json"},
        "url": {**_ADDRESS, "pattern": "/server-card$"},
        "data": _CARD,
    },
    "oneOf": [{"required": ["url"]}, {"required": ["data"]}],
}
_CATALOGUE = {
    "required": ["specVersion", "entries"],
    "additionalProperties": False,
    "properties": {
        "specVersion": {"pattern": r"^\d+\.\d+$"},
        "entries": {"type": "array", "items": _ENTRY},
    },
}


def check_card(card: dict[str, Any]) -> None:
    """Hold a server card to its rules, and to the official schema where that is there."""
    jsonschema.validate(card, _CARD)
    if path := os.environ.get("SERVER_CARD_SCHEMA"):
        official = json.loads(Path(path).read_text())
        jsonschema.validate(card, {"$ref": "#/$defs/ServerCard", "$defs": official["$defs"]})
        assert _keys(card) <= _members(official)


def check_catalogue(catalogue: dict[str, Any]) -> None:
    """Hold a catalogue to its rules."""
    jsonschema.validate(catalogue, _CATALOGUE)


def check_server(entry: dict[str, Any]) -> None:
    """Hold an entry to the registry's schema, and refuse a member that the schema never names."""
    jsonschema.validate(entry, SERVER)
    assert entry["$schema"] == SERVER["$id"]
    assert _keys(entry) <= _members(SERVER) | {"$schema"}


def check_manifest(manifest: dict[str, Any]) -> None:
    """Hold the manifest of a bundle to its schema."""
    jsonschema.validate(manifest, MANIFEST)


def _keys(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set(value).union(*map(_keys, value.values())) if isinstance(value, dict) else set()


def _members(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_members, value))
    if not isinstance(value, dict):
        return set()
    return set(value.get("properties", {})).union(*map(_members, value.values()))
