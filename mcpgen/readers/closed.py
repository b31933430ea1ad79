"""Objects that are closed to what they require: no value is good.

`additionalProperties` only knows the `properties` and `patternProperties` of its own schema (JSON
Schema 2020-12 Core, 10.3.2.3), and each schema of an `allOf` has its say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..diagnostics import GenerationError
from ..source.document import Node, ReferenceProblem

_MOST = 64
"""Of a schema of more parts nothing is said: references may go round, or multiply."""


def forbids_required(node: Node, *, siblings: bool) -> bool:
    """Whether an object requires a property that it forbids.

    `siblings`: keywords beside `$ref` count. What a schema of its `allOf` contradicts by itself is
    to be told of that schema.
    """
    members = node.optional("allOf").elements()
    return _contradicts(node, siblings) and not any(
        _contradicts(each, siblings) for each in members
    )


def _contradicts(node: Node, siblings: bool) -> bool:
    parts: list[Node] = []
    _collect(node, siblings, parts)
    if len(parts) > _MOST or not _are_objects(parts):
        return False
    needs = [[part.value] for part in parts]
    needs += [choice for part in parts for choice in _choices(part)]
    closed = (
        part.value.get("properties") or {}
        for part in parts
        if part.value.get("additionalProperties") is False and "patternProperties" not in part
    )
    return any(all(_misses(source, known) for source in need) for known in closed for need in needs)


def _collect(node: Node, siblings: bool, parts: list[Node]) -> None:
    """The schemas that a value has to fit, each of them the keywords of one object."""
    if len(parts) > _MOST or not isinstance(node.value, Mapping):
        return
    if not node.is_ref or siblings:
        parts.append(node)
    if node.is_ref:
        if (target := _target(node)) is not None:
            _collect(target, siblings, parts)
        if not siblings:
            return
    for member in node.optional("allOf").elements():
        _collect(member, siblings, parts)


def _choices(part: Node) -> Iterator[list[Mapping[str, Any]]]:
    """What `anyOf` and `oneOf` let choose from."""
    for keyword in ("anyOf", "oneOf"):
        found = [_target(each) for each in part.optional(keyword).elements()]
        sources = [each.value for each in found if each is not None]
        if found and all(isinstance(source, Mapping) for source in sources):
            yield sources if len(sources) == len(found) else [{}]


def _target(node: Node) -> Node | None:
    try:
        return node.target()
    except (ReferenceProblem, GenerationError):
        return None  # told where the reference is followed to be read


def _misses(source: Mapping[str, Any], known: Any) -> bool:
    required = source.get("required")
    if not isinstance(required, list) or not isinstance(known, Mapping):
        return False  # told with the other keywords that are none
    return any(isinstance(name, str) and name not in known for name in required)


def _are_objects(parts: list[Node]) -> bool:
    """Whether only objects fit: what a value of another type has is no property."""
    types = [part.value["type"] for part in parts if "type" in part]
    nullable = [part for part in parts if "type" in part and _is_nullable(part.value)]
    return bool(types) and set(map(str, types)) == {"object"} and len(nullable) < len(types)


def _is_nullable(source: Mapping[str, Any]) -> bool:
    return any(source.get(name) is True for name in ("nullable", "x-nullable"))
