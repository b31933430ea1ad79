"""The attacks on a server that signs people in for MCP clients, by their names.

They are those of the security page of the MCP specification and of RFC 9700.
"""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx2
import pytest
from tables import table

from bench.calls import free_port

from ...gated import call
from .signing import REDIRECT, VERIFIER, Browser, Hand, form_of, signing_server


def audited(tmp_path: Path, *keys: str) -> list[Any]:
    """What the audit log has of sign-ins, by these keys of each line."""
    lines = map(json.loads, (tmp_path / "audit").read_text().splitlines())
    return [tuple(line.get(key) for key in keys) for line in lines if "sign_in" in line]


def at_provider(browser: Browser, address: str) -> str:
    """The URL by which the provider sends the browser back, which it has not visited yet."""
    answer = browser.reply(browser.get(address))
    answer = browser.get(answer.headers["location"])
    return str(answer.headers["location"])


def test_mix_up(url, openid, tmp_path):
    """An answer of another authorization server is not taken for one of the provider."""
    openid.back = {"iss": "https://evil.example"}
    hand = Hand(url)
    hand.register()
    query = Browser().visit(hand.address())
    assert query["error"] == "access_denied"
    assert not openid.steps("token")
    assert ("callback", "the issuer is another one") in audited(tmp_path, "sign_in", "reason")
    openid.back, openid.more = {}, {"authorization_response_iss_parameter_supported": True}


def test_mix_up_where_the_provider_says_that_it_names_itself(url, openid):
    openid.more = {"authorization_response_iss_parameter_supported": True}
    hand = Hand(url)
    hand.register()
    assert Browser().visit(hand.address())["error"] == "access_denied"
    openid.back = {"iss": openid.url}
    query = Browser().visit(hand.address())
    assert query["iss"] == url
    assert "code" in query


def test_confused_deputy(url, openid):
    """A consent is for one client and one redirect: each sign-in asks, whatever came before."""
    browser, hand = Browser(), Hand(url)
    hand.sign_in(browser)
    evil = Hand(url, redirect="https://evil.example/cb")
    evil.register()
    for each in (hand, evil):
        page = browser.get(each.address())
        assert page.status_code == 200
        assert "May this client use The shop as you?" in page.text
        assert each.redirect.rpartition("/")[0] in page.text
    assert len(openid.steps("authorize")) == 1
    one, other = browser.get(hand.address()), browser.get(evil.address())
    own_id = form_of(one)[1]
    action, of_evil = form_of(other)
    crossed = {"id": own_id, "answer": "allow"}
    browser.http.cookies.delete(
        next(name for name in browser.http.cookies if name[-1] == own_id[0])
    )
    assert browser.http.post(urljoin(url, action), data=crossed).status_code == 400
    assert own_id != of_evil


def test_code_injection(url, tmp_path):
    """A code is good for its client, its verifier and its redirect, once."""
    hand, other = Hand(url), Hand(url)
    hand.register()
    other.register()

    def code():
        return Browser().visit(hand.address())["code"]

    assert hand.token(code=code(), code_verifier="w" * 64).json()["error"] == "invalid_grant"
    assert other.token(code=code()).json()["error"] == "invalid_grant"
    wrong = hand.token(code=code(), redirect_uri="http://127.0.0.1:3333/other").json()
    assert wrong["error"] == "invalid_request"
    assert hand.token(code=code(), resource="https://other.example/mcp").json() == {
        "error": "invalid_target",
        "error_description": "resource is not this server",
    }
    burnt = code()
    hand.token(code=burnt, code_verifier="w" * 64)
    assert hand.token(code=burnt).json()["error"] == "invalid_grant"
    for odd in ("", "x", "x.y", burnt.partition(".")[0]):
        assert hand.token(code=odd).status_code == 400
    lines = audited(tmp_path, "sign_in", "reason")
    assert ("ended", "a code of another client") in lines
    assert ("authorization_code", "invalid_target") in lines


def test_parameters_that_come_twice(url, tmp_path):
    """Nobody knows which one counts (RFC 6749 3.2); of resources there may be several."""
    hand = Hand(url)
    hand.register()
    form = {
        "grant_type": "authorization_code",
        "client_id": hand.client_id,
        "redirect_uri": REDIRECT,
        "code_verifier": VERIFIER,
        "code": Browser().visit(hand.address())["code"],
    }

    def asked(**more):
        return httpx2.post(f"{url}/oauth/token", data={**form, **more})

    for name, value in form.items():
        answer = asked(**{name: [value, "other"]})
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request"), name
        assert answer.headers["Cache-Control"] == "no-store"
    foreign = asked(resource=["https://other.example/mcp", url])
    assert foreign.json()["error"] == "invalid_target"
    assert asked(resource=[url, url]).status_code == 200
    assert ("authorization_code", "invalid_request") in audited(tmp_path, "sign_in", "reason")


