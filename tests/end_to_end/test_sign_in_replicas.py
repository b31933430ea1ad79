"""Three processes of one server, a store, and people who sign in at whichever answers."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
from redis_server import RedisServer
from runtime.parts.sign_in.openid import CLIENT, SECRET, OpenId
from runtime.parts.sign_in.signing import Browser, Hand
from runtime.serving import current, process

from bench.calls import free_port

from .servers import SPECS, generate
from .test_sign_in import PAGE
from .test_sign_in import openid as openid
from .upstream import Answer, Upstream


class InTurn(httpx2.BaseTransport):
    """Asks the processes one after the other, under the one name that they have."""

    def __init__(self, ports: list[int]) -> None:
        self._ports, self._turn, self._own = ports, count(), httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.port in self._ports:
            port = self._ports[next(self._turn) % len(self._ports)]
            url, stream = request.url.copy_with(port=port), request.stream
            method, headers, more = request.method, request.headers, request.extensions
            request = httpx2.Request(method, url, headers=headers, stream=stream, extensions=more)
        return self._own.handle_request(request)


Replicas = tuple[str, InTurn, RedisServer, list[int]]
"""The URL of all, what asks them in turn, their store, and their ports."""


@contextmanager
def three_of(
    page: str, switches: str, upstream: Upstream, openid: OpenId, folder: Path, **more: str
) -> Iterator[Replicas]:
    """Three processes of the server whose settings a page shows, with further switches."""
    settings = re.search(r"```toml\n# mcpgen.toml\n(.*?)```", page, re.DOTALL)
    assert settings is not None
    (folder / "made").mkdir()
    (folder / "made" / "mcpgen.toml").write_text(f"{switches}\n{settings[1]}")
    made = generate(SPECS / "bookshop.yaml", folder / "made", upstream, "--force")
    upstream.answer = Answer.of({"books": []})
    redis, ports = RedisServer(folder), [free_port() for _ in range(3)]
    url = f"http://127.0.0.1:{ports[0]}/mcp"
    environ = {
        "BOOKSHOP_SIGN_IN_ISSUER": openid.url,
        "BOOKSHOP_SIGN_IN_PROVIDER": "oidc",
        "BOOKSHOP_SIGN_IN_CLIENT_ID": CLIENT,
        "BOOKSHOP_SIGN_IN_CLIENT_SECRET": SECRET,
        "BOOKSHOP_HTTP_RESOURCE": url,
        "BOOKSHOP_BASE_URL": upstream.url,
        "BOOKSHOP_SHOP_KEY": "key-of-the-server",
        "BOOKSHOP_STORE": redis.url,
        "BOOKSHOP_STATE_KEYS": "k" * 40,
        **more,
    }
    with ExitStack() as running:
        running.callback(redis.kill)
        for port in ports:
            command = (made.package, "--http", f"127.0.0.1:{port}")
            running.enter_context(process(made.folder, *command, **environ))
        yield url, InTurn(ports), redis, ports


@pytest.fixture
def replicas(upstream, openid, tmp_path):
    """The replicas of the page's server."""
    with three_of(PAGE, "store = true", upstream, openid, tmp_path) as running:
        yield running


def statuses(turn: InTurn, url: str, token: str, calls: int = 6) -> set[int]:
    """What calls are answered with, at each process in turn."""
    message, headers = current("listBooks", {})
    headers |= {"Authorization": f"Bearer {token}"}
    with httpx2.Client(transport=turn) as http:
        return {http.post(url, json=message, headers=headers).status_code for _ in range(calls)}


def test_three_processes_are_one(replicas: Replicas, openid: OpenId) -> None:
    url, turn, redis, ports = replicas
    hand = Hand(url, http=httpx2.Client(transport=turn))
    tokens = hand.sign_in(Browser(transport=turn))
    assert tokens["scope"] == "books:read books:write"
    assert statuses(turn, url, tokens["access_token"]) == {200}
    newer = hand.refresh(tokens["refresh_token"]).json()
    assert statuses(turn, url, newer["access_token"]) == {200}
    again = hand.refresh(tokens["refresh_token"]).json()
    assert again["refresh_token"] == newer["refresh_token"]
    newer = hand.refresh(newer["refresh_token"]).json()

    code = Browser(transport=turn).visit(hand.address())["code"]

    def redeem(port: int) -> int:
        own = SimpleNamespace(post=lambda _, data: httpx2.post(at(port), data=data))
        return Hand(url, hand.client_id, http=own).token(code=code).status_code

    def at(port: int) -> str:
        return f"http://127.0.0.1:{port}/mcp/oauth/token"

    with ThreadPoolExecutor(9) as pool:
        answers = sorted(pool.map(redeem, ports * 3))
    assert answers.count(200) <= 1
    assert {*answers} <= {200, 400}

    assert hand.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert statuses(turn, url, newer["access_token"]) == {401}
    kept = hand.sign_in(Browser(transport=turn))
    redis.kill()
    assert statuses(turn, url, kept["access_token"]) == {503}
    assert hand.refresh(kept["refresh_token"]).status_code == 503
    redis.start()
    assert statuses(turn, url, kept["access_token"]) == {200}
    assert hand.refresh(kept["refresh_token"]).status_code == 200


def test_nothing_in_the_store_can_be_read(
    replicas: Replicas, openid: OpenId, tmp_path: Path
) -> None:
    url, turn, *_ = replicas
    tokens = Hand(url, http=httpx2.Client(transport=turn)).sign_in(Browser(transport=turn))
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*.aof"))
    assert b"mcp:" in written
    secrets = [*openid._tokens, *tokens.values(), "canary", "sub-of-ann", "Shop Admins"]
    assert not [each for each in secrets if str(each).encode() in written]
