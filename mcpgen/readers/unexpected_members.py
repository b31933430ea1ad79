"""Members of objects that a schema provides nothing for, and the names of those that it does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..text.pointer import unescape

KEYWORDS = frozenset(("additionalProperties", "unevaluatedProperties"))
"""The keywords that are violated by a member that nothing provides for."""
_WORDS = re.compile(r"\^\((?:\?:)?(\w+(?:\|\w+)*)\)\$")
"""A pattern of names that does nothing but list them."""

_Path = tuple[str | int, ...]


class Broken:
    """The places of violations, and the keywords violated there."""

    def __init__(self, violations: Iterable[tuple[Iterable[str | int], str]]) -> None:
        self._around: dict[_Path, set[_Path]] = defaultdict(set)
        for path, keyword in violations:
            place = (*path, keyword)
            for length in range(len(place)):
                self._around[place[:length]].add(place)

    def unexpected(
        self, path: Iterable[str | int], members: Iterable[str], names: set[str]
    ) -> Iterator[str]:
        """The `members` that nothing provides for, as a violation at a path says.

        One with a name of `names` only if nothing else is wrong in the object: what provides for it
        may just not hold (JSON Schema 2020-12, 11.3).
        """
        is_alone = len(self._around[tuple(path)]) == 1
        return (member for member in members if is_alone or member not in names)


def expected(path: Iterable[str | int], schema: Mapping[str, Any]) -> set[str]:
    """The names of the members that the part of `schema` at a path provides for."""
    node: Any = schema
    for token in path:
        node = node[token]
    return set(_names(node, schema))


def _names(node: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """The names that a schema of an object, and those that are applied with it, have."""
    if not isinstance(node, dict):
        return
    yield from node.get("properties", ())
    for pattern in node.get("patternProperties", ()):
        if listed := _WORDS.fullmatch(pattern):
            yield from listed[1].split("|")
    inner = [*node.get("dependentSchemas", {}).values(), node.get("then"), node.get("else")]
    for keyword in ("allOf", "anyOf", "oneOf"):
        inner += node.get(keyword, ())
    if "$ref" in node:
        inner.append(_at(node["$ref"], schema))
    for each in inner:
        yield from _names(each, schema)


def _at(reference: str, schema: Mapping[str, Any]) -> Any:
    node: Any = schema
    for token in reference.split("/")[1:]:
        node = node[unescape(token)]
    return node
