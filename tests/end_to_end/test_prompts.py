"""Prompts of a tool file, as clients of both generations of the protocol see them."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from protocol.wire import CURRENT, REVISIONS, Lines, lines, request
from tables import table

from .offered import ERAS, error_of, read, use
from .servers import Server, packaged
from .upstream import Upstream

TOPIC = {"name": "topic", "arguments": [{"name": "topic"}], "file": "{topic}.md"}


@ERAS
def test_prompts_of_the_file(almanac, era):
    given = {"ship": "Ærø {wind}", "wind": "N 3"}
    (message,) = use(almanac, era, lambda c: c.get_prompt("log-entry", given)).messages
    assert message.content.text == "Write a log entry for Ærø {wind}. Wind: N 3."
    (message,) = use(almanac, era, lambda c: c.get_prompt("log-entry", {"ship": "A"})).messages
    assert message.content.text == "Write a log entry for A. Wind: ."
    link, said = use(almanac, era, lambda c: c.get_prompt("compare", {"uri": "a:b"})).messages
    assert (link.role, link.content.type, link.content.uri) == ("user", "resource_link", "a:b")
    assert said.role == "assistant"


@ERAS
@table(
    "name, arguments, says",
    ("nothing", {}, "nothing"),
    ("log-entry", {}, "`ship`"),
    ("log-entry", {"ship": "A", "crew": "9"}, "`crew`"),
    ("compare", {"uri": "page nine"}, "'page nine' is not a URI"),
)
def test_wrong_prompts(almanac, era, name, arguments, says):
    error = error_of(almanac, era, lambda client: client.get_prompt(name, arguments))
    assert error.code == -32602
    assert says in error.message


@ERAS
def test_a_prompt_is_a_python_function(almanac, era):
    """It asks the user, reads a resource, and says more than text."""
    made = use(almanac, era, lambda c: c.get_prompt("passage", {"from-port": "Rømø"}))
    said, sound, wish = made.messages
    assert said.role == "assistant"
    assert said.content.text == "From Rømø to Skagen, by almanac://about."
    assert (sound.content.type, sound.content.mime_type) == ("audio", "audio/wav")
    assert wish.content.text == "Fair winds."


@pytest.fixture(scope="module", params=REVISIONS)
def client(almanac, request):
    """A client of each revision."""
    with lines(almanac, request.param) as found:
        yield found


def asked(client: Lines, method: str, **params: Any) -> Any:
    return client.ask(request(method, params, client.revision))


def test_messages_hold_what_their_revision_knows(client):
    prompts = {"compare": {"uri": "a:b"}, "passage": {"from-port": "Skagen", "to": "Hals"}}
    (link, _), (_, sound, _) = (
        asked(client, "prompts/get", name=name, arguments=given)["result"]["messages"]
        for name, given in prompts.items()
    )
    if client.revision >= "2025-06-18":
        assert link["content"] == {"type": "resource_link", "uri": "a:b", "name": "page"}
    else:
        assert link["content"] == {"type": "text", "text": "page: a:b"}
    data = b64encode(b"RIFF\0\0\0\0WAVE").decode()
    if client.revision >= "2025-03-26":
        assert sound["content"] == {"type": "audio", "data": data, "mimeType": "audio/wav"}
    else:
        resource = {"uri": "resource://audio", "mimeType": "audio/wav", "blob": data}
        assert sound["content"] == {"type": "resource", "resource": resource}


def test_who_cannot_be_asked_back_is_told_so(client):
    for method, params in (
        ("resources/read", {"uri": "almanac://stars/pole"}),
        ("prompts/get", {"name": "passage", "arguments": {"from-port": "nowhere"}}),
    ):
        error = asked(client, method, **params)["error"]
        if client.revision == CURRENT:
            assert error["code"] == -32021
            assert error["data"] == {"requiredCapabilities": {"roots": {}}}
        else:
            assert error["code"] == -32603
            assert "before 2026-07-28" in error["message"]


def made(folder: Path, upstream: Upstream, name: str, **parts: Any) -> Server:
    """The server of a tool file with one tool and these parts."""
    tool = {"name": "t", "description": "Some.", "inputSchema": {"type": "object"}}
    return packaged({"server": {"name": name}, "tools": [tool], **parts}, folder, upstream)


def test_a_prompts_file_that_is_not_there_is_told_to_who_can_mend_it(upstream, tmp_path, caplog):
    book = made(tmp_path, upstream, "book", prompts=[{"name": "rules", "file": "rules.md"}, TOPIC])
    lost = error_of(book, "auto", lambda c: c.get_prompt("topic", {"topic": "a"}))
    assert (lost.code, lost.message) == (-32602, "There is no file 'a.md' that can be read.")
    assert not caplog.records
    lost = error_of(book, "auto", lambda c: c.get_prompt("rules"))
    said = (
        "There is no file 'rules.md' that can be read. Its place is the folder `files` of book_mcp."
    )
    assert (lost.code, lost.message) == (-32603, said)
    assert [record.getMessage() for record in caplog.records] == [f"rules: {said}"]


def test_a_file_is_read_as_its_bytes_say(upstream, tmp_path):
    """Editors of Windows begin a file with a mark that is no part of its text, or write UTF-16."""
    shelf = {"uriTemplate": "desk://{topic}", "name": "topic", "file": "{topic}.md"}
    desk = made(tmp_path, upstream, "desk", resourceTemplates=[shelf], prompts=[TOPIC])
    files = desk.folder / desk.package / "files"
    files.mkdir()
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "latin-1"):
        (files / f"{encoding}.md").write_bytes("# Før\r\n{topic}\r\n".encode(encoding))
        given = {"topic": encoding}
        (message,) = use(desk, "auto", lambda c, g=given: c.get_prompt("topic", g)).messages
        assert message.content.text == f"# Før\r\n{encoding}\r\n"
    assert read(desk, "desk://utf-8-sig").text == "# Før\r\n{topic}\r\n"
    blob = b64encode("# Før\r\n{topic}\r\n".encode("latin-1")).decode()
    assert read(desk, "desk://latin-1").blob == blob
