"""Which Content-Type a body and its parts get, and how single fields are written."""

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import pytest
from tables import table

from mcpgen.runtime import UNSET, ArgumentError
from mcpgen.runtime.bodies.encoding import EncodedBody, encode_body
from mcpgen.runtime.values import style
from mcpgen.runtime.values.arguments import Limits

PNG = b"\x89PNG\r\n\x1a\n\0rest"
FORM = "application/x-www-form-urlencoded"
PIPED = {"k": style.part(style="pipeDelimited", explode=False)}


def form(value: Any, part: style.Part | None) -> str:
    encoding = {} if part is None else {"f": part}
    body = encode_body("form", {"f": value}, None, encoding)
    return body.content.decode()


def blocks_of(body: EncodedBody) -> list[str]:
    """The parts of a multipart body with their headers, line ends as one newline."""
    mark = "--" + (body.content_type or "").partition("boundary=")[2]
    _, *blocks, last = body.content.decode("latin-1").replace("\r\n", "\n").split(mark)
    assert last == "--\n"
    return blocks


def parts(value: Mapping[str, Any], part: style.Part | None) -> list[str]:
    """The parts of a form without their names."""
    encoding = {} if part is None else dict.fromkeys(value, part)
    blocks = blocks_of(encode_body("multipart", value, None, encoding))
    assert all(block.startswith('\nContent-Disposition: form-data; name="f') for block in blocks)
    return [block.removeprefix('\nContent-Disposition: form-data; name="f"') for block in blocks]


@table(
    "value, media_type, content_type",
    (base64.b64encode(PNG).decode(), None, "application/octet-stream"),
    (base64.b64encode(PNG).decode(), "image/*", "image/png"),
    (base64.b64encode(PNG).decode(), "image/gif", "image/gif"),
    ("data:image/gif;base64,aGk=", "image/*", "image/gif"),
    ("data:;name=a.webp,x", "image/*", "image/webp"),
    ("data:,x", "image/*", "application/octet-stream"),
    ("file:a.csv", "text/*", "text/csv"),
    ("data:,x", "image/gif, image/png", "image/gif"),
    (base64.b64encode(PNG).decode(), "image/gif, image/png", "image/png"),
    ("data:application/pdf,x", "image/png, application/*", "application/pdf"),
)
def test_a_binary_body_has_the_type_that_is_known(tmp_path, value, media_type, content_type):
    (tmp_path / "a.csv").write_bytes(b"x")
    body = encode_body("binary", value, media_type, file_root=tmp_path)
    assert body.content_type == content_type
    assert body.content in (PNG, b"hi", b"x")


@table(
    "media_type",
    *["text/plain;charset=latin-1", 'text/plain; CHARSET="latin-1"'],
    *['text/plain; x="a=b"; charset=latin-1', 'text/plain; y="charset"; charset=latin-1'],
)
def test_a_charset_is_found_among_parameters(media_type):
    assert encode_body("text", "é", media_type) == EncodedBody(media_type, b"\xe9")


@table(
    "charset, expected",
    ("", '{"é":"漢😀"}'),
    ("; charset=UTF8", '{"é":"漢😀"}'),
    ("; charset=iso-8859-1", '{"\\u00e9":"\\u6f22\\ud83d\\ude00"}'),
    ("; charset=klingon", '{"\\u00e9":"\\u6f22\\ud83d\\ude00"}'),
)
def test_json_reads_the_same_in_any_charset(charset, expected):
    value, media_type = {"é": "漢😀"}, f"application/json{charset}"
    assert encode_body("json", value, media_type) == EncodedBody(media_type, expected.encode())
    part = {"p": style.part(content_type=media_type)}
    assert expected.encode() in encode_body("multipart", {"p": value}, None, part).content
    with pytest.raises(ArgumentError, match="lone surrogate"):
        encode_body("json", "\ud800", media_type)


def test_the_bytes_of_a_file_do_not_count_among_arguments_and_all_else_does(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 1000)
    part, limits = {"f": style.part(binary=True)}, Limits(body=500)
    body = encode_body("multipart", {"f": "file:a"}, None, part, tmp_path, limits)
    assert b"x" * 1000 in body.content
    with pytest.raises(ArgumentError, match="at most 500"):
        encode_body("multipart", {"f": "x" * 1000}, None, part, limits=limits)
    with pytest.raises(ArgumentError, match="more than 900 bytes"):
        encode_body("form", {"f": "file:a"}, None, part, tmp_path, Limits(file=900))
    (tmp_path / "a").write_bytes(b"x" * 1000)
    inner = {"f": style.part(binary=True)}
    part, limits = {"p": style.part(content_type="multipart/mixed", parts=inner)}, Limits(body=700)
    body = encode_body("multipart", {"p": {"f": "file:a"}}, None, part, tmp_path, limits)
    assert b"x" * 1000 in body.content
    values = {"p": {"f": "file:a", "g": "y" * 1000}}
    with pytest.raises(ArgumentError, match="at most 700"):
        encode_body("multipart", values, None, part, tmp_path, limits)


