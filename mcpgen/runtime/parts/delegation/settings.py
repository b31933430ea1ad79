"""The settings for calling an API with people's tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...values import environment as read
from ...values.settings import Group, setting
from ..sign_in.settings import SignInSettings

if TYPE_CHECKING:
    from ...credentials.api import Api, Requirement
    from ...credentials.schemes import Credentials

_delegating = partial(setting, group=Group.OWN, closing=True)


def schemes(text: str) -> tuple[str, ...]:
    """Names of security schemes; `none` means no scheme."""
    return () if text.lower() == "none" else read.names(text)


scopes = read.list_of(read.SCOPE, "must be scopes separated by commas")


@dataclass(frozen=True)
class DelegationSettings(SignInSettings):
    """The settings of a server whose API receives tokens of the signed-in person."""

    delegated_schemes: tuple[str, ...] = _delegating((), schemes)
    """Over HTTP: the schemes, separated by commas, whose credential is a token of whoever signed
    in."""
    delegated_token: str = _delegating("own", read.one_of("own", "exchanged"))
    """Which token: `own`, the provider's access token itself, or `exchanged`, one of the API that
    the provider gives for it."""
    delegated_scopes: tuple[str, ...] = _delegating((), scopes)
    """The scopes, separated by commas, that the token is asked for. Unset: an exchanged one is
    asked for those of the operation that is called."""

    @property
    def of_callers(self) -> Mapping[str, str]:
        """Schemes whose credential depends on the HTTP caller, each with a note on its source."""
        words = "it is a token of whoever signed in"
        return {**super().of_callers, **dict.fromkeys(self.delegated_schemes, words)}

    def credentials_of(
        self,
        api: Api,
        security: Sequence[Requirement] | None,
        environ: Mapping[str, str],
        headers: Mapping[str, str],
        who: Any,
    ) -> Credentials:
        """The credentials of a call; raises ToolError.

        If some of the security alternatives have a delegated scheme, the others are ignored: they
        would use the server's own credentials.
        """
        from .credentials import with_tokens_of

        ways = api.security if security is None else security
        delegated = [each for each in ways if not each.keys().isdisjoint(self.delegated_schemes)]
        own = with_tokens_of(api, self, who)
        return super().credentials_of(own, delegated or ways, environ, headers, who)
