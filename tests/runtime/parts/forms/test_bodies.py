"""Request bodies of every kind, as the server receives them."""

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mcpgen.runtime import UNSET
from mcpgen.runtime.bodies.encoding import encode_body
from mcpgen.runtime.parts.forms.kinds import kind_of
from mcpgen.runtime.values import style

from ...body_values import PNG, base64_of, quick, refusal
from ...wire_reading import parts_of


def form(value: dict[str, Any], **encoding: style.Part) -> list[tuple[str, str]]:
    body = encode_body("form", value, None, encoding)
    assert body.content_type == "application/x-www-form-urlencoded"
    return parse_qsl(body.content.decode("ascii"), keep_blank_values=True, strict_parsing=True)


@table(
    "value, expected",
    ({}, b"{}"),
    ({"a": None, "b": UNSET, "c": [None, {}]}, b'{"a":null,"c":[null,{}]}'),
    ({"a": {"b": UNSET, "c": [UNSET, 1, {"d": UNSET}]}}, b'{"a":{"c":[1,{}]}}'),
    ([UNSET, {"a": UNSET, "b": None}], b'[{"b":null}]'),
    (None, b"null"),
    ([], b"[]"),
    ('é"', '"é\\""'.encode()),
    ({"n": 10**400}, b'{"n":1' + b"0" * 400 + b"}"),
    ({"n": 0.1, "m": 1e300}, b'{"n":0.1,"m":1e+300}'),
    ({"__proto__": {"$ref": "http://x"}}, b'{"__proto__":{"$ref":"http://x"}}'),
)
def test_json(value, expected):
    body = encode_body("json", value)
    assert (body.content_type, body.content) == ("application/json", expected)


UNICODE = st.text(st.characters(exclude_categories=["Cs"]))
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | UNICODE,
    lambda inner: st.lists(inner) | st.dictionaries(UNICODE, inner),
)


@quick
@given(JSON)
def test_json_arrives_as_it_was(value):
    assert json.loads(encode_body("json", value).content) == value


@table("bad", float("nan"), float("-inf"), "\ud800", pytest.param(10**5000, id="digits"))
def test_json_names_the_member_that_has_no_json_form(bad):
    assert refusal("json", {"ok": 1, "bad": [bad]}).argument == "bad"
    assert refusal("json", [bad]).argument == "body"


def test_json_nesting_is_limited():
    value = []
    for _ in range(1000):
        value = [value]
    assert "nested deeper than 200" in str(refusal("json", value))
    assert refusal("json", {"a": value}).argument == "a"
    for _ in range(100_000):
        value = {"a": value}
    refusal("json", value)


def test_json_types():
    for media_type in (
        "application/merge-patch+json",
        "application/json+merge-patch",
        "application/vnd.api+json; v=1",
        "text/json",
        "application/x-json",
    ):
        body = encode_body("body", {"a": 1}, media_type)
        assert (body.content_type, body.content) == (media_type, b'{"a":1}')
    for media_type in ("*/*", "application/*", "application/json\r\nX: y"):
        assert encode_body("json", {}, media_type).content_type == "application/json"


@table(
    "media_type, value, expected",
    ("application/x-ndjson", [{"a": 1}, "é"], '{"a":1}\n"é"\n'.encode()),
    ("application/jsonl", {"a": 1}, b'{"a":1}\n'),
    ("application/x-ndjson", '{"a":1}\n{"b":2}\n', b'{"a":1}\n{"b":2}\n'),
    ("application/json-seq", [1, 2], b"\x1e1\n\x1e2\n"),
    ("application/geo+json-seq", [1, 2], b"\x1e1\n\x1e2\n"),
)
def test_json_lines(media_type, value, expected):
    body = encode_body("body", value, media_type)
    assert (body.content_type, body.content) == (media_type, expected)


@table("value, text", ({"k": 1}, '{"k":1}'), ("a", '"a"'), (None, "null"), (1, "1"))
def test_urlencoded_json_members(value, text):
    assert form({"j": value}, j=style.part(content_type="application/json")) == [("j", text)]


def test_what_form_bodies_hold():
    assert encode_body("form", {"a b": "c+d e"}).content == b"a+b=c%2Bd+e"
    body = encode_body("form", "a=%20&b")
    assert (body.content_type, body.content) == ("application/x-www-form-urlencoded", b"a=%20&b")


def test_urlencoded_carries_binary_as_base64(tmp_path):
    (tmp_path / "x").write_bytes(PNG)
    part = {"b": style.part(binary=True)}
    for value in (base64_of(PNG), f"data:image/png;base64,{base64_of(PNG)}", "file:x"):
        body = encode_body("form", {"b": value}, None, part, tmp_path)
        assert dict(parse_qsl(body.content.decode())) == {"b": base64_of(PNG)}


@pytest.mark.parametrize("kind", ["form", "multipart", "json"])
def test_an_empty_body_is_a_body(kind):
    for value in ({}, {"a": UNSET}):
        body = encode_body(kind, value)
        assert body.content_type is not None
        assert body.content in (b"", b"{}") or parts_of(body.content_type, body.content) == []
    assert encode_body(kind, UNSET).content_type is None


@table(
    "value, media_type, content_type, content",
    ("hi", None, "text/plain", b"hi"),
    ("hé", None, "text/plain; charset=utf-8", "hé".encode()),
    ("hé", "text/plain; charset=iso-8859-1", "text/plain; charset=iso-8859-1", b"h\xe9"),
    ("<a>é</a>", "application/xml", "application/xml; charset=utf-8", "<a>é</a>".encode()),
    (5, None, "text/plain", b"5"),
    (True, "text/*", "text/plain", b"true"),
    (None, None, "text/plain", b""),
    ({"a": 1}, None, "text/plain", b'{"a":1}'),
)
def test_text(value, media_type, content_type, content):
    body = encode_body("text", value, media_type)
    assert (body.content_type, body.content) == (content_type, content)


@table(
    "media_type, value, kind",
    ("application/json", "a", "json"),
    ("application/x-www-form-urlencoded", {}, "form"),
    ("application/x-www-form-urlencoded", "a=b", "text"),
    ("multipart/form-data", {}, "multipart"),
    ("text/csv", "a", "text"),
    ("application/soap+xml", "a", "text"),
    ("image/png", "aGk=", "binary"),
    ("*/*", {}, "json"),
    ("*/*", "aGk=", "text"),
    ("image/*", "aGk=", "binary"),
    ("multipart/form-data", None, "multipart"),
    ("application/x-www-form-urlencoded", None, "form"),
    ("*", "a", "text"),
    ("*", b"a", "binary"),
    ("a/b", b"a", "binary"),
    ("a/b", [1], "json"),
)
def test_the_media_type_picks_the_way_of_writing(media_type, value, kind):
    assert kind_of(media_type, value) == kind
