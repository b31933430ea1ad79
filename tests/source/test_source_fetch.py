"""Documents and references over http."""

import gzip
import ipaddress
import json
import socket
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from document_host import DOCUMENT, Api, serving
from documents import load, referring, refusal
from tables import table

from mcpgen.diagnostics import Diagnostics, render
from mcpgen.readers import openapi
from mcpgen.settings import Settings
from mcpgen.source import fetch
from mcpgen.source.limits import ReadProblem


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    yield from serving(monkeypatch)


def local(folder: Path, *references: str) -> Path:
    path = folder / "api.json"
    path.write_text(json.dumps(referring(*references)), encoding="utf-8")
    return path


def test_a_document_from_the_users_own_host(api):
    api.answer("/v1/openapi.json", DOCUMENT)
    document = load(f"{api.url}/v1/openapi.json")
    assert document.root.value == json.loads(DOCUMENT)
    assert document.root.location.file == f"{api.url}/v1/openapi.json"


@table(
    "root, own, expected, expected_own",
    ({}, {}, ["/"], []),
    ({"servers": []}, {"servers": []}, ["/"], []),
    ({"servers": None}, {}, ["/"], []),
    ({"servers": [{"url": "./v2"}]}, {"servers": [{"url": "/v3"}]}, ["/docs/v2"], ["/v3"]),
    ({"servers": [{}]}, {}, [], []),
)
def test_servers_start_where_the_document_is(api, root, own, expected, expected_own):
    """3.2.0, OpenAPI Object: without `servers`, or with none in it, there is one, `/`."""
    info = {"title": "t", "version": "1"}
    paths = {"/a": {"get": {"responses": {"200": {"description": "ok"}}, **own}}}
    api.answer("/docs/openapi.json", {"openapi": "3.1.0", "info": info, "paths": paths, **root})
    found = Diagnostics()
    read = openapi.read(load(f"{api.url}/docs/openapi.json"), Settings(), found)
    assert [server.url for server in read.servers] == [api.url + path for path in expected]
    [tool] = read.tools
    assert [each.url for each in tool.call.servers] == [api.url + path for path in expected_own]


def test_a_scheme_of_an_operation_is_beside_that_of_the_document(api):
    """2.0, Swagger Object: without `schemes`, they are those by which the document was fetched."""
    operation = {"schemes": ["https"], "responses": {"200": {"description": "ok"}}}
    info = {"title": "t", "version": "1"}
    whole = {"swagger": "2.0", "info": info, "paths": {"/a": {"get": operation}}}
    api.answer("/swagger.json", whole)
    found = Diagnostics()
    read = openapi.read(load(f"{api.url}/swagger.json"), Settings(), found)
    secure = api.url.replace("http:", "https:")
    assert [server.url.rstrip("/") for server in read.servers] == [api.url, secure]
    assert [server.url.rstrip("/") for server in read.tools[0].call.servers] == [secure]


def test_what_a_url_may_hide_is_not_shown(api):
    api.answer("/openapi.json", "[]")
    found = refusal(f"http://user:hunter2@127.0.0.1:{api.port}/openapi.json?token=hunter2")
    assert "hunter2" not in render(found)
    assert found.location is not None
    assert found.location.file == f"{api.url}/openapi.json?..."
    assert "token=hunter2" in api.seen[0][0]


def test_files_below_its_folder(api):
    api.answer("/v1/openapi.json", referring("models/a.yaml", "b.json?v=1", "b.json?v=2"))
    api.answer("/v1/models/a.yaml", "properties: {b: {$ref: '../b.json#/type'}}")
    api.answer("/v1/b.json", {"type": {}})
    document = load(f"{api.url}/v1/openapi.json")
    assert len(document.files) == 5
    assert list(document.hashes) == list(document.files)
    schemas = document.root["components"]["schemas"]
    assert schemas["S0"].resolve()["properties"]["b"].resolve().pointer == "/type"


@pytest.mark.parametrize("reference", ["../a.json", "/a.json", "//localhost/v1/a.json"])
def test_files_elsewhere_are_refused_before_anything_is_fetched(api, reference):
    api.answer("/v1/openapi.json", referring("b.json", reference))
    assert refusal(f"{api.url}/v1/openapi.json").code.endswith("-reference")
    assert len(api.seen) == 1


