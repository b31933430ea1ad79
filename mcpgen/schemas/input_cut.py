"""Shortening inputSchemas with very long descriptions of their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import Schema
from ..runtime.parts.search.texts import gist
from ..text.literals import sentence
from .cut import Outline, cut, size, stub
from .definitions import Definitions, definitions
from .subschemas import with_inner

_MIN_LEVELS = 2
"""Levels that are always kept first: the arguments, and the level inside them."""
_MAX_LEVELS = 32


def shortened(
    root: dict[str, Any], max_bytes: int, pool: Mapping[str, Schema] | None = None
) -> dict[str, Any]:
    """An inputSchema cut to `max_bytes` (0: no limit), or to the shortest form that is possible.

    It is cut from the deepest level up. If its first two levels alone are too long, it is cut in
    three steps: the descriptions of optional arguments are cut to one sentence; optional arguments
    only keep their types; required arguments only keep their types and one sentence. It still
    accepts every value that it accepted before. `pool` has the definitions; what is computed about
    them is reused for the next tool.
    """
    if not max_bytes or size(root) <= max_bytes:
        return root
    plain = {key: value for key, value in root.items() if key != "$defs"}
    whole = definitions(root.get("$defs", {}) if pool is None else pool)
    return _deepest(plain, whole, max_bytes) or _least(plain, whole, size(root), max_bytes)


def with_gists(root: Mapping[str, Any]) -> dict[str, Any]:
    """An inputSchema with shorter descriptions: their first sentence, and rules that they state."""

    def brief(schema: Any) -> Any:
        if not isinstance(schema, Mapping):
            return schema
        text = schema.get("description")
        own = {"description": gist(text)} if isinstance(text, str) else {}
        return {**with_inner(schema, brief), **own}

    defs = {key: brief(each) for key, each in root.get("$defs", {}).items()}
    return {**with_inner(root, brief), **({"$defs": defs} if defs else {})}


def _deepest(plain: dict[str, Any], pool: Definitions, max_bytes: int) -> dict[str, Any] | None:
    """The schema with as many levels as fit; None if even two levels do not fit."""
    deepest = None
    for levels in range(_MIN_LEVELS, _MAX_LEVELS):
        outline = cut(plain, pool, levels, max_bytes, with_leaves=True)
        if outline is None or size(_whole(outline)) > max_bytes:
            break
        deepest = _whole(outline)
    return deepest


def _least(plain: dict[str, Any], pool: Definitions, room: int, max_bytes: int) -> dict[str, Any]:
    """The first of several shorter schemas that fits in `max_bytes`, or else the shortest."""
    stubs = {n: stub(schema, pool) for n, schema in plain.get("properties", {}).items()}
    types = {name: _without_text(stubs[name]) for name in _optional(plain)}
    bare = _with_arguments(plain, types)
    outlines = (cut(each, pool, _MIN_LEVELS, room, with_leaves=True) for each in (plain, bare))
    whole, typed = (plain if each is None else _whole(each) for each in outlines)
    brief = {name: _brief(schema) for name, schema in _optional(whole).items()}
    last = _with_arguments(plain, {name: _brief(each) for name, each in stubs.items()} | types)
    steps = (whole, _with_arguments(whole, brief), typed, last)
    return next((step for step in steps if size(step) <= max_bytes), last)


def _optional(root: Mapping[str, Any]) -> dict[str, Schema]:
    required = root.get("required", ())
    return {k: v for k, v in root.get("properties", {}).items() if k not in required}


def _with_arguments(root: dict[str, Any], arguments: Mapping[str, Schema]) -> dict[str, Any]:
    return {**root, "properties": {**root.get("properties", {}), **arguments}}


def _without_text(schema: Schema) -> Schema:
    if isinstance(schema, bool):
        return schema
    return {key: value for key, value in schema.items() if key != "description"}


def _brief(schema: Schema) -> Schema:
    if isinstance(schema, bool) or "description" not in schema:
        return schema
    return {**schema, "description": sentence(str(schema["description"]))}


def _whole(outline: Outline) -> dict[str, Any]:
    root = {} if isinstance(outline.schema, bool) else dict(outline.schema)
    return {**root, "$defs": dict(outline.defs)} if outline.defs else root
