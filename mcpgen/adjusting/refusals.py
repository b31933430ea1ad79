"""Keeps members of free-form objects from replacing arguments that are hidden from agents.

In `?{tenant}&limit=10` with a fixed `tenant`, an object whose members are sent as parameters must
have no member `tenant`. The same holds in bodies, for other hidden arguments, and for credentials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

from msgspec.structs import replace

from ..api import Api, Argument, In, Tool
from ..diagnostics import Diagnostics, Located
from ..runtime.parts.refusals import UNDECLARED, replaces
from ..schemas import properties, types_of
from ..schemas.members import without_members
from ..schemas.questions import reachable

_METHOD = "_method"
"""Where Rails, Laravel and Symfony read the method of a POST."""

Find = Callable[[str], Located | None]
Names = dict[str, str | None]
"""Names that members must not have: None, or the argument to give in their place."""

_SPREAD = {
    In.QUERY: ("form", "spaceDelimited", "pipeDelimited"),
    In.COOKIE: ("form", "cookie"),
    In.PATH: ("matrix",),
}
"""The styles that make parameters of an exploded object's members."""
_TOGETHER = frozenset([In.QUERY, In.PROPERTY])
"""Places whose names PHP's `$_REQUEST`, Rails, Flask and ASP.NET read as one."""


def of(tool: Tool, api: Api) -> dict[str, Names]:
    """The member names that agents must not use in objects, by the object's argument.

    Each name maps to the argument to use instead, or to None. The key `UNDECLARED` is for arguments
    that the tool does not declare.
    """
    if tool.http is None:
        return {}
    by_argument = {
        argument.name: names
        for argument in tool.arguments
        if (names := _names(argument, tool, api)) is not None and _may_be_open(argument, tool)
    }
    if tool.takes_extra and (beside := _beside(tool, In.PROPERTY, of_name=True)):
        by_argument[UNDECLARED] = beside
    return by_argument


def without_clashes(api: Api, places: Mapping[str, Find], diagnostics: Diagnostics) -> Api:
    """The API without declared members that could overwrite values which agents must not set.

    `places` maps each API's key to a function that finds the place of a pointer in its document.
    """
    tools = tuple(_without_clashes(tool, api, places[tool.api], diagnostics) for tool in api.tools)
    return replace(api, tools=tools)


def _without_clashes(tool: Tool, api: Api, find: Find, diagnostics: Diagnostics) -> Tool:
    defs = tool.input_schema.get("$defs", {})
    for argument in tool.arguments if tool.http is not None else ():
        names = _names(argument, tool, api) or {}
        closed = [name for name, other in names.items() if other is None]
        members = properties(argument.schema, defs) if closed else ()
        gone = {each for each in members if any(replaces(each, name) for name in closed)}
        if gone:
            tool = _without(tool, argument, gone)
            listed = ", ".join(f"`{name}`" for name in sorted(gone))
            message = f"`{argument.name}` of `{tool.name}` loses {listed}"
            reason = "it would replace a value that the server itself sends"
            diagnostics.warning("replaced-argument", f"{message}: {reason}", find(argument.pointer))
    return tool


def _without(tool: Tool, argument: Argument, gone: Set[str]) -> Tool:
    pool = tool.input_schema.get("$defs", {})
    schema = without_members(argument.schema, gone, pool)
    root = _with_property(tool.input_schema, argument.name, gone)
    written = tool.written
    if written is not None:
        own = _with_property(written["inputSchema"], argument.name, gone)
        written = {**written, "inputSchema": own}
    sample = tool.sample_arguments.get(argument.name)
    samples = dict(tool.sample_arguments)
    if isinstance(sample, Mapping):
        samples[argument.name] = {k: v for k, v in sample.items() if k not in gone}
    return replace(
        tool,
        arguments=tuple(replace(a, schema=schema) if a is argument else a for a in tool.arguments),
        input_schema=root,
        written=written,
        sample_arguments=samples,
    )


