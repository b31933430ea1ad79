"""Where a `oneOf` is advertised as `anyOf`.

An advertised schema must have valid values, and the server must accept each of them. mcpgen does
not enforce every keyword, for example a pattern of another regex engine, or a format. If only such
a keyword distinguishes the branches of a `oneOf`, then a value may fit several branches as
advertised, or no value may fit exactly one. Every other `oneOf` stays as in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from ..api import Schema
from ..samples.instances import Sampler
from ..samples.satisfiable import nothing_fits
from ..samples.scalars import NoSample
from ..schemas.definitions import Definitions, definitions
from ..schemas.rules import Rules
from ..schemas.subschemas import HOLDERS, with_inner
from ..source.document import Node

_TURNED = ("not", "if")
"""Keywords inside which a wider schema accepts less."""
_MAX_PAIRS = 300
"""The most pairs of branches that are compared."""


def open_choices(
    choices: Sequence[tuple[Node, dict[str, Any]]],
    pool: Mapping[str, Schema],
    is_weak: Callable[[Node], bool],
) -> None:
    """Turn `oneOf` into `anyOf` where only unenforced keywords may distinguish the branches.

    `is_weak` returns whether a branch has keywords that are not enforced.
    """
    kept = definitions(pool)
    for node, schema in choices:
        branches, nodes = schema.get("oneOf", ()), list(node.child("oneOf").elements())
        if len(nodes) != len(branches) or len(branches) ** 2 > 2 * _MAX_PAIRS:
            continue
        weak = [is_weak(each) for each in nodes]
        pairs = combinations(zip(branches, weak, strict=True), 2)
        if any((w or v) and _overlap(one, other, kept) for (one, w), (other, v) in pairs):
            opened = _opened(schema)
            schema.clear()
            schema |= opened


def as_taken(root: dict[str, Any], pool: Mapping[str, Schema]) -> dict[str, Any]:
    """A copy of the inputSchema in which `anyOf` replaces each `oneOf` that hardly any value fits.

    `pool` has the schema's definitions, and caches facts about them.
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
    return _opened(whole) if _excludes_all(schema.get("oneOf", ()), pool) else whole


def _opened(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the schema with `anyOf` in place of `oneOf`; an existing `anyOf` is kept."""
    if "anyOf" not in schema:
        return {"anyOf" if key == "oneOf" else key: value for key, value in schema.items()}
    rest = {key: value for key, value in schema.items() if key != "oneOf"}
    return {**rest, "allOf": [*schema.get("allOf", ()), {"anyOf": schema["oneOf"]}]}


def _excludes_all(branches: Sequence[Schema], pool: Definitions) -> bool:
    """Whether no sample value fits exactly one of the branches."""
    pairs = list(combinations(branches, 2))
    if len(pairs) > _MAX_PAIRS or not any(_overlap(one, other, pool) for one, other in pairs):
        return False
    sampler, whole = Sampler(pool), {"oneOf": [*branches]}
    try:
        return not sampler.checker.valid(sampler.sample(whole), whole)
    except NoSample:
        return False


def _overlap(one: Schema, other: Schema, pool: Definitions) -> bool:
    """Whether a value may fit both schemas although no property distinguishes them."""
    return not _are_apart(one, other, pool) and not nothing_fits({"allOf": [one, other]}, pool)


def _are_apart(one: Schema, other: Schema, pool: Definitions) -> bool:
    """Whether each requires a property that the other does not, or they conflict in a shared
    one.
    """
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
