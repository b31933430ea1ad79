"""Many calls of one tool in one: each counts as a call, and the answer says what became of each."""

import json
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from runtime.issuer import Issuer
from runtime.serving import asked

from .servers import Server, of_document
from .upstream import Answer


class Api:
    """Answers by what a part is called, and knows how many requests ran at a time."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.bodies: list[bytes] = []
        self.running = self.most = 0

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.running += 1
        self.most = max(self.most, self.running)
        for _ in range(5):
            await anyio.sleep(0)
        self.running -= 1
        self.asked.append(f"{request.method} {request.url.path}")
        self.bodies.append(request.content)
        _, _, sku, *more = request.url.path.split("/")
        if sku.startswith("gone"):
            return httpx2.Response(404, json={"detail": f"There is no {sku}.", "status": 404})
        if request.method == "DELETE":
            return httpx2.Response(204)
        if more == ["moves"]:
            count = int(sku[1:])
            return httpx2.Response(200, json=[{"id": n, "by": "ann"} for n in range(count)])
        if more == ["label"]:
            return httpx2.Response(200, content=b"<a>", headers={"Content-Type": "text/plain"})
        if more == ["copy"]:
            return httpx2.Response(200, json={"sku": sku}, headers={"ETag": f'"{sku}-v1"'})
        if more == ["count"]:
            count = 3 if sku == "a" else "three"
            return httpx2.Response(200, json={"free": count}, headers={"ETag": '"v1"'})
        note = "x" * 3000 if sku.startswith("long") else "ok"
        return httpx2.Response(200, json={"sku": sku, "stock": {"free": 1}, "note": note})


stock = of_document("stock", "--surface", "search", "--package", "each_stock")


@pytest.fixture(autouse=True)
def signed_in(monkeypatch):
    monkeypatch.setenv("EACH_STOCK_LOGIN_TOKEN", "t")


def call(server: Server, api: Api, tool: str, skus: Any, **more: Any) -> Any:
    settings = {key: more.pop(key) for key in [*more] if key.endswith(("_timeout", "_tokens"))}
    settings |= {key: more.pop(key) for key in [*more] if key.startswith("calls_")}
    each = [sku if isinstance(sku, dict) else {"sku": sku} for sku in skus]
    kind = {"set": "write", "dro": "delete"}.get(tool[:3], "read")
    told: list[Any] = more.pop("told", [])

    async def report(*progress: Any) -> None:
        told.append(progress[:2])

    async def use(client: Client) -> Any:
        arguments = {"name": tool, "each": each, **more}
        name = f"call_{kind}_tool"
        return await client.call_tool(name, arguments, progress_callback=report)

    return server.use(use, httpx2.MockTransport(api), surface="search", **settings)


def text(result: Any) -> str:
    assert result.structured_content is None
    return "\n".join(block.text for block in result.content)


def test_writes_end_at_an_error_and_wrong_calls_are_told(stock):
    skus = ["a", "b", "gone", "c", "d"]
    api = Api()
    found = text(call(stock, api, "setPart", skus, arguments={"count": 3}))
    assert api.asked == ["PUT /parts/a", "PUT /parts/b", "PUT /parts/gone"]
    assert api.most == 1
    assert api.bodies == [b'{"count":3}'] * 3
    assert found.endswith("3 of 5 calls were made: call 3 failed. Calls not made: 4 to 5.")
    api = Api()
    found = text(call(stock, api, "dropPart", skus, on_error="continue"))
    assert found.startswith("1 to 2, 4 to 5: The API answered 204 No Content.\n3: failed: The API")
    assert len(api.asked) == 5
    api = Api()
    each = [{"sku": "a"}, {"sku": "b", "size": 1}, {"sku": "c", "size": 1}, {"sku": "d"}]
    result = call(stock, api, "setPart", each, on_error="continue")
    found = text(result)
    assert found.count("setPart [write]") == 1
    assert "2 to 3: failed: Argument `size` is unknown" in found
    assert api.asked == ["PUT /parts/a", "PUT /parts/d"]
    assert call(stock, Api(), "getPart", [{"sku": "a"}] * 51).is_error
    assert call(stock, Api(), "getPart", []).is_error
    api = Api()

    async def use(client):
        arguments = {"name": "dropPart", "each": [{"sku": "a"}, {"sku": "b"}]}
        return await client.call_tool("call_write_tool", arguments)

    result = stock.use(use, httpx2.MockTransport(api), surface="search")
    assert text(result) == "dropPart is [delete]: call it with call_delete_tool. Nothing was done."
    assert not api.asked


def test_each_call_is_written_down_and_needs_the_scopes(stock, tmp_path):
    issuer = Issuer({"reader": ["stock:read"], "writer": ["stock:read", "stock:write"]})
    stock.upstream.answer, stock.upstream.seen = Answer(body=b'{"id": 7}'), []
    with stock.behind(issuer, surface="search", audit=str(tmp_path / "audit")) as base:
        for who, tool, name in (
            ("reader", "call_read_tool", "getPart"),
            ("reader", "call_write_tool", "setPart"),
            ("writer", "call_write_tool", "setPart"),
        ):
            arguments = {"name": name, "each": [{"sku": f"p{n}"} for n in range(7)]}
            token = issuer.token(who)
            params = {"name": tool, "arguments": arguments}
            asked(f"{base}/mcp", token, "tools/call", **params)
    lines = [json.loads(line) for line in (tmp_path / "audit").read_text().splitlines()]
    outcomes = [(line["tool"], line["outcome"], line["arguments"]) for line in lines]
    assert outcomes == [
        *[("getPart", "ok", ["sku"])] * 7,
        ("setPart", "forbidden", []),
        *[("setPart", "ok", ["sku"])] * 7,
    ]
    assert len(stock.upstream.seen) == 14


def test_budget_time_and_limits_are_those_of_all_together(stock):
    api = Api()
    skus = [f"long{n}" for n in range(50)]
    result = call(stock, api, "setPart", skus, result_tokens=2500)
    found = text(result)
    assert len(found) <= 10_000
    assert "4: done; its answer had no room\n4 of 50 calls were made: there is no room" in found
    assert found.endswith("Calls not made: 5 to 50.")
    assert len(api.asked) == 4
    api = Api()
    result = call(stock, api, "getPart", ["a", "b", "c"], each_timeout=1e-9)
    assert result.is_error
    assert text(result) == (
        "0 of 3 calls were made: the time for one call is over. Calls not made: 1 to 3."
    )
    assert not api.asked
    api = Api()
    skus = [f"a{n}" for n in range(9)]
    result = call(stock, api, "getPart", skus, calls_per_minute_by_tool=(("getPart", 4),))
    found = text(result)
    assert "4 of 9 calls were made: This server accepts 4 calls a minute of `getPart`" in found
    assert found.endswith("Calls not made: 5 to 9.")
    assert len(api.asked) == 4
    api = Api()
    assert len(text(call(stock, api, "getPart", skus, calls_at_once=2)).split("\n")) == 10
    assert api.most == 2

    class Verbose(Api):
        async def __call__(self, request):
            await super().__call__(request)
            return httpx2.Response(409, json={"detail": f"{request.url.path} {'y' * 3000}"})

    api = Verbose()
    result = call(stock, api, "setPart", "abcdefghij", on_error="continue", result_tokens=2500)
    assert len(text(result)) <= 10_000
    assert "4: failed: there was no room for the reason" in text(result)
    assert text(result).endswith("Calls not made: 5 to 10.")
    assert len(api.asked) == 4


def test_reads_are_one_table(stock):
    api, told = Api(), []
    result = call(stock, api, "getPart", [f"a{n}" for n in range(20)], told=told)
    head, *rows = text(result).split("\n")
    assert head == "#|sku|stock.free|note"
    assert rows == [f"{n + 1}|a{n}|1|ok" for n in range(20)]
    assert len(api.asked) == 20
    assert api.most == 5
    assert told == [(n + 1, 20) for n in range(20)]
    assert text(call(stock, Api(), "getPart", ["a"], fields=["$.note"])) == "#|note\n1|ok"
    found = text(call(stock, Api(), "listMoves", ["m2", "gone1", "m0", "m1", "m0", "gone1"]))
    assert found == (
        "#|id|by\n1|0|ann\n1|1|ann\n4|0|ann\n"
        "2, 6: failed: The API answered 404 Not Found. It says: There is no gone1. Retrying will "
        "not help: nothing is there for these arguments.\n"
        "3, 5: 0 results"
    )
    assert text(call(stock, Api(), "getLabel", ["a", "b"])).startswith("1 to 2: <a> The call")
    failed = call(stock, Api(), "getPart", ["gone1", "gone2"])
    assert failed.is_error
    assert text(failed).count("failed") == 2
    found = text(call(stock, Api(), "getCopy", ["a", "b", "c"]))
    assert found == ('#|sku|_headers.ETag\n1|a|"\\"a-v1\\""\n2|b|"\\"b-v1\\""\n3|c|"\\"c-v1\\""')
    found = text(call(stock, Api(), "getCount", ["a", "b", "c"]))
    assert found == (
        '#|free|_headers.ETag\n1|3|"\\"v1\\""\n2|three|"\\"v1\\""\n3|three|"\\"v1\\""\n'
        "2 to 3: The call succeeded, but the API's answer is not as its document says: "
        '`free` must be an integer, and is the string "three".'
    )
    result = call(stock, Api(), "getCount", ["a", "b"], **{"as": "json"})
    first, second = result.structured_content["results"]
    assert "note" not in first
    assert second["note"].startswith("The call succeeded, but")
    result = call(stock, Api(), "setPart", ["a", "gone", "b"], **{"as": "json"})
    data = result.structured_content
    assert json.loads(result.content[0].text) == data
    assert data["results"][0] == {
        "call": 1,
        "answer": {"sku": "a", "stock": {"free": 1}, "note": "ok"},
    }
    assert data["results"][1]["error"].startswith("The API answered 404")
    assert (data["stopped"], data["not_made"]) == ("call 2 failed", [3])

    async def use(client):
        arguments = {"name": "getPart", "each": [{"sku": "a"}, {"sku": "b"}], "as": "json"}
        return await client.call_tool("call_read_tool", arguments)

    transport = httpx2.MockTransport(Api())
    result = stock.use(use, transport, surface="search", result_text="summary")
    assert len(result.structured_content["results"]) == 2
    assert result.content[0].text.startswith("The answer is the structured content: ")
