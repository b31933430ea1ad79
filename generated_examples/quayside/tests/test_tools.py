"""Every tool, offline: the request that the API sees, and the result that the agent sees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.client import Client

from .conftest import ANSWERS, FakeApi, assert_same, each_case, same_json, text_of

pytestmark = pytest.mark.anyio


@each_case("full")
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
    if "told" in expected:
        assert f"The API answered {expected['told']}" in blocks.pop()["text"]
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


@each_case("required", "null", "media type")
async def test_few_arguments(case: dict[str, Any], api: FakeApi, older_client: Client) -> None:
    """Arguments that are not given are not sent, and null is sent as null."""
    api.reply(ANSWERS[case["tool"]])
    result = await older_client.call_tool(case["tool"], case["arguments"])
    assert_same(api.seen(case["request"]), case["request"])
    assert not result.is_error, text_of(result)


@each_case("invalid")
async def test_invalid_arguments(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """An invalid call is refused with the name of the argument, and nothing is sent."""
    api.reply(ANSWERS.get(case["tool"]))
    result = await client.call_tool(case["tool"], case["arguments"])
    assert result.is_error
    assert not api.requests
    for text in case["mentions"]:
        assert text in text_of(result)


@each_case("error")
async def test_api_error(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """An error of the API is an error for the agent, with the API's own message."""
    api.reply(case["answer"])
    result = await client.call_tool(case["tool"], case["arguments"])
    assert result.is_error
    for text in case["mentions"]:
        assert text in text_of(result)


@each_case("drift")
async def test_unexpected_success(case: dict[str, Any], api: FakeApi, client: Client) -> None:
    """A success that the document does not declare arrives whole, with a note."""
    api.reply(case["answer"])
    result = await client.call_tool(case["tool"], case["arguments"])
    assert not result.is_error, text_of(result)
    assert same_json(result.structured_content, case.get("shown", case["answer"]["json"]))
    assert len(result.content) == 2
    for text in case["mentions"]:
        assert text in text_of(result)
