"""Schemas that are too large for a signature, so that agents would see `…` in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..api import Api, Schema, Tool
from ..diagnostics import Diagnostics, Located
from ..runtime.parts.search.signatures import Signature
from ..schemas.subschemas import references
from ..text import literals

_HOMES = ("/components/schemas/", "/definitions/", "/$defs/")


def tell(
    api: Api,
    tools_json: bytes,
    places: Mapping[str, Callable[[str], Located | None]],
    diagnostics: Diagnostics,
) -> None:
    """Warn of each schema that is too large for a signature in the running server.

    `places` maps each API's key to a function that finds the place of a pointer in its document.
    """
    told: set[tuple[str, str]] = set()
    judged: set[tuple[str, bytes]] = set()
    for tool, wire in zip(api.tools, literals.parsed(tools_json)["tools"], strict=True):
        for schema, more in _schemas(tool, wire, api.schemas):
            text = literals.json_bytes(schema)
            if (key := (tool.api, text)) in judged:
                continue  # as many tools answer the same
            judged.add(key)
            root = {**schema, **more}
            if not more and b'Of":[' not in text:
                continue  # only alternatives multiply
            if not _is_over(root, root) or (tool.api, name := _innermost(root)) in told:
                continue
            told.add((tool.api, name))
            find = places[tool.api]
            homes = [find(f"{home}{name}") for home in _HOMES if name]
            at = next(filter(None, homes), None) or find(tool.pointer)
            what = f"the schema `{name}` is" if name else "its schema is"
            diagnostics.warning(
                "wide-schema",
                f"{what} too large for a signature: agents see `…` instead of it in `{tool.name}`",
                at,
                "Give it fewer nested alternatives.",
            )


def _schemas(
    tool: Tool, wire: Mapping[str, Any], pool: Mapping[str, Schema]
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The schemas of a tool's arguments and answers, with the definitions that they refer to."""
    yield wire["inputSchema"], {}
    if isinstance(tool.result, Mapping):
        yield tool.result, {"$defs": pool}


def _is_over(root: Schema, schema: Schema) -> bool:
    """Whether even the shortest signature of a schema exceeds the budget."""
    writer = Signature(root, 1, 0)
    writer.written(schema, "")
    return writer.is_over


def _innermost(root: Mapping[str, Any]) -> str:
    """The name of the innermost definition that exceeds the budget; empty if it is the root."""
    defs: Mapping[str, Schema] = root.get("$defs", {})
    schema: Schema = {key: value for key, value in root.items() if key != "$defs"}
    name, seen = "", set[str]()
    while True:
        keys = (key for key in sorted(references(schema) - seen) if key in defs)
        inner = next((key for key in keys if _is_over(root, defs[key])), None)
        if inner is None:
            return name
        seen.add(inner)
        name, schema = inner, defs[inner]
