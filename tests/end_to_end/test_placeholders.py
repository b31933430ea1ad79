"""What a host left where a value was to be: it is no credential, and the start names it."""

import json
import subprocess
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest
from prepared import python

from .servers import PACKAGE, generate_from, openapi

SCHEMES: dict[str, Any] = {
    "key": {"type": "apiKey", "in": "query", "name": "api_key"},
    "tok": {"type": "http", "scheme": "bearer"},
}
EITHER: list[dict[str, list[str]]] = [{"key": []}, {"tok": []}]
GET: dict[str, Any] = {"operationId": "getThing", "responses": {"200": {"description": ""}}}
MORE = {"components": {"securitySchemes": SCHEMES}, "security": EITHER}
DOCUMENT = openapi("Left", {"/a": {"get": GET}}, **MORE)
OTHER = openapi("Right", {"/b": {"get": {**GET, "operationId": "getOther"}}}, **MORE)
HTTP = {"method": "GET", "path": "/a"}
TOOLS = {
    "server": {
        "name": "left",
        "baseUrl": "https://a.example",
        "securitySchemes": SCHEMES,
        "security": EITHER,
    },
    "tools": [{"name": "getThing", "inputSchema": {"type": "object"}, "http": HTTP}],
}
WITH = '[[with]]\nsource = "../other.json"\n'
MADE: dict[str, tuple[Mapping[str, Any], str, tuple[str, ...], str]] = {
    "vendored": (DOCUMENT, "", (), "getThing"),
    "search surface": (DOCUMENT, "", (*PACKAGE, "--surface", "search"), "getThing"),
    "tool file": (TOOLS, "", PACKAGE, "getThing"),
    "further source": (DOCUMENT, WITH, PACKAGE, "getOther"),
}
LEFT = "${user_config.KEY}"


@pytest.fixture(params=MADE)
def made(request, upstream, tmp_path):
    """A server, a tool of it, and the prefix of the variables that are for it."""
    document, settings, options, tool = MADE[request.param]
    (tmp_path / "other.json").write_text(json.dumps(OTHER))
    options = ("--package", "left", *options)
    server = generate_from(document, tmp_path, upstream, *options, settings=settings)
    return server, tool, "RIGHT" if settings else "LEFT"


def test_it_is_not_sent_and_another_credential_is(made, upstream, monkeypatch):
    server, tool, prefix = made
    monkeypatch.setenv(f"{prefix}_BASE_URL", upstream.url)
    monkeypatch.setenv(f"{prefix}_KEY", LEFT)
    assert f"{prefix}_KEY" in server.call(tool).refused
    monkeypatch.setenv(f"{prefix}_TOK_TOKEN", "Token real")
    request = server.call(tool).request
    assert request.header("authorization") == "Token real"
    assert "api_key" not in request.target


def test_the_check_and_the_first_line_of_the_log_name_it(made, upstream, monkeypatch, caplog):
    server, _, prefix = made
    environ = {f"{each}_BASE_URL": upstream.url for each in ("LEFT", "RIGHT")}
    environ |= {f"{prefix}_KEY": LEFT, f"{prefix}_TIMEOUT": LEFT, f"{prefix}_TOK_TOKEN": '"real"'}
    said = [
        *(f"{prefix}_{name} counts as unset: it holds `${{...}}`" for name in ("KEY", "TIMEOUT")),
        f"{prefix}_TOK_TOKEN is used exactly as set, quotes included",
    ]
    monkeypatch.setattr("os.environ", environ)
    with redirect_stdout(StringIO()) as checked:
        assert server.module("server").APP.main(["--check"]) == 0
    for line in said:
        assert checked.getvalue().count(line) == 1
    assert "user_config" not in checked.getvalue()

    caplog.clear()
    server.module("server").create_app()
    assert said[0] in caplog.messages[0]
    if server.is_vendored:
        command = subprocess.run(
            python("-m", server.package), cwd=server.folder, env=environ,
            input="", capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert said[0] in command.stderr.splitlines()[0]
