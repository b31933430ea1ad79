"""Reads `resources`, `resourceTemplates` and `prompts` of a tool file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ...api import Annotations, Argument, HttpCall, In, Offer, Tool
from ...diagnostics import did_you_mean
from ...runtime.parts.content.static_content import is_base64
from ..openapi import media
from ..openapi.agent_text import first_line
from .calls import Input, read_call
from .messages import check_messages, with_media_types
from .uri_templates import uri_problem, variables

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node
    from .info import Home

OURS = ("text", "blob", "file", "messages", "http", "complete", "subscribe")
"""Members that say how an entry is implemented; all others are MCP's."""

_ANSWER = ("text", "blob", "file", "messages", "http")
_TEXT = {"type": "string"}


class Taken(Struct, frozen=True):
    """An argument of a resource template or prompt; its value is always a string."""

    name: str
    required: bool


def read_resources(
    file: Node, home: Home, broken: frozenset[str], diagnostics: Diagnostics
) -> tuple[Offer, ...]:
    """The resources and templates of a file."""
    offers = []
    for node in _entries(file, "resources", "uri", broken, diagnostics):
        problem = uri_problem(node["uri"].value)
        if problem:
            diagnostics.error("uri", problem, node["uri"])
        offers.append(_offer(node, "uri", (), home, diagnostics))
    for node in _entries(file, "resourceTemplates", "uriTemplate", broken, diagnostics):
        try:
            taken = [Taken(v.name, v.required) for v in variables(node["uriTemplate"].value)]
        except ValueError as problem:
            message = f"this URI template cannot be used: {problem}"
            diagnostics.error("uri-template", message, node["uriTemplate"])
            continue
        offers.append(_offer(node, "uriTemplate", taken, home, diagnostics))
    return tuple(offers)


def read_prompts(
    file: Node, home: Home, broken: frozenset[str], diagnostics: Diagnostics
) -> tuple[Offer, ...]:
    """The prompts of a file."""
    offers = []
    for node in _entries(file, "prompts", "name", broken, diagnostics):
        taken: dict[str, Taken] = {}
        for argument in node.optional("arguments").elements():
            name = argument["name"].value
            if name in taken:
                message = f"two arguments are called {name!r}"
                diagnostics.error("duplicate-argument", message, argument["name"])
            taken[name] = Taken(name, bool(argument.value.get("required")))
        offers.append(_offer(node, "name", list(taken.values()), home, diagnostics))
    return tuple(offers)


def _entries(
    file: Node, member: str, key: str, broken: frozenset[str], diagnostics: Diagnostics
) -> Iterator[Node]:
    """The valid entries of a list such as `prompts`; duplicate keys are reported."""
    firsts: dict[str, Node] = {}
    for node in file.optional(member).elements():
        if node.pointer in broken:
            continue
        first = firsts.setdefault(node[key].value, node)
        if first is not node:
            message = f"two of `{member}` have the {key} {node[key].value!r}; the first is "
            diagnostics.error("duplicate-entry", f"{message}{first.location}", node[key])
        yield node


def _offer(
    node: Node, key: str, taken: Sequence[Taken], home: Home, diagnostics: Diagnostics
) -> Offer:
    members = [member for member in _ANSWER if member in node]
    for member in members[1:]:
        message = f"`{members[0]}` and `{member}` both give the content"
        diagnostics.error("served-twice", message, node[member], "Keep one of them.")
    _check_static(node, diagnostics)
    _check_used(node, taken, diagnostics)
    check_messages(node.optional("messages"), [t.name for t in taken], diagnostics)
    served = {member: node[member].value for member in members if member != "http"}
    if "messages" in served:
        served["messages"] = with_media_types(served["messages"])
    if node.value.get("subscribe"):
        served["subscribe"] = True
    is_held = bool(members) and members != ["http"]
    return Offer(
        key=node[key].value,
        name=node["name"].value,
        written={k: v for k, v in node.value.items() if k not in OURS and v is not None},
        served=served,
        function=None if is_held else _function(node, key, taken, home, diagnostics),
        completions=_completions(node.optional("complete"), taken, diagnostics),
        pointer=node.pointer,
    )


def _check_used(node: Node, taken: Sequence[Taken], diagnostics: Diagnostics) -> None:
    """Report arguments that a static `text` or `messages` does not use."""
    content = node.get("text") or node.get("messages")
    if content is None:
        return
    text = json.dumps(content.value, ensure_ascii=False)
    for each in taken:
        if f"{{{each.name}}}" not in text:
            message = f"`{content.key}` does not use the argument `{each.name}`"
            hint = f"`{{{each.name}}}` in it stands for the argument."
            diagnostics.warning("argument", message, content, hint)


def _check_static(node: Node, diagnostics: Diagnostics) -> None:
    mime = node.get("mimeType")
    if mime is not None and not media.is_valid(mime.value):
        diagnostics.error("media-type", f"{mime.value!r} is not a media type", mime)
    subscribe = node.get("subscribe")
    for member in ("text", "blob"):
        if subscribe is not None and subscribe.value and member in node:
            message = f"a `{member}` in this file does not change while the server runs"
            hint = "Leave `subscribe` out, or have a `file`, a request or a function read it."
            diagnostics.error("subscribe", message, subscribe, hint)
    file = node.get("file")
    if file is not None and not _is_inside(file.value):
        message = "a file is named from the package's folder `files`, with `/` and without `..`"
        diagnostics.error("file", message, file, "As in `guides/start.md`.")
    blob = node.get("blob")
    if blob is not None and not is_base64(blob.value):
        diagnostics.error("blob", "`blob` must be base64", blob)


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return not any(part in ("", ".", "..") or set('\\:\0"') & set(part) for part in parts)


def _function(
    node: Node, key: str, taken: Sequence[Taken], home: Home, diagnostics: Diagnostics
) -> Tool:
    """The function that serves a resource or prompt, as a Tool whose arguments are strings."""
    http: HttpCall | None = None
    at = node.get("http")
    if at is None:
        arguments = tuple(
            Argument(t.name, _TEXT, In.PROPERTY, t.name, t.required, pointer=node.pointer)
            for t in taken
        )
    else:
        required = [t.name for t in taken if t.required]
        declared = "arguments" if key == "name" else "uriTemplate"
        tool_input = Input({t.name: _TEXT for t in taken}, required, False, {}, declared=declared)
        http, arguments = read_call(at, tool_input, home, False, diagnostics)
        if http.method != "GET":
            message = f"this must be read by GET, not by {http.method}"
            diagnostics.error("method", message, at)
    described = str(node.value.get("description", ""))
    return Tool(
        name=node["name"].value,
        title=node["name"].value,
        description=described,
        summary=first_line(described),
        arguments=arguments,
        input_schema={},
        output_schema=None,
        result=None,
        result_media_type="*/*",
        annotations=Annotations(read_only=True, destructive=False, idempotent=True),
        http=http,
        tag="",
        pointer=node.pointer,
    )


def _completions(
    node: Node, taken: Sequence[Taken], diagnostics: Diagnostics
) -> dict[str, tuple[str, ...] | None]:
    completions: dict[str, tuple[str, ...] | None] = {}
    names = [t.name for t in taken]
    for name, values in node.items():
        if name not in names:
            hint = did_you_mean(name, names, f"It has: {', '.join(names) or 'none'}.")
            diagnostics.error("argument", f"`{name}` is not an argument", values, hint)
        completions[name] = tuple(values.value) if isinstance(values.value, list) else None
    return completions
