"""The values that a JSON Schema allows, as far as Python's types can express them.

A schema with its `$ref`, `allOf` and siblings becomes one `Shape`. Each of its parts remembers
where it was written, so that an inline object is named after that place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from ..api import Argument, Schema
from ..schemas.subschemas import reference_to, referred_key
from ..schemas.types import ALL
from ..text.literals import alike
from ..text.pointer import escape
from ..text.words import bounded, pascal

_MAX_DEPTH = 100
SCALARS = ("string", "integer", "number", "boolean", "null")
_STRUCTURE = frozenset(
    {
        "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "type", "properties", "required",
        "items", "prefixItems", "additionalProperties", "patternProperties",
    }
)  # fmt: skip


class Place(Struct, frozen=True):
    """Where a schema stands, and the class name that follows from it."""

    key: str
    """A pointer: `Pet/owner` for a component's property, `~tool/createPet/body` for an argument."""
    name: str

    def child(self, step: str, label: str | None = None) -> Place:
        """The place one step below; `label` is what it adds to the name."""
        key = f"{self.key}/{escape(step)}"
        name = self.name + pascal(step if label is None else label, fallback="Field")
        return Place(key, bounded(name, key, joint=""))


@lru_cache(maxsize=10_000)
def component(key: str) -> Place:
    """The place of a named schema."""
    return Place(escape(key), pascal(key))


def argument(
    tool: str, arg: Argument, pool: Mapping[str, Schema], type_keys: Collection[str]
) -> Place:
    """The place of a tool's argument, inside the named schema of the body whose property it is.

    The place is the tool's own if that schema has another property there, or if the argument's type
    is among the `type_keys`, which keep their names.
    """
    own = Place(f"~tool/{escape(tool)}", pascal(tool, fallback="Tool")).child(arg.name)
    whole = pool.get(arg.of)
    properties = whole.get("properties") if isinstance(whole, Mapping) else None
    if own.key in type_keys or not isinstance(properties, Mapping):
        return own
    same = alike(_typing(properties.get(arg.wire_name)), _typing(arg.schema))
    return component(arg.of).child(arg.wire_name) if same else own


def _typing(schema: Schema | None) -> object:
    """A schema without its examples, which an argument may have of its own."""
    if not isinstance(schema, Mapping):
        return schema
    return {keyword: value for keyword, value in schema.items() if keyword != "examples"}


def result(tool: str) -> Place:
    """The place of a tool's result."""
    name = f"{pascal(tool, fallback='Tool')}Result"
    return Place(f"~result/{escape(tool)}", bounded(name, tool, joint=""))


Sub = tuple[Schema, Place]


class Shape(Struct):
    """The conjunction of a schema's parts."""

    types: frozenset[str] | None = None
    """None: not restricted."""
    values: list[Any] | None = None
    """From `enum` and `const`; None: not restricted."""
    properties: dict[str, list[Sub]] = field(default_factory=dict)
    """All of a property's schemas hold."""
    optional: dict[str, list[Sub]] = field(default_factory=dict)
    """Properties that only some of the alternatives have; one of the schemas holds."""
    required: set[str] = field(default_factory=set)
    items: list[list[Sub]] = field(default_factory=list)
    """For each item one of every list holds."""
    extras: list[list[Sub]] = field(default_factory=list)
    """For each property that is not declared one of every list holds."""
    choices: list[tuple[list[Any], Place]] = field(default_factory=list)
    """`anyOf` and `oneOf`: one member of each holds."""
    description: str = ""

    def absorb(self, other: Shape) -> None:
        """Make this the conjunction of both shapes."""
        if other.types is not None:
            self.types = other.types if self.types is None else _common(self.types, other.types)
        if other.values is not None:
            mine = self.values
            self.values = [v for v in other.values if mine is None or _holds(mine, v)]
        for name, subs in other.properties.items():
            _extend(self.properties.setdefault(name, []), subs)
        self.required |= other.required
        self.items += [group for group in other.items if group not in self.items]
        self.extras += [group for group in other.extras if group not in self.extras]
        ids = {id(members) for members, _ in self.choices}
        self.choices += [choice for choice in other.choices if id(choice[0]) not in ids]
        self.description = self.description or other.description


def _extend(subs: list[Sub], more: Iterable[Sub]) -> None:
    ids = {id(schema) for schema, _ in subs}
    subs += [sub for sub in more if id(sub[0]) not in ids]


def _holds(values: list[Any], value: Any) -> bool:
    return any(type(v) is type(value) and v == value for v in values)


