"""A tool's advertised schemas, as the file has them, plus the shared definitions they use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from ...patterns.advertised import why_not
from ...runtime.parts.dialects import class_of
from ...schemas.graphs import strongly_connected
from ...schemas.subschemas import LISTS, MAPS, SINGLE
from ...schemas.violations import Form, Path, Violation
from ...schemas.wording import Terms, words
from ...text import pointer as pointers
from ...text.nearest import nearest
from ..misspelled_keywords import report_misspelled
from .pool import Resource, references

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_PREFIX = "#/$defs/"
_MAX_NAMES = 5
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_TERMS = Terms("the schema", is_ours=False)
_NAMES = [(keyword,) for keyword in MAPS]
_MAX_PROBLEMS = 20
_IN_PLACE = re.compile(r"/(?:(?:allOf|anyOf|oneOf)/\d+|not|if|then|else|dependentSchemas/[^/]+)\Z")
"""The end of the pointer of a schema that applies to the same value as the one around it."""
_OPENAPI = "https://spec.openapis.org/oas/3."


def advertised(node: Node, shared: Node | None, diagnostics: Diagnostics) -> Node | None:
    """The schema at a node, plus the shared definitions that it uses; None if it is not valid.

    A reference that leads nowhere in this schema is reported: nothing is ever fetched.
    """
    if "$schema" not in node:  # draft 4 has such limits
        node = node.with_value(_as_meant(node, diagnostics))
    if not _is_schema(node, diagnostics):
        return None
    whole = node.with_value(_bundled(node.value, shared))
    own = Resource("", whole)
    for at, reference in references(whole.value):
        if own.pointer(reference, at) is None and not _is_dialect(reference):
            place = node.nearest(pointers.split(at))
            message = f"the reference {reference!r} leads nowhere in this schema"
            hint = "It accepts anything here; clients may refuse the tool, or its answers."
            meant = _suggestion(reference, whole, shared)
            diagnostics.warning("dangling-reference", message, place, f"{meant}{hint}")
    for loop in _loops(own, whole):
        names = ", ".join(f"#{pointer}" for pointer in loop[:_MAX_NAMES])
        message = f"schemas that refer to each other without end: {names}"
        place = node.nearest(pointers.split(loop[0]))
        hint = "Put a schema in place of one of the references."
        diagnostics.error("reference-loop", message, place, hint)
    _report_patterns(node, diagnostics)
    report_misspelled(node, diagnostics)
    return whole


def _as_meant(node: Node, diagnostics: Diagnostics) -> Any:
    """The schema, with common mistakes of schema generators corrected.

    `default: null` is dropped where null is not allowed. `exclusiveMinimum: true` makes the
    `minimum` beside it exclusive.
    """
    value = node.value
    if not isinstance(value, dict):
        return value
    changed: dict[str, Any] = {}
    for key, child in node.items():
        if key in SINGLE:
            changed[key] = _as_meant(child, diagnostics)
        elif key in LISTS and isinstance(child.value, list):
            changed[key] = [_as_meant(each, diagnostics) for each in child.elements()]
        elif key in (*MAPS, "$defs", "definitions") and isinstance(child.value, dict):
            changed[key] = {name: _as_meant(each, diagnostics) for name, each in child.items()}
        else:
            changed[key] = child.value
    for exclusive, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(changed.get(exclusive), bool):
            message = f"`{exclusive}` must be a number; it is read as in draft 4"
            diagnostics.warning("not-json-schema", message, node.child(exclusive))
            if changed.pop(exclusive) and limit in changed:
                changed[exclusive] = changed.pop(limit)
    if changed.get("default", 0) is None and _takes_no_null(changed):
        message = "`default` is null, which its own schema refuses; it is left out"
        diagnostics.warning("value", message, node.child("default"))
        del changed["default"]
    return changed


def _takes_no_null(schema: Mapping[str, Any]) -> bool:
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    forms = [schema] if "type" in schema else branches
    types = [form.get("type") for form in forms if isinstance(form, Mapping)]
    return bool(types) and all(isinstance(each, str) and each != "null" for each in types)


def _suggestion(reference: str, whole: Node, shared: Node | None) -> str:
    """A hint for a dangling reference: a similar name, or that no other file is read."""
    pools = [each for each in (whole.get("$defs"), shared) if each is not None]
    names = [name for pool in pools for name, _ in pool.items()]
    near = nearest(reference.rpartition("/")[2].lstrip("#"), names)
    if near:
        return f"Did you mean `{_PREFIX}{near}`? "
    if not reference.startswith("#"):
        return "A tool file is one file: what tools share is in its `$defs`. "
    return ""


def _loops(own: Resource, whole: Node) -> Iterator[list[str]]:
    """The pointers of schemas that refer back to themselves for the same value."""
    graph: dict[str, set[str]] = {}
    for at, reference in references(whole.value):
        target = own.pointer(reference, at)
        around, is_in_place = at, 1
        while target is not None and is_in_place:
            graph.setdefault(around, set()).add(target)
            around, is_in_place = _IN_PLACE.subn("", around)
    for loop in strongly_connected(graph):
        yield sorted(loop)


def _bundled(schema: dict[str, Any], shared: Node | None) -> dict[str, Any]:
    """The schema, together with the file's definitions that it refers to."""
    own = schema.get("$defs", {})
    if shared is None or not isinstance(own, dict):  # older dialects do not know the keyword
        return schema
    pool: Mapping[str, Any] = shared.value
    names: set[str] = set()
    todo: list[Any] = [schema]
    while todo:
        for name in _definition_names(todo.pop()):
            if name in pool and name not in own and name not in names:
                names.add(name)
                todo.append(pool[name])
    if not names:
        return schema
    return {**schema, "$defs": {**own, **{name: pool[name] for name in pool if name in names}}}


