"""The tables `[tools."<name>"]` of a `mcpgen.toml`: what the user says of single tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import isfinite
from typing import Any, get_args, get_type_hints

from ..bundled.contents import tool_file_schema
from ..diagnostics import did_you_mean
from ..operations.argument_names import NAME as ARGUMENT_NAME
from ..runtime.parts.shaping import read_path
from ..runtime.values.media import is_token

_KINDS: Mapping[type, str] = {
    bool: "true or false",
    str: "a string",
    int: "a whole number",
    list: "a list",
    dict: "a table",
}
"""What values have to be, in words."""
TOOL_KEYS: Mapping[str, tuple[type, str]] = {
    "enabled": (bool, "false: there is no such tool."),
    "name": (str, "The name that agents see."),
    "title": (str, "The title that people see."),
    "description": (str, "What agents read; replaces the document's."),
    "annotations": (dict, "Hints over those that are made from the method."),
    "arguments": (dict, "Tables for single arguments."),
    "redact": (list, "Fields of its answers that are masked: paths such as $.customer.email."),
    "headers": (list, "Further headers of its answers that agents are told: X-Trace."),
    "scopes": (
        list,
        "Over HTTP, where callers have tokens: the scopes that it needs. "
        'In [tools."*"]: of each tool that would need none.',
    ),
    "fields": (list, "The only fields that are kept of its answers: paths such as $.items[*].id."),
    "output_schema": (str, "open, strict or none: what its outputSchema promises."),
    "output_schema_bytes": (int, "At this size its outputSchema becomes a short outline."),
    "task": (str, "optional or required: it may or must run as a task; forbidden: it may not."),
    "pinned": (bool, "true: the search surface lists it beside its own tools."),
    "keywords": (list, "Words by which the search surface finds it too."),
    "pages": (dict, "How call_read_tool goes from page to page of its answers; {}: it does not."),
    "poll": (dict, "An operation that answers 202 is followed to its end; {}: in the usual way."),
}
EVERY = "*"
"""Instead of a tool's name: the table has hints, arguments and scopes for every tool."""
METHODS = ("get", "head", "options", "query", "trace", "post", "put", "patch", "delete")
"""Of the tools that hints for every tool may be for."""
ARGUMENT_KEYS: Mapping[str, tuple[type | None, str]] = {
    "name": (str, "The name that agents see; the API gets its own."),
    "description": (str, "What agents read; replaces the document's."),
    "default": (None, "Advertised, and sent where the agent leaves the argument out."),
    "hidden": (bool, "true: agents do not see the argument, and it is not sent."),
    "value": (None, "Agents do not see the argument; this is sent."),
    "env": (str, "Agents do not see the argument; this environment variable's value is sent."),
}
POLL_KEYS: Mapping[str, tuple[type | None, str]] = {
    "status": (str, "Where an answer at the status URL says how it stands: /status."),
    "running": (list, "The words there by which it goes on."),
    "failed": (list, "The words there by which it has failed."),
    "progress": (str, "Where an answer gives a percentage."),
    "result": (str, "Where the last answer has the result, or its URL."),
    "operation": (str, "The operation whose answer the result is: its id, or GET /path."),
    "header": (str, "The header with the status URL, if it is no usual one."),
    "cancel": (str, "The method by which the status URL takes a cancellation."),
    "interval": (None, "Seconds between questions, where Retry-After does not say."),
    "timeout": (None, "Seconds for the whole operation."),
}
SEARCH_KEYS: Mapping[str, tuple[type | None, str]] = {
    "prefix": (str, "What the names of the search surface's own tools begin with."),
}
PAGES_KEYS: Mapping[str, tuple[type | None, str]] = {
    "items": (str, "Where an answer has its items, such as data.list; without it: it is the list."),
    "cursor": (str, "The argument that takes the cursor of the next page."),
    "at": (str, "Where an answer has that cursor; without `cursor`: the URL of the next page."),
    "page": (str, "The argument that takes the number of a page."),
    "first": (int, "The number of the first page; 1 unless given."),
    "offset": (str, "The argument that takes how many items to leave out."),
    "size": (str, "The argument that takes how many items a page has."),
    "usual": (int, "How many items a page has where that is not given."),
}
PROMISES = ("open", "strict", "none")
"""What an outputSchema may promise."""
_CHOICES = {"task": ("forbidden", "optional", "required"), "output_schema": PROMISES}
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SCOPE = re.compile(r"[!#-\[\]-~]+")  # RFC 6749 3.3
_PREFIX = re.compile(r"[A-Za-z0-9_.-]{0,40}")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


