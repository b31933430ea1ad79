"""Issuers whose access tokens differ from RFC 9068: Microsoft Entra ID and Amazon Cognito.

- Entra has two names as an issuer, depending on the token version that an API asks for. The
  permissions of an application without a person are in `roles`.
- Cognito's tokens have no `aud` if no resource was requested. Then `client_id` states the client
  that they were issued to.
"""

from __future__ import annotations

import re

_V2 = re.compile(r"https://login\.microsoftonline\.com/([0-9a-fA-F-]{36})/v2\.0")
_V1 = re.compile(r"https://sts\.windows\.net/([0-9a-fA-F-]{36})/")
_COGNITO = re.compile(r"https://cognito-idp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?/[A-Za-z0-9_-]+")


def names_of(issuer: str) -> tuple[str, ...]:
    """The names that an issuer has in its tokens."""
    if match := _V2.fullmatch(issuer):
        return issuer, f"https://sts.windows.net/{match[1]}/"
    if match := _V1.fullmatch(issuer):
        return issuer, f"https://login.microsoftonline.com/{match[1]}/v2.0"
    return (issuer,)


def claims_of_scopes(issuer: str) -> tuple[str, ...]:
    """The claims that contain a token's scopes."""
    more = ("roles",) if len(names_of(issuer)) > 1 else ()
    return "scope", "scp", *more


def stand_in(issuer: str) -> str:
    """The claim that replaces a missing `aud`; empty if none does."""
    return "client_id" if _COGNITO.fullmatch(issuer) else ""
