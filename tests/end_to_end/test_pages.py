"""Collections in pages: each of the five ways, and what ends a walk through them."""

import json
from typing import Any
from urllib.parse import parse_qs

import anyio
import httpx2
import pytest
from mcp import Client
from tables import table

from .servers import Server, of_document, packaged

RECORDS = [{"id": number, "text": "x" * 20} for number in range(1000)]
SIZE = 100


class Api:
    """Answers a page of the records, the way that the path names."""

    def __init__(self, **faults: Any) -> None:
        self.faults = faults
        self.asked: list[str] = []

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(str(request.url))
        await anyio.sleep(self.faults.get("delay", 0))
        if len(self.asked) > self.faults.get("after", 1000):
            return httpx2.Response(500, json={"message": "out of order"})
        query = {k: v[0] for k, v in parse_qs(request.url.query.decode()).items()}
        way = request.url.path.removeprefix("/")
        starts = {
            "cursor": int(query.get("cursor", "c0")[1:]),
            "offset": int(query.get("offset", "0")),
            "url": int(query.get("start", "0")),
            "named": int(query.get("page", "p0")[1:]) if way == "named" else 0,
            "none": 0,
        }
        start = starts[way] if way in starts else (int(query.get("page", "1")) - 1) * SIZE
        items = RECORDS[start : start + SIZE]
        end = start + SIZE if start + SIZE < len(RECORDS) else None
        return self._answer(way, items, end)

    def _answer(self, way: str, items: Any, end: int | None) -> httpx2.Response:
        if way == "link":
            page = (end or 0) // SIZE + 1
            link = f'<https://elsewhere.example/x?page={page}&other=1>; rel="next"'
            return httpx2.Response(200, json=items, headers={"Link": link} if end else {})
        more: dict[str, Any] = {}
        if way == "cursor":
            cursor = self.faults.get("cursor", f"c{end}" if end else None)
            more = {"next_cursor": cursor}
        if way == "named":
            more = {"next_page": f"p{end}" if end else None, "has_more": bool(end)}
        more |= self.faults.get("more", {})
        if way == "url":
            more = {"next": f"https://elsewhere.example/url?start={end}" if end else None}
        return httpx2.Response(200, json={"items": items, **more})


records = of_document("records", "--surface", "search", "--package", "records")


def call(server: Server, api: Api, name: str, pages: int, **more: Any) -> Any:
    names = ("max_result_bytes", "result_tokens", "timeout", "mode")
    settings = {"result_tokens": 20_000}
    settings |= {key: more.pop(key) for key in names if key in more}

    async def use(client: Client) -> Any:
        asked = {"name": name, "pages": pages, "as": "json", **more}
        return await client.call_tool("call_read_tool", asked)

    transport = httpx2.MockTransport(api)
    return server.use(use, transport, surface="search", **settings)


def items_of(result: Any) -> list[Any]:
    data = result.structured_content
    found: list[Any] = data.get("items", data.get("result"))
    return found


@table(
    "way, following",
    ("byCursor", {"cursor": "c300"}),
    ("byLink", {"page": 4}),
    ("byPage", {"page": 4}),
    ("byOffset", {"offset": 300}),
    ("byUrl", {"start": 300}),
    ("byNamedPage", {"page": "p300"}),
)
def test_pages_come_complete_and_in_order(records, way, following):
    """All of them, and as many as are asked for with how to go on."""
    api = Api()
    result = call(records, api, way, 50)
    assert not result.is_error, result.content
    assert items_of(result) == RECORDS
    told = result.structured_content["_pages"]
    assert (told["items"], told["more"]) == (1000, False)
    assert told["pages"] in (len(api.asked), len(api.asked) - 1)
    assert json.loads(result.content[0].text) == result.structured_content
    assert all(url.startswith(records.upstream.url) for url in api.asked)
    api = Api()
    result = call(records, api, way, 3)
    assert items_of(result) == RECORDS[:300]
    told = {"pages": 3, "items": 300, "more": True, "next": following}
    assert result.structured_content["_pages"] == told
    assert len(api.asked) == 3


