"""JSON Schema's dynamic scope: where a `$dynamicRef` points depends on how it was reached.

`$recursiveRef` and `$recursiveAnchor` of 2019-09 work the same way, with a nameless anchor at the
root of a schema.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..schemas.subschemas import VALUES
from ..source.document import Document, Node, ReferenceProblem
from ..text import pointer as pointers

Place = tuple[str, str]
"""A file and a pointer in it."""

Scope = frozenset[tuple[str, Place]]
"""For each dynamic anchor, the outermost schema on the way that has it."""

EMPTY: Scope = frozenset()

_MAX_VISITS = 200_000
"""After so many visits, every schema is assumed to depend on its scope: more definitions."""

_ANCHORS = ("$dynamicAnchor", "$recursiveAnchor")
_REFERENCES = ("$dynamicRef", "$recursiveRef")
_NAMING = ("/properties", "/patternProperties", "/dependentSchemas", "/$defs")
"""Keywords whose members have arbitrary names: a member called `default` is not data."""


class DynamicScopes:
    """Tracks the dynamic scope across schema resources (JSON Schema 2020-12 Core, 8.2.3.2).

    It costs nothing in a document without dynamic anchors.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._anchors: dict[Place, dict[str, Place]] = {}
        self._dynamic: dict[Place, bool] = {}
        self._anchored: dict[str, bool] = {}
        self._visits = 0

    def enter(self, node: Node, scope: Scope) -> Scope:
        """The dynamic scope inside the schema at a node; `scope` is the one outside."""
        if not self._has_anchors(node.file):
            return scope if scope and self._is_dynamic(node) else EMPTY
        if not self._is_dynamic(node):
            return EMPTY
        anchors = dict(self._resource_anchors(node))
        anchors.update(scope)
        return frozenset(anchors.items())

    def target(self, node: Node, reference: str, scope: Scope) -> Node:
        """The target of a dynamic reference; raises ReferenceProblem if it dangles."""
        first = node.follow(reference)
        anchor = reference.rpartition("#")[2]
        if _anchor(first.value) != anchor and (anchor or not _is_recursive(first.value)):
            return first
        outermost = dict(scope).get(anchor)
        return first if outermost is None else self._document.node(*outermost)

    def _has_anchors(self, file: str) -> bool:
        if file not in self._anchored:
            text = self._document.files[file].text
            self._anchored[file] = any(anchor in text for anchor in _ANCHORS)
        return self._anchored[file]

    def _resource_anchors(self, node: Node) -> dict[str, Place]:
        """The dynamic anchors of the schema resource that contains a node."""
        pointer = node.pointer
        root = self._document.node(node.file, pointer)
        while pointer and not (isinstance(root.value, dict) and "$id" in root.value):
            pointer = pointers.parent(pointer)
            root = self._document.node(node.file, pointer)
        place = (node.file, pointer)
        if place not in self._anchors:
            self._anchors[place] = dict(_anchors(root))
        return self._anchors[place]

    def _is_dynamic(self, node: Node) -> bool:
        """Whether a schema, or any schema it refers to, contains a dynamic reference."""
        place = (node.file, node.pointer)
        if place not in self._dynamic:
            self._dynamic[place] = self._reaches_dynamic(node)
        return self._dynamic[place]

    def _reaches_dynamic(self, start: Node) -> bool:
        """Whether a schema reaches a dynamic reference; caches False for all visited schemas."""
        places: set[Place] = set()
        stack = [start]
        while stack:
            node = stack.pop()
            place = (node.file, node.pointer)
            if place in places or self._dynamic.get(place) is False:
                continue
            places.add(place)
            self._visits += 1
            if self._visits > _MAX_VISITS or self._dynamic.get(place) or _is_dynamic_ref(node):
                return True
            if node.is_ref:
                with suppress(ReferenceProblem):
                    stack.append(node.target())
            stack.extend(_inner(node))
        self._dynamic.update(dict.fromkeys(places, False))
        return False


def _is_dynamic_ref(node: Node) -> bool:
    value = node.value
    return isinstance(value, dict) and any(isinstance(value.get(r), str) for r in _REFERENCES)


def _anchor(schema: Any) -> Any:
    return schema.get("$dynamicAnchor") if isinstance(schema, dict) else None


def _is_recursive(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("$recursiveAnchor") is True


def _anchors(root: Node) -> list[tuple[str, Place]]:
    anchors: list[tuple[str, Place]] = []
    if _is_recursive(root.value):
        anchors.append(("", (root.file, root.pointer)))
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node.value, dict) and "$id" in node.value and node.pointer != root.pointer:
            continue
        anchor = _anchor(node.value)
        if isinstance(anchor, str):
            anchors.append((anchor, (node.file, node.pointer)))
        stack.extend(_inner(node))
    return anchors


def _inner(node: Node) -> list[Node]:
    has_names = node.pointer.endswith(_NAMING)
    inner = [child for key, child in node.items() if has_names or key not in VALUES]
    return [child for child in (*inner, *node.elements()) if isinstance(child.value, (dict, list))]
