"""The names of the runtime's classes for security schemes."""

from __future__ import annotations

from ..api import SecurityScheme

OF_HTTP = {"basic": "Basic", "bearer": "Bearer", "digest": "Digest"}
"""By the name of an HTTP scheme; the credential of any other goes out behind its name."""
OTHER = "HttpAuth"
_OF_TYPE = {
    "apiKey": "ApiKey",
    "oauth2": "OAuth2",
    "openIdConnect": "OpenIdConnect",
    "mutualTLS": "MutualTls",
}
KINDS = {name: kind for kind, name in {**OF_HTTP, **_OF_TYPE}.items()}
"""The HTTP scheme, or the type, of each class."""


def class_of(scheme: SecurityScheme) -> str:
    """The name of the runtime's class for a security scheme."""
    if scheme.type == "http":
        return OF_HTTP.get(scheme.scheme, OTHER)
    return _OF_TYPE[scheme.type]
