"""Deterministic sample values for JSON Schema 2020-12 schemas.

The document's own examples come first, then enums and defaults, then values built from the
keywords. A built value depends on the name of the argument or property, so that two arguments of
one type differ.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from ..api import Schema
from ..patterns.texts import UnreadablePattern, text_for
from ..schemas.rules import Part, conjunction, parts, same
from ..schemas.subschemas import REFERENCE, referred_key
from .checks import Checker
from .merged import Merged
from .scalars import NoSample, number, number_of, string

Variant = Literal["full", "required"]

_NONE_FITS = object()
_TELLING = frozenset({"const", "examples", "enum", "default"})
"""Keywords that give values."""
_MAX_DEPTH = 12
_MAX_FULL_DEPTH = 4
_MAX_STEPS = 3_000
_MAX_NODES = 80
_MAX_ITEMS = 1_000
_MAX_EXAMPLE = 16_384
_ATTEMPTS: Mapping[Variant, tuple[tuple[Variant, int], ...]] = {
    "full": (("full", 0), ("full", 1), ("required", 0), ("required", 1)),
    "required": (("required", 0), ("required", 1), ("full", 0), ("full", 1)),
}
"""What is tried; least of all may fit no branch of a `oneOf`, or several."""


class _Place(NamedTuple):
    """The place of a value in the sample, and whether it gets optional members."""

    name: str
    full: bool
    salt: int
    own_values: bool = True
    """Examples and defaults of the document may be used."""
    depth: int = 0
    open_keys: frozenset[str] = frozenset()
    """The definitions around the value, and those that apply to it."""
    settled: frozenset[int] = frozenset()

    def below(self, name: str) -> _Place:
        full = self.full and self.depth + 1 < _MAX_FULL_DEPTH
        return _Place(name, full, self.salt, self.own_values, self.depth + 1, self.open_keys)


class Sampler:
    """Makes samples for many schemas of one pool."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self.pool = pool
        self.checker = Checker(pool)
        self.steps = 0
        self.nodes = 0
        self._overlapping = False
        """Whether a value may fit several branches of a `oneOf`, which servers allow."""
        self._samples: dict[tuple[object, ...], Any] = {}
        self._rules: dict[int, tuple[Schema, Merged]] = {}
        """Rules keyed by the id of their schema, which is kept alive so that its id stays unique.
        """

    def sample(
        self, schema: Schema, *, variant: Variant = "full", name: str = "", own_values: bool = True
    ) -> Any:
        """Build a sample for a schema whose references name schemas of the pool.

        A `full` sample has every optional property, within limits of depth and size; a `required`
        sample has none.
        `own_values` allows the document's own values. Raises NoSample. Results are cached.
        """
        key = (repr(schema), variant, name, own_values)
        if key not in self._samples:
            self._samples[key] = self._first(schema, variant, name, own_values)
        sample = self._samples[key]
        if isinstance(sample, NoSample):
            raise NoSample(*sample.args)
        return _own(sample)

    def _first(self, schema: Schema, variant: Variant, name: str, own_values: bool) -> Any:
        """A sample; if there is none, the NoSample with the reason is returned, not raised.

        A sample that fits several branches of a `oneOf` is a last resort.
        """
        reason: NoSample | None = None
        for overlapping in (False, True):
            self._overlapping = overlapping
            try:
                return self._sample(schema, variant, name, own_values)
            except NoSample as problem:
                reason = problem
        return reason

    def _sample(self, schema: Schema, variant: Variant, name: str, own_values: bool) -> Any:
        self.steps = 0
        reason = "no instance found"
        for kind, salt in _ATTEMPTS[variant]:
            self.nodes = 0
            try:
                value = self._value(schema, _Place(name, kind == "full", salt, own_values))
            except NoSample as exc:
                reason = str(exc)
                continue
            except RecursionError:
                raise NoSample("the schema nests too deeply") from None
            if self._fits(value, schema):
                return value
            reason = "the sample that was built does not fit the whole schema"
        raise NoSample(reason)

    def _fits(self, value: Any, schema: Schema) -> bool:
        taken = self._overlapping and self.checker.taken(value, schema)
        return taken or self.checker.valid(value, schema)

    def _value(self, schema: Schema, place: _Place) -> Any:
        self.nodes += 1
        if place.depth > _MAX_DEPTH:
            raise NoSample("required values nest without end")
        rules = self._read(schema)
        return self._settle(rules, place._replace(open_keys=place.open_keys | rules.keys))

    def _read(self, schema: Schema) -> Merged:
        """The rules of a schema; its own rules come before those of schemas that it refers to."""
        if id(schema) not in self._rules:
            rules = Merged(parts(schema, self.pool, nearest_first=True))
            self._rules[id(schema)] = schema, rules
        return self._rules[id(schema)][1]

    def _settle(self, rules: Merged, place: _Place) -> Any:
        """A value: an example that fits, or else one that is built after choosing branches.

        Branches are chosen for one `oneOf` or `anyOf` after another.
        """
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise NoSample("the schema offers too many combinations")
        example = self._example(rules, place)
        if example is not _NONE_FITS:
            return example
        for schema in rules.schemas:
            for keyword in ("oneOf", "anyOf"):
                group = schema.get(keyword)
                if group and id(group) not in place.settled:
                    return self._branch(rules, schema, keyword, place)
        return self._conditional(self._build(rules, place), rules, place)

    def _branch(self, rules: Merged, owner: Mapping[str, Any], keyword: str, place: _Place) -> Any:
        group = owner[keyword]
        here = place._replace(settled=place.settled | {id(group)})
        reason = f"no branch of {keyword} has an instance"
        for variant in (here, here._replace(full=False)) if here.full else (here,):
            for branch in _rotated(_useful(group), place.salt):
                more = self._read(branch)
                inner = variant._replace(open_keys=variant.open_keys | more.keys)
                tagged = Merged([*_tag(owner, branch, more), *more.parts, *rules.parts])
                try:
                    value = self._settle(tagged, inner)
                except NoSample as exc:
                    reason = str(exc)
                    continue
                if keyword == "anyOf" or self._fits(value, {"oneOf": group}):
                    return value
                reason = "every branch of oneOf overlaps another"
        raise NoSample(reason)

    def _conditional(self, value: Any, rules: Merged, place: _Place) -> Any:
        for schema in rules.schemas:
            condition = schema.get("if")
            if condition is None or id(condition) in place.settled:
                continue
            outcome = "then" if self.checker.valid(value, condition) else "else"
            if outcome in schema and not self.checker.valid(value, schema[outcome]):
                more = self._read(schema[outcome]).parts
                when = self._read(condition).parts if outcome == "then" else ()
                inner = place._replace(settled=place.settled | {id(condition)})
                return self._settle(Merged([*more, *when, *rules.parts]), inner)
        if any(self.checker.valid(value, excluded) for excluded in rules.each("not")):
            raise NoSample("every sample is excluded by `not`")
        return value

    def _example(self, rules: Merged, place: _Place) -> Any:
        """The first example, const, enum value or default that fits and is not empty."""
        schemas = rules.schemas
        if all(map(_TELLING.isdisjoint, schemas)):
            return _NONE_FITS
        spare: list[Any] = []
        whole: Schema = schemas[0] if len(schemas) == 1 else {"allOf": schemas}
        for candidate in _candidates(rules, place):
            if not is_short(candidate, _MAX_EXAMPLE) or not self.checker.valid(candidate, whole):
                continue
            if candidate not in (None, "", 0, False, [], {}):
                return _own(candidate)
            spare.append(candidate)
        required = rules.each("const") or rules.each("enum")
        if required and not spare:
            raise NoSample("no value of the enum fits the rest of the schema")
        return _own(spare[0]) if required else _NONE_FITS

    def _build(self, rules: Merged, place: _Place) -> Any:
        reason = "the types exclude each other"
        for kind in rules.kinds:
            try:
                return self._of_type(kind, rules, place)
            except NoSample as exc:
                reason = str(exc)
        raise NoSample(reason)

    def _of_type(self, kind: str, rules: Merged, place: _Place) -> Any:
        if kind == "object":
            return self._object(rules, place)
        if kind == "array":
            return self._array(rules, place)
        if kind == "string":
            return string(rules.bounds, place.name, place.salt)
        if kind == "boolean":
            return (number_of(place.name) + place.salt) % 3 != 0
        if kind == "null":
            return None
        return number(rules.bounds, place.name, place.salt, integer=kind == "integer")

    def _object(self, rules: Merged, place: _Place) -> dict[str, Any]:
        generous = place.full and self.nodes < _MAX_NODES
        built: dict[str, Any] = {}
        for name in rules.properties:
            if name in rules.required or (generous and self.nodes < _MAX_NODES):
                self._put(built, name, rules, place, needed=name in rules.required)
        for name in rules.required:
            if name not in built:
                self._put(built, name, rules, place, needed=True)
        waiting = list(built)
        dependents = rules.each("dependentRequired")
        while waiting:
            name = waiting.pop()
            for other in (other for each in dependents for other in each.get(name, ())):
                if other not in built:
                    self._put(built, other, rules, place, needed=True)
                    waiting.append(other)
        least = int(rules.limits.get("minProperties", 0))
        count = max(least, 1 if generous and not rules.properties else 0)
        self._fill(built, rules, place, count=count, least=least)
        return built

    def _fill(
        self, built: dict[str, Any], rules: Merged, place: _Place, *, count: int, least: int
    ) -> None:
        if least > _MAX_ITEMS:
            raise NoSample(f"{least} properties are too many for a sample")
        for name in self._spare_names(rules, count):
            if len(built) >= count:
                return
            if name not in built:
                self._put(built, name, rules, place, needed=False)
        if len(built) < least:
            raise NoSample(f"fewer than {least} properties could be made")

    def _spare_names(self, rules: Merged, count: int) -> Iterator[str]:
        yield from rules.properties
        for pattern in (pattern for each in rules.each("patternProperties") for pattern in each):
            for salt in range(count + 1):
                try:
                    yield text_for(pattern, extra=salt, salt=salt)
                except UnreadablePattern:
                    break
        if names := rules.each("propertyNames"):
            schema = conjunction([{"type": "string"}, *names])
            for turn in range(count + 1):
                yield str(self._value(schema, _Place(f"key{turn}", False, turn)))
        else:
            yield from (f"key{turn}" for turn in range(1, count + 1))

    def _put(
        self, built: dict[str, Any], name: str, rules: Merged, place: _Place, *, needed: bool
    ) -> None:
        nodes, schema = self.nodes, rules.member_schema(name)
        if not needed and self._read(schema).keys & place.open_keys:
            return
        try:
            built[name] = self._value(schema, place.below(name))
        except NoSample:
            self.nodes = nodes
            if needed:
                raise

    def _array(self, rules: Merged, place: _Place) -> list[Any]:
        least, most = rules.limits.get("minItems", 0), rules.limits.get("maxItems", _MAX_ITEMS)
        if least > _MAX_ITEMS or least > most:
            raise NoSample(f"an array of {least} to {most} items cannot be made")
        usual = rules.prefix or 2 if place.full and self.nodes < _MAX_NODES else 0
        count = int(max(least, min(max(usual, len(rules.contained)), most)))
        built: list[Any] = []
        for turn in range(4 * count + 4):
            if len(built) >= count:
                break
            self._append(built, rules, place, turn, needed=len(built) < least)
        if len(built) < least:
            raise NoSample(f"fewer than {least} different items could be made")
        return built

    def _append(
        self, built: list[Any], rules: Merged, place: _Place, turn: int, *, needed: bool
    ) -> None:
        at = len(built)
        schema = rules.item_schema(at)
        if rules.prefix <= at < len(rules.contained):
            schema = {"allOf": [schema, rules.contained[at]]}
        name = place.name if turn == 0 else f"{place.name}-{turn + 1}"
        if not needed and self._read(schema).keys & place.open_keys:
            return
        try:
            value = self._value(schema, place.below(name)._replace(salt=place.salt + turn))
        except NoSample:
            if needed:
                raise
            return
        if True not in rules.each("uniqueItems") or not any(same(value, each) for each in built):
            built.append(value)


