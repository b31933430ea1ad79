"""The settings of sign-in at a provider."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ...values import environment as read
from ...values.settings import Closing, setting
from ..http import readers
from ..http.settings import HttpSettings, Who


class Where(Closing):
    """The group of the settings that choose who can sign in."""

    PROVIDER = "the provider at which callers sign in"


_of_provider = partial(setting, group=Where.PROVIDER)
PROVIDERS = ("entra", "google", "github", "okta", "auth0", "oidc")


def groups(text: str) -> read.Pairs:
    """Groups and the scopes of each, one per line or as a JSON object."""
    shape = 'must be lines such as `Shop Admins: orders:read`, or an object {"Shop Admins": "..."}'
    pairs = read.members(text, shape)
    if not all(group and all(map(read.is_scope, given.split())) for group, given in pairs):
        raise ValueError(shape)
    return pairs


@dataclass(frozen=True)
class SignInSettings(HttpSettings):
    """The settings of a server whose callers may sign in at a provider."""

    sign_in_provider: str | None = _of_provider(None, read.one_of(*PROVIDERS))
    """Over HTTP: where people sign in, by this server: `entra`, `google`, `github`, `okta`, `auth0`
    or `oidc`, any other OpenID provider."""
    sign_in_issuer: str | None = _of_provider(None, readers.secure_url)
    """Over HTTP: the provider's issuer, its own URL, such as https://acme.okta.com; Google has one
    alone."""
    sign_in_client_id: str | None = setting(None, str, Who.CALLERS)
    """Over HTTP: the id under which this server is registered at the provider."""
    sign_in_client_secret: str | None = _of_provider(None, str, secret=True)
    """Over HTTP: the secret that belongs to it."""
    sign_in_groups: str | None = _of_provider(None, str)
    """Over HTTP: the claim in which the provider names a person's groups or roles, where it is not
    one of the usual ones."""
    sign_in_scopes: tuple[tuple[str, str], ...] = _of_provider((), groups)
    """Over HTTP: lines `Group: scope scope`; what the people of a group, a role or an organisation
    may do here. `*` is everybody; whoever is in none is not let in. Unset: all may do all."""

    @property
    def signs_in(self) -> bool:
        """Whether callers sign in at a provider."""
        return bool(self.sign_in_provider and self.sign_in_client_id)

    @property
    def ways(self) -> tuple[str, ...]:
        """The settings that let callers sign in."""
        return *super().ways, "sign_in_client_id"

    @property
    def tells_scopes(self) -> bool:
        """Whether callers have scopes: from this server's sign-in, an issuer, or a file of
        tokens.
        """
        return self.signs_in or super().tells_scopes

    @property
    def authorization_server(self) -> str | None:
        """The issuer of callers' tokens: this server, if people sign in here."""
        return self.http_resource if self.signs_in else super().authorization_server