@table(
    "way, more, said",
    ("byCursor", {}, 'There are more: `pages` joins them, or continue with arguments {"cursor":'),
    ("byPage", {}, 'There may be more: `pages` joins them, or continue with arguments {"page":2}'),
    ("byNothing", {"has_more": True}, "The API has more."),
    ("byNothing", {"has_more": False}, ""),
    ("byNothing", {}, ""),
)
def test_fields_do_not_hide_that_there_is_more(records, way, more, said):
    for mode in ("auto", "legacy"):
        _, *notes = texts(records, Api(more=more), way, 1, fields=["id"], mode=mode)
        assert len(notes) == bool(said)
        assert "".join(notes).startswith(said)


def test_fields_of_pages(records):
    result = call(records, Api(), "byCursor", 3, fields=["$.items[*].id"])
    assert items_of(result) == [{"id": number} for number in range(300)]
    assert result.structured_content["_pages"]["next"] == {"cursor": "c300"}
    arguments = {"each": [{}, {"cursor": "c900"}, {"cursor": "c100"}], "fields": ["id"]}
    (text,) = texts(records, Api(), "byCursor", 1, **arguments)
    assert text.splitlines()[-1] == "1, 3: There are more: call it by itself with `pages`."
    api = Api()
    (text, *_) = texts(records, api, "byPage", 1, fields=["nosuch"], arguments={"page": "x"})
    assert "The answer has no field `nosuch`" in text
    assert "`page` must be an integer" in text
    (text, *_) = texts(records, api, "byPage", 1, fields=["nosuch"])
    assert text.startswith("The answer has no field `nosuch`")
    assert not api.asked


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_tool_without_pages_answers_and_says_so(records, mode):
    api = Api()
    result = call(records, api, "byNothing", 2, mode=mode)
    assert items_of(result) == RECORDS[:100]
    said = "`pages` was left out: it is not known how byNothing pages."
    assert result.content[-1].text == said
    assert len(api.asked) == 1
    assert call(records, Api(), "byNothing", 51).is_error
    assert call(records, Api(), "byNothing", 0).is_error
    assert not call(records, Api(), "byNothing", 1).is_error


def test_which_tools_have_pages(records):
    found = records.call("describe_tools", {"names": ["byPage", "byNothing"]}, surface="search")
    with_pages, without = found.text.split("\n\n")
    assert "has pages" in with_pages
    assert "has pages" not in without
    rules = json.loads((records.folder / records.package / "pages.json").read_text())
    assert rules["byName"]["items"] == ["Orders"]


def test_the_settings_say_and_correct_how_a_tool_has_pages(upstream, tmp_path):
    settings = (
        'surface = "search"\n[tools.byNothing.pages]\nitems = "items"\noffset = "filter"\n'
        "[tools.byPage]\npages = {}\n"
    )
    options = ("--package", "said_records")
    server = packaged("records", tmp_path, upstream, *options, settings=settings)
    rules = json.loads((server.folder / server.package / "pages.json").read_text())
    assert rules["byNothing"]["offset"] == "filter"
    assert "byPage" not in rules


HIDDEN = "a\u202eb\x1b[31m\u009b31m\u200b\U000e0041\u00ad"


def test_joined_pages_are_escaped_as_one_is(records):
    async def answer(request):
        start = int(request.url.query.decode().removeprefix("cursor=c") or "0")
        more = {"next_cursor": f"c{start + 1}", "note": HIDDEN}
        return httpx2.Response(200, json={"items": [{"id": start, "text": HIDDEN}], **more})

    for pages in (1, 3):
        result = call(records, answer, "byCursor", pages)
        text = result.content[0].text
        assert text.isascii()
        assert text.isprintable()
        assert json.loads(text) == result.structured_content
        assert result.structured_content["items"][-1]["text"] == HIDDEN


discreet = of_document(
    "records",
    *("--surface", "search", "--package", "discreet_records"),
    settings="""[tools.byCursor]
redact = ["$.next_cursor"]
[tools.byUrl]
fields = ["$.items"]
[tools.byPage]
fields = ["$.items"]
redact = ["$.next"]
[tools.byOffset]
redact = ["$..id"]
""",
)
"""The server, where agents must not see where the next page is."""


@pytest.mark.parametrize("way", ["byCursor", "byUrl"])
def test_what_is_hidden_is_followed_and_not_told(discreet, way):
    api = Api()
    result = call(discreet, api, way, 3)
    assert items_of(result) == RECORDS[:300]
    assert result.structured_content["_pages"] == {"pages": 3, "items": 300, "more": True}
    assert "c300" not in result.content[0].text
    assert "300" not in result.content[0].text.rpartition("_pages")[2].replace('"items":300', "")
    failed = call(discreet, Api(after=2, cursor="c1"), way, 9).structured_content["_pages"]
    assert "next" not in failed
    assert failed["error"] == "the next page cannot be had"


