"""OpenAPI's `discriminator`: which value of a property goes with which alternative."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from ..api import Schema
from ..schemas import properties, resolve
from ..schemas.subschemas import REFERENCE, referred_key
from ..source.document import Node, ReferenceProblem
from .schema_keys import SCHEMA_HOLDERS

_NAME = re.compile(r"[A-Za-z0-9_-]+")


class Warn(Protocol):
    """Reports a problem at a node."""

    def __call__(self, node: Node, message: str) -> None:
        """Report it."""


def discriminator(
    node: Node, schema: Mapping[str, Any], key_at: Callable[[Node], str], warn: Warn
) -> dict[str, Any] | None:
    """The discriminator at a node for its converted schema; None where there are no alternatives.

    `mapping` is complete: for each alternative that is a reference, the values that stand for it,
    as references to definitions; `defaultMapping` is one too.
    """
    at = node.child("discriminator")
    name = at.value.get("propertyName") if isinstance(at.value, Mapping) else None
    if not isinstance(name, str):
        warn(at, "`discriminator` must have a `propertyName`; it is ignored")
        return None
    branches = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    keys = [key for branch in branches if (key := referred_key(branch)) is not None]
    if not keys:
        return None
    mapping = {value: key for value, key in _written(at, key_at, warn).items() if key in keys}
    for key in keys:
        if key not in mapping.values():
            mapping[key] = key
    found: dict[str, Any] = {
        "propertyName": name,
        "mapping": {value: REFERENCE + key for value, key in mapping.items()},
    }
    other = at.get("defaultMapping")
    if other is not None and (key := _key(other, key_at, warn)) in keys:
        found["defaultMapping"] = f"{REFERENCE}{key}"
    return found


def mapped(base: Node) -> Iterator[tuple[str, Node]]:
    """What the mapping of a schema's discriminator names, by value; nothing of what names none."""
    mapping = base.below("discriminator", "mapping")
    for value, item in mapping.items() if mapping is not None else ():
        named = _named(item) if isinstance(item.value, str) else None
        if named is not None:
            yield value, named


def is_pinned(schema: Mapping[str, Any], pool: Mapping[str, Schema]) -> bool:
    """Whether the alternatives themselves say which value of the property each has.

    Then validation alone tells them apart, and the discriminator adds nothing.
    """
    name = schema["discriminator"]["propertyName"]
    seen: set[str] = set()
    for branch in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        named = resolve(properties(branch, pool).get(name, True), pool)
        if isinstance(named, bool) or not {"const", "enum"} & named.keys():
            return False
        values = [named["const"]] if "const" in named else named["enum"]
        texts = {value for value in values if isinstance(value, str)}
        if len(texts) < len(values) or texts & seen:
            return False
        seen |= texts
    return True


def _written(at: Node, key_at: Callable[[Node], str], warn: Warn) -> dict[str, str]:
    items = at.optional("mapping").items()
    keys = {value: _key(item, key_at, warn) for value, item in items}
    return {value: key for value, key in keys.items() if key is not None}


def _key(item: Node, key_at: Callable[[Node], str], warn: Warn) -> str | None:
    """The key of the schema that a mapping's value names; what names none is reported."""
    if not isinstance(item.value, str):
        warn(item, "a discriminator's mapping must name a schema; it is ignored")
        return None
    named = _named(item)
    if named is None:
        warn(item, "a discriminator's mapping leads nowhere; it is ignored")
        return None
    return key_at(named)


def _named(item: Node) -> Node | None:
    """What a mapping's value names: a component by its name, or any schema by reference.

    A component of the document's main file, or else of the file that the mapping stands in.
    """
    for root in (item.document.root, item.document.node(item.file, "")):
        for holder in SCHEMA_HOLDERS:
            if (node := root.below(*holder, item.value)) is not None:
                return node
    if _NAME.fullmatch(item.value):
        return None
    try:
        return item.follow(item.value)
    except ReferenceProblem:
        return None
