"""What hosts and the models behind them take: pictures, and messages of a size."""

import json

import httpx2
import pytest
from pictures import PNG
from protocol.wire import CURRENT, OLDER, call, headers, lines, request

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
    tokens = {f"{pics.api.env_prefix}_RESULT_TOKENS": "10000000"}
    sizes = []
    with pics.serving(result_tokens=10_000_000) as base:
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
