"""GET operations that `mcpgen.toml` also exposes as resources, served by the tool's handler."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from ..api import Api, Argument, HttpCall, In, Offer, Tool
from ..diagnostics import Diagnostics, did_you_mean
from ..schemas import resolve, types_of
from ..text.words import unique

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
_SAFE = "/:@!$&'()*+,;=-._~%"
"""What a path may hold beside letters and digits (RFC 3986 3.3)."""


class _Unfit(Exception):
    """Raised with the reason why an operation cannot be a resource."""


def apply(api: Api, patterns: Sequence[str], scheme: str, diagnostics: Diagnostics) -> Api:
    """The API, with a resource added for each GET operation that fits one of the patterns.

    A pattern is, for example, `GET /books/*`. The resources of the server's own API use the URI
    scheme `scheme`; those of a further source use the key of that source's API instead. Operations
    that cannot be resources get a warning.
    """
    offers: dict[str, Offer] = {offer.key: offer for offer in api.resources}
    for pattern in patterns:
        matching = [tool for tool in api.tools if tool.http and _matches(tool.http, pattern)]
        if not matching:
            message, hint = _unmatched(api, pattern)
            diagnostics.warning("settings-resource", message, None, hint, ("resources", pattern))
        for tool in matching:
            try:
                own = tool.api.replace("_", "-") or scheme
                offer = _offer(tool, tool.call, api, own)
                other = offers.get(offer.key, offer)
                if other.served.get("tool") != tool.name:
                    raise _Unfit(f"`{other.name}` has the same URI")
                offers[offer.key] = offer
            except _Unfit as problem:
                message = f"mcpgen.toml: GET {tool.call.path} cannot be a resource: {problem}"
                setting = ("resources", pattern)
                diagnostics.warning("settings-resource", message, setting=setting)
    return replace(api, resources=tuple(offers.values()))


def _unmatched(api: Api, pattern: str) -> tuple[str, str]:
    """The message and the hint for a pattern that fits no tool."""
    for skipped in api.skipped:
        if skipped.method == "GET" and fnmatchcase(f"GET {skipped.path}", pattern):
            message = f"mcpgen.toml: `{pattern}` cannot be a resource: no tool calls it"
            return message, f"GET {skipped.path}: {skipped.reason}."
    operations = [f"GET {t.http.path}" for t in api.tools if t.http and t.http.method == "GET"]
    hint = did_you_mean(pattern, operations, "Write `GET` and a path of the document or a glob.")
    return f"mcpgen.toml: no GET operation matches `{pattern}`", hint


def _matches(http: HttpCall, pattern: str) -> bool:
    return http.method == "GET" and fnmatchcase(f"GET {http.path}", pattern)


def _offer(tool: Tool, http: HttpCall, api: Api, scheme: str) -> Offer:
    chosen = [a for a in tool.arguments if a.location in (In.PATH, In.QUERY) and _fits(a, api)]
    for argument in tool.arguments:
        if argument.required and argument not in chosen:
            raise _Unfit(f"a URI cannot hold its argument `{argument.name}`")
    variables = unique({a.name: re.sub(r"[^A-Za-z0-9_]", "_", a.name) for a in chosen})
    uri = f"{scheme}://{_path(http.path, chosen, variables)}"
    query = [variables[a.name] for a in chosen if a.location is In.QUERY]
    uri += f"{{?{','.join(query)}}}" if query else ""
    about = {"name": tool.name, "title": tool.title, "description": tool.description}
    if len(http.accept) == 1 and "*" not in http.accept[0]:
        about["mimeType"] = http.accept[0]
    return Offer(
        key=uri,
        name=tool.name,
        written={"uriTemplate" if chosen else "uri": uri, **about},
        served={
            "tool": tool.name,
            "arguments": {variables[a.name]: [a.name, _kind(a, api)] for a in chosen},
        },
        completions={variables[a.name]: v for a in chosen if (v := _values(a, api))},
        pointer=tool.pointer,
    )


def _path(path: str, chosen: Iterable[Argument], variables: Mapping[str, str]) -> str:
    names = {a.wire_name: variables[a.name] for a in chosen if a.location is In.PATH}
    parts = _PLACEHOLDER.split(path.lstrip("/"))
    if any(not between for between in parts[2:-1:2]):
        raise _Unfit("two parameters of its path have no text between them")
    texts = [quote(text, safe=_SAFE) for text in parts[::2]]
    parameters = [f"{{{names[name]}}}" for name in parts[1::2] if name in names]
    if len(parameters) < len(parts[1::2]):
        raise _Unfit("its path has a parameter that no argument fills")
    return texts[0] + "".join(a + b for a, b in zip(parameters, texts[1:], strict=True))


def _fits(argument: Argument, api: Api) -> bool:
    """Whether a URI variable can carry the argument's value."""
    return argument.media_type is None and types_of(argument.schema, api.schemas) <= _SCALARS


def _kind(argument: Argument, api: Api) -> str:
    """`string`, or `json` for an argument that is written as a JSON literal."""
    return "string" if "string" in types_of(argument.schema, api.schemas) else "json"


def _values(argument: Argument, api: Api) -> tuple[str, ...]:
    """The possible values of a URI variable as strings, for completion; null is left out."""
    schema: Any = resolve(argument.schema, api.schemas)
    values = schema.get("enum", ()) if isinstance(schema, Mapping) else ()
    if _kind(argument, api) == "string":
        return tuple(value for value in values if isinstance(value, str))
    return tuple(json.dumps(value) for value in values if value is not None)
