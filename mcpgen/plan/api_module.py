"""The package's `api.py`: the API's address, security, and what agents see of answers."""

from __future__ import annotations

from ..adjusting import refusals
from ..api import Api, SecurityScheme, Server, Shape
from ..operations.scheme_classes import class_of
from ..operations.token_urls import discovery_url, login_url, refresh_url, token_url
from ..python_names import ApiNames
from ..runtime.values.urls import is_path
from ..settings.values import callers_defaults
from ..text.import_order import import_order
from ..text.literals import py
from . import calls


def arguments(whole: Api, key: str, names: ApiNames) -> tuple[str, ...]:
    """The keyword arguments of `Api(...)` for one API of the server, each a Python expression."""
    api = whole.further.get(key, whole)
    servers = ", ".join(calls.server_expression(s, names.variables) for s in _servers(whole, key))
    schemes = ", ".join(f"{py(s.key)}: {_scheme(s, names)}" for s in api.security_schemes)
    shapes = ", ".join(f"{py(t.name)}: {_shape(t.shape)}" for t in api.tools if t.shape)
    refused = {tool.name: refusals.of(tool, whole) for tool in api.tools}
    refused = {tool: rules for tool, rules in refused.items() if rules}
    out = [f"env_prefix={py(names.env_prefix)}"]
    if api.is_called:
        out.append(f"servers=[{servers}]")
    if schemes:
        out.append(f"security_schemes={{{schemes}}}")
    if api.security:
        out.append(f"security={calls.security_literal(api.security)}")
    if shapes:
        out.append(f"shapes={{{shapes}}}")
    calls_of = {tool.name: dict(tool.call_settings) for tool in api.tools if tool.call_settings}
    if calls_of and not key:
        out.append(f"calls={py(calls_of)}")
    if refused:
        out.append(f"refusals={py(refused)}")
    if api.callers:
        out.append(f"defaults={callers_defaults(api.callers)!r}")
    return tuple(out)


def _servers(whole: Api, key: str) -> tuple[Server, ...]:
    """An API's servers; if none is known and calls need one, OpenAPI's default `/`.

    With `/`, the server's `--check` reports that the host is not known.
    """
    functions = (offer.function for offer in (*whole.resources, *whole.prompts))
    calling = (f for f in (*whole.tools, *functions) if f is not None and f.http is not None)
    own = [f.call.servers for f in calling if f.api == key]
    is_needed = any(not servers or is_path(servers[0].url) for servers in own)
    return whole.further.get(key, whole).servers or ((Server("/"),) if is_needed else ())


def _shape(shape: Shape) -> str:
    paths = {"redact": shape.redact, "fields": shape.fields}
    return f"Shape({', '.join(f'{k}={py(list(v))}' for k, v in paths.items() if v)})"


def _scheme(scheme: SecurityScheme, names: ApiNames) -> str:
    class_ = class_of(scheme)
    own: list[str] = []
    urls: dict[str, str] = {}
    match class_:
        case "ApiKey":
            own = [py(scheme.name), f"location={py(scheme.location)}"]
        case "HttpAuth":
            own = [py(scheme.scheme)]
        case "OAuth2":
            urls = {"token_url": token_url(scheme), "login_url": login_url(scheme)}
            urls["refresh_url"] = refresh_url(scheme)
        case "OpenIdConnect":
            urls = {"discovery_url": discovery_url(scheme)}
    own += [f"{role}={py(name)}" for role, name in names.env[scheme.key].items()]
    own += [f"{name}={_url(url, scheme, names)}" for name, url in urls.items() if url]
    return f"{class_}({', '.join(own)})"


def _url(url: str, scheme: SecurityScheme, names: ApiNames) -> str:
    """The expression for a token URL: a `ServerUrl(...)` if it contains variables, else a
    literal.
    """
    held = tuple(each for each in scheme.variables if f"{{{each.name}}}" in url)
    server = Server(url, variables=held)
    return calls.server_expression(server, names.variables) if held else py(url)


def imports(api: Api) -> tuple[str, ...]:
    """The names that the module imports from `_runtime`."""
    used = {"Api"}
    if any(tool.shape for tool in api.tools):
        used.add("Shape")
    for key, each in {"": api, **api.further}.items():
        used.update(class_of(scheme) for scheme in each.security_schemes)
        if _servers(api, key):
            used.add("ServerUrl")
        if any(server.variables for server in each.servers):
            used.add("Variable")
    return tuple(sorted(used, key=import_order))
