"""Describes a problem in one of the documents that mcpgen defines, and gives advice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from ..text import pointer as pointers
from ..text.kinds import KINDS, json_type
from ..text.nearest import nearest
from .violations import Violation

CODES = {"unexpected": "unknown-key", "type": "wrong-type", "required": "missing-key"}
"""The code of a problem by the keyword that is violated; `wrong-value` for any other."""
_MIN_LIKENESS = 0.66
_MAX_MESSAGE_LENGTH = 200
_MAX_EXCERPT_LENGTH = 80
_MEANT = {"yes": "true", "on": "true", "no": "false", "off": "false"}


class Terms(Struct, frozen=True):
    """The words that messages use for the parts of one kind of document."""

    root: str = "the file"
    unknown: str = "`{}` is not a known key here"
    """The message about an unexpected member."""
    kinds: Mapping[str, str] = KINDS
    """The types of JSON Schema."""
    is_yaml: bool = True
    """Whether people also write these documents in YAML."""
    is_ours: bool = True
    """Whether mcpgen defines the schema: its descriptions are hints, and values are not secret."""


class Words(Struct, frozen=True):
    """A problem as code, message and hint."""

    code: str
    message: str
    hint: str = ""


def words(violation: Violation, terms: Terms, name: str = "") -> Words:
    """The code, message and hint for a violation; `name` is what the message calls its place.

    Without `name`, that is the place's key.
    """
    name = name or _name(violation, terms)
    code = CODES.get(violation.keyword, "wrong-value")
    message, hint = _message(violation, name, terms)
    description = str(violation.schema.get("description", "")) if terms.is_ours else ""
    return Words(code, _cut(message), hint or description)


def correction(violation: Violation) -> str:
    """The hint for an unexpected member: the expected member with the most similar name."""
    member = str(violation.path[-1])
    near = nearest(member, (name for name in violation.wants if name != member), _MIN_LIKENESS)
    return f"Did you mean `{near}`?" if near else ""


def around(places: Iterable[str]) -> frozenset[str]:
    """The pointers of places and of everything that contains them."""
    broken: set[str] = set()
    for at in places:
        while at not in broken:
            broken.add(at)
            at = pointers.parent(at)
    return frozenset(broken)


def _name(violation: Violation, terms: Terms) -> str:
    if not violation.path:
        return terms.root
    key = violation.path[-1]
    return "this entry" if isinstance(key, int) else f"`{key}`"


def _message(violation: Violation, name: str, terms: Terms) -> tuple[str, str]:
    """The message and the hint."""
    value, wants = violation.value, violation.wants
    excerpt = _excerpt(value) if terms.is_ours else ""
    match violation.keyword:
        case "unexpected":
            known = f"Known: {', '.join(wants)}." if wants else "No keys are allowed here."
            return terms.unknown.format(violation.path[-1]), correction(violation) or known
        case "type":
            kinds = " or ".join(terms.kinds[kind] for kind in wants)
            return f"{name} must be {kinds}, found {json_type(value)}", _rewritten(
                value, wants, terms
            )
        case "required":
            return f"{name} has no {', '.join(f'`{key}`' for key in wants)}", ""
        case "constant":
            choices = [each if isinstance(each, str) else json.dumps(each) for each in wants]
            only = f"one of {', '.join(choices)}" if len(choices) > 1 else f"`{choices[0]}`"
            near = nearest(value, choices) if isinstance(value, str) else ""
            is_ = f"{name} is {excerpt}; it must be" if excerpt else f"{name} must be"
            return f"{is_} {only}", f"Did you mean `{near}`?" if near else ""
        case "propertyNames":
            return f"the name {violation.message}", ""
    if excerpt and "description" in violation.schema:
        return f"{name} cannot be {excerpt}", ""
    return f"{name} {violation.message}", ""


def _rewritten(value: Any, kinds: tuple[str, ...], terms: Terms) -> str:
    """The hint for a value that is only spelled wrongly, such as `"true"`; else empty."""
    is_word = terms.is_yaml and isinstance(value, str) and value.lower() in _MEANT
    if "boolean" in kinds and is_word:
        return f"Write `{_MEANT[value.lower()]}`: in YAML 1.2 `{value}` is text."
    if kinds == ("boolean",) and isinstance(value, str):
        return "Write true or false, without quotes."
    if kinds == ("string",) and isinstance(value, bool | int | float):
        return "Write it in quotes."
    return ""


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    if not text:
        return "empty"
    return repr(
        text if len(text) <= _MAX_EXCERPT_LENGTH else f"{text[: _MAX_EXCERPT_LENGTH - 3]}..."
    )


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:_MAX_MESSAGE_LENGTH]}…"
