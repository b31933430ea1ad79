"""Inlines each definition to which there is only one reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from ..api import Schema
from ..text.literals import alike
from .subschemas import ANNOTATIONS, HOLDERS, REFERENCE, references, referred_key, walk, with_inner

_CHOICES = ("anyOf", "oneOf")
_NAMED = frozenset({"$ref", *ANNOTATIONS})
"""Siblings that a reference may have if a definition is to replace it."""
_MAX_DEPTH = 16
"""The most levels to which definitions are moved, since JSON parsers limit nesting."""


def inlined(root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema in which each definition with a single reference replaces that reference.

    An alternative of a choice gets the definition's name as its title. A definition stays in place
    if it is the target of a discriminator (OpenAPI 3.2.0, section 4.25), or if the keywords beside
    its reference cannot be merged into it: those that are not annotations, and annotations whose
    values differ. Descriptions are an exception: they are merged even if they differ.
    """
    pool: Mapping[str, Schema] = root.get("$defs", {})
    whole = {key: value for key, value in root.items() if key != "$defs"}
    once = _once([whole, *pool.values()]) & pool.keys()
    if not once:
        return root
    inliner = _Inliner(pool, once)
    out = inliner.put_into(whole)
    definitions: dict[str, Schema] = {}
    waiting = [out]
    while waiting:
        new = (references(waiting.pop()) & pool.keys()) - definitions.keys()
        definitions |= {key: inliner.put_into(pool[key]) for key in new}
        waiting += [definitions[key] for key in new]
    rest = {key: definitions[key] for key in pool if key in definitions}
    return {**out, "$defs": rest} if rest else out


def _once(schemas: Iterable[Schema]) -> set[str]:
    """The keys that have exactly one reference and are not targets of a discriminator."""
    times: Counter[str] = Counter()
    mapped: set[str] = set()
    for part in chain.from_iterable(map(walk, schemas)):
        key = referred_key(part)
        if key is not None:
            times[key] += 1
        discriminator = part.get("discriminator")
        if isinstance(discriminator, Mapping):
            values = [
                discriminator.get("defaultMapping"),
                *discriminator.get("mapping", {}).values(),
            ]
            mapped |= {value.removeprefix(REFERENCE) for value in values if value}
    return {key for key, count in times.items() if count == 1} - mapped


class _Inliner:
    """Replaces references by their definitions if there is no other reference to them."""

    def __init__(self, pool: Mapping[str, Schema], once: set[str]) -> None:
        self._pool = pool
        self._once = once

    def put_into(self, schema: Schema, room: int = _MAX_DEPTH) -> Any:
        """The schema with the targets of its references inlined, at most `room` levels deep."""
        if isinstance(schema, bool) or ("$ref" not in schema and HOLDERS.isdisjoint(schema)):
            return schema
        key = referred_key(schema)
        target = self._pool[key] if room > 0 and key in self._once else True
        if not isinstance(target, bool) and _is_named(schema, target):
            return self.put_into(_merged(schema, target), room - 1)
        return with_inner(self._with_titles(schema), lambda inner: self.put_into(inner, room - 1))

    def _with_titles(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema, with a title on each alternative of a choice."""
        choices = [keyword for keyword in _CHOICES if len(schema.get(keyword, ())) > 1]
        forms = {keyword: [self._titled(form) for form in schema[keyword]] for keyword in choices}
        return {**schema, **forms} if forms else schema

    def _titled(self, form: Schema) -> Schema:
        key = referred_key(form)
        target = self._pool[key] if key in self._once else True
        if isinstance(form, bool) or isinstance(target, bool):
            return form
        return {"title": target.get("title", key), **form}


def _is_named(schema: Mapping[str, Any], target: Mapping[str, Any]) -> bool:
    """Whether a reference's target, merged with the reference's siblings, can replace it."""
    if not schema.keys() <= _NAMED:
        return False
    both = schema.keys() & target.keys() - {"$ref", "description"}
    return all(alike(schema[name], target[name]) for name in both)


def _merged(schema: Mapping[str, Any], target: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a reference's target, with the keywords beside the reference.

    These win over those of the target, except that both descriptions are kept.
    """
    beside = {name: value for name, value in schema.items() if name != "$ref"}
    own, general = beside.get("description", ""), target.get("description", "")
    if own and general not in own:
        beside["description"] = general if own in general else f"{own}\n\n{general}"
    return {**beside, **target, **beside}