def test_a_code_that_comes_again_ends_what_it_gave(url, tmp_path):
    hand = Hand(url)
    hand.register()
    code = Browser().visit(hand.address())["code"]
    tokens = hand.token(code=code).json()
    assert call(url, "getPet", tokens["access_token"]).status_code == 200
    assert hand.token(code=code).json()["error"] == "invalid_grant"
    assert call(url, "getPet", tokens["access_token"]).status_code == 401
    assert ("ended", "a code that was used before") in audited(tmp_path, "sign_in", "reason")


def test_code_injection_at_the_provider(url, openid):
    """A code that the provider gave for another's sign-in is refused: by PKCE, and by the nonce."""
    hand, browser, evil = Hand(url), Browser(), Browser()
    hand.register()
    openid.person = "bob"
    stolen = at_provider(evil, hand.address())
    openid.person = "ann"
    own = at_provider(browser, hand.address())
    mixed = re.sub(r"code=[^&]+", re.search(r"code=[^&]+", stolen)[0], own)
    assert browser.visit(mixed)["error"] == "access_denied"
    openid.claims = {"nonce": "another"}
    assert browser.visit(hand.address())["error"] == "access_denied"


@table(
    "redirect",
    *["https://evil.example/callback", "http://127.0.0.1:3333/callback/../evil"],
    *["http://127.0.0.1:3333/callback?x=1", "http://127.0.0.1@evil.example/callback"],
    *["http://localhost:3333/callback", "https://127.0.0.1:3333/callback", "javascript:alert(1)"],
)
def test_open_redirect(url, redirect, tmp_path):
    """A browser is sent to no place that the client did not register, errors included."""
    hand = Hand(url)
    hand.register()
    for more in ({}, {"response_type": "token"}, {"code_challenge": None}):
        answer = httpx2.get(hand.address(redirect_uri=redirect, **more))
        assert answer.status_code == 400
        assert answer.json()["error"] in ("invalid_request", "unsupported_response_type")
        assert "location" not in answer.headers
    answer = httpx2.get(hand.address(client_id="unknown"))
    assert answer.status_code == 400
    assert ("authorization", "invalid_request") in audited(tmp_path, "sign_in", "reason")


def test_open_redirect_by_a_client_of_the_attacker(url):
    """An error sends nobody to a place that nobody was told of (RFC 9700 4.11.2)."""
    evil = Hand(url, redirect="https://evil.example/cb?x=<b>")
    evil.register()
    for more in ({"response_type": "token"}, {"code_challenge": None}, {"resource": "https://o/"}):
        answer = httpx2.get(evil.address(**more))
        assert answer.status_code == 400
        assert "location" not in answer.headers
        assert "refresh" not in answer.headers
        assert "https://evil.example" in answer.text
        link = re.search(r'href="([^"]+)"', answer.text)
        assert "error=" in link[1]
        assert "<b>" not in answer.text
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("scheme", ["ms-msdt", "search-ms", "intent", "shell", "feed", "smb"])
def test_schemes_of_other_programs_are_no_redirects(url, scheme):
    answer = Hand(url).register(f"{scheme}:/x")
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_redirect_uri"


@table(
    "more, error",
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"resource": "https://other.example/mcp"}, "invalid_target"),
)
def test_what_is_wrong_is_told_to_the_client(url, more, error):
    hand = Hand(url)
    hand.register()
    query = Browser().visit(hand.address(**more))
    assert (query["error"], query["iss"], query["state"]) == (error, url, "state-of-the-client")


def test_csrf(url, openid):
    """The answer to the question counts of its own page in its own browser alone."""
    hand, browser = Hand(url), Browser()
    hand.register()
    page = browser.get(hand.address())
    action, own_id = form_of(page)
    where, form = urljoin(url, action), {"id": own_id, "answer": "allow"}
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    cookie = page.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    foreign = {"Origin": "https://evil.example"}
    assert httpx2.post(where, data=form).status_code == 400
    assert browser.http.post(where, data=form, headers=foreign).status_code == 400
    assert browser.http.post(where, data=form, headers={"Origin": "null"}).status_code == 400
    assert browser.http.post(where, data={**form, "id": "0" * 33}).status_code == 400
    assert browser.http.post(where, data={"answer": "allow"}).status_code == 400
    assert browser.http.get(where, params=form).status_code == 405
    assert not openid.steps("authorize")
    assert browser.http.post(where, data=form).status_code == 303
    assert browser.http.post(where, data=form).status_code == 400


def test_an_origin_is_compared_as_browsers_write_it(shop, openid):
    port = free_port()
    resource = f"http://LOCALHOST:{port}/mcp"
    with signing_server(shop, openid, port, http_resource=resource) as url:
        hand, browser = Hand(url), Browser()
        assert hand.sign_in(browser)
        page = browser.get(hand.address())
        action, own_id = form_of(page)
        foreign = [f"https://localhost:{port}", f"http://localhost.evil.example:{port}", "null"]
        for origin in (*foreign, "http://localhost", "https://[", ""):
            form, headers = {"id": own_id, "answer": "allow"}, {"Origin": origin}
            where = urljoin(url, action)
            assert browser.http.post(where, data=form, headers=headers).status_code == 400


