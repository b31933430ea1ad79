"""Shortening inputSchemas that describe their arguments at great length."""

from __future__ import annotations

from typing import Any

from .cut import Cutter, Outline, size
from .definitions import definitions

_LEAST = 2
"""Levels that are always kept: the arguments themselves, and what is right inside them."""
_DEEPEST = 32


def shortened(root: dict[str, Any], max_bytes: int) -> dict[str, Any]:
    """An inputSchema of at most `max_bytes`, cut from the deepest level up; 0 is no limit.

    Deeper schemas keep their types and descriptions, so everything that was accepted still is. The
    arguments themselves are kept, even if that takes more bytes.
    """
    if not max_bytes or size(root) <= max_bytes:
        return root
    pool = definitions(root.get("$defs", {}))
    plain = {key: value for key, value in root.items() if key != "$defs"}
    cutter = Cutter(pool)
    kept = cutter.cut(plain, _LEAST, size(root), with_leaves=True)
    for levels in range(_LEAST, _DEEPEST):
        outline = cutter.cut(plain, levels, max_bytes, with_leaves=True)
        if outline is None or size(_whole(outline)) > max_bytes:
            break
        kept = outline
    return root if kept is None else _whole(kept)


def _whole(outline: Outline) -> dict[str, Any]:
    root = {} if isinstance(outline.schema, bool) else dict(outline.schema)
    return {**root, "$defs": dict(outline.defs)} if outline.defs else root
