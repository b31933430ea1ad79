"""Deterministic instances of JSON Schema 2020-12 schemas.

The document's own examples come first, then enums and defaults, then values built from the
keywords. Built values depend on the name of what they are for, so that two arguments of one type
differ.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from ..api import Schema
from ..schemas.subschemas import REFERENCE, referred_key
from .checks import Checker, same
from .merged import Merged, flatten, merge
from .pattern_texts import UnreadablePattern, text_for
from .scalars import NoSample, number, number_of, string

Variant = Literal["full", "required"]

_NONE_FITS = object()
_TELLING = frozenset({"const", "examples", "enum", "default"})
"""Keywords that give values."""
_MAX_DEPTH = 12
_FULL_DEPTH = 4
_MAX_STEPS = 3_000
_MAX_NODES = 80
_MAX_ITEMS = 1_000
_MAX_EXAMPLE = 16_384
_ATTEMPTS: Mapping[Variant, tuple[tuple[Variant, int], ...]] = {
    "full": (("full", 0), ("full", 1), ("required", 0), ("required", 1)),
    "required": (("required", 0), ("required", 1), ("full", 0), ("full", 1)),
}
"""What is tried; least of all may fit no branch of a `oneOf`, or several."""


_Flat = tuple[Schema, list[Mapping[str, Any]], tuple[str, ...]]


class _Place(NamedTuple):
    """Where in the instance a value goes, and how generous to be there."""

    name: str
    full: bool
    salt: int
    own_values: bool = True
    """Examples and defaults of the document may be used."""
    depth: int = 0
    open_refs: tuple[str, ...] = ()
    settled: frozenset[int] = frozenset()

    def below(self, name: str, refs: tuple[str, ...]) -> _Place:
        again = any(ref in self.open_refs for ref in refs)
        full = self.full and self.depth + 1 < _FULL_DEPTH and not again
        return _Place(name, full, self.salt, self.own_values, self.depth + 1, self.open_refs + refs)


class Sampler:
    """Samples many schemas of one pool."""

    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self.pool = pool
        self.checker = Checker(pool)
        self.steps = 0
        self.nodes = 0
        self._overlapping = False
        """Whether a value may fit several branches of a `oneOf`, as servers let it."""
        self._samples: dict[tuple[object, ...], Any] = {}
        self._flat: dict[int, _Flat] = {}
        self._merged: dict[int, tuple[Any, Merged]] = {}

    def sample(
        self, schema: Schema, *, variant: Variant = "full", name: str = "", own_values: bool = True
    ) -> Any:
        """Build an instance of a schema whose references name schemas of the pool.

        `full` includes every optional property (bounded in depth and size), `required` none.
        `own_values` allows the document's own values. Raises NoSample. It is made once.
        """
        key = (repr(schema), variant, name, own_values)
        if key not in self._samples:
            self._samples[key] = self._first(schema, variant, name, own_values)
        sample = self._samples[key]
        if isinstance(sample, NoSample):
            raise NoSample(*sample.args)
        return _own(sample)

    def _first(self, schema: Schema, variant: Variant, name: str, own_values: bool) -> Any:
        """A sample, or why there is none; if need be, several branches of a `oneOf` fit it."""
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
            reason = "the sample that was built is no instance of the whole schema"
        raise NoSample(reason)

    def _fits(self, value: Any, schema: Schema) -> bool:
        taken = self._overlapping and self.checker.taken(value, schema)
        return taken or self.checker.valid(value, schema)

    def _value(self, schema: Schema, place: _Place) -> Any:
        self.nodes += 1
        if place.depth > _MAX_DEPTH:
            raise NoSample("required values nest without end")
        atoms, refs = self._flattened(schema)
        inner = place._replace(open_refs=place.open_refs + refs) if refs else place
        return self._settle(atoms, inner, refs)

    def _flattened(self, schema: Schema) -> tuple[list[Mapping[str, Any]], tuple[str, ...]]:
        """`flatten`, remembered; the entry holds the schema, so that its id stays its own."""
        cached = self._flat.get(id(schema))
        if cached is None:
            cached = self._flat[id(schema)] = (schema, *flatten(schema, self.pool))
        return cached[1], cached[2]

    def _rules(self, atoms: list[Mapping[str, Any]]) -> Merged:
        cached = self._merged.get(id(atoms))
        if cached is None:
            cached = self._merged[id(atoms)] = (atoms, merge(atoms))
        return cached[1]

    def _settle(self, atoms: list[Mapping[str, Any]], place: _Place, refs: tuple[str, ...]) -> Any:
        """Choose branches one group at a time, then build from what is left."""
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise NoSample("the schema offers too many combinations")
        example = self._example(atoms, place)
        if example is not _NONE_FITS:
            return example
        for atom in atoms:
            for keyword in ("oneOf", "anyOf"):
                group = atom.get(keyword)
                if isinstance(group, list) and group and id(group) not in place.settled:
                    return self._branch(atoms, atom, keyword, place)
        value = self._build(self._rules(atoms), place)
        return self._conditional(value, atoms, place, refs)

    def _branch(
        self, atoms: list[Mapping[str, Any]], owner: Mapping[str, Any], keyword: str, place: _Place
    ) -> Any:
        group = owner[keyword]
        here = place._replace(settled=place.settled | {id(group)})
        reason = f"no branch of {keyword} has an instance"
        for variant in (here, here._replace(full=False)) if here.full else (here,):
            for branch in _rotated(_useful(group), place.salt):
                try:
                    more, refs = self._flattened(branch)
                    tagged = _discriminated(owner, branch, more)
                    inner = variant._replace(open_refs=variant.open_refs + refs)
                    value = self._settle([*tagged, *atoms], inner, refs)
                except NoSample as exc:
                    reason = str(exc)
                    continue
                if keyword == "anyOf" or self._fits(value, {"oneOf": group}):
                    return value
                reason = "every branch of oneOf overlaps another"
        raise NoSample(reason)

    def _conditional(
        self, value: Any, atoms: list[Mapping[str, Any]], place: _Place, refs: tuple[str, ...]
    ) -> Any:
        for atom in atoms:
            condition = atom.get("if")
            if condition is None or id(condition) in place.settled:
                continue
            outcome = "then" if self.checker.valid(value, condition) else "else"
            if outcome in atom and not self.checker.valid(value, atom[outcome]):
                more, _ = self._flattened(atom[outcome])
                condition_atoms = self._flattened(condition)[0] if outcome == "then" else []
                inner = place._replace(settled=place.settled | {id(condition)})
                return self._settle([*more, *condition_atoms, *atoms], inner, refs)
        for atom in atoms:
            if "not" in atom and self.checker.valid(value, atom["not"]):
                raise NoSample("every sample is what `not` excludes")
        return value

    def _example(self, atoms: list[Mapping[str, Any]], place: _Place) -> Any:
        """The first example, const, enum value or default that fits and says something."""
        if all(_TELLING.isdisjoint(atom) for atom in atoms):
            return _NONE_FITS
        spare: list[Any] = []
        whole: Schema = atoms[0] if len(atoms) == 1 else {"allOf": atoms}
        for candidate in _candidates(atoms, place):
            if not is_short(candidate, _MAX_EXAMPLE) or not self.checker.valid(candidate, whole):
                continue
            if candidate not in (None, "", 0, False, [], {}):
                return _own(candidate)
            spare.append(candidate)
        required = any("const" in atom or "enum" in atom for atom in atoms)
        if required and not spare:
            raise NoSample("no value of the enum fits the rest of the schema")
        return _own(spare[0]) if required else _NONE_FITS

    def _build(self, rules: Merged, place: _Place) -> Any:
        reason = f"no type is left of {sorted(rules.declared)}"
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
            return string(rules.limits | {"patterns": rules.patterns}, place.name, place.salt)
        if kind == "boolean":
            return (number_of(place.name) + place.salt) % 3 != 0
        if kind == "null":
            return None
        limits = rules.limits | {"multiples": rules.multiples}
        return number(limits, place.name, place.salt, integer=kind == "integer")

    def _object(self, rules: Merged, place: _Place) -> dict[str, Any]:
        generous = place.full and self.nodes < _MAX_NODES
        built: dict[str, Any] = {}
        for name, schema in rules.properties.items():
            if name in rules.required or (generous and self.nodes < _MAX_NODES):
                self._put(built, name, schema, place, needed=name in rules.required)
        missing = [name for name in rules.required if name not in built]
        for name in missing:
            self._put(built, name, rules.schema_of(name), place, needed=True)
        waiting = list(built)
        while waiting:
            for other in rules.dependents.get(waiting.pop(), ()):
                if other not in built:
                    self._put(built, other, rules.schema_of(other), place, needed=True)
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
                self._put(built, name, rules.schema_of(name), place, needed=False)
        if len(built) < least:
            raise NoSample(f"fewer than {least} properties could be made")

    def _spare_names(self, rules: Merged, count: int) -> Iterator[str]:
        yield from rules.properties
        for pattern in rules.pattern_properties:
            for salt in range(count + 1):
                try:
                    yield text_for(pattern, extra=salt, salt=salt)
                except UnreadablePattern:
                    break
        if rules.name_schema is not None:
            for turn in range(count + 1):
                yield str(self._value(rules.name_schema, _Place(f"key{turn}", False, turn)))
        elif rules.additional is not False:
            yield from (f"key{turn}" for turn in range(1, count + 1))

    def _put(
        self, built: dict[str, Any], name: str, schema: Schema, place: _Place, *, needed: bool
    ) -> None:
        nodes = self.nodes
        try:
            refs = self._flattened(schema)[1] if not needed else ()
            if any(ref in place.open_refs for ref in refs):
                return
            built[name] = self._value(schema, place.below(name, ()))
        except NoSample:
            self.nodes = nodes
            if needed:
                raise

    def _array(self, rules: Merged, place: _Place) -> list[Any]:
        least, most = rules.limits.get("minItems", 0), rules.limits.get("maxItems", _MAX_ITEMS)
        if least > _MAX_ITEMS or least > most:
            raise NoSample(f"an array of {least} to {most} items is no sample")
        usual = len(rules.prefix) or 2 if place.full and self.nodes < _MAX_NODES else 0
        count = int(max(least, min(max(usual, len(rules.contains)), most)))
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
        schema: Schema = rules.prefix[at] if at < len(rules.prefix) else rules.items
        if at < len(rules.contains) and at >= len(rules.prefix):
            schema = {"allOf": [schema, rules.contains[at]]}
        name = place.name if turn == 0 else f"{place.name}-{turn + 1}"
        try:
            refs = self._flattened(schema)[1]
            if not needed and any(ref in place.open_refs for ref in refs):
                return
            value = self._value(schema, place.below(name, ())._replace(salt=place.salt + turn))
        except NoSample:
            if needed:
                raise
            return
        if not rules.unique or not any(same(value, other) for other in built):
            built.append(value)


def _candidates(atoms: list[Mapping[str, Any]], place: _Place) -> Iterator[Any]:
    for atom in atoms:
        if "const" in atom:
            yield atom["const"]
            return
    for atom in atoms if place.own_values else ():
        examples = atom.get("examples")
        if isinstance(examples, list):
            yield from _rotated(examples[:8], place.salt)
    for atom in atoms:
        values = atom.get("enum")
        if isinstance(values, list):
            yield from _rotated(values[:500], number_of(place.name) + place.salt)
            break
    if place.salt == 0 and place.own_values:
        for atom in atoms:
            if "default" in atom:
                yield atom["default"]


def _useful(group: list[Schema]) -> list[Schema]:
    """The branches, those that are only `null` last."""
    return sorted(group, key=lambda each: isinstance(each, Mapping) and each.get("type") == "null")


def _discriminated(
    owner: Mapping[str, Any], branch: Schema, more: list[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The branch's schemas, and the value by which `discriminator` tells it from the others."""
    rule = owner.get("discriminator")
    key = referred_key(branch)
    if not isinstance(rule, Mapping) or key is None:
        return more
    mapping = rule.get("mapping")
    names = mapping if isinstance(mapping, Mapping) else {}
    value = next((value for value, to in names.items() if to == REFERENCE + key), key)
    name = rule.get("propertyName")
    if not isinstance(name, str) or any(_fixes(atom, name) for atom in more):
        return more
    return [{"properties": {name: {"examples": [value]}}}, *more]


def _fixes(atom: Mapping[str, Any], name: str) -> bool:
    schema = (atom.get("properties") or {}).get(name)
    return isinstance(schema, Mapping) and bool({"const", "enum"} & schema.keys())


def _rotated(values: list[Any], by: int) -> list[Any]:
    at = by % len(values) if values else 0
    return values[at:] + values[:at] if at else values


def _own(value: Any) -> Any:
    """A copy of a document's value that may be changed."""
    return copy.deepcopy(value) if isinstance(value, (dict, list)) else value


def is_short(value: Any, most: int) -> bool:
    """Whether a value can be sent as JSON in UTF-8 within a number of bytes."""
    if isinstance(value, str) and value.isascii() and len(value) < most // 6:
        return True
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return len(text) <= most
