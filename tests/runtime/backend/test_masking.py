"""What the API sends back of our credentials, and hidden characters, on their way to an agent."""

import json
from base64 import b64decode
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, ApiError, ApiKey, Basic, ServerUrl, Settings
from mcpgen.runtime.backend.response import Response
from mcpgen.runtime.backend.signing import credential_texts, without_credentials
from mcpgen.runtime.results.content import Result, error_result, to_result
from mcpgen.runtime.results.limits import ResultLimit
from mcpgen.runtime.values.display import Mask, visible

from ..support import HOME, client

CANARY = 'canary-7f+3/"x'
SENT_AS = [CANARY, "canary-7f%2B3%2F%22x", json.dumps(CANARY)[1:-1], 'canary-7f\\u002b3\\/\\"x']
TOOL: dict[str, Any] = {"name": "t", "inputSchema": {"type": "object"}}
BY_HEADER = ApiKey("X-Key", "header", env="SHOP_KEY")
BY_QUERY = ApiKey("key", "query", env="SHOP_KEY")


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SHOP_KEY", CANARY)


def api(scheme: Any = BY_HEADER) -> Api:
    return Api("SHOP", [ServerUrl(HOME)], {"key": scheme}, [{"key": []}])


async def result_of(answer: httpx2.Response, scheme: Any = BY_HEADER, **more: Any) -> Result:
    seen = client(lambda _: answer, api=api(scheme), **more)
    response = await seen.send("GET", "/x", expect=("200", "302"), accept="*/*")
    return to_result(response, TOOL, ResultLimit(1 << 20, "SHOP_MAX_RESULT_BYTES"))


@table("scheme, spelled", *((BY_HEADER, each) for each in SENT_AS), (BY_QUERY, SENT_AS[1]))
@table(
    "body, content_type",
    ('{"a": ["x %s y"], "%s": 1}', "application/json"),
    ('{"a": "%s", "a": "%s"}', "application/json"),
    ("see %s, or %s", "text/plain"),
    ("\0%s\0%s", "application/octet-stream"),
    ('--b\r\n\r\n%s\r\n--b\r\n\r\n"%s"\r\n--b--', "multipart/mixed; boundary=b"),
)
async def test_a_credential_in_a_body_is_masked(body, content_type, scheme, spelled):
    if "json" not in content_type and "u002b" in spelled:
        return  # no spelling of it outside JSON
    if "json" in content_type and spelled == CANARY:
        spelled = json.dumps(CANARY)[1:-1]
    headers = {"Content-Type": content_type}
    said = body.replace("%s", spelled).encode()
    result = await result_of(httpx2.Response(200, headers=headers, content=said), scheme)
    assert "canary" not in json.dumps(result)
    if "octet" in content_type:
        shown = b64decode(result["content"][0]["resource"]["blob"])
    else:
        shown = json.dumps(result).encode()
    assert shown.count(b"[credential]") >= 2
    assert b"canary" not in shown


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
async def test_a_header_beside_one_that_is_masked_may_hold_more_than_ascii(encoding):
    name = 'attachment; filename="Ærø.pdf"'
    headers = [(b"ETag", CANARY.encode()), (b"Content-Disposition", name.encode(encoding))]
    answer = httpx2.Response(200, headers=headers, json={})
    response = await client(lambda _: answer, api=api()).send("GET", "/x")
    assert response.headers["content-disposition"] == name
    assert response.headers["etag"] == "[credential]"


