"""A company: its provider's assertions, and a client that it has registered at the server."""

import time
from hashlib import sha256
from secrets import token_hex
from typing import Any

import httpx2
import jwt
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.shared.auth import JWT_BEARER_GRANT_TYPE

from ..sign_in.openid import OpenId
from ..sign_in.signing import Storage

AGENT, AGENT_SECRET = "agent", "canary+secret/of the agent%"
OTHER = "other", "of-the-other"
CLIENTS = (
    (AGENT, sha256(AGENT_SECRET.encode()).hexdigest()),
    (OTHER[0], sha256(OTHER[1].encode()).hexdigest()),
)


def issued(
    openid: OpenId,
    url: str,
    person: str = "ann",
    header: dict[str, Any] | None = None,
    key: Any = None,
    **claims: Any,
) -> str:
    """An assertion of the provider for the server at a URL; None takes a claim out."""
    now = int(time.time())
    usual = {
        "iss": openid.url,
        "sub": f"sub-of-{person}",
        "aud": url,
        "client_id": AGENT,
        "resource": url,
        "jti": token_hex(8),
        "iat": now,
        "exp": now + 300,
        "groups": openid.groups.get(person, []),
        **claims,
    }
    kept = {name: value for name, value in usual.items() if value is not None}
    head = {"kid": "k", "typ": "oauth-id-jag+jwt", **(header or {})}
    return jwt.encode(kept, key or openid.key, "RS256", headers=head)


def ask(
    url: str, assertion: str, *, auth: Any = None, http: Any = httpx2, **form: str | None
) -> httpx2.Response:
    """What the token endpoint answers to an assertion; None takes a parameter out."""
    usual = {
        "grant_type": JWT_BEARER_GRANT_TYPE,
        "assertion": assertion,
        "client_id": AGENT,
        "client_secret": None if auth else AGENT_SECRET,
        **form,
    }
    kept = {name: value for name, value in usual.items() if value is not None}
    headers = {"Authorization": auth} if auth else {}
    answer: httpx2.Response = http.post(f"{url}/oauth/token", data=kept, headers=headers)
    return answer


def sdk_client(
    openid: OpenId, url: str, person: str = "ann", storage: Storage | None = None, **more: Any
) -> IdentityAssertionOAuthProvider:
    """The SDK's own client of this grant."""

    async def fetch(audience: str, resource: str) -> str:
        return issued(openid, url, person, aud=audience, resource=resource)

    return IdentityAssertionOAuthProvider(
        url, storage or Storage(), AGENT, AGENT_SECRET, url, fetch, **more
    )
