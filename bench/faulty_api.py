"""An API that fails at random, in a process of its own: the same way each time for the same nonce.

    python -m bench.faulty_api

Prints its port. `/read?nonce=N` and `/write` with `{"nonce": N}` answer with the nonce and a digest
of the credential that came; a nonce that starts with `ok` is always answered well, one with `hang`
never. `/stats` tells how often each nonce came by `/write`, and how many connections are open.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections import Counter
from urllib.parse import parse_qs, urlsplit

KEY = b"x-key"
FAULTS = ("delay", "reset", "cut", "429", "500", "garbage")
SHARE = 0.3
"""Of the calls that meet a fault."""

GARBAGE = (
    b"HTTP/9 banana\r\n\r\n",
    b"SSH-2.0-OpenSSH_9.0\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n{\"a\": ",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
)  # fmt: skip


class Api:
    """The API and what it has seen."""

    def __init__(self) -> None:
        self.written: Counter[str] = Counter()
        self.open = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of a connection."""
        self.open += 1
        try:
            while await self._answer(reader, writer):
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client hung up
        finally:
            self.open -= 1
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False: the connection is of no use any more."""
        head = await reader.readuntil(b"\r\n\r\n")
        headers = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:-2])
        body = await reader.readexactly(int(headers.get(b"content-length", 0)))
        target = urlsplit(head.split(b" ")[1].decode())
        if target.path == "/stats":
            seen = {"written": self.written, "open": self.open - 1}
            writer.write(answer(200, json.dumps(seen).encode()))
            return True
        nonce = json.loads(body)["nonce"] if body else parse_qs(target.query)["nonce"][0]
        if target.path == "/write":
            self.written[nonce] += 1
        key = headers.get(KEY, b"")
        told = {"nonce": nonce, "caller": hashlib.sha256(key).hexdigest()}
        return await respond(nonce, told, key.decode(), reader, writer)


async def respond(
    nonce: str,
    told: dict[str, str],
    key: str,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> bool:
    """Answer well, or with the fault that the nonce stands for and the credential in it."""
    body = json.dumps(told).encode()
    if nonce.startswith("hang"):
        await reader.read()
        return False
    chance = random.Random(nonce)
    if nonce.startswith("ok") or chance.random() > SHARE:
        writer.write(answer(200, body))
        return True
    match chance.choice(FAULTS):
        case "delay":
            await asyncio.sleep(chance.random() / 10)
            writer.write(answer(200, body))
            return True
        case "reset":
            writer.transport.abort()
        case "cut":
            writer.write(answer(200, body)[:-5])
        case "garbage":
            writer.write(chance.choice(GARBAGE))
        case status:
            echo = json.dumps({"error": f"no: {key}", "key": key}).encode()
            writer.write(answer(int(status), echo, "Retry-After: 0"))
            return True
    return False


def answer(status: int, body: bytes, *headers: str) -> bytes:
    """A whole HTTP answer."""
    lines = [f"HTTP/1.1 {status} Status", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(Api().serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
