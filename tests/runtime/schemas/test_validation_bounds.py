"""Checks end in bounded time, fetch nothing, and judge as jsonschema itself does."""

import socket
from typing import Any

import pytest
from fuzz.budget import count
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from steps import steps
from tables import listed, table

from mcpgen.runtime import ArgumentError
from mcpgen.runtime.schemas import validation
from mcpgen.runtime.schemas.patterns import is_enforced, matches
from mcpgen.runtime.schemas.validation import ArgumentValidator, misfit


@pytest.fixture
def few_steps(monkeypatch):
    """A check is given up after a tenth of the steps, so that a tenth of a value is too large."""
    monkeypatch.setattr(validation, "_ARGUMENT_STEPS", validation._ARGUMENT_STEPS // 10)
    monkeypatch.setattr(validation, "_ANSWER_STEPS", validation._ANSWER_STEPS // 10)


@table(
    "pattern",
    *["^(a+)+$", "^(a|a)*$", "^(([a-z])+.)+[A-Z]([a-z])+$", "^(.*?,){50}P", "(x+x+)+y"],
    *["^(a?){100}a{100}$", "^[a-z]{1,1000}$", "^(?=a)(a+)+$", "^(x{1,1000}){1,1000}$"],
    *[r"(\w+\s?)*$", "(" * 3000, "a" * 6000],
)
def test_patterns_run_in_linear_time(pattern):
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "pattern": pattern},
            "b": {"patternProperties": {pattern: False}},
        },
    }
    is_enforced(pattern)
    misfit(schema, {"a": "a" * 10_000 + "!"})
    misfit(schema, {"b": {"a" * 10_000 + "!": 1}})


@table(
    "pattern, text, expected",
    ("a", "bab", True),
    ("^a$", "a\n", False),
    (r"^[\w-.]+$", "a-b.c", True),
    (r"^[\w-.]+$", "a b", False),
    (r"^[.-\w]+$", "a-b", True),
    (r"^[^\d]$", "٣", True),
    (r"^\d$", "٣", False),
    (r"^\w$", "é", False),
    (r"^\s$", "\ufeff", True),
    (r"^\S$", "\ufeff", False),
    ("^[[a]$", "[", True),
    ("^[a&&b]+$", "a&b", True),
    ("^[~~]+$", "~", True),
    ("^[]$", "]", False),
    ("^[^]$", "\n", True),
    ("^{[a-z]}$", "{a}", True),
    ("^a{2}$", "aa", True),
    (r"^\p{L}+$", "é漢", True),
    (r"^[\p{L}-x]+$", "é-x", True),
    (r"^\u00e9$", "é", True),
    (r"^\0[\b]$", "\0\x08", True),
    (r"^\/[\/]$", "//", True),
    (r"\bfoo\b", "a foo b", True),
    (r"^\<a\>$", "<a>", True),
    (r"^A\Z", "A", True),
    (r"^(?<year>\d{4})$", "2024", True),
    (r"^[[:alpha:]]+$", "ab", True),
)
def test_patterns_are_ecma_262(pattern, text, expected):
    assert is_enforced(pattern)
    assert matches(pattern, text) is expected


@table("pattern", "(?=a)b", r"(a)\1", "[", "(", "[+--]", r"\c1", "a\\", "\ud800")
def test_what_the_engine_lacks_is_not_enforced(pattern):
    assert not is_enforced(pattern)
    assert matches(pattern, "anything")


def test_many_items_are_unique_in_one_pass():
    unique = {"uniqueItems": True}

    def work(count):
        items = [{"a": number, "b": [str(number)]} for number in range(count)]
        assert misfit(unique, items) is None
        assert misfit(unique, [*items, items[0]]) is not None

    assert steps(lambda: work(600)) < 2.5 * steps(lambda: work(300))
    assert misfit(unique, [1, True, "1", [1], [True], {"a": 1}, {"a": True}]) is None
    assert misfit(unique, [0, 0.5, False, "0x0", "0", None, 2**64, 2.0**65]) is None
    for first, second in ((1, 1.0), (0, -0.0), (0.5, 0.50), (10**300, 10**300), ([1], [1.0])):
        assert misfit(unique, [first, second]) is not None
    alike = [number * (2**61 - 1) for number in range(1, 50_000)]  # all of one hash
    assert misfit(unique, alike) is None


