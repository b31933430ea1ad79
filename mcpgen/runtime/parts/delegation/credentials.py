"""The credential of a call: the signed-in person's token for one API."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...credentials.schemes import Credentials, Scheme, Signer, Source
from ...values.errors import ToolError
from ..accounts.token_answers import failure_of
from .challenges import Challenge
from .ways import Use

if TYPE_CHECKING:
    from ...backend.answer import Answer
    from ...backend.exchange import Exchange, Retries
    from ...backend.outgoing import Outgoing
    from ...credentials.api import Api


def with_tokens_of(api: Api, settings: Any, who: Any) -> Api:
    """A copy of the API in which the delegated schemes use the caller's tokens."""
    schemes = {
        key: Delegated(key, settings, who) if key in settings.delegated_schemes else scheme
        for key, scheme in api.security_schemes.items()
    }
    return replace(api, security_schemes=schemes)


def use_of(settings: Any, scopes: tuple[str, ...] = ()) -> Use:
    """The purpose of a token: the API, and the scopes that the called operation needs."""
    exchanged = settings.delegated_token == "exchanged"
    return Use(
        exchanged,
        (settings.exchange_token_url or "") if exchanged else "",
        settings.exchange_audience or "",
        settings.exchange_resource or "",
        settings.delegated_scopes or (scopes if exchanged else ()),
    )


@dataclass(frozen=True)
class Delegated(Scheme):
    """A scheme whose credential is a token of the caller."""

    key: str
    settings: Any
    who: Any = field(repr=False)

    def sign(self, source: Source) -> Credentials:
        """Credentials with the person's token; raises ToolError if nobody has signed in."""
        token: Any = getattr(self.who, "token", None)
        delegation = getattr(token, "delegation", None)
        if delegation is None:
            raise ToolError(
                f"The API needs a person's token (`{self.key}`), but nobody has signed in for this "
                "request. Nothing was sent."
            )
        use = use_of(self.settings, source.scopes)
        whose = f"{self.who.subject} at {self.who.issuer}"
        whose += f", exchanged for {use.words}" if use.exchanged else ""
        return Credentials(signer=Token(delegation, token.grant, use, whose), of_caller=True)


@dataclass(frozen=True)
class Token(Signer):
    """Signs requests with the person's token for one purpose."""

    delegation: Any = field(repr=False)
    grant: str = field(repr=False)
    use: Use
    whose: str = ""

    async def send(self, exchange: Exchange, outgoing: Outgoing, retries: Retries) -> Answer:
        """The answer to a request with the token, which is renewed once after a 401.

        Raises:
            ToolError: there is no token.
        """
        token = await self._token(exchange, outgoing)
        answer = await exchange.persist(outgoing.bearing(token), retries)
        if Challenge.of(answer).asks_for_more:
            await self.delegation.forget(self.grant, self.use)
        elif answer.status == 401:
            newer = await self._token(exchange, outgoing, token)
            if newer != token:
                return await exchange.persist(outgoing.bearing(newer), retries)
        return answer

    async def _token(self, exchange: Exchange, outgoing: Outgoing, refused: str = "") -> str:
        try:
            token: str = await self.delegation.token(self.grant, self.use, refused)
        except ToolError as problem:
            raise failure_of(problem, outgoing) from None
        exchange.signing.issued.append(token)
        return token

    def advice(self, answer: Answer, outgoing: Outgoing) -> str:
        """Advice on how the person can satisfy the API's challenge; empty if there is no way."""
        challenge = Challenge.of(answer)
        if not challenge.asks_for_more or outgoing.after:
            return ""
        advice: str = self.delegation.advice(self.grant, self.use, challenge)
        return advice
