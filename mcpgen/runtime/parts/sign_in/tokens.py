"""Requests of this server to a provider's token endpoint (RFC 6749 4.1.3 and 6)."""

from __future__ import annotations

import base64
import logging
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

import anyio

from ...values.errors import ToolError
from ..accounts.token_answers import flaw, seconds
from ..http.jwks import Unavailable
from .people import Errand, Refusal

if TYPE_CHECKING:
    from ...backend.session import Backend
    from .settings import SignInSettings

logger = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds in which it must answer: calls of a person wait for it."""
_LONGEST = 10 * 365 * 86_400.0
"""Seconds that a token may last; one that lasts longer does not say when it ends."""
_OWN = (
    *("invalid_client", "unauthorized_client", "invalid_request", "invalid_scope"),
    *("incorrect_client_credentials", "redirect_uri_mismatch"),  # of GitHub
)
"""Errors that are of this server, not of the person; so are those of the provider itself."""
_BUSY = ("temporarily_unavailable", "server_error", "slow_down", "unsupported_grant_type", "")


async def fetched(
    backend: Backend, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
) -> Mapping[str, Any]:
    """The provider's answer at a URL, as `Backend.fetch_json` returns it; raises Unavailable."""
    try:
        with anyio.fail_after(PATIENCE):
            return await backend.fetch_json(method, url, headers, body)
    except (ToolError, TimeoutError) as problem:
        logger.warning("the provider does not answer: %s", problem or "it takes too long")
        raise Unavailable from None


async def answered(
    settings: SignInSettings,
    backend: Backend,
    url: str,
    form: Mapping[str, str],
    methods: Sequence[str] = ("client_secret_basic",),
) -> Mapping[str, Any]:
    """The answer of a token endpoint; a failure has a member `error`.

    `methods` are the ways in which the endpoint authenticates its clients. Raises Unavailable if
    there is no answer.
    """
    client, secret = settings.sign_in_client_id or "", settings.sign_in_client_secret
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    if secret and "client_secret_basic" in methods:
        headers["Authorization"] = f"Basic {_pair(settings)}"
    else:
        form = {**form, "client_id": client, **({"client_secret": secret} if secret else {})}
    return await fetched(backend, "POST", url, headers, urlencode(form).encode())


def secrets(settings: SignInSettings) -> tuple[str, ...]:
    """This server's secrets, plain and encoded, which an answer might repeat."""
    secret = settings.sign_in_client_secret
    return (secret, _pair(settings)) if secret else ()


def _pair(settings: SignInSettings) -> str:
    texts = (settings.sign_in_client_id or "", settings.sign_in_client_secret or "")
    return base64.b64encode(":".join(map(quote_plus, texts)).encode()).decode()


def granted(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of the provider's token endpoint, if it holds a token.

    Raises:
        Refusal: the provider grants nothing to the person.
        Unavailable: the provider does not know this server, or fails.
    """
    if "error" in answer:
        error = str(answer["error"])[:100]
        if error in (*_OWN, *_BUSY) or answer["status"] >= 500:
            logger.error("the provider's token endpoint answers %d %s", answer["status"], error)
            raise Unavailable
        raise Refusal(f"the provider answers {error}")
    if (problem := flaw(answer)) is not None:
        logger.error("no access token came from the provider's token endpoint: %s", problem[0])
        raise Unavailable
    return answer


def end(answer: Mapping[str, Any]) -> float:
    """When an answer's access token expires, in seconds since 1970; 0.0 if that is not stated."""
    life = seconds(answer.get("expires_in"))
    return time.time() + life if life <= _LONGEST else 0.0


def challenge(errand: Errand) -> dict[str, str]:
    """The PKCE parameters of an authorization request (RFC 7636)."""
    digest = sha256(errand.verifier.encode()).digest()
    text = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return {"code_challenge": text, "code_challenge_method": "S256"}
