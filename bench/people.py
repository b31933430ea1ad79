"""Three replicas behind nginx, two people and two APIs: whose token each request carried.

`python -m bench.people --calls 2000` generates a server whose one API takes the provider's own
tokens and the other exchanged ones, lets both people call both at once while their tokens end and
are renewed, and counts at the APIs. Then one of them is removed at the provider, and both call on
until that one is refused. Exit code 1: a request carried another person's token or none, a call
failed, a token stood in a log or could be read in the store, the other person was refused too, or
the removed one was not within five minutes (`--no-removal` does not wait for that).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from bench.calls import free_port
from bench.replicas import NGINX, Fleet, ask, message_of

DOCUMENT = """openapi: 3.1.0
info: {{title: {title}, version: "1"}}
servers: [{{url: "https://fleet.example"}}]
security: [{{people: ["{title}:write"]}}]
components:
  securitySchemes:
    people:
      type: oauth2
      flows:
        authorizationCode:
          authorizationUrl: https://login.example/a
          tokenUrl: https://login.example/t
          scopes: {{}}
paths:
  /{title}:
    post:
      operationId: add{title}
      parameters: [{{name: key, in: query, required: true, schema: {{type: string}}}}]
      responses: {{"200": {{description: ok, content: {{application/json: {{}}}}}}}}
