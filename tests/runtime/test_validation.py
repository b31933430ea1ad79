"""What an agent is told about arguments that do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime import ArgumentError
from mcpgen.runtime.schemas.validation import ArgumentValidator, misfit

PET = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 5},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 3},
        "owner": {"$ref": "#/$defs/Owner"},
    },
    "required": ["name"],
    "additionalProperties": False,
}
DEFS = {
    "Owner": {
        "type": "object",
        "properties": {
            "login": {"type": "string", "pattern": "^[a-z]+$"},
            "boss": {"$ref": "#/$defs/Owner"},
        },
        "additionalProperties": False,
    },
    "Named": {"required": ["name"]},
    "Cat": {
        "type": "object",
        "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
        "required": ["kind", "lives"],
    },
    "Dog": {
        "type": "object",
        "properties": {"kind": {"const": "dog"}, "bark": {"type": "string"}},
        "required": ["kind", "bark"],
    },
}


def validator(properties: dict[str, Any], **more: Any) -> ArgumentValidator:
    schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": DEFS,
    }
    return ArgumentValidator({**schema, **more})


def refusal(properties: dict[str, Any], arguments: dict[str, Any], **more: Any) -> str:
    with pytest.raises(ArgumentError) as caught:
        validator(properties, **more).check(arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "integer"}, "5", '`a` must be an integer, and is the string "5".'),
        ({"type": "integer"}, 1.5, "`a` must be an integer, and is the number 1.5."),
        ({"type": "integer"}, True, "`a` must be an integer, and is true."),
        ({"type": ["string", "null"]}, 1, "`a` must be a string or null, and is the number 1."),
        ({"type": "array"}, {}, "`a` must be an array, and is an empty object."),
        ({"type": "object"}, [1], "`a` must be an object, and is an array of 1."),
        (
            {"enum": ["open", "closed"]},
            "opne",
            '"open", "closed", and is the string "opne"; did you mean "open"?',
        ),
        ({"enum": [1, None]}, 2, "`a` must be one of 1, null, and is the number 2."),
        ({"const": 1}, 2, "`a` must be 1, and is the number 2."),
        ({"const": {"x": [1]}}, {"x": 2}, '`a` must be {"x": [1]}, and is an object.'),
        ({"const": {"x": "y" * 99}}, 1, "`a` must be an object, and is the number 1."),
        ({"enum": [[1], {}]}, [2], "`a` must be one of [1], {}, and is an array of 1."),
        ({"minimum": 1}, 0, "`a` must be at least 1, and is 0."),
        ({"maximum": 1}, 2, "`a` must be at most 1, and is 2."),
        ({"exclusiveMinimum": 1}, 1, "`a` must be more than 1, and is 1."),
        ({"exclusiveMaximum": 1}, 1, "`a` must be less than 1, and is 1."),
        ({"multipleOf": 0.01}, 0.001, "`a` must be a multiple of 0.01, and is 0.001."),
        ({"minLength": 1}, "", "`a` must have at least 1 character, and has 0."),
        ({"maxLength": 2}, "é漢x", "`a` must have at most 2 characters, and has 3."),
        ({"minItems": 2}, [1], "`a` must have at least 2 items, and has 1."),
        ({"maxProperties": 0}, {"x": 1}, "`a` must have at most 0 members, and has 1."),
        ({"uniqueItems": True}, [{"x": 1}, {"x": 1.0}], "`a` must not hold an item twice."),
        ({"pattern": "^a$"}, "b", '`a` must match the pattern "^a$", and is the string "b".'),
        ({"not": {"type": "string"}}, "b", '`a` must not fit {"type": "string"}.'),
        ({"contains": {"const": 1}}, [2], '`a` must hold at least 1 item that fits {"const": 1}.'),
        (
            {"contains": {"const": 1}, "minContains": 2},
            [1],
            '`a` must hold at least 2 items that fit {"const": 1}.',
        ),
        (
            {"contains": {"const": 1}, "maxContains": 1},
            [1, 1],
            '`a` must hold at most 1 item that fits {"const": 1}.',
        ),
        (
            {"contains": {"enum": ["long" * 99]}, "minContains": 2},
            [],
            "`a` must hold at least 2 items that fit what `contains` says.",
        ),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            '`a` holds the name "ab", which must have at most 1 character, and has 2.',
        ),
        (
            {"propertyNames": {"enum": ["size"]}},
            {"sise": 1},
            '`a` holds the name "sise", which must be one of "size", and is the string "sise"; did',
        ),
        ({"propertyNames": False}, {"x": 1}, '`a` holds the name "x", which is not allowed here.'),
        (
            {"dependentRequired": {"x": ["y"]}, "properties": {"y": {"type": "integer"}}},
            {"x": 1},
            "`a.y` is required with `x`, and missing: an integer.",
        ),
        (
            {"dependentRequired": {"z": ["x"], "y": ["z"]}},
            {"y": 1},
            "- `a.z` is required with `y`, and missing\n- `a.x` is required with `y`, and missing",
        ),
        (False, 1, "`a` is not allowed here."),
        ({"items": False, "prefixItems": [True]}, [1, 2], "`a` holds more items than are allowed."),
        (
            {"contains": {"const": 1}, "unevaluatedItems": False},
            [1, 2],
            "`a[1]` is not allowed here.",
        ),
        (
            PET,
            {"name": "Rex", "owner": {"login": "A"}},
            '`a.owner.login` must match the pattern "^[a-z]+$"',
        ),
        (
            PET,
            {"name": "Rex", "tags": ["a", 1]},
            "`a.tags[1]` must be a string, and is the number 1.",
        ),
        (PET, {}, "`a.name` is required, and missing: a string."),
        (PET, {"name": "Rex", "Tags": []}, "`a.Tags` is unknown; did you mean `tags`?"),
        (PET, {"name": "Rex", "zzz": []}, "`a.zzz` is unknown; known here: name, tags, owner."),
        (PET, {"name": "Rex", "z" * 10**6: []}, f'`a["{"z" * 60}…"]` is unknown; known here: '),
        ({"additionalProperties": {"type": "string"}}, {"x y": 1}, '`a["x y"]` must be a string'),
        ({"properties": {"b": {}}, "unevaluatedProperties": False}, {"c": 1}, "`a.c` is unknown"),
        (
            {"patternProperties": {"^n_": {}}, "additionalProperties": False},
            {"c": 1},
            '`a.c` is unknown; known here: names that match "^n_".',
        ),
        (
            {
                "properties": {"kind": {}},
                "if": {"properties": {"kind": {"const": "card"}}},
                "then": {"properties": {"number": {}}},
                "else": {"allOf": [{"properties": {"kind": {}, "sum": {}}}]},
                "unevaluatedProperties": False,
            },
            {"kind": "card", "zzz": 1},
            "`a.zzz` is unknown; known here: kind, number, sum.",
        ),
        (
            {"allOf": [{"properties": {"b": {}}}], "additionalProperties": False},
            {"c": 1},
            "`a.c` is unknown; nothing may be given here.",
        ),
    ],
)
def test_one_problem(schema: Any, value: Any, text: str) -> None:
    assert text in refusal({"a": schema}, {"a": value})


NULL, STRING, NUMBER = {"type": "null"}, {"type": "string"}, {"type": "number"}
BY_ID, BY_NAME = {"required": ["id"]}, {"allOf": [{"$ref": "#/$defs/Named"}]}
LIST, WORD = {"type": "array"}, {"enum": ["a"]}
VECTOR = {
    "type": "object",
    "required": ["size", "metric"],
    "properties": {"size": {"type": "integer"}, "metric": {"enum": ["Cosine", "Dot"]}},
}
SPARSE = {"required": ["indices", "values"], "properties": {"indices": LIST, "values": LIST}}
FUSION = {"required": ["fusion"], "properties": {"fusion": {"enum": ["rrf", "dbsf"]}}}
CAT, DOG, OWNER = ({"$ref": f"#/$defs/{name}"} for name in ("Cat", "Dog", "Owner"))


def choice_of(schema: Any) -> Any:
    return {"anyOf": [schema, schema]}


def optional(schema: Any) -> Any:
    return {"anyOf": [{"type": "array", "items": schema}, NULL]}


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"anyOf": [STRING, NULL]}, 5, "must be a string or null, and is the number 5."),
        ({"anyOf": [{"enum": ["a"]}, {"const": "b"}]}, 5, 'must be one of "a" or "b", and is'),
        ({"oneOf": [CAT, DOG]}, {"kind": "dog"}, "`a.bark` is required"),
        (
            {"oneOf": [CAT, DOG]},
            {"kind": "cow", "lives": 1, "bark": "x"},
            '`a.kind` must be one of "cat", "dog", and is the string "cow".',
        ),
        ({"anyOf": [NULL, OWNER]}, {"logn": "x"}, "`a.logn` is unknown; did you mean `login`?"),
        ({"oneOf": [BY_ID, BY_NAME]}, {"id": 1, "name": "x"}, "fits more than one of the forms"),
        (
            {"anyOf": [{"anyOf": [LIST, {"oneOf": [WORD, {"type": "object"}]}]}, NULL]},
            5,
            'must be an array or one of "a" or an object or null, and is the number 5.',
        ),
        (
            {"anyOf": [{"anyOf": [CAT, DOG]}, {"type": "array", "items": STRING}]},
            [1, "x", 2],
            "`a[0]` must be a string, and is the number 1",
        ),
        (
            {"anyOf": [VECTOR, {"type": "object", "additionalProperties": VECTOR}]},
            {"size": 3, "metric": "cosine"},
            'Argument `a.metric` must be one of "Cosine", "Dot", and is the string "cosine"; '
            'did you mean "Cosine"?',
        ),
        (
            {"anyOf": [{"type": "object", "additionalProperties": VECTOR}, VECTOR]},
            {"image": {"size": "3", "metric": "Dot"}},
            "Argument `a.image.size` must be an integer",
        ),
        (
            {"anyOf": [STRING, SPARSE, FUSION]},
            {"fusion": "rff"},
            'Argument `a.fusion` must be one of "rrf", "dbsf", and is the string "rff"',
        ),
        ({"anyOf": [FUSION, SPARSE]}, {"indices": []}, "Argument `a.values` is required"),
        (
            {"oneOf": [CAT, DOG]},
            {"kind": "dog", "lives": 9},
            "Argument `a.bark` is required",
        ),
        (choice_of(choice_of(choice_of(choice_of(OWNER)))), {"logn": 1}, "`a.logn` is unknown"),
        (
            choice_of(choice_of(choice_of(choice_of(choice_of(False))))),
            1,
            "none of the allowed forms",
        ),
        (
            optional(optional(optional(optional(STRING)))),
            [[[[1]]]],
            "`a[0][0][0][0]` must be a string",
        ),
    ],
)
def test_the_best_branch_speaks(schema: Any, value: Any, text: str) -> None:
    assert text in refusal({"a": schema}, {"a": value})


UUID = {"type": "string", "format": "uuid"}
NAME = {"type": "string", "pattern": "^(?![0-9a-f]{8}-)[a-z]+$"}
LOOKAHEAD = {"pattern": "^(?!x)"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"oneOf": [UUID, {"type": "string", "pattern": "^[a-z]+$"}]}, "shop"),
        ({"oneOf": [UUID, NAME]}, "0f8fad5b-d9cb-469f-a165-70867728950e"),
        ({"oneOf": [{"$ref": "#/$defs/Day"}, {"$ref": "#/$defs/Time"}]}, "2024-05-01"),
        ({"oneOf": [{"items": UUID}, {"items": NAME}]}, ["shop"]),
        ({"oneOf": [{"type": "number", "format": "float"}, {"type": "integer"}]}, 1),
        ({"not": LOOKAHEAD}, "x"),
        ({"not": {"oneOf": [LOOKAHEAD, {"type": "integer"}]}}, "x"),
        ({"not": {"not": LOOKAHEAD}}, "x"),
    ],
)
def test_what_is_not_enforced_refuses_nothing(schema: Any, value: Any) -> None:
    day_or_time = {"Day": {"format": "date"}, "Time": {"format": "date-time"}}
    checked = validator({"a": schema}, **{"$defs": day_or_time}).check({"a": value})
    assert checked == {"a": value}


@pytest.mark.parametrize(
    ("forms", "value"),
    [
        ([NUMBER, {"type": "integer"}], 1),
        ([STRING, {"minLength": 1}, UUID], "shop"),
        ([{"format": "date"}, {"maxProperties": 1}], {}),
        ([OWNER, {**OWNER, "description": "Who pays"}], {"login": "ada"}),
        ([BY_ID, {"required": ["id", "name"]}], {"id": 1, "name": "x"}),
        ([BY_ID, BY_NAME, {"type": "object"}], {"id": 1, "name": "x"}),
    ],
)
def test_forms_that_cannot_be_told_apart_refuse_nothing(forms: Any, value: Any) -> None:
    assert validator({"a": {"oneOf": forms}}).check({"a": value}) == {"a": value}


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        (
            {"oneOf": [BY_ID, {**BY_NAME, "maxProperties": 2}]},
            {"id": 1, "name": ""},
            "more than one",
        ),
        ({"oneOf": [UUID, NAME]}, 1, "must be a string"),
        ({"not": {"anyOf": [UUID, STRING]}}, "shop", "must not"),
        ({"not": {"oneOf": [UUID, {"type": "integer"}]}}, 1, "must not"),
    ],
)
def test_what_is_enforced_still_refuses(schema: Any, value: Any, text: str) -> None:
    assert text in refusal({"a": schema}, {"a": value})


def test_all_problems_at_once_up_to_five() -> None:
    text = refusal(
        {"limit": {"maximum": 10}, "name": {"type": "string"}, "a": {"type": "null"}, "b": False},
        {"limit": 11, "nme": "x", "a": 1, "b": 2},
        required=["name", "id"],
    )
    assert text.splitlines() == [
        "These arguments cannot be used as they are:",
        "- `limit` must be at most 10, and is 11",
        "- `a` must be null, and is the number 1",
        "- `b` is not allowed here",
        "- `nme` is unknown; did you mean `name`?",
        "- `name` is required, and missing: a string",
        "- and 1 more",
    ]


@pytest.mark.parametrize("choices", [["price", "-price"], ["-price", "price"]])
def test_what_differs_in_case_alone_is_meant_before_what_differs_in_signs(choices: Any) -> None:
    """Sorting is often asked for as `price` or `-price`, and the one is not the other."""
    assert refusal({"sort": {"enum": choices}}, {"sort": "Price"}).endswith('did you mean "price"?')


def test_a_single_problem_names_its_argument() -> None:
    with pytest.raises(ArgumentError) as caught:
        validator({"a": PET}).check({"a": {"name": "R"}})
    assert caught.value.argument == "a.name"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("login", "- `login` is unknown; it belongs into `body`"),
        ("lives", "- `lives` is unknown; it belongs into `pet`"),
        ("Login", "- `Login` is unknown; known here: body, pet, loop, odd, lines"),
        ("odds", "- `odds` is unknown; did you mean `odd`?"),
        ("weight", "- `weight` is unknown; it belongs into `lines[0]`"),
    ],
)
def test_what_belongs_into_an_object_is_said_to(given: str, text: str) -> None:
    """An agent often gives the members of a body as arguments."""
    known: dict[str, Any] = {
        "body": {"allOf": [{"type": "object"}, OWNER]},
        "pet": {"anyOf": [{"type": "null"}, {"oneOf": [DOG, CAT]}]},
        "loop": {"$ref": "#/$defs/Loop"},
        "odd": {"$ref": 1, "allOf": 1, "properties": 1},
        "lines": {"$ref": "#/$defs/Lines"},
    }
    loop = {"anyOf": [{"$ref": "#/$defs/Loop"}] * 2}
    lines = {"type": ["array", "null"], "items": {"allOf": [{"properties": {"weight": {}}}]}}
    told = refusal(
        known, {given: 1}, required=["body"], **{"$defs": {**DEFS, "Loop": loop, "Lines": lines}}
    )
    assert text in told.splitlines()
    assert "- `body` is required, and missing" in told.splitlines()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"name": "Rex"}, "`body` is unknown; its members belong in its place."),
        ({"colour": "red"}, "`body` is unknown; known here: id, name."),
        ("Rex", "`body` is unknown; known here: id, name."),
    ],
)
def test_what_stands_in_an_object_too_many_is_to_stand_without_it(given: Any, text: str) -> None:
    """An agent often gives the arguments that make a body as members of one."""
    assert text in refusal({"id": STRING, "name": STRING}, {"body": given})


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("homeAddress", {"name": "Rex", "city": "Oslo"}, "did you mean `home_address`?"),
        ("filters", {"name": "Rex"}, "did you mean `filter`?"),
        ("keeper", {"name": "Rex", "city": "Oslo"}, "known here: name, filter, home_address."),
    ],
)
def test_a_misspelled_object_is_meant_although_others_have_members_of_its_names(
    name: str, given: Any, text: str
) -> None:
    """Names such as `name` and `id` are those of many objects."""
    inner = {"type": "object", "properties": {"name": STRING}}
    known = {"name": STRING, "filter": inner, "home_address": inner}
    assert refusal(known, {name: given}) == f"Argument `{name}` is unknown; {text}"


UUID_PATTERN = (
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-f]{12})$"
)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"pattern": UUID_PATTERN}, f'must match the pattern "{UUID_PATTERN}", and is'),
        (
            {"pattern": UUID_PATTERN, "format": "uuid"},
            f'must match the pattern "{UUID_PATTERN}" of the format uuid, and is the string "x"',
        ),
        (
            {"pattern": "^(ab|" + "c" * 300 + ")$", "format": "code"},
            f'must match the pattern "^(ab|{"c" * 55}…" of the format code, and is the string "x"',
        ),
    ],
)
def test_a_pattern_is_told_with_the_format_that_it_spells_out(
    schema: dict[str, Any], text: str
) -> None:
    assert text in refusal({"a": schema}, {"a": "x"})


@pytest.mark.parametrize(
    ("known", "given", "text"),
    [
        (["petId", "limit"], "pet_id", "did you mean `petId`?"),
        (["petId", "limit"], "limt", "did you mean `limit`?"),
        (["X-Request-ID"], "x_request_id", "did you mean `X-Request-ID`?"),
        ([], "anything", "is unknown; nothing may be given here"),
    ],
)
def test_unknown_arguments(known: list[str], given: str, text: str) -> None:
    told = refusal({name: {} for name in known}, {given: 1})
    assert text in told
    assert "?." not in told


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"name": "x", "count": 3.0, "price": 19.99, "when": "not a date"},
        {"owner": {"boss": {"boss": {"login": "a"}}}},
        {"price": 10**300},
    ],
)
def test_what_fits_is_returned_as_it_is(arguments: dict[str, Any]) -> None:
    properties = {
        "name": {"type": "string"},
        "count": {"type": "integer"},
        "price": {"type": "number", "multipleOf": 0.01},
        "when": {"type": "string", "format": "date-time"},
        "owner": {"$ref": "#/$defs/Owner"},
    }
    found = validator(properties).check(arguments)
    assert found == arguments
    assert [type(value) for value in found.values()] == [
        type(value) for value in arguments.values()
    ]


@pytest.mark.parametrize(
    ("schema", "given", "read"),
    [
        ({"$ref": "#/$defs/Owner"}, '{"login": "a"}', {"login": "a"}),
        ({"type": "array", "items": {"type": "integer"}}, " [1, 2]", [1, 2]),
        ({"anyOf": [{"type": "null"}, {"type": "array"}]}, "[]", []),
        ({"$ref": "#/$defs/Owner"}, '{"boss": "{\\"login\\": \\"a\\"}"}', {"boss": {"login": "a"}}),
        ({"type": "array", "items": {"type": "object"}}, ['{"a": 1}', {}], [{"a": 1}, {}]),
        ({"type": ["string", "object"]}, '{"a": 1}', '{"a": 1}'),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "[]", "[]"),
        ({}, "[]", "[]"),
    ],
)
def test_json_text_is_read_where_only_its_value_fits(schema: Any, given: Any, read: Any) -> None:
    arguments = {"a": given}
    assert validator({"a": schema}).check(arguments) == {"a": read}
    assert arguments == {"a": given}


@pytest.mark.parametrize(
    ("schema", "given", "text"),
    [
        ({"$ref": "#/$defs/Owner"}, '{"logn": "a"}', "`a.logn` is unknown; did you mean `login`?"),
        ({"type": "array"}, "{}", "`a` must be an array, and is the string"),
        ({"type": "object"}, "{not json", "`a` must be an object, and is the string"),
        ({"type": "object"}, "[" * 100_000, "`a` must be an object, and is the string"),
        ({"type": "integer"}, "[1]", "`a` must be an integer, and is the string"),
    ],
)
def test_json_text_that_does_not_help(schema: Any, given: Any, text: str) -> None:
    assert text in refusal({"a": schema}, {"a": given})


NULLS = {
    "limit": {"type": "integer"},
    "sort": {"enum": ["up", "down"]},
    "owner": {"$ref": "#/$defs/Owner"},
    "any": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    "until": {"type": ["string", "null"]},
}


def test_null_is_left_out_where_a_tool_only_reads() -> None:
    schema = {"type": "object", "properties": NULLS, "required": [], "$defs": DEFS}
    given: dict[str, Any] = {**dict.fromkeys(NULLS), "ids": "[1]"}
    schema["properties"] = {**NULLS, "ids": {"type": "array"}}
    reading = {"inputSchema": schema, "annotations": {"readOnlyHint": True}}
    assert ArgumentValidator.of(reading).check(given) == {"until": None, "ids": [1]}


@pytest.mark.parametrize(
    ("tool", "required"),
    [({"annotations": {"readOnlyHint": True}}, ["limit"]), ({"annotations": None}, []), ({}, [])],
)
def test_null_is_refused_where_it_may_mean_something(tool: Any, required: list[str]) -> None:
    schema = {"type": "object", "properties": NULLS, "required": required, "$defs": DEFS}
    with pytest.raises(ArgumentError, match="`limit` must be an integer, and is null"):
        ArgumentValidator.of({**tool, "inputSchema": schema}).check({"limit": None})


def test_long_and_odd_values_are_shown_short() -> None:
    text = refusal({"a": {"type": "integer"}}, {"a": "x" * 100_000})
    assert len(text) < 200
    text = refusal({}, {"\ud800\n" + "y" * 1000: 1})
    text.encode()
    assert len(text) < 300
    assert "\n" not in text
    assert len(refusal({"a": {"enum": list(range(10_000))}}, {"a": -1})) < 300
    assert len(refusal({f"p{number}": {} for number in range(1000)}, {"zzzz": 1})) < 300


@pytest.mark.parametrize(
    ("dialect", "fits"),
    [
        ("http://json-schema.org/draft-04/schema#", False),
        ("https://json-schema.org/draft-04/schema#", False),
        ("http://json-schema.org/draft-07/schema#", True),
        ("https://json-schema.org/draft/2020-12/schema", True),
        ("https://spec.openapis.org/oas/3.1/dialect/base", True),
        (None, True),
    ],
)
def test_the_dialect_is_the_schemas_own(dialect: str | None, fits: bool) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert (
        misfit({**schema, **({"$schema": dialect} if dialect else {})}, {"a": 1.0}) is None
    ) == fits


@pytest.mark.parametrize("place", [(), ("properties", "a")])
def test_a_part_is_judged_as_the_whole_is(place: tuple[str, ...]) -> None:
    text = {"$schema": "https://json-schema.org/draft/2020-12/schema", "pattern": r"^\p{Letter}+$"}
    validator = ArgumentValidator({**text, "properties": {"a": text}})
    assert validator.fits("é", *place)
    assert not validator.fits("1", *place)


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"items": [{}], "additionalItems": False}, [1, 2], "holds more items than are allowed"),
        ({"divisibleBy": 2}, 3, "`a` must be a multiple of 2, and is 3"),
        ({"minimum": 0, "exclusiveMinimum": True}, 0, "`a` must be more than 0, and is 0"),
        ({"maximum": 1, "exclusiveMaximum": True}, 1, "`a` must be less than 1, and is 1"),
        ({"maximum": 1, "exclusiveMaximum": False}, 2, "`a` must be at most 1, and is 2"),
        ({"disallow": ["string", "null"]}, "b", '`a` must not fit ["string", "null"]'),
        ({"properties": {"b": {"required": True}}}, {}, "`a.b` is required, and missing"),
    ],
)
def test_old_dialects_have_words_too(schema: Any, value: Any, text: str) -> None:
    draft3 = {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": schema}}
    assert text in str(misfit(draft3, {"a": value}))


def test_old_dialects_keep_their_keywords() -> None:
    draft7 = "http://json-schema.org/draft-07/schema#"
    schema = {
        "$schema": draft7,
        "definitions": {"x": {"$schema": draft7, "type": "string", "pattern": "^a+$"}},
        "properties": {"a": {"items": [{"$ref": "#/definitions/x"}], "additionalItems": False}},
        "dependencies": {"a": ["b"]},
    }
    assert misfit(schema, {"a": ["a"], "b": 1}) is None
    assert misfit(schema, {"a": ["b"], "b": 1}) is not None
    assert misfit(schema, {"a": ["a", 1], "b": 1}) is not None
    assert "`b`" in str(misfit(schema, {"a": []}))


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        (PET, {"name": "Rex"}, None),
        (PET, {"name": 1}, "`name` must be a string, and is the number 1"),
        ({"type": "string"}, 1, "it must be a string, and is the number 1"),
        (PET, {"name": 1, "tags": 2, "x": 3, "y": 4}, "`name` must be"),
    ],
)
def test_an_answers_misfit(schema: dict[str, Any], value: Any, text: str | None) -> None:
    found = misfit({**schema, "$defs": DEFS}, value)
    assert found is None if text is None else text in str(found)
    assert str(found).count("` ") <= 3
