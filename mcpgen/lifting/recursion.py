"""Turns recursive types into types that a type checker can check.

mypy refuses an alias that refers to itself, and a long chain of aliases. If aliases and types refer
to each other in cycles, mypy's time grows with the number of paths through the cycles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..schemas.graphs import strongly_connected
from .simple import Simple, references, substitute

_MAX_CHAIN = 12
_MAX_WEB = 24
"""Aliases in a web times its references beyond one circle: with more, aliases are written out."""
_MAX_TEXT = 4000


def settle(schemas: dict[str, Simple]) -> None:
    """Rewrite what a type checker cannot check: inline some aliases, turn others into `Any`."""
    _cut_chains(schemas)
    graph = {key: [name for name, _ in references(simple)] for key, simple in schemas.items()}
    for web in strongly_connected(graph):
        if len(web) > 1:
            _write_out(schemas, set(web))


def _cut_chains(schemas: dict[str, Simple]) -> None:
    """Turn an alias into `Any` if it refers to itself, or starts too long a chain of aliases."""
    open_: set[str] = set()
    depths: dict[str, int] = {}
    for start in schemas:
        if start in depths:
            continue
        open_.add(start)
        stack = [(start, _aliased(schemas, start))]
        while stack:
            key, rest = stack[-1]
            for following, direct in rest:
                if direct and following in open_:
                    schemas[key] = {}
                elif following not in open_ and following not in depths:
                    open_.add(following)
                    stack.append((following, _aliased(schemas, following)))
                    break
            else:
                open_.discard(key)
                stack.pop()
                below = [depths.get(name, 0) for name, _ in _aliased(schemas, key)]
                depths[key] = max(below, default=-1) + 1
                if depths[key] > _MAX_CHAIN:
                    schemas[key], depths[key] = {}, 0


def _aliased(schemas: Mapping[str, Simple], key: str) -> Iterator[tuple[str, bool]]:
    """The names that an alias refers to; none for a class.

    Each comes with True if the alias refers to it directly or in a union, not further inside.
    """
    simple = schemas[key]
    if "properties" not in simple:
        yield from ((name, direct) for name, direct in references(simple) if name in schemas)


def _write_out(schemas: dict[str, Simple], web: set[str]) -> None:
    """Inline the aliases in `web`, a set of schemas in cycles, if it has too many references."""
    aliases = {key for key in web if "properties" not in schemas[key]}
    links = sum(name in web for key in web for name, _ in references(schemas[key]))
    if len(aliases) * (links - len(web)) <= _MAX_WEB:
        return
    meanings: dict[str, Simple] = {}

    def meaning(key: str) -> Simple:
        if key not in aliases:
            return {"$ref": key}
        if key not in meanings:
            meanings[key] = {}
            schema = substitute(schemas[key], meaning)
            meanings[key] = schema if len(repr(schema)) <= _MAX_TEXT else {}
        return meanings[key]

    for key in sorted(web):
        schemas[key] = meaning(key) if key in aliases else substitute(schemas[key], meaning)