async def test_credentials_in_headers_and_passwords_are_masked(monkeypatch):
    moved = httpx2.Response(302, headers={"Location": f"/y?key={CANARY}", "ETag": CANARY})
    assert "canary" not in json.dumps(await result_of(moved))
    said = json.dumps({"message": f"who is {CANARY}?", "key": CANARY})
    refused = httpx2.Response(403, content=said.encode())
    with pytest.raises(ApiError) as failed:
        await result_of(refused)
    assert "canary" not in failed.value.message
    assert "canary" not in json.dumps(failed.value.data)

    def authenticate(request):
        request.headers["Signature"] = "sha canary-of-a-hook"
        request.url = request.url.copy_add_param("sig", "canary-of-the-query")
        return True

    def echo(request):
        return httpx2.Response(200, json={**request.headers, "url": str(request.url)})

    settings = Settings(extra_headers=(("X-Token", "canary-of-a-setting"), ("X-Tenant", "harbour")))
    hooks = SimpleNamespace(authenticate=authenticate)
    seen = await client(echo, api=api(), hooks=hooks, settings=settings).send("GET", "/x")
    assert "canary" not in json.dumps(seen.data)
    assert seen.data["x-tenant"] == "harbour"
    monkeypatch.setenv("SHOP_PASSWORD", "open sesame")
    scheme = Basic("SHOP_USER", "SHOP_PASSWORD")
    monkeypatch.setenv("SHOP_USER", "ali")

    def echo(request):
        return httpx2.Response(200, json=[request.headers["Authorization"], "open sesame", "ali"])

    response = await client(echo, api=api(scheme)).send("GET", "/x")
    assert response.data == ["[credential]", "[credential]", "ali"]


@table(
    "secret, said, shown",
    ("password", "a password.", "a [credential]."),
    ("passwor", "a passwor.", "a passwor."),
    ("a/b c+d%e", "a/b c+d%e", "[credential]"),
    ("a/b c+d%e", "?k=a%2Fb%20c%2Bd%25e&", "?k=[credential]&"),
    ("a/b c+d%e", "?k=a/b%20c%2Bd%25e&", "?k=[credential]&"),
    ("a/b c+d%e", "?k=a%2Fb+c%2Bd%25e&", "?k=[credential]&"),
    ("a/b c+d%e", "?k=a%2fb+c%2bd%25e&", "?k=[credential]&"),
    ("é/b c+d%e", "?k=%c3%a9%2fb%20c%2bd%25e&", "?k=[credential]&"),
    ('"quoted/é"', '["\\"quoted/\\u00e9\\""]', '["[credential]"]'),
    ('"quoted/é"', '["\\"quoted\\/\\u00e9\\""]', '["[credential]"]'),
)
def test_a_text_is_masked_whole_in_each_of_its_spellings(secret, said, shown):
    assert Mask([secret])(said) == shown


def test_masks():
    mask = Mask(["longer-one", "a-longer-one-yet", "longer-one-yet"])
    assert mask("a-longer-one-yet longer-one-yet longer-one") == " ".join(["[credential]"] * 3)
    assert not Mask(["short"])
    assert bool(Mask(["short"], least=5))
    mask = Mask([CANARY])
    assert not mask.may_be_in(b"other words, and \\u2028")
    for piece in (CANARY, "\\u0063anary", "c\0a\0n"):
        assert mask.may_be_in(f"so {piece} it is".encode())
    headers = [("Authorization", "Digest a b"), ("X-Api-Key", "k"), ("Accept", "*/*")]
    assert [*credential_texts(headers, named=True)] == ["Digest a b", "a b", "k", ""]
    assert [*credential_texts(headers[2:])] == ["*/*", ""]


def answer(**parts: Any) -> Response[Any]:
    return without_credentials(Response(**parts), ["canary-canary"])


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("kind", ["multipart", "binary", "text"])
def test_a_credential_beyond_ascii_is_masked_in_bytes(kind, encoding):
    """A password may be any text; one with an umlaut went through in files and parts."""
    secret = "größte-geheimnisse"
    content = f"<{secret}>".encode(encoding)
    data = content.decode(encoding) if kind == "text" else content
    masked = without_credentials(
        Response(data, content=content, kind=kind), [secret, "漢字の秘密の言葉"]
    )
    assert masked.content == b"<[credential]>"
    assert masked.data in (masked.content, masked.content.decode())


