"""`access.yaml`: credentials go where they were asked for and nowhere else; servers; extensions."""

from __future__ import annotations

import itertools
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx2
import pytest
import yaml
from mcp import Client

from .servers import SPECS, Server, generate
from .upstream import Answer, Seen, Upstream, listening

PLACES = {
    "office_key": "header",
    "gate_key": "query",
    "pier_pass": "cookie",
    "clerk": "authorization",
    "pilot": "authorization",
    "captain": "authorization",
    "agency": "authorization",
    "customs": "authorization",
}
"""Where each scheme's credential travels; two for `Authorization` cannot go together."""


@pytest.fixture(scope="module")
def harbour(generated: Callable[[str], Server]) -> Server:
    return generated("access.yaml")


def variables(server: Server) -> dict[str, tuple[str, ...]]:
    """The environment variables of each scheme, as `.env.example` and `api.py` name them."""
    found = {}
    for key, scheme in server.api.security_schemes.items():
        names = [getattr(scheme, name, "") for name in ("env", "username_env", "password_env")]
        names += [getattr(scheme, name, "") for name in ("cert_env", "key_env")]
        names += [getattr(scheme, f"{name}_env", "") for name in ("refresh_token", "client_id")]
        names += [getattr(scheme, "client_secret_env", "")]
        found[key] = tuple(name for name in names if name)
    return found


def sentinel(variable: str) -> str:
    return f"sentinel-{variable.lower()}"


