"""`[auth]` of `mcpgen.toml`: what callers bring becomes the server's default, or is refused."""

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
from command_line import run
from runtime.serving import current
from tables import table

WELL_KNOWN = "https://login.example/.well-known/openid-configuration"
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Ferries", "version": "1"},
    "servers": [{"url": "https://ferries.example"}],
    "paths": {
        "/ferries": {
            "get": {
                "operationId": "listFerries",
                "security": [{"key": []}],
                "responses": {"200": {"description": "All"}},
            }
        }
    },
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "user": {"type": "http", "scheme": "basic"},
            "sso": {"type": "openIdConnect", "openIdConnectUrl": WELL_KNOWN},
            "person": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "x"}}},
            "member": {
                "type": "oauth2",
                "flows": {
                    "authorizationCode": {
                        "authorizationUrl": "https://login.example/start",
                        "tokenUrl": "https://login.example/token",
                    }
                },
            },
        }
    },
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document beside its server, whose settings say nothing of callers."""
    folder = tmp_path_factory.mktemp("ferries")
    (folder / "api.json").write_text(json.dumps(DOCUMENT), "utf-8")
    command = ["from-openapi", str(folder / "api.json"), "-o", str(folder / "server")]
    assert run(*command, catch_exceptions=False).exit_code == 0
    return folder


def updated(generated: Path, folder: Path, auth: str) -> Any:
    """Generate again, in another folder, with that text in the settings."""
    shutil.copytree(generated, folder, dirs_exist_ok=True)
    with (folder / "server" / "mcpgen.toml").open("a", encoding="utf-8") as settings:
        settings.write(f"\n{auth}")
    return run("update", str(folder / "server"), catch_exceptions=False)


CALLERS = """[auth]
source = "caller"
headers = {key = "X-Ferry-Key"}
exchange = {sso = "Authorization", member = "X-Member"}
exchange_audience = "ferries"
"""


@pytest.fixture(scope="module")
def callers(generated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A server whose callers bring credentials; it can be imported."""
    folder = tmp_path_factory.mktemp("callers")
    assert updated(generated, folder, CALLERS).exit_code == 0
    sys.path.insert(0, str(folder / "server"))
    yield folder / "server"
    sys.path.remove(str(folder / "server"))


@pytest.fixture(scope="module")
def server(callers: Path) -> ModuleType:
    """Its module."""
    return importlib.import_module("ferries_mcp.server")


def test_the_servers_defaults_are_what_the_settings_say(server):
    made = server.APP.settings({})
    assert made.caller_auth == (("key", "X-Ferry-Key"),)
    assert made.caller_exchange == (("sso", "Authorization"), ("member", "X-Member"))
    assert made.exchange_audience == "ferries"
    changed = server.APP.settings(
        {"FERRIES_CALLER_AUTH": "key: X-Other", "FERRIES_CALLER_EXCHANGE": "none"}
    )
    assert changed.caller_auth == (("key", "X-Other"),)
    assert changed.caller_exchange == ()


def test_its_page_says_so_and_why(callers):
    page = (callers / "DEPLOY.md").read_text("utf-8")
    assert "with this server's credentials, or with their own." in page
    assert "| `key` | `X-Ferry-Key` | sent to the API as it is |" in page
    assert "| `sso` | `Authorization` | exchanged for a token of the API" in page
    assert "the API cannot tell who sends it" in page
    assert "`key: X-Ferry-Key`" in page
    assert CALLERS in (callers / "mcpgen.toml").read_text("utf-8")


def test_a_header_that_is_taken_is_not_asked_of_callers_twice(generated, tmp_path):
    headers = '[auth]\nsource = "caller"\nheaders = {key = "authorization"}\n'
    assert updated(generated, tmp_path, headers).exit_code == 0
    page = " ".join((tmp_path / "server" / "DEPLOY.md").read_text("utf-8").split())
    assert "does not start with any of the following ways. To use one, name another header" in page
    assert "_HTTP_TOKEN=%s" not in page


@pytest.mark.anyio
async def test_a_callers_header_reaches_the_api(server):
    seen = []

    def api(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers.get("x-key"))
        return httpx2.Response(200, json={})

    made = server.create_app(server.APP.settings({}), transport=httpx2.MockTransport(api))
    message, headers = current("listFerries", {})
    async with (
        made.router.lifespan_context(made),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(made), base_url="http://localhost") as c,
    ):
        for own in ({"X-Ferry-Key": "ann"}, {"X-Ferry-Key": "ben"}, {}):
            answer = await c.post("/mcp", json=message, headers=headers | own)
            assert answer.json()["result"].get("isError", False) is (not own)
    assert seen == ["ann", "ben"]


@pytest.mark.parametrize("auth", ["", '[auth]\nsource = "environment"\n'])
def test_it_is_off_unless_the_settings_say_so(generated, tmp_path, auth):
    assert updated(generated, tmp_path, auth).exit_code == 0
    source = (tmp_path / "server" / "ferries_mcp" / "server.py").read_text("utf-8")
    assert "defaults=Settings()" in source
    page = (tmp_path / "server" / "DEPLOY.md").read_text("utf-8")
    assert "That is off by default. The token was issued to the caller" in page


ON = '[auth]\nsource = "caller"\n'


@table(
    "auth, said",
    ('[auth]\nsource = "anyone"', "it must be one of environment, caller"),
    (ON, "`auth` has no `headers`"),
    (ON + 'header = {key = "X"}', "Did you mean `headers`?"),
    (ON + 'headers = {key = "X Key"}', """auth.headers."key"` cannot be 'X Key'"""),
    (ON + "headers = {key = 1}", 'auth.headers."key"` must be a string'),
    (ON + 'headers = {nobody = "X"}', "there is no security scheme `nobody`"),
    (ON + 'headers = {user = "X"}', "the credentials of `user` do not fit into one header"),
    (ON + 'exchange = {key = "X"}', "`key` is neither OAuth 2.0 nor OpenID Connect"),
    (ON + 'exchange = {person = "X"}', "has no https token endpoint for `person`"),
    (ON + 'exchange = {sso = "X"}\nheaders = {sso = "Y"}', "`sso` is in `auth.headers` and in"),
    (
        ON + 'exchange = {person = "X"}\nexchange_token_url = "http://login.example"',
        "The URL (https) at",
    ),
)
def test_what_cannot_be_is_refused(generated, tmp_path, auth, said):
    done = updated(generated, tmp_path, auth)
    assert done.exit_code == 1
    assert said in done.output
