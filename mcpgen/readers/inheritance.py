"""Schemas that extend, by `allOf`, one with a `discriminator` (OpenAPI 3.1.1, 4.8.25.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..source.document import Document, Node, ReferenceProblem
from .schema_keys import SCHEMA_HOLDERS

_MOST = 40
"""A base of more than that is one of everything, such as a resource with an `id`."""

Place = tuple[str, str]


class Extensions:
    """Which named schemas of a document extend which."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._files: dict[str, dict[Place, list[Node]]] = {}

    def of(self, base: Node) -> dict[str, Node]:
        """What extends a base, by its value of the discriminator; nothing where that is too much.

        A schema's value is its name, in Azure's documents its `x-ms-discriminator-value`. What
        extends a schema that has a discriminator too is found there.
        """
        found: dict[str, Node] = {}
        todo = [base]
        while todo:
            for node in self._direct(todo.pop()):
                value = node.value.get("x-ms-discriminator-value", node.key)
                if not isinstance(value, str) or value in found:
                    continue
                found[value] = node
                if "discriminator" not in node.value:
                    todo.append(node)
            if len(found) > _MOST:
                return {}
        return found

    def _direct(self, base: Node) -> Iterator[Node]:
        for file in dict.fromkeys((base.file, self._document.root.file)):
            if file not in self._files:
                self._files[file] = _extending(self._document.node(file, ""))
            yield from self._files[file].get((base.file, base.pointer), ())


def _extending(root: Node) -> dict[Place, list[Node]]:
    """The named schemas of a file by the places of what they extend."""
    found: dict[Place, list[Node]] = {}
    for node in _named(root):
        parts = node.get("allOf") if isinstance(node.value, Mapping) else None
        for part in parts.elements() if parts is not None else ():
            try:
                target = part.target()
            except ReferenceProblem:
                continue
            found.setdefault((target.file, target.pointer), []).append(node)
    return found


def _named(root: Node) -> Iterator[Node]:
    for holder in SCHEMA_HOLDERS:
        if (node := root.below(*holder)) is not None:
            yield from (child for _, child in node.items())
