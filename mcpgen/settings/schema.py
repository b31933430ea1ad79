"""The JSON Schemas of `mcpgen.toml` and `mcpgen.workspace.toml`, made from the settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_origin

from ..bundled.contents import tool_file_schema
from ..methods import METHODS
from .rows import Setting, meanings, settings_of
from .settings import (
    EVERY,
    HEADER,
    MEMBERS,
    ORIGIN,
    SEVERAL,
    Auth,
    Poll,
    Scheme,
    Settings,
    SignIn,
    Source,
    Tool,
)

Schema = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_INSIDE = r"^(?![\\/]|[A-Za-z]:|(?:.*[\\/])?\.\.(?:[\\/]|$))."
"""A path that leads out of no folder, on any system."""
_FEEDS = ("headers", "exchange")
_SCHEME_NAME = r"^[A-Za-z0-9._-]+$"
_NEEDED = {
    "apiKey": ("in", "name"),
    "http": ("scheme",),
    "oauth2": ("flows",),
    "openIdConnect": ("openIdConnectUrl",),
}
"""By type, the members that say how to sign in (OpenAPI 3.2.0, Security Scheme Object)."""


@cache
def of_server() -> Schema:
    """The schema of `mcpgen.toml`."""
    return {"$schema": _DIALECT, "title": "mcpgen.toml", **table_schema(Settings)}


@cache
def of_workspace() -> Schema:
    """The schema of `mcpgen.workspace.toml`: shared settings, and the folders of the servers."""
    schema = table_schema(Settings, shared=True)
    about = "Folders of servers below this one, or globs: `servers/*`."
    inside = {"type": "string", "pattern": _INSIDE, "description": about}
    members = {"type": "array", "items": inside, "minItems": 1, "description": about}
    schema["properties"] = {MEMBERS: members, **schema["properties"]}
    schema["required"] = [MEMBERS]
    return {"$schema": _DIALECT, "title": "mcpgen.workspace.toml", **schema}


def table_schema(table: type, *, shared: bool = False) -> Schema:
    """The schema of a table with the keys of a class; `shared`: only keys that servers share."""
    settings = {n: s for n, s in settings_of(table).items() if s.row.shared or not shared}
    if table is Poll:
        rules = json.loads(tool_file_schema())["$defs"]
        return _object({name: _of_poll(name, rules) for name in settings}, table)
    about = {name: _setting(each, shared=shared) for name, each in settings.items()}
    return {**_object(about, table), **_excluding(settings), **_further(table)}


def _object(properties: dict[str, Schema], table: type) -> Schema:
    texts = meanings(Settings) if table is Source else {}
    for name, text in {**texts, **meanings(table)}.items():
        if name in properties:
            properties[name]["description"] = text
            properties[name].get("items", {}).setdefault("description", text)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _setting(setting: Setting, *, shared: bool) -> Schema:
    """The schema of a setting's value, without its meaning."""
    row, kind = setting.row, setting.type
    if row.table is None:
        schema = _value(setting, kind)
    elif row.table is Source:
        one = table_schema(Source)
        return {"type": "array", "items": {**one, "type": ["object", "string"], "minLength": 1}}
    elif not row.named:
        return table_schema(row.table, shared=shared)
    else:
        schema = {"type": "object", "additionalProperties": table_schema(row.table, shared=shared)}
    if row.table is Tool:
        schema["properties"] = {EVERY: _of_every()}
        schema["patternProperties"] = {SEVERAL: _of_several()}
        if shared:
            schema["additionalProperties"] = False
    if row.table is Scheme:
        schema["propertyNames"] = {"pattern": _SCHEME_NAME}
    if shared and setting.name == "header_env":
        about = "With its host: `https://docs.example.com Authorization=VARIABLE`."
        schema["items"] |= {"pattern": f"^{ORIGIN}{HEADER}$", "description": about}
    return schema


_TYPES = {bool: "boolean", str: "string", int: "integer", float: "number"}


