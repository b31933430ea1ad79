"""Objects that, read literally, forbid properties which they require or declare.

`additionalProperties` only knows the `properties` and `patternProperties` of its own schema (JSON
Schema 2020-12 Core, 10.3.2.3), so a closed schema in an `allOf` forbids what the other schemas
declare. Authors usually mean `unevaluatedProperties`, which exists since 2019-09 and knows the
properties of the whole `allOf` (11.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec import Struct

from ..diagnostics import GenerationError
from ..source.document import Node, ReferenceProblem
from .dialect_rules import is_nullable

CLOSING = ("additionalProperties", "unevaluatedProperties")
_MAX_PARTS = 64
"""A schema with more parts is not judged: its references may form a loop, or multiply."""


_FORBIDDEN = {
    True: "`additionalProperties` forbids a required property: no value fits",
    False: "`additionalProperties` forbids a property declared beside it: no value fits",
}
"""How an object contradicts itself, keyed by whether a forbidden name is required."""
_READ_AS_WHOLE = (
    "`additionalProperties` forbids a required property, so that no value fits; "
    "the object is read as closed as a whole"
)
_WRITE_WHOLE = "Write `unevaluatedProperties` where the whole object is meant (OpenAPI 3.1)."
_SAID_OF_THE_WHOLE = (
    "Write `unevaluatedProperties` where the whole object is meant (OpenAPI 3.1), or have it read "
    'so: closed_objects = "whole" (`--closed-objects whole`).'
)


class Closing(Struct, frozen=True):
    """The decision how to read an object that contradicts itself, and the message about it."""

    is_whole: bool = False
    """Some parts are closed, but the object is read as closed as a whole."""
    unmet: frozenset[str] = frozenset()
    """The names that it both requires and forbids; they are not required."""
    keyword: str = ""
    text: str = ""
    hint: str = ""


OPENED = Closing()
"""The reading of a schema that closes nothing, or that has no contradictions."""


class Contradiction(Struct, frozen=True):
    """A contradiction: an object forbids a property that it also declares or requires."""

    keyword: str
    """The object's keyword at which the contradiction is reported."""
    is_required: bool
    """A forbidden name is required too, so no value fits."""
    is_inherited: bool
    """A schema of the object's `allOf` already contradicts itself."""
    is_of_parts: bool
    """The contradiction only exists because each part is closed by itself: closed as a whole, the
    object could have all its properties.
    """


def closing_of(node: Node, *, siblings: bool, closed_whole: bool) -> Closing:
    """Decide how to read a closed object (one that forbids undeclared properties).

    If an object requires properties that it forbids, that is reported. If values would fit once the
    schemas of its `allOf` are closed together, as one schema, it is read that way. Otherwise the
    forbidden properties are not required. `closed_whole`: always close conflicting schemas
    together.
    """
    if closed_base(node, siblings=siblings) is not None:
        return Closing(is_whole=True)
    conflict = _contradiction(node, siblings)
    if conflict is None:
        return OPENED
    if conflict.is_of_parts and closed_whole:
        return Closing(is_whole=True)
    is_whole, unmet = conflict.is_of_parts and conflict.is_required, set[str]()
    if conflict.is_required and not (is_whole or conflict.is_inherited):
        unmet, undeclared = _forbidden(node, siblings)
        is_whole = unmet > undeclared
        unmet = undeclared if is_whole else unmet
    if conflict.is_inherited:
        return Closing(is_whole)
    text = _READ_AS_WHOLE if is_whole else _FORBIDDEN[conflict.is_required]
    if unmet:
        text += f"; not required: {', '.join(f'`{name}`' for name in sorted(unmet))}"
    hint = _SAID_OF_THE_WHOLE if conflict.is_of_parts and not is_whole else ""
    hint = hint or _WRITE_WHOLE * is_whole
    return Closing(is_whole, frozenset(unmet), conflict.keyword, text, hint)


def _contradiction(node: Node, siblings: bool) -> Contradiction | None:
    """The contradiction between the schemas that apply to an object; None if there is none.

    `siblings`: keywords beside `$ref` are not ignored.
    """
    keyword = _closing_keyword(node)
    if not keyword or (node.is_ref and not siblings):
        return None
    joined = list(_members(node, siblings))
    if len(joined) > _MAX_PARTS:
        return None
    own: list[Node] = []
    _collect_own(node, siblings, own)
    members = [_parts(each, siblings) for each in joined]
    parts = [*own, *chain.from_iterable(members)]
    if not _forbids(parts):
        return None
    closed = _closed(own)
    is_inherited = False
    for each in members:
        if _forbids(each):
            is_inherited = True
            closed.append(_names(each))
        else:
            closed += _closed(each)
    is_of_parts = _forbids_any(closed, parts) and _can_be_met(parts)
    is_required = _misses_any(_closed(parts), _needs(parts))
    return Contradiction(keyword, is_required, is_inherited, is_of_parts)


def _closing_keyword(node: Node) -> str:
    """The keyword at which to report a contradiction; empty if the object cannot have one."""
    if node.value.get("additionalProperties") is False:
        return "additionalProperties"
    if "allOf" in node:
        return "allOf"
    return "$ref" if node.is_ref and "required" in node else ""


def is_closed(node: Node, *, siblings: bool) -> bool:
    """Whether a schema that applies to the object forbids properties that it does not declare."""
    return any(closes(part.value) for part in _parts(node, siblings))


def forbids(node: Node, name: str, *, siblings: bool) -> bool:
    """Whether an object is closed and does not declare the property `name`."""
    return any(name not in names for names in _closed(_parts(node, siblings)))


