"""The rights of a person: the scopes of their groups, roles or organisations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..http.jwks import with_implied

if TYPE_CHECKING:
    from ...calls.access import Access
    from .settings import SignInSettings

_EVERYBODY = "*"


class Rights:
    """Scopes by group, as the settings define them."""

    def __init__(self, settings: SignInSettings, access: Access) -> None:
        self._settings = settings
        self._access = access
        self._by_group = {name: scopes.split() for name, scopes in settings.sign_in_scopes}

    @property
    def known(self) -> list[str]:
        """Every scope that a person can have on this server."""
        more = [scope for scopes in self._by_group.values() for scope in scopes]
        return self._access.scopes([*self._settings.http_scopes, *more])

    def of(self, groups: Iterable[str], asked: Iterable[str] | None) -> list[str] | None:
        """The scopes of these groups, reduced to the requested ones if `asked` is given.

        None: no group has any right here.
        """
        had = [*groups, _EVERYBODY]
        if self._by_group and self._by_group.keys().isdisjoint(had):
            return None
        own = {scope for each in had for scope in self._by_group.get(each, ())}
        allowed = with_implied(
            own if self._by_group else self.known, self._settings.http_implied_scopes
        )
        return sorted(allowed if asked is None else {*allowed} & {*asked})