def test_names_that_are_nearly_known_take_few_steps_however_many():
    known = {f"property_number_{number}_{'y' * 20}": {} for number in range(20)}
    validator = ArgumentValidator({"properties": known, "additionalProperties": False})

    def work(count):
        given = {f"propertty_numbr_{number}_{'y' * 20}": 1 for number in range(count)}
        with pytest.raises(ArgumentError, match=f"did you mean.*\n.*and {count - 5} more"):
            validator.check(given)

    work(10)
    assert steps(lambda: work(40)) < 2 * steps(lambda: work(8))


def test_branches_over_branches_do_not_multiply():
    branch = {"properties": {"next": {"$ref": "#/$defs/Node"}}, "required": ["kind"]}
    node = {
        "oneOf": [
            {**branch, "properties": {**branch["properties"], "kind": {"const": n}}}
            for n in range(8)
        ]
    }
    schema = {"$ref": "#/$defs/Node", "$defs": {"Node": node}}
    good = {"kind": 1}
    bad = {"kind": 9}
    for _ in range(15):
        good, bad = {"kind": 2, "next": good}, {"kind": 2, "next": bad}
    assert misfit(schema, good) is None
    assert misfit(schema, bad) is not None


@pytest.mark.usefixtures("few_steps")
def test_large_and_deep_values_are_given_up_on():
    schema = {
        "type": "object",
        "properties": {"a": {"items": {"properties": {"b": {"items": {"type": "integer"}}}}}},
    }
    value = {"a": [{"b": [1] * 100}] * 500}
    assert misfit(schema, value) is None
    with pytest.raises(ArgumentError, match="too large"):
        ArgumentValidator(schema).check(value)


def test_deep_values_are_refused_without_a_recursion_error():
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}},
    }
    value = []
    for _ in range(1_000):
        value = [value]
    with pytest.raises(ArgumentError, match="nested too deeply"):
        ArgumentValidator(schema).check({"a": value})
    assert misfit(schema, {"a": value}) is None


@table(
    "schema",
    {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    {
        "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}},
        "properties": {"x": {"$ref": "#/$defs/a"}},
    },
    {"anyOf": [{"$ref": "#"}]},
    {"$ref": "#/$defs/missing"},
    {"$dynamicRef": "#missing"},
    {"minimum": "five", "required": 3, "properties": []},
    {"type": "no such type"},
    {"type": 5},
    {"enum": 5},
    {"patternProperties": {"[": False}},
    {"$schema": 5},
    {"$schema": "urn:unknown"},
    {"$schema": "https://["},
    {"$id": "::"},
    {"$id": 5, "$ref": "x"},
)
def test_a_broken_schema_is_not_enforced(schema):
    arguments = {"x": 1, "y": "z"}
    assert ArgumentValidator(schema).check(arguments) == arguments


@table(
    "reference",
    *["http://127.0.0.1:9/x", "https://example.com/a#/b", "file:///etc/passwd", "//h/x", "x.json"],
)
def test_nothing_is_fetched(reference, monkeypatch):
    def forbidden(*arguments, **keywords):
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(socket, "create_connection", forbidden)
    for schema in (
        {"$ref": reference},
        {"$dynamicRef": reference},
        {"$id": reference, "$ref": "other"},
    ):
        assert misfit({"properties": {"a": schema}}, {"a": 1}) is None


def test_a_reference_to_a_metaschema_needs_no_network():
    schema = {"properties": {"s": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}}
    assert misfit(schema, {"s": {"type": "string"}}) is None
    assert misfit(schema, {"s": {"type": "text"}}) is not None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, "", "a", "bb"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
SMALL = st.integers(0, 2)
LEAVES = st.one_of(
    st.sampled_from(TYPES).map(lambda name: {"type": name}),
    st.dictionaries(st.sampled_from(["minimum", "exclusiveMaximum"]), st.integers(-2, 2)),
    st.dictionaries(st.sampled_from(["minLength", "maxItems", "minProperties"]), SMALL),
    st.sampled_from([{"multipleOf": 0.5}, {"pattern": "^a"}, {"uniqueItems": True}]),
    st.sampled_from([{"required": ["a"]}, True, False]),
    st.lists(VALUES, min_size=1, max_size=3).map(lambda values: {"enum": values}),
    VALUES.map(lambda value: {"const": value}),
)
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
MAPS = ("properties", "dependentSchemas")
SINGLES = ("not", "items", "contains", "propertyNames", "if", "then", "else")
SINGLES += ("additionalProperties", "unevaluatedProperties")


def applicators(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(LISTS, several),
            **dict.fromkeys(MAPS, named),
            **dict.fromkeys(SINGLES, inner),
            "patternProperties": st.dictionaries(
                st.sampled_from(["^a", "[bc]"]), inner, max_size=1
            ),
        },
    )


