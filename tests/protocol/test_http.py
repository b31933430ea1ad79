"""Streamable HTTP, request by request: statuses, headers, sessions and streams."""

import json
import re
from typing import Any

import httpx2
import pytest
from end_to_end.servers import Server
from end_to_end.upstream import Answer
from runtime.serving import in_thread

from .wire import (
    CURRENT,
    OLDER,
    REVISIONS,
    Http,
    call,
    headers,
    initialize,
    messages,
    notification,
    request,
)

EVENTS = "text/event-stream"


@pytest.fixture(scope="module", params=REVISIONS)
def http(request: pytest.FixtureRequest, base: str) -> Http:
    """A client of each revision."""
    return Http(base, request.param)


def test_one_endpoint_takes_every_message(http: Http) -> None:
    for method in ("tools/list", "resources/list", "prompts/list"):
        answer = http.post(request(method, {}, http.revision))
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] in (EVENTS, "application/json")
        assert "result" in messages(answer)[-1]
    elsewhere = httpx2.post(f"{http.url}/other", json=request("tools/list"))
    assert elsewhere.status_code == 404


BODIES: list[Any] = [[], [request("tools/list", {}, "")], 7, "text", None, {}, {"jsonrpc": "2.0"}]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", *(json.dumps(b).encode() for b in BODIES)])
def test_a_body_that_is_no_single_message_is_a_bad_request(http: Http, body: bytes) -> None:
    sent = headers({}, http.session, http.revision)
    answer = httpx2.post(http.url, content=body, headers=sent)
    assert answer.status_code == 400
    (refused,) = messages(answer)
    assert refused["id"] is None
    assert refused["error"]["code"] in (-32700, -32600, -32602)


def test_a_message_that_waits_for_nothing_is_accepted_or_refused_without_words(http: Http) -> None:
    accepted = http.post(notification("notifications/cancelled", requestId=1))
    assert (accepted.status_code, accepted.content) == (202, b"")
    broken = http.post({"jsonrpc": "1.0", "method": "notifications/cancelled"})
    assert broken.status_code == 400
    answered = http.post({"jsonrpc": "2.0", "id": 5, "result": {}})
    assert answered.status_code == (400 if http.revision == CURRENT else 202)


def test_a_stream_ends_with_the_answer(http: Http) -> None:
    asked = call("test_tool_with_progress", http.revision, progressToken="of this call")
    with httpx2.stream("POST", http.url, json=asked, headers=http.headers(asked)) as answer:
        assert answer.headers["content-type"].startswith(EVENTS)
        assert answer.headers["x-accel-buffering"] == "no"
        answer.read()
    *before, last = messages(answer)
    assert [told["params"]["progressToken"] for told in before] == ["of this call"] * 3
    assert last["id"] == asked["id"]


@pytest.mark.parametrize("revision", OLDER)
def test_a_revision_in_the_header_that_is_none_is_refused(base: str, revision: str) -> None:
    http, asked = Http(base, revision), request("tools/list", {}, revision)
    for version in ("2023-01-01", "x", "2026-07-28x"):
        answer = http.post(asked, MCP_Protocol_Version=version)
        assert answer.status_code == 400
        assert "result" not in answer.json()
        assert "result" in http.ask(asked)


def test_an_opening_whose_metadata_is_of_another_revision_is_answered(base: str) -> None:
    """It has no header, and settles which revision it is to be."""
    meta = {"io.modelcontextprotocol/protocolVersion": CURRENT}
    opening = initialize(OLDER[-1])
    opening["params"]["_meta"] = meta
    for version in ("", OLDER[-1]):
        answer = httpx2.post(f"{base}/mcp", json=opening, headers=headers({}, None, version))
        assert messages(answer)[-1]["result"]["protocolVersion"] == OLDER[-1]


@pytest.mark.parametrize("stateless", [False, True])
def test_a_current_request_says_its_revision_in_the_header_too(
    server: Server, stateless: bool
) -> None:
    made = server.module("_runtime").HttpSettings(http_stateless=stateless)
    asked = request("tools/list")
    inside = request("tools/list")
    inside["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2025-11-25"
    with in_thread(server.module("server").create_app(made)) as base:
        http = Http(base)
        sent = http.headers(asked)
        without = {name: text for name, text in sent.items() if name != "MCP-Protocol-Version"}
        differing = [
            (inside, sent),
            (asked, without),
            *((asked, sent | {"MCP-Protocol-Version": each}) for each in (*OLDER, "2099-01-01")),
        ]
        for message, own in differing:
            answer = httpx2.post(http.url, json=message, headers=own)
            said = answer.json()
            assert (answer.status_code, said["error"]["code"]) == (400, -32020), own
            assert said["id"] == message["id"]
        odd = httpx2.post(http.url, json={**asked, "id": True}, headers=without).json()
        assert (odd["id"], odd["error"]["code"]) == (None, -32020)
        if not stateless:
            older = Http(base, OLDER[-1])
            refused = httpx2.post(http.url, json=asked, headers=older.headers({}))
            assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32020)
            assert "result" in older.ask(request("tools/list", {}, older.revision))


