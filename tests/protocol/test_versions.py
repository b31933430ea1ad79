"""Which revision a request is of, what it must say itself, and what is remembered."""

from typing import Any

import pytest
from end_to_end.servers import Server

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
    request,
)

Client = Lines | Http
ASKING = {"elicitation": {"form": {}}}


def refused(client: Client, asked: Message) -> Message:
    """The error that refuses a request: over HTTP a 400."""
    if isinstance(client, Lines):
        return client.ask(asked)["error"]
    answer = client.post(asked)
    assert answer.status_code == 400
    return answer.json()["error"]


@pytest.mark.parametrize("client", OF_OLDER, indirect=True)
def test_an_older_client_opens_with_its_own_revision(client: Client) -> None:
    result = client.opened["result"]
    assert result["protocolVersion"] == client.revision
    assert result["serverInfo"]["name"] == "conformance"
    assert {"tools", "resources", "prompts", "logging", "completions"} <= result[
        "capabilities"
    ].keys()


@pytest.mark.parametrize("asked", ["2099-01-01", CURRENT])
def test_another_revision_is_answered_with_the_latest_of_its_kind(
    server: Server, base: str, asked: str
) -> None:
    with lines(server) as client:
        found = [client.ask(initialize(asked))]
    http = Http(base)
    http.revision = ""
    found.append(http.ask(initialize(asked)))
    assert [answer["result"]["protocolVersion"] for answer in found] == [OLDER[-1]] * 2


def test_an_older_client_is_served_after_it_has_opened_only(server: Server, base: str) -> None:
    with lines(server) as client:
        assert client.ask(request("tools/list", {}, ""))["error"]["code"] == -32602
        assert client.ask(request("ping", {}, ""))["result"] == {}
        assert "result" in client.ask(initialize(OLDER[-1]))
        assert "result" in client.ask(request("tools/list", {}, ""))
    http = Http(base)
    http.revision = ""
    assert http.post(request("tools/list", {}, "")).status_code == 400


def test_ping_is_answered_with_nothing(client: Client) -> None:
    answer = client.ask(request("ping", {}, client.revision))
    if client.revision == CURRENT:
        assert answer["error"]["code"] == -32601
    else:
        assert answer["result"] == {}


@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities", ""])
def test_a_request_that_lacks_what_each_must_say_is_refused(current: Client, missing: str) -> None:
    asked = request("tools/list")
    if missing:
        del asked["params"]["_meta"][f"{META}{missing}"]
    else:
        del asked["params"]["_meta"]
    if isinstance(current, Lines):
        current.ask(request("tools/list"))  # what a line is of, the first request decides
    assert refused(current, asked)["code"] == -32602


@pytest.mark.parametrize("version", ["2099-01-01", "x"])
def test_a_revision_that_is_not_served_is_told_which_are(current: Client, version: str) -> None:
    asked = request("tools/list")
    current.ask(asked)
    asked["params"]["_meta"][f"{META}protocolVersion"] = version
    error = refused(current, asked)
    assert error["code"] == -32022
    assert error["data"] == {"supported": [CURRENT], "requested": version}


def test_a_server_says_what_it_is_before_anything_else(current: Client) -> None:
    found = current.ask(request("server/discover"))["result"]
    assert CURRENT in found["supportedVersions"]
    assert found["capabilities"]["tools"] == {"listChanged": True}
    assert found["_meta"][f"{META}serverInfo"]["version"] == "1.0.0"
    assert found["ttlMs"] >= 0


def test_what_a_client_can_is_not_remembered(current: Client) -> None:
    """Of two requests on one connection only the one that declares it is asked a question."""
    for capabilities, wanted in ((ASKING, True), ({}, False), (ASKING, True)):
        asked = call("test_streaming_elicitation", capabilities=capabilities)
        answer = current.ask(asked)
        if wanted:
            assert answer["result"]["resultType"] == "input_required"
        else:
            assert answer["error"]["code"] == -32021
            assert answer["error"]["data"] == {"requiredCapabilities": ASKING}
    if isinstance(current, Http):
        assert current.post(call("test_streaming_elicitation")).status_code == 400


def test_the_answer_to_a_question_needs_no_connection(base: str) -> None:
    """What was asked is in the state that the client brings along, over a connection of its own."""
    first = Http(base).ask(call("test_streaming_elicitation", capabilities=ASKING))["result"]
    (key,) = first["inputRequests"]
    again: dict[str, Any] = call("test_streaming_elicitation", capabilities=ASKING)
    again["params"] |= {
        "requestState": first["requestState"],
        "inputResponses": {key: {"action": "accept", "content": {"yes": True}}},
    }
    assert Http(base).ask(again)["result"]["content"][0]["text"] == "the user said accept"


def test_extension_methods_are_refused_without_the_extension(current: Client) -> None:
    asked = request("tasks/get", {"taskId": "x"})
    error = refused(current, asked)
    assert error["code"] == -32021
    assert f"{META}tasks" in error["data"]["requiredCapabilities"]["extensions"]


def test_a_probe_that_was_answered_too_late_leaves_the_handshake(server: Server) -> None:
    """A client that waits a second for an answer sends both before the server has begun."""
    with lines(server) as client:
        probe, opening = request("server/discover"), initialize(OLDER[-1])
        client.say(probe, opening)
        answers = [client.hear(), client.hear()]
        assert [answer["id"] for answer in answers] == [probe["id"], opening["id"]]
        assert answers[1]["result"]["protocolVersion"] == OLDER[-1]
        client.say(INITIALIZED)
        assert client.ask(request("tools/list", revision=OLDER[-1]))["result"]["tools"]
        assert client.ask(request("tools/list"))["error"]["code"] == -32600


def test_one_connection_is_of_one_generation(server: Server) -> None:
    with lines(server) as client:
        client.ask(request("tools/list"))
        refused = client.ask(initialize(OLDER[-1]))["error"]
        assert (refused["code"], refused["data"]["supported"]) == (-32022, [CURRENT])
    with lines(server, OLDER[-1]) as client:
        assert client.ask(request("tools/list"))["error"]["code"] == -32600
