"""Applies the tables of single tools in `mcpgen.toml` to the tools."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

from msgspec.structs import replace

from ..api import HINTS, Api, Argument, Fixed, In, Schema, Skipped, Tool
from ..diagnostics import Diagnostics, did_you_mean
from ..operations import argument_names
from ..schemas import properties, reachable, types_of
from ..settings.rows import settings_of
from ..settings.settings import EVERY, Poll
from . import own_arguments

Table = Mapping[str, Any]
_ELSEWHERE = re.compile(
    r'"\$(?:ref": "(?!#/\$defs/[^/~%"]+")|id|anchor|dynamic|schema": "(?!.+/draft/2020-12/schema"))'
)
"""In a schema as text: a reference to no definition, a name that one may use, another dialect."""
_WORDS = ("title", "description", "deprecated")
"""What stays of a schema in whose place another one comes."""
_OF_CALLS = ("timeout", "retries")
"""Keys that are settings of the running server, for calls of the tool."""
_MAX_NAMES = 5
"""How many tools a message names."""
_SENT = frozenset({"value", "env", "default"})
"""Members of an argument's table that say what goes out for it."""


def document_names(kept_names: Mapping[str, str], tables: Mapping[str, Table]) -> dict[str, str]:
    """The tool names in the lock, by operation, with the renamings of the settings undone."""
    originals = {table["name"]: name for name, table in tables.items() if "name" in table}
    return {operation: originals.get(name, name) for operation, name in kept_names.items()}


def apply(
    api: Api,
    tables: Mapping[str, Table],
    diagnostics: Diagnostics,
    operations: Mapping[str, str] | None = None,
) -> Api:
    """The API after the user's changes; `tables` are keyed by the tools' names in the document.

    `operations` has, for each table, the operation that it was written for.
    """
    if not tables:
        return api
    names = {tool.name for tool in api.tools}
    for name, table in tables.items():
        if table and name not in names and name != EVERY:
            if operation := (operations or {}).get(name):
                message = (
                    f"mcpgen.toml: `{name}` has a table, but its operation is gone: {operation}"
                )
                hint = "Delete its table, or name the tool that took its place."
                place = ("tools", name)
                diagnostics.warning("settings-unknown-tool", message, hint=hint, setting=place)
                continue
            message = f"there is no tool `{name}`"
            _warn_of_unknown(message, name, names, diagnostics, ("tools", name))
    common = tables.get(EVERY, {}).get("arguments", {})
    if common:
        _tell_missed(api.tools, common, diagnostics)
    taken = {name for tool in api.tools for a in tool.arguments for name in (a.name, a.wire_name)}
    for name, details in common.items():
        if details.get("new"):
            message = f"mcpgen.toml: a new argument cannot be added to every tool: `{name}`"
            hint, setting = "Add it to the tools whose handlers take it.", ("tools", EVERY, name)
            diagnostics.error("settings-value", message, hint=hint, setting=setting)
        elif name not in taken:
            message = f"no tool has an argument `{name}`"
            _warn_of_unknown(message, name, taken, diagnostics, ("tools", EVERY, name))
    tools: list[Tool] = []
    skipped = list(api.skipped)
    for tool in api.tools:
        table = _with_common(tool, tables.get(tool.name, {}), common)
        table = _with_hints(tool, table, tables.get(EVERY, {}).get("annotations", {}))
        if table.get("enabled") is False:
            method, path = (tool.http.method, tool.http.path) if tool.http else ("", tool.name)
            why = "disabled in mcpgen.toml"
            skipped.append(Skipped(method, path, why, tool.pointer, tool.api))
        else:
            tools.append(_tool(tool, table, common, diagnostics) if table else tool)
    _check_names(tools, diagnostics)
    if not tools:
        diagnostics.error("no-tools", "mcpgen.toml disables every tool", setting=("tools",))
    return replace(api, tools=tuple(tools), skipped=tuple(skipped))


