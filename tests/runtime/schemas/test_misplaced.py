"""Arguments that are missing, misspelled, or at another place: where they belong is told."""

import pytest
from tables import listed, table

from ..validating import CAT, DEFS, DOG, OWNER, STRING, refusal


def test_what_is_missing_does_not_hide_what_else_is_wrong():
    names = [f"n{number}" for number in range(25)]
    known = {**dict.fromkeys(names, STRING), "n1": {"enum": ["x" * 30] * 3}}
    told = refusal(known, {"n00": 1, "n2": 5}, required=names).splitlines()
    assert told[1].startswith("- `n2` must be a string")
    assert "- `n00` is unknown; did you mean `n0`?" in told
    (missing,) = [line for line in told if "missing" in line]
    assert missing.startswith("- required, and missing: `n0`, `n1`, `n3`, ")
    assert len(told) == 4
    few = refusal(known, {}, required=names[:5]).splitlines()
    assert few[1] == "- `n0` is required, and missing: a string"


@pytest.mark.parametrize("choices", [["price", "-price"], ["-price", "price"]])
def test_what_differs_in_case_alone_is_meant_before_what_differs_in_signs(choices):
    """Sorting is often asked for as `price` or `-price`, and the one is not the other."""
    assert refusal({"sort": {"enum": choices}}, {"sort": "Price"}).endswith('did you mean "price"?')


@listed("schema, text", __file__, "what is missing is told where it is declared by name")
def test_what_is_missing_is_told_where_it_is_declared_by_name(schema, text):
    defs = {
        "Word": {"type": "string"},
        "Kind": {"enum": ["dog", "cat"]},
        "Named": {"$ref": "#/$defs/Kind"},
        "Loop": {"$ref": "#/$defs/Loop"},
    }
    told = refusal({"kind": schema}, {}, required=["kind"], **{"$defs": defs})
    assert told == f"Argument {text}"


@table(
    "given, text",
    ("login", "- `login` is unknown; it belongs in `body`"),
    ("lives", "- `lives` is unknown; it belongs in `pet`"),
    ("Login", "- `Login` is unknown; known here: body, pet, loop, odd"),
    ("odds", "- `odds` is unknown; did you mean `odd`?"),
)
def test_what_belongs_into_an_object_is_said_to(given, text):
    """An agent often gives the members of a body as arguments."""
    known = {
        "body": {"allOf": [{"type": "object"}, OWNER]},
        "pet": {"anyOf": [{"type": "null"}, {"oneOf": [DOG, CAT]}]},
        "loop": {"$ref": "#/$defs/Loop"},
        "odd": {"$ref": 1, "allOf": 1, "properties": 1},
    }
    loop = {"anyOf": [{"$ref": "#/$defs/Loop"}] * 2}
    told = refusal(known, {given: 1}, required=["body"], **{"$defs": {**DEFS, "Loop": loop}})
    assert text in told.splitlines()
    assert "- `body` is required, and missing" in told.splitlines()


@table(
    "count, required, advice",
    (2, [], "it belongs in `o0` or `o1`"),
    (3, ["o2"], "it belongs in `o2`"),
    (9, ["o7", "o8"], "it belongs in `o7` or `o8`"),
    (4, [], "known here: o0, o1, o2, o3"),
)
def test_what_several_objects_declare_belongs_into_one_that_is_required(count, required, advice):
    """Which one that is cannot be told otherwise: not the first that happens to declare it."""
    price = {"type": "object", "properties": {"currency": STRING}}
    known = {f"o{number}": price for number in range(count)}
    told = refusal(known, {"currency": "EUR", **dict.fromkeys(required, 1)}, required=required)
    assert f"`currency` is unknown; {advice}" in told


@table(
    "given, text",
    ({"name": "Rex"}, "`body` is unknown; give its members in its place."),
    ({"colour": "red"}, "`body` is unknown; known here: id, name."),
    ("Rex", "`body` is unknown; known here: id, name."),
)
def test_what_stands_in_an_object_too_many_is_to_stand_without_it(given, text):
    """An agent often gives the arguments that make a body as members of one."""
    assert text in refusal({"id": STRING, "name": STRING}, {"body": given})


@table(
    "name, given, text",
    ("homeAddress", {"name": "Rex", "city": "Oslo"}, "did you mean `home_address`?"),
    ("filters", {"name": "Rex"}, "did you mean `filter`?"),
    ("keeper", {"name": "Rex", "city": "Oslo"}, "known here: name, filter, home_address."),
)
def test_a_misspelled_object_is_meant_although_others_have_members_of_its_names(name, given, text):
    """Names such as `name` and `id` are those of many objects."""
    inner = {"type": "object", "properties": {"name": STRING}}
    known = {"name": STRING, "filter": inner, "home_address": inner}
    assert refusal(known, {name: given}) == f"Argument `{name}` is unknown; {text}"


@table(
    "known, given, text",
    (["petId", "limit"], "pet_id", "did you mean `petId`?"),
    (["petId", "limit"], "limt", "did you mean `limit`?"),
    (["X-Request-ID"], "x_request_id", "did you mean `X-Request-ID`?"),
    ([], "anything", "is unknown; nothing may be given here"),
)
def test_unknown_arguments(known, given, text):
    told = refusal({name: {} for name in known}, {given: 1})
    assert text in told
    assert "?." not in told