def _candidates(rules: Merged, place: _Place) -> Iterator[Any]:
    if constants := rules.each("const"):
        yield constants[0]
        return
    if place.own_values:
        for examples in rules.each("examples"):
            yield from _rotated(examples[:8], place.salt)
    for values in rules.each("enum")[:1]:
        yield from _rotated(values[:500], number_of(place.name) + place.salt)
    if place.salt == 0 and place.own_values:
        yield from rules.each("default")


def _useful(group: list[Schema]) -> list[Schema]:
    """The branches; a branch that only allows `null` comes last."""
    return sorted(group, key=lambda each: isinstance(each, Mapping) and each.get("type") == "null")


def _tag(owner: Mapping[str, Any], branch: Schema, rules: Merged) -> Iterator[Part]:
    """A part that gives a branch's `discriminator` value as an example for its property.

    Yields nothing if the property already has a `const` or an `enum`.
    """
    rule, key = owner.get("discriminator"), referred_key(branch)
    if not isinstance(rule, Mapping) or key is None:
        return
    mapping = rule.get("mapping", {})
    value = next((value for value, to in mapping.items() if to == REFERENCE + key), key)
    name = rule["propertyName"]
    fixed = (schema for schema, _ in rules.properties.get(name, ()) if isinstance(schema, Mapping))
    if all({"const", "enum"}.isdisjoint(schema) for schema in fixed):
        yield Part({"properties": {name: {"examples": [value]}}})


def _rotated(values: list[Any], by: int) -> list[Any]:
    at = by % len(values) if values else 0
    return values[at:] + values[:at] if at else values


def _own(value: Any) -> Any:
    """A copy of a document's value, so that the sample may be changed."""
    return copy.deepcopy(value) if isinstance(value, (dict, list)) else value


def is_short(value: Any, most: int) -> bool:
    """Whether a value's JSON in UTF-8 has at most `most` bytes; False if it has no JSON form."""
    if isinstance(value, str) and value.isascii() and len(value) < most // 6:
        return True
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return len(text) <= most
