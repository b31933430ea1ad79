"""`access.yaml`: credentials go where they were asked for and nowhere else; servers; extensions."""

import json
from collections.abc import Mapping
from itertools import product
from typing import Any

import httpx2
import pytest
from mcp import Client

from .credentials import PLACES, credentials, expected, folded, sentinel, set_only, variables
from .servers import Server, of_spec
from .upstream import Answer, listening

harbour = of_spec("access.yaml")


@pytest.fixture
def everything_set(harbour, monkeypatch):
    for names in variables(harbour).values():
        for name in names:
            monkeypatch.setenv(name, sentinel(name))


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
def test_exactly_the_declared_credentials(harbour, tool, schemes):
    request = harbour.call(tool).request
    assert folded(credentials(request)) == folded(expected(harbour, schemes))


def test_a_certificate_that_is_missing_or_no_file_is_told_without_its_path(harbour, monkeypatch):
    set_only(harbour, monkeypatch, tuple(PLACES))
    refused = harbour.call("byCertificate").refused
    assert any(name in refused for name in variables(harbour)["coastguard"])
    set_only(harbour, monkeypatch, ("coastguard",))
    assert "sentinel" not in harbour.call("byCertificate").refused


@pytest.mark.usefixtures("everything_set")
def test_a_key_is_no_argument_even_where_it_is_listed(harbour):
    assert set(harbour.arguments("keyAsParameter")) == {"ship"}
    assert "X-Office-Key" in harbour.call("keyAsParameter", {"X-Office-Key": "mine"}).refused


@pytest.mark.usefixtures("everything_set")
def test_no_credential_follows_a_redirect_to_another_host(harbour):
    with listening() as elsewhere:
        tools = ("byDefault", "byQueryKey", "byCookieKey", "byBearer")
        statuses = (301, 302, 303, 307, 308)
        for tool, status in {*product(tools[:1], statuses), *product(tools, statuses[-1:])}:
            target = f"http://localhost:{elsewhere.port}/x"
            call = harbour.call(tool, {}, Answer(b"", None, status, (("Location", target),)))
            assert call.result.is_error
            assert len(call.requests) == 1
        assert not elsewhere.seen


@pytest.mark.usefixtures("everything_set")
def test_an_error_never_tells_a_credential(harbour):
    for tool, schemes in OPERATIONS:
        said = json.dumps({"error": list(expected(harbour, schemes).values())})
        call = harbour.call(tool, {}, Answer(said.encode(), status=401))
        assert call.result.is_error
        for value in expected(harbour, schemes).values():
            assert value.partition(" ")[2] not in call.text or not value.partition(" ")[2]
    for tool in ("byDefault", "byQueryKey", "byBearer"):
        text = harbour.call(tool, {}, base_url="http://127.0.0.1:9", retries=0).text
        assert "sentinel" not in text


def test_the_environment_file_lists_every_credential(harbour):
    lines = (harbour.folder / ".env.example").read_text().splitlines()
    needed = {line.removesuffix("=") for line in lines if "=" in line}
    names = {name for found in variables(harbour).values() for name in found}
    assert needed == names
    assert "_BASE_URL` |  | " in (harbour.folder / "DEPLOY.md").read_text()
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
def test_the_documents_server_with_its_variables(harbour, monkeypatch):
    north = "https://north.api.harbour.example/v1/doors/office"
    assert visited(harbour, "byDefault") == north
    monkeypatch.setenv(server_variable(harbour, "quay"), "east")
    monkeypatch.setenv(server_variable(harbour, "version"), "v2")
    assert visited(harbour, "byDefault") == "https://east.api.harbour.example/v2/doors/office"
    monkeypatch.setenv(server_variable(harbour, "quay"), "")
    monkeypatch.setenv(server_variable(harbour, "version"), "")
    assert visited(harbour, "byDefault") == north


@pytest.mark.usefixtures("everything_set")
def test_a_server_variable_outside_its_enum_is_refused(harbour, monkeypatch):
    variable = server_variable(harbour, "quay")
    monkeypatch.setenv(variable, "evil.example/")
    assert variable in harbour.call("byDefault", base_url=None).refused


@pytest.mark.usefixtures("everything_set")
def test_servers_of_a_path_and_of_an_operation(harbour):
    files = "https://files.harbour.example/manifests/manifests"
    assert visited(harbour, "listManifests") == files
    upload = "https://eu.upload.harbour.example/manifests"
    assert visited(harbour, "sendManifest", {"ship": "Aurora"}) == upload


@pytest.mark.usefixtures("everything_set")
def test_a_credential_leaves_the_apis_own_hosts_only_with_leave(harbour):
    key = sentinel(variables(harbour)["office_key"][0])
    for tool, host, arguments in (
        ("listManifests", "files.harbour.example", {}),
        ("sendManifest", "eu.upload.harbour.example", {"ship": "Aurora"}),
    ):
        bare = sent(harbour, tool, arguments)
        assert "sentinel" not in str(bare.url) + str(bare.headers.raw)
        allowed = sent(harbour, tool, arguments, allow_hosts=(host,))
        assert allowed.headers["X-Office-Key"] == key
    assert sent(harbour, "byDefault").headers["X-Office-Key"] == key


@pytest.mark.usefixtures("everything_set")
def test_the_base_url_replaces_every_server(harbour):
    request = harbour.call("sendManifest", {"ship": "Aurora"}).request
    assert (request.method, request.target) == ("POST", "/manifests")


def test_what_a_server_and_its_tools_are_called(harbour):
    async def use(client):
        return client.server_info, client.instructions

    info, instructions = harbour.use(use)
    assert info.name == "harbour"
    assert info.title == "Harbour Office"
    assert info.version == "1.1.0"
    assert info.website_url == "https://harbour.example/docs"
    assert [icon.src for icon in info.icons] == ["https://harbour.example/logo.svg"]
    assert "Ask for a berth before a ship is announced." in instructions
    berth = harbour.tools["find_berth"]
    assert berth.title == "Find a berth"
    assert (berth.description or "").startswith("Free berths, the nearest first.")
    assert [icon.src for icon in berth.icons or ()] == ["https://harbour.example/berth.png"]
    ships = harbour.tools["list_ships"]
    assert (ships.description or "").startswith("Ships in the harbour.")
    announce = harbour.tools["announce_ship"]
    assert (announce.description or "").startswith("Announces a ship one day ahead.")
    assert not {"hiddenByPath", "forgetShips"} & set(harbour.tools)
    assert "shownAgain" in harbour.tools


def test_annotations(harbour):
    """Read-only, destructive, idempotent, open world: an extension never makes DELETE harmless."""
    for tool, *hints in (
        ("byDefault", True, False, True, True),
        ("find_berth", True, False, True, False),
        ("search_berths", True, False, True, False),
        ("clearBerths", False, True, True, False),
        ("announce_ship", False, True, False, True),
        ("checkShips", False, True, False, True),
        ("sendManifest", False, True, False, True),
    ):
        found = harbour.tools[tool].annotations
        told = [found.read_only_hint, found.destructive_hint]
        assert [*told, found.idempotent_hint, found.open_world_hint] == hints, tool
