"""The search surface: tools are found, read and called through five."""

import json
from pathlib import Path
from typing import Any

import pytest
import searchable
from command_line import run
from mcp import Client
from mcp.shared.exceptions import MCPError
from tables import listed, table

from mcpgen.catalogue.tools_json import tokens_in

from .servers import Call, Server, packaged
from .upstream import Answer, Upstream

OWN = ["find_tools", "describe_tools", "call_read_tool", "call_write_tool", "call_delete_tool"]
PETS = {"items": [{"id": 1, "name": "Rex", "owner": {"email": "a@b.example", "city": "Bern"}}]}


@pytest.fixture(autouse=True)
def signed_in(monkeypatch):
    for name in ("", "TUNED_", "DAMAGED_"):
        monkeypatch.setenv(f"{name}CLINIC_LOGIN_TOKEN", "t")


@pytest.fixture(scope="module")
def clinic(upstream, tmp_path_factory):
    return make(tmp_path_factory.mktemp("clinic"), upstream, "")


def make(folder: Path, upstream: Upstream, settings: str, *options: str) -> Server:
    options = ("--surface", "search", *options)
    return packaged(searchable.document(), folder, upstream, *options, settings=settings)


def search(server: Server, tool: str, answer: Answer | None = None, **arguments: Any) -> Call:
    return server.call(tool, arguments, answer, surface="search")


