"""Client id metadata documents: whose they are, how long they are kept, and where they lie."""

import asyncio
import json
import ssl
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import anyio
import httpx2
import pytest
import trustme
from tables import table

from mcpgen.runtime.parts.sign_in.clients import Clients
from mcpgen.runtime.parts.sign_in.documents import Documents, is_client_id, is_public
from mcpgen.runtime.parts.sign_in.seals import Seals
from mcpgen.runtime.parts.sign_in.settings import SignInSettings

URL = "https://client.example/oauth/metadata.json"
DOCUMENT = {
    "client_id": URL,
    "client_name": "A client",
    "redirect_uris": ["http://localhost/callback", "https://client.example/cb"],
}
PUBLIC = "93.184.215.14"


class Web:
    """What answers at every address, and which addresses names have."""

    def __init__(self, *addresses: str, **headers: str) -> None:
        self.addresses = [*(addresses or [PUBLIC])]
        self.document: Any = DOCUMENT
        self.status = 200
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.requests: list[httpx2.Request] = []
        self.looked_up: list[str] = []
        self.now = 0.0
        self.documents = Documents(
            SignInSettings(), httpx2.MockTransport(self.answer), self.resolve, lambda: self.now
        )

    async def resolve(self, host: str, port: int) -> list[str]:
        self.looked_up.append(host)
        return self.addresses

    async def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        body = self.document if isinstance(self.document, bytes) else json.dumps(self.document)
        return httpx2.Response(self.status, content=body, headers=self.headers)


async def test_a_document_is_a_client():
    web = Web()
    clients = Clients(Seals(()), web.documents, lambda: ["a"])
    client = await clients.get(URL)
    assert (client.name, client.label, client.token_endpoint_auth_method) == (
        *("A client", URL, "none"),
    )
    for asked in ("http://localhost:5/callback", "https://client.example/cb"):
        assert str(client.validate_redirect_uri(asked)) == asked
    (request,) = web.requests
    assert (request.url.host, request.headers["Host"]) == (PUBLIC, "client.example")
    assert request.extensions["sni_hostname"] == "client.example"


@table(
    "document",
    {**DOCUMENT, "client_id": "https://client.example/other"},
    {**DOCUMENT, "client_id": f"{URL}/"},
    {**DOCUMENT, "redirect_uris": ["javascript:alert(1)"]},
    {**DOCUMENT, "redirect_uris": ["http://evil.example/cb"]},
    {**DOCUMENT, "redirect_uris": ["https:client.example@evil.example/cb"]},
    {**DOCUMENT, "redirect_uris": ["https:\\\\client.example@evil.example/cb"]},
    *[{**DOCUMENT, "redirect_uris": ["https://["]}, {**DOCUMENT, "redirect_uris": []}],
    {**DOCUMENT, "redirect_uris": "https://client.example/cb"},
    *[{**DOCUMENT, "redirect_uris": [1]}, {**DOCUMENT, "client_secret": "s"}],
    {**DOCUMENT, "token_endpoint_auth_method": "client_secret_basic"},
    *[{**DOCUMENT, "more": "x" * 10_000}, [DOCUMENT], b"no JSON", b"", b"[" * 9000],
)
async def test_what_is_no_document_of_the_client(document):
    web = Web()
    web.document = document
    clients = Clients(Seals(()), web.documents, lambda: ["a"])
    assert await clients.get(URL) is None
    assert len(web.requests) == 1


PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("0.0.0.0", "255.255.255.255", "224.0.0.1", "198.18.0.1", "192.0.2.1", "240.0.0.1"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "::127.0.0.1"),
    *("2001:0:4136:e378:8000:63bf:80ff:fffe", "64:ff9b:1::1"),
    *("168.63.129.16", "192.0.0.192", "192.88.99.1", "::ffff:168.63.129.16"),  # inside of clouds
]


@pytest.mark.parametrize("address", PRIVATE)
async def test_ssrf_by_metadata_documents(address):
    """Nothing inside is asked: each address of the host must be public, behind its spelling too."""
    assert not is_public(address)
    for addresses in ([address], [PUBLIC, address]):
        web = Web(*addresses)
        assert await web.documents.get(URL) is None
        assert not web.requests


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "8.8.8.8"])
async def test_public_addresses(address):
    web = Web(address)
    assert await web.documents.get(URL) is not None
    assert web.requests[0].url.host == address


@pytest.mark.parametrize("status", [301, 302, 307, 404, 500])
async def test_no_redirect_is_followed(status):
    web = Web(location="https://client.example/other")
    web.status = status
    assert await web.documents.get(URL) is None
    assert len(web.requests) == 1


