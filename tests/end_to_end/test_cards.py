"""The server card and its catalogue: what a client reads before it connects."""

import json
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from typing import Any

import anyio
import httpx2
import pytest
from command_line import run
from publish.schemas import check_card, check_catalogue
from starlette.applications import Starlette
from starlette.routing import Mount

from .servers import SPECS, Server, generate_from, imported, openapi

NAME = "io.github.Acme/shop"
REMOTE = "https://mcp.example.com/mcp"
PUBLISH = f'[publish]\nregistry_name = "{NAME}"\nremotes = ["{REMOTE}"]\n'
SEARCH = 'reader = "tools"\nsurface = "search"\n'
CARD, CATALOGUE = "/mcp/server-card", "/.well-known/ai-catalog.json"
PATHS = {"/pets": {"get": {"operationId": "listPets", "responses": {"204": {"description": ""}}}}}
SERVERS = [{"url": "https://pets.example"}]
DOCUMENT = openapi("Pets <b>" + "x" * 120, PATHS, servers=SERVERS)


@pytest.fixture(scope="module")
def made(tmp_path_factory, upstream):
    """A vendored server whose team publishes it."""
    folder = tmp_path_factory.mktemp("cards")
    source = f'source = "../document.json"\npackage = "carded"\n{PUBLISH}'
    return generate_from(DOCUMENT, folder, upstream, settings=source)


def ask(app: Any, path: str, method: str = "GET", **headers: str) -> httpx2.Response:
    async def answer() -> httpx2.Response:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://any.example") as client:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=names)

    return anyio.run(answer)


def app_of(server: Server, **settings: Any) -> Starlette:
    kind = server.module("_runtime").HttpSettings
    app: Starlette = server.module("server").create_app(kind(**settings))
    return app


def both(app: Any, card: str = CARD, catalogue: str = CATALOGUE) -> tuple[Any, Any]:
    """The card and the catalogue, which fit their schemas."""
    answers = ask(app, card), ask(app, catalogue)
    assert [each.status_code for each in answers] == [200, 200]
    kinds = [each.headers["content-type"] for each in answers]
    assert kinds == ["application/mcp-server-card+json", "application/ai-catalog+json"]
    found = answers[0].json(), answers[1].json()
    check_card(found[0])
    check_catalogue(found[1])
    return found


def test_a_card_is_what_the_settings_and_the_document_say(made):
    card, catalogue = both(app_of(made))
    assert (card["name"], card["version"], len(card["title"])) == (NAME, "1", 100)
    assert card["remotes"] == [{"type": "streamable-http", "url": REMOTE}]
    assert "listPets" not in json.dumps([card, catalogue])
    assert catalogue["entries"] == [
        {
            "identifier": "urn:air:acme.github.io:mcp:shop",
            "type": "application/mcp-server-card+json",
            "url": f"{REMOTE}/server-card",
        }
    ]


def test_a_card_is_for_anybody_from_any_page(made):
    """Without a token, under any name, whatever origins may call."""
    app = app_of(made, http_token="sixteen-or-more-letters", allow_origins=("https://a.example",))
    assert ask(app, "/mcp", host="localhost").status_code == 401
    for path in (CARD, CATALOGUE):
        found = ask(app, path, origin="https://b.example", authorization="Bearer wrong")
        assert found.headers["access-control-allow-origin"] == "*"
        assert found.headers["cache-control"] == "public, max-age=3600"
        tag = found.headers["etag"]
        for known in (tag, f'"x", W/{tag}', "*"):
            again = ask(app, path, if_none_match=known)
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert ask(app, path, if_none_match='"x"').content == found.content
        asks = {"origin": "https://b.example", "access_control_request_method": "GET"}
        allowed = ask(app, path, "OPTIONS", **asks, access_control_request_headers="if-none-match")
        assert allowed.status_code == 204
        assert "If-None-Match" in allowed.headers["access-control-allow-headers"]
        assert ask(app, path, "POST").status_code in (404, 405)


def test_a_card_behind_a_path_and_in_another_application(made):
    card, _ = both(app_of(made))
    assert both(app_of(made, http_path="/a/b"), "/a/b/server-card")[0] == card
    inner = app_of(made)
    mounted = Starlette(routes=[Mount("/shop", inner)])
    assert both(mounted, f"/shop{CARD}", f"/shop{CATALOGUE}")[0] == card
    assert ask(mounted, CATALOGUE).status_code == 404


def test_a_server_that_is_published_at_no_address(made, upstream):
    """The catalogue holds the card, which has the address that the deployment knows."""
    toml = made.folder / "mcpgen.toml"
    before = toml.read_text()
    toml.write_text(before.replace(f'remotes = ["{REMOTE}"]\n', ""))
    try:
        assert run("update", str(made.folder)).exit_code == 0
        server = imported(made.folder, upstream)
        card, catalogue = both(app_of(server))
        assert "remotes" not in card
        assert catalogue["entries"][0]["data"] == card
        at = "https://pets.example/mcp"
        card, catalogue = both(app_of(server, http_issuer="https://i.example", http_resource=at))
        assert card["remotes"] == [{"type": "streamable-http", "url": at}]
        assert catalogue["entries"][0]["url"] == f"{at}/server-card"
        toml.write_text(before.replace(f'registry_name = "{NAME}"\n', 'author = "Acme"\n'))
        assert run("update", str(made.folder)).exit_code == 0
        assert not list(made.folder.rglob("server_card.json"))
        server = imported(made.folder, upstream)
        check = partial(server.module("server").APP.main, ["--check", "--http", "127.0.0.1:0"])
        app = app_of(server)
        assert [ask(app, path).status_code for path in (CARD, CATALOGUE)] == [404, 404]
        assert "no server card: `[publish]` in mcpgen.toml needs `registry_name`" in printed(check)
    finally:
        toml.write_text(before)
        run("update", str(made.folder))


def printed(check: Any) -> str:
    with redirect_stdout(StringIO()) as said:
        assert check() == 0
    return said.getvalue()


def test_a_gateway_has_one_card(tmp_path, upstream):
    server = {"title": "City", "name": "city", "version": "2"}
    document = {"server": server, "tools": []}
    more = f'[[with]]\nsource = "{SPECS / "nightbus.json"}"\n'
    keys = f'source = "../document.json"\npackage = "carded_city"\n{SEARCH}'
    settings = f"{keys}{PUBLISH}{more}"
    city = generate_from(document, tmp_path, upstream, settings=settings)
    card, _ = both(app_of(city))
    assert card["title"] == "City"
    assert ask(app_of(city), "/mcp/tools/server-card").status_code == 404


def test_a_server_that_nobody_publishes_has_nothing_of_it(tmp_path, upstream):
    server = generate_from(DOCUMENT, tmp_path, upstream, "--package", "uncarded")
    texts = "".join(path.read_text() for path in server.folder.rglob("*.py"))
    assert not any(word in texts for word in ("server-card", "ai-catalog", ", cards"))
    assert not [*server.folder.rglob("*card.*"), *server.folder.rglob("cards.py")]
    assert [ask(app_of(server), path).status_code for path in (CARD, CATALOGUE)] == [404, 404]
