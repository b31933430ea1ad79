"""Requests whose credentials come from another exchange: access tokens, and HTTP Digest."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx2

from ...backend.answer import Answer
from ...backend.exchange import Exchange, Retries
from ...backend.failures import carried_out
from ...backend.observing import OBSERVED
from ...backend.outgoing import Outgoing
from ...backend.session import Backend
from ...backend.signing import credential_texts
from ...credentials.auth import UNSENT
from ...values.errors import ApiError, ToolError, optional
from ...values.urls import Origin

if TYPE_CHECKING:
    from ...credentials.schemes import User

logger = logging.getLogger(__name__)


async def signed(exchange: Exchange, outgoing: Outgoing, retries: Retries) -> Answer:
    """Send with an access token, or with an answer to the last challenge.

    A token that is refused (401) is renewed once, a new challenge is answered once.

    Raises:
        ToolError: no token can be got.
    """
    grant, user = exchange.signing.credentials.grant, exchange.signing.credentials.user
    if user is not None:
        challenges = _challenges_to(exchange.backend)
        answered = challenges.has(user)
        answer = await exchange.persist(outgoing, retries)
        if answer.status != 401 or not challenges.take(user, answer.headers, answered=answered):
            return answer
        return await exchange.persist(outgoing, retries)
    assert grant is not None
    token = await _token(exchange, grant, outgoing)
    answer = await exchange.persist(outgoing.bearing(token), retries)
    if answer.status != 401 or not grant.is_kept:
        return answer
    logger.info("%s: the access token was refused; another one is asked for", exchange.tool)
    token = await _token(exchange, grant, outgoing, refused=token)
    return await exchange.persist(outgoing.bearing(token), retries)


async def _token(exchange: Exchange, grant: Any, outgoing: Outgoing, refused: str = "") -> str:
    try:
        token: str = await tokens_of(exchange.backend).get(grant, refused)
    except ToolError as problem:
        if not outgoing.after:
            raise
        message = problem.message.partition(UNSENT)[0] + carried_out(outgoing.after)
        raise ApiError(None, message) from None
    exchange.signing.issued.append(token)
    return token


def prove(exchange: Exchange, user: User, request: httpx2.Request) -> None:
    """Answer the last challenge by a request as it goes out, unless a hook has signed it."""
    target = request.extensions.get("target", request.url.raw_path).decode("ascii")
    proof = _challenges_to(exchange.backend).proof(user, request.method, target)
    if proof is None or "authorization" in request.headers:
        return
    request.headers["Authorization"] = proof.authorization
    if proof.cookies:
        pairs = (request.headers.get("Cookie"), proof.cookies)
        request.headers["Cookie"] = "; ".join(filter(None, pairs))
    exchange.signing.issued.extend((proof.response, proof.cookies))
    exchange.signing.issued.extend(credential_texts([("Authorization", proof.authorization)]))


def tokens_of(backend: Backend) -> Any:
    """The access tokens for an API: its `Tokens`, which only servers have that get some."""
    if "tokens" not in backend.kept:
        make = optional("parts.accounts.oauth").Tokens
        backend.kept["tokens"] = make(partial(_fetch, backend), backend.settings.timeout)
    return backend.kept["tokens"]


async def _fetch(backend: Backend, method: str, url: str, *more: Any) -> Mapping[str, Any]:
    """What an authorization server answers; whoever watches the call is told of each token."""
    answer: Mapping[str, Any] = {"error": "none came"}
    try:
        answer = await backend.fetch_json(method, url, *more)
        return answer
    finally:
        observed = OBSERVED.get()
        if observed and method == "POST":
            observed.on_token(Origin.of(url).host, "error" if "error" in answer else "ok")


def _challenges_to(backend: Backend) -> Any:
    """The `Challenges` of an API, which only servers have whose document has HTTP Digest."""
    return backend.kept.setdefault("challenges", optional("parts.accounts.digest").Challenges())