def test_numbers_of_pages_are_the_callers_own(discreet):
    for way, following in (("byPage", {"page": 4}), ("byOffset", {"offset": 300})):
        result = call(discreet, Api(), way, 3)
        assert result.structured_content["_pages"]["next"] == following
    assert items_of(result)[0] == {"id": "[redacted]", "text": "x" * 20}


def texts(server: Server, api: Any, name: str, pages: int, **more: Any) -> list[str]:
    async def use(client: Client) -> Any:
        return await client.call_tool("call_read_tool", {"name": name, "pages": pages, **more})

    settings = {"mode": more.pop("mode", "auto"), "result_tokens": 5000}
    result = server.use(use, httpx2.MockTransport(api), surface="search", **settings)
    assert result.structured_content is None
    return [block.text for block in result.content]


def test_joined_pages_are_one_table_that_does_not_contradict_itself(records):
    """No cursor of a page stands beside the items of all."""
    for way in ("byCursor", "byUrl", "byPage"):
        table, line = texts(records, Api(), way, 50, fields=["$.items[*].id"])
        assert table == "\n".join(["items (1000 rows):", "id", *map(str, range(1000))])
        assert line.endswith("pages, all 1,000 items.")
    table, line = texts(records, Api(), "byCursor", 3)
    assert table.startswith("items (300 rows):\nid|text\n0|xxxx")
    assert line == '3 pages, 300 items; continue with arguments {"cursor": "c300"}.'
    (table, line, *_) = texts(records, Api(after=2), "byOffset", 9)
    assert "items (200 rows):" in table
    assert line.startswith('2 pages, 200 items; continue with arguments {"offset": 200}; stopped')


def test_what_ends_a_walk(records):
    api = Api(cursor="c100")
    told = call(records, api, "byCursor", 9).structured_content["_pages"]
    assert told["error"] == "the API names the same next page again"
    assert (told["pages"], len(api.asked)) == (2, 2)
    assert (told["more"], "next" in told) == (True, False)
    # Fields that are the same in all items make no page the same.
    for fields in ((), ("text",)):
        _, line = texts(records, Api(cursor="c0"), "byCursor", 9, fields=fields)
        assert line == "1 page, 100 items; stopped: page 2 repeats page 1."
    _, line = texts(records, Api(), "byCursor", 2, fields=["text"])
    assert line.startswith("2 pages, 200 items; continue with")
    api = Api(cursor=None, more={"has_more": True})
    for fields in ((), ("id",)):
        _, line = texts(records, api, "byCursor", 3, fields=fields)
        said = "stopped: the API says there are more but gives no cursor."
        assert line == f"1 page, 100 items; {said}"
    result = call(records, Api(after=2), "byOffset", 9)
    assert not result.is_error
    assert items_of(result) == RECORDS[:200]
    told = result.structured_content["_pages"]
    assert "500" in told["error"]
    assert (told["more"], told["next"]) == (True, {"offset": 200})
    result = call(records, Api(), "byPage", 9, max_result_bytes=34_000)
    told = result.structured_content["_pages"]
    assert told["error"] == "there is no room for more in one answer"
    assert (told["pages"], told["next"]) == (2, {"page": 3})
    api = Api(delay=0.4)
    result = call(records, api, "byPage", 9, timeout=1.0)
    told = result.structured_content["_pages"]
    assert told["error"] == "the time for one call is over"
    assert 1 < told["pages"] == len(api.asked) < 9
    assert told["next"] == {"page": told["pages"] + 1}

    async def use(client):
        arguments = {"name": "byPage", "pages": 9, "as": "json"}
        return await client.call_tool("call_read_tool", arguments)

    transport = httpx2.MockTransport(Api())
    limits = {"calls_per_minute_by_tool": (("byPage", 4),)}
    result = records.use(use, transport, surface="search", **limits)
    told = result.structured_content["_pages"]
    assert told["pages"] == 4
    assert "minute" in told["error"]
    # What is told can be gone on with: no page is cut in two.
    api = Api()
    table, line = texts(records, api, "byOffset", 50)
    assert line.startswith(
        '8 pages, 800 items; continue with arguments {"offset": 800}; stopped: there is'
    )
    assert len(api.asked) == 9
    assert 15_000 < len(table) <= 20_000
