"""The environment variables of a generated server, for its docs and its `.env.example`."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import Field, fields
from enum import Enum
from functools import cache
from typing import Any

from msgspec.structs import replace

from ..api import Api, SecurityScheme
from ..bundled.settings import OF_PARTS
from ..operations.token_urls import discovery_url, login_url, token_url
from ..package import Variable
from ..python_names import ApiNames, Names
from ..runtime.credentials.schemes import PUBLIC
from ..runtime.values.seams import SURFACES
from ..runtime.values.settings import Closing, Group
from ..runtime.values.urls import is_path
from ..settings import Settings
from ..settings.rows import meanings
from ..settings.values import callers_defaults, server_defaults
from ..text import literals
from . import sign_in

_ROLES = {
    "username_env": "user name",
    "password_env": "password",
    "cert_env": "path of the client certificate (PEM)",
    "key_env": "path of the client certificate's key (PEM)",
    "refresh_token_env": "OAuth 2.0 refresh token, used where the access token is empty",
    "client_id_env": "OAuth 2.0 client id, used where the tokens are empty",
    "client_secret_env": "OAuth 2.0 client secret, likewise",
}
_OF_LOGIN = {
    "username_env": "user name to sign in with, where the access token is empty",
    "password_env": "password, likewise",
    "client_id_env": "OAuth 2.0 client id, where signing in asks for one",
    "client_secret_env": "OAuth 2.0 client secret, likewise",
}
"""Of OAuth 2.0's password flow."""
_WITH_REFRESH_TOKEN = {
    "client_id_env": "OAuth 2.0 client id, sent with the refresh token",
    "client_secret_env": "OAuth 2.0 client secret, if the client has one",
}
_NEEDED_ROLES = ("env", "username_env", "password_env", "cert_env", "key_env")
"""What a scheme takes that has nothing to take in its place."""
_PATHS = ("file_root", "ca_bundle", "_file")
"""How settings end that are paths."""
_FORMATS = {"bool": "boolean", "int": "number", "float": "number"}
"""By the type of a setting, the format of its variable; others are texts."""
_MAX_NAMES = 3
"""Tools that are named where a variable is sent with their calls; more are counted."""
_CALLERS = ("audit_values", "http_anonymous", "trace_upstream")
"""Settings about callers, beside those whose group is one of `Closing`."""
_OF_CREDENTIALS = ("caller_auth", "caller_exchange", "exchange_", "delegated_")
"""How settings begin that are about the credentials of the document's security schemes."""
_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]*")
"""A text that every shell and every reader of env files takes literally."""
_WHOLE = ", with Bearer or another word before it where the API wants one"
"""What is said of a key that is the whole header `Authorization`."""
_KINDS = {
    "apiKey": "API key",
    "oauth2": "OAuth 2.0 access token",
    "openIdConnect": "OpenID Connect access token",
}


@cache
def descriptions() -> Mapping[str, str]:
    """The Markdown description of each runtime setting: the docstring of its field."""
    texts: dict[str, str] = {}
    for _, kind in OF_PARTS:
        texts |= meanings(kind)
    return texts


def specs() -> Iterator[tuple[str, Field[Any]]]:
    """Each setting of the runtime with the name of its part, which is empty for the core."""
    told = set()
    for part, kind in OF_PARTS:
        for each in fields(kind):
            if each.name not in told:
                told.add(each.name)
                yield SURFACES["search"] if each.name == "surface" else part, each


def named(*groups: Enum) -> tuple[str, ...]:
    """The names of the runtime's settings in the given groups."""
    return tuple(each.name for _, each in specs() if each.metadata["group"] in groups)


def environment(
    api: Api, names: Names, settings: Settings, chosen: Collection[str]
) -> tuple[Variable, ...]:
    """Every variable of a server with the chosen parts; indispensable ones come first."""
    own: list[Variable] = []
    shared: list[Variable] = []
    for key, part in api.parts.items():
        api_names = names.apis[key]
        own += (*_credentials(part, api_names), *_fixed(part), *_server_variables(part, api_names))
        if key:
            shared += _further(key, part, api_names, names, chosen)
        else:
            every = _settings(part, names, settings, chosen)
            idle: tuple[str, ...] = ()
            if not api.is_called:
                idle += named(Group.OWN, Group.API, Group.REQUESTS)
            if not part.security_schemes:
                idle += _OF_CREDENTIALS
            shared += (row for name, row in every if not name.startswith(idle))
    return tuple(_once((*own, *shared)))


