"""The kinds of problems: the meaning, the severity and the remedy of each."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from .clients import RULES


class Severity(StrEnum):
    """The severity of a problem, the worst first."""

    BREAKS = "breaks a client"
    WASTES = "wastes tokens"
    UNCLEAR = "could be clearer"


class Kind(Struct, frozen=True):
    """A kind of problem. In a remedy, X is the tool and Y the argument."""

    severity: Severity
    meaning: str
    remedy: str


_DESCRIBE = "`description` in [tools.X] or the document"
KINDS = {
    "instructions": Kind(
        Severity.UNCLEAR, "the text reads like instructions to a model", f"read it; {_DESCRIBE}"
    ),
    "credential-argument": Kind(
        Severity.UNCLEAR,
        "an argument looks like a credential: `env` in the settings keeps it from agents",
        "`env` in [tools.X.arguments.Y]",
    ),
    "no-description": Kind(
        Severity.UNCLEAR,
        "the description says no more than the operation's method and path",
        _DESCRIBE,
    ),
    "short-description": Kind(
        Severity.UNCLEAR, "the description is shorter than 20 characters", _DESCRIBE
    ),
    "vague-name": Kind(
        Severity.UNCLEAR,
        "the name says nothing about what the tool works on",
        "`name` in [tools.X], or the operationId",
    ),
    "reads-by-post": Kind(
        Severity.UNCLEAR,
        "by its name, a POST seems only to read: clients ask users before calls that change data",
        "`annotations = {readOnlyHint = true}` in [tools.X]",
    ),
    "acts-by-get": Kind(
        Severity.UNCLEAR,
        "by its name, a GET seems to change something, but `--read-only` does not leave it out",
        "`annotations = {readOnlyHint = false}` in [tools.X]",
    ),
    "undescribed-argument": Kind(
        Severity.UNCLEAR,
        "an argument has no description",
        "`description` in [tools.X.arguments.Y] or the document",
    ),
    "long-name": Kind(
        Severity.BREAKS,
        "`mcp__<server>__<tool>`, as some clients call it, is over 64 characters",
        "`name` in [tools.X], or a shorter `name` of the server",
    ),
    "many-tools": Kind(
        Severity.WASTES,
        "more tools than agents can choose from well",
        '`surface = "search"`, or `include_tags`',
    ),
    "long-texts": Kind(
        Severity.WASTES,
        "texts of arguments are long: first sentences and rules would be enough",
        '`argument_texts = "first"`',
    ),
    "large-tool": Kind(
        Severity.WASTES,
        "one tool costs more than 2,000 tokens",
        "`input_schema_bytes`, or `hidden` in [tools.X.arguments.Y]",
    ),
    **{
        code: Kind(Severity.BREAKS if rule.refuses else Severity.UNCLEAR, rule.meaning, rule.remedy)
        for code, rule in RULES.items()
    },
}
"""By code, in the order in which those of the same severity are told."""