def test_the_status(api):
    api.answer("/401", "SECRET", status=401)
    for path, status in (("/missing", "404"), ("/401", "401")):
        found = refusal(api.url + path)
        assert found.code == "fetch-failed"
        assert status in found.message
        assert "SECRET" not in render(found)


def test_no_connection():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        found = refusal(f"http://127.0.0.1:{port}/api.json")
    assert found.code == "fetch-failed"


@pytest.mark.parametrize("url", ["http://", "http://[bad/x", "http://a b/x", "http://x:bad/"])
def test_what_is_no_url(url):
    assert refusal(url).code == "fetch-failed"


def test_redirects_on_the_host(api):
    api.redirect("/old", "/new/")
    api.redirect("/new/", "../v2/openapi.json")
    api.answer("/v2/openapi.json", referring("a.json"))
    api.answer("/v2/a.json", {"type": "string"})
    assert len(load(f"{api.url}/old").files) == 2


def test_redirects_without_end(api):
    api.redirect("/a", "/a")
    assert refusal(f"{api.url}/a").code == "fetch-redirects"
    assert len(api.seen) == 6


@table(
    "location, code",
    ("http://localhost:{port}/b", "private-address"),
    ("http://0.0.0.0:{port}/b", "private-address"),
    ("http://[::1]:{port}/b", "private-address"),
    ("http://169.254.169.254/latest/meta-data/", "private-address"),
    ("http://2130706433:{port}/b", "private-address"),
    ("file:///etc/passwd", "fetch-redirects"),
    ("ftp://127.0.0.1/b", "fetch-redirects"),
    ("http://[bad/b", "fetch-failed"),
)
def test_redirects_to_another_host(api, location, code):
    api.redirect("/a", location.format(port=api.port))
    api.answer("/b", DOCUMENT)
    assert refusal(f"{api.url}/a").code == code
    assert len(api.seen) == 1


@pytest.mark.parametrize("start", ["https://a.test/api.json", "HTTPS://a.test/api.json"])
def test_no_redirect_leaves_https(start):
    """What is read then could be anyone's."""
    with pytest.raises(ReadProblem, match="from https to http"):
        fetch._redirected(start, "http://a.test/b")
    assert fetch._redirected(start, "/b").lower() == "https://a.test/b"


def test_the_size(api):
    api.answer("/api.json", DOCUMENT)
    size = len(DOCUMENT)
    assert load(f"{api.url}/api.json", max_bytes=size)
    assert refusal(f"{api.url}/api.json", max_bytes=size - 1).code == "too-large"


def test_the_size_of_all_files_together(api):
    text = json.dumps(referring("b.json"))
    api.answer("/api.json", text)
    api.answer("/b.json", {"type": "object"})
    size = len(text) + len('{"type": "object"}')
    assert load(f"{api.url}/api.json", max_bytes=size)
    found = refusal(f"{api.url}/api.json", max_bytes=size - 1)
    assert (found.code, found.pointer) == ("too-large", "/components/schemas/S0/$ref")


def test_compressed_answers(api):
    packed = gzip.compress(DOCUMENT.encode())
    api.answer("/good", packed, Content_Encoding="GZip")
    api.answer("/cut", packed[:-9], Content_Encoding="gzip")
    api.answer("/bad", b"no gzip", Content_Encoding="gzip")
    api.answer("/other", DOCUMENT, Content_Encoding="br")
    api.answer("/bomb", gzip.compress(b" " * 20_000_000), Content_Encoding="gzip")
    assert load(f"{api.url}/good").root.value == json.loads(DOCUMENT)
    for path in ("cut", "bad", "other"):
        assert refusal(f"{api.url}/{path}").code == "fetch-failed"
    assert refusal(f"{api.url}/bomb", max_bytes=1_000_000).code == "too-large"


@pytest.mark.parametrize("where", ["head", "body", "endless"])
def test_the_time(api, where):
    def drip(handler: BaseHTTPRequestHandler) -> None:
        if where != "head":
            handler.send_response(200)
            handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"HTTP" if where == "endless" else b"H")
            handler.wfile.flush()
            time.sleep(0.05)

    api.routes["/slow"] = drip
    started = time.monotonic()
    assert refusal(f"{api.url}/slow", timeout=0.4).code == "fetch-timeout"
    assert time.monotonic() - started < 3