"""
SETTINGS = """store = true
[sign_in]
provider = "oidc"
issuer = "https://login.example"
[auth]
source = "sign_in"
[[with]]
source = "../Press.yaml"
[with.auth]
source = "sign_in"
token = "exchanged"
exchange_audience = "press"
"""
PEOPLE = ("ann", "bob")
LIFE = 4
"""Seconds that tokens last, so that they end many times."""
FIVE_MINUTES = 300.0


class Apis:
    """Both APIs: what each request was for, and the token that it carried."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str]] = []
        """The API, the person whom the call was for, and the token."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                line = re.match(r"POST /(\w+)\?key=(\w+)-", head)
                token = re.search(r"\r\nauthorization: bearer (\S+)", head, re.IGNORECASE)
                if line is not None:
                    self.seen.append((line[1], line[2], token[1] if token else ""))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                writer.write(b"Content-Length: 2\r\n\r\n{}")
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()


@asynccontextmanager
async def running() -> AsyncIterator[tuple[str, Apis, Any, Path]]:
    """The URL of all replicas, their APIs, the provider, and the folder of logs and the store."""
    from redis_server import RedisServer
    from runtime.parts.delegation.exchanging import Exchanging
    from runtime.parts.sign_in.openid import CLIENT, SECRET
    from runtime.serving import in_thread

    apis, openid = Apis(), Exchanging(life=LIFE)
    with tempfile.TemporaryDirectory() as name, in_thread(openid.app) as openid.url:
        folder, ports, port = Path(name), [free_port() for _ in range(3)], free_port()
        servers = " ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
        config = NGINX.format(folder=folder, servers=servers, port=port)
        (folder / "nginx.conf").write_text(config)
        api = await asyncio.start_server(apis.answer, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{api.sockets[0].getsockname()[1]}"
        await asyncio.to_thread(generate, folder)
        redis, url = RedisServer(folder), f"http://127.0.0.1:{port}/mcp"
        environ = {
            "FLEET_BASE_URL": address,
            "PRESS_BASE_URL": address,
            "FLEET_SIGN_IN_ISSUER": openid.url,
            "FLEET_SIGN_IN_CLIENT_ID": CLIENT,
            "FLEET_SIGN_IN_CLIENT_SECRET": SECRET,
            "FLEET_HTTP_RESOURCE": url,
            "FLEET_STORE": redis.url,
            "FLEET_STATE_KEYS": "k" * 40,
            "FLEET_LOG_LEVEL": "DEBUG",
        }
        fleet = Fleet(folder, ports, environ)
        proxy = subprocess.Popen(["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")])
        try:
            for each in ports:
                await fleet.ready(each)
            yield url, apis, openid, folder
        finally:
            for process in (*fleet.replicas, proxy):
                process.terminate()
                process.wait()
            redis.kill()
            api.close()


def generate(folder: Path) -> None:
    """Write the server of both documents."""
    for title in ("Fleet", "Press"):
        (folder / f"{title}.yaml").write_text(DOCUMENT.format(title=title))
    (folder / "server").mkdir()
    (folder / "server" / "mcpgen.toml").write_text(SETTINGS)
    made = [sys.executable, "-P", "-m", "mcpgen", "from-openapi", str(folder / "Fleet.yaml")]
    subprocess.run([*made, "-o", str(folder / "server")], check=True, capture_output=True)


async def called(http: httpx2.AsyncClient, url: str, person: str, number: int) -> str:
    """How a call of one of the APIs ended."""
    tool = ("addFleet", "addPress")[number // 2 % 2]
    call = {"name": tool, "arguments": {"key": f"{person}-{number}"}}
    answer = await ask(http, url, "tools/call", tool, **call)
    if answer.status_code != 200:
        return str(answer.status_code)
    result = message_of(answer).get("result", {})
    return "ok" if not result.get("isError") else str(result["content"][0]["text"])


async def signed_in(url: str, openid: Any, person: str) -> httpx2.AsyncClient:
    """What calls for a person."""
    from runtime.parts.sign_in.signing import Browser, Hand

    openid.person = person
    tokens = await asyncio.to_thread(lambda: Hand(url).sign_in(Browser()))
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    return httpx2.AsyncClient(headers=bearer, timeout=60)


async def load(clients: dict[str, httpx2.AsyncClient], url: str, calls: int) -> Counter[str]:
    """Let twenty callers share that many calls, of both people in turn."""
    outcomes, numbers = Counter[str](), iter(range(calls))

    async def caller() -> None:
        for number in numbers:
            person = PEOPLE[number % 2]
            outcomes[f"{person}: {await called(clients[person], url, person, number)}"] += 1

    await asyncio.gather(*(caller() for _ in range(20)))
    return outcomes


async def removed(clients: dict[str, httpx2.AsyncClient], url: str, openid: Any) -> dict[str, Any]:
    """How long bob's calls go on after his removal, and how ann's ended meanwhile."""
    openid.gone, began, anns = {"bob"}, time.monotonic(), Counter[str]()
    bobs = "ok"
    while bobs == "ok" and time.monotonic() < began + FIVE_MINUTES:
        await asyncio.sleep(2)
        bobs, anns_next = await asyncio.gather(
            called(clients["bob"], url, "bob", 0), called(clients["ann"], url, "ann", 2)
        )
        anns[anns_next] += 1
    seconds = time.monotonic() - began
    anns[await called(clients["ann"], url, "ann", 0)] += 1
    return {"bob": bobs, "after seconds": round(seconds, 1), "ann": dict(anns)}


async def run(calls: int, *, removal: bool) -> bool:
    """Make that many calls, remove one person, and print what came of it."""
    async with running() as (url, apis, openid, folder):
        clients = {person: await signed_in(url, openid, person) for person in PEOPLE}
        began = time.monotonic()
        outcomes = await load(clients, url, calls)
        seconds, seen = time.monotonic() - began, [*apis.seen]
        asked = Counter(form["grant_type"].rpartition(":")[2] for form in openid.steps("token"))
        after: dict[str, Any] = {}
        if removal:
            openid.life = 3600  # else the end of a token would tell of the removal
            await asyncio.sleep(LIFE)
            await load(clients, url, 40)
            after = await removed(clients, url, openid)
        told = [path.name for path in written(folder) if b"canary" in path.read_bytes()]
        for client in clients.values():
            await client.aclose()
    right = Counter(
        f"{api}, {person}" for api, person, token in seen
        if openid.of(token) == person and ("exchanged" in token) == (api == "Press")
    )  # fmt: skip
    all_right = Counter(
        openid.of(token) == person and ("exchanged" in token) == (api == "Press")
        for api, person, token in apis.seen
    )
    print(json.dumps({
        "calls": dict(outcomes),
        "seconds": round(seconds, 2),
        "requests with the right token": dict(right),
        "all requests, right and wrong": {str(key).lower(): n for key, n in all_right.items()},
        "asked at the provider": dict(asked),
        "after the removal": after,
        "files with a token": told,
    }))  # fmt: skip
    fine = [f"{person}: ok" for person in PEOPLE]
    is_right = sum(right.values()) == len(seen) == calls and not all_right[False]
    is_over = not removal or (after["bob"] != "ok" and set(after["ann"]) == {"ok"})
    return set(outcomes) == set(fine) and is_right and is_over and not told


def written(folder: Path) -> list[Path]:
    """The logs of all processes, and what the store has on disk."""
    logs, kept = [*folder.glob("*.log")], [*folder.rglob("*.aof")]
    assert logs
    assert kept
    return logs + kept


def main() -> int:
    """Run it and print what it has shown."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--removal", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    return 0 if asyncio.run(run(asked.calls, removal=asked.removal)) else 1


if __name__ == "__main__":
    sys.exit(main())