def test_session_fixation(url, openid, tmp_path):
    """A sign-in goes on in the browser that began it: another's state leads nowhere."""
    hand, attacker, victim = Hand(url), Browser(), Browser()
    hand.register()
    back = at_provider(attacker, hand.address())
    answer = victim.get(back)
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert not openid.steps("token")
    at_provider(victim, hand.address())  # has a cookie of its own
    assert victim.get(back).status_code == 400
    assert attacker.http.head(back).status_code == 405
    assert attacker.get(back).status_code == 303
    assert attacker.get(back).status_code == 400
    assert {line for line in audited(tmp_path, "sign_in", "reason") if line[0] == "callback"} == {
        ("callback", "the sign-in was begun in another browser, or too long ago")
    }


def test_what_was_not_allowed_does_not_come_back(url, openid):
    """The callback counts only once the person has said yes."""
    hand, browser = Hand(url), Browser()
    hand.register()
    own_id = form_of(browser.get(hand.address()))[1]
    callback = f"{url}/oauth/callback?code=x&state={own_id}"
    assert browser.get(callback).status_code == 400


def test_token_passthrough(url, openid):
    """Tokens of the provider open nothing here, and none of this server's reaches the provider."""
    tokens = Hand(url).sign_in(Browser())
    for foreign in [*openid._tokens, tokens["refresh_token"], "v1.AAAA", "x" * 40]:
        assert call(url, "getPet", foreign).status_code == 401
    told = json.dumps(openid.asked)
    assert tokens["access_token"] not in told
    assert tokens["refresh_token"] not in told


def test_registration_flood(url):
    """A registration is kept by its client alone, is small, and asks for nothing unusual."""
    hand = Hand(url)
    for number in range(100):
        assert hand.register(f"https://client{number}.example/cb").status_code == 201
        assert len(hand.client_id) < 500
    refused = [
        hand.register(*(f"https://a.example/{n}" for n in range(11))),
        hand.register(f"https://a.example/{'x' * 300}"),
        hand.register("http://a.example/cb"),
        hand.register("javascript:alert(1)"),
        hand.register("data:text/html,x"),
        hand.register("https://a.example/cb#x"),
        hand.register("https://u@a.example/cb"),
        hand.register(grant_types=["implicit"]),
        hand.register(token_endpoint_auth_method="private_key_jwt"),
    ]
    assert {answer.status_code for answer in refused} == {400}
    assert {answer.json()["error"] for answer in refused} == {
        *("invalid_redirect_uri", "invalid_client_metadata")
    }
    large = httpx2.post(f"{url}/oauth/register", content=b"x" * 100_000)
    assert large.status_code == 413
    given = hand.register("cursor://anysphere.cursor-retrieval/oauth/callback").json()
    assert given["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in given
    forged = f"{given['client_id'][:-4]}AAAA"
    assert httpx2.get(Hand(url, forged).address()).status_code == 400
    assert Hand(url, forged).token(code="x").json()["error"] == "invalid_client"


def test_refresh_reuse(url, tmp_path):
    """A refresh token that comes again ends all tokens of its sign-in, and of no other."""
    hand, other = Hand(url), Hand(url)
    kept = hand.sign_in(Browser())
    first = hand.sign_in(Browser())
    other.register()
    assert other.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    second = hand.refresh(first["refresh_token"]).json()
    third = hand.refresh(second["refresh_token"]).json()
    assert call(url, "getPet", second["access_token"]).status_code == 200
    assert hand.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert hand.refresh(third["refresh_token"]).json()["error"] == "invalid_grant"
    assert call(url, "getPet", second["access_token"]).status_code == 401
    assert call(url, "getPet", kept["access_token"]).status_code == 200
    assert hand.refresh(kept["refresh_token"]).status_code == 200
    assert ("ended", "a refresh token that was used before") in audited(
        tmp_path, "sign_in", "reason"
    )


def test_another_server_s_tokens_are_none_here(url, shop, openid):
    keys = ("k" * 32,)
    with (
        signing_server(shop, openid, state_keys=keys) as one,
        signing_server(shop, openid, state_keys=keys) as two,
    ):
        tokens = Hand(one).sign_in(Browser())
        assert call(one, "getPet", tokens["access_token"]).status_code == 200
        assert call(two, "getPet", tokens["access_token"]).status_code == 401
        assert call(url, "getPet", tokens["access_token"]).status_code == 401


def test_foreign_hosts_are_refused(url):
    for path in ("authorize", "callback", "register"):
        method = "POST" if path == "register" else "GET"
        headers = {"Host": "evil.example"}
        assert httpx2.request(method, f"{url}/oauth/{path}", headers=headers).status_code == 421


def test_the_verifier_is_the_client_s_alone(url, openid):
    Hand(url).sign_in(Browser())
    assert VERIFIER not in json.dumps(openid.asked)
    assert REDIRECT not in json.dumps(openid.asked)
