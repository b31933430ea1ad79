"""Tools that ask the user before they run, as their file says."""

from io import StringIO
from typing import Any

import generated_tests
import pytest
import yaml
from command_line import run
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitResult
from tables import table

from mcpgen.runtime import Reply, ToolError
from mcpgen.runtime.parts.questions import Questions

from .servers import Server, of_document
from .upstream import Answer

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])
BERTH = {"type": "integer", "minimum": 1, "description": "Which berth."}
pier = of_document("pier")


class User:
    """Answers one question after the other, and remembers them."""

    def __init__(self, *answers: ElicitResult) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def __call__(self, _: Any, params: Any) -> ElicitResult:
        self.asked.append((params.message, params.requested_schema))
        return self._answers[len(self.asked) - 1]


async def call(server: Server, user: User | None, era: Any, **arguments: Any) -> CallToolResult:
    server.upstream.answer, server.upstream.seen = Answer.of({"freed": True}), []
    settings = server.module("_runtime").Settings(base_url=server.upstream.url)
    made = server.module("server").create_server(settings)
    async with Client(made, mode=era, elicitation_callback=user) as client:
        return await client.call_tool("free_berth", arguments)


def form(schema: Any) -> dict[str, Any]:
    """A form whose one field has that schema."""
    return {"type": "object", "properties": {"field": schema}}


YES = ElicitResult(action="accept", content={})
NO = ElicitResult(action="decline")


