"""Links of any replica, read by nobody but the caller who got them."""

import anyio
from redis_server import RedisServer

from mcpgen.runtime.parts.links import Links
from mcpgen.runtime.parts.store.redis import RedisStore
from mcpgen.runtime.parts.store.settings import StoreSettings
from mcpgen.runtime.values.media import MediaType


async def test_a_link_is_read_at_any_replica_by_its_caller(tmp_path):
    server = RedisServer(tmp_path)
    try:
        settings = StoreSettings(store=server.url, state_keys=("k" * 32,))
        one, two = (Links("shop://answers/", RedisStore(settings, "shop")) for _ in range(2))
        content = b"\xff\n" * 50_000
        uri = await one.keep(content, MediaType("text/csv", "latin-1"), "me", "me")
        read = await two.get(uri, "me")
        assert read[1:] == (MediaType("text/csv", "latin-1"), content)
        for guess in (uri, uri[:-1], uri.replace("answers", "Answers"), "shop://answers/", ""):
            assert await two.get(guess, "you") is None
            assert guess == uri or await two.get(guess, "me") is None
        server.kill()
        server.start()
        await anyio.sleep(0.05)  # in which the end of the old connection is heard
        assert await two.get(uri, "me") is not None
    finally:
        server.kill()
