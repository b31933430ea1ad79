"""What is told besides answers: progress, the log, changes of the list; and what is cancelled."""

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from end_to_end.servers import Server
from runtime.serving import process

from .wire import (
    CURRENT,
    INITIALIZED,
    META,
    OF_OLDER,
    OLDER,
    Http,
    Lines,
    Message,
    call,
    initialize,
    lines,
    notification,
    request,
)

Client = Lines | Http
LISTEN = {"notifications": {"toolsListChanged": True}}
ID = f"{META}subscriptionId"


def told(heard: list[Message], method: str) -> list[Message]:
    """The params of the notifications of a kind."""
    named = f"notifications/{method}"
    return [message["params"] for message in heard if message.get("method") == named]


@pytest.mark.parametrize("token", ["7", 0])
def test_progress_is_told_under_the_calls_token_and_goes_forward(
    client: Client, token: str | int
) -> None:
    heard = client.all(call("test_tool_with_progress", client.revision, progressToken=token))
    found = told(heard, "progress")
    assert [(p["progressToken"], type(p["progressToken"])) for p in found] == [
        (token, type(token))
    ] * 3
    assert all(before < after for before, after in pairwise(p["progress"] for p in found))
    assert "result" in heard[-1]
    assert all(("id" in message) == ("method" not in message) for message in heard)


@pytest.mark.parametrize("token", [None, 1.5, {"a": 1}])
def test_no_progress_is_told_without_a_token(client: Client, token: Any) -> None:
    meta = {} if token is None else {"progressToken": token}
    heard = client.all(call("test_tool_with_progress", client.revision, **meta))
    assert [message.get("method") for message in heard] == [None]
    assert ("result" in heard[0]) == (token is None)


@pytest.mark.parametrize(
    ("level", "lines_"), [(None, 0), ("debug", 1), ("info", 1), ("notice", 0), ("emergency", 0)]
)
def test_a_current_client_hears_of_the_log_what_its_request_asks_for(
    current: Client, level: str | None, lines_: int
) -> None:
    more = {} if level is None else {"logLevel": level}
    heard = current.all(call("test_logging_tool", **more))
    assert [found["data"] for found in told(heard, "message")] == ["a line"] * lines_
    assert not told(current.all(call("test_logging_tool")), "message")


def test_a_level_that_is_none_is_refused(client: Client) -> None:
    if client.revision == CURRENT:
        asked = call("test_logging_tool", logLevel="loud")
    else:
        asked = request("logging/setLevel", {"level": "loud"}, client.revision)
    assert client.ask(asked)["error"]["code"] == -32602


def test_a_subscription_over_stdio(server: Server) -> None:
    """Told from the first message on, under its id, of nothing else, and to a proper end."""
    with lines(server) as client:
        asked = request("subscriptions/listen", LISTEN)
        client.say(asked)
        acknowledged = client.hear()
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        assert acknowledged["params"]["notifications"] == {"toolsListChanged": True}
        nothing = request("subscriptions/listen", {"notifications": {}})
        client.say(nothing)
        assert client.hear()["params"]["notifications"] == {}
        client.ask(call("test_logging_tool", logLevel="debug"))
        client.ask(call("test_trigger_tool_change"))
        while not told(client.heard, "tools/list_changed"):
            client.hear()
        changed = told(client.heard, "tools/list_changed")
        assert [params["_meta"][ID] for params in changed] == [asked["id"]]
        rest = client.end()
        ended = {message["id"]: message["result"]["_meta"][ID] for message in rest}
        assert ended == {found["id"]: found["id"] for found in (asked, nothing)}
        assert not told(client.heard, "cancelled")
        for params in told(client.heard, "message"):
            assert ID not in params.get("_meta", {})


def test_a_subscription_over_http(base: str) -> None:
    http, asked = Http(base), request("subscriptions/listen", LISTEN | {"taskIds": []})
    sent = http.headers(asked)
    with httpx2.stream("POST", http.url, json=asked, headers=sent, timeout=20) as stream:
        events = (json.loads(x[6:]) for x in stream.iter_lines() if x.startswith("data: {"))
        acknowledged = next(events)
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        heard = http.all(call("test_logging_tool", logLevel="debug"))
        assert told(heard, "message")
        http.ask(call("test_trigger_tool_change"))
        changed = next(events)
    assert changed["method"] == "notifications/tools/list_changed"
    assert {found["params"]["_meta"][ID] for found in (acknowledged, changed)} == {asked["id"]}


@pytest.mark.parametrize("revision", [OLDER[0], CURRENT])
def test_a_call_that_is_cancelled_is_not_heard_of_again(server: Server, revision: str) -> None:
    with lines(server, revision) as client:
        asked = call("slow_compute", revision, arguments={"seconds": 60}, progressToken=1)
        client.say(asked)
        client.say(notification("notifications/cancelled", requestId=asked["id"], reason="enough"))
        done = request("tools/list", {}, revision)
        client.ask(done)
        for number in (asked["id"], done["id"]):
            client.say(notification("notifications/cancelled", requestId=number))
        assert "result" in client.ask(request("tools/list", {}, revision))
        client.end()
        assert asked["id"] not in [message.get("id") for message in client.heard]
        assert not told(client.heard, "progress")


