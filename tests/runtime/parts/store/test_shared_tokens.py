"""Access tokens that replicas share: a refresh token that is good once is used once."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

import anyio
import pytest
from redis_server import RedisServer

from mcpgen.runtime.parts.accounts.oauth import Grant, Tokens
from mcpgen.runtime.parts.store.redis import RedisStore
from mcpgen.runtime.parts.store.settings import StoreSettings
from mcpgen.runtime.parts.store.tokens import SharedTokens
from mcpgen.runtime.values.errors import ToolError

GRANT = Grant("", "https://login.example/token", "", "id", "secret", "refresh-0", ())
LOGIN = Grant("https://login.example/token", "", "", "id", "secret", "", ())


class Issuer:
    """An authorization server whose refresh tokens are good once."""

    def __init__(self) -> None:
        self.answers = 0
        self.refused = 0

    async def __call__(self, *request: Any) -> Mapping[str, Any]:
        form = parse_qs(request[3].decode())
        await anyio.sleep(0.01)
        brought = form.get("refresh_token")
        if brought and brought != [f"refresh-{self.answers}"]:
            self.refused += 1
            return {"error": "invalid_grant", "status": 400, "wait": None}
        self.answers += 1
        answer = {"access_token": f"access-{self.answers}", "expires_in": 300}
        if "refresh_token" in form:
            answer["refresh_token"] = f"refresh-{self.answers}"
        return {**answer, "status": 200, "wait": None}


def replica(server: RedisServer, issuer: Issuer) -> Tokens:
    store = RedisStore(StoreSettings(store=server.url, state_keys=("k" * 32,)), "shop")
    return Tokens(issuer, 5.0, SharedTokens(store))


async def test_one_replica_renews_and_the_others_wait(tmp_path):
    server, issuer = RedisServer(tmp_path), Issuer()
    try:
        replicas = [replica(server, issuer) for _ in range(3)]
        tokens = []

        async def call(number, refused=""):
            tokens.append(await replicas[number % 3].get(GRANT, refused))

        async with anyio.create_task_group() as calls:
            for number in range(50):
                calls.start_soon(call, number)
        assert tokens == ["access-1"] * 50
        tokens.clear()
        async with anyio.create_task_group() as calls:
            for number in range(50):
                calls.start_soon(call, number, "access-1")  # revoked
        assert tokens == ["access-2"] * 50
        assert await replica(server, issuer).get(GRANT) == "access-2"  # a new one
        assert (issuer.answers, issuer.refused) == (2, 0)
        replicas = [replica(server, issuer) for _ in range(2)]
        server.kill()
        with pytest.raises(ToolError, match="store does not answer"):
            await replicas[0].get(GRANT)
        assert await replicas[0].get(LOGIN) == "access-3"
        assert await replicas[1].get(LOGIN) == "access-4"
        assert issuer.refused == 0
    finally:
        server.kill()