class SettingProblem(Exception):
    """What is wrong with a table, and a way out."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


def check(tables: Any) -> dict[str, dict[str, Any]]:
    """The tables as they are, if they are right; raises SettingProblem."""
    for tool, table in check_table("tools", tables).items():
        place = f'tools."{tool}"'
        entries = check_table(place, table)
        common = {key: TOOL_KEYS[key] for key in ("annotations", "arguments", "scopes")}
        keys = common if tool == EVERY else TOOL_KEYS
        check_keys(place, entries, keys)
        if "name" in entries and not TOOL_NAME.fullmatch(entries["name"]):
            raise SettingProblem(
                "settings-value",
                f"`{place}.name` is no tool's name",
                "Use at most 64 of A-Z, a-z, 0-9, `_`, `-` and `.`.",
            )
        _hints(f"{place}.annotations", entries.get("annotations", {}), of_every=tool == EVERY)
        check_scopes(f"{place}.scopes", entries.get("scopes", []))
        _headers(f"{place}.headers", entries.get("headers", []))
        for key in ("redact", "fields"):
            _paths(f"{place}.{key}", entries.get(key, []))
        _values(place, entries)
        _pages(f"{place}.pages", entries.get("pages", {}))
        if "poll" in entries:
            _poll(f"{place}.poll", entries["poll"])
        for argument, details in entries.get("arguments", {}).items():
            _argument(f'{place}.arguments."{argument}"', details)
    return {tool: dict(table) for tool, table in tables.items()}


def _hints(place: str, hints: Mapping[str, Any], *, of_every: bool) -> None:
    """Check hints; those of every tool may be given by method."""
    for hint, value in hints.items():
        if of_every and hint in METHODS:
            _hints(f"{place}.{hint}", check_table(f"{place}.{hint}", value), of_every=False)
        elif hint not in HINTS:
            raise unknown(place, hint, (*HINTS, *(METHODS if of_every else ())))
        elif not isinstance(value, bool):
            raise SettingProblem("settings-type", f"`{hint}` of {place} must be true or false")


def check_search(table: Any) -> dict[str, Any]:
    """The table `[search]` as it is, if it is right; raises SettingProblem."""
    entries = check_table("search", table)
    check_keys("search", entries, SEARCH_KEYS)
    if not _PREFIX.fullmatch(entries.get("prefix", "")):
        hint = "Use at most 40 of A-Z, a-z, 0-9, `_`, `-` and `.`, such as shop_."
        message = "`search.prefix` cannot begin a tool's name"
        raise SettingProblem("settings-value", message, hint)
    return dict(entries)


def _values(place: str, entries: Mapping[str, Any]) -> None:
    for key, choices in _CHOICES.items():
        if entries.get(key, choices[0]) not in choices:
            message = f"`{place}.{key}` must be one of {', '.join(choices)}"
            raise SettingProblem("settings-value", message)
    if entries.get("output_schema_bytes", 0) < 0:
        message = f"`{place}.output_schema_bytes` must not be negative"
        raise SettingProblem("settings-value", message)
    if not all(isinstance(word, str) and word.strip() for word in entries.get("keywords", [])):
        raise SettingProblem("settings-value", f"`{place}.keywords` must be a list of words")
    for key in ("title", "description"):
        if not entries.get(key, key).strip():
            message, hint = f"`{place}.{key}` is empty", "Without it the document's own stays."
            raise SettingProblem("settings-value", message, hint)


def _pages(place: str, table: dict[str, Any]) -> None:
    check_keys(place, table, PAGES_KEYS)
    ways = [key for key in ("cursor", "page", "offset") if key in table]
    if len(ways) > 1:
        both = " and ".join(f"`{way}`" for way in ways)
        raise SettingProblem("settings-value", f"{both} of {place} exclude each other")
    if "cursor" in table and "at" not in table:
        hint = "Say where an answer has the cursor of the next page: `at`."
        raise SettingProblem("settings-value", f"`{place}` has a cursor from nowhere", hint)


def check_scopes(place: str, scopes: Sequence[Any]) -> None:
    """Raise SettingProblem unless all are OAuth scopes (RFC 6749, 3.3)."""
    if not all(isinstance(scope, str) and _SCOPE.fullmatch(scope) for scope in scopes):
        raise SettingProblem("settings-value", f"`{place}` must be a list of OAuth scopes")


def _headers(place: str, names: list[Any]) -> None:
    if not all(isinstance(name, str) and is_token(name) for name in names):
        raise SettingProblem("settings-value", f"`{place}` must be a list of headers' names")


def _paths(place: str, paths: list[Any]) -> None:
    for path in paths:
        try:
            steps = read_path(path if isinstance(path, str) else "")
        except ValueError as problem:
            subject = f"`{path}` of {place}" if path else f"an entry of `{place}`"
            raise SettingProblem("settings-value", f"{subject} {problem}") from None
        if place.endswith(".fields") and any(step.anywhere for step in steps):
            hint = "Write out where the field is."
            raise SettingProblem("settings-value", f"`{path}` of {place} holds `..`", hint)


def _poll(place: str, table: dict[str, Any]) -> None:
    """Raise SettingProblem for what a tool file could not say either."""
    from ..samples.checks import Checker  # of no use where nothing takes long

    check_keys(place, table, POLL_KEYS)
    table = {key: value for key, value in table.items() if key != "operation"}
    schemas = json.loads(tool_file_schema())["$defs"]
    for key, value in table.items():
        rule = schemas["poll"]["properties"][key]
        _json_value(f"{place}.{key}", value)
        if not Checker(schemas).valid(value, rule):
            about = rule.get("description", "")
            raise SettingProblem("settings-value", f"`{place}.{key}` cannot be {value!r}", about)


def _json_value(place: str, value: Any) -> None:
    """Raise SettingProblem for what TOML has and JSON has not."""
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            _json_value(place, inner)
    elif not isinstance(value, (str, int)) and not (isinstance(value, float) and isfinite(value)):
        message = f"`{place}` holds {value}, which JSON has not"
        hint = "Dates and times are texts there: put them in quotes."
        raise SettingProblem("settings-value", message, hint)


def _argument(place: str, details: Any) -> None:
    entries = check_table(place, details)
    check_keys(place, entries, ARGUMENT_KEYS)
    if not ARGUMENT_NAME.fullmatch(entries.get("name", "x")):
        hint = "Models' APIs take at most 64 of A-Z, a-z, 0-9, `_`, `-` and `.`."
        raise SettingProblem("settings-value", f"`{place}.name` is no argument's name", hint)
    for key in entries.keys() & {"default", "value"}:
        _json_value(f"{place}.{key}", entries[key])
    if not _VARIABLE.fullmatch(entries.get("env", "X")):
        raise SettingProblem(
            "settings-value", f"`{place}.env` is no environment variable", "Use A-Z, 0-9 and `_`."
        )
    ways = [key for key in ("default", "hidden", "value", "env") if key in entries]
    if not entries.get("hidden"):
        ways = [key for key in ways if key != "hidden"]
    if len(ways) > 1:
        both = " and ".join(f"`{way}`" for way in ways)
        raise SettingProblem("settings-value", f"{both} of {place} exclude each other")


def check_table(place: str, value: Any) -> dict[str, Any]:
    """The value, if it is a table; raises SettingProblem."""
    if not isinstance(value, dict):
        raise SettingProblem("settings-type", f"`{place}` must be a table")
    return value


def check_keys(place: str, entries: Mapping[str, Any], keys: Mapping[str, tuple[Any, str]]) -> None:
    """Raise SettingProblem for a key that is not known or a value of another type."""
    for key, value in entries.items():
        if key not in keys:
            raise unknown(place, key, keys)
        if keys[key][0] is not None:
            typed(f"`{place}.{key}`", value, keys[key][0])


types_of = cache(get_type_hints)
"""The types of the fields of a dataclass, which takes a millisecond to find out."""


def typed(name: str, value: Any, kind: Any) -> Any:
    """The value, if it is of the wanted type, a list of strings as a tuple; raises SettingProblem.

    `name` is what messages call it.
    """
    if get_args(kind):
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise SettingProblem("settings-type", f"{name} must be a list of strings")
    if type(value) is not kind:
        raise SettingProblem("settings-type", f"{name} must be {_KINDS[kind]}")
    return value


def unknown(place: str, key: str, names: Iterable[str]) -> SettingProblem:
    """The problem of a key that is not known; its hint names the known key most like it."""
    hint = did_you_mean(key, list(names), f"Known keys: {', '.join(names)}.")
    hint += " What holds for the whole server stands above all tables."
    return SettingProblem("settings-unknown-key", f"unknown setting `{key}` of {place}", hint)
