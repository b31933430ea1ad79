"""Faults in handlers: in the request that is sent, what is expected of the answer, the signature.

Every fault changes what the API or the agent sees for some call; edits that could not (a style that
makes no difference to a single value, a credential that is the default anyway) are not made.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from bench.faults import Fault, Handler, Server

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
BODIES = ("json", "form", "multipart", "text", "binary", "body")
LOCATIONS = ("path", "query", "header", "cookie", "json", "form", "multipart")


def of_handlers(server: Server) -> Iterator[Fault]:
    """Every fault of every handler."""
    for handler in server.calls():
        for operator in OPERATORS:
            yield from operator(handler)


def _name(key: ast.Constant) -> str:
    return str(ast.literal_eval(key))


def _method(handler: Handler) -> Iterator[Fault]:
    method = ast.literal_eval(handler.send.args[0])
    other = METHODS[(METHODS.index(method) + 1) % 5] if method in METHODS else "GET"
    yield handler.fault("method swapped", other, (handler.send.args[0], repr(other)))


def _path(handler: Handler) -> Iterator[Fault]:
    template = ast.literal_eval(handler.send.args[1])
    path, mark, query = template.partition("?")
    yield handler.fault(
        "path changed", "longer", (handler.send.args[1], repr(f"{path}/x{mark}{query}"))
    )
    segments = path.split("/")
    for at, segment in enumerate(segments):
        if segment and "{" not in segment:
            changed = "/".join([*segments[:at], f"{segment}x", *segments[at + 1 :]])
            text = repr(changed + mark + query)
            yield handler.fault("path changed", segment, (handler.send.args[1], text))
            return


def _names(handler: Handler) -> Iterator[Fault]:
    for location in LOCATIONS:
        for key, _ in handler.pairs(location):
            renamed = repr(f"{_name(key)}x")
            yield handler.fault(f"{location} name changed", _name(key), (key, renamed))


def _dropped(handler: Handler) -> Iterator[Fault]:
    for location in LOCATIONS:
        for key, value in handler.pairs(location):
            dropped = f"**({{}} and {{'': {handler.source.text(value)}}})"
            span = handler.source.span(key)[0], handler.source.span(value)[1]
            yield handler.fault(f"{location} dropped", _name(key), (span, dropped))


def _swapped(handler: Handler) -> Iterator[Fault]:
    for location in LOCATIONS:
        pairs = handler.pairs(location)
        for (key, one), (_, other) in pairwise(pairs):
            edits = (one, handler.source.text(other)), (other, handler.source.text(one))
            yield handler.fault("arguments swapped", f"{location} {_name(key)}", *edits)


def _moved(handler: Handler) -> Iterator[Fault]:
    for location, other in (("query", "header"), ("header", "query"), ("cookie", "query")):
        if handler.pairs(location) and other not in handler.options:
            start = handler.source.span(handler.options[location])[0]
            yield handler.fault(
                "location changed", location, ((start, start + len(location)), other)
            )


def _absent(handler: Handler) -> Iterator[Fault]:
    for location in LOCATIONS[1:]:
        for key, value in handler.pairs(location):
            if handler.optional(value):
                text = f"{handler.source.text(value)} or " + (
                    "None" if location == "json" else "'x'"
                )
                yield handler.fault("absent sent", f"{location} {_name(key)}", (value, text))


def null_dropped(handler: Handler) -> Iterator[Fault]:
    """Null in a JSON body that is left out."""
    for key, value in handler.pairs("json"):
        if isinstance(value, ast.Name) and _nullable(handler.schema(value.id)):
            pair = f"**({{}} if {value.id} is None else {{{handler.source.text(key)}: {value.id}}})"
            span = handler.source.span(key)[0], handler.source.span(value)[1]
            yield handler.fault("null dropped", _name(key), (span, pair))
    option = handler.options.get("json")
    if option is not None and isinstance(option.value, ast.Name):
        name = option.value.id
        schema = handler.schema(name)
        if schema.get("type") == "object" and any(
            map(_nullable, schema.get("properties", {}).values())
        ):
            kept = f"{name} and {{k: v for k, v in {name}.items() if v is not None}}"
            yield handler.fault("null dropped", name, (option.value, kept))


def _nullable(schema: Any) -> bool:
    if not isinstance(schema, dict) or None not in schema.get("enum", [None]):
        return False
    kinds = schema.get("type")
    branches = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
    return "null" in (kinds if isinstance(kinds, list) else [kinds]) or any(
        map(_nullable, branches)
    )


def _style(handler: Handler) -> Iterator[Fault]:
    for node in ast.walk(handler.send):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if (
            not isinstance(node.func.value, ast.Name)
            or node.func.value.id != "style"
            or not node.args
        ):
            continue
        name, value = node.func.attr, handler.source.text(node.args[0])
        if not _style_matters(name, handler.schema(value)):
            continue
        explode = next((each for each in node.keywords if each.arg == "explode"), None)
        exploded = explode is not None and ast.literal_eval(explode.value)
        if not (exploded and name in ("form", "space_delimited", "pipe_delimited")):
            yield handler.fault("style changed", f"{name} lost", (node, value))
        if explode is not None and not _scalar(handler.schema(value)):
            flipped = repr(not ast.literal_eval(explode.value))
            yield handler.fault("style changed", f"{name} explode", (explode.value, flipped))
        elif name in ("space_delimited", "pipe_delimited"):
            other = "pipe" if name.startswith("space") else "space"
            text = handler.source.text(node).replace(name, f"{other}_delimited")
            yield handler.fault("style changed", f"{name} to {other}", (node, text))


def _scalar(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") in ("string", "integer", "number", "boolean")


def is_free_text(schema: Mapping[str, Any]) -> bool:
    """A string about which the document says nothing more."""
    return schema.get("type") == "string" and schema.keys() <= {"type", "description", "title"}


def _style_matters(name: str, schema: Mapping[str, Any]) -> bool:
    if name == "reserved":
        return is_free_text(schema)
    if name == "json":
        return schema.get("type") in ("string", "array", "object")
    if name == "simple":  # an array's items are joined by commas, exploded or not
        return schema.get("type") == "object"
    return name in ("label", "matrix") or schema.get("type") in ("array", "object")


def _body(handler: Handler) -> Iterator[Fault]:
    kind = next((each for each in BODIES if each in handler.options), None)
    if kind is None:
        return
    option = handler.options.get("media_type")
    edit = handler.add("media_type='application/x-other'")
    if option is not None:
        edit = (option.value, "'application/x-other'")
    yield handler.fault("body media type changed", kind, edit)
    other = {"json": "form", "form": "json", "multipart": "form"}.get(kind)
    members = handler.members(kind)
    if other and members is not None:
        start = handler.source.span(handler.options[kind])[0]
        yield handler.fault("body kind changed", kind, ((start, start + len(kind)), other))
    yield handler.fault("body dropped", kind, handler.remove(kind))
    if members is not None and members is not handler.options[kind].value:
        text = handler.source.text(members)
        yield handler.fault("empty body sent", kind, (handler.options[kind].value, text))
    encoding = handler.options.get("encoding")
    if encoding is not None and "binary=True" in handler.source.text(encoding):
        yield handler.fault("encoding dropped", kind, handler.remove("encoding"))


def _answer(handler: Handler) -> Iterator[Fault]:
    if "accept" in handler.options:
        yield handler.fault("Accept changed", "default", handler.remove("accept"))
    else:
        yield handler.fault("Accept changed", "text", handler.add("accept='text/plain'"))
    option = handler.options.get("expect")
    declared = ast.literal_eval(option.value) if option is not None else ("200",)
    if option is not None and not {"2XX", "default"} & set(declared):
        yield handler.fault("status mapping changed", "default", handler.remove("expect"))
        yield handler.fault("status mapping changed", "2XX", (option.value, "('2XX',)"))
    elif option is None:
        yield handler.fault("status mapping changed", "201", handler.add("expect=('201',)"))
        yield handler.fault("status mapping changed", "2XX", handler.add("expect=('2XX',)"))


def _security(handler: Handler) -> Iterator[Fault]:
    schemes, default = handler.server.schemes, handler.server.security
    option, asked = handler.options.get("security"), handler.security
    if not schemes or "servers" in handler.options:
        return

    def faulty(kind: str, value: Any) -> Fault:
        edit = handler.add(f"security={value!r}") if option is None else (option.value, repr(value))
        return handler.fault(kind, repr(value), edit)

    first = list(asked[0]) if asked else []
    if first and all(key in schemes for key in first):
        yield faulty("credential dropped", [])
        others = [key for key in schemes if key not in first]
        if others:
            yield faulty("credential of another scheme", [{others[0]: []}])
            yield faulty("credential sent unasked", [{**asked[0], others[0]: []}])
        if len(first) > 1:
            yield faulty("credential dropped", [{first[0]: []}])
        if len(asked) > 1 and asked[1] and set(asked[1]) != set(first):
            yield faulty("security alternatives joined", [{**asked[0], **asked[1]}])
    elif not first:
        yield faulty("credential sent unasked", [{schemes[0]: []}])
    if option is not None and _keys(asked) != _keys(default):
        yield handler.fault("security made the default", "", handler.remove("security"))


def _keys(security: Any) -> list[list[str]]:
    return [sorted(each) for each in security]


def _signature(handler: Handler) -> Iterator[Fault]:
    arguments = handler.function.args
    marks = [each for each in handler.function.decorator_list if isinstance(each, ast.Call)]
    renames = {each.arg: ast.literal_eval(each.value) for mark in marks for each in mark.keywords}
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is None and renames.get(argument.arg) != "*":  # which is always passed
            end = handler.source.span(argument)[1]
            yield handler.fault("required dropped", argument.arg, ((end, end), " = None"))
    for decorator in handler.function.decorator_list:
        for rename in decorator.keywords if isinstance(decorator, ast.Call) else ():
            yield handler.fault("argument renamed", rename.arg or "", (rename.value, "'x'"))


OPERATORS: tuple[Callable[[Handler], Iterator[Fault]], ...] = (
    *(_method, _path, _names, _dropped, _swapped, _moved, _absent, null_dropped, _style, _body),
    *(_answer, _security, _signature),
)
