"""HTTP Digest: a challenge is answered once, and its nonce is used until another one comes."""

import hashlib
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, ApiError, Digest, ServerUrl, Settings
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.parts.accounts.digest import Challenges, User

from ...digest_servers import REALM, flask_api
from ...support import HOME, client

API = Api("SHOP", [ServerUrl(HOME)], {"login": Digest("S_USER", "S_PASSWORD")}, [{"login": []}])
NONCES = ("n1", "n2", "n3", "n4")
_PART = re.compile(r'(\w+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')


@pytest.fixture(autouse=True)
def login(monkeypatch):
    """The variables of the scheme."""
    monkeypatch.setenv("S_USER", "ada")
    monkeypatch.setenv("S_PASSWORD", "pass:wörd")


def parts_of(request: httpx2.Request) -> dict[str, str]:
    """The parameters of the header Authorization."""
    header = request.headers.get("authorization", "")
    assert header.startswith("Digest ") or not header
    return {name: quoted or plain for name, quoted, plain in _PART.findall(header)}


class Guarded:
    """An API that answers 401 to all but a proof for its present nonce, written from the RFC."""

    def __init__(self, challenge: str = 'qop="auth", algorithm=SHA-256', uses: int = 100) -> None:
        self.challenge = challenge
        self.uses = uses
        """How often a nonce may be used."""
        self.stale = ""
        self.seen: list[httpx2.Request] = []
        self._nonces = iter(NONCES)
        self.nonce = ""
        self.counts: list[int] = []
        self.answer: Callable[[httpx2.Request], httpx2.Response] = lambda _: httpx2.Response(
            200, json={"ok": True}
        )

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append(request)
        parts = parts_of(request)
        if parts.get("nonce") == self.nonce and len(self.counts) < self.uses:
            target = request.extensions["target"].decode()
            assert parts["uri"] == target
            assert parts["response"] == self.proof(request.method, target, parts)
            self.counts.append(int(parts.get("nc", "0"), 16))
            return self.answer(request)
        self.nonce, self.counts = next(self._nonces), []
        challenge = f'Digest realm="{REALM}", nonce="{self.nonce}", {self.challenge}{self.stale}'
        return httpx2.Response(401, headers={"WWW-Authenticate": challenge})

    def proof(self, method: str, target: str, parts: dict[str, str]) -> str:
        """RFC 7616 3.4.1, with the parts in the order of its text."""
        algorithm = parts.get("algorithm", "MD5")
        name = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}

        def h(text: str) -> str:
            return hashlib.new(name[algorithm.removesuffix("-sess")], text.encode()).hexdigest()

        a1 = h(f"ada:{REALM}:pass:wörd")
        if algorithm.endswith("-sess"):
            a1 = h(f"{a1}:{self.nonce}:{parts['cnonce']}")
        a2 = h(f"{method}:{target}")
        if "qop" not in parts:
            return h(f"{a1}:{self.nonce}:{a2}")
        return h(f"{a1}:{self.nonce}:{parts['nc']}:{parts['cnonce']}:{parts['qop']}:{a2}")


def shop(answer: Any, **more: Any) -> ApiClient:
    return client(answer, api=API, **more)


@table(
    "challenge",
    'qop="auth", algorithm=SHA-256, opaque="xyz="',
    'qop="auth,auth-int", algorithm="SHA-256-sess"',
    *["qop=auth", 'qop="auth-int, auth", algorithm=MD5-sess', "algorithm=MD5", "stale=FALSE"],
    'qop="auth", algorithm=SHA-512-256',
    'qop="auth", charset=UTF-8, userhash=true, Basic realm="a, Digest b"',
)
async def test_a_challenge_is_answered_once_and_then_reused(challenge):
    api = Guarded(challenge)
    own = shop(api)
    for number in range(3):
        answer = await own.send("GET", "/pets/{a}", path={"a": "é/ü"}, query={"n": number})
        assert answer.data == {"ok": True}
    assert len(api.seen) == 4
    assert "authorization" not in api.seen[0].headers
    counted = [1, 2, 3] if "qop" in challenge else [0, 0, 0]
    assert api.counts == counted
    opaque = parts_of(api.seen[1]).get("opaque")
    assert opaque == ("xyz=" if "opaque" in challenge else None)
    own_nonces = [parts_of(request).get("cnonce") for request in api.seen[1:]]
    assert len({*own_nonces}) == (3 if "qop" in challenge else 1)


