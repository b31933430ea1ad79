"""Gives every object and long enumeration of an API a named schema, named after its place.

The result uses few keywords (see `simple`); models and the annotations of handlers are made from
it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct, field

from ..api import Api, Schema
from ..schemas.rules import Rules
from ..schemas.types import ALL, type_of, with_integers
from ..text.literals import alike
from ..text.pointer import escape
from .labels import labels
from .recursion import settle
from .shapes import Place, Reader, Shape, Sub, argument, component, is_trivial, result, scalar
from .simple import Simple, union

_MAX_DEPTH = 24
_MAX_VALUES = 200
_MAX_VALUE_LENGTH = 70
_MAX_SCHEMAS = 20_000
_INLINE_LENGTH = 66
"""A `Literal` longer than this has a name."""

Roots = tuple[tuple[Schema, Simple], ...]
"""Schemas as the API has them, and simplified."""


class Lifted(Struct, frozen=True):
    """The schemas of an API that will become Python types."""

    schemas: Mapping[str, Simple] = field(default_factory=dict)
    """By the key of their place."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """By their key, components before lifted ones."""
    roots: Mapping[str, Mapping[str, Roots]] = field(default_factory=dict)
    """By tool, and in it by argument and `result`."""


def lift(api: Api, names: Collection[str] = ()) -> Lifted:
    """Simplify every schema that the API's tools use.

    `names` contains the places of types that already have names.
    """
    own = frozenset("/".join(key.split("/")[:3]) for key in names)
    lifter = Lifter(api.schemas)
    roots: dict[str, dict[str, Roots]] = {}
    for tool in api.tools:
        tool_roots: dict[str, Roots] = {}
        for arg in tool.arguments:
            simple = lifter.unnamed(arg.schema)
            if simple is None:
                simple = lifter.value(arg.schema, argument(tool.name, arg, api.schemas, own))
            tool_roots[arg.name] = ((arg.schema, simple),)
        if tool.result is not None:
            simple = lifter.value(tool.result, result(tool.name))
            tool_roots["result"] = (*tool_roots.get("result", ()), (tool.result, simple))
        roots[tool.name] = tool_roots
    lifter.run()
    settle(lifter.schemas)
    order = {escape(key): index for index, key in enumerate(api.schemas)}
    keys = sorted(lifter.schemas, key=lambda key: order.get(key, len(order)))
    return Lifted(
        {key: lifter.schemas[key] for key in keys},
        {key: lifter.places[key] for key in keys},
        roots,
    )


class Lifter:
    """Simplifies the schemas of a pool; uses a queue instead of recursion."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self.reader = Reader(pool)
        self.schemas: dict[str, Simple] = {}
        self.places: dict[str, Place] = {}
        self._keys = {component(key).name: key for key in pool}
        self._sources: dict[str, Schema | Shape] = {}
        self._queue: deque[tuple[Place, Schema | Shape]] = deque()
        self._conjunctions: dict[frozenset[str | int], list[tuple[str, Simple]]] = {}
        """By the schemas that they are of: where conjunctions stand, and what they are."""

    def run(self) -> None:
        """Simplify everything in the queue."""
        while self._queue:
            place, source = self._queue.popleft()
            if isinstance(source, Shape):
                self.schemas[place.key] = self._object(source, place)
            else:
                shape = self.reader.shape(source, place)
                self.schemas[place.key] = self._shape(shape, place, owner=True)

    def value(self, schema: Schema, place: Place, depth: int = 0) -> Simple:
        """Simplify the schema at `place`."""
        if depth > _MAX_DEPTH:
            return {}
        unnamed = self.unnamed(schema)
        if unnamed is not None:
            return unnamed
        key = self._keys.get(place.name)
        if key is not None and alike(self.reader.pool[key], schema):
            return self._component(key)
        return self._shape(self.reader.shape(schema, place), place, depth)

    def unnamed(self, schema: Schema) -> Simple | None:
        """The simplified schema, if nothing in it needs its own name."""
        if not isinstance(schema, Mapping):
            return {}
        if (name := scalar(schema)) is not None:
            return {"type": name}
        if (key := self.reader.alias(schema)) is not None:
            return self._component(key)
        return None

    def _component(self, key: str) -> Simple:
        """Refer to a named schema; a schema that is only an alias is replaced by its target."""
        passed = {key}
        while (other := self.reader.alias(self.reader.pool[key])) is not None:
            if other in passed:
                return {}
            passed.add(other)
            key = other
        return self._refer(component(key), self.reader.pool[key])

    def _refer(self, place: Place, source: Schema | Shape) -> Simple:
        """Register a schema under a place, and return a `$ref` to it.

        If a different schema already has the place, a place one step below is used. Once there are
        too many schemas, the result allows any object instead.
        """
        while (other := self._sources.get(place.key)) is not None:
            if other is source or other == source:
                return {"$ref": place.key}
            place = place.child("other", "Other")
        if len(self.places) >= _MAX_SCHEMAS:
            return {"type": "object", "additionalProperties": {}}
        self.places[place.key] = place
        self._sources[place.key] = source
        self._queue.append((place, source))
        return {"$ref": place.key}

    def _shape(self, shape: Shape, place: Place, depth: int = 0, *, owner: bool = False) -> Simple:
        """Simplify a shape; `owner` is true if the result is the schema named after `place`."""
        if shape.values is not None:
            return self._enumeration(shape, place, owner=owner)
        if shape.properties and (shape.types is None or "object" in shape.types):
            return self._structure(shape, place, owner=owner)
        if shape.choices:
            return self._choice(shape, place, depth, owner=owner)
        if shape.types is None:
            return {}
        return union(
            self._typed(name, shape, place, depth) for name in sorted(shape.types, key=_rank)
        )

    def _typed(self, name: str, shape: Shape, place: Place, depth: int) -> Simple:
        if name == "array":
            return {"type": "array", "items": self._each(shape.items, "Item", place, depth)}
        if name == "object":
            values = self._each(shape.extras, "Value", place, depth)
            return {"type": "object", "additionalProperties": values}
        return {"type": name}

    def _each(self, groups: list[list[Sub]], label: str, place: Place, depth: int) -> Simple:
        """Simplify the schema of an array's items or of a map's values."""
        single = [group[0] for group in groups if len(group) == 1]
        several = [group for group in groups if len(group) > 1]
        if not several:
            return self._all(single, label, place, depth)
        items = []
        for index, (schema, origin) in enumerate(several[-1]):
            step = label if index == 0 else f"{label}{index + 1}"
            items.append(self.value(schema, origin.child(step), depth + 1))
        return union(items)

    def _all(self, subs: list[Sub], step: str, place: Place, depth: int = -1) -> Simple:
        """Simplify schemas that must all hold; the result is for the place one `step` below.

        A nested conjunction of the same schemas becomes the same type; otherwise the work would
        never end.
        """
        real = self._telling([sub for sub in subs if not is_trivial(sub[0])])
        if len(real) == 1:
            schema, origin = real[0]
            unnamed = self.unnamed(schema) if depth < _MAX_DEPTH else {}
            return self.value(schema, origin.child(step), depth + 1) if unnamed is None else unnamed
        below = place.child(step)
        group = frozenset(self.reader.alias(schema) or id(schema) for schema, _ in real)
        for around, simple in self._conjunctions.get(group, ()):
            if below.key.startswith(f"{around}/"):
                return simple
        simple = self.value({"allOf": [schema for schema, _ in real]}, below, depth + 1)
        self._conjunctions.setdefault(group, []).append((below.key, simple))
        return simple

    def _telling(self, subs: list[Sub]) -> list[Sub]:
        """The schemas without those that another of them already implies.

        A named schema is implied if another one extends it.
        """
        if len(subs) < 2:
            return subs
        names = [self.reader.alias(schema) for schema, _ in subs]
        extended = [self.reader.extended(name) if name else frozenset() for name in names]

        def is_implied(index: int) -> bool:
            """Whether another schema of the list extends this one.

            If two schemas extend each other, only the second counts as implied.
            """
            return any(
                names[index] in bases and (names[other] not in extended[index] or other < index)
                for other, bases in enumerate(extended)
                if other != index
            )

        return [sub for index, sub in enumerate(subs) if not is_implied(index)]

    def _structure(self, shape: Shape, place: Place, *, owner: bool) -> Simple:
        for members, origin in shape.choices:
            self._add_alternatives(shape, members, origin)
        shape.choices = []
        others = sorted((shape.types or {"object"}) - {"object"}, key=_rank)
        if owner and not others:
            return self._object(shape, place)
        structure = self._refer(place.child("object", "Object") if owner else place, shape)
        return union([structure, *(self._typed(name, shape, place, 1) for name in others)])

    def _add_alternatives(self, shape: Shape, members: list[Any], origin: Place) -> None:
        for member in members:
            variant = self.reader.shape(member, origin)
            for name, subs in variant.properties.items():
                if name not in shape.properties:
                    shape.optional.setdefault(name, []).extend(subs)
            if variant.types == frozenset({"null"}):
                shape.types = (shape.types or frozenset({"object"})) | {"null"}

    def _object(self, shape: Shape, place: Place) -> Simple:
        properties: Simple = {}
        required = []
        for name, subs in shape.properties.items():
            if name in shape.required and not any(self._one_way(sub) for sub, _ in subs):
                required.append(name)
            properties[name] = self._all(subs, name, place)
        for name, subs in shape.optional.items():
            members = [self.value(schema, origin.child(name)) for schema, origin in subs]
            properties.setdefault(name, union(members))
        simple: Simple = {"type": "object", "properties": properties}
        if required:
            simple["required"] = required
        if shape.description:
            simple["description"] = shape.description
        return simple

    def _one_way(self, schema: Schema) -> bool:
        """Whether a property is readOnly or writeOnly, and so is absent in one direction."""
        rules = Rules.of(schema, self.reader.pool)
        return any(True in rules.each(flag) for flag in ("readOnly", "writeOnly"))

    def _choice(self, shape: Shape, place: Place, depth: int, *, owner: bool) -> Simple:
        """Simplify a shape's `anyOf` or `oneOf`; if it has both, the more informative one."""
        members, origin = max(shape.choices, key=lambda c: sum(not is_trivial(m) for m in c[0]))
        if all(is_trivial(m) or set(m) <= {"required", "description", "title"} for m in members):
            base = Shape(types=shape.types, items=shape.items, extras=shape.extras)
            return self._shape(base, place, depth, owner=owner)
        if sum(self._has_own_type(member) for member in members) <= 1:
            where = origin.child("object", "Object") if owner else place
            choice = union(self.value(member, where, depth + 1) for member in members)
        else:
            choice = union(
                self.value(member, origin.child(str(index), label), depth + 1)
                for index, (member, label) in enumerate(zip(members, labels(members), strict=True))
            )
        return self._readable(choice, place, owner=owner)

    def _has_own_type(self, schema: Any) -> bool:
        """Whether a schema may need a name, since it is neither a scalar nor an alias."""
        if is_trivial(schema) or scalar(schema) is not None:
            return False
        return self.reader.alias(schema) is None

    def _enumeration(self, shape: Shape, place: Place, *, owner: bool) -> Simple:
        types, listed = with_integers(shape.types or ALL), list(shape.values or ())
        values = [value for value in listed if type_of(value) in types] or listed
        literal = [v for v in values if _can_be_literal(v)]
        if len(literal) < len([v for v in values if v is not None]):
            return union(_typed_as(v) for v in values)
        parts: list[Simple] = [{"enum": _distinct(literal)}] if literal else []
        if any(v is None for v in values):
            parts.append({"type": "null"})
        return self._readable(union(parts), place, owner=owner)

    def _readable(self, simple: Simple, place: Place, *, owner: bool) -> Simple:
        """The schema, with each long enumeration moved into a named schema.

        A huge enumeration is replaced by the types of its values.
        """
        parts: list[Simple] = []
        for part in simple.get("anyOf", [simple]):
            values = part.get("enum", ())
            if len(values) > _MAX_VALUES:
                parts += map(_typed_as, values)
            elif owner or sum(len(repr(v)) + 2 for v in values) <= _INLINE_LENGTH:
                parts.append(part)
            else:
                parts.append(self._refer(place, part))
        return union(parts)


def _rank(name: str) -> int:
    return ("string", "integer", "number", "boolean", "array", "object", "null").index(name)


def _can_be_literal(value: Any) -> bool:
    """Whether a value can be in a `Literal` (PEP 586: no floats) and is short enough to read."""
    if isinstance(value, str):
        return len(repr(value)) <= _MAX_VALUE_LENGTH and not any(
            "\ud800" <= char <= "\udfff" for char in value
        )
    return isinstance(value, (bool, int)) and abs(value) < 2**63


def _typed_as(value: Any) -> Simple:
    kind = "number" if isinstance(value, float) else type_of(value)
    inside: Simple = {"array": {"items": {}}, "object": {"additionalProperties": {}}}
    return {"type": kind, **inside.get(kind, {})}


def _distinct(values: list[Any]) -> list[Any]:
    by_value: dict[tuple[type, Any], Any] = {(type(v), v): v for v in values}
    return list(by_value.values())
