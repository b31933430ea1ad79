"""Shortening inputSchemas that describe their arguments at great length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import Schema
from .cut import Cutter, Outline, size
from .definitions import definitions

_LEAST = 2
"""Levels that are always kept: the arguments themselves, and what is right inside them."""
_DEEPEST = 32


def shortened(
    root: dict[str, Any], max_bytes: int, pool: Mapping[str, Schema] | None = None
) -> dict[str, Any]:
    """An inputSchema of at most `max_bytes`, cut from the deepest level up; 0 is no limit.

    Deeper schemas keep their types and descriptions, so everything that was accepted still is. The
    arguments themselves are kept, even if that takes more bytes. `pool` is where the definitions
    are from: what is found out about them then helps with the next tool.
    """
    if not max_bytes or size(root) <= max_bytes:
        return root
    plain = {key: value for key, value in root.items() if key != "$defs"}
    cutter = Cutter(definitions(root.get("$defs", {}) if pool is None else pool))
    kept = None
    for levels in range(_LEAST, _DEEPEST):
        outline = cutter.cut(plain, levels, max_bytes, with_leaves=True)
        if outline is None or size(_whole(outline)) > max_bytes:
            break
        kept = outline
    if kept is None:
        kept = cutter.cut(plain, _LEAST, size(root), with_leaves=True)
    return root if kept is None else _whole(kept)


def _whole(outline: Outline) -> dict[str, Any]:
    root = {} if isinstance(outline.schema, bool) else dict(outline.schema)
    return {**root, "$defs": dict(outline.defs)} if outline.defs else root
