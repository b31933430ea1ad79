"""Reading an answer's media type and text."""

import httpx2
import pytest
from tables import table

from mcpgen.runtime import Settings
from mcpgen.runtime.backend.answer import Answer, decode, interpret
from mcpgen.runtime.backend.failures import api_failure
from mcpgen.runtime.backend.outgoing import Outgoing
from mcpgen.runtime.values.jsontext import Most, NotJson, parse
from mcpgen.runtime.values.media import MediaType

from ..support import client


@table(
    "header, name, charset, boundary",
    ("application/json", "application/json", None, None),
    (" Application/JSON ; Charset = UTF-8", "application/json", "UTF-8", None),
    ('multipart/mixed; boundary="a; b"', "multipart/mixed", None, "a; b"),
    ("text/plain; charset", "text/plain", "", None),
    (f"text/plain; charset*{'9' * 5000}=x", "text/plain", None, None),
    ("not a type;;", "", None, None),
    ("application/", "", None, None),
    ("", "", None, None),
    (None, "", None, None),
    ("a/b\r\nX: y", "", None, None),
)
def test_a_content_type_is_read(header, name, charset, boundary):
    media = MediaType.read(header)
    assert (media.name, media.charset or None, media.boundary) == (name, charset or None, boundary)


@pytest.mark.parametrize("length", [60_000, 1_000_000])
def test_a_content_type_of_any_length_is_read_in_bounded_time(length):
    assert MediaType.read(f'a/b; x="{";" * length}') == MediaType("a/b")


def test_content_types_of_any_length_and_spelling_are_read():
    media = MediaType.read("text/plain; charset*=utf-8''x; charset*0=y")
    assert media.name == "text/plain"
    assert media.charset in (None, "y")  # Pythons differ in what they make of it


@table(
    "content, charset, text, notes",
    (b"\xc3\xa9", None, "é", 0),
    (b"\xef\xbb\xbf\xc3\xa9", "iso-8859-1", "é", 0),
    (b"\xe9", "latin1", "é", 0),
    (b"\xe9", "utf-8", "é", 1),
    (b"\x82\xa0", "shift_jis", "あ", 0),
    (b"x", "zip", "x", 1),
    (b"x", "base64", "x", 1),
    (b"x", "undefined", "x", 1),
    (b"\\u0041", "unicode_escape", "\\u0041", 1),
    (b"xn--a", "idna", "xn--a", 1),
    (b"\0x\0y", "utf-16", "xy", 0),
    (b"x\0y\0", "utf-16", "xy", 0),
    (b"\0\0\0x", "utf-32", "x", 0),
    (b"x", "\0", "x", 1),
    (b"\xfe\xff\x00x", None, "x", 0),
    (b"", "utf-8", "", 0),
)
def test_text_is_decoded_whatever_it_says(content, charset, text, notes):
    found, said = decode(content, charset)
    assert (found, len(said)) == (text, notes)


@table(
    "charset, content",
    ("iso-8859-1", "é".encode()),
    ("iso-8859-1", "é".encode("latin-1")),
    ("us-ascii", "é".encode()),
    *[(f"utf-{each}", "é".encode()) for each in ("16", "16le", "32be")],
    ("gbk", "模".encode("gbk")),
    ("iso-2022-jp", "あ".encode("iso-2022-jp")),
)
def test_what_json_says_of_its_charset_matters_only_where_it_is_not_utf_8(charset, content):
    headers = {"content-type": f"application/json; charset={charset}"}
    found = interpret(Answer(200, headers=headers, content=b'"%s"' % content), ("200",), "*/*")
    assert found.data in ("é", "模", "あ")
    assert found.misfits == ()


@pytest.mark.parametrize("codec", ["utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32be"])
@pytest.mark.parametrize("named", [6, 8], ids=["without its order", "with its order"])
def test_json_that_is_what_its_charset_says_is_read_as_that(codec, named):
    headers = {"content-type": f"application/json; charset={codec[:named]}"}
    answer = Answer(200, headers=headers, content='{"a":1}'.encode(codec))
    found = interpret(answer, ("200",), "*/*")
    assert (found.data, found.misfits) == ({"a": 1}, ())


@table(
    "header, kind",
    ("application/sdp", "binary"),
    ("application/x-yaml", "binary"),
    ("application/x-ndjson", "text"),
    ("application/sdp; charset=utf-8", "text"),
    ("application/xml", "text"),
    ("image/svg+xml", "text"),
    ("text/csv", "text"),
)
def test_bytes_of_a_type_that_promises_no_text_stay_bytes(header, kind):
    content = bytes(range(256))
    found = interpret(
        Answer(200, headers={"content-type": header}, content=content), ("200",), "*/*"
    )
    assert (found.kind, len(found.misfits)) == (kind, 1)
    assert found.content == content
    told = interpret(Answer(200, headers={"content-type": header}, content=b"v=0"), ("200",), "*/*")
    assert (told.kind, told.data, told.misfits) == ("text", "v=0", ())


