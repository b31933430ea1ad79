"""The environment variables that a generated server reads, for its README and `.env.example`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from . import literals
from .api import Api, SecurityScheme
from .naming import Names
from .package import Variable
from .runtime.settings import Settings as ServerSettings
from .settings import Settings

DESCRIPTIONS = {
    "base_url": "Replaces the servers that the API's document names.",
    "timeout": "Seconds for a whole call.",
    "connect_timeout": "Seconds to connect.",
    "read_timeout": "Seconds without a byte from the API.",
    "max_response_bytes": "Bytes of an answer that are read, after decompression.",
    "max_result_bytes": "Bytes of an answer that reach the agent; more is shortened.",
    "max_path_value_bytes": "Bytes of one value in the path.",
    "max_url_bytes": "Bytes of a URL.",
    "max_header_bytes": "Bytes of one header.",
    "max_body_bytes": "Bytes of a body made of arguments.",
    "max_file_bytes": "Bytes of one file.",
    "max_connections": "Connections to the API at once.",
    "file_root": "The folder that file:// arguments may name; without it they are refused.",
    "extra_headers": "Headers sent with every request: a JSON object, or lines of Name: value.",
    "allow_hosts": "Further hosts that may receive credentials, separated by commas.",
    "ca_bundle": "A PEM file with the certificate authorities to trust.",
    "proxy": "The URL of a proxy.",
    "log_level": "DEBUG, INFO, WARNING, ERROR or CRITICAL.",
    "page_size": "Tools on a page of tools/list; all are on one where it is unset.",
}
_ROLES = {
    "username_env": "user name",
    "password_env": "password",
    "cert_env": "path of the client certificate (PEM)",
    "key_env": "path of the client certificate's key (PEM)",
}
_KINDS = {"apiKey": "API key", "oauth2": "OAuth 2.0 access token", "openIdConnect": "ID token"}


def environment(api: Api, names: Names, settings: Settings) -> tuple[Variable, ...]:
    """Every variable, credentials first; `default` is empty for credentials and the base URL only."""
    return (*_credentials(api, names), *_server_variables(api, names), *_settings(names, settings))


def _credentials(api: Api, names: Names) -> Iterator[Variable]:
    for scheme in api.security_schemes:
        for role, variable in names.env[scheme.key].items():
            what = _ROLES.get(role) or _KINDS.get(scheme.type) or f"{scheme.scheme} token"
            yield _variable(variable, "", f"{what[:1].upper()}{what[1:]}{_about(scheme)}")


def _about(scheme: SecurityScheme) -> str:
    about = literals.sentence(scheme.description, 100)
    return f" ({scheme.key}): {about}" if about else f" ({scheme.key})"


def _server_variables(api: Api, names: Names) -> Iterator[Variable]:
    servers = [*api.servers, *(s for t in api.tools for s in t.http.servers)]
    seen = set()
    for server in servers:
        for variable in server.variables:
            name = names.variables[variable.name]
            if name in seen:
                continue
            seen.add(name)
            about = literals.sentence(variable.description, 100) or f"{variable.name} in the URL"
            choice = f" One of: {', '.join(variable.enum)}." if variable.enum else ""
            yield _variable(name, variable.default, about.rstrip(".") + "." + choice, optional=True)


def _settings(names: Names, settings: Settings) -> Iterator[Variable]:
    for spec in fields(ServerSettings):
        default = spec.default
        if spec.name == "page_size" and settings.page_size:
            default = settings.page_size
        text = "" if default in (None, ()) else f"{default:g}" if isinstance(default, float) else default
        name = f"{names.env_prefix}_{spec.name.upper()}"
        optional = spec.name != "base_url"
        yield _variable(name, str(text), DESCRIPTIONS[spec.name], optional=optional)


def _variable(name: str, default: str, description: str, *, optional: bool = False) -> Variable:
    """One row; a default that an env file cannot hold on one line is left out."""
    shown = literals.one_line(default)
    cell = literals.code_span(shown) if shown else ""
    return Variable(name, shown, description, optional, cell, literals.markdown(description))