@table(
    "value, part, expected",
    ("a/b c", None, "f=a%2Fb+c"),
    ("a/b%20c,d", style.part(allow_reserved=True), "f=a/b%20c,d"),
    ("a/b", style.part(style="form"), "f=a%2Fb"),
    (["a", "b"], style.part(allow_reserved=True), "f=a&f=b"),
    (["a", "b"], style.part(explode=False), "f=a,b"),
    ([], style.part(style="form"), ""),
    ({"k": None}, style.part(style="form"), "k="),
    ({"k": {"l": 1}}, style.part(style="deepObject"), "f%5Bk%5D%5Bl%5D=1"),
    ("<a/>", style.part(content_type="application/xml"), "f=%3Ca%2F%3E"),
    (1, style.part(content_type="text/plain, application/json"), "f=1"),
    ({"k": "a b"}, style.part(content_type=FORM, parts={}), "f=k%3Da%2Bb"),
    ({"k": [1, 2]}, style.part(content_type=FORM, parts=PIPED), "f=k%3D1%257C2"),
    ("a=b", style.part(content_type=FORM, parts={}), "f=a%3Db"),
    (None, style.part(content_type="text/plain"), "f="),
    (None, style.part(content_type="*/*"), "f="),
    ("x-y_", style.part(binary=True), "f=x-y_"),
    (b"\xff", style.part(binary=True), "f=%2Fw%3D%3D"),
    ("DATA:,hi", style.part(binary=True), "f=aGk%3D"),
    ("DATA:,hi", style.part(binary=True, text=True), "f=aGk%3D"),
    (style.form(["a", "b"], explode=False), style.part(explode=True), "f=a,b"),
    (style.deep_object({"k": 1}), None, "f%5Bk%5D=1"),
    (style.form("a/b", allow_reserved=True), None, "f=a/b"),
    (style.form(["a"]), style.part(content_type="application/json"), "f=a"),
    (style.json(["a"]), None, "f=%22a%22"),
    (style.json({"k": "v"}), None, "f=%7B%22k%22%3A%22v%22%7D"),
    (style.text("a"), style.part(style="spaceDelimited"), "f=a"),
    (style.form(UNSET), None, ""),
    (style.json(UNSET), None, ""),
)
def test_a_form_field(value, part, expected):
    assert form(value, part) == expected
    assert parse_qsl(expected, keep_blank_values=True, strict_parsing=bool(expected)) is not None


@table(
    "value, part, expected",
    ("a", None, ["\n\na\n"]),
    ("a", style.part(content_type="text/csv"), ["\nContent-Type: text/csv\n\na\n"]),
    ("a", style.part(content_type="*/*"), ["\nContent-Type: text/plain\n\na\n"]),
    ("a", style.part(content_type="image/*"), ["\nContent-Type: text/plain\n\na\n"]),
    ("a", style.part(content_type="a/b, text/plain"), ["\nContent-Type: text/plain\n\na\n"]),
    (None, style.part(content_type="text/csv"), ["\nContent-Type: text/csv\n\n\n"]),
    ({"k": 1}, style.part(content_type="*/*"), ['\nContent-Type: application/json\n\n{"k":1}\n']),
    (
        {"k": [1, 2]},
        style.part(content_type=FORM, parts=PIPED),
        [f"\nContent-Type: {FORM}\n\nk=1%7C2\n"],
    ),
    ([1, "b"], None, ["\n\n1\n", "\n\nb\n"]),
    (["a", None, "b"], style.part(explode=False), ["\n\na,,b\n"]),
    ([], style.part(style="form"), []),
    ("a|b", style.part(style="pipeDelimited"), ["\n\na|b\n"]),
    (None, style.part(binary=True), ["\n\n\n"]),
    ("YWJj", style.part(binary=True, text=True), ["\n\nYWJj\n"]),
    (1, style.part(binary=True, text=True), ["\n\n1\n"]),
    (style.json("a"), None, ['\nContent-Type: application/json\n\n"a"\n']),
    (style.form(["a", "b"], explode=False), None, ["\n\na,b\n"]),
)
def test_a_multipart_field(value, part, expected):
    assert parts({"f": value}, part) == expected