def closed_base(node: Node, *, siblings: bool) -> Node | None:
    """The closed base schema with a `discriminator` that the object extends by `allOf`, or None.

    A value of the base may be of any of its extensions (OpenAPI 3.1.1, 4.8.25.2), each of which is
    closed as a whole.
    """
    parts = (part for each in _members(node, siblings) for part in _parts(each, siblings))
    return next((each for each in parts if "discriminator" in each and closes(each.value)), None)


def closes(source: Mapping[str, Any]) -> bool:
    """Whether a schema's own keywords forbid properties that it does not declare."""
    return any(source.get(name) is False for name in CLOSING)


def _forbidden(node: Node, siblings: bool) -> tuple[set[str], set[str]]:
    """Two sets of required names: those that a closed schema lacks, those that all schemas lack."""
    parts = _parts(node, siblings)
    required = {name for part in parts for name in _required(part.value)}
    names = {name for names in _closed(parts) for name in required - names}
    return names, names - _names(parts)


def _forbids(parts: list[Node]) -> bool:
    if len(parts) > _MAX_PARTS or not _are_objects(parts):
        return False
    closed = _closed(parts)
    return bool(closed) and _forbids_any(closed, parts)


def _closed(parts: list[Node]) -> list[set[str]]:
    """The declared property names of each closed schema."""
    return [_names([part]) for part in parts if _closes(part)]


def _forbids_any(closed: list[set[str]], parts: list[Node]) -> bool:
    """Whether a closed schema forbids a property that another schema requires or declares."""
    names = [_names([part]) for part in parts]
    adds = any(_adds(each, members) for members in closed for each in names)
    return adds or _misses_any(closed, _needs(parts))


def _adds(names: set[str], words: set[str]) -> bool:
    """Whether the properties `names` of a schema include some that a closed schema lacks.

    `words` are the names of the closed schema. False if `names` includes all of them: the schema is
    a wider version of the closed one.
    """
    is_wider = bool(words) and words <= names
    return not names <= words and not is_wider


def _misses_any(closed: list[set[str]], needs: list[list[Mapping[str, Any]]]) -> bool:
    return any(all(_misses(each, members) for each in need) for members in closed for need in needs)


def _can_be_met(parts: list[Node]) -> bool:
    """Whether every required property is declared by one of the schemas or their alternatives."""
    if not all(_closes(part) or "additionalProperties" not in part for part in parts):
        return True
    names = _names(parts)
    return all(
        any(not _misses(each, names | _names_of(each)) for each in need) for need in _needs(parts)
    )


def _closes(part: Node) -> bool:
    return part.value.get("additionalProperties") is False and "patternProperties" not in part


def _needs(parts: list[Node]) -> list[list[Mapping[str, Any]]]:
    """Groups of schemas; a value must fit at least one schema of each group."""
    return [[part.value] for part in parts] + [each for part in parts for each in _choices(part)]


def _names(parts: list[Node]) -> set[str]:
    return set[str]().union(*(_names_of(part.value) for part in parts))


def _names_of(source: Mapping[str, Any]) -> set[str]:
    properties = source.get("properties")
    return set(properties) if isinstance(properties, Mapping) else set()


def _parts(node: Node, siblings: bool) -> list[Node]:
    """The nodes of all schemas that apply to an object: itself, its `$ref` and its `allOf`."""
    parts: list[Node] = []
    _collect(node, siblings, parts)
    return parts


def _collect(node: Node, siblings: bool, parts: list[Node]) -> None:
    if len(parts) > _MAX_PARTS or not isinstance(node.value, Mapping):
        return
    _collect_own(node, siblings, parts)
    for member in _members(node, siblings):
        _collect(member, siblings, parts)


def _collect_own(node: Node, siblings: bool, parts: list[Node]) -> None:
    """Collect the object and the schemas of its `$ref`, but not those of its own `allOf`."""
    if not node.is_ref or siblings:
        parts.append(node)
    if node.is_ref and (target := _target(node)) is not None:
        _collect(target, siblings, parts)


def _members(node: Node, siblings: bool) -> Iterator[Node]:
    if "allOf" in node and (not node.is_ref or siblings):
        yield from node.child("allOf").elements()


def _choices(part: Node) -> Iterator[list[Mapping[str, Any]]]:
    """The schemas under `anyOf`, then those under `oneOf`."""
    for keyword in ("anyOf", "oneOf"):
        targets = [_target(each) for each in part.optional(keyword).elements()]
        sources = [each.value for each in targets if each is not None]
        if targets and all(isinstance(source, Mapping) for source in sources):
            yield sources if len(sources) == len(targets) else [{}]


def _target(node: Node) -> Node | None:
    try:
        return node.target()
    except (ReferenceProblem, GenerationError):
        return None  # told where the reference is followed to be read


def _misses(source: Mapping[str, Any], names: set[str]) -> bool:
    return any(name not in names for name in _required(source))


def _required(source: Mapping[str, Any]) -> list[str]:
    """The names in `required`; invalid ones are skipped here and reported elsewhere."""
    names = source.get("required")
    return [each for each in names if isinstance(each, str)] if isinstance(names, list) else []


def _are_objects(parts: list[Node]) -> bool:
    """Whether only objects are valid; for values of other types, `required` has no effect."""
    types = [part.value["type"] for part in parts if "type" in part]
    nullable = [part for part in parts if "type" in part and is_nullable(part.value)]
    return bool(types) and set(map(str, types)) == {"object"} and len(nullable) < len(types)