@table(
    "url",
    *("http://client.example/m", "https://client.example", "https://client.example/"),
    *("https://client.example/a/../m", "https://client.example/./m", "https://u@client.example/m"),
    *("https://client.example/m#x", "https:///m", "https://client.example/%2e%2e/m"),
    *("https://client.example/m?\u202e", "https://client.example/m\n"),
    f"https://client.example/{'x' * 500}",
)
async def test_urls_that_are_no_clients(url):
    web = Web()
    assert not is_client_id(url)
    assert await web.documents.get(url) is None
    assert not web.looked_up


@table(
    "header, seconds",
    (None, 300),
    ("max-age=600", 600),
    ("public, max-age=99999999", 86400),
    ("max-age=0", 60),
    ("no-store", 60),
)
async def test_a_document_is_kept_as_its_headers_say(header, seconds):
    web = Web(**({"cache_control": header} if header else {}))
    await web.documents.get(URL)
    web.now += seconds - 1
    await web.documents.get(URL)
    assert len(web.requests) == 1
    web.now += 2
    await web.documents.get(URL)
    assert len(web.requests) == 2


async def test_a_document_that_cannot_be_reached_stays_for_a_day():
    web = Web()
    assert await web.documents.get(URL)
    web.addresses = []
    web.now += 301

    async def fails(host, port):
        raise OSError("no answer")

    web.documents.resolve = fails
    assert await web.documents.get(URL)
    web.now += 86400
    assert await web.documents.get(URL) is None
    web.documents.resolve, web.addresses, web.status = web.resolve, [PUBLIC], 404
    web.now += 61
    assert await web.documents.get(URL) is None


async def test_the_certificate_is_that_of_the_name(tmp_path, monkeypatch):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setattr("mcpgen.runtime.parts.sign_in.documents.is_public", lambda _: True)

    async def resolve(host, port):
        return ["127.0.0.1"]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            host = self.headers["Host"]
            document = {**DOCUMENT, "client_id": f"https://{host}{self.path}"}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

        def log_message(self, *_):
            pass

    for name, is_good in (("client.example", True), ("other.example", False)):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(context)
        with HTTPServer(("127.0.0.1", 0), Handler) as server:
            server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever, args=(0.01,)).start()
            documents = Documents(SignInSettings(ca_bundle=str(tmp_path / "ca.pem")), None, resolve)
            found = await documents.get(f"https://client.example:{server.server_port}/m")
            server.shutdown()
        assert (found is not None) is is_good


async def test_failures_are_kept_too_and_all_are_bounded():
    web = Web()
    web.status = 404
    for number in range(1100):
        await web.documents.get(f"https://client.example/{number}")
    assert len(web.documents._known) <= 1000
    await web.documents.get("https://client.example/1099")
    assert len(web.requests) == 1100


async def test_a_slow_one_is_given_up(monkeypatch):
    monkeypatch.setattr("mcpgen.runtime.parts.sign_in.documents._SECONDS", 0.05)
    web = Web()

    class Slow(httpx2.AsyncByteStream):
        async def __aiter__(self):
            yield b"{"
            await anyio.sleep_forever()

    async def answer(request):
        web.requests.append(request)
        return httpx2.Response(200, stream=Slow())

    class Transport(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request):
            return await answer(request)

    web.documents.transport = Transport()
    assert await web.documents.get(URL) is None
    assert len(web.requests) == 1


async def test_what_is_no_client_pushes_no_document_out():
    web = Web()
    assert await web.documents.get(URL) is not None
    for number in range(1000):
        assert await web.documents.get(f"https://client.example/{'x' * 500}{number}") is None
    assert await web.documents.get(URL) is not None
    assert len(web.requests) == 1


async def test_others_that_are_slow_are_no_answer_about_a_client():
    """Who had to wait for others, and got no turn, is asked about again at once."""
    web = Web()
    for _ in range(8):
        await web.documents._limit.acquire()
    with anyio.CancelScope() as scope:
        web.documents.seconds = 0.01
        assert await web.documents.get(URL) is None
    assert not scope.cancelled_caught
    for _ in range(8):
        web.documents._limit.release()
    assert await web.documents.get(URL) is not None


async def test_slow_names_keep_no_other_look_up_waiting(monkeypatch):
    """Names that nobody answers for take no thread that the calls of the API need."""
    free, threads = threading.Event(), list[str]()

    def slow(host, *_, **__):
        threads.append(threading.current_thread().name)
        free.wait(20)
        return []

    monkeypatch.setattr("socket.getaddrinfo", slow)
    documents = Documents(SignInSettings(), seconds=0.05)
    try:
        async with anyio.create_task_group() as group:
            for number in range(100):
                group.start_soon(documents.get, f"https://slow{number}.example/m")
        loop = asyncio.get_running_loop()
        assert await loop.run_in_executor(None, lambda: 7) == 7
        assert len(threads) <= 8
        assert not [name for name in threads if name.startswith("asyncio")]
    finally:
        free.set()
