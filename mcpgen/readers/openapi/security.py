"""Security schemes and requirements: those whose credentials a server can send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from msgspec.structs import replace

from ...api import SecurityRequirement, SecurityScheme, Server
from ...diagnostics import did_you_mean, line_of_settings
from ...operations.scheme_classes import OF_HTTP
from ...operations.token_urls import filled
from ...runtime.values.media import is_token
from ...runtime.values.urls import is_secure
from ...source.document import ReferenceProblem
from ...text.kinds import json_type
from ..http_names import TRANSPORT_HEADERS, place_key
from . import fields
from .agent_text import strip_hidden
from .reader_state import referent
from .servers import base_of
from .versions import Version

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_FLOWS_20 = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}
_CHALLENGES = (
    "hoba",
    "mutual",
    "negotiate",
    "ntlm",
    "privatetoken",
    "scram-sha-1",
    "scram-sha-256",
)
"""HTTP schemes whose credential is an answer to a challenge (IANA's registry, and NTLM)."""
AUTHORIZATION = ("header", "authorization")
SIGN_ALL = 'security = "all"'
"""The line of `mcpgen.toml` that gives each operation a credential."""
_TOKEN_URLS = ("tokenUrl", "refreshUrl")
_TYPES = "apiKey, http (with `scheme: bearer` or `basic`), oauth2, openIdConnect, mutualTLS"
_TYPES_20 = "apiKey, basic, oauth2"
_TYPE_NAMES = ("apiKey", "basic", "http", "oauth2", "openIdConnect", "mutualTLS")
_SPELLED = {name.lower(): name for name in _TYPE_NAMES}


MOST_TOGETHER = 32
"""The most schemes in one alternative: each call and each test has all of them."""
_MAX_ALTERNATIVES = 100
"""The most alternatives of one list: each gets a test that looks at those before it."""


def read_schemes(
    root: Node, version: Version, start: Server, diagnostics: Diagnostics
) -> tuple[SecurityScheme, ...]:
    """The declared schemes that a server can use; the others are reported.

    `start` is the server that relative URLs are resolved against; its URL is empty if no server has
    a host.
    """
    if version is Version.V20:
        return schemes_at(root, "securityDefinitions", version, start, diagnostics)
    holder = fields.object_at(root, "components", diagnostics)
    if holder is None:
        return ()
    return schemes_at(holder, "securitySchemes", version, start, diagnostics)


def schemes_at(
    holder: Node, key: str, version: Version, start: Server, diagnostics: Diagnostics
) -> tuple[SecurityScheme, ...]:
    """The usable schemes in the object under `key`; the others are reported."""
    members = fields.members(holder, key, diagnostics)
    read = (read_scheme(name, node, version, start, diagnostics) for name, node in members)
    return tuple(scheme for scheme in read if scheme is not None)


def read_scheme(
    key: str, node: Node, version: Version, start: Server, diagnostics: Diagnostics
) -> SecurityScheme | None:
    """The scheme at a node; None, with a warning, if it cannot be used."""
    try:
        scheme = _scheme(key, referent(node, version), version)
    except ReferenceProblem as problem:
        scheme = problem.diagnostic.message
    if isinstance(scheme, str):
        message = f"the scheme `{key}` is not usable: {scheme}"
        diagnostics.warning("security-scheme", message, node)
        return None
    if scheme.scheme.lower() in _CHALLENGES:
        message = f"the scheme `{key}` ({scheme.scheme}) needs an answer to the API's challenge"
        hint = "What its variable holds is sent as it is; hooks.authenticate can sign instead."
        diagnostics.warning("security-challenge", message, node, hint)
    located = _located(scheme, start)
    _report_urls(located, node, diagnostics)
    return located


def place_of(scheme: SecurityScheme) -> tuple[str, str] | None:
    """Location and name of a scheme's credential; None if requests do not contain it."""
    if scheme.type == "apiKey":
        return place_key(scheme.location, scheme.name)
    return None if scheme.type == "mutualTLS" else AUTHORIZATION


def key_places(schemes: tuple[SecurityScheme, ...]) -> Mapping[tuple[str, str], str]:
    """The security schemes, keyed by where their credential is sent (location and name); no
    argument may be sent there.

    The key for the `Authorization` header maps to the API key scheme that uses the header. Without
    one, it maps to the only other scheme that uses it; if several do, it is left out.
    """
    keys = {place_key(s.location, s.name): s.key for s in reversed(schemes) if s.type == "apiKey"}
    others = [s.key for s in schemes if s.type != "apiKey" and place_of(s) is not None]
    return {AUTHORIZATION: others[0], **keys} if len(others) == 1 else keys


def read_requirements(
    node: Node | None, schemes: tuple[SecurityScheme, ...], diagnostics: Diagnostics
) -> tuple[SecurityRequirement, ...] | None:
    """The alternatives of a `security` array; None if there is no array.

    If no alternative can be used, the result is one without credentials: a hook may add a
    credential.
    """
    if node is None or node.value is None:
        return None
    listed = fields.resolved(node, diagnostics)
    if not isinstance(listed.value, list):
        fields.wrong_type(node, "security", "an array", diagnostics)
        return None
    scheme_keys = {s.key for s in schemes}
    requirements: list[SecurityRequirement] = []
    if len(listed.value) > _MAX_ALTERNATIVES:
        message = (
            f"there are {len(listed.value):,} ways to sign in; only the first {_MAX_ALTERNATIVES} "
            "are used"
        )
        diagnostics.warning("security", message, node, "Name those that callers use.")
    for each in islice(listed.elements(), _MAX_ALTERNATIVES):
        child = fields.resolved(each, diagnostics)
        if not isinstance(child.value, dict):
            fields.wrong_type(child, "security", "an array of objects", diagnostics)
            continue
        asked: dict[str, Any] = child.value
        missing = (name for name in asked if name not in scheme_keys)
        unknown = [name for name in missing if not _is_extension(name, asked[name])]
        if len(asked) > MOST_TOGETHER:
            message = f"this way to sign in joins {len(asked):,} schemes: it cannot be used"
            hint = f"Join at most {MOST_TOGETHER}, or add the credentials in hooks.authenticate."
            diagnostics.warning("security", message, child, hint)
        elif unknown:
            _report_unusable(child, unknown, schemes, diagnostics)
        else:
            requirements.append(
                {key: _scopes(scopes) for key, scopes in asked.items() if key in scheme_keys}
            )
    if listed.value and not requirements:
        is_default = node.pointer == "/security"
        who = "calls without `security` of their own" if is_default else "its calls"
        message = f"no declared way to sign in can be used: {who} go out without credentials"
        hint = "Add them in hooks.authenticate."
        if schemes:
            hint = line_of_settings(SIGN_ALL, "for the schemes that can be used")
        diagnostics.warning("security", message, node, hint)
        return ({},)
    return tuple(requirements)


def _report_unusable(
    node: Node,
    unknown: Sequence[str],
    schemes: Sequence[SecurityScheme],
    diagnostics: Diagnostics,
) -> None:
    keys = [scheme.key for scheme in schemes]
    names = ", ".join(f"`{name}`" for name in unknown)
    message = (
        f"this way to sign in is left out: it needs {names}, which is not declared or not usable"
    )
    hint = did_you_mean(unknown[0], keys, f"Usable: {', '.join(keys) or 'none'}.")
    diagnostics.warning("security", message, node, hint)


def _is_extension(name: str, value: Any) -> bool:
    """Whether a member of a requirement is an extension: its value is not a list of scopes."""
    return name.startswith("x-") and not isinstance(value, list)


def _scopes(value: Any) -> tuple[str, ...]:
    return tuple(s for s in value if isinstance(s, str)) if isinstance(value, list) else ()


def _scheme(key: str, node: Node, version: Version) -> SecurityScheme | str:
    """The scheme, or a message on why it cannot be used."""
    value = node.value
    if not isinstance(value, dict):
        return f"it must be an object, found {json_type(value)}"
    kind = value.get("type")
    # In another case nothing else can be meant, and without it calls would go out unsigned.
    kind = _SPELLED.get(str(kind).lower(), kind)
    description = strip_hidden(fields.string(node, "description"))
    if kind == "apiKey":
        return _api_key(key, value, description)
    if kind == "basic":
        return SecurityScheme(key, "http", scheme="basic", description=description)
    if kind == "http":
        scheme = value.get("scheme")
        if scheme is None:
            return "it must say its `scheme`, such as bearer or basic"
        if not isinstance(scheme, str) or not is_token(scheme):
            return f"{scheme!r} is not an HTTP authentication scheme"
        # Case says nothing (RFC 9110 11.1), but not every server of a scheme of its own knows that.
        scheme = scheme.lower() if scheme.lower() in OF_HTTP else scheme
        return SecurityScheme(key, "http", scheme=scheme, description=description)
    if kind == "oauth2":
        flows = _swagger_flows(value) if version is Version.V20 else value.get("flows")
        flows = flows if isinstance(flows, dict) else {}
        return SecurityScheme(key, "oauth2", flows=flows, description=description)
    if kind == "openIdConnect":
        url = fields.string(node, "openIdConnectUrl")
        return SecurityScheme(key, kind, openid_connect_url=url, description=description)
    if kind == "mutualTLS":
        return SecurityScheme(key, kind, description=description)
    types = _TYPES_20 if version is Version.V20 else _TYPES
    if kind is None:
        return f"it must say its `type`, one of {types}"
    return f"{kind!r} is not a type of security scheme; the types are: {types}"


def _api_key(key: str, value: Mapping[str, Any], description: str) -> SecurityScheme | str:
    name, location = value.get("name"), str(value.get("in")).lower()
    if value.get("in") is None:
        return "an API key must say with `in` where it travels: header, query or cookie"
    if location not in ("header", "query", "cookie"):
        return f"an API key travels in header, query or cookie, not in {location!r}"
    if not isinstance(name, str) or not name:
        return "an API key must have a name"
    if location != "query" and not is_token(name):
        return f"{name!r} is not a valid name for a {location}"
    if location == "header" and name.lower() in TRANSPORT_HEADERS:
        return f"the header {name} belongs to the transport"
    return SecurityScheme(key, "apiKey", name=name, location=location, description=description)


def _swagger_flows(value: Mapping[str, Any]) -> dict[str, Any]:
    flow = _FLOWS_20.get(str(value.get("flow")))
    if flow is None:
        return {}
    keys = ("authorizationUrl", "tokenUrl", "scopes")
    return {flow: {"scopes": {}} | {k: value[k] for k in keys if k in value}}


def _located(scheme: SecurityScheme, start: Server) -> SecurityScheme:
    """The scheme with absolute URLs (3.1.1, "Relative References in API URLs").

    A placeholder in one of the scheme's own URLs stays as it is, even if a server variable has the
    same name.
    """
    if any(isinstance(url, str) and "{" in url for url in _urls(scheme)):
        start = Server(base_of([start]))
    flows = {
        name: {k: _absolute(v, start) if k in _TOKEN_URLS else v for k, v in flow.items()}
        for name, flow in scheme.flows.items()
        if isinstance(flow, Mapping)
    }
    url = _absolute(scheme.openid_connect_url, start)
    return replace(scheme, flows=flows, openid_connect_url=url, variables=start.variables)


def _urls(scheme: SecurityScheme) -> list[Any]:
    flows = [flow for flow in scheme.flows.values() if isinstance(flow, Mapping)]
    return [scheme.openid_connect_url, *(flow.get(name) for flow in flows for name in _TOKEN_URLS)]


def _absolute(url: Any, start: Server) -> Any:
    """A relative URL made absolute; the server's variables are kept if possible."""
    try:
        if not url or "{" in url or urlsplit(url).scheme:
            return url
        plain, urls = urljoin(base_of([start]), url), urljoin(start.url, url)
        return urls if base_of([replace(start, url=urls)]) == plain else plain
    except (ValueError, TypeError, AttributeError):
        return url


def _report_urls(scheme: SecurityScheme, node: Node, diagnostics: Diagnostics) -> None:
    for url in _urls(scheme):
        if not url or not isinstance(url, str):
            continue
        whole = filled(url, scheme)
        if is_secure(whole):
            continue
        what, hint = "which is not https", ""
        is_open = "{" in whole
        if is_open or "://" not in url:
            what = (
                "in which a placeholder is left open" if is_open else "and no server names the host"
            )
            hint = "Calls need a ready token, unless the URL is written in full."
        message = f"the scheme `{scheme.key}` names {url!r}, {what}"
        diagnostics.warning("security-url", message, node, hint)
