"""`oneOf` in what tools take, where a server is more lenient than it.

A server takes a value that fits several branches, since what tells them apart may be words, or a
pattern or format that is not enforced (`runtime/parts/branches.py`). What is advertised is what is
accepted: `anyOf`. By 2020-12 no value at all may fit such a `oneOf`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from ...api import Schema
from ...samples.satisfiable import nothing_fits
from ...schemas.definitions import Definitions, definitions
from ...schemas.rules import Rules
from ...schemas.subschemas import HOLDERS, with_inner

_TURNED = ("not", "if")
"""Where more would be less."""
_MOST = 300
"""So many pairs of branches are compared."""


def as_taken(root: dict[str, Any], pool: Mapping[str, Schema]) -> dict[str, Any]:
    """An inputSchema with `anyOf` for each `oneOf` that servers take as that.

    `pool` has its definitions, and keeps what was found out of them.
    """
    kept = definitions(pool)
    changed: dict[str, Schema] = kept.memo.setdefault("as taken", {})
    named = root.get("$defs", {})
    for key, schema in named.items():
        if key not in changed:
            changed[key] = _changed(schema, kept)
    own = _changed({key: value for key, value in root.items() if key != "$defs"}, kept)
    assert isinstance(own, dict)
    return {**own, "$defs": {key: changed[key] for key in named}} if named else own


def _changed(schema: Schema, pool: Definitions) -> Schema:
    if isinstance(schema, bool) or HOLDERS.isdisjoint(schema):
        return schema
    inner = with_inner(schema, lambda each: _changed(each, pool))
    turned = {keyword: schema[keyword] for keyword in _TURNED if keyword in schema}
    whole = {**inner, **turned}
    if "anyOf" in whole or not _overlap(schema.get("oneOf", ()), pool):
        return whole
    return {"anyOf" if key == "oneOf" else key: value for key, value in whole.items()}


def _overlap(branches: Sequence[Schema], pool: Definitions) -> bool:
    """Whether a value may fit two branches, and no property tells them apart."""
    pairs = list(combinations(branches, 2))
    return len(pairs) <= _MOST and any(
        not _are_apart(one, other, pool) and not nothing_fits({"allOf": [one, other]}, pool)
        for one, other in pairs
    )


def _are_apart(one: Schema, other: Schema, pool: Definitions) -> bool:
    """Whether each requires a property of its own, or both have one that cannot fit both."""
    first, second = (Rules.of(each, pool) for each in (one, other))
    own, others = {*first.required}, {*second.required}
    if own - others and others - own:
        return True
    shared = first.properties.keys() & second.properties.keys()
    return any(
        nothing_fits(
            {"allOf": [each for each, _ in (*first.properties[n], *second.properties[n])]}, pool
        )
        for n in shared
    )