@table(
    "number",
    *["9.999999999999997", "0.10000000000000000001", "1e-400", "-4.9e-324", f"-0.1e-{'9' * 40}"],
)
def test_a_number_that_floating_point_rounds_is_said_to_be_one(number):
    assert "more digits" in parse(number).losses[0]


@table("number", "0.0", "-0e0", "0.10", "123456789.12345", "1e22", "2.5e-300", f"-0.0E-{'9' * 40}")
def test_a_number_that_it_holds_is_not(number):
    assert parse(number).losses == ()


@pytest.mark.parametrize("text", ["", "{", "[1,]", "nul", "'a'", "1 2", "\0", "[" * 5000, "NaN"])
def test_what_is_not_json_is_said_to_be_none(text):
    with pytest.raises(NotJson):
        parse(text)


@table(
    "page, said",
    ("<h1>Down &amp; out</h1>&lt;b&gt;&nbsp;<p>at&#x20;3&#39;s</p>", "Down & out <b> at 3's"),
    ("<p>not &amp;lt; &such; R&D &", "not &lt; &such; R&D &"),
    ("<SCRIPT>if (a < b) c(d > e)</SCRIPT>Down<style >p > b {}</style>!", "Down !"),
    ("<style-guide>Down</style-guide><script>a < b", "Down"),
    (f"<p>&#{'9' * 5000};", f"&#{'9' * 3998} ... (1,003 more characters)"),
    ("<p>a&amp;key=open&quot;sesame", "a&key=[credential]"),
    (f"<p>first{'<br>' * 100_000}open&quot;sesame", "first"),
    (f"<p>first{'<br>' * 65_531}key=open&quot;sesame", "first"),
    (f"<p>first{' ' * 262_120}key=open&quot;sesame", "first"),
    (f"<pre>{'trace ' * 50_000}", f"{'trace ' * 666}trac ... (258,133 more characters)"),
)
def test_an_error_page_is_told_as_a_reader_sees_it(page, said):
    answer = Answer(503, headers={"content-type": "text/html"}, content=page.encode())
    outgoing = Outgoing("GET", "https://api.example.com", "/", ())
    response = interpret(answer, ("200",), "application/json")
    error = api_failure(answer, response, outgoing, "", ('open"sesame',))
    assert error.message.splitlines()[1] == f"It says: {said}"


@table(
    "page",
    *["&amp;" * 200_000, "<" * 500_000, "<script" * 100_000, "a<b" * 100_000, "<style>" * 100_000],
    *["&" * 500_000, "<" * 2_000_000, " " * 500_000],
)
def test_any_error_page_is_read_in_bounded_time(page):
    answer = Answer(500, headers={"content-type": "text/html"}, content=page.encode())
    outgoing = Outgoing("GET", "https://api.example.com", "/", ())
    error = api_failure(answer, interpret(answer, ("200",), "application/json"), outgoing, "", ())
    assert len(error.message) < 5000


@table(
    "header, kind, noted",
    ({"content-type": "application/json"}, "text", 1),
    ({"content-type": "text/plain"}, "text", 1),
    ({}, "text", 2),
    ({"content-type": "text/csv"}, "text", 2),
)
def test_json_of_very_many_values_is_text(header, kind, noted):
    """A gzip of 33 kB may hold eleven million `[],`, which take a gigabyte."""
    for body, is_data in ((b'[{"a": 1}, [2, 3]]', True), (b"[[],[],[],[],[],1]", False)):
        answer = Answer(200, headers=header, content=body)
        found = interpret(answer, ("200",), "application/json", most=Most(6, "SHOP_MAX_VALUES"))
        told = [note for note in found.misfits if "SHOP_MAX_VALUES" in note]
        if is_data:
            assert (found.kind, found.data, told) == ("json", [{"a": 1}, [2, 3]], [])
        else:
            assert (found.kind, found.data, len(told)) == (kind, body.decode(), 1)
            assert "more than 6 values" in told[0]


async def test_an_answer_of_very_many_values_costs_little_and_names_its_variable():
    body = b"[" + b"[]," * 1_100_000 + b"[]]"
    answer = httpx2.Response(200, content=body, headers={"Content-Type": "application/json"})
    response = await client(lambda _: answer).send("GET", "/x")
    assert (response.kind, response.content) == ("text", body)
    assert "1,000,000 values" in response.misfits[0]
    assert "SHOP_MAX_VALUES" in response.misfits[0]
    raised = Settings(max_values=5_000, retries=0)
    few = httpx2.Response(200, json=[[]] * 4_000)
    assert (await client(lambda _: few, settings=raised).send("GET", "/x")).kind == "json"
