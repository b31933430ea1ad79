"""YAML restricted to JSON's types."""

import json

import pytest
from tables import table
from yaml_reading import parse, problem

from mcpgen.source import decode
from mcpgen.source import yaml_places as places_module
from mcpgen.source.limits import Limits, ParseProblem
from mcpgen.source.parse_yaml import parse_yaml

pytestmark = pytest.mark.usefixtures("yaml_loader")
"""Both of PyYAML's parsers give the same."""


@table(
    "text, value",
    ("1e3", 1000.0),
    ("1.10", 1.1),
    ("-0.5", -0.5),
    (".5", 0.5),
    ("1.", 1.0),
    ("007", 7),
    ("+12", 12),
    ("0x1F", 31),
    ("0o17", 15),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    ("2024-01-01", "2024-01-01"),
    ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
    ("12:30", "12:30"),
    ("1_000", "1_000"),
    ("0b1", "0b1"),
    ("on", "on"),
    ("yes", "yes"),
    ("No", "No"),
    ("y", "y"),
    ("true", True),
    ("FALSE", False),
    ("tRue", "tRue"),
    ("null", None),
    ("~", None),
    ("nul", "nul"),
    ("NaN", "NaN"),
    ("=", "="),
    ("1.2.3", "1.2.3"),
    ("1e", "1e"),
    ("-", None),
    ("'1'", "1"),
    ('"null"', "null"),
    ("! 12", "12"),
    ("!!str 12", "12"),
    ("!!float 1", 1.0),
    ("!!int 1", 1),
    ("|-\n  12", "12"),
    ("a: ", {"a": None}),
)
def test_core_schema(text, value):
    if text == "-":
        value = [None]
    found = parse(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", [".nan", ".NaN", ".inf", "-.Inf", "+.INF"])
def test_not_finite(text):
    value, _, [(odd, found)] = parse_yaml(f"a:\n  - {text}\n  - {text!r}\n", Limits())
    assert (found.code, found.offset) == ("number-not-finite", 7)
    assert value == {"a": [text, text]}
    assert [each is odd for each in value["a"]] == [True, False]


@pytest.mark.parametrize("text", ["600e27371700", "-1e999", "9" * 400 + ".0"])
def test_what_no_float_holds_is_text(text):
    assert parse(f"commit: {text}") == {"commit": text}


def test_numbers_out_of_range():
    assert problem("!!float 1e999").code == "yaml-tag"
    assert problem("!!float " + "9" * 400).code == "number-out-of-range"
    assert problem("9" * 20_000).code == "number-too-long"
    assert problem("0x" + "f" * 20_000).code == "number-too-long"


@pytest.mark.parametrize(("start", "digit"), [("", "9"), ("0x", "f"), ("0o", "7")])
def test_every_integer_that_is_read_can_be_written(start, digit):
    for count in range(3_000, 4_000, 50):
        try:
            value = parse(start + digit * count)
        except ParseProblem:
            continue
        assert json.loads(json.dumps(value)) == value


@table(
    "text",
    "!!python/object/apply:os.system ['id']",
    "!!python/name:os.system",
    "!!binary aGk=",
    "!!timestamp 2024-01-01",
    "!local x",
    "!!set {a}",
    "!!omap [a: 1]",
    "!!map [a]",
    "!!seq {a: 1}",
    "!!int x",
    "!!null 1",
    "!!seq x",
)
def test_tags_are_refused(text):
    found = problem(f"a: {text}")
    assert (found.code, found.offset) == ("yaml-tag", 3)


def test_the_tag_is_named_as_it_was_written():
    assert "!!python/name:os.system" in problem("!!python/name:os.system").message


@table(
    "text, value",
    ("200: a\n404: b", {"200": "a", "404": "b"}),
    ("007: a", {"007": "a"}),
    ("no: a\non: b", {"no": "a", "on": "b"}),
    ("2024-01-01: a", {"2024-01-01": "a"}),
    ("null: a\n~: b", {"null": "a", "~": "b"}),
    ("1.50: a\ntrue: b", {"1.50": "a", "true": "b"}),
    ("? a\n: b", {"a": "b"}),
    ("&x k: 1\nb: *x", {"k": 1, "b": "k"}),
    ("b: &x k\n*x : 1", {"b": "k", "k": 1}),
    ('"<<": {a: 1}', {"<<": {"a": 1}}),
)
def test_keys(text, value):
    assert parse(text) == value


@pytest.mark.parametrize("key", ["?\n", "? [x]\n", "? {x: 1}\n", "*n "])
def test_keys_that_are_not_text(key):
    found = problem(f"a: &n [1]\n{key}: 2")
    assert found.code == "key-not-text"
    assert found.offset is not None
    assert found.offset >= 10


def test_duplicate_keys_name_both_places():
    found = problem("a: 1\nb: 2\na: 3\n")
    assert (found.code, found.first, found.offset) == ("duplicate-key", 0, 10)
    assert problem("200: 1\n'200': 3\n").code == "duplicate-key"
    assert problem("{a: 1, a: 1}").code == "duplicate-key"


@table(
    "text, value",
    ("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3, c: 4}", {"a": 1, "b": 3, "c": 4}),
    ("x: &x {a: 1}\ny: {b: 3, <<: *x}", {"a": 1, "b": 3}),
    ("x: &x {a: 1}\nz: &z {a: 2, d: 5}\ny: {<<: [*x, *z]}", {"a": 1, "d": 5}),
    ("y: {<<: {a: 1}}", {"a": 1}),
    ("y: {<<: []}", {}),
    ("x: &x {a: 1}\ny:\n  !!merge <<: *x\n  b: 2", {"a": 1, "b": 2}),
    ("y: {!!str <<: 1}", {"<<": 1}),
)
def test_merge_keys(text, value):
    assert parse(text)["y"] == value


@pytest.mark.parametrize("value", ["1", "[1]", "a", "~"])
def test_merge_of_what_is_no_object(value):
    assert problem(f"<<: {value}").code == "yaml-merge"


def test_aliases_are_shared():
    assert parse("a: &a [1, {b: 2}]\nc: *a\nd: [*a]") == {
        "a": [1, {"b": 2}],
        "c": [1, {"b": 2}],
        "d": [[1, {"b": 2}]],
    }


def test_aliases_are_counted_as_what_they_stand_for():
    text = "a0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 64)
    )
    found = problem(text)
    assert found.code == "too-many-values"
    assert found.offset is not None
    assert text[found.offset] == "*"


