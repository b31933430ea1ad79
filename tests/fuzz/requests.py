"""What a document allows a request to be, told from its own words and not from how it is made."""

import copy
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any
from urllib.parse import unquote

import httpx2
from jsonschema import Draft202012Validator

from mcpgen.api import Api, Argument, In, Tool

from .hosting import BASE

_SENT_ALWAYS = {"host", "user-agent", "accept", "accept-encoding", "connection", "content-type",
                "content-length", "cookie", "authorization"}  # fmt: skip
_ENDS = re.compile(rb"[\x00-\x1f\x7f]")


def check(
    request: httpx2.Request, api: Api, tool: Tool, arguments: Mapping[str, Any], secret: str
) -> None:
    """Fail where the request is none that the document allows for these arguments.

    `secret` is a text in every credential of the environment.
    """
    assert request.method == tool.call.method
    _check_url(request, tool)
    _check_headers(request, api, tool, secret)
    _check_query(request, api, tool)
    if not _holds_json_text(arguments):
        given = _with_texts(arguments, tool.input_schema)
        assert Draft202012Validator(tool.input_schema).is_valid(given)
        _check_body(request, tool, given)


def _check_url(request: httpx2.Request, tool: Tool) -> None:
    target = request.url.raw_path.decode("ascii")
    assert str(request.url) == BASE.removesuffix("/base") + target
    path = target.partition("?")[0]
    template = "/base" + tool.call.path.partition("?")[0].partition("#")[0]
    pieces = re.split(r"\{[^{}]*\}", template)
    shape = "[^/?#]+".join(re.escape(piece) for piece in pieces)
    assert re.fullmatch(shape, path), path
    assert not {unquote(unquote(piece)) for piece in path.split("/")} & {".", ".."}


def _check_headers(request: httpx2.Request, api: Api, tool: Tool, secret: str) -> None:
    keys = {scheme.name.lower() for scheme in api.security_schemes if scheme.location == "header"}
    own = {a.wire_name.lower() for a in tool.arguments if a.location is In.HEADER}
    own |= {fixed.argument.wire_name.lower() for fixed in tool.fixed}
    for raw_name, raw_value in request.headers.raw:
        name = raw_name.decode("ascii").lower()
        assert name in _SENT_ALWAYS | keys | own, name
        assert not _ENDS.search(raw_value), name
        assert raw_value.isascii()
        if name in keys:
            assert secret.encode() in raw_value, name
    assert len(request.headers.raw) == len({name.lower() for name, _ in request.headers.raw})


def _check_query(request: httpx2.Request, api: Api, tool: Tool) -> None:
    arguments = [a for a in tool.arguments if a.location in (In.QUERY, In.QUERYSTRING)]
    if any(_is_open(argument) for argument in arguments):
        return
    names = {argument.wire_name for argument in arguments}
    names |= {scheme.name for scheme in api.security_schemes if scheme.location == "query"}
    names |= {fixed.argument.wire_name for fixed in tool.fixed}
    query = request.url.raw_path.decode("ascii").partition("?")[2]
    found = {unquote(pair.partition("=")[0]) for pair in query.split("&") if pair}
    fixed = tool.call.path.partition("?")[2].split("&")
    assert found <= names | {pair.partition("=")[0] for pair in fixed}


def _is_open(argument: Argument) -> bool:
    """Whether its members, or whatever it says, name the keys of the query."""
    if argument.location is In.QUERYSTRING:
        return True
    return not isinstance(argument.schema, Mapping) or argument.schema.get("type") not in (
        "string", "integer", "number", "boolean", "array",
    )  # fmt: skip


def _check_body(request: httpx2.Request, tool: Tool, arguments: Mapping[str, Any]) -> None:
    body = tool.call.body
    if body is None:
        assert not request.content
    elif request.content and request.headers["content-type"] == "application/json":
        sent = json.loads(request.content)
        for argument in tool.arguments:
            if argument.name in arguments and argument.location is In.PROPERTY:
                assert _same(sent[argument.wire_name], arguments[argument.name])
            elif argument.name in arguments and argument.location is In.BODY:
                assert _same(sent, arguments[argument.name])


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _with_texts(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    """The arguments, with the text of each number or boolean that stands where a text must."""
    given = copy.deepcopy(arguments)
    for error in Draft202012Validator(schema).iter_errors(arguments):
        is_scalar = isinstance(error.instance, (bool, int, float))
        if error.validator == "type" and "string" in error.validator_value and is_scalar:
            *path, last = error.absolute_path
            reduce(getitem, path, given)[last] = json.dumps(error.instance)
    return given


def _holds_json_text(value: Any) -> bool:
    """Whether a text in it may be read as the value that it spells, or as none."""
    if isinstance(value, str):
        with suppress(ValueError):
            json.loads(value or "null")
            return True
        return value.lstrip().startswith(("{", "["))
    if isinstance(value, Mapping):
        return any(_holds_json_text(member) for member in value.values())
    return isinstance(value, list) and any(_holds_json_text(item) for item in value)