def _value(setting: Setting, kind: Any) -> Schema:
    row = setting.row
    if get_origin(kind) in (tuple, list):
        return {"type": "array", "items": _value(setting, str)}
    if get_origin(kind) is dict:
        inner = _value(setting, kind.__args__[1])
        if row.keys:
            members = {"properties": dict.fromkeys(row.keys, inner), "additionalProperties": False}
        else:
            members = {"additionalProperties": inner}
        return {"type": "object", **members}
    types = [_TYPES[each] for each in get_args(kind) or (kind,) if each in _TYPES]
    schema: Schema = {"type": types if types[1:] else types[0]} if types else {}
    if row.choices:
        return {"enum": list(row.choices)}
    if row.least is not None:
        schema["minimum"] = row.least
    if row.above is not None:
        schema["exclusiveMinimum"] = row.above
    if row.longest:
        schema["maxLength"] = row.longest
    if row.pattern:
        schema["pattern"] = f"^(?:{row.pattern})$"
    return schema


def _of_poll(name: str, rules: Schema) -> Schema:
    """The schema of a key of `poll`: the one that tool files use, or a string if they lack
    the key.
    """
    rule: Schema = rules["poll"]["properties"].get(name, {"type": "string"})
    referred = rules.get(rule.pop("$ref", "").removeprefix("#/$defs/"), {})
    return {**referred, **rule}


def _of_every() -> Schema:
    """The schema of the table for all tools, in which hints may depend on the HTTP method."""
    every = {name: each for name, each in settings_of(Tool).items() if each.row.every}
    properties = {name: _setting(each, shared=False) for name, each in every.items()}
    hints = properties["annotations"]
    of_methods = {name.lower(): {**hints} for name in METHODS}
    properties["annotations"] = {**hints, "properties": {**hints["properties"], **of_methods}}
    return _object(properties, Tool)


def _of_several() -> Schema:
    """The schema of tables that apply to several tools, selected by a pattern or a group."""
    keys = {name: each for name, each in settings_of(Tool).items() if each.row.several}
    return _object({name: _setting(each, shared=False) for name, each in keys.items()}, Tool)


def _excluding(settings: Mapping[str, Setting]) -> Schema:
    """The rules about keys that exclude or require each other."""
    rules: Schema = {}
    absent = {name: {"const": False} if s.type is bool else False for name, s in settings.items()}
    for name, each in settings.items():
        if each.row.excludes:
            given: Schema = {"required": [name]}
            if each.type is bool:
                given["properties"] = {name: {"const": True}}
            others = {other: absent[other] for other in each.row.excludes}
            rules.setdefault("allOf", []).append({"if": given, "then": {"properties": others}})
        if each.row.needs:
            rules.setdefault("dependentRequired", {})[name] = [each.row.needs]
    return rules


def _further(table: type) -> Schema:
    """Additional keywords of a table's schema, such as `required`."""
    if table is Source:
        return {"required": ["source"]}
    if table is SignIn:
        return {"required": ["provider"]}
    if table is Auth:
        feeds = [{"required": [key], "properties": {key: {"minProperties": 1}}} for key in _FEEDS]
        given = {"required": ["source"], "properties": {"source": {"const": "caller"}}}
        about = 'Say which header feeds which scheme: `headers = {api_key = "X-Api-Key"}`.'
        return {"if": given, "then": {"anyOf": feeds, "description": about}}
    if table is not Scheme:
        return {}
    rules = [
        {
            "if": {"required": ["type"], "properties": {"type": {"const": kind}}},
            "then": {
                "description": 'Such as `type = "http"` and `scheme = "bearer"`.',
                "required": list(keys),
                "properties": {key: {"minLength": 1, "minProperties": 1} for key in keys},
            },
        }
        for kind, keys in _NEEDED.items()
    ]
    return {"required": ["type"], "additionalProperties": True, "allOf": rules}


SCHEMAS = {"settings": of_server, "workspace": of_workspace}
"""What makes each schema, by the name of the kind of file."""