def _definition_names(schema: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    for _, reference in references(schema):
        if reference.startswith(_PREFIX):
            with suppress(ValueError):
                yield pointers.split(pointers.from_fragment(reference[1:]))[1]


def check_shared(shared: Node, diagnostics: Diagnostics) -> None:
    """Report shared definitions that are not valid JSON Schema, or that look like mistakes."""
    for _, node in shared.items():
        if _is_schema(node, diagnostics):
            report_misspelled(node, diagnostics)


def _is_schema(node: Node, diagnostics: Diagnostics) -> bool:
    dialect = node.get("$schema")
    if dialect is not None and not _is_dialect(dialect.value):
        hint = "Known: JSON Schema 2020-12 and 2019-09, draft-07, -06 and -04."
        if "draft-05" in str(dialect.value):
            hint = "That draft uses the meta-schema of draft-04; name it instead."
        message = f"the dialect {str(dialect.value)[:200]!r} is not known"
        diagnostics.error("unknown-dialect", message, dialect, hint)
        return False
    problems = _problems(json.dumps(node.value))
    for path, message, hint in problems:
        diagnostics.error("not-json-schema", message, node.nearest(path), hint)
    return not problems


def _is_dialect(uri: Any) -> bool:
    """Whether a `$schema` is known to validators, or is OpenAPI's dialect of 2020-12."""
    return class_of(uri) is not None or str(uri).startswith(_OPENAPI)


@cache
def _form(make: Any) -> Form:
    """The meta-schema of a dialect, prepared for validation."""
    return Form(make.META_SCHEMA)


@cache
def _problems(text: str) -> tuple[tuple[Path, str, str], ...]:
    """The violations of the meta-schema in a schema: path, message and hint of each.

    If there are more than `_MAX_PROBLEMS`, the first by path are returned, since the validator has
    no fixed order.
    """
    schema = json.loads(text)
    uri = schema.get("$schema") if isinstance(schema, Mapping) else None
    violations = _form(class_of(uri) or Draft202012Validator).violations(schema)
    first = nsmallest(_MAX_PROBLEMS, violations, key=lambda each: [*map(str, each.path)])
    return tuple((each.path, *_in_words(each)) for each in first)


def _in_words(violation: Violation) -> tuple[str, str]:
    """The message about a violation, and a hint on the mistake that probably caused it."""
    said = words(violation, _TERMS)
    path, value = violation.path, violation.value
    keyword = path[-1] if path and path[-2:-1] not in _NAMES else ""
    hint = said.hint or "See json-schema.org/understanding."
    if keyword == "required":
        hint = "An object's `required` is the list of the properties that it must have."
    elif violation.keyword == "type" and value in _TYPES:
        hint = f"A schema is an object: write `type: {value}` inside one."
    return f"this is not a JSON Schema: {said.message}", hint


def _report_patterns(node: Node, diagnostics: Diagnostics) -> None:
    """Report patterns that clients or the server cannot compile, and arrays without `items`."""
    stack: list[Node] = [node]
    while stack:
        current = stack.pop()
        texts = [(current.optional("pattern"), current.optional("pattern").value)]
        texts += [(each, key) for key, each in current.optional("patternProperties").items()]
        for at, text in texts:
            if isinstance(text, str) and (why := why_not(text)):
                hint = "Mend it: clients that compile patterns refuse the tool."
                hint = hint if "linear" not in why else "Say in the description what it means."
                diagnostics.warning("pattern", f"this pattern {why}", at, hint)
        kind = current.optional("type")
        if kind.value == "array" and "items" not in current and "prefixItems" not in current:
            message = "an array without `items`: some models' APIs refuse the tool"
            diagnostics.warning("items", message, kind, "Write `items: {}` for items of any kind.")
        stack += [child for _, child in current.items()]
        stack += list(current.elements())
