"""JSON without what parsers let pass, and bytes that are neither JSON nor YAML."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import table

from mcpgen.source import decode
from mcpgen.source.json_places import JsonPlaces
from mcpgen.source.limits import Limits, ParseProblem
from mcpgen.source.parse_json import parse_json


def problem(text: str, **limits: int) -> ParseProblem:
    with pytest.raises(ParseProblem) as caught:
        parse_json(text, Limits(**limits))
    return caught.value


@table(
    "text, offset",
    ('{"a": 1,}', 8),
    ("{'a': 1}", 1),
    ('{"a": 1} x', 9),
    ('{"a": "x\ny"}', 8),
    ("[1 2]", 3),
    ("[01]", 2),
    ('{"a"', 4),
    ("[tru]", 1),
    ("", 0),
)
def test_syntax(text, offset):
    found = problem(text)
    assert found.code == "json-syntax"
    assert found.offset is not None
    assert abs(found.offset - offset) <= 1


@table(
    "text, hint",
    ('{ // a\n"a": 1}', "no comments"),
    ("[1, /* a */ 2]", "no comments"),
    ("# a\n{}", "no comments"),
    ("{'a': 1}", "double quotes"),
)
def test_what_other_languages_allow_is_told_to_be_no_json(text, hint):
    assert hint in problem(text).hint


@table("text, offset", ('{"a": 1 ,\n}', 8), ("[[1], ]", 4), ("[1,,2]", 3), ('{"a": [,]}', 7))
def test_a_comma_too_many_is_shown(text, offset):
    found = problem(text)
    assert (found.code, found.offset, found.hint) == ("json-syntax", offset, "Remove the comma.")


def test_duplicate_keys_name_both_places():
    text = '{"x": {"b": 1, "b": 2}, "a": {}, "\\u0061": 1}'
    found = problem(text)
    assert (found.code, found.first, found.offset) == ("duplicate-key", 7, 15)
    assert problem('{"a": {}, "\\u0061": 1}').code == "duplicate-key"
    assert parse_json('{"a": {"a": 1}, "b": {"a": 1}}', Limits()) is not None


@table(
    "number, code",
    ("NaN", "number-not-finite"),
    ("Infinity", "number-not-finite"),
    ("-Infinity", "number-not-finite"),
    ("1e400", "number-out-of-range"),
    ("-1e400", "number-out-of-range"),
    ("9" * 20_000, "number-too-long"),
    ("-" + "9" * 5_000, "number-too-long"),
)
def test_numbers_that_are_refused(number, code):
    found = problem(f'{{"NaN": "1e400", "a": [1, {number}]}}')
    assert (found.code, found.offset) == (code, 26)
    assert len(found.message) < 120


@pytest.mark.parametrize("number", ["1" * 4000, "1e308", "-0.0", "9007199254740993", "1E-400"])
def test_numbers_that_are_exact(number):
    assert parse_json(f"[{number}]", Limits()) == json.loads(f"[{number}]")


@table("text", r'["\ud800"]', r'["\udc00"]', r'["\ud800A"]', r'{"\ud800": 1}', r'["\udc00\ud800"]')
def test_lone_surrogates(text):
    found = problem(text)
    assert (found.code, found.offset) == ("lone-surrogate", 1)


@pytest.mark.parametrize("text", [r'["\ud83d\udca9"]', r'["\\ud800"]', r'["\u0000"]'])
def test_what_only_looks_like_a_lone_surrogate(text):
    assert parse_json(text, Limits()) == json.loads(text)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":', "[[[[1,2],3],"])
def test_nesting_without_end(opening):
    assert problem(opening * 50_000).code == "too-deep"
    assert problem('{"x": "' + "[" * 500 + '", "y": ' + opening * 300).code in (
        "too-deep",
        "json-syntax",
    )


def test_depth_is_exact():
    assert parse_json("[" * 256 + "]" * 256, Limits()) is not None
    found = problem("[" * 257 + "]" * 257)
    assert (found.code, found.offset) == ("too-deep", 256)


def test_values_are_counted():
    text = json.dumps([[1, "a,b,c", {"k": None}]] * 10)
    assert parse_json(text, Limits(max_values=51)) is not None
    assert problem(text, max_values=50).code == "too-many-values"


@table(
    "text, offset",
    (r'["\x,,,,,,", 1]', 2),
    ('["a,,,,,,", 1-2]', 13),
    ('["a,,,", -a, 1]', 9),
    (",,,,,,", 0),
)
def test_what_is_no_json_is_told_where_its_values_are_counted_first(text, offset):
    found = problem(text, max_values=4)
    assert (found.code, found.offset) == ("json-syntax", offset)


def test_nesting_that_only_the_interpreter_ends():
    assert problem("[" * 100_000 + "]" * 100_000, max_depth=200_000).code == "too-deep"


def value_or_problem(text: str) -> Any:
    try:
        return parse_json(text, Limits())
    except ParseProblem as refused:
        return refused


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet='[]{}:,"\\u0dD8a1eN -.\n', max_size=30))
def test_any_text_is_a_value_or_a_located_problem(text):
    found = value_or_problem(text)
    if not isinstance(found, ParseProblem):
        assert found == json.loads(text)
        return
    assert found.offset is not None
    assert 0 <= found.offset <= len(text)


TEXT = '{\n "a": [1, {"b/c": true}],\n "d~": "x: [{"\n}'


@table(
    "pointer, key, value",
    ("", "{", "{"),
    ("/a", '"a"', "[1"),
    ("/a/0", "1,", "1,"),
    ("/a/1", '{"b/c', '{"b/c'),
    ("/a/1/b~1c", '"b/c"', "true"),
    ("/d~0", '"d~"', '"x:'),
)
def test_places(pointer, key, value):
    found = JsonPlaces(TEXT).get(pointer)
    assert TEXT[found[0] :].startswith(key)
    assert TEXT[found[1] :].startswith(value)


def read(data: bytes, name: str = "api.yaml") -> Any:
    return decode.parse(decode.decode(data), name, Limits()).value


@table("encoding", "utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le-bom", "utf-16-be-bom")
@pytest.mark.parametrize("text", ["a: é漢😀\r\nb: 1\r\n", '{"a": "é漢😀",\r\n"b": 1}'])
def test_encodings(text, encoding):
    if encoding.endswith("-bom"):
        data = ("\ufeff" + text).encode(encoding.removesuffix("-bom"))
    else:
        data = text.encode(encoding)
    assert read(data) == {"a": "é漢😀", "b": 1}


@table(
    "data, code",
    (b"a: \xff", "encoding"),
    (b"\xef\xbb\xbfa: \xc3", "encoding"),
    (b"a: \xed\xa0\x80", "encoding"),
    (b"\xff\xfea\x00\x00\xd8", "encoding"),
    ("a: 1".encode("utf-16-le"), "not-text"),
    ("a: \u00e9".encode("utf-16-le"), "not-text"),
    (b"\x1f\x8b\x08\x00", "not-text"),
    (b"PK\x03\x04...", "not-text"),
    (b"%PDF-1.7", "not-text"),
    (b"\x7fELF\x02\x00\x00", "not-text"),
    (b"<!DOCTYPE html><html>", "not-a-document"),
    (b"# saved\n\n<html>", "not-a-document"),
    (b'<?xml version="1.0"?>', "not-a-document"),
)
def test_what_is_no_document(data, code):
    with pytest.raises(ParseProblem) as caught:
        read(data)
    assert caught.value.code == code


def test_the_offending_byte():
    with pytest.raises(ParseProblem, match="byte 7 is 0xff") as caught:
        read("é: 1\nb".encode() + b"\xff")
    assert caught.value.offset == 6


@table(
    "text, name, expected",
    ("{a: 1}", "api.yaml", {"a": 1}),
    ("{a: 1}", "-", {"a": 1}),
    ("# c\n{a: 1,}", "api.yaml", {"a": 1}),
    ("a: 1", "api.json", {"a": 1}),
    ('{"a": 1}', "api.yaml", {"a": 1}),
)
def test_the_format_is_seen_from_the_text(text, name, expected):
    assert read(text.encode(), name) == expected


@table(
    "text, name, code",
    ('{"a": 1,}', "api.json", "json-syntax"),
    ('{"a": 1, "a": 2}', "api.yaml", "duplicate-key"),
    ('{"a": 1, "a": 2,}', "api.yaml", "duplicate-key"),
    ('{"a": "}', "api.yaml", "json-syntax"),
    ("{a: !!python/name:os.system x}", "-", "yaml-tag"),
)
def test_one_parser_decides(text, name, code):
    with pytest.raises(ParseProblem) as caught:
        read(text.encode(), name)
    assert caught.value.code == code
