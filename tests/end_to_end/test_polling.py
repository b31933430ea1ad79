"""Operations that the API accepts (202) and finishes later."""

import json
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp_types import CallToolResult
from tables import table

from .following import task_of
from .servers import Server, of_document

AT_ONCE = {"Retry-After": "0"}
ACCEPTED = {**AT_ONCE, "Operation-Location": "/v1/ops/7?v=2"}
exports = of_document("exports")


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    monkeypatch.setenv("EXPORTS_KEY", "k-1234567890")


class Script:
    """An API that gives one answer after the other, and writes down what it was asked."""

    def __init__(self, *answers: httpx2.Response | httpx2.HTTPError) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []
        self.keys: set[str | None] = set()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        target = request.extensions.get("target", request.url.raw_path).decode()
        self.asked.append(f"{request.method} {request.url.host} {target}")
        self.keys.add(request.headers.get("x-key"))
        answer = self._answers.pop(0)
        if isinstance(answer, httpx2.HTTPError):
            raise answer
        return answer


def answer(status: int, body: Any = None, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, json=body, headers={**AT_ONCE, **named})


def call(
    server: Server, tool: str, api: Script, **settings: Any
) -> tuple[CallToolResult, list[Any]]:
    """The result of a call, and what progress was reported on the way."""
    heard: list[Any] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, total, message))

    async def use(client: Client) -> CallToolResult:
        return await client.call_tool(tool, {"what": "books"}, progress_callback=hear)

    transport = httpx2.MockTransport(api)
    found = server.use(use, transport=transport, base_url=None, **settings)
    return found, heard


def test_it_is_followed_to_its_end_with_progress(exports):
    api = Script(
        httpx2.Response(202, json={"id": 7}, headers=ACCEPTED),
        answer(200, {"status": "In Progress", "percentComplete": 40}),
        answer(202, {"status": "running"}),
        answer(202, {"status": "running", "percentComplete": 70}),
        answer(200, {"status": "Succeeded", "rows": 3}),
    )
    result, heard = call(exports, "usual", api)
    assert result.structured_content == {"status": "Succeeded", "rows": 3}
    assert len(result.content) == 1
    host = "api.example"
    assert api.asked == [f"POST {host} /v1/exports", *[f"GET {host} /v1/ops/7?v=2"] * 4]
    assert api.keys == {"k-1234567890"}
    assert heard == [(40.0, 100.0, "In Progress"), (70.0, 100.0, "running")]


@table(
    "text, said", ("0.12345678901234567890", "more digits"), ('{"a": 1, "a": 2}', "repeats a key")
)
def test_what_a_result_that_is_read_out_of_the_answer_loses_is_said(exports, text, said):
    last = httpx2.Response(200, content=f'{{"links": {{"result": [{text}]}}}}')
    result, _ = call(exports, "own", Script(answer(202, Location="/o"), last))
    assert not result.is_error
    assert said in result.content[1].text


@pytest.mark.parametrize("status", ["failed", "Cancelled"])
def test_an_operation_that_fails_is_an_error(exports, status):
    api = Script(
        answer(202, Location="/o"),
        answer(200, {"status": status, "error": "out of paper for k-1234567890"}),
    )
    result, _ = call(exports, "usual", api)
    assert result.is_error
    assert "out of paper" in result.content[0].text
    assert "k-1234567890" not in result.content[0].text


RESET = httpx2.ReadError("reset")


@table("last, said", (RESET, "broke before an answer came"), (answer(503), "answers 503"))
def test_an_operation_that_is_not_heard_of_any_more_is_not_to_be_repeated(exports, last, said):
    api = Script(answer(202, Location="/o"), *[last] * 5)
    result, _ = call(exports, "own", api, retries=0)
    assert result.is_error
    text = result.content[0].text
    assert said in text
    assert "check that before calling again" in text
    assert "Retrying" not in text


@table("location", "https://evil.example/ops", "//evil.example/ops", "http://api.example/v1/ops")
def test_no_other_origin_is_asked(exports, location):
    api = Script(answer(202, {"id": 7}, Location=location))
    result, _ = call(exports, "usual", api)
    beside = {"location": location, "retry-after": "0"}
    assert result.structured_content == {"id": 7, "_headers": beside}
    assert "another origin" in result.content[-1].text
    assert len(api.asked) == 1


