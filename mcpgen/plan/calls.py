"""Turns an HTTP operation into the arguments of `ctx.api.send`, with which a handler calls
the API.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import quote

from msgspec.structs import replace

from ..api import (
    DEFAULT_STYLE,
    Argument,
    Body,
    Encoding,
    Fixed,
    HttpCall,
    In,
    Server,
    ServerVariable,
    Tool,
)
from ..runtime.bodies.encoding import Kind
from ..runtime.values.media import essence, is_json, is_json_lines
from ..text.literals import py

FORM = "application/x-www-form-urlencoded"
_WRAPPERS = {
    "simple": "style.simple",
    "label": "style.label",
    "matrix": "style.matrix",
    "segments": "style.segments",
    "form": "style.form",
    "cookie": "style.cookie",
    "spaceDelimited": "style.space_delimited",
    "pipeDelimited": "style.pipe_delimited",
    "tabDelimited": "style.tab_delimited",
    "deepObject": "style.deep_object",
}
_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_RUNTIME = re.compile(r"\b(?:Poll|ServerUrl|UNSET|Variable|fitting|from_env|if_given|style)\b")
_OF_KIND: dict[str, tuple[Kind, str]] = {
    "json": ("json", "application/json"),
    "text": ("text", "text/plain"),
    "binary": ("binary", "application/octet-stream"),
}
_NO_EXPLODE = frozenset({"deepObject", "tabDelimited"})
"""Styles that have one form only."""


def client(tool: Tool) -> str:
    """The Python expression for the client of a tool's API."""
    return f"ctx.apis[{py(tool.api)}]" if tool.api else "ctx.api"


def runtime_names(expressions: Iterable[str]) -> set[str]:
    """The names of the runtime that Python expressions use; names in strings do not count."""
    return set(_RUNTIME.findall(_STRING.sub("", "\n".join(expressions))))


def send_arguments(
    tool: Tool,
    keywords: Mapping[str, str],
    extra: str | None,
    variables: Mapping[str, str],
    own: Collection[str] = (),
) -> tuple[str, ...]:
    """The arguments of the client's `send` for a tool, each a Python expression.

    `keywords` maps argument names to the handler's keywords, `extra` is the keyword for arguments
    that the document does not declare, and `variables` maps server variables to environment
    variables. `own` are the keywords whose default is in the handler's signature.
    """
    call = tool.call
    tool, keywords = _with_fixed(tool, keywords, own)
    out = [py(call.method), py(template(call))]
    for location in (In.PATH, In.QUERY, In.HEADER, In.COOKIE):
        chosen = [a for a in tool.arguments if a.location is location]
        if chosen:
            pairs = (f"{py(a.wire_name)}: {_value(a, keywords[a.name])}" for a in chosen)
            out.append(f"{location.value}={{{', '.join(pairs)}}}")
    for argument in tool.arguments:
        if argument.location is In.QUERYSTRING:
            out.append(f"querystring={_value(argument, keywords[argument.name])}")
    if call.body:
        out += _body(tool, call.body, keywords, extra)
    out += _answer(call)
    if tool.answer_headers:
        out.append(f"tell={tool.answer_headers!r}")
    if call.security is not None:
        out.append(f"security={security_literal(call.security)}")
    if call.servers:
        out.append(f"servers=[{', '.join(server_expression(s, variables) for s in call.servers)}]")
    if call.poll is not None:
        out.append(f"poll=Poll({', '.join(f'{k}={py(v)}' for k, v in call.poll.items())})")
    return tuple(out)


def _with_fixed(
    tool: Tool, keywords: Mapping[str, str], own: Collection[str]
) -> tuple[Tool, dict[str, str]]:
    """The tool with its fixed arguments added to `arguments`, and the expression for each
    argument.
    """
    written = dict(keywords)
    if not tool.fixed and not any(argument.sends_default for argument in tool.arguments):
        return tool, written
    for argument in tool.arguments:
        is_sent = argument.sends_default and keywords[argument.name] not in own
        if is_sent and isinstance(argument.schema, Mapping):
            word, default = keywords[argument.name], py(argument.schema.get("default"))
            written[argument.name] = f"{default} if {word} is UNSET else {word}"
    for fixed in tool.fixed:
        written[fixed.argument.name] = _fixed(fixed)
    sent = (each.argument for each in tool.fixed if not each.hidden or _is_beside_extra(each, tool))
    arguments = (*tool.arguments, *sent)
    return replace(tool, arguments=arguments), written


