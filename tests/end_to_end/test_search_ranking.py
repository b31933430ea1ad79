"""Which tool the search surface finds first, and what its line says."""

import re

from tables import table

from .servers import Server, of_document

records = of_document("music-records", "--surface", "search")


def find(server: Server, query: str) -> list[str]:
    """The lines that a query finds, below the one above them."""
    text: str = server.call("find_tools", {"query": query}, surface="search").text
    return text.partition("\n\n")[0].splitlines()[1:]


def names(lines: list[str]) -> list[str]:
    return [line.partition("(")[0] for line in lines]


@table(
    "query, expected",
    ("search artist", "search"),
    ("create a release", "addRelease"),
    ("tours of an artist", "artistTours"),
    ("stock valuation", "startJob"),
    ("close an order", "orderClose"),
)
def test_the_right_tool_comes_first(records, query, expected):
    assert names(find(records, query))[0] == expected


@table(
    "query, is_weak",
    ("search artist", False),
    ("artist tours", False),
    ("artist tours xylophone", False),
    ("order weather forecast moon", True),
)
def test_a_match_is_weak_where_most_words_are_not_in_it(records, query, is_weak):
    text = records.call("find_tools", {"query": query}, surface="search").text
    assert text.startswith("No tool has all these words; nearest:\n") == is_weak
    assert "order" in text or not is_weak


def test_lines_and_examples_of_their_own(records):
    lines = find(records, "order album artist")
    arguments = {line.partition("(")[0]: line.partition("(")[2] for line in lines}
    assert arguments["search"].startswith("q?, pretty?, dryRun?)")
    assert arguments["orderClose"].startswith("id: string, pretty?: string, dryRun?: string)")

    async def use(client):
        return [tool.description or "" for tool in (await client.list_tools()).tools]

    finding, *_ = records.use(use, surface="search")
    assert "such as `Search the shop` or `Create a release`; another" in finding
    line = next(each for each in find(records, "close order") if each.startswith("closeOrder("))
    assert line.endswith("[write, deprecated]")
    lines = find(records, "get details")
    assert [line.partition(" - ")[2] for line in lines[:2]] == [
        "Get details [read]",
        "Get details (seasons) [read]",
    ]
    arguments = {"name": "pulls_mergee"}
    text = records.call("call_write_tool", arguments, surface="search").refused
    nearest = re.search(r"The nearest: (\w+), ", text)
    assert nearest[1] == "pulls_merge"
