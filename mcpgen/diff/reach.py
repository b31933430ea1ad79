"""The targets of calls and credentials: an API's servers, and its schemes' sign-in URLs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ..api import Api, SecurityScheme, Server
from ..operations.scheme_classes import KINDS, OTHER, class_of
from ..operations.token_urls import discovery_url, filled, login_url, refresh_url, token_url
from .changes import Change
from .security import Security, security_change

Urls = tuple[str, ...]
_TOKENS = ("Bearer", "OAuth2", "OpenIdConnect")
"""Classes of schemes that take the same credential, however that is come by."""
UNREADABLE = (ValueError, SyntaxError, LookupError, TypeError, AttributeError, AssertionError)
"""What is raised for texts that mcpgen did not write."""
_TOKEN_URLS = ("token_url", "login_url", "refresh_url", "discovery_url")


class Reach(Struct, frozen=True):
    """The targets of a document's or server's calls, with variables at their defaults."""

    servers: Mapping[str, Urls]
    """By the key of the API, which is empty for the first."""
    own: Mapping[str, Urls]
    """Of tools that have servers of their own."""
    tokens: Mapping[str, Urls]
    """Where tokens are got, by the scheme; after its API's key if that is not the first."""
    schemes: Mapping[str, str]
    """What each scheme sends, and where in the request."""
    security: Mapping[str, Security] = {}
    """The default `security` of a server's APIs, by key; empty for a document."""
    tools: Mapping[str, tuple[str, Security | None]] = {}
    """The API's key of each of a server's tools, and the tool's own `security`."""


def changes(old: Reach, new: Reach) -> Iterator[Change]:
    """The changes of server and sign-in URLs: a new URL may receive data and credentials."""
    for key, urls in old.servers.items():
        now = new.servers.get(key, ())
        if urls and now != urls:  # without any, whoever runs the server says where the API is
            yield Change("server-changed", "", key, f"{_in_words(urls)} -> {_in_words(now)}")
    for tool in {**old.own, **new.own}:
        was, now = old.own.get(tool, ()), new.own.get(tool, ())
        if was != now:
            detail = (
                f"{_in_words(was) or 'those of the API'} -> {_in_words(now) or 'those of the API'}"
            )
            yield Change("server-changed", tool, detail=detail)
    for key, kind in old.schemes.items():
        if key not in new.schemes:
            continue
        if kind != new.schemes[key]:
            yield Change("scheme-changed", "", key, f"{kind} -> {new.schemes[key]}")
        before, after = old.tokens.get(key, ()), new.tokens.get(key, ())
        if before and not set(after) <= set(before):
            yield Change("token-url-changed", "", key, f"{_in_words(before)} -> {_in_words(after)}")
    yield from _security_changes(old, new)


def _security_changes(old: Reach, new: Reach) -> Iterator[Change]:
    """The changes of the credentials that a server's calls need, for an API or for a tool."""
    for key, before in old.security.items():
        after = new.security.get(key, before)
        if before != after:
            yield security_change("", key, before, after)
    for tool, (key, own) in old.tools.items():
        now_key, now = new.tools.get(tool, (key, own))
        if own is None and now is None:
            continue  # both have the default of their API
        was = old.security.get(key) if own is None else own
        now = new.security.get(now_key) if now is None else now
        if was is not None and now is not None and was != now:
            yield security_change(tool, "", was, now)


def _in_words(urls: Urls) -> str:
    return ", ".join(urls)


def of_api(api: Api) -> Reach:
    """Where an API's calls and token requests go, and which credentials they send."""
    return Reach(
        servers={"": _urls(api.servers)},
        own={t.name: _urls(t.call.servers) for t in api.tools if t.http and t.call.servers},
        tokens={scheme.key: _token_urls(scheme) for scheme in api.security_schemes},
        schemes={scheme.key: _kind(scheme) for scheme in api.security_schemes},
    )


def _urls(servers: Iterable[Server]) -> Urls:
    pairs = ((each.url, {v.name: v.default for v in each.variables}) for each in servers)
    return _tidy(_filled(url, defaults) for url, defaults in pairs)


def _filled(url: str, defaults: Mapping[str, str | None]) -> str:
    for name, default in defaults.items():
        url = url.replace(f"{{{name}}}", default if default is not None else f"{{{name}}}")
    return url


def _tidy(urls: Iterable[str]) -> Urls:
    """The URLs without slashes at their ends; a URL that is only `/` is dropped."""
    return tuple(dict.fromkeys(filter(None, (url.rstrip("/") for url in urls))))


def _token_urls(scheme: SecurityScheme) -> Urls:
    urls = (token_url(scheme), login_url(scheme), refresh_url(scheme), discovery_url(scheme))
    return _tidy(filled(url, scheme) for url in urls)


def _kind(scheme: SecurityScheme) -> str:
    if scheme.type == "apiKey":
        return f"key in {scheme.location} {scheme.name}"
    return _kind_of_class(class_of(scheme), scheme.scheme)


