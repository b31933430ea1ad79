"""The URLs from which a generated server gets OAuth 2.0 access tokens without a person.

They may contain `{variables}` of the server URL that they start with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import SecurityScheme
from ..runtime.values.urls import WELL_KNOWN, is_secure

_WITH_A_PERSON = ("authorizationCode", "deviceAuthorization", "password")


def token_url(scheme: SecurityScheme) -> str:
    """The token endpoint of the client credentials flow; empty if missing or unusable."""
    return _usable(_flow(scheme, "clientCredentials").get("tokenUrl"), scheme)


def login_url(scheme: SecurityScheme) -> str:
    """The token endpoint of the password flow; empty if it cannot be used."""
    return _usable(_flow(scheme, "password").get("tokenUrl"), scheme)


def refresh_url(scheme: SecurityScheme) -> str:
    """The refresh URL of a flow in which a person signs in; empty if it cannot be used."""
    for name in _WITH_A_PERSON:
        flow = _flow(scheme, name)
        url = _usable(flow.get("refreshUrl"), scheme) or _usable(flow.get("tokenUrl"), scheme)
        if url:
            return url
    return ""


def discovery_url(scheme: SecurityScheme) -> str:
    """The URL of an OpenID provider's metadata; empty if it cannot be used."""
    url = scheme.openid_connect_url if scheme.type == "openIdConnect" else ""
    return _usable(url, scheme) if url.endswith(WELL_KNOWN) else ""


def filled(url: str, scheme: SecurityScheme) -> str:
    """A scheme's URL with its variables replaced by their defaults."""
    for variable in scheme.variables:
        url = url.replace(f"{{{variable.name}}}", variable.default or "")
    return url


def _flow(scheme: SecurityScheme, name: str) -> Mapping[str, Any]:
    flow = scheme.flows.get(name) if scheme.type == "oauth2" else None
    return flow if isinstance(flow, Mapping) else {}


def _usable(url: object, scheme: SecurityScheme) -> str:
    return url if isinstance(url, str) and is_secure(filled(url, scheme)) else ""
