"""The proxies that a generated DEPLOY.md puts before its server, run as it says."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from runtime.serving import current, process

from .test_readme import blocks
from .upstream import Answer

NAME = "mcp.example.com"
PATH = f"{os.environ['PATH']}:/usr/sbin"
ISSUER = {
    "BOOKSHOP_HTTP_ISSUER": "https://login.example.com",
    "BOOKSHOP_HTTP_RESOURCE": f"https://{NAME}/mcp",
}
NGINX = """daemon off;
master_process off;
pid {folder}/pid;
events {{}}
http {{
    access_log off;
    {paths}
    server {{
        listen 127.0.0.1:{port};
        {block}
    }}
}}
"""


def nginx(folder: Path, block: str, port: int) -> list[str]:
    """The command that runs nginx with a block of its configuration."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, paths=paths, port=port, block=block))
    return ["nginx", "-e", "stderr", "-c", str(config)]


def caddy(folder: Path, block: str, port: int) -> list[str]:
    """The command that runs Caddy, without the certificate that it would fetch."""
    config = folder / "Caddyfile"
    site = block.replace(f"{NAME} {{", f"http://{NAME}:{port} {{\n    bind 127.0.0.1")
    config.write_text("{\n    admin off\n}\n" + site)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(config)]


PROXIES: dict[str, tuple[str, Callable[[Path, str, int], list[str]]]] = {
    "nginx": ("nginx", nginx),
    "caddy": ("caddyfile", caddy),
}


@pytest.fixture(params=PROXIES)
def before(request, generated, tmp_path):
    """Serves the bookshop behind a proxy; the value is the proxy's URL."""
    if shutil.which(request.param, path=PATH) is None:
        pytest.skip(f"{request.param} is not installed here")
    kind, command = PROXIES[request.param]
    shop = generated("bookshop.yaml")
    (block,) = blocks(shop, kind)

    @contextmanager
    def serving(**environ: str) -> Iterator[str]:
        own = {
            "BOOKSHOP_PUBLIC_HOSTS": NAME,
            "BOOKSHOP_BASE_URL": shop.upstream.url,
            "BOOKSHOP_SHOP_KEY": "key",
            **environ,
        }
        with process(shop.folder, shop.package, "--http", "127.0.0.1:0", **own) as server:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            here = block.replace("127.0.0.1:8000", server.base.removeprefix("http://"))
            environment = {"PATH": PATH, "HOME": str(tmp_path)}
            with subprocess.Popen(
                command(tmp_path, here, port), env=environment, stderr=subprocess.DEVNULL
            ) as proxy:
                try:
                    until_it_listens(proxy, port)
                    yield f"http://127.0.0.1:{port}"
                finally:
                    proxy.terminate()

    return serving


def until_it_listens(proxy: subprocess.Popen[bytes], port: int) -> None:
    while proxy.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
            return
        except OSError:
            continue
    raise AssertionError("the proxy refuses its configuration")


def test_clients_of_both_ages_call_through_it(before, generated):
    shop = generated("bookshop.yaml")
    shop.upstream.answer = Answer(b'{"ok": 1}', "application/json")
    message, headers = current("listBooks", {"genre": "x" * 2**21})

    async def call(url, mode):
        async with httpx2.AsyncClient(headers={"Host": NAME}, timeout=20) as http:
            transport = streamable_http_client(f"{url}/mcp", http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=20) as client:
                listed = await client.list_tools()
                result = await client.call_tool("listBooks", {})
                return [tool.name for tool in listed.tools], result.structured_content

    with before() as url:
        for mode in ("2026-07-28", "legacy"):
            assert anyio.run(call, url, mode) == (list(shop.tools), {"ok": 1})
        large = httpx2.post(f"{url}/mcp", json=message, headers=headers | {"Host": NAME})
    assert large.status_code == 200
    assert large.json()["result"]["isError"], "no URL is as long, says the server itself"


def test_clients_find_where_to_sign_in(before):
    message, headers = current("listBooks", {})
    own = {"Host": NAME}
    with before(**ISSUER) as url:
        refused = httpx2.post(f"{url}/mcp", json=message, headers=headers | own)
        assert refused.status_code == 401
        where = refused.headers["www-authenticate"].partition('resource_metadata="')[2]
        path = where.partition('"')[0].removeprefix(f"https://{NAME}")
        found = httpx2.get(f"{url}{path}", headers=own)
    assert found.json()["resource"] == ISSUER["BOOKSHOP_HTTP_RESOURCE"]
