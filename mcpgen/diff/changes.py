"""The possible changes between two lists of tools, and how much each matters to callers.

The rules are data: the documentation lists them, and no other code classifies a change.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from msgspec import Struct

from ..text.literals import one_line

_TEXT, _BEFORE = 90, 30
"""Characters of a changed text in a line, and those of them before what differs."""


class Risk(IntEnum):
    """The effect of a change on an agent or program that still calls the tools as before."""

    HARMLESS = 1
    """Every call and every use of an answer goes on as before."""
    RISKY = 2
    """Calls go on, but may be chosen, or answered, differently."""
    BREAKING = 3
    """A call that was right is refused, or an answer lacks what it had."""


class Rule(Struct, frozen=True):
    """A kind of change."""

    risk: Risk
    meaning: str


_B, _R, _H = Risk.BREAKING, Risk.RISKY, Risk.HARMLESS
RULES: dict[str, Rule] = {
    "tool-removed": Rule(_B, "a tool is gone"),
    "tool-renamed": Rule(_B, "a tool has another name: same operation, or same schemas and text"),
    "tool-replaced": Rule(_B, "a tool's name now belongs to another operation"),
    "tool-changed": Rule(_R, "something changed that no other rule covers, such as `_meta`"),
    "tool-added": Rule(_H, "there is a new tool"),
    "argument-renamed": Rule(_B, "an argument has another name and the same schema"),
    "argument-removed": Rule(
        _B, "an argument is gone, and arguments that are not declared are refused"
    ),
    "argument-undeclared": Rule(_R, "an argument is no longer declared, but still let through"),
    "argument-required": Rule(
        _B, "an argument is now required, always or together with others, or is new and required"
    ),
    "argument-optional": Rule(
        _H, "an argument is no longer required, always or together with others"
    ),
    "argument-added": Rule(_H, "there is a new optional argument"),
    "input-narrowed": Rule(_B, "values that were accepted are refused: type, enum, limits, form"),
    "input-widened": Rule(_H, "more values are accepted"),
    "input-changed": Rule(_B, "a condition changed, and the accepted values cannot be compared"),
    "schema-rewritten": Rule(
        _H, "a schema is written differently, but no change of its meaning was found"
    ),
    "format-changed": Rule(
        _R, "an argument's `format`, or the content type of its string, changed"
    ),
    "default-changed": Rule(_R, "the default of an argument changed"),
    "output-removed": Rule(_B, "an answer's field is gone"),
    "output-added": Rule(_H, "an answer has a new field"),
    "output-type-changed": Rule(_B, "an answer's value may have another type"),
    "output-optional": Rule(_R, "a field of an answer may now be absent or null"),
    "output-widened": Rule(_R, "an answer's value may be one that was not allowed before"),
    "output-narrowed": Rule(
        _H, "an answer's values are more limited than before, or a field is now always there"
    ),
    "answer-changed": Rule(
        _R, "the types of an answer changed in a place that its advertised outline does not show"
    ),
    "output-shortened": Rule(_R, "a part of an answer is still named, but no longer described"),
    "output-schema-removed": Rule(_R, "a tool no longer describes its answer"),
    "output-schema-added": Rule(_H, "a tool describes its answer"),
    "description-changed": Rule(_R, "a description changed: agents may choose differently"),
    "argument-description-changed": Rule(_H, "an argument's or field's text changed"),
    "instructions-changed": Rule(_R, "the server's instructions changed"),
    "surface-changed": Rule(_B, "tools that were listed are now found by search, or the reverse"),
    "title-changed": Rule(_H, "a title changed"),
    "annotation-changed": Rule(_R, "a hint changed: clients may ask, or stop asking, for consent"),
    "security-required": Rule(_B, "a call needs credentials that it did not need before"),
    "security-scopes": Rule(_R, "a call needs more scopes"),
    "security-relaxed": Rule(_H, "a call needs fewer credentials or scopes"),
    "caller-scopes": Rule(_R, "callers of the server need different scopes for a tool than before"),
    "server-changed": Rule(_B, "calls, and the secrets with them, go to another server"),
    "token-url-changed": Rule(
        _B, "access tokens, and the secrets for them, are now requested from another URL"
    ),
    "scheme-changed": Rule(
        _B, "a credential is of another kind, or goes to another place in a request"
    ),
    "prompt-removed": Rule(_B, "a prompt is gone"),
    "prompt-renamed": Rule(_B, "a prompt has another name: same description and arguments"),
    "prompt-added": Rule(_H, "there is a new prompt"),
    "resource-removed": Rule(_B, "a resource or a resource template is gone"),
    "resource-uri-changed": Rule(
        _B, "a resource has another URI, or its template matches other URIs"
    ),
    "resource-uri-widened": Rule(_H, "a resource template matches more URIs"),
    "resource-type-changed": Rule(_R, "a resource has another media type"),
    "resource-renamed": Rule(_H, "a resource has another name, and the same URI"),
    "resource-added": Rule(_H, "there is a new resource or resource template"),
    "order-changed": Rule(_H, "tools, arguments, prompts or resources are listed in another order"),
}


class Change(Struct, frozen=True):
    """A change of one tool, prompt or resource."""

    code: str
    tool: str
    """Its name; a resource's URI or template."""
    where: str = ""
    """The argument or field, as a path: `filter.max_price`, `lines[].copies`."""
    detail: str = ""
    texts: tuple[str, str] = ("", "")
    """The text that changed: as it was, and as it is."""

    @property
    def risk(self) -> Risk:
        """The risk that the change's rule gives."""
        return RULES[self.code].risk

    def to_json(self) -> dict[str, Any]:
        """The change as a JSON object."""
        return {
            "code": self.code,
            "risk": self.risk.name.lower(),
            "tool": self.tool,
            "where": self.where,
            "detail": self.detail,
            **dict(zip(("old", "new"), self.texts if any(self.texts) else (), strict=False)),
        }

    def __str__(self) -> str:
        place = f" `{self.where}`" if self.where else ""
        detail = self.detail or _around(*self.texts)
        return f"{self.code}{place}" + (f": {detail}" if detail else "")


def _around(old: str, new: str) -> str:
    """Two texts on one line, each cut to the part around the first difference."""
    if not (old or new):
        return ""
    pairs = enumerate(zip(old, new, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))
    start = max(0, same - _BEFORE) if max(len(old), len(new)) > _TEXT else 0
    return " -> ".join(_quoted(text, start) for text in (old, new))


def _quoted(text: str, start: int) -> str:
    excerpt = text[start : start + _TEXT]
    more = "..." if len(text) > start + _TEXT else ""
    return f'"{"..." if start else ""}{one_line(excerpt)}{more}"'
