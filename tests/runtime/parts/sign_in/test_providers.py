"""What differs from provider to provider."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from tables import table

from mcpgen.runtime.backend.session import Backend, Connections, Hooks
from mcpgen.runtime.credentials.api import Api
from mcpgen.runtime.parts.http.jwks import Unavailable
from mcpgen.runtime.parts.sign_in import checklist, provider_of, providers
from mcpgen.runtime.parts.sign_in.people import Errand, Refusal
from mcpgen.runtime.parts.sign_in.settings import SignInSettings, groups
from mcpgen.runtime.values.settings import ConfigurationError

from ...serving import in_thread
from .openid import CLIENT, SECRET, OpenId
from .signing import Browser, Hand, signing_server

ERRAND = Errand("state", "nonce", "verifier")


def provider(name: str, issuer: str, **settings: Any) -> Any:
    """A provider, asked over the network."""
    own = {"sign_in_client_id": CLIENT, "sign_in_client_secret": SECRET, **settings}
    chosen = SignInSettings(sign_in_provider=name, sign_in_issuer=issuer, **own)
    api = Api("SHOP", [])
    backend = Backend(api, chosen, Connections(chosen), Hooks(None), "test/1")
    return provider_of(chosen, backend, "https://mcp.example/mcp/oauth/callback")


@dataclass
class GitHub:
    """A GitHub Enterprise Server, which answers errors with 200, as GitHub does."""

    url: str = ""
    gone: bool = False
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def app(self) -> Starlette:
        """The application."""
        return Starlette(
            routes=[
                Route("/login/oauth/authorize", self._authorize),
                Route("/login/oauth/access_token", self._token, methods=["POST"]),
                Route("/api/v3/user", self._user),
                Route("/api/v3/user/orgs", self._orgs),
                Route("/api/v3/user/teams", self._teams),
            ]
        )

    async def _authorize(self, request: Request) -> Response:
        query = dict(request.query_params)
        self.asked.append(("authorize", query))
        return RedirectResponse(f"{query['redirect_uri']}?code=c&state={query['state']}")

    async def _token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        self.asked.append(("token", form))
        if form["client_secret"] != SECRET:
            return JSONResponse({"error": "incorrect_client_credentials"})
        if form["code"] != "c":
            return JSONResponse({"error": "bad_verification_code"})
        assert request.headers["accept"] == "application/json"
        return JSONResponse({"access_token": "gho_canary", "token_type": "bearer", "scope": ""})

    def _known(self, request: Request, answer: Any) -> Response:
        self.asked.append((request.url.path, dict(request.query_params)))
        if self.gone or request.headers["authorization"] != "Bearer gho_canary":
            return JSONResponse({"message": "Bad credentials"}, 401)
        return JSONResponse(answer)

    async def _user(self, request: Request) -> Response:
        return self._known(request, {"id": 7, "login": "ann"})

    async def _orgs(self, request: Request) -> Response:
        page = int(request.query_params["page"])
        names = [f"org{n}" for n in range(100)] if page == 1 else ["acme"]
        return self._known(request, [{"login": name} for name in names])

    async def _teams(self, request: Request) -> Response:
        return self._known(request, [{"slug": "vets", "organization": {"login": "acme"}}, {}])


@pytest.fixture
def github():
    made = GitHub()
    with in_thread(made.app) as made.url:
        yield made


def test_github_tells_organisations_and_teams(shop, github):
    table = (("acme/vets", "pets:write"), ("acme", "pets:read"))
    own = {"sign_in_provider": "github", "sign_in_scopes": table, "sign_in_issuer": github.url}
    with signing_server(shop, OpenId(), **own) as url:
        tokens = Hand(url).sign_in(Browser())
    assert tokens["scope"] == "pets:read pets:write"
    assert tokens["refresh_token"]
    asked = dict(github.asked)
    assert asked["authorize"]["scope"] == "read:org"
    assert asked["authorize"]["code_challenge_method"] == "S256"
    assert [each for each in github.asked if each[0] == "/api/v3/user/orgs"] == [
        ("/api/v3/user/orgs", {"per_page": "100", "page": "1"}),
        ("/api/v3/user/orgs", {"per_page": "100", "page": "2"}),
    ]


async def test_github_is_asked_whether_its_token_is_good(github):
    made = provider("github", github.url)
    with pytest.raises(Refusal, match="bad_verification_code"):
        await made.redeem("d", None, ERRAND)
    with pytest.raises(Refusal, match="the issuer is another one"):
        await made.redeem("c", "https://evil.example", ERRAND)
    ann = await made.redeem("c", f"{github.url}/login/oauth", ERRAND)
    assert (ann.person.subject, ann.person.issuer, ann.ends) == ("7", github.url, 0.0)
    assert await made.renew(ann) == ann
    github.gone = True
    with pytest.raises(Refusal, match="no longer"):
        await made.renew(ann)


async def test_a_wrong_secret_at_github_ends_no_sign_in(github):
    made = provider("github", github.url, sign_in_client_secret="wrong")
    with pytest.raises(Unavailable):
        await made.redeem("c", None, ERRAND)


def test_github_com_has_its_api_elsewhere():
    made = provider_of(SignInSettings(sign_in_provider="github"), None, "")
    assert made._api == "https://api.github.com"


async def test_openid_tokens_are_checked(openid):
    async def redeemed(**claims):
        made = provider("oidc", openid.url)
        openid.claims = {"nonce": "nonce", **claims}
        query = dict(parse_qsl(urlsplit(await made.address(ERRAND)).query))
        assert query["nonce"] == "nonce"
        answer = httpx2.get(await made.address(ERRAND))
        code = dict(parse_qsl(urlsplit(answer.headers["location"]).query))["code"]
        return await made.redeem(code, None, ERRAND)

    assert (await redeemed()).person.subject == "sub-of-ann"
    wrong = [
        {"aud": "another"},
        {"iss": "https://evil.example"},
        {"exp": 1},
        {"nonce": "other"},
        {"nonce": None},
        {"sub": ""},
        {"sub": 7},
        {"aud": [CLIENT, "another"], "azp": "another"},
    ]
    for claims in wrong:
        with pytest.raises(Refusal):
            await redeemed(**claims)
    assert (await redeemed(aud=[CLIENT, "another"], azp=CLIENT)).person
    openid.down = True
    with pytest.raises(Unavailable):
        await redeemed()


async def test_an_openid_person_is_renewed_as_of_now(openid):
    made = provider("oidc", openid.url, sign_in_groups="https://acme.example/roles")
    openid.claims = {"nonce": "nonce", "https://acme.example/roles": ["a", 7]}
    answer = httpx2.get(await made.address(ERRAND))
    code = dict(parse_qsl(urlsplit(answer.headers["location"]).query))["code"]
    ann = await made.redeem(code, None, ERRAND)
    assert ann.person.groups == ("a",)
    openid.claims = {"https://acme.example/roles": "b"}
    later = await made.renew(ann)
    assert later.person.groups == ("b",)
    assert later.refresh_token != ann.refresh_token
    openid.claims = {"sub": "sub-of-eve"}
    with pytest.raises(Refusal, match="another person"):
        await made.renew(later)
    with pytest.raises(Refusal, match="invalid_grant"):
        await made.renew(ann)


async def test_without_a_refresh_token_the_access_token_is_asked_about(openid):
    openid.refreshes, openid.claims = False, {"nonce": "nonce"}
    made = provider("oidc", openid.url)
    answer = httpx2.get(await made.address(ERRAND))
    code = dict(parse_qsl(urlsplit(answer.headers["location"]).query))["code"]
    ann = await made.redeem(code, None, ERRAND)
    assert await made.renew(ann) == ann
    openid.gone = {"ann"}
    with pytest.raises(Refusal):
        await made.renew(ann)


@pytest.mark.parametrize(
    "given", [{"access_token": "tok\u00e9n"}, {"access_token": "a\nb"}, {"token_type": "N_A"}]
)
async def test_a_token_that_no_request_can_carry_is_none(openid, given):
    made = provider("oidc", openid.url)
    openid.claims, openid.given = {"nonce": "nonce"}, given
    answer = httpx2.get(await made.address(ERRAND))
    code = dict(parse_qsl(urlsplit(answer.headers["location"]).query))["code"]
    with pytest.raises(Unavailable):
        await made.redeem(code, None, ERRAND)


@pytest.mark.parametrize(
    "life",
    [pytest.param(10**400, id="long"), 1e300, "1e999", None, [], "soon"],
)
async def test_a_life_that_cannot_be_is_not_given(openid, life):
    made = provider("oidc", openid.url)
    openid.claims, openid.given = {"nonce": "nonce"}, {"expires_in": life}
    answer = httpx2.get(await made.address(ERRAND))
    code = dict(parse_qsl(urlsplit(answer.headers["location"]).query))["code"]
    ann = await made.redeem(code, None, ERRAND)
    assert (ann.ends, (await made.renew(ann)).ends) == (0.0, 0.0)


async def test_a_wrong_secret_is_no_refusal_of_a_person(openid):
    made = provider("oidc", openid.url, sign_in_client_secret="wrong")
    answer = httpx2.get(await made.address(ERRAND))
    code = dict(parse_qsl(urlsplit(answer.headers["location"]).query))["code"]
    with pytest.raises(Unavailable):
        await made.redeem(code, None, ERRAND)


async def test_google_is_asked_for_a_refresh_token():
    row = providers.PROVIDERS["google"]
    assert row.parameters == {"access_type": "offline", "prompt": "consent"}
    assert row.issuer == "https://accounts.google.com"
    assert "accounts.google.com" in row.spelled


@table(
    "settings, problem",
    ({"sign_in_provider": "okta"}, "SHOP_SIGN_IN_ISSUER must be the issuer of Okta"),
    (
        {
            "sign_in_provider": "entra",
            "sign_in_issuer": "https://login.microsoftonline.com/common/v2.0",
        },
        "your own tenant",
    ),
    ({"sign_in_provider": "google"}, "anybody can have an account at Google"),
    ({"sign_in_provider": "github"}, "anybody can have an account at GitHub"),
    (
        {"sign_in_provider": "auth0", "sign_in_issuer": "https://acme.eu.auth0.com/"},
        "anybody can have an account at Auth0",
    ),
    (
        {"sign_in_provider": "oidc", "sign_in_issuer": "https://accounts.google.com"},
        "anybody can have an account at Google",
    ),
    (
        {"sign_in_provider": "oidc", "sign_in_issuer": "https://acme.eu.auth0.com/"},
        "anybody can have an account at Auth0",
    ),
    (
        {
            "sign_in_provider": "oidc",
            "sign_in_issuer": "https://login.microsoftonline.com/organizations/v2.0",
        },
        "your own tenant",
    ),
)
def test_settings_that_let_in_nobody_or_the_world(settings, problem):
    with pytest.raises(ConfigurationError, match=problem):
        providers.check(SignInSettings(**settings), "SHOP")


@pytest.mark.parametrize("issuer", ["https://notauth0.com", "https://login.example.com"])
def test_a_provider_of_one_s_own_needs_no_table(issuer):
    settings = SignInSettings(sign_in_provider="oidc", sign_in_issuer=issuer)
    providers.check(settings, "SHOP")


def test_groups_in_lines_and_as_json():
    assert groups("Shop Admins: a b\n*: c\nacme/ops: ") == (
        *(("Shop Admins", "a b"), ("*", "c"), ("acme/ops", "")),
    )
    assert groups('{"A: B": "a"}') == (("A: B", "a"),)
    for wrong in ("Admins", '{"A": 1}', "{", ": a", 'A: "'):
        with pytest.raises(ValueError, match="Shop Admins"):
            groups(wrong)


@pytest.mark.parametrize("name", providers.PROVIDERS)
def test_the_checklist_says_what_the_console_needs(name):
    settings = SignInSettings(
        sign_in_provider=name, http_resource="https://mcp.example/shop", sign_in_client_id="x"
    )
    lines = [*checklist(settings, "SHOP")]
    assert any("https://mcp.example/shop/oauth/callback" in line for line in lines)
    assert lines[-1] == "people cannot sign in over HTTP yet: SHOP_SIGN_IN_CLIENT_SECRET is not set"
    assert not [*checklist(SignInSettings(), "SHOP")]
