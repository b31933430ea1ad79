"""Resources and prompts of a tool file, as clients of both generations of the protocol see them."""

from __future__ import annotations

import base64
import json
import logging
import threading
from base64 import b64encode
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anyio
import generated_tests
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ElicitRequestParams,
    ElicitResult,
    PromptReference,
    ResourceTemplateReference,
)
from protocol.wire import CURRENT, REVISIONS, lines, request

from .servers import SPECS, Server, generate
from .upstream import Answer, Upstream

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
FILLED = Path(__file__).parent / "filled"


@pytest.fixture(scope="module")
def almanac(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The server whose functions a person has written."""
    folder = tmp_path_factory.mktemp("almanac") / "server"
    made = generate(SPECS / "tools-resources.yaml", folder, upstream, command="from-schema")
    package = folder / made.package
    for name, home in (("resources", ""), ("prompts", "")):
        (package / home / f"{name}.py").write_bytes((FILLED / f"almanac_{name}.py").read_bytes())
    (package / "handlers/tools.py").write_bytes((FILLED / "almanac.py").read_bytes())
    (package / "files/notes").mkdir(parents=True)
    (package / "files/rules.md").write_text("# Rules\n", encoding="utf-8")
    (package / "files/notes/buoys.md").write_text("Red to port.\n", encoding="utf-8")
    (package / "files/notes/deep").mkdir()
    (package / "secret.md").write_text("secret\n", encoding="utf-8")
    (package / "files/notes/link.md").symlink_to(package / "secret.md")
    return made


def use(server: Server, era: str, call: Callable[[Client], Any], **settings: Any) -> Any:
    """What a client of that generation gets."""
    given = {"base_url": server.upstream.url, "timeout": 10.0} | settings
    made = server.module("server").create_server(server.module("_runtime").Settings(**given))

    async def answer(_: Any, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"to": "Skagen"})

    async def main() -> Any:
        async with Client(
            made, mode=era, elicitation_callback=answer, read_timeout_seconds=20
        ) as client:
            try:
                return await call(client)
            except MCPError as problem:
                return problem

    result = anyio.run(main)
    if isinstance(result, MCPError):
        raise result
    return result


def read(server: Server, uri: str, era: str = "2026-07-28", answer: Answer | None = None) -> Any:
    """The one content of a resource."""
    server.upstream.answer = answer or Answer()
    server.upstream.seen = []
    (content,) = use(server, era, lambda client: client.read_resource(uri)).contents
    assert content.uri == uri
    return content


def error_of(server: Server, era: str, call: Callable[[Client], Any]) -> Any:
    """The protocol error that a call ends in."""
    with pytest.raises(MCPError) as caught:
        use(server, era, call)
    return caught.value.error


@ERAS
def test_lists_have_pages_and_say_how_long_they_hold(almanac: Server, era: str) -> None:
    async def all_pages(client: Client) -> tuple[list[Any], int]:
        found, pages, cursor = [], 0, None
        while True:
            page = await client.list_resources(cursor=cursor)
            found += page.resources
            pages += 1
            if page.next_cursor is None:
                return found, pages
            cursor = page.next_cursor

    found, pages = use(almanac, era, all_pages, page_size=2)
    assert [each.name for each in found] == ["about", "seal", "rules", "today", "moon"]
    assert pages == 3
    assert found[0].annotations.priority == 0.5
    templates = use(almanac, era, lambda client: client.list_resource_templates())
    assert [each.name for each in templates.resource_templates] == ["place", "note", "star"]
    prompts = use(almanac, era, lambda client: client.list_prompts())
    assert [each.name for each in prompts.prompts] == ["log-entry", "compare", "passage"]
    if era != "legacy":
        assert (templates.ttl_ms, prompts.cache_scope) == (300_000, "public")


def test_what_the_package_holds_is_read(almanac: Server) -> None:
    about = read(almanac, "almanac://about")
    assert about.mime_type == "text/markdown"
    assert about.text == "# The almanac\nMade by the harbour, for {anyone}.\n"
    seal = read(almanac, "almanac://seal")
    assert (seal.mime_type, seal.blob) == ("image/png", "iVBORw0KGgo=")
    assert read(almanac, "almanac://rules").text == "# Rules\n"
    note = read(almanac, "almanac://notes/buoys")
    assert (note.mime_type, note.text) == ("text/markdown", "Red to port.\n")


@ERAS
@pytest.mark.parametrize(
    "uri",
    [
        "almanac://nothing",
        "almanac://notes/missing",
        "almanac://notes/deep",
        "almanac://notes/link",
        "almanac://notes/..%2F..%2Fsecret",
        "almanac://notes/..%2Frules",
        "almanac://notes/%2Fetc%2Fpasswd",
        "almanac://notes/buoys%00",
        "almanac://notes/",
        "",
    ],
)
def test_what_is_none_is_not_found(almanac: Server, era: str, uri: str) -> None:
    error = error_of(almanac, era, lambda client: client.read_resource(uri))
    assert error.code == (-32002 if era == "legacy" else -32602)
    assert error.data == {"uri": uri}


@ERAS
def test_a_resource_is_a_request(almanac: Server, era: str) -> None:
    content = read(almanac, "almanac://places/N%C3%B8rd%2F1?year=2026", era, Answer.of({"n": 1}))
    (request,) = almanac.upstream.seen
    assert (request.method, request.target) == ("GET", "/places/N%C3%B8rd%2F1?y=2026")
    assert (content.mime_type, content.text) == ("application/json", '{"n":1}')
    read(almanac, "almanac://places/x", era, Answer.of({}))
    assert almanac.upstream.seen[0].target == "/places/x"
    almanac.upstream.answer = Answer.of({"message": "gone"}, 404)
    error = error_of(almanac, era, lambda client: client.read_resource("almanac://today"))
    assert error.code == (-32002 if era == "legacy" else -32602)
    almanac.upstream.answer = Answer.of({"message": "no coffee"}, 418)
    error = error_of(almanac, era, lambda client: client.read_resource("almanac://today"))
    assert error.code == -32603
    assert "no coffee" in error.message


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(b"calm", None), "text/plain"),
        (Answer(b'{ "a": 1, "a": 2 }', None), "application/json"),
        (Answer(b"<p>calm", "text/html; charset=utf-8"), "text/html"),
        (Answer(b"\0\xff", None), "application/octet-stream"),
    ],
)
def test_what_has_no_type_has_that_of_what_it_is(
    almanac: Server, answer: Answer, kind: str
) -> None:
    content = read(almanac, "almanac://today", answer=answer)
    assert content.mime_type == kind
    assert getattr(content, "text", None) in (None, answer.body.decode("latin-1"))


@ERAS
def test_a_variable_that_a_template_does_not_have_is_refused(almanac: Server, era: str) -> None:
    """What was to be filtered by it would come as if it were."""
    almanac.upstream.seen = []
    for uri in ("almanac://places/x?month=5", "almanac://places/x?year=2026&m%6Fnth=5"):
        error = error_of(almanac, era, lambda client, uri=uri: client.read_resource(uri))
        assert (error.code, error.data) == (-32602, {"uri": uri})
        assert error.message == "`month` is no variable of almanac://places/{place}{?year}"
    assert not almanac.upstream.seen


@pytest.mark.parametrize(
    ("query", "says"),
    [("year=1&year=2", "`year` stands twice in the query"), ("place=y", "`place` is no variable")],
)
def test_a_variable_is_given_once_and_where_the_template_has_it(
    almanac: Server, query: str, says: str
) -> None:
    """Of two values one would be left out without a word."""
    almanac.upstream.seen = []
    uri = f"almanac://places/x?{query}"
    error = error_of(almanac, "auto", lambda client: client.read_resource(uri))
    assert (error.code, error.data) == (-32602, {"uri": uri})
    assert error.message == f"{says} of almanac://places/{{place}}{{?year}}"
    assert not almanac.upstream.seen


TIDEBOOK = """
server: { name: Tidebook }
tools:
  - { name: tide, description: The tide., inputSchema: { type: object } }
resourceTemplates:
  - { uriTemplate: "tides://list?kind=high{&port}", name: list, text: "of {port}" }
  - { uriTemplate: "tides://{port}", name: port, text: "at {port}" }
"""


def test_a_query_that_a_template_has_itself_is_no_variable(
    upstream: Upstream, tmp_path: Path
) -> None:
    """Nor is a URI refused for what stands between its slashes; what is left out is empty."""
    file = tmp_path / "tidebook.yaml"
    file.write_text(TIDEBOOK, encoding="utf-8")
    made = generate(file, tmp_path / "server", upstream, command="from-schema")
    assert read(made, "tides://list?kind=high&port=Skagen").text == "of Skagen"
    assert read(made, "tides://[Skagen]").text == "at [Skagen]"
    assert read(made, "tides://list?kind=high").text == "of "
    low = error_of(made, "auto", lambda client: client.read_resource("tides://list?kind=low"))
    assert low.message == "Resource not found"


def test_a_comma_in_a_value_need_not_be_encoded(almanac: Server) -> None:
    for uri in ("almanac://places/59.9,10.7?year=2026", "almanac://places/59.9%2C10.7?year=2026"):
        read(almanac, uri, answer=Answer.of({}))
        assert almanac.upstream.seen[-1].target == "/places/59.9%2C10.7?y=2026"


@ERAS
def test_a_resource_is_a_python_function(
    almanac: Server, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    moon = read(almanac, "almanac://moon", era)
    assert (moon.mime_type, moon.blob) == ("image/png", "iVBORyBtb29u")
    assert read(almanac, "almanac://stars/sirius", era).text == '{"name":"sirius"}'
    for star in ("vega", "antares", "algol"):
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            error = error_of(
                almanac, era, lambda c, star=star: c.read_resource(f"almanac://stars/{star}")
            )
        assert error.code == -32603
        assert "hunter2" not in error.message
        assert "hunter2" in caplog.text
    gone = error_of(almanac, era, lambda c: c.read_resource("almanac://stars/nova"))
    assert (gone.code, gone.message) == (-32000, "It is gone.")


def test_what_is_wrong_with_an_answer_is_in_the_log(
    almanac: Server, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Answer(b'{"n": ', "application/json")
    assert read(almanac, "almanac://today", answer=broken).text == '{"n": '
    assert "almanac://today" in caplog.text
    assert "not well-formed JSON at character 6" in caplog.text


def test_no_other_caller_waits_while_a_large_answer_is_read(
    almanac: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    resources = almanac.module("_runtime.resources")
    contents_of, threads = resources.contents_of, set()

    def made(*given: Any) -> Any:
        threads.add(threading.current_thread())
        return contents_of(*given)

    monkeypatch.setattr(resources, "contents_of", made)
    read(almanac, "almanac://today", answer=Answer.of(["x" * (1 << 16)]))
    assert threads - {threading.main_thread()}


@ERAS
def test_a_resource_asks_from_a_task_of_its_own(almanac: Server, era: str) -> None:
    assert read(almanac, "almanac://stars/deneb", era).text == '{"name":"deneb"}'


@pytest.mark.parametrize("text", ["x" * 5000, "\N{SPARKLES}" * 400])
def test_a_large_resource_is_refused(almanac: Server, text: str) -> None:
    almanac.upstream.answer = Answer.of(text)
    with pytest.raises(MCPError, match="ALMANAC_MAX_RESULT_BYTES"):
        use(almanac, "auto", lambda c: c.read_resource("almanac://today"), max_result_bytes=1000)


@pytest.mark.parametrize("kind", ["text/plain", "application/zip"])
@pytest.mark.parametrize("most", [10, 11, 12])
def test_a_resource_may_have_as_many_bytes_as_the_limit_and_no_more(
    almanac: Server, kind: str, most: int
) -> None:
    """Base64 has no say in it, in which one, two or three bytes are as long."""

    async def reading(client: Client) -> None:
        await client.read_resource("almanac://today")

    for size in (most, most + 1):
        almanac.upstream.answer = Answer(b"x" * size, kind)
        with nullcontext() if size == most else pytest.raises(MCPError, match="more than the"):
            use(
                almanac, "auto", lambda c: c.read_resource("almanac://today"), max_result_bytes=most
            )


def test_what_is_asked_too_often_has_a_code_outside_of_those_that_are_reserved(
    almanac: Server,
) -> None:
    async def twice(client: Client) -> None:
        await client.read_resource("almanac://about")
        await client.read_resource("almanac://seal")

    with pytest.raises(MCPError) as caught:
        use(almanac, "auto", twice, calls_per_minute=1)
    assert caught.value.error.code == 429
    assert "calls a minute" in caught.value.error.message


@ERAS
def test_a_file_that_is_too_large_is_told_and_not_said_to_be_missing(
    almanac: Server, era: str
) -> None:
    with pytest.raises(MCPError, match=r"'rules.md' has more than the 4 bytes .*_MAX_RESULT_BYTES"):
        use(almanac, era, lambda c: c.read_resource("almanac://rules"), max_result_bytes=4)


@ERAS
def test_a_tool_reads_a_resource(almanac: Server, era: str) -> None:
    almanac.upstream.answer = Answer.of({"depth": 4})
    result = use(almanac, era, lambda client: client.call_tool("advise", {"place": "pier"}))
    assert result.content[0].text == 'The almanac says: {"depth":4}'


@ERAS
def test_prompts_of_the_file(almanac: Server, era: str) -> None:
    given = {"ship": "Ærø {wind}", "wind": "N 3"}
    (message,) = use(almanac, era, lambda c: c.get_prompt("log-entry", given)).messages
    assert message.content.text == "Write a log entry for Ærø {wind}. Wind: N 3."
    (message,) = use(almanac, era, lambda c: c.get_prompt("log-entry", {"ship": "A"})).messages
    assert message.content.text == "Write a log entry for A. Wind: ."
    link, said = use(almanac, era, lambda c: c.get_prompt("compare", {"uri": "a:b"})).messages
    assert (link.role, link.content.type, link.content.uri) == ("user", "resource_link", "a:b")
    assert said.role == "assistant"


@ERAS
@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("nothing", {}, "nothing"),
        ("log-entry", {}, "`ship`"),
        ("log-entry", {"ship": "A", "crew": "9"}, "`crew`"),
        ("compare", {"uri": "page nine"}, "'page nine' is no URI"),
    ],
)
def test_wrong_prompts(
    almanac: Server, era: str, name: str, arguments: dict[str, str], says: str
) -> None:
    error = error_of(almanac, era, lambda client: client.get_prompt(name, arguments))
    assert error.code == -32602
    assert says in error.message


@ERAS
def test_a_prompt_is_a_python_function(almanac: Server, era: str) -> None:
    """It asks the user, reads a resource, and says more than text."""
    made = use(almanac, era, lambda c: c.get_prompt("passage", {"from-port": "Rømø"}))
    said, sound, wish = made.messages
    assert said.role == "assistant"
    assert said.content.text == "From Rømø to Skagen, by almanac://about."
    assert (sound.content.type, sound.content.mime_type) == ("audio", "audio/wav")
    assert wish.content.text == "Fair winds."


@pytest.mark.parametrize("revision", REVISIONS)
def test_messages_hold_what_their_revision_knows(almanac: Server, revision: str) -> None:
    prompts = {"compare": {"uri": "a:b"}, "passage": {"from-port": "Skagen", "to": "Hals"}}
    with lines(almanac, revision) as client:
        (link, _), (_, sound, _) = (
            client.ask(request("prompts/get", {"name": name, "arguments": given}, revision))[
                "result"
            ]["messages"]
            for name, given in prompts.items()
        )
    if revision >= "2025-06-18":
        assert link["content"] == {"type": "resource_link", "uri": "a:b", "name": "page"}
    else:
        assert link["content"] == {"type": "text", "text": "page: a:b"}
    data = b64encode(b"RIFF").decode()
    if revision >= "2025-03-26":
        assert sound["content"] == {"type": "audio", "data": data, "mimeType": "audio/wav"}
    else:
        resource = {"uri": "resource://audio", "mimeType": "audio/wav", "blob": data}
        assert sound["content"] == {"type": "resource", "resource": resource}


@pytest.mark.parametrize("revision", REVISIONS)
def test_who_cannot_be_asked_back_is_told_so(almanac: Server, revision: str) -> None:
    with lines(almanac, revision) as client:
        for method, params in (
            ("resources/read", {"uri": "almanac://stars/pole"}),
            ("prompts/get", {"name": "passage", "arguments": {"from-port": "nowhere"}}),
        ):
            error = client.ask(request(method, params, revision))["error"]
            if revision == CURRENT:
                assert error["code"] == -32021
                assert error["data"] == {"requiredCapabilities": {"roots": {}}}
            else:
                assert error["code"] == -32603
                assert "before 2026-07-28" in error["message"]


@ERAS
def test_completion(almanac: Server, era: str) -> None:
    def complete(ref: Any, name: str, value: str, **given: str) -> Any:
        argument = {"name": name, "value": value}
        call = lambda client: client.complete(ref, argument, context_arguments=given or None)  # noqa: E731
        return use(almanac, era, call).completion

    log = PromptReference(type="ref/prompt", name="log-entry")
    assert complete(log, "wind", "n").values == ["N 3", "NE 4"]
    assert complete(log, "wind", "4").values == ["NE 4"]
    assert complete(log, "ship", "x").values == []
    place = "almanac://places/{place}{?year}"
    places = ResourceTemplateReference(type="ref/resource", uri=place)
    assert complete(places, "place", "pier").values == ["North Pier", "South Pier"]
    stars = ResourceTemplateReference(type="ref/resource", uri="almanac://stars/{name}")
    found = complete(stars, "name", "v", sky="n")
    assert (found.values[0], len(found.values)) == ("v-0-n", 100)
    assert (found.total, found.has_more) == (120, True)
    assert complete(stars, "name", "the one").values == ["Polaris"]
    unknown = PromptReference(type="ref/prompt", name="nothing")
    argument = {"name": "x", "value": ""}
    error = error_of(almanac, era, lambda client: client.complete(unknown, argument))
    assert error.code == -32602


def test_a_prompts_file_that_is_not_there_is_told_to_who_can_mend_it(
    upstream: Upstream, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tool = {"name": "t", "description": "Some.", "inputSchema": {"type": "object"}}
    topic = {"name": "topic", "arguments": [{"name": "topic"}], "file": "{topic}.md"}
    document = {"tools": [tool], "prompts": [{"name": "rules", "file": "rules.md"}, topic]}
    (tmp_path / "book.json").write_text(json.dumps({"server": {"name": "book"}, **document}))
    made = generate(tmp_path / "book.json", tmp_path / "made", upstream, command="from-schema")
    lost = error_of(made, "auto", lambda c: c.get_prompt("topic", {"topic": "a"}))
    assert (lost.code, lost.message) == (-32602, "There is no file 'a.md' that can be read.")
    assert not caplog.records
    lost = error_of(made, "auto", lambda c: c.get_prompt("rules"))
    said = (
        "There is no file 'rules.md' that can be read. Its place is the folder `files` of book_mcp."
    )
    assert (lost.code, lost.message) == (-32603, said)
    assert [record.getMessage() for record in caplog.records] == [f"rules: {said}"]


def test_a_file_is_read_as_its_bytes_say(upstream: Upstream, tmp_path: Path) -> None:
    """Editors of Windows begin a file with a mark that is no part of its text, or write UTF-16."""
    tool = {"name": "t", "description": "Some.", "inputSchema": {"type": "object"}}
    shelf = {"uriTemplate": "desk://{topic}", "name": "topic", "file": "{topic}.md"}
    topic = {"name": "topic", "arguments": [{"name": "topic"}], "file": "{topic}.md"}
    document = {"tools": [tool], "resourceTemplates": [shelf], "prompts": [topic]}
    (tmp_path / "desk.json").write_text(json.dumps({"server": {"name": "desk"}, **document}))
    made = generate(tmp_path / "desk.json", tmp_path / "made", upstream, command="from-schema")
    files = made.folder / made.package / "files"
    files.mkdir()
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "latin-1"):
        (files / f"{encoding}.md").write_bytes("# Før\r\n{topic}\r\n".encode(encoding))
        given = {"topic": encoding}
        (message,) = use(made, "auto", lambda c, g=given: c.get_prompt("topic", g)).messages
        assert message.content.text == f"# Før\r\n{encoding}\r\n"
    assert read(made, "desk://utf-8-sig").text == "# Før\r\n{topic}\r\n"
    blob = base64.b64encode("# Før\r\n{topic}\r\n".encode("latin-1")).decode()
    assert read(made, "desk://latin-1").blob == blob


def test_completion_where_there_are_prompts_alone(upstream: Upstream, tmp_path: Path) -> None:
    prompt = {"name": "log", "arguments": [{"name": "wind"}], "text": "{wind}"}
    tool = {"name": "look", "inputSchema": {"type": "object"}, "http": "GET /look"}
    prompts = [{**prompt, "complete": {"wind": ["N 3", "S 2"]}}]
    file = tmp_path / "tools.json"
    file.write_text(json.dumps({"server": {"name": "logs"}, "tools": [tool], "prompts": prompts}))
    made = generate(file, tmp_path / "server", upstream, command="from-schema")
    log = PromptReference(type="ref/prompt", name="log")
    argument = {"name": "wind", "value": "n"}
    found = use(made, CURRENT, lambda client: client.complete(log, argument))
    assert found.completion.values == ["N 3"]


def test_a_completion_asks_nobody(almanac: Server) -> None:
    """The only result that the newest protocol has for it is values."""
    stars = ResourceTemplateReference(type="ref/resource", uri="almanac://stars/{name}")
    for value in ("ask", "ask in a task"):
        argument = {"name": "name", "value": value}
        error = error_of(almanac, "2026-07-28", lambda c, a=argument: c.complete(stars, a))
        assert error.code == -32603
        assert "cannot be asked" in error.message
        found = use(almanac, "legacy", lambda c, a=argument: c.complete(stars, a))
        assert found.completion.values


def test_a_function_that_completes_is_limited_and_a_list_is_not(almanac: Server) -> None:
    stars = ResourceTemplateReference(type="ref/resource", uri="almanac://stars/{name}")
    log = PromptReference(type="ref/prompt", name="log-entry")

    async def often(client: Client) -> None:
        for _ in range(3):
            await client.complete(log, {"name": "wind", "value": "n"})
        await client.complete(stars, {"name": "name", "value": "v"})
        await client.complete(stars, {"name": "name", "value": "ve"})

    with pytest.raises(MCPError) as caught:
        use(almanac, "auto", often, calls_per_minute=1)
    assert caught.value.error.code == 429


@pytest.mark.filterwarnings("ignore:The logging capability")
def test_older_clients_choose_what_they_read_of_the_log(almanac: Server) -> None:
    lines: list[Any] = []
    made = almanac.module("server").create_server()

    async def heard(params: Any) -> None:
        lines.append(params.level)

    async def main() -> None:
        async with Client(made, mode="legacy", logging_callback=heard) as client:
            await client.read_resource("almanac://stars/a")
            await client.set_logging_level("warning")
            await client.read_resource("almanac://stars/b")

    anyio.run(main)
    assert lines == ["info"]


@ERAS
def test_without_an_api_requests_are_answered_from_samples(almanac: Server, era: str) -> None:
    """`--mock`, for what reads a resource too."""
    transport = almanac.module("_runtime.backend.mock").MockTransport(almanac.package)
    made = almanac.module("server").create_server(transport=transport)

    async def main() -> Any:
        async with Client(made, mode=era) as client:
            place = await client.read_resource("almanac://places/pier?year=2026")
            return place.contents[0], (await client.read_resource("almanac://today")).contents[0]

    place, today = anyio.run(main)
    assert (place.uri, place.mime_type) == ("almanac://places/pier?year=2026", "application/json")
    assert (today.uri, today.text) == ("almanac://today", '"answer-text"')


def test_what_was_not_filled_in_says_so(
    upstream: Upstream, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("almanac") / "stubs"
    options = ("--package", "empty_almanac")
    spec = SPECS / "tools-resources.yaml"
    stubs = generate(spec, folder, upstream, *options, command="from-schema")
    error = error_of(stubs, "auto", lambda client: client.read_resource("almanac://moon"))
    assert "moon() in empty_almanac/resources.py" in error.message
    given = {"from-port": "x"}
    error = error_of(stubs, "auto", lambda client: client.get_prompt("passage", given))
    assert error.code == -32603
    assert "passage() in empty_almanac/prompts.py" in error.message
    runtime = {path.stem for path in (folder / "empty_almanac/_runtime").glob("*.py")}
    assert {"resources", "prompts", "completion", "loglevels"} <= runtime
    done = generated_tests.run(folder)
    assert done.returncode == 0, done.stdout


def test_a_server_without_them_has_no_code_for_them(upstream: Upstream, tmp_path: Path) -> None:
    plain = generate(SPECS / "tools-http.yaml", tmp_path / "plain", upstream, command="from-schema")
    runtime = {path.stem for path in (tmp_path / f"plain/{plain.package}/_runtime").glob("*.py")}
    assert not {"resources", "prompts", "completion", "functions", "static_content"} & runtime
    nothing = PromptReference(type="ref/prompt", name="x")
    for era in ("legacy", "2026-07-28"):
        declared = use(plain, era, _declared)
        assert (declared.resources, declared.prompts, declared.completions) == (None, None, None)
        for ask in (
            lambda client: client.list_resources(),
            lambda client: client.list_prompts(),
            lambda client: client.complete(nothing, {"name": "x", "value": ""}),
        ):
            assert error_of(plain, era, ask).code == -32601


async def _declared(client: Client) -> Any:
    return client.server_capabilities


@ERAS
@pytest.mark.parametrize("answer", [Answer(b"", status=204), Answer(b"", "text/plain")])
def test_what_holds_nothing_is_one_empty_content(almanac: Server, era: str, answer: Answer) -> None:
    """No contents at all could mean that there is no such resource."""
    content = read(almanac, "almanac://today", era, answer)
    assert (getattr(content, "text", "") or getattr(content, "blob", "")) == ""
