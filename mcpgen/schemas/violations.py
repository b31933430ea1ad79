"""Finds the violations of a JSON Schema in a value, each with its place.

Every document whose format mcpgen defines is checked here. Nothing is fetched, and references in
the value are not followed.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..text.pointer import unescape

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema_rs import ValidationError

_MAX_KEPT = 2000
_UNEXPECTED = frozenset(("additionalProperties", "unevaluatedProperties"))
"""The keywords that an unexpected member violates."""
_CONSTANTS = ("enum", "const")
_TOO_FEW = "minProperties"
_DIGITS = re.compile(r"\+?[0-9]{1,20}")
_WORDS = re.compile(r"\^\((?:\?:)?(\w+(?:\|\w+)*)\)\$")
"""A pattern that only lists names."""

Path = tuple[str | int, ...]


class Violation(Struct, frozen=True):
    """One violation of a schema, with its place in the value."""

    path: Path
    """The place of the violation; for a disallowed member or name, the member itself."""
    keyword: str
    """`type`, `required`, `constant`, `unexpected`, or another keyword of JSON Schema."""
    value: Any
    """The value there; for an unexpected member, the object that contains it."""
    wants: tuple[Any, ...]
    """The types, the missing names, the constants of all alternatives, or the expected names."""
    message: str
    """The validator's message, which calls the value `this`."""
    schema: Mapping[str, Any]
    """The schema that has the keyword."""


class Form:
    """A JSON Schema that documents have to match."""

    def __init__(self, schema: Mapping[str, Any], *, formats: bool | None = False) -> None:
        """`formats`: whether formats are checked; None: as the schema's dialect says."""
        self.schema = schema
        self._formats = formats

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        """The validator; its messages contain no values, since these may be large or secret."""
        import jsonschema_rs  # of no use for a document that is not read

        schema = dict(self.schema)
        return jsonschema_rs.validator_for(
            schema, mask="this", offline=True, validate_formats=self._formats
        )

    def violations(self, value: Any, pieces: Iterable[Any] = ()) -> list[Violation]:
        """The violations in a value, up to a limit.

        `pieces`, if given, are validated instead of an invalid value, which bounds the work. If the
        whole value is valid, each piece must be valid; and paths in a piece must be the paths in
        the whole value.
        """
        if self._validator.is_valid(value):
            return []
        errors: list[ValidationError] = []
        for piece in pieces or (value,):
            errors += islice(self._validator.iter_errors(piece), _MAX_KEPT)
            if len(errors) > _MAX_KEPT:
                break
        return list(_Reading(self.schema, value, errors).violations())


class _Reading:
    """Turns a validator's errors for the value `root` into violations."""

    def __init__(
        self, schema: Mapping[str, Any], root: Any, errors: Iterable[ValidationError]
    ) -> None:
        self._schema = schema
        self._root = root
        self._errors = [(error, _deepest(error)) for error in errors]
        self._around: dict[Path, set[Path]] = defaultdict(set)
        """The places of violations, keyed by each place that contains them."""
        for _, telling in self._errors:
            place = (*telling.instance_path, telling.kind.name)
            for length in range(len(place)):
                self._around[place[:length]].add(place)

    def violations(self) -> Iterator[Violation]:
        """The violations, without duplicates."""
        seen: set[tuple[Path, str, str]] = set()
        for error, telling in self._errors:
            for each in islice(self._violations(error, telling), _MAX_KEPT):
                key = each.path, each.keyword, repr(each.wants)
                if key not in seen:
                    seen.add(key)
                    yield each

    def _violations(self, error: ValidationError, telling: ValidationError) -> Iterator[Violation]:
        keyword, facts = telling.kind.name, telling.kind.as_dict()
        raw = tuple(telling.instance_path)
        path, value = _followed(raw, self._root)
        schema = _at(telling.schema_path[:-1], self._schema)
        text = telling.message.removeprefix("this ")
        if keyword in _UNEXPECTED:
            names = tuple(dict.fromkeys(_names(schema, self._schema)))
            # What provides for a known member may just not hold (JSON Schema 2020-12, 11.3).
            is_alone = len(self._around[raw]) == 1
            for member in facts["unexpected"]:
                if is_alone or member not in names:
                    yield Violation((*path, member), "unexpected", value, names, text, schema)
            return
        if keyword != _TOO_FEW and (*raw, _TOO_FEW) in self._around[raw]:
            return  # what it lacks besides says the same again
        wants: tuple[Any, ...] = ()
        if keyword == "type":
            wants = tuple(facts["types"])
        elif keyword == "required":
            if "$ref" in value:
                return  # it may be where the object refers to, which is told by itself
            missing = dict.fromkeys((*schema.get("required", ()), facts["property"]))
            wants = tuple(name for name in missing if name not in value)
        elif keyword in _CONSTANTS:
            keyword, wants = "constant", tuple(_constants(error, list(raw)))
        elif keyword == "propertyNames":
            inner: ValidationError = facts["error"]
            path, text = (*path, str(inner.instance)), inner.message.removeprefix("this ")
        schema = schema if "description" in schema else _at(error.schema_path[:-1], self._schema)
        yield Violation(path, keyword, value, wants, text, schema)


