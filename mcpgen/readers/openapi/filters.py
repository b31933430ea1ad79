"""Filters choose which operations become tools."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ...diagnostics import did_you_mean
from ...methods import METHODS, is_safe
from ...operations import matching as all_operations
from ...text.words import split

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from ...api import Skipped
    from ...diagnostics import Diagnostics
    from ...settings import Settings
    from .operation_parts import Operation

_GLOB = re.compile(r"[*?\[]")
_NO_NAME = re.compile(r"[*?\[]|^[A-Z]+ /")
"""A glob, or a method and a path."""
_CHANGING = frozenset(
    {"add", "associate", "attach", "cancel", "create", "delete", "deregister", "destroy", "detach"}
    | {"disable", "disassociate", "enable", "insert", "modify", "purge", "put", "reboot", "remove"}
    | {"revoke", "send", "set", "subscribe", "terminate", "unsubscribe", "untag", "update"}
)
"""The first words of names for calls that change something."""


def left_out(operation: Operation, name: str, settings: Settings) -> str:
    """Why the filters or the document leave an operation out; empty if it is kept."""
    if reason := _filtered(_values(operation, name), settings):
        return reason
    if settings.methods and operation.method.upper() not in {m.upper() for m in settings.methods}:
        return "not chosen by --methods"
    # The document's own hint is no guarantee for a POST, but it may say that a GET writes.
    is_writing = operation.extension.hints.get("readOnlyHint") is False
    if settings.read_only and (is_writing or not only_reads(operation)):
        return "left out by --read-only"
    if operation.extension.enabled is False:
        return "left out by the document itself: x-mcp disables it"
    return ""


def path_left_out(path: str, settings: Settings) -> str:
    """Why the filters leave out all operations at a path; empty if they do not."""
    return _filtered({"path": (path,)}, settings)


def _filtered(values: Mapping[str, Iterable[str]], settings: Settings) -> str:
    """Why a filter leaves out an operation with these values; empty if none does."""
    for what, include, exclude in _filters(settings):
        if what not in values:
            continue
        if include and not _matches(values[what], include):
            return f"not chosen by --include-{what}"
        if exclude and (glob := _matches(values[what], exclude)):
            return f"left out by --exclude-{what} {glob}"
    return ""


def follow(
    operations: Iterable[Operation],
    tool_names: Mapping[str, str],
    settings: Settings,
    known_filters: Mapping[str, str],
    diagnostics: Diagnostics,
) -> tuple[Settings, dict[str, str]]:
    """Keep filters working where operations were renamed; the lock has what a name meant before.

    Returns the settings, and the operation (`METHOD /path`) that each name in a filter means.
    """
    globs = {*settings.include_operations, *settings.exclude_operations}
    names = {name for name in globs if not _NO_NAME.search(name)}
    if not names:
        return settings, {}
    keys: dict[str, set[str]] = {}
    for operation in operations:
        for name in _names(operation, tool_names[operation.key]):
            keys.setdefault(name, set()).add(operation.key)
    meant = {name: keys[name].pop() for name in names if len(keys.get(name, ())) == 1}
    same = all_operations.same(known_filters.values(), tool_names)
    gone = known_filters.keys() & names - keys.keys()
    before = {name: known_filters[name] for name in sorted(gone)}
    renamed = {name: same[key] for name, key in before.items() if key in same}
    for name, key in renamed.items():
        message = f"the operation that a filter names `{name}` is now called `{tool_names[key]}`"
        hint = f"The filter still works. Change the name in it to `{tool_names[key]}`."
        kind = "include" if name in settings.include_operations else "exclude"
        setting = (f"{kind}_operations", name)
        diagnostics.warning("filter-renamed", message, hint=hint, setting=setting)
    now = {name: _GLOB.sub(r"[\g<0>]", key) for name, key in renamed.items()}
    settings = replace(
        settings,
        include_operations=tuple(now.get(name, name) for name in settings.include_operations),
        exclude_operations=tuple(now.get(name, name) for name in settings.exclude_operations),
    )
    return settings, dict(sorted((before | renamed | meant).items()))


def report_unused(
    operations: Iterable[Operation],
    skipped: Iterable[Skipped],
    tool_names: Mapping[str, str],
    settings: Settings,
    diagnostics: Diagnostics,
) -> None:
    """Warn about filters that match neither an operation nor the path of an unreadable one."""
    if not (settings.methods or any(some or none for _, some, none in _filters(settings))):
        return
    methods = set(METHODS)
    there = {"path": {each.path for each in skipped}}
    for operation in operations:
        methods.add(operation.method.upper())
        for what, values in _values(operation, tool_names[operation.key]).items():
            there.setdefault(what, set()).update(values)
    unused: list[tuple[str, str, tuple[str, str], set[str]]] = []
    for what, *globs in _filters(settings):
        values = there.get(what, set())
        for kind, chosen in zip(("include", "exclude"), globs, strict=True):
            for glob in chosen:
                if not _matches(values, [glob]):
                    unused.append((f"--{kind}-{what}", glob, (f"{kind}_{what}s", glob), values))
    for method in settings.methods:
        if method.upper() not in methods:
            unused.append(("--methods", method.upper(), ("methods", method), methods))
    for flag, value, setting, values in unused:
        message, hint = f"{flag} {value} matches no operation", _way_out(value, values)
        diagnostics.warning("filter-unused", message, hint=hint, setting=setting)


def _way_out(value: str, names: Collection[str]) -> str:
    """The hint for a filter value that matches nothing, for example since it has commas."""
    if any(part.strip() in names for part in value.split(",")):
        return "It is read as one value: repeat the flag for each, or write a list in mcpgen.toml."
    return did_you_mean(value, sorted(names), "`mcpgen inspect` lists what there is.")


def _values(operation: Operation, name: str) -> dict[str, Iterable[str]]:
    """The values of an operation that filters compare, by filter: `tag`, `path`, `operation`."""
    names = _names(operation, name)
    return {"tag": operation.tags, "path": (operation.path,), "operation": names}


def _names(operation: Operation, name: str) -> list[str]:
    return [n for n in (operation.operation_id, name, operation.key) if n]


def _filters(settings: Settings) -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    """The name of each filter (`tag`), with the values to include and those to exclude."""
    return (
        ("tag", settings.include_tags, settings.exclude_tags),
        ("path", settings.include_paths, settings.exclude_paths),
        ("operation", settings.include_operations, settings.exclude_operations),
    )


def only_reads(operation: Operation) -> bool:
    """Whether an operation only reads: its method is safe, and its name does not contradict.

    The name matters only if the query or fragment of the path key selects the action, since then
    the method says nothing: `GET /#Action=DeleteTopic`.
    """
    first, *others = [word.lower() for word in split(operation.operation_id)] or [""]
    verb = others[0] if first == operation.method.lower() and others else first
    changes = verb in _CHANGING and not {"?", "#"}.isdisjoint(operation.path)
    return is_safe(operation.method) and not changes


def _matches(values: Iterable[str], globs: Iterable[str]) -> str:
    """The first glob that matches a value; empty if none does. The names in `{}` may differ."""
    shapes = [all_operations.shape(value) for value in values]
    for glob in globs:
        pattern = all_operations.shape(glob)
        if any(fnmatchcase(each, pattern) for each in shapes):
            return glob
    return ""
