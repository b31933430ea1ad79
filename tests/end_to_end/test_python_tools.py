"""Tools of a tool file that are Python functions, with all that they may do."""

import json
import sys
from typing import Any

import anyio
import generated_tests
import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestParams, ElicitResult
from runtime.serving import HEADERS, INITIALIZE, current, in_thread

from .offered import ERAS
from .servers import PACKAGE, SPECS, Server, generate


@pytest.fixture(scope="module")
def unfilled(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools") / "stubs"
    options = ("--package", "stubs_mcp", *PACKAGE)
    return generate(SPECS / "tools-python.yaml", folder, upstream, *options, command="from-schema")


def test_unfilled_servers_say_what_is_missing(unfilled):
    done = generated_tests.run(unfilled.folder, "--collect-only", "-W", "error")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    text = unfilled.call("knots").refused
    assert "knots() in stubs_mcp/handlers/tools.py" in text
    file = unfilled.folder / "stubs_mcp" / "handlers" / "tools.py"
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace("async def remember", "async def forget"), encoding="utf-8")
    assert "remember() in stubs_mcp/handlers/tools.py" in _fresh_call(unfilled, "remember")


def _fresh_call(server: Server, tool: str) -> str:
    for name in [name for name in sys.modules if name.startswith(server.package)]:
        del sys.modules[name]
    return server.call(tool).refused


class Session:
    """A client of one era, and what the server told it beside the result."""

    def __init__(self, server: Server, era: str, answers: list[ElicitResult] | None = None) -> None:
        self.server, self.era = server, era
        self.answers = answers
        self.questions: list[str] = []
        self.progress: list[tuple[float, float | None, str | None]] = []
        self.logged: list[Any] = []

    def call(self, tool: str, arguments: dict[str, Any] | None = None, **more: Any) -> Any:
        """Call a tool: its result, or the JSON-RPC error."""

        async def main() -> Any:
            made = self.server.module("server").create_server()
            options: dict[str, Any] = {"logging_callback": self._log, "mode": self.era}
            if self.answers is not None:
                options["elicitation_callback"] = self._elicit
            if self.era != "legacy":
                options["log_level"] = "info"
            async with Client(made, read_timeout_seconds=20, **options) as client:
                try:
                    return await client.call_tool(
                        tool, arguments or {}, progress_callback=self._progress, **more
                    )
                except MCPError as refused:
                    return refused.error

        return anyio.run(main)

    async def _elicit(self, _: Any, params: ElicitRequestParams) -> ElicitResult:
        self.questions.append(params.message)
        return self.answers[len(self.questions) - 1]

    async def _progress(self, done: float, total: float | None, message: str | None) -> None:
        self.progress.append((done, total, message))

    async def _log(self, params: Any) -> None:
        self.logged.append((params.level, params.data, params.logger))


@ERAS
def test_data_is_structured_and_checked(chandler, era):
    items = [{"sku": "AB-1", "price": 10}]
    result = Session(chandler, era).call("quote", {"items": items, "customer-class": "captain"})
    assert result.structured_content == {"total": 5, "lines": ["AB-1"]}
    assert json.loads(result.content[0].text) == result.structured_content
    wrong = Session(chandler, era).call("quote", {"items": [{"sku": "AB-1", "price": 13}]})
    assert wrong.is_error
    assert "total" in wrong.content[-1].text
    refused = Session(chandler, era).call("quote", {"items": [{"sku": "AB-1", "price": 10**7}]})
    assert refused.is_error
    assert refused.content[0].text == "Nobody can pay that: order less."
    invalid = Session(chandler, era).call("quote", {"items": [{"sku": "ab", "price": 1}]})
    assert invalid.is_error
    assert "items" in invalid.content[0].text


def test_data_that_is_no_object_by_revision(chandler):
    modern = Session(chandler, "2026-07-28").call("knots")
    assert modern.structured_content == ["bowline", "sheet bend"]
    older = Session(chandler, "legacy").call("knots")
    assert older.structured_content == {"result": ["bowline", "sheet bend"]}
    assert not older.is_error


CONTENT = {
    "picture": {"type": "image", "mimeType": "image/png"},
    "sound": {"type": "audio", "mimeType": "audio/wav", "data": "UklGRgAAAABXQVZF"},
    "bytes": {"type": "resource"},
    "link": {"type": "resource_link", "uri": "chandler://l"},
    "words": {"type": "text", "text": "words", "annotations": {"audience": ["assistant"]}},
    "whole": {"type": "text", "text": "whole"},
    "any other text": {"type": "text", "text": "any other text"},
}


@ERAS
@pytest.mark.parametrize("text", CONTENT)
def test_content(chandler, era, text):
    result = Session(chandler, era).call("label", {"text": text})
    assert not result.is_error
    (block,) = [b.model_dump(mode="json", by_alias=True, exclude_none=True) for b in result.content]
    assert block | CONTENT[text] == block


