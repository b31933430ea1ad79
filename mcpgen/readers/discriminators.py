"""OpenAPI's `discriminator`: maps the values of a property to alternative schemas."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..api import Schema
from ..schemas import properties
from ..schemas.rules import Rules
from ..schemas.subschemas import REFERENCE, referred_key
from ..source.document import Node, ReferenceProblem
from .schema_keys import SCHEMA_HOLDERS

_NAME = re.compile(r"[A-Za-z0-9_-]+")


Warn = Callable[[Node, str], None]
"""Reports a problem at a node."""


def discriminator(
    node: Node, schema: Mapping[str, Any], key_at: Callable[[Node], str], warn: Warn
) -> dict[str, Any] | None:
    """The discriminator at a node, for the node's converted schema.

    None without a `propertyName`, or if no alternative is a reference. The `mapping` has a value
    for each alternative that is a reference. `mapping` and `defaultMapping` refer to definitions,
    never to component names.
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
    others = _others(node, key_at)

    def alternative(item: Node) -> str | None:
        """The key of the alternative to which an entry of the mapping refers; None if there is
        none.
        """
        target = _mapped(item, warn)
        return None if target is None else _one_of(keys, target, key_at, others)

    mapping: dict[str, str] = {}
    for value, item in at.optional("mapping").items():
        if (key := alternative(item)) is not None:
            mapping[value] = key
    for key in keys:
        if key not in mapping.values():
            mapping[key] = key
    keywords: dict[str, Any] = {
        "propertyName": name,
        "mapping": {value: REFERENCE + key for value, key in mapping.items()},
    }
    default = at.get("defaultMapping")
    if default is not None and (key := alternative(default)) is not None:
        keywords["defaultMapping"] = f"{REFERENCE}{key}"
    return keywords


def mapped(base: Node) -> Iterator[tuple[str, Node]]:
    """The values in the mapping of a schema's discriminator, each with the schema it selects."""
    mapping = base.below("discriminator", "mapping")
    for value, item in mapping.items() if mapping is not None else ():
        target = _target(item) if isinstance(item.value, str) else None
        if target is not None:
            yield value, target


def is_pinned(schema: Mapping[str, Any], pool: Mapping[str, Schema]) -> bool:
    """Whether each alternative restricts the discriminator's property to values of its own.

    Then validation alone distinguishes the alternatives, and the discriminator adds nothing.
    """
    name = schema["discriminator"]["propertyName"]
    earlier: set[str] = set()
    for branch in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        values = Rules.of(properties(branch, pool).get(name, True), pool).values
        texts = {value for value in values or () if isinstance(value, str)}
        if values is None or len(texts) < len(values) or texts & earlier:
            return False
        earlier |= texts
    return True


def _mapped(item: Node, warn: Warn) -> Node | None:
    """The schema that an entry of the mapping names; None, with a warning, if it is missing."""
    if not isinstance(item.value, str):
        warn(item, "a discriminator's mapping must name a schema; it is ignored")
        return None
    target = _target(item)
    if target is None:
        warn(item, "a discriminator's mapping leads nowhere; it is ignored")
    return target


def _one_of(
    keys: Collection[str], target: Node, key_at: Callable[[Node], str], others: Mapping[Node, str]
) -> str | None:
    """The key of the alternative that leads to the same schema as `target`; else None."""
    key: str | None = key_at(target)
    if key not in keys:
        key = others.get(end_of(target))
    return key if key in keys else None


def _others(node: Node, key_at: Callable[[Node], str]) -> dict[Node, str]:
    """For each schema to which an alternative finally refers, the key of that alternative."""
    keys: dict[Node, str] = {}
    for keyword in ("oneOf", "anyOf"):
        for branch in node.optional(keyword).elements():
            with suppress(ReferenceProblem):
                if branch.is_ref:
                    keys.setdefault(end_of(branch), key_at(branch.target()))
    return keys


def end_of(node: Node) -> Node:
    """The schema at the end of a chain of references, or the node itself if the chain is broken."""
    with suppress(ReferenceProblem):
        return node.resolve()
    return node


def _target(item: Node) -> Node | None:
    """The schema that a mapping's value names, as a component or by reference; None if missing.

    A component is looked up in the document's main file, then in the file that has the mapping.
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
