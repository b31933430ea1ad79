"""Sorts schemas, under their final names, so that each follows those that it refers to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..lifting.simple import Simple, references

REF = "#/components/schemas/"

Schemas = Mapping[str, Simple]


def dependencies_first(schemas: Schemas) -> Schemas:
    """The schemas, each after the schemas that it refers to, so that few type names need quotes."""
    ordered: dict[str, Simple] = {}
    names: set[str] = set()
    for start in schemas:
        if start in names:
            continue
        names.add(start)
        stack = [(start, _names(schemas[start]))]
        while stack:
            name, rest = stack[-1]
            for following in rest:
                if following not in names:
                    names.add(following)
                    stack.append((following, _names(schemas[following])))
                    break
            else:
                ordered[name] = schemas[name]
                stack.pop()
    return ordered


def _names(schema: Simple) -> Iterator[str]:
    return (name.removeprefix(REF) for name, _ in references(schema))