def names(server: Server, **settings: Any) -> list[str]:
    async def use(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    found: list[str] = server.use(use, **settings)
    return found


def refusal(server: Server, method: str, *arguments: Any, **settings: Any) -> str:
    """The JSON-RPC error that a client's method raises."""

    async def use(client: Client) -> str:
        try:
            await getattr(client, method)(*arguments)
        except MCPError as problem:
            return problem.error.message
        return ""

    found: str = server.use(use, **settings)
    return found


def of_json(value: Any) -> Answer:
    return Answer(body=json.dumps(value).encode())


@table(
    "arguments, expected",
    ({}, ["Pets (5)", "Health (2)", "Billing (1): invoices"]),
    ({"area": "health"}, ["listVaccinations(", "addVaccination("]),
    ({"area": "Pets", "effect": "write", "limit": 2}, ["createPet(", '1 more: cursor "2"']),
    ({"area": "Pets", "effect": "write", "limit": 2, "cursor": "2"}, ["deletePet("]),
    ({"area": "Pets", "effect": "delete"}, ["1 tools:\ndeletePet("]),
    ({"area": "Pets", "cursor": "99"}, ["There is nothing more."]),
    ({"query": "the of"}, ["No tool has these words.", "Pets (5)"]),
    ({"query": "寵物"}, ["No tool has these words.", "Pets (5)"]),
    ({"query": "pet " * 2500}, ["listPets("]),
    ({"query": "weather forecast for a pet"}, ["No tool has all these words; nearest:", "getPet("]),
)
def test_finding_helps(clinic, arguments, expected):
    found = search(clinic, "find_tools", **arguments)
    assert not found.result.is_error
    assert all(part in found.text for part in expected), found.text
    assert tokens_in(found.text) <= 1000


@listed("tool, arguments, expected", __file__, "what is wrong is told and nothing is sent")
def test_what_is_wrong_is_told_and_nothing_is_sent(clinic, tool, arguments, expected):
    assert expected in search(clinic, tool, **arguments).refused


def test_finding_and_describing(clinic):
    found = search(clinic, "find_tools", query="list pets")
    assert found.result.structured_content is None
    head, first, *_ = found.text.splitlines()
    assert head == "Tools, the best match first:"
    assert first == "listPets(…) - List the pets [read]"  # its definition came along
    found = search(clinic, "find_tools", area="Health")
    assert "addVaccination(petId: integer) - Record a shot [write]" in found.text.splitlines()
    assert not found.requests
    text = search(clinic, "find_tools", query="remove pet").text
    assert "deletePet [delete]" in text.split("\n\n")[1]
    text = search(clinic, "call_read_tool", name="petz").refused
    assert len(text.split("nearest: ")[1].split(", ")) == 5
    text = search(clinic, "describe_tools", names=["createPet", "listPets", "nope"]).text
    create, listing, unknown = text.split("\n\n")
    assert create.splitlines()[0] == "createPet [write]"
    assert "name: string  // at most 20 characters" in create
    assert 'kind: "cat"' in create
    assert 'kind: "dog"' in create
    assert "lives?: integer  // 1 to 9" in create
    assert "limit?: integer  // How many.; 1 to 50; default 10" in listing
    assert 'sort?: "name" | "age"' in listing
    assert "answers {items: [{id, name, owner: {email, city}}]}" in listing
    assert unknown.startswith("nope: there is no such tool. The nearest: ")
    part = search(clinic, "describe_tools", names=["createPet"], path="animal.lives").text
    assert part == "animal.lives: integer  // 1 to 9"
    text = search(clinic, "describe_tools", names=["getPet"], schema=True).text
    assert json.loads(text.removeprefix("getPet: "))["inputSchema"]["required"] == ["petId"]


def test_a_call_through_a_calling_tool_is_the_call_of_the_tool(clinic):
    straight = clinic.call("getPet", {"petId": 7}, of_json({"id": 7}))
    for surface in ("search", "tools"):
        assert clinic.call("getPet", {"petId": 7}, of_json({"id": 7}), surface=surface).data
    through = search(
        clinic,
        "call_read_tool",
        of_json({"id": 7}),
        name="getPet",
        arguments={"petId": 7},
        **{"as": "json"},
    )
    assert through.request.raw == straight.request.raw
    assert through.result == straight.result
    body = {"name": "Rex", "animal": {"kind": "dog"}}
    straight = clinic.call("createPet", body)
    through = search(clinic, "call_write_tool", name="createPet", arguments=body)
    assert through.request.raw == straight.request.raw


@pytest.fixture(scope="module")
def tuned(upstream, tmp_path_factory):
    """The server with a prefix, a pinned tool, and a field that agents must not see."""
    settings = (
        '[search]\nprefix = "vet_"\n'
        '[tools.getPet]\npinned = true\nkeywords = ["animal", "beast"]\n'
        '[tools.listPets]\nredact = ["$.items[*].owner.email"]\n'
    )
    folder = tmp_path_factory.mktemp("tuned")
    return make(folder, upstream, settings, "--package", "tuned_clinic")


def test_what_the_settings_hide_and_pin(tuned):
    for fields in ({}, {"fields": ["$.items[*].owner.email"]}):
        asked = {"name": "listPets", "as": "json", **fields}
        call = search(tuned, "vet_call_read_tool", of_json(PETS), **asked)
        assert "a@b.example" not in call.text
        assert call.data["items"][0]["owner"]["email"] == "[redacted]"
    assert names(tuned, surface="search") == [*(f"vet_{name}" for name in OWN), "getPet"]
    assert "listPets(" in search(tuned, "vet_find_tools", query="pets").text
    refused = search(tuned, "vet_call_read_tool", name="deletePet").refused
    assert "call it with vet_call_delete_tool" in refused
    unknown = refusal(tuned, "call_tool", "find_tools", {}, surface="search")
    assert unknown == "Unknown tool: find_tools"
    told = {
        "io.modelcontextprotocol/groups": ["pets"],
        "anthropic/alwaysLoad": True,
        "anthropic/searchHint": "animal beast",
    }
    assert tuned.tools["getPet"].meta == told
    assert tuned.tools["listPets"].meta == {"io.modelcontextprotocol/groups": ["pets"]}

    async def use(client):
        return [tool.meta for tool in (await client.list_tools()).tools]

    always = {"anthropic/alwaysLoad": True}
    assert tuned.use(use, surface="search") == [*[always] * 5, told]


def test_either_surface_is_listed_with_true_hints(clinic):
    assert names(clinic, surface="search") == OWN
    assert names(clinic)[:2] == ["listPets", "createPet"]
    assert len(names(clinic)) == 8

    async def use(client):
        return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}

    hints = clinic.use(use, surface="search")
    assert [hints[name].read_only_hint for name in OWN] == [True, True, True, False, False]
    assert [hints[name].open_world_hint for name in OWN] == [False, False, True, True, True]
    assert hints["call_write_tool"].destructive_hint is True
    assert hints["call_delete_tool"].destructive_hint is True

    async def use(client):
        return client.instructions

    said = clinic.use(use, surface="search")
    assert said.startswith("Cares for animals.")
    assert all(name in said[:512] for name in OWN)
    assert said.count("Cares for animals") == 1
    assert "find_tools" not in (clinic.use(use) or "")
    assert refusal(clinic, "call_tool", "find_tools", {}) == "Unknown tool: find_tools"


