"""Two APIs that see who signed in: one by the provider's token, the other by an exchanged one."""

import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from runtime.parts.delegation.exchanging import EXCHANGE, Exchanging
from runtime.parts.sign_in.openid import CLIENT, SECRET
from runtime.parts.sign_in.signing import Browser, Hand
from runtime.serving import current, in_thread, process
from written_documents import write

from bench.calls import free_port

from .servers import Server, generate_from, openapi
from .test_callers import command
from .upstream import Answer

PAGE = (Path(__file__).parents[2] / "docs" / "providers.md").read_text("utf-8")
OWN, EXCHANGED = re.findall(r"```toml\n(\[auth\]\n.*?)```", PAGE, re.DOTALL)


def document(title: str, thing: str) -> dict[str, Any]:
    """An API whose operations need scopes, and that takes keys besides."""
    answer = {"200": {"description": "", "content": {"application/json": {}}}}
    flow = {"authorizationUrl": "https://login.example/a", "tokenUrl": "https://login.example/t"}
    schemes = {
        "members": {"type": "oauth2", "flows": {"authorizationCode": {**flow, "scopes": {}}}},
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    }

    def operation(name: str, scope: str) -> dict[str, Any]:
        security = [{"key": []}, {"members": [f"{thing}:{scope}"]}]
        return {"operationId": f"{name}{title}", "security": security, "responses": answer}

    paths = {f"/{thing}": {"get": operation("list", "read"), "post": operation("add", "write")}}
    return openapi(title, paths, components={"securitySchemes": schemes})


SIGN_IN = '[sign_in]\nprovider = "oidc"\nissuer = "https://login.example.com"\n'
WITH = EXCHANGED.replace("[auth]", "[with.auth]")
SETTINGS = f'{SIGN_IN}{OWN}[[with]]\nsource = "../press.json"\n{WITH}'


@pytest.fixture(scope="module")
def library(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("delegating-library")
    write(folder / "press.json", document("Press", "papers"))
    return generate_from(document("Library", "books"), folder, upstream, settings=SETTINGS)


@pytest.fixture
def openid():
    provider = Exchanging()
    with in_thread(provider.app) as provider.url:
        yield provider


def environ(library: Server, openid: Exchanging, port: int) -> dict[str, str]:
    """The variables of a server on loopback, with credentials of its own."""
    return {
        "LIBRARY_SIGN_IN_ISSUER": openid.url,
        "LIBRARY_SIGN_IN_CLIENT_ID": CLIENT,
        "LIBRARY_SIGN_IN_CLIENT_SECRET": SECRET,
        "LIBRARY_HTTP_RESOURCE": f"http://127.0.0.1:{port}/mcp",
        "LIBRARY_BASE_URL": library.upstream.url,
        "PRESS_BASE_URL": f"{library.upstream.url}/press",
        "LIBRARY_KEY": "canary-key",
        "PRESS_KEY": "canary-key",
        "LIBRARY_LOG_LEVEL": "DEBUG",
    }


def call(url: str, token: str, tool: str) -> dict[str, Any]:
    """The result of a call."""
    message, headers = current(tool, {})
    headers |= {"Authorization": f"Bearer {token}"}
    answer = httpx2.post(url, json=message, headers=headers)
    result: dict[str, Any] = answer.json()["result"]
    return result


TOOLS = ("listLibrary", "listPress", "addLibrary", "addPress")


def test_each_api_gets_the_token_of_whoever_calls(library: Server, openid: Exchanging) -> None:
    library.upstream.answer, library.upstream.seen = Answer.of({}), []
    port = free_port()
    variables = environ(library, openid, port)
    with process(
        library.folder, library.package, "--http", f"127.0.0.1:{port}", **variables
    ) as run:
        tokens = {}
        for person in ("ann", "bob"):
            openid.person = person
            tokens[person] = Hand(run.url).sign_in(Browser())["access_token"]
        for tool in TOOLS:
            for person in ("ann", "bob"):
                assert not call(run.url, tokens[person], tool).get("isError")
        said = "".join(run.said)
    people = []
    for seen in library.upstream.seen:
        kind, _, token = dict(seen.headers)["Authorization"].partition(" ")
        assert (kind, "exchanged" in token) == ("Bearer", seen.target.startswith("/press"))
        people.append(openid.of(token))
        assert "X-Key" not in dict(seen.headers)
    assert people == ["ann", "bob"] * len(TOOLS)
    asked = openid.steps("authorize")[0]["scope"].split()
    assert asked[-2:] == ["books:read", "books:write"]
    exchanged = [each for each in openid.steps("token") if each["grant_type"] == EXCHANGE]
    assert [(each["audience"], each["scope"]) for each in exchanged] == [
        *[("bookshop-api", "papers:read")] * 2,
        *[("bookshop-api", "papers:write")] * 2,
    ]
    assert "canary" not in said


def test_dry_runs_and_check_say_whose_credential_goes(library: Server, openid: Exchanging) -> None:
    library.upstream.seen = []
    port = free_port()
    variables = {**environ(library, openid, port), "LIBRARY_DRY_RUN": "writes"}
    with process(
        library.folder, library.package, "--http", f"127.0.0.1:{port}", **variables
    ) as run:
        token = Hand(run.url).sign_in(Browser())["access_token"]
        texts = [call(run.url, token, tool)["content"][0]["text"] for tool in TOOLS[2:]]
    whose = f"sub-of-ann at {openid.url}"
    assert f"Authorization: Bearer [credential {whose}]" in texts[0]
    more = "exchanged for bookshop-api, scope papers:write"
    assert f"Authorization: Bearer [credential {whose}, {more}]" in texts[1]
    assert not library.upstream.seen
    code, said, _ = command(library, "--check", **variables)
    assert code == 0
    words = "members: over HTTP, calls carry the token of whoever signed in, "
    assert f"{words}as the provider gave it\n" in said
    assert f"{words}exchanged for a token for bookshop-api\n" in said


def test_over_stdio_the_environment_counts(library: Server) -> None:
    code, said, _ = command(
        library,
        "--dry-run",
        "--call",
        "addLibrary",
        LIBRARY_KEY="a key of it",
        LIBRARY_BASE_URL=library.upstream.url,
    )
    assert "X-Key: [credential LIBRARY_KEY]" in said
    assert "Authorization" not in said
    assert code == 0


def test_servers_without_it_have_not_one_line_of_it(library: Server) -> None:
    """But for the table of the seams, by which a server says what it was generated without."""
    other = Path(__file__).parents[2] / "generated_examples" / "bookshop"
    for path in other.rglob("*.py"):
        if path.name != "seams.py":
            assert not re.search("delegat|on_behalf", path.read_text("utf-8")), path
    assert (library.folder / library.package / "_runtime/parts/delegation/tokens.py").exists()
