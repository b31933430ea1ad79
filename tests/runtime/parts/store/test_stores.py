"""What is kept beyond a call: the same promises in memory and in Redis."""

import logging

import anyio
import pytest
from redis import Redis
from redis_server import RedisServer
from tables import table

from mcpgen.runtime.calls.store import Full, Limits, MemoryStore, Store, StoreError
from mcpgen.runtime.parts.store.redis import RedisStore
from mcpgen.runtime.parts.store.settings import StoreSettings

KEYS = ("a" * 32, "b" * 32)
SECRET = b"canary-of-a-secret-value"


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory):
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.kill()


def shared(server: RedisServer, name: str = "shop", keys: tuple[str, ...] = KEYS) -> RedisStore:
    """What one more process has of a server of that name."""
    return RedisStore(StoreSettings(store=server.url, state_keys=keys), name)


@pytest.fixture(params=["memory", "redis"])
def store(request):
    if request.param == "memory":
        return MemoryStore()
    return shared(request.getfixturevalue("redis_server"), request.node.name)


async def test_a_value_is_there_until_it_expires_or_is_taken(store):
    assert await store.get(("code", "1")) is None
    await store.put(("code", "1"), SECRET, 60)
    assert await store.get(("code", "1")) == SECRET
    assert await store.get(("code", "2")) is None
    await store.put(("code", "1"), b"newer", 0.02)
    assert await store.get(("code", "1")) == b"newer"
    await anyio.sleep(0.05)
    assert await store.get(("code", "1")) is None
    await store.put(("code", "3"), b"", 60)
    assert await store.get(("code", "3")) == b""
    await store.delete(("code", "3"))
    assert await store.get(("code", "3")) is None


async def test_of_many_who_take_a_value_one_gets_it(store):
    taken = []

    async def take():
        taken.append(await store.take(("code", "1")))

    await store.put(("code", "1"), SECRET, 60)
    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(take)
    assert (taken.count(SECRET), taken.count(None)) == (1, 19)


async def test_of_many_who_replace_a_value_one_does(store):
    done = []

    async def replace(old, number):
        done.append(await store.replace(("grant",), old, b"%d" % number, 60))

    for old in (None, b"first"):
        done.clear()
        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(replace, old, number)
        assert done.count(True) == 1
        await store.put(("grant",), b"first", 60)
    assert not await store.replace(("grant",), b"other", b"new", 60)
    assert await store.get(("grant",)) == b"first"


async def test_a_lock_is_held_by_one(store):
    inside = most = 0

    async def work():
        nonlocal inside, most
        async with store.lock(("token",), lease=5, wait=10):
            inside += 1
            most = max(most, inside)
            await anyio.sleep(0.001)
            inside -= 1

    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(work)
    assert most == 1
    async with store.lock(("token",), lease=5, wait=1):
        with pytest.raises(StoreError, match="Try again later"):
            async with store.lock(("token",), lease=5, wait=0.01):
                pass
    async with store.lock(("token",), lease=5, wait=0.01):
        pass


async def test_seats_are_bounded_and_end(store):
    limits = Limits(seats={("all",): 3, ("own", "a"): 2})
    assert [await store.admit(limits, holder) for holder in "12"] == [None, None]
    assert await store.admit(limits, "1") is None  # it has one
    assert await store.admit(limits, "3") == Full(("own", "a"), 0)
    assert await store.check(limits) == Full(("own", "a"), 0)
    other = Limits(seats={("all",): 3, ("own", "b"): 2})
    assert await store.admit(other, "4", lease=0.05) is None
    assert await store.admit(other, "5") == Full(("all",), 0)
    await anyio.sleep(0.1)
    assert await store.admit(other, "5") is None
    await store.leave(limits.seats, "1")
    assert await store.check(limits) is None


async def test_a_rate_is_exact_and_counts_all_or_nothing(store):
    rates = {("own", "a"): 5, ("all",): 7}
    outcomes = []

    async def call(who):
        outcomes.append(await store.admit(Limits(rates={("own", who): 5, ("all",): 7})))

    async with anyio.create_task_group() as tasks:
        for _ in range(30):
            tasks.start_soon(call, "a")
    assert outcomes.count(None) == 5
    full = next(each for each in outcomes if each)
    assert full.name == ("own", "a")
    assert 10 < full.wait <= 12
    assert await store.check(Limits(rates={("all",): 7})) is None
    outcomes.clear()
    async with anyio.create_task_group() as tasks:
        for _ in range(30):
            tasks.start_soon(call, "b")
    assert outcomes.count(None) == 2
    assert {each.name for each in outcomes if each} == {("all",)}
    assert await store.check(Limits(rates=rates)) is not None