def _is_beside_extra(fixed: Fixed, tool: Tool) -> bool:
    """Whether undeclared arguments are sent in the same location as this fixed argument."""
    return fixed.argument.location is In.PROPERTY and tool.takes_extra


def _fixed(fixed: Fixed) -> str:
    if fixed.hidden:
        return "UNSET"
    return from_env(fixed) if fixed.env else py(fixed.value)


def from_env(fixed: Fixed) -> str:
    """The expression that reads an environment variable."""
    arguments = [py(fixed.env)]
    if fixed.argument.required:
        arguments.append("required=True")
    if fixed.parsed:
        arguments.append("parsed=True")
    return f"from_env({', '.join(arguments)})"


def security_literal(requirements: tuple[Mapping[str, tuple[str, ...]], ...]) -> str:
    """OpenAPI's security requirements as a Python literal: alternatives of schemes with scopes."""
    return py([{key: list(scopes) for key, scopes in r.items()} for r in requirements])


def server_expression(server: Server, variables: Mapping[str, str]) -> str:
    """A server of the document as a `ServerUrl(...)` expression."""
    if not server.variables:
        return f"ServerUrl({py(server.url)})"
    pairs = (f"{py(v.name)}: {_variable(v, variables[v.name])}" for v in server.variables)
    return f"ServerUrl({py(server.url)}, variables={{{', '.join(pairs)}}})"


def _variable(variable: ServerVariable, env: str) -> str:
    arguments = [] if variable.default is None else [py(variable.default)]
    if variable.enum:
        arguments.append(f"enum={py(list(variable.enum))}")
    arguments.append(f"env={py(env)}")
    return f"Variable({', '.join(arguments)})"


def template(call: HttpCall) -> str:
    """The path template as it is sent, with the query from the document's path key."""
    pairs = (
        _in_query(name) if value is None else f"{_in_query(name)}={_in_query(value)}"
        for name, value in call.fixed_query
    )
    return f"{call.path}?{'&'.join(pairs)}" if call.fixed_query else call.path


def _in_query(text: str) -> str:
    """A string percent-encoded for a query; `:`, `/`, `,` and `@` stay as they are."""
    return quote(text, safe=":/,@")


def _value(argument: Argument, keyword: str) -> str:
    """The expression for an argument: its keyword, wrapped in a style if that is not the default
    one.
    """
    if argument.media_type is not None:
        if argument.location is In.QUERYSTRING and essence(argument.media_type) == FORM:
            parts = _parts(argument.encoding)
            return f"style.fields({keyword}, {parts})" if parts else keyword
        if essence(argument.media_type) == FORM:
            return f"style.urlencoded({keyword})"
        return f"style.{'json' if is_json(argument.media_type) else 'text'}({keyword})"
    if argument.inner:
        keyword = f"style.joined({keyword}, {py(argument.inner)})"
    default = DEFAULT_STYLE.get(argument.location, "form")
    chosen = argument.style or default
    explodes = chosen in ("form", "cookie")
    explode = explodes if argument.explode is None else argument.explode
    options = []
    if chosen not in _NO_EXPLODE and explode != explodes:
        options.append(f"explode={explode}")
    if argument.allow_reserved:
        options.append("allow_reserved=True")
    if sends_empty(argument, chosen):
        options.append("allow_empty=True")
    if chosen == default and not options:
        return keyword
    return f"{_WRAPPERS[chosen]}({', '.join([keyword, *options])})"


def sends_empty(argument: Argument, style: str) -> bool:
    """Whether to send the empty value of an argument.

    If not, the value is dropped; in a path, it is refused.
    """
    if argument.location is In.PATH or style != "form":
        return argument.allow_empty_value and style == "simple"
    schema = argument.schema
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return argument.allow_empty_value and kind not in ("string", "integer", "number", "boolean")


