"""Each message by itself: JSON-RPC, its fields, and what is not answered."""

import re
from typing import Any

import pytest
from end_to_end.servers import Server
from end_to_end.upstream import Answer

from .wire import CURRENT, META, Http, Lines, Message, call, notification, request

Client = Lines | Http

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "greet", "arguments": {"name": "Ann"}}),
    ("tools/call", {"name": "greet", "arguments": {}}),
    ("tools/call", {"name": "no_such_tool", "arguments": {}}),
    ("tools/call", {"name": 7}),
    ("tools/list", {"cursor": "of nobody"}),
    ("resources/read", {"uri": "test://static-text"}),
    ("resources/read", {"uri": "test://nothing"}),
    ("prompts/get", {"name": "test_simple_prompt"}),
    ("prompts/get", {"name": "nothing"}),
    ("no/such/method", {}),
]
LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
KEY = re.compile(rf"(?:{LABEL}(?:\.{LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")
"""The names that `_meta` may hold."""
STANDARD = {-32700, -32600, -32601, -32602, -32603}
OF_THE_PROTOCOL = {True: {-32020, -32021, -32022}, False: {-32002}}
"""By whether the client is a current one."""


@pytest.mark.parametrize(("method", "params"), REQUESTS)
def test_every_answer_is_json_rpc(client: Client, method: str, params: dict[str, Any]) -> None:
    """One result or one error, with the request's own id, and codes that somebody defined."""
    named = request(method, params, client.revision, id="7")
    assert client.ask(named)["id"] == "7"
    asked = request(method, params, client.revision)
    answer = client.ask(asked)
    current = client.revision == CURRENT
    assert answer["jsonrpc"] == "2.0"
    assert (answer["id"], type(answer["id"])) == (asked["id"], int)
    assert answer.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
    if "error" in answer:
        error = answer["error"]
        assert type(error["code"]) is int
        assert error["code"] in STANDARD | OF_THE_PROTOCOL[current]
        assert error["message"]
        return
    assert isinstance(answer["result"], dict)
    assert answer["result"].get("resultType") == ("complete" if current else None)
    if current:
        assert answer["result"]["_meta"][f"{META}serverInfo"]["name"] == "conformance"
    assert all(KEY.fullmatch(key) for key in answer["result"].get("_meta", {}))


def test_what_is_no_request_to_serve_is_an_error(client: Client) -> None:
    for method, params in (REQUESTS[3], REQUESTS[5]):
        assert client.ask(request(method, params, client.revision))["error"]["code"] == -32602
    unknown = client.ask(request("no/such/method", {}, client.revision))
    assert unknown["error"]["code"] == -32601


@pytest.mark.parametrize("value", [None, 7, "x=1;;=,", {"a": [1]}])
def test_metadata_of_others_changes_nothing(client: Client, value: Any) -> None:
    """Not even where a key is one of those that the protocol keeps for itself."""
    others = (f"{META}no-such", "com.example/x", "mcp/y", "")
    context = [(key,) for key in ("traceparent", "tracestate", "baggage") if isinstance(value, str)]
    for keys in (others, *context):
        more = dict.fromkeys(keys, value)
        asked = request("tools/call", REQUESTS[1][1], client.revision, **more)
        assert client.ask(asked)["result"]["content"][0]["text"] == "Hello, Ann!"


@pytest.mark.parametrize("info", [None, {"name": "another", "version": "9"}])
def test_what_a_client_calls_itself_changes_nothing(current: Client, info: Any) -> None:
    asked = request("tools/list")
    del asked["params"]["_meta"][f"{META}clientInfo"]
    if info is not None:
        asked["params"]["_meta"][f"{META}clientInfo"] = info
    usual = current.ask(request("tools/list"))["result"]
    assert current.ask(asked)["result"] == usual


NOTIFICATIONS = [
    notification("notifications/no/such"),
    notification("notifications/initialized"),
    notification("notifications/roots/list_changed"),
    notification("notifications/progress", progressToken="of nobody", progress=1),
    notification("notifications/cancelled", requestId=987654),
    notification("notifications/cancelled", requestId=None),
    notification("notifications/cancelled"),
    notification("notifications/cancelled", requestId=[1], reason=7),
]


def test_notifications_are_not_answered(client: Client) -> None:
    if isinstance(client, Http):
        for told in NOTIFICATIONS:
            answer = client.post(told)
            assert (answer.status_code, answer.content) == (202, b"")
    else:
        for told in NOTIFICATIONS:
            client.say(told)
    asked = request("tools/list", {}, client.revision)
    assert [message["id"] for message in client.all(asked)] == [asked["id"]]


def test_any_text_is_one_line_of_utf_8(server: Server, client: Client) -> None:
    text = "é ✓ 𝄞 a\nb\r\nc\td \\n \\u000a"
    server.upstream.answer = Answer(text.encode(), "text/plain; charset=utf-8")
    found = client.ask(call("test_simple_text", client.revision))
    assert found["result"]["content"][0]["text"] == text


def test_a_result_says_of_which_kind_it_is(current: Client) -> None:
    """Of the core protocol's kinds, and that of tasks only to whoever declares the extension."""
    asking = {"elicitation": {"form": {}}}
    tasks = asking | {"extensions": {f"{META}tasks": {}}}
    for tool, capabilities, kind in (
        ("test_streaming_elicitation", asking, "input_required"),
        ("slow_compute", asking, "complete"),
        ("slow_compute", tasks, "task"),
    ):
        answer = current.ask(call(tool, capabilities=capabilities))
        assert answer["result"]["resultType"] == kind
    assert f"{META}tasks" in discovered(current)["capabilities"]["extensions"]


def discovered(client: Client) -> Message:
    """The answer of `server/discover`."""
    found: Message = client.ask(request("server/discover"))["result"]
    return found


def test_no_request_comes_from_a_current_server(current: Client) -> None:
    for tool in ("test_streaming_elicitation", "test_elicitation_sep1034_defaults"):
        heard = current.all(call(tool, capabilities={"elicitation": {"form": {}}}))
        assert not [message for message in heard if "method" in message]
        (asked,) = heard[-1]["result"]["inputRequests"].values()
        assert asked["method"] == "elicitation/create"
    refused = current.ask(call("test_sampling", arguments={"prompt": "x"}))
    assert refused["result"]["isError"]
