"""The request that the API must receive for a tool's arguments, computed from the IR alone.

No handler is run, so that faults in handlers and in a server's copy of the runtime are found.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, cast
from urllib.parse import quote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from ..api import (
    DEFAULT_STYLE,
    Api,
    Argument,
    Body,
    Encoding,
    Fixed,
    In,
    SecurityScheme,
    Server,
    Tool,
)
from ..plan.calls import body_kind, sends_empty, template
from ..runtime.bodies.encoding import Kind, encode_body
from ..runtime.parts.forms.cookies import build_cookie
from ..runtime.parts.forms.forms import build_querystring
from ..runtime.values.arguments import UNSET
from ..runtime.values.media import accepting, essence, is_json
from ..runtime.values.parameters import (
    build_headers,
    build_path,
    build_query,
    check_target,
)
from ..runtime.values.style import Content, Fields, Part, Styled, joined
from ..runtime.values.urls import Origin, beside, check_base_url, is_path, join
from ..samples.checks import Checker
from ..samples.scalars import number_of

TEST_BASE_URL = "https://api.example.com/base"
_FORM = "application/x-www-form-urlencoded"
_OUTSIDE = frozenset({In.PATH, In.QUERY, In.QUERYSTRING, In.HEADER, In.COOKIE})
_COOKIE_SAFE = "!#$&'()*+-./:<=>?@[]^_`{|}~"
Environment = Mapping[str, Mapping[str, str]]
"""Scheme key to role to the environment variable that holds it."""


def fixed_variables(api: Api) -> dict[str, str]:
    """Test values for the environment variables of fixed arguments.

    A variable may be a string for one tool and JSON for another; a number works for both.
    """
    fixed = (each for tool in api.tools for each in tool.fixed if each.env)
    return {each.env: str(number_of(each.env)) for each in fixed}


def base_urls(further: Iterable[Requests]) -> dict[str, str]:
    """The base URLs that the tests set for further APIs whose documents have no base URL."""
    urls = {f"{each.env_prefix}_BASE_URL": each.base_url for each in further}
    return {name: url for name, url in urls.items() if url is not None}


def _fixed_value(fixed: Fixed) -> Any:
    if not fixed.env:
        return fixed.value
    number = number_of(fixed.env)
    return number if fixed.parsed else str(number)


def _with_fixed(tool: Tool, values: Mapping[str, Any]) -> tuple[Tool, dict[str, Any]]:
    """The tool and values with what the server adds: fixed arguments and sent defaults."""
    defaults = {
        argument.name: argument.schema["default"]
        for argument in tool.arguments
        if argument.sends_default and isinstance(argument.schema, Mapping)
    }
    if not tool.fixed:
        return tool, {**defaults, **values}
    sent = [fixed for fixed in tool.fixed if not fixed.hidden]
    added = {fixed.argument.name: _fixed_value(fixed) for fixed in sent}
    arguments = (*tool.arguments, *(fixed.argument for fixed in sent))
    return replace(tool, arguments=arguments), {**defaults, **values, **added}


def sentinel(variable: str) -> str:
    """The value that a test puts into a credential's environment variable."""
    return f"sentinel-{variable.lower().replace('_', '-')}"