def of_texts(api: str, handlers: Iterable[str]) -> Reach:
    """The URLs to which a server sends calls and credentials, from its `api.py` and handlers.

    Raises one of the exceptions in UNREADABLE if they cannot be read.
    """
    servers: dict[str, Urls] = {}
    tokens: dict[str, Urls] = {}
    schemes: dict[str, str] = {}
    security: dict[str, Security] = {}
    for key, call in _apis(ast.parse(api)):
        arguments = {each.arg: each.value for each in call.keywords}
        servers[key] = _tidy(map(_url, getattr(arguments.get("servers"), "elts", ())))
        for name, scheme in _calls(arguments.get("security_schemes", ast.Dict([], []))):
            scheme_name = f"{key} {name}".strip()
            urls = [each.value for each in scheme.keywords if each.arg in _TOKEN_URLS]
            tokens[scheme_name] = _tidy(map(_url, urls))
            schemes[scheme_name] = _scheme_kind(scheme)
        default = _security(key, arguments.get("security", ast.List([])))
        security |= {} if default is None else {key: default}
    trees = [ast.parse(text) for text in handlers]
    own = {tool: urls for tree in trees for tool, urls in _own(tree)}
    tools = {tool: needed for tree in trees for tool, needed in _needed(tree)}
    return Reach(servers, own, tokens, schemes, security, tools)


def _security(key: str, value: ast.expr) -> Security | None:
    """A `security` in code, its schemes named after the key of their API; None if not literal."""
    try:
        ways = ast.literal_eval(value)
        return tuple({f"{key} {n}".strip(): tuple(s) for n, s in way.items()} for way in ways)
    except UNREADABLE:
        return None


def _needed(tree: ast.Module) -> Iterator[tuple[str, tuple[str, Security | None]]]:
    """Each tool of a module with the API of its first request, and that request's `security`."""
    for function in tree.body:
        name = next(filter(None, map(_tool, getattr(function, "decorator_list", ()))), "")
        calls = (each for each in ast.walk(function) if isinstance(each, ast.Call))
        requests = ((key, call) for call in calls if (key := _api(call)) is not None)
        key, request = next(requests, ("", None))
        if not name or request is None:
            continue
        own = next((each.value for each in request.keywords if each.arg == "security"), None)
        security = None if own is None else _security(key, own)
        if own is None or security is not None:
            yield name, (key, security)


def _tool(mark: ast.expr) -> str:
    """The name in a decorator `@tool("name")`; empty for another decorator."""
    match mark:
        case ast.Call(func=ast.Name(id="tool"), args=[ast.Constant(value=str(name)), *_]):
            return name
    return ""


def _api(call: ast.Call) -> str | None:
    """The key of the API that a call sends a request to; None if it sends none."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr="api"), attr="send"):
            return ""
        case ast.Attribute(
            value=ast.Subscript(
                value=ast.Attribute(attr="apis"), slice=ast.Constant(value=str(key))
            ),
            attr="send",
        ):
            return key
    return None


def _apis(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Each `Api(...)` in a module, by its key."""
    for statement in tree.body:
        match statement:
            case ast.Assign(value=ast.Call() as call):
                yield "", call
            case ast.Assign(value=ast.Dict() as apis):
                yield from _calls(apis)


def _calls(value: ast.expr) -> Iterator[tuple[str, ast.Call]]:
    """The calls in a dict display, by their keys."""
    assert isinstance(value, ast.Dict)
    for key, call in zip(value.keys, value.values, strict=True):
        assert key is not None
        assert isinstance(call, ast.Call)
        yield ast.literal_eval(key), call


def _own(tree: ast.Module) -> Iterator[tuple[str, Urls]]:
    """Each tool with servers of its own in a module, with the URLs of these servers."""
    for function in tree.body:
        for mark in getattr(function, "decorator_list", ()):
            calls = (n for n in ast.walk(function) if isinstance(n, ast.Call))
            lists = (k.value for call in calls for k in call.keywords if k.arg == "servers")
            for servers in lists:
                assert isinstance(servers, ast.List)
                yield ast.literal_eval(mark.args[0]), _tidy(map(_url, servers.elts))


def _url(node: Any) -> str:
    """The URL in a string or `ServerUrl(...)`, with its variables at their defaults."""
    if not isinstance(node, ast.Call):
        return str(ast.literal_eval(node))
    defaults: dict[str, str | None] = {}
    for each in node.keywords:
        for name, variable in _calls(each.value):
            defaults[name] = ast.literal_eval(variable.args[0]) if variable.args else None
    return _filled(ast.literal_eval(node.args[0]), defaults)


def _scheme_kind(scheme: ast.Call) -> str:
    """The kind of a generated security scheme (`ApiKey(...)`), as `_kind` would return it."""
    name = ast.unparse(scheme.func)
    texts = [ast.literal_eval(each) for each in scheme.args]
    if name == "ApiKey":
        arguments = {each.arg: each.value for each in scheme.keywords}
        return f"key in {ast.literal_eval(arguments['location'])} {texts[0]}"
    return _kind_of_class(name, *texts)


def _kind_of_class(name: str, scheme: str = "") -> str:
    if name == OTHER:
        return scheme.lower()
    return "token" if name in _TOKENS else KINDS[name]