def test_every_part_of_an_answer_is_masked_with_its_header():
    masked = answer(
        data={"canary-canary": ["x canary-canary", 1, None], "b": {"c": "canary-canary"}},
        headers={"X": "canary-canary", "Y": "z"},
        content=b'\xff "canary-canary"',
        misfits=("is canary-canary", "is not"),
        content_type="a/b",
    )
    assert masked.data == {"[credential]": ["x [credential]", 1, None], "b": {"c": "[credential]"}}
    assert dict(masked.headers) == {"x": "[credential]", "y": "z"}
    assert masked.content == b'\xff "[credential]"'
    assert masked.misfits == ("is [credential]", "is not")
    assert masked.content_type == "a/b"
    headers = {"content-type": "a/b; c=canary-canary"}
    masked = answer(data=None, headers=headers, content_type=headers["content-type"])
    assert masked.content_type == masked.headers["Content-Type"] == "a/b; c=[credential]"
    plain = {"content-type": "a/b"}
    assert answer(data=None, headers=plain, content_type="a/b").headers is plain
    assert answer(data=None, headers=plain, misfits=("canary-canary",)).content_type == "a/b"


@pytest.mark.parametrize("kind", ["binary", "multipart"])
def test_bytes_stay_bytes(kind):
    content = b"\xff\0canary-canary"
    masked = answer(data=content, content=content, kind=kind)
    assert masked.data == masked.content == b"\xff\0[credential]"


@table(
    "verbatim, kept",
    ('{"a": "caf\\u00e9", "a": 1}', True),
    ('[{"a": "canary\\u002dcanary", "a": 1}]', False),
    ('{"canary-canary": 0.10000000000000000001}', False),
)
def test_the_text_of_a_body_is_kept_where_no_credential_is_in_it(verbatim, kept):
    seen = answer(data={}, content=verbatim.encode(), verbatim=verbatim).verbatim
    assert seen == (verbatim if kept else None)


HIDDEN = {
    "\x1b[2J\x1b]0;title\x07": "\\u001b[2J\\u001b]0;title\\u0007",
    "a\u202eb\u2066c": "a\\u202eb\\u2066c",
    "a\u200bb\ufeffc\u00add": "a\\u200bb\\ufeffc\\u00add",
    "\U000e0041\U000e007f": "\\udb40\\udc41\\udb40\\udc7f",
    "x\ufe01\ufe0e": "x\\ufe01\\ufe0e",
    "❤\ufe0f\ufe0e\ufe01": "❤\ufe0f\\ufe0e\\ufe01",
    "می\u200c\u200dx\u200d": "می\u200c\\u200dx\\u200d",
    "done\rfake": "done\\u000dfake",
    "\x9b31m": "\\u009b31m",
}
SEEN = ["tab\tline\r\nnext", "❤\ufe0f 👩\u200d💻", "می\u200cخواهم", "naïve – “quoted” 漢字"]


@pytest.mark.parametrize(("hidden", "shown"), HIDDEN.items())
async def test_hidden_characters_are_escaped_in_text_and_kept_in_data(hidden, shown):
    result = await result_of(httpx2.Response(200, json={"a": hidden}))
    text = result["content"][0]["text"]
    assert result["structuredContent"] == {"a": hidden}
    assert json.loads(text) == {"a": hidden}
    assert visible(text) == text
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    plain = await result_of(httpx2.Response(200, headers=headers, content=hidden.encode()))
    assert plain["content"][0]["text"] == shown
    assert error_result(hidden)["content"][0]["text"] == shown


@pytest.mark.parametrize("text", SEEN)
async def test_what_a_reader_sees_stays(text):
    assert error_result(text)["content"][0]["text"] == text


async def test_credentials_that_are_words_or_digits(monkeypatch):
    monkeypatch.setenv("SHOP_KEY", "test")
    answer = httpx2.Response(200, json={"kind": "test"})
    assert (await result_of(answer))["structuredContent"] == {"kind": "test"}
    monkeypatch.setenv("SHOP_KEY", "31415926")
    for body in (b'{"pin": 31415926, "n": 3}', b'{"pin": 31415926, "pin": 31415926, "n": 3}'):
        answer = httpx2.Response(200, content=body, headers={"Content-Type": "application/json"})
        result = await result_of(answer)
        assert "31415926" not in json.dumps(result)
        assert result["structuredContent"] == {"pin": "[credential]", "n": 3}