def chooses(tool: Tool) -> bool:
    """Whether the tool's request body may be sent in several media types."""
    return tool.http is not None and tool.http.body is not None and bool(tool.http.body.offered)


def _body(tool: Tool, body: Body, keywords: Mapping[str, str], extra: str | None) -> list[str]:
    if body.spread:
        parts = [f"**{extra}"] if extra else []  # first, so that they replace nothing
        parts += [
            f"{py(a.wire_name)}: {keywords[a.name]}"
            for a in tool.arguments
            if a.location is In.PROPERTY
        ]
        value = f"{{{', '.join(parts)}}}"
        if not body.required:
            value = f"if_given({value})"
    else:
        value = next(keywords[a.name] for a in tool.arguments if a.location is In.BODY)
    kind, default = body_kind(body)
    if body.offered:
        choosers = [keywords[a.name] for a in tool.arguments if a.location is In.CONTENT_TYPE]
        how = ", ".join(["ctx", value, py(_by_place(body)), *choosers])
        out = [f"body={value}", f"media_type=fitting({how})"]
        if body.kinds:
            out.append(f"kinds={py(dict(body.kinds))}")
    else:
        out = [f"{kind}={value}"]
        if body.media_type != default:
            out.append(f"media_type={py(body.media_type)}")
    if encoding := _parts(body.encoding):
        out.append(f"encoding={encoding}")
    return out


def _by_place(body: Body) -> list[str | list[str]]:
    """The media types of a body, as `fitting` expects them in `offered`.

    Types for the same alternative of the body's schema form a list.
    """
    entries = (body.media_type, *body.offered)
    groups: dict[int, list[str]] = {}
    for place, entry in zip(body.places or range(len(entries)), entries, strict=True):
        groups.setdefault(place, []).append(entry)
    return [group if len(group) > 1 else group[0] for group in groups.values()]


def _parts(encoding: Mapping[str, Encoding]) -> str:
    """The encodings of a form's fields as a mapping; empty if all fields use the default."""
    parts = [
        f"{py(name)}: {_part(each)}"
        for name, each in encoding.items()
        if each != Encoding() or "*" in encoding
    ]
    return f"{{{', '.join(parts)}}}" if parts else ""


def body_kind(body: Body) -> tuple[Kind, str]:
    """The keyword of `send` for a body of this media type, and the media type that it implies."""
    name = essence(body.media_type)
    if body.binary:
        return "binary", "application/octet-stream"
    if body.media_type in body.kinds:
        return _OF_KIND[body.kinds[body.media_type]]
    if is_json(name):
        return "json", "application/json"
    if name == FORM:
        return "form", name
    if name == "multipart/form-data":
        return "multipart", name
    is_text = name.startswith("text/") or name.endswith(("/xml", "+xml"))
    if is_text and not is_json_lines(name):
        return "text", "text/plain"
    return "body", ""


def _part(encoding: Encoding) -> str:
    options = [
        f"{name}={py(value)}"
        for name, value in (
            ("content_type", encoding.content_type),
            ("style", encoding.style),
            ("explode", encoding.explode),
            ("allow_reserved", encoding.allow_reserved or None),
            ("binary", encoding.binary or None),
            ("text", encoding.text or None),
            ("inner", encoding.inner or None),
        )
        if value is not None
    ]
    if encoding.parts is not None:
        options.append(f"parts={_parts(encoding.parts) or '{}'}")
    return f"style.part({', '.join(options)})"


def _answer(call: HttpCall) -> list[str]:
    out = []
    accept = ", ".join(call.accept)
    if accept not in ("", "application/json"):
        out.append(f"accept={py(accept)}")
    if call.declared:
        out.append(f"declared={py(', '.join(call.declared))}")
    if call.read_as:
        out.append(f"read_as={py(call.read_as)}")
    if call.statuses != ("200",):
        out.append(f"expect={call.statuses!r}")
    return out
