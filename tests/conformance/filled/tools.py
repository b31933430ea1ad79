"""Tools that you write in Python. Updates keep your code."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    INTERNAL_ERROR,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)

from .._runtime import UNSET, Context, ProtocolError, ToolError, Unset, catalogue, tool

TEXT = {"type": "string"}


def form(**properties: Any) -> dict[str, Any]:
    """A form of which every field must be filled in."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def question(message: str, **properties: Any) -> ElicitRequest:
    """What the user is asked."""
    params = ElicitRequestFormParams(message=message, requested_schema=form(**properties))
    return ElicitRequest(params=params)


def sample(prompt: str, tokens: int = 100) -> CreateMessageRequest:
    """What the client's model is asked."""
    content = TextContent(type="text", text=prompt)
    messages = [SamplingMessage(role="user", content=content)]
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=messages, max_tokens=tokens)
    )


def answers(ctx: Context) -> dict[str, Any]:
    """What the client answered to the last round."""
    return dict(ctx.params.input_responses or {})


def named(answer: Any) -> str | None:
    """The name in an answer, if it is one."""
    if isinstance(answer, ElicitResult) and answer.content:
        name = answer.content.get("name")
        return name if isinstance(name, str) else None
    return None


@tool("test_tool_with_progress")
async def test_tool_with_progress(ctx: Context) -> Any:
    """Progress in steps."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await anyio.sleep(0.05)
    return "done"


@tool("test_tool_with_logging")
async def test_tool_with_logging(ctx: Context) -> Any:
    """Lines for the log."""
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.log("info", line)
        await anyio.sleep(0.05)
    return "logged"


@tool("test_logging_tool")
async def test_logging_tool(ctx: Context) -> Any:
    """A line for the log."""
    await ctx.log("info", "a line")
    return "logged"


@tool("test_missing_capability")
async def test_missing_capability(ctx: Context) -> Any:
    """Needs sampling."""
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        data = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling", data)
    return "sampling is there"


@tool("test_streaming_elicitation")
async def test_streaming_elicitation(ctx: Context) -> Any:
    """Asks the user."""
    reply = await ctx.ask("Shall it go on?", form(yes={"type": "boolean"}))
    return f"the user said {reply.action}"


@tool("test_elicitation")
async def test_elicitation(ctx: Context, *, message: str) -> Any:
    """Asks the user for a name."""
    reply = await ctx.ask(message, form(username=TEXT, email=TEXT))
    return f"User response: {reply.action}, {dict(reply.content)}"


@tool("test_sampling")
async def test_sampling(ctx: Context, *, prompt: str) -> Any:
    """Asks the client's model; only clients before 2026-07-28 can be asked in a call."""
    session = ctx.request.session
    if not session.can_send_request:
        raise ToolError("This client cannot be asked while a tool runs.")
    related = ServerMessageMetadata(related_request_id=ctx.request_id)
    result = await session.send_request(sample(prompt), CreateMessageResult, metadata=related)
    return f"LLM response: {getattr(result.content, 'text', '')}"