@ERAS
def test_media_with_annotations(chandler, era):
    (picture,) = Session(chandler, era).call("label", {"text": "picture"}).content
    assert (picture.annotations.audience, picture.annotations.priority) == (["user"], 0.5)
    (pdf,) = Session(chandler, era).call("label", {"text": "pdf"}).content
    assert pdf.annotations.last_modified == "2026-01-02T03:04:05Z"
    csv, words = Session(chandler, era).call("label", {"text": "csv"}).content
    assert (csv.resource.uri, csv.resource.text) == ("chandler://labels/1", "a,b")
    assert words.text == "and words"
    assert Session(chandler, era).call("label", {"text": "nothing"}).content == []


@ERAS
def test_a_model_is_data_under_its_names_on_the_wire(chandler, era):
    result = Session(chandler, era).call("label", {"text": "model"})
    assert result.structured_content == {"text": "of a model", "from": "me"}


@ERAS
def test_progress_and_what_the_context_knows(chandler, era):
    session = Session(chandler, era, answers=[])
    result = session.call("count_stock", meta={"example.org/x": 5})
    assert session.progress == [(1, 3, "shelf 1"), (2, 3, "shelf 2"), (3, 3, "shelf 3")]
    assert session.logged == [("warning", {"shelf": "dusty"}, "stock")]
    data = result.structured_content
    assert data["client"] is not None
    assert (data["asks"], data["meta"], data["id"]) == (True, 5, True)
    assert (data["session"], data["authorization"], data["state"]) == (None, None, "State")


@ERAS
def test_what_the_context_knows_over_http(chandler, era):
    """Older clients have a session; the caller's authorization is there to be looked at."""
    caller = {"Authorization": "Bearer of-the-caller"}
    with (
        in_thread(chandler.module("server").create_app()) as base,
        httpx2.Client(base_url=base, headers=HEADERS | caller) as client,
    ):
        message, headers = current("count_stock", {})
        if era == "legacy":
            opened = client.post("/mcp", json=INITIALIZE)
            headers = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
            del message["params"]["_meta"]
        answer = client.post("/mcp", json=message, headers=headers).text
    found = [json.loads(line) for line in answer.replace("data: ", "").splitlines() if "{" in line]
    data = found[-1]["result"]["structuredContent"]
    assert data["authorization"] == "Bearer of-the-caller"
    assert data["session"] == headers.get("Mcp-Session-Id")
    assert (data["client"], data["state"]) == ("test", "State")


@ERAS
def test_the_user_is_asked(chandler, era):
    yes = ElicitResult(action="accept", content={"sure": True})
    there = ElicitResult(action="accept", content={"place": "pier 4"})
    session = Session(chandler, era, [yes, there])
    result = session.call("order", {"sku": "AB-1", "count": 12})
    assert result.structured_content == {"sure": True, "to": "pier 4"}
    assert session.questions == ["Order 12 x AB-1?", "Where to?"]
    no = Session(chandler, era, [ElicitResult(action="decline")])
    assert no.call("order", {"sku": "AB-1", "count": 1}).content[0].text == "not ordered: decline"


def test_the_state_of_a_question_cannot_be_made_up(chandler):
    """What the client carries between two rounds is sealed."""

    async def main():
        made = chandler.module("server").create_server()
        async with Client(made, read_timeout_seconds=20) as client:
            with pytest.raises(MCPError) as caught:
                await client.session.call_tool(
                    "order", {"sku": "a", "count": 1}, request_state='{"answers": {}}'
                )
            assert caught.value.error.code == -32602

    anyio.run(main)


@ERAS
def test_cancellation_reaches_the_handler(chandler, era):
    cancelled = chandler.module("handlers.tools").CANCELLED
    cancelled.clear()

    async def main():
        made = chandler.module("server").create_server()
        async with Client(made, read_timeout_seconds=20, mode=era) as client:
            with anyio.move_on_after(0.5):
                await client.call_tool("count_stock", {"shelf": 99})
            with anyio.fail_after(5):
                while not cancelled:
                    await anyio.sleep(0.01)

    anyio.run(main)
    assert cancelled == ["count_stock"]


@ERAS
def test_a_function_in_its_thread_sees_that_it_is_cancelled(chandler, era):
    """Nothing can end a thread from outside: the call ends, and `ctx.stopped` says so."""
    tools = chandler.module("handlers.tools")
    started, stopped = tools.STARTED, tools.STOPPED
    started.clear()
    stopped.clear()

    async def has(seen):
        with anyio.fail_after(10):
            while not seen:
                await anyio.sleep(0.01)

    async def main():
        made = chandler.module("server").create_server()
        async with Client(made, read_timeout_seconds=20, mode=era) as client:
            async with anyio.create_task_group() as calls:
                given = {"items": [{"sku": "AB-1", "price": 99}]}
                calls.start_soon(client.call_tool, "quote", given)
                await has(started)
                calls.cancel_scope.cancel()
            await has(stopped)

    anyio.run(main)
    assert stopped == [True]


@ERAS
def test_arguments_by_pattern(chandler, era):
    result = Session(chandler, era).call("remember", {"fact1": "a", "fact 2": "b"})
    assert result.structured_content == {"fact1": "a", "fact 2": "b"}


@ERAS
def test_an_argument_that_no_keyword_takes(chandler, era):
    """A schema may allow it; it is refused rather than dropped."""
    result = Session(chandler, era).call("label", {"text": "a", "colour": "red"})
    assert result.is_error
    assert "colour" in result.content[0].text
