"""What hosts and the models behind them take: pictures, and messages of a size."""

import json
from base64 import b64decode

import httpx2
import pytest
from mcp_types import EmbeddedResource, ImageContent, TextContent
from pictures import GIF, JPEG, PNG, WEBP, png
from protocol.wire import CURRENT, OLDER, call, headers, lines, request
from runtime.serving import in_thread
from tables import table

from .offered import ERAS, use
from .servers import generate_from
from .upstream import Answer

MOST = 1_000_000
"""Bytes of a message that Claude Desktop takes."""

META = """[tools.getTxt.meta]
"com.example/card" = { rows = [1, "two"] }
"anthropic/maxResultSizeChars" = 4000
"""


@pytest.fixture(scope="module")
def pics(upstream, tmp_path_factory):
    """A server of pictures and texts."""
    folder = tmp_path_factory.mktemp("hosts")
    package = ("--package", "pics_of_hosts")
    return generate_from("pics", folder, upstream, *package, settings=META)


@ERAS
@pytest.mark.parametrize("content", [PNG, JPEG, GIF, WEBP])
def test_a_picture_that_models_take_is_a_picture(pics, era, content):
    pics.upstream.answer = Answer(content, "image/png")
    result = use(pics, era, lambda client: client.call_tool("getAny", {}))
    (shown,) = [block for block in result.content if isinstance(block, ImageContent)]
    assert b64decode(shown.data) == content
    assert shown.mime_type.removeprefix("image/").encode() in (b"png", b"jpeg", b"gif", b"webp")


@ERAS
@table(
    "said, content, kind",
    ("image/tiff", b"II*\0\x08\0\0\0", EmbeddedResource),
    ("image/bmp", b"BM\0\0", EmbeddedResource),
    ("image/png", png(9000, 9000), EmbeddedResource),
    ("image/png", b"%PDF-1.7\n", EmbeddedResource),
    ("image/png", b"<html>Not found</html>", TextContent),
    ("image/png", b'{"error": "gone"}', TextContent),
    ("image/*", b"\0\1\2", EmbeddedResource),
)
def test_what_they_do_not_take_is_a_file_or_a_text_with_a_note(pics, era, said, content, kind):
    pics.upstream.answer = Answer(content, said)
    result = use(pics, era, lambda client: client.call_tool("getAny", {}))
    shown, note = result.content
    assert not result.is_error
    assert isinstance(shown, kind)
    assert isinstance(note, TextContent)


def test_html_is_text_and_tools_have_their_meta(pics):
    shown = pics.call("getSound", {}, Answer(b"<html>Not found</html>", "audio/mpeg"))
    assert shown.texts[0] == "<html>Not found</html>"
    # Of what it says to hosts, one name tells the server how large its answers may be.
    meta = {"com.example/card": {"rows": [1, "two"]}, "anthropic/maxResultSizeChars": 4000}
    assert pics.tools["getTxt"].meta == {**meta, "io.modelcontextprotocol/groups": ["txt"]}
    assert pics.tools["getAny"].meta == {"io.modelcontextprotocol/groups": ["any"]}
    assert len(pics.call("getTxt", {}, Answer(b"a" * 9000, "text/plain")).texts[0]) == 4000


LARGE: list[tuple[str, Answer]] = [
    ("getJson", Answer.of({"rows": ["plain text " * 9] * 20_000})),
    ("getJson", Answer.of({"rows": ['"quoted" \\ \n' * 9] * 20_000})),
    ("getJson", Answer.of({"rows": ["日本語\U0001f600" * 9] * 20_000})),
    ("getLine", Answer(b'a line with "quotes"\n' * 100_000, "text/plain")),
    ("getLine", Answer("日本語\U0001f600\u2028".encode() * 100_000, "text/plain")),
    ("getAny", Answer(PNG + bytes(700_000), "image/png")),
    ("getAny", Answer(PNG + bytes(900_000), "image/png")),
]


@pytest.mark.parametrize(("tool", "answer"), LARGE)
def test_a_message_is_below_what_hosts_take(pics, tool, answer):
    """Both copies and escapes counted, over stdio and HTTP, in each generation of the protocol."""
    pics.upstream.answer = answer
    settings = {"base_url": pics.upstream.url, "result_tokens": 10_000_000}
    made = pics.module("_runtime").HttpSettings(**settings)
    tokens = {f"{pics.api.env_prefix}_RESULT_TOKENS": "10000000"}
    sizes = []
    with in_thread(pics.module("server").create_app(made)) as base:
        for revision in (CURRENT, OLDER[-1]):
            message = call(tool, revision)
            sent = headers(message, None, revision)
            sizes.append(len(httpx2.post(f"{base}/mcp", json=message, headers=sent).content))
            with lines(pics, revision, **tokens) as client:
                sizes.append(len(json.dumps(client.ask(message), ensure_ascii=False).encode()))
                sizes.append(len(json.dumps(client.heard[-1])))
    assert max(sizes) < MOST - 40_000
    assert max(sizes) > 600_000 or len(answer.body) > 890_000


SEPARATORS = "one\u2028two\u2029three"


@pytest.mark.parametrize("revision", [CURRENT, OLDER[-1]])
def test_no_line_on_stdio_has_a_separator_within(pics, revision):
    """Node 24, Bun and Python's `splitlines` end a line there; JSON needs none."""
    pics.upstream.answer = Answer.of({"t": SEPARATORS})
    results = []
    with lines(pics, revision) as client:
        for message in (call("getJson", revision), request("tools/list", {}, revision)):
            client.say(message)
            line = client.process.stdout.readline()
            text = line if isinstance(line, str) else line.decode()
            assert len(text.splitlines()) == 1
            results.append(json.loads(text)["result"])
    assert results[0]["structuredContent"] == {"t": SEPARATORS}
    tools = {tool["name"]: tool for tool in results[1]["tools"]}
    assert tools["getSeparated"]["inputSchema"]["properties"]["q"]["enum"] == ["a\u2028b", "c"]
