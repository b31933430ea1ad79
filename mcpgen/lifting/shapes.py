"""The values that a JSON Schema allows, as far as Python's types can express them.

A schema with its `$ref`, `allOf` and siblings becomes one `Shape`. Each part of it remembers where
it was written, so that an inline object is named after that place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, reduce
from typing import Any

from msgspec import Struct, field

from ..api import Argument, Schema
from ..schemas.definitions import definitions
from ..schemas.rules import Part, Rules
from ..schemas.subschemas import reference_to, referred_key
from ..schemas.types import ALL, declared_types, with_integers, without_integers
from ..text.literals import alike
from ..text.pointer import escape
from ..text.words import ended, pascal

SCALARS = ("string", "integer", "number", "boolean", "null")
_STRUCTURE = frozenset(
    {
        "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "type", "properties", "required",
        "items", "prefixItems", "additionalProperties", "patternProperties",
    }
)  # fmt: skip


class Place(Struct, frozen=True):
    """The place of a schema, and the class name derived from it."""

    key: str
    """A pointer: `Pet/owner` for a component's property, `~tool/createPet/body` for an argument."""
    name: str

    def child(self, step: str, label: str | None = None) -> Place:
        """The place one step below; its name is the parent's, extended by `label`."""
        key = f"{self.key}/{escape(step)}"
        name = self.name + pascal(step if label is None else label, fallback="Field")
        return Place(key, ended(name))


@lru_cache(maxsize=10_000)
def component(key: str) -> Place:
    """The place (pointer and class name) of a named schema."""
    return Place(escape(key), pascal(key))


def argument(
    tool: str, arg: Argument, pool: Mapping[str, Schema], type_keys: Collection[str]
) -> Place:
    """The place of a tool's argument: in the named schema that declares it, or else in the tool.

    It is in the tool if no named schema declares the argument, if that schema describes it
    differently, or if the argument's type is among the `type_keys`, whose names must not change.
    """
    own = Place(f"~tool/{escape(tool)}", pascal(tool, fallback="Tool")).child(arg.name)
    whole = pool.get(arg.of)
    properties = whole.get("properties") if isinstance(whole, Mapping) else None
    if own.key in type_keys or not isinstance(properties, Mapping):
        return own
    same = alike(_typing(properties.get(arg.wire_name)), _typing(arg.schema))
    return component(arg.of).child(arg.wire_name) if same else own


def _typing(schema: Schema | None) -> object:
    """The schema without its examples, which may differ between an argument and its property."""
    if not isinstance(schema, Mapping):
        return schema
    return {keyword: value for keyword, value in schema.items() if keyword != "examples"}


def result(tool: str) -> Place:
    """The place (pointer and class name) of a tool's result."""
    name = f"{pascal(tool, fallback='Tool')}Result"
    return Place(f"~result/{escape(tool)}", ended(name))


Sub = tuple[Schema, Place]


class Shape(Struct):
    """A schema's conditions, merged with those of its `$ref` and its `allOf`."""

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


def _common(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The types that `a` and `b` share (`number` includes `integer`); `b` if there are none."""
    return frozenset(without_integers(with_integers(a) & with_integers(b))) or b


def scalar(schema: Mapping[str, Any]) -> str | None:
    """The type of a schema that only has a scalar type; None for any other schema."""
    name = schema.get("type")
    if name in SCALARS and len(_STRUCTURE.intersection(schema)) == 1:
        return str(name)
    return None


def _says(schema: Schema) -> bool:
    """Whether a schema has keywords besides its type and annotations."""
    return isinstance(schema, Mapping) and not _STRUCTURE.isdisjoint(schema.keys() - {"type"})


def is_trivial(schema: Schema) -> bool:
    """Whether a schema does not restrict the type of a value."""
    return not isinstance(schema, Mapping) or _STRUCTURE.isdisjoint(schema)


class Reader:
    """Turns schemas of one pool into shapes."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self.pool = definitions(pool)
        self._descriptions: dict[str, str] = {}

    def alias(self, schema: Schema) -> str | None:
        """The key of a named schema, if this schema is only a reference to it; else None."""
        while not isinstance(schema, bool):
            own = _STRUCTURE.intersection(schema)
            if own <= {"$ref", "type"} and "$ref" in own:
                key = referred_key(schema)
                return key if key in self.pool else None
            real = [branch for branch in schema.get("allOf", ()) if _says(branch)]
            if not own <= {"allOf", "type"} or len(real) != 1:
                return None
            schema = real[0]
        return None

    def extended(self, key: str) -> frozenset[str]:
        """The keys of the named schemas that a schema extends with `allOf`, and its own key."""
        return Rules.of(reference_to(key), self.pool).keys

    def shape(self, schema: Schema, place: Place) -> Shape:
        """Read the schema at `place`."""
        rules = Rules.of(schema, self.pool)

        def at(part: Part) -> Place:
            return place if part.within is None else component(part.within)

        def inside(schemas_of: Callable[[Mapping[str, Any]], Iterable[Schema]]) -> list[list[Sub]]:
            groups = [[(each, at(part)) for each in schemas_of(part[0])] for part in rules.parts]
            return [group for n, group in enumerate(groups) if group and group not in groups[:n]]

        types = [types for part, _ in rules.parts if (types := _types(part))]
        return Shape(
            types=reduce(_common, types) if types else None,
            values=rules.values,
            properties={
                name: [(each, at(part)) for each, part in subs]
                for name, subs in rules.properties.items()
            },
            required=set(rules.required),
            items=inside(_items),
            extras=inside(_extras),
            choices=[(forms, at(part)) for forms, part in rules.alternatives],
            description=self._description(schema),
        )

    def _description(self, schema: Schema) -> str:
        """A schema's own description, else that of its `$ref`, else that of an `allOf` branch.

        Inline branches are tried first, since a named branch describes only the base.
        """
        if isinstance(schema, bool):
            return ""
        text, key = str(schema.get("description", "")), referred_key(schema)
        if not text and key is not None and key in self.pool:
            if key not in self._descriptions:
                self._descriptions[key] = ""  # what holds itself says nothing of itself
                self._descriptions[key] = self._description(self.pool[key])
            text = self._descriptions[key]
        if text or "allOf" not in schema:
            return text
        whole = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
        branches = schema["allOf"]
        objects = [each for each in (whole, *branches) if Rules.of(each, self.pool).properties]
        named = [each for each in branches if referred_key(each) is not None]
        inline = [each for each in branches if referred_key(each) is None]
        telling = inline if len(objects) > 1 else [*inline, *named]
        return next(filter(None, map(self._description, telling)), "")


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    """The types that a schema names or implies; empty if it allows any type."""
    if types := declared_types(schema.get("type", ())) & ALL:
        return types
    if "properties" in schema or "additionalProperties" in schema:
        return frozenset({"object"})
    return frozenset({"array"} if "items" in schema or "prefixItems" in schema else ())


def _items(schema: Mapping[str, Any]) -> Iterable[Schema]:
    first = schema.get("prefixItems", [])
    rest = schema.get("items", bool(first))
    return [*first, rest] if rest is not False else first


def _extras(schema: Mapping[str, Any]) -> Iterable[Schema]:
    patterns = schema.get("patternProperties", {})
    rest = schema.get("additionalProperties", not patterns)
    return [*patterns.values(), rest] if rest is not False else patterns.values()