def _tell_missed(tools: Iterable[Tool], common: Table, diagnostics: Diagnostics) -> None:
    """Report withheld arguments that an agent can still give as members of a body."""
    places: dict[str, list[str]] = {}
    for tool in tools:
        body = next((a for a in tool.arguments if a.location is In.BODY), None)
        if body is not None:
            for name in properties(body.schema, tool.input_schema.get("$defs", {})):
                places.setdefault(name, []).append(tool.name)
    for name, details in common.items():
        if name in places and _is_withheld(details):
            listed = ", ".join(f"`{tool}`" for tool in places[name][:_MAX_NAMES])
            more = len(places[name]) - _MAX_NAMES
            listed += f" and {more} more" if more > 0 else ""
            message = f"agents can still set `{name}` as a member of `body` in {listed}"
            diagnostics.warning(
                "settings-body-member",
                f"mcpgen.toml: {message}",
                hint="Set it in `before_request` of hooks.py, or leave these tools out.",
                setting=("tools", EVERY, name),
            )


def _is_withheld(details: Table) -> bool:
    """Whether a table hides its argument from agents."""
    return bool(details.get("hidden") or details.keys() & {"value", "env"})


def _with_common(tool: Tool, table: Table, common: Mapping[str, Table]) -> Table:
    """The tool's table, with settings for its arguments added from the table for every tool."""
    shared = {name: each for key, each in common.items() if (name := _argument_name(key, tool))}
    entries = {_argument_name(k, tool) or k: each for k, each in table.get("arguments", {}).items()}
    own = {n: {**_inherit(shared.get(n, {}), each), **each} for n, each in entries.items()}
    return {**table, "arguments": {**shared, **own}} if shared or own else table


def _with_hints(tool: Tool, table: Table, common: Mapping[str, Any]) -> Table:
    """The tool's table, plus the hints set for all tools or for its method; its own hints win."""
    method = tool.http.method.lower() if tool.http is not None else ""
    hints = {hint: value for hint, value in common.items() if hint in HINTS}
    hints |= common.get(method, {})
    own = table.get("annotations", {})
    return {**table, "annotations": {**hints, **own}} if hints else table


def _argument_name(key: str, tool: Tool) -> str:
    """The agents' name for the argument `key`, which may be its name in the API; empty if none."""
    if any(argument.name == key for argument in tool.arguments):
        return key
    return next((a.name for a in tool.arguments if a.wire_name == key), "")


def _inherit(common: Table, own: Table) -> Table:
    """The keys that an argument takes from the table for every tool, unless its tool sets them.

    These are only names, descriptions and defaults: anything else could contradict the tool's own
    table.
    """
    keys = ("name", "description", *(() if _is_withheld(own) else ("default",)))
    return {key: common[key] for key in keys if key in common}


def _tool(tool: Tool, table: Table, common: Table, diagnostics: Diagnostics) -> Tool:
    tool, arguments = _with_names(tool, table.get("arguments", {}), diagnostics)
    before, tool = tool, _with_body_sent(tool, arguments)
    if tool.http is None:
        _report_unsent(tool, arguments, common, diagnostics)
    for name, details in arguments.items():
        tool = _argument(tool, name, details, diagnostics)
    tool = _with_whole_body(tool, diagnostics)
    tool = _long(tool, table, diagnostics)
    hints = {HINTS[hint]: value for hint, value in table.get("annotations", {}).items()}
    changed = replace(
        tool,
        name=table.get("name", tool.name),
        title=table.get("title", tool.title),
        description=table.get("description", tool.description),
        annotations=replace(tool.annotations, **hints),
        pinned=table.get("pinned", tool.pinned),
        pages=_pages(tool, table, diagnostics),
        keywords=(*tool.keywords, *table.get("keywords", ())),
        result_tokens=table.get("result_tokens", tool.result_tokens),
        call_settings={key: table[key] for key in _OF_CALLS if key in table},
        meta=table.get("meta", tool.meta),
    )
    if tool.written is None:
        return changed
    return replace(changed, written=_written(changed, before, table))


