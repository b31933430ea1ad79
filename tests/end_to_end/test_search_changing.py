"""The search surface of a server whose tools change: what each caller is told of them."""

import json
from typing import Any

import fanning
import pytest
import searchable
from mcp import Client

from .servers import Server, of_document, packaged

SETTINGS = "list_changed = true\n"
PREFIX = "CHANGING_CLINIC"

clinic = of_document(
    searchable.document(), "--surface", "search", "--package", "changing_clinic", settings=SETTINGS
)


@pytest.fixture(autouse=True)
def signed_in(monkeypatch):
    monkeypatch.setenv(f"{PREFIX}_LOGIN_TOKEN", "t")


def listed(server: Server, **settings: Any) -> Any:
    async def use(client: Client) -> Any:
        return await client.list_tools()

    return server.use(use, surface="search", **settings)


def told(server: Server, **settings: Any) -> list[str]:
    """What is told of areas: in a description, in a list of them, and for one that is none."""
    calls = [server.call("find_tools", each, surface="search", **settings) for each in ({}, AREA)]
    return [listed(server, **settings).tools[0].description, *(call.text for call in calls)]


AREA = {"area": "Zoo"}
HIDDEN = ("listInvoices", "deletePet", "addVaccination")


def check(texts: list[str]) -> None:
    for text in texts:
        assert "Billing" not in text
        assert "Pets (4)" in text
        assert "Health (1)" in text


def test_areas_and_counts_are_those_of_tools_that_a_caller_may_use(clinic, monkeypatch):
    assert "Billing (1): invoices" in told(clinic)[0]
    assert "8 tools in all" in told(clinic)[0]
    hooks = clinic.module("hooks")
    monkeypatch.setattr(hooks, "may_use", lambda tool, headers: tool not in HIDDEN, raising=False)
    texts = told(clinic)
    check(texts)
    assert "5 tools in all" in texts[0]
    assert listed(clinic).cache_scope == "private"
    said = clinic.call("find_tools", {"area": "Billing"}, surface="search").refused
    assert "There is no area `Billing`" in said
    check([said.removeprefix("There is no area `Billing`")])


def test_tools_that_are_switched_off_are_not_counted(clinic, tmp_path):
    file = tmp_path / "off.toml"
    file.write_text(f"disabled = {json.dumps(HIDDEN)}\n")
    check(told(clinic, tools_file=str(file)))


def test_what_an_area_is_about_is_told_where_all_of_it_may_be_used(clinic, monkeypatch):
    assert "Health (2): vaccinations" in told(clinic)[0]
    hooks = clinic.module("hooks")
    hidden = "listVaccinations"
    monkeypatch.setattr(hooks, "may_use", lambda tool, headers: tool != hidden, raising=False)
    assert "vaccinations" not in told(clinic)[0]


@pytest.mark.parametrize("source", ["document", "tool file", "gateway"])
def test_schemas_that_fan_out_stop_nobody(upstream, tmp_path, source):
    """Finding, describing and refusing a call look at so many schemas and no more."""
    document = fanning.tool_file("lists") if source == "tool file" else fanning.document("lists")
    settings, package = SETTINGS, f"fans_{source.replace(' ', '_')}"
    if source == "gateway":
        (tmp_path / "clinic.json").write_text(json.dumps(searchable.document()))
        settings += '[[with]]\nsource = "../clinic.json"\n'
    options = ("--surface", "search", "--package", package)
    server = packaged(document, tmp_path, upstream, *options, settings=settings)
    signatures = server.module("_runtime.parts.search.signatures")
    looked = 0
    whole = signatures.Signature.whole

    def counted(self, *given):
        nonlocal looked
        looked += 1
        return whole(self, *given)

    signatures.Signature.whole = counted
    try:
        assert "fan(" in server.call("find_tools", {"query": "fan"}, surface="search").text
        described = server.call("describe_tools", {"names": ["fan"]}, surface="search").text
        wrong = {"name": "fan", "arguments": {"a": 5, "number": "x"}}
        refused = server.call("call_write_tool", wrong, surface="search").refused
        assert server.call("fan", wrong["arguments"]).refused
    finally:
        signatures.Signature.whole = whole
    assert "…" in described
    assert "`a` must be an array" in refused
    assert looked < 20 * signatures._MAX_STEPS