class Requests(Struct, frozen=True, dict=True):
    """Builds the requests that an API's tools are expected to send."""

    api: Api
    env: Environment
    env_prefix: str = ""

    @cached_property
    def base_url(self) -> str | None:
        """The base URL that the tests have to set; None if the document has a usable one."""
        usable = bool(self.api.servers) and _usable(expanded(self.api.servers[0]))
        variables = (v for server in self.api.every_server for v in server.variables)
        complete = all(variable.default is not None for variable in variables)
        return None if usable and complete else TEST_BASE_URL

    def expected(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        available: Sequence[str] | None = None,
        *,
        allowed: bool = False,
    ) -> dict[str, Any]:
        """The request for a call with `arguments`, with credentials for the schemes in `available`.

        If `available` is None, all schemes are available. `allowed` lets the tool's server receive
        credentials even if it is not one of the API's servers. Raises ArgumentError for values that
        cannot be sent.
        """
        tool, arguments = _with_fixed(tool, arguments)
        base = self._base(tool)
        trusted = allowed or self.trusted(tool)
        signed = self._signature(tool, available) if trusted else _Signature((), (), ())
        call = tool.call
        located = _located(tool, arguments)
        whole = "".join(map(build_querystring, located.get("querystring", {}).values()))
        query = build_query(located.get("query"), whole)
        path = build_path(template(call), located.get("path"))
        root, target = join(_checked(base), path, query, signed.query)
        check_target(target)
        content_type, content = _body(tool, arguments)
        cookies = [build_cookie(located.get("cookie")) or "", *signed.cookies]
        own = {
            "accept": accepting(accepted(tool), ", ".join(call.declared)),
            "content-type": content_type,
        }
        own["cookie"] = "; ".join(filter(None, cookies))
        argument_headers = build_headers(located.get("header"))
        headers = {name: value for name, value in own.items() if value}
        headers |= _by_name(argument_headers) | _by_name(signed.headers)
        return {
            "method": call.method,
            "url": _origin(root) + target,
            "headers": dict(sorted(headers.items())),
            "body": _as_data(content_type, content),
        }

    def _base(self, tool: Tool) -> str:
        """The URL that the tool's path is appended to."""
        own, common = (
            expanded(servers[0]) if servers else ""
            for servers in (tool.call.servers, self.api.servers)
        )
        if self.base_url is None:
            return own or common
        return beside(self.base_url, common, own) if is_path(own) else self.base_url

    def trusted(self, tool: Tool) -> bool:
        """Whether the tool's server is one of the API's origins, which receive credentials."""
        if self.base_url is not None or not tool.call.servers:
            return True
        return Origin.of(expanded(tool.call.servers[0])) in self._origins

    @cached_property
    def _origins(self) -> set[Origin]:
        return {Origin.of(expanded(server)) for server in self.api.servers}

    def scheme(self, key: str) -> SecurityScheme | None:
        """The security scheme declared under a key; None if there is none."""
        return self._schemes.get(key)

    @cached_property
    def _schemes(self) -> dict[str, SecurityScheme]:
        return {each.key: each for each in self.api.security_schemes}

    def chosen(self, tool: Tool, available: Sequence[str] | None = None) -> list[str]:
        """The schemes whose credentials a call sends; `available` limits them, unless it is
        None.
        """
        for alternative in self.api.security_of(tool.call):
            keys = [key for key in alternative if key in self._schemes]
            complete = len(keys) == len(alternative) and len(keys) > 0
            if complete and (available is None or all(key in available for key in keys)):
                return keys
        return []

    def _signature(self, tool: Tool, available: Sequence[str] | None) -> _Signature:
        return self._signed([self._schemes[key] for key in self.chosen(tool, available)])

    def _signed(self, schemes: Sequence[SecurityScheme]) -> _Signature:
        headers: list[tuple[str, str]] = []
        query: list[tuple[str, str]] = []
        cookies: list[str] = []
        for scheme in schemes:
            roles = {role: sentinel(name) for role, name in self.env[scheme.key].items()}
            if scheme.type == "mutualTLS" or scheme.scheme == "digest":
                continue  # what answers a challenge is no part of a first request
            if scheme.type != "apiKey":
                headers.append(("Authorization", _authorization(scheme, roles)))
            elif scheme.location == "query":
                query.append((scheme.name, roles["env"]))
            elif scheme.location == "cookie":
                cookies.append(f"{scheme.name}={quote(roles['env'], safe=_COOKIE_SAFE)}")
            else:
                headers.append((scheme.name, roles["env"]))
        return _Signature(tuple(headers), tuple(query), tuple(cookies))


class _Signature(Struct, frozen=True):
    headers: tuple[tuple[str, str], ...]
    query: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]


_checked = lru_cache(maxsize=64)(check_base_url)


@lru_cache(maxsize=64)
def _origin(root: str) -> str:
    """Scheme and authority of a URL, in lower case and without the default port."""
    origin = Origin.of(root)
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    own = Origin.of(f"{origin.scheme}://{host}").port
    return f"{origin.scheme}://{host}" + ("" if origin.port == own else f":{origin.port}")


def accepted(tool: Tool) -> str:
    """The Accept header of the tool's requests."""
    return ", ".join(tool.call.accept) or "application/json"


def expanded(server: Server) -> str:
    """The server's URL with its variables replaced by their defaults."""
    defaults = {v.name: v.default for v in server.variables if v.default is not None}
    return re.sub(r"\{([^{}]*)\}", lambda m: defaults.get(m[1], m[0]), server.url)


def _usable(url: str) -> bool:
    try:
        check_base_url(url)
    except ValueError:
        return False
    return bool(urlsplit(url).netloc)