REFERENCE = st.just({"$ref": "#/$defs/d"})


@settings(max_examples=count(30), deadline=None)
@given(
    st.recursive(LEAVES | REFERENCE, applicators, max_leaves=6),
    st.recursive(LEAVES, applicators, max_leaves=4),
    VALUES,
)
def test_the_verdict_is_that_of_jsonschema(schema, shared, value):
    whole = {"properties": {"v": schema}, "$defs": {"d": shared}}
    expected = Draft202012Validator(whole).is_valid({"v": value})
    assert (misfit(whole, {"v": value}) is None) == expected


@listed("schema, value, fits", __file__, "what is unevaluated")
def test_what_is_unevaluated(schema, value, fits):
    definitions = {
        "ab": {"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
        "loop": {"allOf": [{"$ref": "#/$defs/loop"}]},
    }
    assert (misfit({**schema, "$defs": definitions}, value) is None) == fits


OF_ROOT = {"properties": {"b": {}}}
OF_PART = {"properties": {"a": {}}}
PART = {"$id": "part/", "$ref": "#/$defs/one", "$defs": {"one": OF_PART}}
CLOSED = {"unevaluatedProperties": False}
LEAFS = {"properties": {"a": {}, "down": {"$dynamicRef": "#node"}}}
STRICT = {"$id": "strict", "$dynamicAnchor": "node", "$ref": "open", **CLOSED}


@listed(
    "schema, definitions",
    __file__,
    "what is unevaluated behind a reference is told as the reference is read",
)
def test_what_is_unevaluated_behind_a_reference_is_told_as_the_reference_is_read(
    schema, definitions
):
    """`_resolver`, a private part of jsonschema, finds them: without it nothing is refused."""
    whole = {**schema, "$id": "https://shop.example/root", "$defs": definitions}
    assert misfit(whole, {"a": 1}) is None
    assert misfit(whole, {"b": 1}) is not None
    assert misfit({"properties": {"v": schema}, "$defs": definitions}, {"v": {"a": 1}}) is None


def test_a_part_with_an_id_of_its_own_counts_as_evaluated():
    whole = {"allOf": [PART], **CLOSED, "$defs": {"one": OF_ROOT}}
    assert misfit(whole, {"a": 1, "b": 1}) is None


def test_a_dynamic_reference_closes_what_is_deeper_in_the_value():
    definitions = {"open": {"$id": "open", "$dynamicAnchor": "node", **LEAFS}, "strict": STRICT}
    whole = {"properties": {"v": {"$ref": "strict"}}, "$defs": definitions}
    assert misfit(whole, {"v": {"down": {"a": 1}}}) is None
    assert misfit(whole, {"v": {"down": {"b": 1}}}) is not None


NAMES = [f"name{number}" for number in range(2000)]


def test_a_long_list_of_a_long_enum_is_checked():
    schema = {"type": "object", "properties": {"a": {"items": {"enum": NAMES}}}}
    arguments = {"a": NAMES * 10}
    assert ArgumentValidator(schema).check(arguments) == arguments
    with pytest.raises(ArgumentError, match=r"a\[2000\].* must be one of"):
        ArgumentValidator(schema).check({"a": [*NAMES, "name"]})


@pytest.mark.parametrize("keyword", ["enum", "const"])
@table(
    "one, other, is_same",
    (1, 1.0, True),
    (1, True, False),
    ([1, {"a": None}], [1.0, {"a": None}], True),
    ([0], [False], False),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ("1", 1, False),
)
def test_values_are_compared_as_json_has_them(keyword, one, other, is_same):
    schema = {keyword: [one] if keyword == "enum" else one}
    assert (misfit(schema, other) is None) is is_same
    assert (misfit(schema, one)) is None