def _once(rows: Iterable[Variable]) -> Iterator[Variable]:
    """One row for each variable, with all its uses: in an env file only the last row counts."""
    rows_by_name: dict[str, list[Variable]] = {}
    for row in rows:
        rows_by_name.setdefault(row.name, []).append(row)
    for every in rows_by_name.values():
        yield replace(
            next((row for row in every if row.default_cell), every[0]),
            description="; ".join(row.description for row in every),
            optional=all(row.optional for row in every),
            description_cell="; ".join(row.description_cell for row in every),
        )


def _credentials(api: Api, names: ApiNames) -> Iterator[Variable]:
    idle, needed = sign_in.unasked(api), sign_in.always_asked(api)
    for scheme in api.security_schemes:
        has_own_grant = bool(token_url(scheme) or discovery_url(scheme))
        roles = _ROLES if has_own_grant else {**_ROLES, **_WITH_REFRESH_TOKEN}
        signs_in_by = _first_way(scheme)
        if login_url(scheme):
            roles = {**roles, **_OF_LOGIN}
        is_key = scheme.type == "apiKey"
        shorten = literals.paragraph if is_key else literals.sentence
        about = shorten(scheme.description, 300)
        whole = _WHOLE if is_key and scheme.name.lower() == "authorization" else ""
        roles_of = names.env[scheme.key]
        for role, variable in roles_of.items():
            if role == "earlier_env":
                continue
            what = roles.get(role) or _KINDS.get(scheme.type) or f"{scheme.scheme} token"
            text = f"{what[:1].upper()}{what[1:]} ({scheme.key}){whole}"
            text = f"{text}: {about}" if about else text
            row = _variable(variable, "", text, optional=scheme.key in idle)
            yield replace(
                row,
                required=scheme.key in needed and role in _NEEDED_ROLES and len(roles_of) <= 2,
                signs_in=True,
                usual=role in signs_in_by,
                secret=role not in PUBLIC,
                format="filepath" if scheme.type == "mutualTLS" else "string",
            )
            about = ""


def _first_way(scheme: SecurityScheme) -> Collection[str]:
    """The roles of the variables that most people set for a scheme."""
    if scheme.type not in ("oauth2", "openIdConnect"):
        return _NEEDED_ROLES
    if login_url(scheme):
        return ("username_env", "password_env")
    own_grant = token_url(scheme) or discovery_url(scheme)
    return ("client_id_env", "client_secret_env") if own_grant else ("env",)


def _fixed(api: Api) -> Iterator[Variable]:
    """The variables of fixed arguments; each description names the tools that send the value."""
    users: dict[str, dict[str, list[str]]] = {}
    needed = {f.env for tool in api.tools for f in tool.fixed if f.env and f.argument.required}
    for tool in api.tools:
        for fixed in tool.fixed:
            if fixed.env:
                arguments = users.setdefault(fixed.env, {})
                arguments.setdefault(fixed.argument.name, []).append(tool.name)
    for name, arguments in users.items():
        uses = (f"{argument} of {_several(tools)}" for argument, tools in arguments.items())
        row = _variable(name, "", literals.sentence(f"Sent as {', '.join(uses)}", 200))
        yield replace(row, required=name in needed, secret=True)


def _several(tools: list[str]) -> str:
    return ", ".join(tools) if len(tools) <= _MAX_NAMES else f"{len(tools)} tools"


def _server_variables(api: Api, names: ApiNames) -> Iterator[Variable]:
    row_names = set()
    for server in api.every_server:
        for variable in server.variables:
            name = names.variables[variable.name]
            if name in row_names:
                continue
            row_names.add(name)
            about = literals.sentence(variable.description, 100) or f"{variable.name} in the URL"
            choice = f" One of: {', '.join(variable.enum)}." if variable.enum else ""
            text = about.rstrip(".") + "." + choice
            optional = variable.default is not None
            row = _variable(name, variable.default or "", text, optional=optional)
            yield replace(row, required=not optional, choices=tuple(variable.enum or ()))


