"""Completion of arguments of prompts and of variables of resources."""

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from protocol.wire import CURRENT

from .offered import ERAS, error_of, use
from .servers import packaged

LOG = PromptReference(type="ref/prompt", name="log-entry")
STARS = ResourceTemplateReference(type="ref/resource", uri="almanac://stars/{name}")


@ERAS
def test_completion(almanac, era):
    def complete(ref, name, value, **given):
        argument = {"name": name, "value": value}
        call = lambda client: client.complete(ref, argument, context_arguments=given or None)  # noqa: E731
        return use(almanac, era, call).completion

    assert complete(LOG, "wind", "n").values == ["N 3", "NE 4"]
    assert complete(LOG, "wind", "4").values == ["NE 4"]
    assert complete(LOG, "ship", "x").values == []
    place = "almanac://places/{place}{?year}"
    places = ResourceTemplateReference(type="ref/resource", uri=place)
    assert complete(places, "place", "pier").values == ["North Pier", "South Pier"]
    found = complete(STARS, "name", "v", sky="n")
    assert (found.values[0], len(found.values)) == ("v-0-n", 100)
    assert (found.total, found.has_more) == (120, True)
    assert complete(STARS, "name", "the one").values == ["Polaris"]
    unknown = PromptReference(type="ref/prompt", name="nothing")
    argument = {"name": "x", "value": ""}
    error = error_of(almanac, era, lambda client: client.complete(unknown, argument))
    assert error.code == -32602


def test_completion_where_there_are_prompts_alone(upstream, tmp_path):
    prompt = {"name": "log", "arguments": [{"name": "wind"}], "text": "{wind}"}
    tool = {"name": "look", "inputSchema": {"type": "object"}, "http": "GET /look"}
    prompts = [{**prompt, "complete": {"wind": ["N 3", "S 2"]}}]
    file = {"server": {"name": "logs"}, "tools": [tool], "prompts": prompts}
    made = packaged(file, tmp_path, upstream)
    log = PromptReference(type="ref/prompt", name="log")
    argument = {"name": "wind", "value": "n"}
    found = use(made, CURRENT, lambda client: client.complete(log, argument))
    assert found.completion.values == ["N 3"]


def test_a_completion_asks_nobody_and_functions_are_limited(almanac):
    # The only result that the newest protocol has for it is values.
    for value in ("ask", "ask in a task"):
        argument = {"name": "name", "value": value}
        error = error_of(almanac, "2026-07-28", lambda c, a=argument: c.complete(STARS, a))
        assert error.code == -32603
        assert "cannot be asked" in error.message
        found = use(almanac, "legacy", lambda c, a=argument: c.complete(STARS, a))
        assert found.completion.values

    async def often(client):
        for _ in range(3):
            await client.complete(LOG, {"name": "wind", "value": "n"})
        await client.complete(STARS, {"name": "name", "value": "v"})
        await client.complete(STARS, {"name": "name", "value": "ve"})

    with pytest.raises(MCPError) as caught:
        use(almanac, "auto", often, calls_per_minute=1)
    assert caught.value.error.code == 429