def _with_names(tool: Tool, tables: Table, diagnostics: Diagnostics) -> tuple[Tool, Table]:
    """The tool with the new argument names from `tables`, and the tables keyed by these names."""
    names = {a.name: tables.get(a.name, {}).get("name", a.name) for a in tool.arguments}
    for name in (name for name, count in Counter(names.values()).items() if count > 1):
        old = next(old for old, new in names.items() if new == name != old)
        reason = f"cannot be called `{name}`: another argument has that name"
        message = f"mcpgen.toml: `{old}` of `{tool.name}` {reason}"
        hint, setting = "Give one of them another name.", ("tools", tool.name, old)
        diagnostics.error("argument-name", message, hint=hint, setting=setting)
    if all(old == new for old, new in names.items()):
        return tool, tables
    if tool.written is not None:
        own = tool.written["inputSchema"]
        if not _refers_to_definitions_only(own):
            own = {**tool.input_schema, "type": "object"}
        own = argument_names.renamed_properties(own, names)
        tool = replace(tool, written={**tool.written, "inputSchema": own})
    tables = {names.get(key, key): each for key, each in tables.items()}
    return argument_names.renamed(tool, names), tables


def _pages(tool: Tool, table: Table, diagnostics: Diagnostics) -> Table | None:
    """The pagination of a tool from its table; an argument that does not exist is an error."""
    pages: Table | None = table.get("pages")
    names = [argument.name for argument in tool.arguments]
    for key in ("cursor", "page", "offset", "size"):
        if pages and key in pages and pages[key] not in names:
            message = (
                f"mcpgen.toml: `pages` of `{tool.name}` names an unknown argument, `{pages[key]}`"
            )
            hint = did_you_mean(pages[key], names, "")
            setting = ("tools", tool.name, "pages")
            diagnostics.error("settings-pages", message, hint=hint, setting=setting)
    return pages


def _long(tool: Tool, table: Table, diagnostics: Diagnostics) -> Tool:
    """A copy of the tool with its table's settings for long operations (`poll` and `task`)."""
    task = tool.task
    if "poll" in table:
        if tool.http is None:
            message = f"mcpgen.toml: `poll` of `{tool.name}` does nothing"
            message, setting = (
                f"{message}: that tool sends no request",
                ("tools", tool.name, "poll"),
            )
            diagnostics.error("settings-value", message, setting=setting)
            return tool
        own = table["poll"].keys() - {"operation"}
        poll = {key: table["poll"][key] for key in settings_of(Poll) if key in own}
        tool, task = replace(tool, http=replace(tool.http, poll=poll)), task or "optional"
    task = table.get("task", task)
    return replace(tool, task="" if task == "forbidden" else task)


def _written(tool: Tool, before: Tool, table: Table) -> dict[str, Any]:
    """A copy of a hand-written tool's definition, with the table's names, texts and hints."""
    own = before.written or {}
    schema = _written_input(own["inputSchema"], tool, before, table.get("arguments", {}))
    out = {**own, "inputSchema": schema}
    out |= {key: table[key] for key in ("name", "title", "description") if key in table}
    if table.get("annotations"):
        out["annotations"] = {**out.get("annotations", {}), **table["annotations"]}
    return out


def _written_input(
    own: Mapping[str, Any], tool: Tool, before: Tool, arguments: Table
) -> Mapping[str, Any]:
    """A hand-written input schema, changed as the table of arguments says.

    If a reference in it may lead into a removed argument, the tool's 2020-12 schema is used.
    """
    if tool.input_schema == before.input_schema:
        return own
    left, had = (each.input_schema.get("properties", {}).keys() for each in (tool, before))
    if had - left and not _refers_to_definitions_only(own):
        return {**tool.input_schema, "type": "object"}
    optional = {*before.input_schema.get("required", ())}
    optional -= {*tool.input_schema.get("required", ())}
    properties = {name: schema for name, schema in own["properties"].items() if name in left}
    for name in left & arguments.keys():
        properties[name] = _changed(properties.get(name, {}), arguments[name])
    return _schema(own, properties, tuple(optional))


def _refers_to_definitions_only(schema: Mapping[str, Any]) -> bool:
    """Whether the schema is a 2020-12 schema whose references all name its `$defs`."""
    return not _ELSEWHERE.search(json.dumps(schema, ensure_ascii=False))


def _changed(schema: Schema, details: Table) -> Mapping[str, Any]:
    """An argument's schema with the changes from its table."""
    added = {key: details[key] for key in ("description", "default") if key in details}
    own = own_arguments.schema_in(details)
    if own is not None:
        words = {key: value for key, value in _object(schema).items() if key in _WORDS}
        return {**words, **own, **added}
    return {**_object(schema), **added} if added else schema if isinstance(schema, Mapping) else {}