def test_merges_are_counted():
    text = "a0: &a0 {k: 1}\n" + "".join(
        f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}], k{i}: 1}}\n" for i in range(1, 64)
    )
    assert problem(text).code == "too-many-values"


@pytest.mark.parametrize("text", ["&a [*a]", "&a {b: *a}", "&a {<<: *a}", "a: *b"])
def test_aliases_that_lead_nowhere(text):
    assert problem(text).code in ("yaml-alias", "yaml-syntax")


def test_depth_through_aliases():
    nested = "[" * 6 + "]" * 6
    assert parse(nested, max_depth=6) is not None
    assert problem("[" * 7 + "]" * 7, max_depth=6).code == "too-deep"
    assert problem(f"a: &a {nested}\nb: [[*a]]", max_depth=7).code == "too-deep"
    assert parse(f"a: &a {nested}\nb: *a", max_depth=7)


@pytest.mark.parametrize("opening", ["[\n", "{a: ", "{", "- ", "? - "])
def test_nesting_without_end(opening):
    assert problem(opening * 20_000).code in ("too-deep", "key-not-text")


def test_several_documents():
    found = problem("a: 1\n---\nb: 2\n")
    assert (found.code, found.offset) == ("yaml-documents", 5)
    assert parse("---\na: 1\n...\n") == {"a": 1}


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n", "--- ~"])
def test_nothing(text):
    assert parse(text) is None