def test_how_an_operation_ends(exports):
    api = Script(
        answer(202, Location="https://api.example/v1/ops/7"),
        answer(200, {"state": "done", "links": {"result": "/v1/exports/9"}}),
        answer(200, {"rows": 3}),
    )
    result, _ = call(exports, "own", api)
    assert result.structured_content == {"rows": 3}
    assert api.asked[-1] == "GET api.example /v1/exports/9"
    inline = Script(answer(202, Location="/o"), answer(200, {"links": {"result": {"rows": 4}}}))
    assert call(exports, "own", inline)[0].structured_content == {"rows": 4}
    api = Script(
        answer(202, Location="/v1/ops/7"),
        answer(200, {"state": "done", "links": {"result": {"rows": 3}}}),
    )
    transport = httpx2.MockTransport(api)
    found = exports.use(
        lambda client: client.read_resource("exports://last"), transport=transport, base_url=None
    )
    assert json.loads(found.contents[0].text) == {"rows": 3}
    api = Script(answer(202, Location="/o"), answer(410, {"message": "gone for good"}))
    result, _ = call(exports, "usual", api)
    assert result.is_error
    assert "gone for good" in result.content[0].text
    result, _ = call(exports, "usual", Script(answer(202, {"rows": 1})))
    assert result.structured_content["rows"] == 1
    # Whoever were told that calling again may help would start it twice.
    api = Script(
        answer(202, Location="/o"),
        RESET,
        answer(503),
        answer(429),
        answer(200, {"state": "running"}),
        *[answer(500)] * 4,
        answer(200, {"links": {"result": {"rows": 3}}}),
    )
    result, _ = call(exports, "own", api, retries=0)
    assert result.structured_content == {"rows": 3}
    odd = ["1e400", "-5", "1" + "0" * 400, "true", '"40"']
    api = Script(
        answer(202, Location="/o"),
        *[httpx2.Response(200, content=f'{{"state":"running","percent":{each}}}') for each in odd],
        answer(200, {"links": {"result": {}}}),
    )
    result, heard = call(exports, "own", api)
    assert not result.is_error
    assert [total for _, total, _ in heard] == [None] * len(odd)


def test_cancelling_the_task_cancels_the_operation_where_it_is_now(exports):
    """The API is told at the status URL that it named last, and is asked no more."""
    asked = []

    async def main():
        told = anyio.Event()

        async def api(request):
            asked.append((request.method, request.url.path))
            if request.method == "POST":
                return answer(202, Location="/v1/ops/7")
            if asked[-1] == ("GET", "/v1/ops/7"):
                return answer(202, Location="/v1/ops/8")
            if request.method == "DELETE":
                told.set()
                return answer(200, {})
            await anyio.sleep_forever()
            raise AssertionError

        settings = exports.module("_runtime").Settings()
        made = exports.module("server").create_server(settings, transport=httpx2.MockTransport(api))
        async with task_of(made, "own", {"what": "books"}) as task:
            with anyio.fail_after(20):
                while ("GET", "/v1/ops/8") not in asked:
                    await anyio.sleep(0)
                await task.ask("cancel")
                await told.wait()
            assert (await task.ask("get"))["status"] == "cancelled"

    anyio.run(main)
    assert asked == [
        ("POST", "/v1/exports"), ("GET", "/v1/ops/7"), ("GET", "/v1/ops/8"), ("DELETE", "/v1/ops/8")
    ]  # fmt: skip


def digesting(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a tool say how far it is, and then read the resource that takes long."""

    async def digest(ctx: Any, *, what: str) -> Any:
        await ctx.report_progress(60, 100, what)
        return [content.text for content in await ctx.read_resource("exports://last")]

    catalogue = server.module("server").APP.catalogue
    monkeypatch.setitem(catalogue._handlers, "own", type(catalogue.handler("own"))(digest))


def test_a_resource_that_a_handler_reads_tells_how_far_the_call_is(exports, monkeypatch):
    """Each number that a client hears is greater than the one before (MCP, progress)."""
    digesting(exports, monkeypatch)
    api = Script(
        answer(202, Location="/v1/ops/7"),
        answer(200, {"state": "running", "percentComplete": 40}),
        answer(200, {"state": "running", "percentComplete": 70}),
        answer(200, {"state": "done", "links": {"result": {"rows": 3}}}),
    )
    result, heard = call(exports, "own", api)
    assert json.loads(result.content[0].text) == ['{"rows":3}']
    assert heard == [(60.0, 100.0, "books"), (70.0, 100.0, "running")]


def test_a_resource_that_a_task_reads_tells_how_far_the_task_is(exports, monkeypatch):
    """The request is answered already, and nothing may be told of its progress any more."""
    digesting(exports, monkeypatch)
    heard = []

    async def hear(progress, total, message):
        heard.append((progress, total, message))

    async def main():
        ready = anyio.Event()

        async def api(request):
            if request.url.path == "/v1/last":
                return answer(202, Location="/v1/ops/7")
            if not ready.is_set():
                ready.set()
                return answer(200, {"state": "running", "percentComplete": 70})
            await anyio.sleep_forever()
            raise AssertionError

        settings = exports.module("_runtime").Settings()
        made = exports.module("server").create_server(settings, transport=httpx2.MockTransport(api))
        async with task_of(made, "own", {"what": "books"}, hear) as task:
            with anyio.fail_after(20):
                await ready.wait()
                while (told := (await task.ask("get"))["statusMessage"]) == "books":
                    await anyio.sleep(0)
                return str(told)

    assert anyio.run(main) == "running"
    assert heard == []