def _with_body_sent(tool: Tool, tables: Mapping[str, Table]) -> Tool:
    """The tool, with its optional body required if a member of the body is always sent.

    The members that the body requires then become required arguments.
    """
    body = tool.http.body if tool.http is not None else None
    sent = {name for name, table in tables.items() if table.keys() & _SENT}
    parts = {a.name for a in tool.arguments if a.location is In.PROPERTY}
    if body is None or not body.needed or not sent & parts:
        return tool
    names = {a.name for a in tool.arguments if a.required} | set(body.needed)
    schema = {k: v for k, v in tool.input_schema.items() if k != "dependentRequired"}
    return replace(
        tool,
        arguments=tuple(replace(a, required=a.name in names) for a in tool.arguments),
        input_schema={**schema, "required": [n for n in schema["properties"] if n in names]},
        http=replace(tool.call, body=replace(body, required=True, needed=())),
    )


def _with_whole_body(tool: Tool, diagnostics: Diagnostics) -> Tool:
    """Remove an optional body if no arguments are left; else report hidden required ones."""
    body = tool.http.body if tool.http is not None else None
    if body is None or body.required:
        return tool
    sent = (fixed.argument for fixed in tool.fixed if not fixed.hidden)
    arguments = (*tool.arguments, *sent)
    left = {a.name for a in arguments if a.location in (In.BODY, In.PROPERTY)}
    if left or body.extra:
        for name in body.needed:
            if name not in left:
                _report_hidden(tool, name, diagnostics)
        return tool
    for chooser in [a for a in tool.arguments if a.location is In.CONTENT_TYPE]:
        tool = _without(tool, chooser, {}, diagnostics)
    return replace(tool, http=replace(tool.call, body=None))


def _argument(tool: Tool, name: str, details: Table, diagnostics: Diagnostics) -> Tool:
    argument = next((a for a in tool.arguments if a.name == name), None)
    if details.get("new"):
        if argument is None:
            return own_arguments.with_own(tool, name, details, diagnostics)
        message = f"mcpgen.toml: `{tool.name}` has an argument `{name}` already"
        hint, setting = "Give the new one another name.", ("tools", tool.name, name)
        diagnostics.error("argument-name", message, hint=hint, setting=setting)
        return tool
    if argument is None:
        names = {argument.name for argument in tool.arguments}
        message = f"there is no argument `{name}` of `{tool.name}`"
        _warn_of_unknown(message, name, names, diagnostics, ("tools", tool.name, name))
        return tool
    if not own_arguments.verify(tool, name, details, diagnostics):
        return tool
    _warn_of_misfits(tool, name, details, diagnostics)
    if _is_withheld(details):
        return _without(tool, argument, details, diagnostics)
    replaced = own_arguments.schema_in(details) is not None
    is_needed = argument.sends_default  # by the default that is gone with its schema
    changed = replace(
        argument,
        schema=_changed(argument.schema, details),
        description=details.get("description", argument.description),
        sends_default="default" in details or (argument.sends_default and not replaced),
        required="default" not in details and (argument.required or (replaced and is_needed)),
    )
    properties = dict(tool.input_schema.get("properties", {}))
    properties[name] = _changed(properties.get(name, {}), details)
    optional = () if changed.required else (name,)
    return replace(
        tool,
        arguments=tuple(changed if a is argument else a for a in tool.arguments),
        input_schema=_schema(tool.input_schema, properties, optional),
    )


def _warn_of_misfits(tool: Tool, name: str, details: Table, diagnostics: Diagnostics) -> None:
    """Warn of a fixed value that the argument's schema does not allow."""
    from ..samples.checks import Checker  # of no use where nothing is fixed

    schema = own_arguments.schema_in(details) or tool.input_schema["properties"].get(name, True)
    checker = Checker(tool.input_schema.get("$defs", {}))
    for key in ("value", "default"):
        if key in details and not checker.valid(details[key], schema):
            message = f"mcpgen.toml: the {key} of `{name}` of `{tool.name}` does not fit its schema"
            setting, hint = ("tools", tool.name, name), "The API may refuse it."
            diagnostics.warning("settings-misfit", message, hint=hint, setting=setting)


