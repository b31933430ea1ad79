"""The official schemas, and whether a document holds to one. README.md says where they are from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema


def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / name).read_text())
    return found


SERVER = _schema("server.schema.json")
MANIFEST = _schema("mcpb-manifest-v0.4.schema.json")


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
