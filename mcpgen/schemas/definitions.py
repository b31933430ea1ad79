"""A pool of schemas by key, with caches of facts about each schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..api import Schema
from .subschemas import references


class Definitions(Mapping[str, Schema]):
    """Schemas by key, in the order of their keys.

    Schemas may be added, but never replaced. A schema is only added together with everything it
    refers to, so cached results remain valid.
    """

    def __init__(self, schemas: Mapping[str, Schema] | None = None) -> None:
        self._schemas: dict[str, Schema] = dict(schemas or {})
        self._sorted: list[str] = []
        self._references: dict[str, frozenset[str]] = {}
        self._views: dict[str, View] = {}
        self.sends_required = False
        """Whether a required read-only property may be sent, as in OpenAPI 3.1 (not in 3.0)."""
        self.memo: dict[Any, Any] = {}
        """Results of the functions over schemas, under keys that begin with the function's name."""

    def __getitem__(self, key: str) -> Schema:
        return self._schemas[key]

    def __contains__(self, key: object) -> bool:
        return key in self._schemas

    def __iter__(self) -> Iterator[str]:
        if len(self._sorted) != len(self._schemas):
            self._sorted = sorted(self._schemas)
        return iter(self._sorted)

    def __len__(self) -> int:
        return len(self._schemas)

    def add(self, key: str, schema: Schema) -> None:
        """Add a schema under a key."""
        self._schemas[key] = schema

    def references(self, key: str) -> frozenset[str]:
        """The keys of this pool that a definition refers to directly."""
        cached = self._references.get(key)
        if cached is None:
            cached = frozenset(name for name in references(self[key]) if name in self)
            self._references[key] = cached
        return cached

    def closure(self, start: Iterable[str]) -> set[str]:
        """The given keys, and all keys that their schemas reach by references."""
        keys = {key for key in start if key in self}
        stack = list(keys)
        while stack:
            new = self.references(stack.pop()) - keys
            keys |= new
            stack.extend(new)
        return keys

    def view(self, name: str, change: Callable[[Schema], Schema]) -> View:
        """A view with the same keys, in which each schema is changed on first access."""
        if name not in self._views:
            self._views[name] = View(self, name, change)
        return self._views[name]


class View(Definitions):
    """Definitions that are computed from others when they are first used."""

    def __init__(self, base: Definitions, name: str, change: Callable[[Schema], Schema]) -> None:
        super().__init__()
        self.base = base
        self.sends_required = base.sends_required
        self.name = name
        self._change = change

    def __getitem__(self, key: str) -> Schema:
        if key not in self._schemas:
            self._schemas[key] = self._change(self.base[key])
        return self._schemas[key]

    def __contains__(self, key: object) -> bool:
        return key in self.base

    def __iter__(self) -> Iterator[str]:
        return iter(self.base)

    def __len__(self) -> int:
        return len(self.base)


def definitions(pool: Mapping[str, Schema]) -> Definitions:
    """The pool itself if it is a `Definitions`, else a new `Definitions` with the same schemas."""
    return pool if isinstance(pool, Definitions) else Definitions(pool)
