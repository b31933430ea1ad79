"""Servers whose settings speak of callers do not serve over HTTP before somebody can sign in."""

import importlib
import json
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import pytest

from .servers import PACKAGE, Server, generate_from, openapi

FLOW = {"tokenUrl": "https://a.example/t", "scopes": {"read": ""}}
SCHEMES = {"login": {"type": "oauth2", "flows": {"clientCredentials": FLOW}}}
GET: dict[str, Any] = {"operationId": "getThing", "responses": {"204": {"description": ""}}}
PLAIN = openapi("Closed", {"/a": {"get": GET}})
SCOPED = openapi(
    "Closed",
    {"/a": {"get": {**GET, "security": [{"login": ["read"]}]}}},
    components={"securitySchemes": SCHEMES},
)
FURTHER = openapi("Other", {"/b": {"get": {**GET, "operationId": "getOther"}}})
TOOLS = {
    "tools": [
        {
            "name": "getThing",
            "inputSchema": {"type": "object"},
            "http": {"method": "GET", "path": "/a"},
        }
    ],
    "server": {"name": "closed", "baseUrl": "https://a.example"},
}
TOKENS = "http_tokens = true\n"
MEANT = "CLOSED_HTTP_ANONYMOUS"
CLOSED: dict[str, tuple[Mapping[str, Any], str, tuple[str, ...]]] = {
    "tokens": (PLAIN, TOKENS, PACKAGE),
    "tokens, vendored": (PLAIN, TOKENS, ()),
    "scopes of a tool": (PLAIN, '[tools.getThing]\nscopes = ["a"]\n', PACKAGE),
    "scopes of every tool": (PLAIN, '[tools."*"]\nscopes = ["a"]\n', ()),
    "scopes of a further source": (
        PLAIN,
        '[[with]]\nsource = "../other.json"\nscopes = ["a"]\n',
        PACKAGE,
    ),
    "search surface": (PLAIN, TOKENS, (*PACKAGE, "--surface", "search")),
    "tool file": (TOOLS, TOKENS, PACKAGE),
}
OPEN: dict[str, tuple[Mapping[str, Any], str]] = {
    "nothing said": (PLAIN, ""),
    "scopes of the document alone": (SCOPED, ""),
    "scopes taken away": (SCOPED, "[tools.getThing]\nscopes = []\n"),
}


@pytest.fixture
def made(request, upstream, tmp_path):
    document, settings, *options = (CLOSED | OPEN)[request.param]
    (tmp_path / "other.json").write_text(json.dumps(FURTHER))
    return generate_from(
        document, tmp_path, upstream, "--package", "closed", *sum(options, ()), settings=settings
    )


def started(server: Server, *flags: str, **environ: str) -> tuple[int, str, str]:
    """The exit code of the command line, stdout and stderr; what it would serve is not served."""
    listen = server.module("_runtime.parts.http.listen")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as said:
        patch.setattr("os.environ", {"CLOSED_BASE_URL": "https://a.example", **environ})
        patch.setattr(listen, "serve", lambda *_: 0)
        with redirect_stderr(StringIO()) as told:
            code = server.module("server").APP.main(flags)
    return code, said.getvalue(), told.getvalue()


@pytest.mark.parametrize("made", CLOSED, indirect=True)
def test_it_does_not_serve_over_http_before_callers_can_sign_in(made, monkeypatch):
    configured = importlib.import_module(made.module("_runtime").Settings.__module__)
    server = made.module("server")
    code, _, told = started(made, "--http", "127.0.0.1:0")
    assert code == 2
    assert "CLOSED_HTTP_TOKEN " in told
    assert f"{MEANT}=true if anybody may call" in told
    assert started(made, "--http", "127.0.0.1:0", "--check")[0] == 2
    assert started(made, "--check", CLOSED_PUBLIC_HOSTS="a.example")[0] == 2
    assert started(made, "--http", "127.0.0.1:0", **{MEANT: "false"})[0] == 2
    monkeypatch.delenv(MEANT, raising=False)
    monkeypatch.setenv("CLOSED_BASE_URL", "https://a.example")
    with pytest.raises(SystemExit) as ended, redirect_stderr(StringIO()):
        server.create_app()
    assert ended.value.code == 3
    with pytest.raises(configured.ConfigurationError, match=MEANT):
        server.create_app(made.module("_runtime").Settings())

    for let_in in ({MEANT: "true"}, {"CLOSED_HTTP_TOKEN": "a" * 32}):
        assert started(made, "--http", "127.0.0.1:0", **let_in)[0] == 0
        with monkeypatch.context() as patch:
            for name, value in let_in.items():
                patch.setenv(name, value)
            assert server.create_app()
    assert started(made, "--http", "127.0.0.1:0", "--mock")[0] == 0
    code, told, _ = started(made, "--check")
    assert code == 0  # it may be meant for stdio
    assert "it does not start over HTTP yet: callers must sign in" in told
    assert "over HTTP" not in started(made, "--check", CLOSED_HTTP_TOKEN="a" * 32)[1]
    assert started(made, "--list")[0] == 0
    assert made.tools.keys()


@pytest.mark.parametrize(
    ("made", "environ", "said"),
    [
        ("nothing said", {}, ""),
        ("nothing said", {"CLOSED_PUBLIC_HOSTS": "a.example"}, "anybody may call"),
        ("nothing said", {"CLOSED_CALLS_PER_MINUTE": "60"}, "anybody may call"),
        ("nothing said", {"CLOSED_PUBLIC_HOSTS": "a.example", MEANT: "true"}, ""),
        ("nothing said", {"CLOSED_PUBLIC_HOSTS": "a", "CLOSED_HTTP_TOKEN": "a" * 32}, ""),
        ("scopes of the document alone", {}, "the scopes of tools are not checked"),
        ("scopes of the document alone", {"CLOSED_HTTP_TOKEN": "a" * 32}, ""),
        ("scopes taken away", {}, ""),
    ],
    indirect=["made"],
)
def test_what_else_anybody_may_call_is_told(made, environ, said, monkeypatch, caplog):
    code, _, _ = started(made, "--http", "127.0.0.1:0", **environ)
    told = caplog.text
    caplog.clear()
    checked, lines, _ = started(made, "--http", "127.0.0.1:0", "--check", **environ)
    monkeypatch.setenv("CLOSED_BASE_URL", "https://a.example")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    made.module("server").create_app()
    assert (code, checked) == (0, 0)
    assert lines.endswith("the settings can be used\n")
    for text in (told, lines, caplog.text):
        assert ("anybody may call" in text) is bool(said)
        assert said in text
    if "CLOSED_PUBLIC_HOSTS" in environ:
        assert ("anybody may call" in started(made, "--check", **environ)[1]) is bool(said)
    caplog.clear()
    assert started(made, "--http", "127.0.0.1:0", "--mock", **environ)[0] == 0
    assert not caplog.text
