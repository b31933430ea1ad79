"""The names of a tool's arguments for agents.

A model's API refuses the whole request if an argument is called `$filter` or `filter[status]`: it
accepts 1 to 64 of A-Z, a-z, 0-9, `_`, `.` and `-`. The API still gets its own names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..api import Argument, Question, Schema, Tool
from ..hashes import NAME_LENGTH, with_hash
from ..text.words import ascii_text

NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_OTHER = re.compile(r"[^A-Za-z0-9_.-]+")
_COMPARISON = re.compile("<=|>=|!=|<|>")
_WORDS = {"<=": "_lte_", ">=": "_gte_", "!=": "_ne_", "<": "_lt_", ">": "_gt_"}
_NAMELESS = "argument"
OF_BODY = "body body"
"""The place of an argument that is a whole body."""


def place(argument: Argument) -> str:
    """The key of an argument in the lock: its place in the request, and its name there."""
    return f"{argument.location.value} {argument.wire_name}"


def remembered(tool: Tool) -> dict[str, str]:
    """The argument names that mcpgen made, keyed by the arguments' places; for the lock."""
    return {
        place(a): a.name
        for a in tool.arguments
        if not NAME.fullmatch(a.wire_name) or (place(a) == OF_BODY and a.name != a.wire_name)
    }


def with_safe_names(tool: Tool, kept_names: Mapping[str, str]) -> Tool:
    """The tool with names for its arguments that models' APIs accept.

    `kept_names` are the names in the lock, which stay. If names collide, each name that had to be
    changed gets a hash of the original name, so that no name depends on the order of its
    neighbours.
    """
    if all(NAME.fullmatch(argument.name) for argument in tool.arguments):
        return tool
    names: dict[str, str] = {}
    for argument in tool.arguments:
        before = kept_names.get(place(argument), "")
        if NAME.fullmatch(before) and before not in names.values():
            names[argument.name] = before
    others = [each for each in tool.arguments if each.name not in names]
    spellings = {each.name: _spelled(each.name) for each in others}
    counts = Counter(spellings.values())
    own = {name for name, spelled in spellings.items() if name == spelled}
    for argument in sorted(others, key=lambda each: each.name not in own):
        name = spellings[argument.name]
        is_free = argument.name in own or (counts[name] == 1 and name not in own)
        if not is_free or name in names.values():
            name = with_hash(name, place(argument))
        names[argument.name] = name
    return renamed(tool, names)


def _spelled(name: str) -> str:
    """The name in accepted characters only: `StartTime<` becomes `StartTime_lt`."""
    if NAME.fullmatch(name):
        return name
    text = _COMPARISON.sub(lambda match: _WORDS[match[0]], ascii_text(name))
    cleaned = _OTHER.sub("_", text).strip("_") or _NAMELESS
    return cleaned if len(cleaned) <= NAME_LENGTH else with_hash(cleaned, name)


def renamed(tool: Tool, names: Mapping[str, str]) -> Tool:
    """A copy of the tool in which arguments are renamed, also where the tool refers to them.

    `names` maps old names to new ones.
    """
    http = tool.http
    if http is not None and http.body is not None and http.body.needed:
        needed = tuple(names.get(name, name) for name in http.body.needed)
        http = replace(http, body=replace(http.body, needed=needed))
    return replace(
        tool,
        arguments=tuple(replace(a, name=names.get(a.name, a.name)) for a in tool.arguments),
        input_schema=renamed_properties(tool.input_schema, names),
        sample_arguments={names.get(k, k): value for k, value in tool.sample_arguments.items()},
        questions=tuple(_asked(question, names) for question in tool.questions),
        http=http,
    )


def _asked(question: Question, names: Mapping[str, str]) -> Question:
    message = question.message
    for old, new in names.items():
        message = message.replace(f"{{{old}}}", f"{{{new}}}")
    arguments = {names.get(name, name): schema for name, schema in question.arguments.items()}
    return replace(question, message=message, arguments=arguments)


def renamed_properties(schema: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """An inputSchema with its properties renamed; `names` maps old to new names."""
    changed = dict(schema)
    properties: Mapping[str, Schema] = schema.get("properties", {})
    changed["properties"] = {names.get(name, name): each for name, each in properties.items()}
    if isinstance(schema.get("required"), list):
        changed["required"] = [names.get(name, name) for name in schema["required"]]
    if isinstance(schema.get("dependentRequired"), Mapping):
        changed["dependentRequired"] = {
            names.get(name, name): [names.get(each, each) for each in others]
            for name, others in schema["dependentRequired"].items()
        }
    return changed