@pytest.fixture(scope="module", params=OLDER[2:])
def can_be_asked(request: pytest.FixtureRequest, server: Server) -> Iterator[Lines]:
    """A client over stdio whose user can be asked."""
    with lines(server, CURRENT) as client:
        client.revision = request.param
        opening = initialize(client.revision)
        opening["params"]["capabilities"] = {"elicitation": {"form": {}}}
        client.ask(opening)
        client.say(INITIALIZED)
        yield client


def answered(client: Lines, said: dict[str, Any]) -> tuple[Message, Message]:
    """The question that a call has, and the call's result once the client has said something."""
    asked = call("test_elicitation", client.revision, arguments={"message": "Who?"})
    client.say(asked)
    question = client.hear()
    client.say({"jsonrpc": "2.0", "id": question["id"], **said})
    return question, client.answer(asked)["result"]


def test_an_older_client_is_asked_in_requests_of_the_server(can_be_asked: Lines) -> None:
    """Each with an id of its own."""
    ids = []
    for _ in range(2):
        question, result = answered(can_be_asked, {"result": {"action": "decline"}})
        assert (question["jsonrpc"], question["method"]) == ("2.0", "elicitation/create")
        assert "decline" in result["content"][0]["text"]
        ids.append(question["id"])
    assert len(set(ids)) == 2
    assert all(type(number) in (int, str) for number in ids)


@pytest.mark.parametrize("client", OF_OLDER, indirect=True)
def test_an_older_client_that_has_not_said_that_it_can_be_asked_is_not(client: Client) -> None:
    heard = client.all(call("test_elicitation", client.revision, arguments={"message": "Who?"}))
    assert heard[0]["result"]["isError"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"result": {}}, "did not answer the question"),
        ({"result": {"action": "bogus"}}, "did not answer the question"),
        ({"result": {"action": "accept", "content": [1]}}, "did not answer the question"),
        ({"result": {"content": {}}}, "did not answer the question"),
        ({"error": {"code": -32601, "message": "Method not found"}}, "could not: Method not found"),
        ({"error": {"code": -1, "message": "nobody\x1b here"}}, "could not: nobody\\u001b"),
        ({"error": {"code": -1, "message": "n" * 300 + "o"}}, f"could not: {'n' * 200}"),
    ],
)
def test_an_older_client_that_does_not_answer_the_question_is_told_so(
    can_be_asked: Lines, said: dict[str, Any], told: str
) -> None:
    """In the tool's result: an error of the client's would say that its own request was wrong."""
    _, result = answered(can_be_asked, said)
    assert result["isError"]
    text = result["content"][0]["text"]
    assert told in text
    assert len(text) < 300


def test_a_task_has_no_progress_on_a_stream_that_has_ended(current: Client) -> None:
    """The request is answered with the task; what the work reports later is the task's."""
    asked = {"arguments": {"seconds": 0}, "progressToken": "of the call"}
    assert len(told(current.all(call("slow_compute", **asked)), "progress")) == 1
    capabilities = {"extensions": {f"{META}tasks": {}}}
    heard = current.all(call("slow_compute", **asked, capabilities=capabilities))
    task = heard[-1]["result"]["taskId"]
    found: Message = {"status": "working"}
    while found["status"] == "working":
        polled = request("tasks/get", {"taskId": task}, capabilities=capabilities)
        heard += current.all(polled)
        found = heard[-1]["result"]
    assert found["status"] == "completed"
    assert not told(heard, "progress")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_server_that_is_stopped_ends_its_subscriptions_over_http(server: Server) -> None:
    command = (server.package, "--http", "127.0.0.1:0")
    asked = request("subscriptions/listen", LISTEN)
    with process(server.folder, *command, CONFORMANCE_BASE_URL=server.upstream.url) as served:
        http = Http(served.base)
        sent = http.headers(asked)
        with httpx2.stream("POST", http.url, json=asked, headers=sent, timeout=20) as stream:
            events = (json.loads(x[6:]) for x in stream.iter_lines() if x.startswith("data: {"))
            assert next(events)["method"] == "notifications/subscriptions/acknowledged"
            served.stop()
            (last,) = events
        assert (last["id"], last["result"]["_meta"][ID]) == (asked["id"], asked["id"])
        served.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_server_that_is_stopped_ends_its_subscriptions_over_stdio(server: Server) -> None:
    with lines(server) as client:
        asked = [request("subscriptions/listen", LISTEN) for _ in range(3)]
        for opening in asked:
            client.say(opening)
            assert client.hear()["method"] == "notifications/subscriptions/acknowledged"
        client.process.terminate()
        ended = {client.hear()["id"] for _ in asked}
        assert ended == {opening["id"] for opening in asked}
        assert all("result" in message for message in client.heard[3:])
        assert client.process.wait(20) == 143


def test_a_question_is_not_waited_for_where_the_input_has_ended(server: Server) -> None:
    """Its answer cannot come, so the call is answered at once."""
    with lines(server, CURRENT) as client:
        opening = initialize(OLDER[-1])
        opening["params"]["capabilities"] = {"elicitation": {"form": {}}}
        client.ask(opening)
        client.say(INITIALIZED)
        asked = call("test_elicitation", OLDER[-1], arguments={"message": "Who?"})
        client.say(asked)
        assert client.hear()["method"] == "elicitation/create"
        (answer,) = client.end()
    assert answer["id"] == asked["id"]
    assert answer["result"]["isError"]
    assert "has closed its input" in answer["result"]["content"][0]["text"]
