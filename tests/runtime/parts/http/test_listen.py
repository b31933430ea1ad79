"""A server process over Streamable HTTP: started, told to stop, and run by uvicorn itself."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from importlib import import_module
from itertools import cycle
from pathlib import Path
from types import ModuleType

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from prepared import python
from tables import table
from uvicorn.protocols.http.h11_impl import H11Protocol

from ... import sample
from ...serving import HEADERS, INITIALIZE, current, process
from ...support import api_on_socket, raw

OWN = ("shop_mcp", "--http", "127.0.0.1:0")
UVICORN = ("uvicorn", "shop_mcp.server:create_app", "--factory", "--port", "0")
MOUNTED = ("uvicorn", "mounted:app", "--port", "0")
REX = raw(b'{"name":"Rex"}', "200 OK", "Content-Type: application/json")


def test_what_reads_requests_bounds_their_headers_whatever_is_installed(monkeypatch):
    """httptools, which `uvicorn[standard]` brings, keeps headers and requests without end."""
    unbounded = ModuleType("uvicorn.protocols.http.httptools_impl")
    unbounded.HttpToolsProtocol = type("HttpToolsProtocol", (), {})
    monkeypatch.setitem(sys.modules, "httptools", ModuleType("httptools"))
    monkeypatch.setitem(sys.modules, unbounded.__name__, unbounded)
    for name in ("uvicorn.protocols.http.auto", "mcpgen.runtime.parts.http.listen"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    listen = import_module("mcpgen.runtime.parts.http.listen")
    assert issubclass(listen.TimeLimited, H11Protocol)


@pytest.mark.parametrize("path", ["/mcp", "/healthz"])
@pytest.mark.parametrize("first", ["Content-Length: 5", "Transfer-Encoding: chunked"])
def test_a_request_with_two_lengths_is_the_last_of_its_connection(folder, path, first):
    """Whoever stands between may have read the other, and another request behind it."""
    lengths = sorted(("Content-Length: 5", "Transfer-Encoding: chunked"), key=first.__ne__)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n"
    both = f"{head}{lengths[0]}\r\n{lengths[1]}\r\n\r\n0\r\n\r\n"
    plain = f"{head}Content-Length: 0\r\n\r\n"
    with process(folder, *OWN, SHOP_KEY="k") as running:
        port = int(running.base.rpartition(":")[2])
        for sent, answers in ((plain + plain, 2), (both + plain, 1), (plain + both + plain, 2)):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(sent.encode())
                said = b""
                while (both in sent or said.count(b"HTTP/1.1 ") < answers) and (
                    more := connection.recv(65536)
                ):
                    said += more
            assert said.count(b"HTTP/1.1 ") == answers, said


@table("command, era", (OWN, "legacy"), (UVICORN, "legacy"), (MOUNTED, "2026-07-28"))
async def test_a_call_in_flight_is_finished(folder, command, era):
    (folder / "mounted.py").write_text(
        "from shop_mcp.server import create_app\nfrom starlette.applications import Starlette\n"
        "from starlette.routing import Mount\ninner = create_app()\n"
        "app = Starlette(routes=[Mount('/', inner)], lifespan=inner.router.lifespan_context)\n"
    )
    arrived, answer = asyncio.Event(), asyncio.Event()

    async def slow(writer, _):
        arrived.set()
        await answer.wait()
        writer.write(REX)

    async with api_on_socket(slow) as api:
        environ = {"SHOP_BASE_URL": api.url, "SHOP_KEY": "k"}
        with process(folder, *command, **environ) as server:
            results = []

            async def call():
                try:
                    async with Client(server.url, mode=era, read_timeout_seconds=20) as client:
                        await client.list_tools()  # which it would want after the answer
                        results.append(await client.call_tool("getPet", {"petId": 1}))
                except Exception:
                    assert results, "only taking leave may fail: nobody is there any more"

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call)
                with anyio.fail_after(20):
                    await arrived.wait()
                    server.stop()
                    await until_not_ready(server.base)
                answer.set()
            assert results[0].structured_content == {"name": "Rex"}
            assert await anyio.to_thread.run_sync(server.wait) in (143, -15)


async def test_while_it_drains_it_says_so_and_serves(folder):
    """A load balancer sees that the server is not ready; until it has, its calls are answered."""
    arrived, answer = asyncio.Event(), asyncio.Event()

    async def reply(writer, head):
        if b"/pets/1 " in head:
            arrived.set()
            await answer.wait()
        writer.write(REX)

    async with api_on_socket(reply) as api, httpx2.AsyncClient(timeout=20) as http:
        environ = {"SHOP_BASE_URL": api.url, "SHOP_KEY": "k"}
        with process(folder, *OWN, **environ) as server:

            async def call(number):
                message, headers = current("getPet", {"petId": number})
                found = await http.post(server.url, json=message, headers=headers)
                return found.json()["result"]["structuredContent"]

            first = asyncio.create_task(call(1))
            with anyio.fail_after(20):
                await arrived.wait()
                assert (await http.get(f"{server.base}/readyz")).status_code == 200
                server.stop()
                await until_not_ready(server.base)
                async with httpx2.AsyncClient() as other:  # on a connection of its own
                    ready = await other.get(f"{server.base}/readyz")
                    lives = await other.get(f"{server.base}/healthz")
                assert (ready.status_code, ready.text) == (503, "stopping\n")
                assert lives.status_code == 200
                assert await call(2) == {"name": "Rex"}
                assert not first.done()
                answer.set()
                assert await first == {"name": "Rex"}
            assert await anyio.to_thread.run_sync(server.wait) == 143


@pytest.mark.parametrize("limit", ["0.3", ""])
async def test_a_call_without_end_does_not_hold_the_process(folder, limit):
    """It is given up after the time there is for that, or at a second Ctrl-C."""
    arrived = asyncio.Event()

    async def never(_, __):
        arrived.set()
        await asyncio.Event().wait()

    async with api_on_socket(never) as api:
        environ = {"SHOP_BASE_URL": api.url, "SHOP_KEY": "k", "SHOP_SHUTDOWN_TIMEOUT": limit}
        with process(folder, *OWN, **environ) as server:
            message, headers = current("getPet", {"petId": 1})
            async with httpx2.AsyncClient(timeout=20) as http:
                call = asyncio.create_task(http.post(server.url, json=message, headers=headers))
                with anyio.fail_after(20):
                    await arrived.wait()
                    server.stop(signal.SIGINT)
                    if not limit:
                        await until_not_ready(server.base)
                        server.stop(signal.SIGINT)
                    with pytest.raises(httpx2.HTTPError):
                        (await call).raise_for_status()
                    assert await anyio.to_thread.run_sync(server.wait) == 130


async def test_a_stream_that_waits_for_news_does_not_hold_the_process(folder):
    with process(folder, *OWN, SHOP_KEY="k") as server:
        async with httpx2.AsyncClient(timeout=20, headers=HEADERS) as http:
            begun = await http.post(server.url, json=INITIALIZE)
            own = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
            async with http.stream("GET", server.url, headers=own) as stream:
                assert stream.status_code == 200
                server.stop()
                with anyio.fail_after(5):
                    assert await anyio.to_thread.run_sync(server.wait) == 143
                assert await stream.aread() == b""


async def test_clients_are_tied_to_no_worker(folder):
    """Each request gets to another worker than the one before."""
    environ = {"SHOP_KEY": "k", "SHOP_HTTP_STATELESS": "true"}
    async with api_on_socket(REX) as api, httpx2.AsyncClient(timeout=20) as http:
        environ["SHOP_BASE_URL"] = api.url
        with process(folder, *OWN, **environ) as one, process(folder, *OWN, **environ) as other:
            workers = cycle((one.base, other.base))

            async def to_the_next(request):
                url = f"{next(workers)}{request.url.path}"
                headers = {n: value for n, value in request.headers.items() if n != "host"}
                body = await request.aread()
                answer = await http.request(request.method, url, content=body, headers=headers)
                kind = {"Content-Type": answer.headers.get("Content-Type", "")}
                return httpx2.Response(answer.status_code, content=answer.content, headers=kind)

            for era in ("auto", "legacy"):
                balancing = httpx2.AsyncClient(transport=httpx2.MockTransport(to_the_next))
                transport = streamable_http_client("http://localhost/mcp", http_client=balancing)
                async with balancing, Client(transport, mode=era) as client:
                    for _ in range(2):
                        result = await client.call_tool("getPet", {"petId": 1})
                        assert result.structured_content == {"name": "Rex"}


def ended(folder: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """What a command said that does not serve, or not for long."""
    return subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_settings_that_cannot_be_used_end_a_worker_as_uvicorn_wants_it(folder):
    done = ended(folder, *python("-m", *UVICORN), SHOP_TIMEOUT="soon")
    assert done.returncode == uvicorn.config.STARTUP_FAILURE
    assert done.stderr == "shop: SHOP_TIMEOUT must be a number of seconds above 0 and below 1e9\n"


async def test_under_uvicorn_the_log_is_what_the_settings_say(folder):
    """uvicorn configures its own loggers and no others."""
    environ = {"SHOP_KEY": "k", "SHOP_LOG_LEVEL": "INFO"}
    refusing = raw(
        b'{"message":"no \\u001b[31m"}', "404 Not Found", "Content-Type: application/json"
    )
    async with api_on_socket(refusing) as api:
        with process(folder, *UVICORN, SHOP_BASE_URL=api.url, **environ) as server:
            message, headers = current("getPet", {"petId": 1})
            async with httpx2.AsyncClient(timeout=20) as http:
                assert (await http.post(server.url, json=message, headers=headers)).is_success
            server.stop()
            await anyio.to_thread.run_sync(server.wait)
    said = "".join(server.said)
    assert "INFO shop_mcp._runtime.calls.calls: getPet: The API answered 404 Not Found." in said
    assert "no \\u001b[31m" in said


def test_a_log_that_somebody_else_configured_stays_theirs(folder):
    """Mounted in another application, the server's lines go where that one's do, and once."""
    program = (
        "import logging, shop_mcp.server as server; {before}server.create_app(); {after}"
        "logging.getLogger('shop_mcp._runtime.calls.calls').warning('told')"
    )
    configured = "logging.basicConfig(format='own %(message)s'); "
    for before, after, told in (
        (configured, "", "own told\n"),
        ("", configured, "own told\n"),
        ("server.create_app(); ", "", "WARNING shop_mcp._runtime.calls.calls: told\n"),
    ):
        done = ended(folder, *python("-c", program.format(before=before, after=after)))
        assert done.stderr == told


async def until_not_ready(base: str) -> None:
    """Ask until it says so, or, where uvicorn itself listens, until nobody listens any more."""
    async with httpx2.AsyncClient() as client:
        while True:
            try:
                if (await client.get(f"{base}/readyz")).status_code == 503:
                    return
            except httpx2.ConnectError:
                return


@pytest.fixture(scope="module")
def app(folder):
    """The sample package's `APP`, whose `main` needs no process where it ends at once."""
    with sample.imported(folder, "shop_mcp") as found:
        yield found.APP


