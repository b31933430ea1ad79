"""What a server that asks, logs and changes still does for older clients it keeps no session of."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from end_to_end.servers import Server
from runtime.serving import in_thread

from .wire import OLDER, Message, call, headers, initialize, messages, request

REVISION = OLDER[-1]


@pytest.fixture(scope="module")
def url(server: Server) -> Iterator[str]:
    """Where it is served without sessions."""
    runtime = server.module("_runtime")
    settings = runtime.HttpSettings(base_url=server.upstream.url, http_stateless=True)
    with in_thread(server.module("server").create_app(settings)) as found:
        yield f"{found}/mcp"


def all_of(url: str, message: Message, **own: str) -> list[Message]:
    """Every message of the answer."""
    sent = headers(message, None, REVISION) | {name.title(): text for name, text in own.items()}
    return messages(httpx2.post(url, json=message, headers=sent, timeout=20))


def test_it_promises_no_news(url: str, base: str) -> None:
    opening = initialize(REVISION)
    (opened,) = all_of(url, opening)
    promised: dict[str, Any] = opened["result"]["capabilities"]
    assert promised["tools"] == {"listChanged": False}
    *_, kept = messages(httpx2.post(f"{base}/mcp", json=opening, headers=headers(opening)))
    assert kept["result"]["capabilities"]["tools"] == {"listChanged": True}


def test_it_tells_of_progress_and_of_the_log(url: str) -> None:
    heard = all_of(url, call("test_tool_with_progress", REVISION, progressToken="t"))
    assert [each["params"]["progress"] for each in heard[:-1]] == [0, 50, 100]
    assert heard[-1]["result"]["content"][0]["text"] == "done"
    heard = all_of(url, call("test_tool_with_logging", REVISION))
    assert {each.get("method") for each in heard} == {"notifications/message", None}


def test_one_clients_level_of_the_log_is_nobody_elses(url: str) -> None:
    (chosen,) = all_of(url, request("logging/setLevel", {"level": "emergency"}, REVISION))
    assert chosen["result"] == {}
    heard = all_of(url, call("test_tool_with_logging", REVISION))
    assert "notifications/message" in [each.get("method") for each in heard]


@pytest.mark.parametrize("accept", ["*/*", "application/json"])
def test_a_question_is_not_asked_and_the_call_says_why(url: str, base: str, accept: str) -> None:
    """Nor in a session, by a request that takes nothing but its answer."""
    asked = call("test_elicitation", REVISION, arguments={"message": "Who?"})
    (answer,) = all_of(url, asked, accept=accept)
    opening = initialize(REVISION)
    opening["params"]["capabilities"] = {"elicitation": {}}
    opened = httpx2.post(f"{base}/mcp", json=opening, headers=headers(opening))
    own = headers(asked, opened.headers["mcp-session-id"], REVISION)
    plain = httpx2.post(
        f"{base}/mcp", json=asked, headers=own | {"Accept": "application/json"}, timeout=20
    )
    for result in (answer["result"], plain.json()["result"]):
        assert result["isError"]
        assert "no question can be asked here" in result["content"][0]["text"]
