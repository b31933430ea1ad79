"""No credential is in anything that a server says, whatever it is asked to log."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from prepared import python

from .. import sample

PACKAGE = "shop_with_secrets_mcp"
CANARY = "canary-of-the-server"
BY_QUERY = 'ApiKey("key", location="query", env="SHOP_KEY")'


class Echo(BaseHTTPRequestHandler):
    """An API that says everything back: in its body, its headers, and where it redirects to."""

    def do_GET(self) -> None:
        kind = int(urlsplit(self.path).path.rpartition("/")[2])
        query = parse_qs(urlsplit(self.path).query)
        said = {"message": f"for {self.path}", "headers": dict(self.headers), "query": query}
        body = json.dumps(said).encode()
        self.send_response([200, 401, 500, 302, 204][kind], CANARY)
        self.send_header("Content-Type", "application/json" if kind < 2 else "text/html")
        self.send_header("Location", f"https://elsewhere.example/?{urlsplit(self.path).query}")
        self.send_header("ETag", CANARY)
        self.send_header("Set-Cookie", f"session={CANARY}")
        self.send_header("Content-Length", "0" if kind == 4 else str(len(body)))
        self.end_headers()
        if kind != 4:
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def echo():
    """Its URL; one more host name than the API's own, with no way in."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("by_query", [False, True])
async def test_nothing_of_a_credential_is_said_at_the_lowest_level(echo, by_query, tmp_path):
    home = sample.write(tmp_path, PACKAGE)
    if by_query:
        api = (home / "api.py").read_text()
        scheme = 'ApiKey("X-Key", location="header", env="SHOP_KEY")'
        (home / "api.py").write_text(api.replace(scheme, BY_QUERY))
    environ = {
        "SHOP_KEY": CANARY,
        "SHOP_BASE_URL": echo,
        "SHOP_RETRIES": "0",
        "SHOP_EXTRA_HEADERS": "X-Proxy-Token: canary-of-a-proxy",
        "SHOP_AUDIT": "stderr",
        "SHOP_AUDIT_VALUES": "true",
        "SHOP_LOG_LEVEL": "DEBUG",
        "PYTHONPATH": str(tmp_path),
    }
    command, *arguments = python("-m", PACKAGE)
    parameters = StdioServerParameters(
        command=command, args=arguments, env=environ, cwd=str(tmp_path)
    )
    results = []
    with (tmp_path / "stderr").open("w+") as stderr:
        async with Client(stdio_client(parameters, errlog=stderr)) as client:
            for kind in range(5):
                results.append(await client.call_tool("getPet", {"petId": kind}))
            results.append(await client.call_tool("fail", {"how": CANARY}))
        stderr.seek(0)
        said = stderr.read()
    text = "\n".join(result.model_dump_json() for result in results)
    assert "DEBUG" in said
    assert '"operation": "GET /pets/{petId}"' in said
    assert "[credential]" in text
    assert "canary" not in said
    assert "canary" not in text
    assert [bool(result.is_error) for result in results] == [False, True, True, True, False, True]