@pytest.mark.parametrize("stale", ["", ", stale=true"])
async def test_a_nonce_that_is_used_up_is_replaced(stale):
    api = Guarded(uses=2)
    own = shop(api)
    await own.send("GET", "/a")
    api.stale = stale
    for _ in range(3):
        await own.send("POST", "/a", json={"name": "x"})
    assert [parts_of(each).get("nonce") for each in api.seen] == [
        None,
        "n1",
        "n1",
        "n1",
        "n2",
        "n2",
    ]
    assert [parts_of(each).get("nc") for each in api.seen[1:]] == [
        "00000001", "00000002", "00000003", "00000001", "00000002"
    ]  # fmt: skip
    assert api.seen[4].content == b'{"name":"x"}'


@pytest.mark.parametrize(("stale", "tries"), [("", 2), (", stale=false", 1)])
async def test_a_wrong_password_is_told(stale, tries):
    def answer(request):
        seen.append(request)
        nonce = f'Digest realm="r", nonce="{len(seen)}", qop="auth"{stale}'
        return httpx2.Response(401, headers={"WWW-Authenticate": nonce})

    seen = []
    own = shop(answer)
    for number in (2, 2 + tries):
        with pytest.raises(ApiError, match="credentials of this server do not allow it"):
            await own.send("GET", "/a")
        assert len(seen) == number


async def test_a_server_that_repeats_its_nonce_is_not_asked_again():
    def answer(request):
        seen.append(request)
        return httpx2.Response(401, headers={"WWW-Authenticate": 'Digest realm="r", nonce="n"'})

    seen = []
    own = shop(answer)
    for number in (2, 3):
        with pytest.raises(ApiError):
            await own.send("GET", "/a")
        assert len(seen) == number


@table(
    "challenge",
    *["", 'Basic realm="r"', 'Digest realm="r"', 'Digest nonce="n"'],
    'Digest realm="r", nonce="n", qop="auth-int"',
    'Digest realm="r", nonce="n", algorithm=SHA3-999',
    *["Negotiate YII==", 'Digest realm="r, nonce=n'],
)
async def test_what_cannot_be_answered_is_told_as_it_is(challenge):
    seen = []

    def answer(request):
        seen.append(request)
        return httpx2.Response(401, headers={"WWW-Authenticate": challenge})

    with pytest.raises(ApiError, match="The API answered 401 Unauthorized") as failed:
        await shop(answer).send("GET", "/a")
    assert challenge in failed.value.message
    assert len(seen) == 1


async def test_of_several_challenges_the_first_that_can_be_answered_is():
    api = Guarded('algorithm=SHA-9, Basic realm="x", Digest realm="r", nonce="n1", qop=auth')
    api.proof = lambda *_: parts_of(api.seen[-1])["response"]
    await shop(api).send("GET", "/a")
    assert parts_of(api.seen[1])["realm"] == "r"


async def test_each_attempt_counts():
    """Servers refuse a count that they have had: it may be a request that somebody repeats."""
    api = Guarded()
    failing = iter((503, 200, 302, 200))

    def answer(_):
        headers = {"Location": "/v1/b?x=1", "Retry-After": "0"}
        return httpx2.Response(next(failing), headers=headers, json={"ok": True})

    api.answer = answer
    own = shop(api, settings=Settings(retries=1))
    await own.send("GET", "/a")
    await own.send("GET", "/a")
    assert api.counts == [1, 2, 3, 4]
    assert parts_of(api.seen[-1])["uri"] == "/v1/b?x=1"


async def test_signing_goes_along_with_hooks():
    def before_request(request):
        request.url = request.url.copy_merge_params({"tenant": "a b"})

    def answer(request):
        seen.append(parts_of(request).get("uri"))
        headers = {"WWW-Authenticate": 'Digest realm="r", nonce="n"'}
        return httpx2.Response(200 if len(seen) > 1 else 401, headers=headers, json={})

    seen = []
    hooks = cast("ModuleType", SimpleNamespace(before_request=before_request))
    await shop(answer, hooks=hooks).send("GET", "/a")
    assert seen == [None, "/v1/a?tenant=a+b"]

    def authenticate(request):
        request.headers["Authorization"] = "Digest mine=1"
        return True

    api = Guarded()
    hooks = cast("ModuleType", SimpleNamespace(authenticate=authenticate))
    with pytest.raises(ApiError):
        await shop(api, hooks=hooks).send("GET", "/a")
    assert {each.headers["authorization"] for each in api.seen} == {"Digest mine=1"}


async def test_nothing_of_a_proof_is_shown(caplog):
    caplog.set_level(logging.DEBUG)
    api = Guarded()

    def answer(request):
        sent = request.headers["authorization"]
        said = {"error": f"{sent} {parts_of(request)['response']} pass:wörd"}
        return httpx2.Response(400, json=said)

    api.answer = answer
    with pytest.raises(ApiError) as failed:
        await shop(api).send("GET", "/a")
    assert "It says: [credential] [credential] [credential]" in failed.value.message
    response = parts_of(api.seen[-1])["response"]
    assert not any(text in caplog.text for text in (response, "wörd", "cnonce"))