@pytest.mark.parametrize(
    ("arguments", "sent", "fits"),
    [
        ({"shard": 42}, {"Shard": "42"}, True),
        ({"shard": 42}, {"Shard": "42.0"}, True),
        ({"shard": 42}, {"sHARD": "42"}, True),
        ({"shard": 42}, {"Shard": "=?base64?NDI=?="}, True),
        ({"shard": 42}, {"Shard": "43"}, False),
        ({"shard": 42}, {"Shard": "=?BASE64?NDI=?="}, False),
        ({"shard": 42}, {"Shard": "=?base64?ND?="}, False),
        ({"shard": 42}, {}, False),
        ({}, {}, True),
        ({"shard": None}, {}, True),
        ({}, {"Shard": "42"}, False),
    ],
)
def test_a_header_repeats_its_argument(
    server: Server, base: str, arguments: dict[str, Any], sent: dict[str, str], fits: bool
) -> None:
    server.upstream.answer = Answer.of({"region": "eu"})
    asked = call("test_region", arguments={"region": "é", **arguments})
    own = {"Mcp-Param-Region": "=?base64?w6k=?="}
    own |= {f"Mcp-Param-{name}": value for name, value in sent.items()}
    http = Http(base)
    answer = httpx2.post(http.url, json=asked, headers=http.headers(asked) | own)
    if fits:
        assert answer.status_code == 200, answer.text
    else:
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


def test_a_name_in_the_header_may_be_encoded(base: str) -> None:
    http, asked = Http(base), call("greet", arguments={"name": "Ann"})
    for name, status in (("=?base64?Z3JlZXQ=?=", 200), ("=?base64?Z3JlZQ==?=", 400)):
        assert http.post(asked, Mcp_Name=name).status_code == status


def test_a_current_client_has_no_session(base: str) -> None:
    http = Http(base)
    for more in ({}, {"Mcp_Session_Id": "made-up"}, {"Last_Event_ID": "7"}):
        answer = http.post(request("tools/list"), **more)
        assert answer.status_code == 200
        assert "mcp-session-id" not in answer.headers
    for method in ("GET", "DELETE"):
        sent = {"MCP-Protocol-Version": CURRENT, "Accept": EVENTS}
        answer = httpx2.request(method, http.url, headers=sent)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_sessions_of_older_clients(base: str) -> None:
    clients = [Http(base, revision) for revision in OLDER for _ in range(3)]
    ids = {str(client.session) for client in clients}
    assert len(ids) == len(clients)
    assert all(re.fullmatch("[\x21-\x7e]{32,}", each) for each in ids)
    first, *others = clients
    asked = request("tools/list", {}, first.revision)
    without = headers(asked, None, first.revision)
    assert httpx2.post(first.url, json=asked, headers=without).status_code == 400
    assert first.post(asked, Mcp_Session_Id="of-nobody").status_code == 404
    ended = httpx2.delete(first.url, headers=headers({}, first.session, first.revision))
    assert ended.status_code in (200, 204)
    assert first.post(asked).status_code == 404
    assert others[0].post(request("tools/list", {}, others[0].revision)).status_code == 200


def test_what_is_told_goes_out_on_one_stream_only(base: str) -> None:
    """What belongs to a call is told on its own stream, and what does not on the one of GET."""
    http = Http(base, OLDER[-1])
    sent = headers({}, http.session, http.revision)
    with httpx2.stream("GET", http.url, headers=sent, timeout=20) as news:
        assert news.headers["content-type"].startswith(EVENTS)
        told = http.all(call("test_tool_with_progress", http.revision, progressToken=1))
        told += http.all(call("test_tool_with_logging", http.revision))
        told += http.all(call("test_trigger_tool_change", http.revision))
        methods = {message.get("method") for message in told}
        assert methods == {"notifications/progress", "notifications/message", None}
        first = next(line for line in news.iter_lines() if line.startswith("data: {"))
    assert json.loads(first[6:])["method"] == "notifications/tools/list_changed"
    assert httpx2.get(http.url, headers={"Accept": EVENTS}).status_code == 400
