"""The server's prompts: the list, their arguments, and what they say."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

pytestmark = pytest.mark.anyio

DATA: dict[str, Any] = json.loads(files("lighthouse_mcp").joinpath("prompts.json").read_bytes())

STATIC = [
    each
    for each in DATA["prompts"]
    if {"text", "messages"} & set(DATA["served"].get(each["name"], ()))
]

VALUES = {"uri": "example:some-value", "data": "c29tZQ==", "blob": "c29tZQ=="}
"""Values for arguments that are used in these members of a content block."""


async def test_list(client: Client) -> None:
    """The list has the prompts of `prompts.json`, in its order."""
    prompts = (await client.list_prompts()).prompts
    assert [each.name for each in prompts] == [each["name"] for each in DATA["prompts"]]


def value_of(argument: str, served: dict[str, Any]) -> str:
    """A value that an argument can have: a URI or base64 where its messages need one."""
    for message in served.get("messages", ()):
        content = message["content"]
        for member, text in (*content.items(), *content.get("resource", {}).items()):
            if member in VALUES and f"{{{argument}}}" in text:
                return VALUES[member]
    return "some-value"


@pytest.mark.parametrize("prompt", [pytest.param(each, id=each["name"]) for each in STATIC])
async def test_messages(prompt: dict[str, Any], client: Client) -> None:
    """A prompt of `prompts.json` has its messages, with the arguments in them."""
    served = DATA["served"][prompt["name"]]
    arguments = {
        each["name"]: value_of(each["name"], served) for each in prompt.get("arguments", ())
    }
    messages = (await client.get_prompt(prompt["name"], arguments)).messages
    assert len(messages) == len(served.get("messages", [served]))
    said = json.dumps([each.model_dump(mode="json", by_alias=True) for each in messages])
    for name, value in arguments.items():
        if f"{{{name}}}" in json.dumps(served):
            assert value in said


async def test_wrong_calls(client: Client) -> None:
    """An unknown prompt, a missing argument and an unknown one are protocol errors."""
    calls: list[tuple[str, dict[str, str]]] = [("no-such-prompt", {})]
    for prompt in DATA["prompts"]:
        if any(each.get("required") for each in prompt.get("arguments", ())):
            calls.append((prompt["name"], {}))
        calls.append((prompt["name"], {"no-such-argument": "x"}))
    for name, arguments in calls:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)
        assert caught.value.error.code == -32602