def _common(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The types that both allow, integers being numbers; the later ones if there are none."""
    common = set(a & b)
    if ("number" in a and "integer" in b) or ("integer" in a and "number" in b):
        common.add("integer")
    return frozenset(common) or b


def scalar(schema: Mapping[str, Any]) -> str | None:
    """The type of a schema that says nothing but a scalar's type; None for any other."""
    name = schema.get("type")
    if name in SCALARS and len(_STRUCTURE.intersection(schema)) == 1:
        return str(name)
    return None


def _says(schema: Schema) -> bool:
    """Whether a schema says more than a type."""
    return isinstance(schema, Mapping) and not _STRUCTURE.isdisjoint(schema.keys() - {"type"})


def is_trivial(schema: Schema) -> bool:
    """Whether a schema says nothing about the type of a value."""
    return not isinstance(schema, Mapping) or _STRUCTURE.isdisjoint(schema)


class Reader:
    """Reads schemas of one pool into shapes."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self.pool = pool
        self._components: dict[str, Shape] = {}
        self._extended: dict[str, frozenset[str]] = {}
        self._open: set[str] = set()

    def target(self, schema: Mapping[str, Any]) -> str | None:
        """The key of the pool's schema that a `$ref` names, or None."""
        key = referred_key(schema)
        return key if key in self.pool else None

    def alias(self, schema: Schema) -> str | None:
        """The key of the named schema that this schema only refers to; None for any other."""
        while isinstance(schema, Mapping):
            own = _STRUCTURE.intersection(schema)
            if own <= {"$ref", "type"} and "$ref" in own:
                return self.target(schema)
            branches = schema.get("allOf")
            real = [b for b in branches if _says(b)] if isinstance(branches, list) else []
            if not own <= {"allOf", "type"} or len(real) != 1:
                return None
            schema = real[0]
        return None

    def extended(self, key: str) -> frozenset[str]:
        """The keys of the named schemas that a schema extends by `allOf`, and its own key."""
        if key not in self._extended:
            self._extended[key] = frozenset(self._extends(key))
        return self._extended[key]

    def _extends(self, key: str) -> set[str]:
        names: set[str] = set()
        todo: list[Schema] = [reference_to(key)]
        while todo:
            schema = todo.pop()
            if not isinstance(schema, Mapping):
                continue
            name = self.target(schema)
            if name is not None and name not in names:
                names.add(name)
                todo.append(self.pool[name])
            branches = schema.get("allOf")
            if isinstance(branches, list):
                todo += branches
        return names

    def shape(self, schema: Schema, place: Place) -> Shape:
        """Read a schema that stands at `place`."""
        shape = Shape()
        if not isinstance(schema, Mapping):
            return shape
        shape.absorb(self._own(schema, place))
        if (key := self.target(schema)) is not None:
            shape.absorb(self._component_shape(key))
        branches = schema.get("allOf")
        if isinstance(branches, list):
            parts = [(self.shape(branch, place), self._refers(branch)) for branch in branches]
            about = shape.description or _description(shape, parts)
            for part, _ in parts:
                shape.absorb(part)
            shape.description = about
        return shape

    def _refers(self, schema: Schema) -> bool:
        return isinstance(schema, Mapping) and self.target(schema) is not None

    def _component_shape(self, key: str) -> Shape:
        if key in self._open or len(self._open) > _MAX_DEPTH:
            return Shape()
        if key not in self._components:
            self._open.add(key)
            try:
                self._components[key] = self.shape(self.pool[key], component(key))
            finally:
                self._open.discard(key)
        return self._components[key]

    def _own(self, schema: Mapping[str, Any], place: Place) -> Shape:
        shape = Shape(types=_types(schema), values=_values(schema))
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            for name, sub in properties.items():
                shape.properties[name] = [(sub, place)]
        required = schema.get("required")
        if isinstance(required, list):
            shape.required = {name for name in required if isinstance(name, str)}
        if items := [(sub, place) for sub in _items(schema)]:
            shape.items.append(items)
        if extras := [(sub, place) for sub in _extras(schema)]:
            shape.extras.append(extras)
        for keyword in ("anyOf", "oneOf"):
            members = schema.get(keyword)
            if isinstance(members, list) and members:
                shape.choices.append((members, place))
        description = schema.get("description")
        shape.description = description if isinstance(description, str) else ""
        return shape


def _description(whole: Shape, parts: list[tuple[Shape, bool]]) -> str:
    """The description of a shape, from its own and its branches'; a flag marks references.

    An inline branch is preferred: a named one describes the base, not what extends it.
    """
    extended = sum(bool(each.properties) for each in (whole, *(part for part, _ in parts))) > 1
    here = [part.description for part, is_named in parts if not is_named]
    there = [part.description for part, is_named in parts if is_named and not extended]
    return next(filter(None, here + there), "")


def _types(schema: Mapping[str, Any]) -> frozenset[str] | None:
    declared_type = schema.get("type")
    if isinstance(declared_type, str):
        declared_type = [declared_type]
    if isinstance(declared_type, list):
        types = frozenset(name for name in declared_type if isinstance(name, str) and name in ALL)
        if types:
            return types
    if "properties" in schema or "additionalProperties" in schema:
        return frozenset({"object"})
    return frozenset({"array"}) if "items" in schema or "prefixItems" in schema else None


def _values(schema: Mapping[str, Any]) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return list(values) if isinstance(values, list) and values else None


def _items(schema: Mapping[str, Any]) -> Iterable[Schema]:
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list):
        yield from (sub for sub in prefix if isinstance(sub, (Mapping, bool)))
        if "items" not in schema:
            yield True
    rest = schema.get("items")
    if isinstance(rest, Mapping) or rest is True:
        yield rest


def _extras(schema: Mapping[str, Any]) -> Iterable[Schema]:
    patterns = schema.get("patternProperties")
    if isinstance(patterns, Mapping):
        yield from (sub for sub in patterns.values() if isinstance(sub, (Mapping, bool)))
    rest = schema.get("additionalProperties", bool(not patterns))
    if isinstance(rest, Mapping) or rest is True:
        yield rest
