"""`mcpgen diff` of what servers offer beside their tools: prompts and resources."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run

GONE = object()
OFFERS: dict[str, Any] = {
    "server": {"name": "rosegarden"},
    "tools": [{"name": "dig", "description": "Dig.", "inputSchema": {"type": "object"}}],
    "prompts": [
        {
            "name": "plan",
            "description": "Plan a bed.",
            "arguments": [{"name": "bed", "required": True}, {"name": "season"}],
            "text": "{bed} {season}",
        },
        {"name": "greet", "text": "Hello."},
    ],
    "resources": [
        {"uri": "roses://about", "name": "about", "mimeType": "text/plain", "text": "Roses."}
    ],
    "resourceTemplates": [
        {"uriTemplate": "roses://beds/{bed}{?year}", "name": "bed", "text": "{bed} {year}"}
    ],
}
PLAN, ABOUT, BED = "prompts 0 ", "resources 0 ", "resourceTemplates 0 "

CHANGES: list[tuple[str, Any, set[str]]] = [
    ("prompts 0", GONE, {"breaking prompt-removed plan"}),
    ("prompts", [], {f"breaking prompt-removed {n}" for n in ("plan", "greet")}),
    ("prompts 2", {"name": "end", "text": "Bye."}, {"harmless prompt-added end"}),
    (PLAN + "name", "plan-bed", {"breaking prompt-renamed plan"}),
    ("prompts 1 name", "hail", {"breaking prompt-removed greet", "harmless prompt-added hail"}),
    (PLAN + "description", "Plan it.", {"risky description-changed plan"}),
    (PLAN + "title", "Plan", {"harmless title-changed plan"}),
    (PLAN + "_meta", {"a": 1}, {"risky tool-changed plan"}),
    (PLAN + "text", "Make a plan: {bed} {season}", set()),
    (PLAN + "arguments 1", GONE, {"breaking argument-removed plan"}),
    (PLAN + "arguments 1 required", True, {"breaking argument-required plan"}),
    (PLAN + "arguments 0 required", False, {"harmless argument-optional plan"}),
    (PLAN + "arguments 2", {"name": "x"}, {"harmless argument-added plan"}),
    (PLAN + "arguments 2", {"name": "x", "required": True}, {"breaking argument-required plan"}),
    (PLAN + "arguments 0 description", "Which.", {"harmless argument-description-changed plan"}),
    (
        PLAN + "arguments",
        [{"name": "season"}, {"name": "bed", "required": True}],
        {"harmless order-changed plan"},
    ),
    ("resources 0", GONE, {"breaking resource-removed roses://about"}),
    (ABOUT + "uri", "roses://all", {"breaking resource-uri-changed roses://about"}),
    (ABOUT + "name", "all", {"harmless resource-renamed roses://about"}),
    (ABOUT + "mimeType", "text/html", {"risky resource-type-changed roses://about"}),
    (ABOUT + "description", "All.", {"risky description-changed roses://about"}),
    (
        "resources 1",
        {"uri": "roses://new", "name": "new", "text": "New."},
        {"harmless resource-added roses://new"},
    ),
    (
        BED + "uriTemplate",
        "roses://beds/{bed}/{year}",
        {"breaking resource-uri-changed roses://beds/{bed}{?year}"},
    ),
    (
        BED + "uriTemplate",
        "roses://beds/{bed}{?year,kind}",
        {"harmless resource-uri-widened roses://beds/{bed}{?year}"},
    ),
    (
        BED + "uriTemplate",
        "roses://beds/{bed}",
        {"breaking resource-uri-changed roses://beds/{bed}{?year}"},
    ),
]


def changed(path: str, value: Any) -> dict[str, Any]:
    whole = copy.deepcopy(OFFERS)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split())
    at: Any = whole
    for step in steps:
        at = at[step]
    if value is GONE:
        del at[last]
    elif isinstance(at, list) and last == len(at):
        at.append(value)
    else:
        at[last] = value
    return whole


def diff(old: str, new: str) -> set[str]:
    done = run("diff", old, new, "--json")
    assert done.exit_code == 0, done.output
    return {f"{c['risk']} {c['code']} {c['tool']}" for c in json.loads(done.stdout)["changes"]}


@pytest.mark.parametrize(("path", "value", "expected"), CHANGES)
def test_a_change_of_what_a_tool_file_offers(tmp_path, path, value, expected):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(OFFERS))
    new.write_text(json.dumps(changed(path, value)))
    assert diff(str(old), str(new)) == expected


def test_servers_are_compared_by_what_they_offer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    less = {key: OFFERS[key] for key in ("server", "tools")}
    for name, whole in (("more", OFFERS), ("less", less)):
        Path(f"{name}.json").write_text(json.dumps(whole))
        assert run("from-schema", f"{name}.json", "-o", name).exit_code == 0
        assert diff(f"{name}.json", name) == set()
    places = {"roses://about", "roses://beds/{bed}{?year}"}
    gone = {f"breaking resource-removed {place}" for place in places}
    gone |= {f"breaking prompt-removed {name}" for name in ("plan", "greet")}
    assert diff("more", "less") == gone
    assert {told.split()[1] for told in diff("less", "more")} == {"prompt-added", "resource-added"}


def test_what_the_settings_of_a_server_offer_is_no_change_of_its_document(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = {"200": {"description": "ok", "content": {"application/json": {}}}}
    operation = {"operationId": "list_roses", "summary": "Roses.", "responses": answer}
    info = {"title": "Rose Diff", "version": "1"}
    whole = {"openapi": "3.1.0", "info": info, "paths": {"/roses": {"get": operation}}}
    Path("api.json").write_text(json.dumps(whole))
    for name in ("old", "new"):
        assert run("from-openapi", "api.json", "-o", name).exit_code == 0
    with Path("new/mcpgen.toml").open("a") as settings:
        settings.write('\nresources = ["GET /roses"]\n')
    assert run("update", "new").exit_code == 0
    assert diff("api.json", "new") == diff("new", "api.json") == set()
    assert {told.split()[1] for told in diff("old", "new")} == {"resource-added"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("listed")
    (place / "tools.json").write_text(json.dumps(OFFERS))
    assert run("from-schema", f"{place}/tools.json", "-o", f"{place}/server").exit_code == 0
    return place / "server"


NO_LISTS = [
    ("prompts.json", {"prompts": [{"title": "Roses"}]}),
    ("prompts.json", {"prompts": [{"name": 1}]}),
    ("prompts.json", {"prompts": ["name"]}),
    ("prompts.json", {"prompts": [{"name": "plan", "arguments": ["bed"]}]}),
    ("prompts.json", {"prompts": [{"name": "plan", "arguments": {"bed": {}}}]}),
    ("prompts.json", {"prompts": {"plan": {}}}),
    ("prompts.json", [{"name": "plan"}]),
    ("resources.json", {"resources": [{"title": "Roses"}]}),
    ("resources.json", {"resources": [{"name": "about"}]}),
    ("resources.json", {"resources": [{"name": "about", "uri": None}]}),
    ("resources.json", {"resourceTemplates": ["name"]}),
]


@pytest.mark.parametrize(("file", "held"), NO_LISTS)
def test_a_server_whose_list_is_none_is_named(server, file, held):
    there = server / "rosegarden_mcp" / file
    before = there.read_bytes()
    there.write_text(json.dumps(held))
    done = run("diff", str(server), str(server.parent / "tools.json"))
    there.write_bytes(before)
    assert done.exit_code == 1
    assert f"server cannot be read: {file} lists something that is neither" in done.output
