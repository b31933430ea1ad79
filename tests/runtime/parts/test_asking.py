"""What comes back when a client is to ask its user, whatever it does; questions of one call."""

from types import SimpleNamespace
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import ClientCapabilities, ElicitationCapability, ElicitResult
from pydantic import ValidationError
from tables import table

from mcpgen.runtime.calls.context import InputNeeded
from mcpgen.runtime.parts.asking import Asking, can_ask, form
from mcpgen.runtime.values.errors import ToolError

FORM = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}


def asking(reply: Any, state: str | None = None) -> Asking:
    """The questions of a call; the client replies as a test says."""

    async def elicit_form(*_: Any) -> Any:
        if isinstance(reply, Exception):
            raise reply
        return reply

    session = SimpleNamespace(
        elicit_form=elicit_form,
        client_capabilities=ClientCapabilities(elicitation=ElicitationCapability()),
        can_send_request=True,
    )
    request: Any = SimpleNamespace(
        protocol_version="2025-11-25", session=session, request=None, request_id=1
    )
    params: Any = SimpleNamespace(input_responses=None, request_state=state)
    return Asking(request, params)


def invalid() -> ValidationError:
    """What the SDK raises where a client answers something else."""
    with pytest.raises(ValidationError) as found:
        ElicitResult.model_validate({"action": "perhaps"})
    return found.value


@table(
    "reply, said",
    (MCPError(-32603, "no\x1b[31m window" + "!" * 500), r"could not: no\\u001b\[31m window!+$"),
    (invalid(), "did not answer the question that the user was asked"),
    (None, "did not answer the question that the user was asked"),
    (ElicitResult(action="accept", content={"size": "big"}), "cannot be used: .*size"),
    (ElicitResult(action="accept"), "cannot be used: .*size"),
)
async def test_what_is_no_answer_fails_the_call_in_our_words(reply, said):
    with pytest.raises(ToolError, match=said) as failed:
        await asking(reply).ask("How large?", FORM, None)
    assert len(failed.value.message) < 400


@pytest.mark.parametrize("state", ["[]", "1", "x", '{"answers": 1}', '{"asked": [1]}', ""])
async def test_a_state_that_is_none_holds_no_answers(state):
    reply = await asking(ElicitResult(action="decline"), state).ask("How large?", FORM, None)
    assert (reply.accepted, reply.content) == (False, {})


@pytest.mark.parametrize("keys", [(None, None, None), ("k", "k", "k"), ("question-2", None, "k")])
async def test_questions_are_each_asked_once_whatever_their_keys(keys):
    """Also where a handler asks again under a key that it has used, as in a loop."""
    capabilities = ClientCapabilities(elicitation=ElicitationCapability())
    session = SimpleNamespace(client_capabilities=capabilities)
    request = SimpleNamespace(protocol_version="2026-07-28", session=session)
    params = SimpleNamespace(input_responses=None, request_state=None)

    async def sizes():
        call = Asking(request, params)
        asked = [f"How large is number {number}?" for number in range(len(keys))]
        return [
            (await call.ask(message, FORM, key)).content["size"]
            for message, key in zip(asked, keys, strict=True)
        ]

    for size in range(len(keys)):
        with pytest.raises(InputNeeded) as needed:
            await sizes()
        (name,) = needed.value.result["inputRequests"]
        params.request_state = needed.value.result["requestState"]
        params.input_responses = {name: ElicitResult(action="accept", content={"size": size})}
    assert await sizes() == [0, 1, 2]


CHOICES = [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]


@table(
    "field, is_one",
    ({"type": "string", "oneOf": CHOICES}, True),
    ({"type": "boolean"}, True),
    ({"type": "array", "items": {"type": "string", "enum": ["s", "l"]}}, True),
    ({"type": "array", "items": {"anyOf": CHOICES}}, True),
    ({"type": "array", "items": {"type": "string"}}, False),
    ({"type": "array"}, False),
    ({"type": "object", "items": {"enum": ["s"]}}, False),
    ({"enum": ["s"]}, False),
    (True, False),
)
def test_a_form_has_single_values_and_lists_of_choices(field, is_one):
    schema = {"type": "object", "properties": {"size": field}}
    if is_one:
        assert form("How large?", schema).requested_schema == schema
    else:
        with pytest.raises(ValueError, match="'size' is neither"):
            form("How large?", schema)


@table(
    "declared, may",
    ({}, False),
    ({"elicitation": {}}, True),
    ({"elicitation": {"form": {}}}, True),
    ({"elicitation": {"url": {}}}, False),
    ({"elicitation": {"form": {}, "url": {}}}, True),
)
def test_who_shows_forms(declared, may):
    """A client that says nothing more of elicitation has them, as before there were URLs."""
    assert can_ask(ClientCapabilities.model_validate(declared)) is may
    assert not can_ask(None)
