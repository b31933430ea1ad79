"""Resources and prompts alike: their lists, the log, samples, and what is not filled in."""

from typing import Any

import anyio
import generated_tests
import pytest
from mcp import Client
from mcp_types import PromptReference

from .offered import ERAS, error_of, use
from .servers import SPECS, generate


@ERAS
def test_lists_have_pages_and_say_how_long_they_hold(almanac, era):
    async def all_pages(client):
        page = await client.list_resources()
        pages = [page.resources]
        while page.next_cursor is not None:
            page = await client.list_resources(cursor=page.next_cursor)
            pages.append(page.resources)
        return pages

    pages = use(almanac, era, all_pages, page_size=2)
    names = [[each.name for each in page] for page in pages]
    assert names == [["about", "seal"], ["rules", "today"], ["moon"]]
    assert pages[0][0].annotations.priority == 0.5
    templates = use(almanac, era, lambda client: client.list_resource_templates())
    assert [each.name for each in templates.resource_templates] == ["place", "note", "star"]
    prompts = use(almanac, era, lambda client: client.list_prompts())
    assert [each.name for each in prompts.prompts] == ["log-entry", "compare", "passage"]
    if era != "legacy":
        assert (templates.ttl_ms, prompts.cache_scope) == (300_000, "public")


@pytest.mark.filterwarnings("ignore:The logging capability")
def test_older_clients_choose_what_they_read_of_the_log(almanac):
    lines = []
    made = almanac.module("server").create_server()

    async def heard(params):
        lines.append(params.level)

    async def main():
        async with Client(made, mode="legacy", logging_callback=heard) as client:
            await client.read_resource("almanac://stars/a")
            await client.set_logging_level("warning")
            await client.read_resource("almanac://stars/b")

    anyio.run(main)
    assert lines == ["info"]


@ERAS
def test_without_an_api_requests_are_answered_from_samples(almanac, era):
    """`--mock`, for what reads a resource too."""
    transport = almanac.module("_runtime.app.once").MockTransport(almanac.package)
    made = almanac.module("server").create_server(transport=transport)

    async def main():
        async with Client(made, mode=era) as client:
            place = await client.read_resource("almanac://places/pier?year=2026")
            return place.contents[0], (await client.read_resource("almanac://today")).contents[0]

    place, today = anyio.run(main)
    assert (place.uri, place.mime_type) == ("almanac://places/pier?year=2026", "application/json")
    assert (today.uri, today.text) == ("almanac://today", '"answer-text"')


def test_what_was_not_filled_in_says_so(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("almanac") / "stubs"
    options = ("--package", "empty_almanac")
    spec = SPECS / "tools-resources.yaml"
    stubs = generate(spec, folder, upstream, *options, command="from-schema")
    error = error_of(stubs, "auto", lambda client: client.read_resource("almanac://moon"))
    assert "moon() in empty_almanac/resources.py" in error.message
    given = {"from-port": "x"}
    error = error_of(stubs, "auto", lambda client: client.get_prompt("passage", given))
    assert error.code == -32603
    assert "passage() in empty_almanac/prompts.py" in error.message
    runtime = {path.stem for path in (folder / "empty_almanac/_runtime").rglob("*.py")}
    assert {"resources", "prompts", "completion", "loglevels"} <= runtime
    done = generated_tests.run(folder)
    assert done.returncode == 0, done.stdout


def test_a_server_without_them_has_no_code_for_them(generated):
    plain = generated("bookshop.yaml")
    runtime = {path.stem for path in (plain.folder / plain.package / "_runtime").rglob("*.py")}
    assert not {"resources", "prompts", "completion", "static_content"} & runtime
    nothing = PromptReference(type="ref/prompt", name="x")
    for era in ("legacy", "2026-07-28"):
        declared = use(plain, era, _declared)
        assert (declared.resources, declared.prompts, declared.completions) == (None, None, None)
        for ask in (
            lambda client: client.list_resources(),
            lambda client: client.list_prompts(),
            lambda client: client.complete(nothing, {"name": "x", "value": ""}),
        ):
            assert error_of(plain, era, ask).code == -32601


async def _declared(client: Client) -> Any:
    return client.server_capabilities
