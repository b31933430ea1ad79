"""Schemas whose `allOf` extends a schema with a `discriminator` (OpenAPI 3.1.1, 4.8.25.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..source.document import Document, Node, ReferenceProblem
from .discriminators import mapped
from .schema_keys import SCHEMA_HOLDERS

_MAX_EXTENSIONS = 40
"""A schema with more extensions is a base of everything, such as a resource with an `id`."""

Place = tuple[str, str]


class Extensions:
    """Finds the named schemas of a document that extend a given schema."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._files: dict[str, dict[Place, list[Node]]] = {}

    def of(self, base: Node) -> dict[str, Node]:
        """The extensions of a base by discriminator value; empty if there are too many.

        The value for an extension is its schema's name, or in Azure's documents its
        `x-ms-discriminator-value`. Extensions of an extension are found too, unless it has its own
        discriminator. Extensions in further files are found if the base's own `mapping` names them.
        """
        extensions: dict[str, Node] = {}
        todo = [base]
        while todo:
            for value, node in self._direct(todo.pop()):
                if not isinstance(value, str) or value in extensions:
                    continue
                extensions[value] = node
                if "discriminator" not in _target(node).value:
                    todo.append(_target(node))
            if len(extensions) > _MAX_EXTENSIONS:
                return {}
        return extensions

    def has_any(self, base: Node) -> bool:
        """Whether any schema extends a base."""
        return next(self._direct(base), None) is not None

    def _direct(self, base: Node) -> Iterator[tuple[Any, Node]]:
        """Each schema that directly extends a base, with its discriminator value."""
        place = (base.file, base.pointer)
        further = {
            _target(node): (value, node) for value, node in mapped(base) if place in _extended(node)
        }
        for file in dict.fromkeys((base.file, self._document.root.file)):
            if file not in self._files:
                self._files[file] = _extending(self._document.node(file, ""))
            for node in self._files[file].get(place, ()):
                meant = _target(node)
                _, extension = further.pop(meant, ("", node))
                yield meant.value.get("x-ms-discriminator-value", node.key), extension
        yield from further.values()


def _extending(root: Node) -> dict[Place, list[Node]]:
    """The named schemas of a file, by the locations of the schemas that they extend."""
    extensions: dict[Place, list[Node]] = {}
    for node in _component_schemas(root):
        for place in _extended(node):
            extensions.setdefault(place, []).append(node)
    return extensions


def _extended(node: Node) -> Iterator[Place]:
    """The locations of the schemas that an `allOf` refers to; inline schemas are skipped."""
    meant = _target(node)
    parts = meant.get("allOf") if isinstance(meant.value, Mapping) else None
    for part in filter(lambda each: each.is_ref, parts.elements() if parts is not None else ()):
        with suppress(ReferenceProblem):
            target = part.resolve()
            yield target.file, target.pointer


def _target(node: Node) -> Node:
    """The schema in another file that a named schema refers to; else the named schema itself."""
    with suppress(ReferenceProblem):
        target = node.target()
        return target if target.file != node.file else node
    return node


def _component_schemas(root: Node) -> Iterator[Node]:
    for holder in SCHEMA_HOLDERS:
        if (node := root.below(*holder)) is not None:
            yield from (child for _, child in node.items())