def _deepest(error: ValidationError) -> ValidationError:
    """The most useful error inside an error that only says that no alternative fits.

    It is the deepest error of the alternative with the least `_misfit`. An alternative is ignored
    if it is a reference and the value has no `$ref`.
    """
    while branches := [branch for branch in getattr(error.kind, "context", ()) if branch]:
        branches = [b for b in branches if not any(map(_is_no_reference, b))] or branches
        depth = len(error.instance_path) + 1
        counts = Counter(name for branch in branches for name in _fixed_names(branch))
        misfits = [_misfit(branch, depth, counts) for branch in branches]
        least = min(misfits)
        meant = [branch for branch, each in zip(branches, misfits, strict=True) if each == least]
        inner = [each for branch in meant for each in branch]
        error = max(inner, key=lambda e: (len(e.instance_path), e.kind.name != "required"))
    return error


def _misfit(
    branch: list[ValidationError], depth: int, counts: Mapping[str | int, int]
) -> tuple[bool, int, int, int]:
    """The evidence against an alternative; the alternative with the least is the intended one.

    In order of weight: the value has another type; members differ from constants, such as a
    parameter's `in`; many alternatives differ in these members (`counts`); the number of errors.
    """
    names = _fixed_names(branch)
    typed = any(e.kind.name == "type" and len(e.instance_path) < depth for e in branch)
    constants = sum(_fixed(each, depth) for each in branch)
    return typed, constants, sum(counts[n] for n in names), len(branch)


def _fixed(error: ValidationError, depth: int) -> int:
    """The least number of members that differ from a required constant."""
    branches = getattr(error.kind, "context", ())
    if branches:
        return min(sum(_fixed(each, depth) for each in branch) for branch in branches)
    return error.kind.name in _CONSTANTS and len(error.instance_path) == depth


def _fixed_names(branch: Iterable[ValidationError]) -> set[str | int]:
    """The members whose constant differs from the one that an alternative requires."""
    errors = (each for each in branch if each.kind.name in _CONSTANTS)
    return {each.instance_path[-1] for each in errors if each.instance_path}


def _is_no_reference(error: ValidationError) -> bool:
    return error.kind.name == "required" and error.kind.as_dict()["property"] == "$ref"


def _constants(error: ValidationError, path: list[str | int]) -> Iterator[Any]:
    """The constants that an error's alternatives expect at a path, without duplicates."""
    constants: dict[str, Any] = {}
    stack = [error]
    while stack:
        each = stack.pop()
        stack += [inner for branch in getattr(each.kind, "context", ()) for inner in branch][::-1]
        if each.kind.name in _CONSTANTS and list(each.instance_path) == path:
            facts = each.kind.as_dict()
            values = facts["options"] if "options" in facts else [facts["expected_value"]]
            constants |= {json.dumps(value): value for value in values}
    yield from constants.values()


def _followed(path: Iterable[str | int], root: Any) -> tuple[Path, Any]:
    """The complete keys along a validator's path, and the value at its end.

    A validator omits keys that are empty strings; they are added here.
    """
    keys: list[str | int] = []
    value = root
    for token in path:
        while (key := _key(value, token)) is None:
            keys.append("")
            value = value[""]
        keys.append(key)
        value = value[key]
    return tuple(keys), value


def _key(holder: Any, token: str | int) -> str | int | None:
    """The key that a token of a validator's path means; such a path has 7 for the key `007`.

    None if the next key is an empty name, because such a path leaves it out.
    """
    if not isinstance(holder, dict) or token in holder:
        return token
    alike = (key for key in holder if _DIGITS.fullmatch(key) and int(key) == token)
    return str(token) if str(token) in holder else next(alike, None)


def _at(path: Iterable[str | int], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema at the end of a path; empty if it is in another resource."""
    node: Any = schema
    for token in path:
        within = isinstance(node, list) or (isinstance(node, Mapping) and token in node)
        node = node[token] if within else None
    return node if isinstance(node, Mapping) else {}


def _names(node: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """The property names of an object's schema and of the schemas applied with it."""
    if not isinstance(node, dict):
        return
    yield from node.get("properties", ())
    for pattern in node.get("patternProperties", ()):
        if listed := _WORDS.fullmatch(pattern):
            yield from listed[1].split("|")
    inner = [*node.get("dependentSchemas", {}).values(), node.get("then"), node.get("else")]
    for keyword in ("allOf", "anyOf", "oneOf"):
        inner += node.get(keyword, ())
    if "$ref" in node:
        inner.append(_at(map(unescape, node["$ref"].split("/")[1:]), schema))
    for each in inner:
        yield from _names(each, schema)