class Terminal(StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@table(
    "typed, code, target",
    ("7\nstorm\ny\n", 0, "/berths/7?why=storm"),
    ("7\nstorm\nn\n", 1, ""),
    ("7\n", 1, ""),
)
def test_a_call_of_the_command_line_asks_at_the_terminal(
    pier, monkeypatch, capsys, typed, code, target
):
    pier.upstream.answer, pier.upstream.seen = Answer.of({"freed": True}), []
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    given = ["--call", "free_berth", "--base-url", pier.upstream.url]
    assert pier.module("server").APP.main(given) == code
    assert [request.target for request in pier.upstream.seen] == [target] * (not code)
    assert capsys.readouterr().err.startswith("Which berth, and why?\nberth: why:")


@ERAS
async def test_what_is_missing_is_asked_for_and_the_user_agrees(pier, era):
    user = User(ElicitResult(action="accept", content={"berth": 7, "why": "storm"}), YES)
    result = await call(pier, user, era)
    assert result.structured_content == {"freed": True}
    (request,) = pier.upstream.seen
    assert request.target == "/berths/7?why=storm"
    first, second = user.asked
    assert first == (
        "Which berth, and why?",
        {
            "type": "object",
            "properties": {"berth": BERTH, "why": {"type": "string"}},
            "required": ["berth", "why"],
        },
    )
    assert second[0] == 'Free berth 7 because of "storm"?'
    assert second[1]["properties"] == {}


@pytest.mark.parametrize("shared", [True, False])
async def test_another_process_takes_the_call_on_where_they_share_a_key(pier, shared):
    """The question came from one server, the answer goes to the next."""
    pier.upstream.answer, pier.upstream.seen = Answer.of({"freed": True}), []
    keys = ("k" * 32,) if shared else ()
    settings = pier.module("_runtime").HttpSettings(base_url=pier.upstream.url, state_keys=keys)
    create = pier.module("server").create_server
    params = {"name": "free_berth", "arguments": {"berth": 7, "why": "ice"}}
    user = User()
    async with (
        Client(create(settings), elicitation_callback=user) as one,
        Client(create(settings), elicitation_callback=user) as two,
    ):
        question = await one.session.call_tool(**params, allow_input_required=True)
        again = {**params, "request_state": question.request_state}
        answers = {"input-2": YES}
        if shared:
            result = await two.session.call_tool(**again, input_responses=answers)
            assert result.structured_content == {"freed": True}
        else:
            with pytest.raises(MCPError, match="requestState"):
                await two.session.call_tool(**again, input_responses=answers)
            assert not pier.upstream.seen


@ERAS
async def test_what_the_call_gives_is_not_asked_for(pier, era):
    user = User(ElicitResult(action="accept", content={"why": "ice"}), YES)
    await call(pier, user, era, berth=3)
    assert list(user.asked[0][1]["properties"]) == ["why"]
    assert pier.upstream.seen[0].target == "/berths/3?why=ice"
    only = User(YES)
    await call(pier, only, era, berth=3, why="ice")
    assert len(only.asked) == 1


@ERAS
@table("answers", [NO], [ElicitResult(action="accept", content={"berth": 7, "why": "ice"}), NO])
async def test_nothing_is_done_where_the_user_declines(pier, era, answers):
    result = await call(pier, User(*answers), era)
    assert result.is_error
    assert "nothing was done" in result.content[0].text
    assert not pier.upstream.seen


@ERAS
@pytest.mark.parametrize("content", [{"berth": 0, "why": "ice"}, {"berth": 7, "why": "ICE!"}])
async def test_an_answer_is_held_against_the_tools_schema(pier, era, content):
    result = await call(pier, User(ElicitResult(action="accept", content=content), YES), era)
    assert result.is_error
    assert not pier.upstream.seen


async def test_an_argument_cannot_pass_for_the_message():
    user = User(NO)
    schema = {"type": "object", "properties": {"why": {"type": "string"}}}
    asked = Questions({"t": [{"message": "Do it for {why}?", "arguments": {}}]})

    class Asking:
        async def ask(self, message, form, key):
            await user(None, type("Params", (), {"message": message, "requested_schema": form}))
            return Reply("decline")

    serve = asked.wrap({"name": "t", "inputSchema": schema}, None)
    with pytest.raises(ToolError):
        await serve(Asking(), {"why": 'x"?\n\u202eOK'})
    assert user.asked[0][0] == 'Do it for "x\\"?\\n\\u202eOK"?'


async def test_a_client_that_cannot_ask(pier):
    pier.upstream.seen = []
    async with Client(pier.module("server").create_server()) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("free_berth", {"berth": 1, "why": "ice"})
    assert refused.value.error.code == -32021
    assert refused.value.error.data == {"requiredCapabilities": {"elicitation": {"form": {}}}}
    assert (await call(pier, None, "legacy", berth=1, why="ice")).is_error
    assert not pier.upstream.seen


gauges = of_document("gauges", settings='resources = ["GET /gauges/*"]\n')


@ERAS
@pytest.mark.parametrize("answer", [YES, NO])
async def test_a_tool_that_is_read_as_a_resource_asks_as_well(gauges, era, answer):
    upstream = gauges.upstream
    upstream.answer, upstream.seen = Answer.of({"level": 2}), []
    user = User(answer)
    given = gauges.module("_runtime").Settings(base_url=upstream.url)
    server = gauges.module("server").create_server(given)
    async with Client(server, mode=era, elicitation_callback=user) as client:
        (template,) = (await client.list_resource_templates()).resource_templates
        uri = template.uri_template.replace("{gauge}", "7")
        if answer is YES:
            assert (await client.read_resource(uri)).contents
        else:
            with pytest.raises(MCPError, match="declined"):
                await client.read_resource(uri)
    assert [message for message, _ in user.asked] == ["Pay for gauge 7?"]
    assert len(upstream.seen) == (answer is YES)


@ERAS
@table(
    "schema",
    {},
    {"type": "object"},
    {"properties": {}},
    form({"type": "object", "properties": {}}),
    form({"type": "array", "items": {"type": "string"}}),
    form({}),
    form(True),
)
async def test_a_handler_is_told_that_it_asks_for_no_form(pier, era, schema, caplog):
    async def ask(ctx, *, extra):
        return (await ctx.ask("Sure?", extra["schema"])).content

    handlers = pier.module("handlers.http")
    with pytest.MonkeyPatch.context() as patch:
        marked = handlers.tool("list_berths", extra="*")(ask)
        patch.setattr(handlers, "list_berths", marked)
        made = pier.module("server").create_server()
        async with Client(made, mode=era, elicitation_callback=User(YES)) as client:
            result = await client.call_tool("list_berths", {"schema": schema})
    assert result.is_error
    assert "ValueError: a form " in caplog.text


def test_its_own_tests_pass(pier):
    """The generated tests answer what the tools ask."""
    done = generated_tests.run(pier.folder)
    assert done.returncode == 0, done.stdout


@table(
    "change, says",
    ({"message": "Free {bert}?"}, "`{bert}` in the message is not an argument"),
    ({"message": "Which?", "arguments": ["bert"]}, "`bert` is not an argument"),
    ({"message": "Which?", "arguments": ["many"]}, "single values only"),
    ({"message": "Who?", "arguments": ["harbourPassword"]}, "must not ask for one"),
    ({"message": "Who?", "arguments": ["code"]}, "must not ask for one"),
    ({"text": "Which?"}, "message"),
)
def test_a_question_that_cannot_be_asked_is_an_error_with_its_place(tmp_path, change, says):
    text = {"type": "string"}
    properties = {
        "berth": BERTH,
        "many": {"type": "array"},
        "harbourPassword": text,
        "code": {**text, "format": "password"},
    }
    tool = {
        "name": "free",
        "description": "Some.",
        "inputSchema": {"type": "object", "properties": properties},
        "input": [change],
    }
    source = tmp_path / "pier.yaml"
    source.write_text(yaml.safe_dump({"tools": [tool]}), "utf-8")
    done = run("from-schema", str(source), "-o", str(tmp_path / "made"))
    assert done.exit_code == 1
    assert says in done.output
    assert "pier.yaml:" in done.output