def _authorization(scheme: SecurityScheme, roles: Mapping[str, str]) -> str:
    if scheme.type == "http" and scheme.scheme == "basic":
        pair = f"{roles['username_env']}:{roles['password_env']}"
        return "Basic " + base64.b64encode(pair.encode()).decode()
    has_name = scheme.type == "http" and scheme.scheme != "bearer"
    return f"{scheme.scheme if has_name else 'Bearer'} {roles['env']}"


def _located(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The values that are sent outside the body, by location and wire name."""
    by_location: dict[str, dict[str, Any]] = {}
    for argument in tool.arguments:
        if argument.location in _OUTSIDE and argument.name in arguments:
            value = _styled(argument, arguments[argument.name])
            by_location.setdefault(argument.location, {})[argument.wire_name] = value
    return by_location


def _styled(argument: Argument, value: Any) -> Any:
    if argument.media_type is not None:
        kind = essence(argument.media_type)
        if argument.location is In.QUERYSTRING and kind == _FORM:
            return Fields(value, _parts(argument.encoding))
        if kind == _FORM:
            return Content(value, kind)
        return Content(value, "application/json" if is_json(kind) else "text/plain")
    if argument.inner:
        value = joined(value, argument.inner)
    chosen = argument.style or DEFAULT_STYLE.get(argument.location, "form")
    explode = argument.explode
    if explode is None:
        explode = chosen in ("form", "cookie", "deepObject")
    empty = sends_empty(argument, chosen)
    return Styled(value, chosen, explode, argument.allow_reserved, empty)


def _body(tool: Tool, arguments: Mapping[str, Any]) -> tuple[str | None, bytes]:
    body = tool.call.body
    if body is None:
        return None, b""
    value: Any = UNSET
    if body.spread:
        value = _spread(tool, body, arguments)
        value = value if value or body.required else UNSET
    else:
        for argument in tool.arguments:
            if argument.location is In.BODY:
                value = arguments.get(argument.name, UNSET)
    media_type = _media_type(tool, body, value, arguments)
    kind = "body" if body.offered else body_kind(body)[0]
    kind = cast("Kind", body.kinds.get(media_type, kind))
    encoded = encode_body(kind, value, media_type, _parts(body.encoding), None)
    return encoded.content_type, encoded.content


def _media_type(tool: Tool, body: Body, value: Any, arguments: Mapping[str, Any]) -> str:
    """The body's media type: the one in the arguments if it fits, else the first that does."""
    places = {each: at for at, each in enumerate([body.media_type, *body.offered])}
    names = {name.strip(): at for each, at in places.items() for name in each.split(",")}
    values = [arguments.get(a.name) for a in tool.arguments if a.location is In.CONTENT_TYPE]
    first = next((each for each in values if each in names), body.media_type)
    name = next((a.name for a in tool.arguments if a.location is In.BODY), "")
    options = tool.input_schema.get("properties", {}).get(name, {}).get("anyOf", ())
    by_entry = body.places or range(len(places))
    if not body.offered or value is UNSET or len(options) != len(set(by_entry)):
        return first
    checker = Checker(tool.input_schema.get("$defs", {}))
    is_fitting = [checker.valid(value, options[at]) for at in by_entry]
    if is_fitting[{**places, **names}[first]]:
        return first
    return next((each for each, at in places.items() if is_fitting[at]), first)


def _spread(tool: Tool, body: Body, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The body's members: undeclared members first, then the others in the document's order."""
    value = {
        argument.wire_name: arguments[argument.name]
        for argument in tool.arguments
        if argument.location is In.PROPERTY and argument.name in arguments
    }
    declared = {argument.name for argument in tool.arguments}
    extra = {name: each for name, each in arguments.items() if name not in declared}
    return extra | value if body.extra else value


def _parts(encoding: Mapping[str, Encoding]) -> dict[str, Part]:
    return {
        name: Part(
            each.content_type,
            each.style,
            each.explode,
            each.allow_reserved,
            each.binary,
            each.text,
            None if each.parts is None else _parts(each.parts),
            each.inner,
        )
        for name, each in encoding.items()
    }


def _by_name(headers: Sequence[tuple[str, str]]) -> dict[str, str]:
    by_name: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        by_name[key] = f"{by_name[key]}, {value}" if key in by_name else value
    return by_name


def _as_data(content_type: str | None, content: bytes) -> dict[str, Any] | None:
    """A body as data for `cases.json`: JSON as a value, text as a string, other bytes as base64."""
    if not content:
        return None
    try:
        text = content.decode()
        if content_type is not None and is_json(content_type):
            return {"json": json.loads(text)}
        return {"text": text}
    except ValueError:
        return {"base64": base64.b64encode(content).decode()}