def _without(tool: Tool, argument: Argument, details: Table, diagnostics: Diagnostics) -> Tool:
    """The tool without an argument whose value is fixed or which is never sent."""
    fixed = tool.fixed
    properties = dict(tool.input_schema.get("properties", {}))
    schema = properties.pop(argument.name, True)
    if tool.http is None:
        pass
    elif "value" in details:
        fixed = (*fixed, Fixed(argument, value=details["value"]))
    elif "env" in details:
        parsed = "string" not in types_of(schema, tool.input_schema.get("$defs", {}))
        fixed = (*fixed, Fixed(argument, env=details["env"], parsed=parsed))
    else:
        if argument.required:
            _report_hidden(tool, argument.name, diagnostics)
        fixed = (*fixed, Fixed(argument, hidden=True))
    return replace(
        tool,
        arguments=tuple(a for a in tool.arguments if a is not argument),
        input_schema=_schema(tool.input_schema, properties, (argument.name,)),
        sample_arguments={k: v for k, v in tool.sample_arguments.items() if k != argument.name},
        fixed=fixed,
    )


def _report_unsent(tool: Tool, arguments: Table, common: Table, diagnostics: Diagnostics) -> None:
    """Report values for arguments of a Python tool, which sends no request.

    A value for every tool may be intended for other tools, so it only gets a warning.
    """
    for name, details in arguments.items():
        for key in sorted(details.keys() & _SENT) if not details.get("new") else ():
            is_common = common.get(name, {}).get(key) is details[key]
            report = diagnostics.warning if is_common else diagnostics.error
            reason = f"the {key} of `{name}` of `{tool.name}` is not sent"
            message = f"mcpgen.toml: {reason}: that tool sends no request"
            hint = "Set it in the handler, and write `hidden = true` if agents must not see it."
            report("settings-unsent", message, hint=hint, setting=("tools", tool.name, name))


def _report_hidden(tool: Tool, name: str, diagnostics: Diagnostics) -> None:
    message = f"mcpgen.toml: `{name}` of `{tool.name}` is hidden, but every call needs it"
    hint, setting = "Give it a `value` or an `env`.", ("tools", tool.name, name)
    diagnostics.error("hidden-required", message, hint=hint, setting=setting)


def _schema(
    before: Mapping[str, Any], properties: dict[str, Any], optional: tuple[str, ...]
) -> dict[str, Any]:
    """The input schema with new `properties`, fewer required ones, and no unused `$defs`."""
    out = {**before, "properties": properties}
    if isinstance(out.get("required"), list):
        out["required"] = [name for name in out["required"] if name not in optional]
        if not out["required"]:
            del out["required"]
    gone = before.get("properties", {}).keys() - properties.keys()
    if gone and "dependentRequired" in out:
        out["dependentRequired"] = _dependent(out["dependentRequired"], gone)
        if not out["dependentRequired"]:
            del out["dependentRequired"]
    if gone and (needed := reachable([out], out.pop("$defs", {}))):
        out["$defs"] = needed
    return out


def _dependent(rules: Mapping[str, list[str]], gone: Set[str]) -> dict[str, list[str]]:
    """The `dependentRequired` rules without the arguments `gone`."""
    left = {
        name: [other for other in others if other not in gone]
        for name, others in rules.items()
        if name not in gone
    }
    return {name: others for name, others in left.items() if others}


def _object(schema: Schema) -> Mapping[str, Any]:
    return schema if isinstance(schema, Mapping) else {}


def _check_names(tools: list[Tool], diagnostics: Diagnostics) -> None:
    names: set[str] = set()
    for tool in tools:
        if tool.name in names:
            message, setting = f"two tools are called `{tool.name}`", ("tools", tool.name)
            diagnostics.error("tool-name", f"mcpgen.toml: {message}", setting=setting)
        names.add(tool.name)


def _warn_of_unknown(
    message: str, name: str, names: set[str], diagnostics: Diagnostics, setting: tuple[str, ...]
) -> None:
    hint = did_you_mean(name, sorted(names), "`mcpgen inspect` lists them.")
    message = f"mcpgen.toml: {message}"
    diagnostics.warning("settings-unknown-tool", message, hint=hint, setting=setting)