def _settings(
    api: Api, names: Names, settings: Settings, chosen: Collection[str]
) -> Iterator[tuple[str, Variable]]:
    """The environment variables of the server's own settings, each with its field name."""
    about = descriptions()
    calls = any(tool.http is not None for tool in api.tools)
    defaults = server_defaults(settings)
    missing = _whereabouts(api) if calls else ""
    for part, spec in specs():
        if part and part not in chosen:
            continue
        default = defaults.get(spec.name, spec.default)
        name = f"{names.env_prefix}_{spec.name.upper()}"
        required = spec.name == "base_url" and bool(missing)
        what = missing if required else about[spec.name]
        row = _variable(name, env_text(default), what, optional=not required)
        callers = spec.name in _CALLERS or isinstance(spec.metadata["group"], Closing)
        row = replace(row, description_cell=what, callers=callers, required=required)
        yield spec.name, _typed(row, spec)


def _whereabouts(api: Api) -> str:
    """A sentence on the required base URL, if the document names no host; else empty."""
    path = api.servers[0].url if api.servers else "/"
    own = [tool.http.servers for tool in api.tools if tool.http]
    have_hosts = [bool(each) and not is_path(each[0].url) for each in own]
    if not is_path(path) or (have_hosts and all(have_hosts)):
        return ""
    example = literals.code_span(f"https://api.example.com{path.rstrip('/')}")
    return f"The API's address, which its document does not give: a whole URL such as {example}."


def _further(
    key: str, part: Api, own: ApiNames, names: Names, chosen: Collection[str]
) -> Iterator[Variable]:
    """The variables that can be set separately for a further API."""
    about = descriptions()
    by_name = {spec.name: spec for _, spec in specs()}
    elsewhere = {spec.name for each, spec in specs() if each and each not in chosen}
    defaults = callers_defaults(part.callers)
    own_alone = named(Group.OWN)
    for field in named(Group.OWN, Group.API):
        is_idle = field.startswith(_OF_CREDENTIALS) and not part.security_schemes
        if is_idle or field in elsewhere:
            continue
        whereabouts = field == "base_url" and _whereabouts(part)
        text = whereabouts or about[field]
        what = f"For `{key}`: {text[:1].lower()}{text[1:]}"
        if field not in own_alone:
            what = f"`{names.env_prefix}_{field.upper()}` for `{key}` alone."
        name = f"{own.env_prefix}_{field.upper()}"
        row = _variable(name, env_text(defaults.get(field)), what, optional=not whereabouts)
        yield _typed(
            replace(row, description_cell=what, required=bool(whereabouts)), by_name[field]
        )


def _typed(row: Variable, spec: Field[Any]) -> Variable:
    """A copy of the row, with the format, choices and secrecy of the setting `spec`."""
    kind = str(spec.type).removesuffix(" | None")
    form = "filepath" if spec.name.endswith(_PATHS) else _FORMATS.get(kind, "string")
    choices = getattr(spec.metadata["reader"], "keywords", {}).get("choices", ())
    return replace(row, format=form, choices=choices, secret=not spec.repr)


def env_text(default: object) -> str:
    """A default as it is spelled in an env file."""
    if default in (None, ()):
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, float):
        return f"{default:g}"
    if isinstance(default, tuple) and isinstance(default[0], str):
        return ",".join(default)
    if isinstance(default, tuple):
        return ": ".join(default[0]) if len(default) == 1 else json.dumps(dict(default))
    return str(default)


def _variable(name: str, default: str, description: str, *, optional: bool = False) -> Variable:
    """A table row for a variable.

    If a shell would misread the default, the env file does not get it.
    """
    about = literals.one_line(description)
    plain_default = default if _PLAIN.fullmatch(default) else ""
    cell = literals.code_span(default) if default else ""
    return Variable(name, plain_default, about, optional, False, cell, literals.markdown(about))