def test_a_server_that_only_reads_has_no_tool_that_writes(upstream, tmp_path):
    server = make(tmp_path, upstream, "", "--read-only", "--package", "reading_clinic")
    assert names(server, surface="search") == OWN[:3]


def test_without_its_index_the_tools_surface_still_works(upstream, tmp_path):
    server = make(tmp_path, upstream, "", "--package", "damaged_clinic")
    index = server.folder / server.package / "search.json"
    for damage in (index.unlink, lambda: index.write_text("{")):
        damage()
        assert len(names(server)) == 8
        assert server.call("getPet", {"petId": 7}).request.target == "/pets/7"
        assert names(server, surface="search") == OWN
        assert "mcpgen update" in search(server, "find_tools", query="pets").refused
        assert server.call("getPet", {"petId": 8}, surface="search").request.target == "/pets/8"


def test_a_surface_that_was_not_generated_is_refused(upstream, tmp_path):
    options = ("--surface", "tools", "--package", "plain_clinic")
    server = packaged(searchable.document(), tmp_path, upstream, *options)
    with pytest.raises(Exception, match="this server cannot do that: generate it"):
        names(server, surface="search")


def told(server: Server, answer: Any, **more: Any) -> list[str]:
    """The texts of a call, which has no other copy of the answer."""
    call = search(server, "call_read_tool", of_json(answer), name="listPets", **more)
    assert call.result.structured_content is None
    assert not call.result.is_error
    return call.texts


def test_an_update_tells_once_of_a_tool_that_clients_list_now(upstream, tmp_path):
    server = make(tmp_path, upstream, "", "--package", "allowed_clinic")
    path = server.folder / "mcpgen.lock"
    lock = json.loads(path.read_text())
    assert lock.pop("own_tools") == OWN
    path.write_text(json.dumps({**lock, "mcpgen": "0.0.1"}, indent=2))
    first, second = (run("update", str(server.folder)).output for _ in range(2))
    assert "clients now list `call_delete_tool` too" in " ".join(first.split())
    assert "call_delete_tool" not in second


def test_answers_as_tables_and_fields(clinic):
    rex, tom = PETS["items"][0], {"id": 2, "name": "Tom|2", "owner": None}
    assert told(clinic, {"items": [rex, tom, {"id": 3, "name": "3"}], "total": 3})[:1] == [
        '{"total":3}\n'
        "items (3 rows):\n"
        "id|name|owner|owner.email|owner.city\n"
        "1|Rex||a@b.example|Bern\n"
        '2|"Tom|2"|null||\n'
        '3|"3"|||'
    ]
    names = told(clinic, {"items": [rex] * 3}, fields=["$.items[*].name"])
    assert names == ["items (3 rows):\nname\nRex\nRex\nRex"]
    assert told(clinic, {"id": 7, "tags": ["a", "b"]}) == ['{"id":7,"tags":["a","b"]}']
    asked = {"arguments": {"sort": "age", "limit": 5}}
    assert told(clinic, {"items": []}, **asked) == [
        '{"items":[]}\n0 results for sort=age, limit=5.'
    ]
    assert told(clinic, [])[0] == "0 results."
    body = {"name": "createPet", "arguments": {"name": "Rex", "animal": {"kind": "dog"}}}
    made = Answer(status=201, body=b"{}")
    assert search(clinic, "call_write_tool", made, **body).texts[0] == "Done: 201."
    pets = {"items": [{"id": n, "name": "x" * 90, "owner": {"city": "Bern"}} for n in range(900)]}
    text, note = told(clinic, pets)
    rows = text.count("\n") - 1
    assert 39_800 < len(text) <= 40_000
    assert text.startswith(f"items ({rows} rows):")
    assert note == (
        f"Shown: {rows} of 900 items (all: about 22,481 tokens). "
        'Set `fields`, such as ["id","name"] or filter by limit.'
    )
    answer = {"items": [PETS["items"][0]] * 3}
    for field in ("owner.city", "$.items[*].owner.city", "items[].owner.city", "city", "data.city"):
        texts = told(clinic, answer, fields=[field, "name"])
        assert texts == ["items (3 rows):\nname|owner.city" + "\nRex|Bern" * 3]
    assert told(clinic, {"items": [{"id": 7}]}, fields=["city"]) == [
        '{"items":[{}]}',
        "This answer has none of these fields. It has {items: [{id}]}.",
    ]


