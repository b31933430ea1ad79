"""Fields of an answer that an agent asks for: what names mean, and what is said where none is."""

from typing import Any

import pytest
from tables import table

from mcpgen.runtime.parts.outlines import (
    UnknownField,
    check_fields,
    outline_of_schema,
    outline_of_text,
    outline_of_value,
    resolved,
    selected,
)
from mcpgen.runtime.parts.search.signatures import outline
from mcpgen.runtime.values.errors import ToolError

TEXT = {"type": "string"}
USER = {"type": "object", "properties": {"login": TEXT, "id": TEXT}}
ISSUE = {
    "type": "object",
    "properties": {"id": TEXT, "user": {"$ref": "#/$defs/User"}, "dc:title": TEXT, "a.b": TEXT},
}
PAGE = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": ISSUE},
        "total": {"type": "integer"},
        "owner": {"anyOf": [{"$ref": "#/$defs/User"}, {"type": "null"}]},
    },
    "$defs": {"User": USER},
}
LIST = {"type": "array", "items": ISSUE, "$defs": {"User": USER}}
VALUE = {
    "items": [{"id": 1, "user": {"login": "ann", "id": 5}, "dc:title": "T", "a.b": 2}],
    "total": 1,
    "owner": {"login": "bo", "id": 6},
}


def of_schema(schema: dict[str, Any]) -> Any:
    return outline_of_schema(schema, schema)


def of_text(schema: dict[str, Any]) -> Any:
    return outline_of_text(outline(schema))


@pytest.mark.parametrize("make", [of_schema, of_text])
@table(
    "text, paths",
    ("$.items[*].user.login", ["$['items'][*]['user']['login']"]),
    ("items[].user.login", ["$['items'][*]['user']['login']"]),
    ("items.id", ["$['items'][*]['id']"]),
    ("items[0].id", ["$['items'][*]['id']"]),
    ("user.login", ["$['items'][*]['user']['login']"]),
    ("data.user.login", ["$['items'][*]['user']['login']"]),
    ("$[*].user", ["$['items'][*]['user']"]),
    ("login", ["$['owner']['login']"]),
    ("id", ["$['items'][*]['id']", "$['owner']['id']"]),
    ("total", ["$['total']"]),
    ("$['items'][*]['a.b']", ["$['items'][*]['a.b']"]),
    ("dc:title", ["$['items'][*]['dc:title']"]),
    ("$..login", ["$..login"]),
)
def test_a_name_means_the_outermost_field_that_has_it(make, text, paths):
    assert resolved(text, make(PAGE)) == paths
    assert resolved(text, outline_of_value(VALUE)) == paths


@pytest.mark.parametrize("make", [of_schema, of_text])
def test_a_list_needs_no_name_for_itself(make):
    for text in ("id", "$.id", "$[*].id", "[].id", "$.items[*].id", "items.id"):
        assert resolved(text, make(LIST)) == ["$[*]['id']"]
    with pytest.raises(UnknownField):
        resolved("things.id", make(LIST))


def test_fields_that_no_answer_has_are_told():
    with pytest.raises(ToolError) as refused:
        check_fields(["id", "status"], of_text(PAGE))
    assert refused.value.message == (
        "The answer has no field `status`. It has {items: [{id, user: {login, id}, "
        "dc:title, a.b}], total, owner: {login, id}}. Nothing was done."
    )
    tags = {"type": "object", "properties": {"tags": {"type": "array", "items": {}}, "id": {}}}
    with pytest.raises(ToolError, match=r"It has \{tags, id\}"):
        check_fields(["state"], of_text(tags))
    for text in ("", "[*]", "$", "a[?(@.b)]", "x" * 2000):
        with pytest.raises(ToolError, match=r"in `fields` must .*Nothing was done"):
            check_fields([text], of_text(PAGE))
    with pytest.raises(ToolError, match="at most 50"):
        check_fields(["id"] * 51, None)
    cut = of_schema({"type": "object", "properties": {"items": {"type": "array", "items": {}}}})
    for known in (None, cut):
        check_fields(["user.login"], known)
        assert selected(VALUE, ["user.login", "total"], known) == (
            {"items": [{"user": {"login": "ann"}}], "total": 1},
            [],
        )
    data, notes = selected(VALUE, ["total", "state"], None)
    assert data == {"total": 1}
    assert notes[0].startswith("The answer has no field `state`. It has {items: [{id,")
    other = {"items": [{"id": 1}]}
    assert selected(other, ["user.login"], of_text(PAGE)) == (
        {"items": [{}]},
        ["This answer has none of these fields. It has {items: [{id}]}."],
    )
    assert selected([], ["id"], None) == ([], [])


def test_what_is_inside_of_what_was_cut_the_answer_says():
    """The outline of a wide answer ends in objects of which nothing more is said."""
    cut = outline_of_text("{data: {…}, meta: {count}}")
    value = {"data": {"user": {"login": "ann"}, "age": 5}, "meta": {"count": 1}}
    check_fields(["login"], cut)
    assert selected(value, ["login", "count"], cut) == (
        {"data": {"user": {"login": "ann"}}, "meta": {"count": 1}},
        [],
    )
    assert selected(value, ["nosuch"], cut)[1] == [
        "The answer has no field `nosuch`. It has {data: {user: {login}, age}, meta: {count}}."
    ]


def test_outlines_have_a_bound():
    wide = {"type": "object", "properties": {f"n{n}": {"$ref": "#/$defs/X"} for n in range(50)}}
    looping = {**wide, "$defs": {"X": wide}}
    found = outline_of_schema(looping, looping)
    count = sum(1 for _ in found.below())
    assert count < 1500
    value = {}
    for _ in range(90):
        value = {"a": value, "b": [value]}
    assert len(str(outline_of_value(value))) < 2000
    for text in ("{", "{a: ", "[{a}", "{a}}", "value", "{a: {b}…"):
        assert outline_of_text(text) is None
