"""GitHub, which is not an OpenID provider: its API identifies a person and organisations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.server.auth.provider import construct_redirect_uri

from ..http.jwks import Unavailable
from .people import Errand, Person, Refusal, SignedIn, Wanted
from .tokens import answered, challenge, end, fetched, granted

if TYPE_CHECKING:
    from ...backend.session import Backend
    from .providers import Row
    from .settings import SignInSettings

_PAGE_SIZE = 100
_MAX_PAGES = 5
"""Pages of organisations, and of teams, that are read of a person."""


class GitHub:
    """A `Provider`: github.com, or the GitHub Enterprise Server whose URL is the issuer."""

    def __init__(self, row: Row, settings: SignInSettings, backend: Backend, callback: str) -> None:
        self._settings = settings
        self._backend = backend
        self._callback = callback
        self._scopes = row.scopes
        self.wanted = Wanted()
        self.issuer = (settings.sign_in_issuer or row.issuer).rstrip("/")
        own = self.issuer == row.issuer
        self._api = "https://api.github.com" if own else f"{self.issuer}/api/v3"

    async def address(self, errand: Errand) -> str:
        """The URL at the provider to which a browser is sent for a sign-in."""
        wanted = self.wanted.joined(errand.wanted)
        return construct_redirect_uri(
            f"{self.issuer}/login/oauth/authorize",
            client_id=self._settings.sign_in_client_id,
            redirect_uri=self._callback,
            scope=" ".join((self._scopes, *wanted.scopes)),
            state=errand.state,
            **challenge(errand),
            **wanted.parameters,
        )

    async def redeem(self, code: str, issuer: str | None, errand: Errand) -> SignedIn:
        """The person who signed in, with the provider's tokens."""
        if issuer not in (None, self.issuer, f"{self.issuer}/login/oauth"):
            raise Refusal("the issuer is another one")
        form = {"code": code, "redirect_uri": self._callback, "code_verifier": errand.verifier}
        return await self._signed_in(await self._granted(form), "")

    async def renew(self, earlier: SignedIn) -> SignedIn:
        """The same person, as GitHub describes them now."""
        answer: Mapping[str, Any] = {"access_token": earlier.access_token}
        if earlier.refresh_token:
            form = {"grant_type": "refresh_token", "refresh_token": earlier.refresh_token}
            answer = await self._granted(form)
        now = await self._signed_in(answer, earlier.refresh_token)
        if now.person.subject != earlier.person.subject:
            raise Refusal("the refreshed token belongs to another person")
        return now

    async def answered(self, form: Mapping[str, str], url: str = "") -> Mapping[str, Any]:
        """The answer of the token endpoint at `url`; without `url`, of the provider's own one."""
        url = url or f"{self.issuer}/login/oauth/access_token"
        return await answered(self._settings, self._backend, url, form, ("client_secret_post",))

    async def _granted(self, form: Mapping[str, str]) -> Mapping[str, Any]:
        return granted(await self.answered(form))

    async def _signed_in(self, answer: Mapping[str, Any], refresh: str) -> SignedIn:
        token = answer["access_token"]
        user = await self._asked("/user", token)
        if not isinstance(user.get("id"), int):
            raise Unavailable
        organisations = await self._all_pages("/user/orgs", token)
        teams = await self._all_pages("/user/teams", token)
        groups = [_login(each) for each in organisations]
        groups += [f"{_login(each.get('organization'))}/{each.get('slug')}" for each in teams]
        person = Person(self.issuer, str(user["id"]), tuple(groups))
        return SignedIn(person, token, answer.get("refresh_token", refresh), end(answer))

    async def _all_pages(self, path: str, token: str) -> list[dict[str, Any]]:
        found: list[Any] = []
        for page in range(1, _MAX_PAGES + 1):
            answer = await self._asked(f"{path}?per_page={_PAGE_SIZE}&page={page}", token)
            items = answer.get("items", [])
            found += items
            if len(items) < _PAGE_SIZE:
                break
        return [each for each in found if isinstance(each, dict)]

    async def _asked(self, path: str, token: str) -> Mapping[str, Any]:
        headers = {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"}
        answer = await fetched(self._backend, "GET", f"{self._api}{path}", headers)
        if answer["status"] == 401:
            raise Refusal("GitHub no longer accepts the access token")
        if "error" in answer:
            raise Unavailable
        return answer


def _login(owner: Any) -> str:
    return str(owner.get("login")) if isinstance(owner, dict) else ""