@table(
    "text, value",
    ("a: {b:[1], c: {d:{}}}\n", {"a": {"b": [1], "c": {"d": {}}}}),
    ("{a:,b: 1}", {"a": None, "b": 1}),
    ("a: [http://b, 12:30]\n", {"a": ["http://b", "12:30"]}),
)
def test_a_bracket_may_follow_the_colon_of_a_key_in_flow_style(text, value):
    assert parse(text) == value
    assert len(places_module.yaml_places(text)) > 1


@table(
    "text, offset",
    ("a:\n\t# c\nb: 1\n", 3),
    ("a: |\n\tb\n", 5),
    ("a:\n  b: |\n  \tc\n  d: 1\n", 12),
)
def test_tabs_are_no_indentation(text, offset):
    with pytest.raises(ParseProblem) as caught:
        decode.parse(text, "api.yaml", Limits())
    assert (caught.value.code, caught.value.offset) == ("yaml-syntax", offset)
    assert "tab" in caught.value.message or text[offset] == "\t"


@table("text", "a: [1", "a: b: c", "\ta: 1", "a: 'x", "- a\nb: 1", "%", "@a", "a: `")
def test_syntax(text):
    found = problem(text)
    assert found.code == "yaml-syntax"
    assert found.offset is not None
    assert found.offset <= len(text)


@table(
    "text, line, says, hint",
    ("a: 1\nb 2\nc: 3\n", 2, "could not find expected ':'", "a colon and a blank"),
    ("a:\n- b: [1\n  c: 2\n", 3, "which begins in line 2", "indentation"),
    ("a: 1\nb: c: d\n", 2, "not allowed", "contains `: ` in quotes"),
    ("a: 1\nb: @c\n", 2, "cannot start", "this character in quotes"),
    ("a: 1\n\tb: 2\n", 2, "", "no tab"),
    ("a: 1\nb: *c\n", 2, "no anchor", "begins with `*` in quotes"),
)
def test_where_a_mistake_is_and_what_to_do(text, line, says, hint):
    found = problem(text)
    assert found.offset is not None
    assert text.count("\n", 0, found.offset) + 1 == line
    assert says in found.message
    assert hint in found.hint


@pytest.mark.parametrize("character", ["\0", "\x01", "\x7f", "\ufffe"])
def test_characters_that_yaml_does_not_have(character):
    found = problem(f"é: '{character}'")
    assert (found.code, found.offset) == ("yaml-syntax", 4)
    assert f"U+{ord(character):04X}" in found.message


@pytest.mark.parametrize("text", [r'a: "\ud800"', r'a: !!str "\ud800"', r'"\ud800": a'])
def test_lone_surrogates(text):
    assert problem(text).code in ("lone-surrogate", "yaml-syntax")


def test_a_nul_may_be_escaped():
    assert parse(r'a: "\0\u0000"') == {"a": "\0\0"}


PLACES = """\
# a comment
openapi: 3.1.0
paths:
  /a/b:
    get: {responses: {200: {description: ok}}}
    tags:
    - one
    -   two
x: &x
  k: 1
y: *x
"""


@table(
    "pointer, key, value",
    ("/openapi", "openapi: 3", "3.1.0"),
    ("/paths", "paths:", "/a/b"),
    ("/paths/~1a~1b", "/a/b", "get"),
    ("/paths/~1a~1b/get", "get", "{resp"),
    ("/paths/~1a~1b/get/responses/200", "200", "{desc"),
    ("/paths/~1a~1b/tags/1", "two", "two"),
    ("/x/k", "k: 1", "1"),
    ("/y", "y:", "*x"),
)
def test_places(pointer, key, value):
    found = places_module.yaml_places(PLACES)[pointer]
    assert PLACES[found[0] :].startswith(key)
    assert PLACES[found[1] :].startswith(value)