@pytest.fixture
def everything_set(harbour: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for names in variables(harbour).values():
        for name in names:
            monkeypatch.setenv(name, sentinel(name))


def credentials(request: Seen) -> dict[str, str]:
    """What the request carries, by place; nothing else of it may hold a sentinel."""
    found = {
        "header": request.header("X-Office-Key"),
        "query": dict(request.query).get("gate"),
        "cookie": request.header("Cookie"),
        "authorization": request.header("Authorization"),
    }
    present = {place: value for place, value in found.items() if value is not None}
    rest = request.raw.decode("latin-1").lower()
    for value in present.values():
        assert rest.count(value.lower()) == 1
        rest = rest.replace(value.lower(), "")
    assert "sentinel" not in rest
    assert b64encode(b"sentinel")[:8].decode().lower() not in rest
    return present


def expected(server: Server, schemes: tuple[str, ...]) -> dict[str, str]:
    """What these schemes send together, by hand from RFC 6750, RFC 7617 and OpenAPI."""
    found = {}
    for scheme in schemes:
        first, *more = (sentinel(name) for name in variables(server)[scheme])
        found[PLACES[scheme]] = {
            "pier_pass": f"pier={first}",
            "clerk": "Basic " + b64encode(":".join([first, *more]).encode()).decode(),
            "pilot": f"Bearer {first}",
            "agency": f"Bearer {first}",
            "customs": f"Bearer {first}",
        }.get(scheme, first)
        if scheme == "captain":
            found["authorization"] = f"hoba {first}"
    return found


def folded(found: Mapping[str, str]) -> dict[str, str]:
    """With the scheme's name in lower case: it is case-insensitive (RFC 9110 11.1)."""
    return {
        place: " ".join([value.partition(" ")[0].lower(), value.partition(" ")[2]])
        for place, value in found.items()
    }


OPERATIONS: list[tuple[str, tuple[str, ...]]] = [
    ("byDefault", ("office_key",)),
    ("byQueryKey", ("gate_key",)),
    ("byCookieKey", ("pier_pass",)),
    ("byPassword", ("clerk",)),
    ("byBearer", ("pilot",)),
    ("byOtherScheme", ("captain",)),
    ("byOAuth", ("agency",)),
    ("byOpenId", ("customs",)),
    ("byNothing", ()),
    ("withBoth", ("office_key", "pilot")),
    ("withThree", ("office_key", "gate_key", "pier_pass")),
    ("withEither", ("clerk",)),
    ("withChoice", ("office_key", "agency")),
    ("withOrWithout", ("pilot",)),
    ("keyAsParameter", ("office_key",)),
]


@pytest.mark.usefixtures("everything_set")
@pytest.mark.parametrize(("tool", "schemes"), OPERATIONS)
def test_exactly_the_declared_credentials(
    harbour: Server, tool: str, schemes: tuple[str, ...]
) -> None:
    request = harbour.call(tool).request
    assert folded(credentials(request)) == folded(expected(harbour, schemes))


def subsets() -> Iterator[tuple[str, ...]]:
    """Every set of schemes that can go together."""
    keys = [key for key, place in PLACES.items() if place != "authorization"]
    signed = [(key,) for key, place in PLACES.items() if place == "authorization"]
    for count in range(len(keys) + 1):
        for chosen in itertools.combinations(keys, count):
            for more in [(), *signed]:
                if chosen or more:
                    yield (*chosen, *more)


TOGETHER = list(subsets())
CHOICES = list(itertools.permutations(PLACES, 2))


@pytest.fixture(scope="module")
def matrix(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server of every combination of the schemes: together, and one or the other."""
    document = yaml.safe_load((SPECS / "access.yaml").read_text())
    document["paths"] = {}
    for number, schemes in enumerate(TOGETHER):
        _operation(document, f"all{number}", [{scheme: [] for scheme in schemes}])
    for number, pair in enumerate(CHOICES):
        _operation(document, f"either{number}", [{scheme: []} for scheme in pair])
        _operation(document, f"maybe{number}", [*({scheme: []} for scheme in pair), {}])
    document["info"]["title"] = "Access Matrix"
    document.pop("x-mcp")
    folder = tmp_path_factory.mktemp("matrix")
    path = folder / "matrix.json"
    path.write_text(json.dumps(document))
    return generate(path, folder / "server", upstream, "--package", "access_matrix")


def _operation(document: dict[str, Any], name: str, security: list[dict[str, Any]]) -> None:
    answer = {"$ref": "#/components/responses/Welcome"}
    operation = {"operationId": name, "summary": name, "security": security}
    document["paths"][f"/{name}"] = {"get": {**operation, "responses": {"200": answer}}}


def requests(server: Server, tools: list[str]) -> dict[str, tuple[bool, list[Seen], str]]:
    """Call tools one after the other with one client; (is error, requests, text) of each."""
    found = {}

    async def use(client: Client) -> None:
        for tool in tools:
            server.upstream.seen = []
            result = await client.call_tool(tool, {})
            text = "\n".join(getattr(block, "text", "") for block in result.content)
            found[tool] = (result.is_error, server.upstream.seen, text)

    server.use(use)
    return found


def test_every_set_of_schemes_together(matrix: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    _set(matrix, monkeypatch, tuple(variables(matrix)))
    for number, (is_error, seen, text) in enumerate(
        requests(matrix, [f"all{number}" for number in range(len(TOGETHER))]).values()
    ):
        assert not is_error, text
        (request,) = seen
        assert folded(credentials(request)) == folded(expected(matrix, TOGETHER[number]))


def test_a_set_that_is_not_complete_sends_nothing(
    matrix: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for missing in PLACES:
        _set(matrix, monkeypatch, tuple(key for key in variables(matrix) if key != missing))
        tools = [f"all{number}" for number, schemes in enumerate(TOGETHER) if missing in schemes]
        for is_error, seen, text in requests(matrix, tools).values():
            assert is_error
            assert not seen
            assert any(name in text for name in variables(matrix)[missing])
            assert "sentinel" not in text


def test_the_first_of_two_that_are_set(matrix: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    _set(matrix, monkeypatch, tuple(variables(matrix)))
    _expect(matrix, {number: first for number, (first, _) in enumerate(CHOICES)})


def test_the_one_of_two_that_is_set(matrix: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for missing in PLACES:
        _set(matrix, monkeypatch, tuple(key for key in variables(matrix) if key != missing))
        pairs = {number: pair for number, pair in enumerate(CHOICES) if missing in pair}
        _expect(
            matrix,
            {n: second if first == missing else first for n, (first, second) in pairs.items()},
        )


def _expect(server: Server, chosen: Mapping[int, str]) -> None:
    """Call each choice, required and optional, and expect the credential of one scheme."""
    tools = {f"{word}{n}": scheme for n, scheme in chosen.items() for word in ("either", "maybe")}
    for tool, (is_error, seen, text) in requests(server, list(tools)).items():
        assert not is_error, text
        (request,) = seen
        assert folded(credentials(request)) == folded(expected(server, (tools[tool],)))


def test_neither_of_two(matrix: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    _set(matrix, monkeypatch, ())
    numbers = range(len(CHOICES))
    for number, (is_error, seen, text) in enumerate(
        requests(matrix, [f"either{number}" for number in numbers]).values()
    ):
        assert is_error
        assert not seen
        for scheme in CHOICES[number]:
            assert any(name in text for name in variables(matrix)[scheme])
    for is_error, seen, text in requests(matrix, [f"maybe{number}" for number in numbers]).values():
        assert not is_error, text
        assert credentials(seen[0]) == {}


def _set(server: Server, monkeypatch: pytest.MonkeyPatch, schemes: tuple[str, ...]) -> None:
    for key, names in variables(server).items():
        for name in names:
            if key in schemes:
                monkeypatch.setenv(name, sentinel(name))
            else:
                monkeypatch.setenv(name, "")


def test_a_certificate_that_is_missing_is_named(
    harbour: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(harbour, monkeypatch, tuple(PLACES))
    refused = harbour.call("byCertificate").refused
    assert any(name in refused for name in variables(harbour)["coastguard"])


def test_a_certificate_that_is_no_file_is_told_without_its_path(
    harbour: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(harbour, monkeypatch, ("coastguard",))
    assert "sentinel" not in harbour.call("byCertificate").refused


@pytest.mark.usefixtures("everything_set")
def test_a_key_is_no_argument_even_where_it_is_listed(harbour: Server) -> None:
    assert set(harbour.arguments("keyAsParameter")) == {"ship"}
    assert "X-Office-Key" in harbour.call("keyAsParameter", {"X-Office-Key": "mine"}).refused


@pytest.mark.usefixtures("everything_set")
def test_no_credential_follows_a_redirect_to_another_host(harbour: Server) -> None:
    with listening() as elsewhere:
        for status in (301, 302, 303, 307, 308):
            target = f"http://localhost:{elsewhere.port}/x"
            answer = Answer(b"", None, status, (("Location", target),))
            for tool in ("byDefault", "byQueryKey", "byCookieKey", "byBearer"):
                call = harbour.call(tool, {}, answer)
                assert call.result.is_error
                assert len(call.requests) == 1
        assert not elsewhere.seen


@pytest.mark.usefixtures("everything_set")
def test_an_error_never_tells_a_credential(harbour: Server) -> None:
    for tool, schemes in OPERATIONS:
        said = json.dumps({"error": list(expected(harbour, schemes).values())})
        call = harbour.call(tool, {}, Answer(said.encode(), status=401))
        assert call.result.is_error
        for value in expected(harbour, schemes).values():
            assert value.partition(" ")[2] not in call.text or not value.partition(" ")[2]
    for tool in ("byDefault", "byQueryKey", "byBearer"):
        text = harbour.call(tool, {}, base_url="http://127.0.0.1:9").text
        assert "sentinel" not in text


def test_the_environment_file_lists_every_credential(harbour: Server) -> None:
    lines = (harbour.folder / ".env.example").read_text().splitlines()
    pairs = dict(line.lstrip("# ").split("=", 1) for line in lines if "=" in line)
    empty = {name for name, value in pairs.items() if value.strip() in ("", '""')}
    names = {name for found in variables(harbour).values() for name in found}
    base_url = {name for name in empty if name.endswith("_BASE_URL")}
    assert empty - base_url == names
    assert len(base_url) == 1
    readme = (harbour.folder / "README.md").read_text()
    assert all(name in readme for name in names)


def sent(
    server: Server, tool: str, arguments: Mapping[str, Any] | None = None, **settings: Any
) -> httpx2.Request:
    """The request that a tool makes when no base URL is set."""
    found = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        found.append(request)
        return httpx2.Response(200, json={"welcome": True})

    async def use(client: Client) -> None:
        result = await client.call_tool(tool, dict(arguments or {}))
        assert not result.is_error, result.content

    server.use(use, httpx2.MockTransport(answer), base_url=None, **settings)
    (request,) = found
    return request


def visited(server: Server, tool: str, arguments: Mapping[str, Any] | None = None) -> str:
    """Where it goes."""
    return str(sent(server, tool, arguments).url)


def server_variable(server: Server, name: str) -> str:
    (found,) = [entry.variables[name].env for entry in server.api.servers]
    return str(found)


@pytest.mark.usefixtures("everything_set")
def test_the_documents_server_with_its_variables(
    harbour: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    north = "https://north.api.harbour.example/v1/doors/office"
    assert visited(harbour, "byDefault") == north
    monkeypatch.setenv(server_variable(harbour, "quay"), "east")
    monkeypatch.setenv(server_variable(harbour, "version"), "v2")
    assert visited(harbour, "byDefault") == "https://east.api.harbour.example/v2/doors/office"
    monkeypatch.setenv(server_variable(harbour, "quay"), "")
    monkeypatch.setenv(server_variable(harbour, "version"), "")
    assert visited(harbour, "byDefault") == north


@pytest.mark.usefixtures("everything_set")
def test_a_server_variable_outside_its_enum_is_refused(
    harbour: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = server_variable(harbour, "quay")
    monkeypatch.setenv(variable, "evil.example/")
    assert variable in harbour.call("byDefault", base_url=None).refused


@pytest.mark.usefixtures("everything_set")
def test_servers_of_a_path_and_of_an_operation(harbour: Server) -> None:
    files = "https://files.harbour.example/manifests/manifests"
    assert visited(harbour, "listManifests") == files
    upload = "https://eu.upload.harbour.example/manifests"
    assert visited(harbour, "sendManifest", {"ship": "Aurora"}) == upload


@pytest.mark.usefixtures("everything_set")
def test_a_credential_leaves_the_apis_own_hosts_only_with_leave(harbour: Server) -> None:
    arguments = {"ship": "Aurora"}
    key = sentinel(variables(harbour)["office_key"][0])
    for tool, host in (
        ("listManifests", "files.harbour.example"),
        ("sendManifest", "eu.upload.harbour.example"),
    ):
        given = arguments if tool == "sendManifest" else {}
        bare = sent(harbour, tool, given)
        assert "sentinel" not in str(bare.url) + str(bare.headers.raw)
        allowed = sent(harbour, tool, given, allow_hosts=(host,))
        assert allowed.headers["X-Office-Key"] == key
    assert sent(harbour, "byDefault").headers["X-Office-Key"] == key


@pytest.mark.usefixtures("everything_set")
def test_the_base_url_replaces_every_server(harbour: Server) -> None:
    request = harbour.call("sendManifest", {"ship": "Aurora"}).request
    assert (request.method, request.target) == ("POST", "/manifests")


def test_the_servers_name_title_icon_and_website(harbour: Server) -> None:
    async def use(client: Client) -> Any:
        return client.server_info, client.instructions

    info, instructions = harbour.use(use)
    assert info.name == "harbour"
    assert info.title == "Harbour Office"
    assert info.version == "1.1.0"
    assert info.website_url == "https://harbour.example/docs"
    assert [icon.src for icon in info.icons] == ["https://harbour.example/logo.svg"]
    assert "Ask for a berth before a ship is announced." in instructions


def test_names_titles_and_descriptions_of_extensions(harbour: Server) -> None:
    berth = harbour.tools["find_berth"]
    assert berth.title == "Find a berth"
    assert (berth.description or "").startswith("Free berths, the nearest first.")
    assert [icon.src for icon in berth.icons or ()] == ["https://harbour.example/berth.png"]
    ships = harbour.tools["list_ships"]
    assert (ships.description or "").startswith("Ships in the harbour.")
    announce = harbour.tools["announce_ship"]
    assert (announce.description or "").startswith("Announces a ship one day ahead.")


def test_what_extensions_hide(harbour: Server) -> None:
    assert not {"hiddenByPath", "forgetShips"} & set(harbour.tools)
    assert "shownAgain" in harbour.tools


ANNOTATIONS = [
    ("byDefault", (True, False, True, True)),
    ("find_berth", (True, False, True, False)),
    ("search_berths", (True, False, True, False)),
    ("clearBerths", (False, True, True, False)),
    ("announce_ship", (False, True, False, True)),
    ("checkShips", (False, True, False, True)),
    ("sendManifest", (False, True, False, True)),
]


@pytest.mark.parametrize(("tool", "hints"), ANNOTATIONS)
def test_annotations(harbour: Server, tool: str, hints: tuple[bool, ...]) -> None:
    """Read-only, destructive, idempotent, open world: an extension never makes DELETE harmless."""
    found = harbour.tools[tool].annotations
    assert found is not None
    assert found.read_only_hint is hints[0]
    assert found.destructive_hint is hints[1]
    if not hints[0]:
        assert found.idempotent_hint is hints[2]
    assert found.idempotent_hint is not None
    assert found.open_world_hint is hints[3]
