"""The package's `api.py`: where the API is, how to sign in, and what agents see of its answers."""

from __future__ import annotations

from ..api import Api, SecurityScheme, Shape
from ..import_order import import_order
from ..literals import py
from ..naming import ApiNames
from ..token_urls import discovery_url, refresh_url, token_url
from . import calls


def arguments(api: Api, names: ApiNames) -> tuple[str, ...]:
    """The keyword arguments of `Api(...)`, each a Python expression."""
    servers = ", ".join(calls.server_expression(s, names.variables) for s in api.servers)
    schemes = ", ".join(f"{py(s.key)}: {_scheme(s, names)}" for s in api.security_schemes)
    out = [f"env_prefix={py(names.env_prefix)}"]
    out += [f"servers=[{servers}]"] if api.is_called else []
    out += [f"security_schemes={{{schemes}}}"] if schemes else []
    out += [f"security={calls.security_literal(api.security)}"] if api.security else []
    shapes = ", ".join(f"{py(t.name)}: {_shape(t.shape)}" for t in api.tools if t.shape)
    out += [f"shapes={{{shapes}}}"] if shapes else []
    return tuple(out)


def _shape(shape: Shape) -> str:
    given = {"redact": shape.redact, "fields": shape.fields}
    return f"Shape({', '.join(f'{k}={py(list(v))}' for k, v in given.items() if v)})"


def _scheme(scheme: SecurityScheme, names: ApiNames) -> str:
    env = ", ".join(f"{role}={py(name)}" for role, name in names.env[scheme.key].items())
    match scheme.type, scheme.scheme:
        case "apiKey", _:
            return f"ApiKey({py(scheme.name)}, location={py(scheme.location)}, {env})"
        case "http", "basic":
            return f"Basic({env})"
        case "http", "bearer":
            return f"Bearer({env})"
        case "http", other:
            return f"HttpAuth({py(other)}, {env})"
        case "oauth2", _:
            urls = {"token_url": token_url(scheme), "refresh_url": refresh_url(scheme)}
            return f"OAuth2({', '.join([env, *(f'{k}={py(v)}' for k, v in urls.items() if v)])})"
        case "openIdConnect", _:
            url = discovery_url(scheme)
            return f"OpenIdConnect({env}{f', discovery_url={py(url)}' if url else ''})"
        case _:
            return f"MutualTls({env})"


def imports(api: Api) -> tuple[str, ...]:
    """The names that the module imports from `_runtime`."""
    used = {"Api"}
    kinds = {"apiKey": "ApiKey", "oauth2": "OAuth2", "openIdConnect": "OpenIdConnect"}
    apis = (api, *api.further.values())
    servers = [server for each in apis for server in each.servers]
    for scheme in (scheme for each in apis for scheme in each.security_schemes):
        if scheme.type == "http":
            used.add({"basic": "Basic", "bearer": "Bearer"}.get(scheme.scheme, "HttpAuth"))
        else:
            used.add(kinds.get(scheme.type, "MutualTls"))
    used |= {"ServerUrl"} if servers else set()
    used |= {"Variable"} if any(s.variables for s in servers) else set()
    return tuple(sorted(used, key=import_order))