def _with_property(root: Mapping[str, Any], name: str, gone: Set[str]) -> dict[str, Any]:
    """The input schema without the members `gone` of one argument."""
    pool = root.get("$defs", {})
    own = root.get("properties", {})
    changed = without_members(own.get(name, True), gone, pool)
    out = {**root, "properties": {**own, name: changed}}
    if defs := reachable([{k: v for k, v in out.items() if k != "$defs"}], pool):
        out["$defs"] = defs
    else:
        out.pop("$defs", None)
    return out


def _may_be_open(argument: Argument, tool: Tool) -> bool:
    types = types_of(argument.schema, tool.input_schema.get("$defs", {}))
    return "object" in types or argument.location is In.QUERYSTRING


def _names(argument: Argument, tool: Tool, api: Api) -> Names | None:
    """The forbidden member names of one argument; None if every name is allowed."""
    place = argument.location
    style, explode = _style(argument, tool)
    is_spread = explode and (place is In.PROPERTY or style in _SPREAD.get(place, ()))
    if not is_spread and style != "deepObject" and place is not In.QUERYSTRING:
        return None
    beside_in = In.QUERY if place is In.QUERYSTRING else place
    names = _beside(tool, beside_in) | _credentials(tool, api, beside_in)
    if place is In.QUERYSTRING:
        return names or None
    if style == "deepObject":
        own = f"{argument.wire_name}[".casefold()
        inside = (name for name in names if name.casefold().startswith(own))
        within = {name[len(own) :].partition("]")[0]: names[name] for name in inside}
        return within if within or None in names.values() else None
    if place is In.PROPERTY:
        return names or None
    declared = properties(argument.schema, tool.input_schema.get("$defs", {}))
    return {
        name: other
        for name, other in names.items()
        if other is None or (other != argument.name and name not in declared)
    } or None


def _style(argument: Argument, tool: Tool) -> tuple[str, bool]:
    """The style of an argument (empty if it has none), and whether it is exploded.

    A form's field has a style if its encoding gives one (OpenAPI Encoding Object).
    """
    style, explode, is_one = argument.style, argument.explode, argument.media_type is not None
    if argument.location is In.PROPERTY:
        body = tool.call.body
        encoding = body.encoding.get(argument.wire_name) if body is not None else None
        if encoding is None or encoding.binary:
            return "", False
        style, explode = encoding.style, encoding.explode
        is_one = not (style or explode is not None or encoding.allow_reserved)
    style = "" if is_one else style or "form"
    return style, style in ("form", "cookie") if explode is None else explode


def _beside(tool: Tool, place: In, *, of_name: bool = False) -> Names:
    """The names used in one location of a request: by agents' arguments and by fixed values.

    With `of_name`, arguments that are sent under their own names are left out: a member of such a
    name is the argument itself.
    """
    free: Names = {
        a.wire_name: a.name
        for a in tool.arguments
        if a.location is place and not (of_name and a.name == a.wire_name)
    }
    places = _TOGETHER if place in _TOGETHER else {place}
    closed: Names = {
        each.argument.wire_name: None for each in tool.fixed if each.argument.location in places
    }
    if In.QUERY in places:
        closed |= {name: None for name, _ in tool.call.fixed_query}
        if tool.call.method == "POST" and _METHOD not in free:
            closed[_METHOD] = None
    return free | closed


def _credentials(tool: Tool, api: Api, place: In) -> Names:
    """The names of the API keys that a tool's requests send in one location (header, query)."""
    own = api.further.get(tool.api, api)
    scheme_keys = {key for requirement in own.security_of(tool.call) for key in requirement}
    keys: Iterator[str] = (
        scheme.name
        for scheme in own.security_schemes
        if scheme.key in scheme_keys and scheme.type == "apiKey" and scheme.location == place.value
    )
    return dict.fromkeys(keys)
