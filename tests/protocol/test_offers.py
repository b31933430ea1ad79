"""Resources and prompts as each revision has them, and what is not offered: tasks of 2025-11-25."""

from base64 import b64decode
from typing import Any

import pytest

from .wire import CURRENT, OF_OLDER, Http, Lines, call, request

Client = Lines | Http

LISTS = ("resources/list", "resources/templates/list", "prompts/list", "tools/list")
PROMPTS: list[tuple[str, dict[str, str]]] = [
    ("test_simple_prompt", {}),
    ("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"}),
    ("test_prompt_with_embedded_resource", {"resourceUri": "test://a/b"}),
    ("test_prompt_with_image", {}),
]


def test_what_is_offered_is_declared_and_no_more(client: Client) -> None:
    """Nobody is promised news of lists that do not change."""
    if client.revision == CURRENT:
        declared = client.ask(request("server/discover"))["result"]["capabilities"]
    else:
        declared = client.opened["result"]["capabilities"]
    assert declared["resources"] == {"subscribe": True, "listChanged": False}
    assert declared["prompts"] == {"listChanged": False}
    assert declared["completions"] == {}
    assert "tasks" not in declared
    assert declared.get("extensions", {}).keys() <= {"io.modelcontextprotocol/tasks"}


def test_a_list_is_the_same_on_every_connection_and_after_any_request(
    base: str, current: Client
) -> None:
    first = Http(base)
    current.ask(request("resources/read", {"uri": "test://static-text"}))
    current.ask(request("prompts/get", {"name": "test_simple_prompt"}))
    current.ask(request("resources/read", {"uri": "test://nothing"}))
    for method in LISTS[:3]:
        assert current.ask(request(method))["result"] == first.ask(request(method))["result"]


@pytest.mark.parametrize("method", LISTS)
def test_a_cursor_that_no_page_gave_is_refused(client: Client, method: str) -> None:
    for cursor in ("of nobody", "", "-1", "1e3", 7):
        asked = request(method, {"cursor": cursor}, client.revision)
        assert client.ask(asked)["error"]["code"] == -32602, cursor


PROMPT = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"ref": PROMPT},
        {"ref": PROMPT, "argument": {"name": "arg1"}},
        {"ref": PROMPT, "argument": {"name": "arg1", "value": 7}},
        {"ref": PROMPT | {"type": "ref/tool"}, "argument": {"name": "arg1", "value": ""}},
        {"ref": PROMPT | {"name": "nothing"}, "argument": {"name": "arg1", "value": ""}},
        {"ref": {"type": "ref/resource", "uri": "a:b"}, "argument": {"name": "id", "value": ""}},
    ],
)
def test_what_cannot_be_completed_is_refused(client: Client, params: dict[str, Any]) -> None:
    asked = request("completion/complete", params, client.revision)
    assert client.ask(asked)["error"]["code"] == -32602


@pytest.mark.parametrize(("name", "arguments"), PROMPTS)
def test_messages_hold_blocks_that_clients_can_read(
    client: Client, name: str, arguments: dict[str, str]
) -> None:
    asked = request("prompts/get", {"name": name, "arguments": arguments}, client.revision)
    messages = client.ask(asked)["result"]["messages"]
    assert messages
    for message in messages:
        assert message["role"] in ("user", "assistant")
        block: dict[str, Any] = message["content"]
        if block["type"] == "resource":
            resource = block["resource"]
            assert resource["uri"] == "test://a/b"
            assert resource["mimeType"] == "text/plain"
            assert resource["text"]
        elif block["type"] == "image":
            assert block["mimeType"] == "image/png"
            assert b64decode(block["data"], validate=True).startswith(b"\x89PNG")
        else:
            assert block["text"]


@pytest.mark.parametrize("client", OF_OLDER, indirect=True)
def test_an_older_client_that_wants_a_task_gets_the_result(client: Client) -> None:
    """The wish for a task of 2025-11-25 is ignored, and its methods are none."""
    for tool in ("greet", "slow_compute"):
        wanted = call(tool, client.revision, arguments={"name": "Ann"})
        wanted["params"]["task"] = {"ttl": 60_000}
        assert client.ask(wanted)["result"]["content"][0]["text"]
    for method in ("tasks/get", "tasks/result", "tasks/list", "tasks/cancel"):
        refused = client.ask(request(method, {"taskId": "x"}, client.revision))
        assert refused["error"]["code"] == -32601