@tool("test_elicitation_sep1034_defaults")
async def test_elicitation_sep1034_defaults(ctx: Context) -> Any:
    """Defaults."""
    schema = {
        "type": "object",
        "properties": {
            "name": {**TEXT, "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {**TEXT, "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": True},
        },
    }
    reply = await ctx.ask("Who are you?", schema)
    return f"Elicitation completed: action={reply.action}, content={dict(reply.content)}"


@tool("test_elicitation_sep1330_enums")
async def test_elicitation_sep1330_enums(ctx: Context) -> Any:
    """Choices."""
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
    legacy = {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]}
    schema = {
        "type": "object",
        "properties": {
            "untitledSingle": {**TEXT, "enum": plain},
            "titledSingle": {**TEXT, "oneOf": titled},
            "legacyEnum": {**TEXT, **legacy},
            "untitledMulti": {"type": "array", "items": {**TEXT, "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        },
    }
    reply = await ctx.ask("Which?", schema)
    return f"Elicitation completed: action={reply.action}, content={dict(reply.content)}"


@tool("test_input_required_result_elicitation")
async def test_input_required_result_elicitation(ctx: Context) -> Any:
    """One question."""
    name = named(answers(ctx).get("user_name"))
    if name is None:
        asked = question("What is your name?", name=TEXT)
        return InputRequiredResult(input_requests={"user_name": asked})
    return f"Hello, {name}!"


@tool("test_input_required_result_sampling")
async def test_input_required_result_sampling(ctx: Context) -> Any:
    """A sample."""
    answer = answers(ctx).get("capital_question")
    if not isinstance(answer, CreateMessageResult):
        asked = sample("What is the capital of France?")
        return InputRequiredResult(input_requests={"capital_question": asked})
    return f"The model said: {getattr(answer.content, 'text', '')}"


@tool("test_input_required_result_list_roots")
async def test_input_required_result_list_roots(ctx: Context) -> Any:
    """The roots."""
    answer = answers(ctx).get("client_roots")
    if not isinstance(answer, ListRootsResult):
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})
    return ", ".join(str(root.uri) for root in answer.roots)


@tool("test_input_required_result_request_state")
async def test_input_required_result_request_state(ctx: Context) -> Any:
    """State."""
    reply = await ctx.ask("Please confirm", form(ok={"type": "boolean"}), key="confirm")
    return f"state-ok: {reply.action}"


@tool("test_input_required_result_multiple_inputs")
async def test_input_required_result_multiple_inputs(ctx: Context) -> Any:
    """Three at once."""
    given = answers(ctx)
    asked = {
        "user_name": question("What is your name?", name=TEXT),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    if ctx.params.request_state != "asked" or not asked.keys() <= given.keys():
        return InputRequiredResult(input_requests=asked, request_state="asked")
    return f"Hello, {named(given['user_name'])}!"


@tool("test_input_required_result_multi_round")
async def test_input_required_result_multi_round(ctx: Context) -> Any:
    """Two rounds."""
    first = await ctx.ask("Step 1: What is your name?", form(name=TEXT), key="step1")
    message = "Step 2: What is your favorite color?"
    second = await ctx.ask(message, form(color=TEXT), key="step2")
    return f"{first.content.get('name')} likes {second.content.get('color')}"


@tool("test_input_required_result_tampered_state")
async def test_input_required_result_tampered_state(ctx: Context) -> Any:
    """Sealed."""
    reply = await ctx.ask("Please confirm", form(ok={"type": "boolean"}), key="confirm")
    return f"confirmed: {reply.action}"


@tool("test_input_required_result_capabilities")
async def test_input_required_result_capabilities(ctx: Context) -> Any:
    """What the client can."""
    if answers(ctx):
        return "answered"
    capabilities = ctx.client_capabilities
    asked: dict[str, Any] = {}
    if capabilities is not None and capabilities.sampling is not None:
        asked["greeting"] = sample("Generate a greeting")
    if capabilities is not None and capabilities.elicitation is not None:
        asked["user_name"] = question("What is your name?", name=TEXT)
    return InputRequiredResult(input_requests=asked) if asked else "nothing can be asked"


@tool("test_trigger_tool_change")
async def test_trigger_tool_change(ctx: Context) -> Any:
    """Changes what a tool says of itself."""
    tools = catalogue(ctx)
    described = tools.get("test_logging_tool") or {}
    tools.replace({**described, "description": f"{described['description']} "})
    return "changed"


@tool("greet")
async def greet(ctx: Context, *, name: str) -> Any:
    """Greets, at once."""
    return f"Hello, {name}!"


@tool("slow_compute")
async def slow_compute(
    ctx: Context, *, seconds: float | Unset = UNSET, label: str | Unset = UNSET
) -> Any:
    """Computes for some seconds."""
    half = float(seconds or 0) / 2
    await anyio.sleep(half)
    await ctx.report_progress(1, 2, "half of it")
    await anyio.sleep(half)
    return f"computed {label or 'something'}"


@tool("failing_job")
async def failing_job(ctx: Context) -> Any:
    """Fails after a while."""
    await anyio.sleep(0.5)
    raise ToolError("The job failed.")


@tool("protocol_error_job")
async def protocol_error_job(ctx: Context) -> Any:
    """Breaks the protocol's way."""
    raise ProtocolError(INTERNAL_ERROR, "The job broke.")


@tool("confirm_delete")
async def confirm_delete(ctx: Context, *, filename: str | Unset = UNSET) -> Any:
    """Deletes a file once the user agrees."""
    reply = await ctx.ask(f"Delete {filename}?", form(confirm={"type": "boolean"}))
    return f"deleted: {reply.accepted and reply.content.get('confirm')}"


@tool("multi_input")
async def multi_input(ctx: Context) -> Any:
    """Asks two things at a time."""
    answers: list[str] = []

    async def ask(what: str) -> None:
        reply = await ctx.ask(what, form(name=TEXT), key=what)
        answers.append(str(reply.content.get("name")))

    async with anyio.create_task_group() as group:
        group.start_soon(ask, "first")
        group.start_soon(ask, "second")
    return ", ".join(sorted(answers))


@tool("test_tool_with_task")
async def test_tool_with_task(ctx: Context, *, name: str) -> Any:
    """Works, once the user has said a name."""
    return f"Worked for {name}"
