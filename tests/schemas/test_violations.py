"""Values held against a JSON Schema: each violation at its place, in words with a way out."""

from typing import Any

import pytest

from mcpgen.schemas.violations import Form, Violation
from mcpgen.schemas.wording import Terms, around, words

SETTINGS = {
    "type": "object",
    "properties": {
        "surface": {"enum": ["auto", "tools", "search"], "description": "What agents see."},
        "timeout": {"type": "integer", "minimum": 1, "description": "Seconds."},
        "verbose": {"type": "boolean"},
        "name": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "tools": {
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/tool"},
            "propertyNames": {"pattern": "^[a-z]+$"},
        },
    },
    "additionalProperties": False,
    "$defs": {
        "tool": {
            "type": "object",
            "properties": {"title": {}, "description": {}},
            "required": ["title", "description"],
            "additionalProperties": False,
        }
    },
}
TABLES = Terms("mcpgen.toml", "unknown setting `{}`", {"object": "a table", "string": "text"})


def violations(value: Any, schema: dict[str, Any] = SETTINGS) -> list[Violation]:
    return Form(schema).violations(value)


@pytest.mark.parametrize(
    ("value", "path", "message", "hint"),
    [
        ({"surfaces": "auto"}, ("surfaces",), "`surfaces` is not a", "Did you mean `surface`?"),
        ({"xyz": 1}, ("xyz",), "`xyz` is not a", "Known: surface, timeout, verbose, name, tags,"),
        ({"surface": "serch"}, ("surface",), "`surface` is 'serch'; it must be one of auto, tools",
         "Did you mean `search`?"),
        ({"surface": 5}, ("surface",), "`surface` is '5'; it must be one of", "What agents see."),
        ({"timeout": "1"}, ("timeout",), "`timeout` must be a whole number, found a string",
         "Seconds."),
        ({"timeout": 0}, ("timeout",), "`timeout` cannot be '0'", "Seconds."),
        ({"verbose": "on"}, ("verbose",), "`verbose` must be true or false", "Write `true`:"),
        ({"verbose": "true"}, ("verbose",), "`verbose` must be true or false", "without quotes."),
        ({"name": 1.5}, ("name",), "`name` must be a string, found a number", "in quotes."),
        ({"tags": ["a", 1]}, ("tags", 1), "this entry must be a string", "Write it in quotes."),
        ({"tags": ["a", "a"]}, ("tags",), "`tags` has non-unique elements", ""),
        ({"tools": {"a": {}}}, ("tools", "a"), "`a` has no `title`, `description`", ""),
        ({"tools": {"A": {"title": 1, "description": 1}}}, ("tools", "A"), "the name does not", ""),
        ([], (), "the file must be an object, found an array", ""),
    ],
)  # fmt: skip
def test_a_violation_has_its_place_and_words(
    value: Any, path: tuple[str | int, ...], message: str, hint: str
) -> None:
    [found] = violations(value)
    said = words(found, Terms())
    assert found.path == path
    assert said.message.startswith(message)
    assert hint in said.hint
    assert bool(hint) == bool(said.hint)


def test_the_terms_are_those_of_a_kind_of_document() -> None:
    [found] = violations({"tools": {"a": "b"}})
    said = words(found, TABLES, 'tools."a"')
    assert said.message == 'tools."a" must be a table, found a string'
    [found] = violations({"Name": "x"})
    said = words(found, TABLES)
    assert (said.code, said.message) == ("unknown-key", "unknown setting `Name`")


def test_values_of_a_document_that_is_not_ours_are_not_in_messages() -> None:
    [found] = violations({"surface": "secret"})
    said = words(found, Terms(is_ours=False))
    assert said.message == "`surface` must be one of auto, tools, search"
    assert said.hint == ""


def test_all_violations_are_found_each_once() -> None:
    schema = {"allOf": [SETTINGS, SETTINGS], "$defs": SETTINGS["$defs"]}
    found = violations({"name": 5, "timeout": 0, "tools": {"a": {"x": 1}}}, schema)
    places = [(each.path, each.keyword) for each in found]
    assert len(places) == len(set(places))
    assert set(places) == {
        (("name",), "type"),
        (("timeout",), "minimum"),
        (("tools", "a"), "required"),
        (("tools", "a", "x"), "unexpected"),
    }


@pytest.mark.parametrize(
    ("value", "path"),
    [({"kind": "b", "size": "x"}, ("size",)), ({"kind": "c"}, ("kind",)), (5, ())],
)
def test_of_alternatives_the_one_that_was_meant_is_told(value: Any, path: tuple[str, ...]) -> None:
    kinds = [
        {"properties": {"kind": {"const": "a"}, "length": {}}, "required": ["length"]},
        {"properties": {"kind": {"const": "b"}, "size": {"type": "integer"}}},
    ]
    [found] = violations(value, {"anyOf": [{"type": "object", **kind} for kind in kinds]})
    assert found.path == path
    if path == ("kind",):
        assert found.wants == ("a", "b")


def test_what_is_around_a_place_is_told_with_it() -> None:
    assert around(["/a/0/b", "/a/0"]) == {"/a/0/b", "/a/0", "/a", ""}
