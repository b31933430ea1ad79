"""Every tool, offline: the request that the API sees, and the result that the agent sees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.client import Client

from .conftest import ANSWERS, FakeApi, cases

pytestmark = pytest.mark.anyio


def text_of(result: Any) -> str:
    """All the text of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")


def same_json(one: Any, other: Any) -> bool:
    """Equal as JSON: unlike in Python, 1, 1.0 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def assert_same(seen: dict[str, Any], expected: dict[str, Any]) -> None:
    assert seen == expected
    assert same_json(seen, expected), f"{seen} is not {expected}"


@pytest.mark.parametrize("case", cases("full"))
async def test_call(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """Every argument reaches the API as the document says, and the answer comes back whole."""
    api.reply(case["answer"])
    result = await client.call_tool(case["tool"], case["arguments"])
    assert_same(api.seen(case["request"]), case["request"])
    assert not result.is_error, text_of(result)
    blocks = [block.model_dump(mode="json", by_alias=True) for block in result.content]
    expected = case["result"]
    if expected["note"]:
        assert blocks.pop()["type"] == "text"
    if "structured" in expected:
        answer = expected.get("shown", case["answer"]["json"])
        whole = answer if expected["structured"] == "object" else {"result": answer}
        assert same_json(result.structured_content, whole)
        assert [block["type"] for block in blocks] == ["text"], text_of(result)
        assert same_json(json.loads(blocks[0]["text"]), answer)
    else:
        assert len(blocks) == len(expected["content"]), text_of(result)
        for block, members in zip(blocks, expected["content"], strict=True):
            block |= block.get("resource", {})
            assert {name: block.get(name) for name in members} == members


@pytest.mark.parametrize("case", cases("required", "null", "media type"))
async def test_few_arguments(case: dict[str, Any], api: FakeApi, older_client: Client) -> None:
    """What is not given is not sent, and null is sent as null."""
    api.reply(ANSWERS[case["tool"]])
    result = await older_client.call_tool(case["tool"], case["arguments"])
    assert_same(api.seen(case["request"]), case["request"])
    assert not result.is_error, text_of(result)


@pytest.mark.parametrize("case", cases("invalid"))
async def test_invalid_arguments(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """An invalid call is refused with the name of the argument, and nothing is sent."""
    api.reply(ANSWERS.get(case["tool"]))
    result = await client.call_tool(case["tool"], case["arguments"])
    assert result.is_error
    assert not api.requests
    for text in case["mentions"]:
        assert text in text_of(result)


@pytest.mark.parametrize("case", cases("error"))
async def test_api_error(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """An error of the API is an error for the agent, with the API's own message."""
    api.reply(case["answer"])
    result = await client.call_tool(case["tool"], case["arguments"])
    assert result.is_error
    for text in case["mentions"]:
        assert text in text_of(result)


@pytest.mark.parametrize("case", cases("drift"))
async def test_unexpected_success(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """A success that the document does not declare arrives whole, with a note."""
    api.reply(case["answer"])
    result = await client.call_tool(case["tool"], case["arguments"])
    assert not result.is_error, text_of(result)
    assert same_json(result.structured_content, case.get("shown", case["answer"]["json"]))
    assert len(result.content) == 2
    for text in case["mentions"]:
        assert text in text_of(result)