def test_remote_references_to_private_hosts(api, tmp_path):
    api.answer("/a.json", {"type": "string"})
    path = local(tmp_path, f"{api.url}/a.json#/x", f"{api.url}/a.json")
    assert refusal(local(tmp_path, f"{api.url}/a.json")).code == "remote-reference"
    found = refusal(path, allow_remote_refs=True)
    assert (found.code, found.pointer) == ("private-address", "/components/schemas/S0/$ref")
    assert "--allow-host 127.0.0.1" in found.hint
    assert not api.seen


@pytest.mark.parametrize("port", [True, False])
def test_a_private_host_that_is_named(api, tmp_path, port):
    api.answer("/a.json", {"allOf": [{"$ref": "b.json"}]})
    api.answer("/b.json", {"type": "string"})
    host = f"127.0.0.1:{api.port}" if port else "127.0.0.1"
    path = local(tmp_path, f"{api.url}/a.json")
    document = load(path, allow_remote_refs=True, allowed_hosts=(host,))
    assert len(document.files) == 3
    assert {headers["host"] for _, headers in api.seen} == {f"127.0.0.1:{api.port}"}
    other = ("127.0.0.1:1", "127.0.0.2", "localhost")
    assert refusal(path, allow_remote_refs=True, allowed_hosts=other).code == "private-address"


@pytest.mark.parametrize("host", ["::1", "[::1]", "[::1]:1"])
def test_a_private_address_that_is_named_with_or_without_brackets(tmp_path, host):
    path = local(tmp_path, "http://[::1]:1/a.json")
    assert refusal(path, allow_remote_refs=True).code == "private-address"
    assert refusal(path, allow_remote_refs=True, allowed_hosts=(host,)).code == "fetch-failed"


def test_what_a_remote_file_refers_to_is_checked_too(api, tmp_path):
    allowed: dict[str, Any] = {
        "allow_remote_refs": True,
        "allowed_hosts": (f"127.0.0.1:{api.port}",),
    }
    path = local(tmp_path, f"{api.url}/a.json")
    for reference in ("http://127.0.0.1:9/x.json", "http://localhost/x.json"):
        api.answer("/a.json", {"allOf": [{"$ref": reference}]})
        assert refusal(path, **allowed).code == "private-address"
    api.answer("/a.json", {"allOf": [{"$ref": "file:///etc/passwd"}]})
    assert refusal(path, **allowed).code == "external-reference"
    api.redirect("/a.json", "http://localhost/x.json")
    assert refusal(path, **allowed).code == "private-address"


def test_a_remote_file_that_is_missing_is_an_error(api, tmp_path):
    path = local(tmp_path, f"{api.url}/a.json")
    found = refusal(path, allow_remote_refs=True, allowed_hosts=("127.0.0.1",))
    assert found.code == "fetch-failed"


def test_the_address_that_was_checked_is_the_one_that_is_used(api, tmp_path, monkeypatch):
    looked_up = []
    real = socket.getaddrinfo

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host in ("name.test", b"name.test"):
            looked_up.append(host)
            host = "127.0.0.1" if len(looked_up) == 1 else "203.0.113.1"
        return real(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    api.answer("/a.json", {"type": "string"})
    path = local(tmp_path, f"http://name.test:{api.port}/a.json")
    assert load(path, allow_remote_refs=True, allowed_hosts=("name.test",))
    assert len(looked_up) == 1
    assert api.seen[0][1]["host"] == f"name.test:{api.port}"
    looked_up.clear()
    assert refusal(path, allow_remote_refs=True).code == "private-address"


@table(
    "address",
    *["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"],
    *["0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0"],
    *["fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1"],
    *["64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:c0a8:101::1"],
)
def test_addresses_that_are_not_public(address):
    with pytest.raises(Exception, match="not public"):
        fetch._require_public("h", address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822"])
def test_addresses_that_are_public(address):
    assert ipaddress.ip_address(address)
    fetch._require_public("h", address)