async def test_the_oldest_of_a_group_go(store):
    async def there():
        return [n for n in "123456" if await store.get(("answer", n)) is not None]

    value = b"x" * 1000
    for number in "123":
        await store.put(("answer", number), value, 60, {("all",): 9000, ("own", "a"): 3300})
        await anyio.sleep(0.002)
    first = await there()
    assert first in (["1", "2", "3"], ["2", "3"])  # encrypted they are larger
    for number in "456":
        await store.put(("answer", number), value * 2, 60, {("all",): 9000, ("own", "b"): 9000})
        await anyio.sleep(0.002)
    assert (await there())[-3:] == ["4", "5", "6"]
    await store.put(("answer", "1"), value * 9, 60, {("all",): 9000})
    assert await there() == ["1"]


async def test_nothing_can_be_read_without_the_keys(redis_server, caplog):
    store = shared(redis_server, "sealed", KEYS[:1])
    await store.put(("code", "canary-of-a-code"), SECRET, 60)
    await store.admit(Limits({("calls", "canary-of-a-caller"): 1}), "x")
    with Redis.from_url(redis_server.url) as raw:
        keys = raw.keys("mcp:{sealed:1}:*")
        (key,) = [each for each in keys if b":code:" in each]
        content = raw.get(key)
        assert len(keys) == 2
        assert b"canary" not in b"".join(keys) + content
        await store.put(("code", "2"), b"of another", 60)
        (other,) = [each for each in raw.keys("mcp:{sealed:1}:code:*") if each != key]
        raw.set(key, raw.get(other))
    with caplog.at_level(logging.WARNING):
        assert await store.get(("code", "canary-of-a-code")) is None
        stranger = shared(redis_server, "sealed", KEYS[1:])
        assert await stranger.get(("code", "2")) is None
        assert await stranger.get(("code", "2")) is None
    assert caplog.text.count("counts as gone") == 2  # once by each
    turned = shared(redis_server, "sealed", (KEYS[1], KEYS[0]))
    assert await turned.get(("code", "2")) == b"of another"
    assert await shared(redis_server, "another").get(("code", "2")) is None


async def test_seats_of_a_process_that_died_end(redis_server, monkeypatch):
    monkeypatch.setattr("mcpgen.runtime.parts.store.redis.LEASE", 0.2)
    limits = Limits(seats={("calls",): 2})
    alive, dead = shared(redis_server, "seats"), shared(redis_server, "seats")
    async with alive.running():
        assert await alive.admit(limits, "alive") is None
        assert await dead.admit(limits, "dead") is None
        assert await alive.check(limits) is not None
        for _ in range(100):
            if await alive.check(limits) is None:
                break
            await anyio.sleep(0.02)
        assert await alive.admit(limits, "next") is None
        assert await alive.check(limits) is not None


async def test_a_store_that_ended_answers_by_itself_again(tmp_path):
    server = RedisServer(tmp_path)
    try:
        store = shared(server)
        await store.put(("code",), SECRET, 60)
        server.kill()
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.get(("code",))
        assert store.answers_since is None
        server.start()
        assert await store.get(("code",)) == SECRET
    finally:
        server.kill()


async def test_a_full_store_says_so_and_keeps_what_it_has(tmp_path):
    server = RedisServer(tmp_path, "--maxmemory", "4mb", "--maxmemory-policy", "noeviction")
    try:
        store = shared(server)
        await store.put(("code",), SECRET, 60)
        with pytest.raises(StoreError, match="full"):
            await fill(store)
        assert await store.get(("code",)) == SECRET
    finally:
        server.kill()


async def fill(store: Store) -> None:
    for number in range(9):
        await store.put(("answer", str(number)), b"x" * 1_000_000, 60)


@table(
    "url",
    *("cache.example", "http://cache.example", "redis://", "redis://cache.example/x"),
    *("redis://cache.example?ssl_cert_reqs=none", "unix:///run/redis", "redis://a:0"),
)
def test_a_url_that_cannot_be_used(url):
    with pytest.raises(Exception, match="SHOP_STORE must be a URL such as redis://"):
        StoreSettings.from_env("SHOP", {"SHOP_STORE": url})