@table(
    "value, part, expected",
    ("a", None, "\nContent-Type: text/plain\n\na\n"),
    ("é", None, "\nContent-Type: text/plain; charset=utf-8\n\nÃ©\n"),
    (
        "é",
        style.part(content_type="text/csv; charset=latin-1"),
        "\nContent-Type: text/csv; charset=latin-1\n\né\n",
    ),
    ("é", style.part(content_type="a/b"), "\nContent-Type: a/b\n\nÃ©\n"),
    (
        "data:text/csv;name=a.csv;base64,6Q==",
        style.part(content_type="text/csv", binary=True),
        "\nContent-Type: text/csv\n\né\n",
    ),
    ([1, "é"], None, '\nContent-Type: application/json\n\n[1,"Ã©"]\n'),
)
def test_a_part_without_a_name_has_its_type(value, part, expected):
    body = encode_body("multipart", [value], "multipart/mixed", {"0": part} if part else {})
    assert blocks_of(body) == [expected]


def test_parts_of_a_part(tmp_path):
    (tmp_path / "a").write_bytes(b"hi")
    within = {"0": style.part(content_type="a/b"), "1": style.part(binary=True)}
    part = {"f": style.part(content_type="multipart/*", parts=within)}
    (block,) = blocks_of(encode_body("multipart", {"f": [["a", "file:a"]]}, None, part, tmp_path))
    head, _, content = block.partition("\n\n")
    start, _, boundary = head.rpartition("=")
    named = 'Content-Disposition: form-data; name="f"'
    assert start == f"\n{named}\nContent-Type: multipart/mixed; boundary"
    binary = "\nContent-Type: application/octet-stream\n\nhi\n"
    assert content.split(f"--{boundary}") == ["", "\nContent-Type: a/b\n\na\n", binary, "--\n\n"]


@table("inner, named", ([["\ud800"]], "`f[0]`"), ({"k": float("nan")}, "`k`"))
def test_what_cannot_be_written_in_a_part_of_a_part_is_named(inner, named):
    part = {"f": style.part(content_type="multipart/mixed", parts={})}
    with pytest.raises(ArgumentError, match=re.escape(named)):
        encode_body("multipart", {"f": inner}, None, part)


def test_odd_charsets_limits_and_names():
    for charset in ("klingon", "x=y", "undefined", "IDNA", "Punycode", "unicode_escape", "rot13"):
        with pytest.raises(ArgumentError, match=f"in {charset}, which is not a charset"):
            encode_body("text", "a..b", f'text/plain; charset="{charset}"')
    assert encode_body("text", "é", 'text/plain; charset=""').content == "é".encode()
    limits = Limits(body=5)
    for kind, value in (("text", "12345"), ("json", 12345), ("binary", b"12345")):
        assert encode_body(kind, value, limits=limits).content == b"12345"
        with pytest.raises(ArgumentError, match="6 bytes; at most 5"):
            encode_body(kind, value * 10 if kind == "json" else value + value[:1], limits=limits)
    (block,) = parts({"f": {"k": None}}, style.part(style="deepObject"))
    assert block == '\nContent-Disposition: form-data; name="f[k]"\n\n\n'
    encoding = {"*": style.part(content_type="application/json"), "a": style.part()}
    body = encode_body("form", {"a": "x", "b": "x"}, None, encoding)
    assert body.content == b"a=x&b=%22x%22"
    assert encode_body("body", UNSET) == EncodedBody(None, b"")
    assert encode_body("binary", None, "image/png") == EncodedBody("image/png", b"")
    for value in ({"a": 1}, "a", None):
        assert encode_body("body", value).content_type == "application/json"
    assert encode_body("body", {"a": 1}, "text/*").content_type == "text/plain"
    body = encode_body("body", {"f": "a b"}, "application/x-www-form-urlencoded")
    assert body == EncodedBody("application/x-www-form-urlencoded", b"f=a+b")


@pytest.mark.parametrize("value", [b"hi", "data:,hi", "FILE:a"])
def test_what_is_a_file_where_a_text_may_stand_too(value, tmp_path):
    (tmp_path / "a").write_bytes(b"hi")
    encoding = {"f": style.part(binary=True, text=True)}
    body = encode_body("multipart", {"f": value}, None, encoding, tmp_path)
    assert b'filename="' in body.content
    assert b"\r\n\r\nhi\r\n" in body.content