def test_calls_and_their_errors(clinic):
    call = search(clinic, "call_read_tool", name="getPet", arguments='{"petId": 7}')
    assert call.request.target == "/pets/7"
    text = search(clinic, "call_read_tool", name="getPet", arguments={"key": "x"}).refused
    assert "`key` is unknown" in text
    assert "getPet [read]" in text
    assert "petId: integer" in text
    gone = Answer(status=404, body=b"{}")
    call = search(clinic, "call_read_tool", gone, name="getPet", arguments={"petId": 7})
    assert "404" in call.failed
    assert "[read]" not in call.failed
    call = search(
        clinic,
        "call_read_tool",
        of_json(PETS),
        name="listPets",
        fields=["$.items[*].owner.city"],
        **{"as": "json"},
    )
    assert call.data == {"items": [{"owner": {"city": "Bern"}}]}
    assert len(call.texts) == 1
    answer = of_json({"id": 7})
    call = clinic.call("getPet", {"petId": 7}, answer, result_text="summary")
    assert call.result.structured_content == {"id": 7}
    assert call.texts == ["The answer is the structured content: 8 bytes of JSON."]
    assert clinic.call("getPet", {"petId": 7}, answer).texts == ['{"id":7}']
    failed = clinic.call("getPet", {"petId": 7}, Answer(status=404), result_text="summary")
    assert "404" in failed.text
    # What can only be meant one way is taken so.
    beside = search(clinic, "call_read_tool", name="getPet", petId=7)
    assert beside.request.target == "/pets/7"
    own = {"arguments": {"limit": 3}, "sort": "age"}
    assert search(clinic, "call_read_tool", name="listPets", **own).request.target == (
        "/pets?limit=3&sort=age"
    )
    assert "petID" in search(clinic, "call_read_tool", name="getPet", petID=7).refused
    wrong = {"name": "listPets", "arguments": {"sort": "nme"}}
    assert search(clinic, "call_read_tool", **wrong).texts == [
        'Argument `sort` must be one of "name", "age", and is the string "nme"; '
        'did you mean "name"?'
    ]
    # Of what else is wrong, the part of the signature.
    of_type = {"name": "getPet", "arguments": {"petId": "x"}}
    assert search(clinic, "call_read_tool", **of_type).texts == [
        'Argument `petId` must be an integer, and is the string "x".'
    ]
    of_part = {"name": "createPet", "arguments": {"name": "Rex", "animal": {}}}
    told, part = search(clinic, "call_write_tool", **of_part).texts
    assert "animal" in told
    assert part.startswith("animal")
    assert "createPet" not in part


def test_the_command_line_shows_what_an_agent_reads(clinic, capsys, monkeypatch):
    pets = {"items": [{"id": n, "name": "Rex", "owner": None} for n in range(3)]}
    monkeypatch.setenv("CLINIC_BASE_URL", clinic.upstream.url)
    clinic.upstream.answer = of_json(pets)
    call = ["--call", "listPets"]
    main = clinic.module("server").APP.main
    assert main(call) == 0
    assert capsys.readouterr().out.startswith("items (3 rows):\nid|name|owner\n0|Rex|null\n")
    assert main([*call, "--surface", "tools"]) == 0
    assert json.loads(capsys.readouterr().out.partition("\n}\n")[0] + "}") == pets
    asked = json.dumps({"name": "listPets", "fields": ["name"]})
    assert main(["--call", "call_read_tool", "--arguments", asked]) == 0
    assert capsys.readouterr().out.startswith("items (3 rows):\nname\nRex\n")
    assert main(["--call", "getPet", "--arguments", '{"key": "x"}']) == 1
    assert "getPet [read]" in capsys.readouterr().out