async def test_no_proof_goes_elsewhere():
    api = Guarded()
    own = shop(api)
    await own.send("GET", "/a")
    api.answer = lambda _: httpx2.Response(302, headers={"Location": "https://else.example/a"})
    with pytest.raises(ApiError, match="leaves the API's own origin"):
        await own.send("GET", "/a")
    api.nonce = ""
    with pytest.raises(ApiError):
        await own.send("GET", "/a", servers=[ServerUrl("https://else.example")])
    assert "authorization" not in api.seen[-1].headers


async def test_without_a_user_nothing_is_sent(monkeypatch):
    monkeypatch.delenv("S_USER")
    monkeypatch.delenv("S_PASSWORD")
    with pytest.raises(Exception, match="Set S_USER and S_PASSWORD in the environment"):
        await shop(Guarded()).send("GET", "/a")


@table("name, shown", ('a"b\\c', r'username="a\"b\\c"'), ("zoë", "username*=UTF-8''zo%C3%AB"))
def test_a_name_is_written_as_headers_can_hold_it(name, shown):
    challenges, user = Challenges(), User(name, "sesame")
    assert challenges.take(
        user, {"www-authenticate": 'Digest realm="r", nonce="n"'}, answered=False
    )
    proof = challenges.proof(user, "GET", "/")
    assert proof.authorization.startswith(f"Digest {shown}, realm=")
    assert "sesame" not in repr(user)
    assert proof.response not in repr(proof)


@pytest.fixture(params=["MD5", "MD5-Sess", "no qop", "stateless"])
def flask(request):
    with flask_api(request.param, "ada", "pass:wörd") as api:
        yield api


async def test_flask_httpauth_lets_it_in(flask, monkeypatch):
    """By default its nonce is in a session, of which it gives a cookie with the challenge."""
    own = shop(None, settings=Settings(base_url=flask.url, retries=0))
    for number in range(3):
        answer = await own.send("POST", "/greet", query={"n": number, "q": "a b/ü"}, json={"a": 1})
        assert answer.data == {"user": "ada", "body": {"a": 1}}
    assert flask.statuses == [401, 200, 200, 200]
    monkeypatch.setenv("S_PASSWORD", "wrong")
    with pytest.raises(ApiError, match="The API answered 401"):
        await own.send("POST", "/greet", json={})


def told(*headers: tuple[str, str]) -> httpx2.Response:
    """A refusal whose headers hold what HTTP allows and most do not write."""
    return httpx2.Response(401, headers=[(n.encode(), v.encode("latin-1")) for n, v in headers])


@table(
    "challenge",
    'realm="é", nonce="n"',
    'realm="r\x7f", nonce="n"',
    'realm="r", nonce="n", opaque="ü"',
)
async def test_a_challenge_that_cannot_be_answered_is_not_kept(challenge):
    """Else no request would be sent any more, and so no other challenge come."""
    api, asked = Guarded(), count()

    def answer(request):
        if next(asked):
            return api(request)
        return told(("WWW-Authenticate", f"Digest {challenge}"))

    own = shop(answer)
    with pytest.raises(ApiError, match="401 Unauthorized"):
        await own.send("GET", "/a")
    assert (await own.send("GET", "/a")).data == {"ok": True}


@pytest.mark.parametrize("header", ["WWW-Authenticate", "Set-Cookie"])
async def test_what_makes_a_header_too_long_is_not_kept(header):
    """An API that refuses long headers would give no other challenge."""
    api, asked = Guarded(), count()

    def answer(request):
        if sum(map(len, request.headers.values())) > 8_000:
            return httpx2.Response(400)
        response = api(request)
        if next(asked) or header == "Set-Cookie":
            cookies = ", ".join(f"c{n}={'x' * 100}" for n in range(100))
            response.headers["Set-Cookie"] = cookies if header == "Set-Cookie" else "a=1"
            return response
        return told((header, f'Digest realm="r", nonce="n", opaque="{"x" * 60_000}"'))

    own = shop(answer)
    with suppress(ApiError):
        await own.send("GET", "/a")
    assert (await own.send("GET", "/a")).data == {"ok": True}


async def test_a_cookie_that_cannot_be_sent_back_is_not_kept():
    api = Guarded()

    def answer(request):
        response = api(request)
        if response.status_code != 401:
            return response
        challenge = response.headers["www-authenticate"]
        return told(("WWW-Authenticate", challenge), ("Set-Cookie", "a=é, b=1"))

    assert (await shop(answer).send("GET", "/a")).data == {"ok": True}
    assert api.seen[-1].headers["cookie"] == "b=1"