@table(
    "option, said", ("0.0.0.0:0", "SHOP_PUBLIC_HOSTS"), ("nonsense:", "--http must be HOST:PORT")
)
def test_a_server_that_does_not_start_says_why(app, capfd, option, said):
    assert app.main(["--http", option]) == 2
    assert said in capfd.readouterr().err


EARLY = """
import signal, sys
from shop_mcp._runtime.parts.http import listen
number = signal.Signals[sys.argv.pop()]

class Graceful(listen.Graceful):
    def run(self, *args, **kwargs):
        signal.raise_signal(number)
        super().run(*args, **kwargs)

listen.Graceful = Graceful
import shop_mcp.__main__
"""


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_that_comes_before_it_serves_ends_it(folder, name, code):
    done = ended(folder, *python("-c", EARLY, "--http", "127.0.0.1:0", name))
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_an_address_in_use(app, capfd):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert app.main(["--http", str(taken.getsockname()[1])]) == 1
    told = capfd.readouterr().err
    assert told.startswith("shop-mcp: cannot listen on 127.0.0.1:")
    assert told.endswith(" is any free one.\n")
    assert "Errno" not in told


def test_a_host_of_a_name_that_there_cannot_be(app, capfd, monkeypatch):
    monkeypatch.setenv("SHOP_PUBLIC_HOSTS", "shop.example")
    assert app.main(["--http", "127.0.0..1:0"]) == 1
    said = "shop-mcp: cannot listen on 127.0.0..1:0: no host has this name. "
    assert capfd.readouterr().err.startswith(said)
