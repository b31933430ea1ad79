"""Values against JSON Schema: what fits, what is refused, and what is read as JSON."""

import pytest
from jsonschema import Draft4Validator, Draft202012Validator
from jsonschema.exceptions import ValidationError
from tables import table

from mcpgen.runtime import ArgumentError
from mcpgen.runtime.schemas import keywords
from mcpgen.runtime.schemas.validation import ArgumentValidator, misfit
from mcpgen.runtime.values.seams import KEYWORDS

from ..validating import BY_ID, BY_NAME, DEFS, NUMBER, OWNER, STRING, refusal, validator

UUID = {"type": "string", "format": "uuid"}
NAME = {"type": "string", "pattern": "^(?![0-9a-f]{8}-)[a-z]+$"}
LOOKAHEAD = {"pattern": "^(?!x)"}


@table(
    "schema, value",
    ({"oneOf": [UUID, {"type": "string", "pattern": "^[a-z]+$"}]}, "shop"),
    ({"oneOf": [UUID, NAME]}, "0f8fad5b-d9cb-469f-a165-70867728950e"),
    ({"oneOf": [{"$ref": "#/$defs/Day"}, {"$ref": "#/$defs/Time"}]}, "2024-05-01"),
    ({"oneOf": [{"items": UUID}, {"items": NAME}]}, ["shop"]),
    ({"oneOf": [{"type": "number", "format": "float"}, {"type": "integer"}]}, 1),
    ({"not": LOOKAHEAD}, "x"),
    ({"not": {"oneOf": [LOOKAHEAD, {"type": "integer"}]}}, "x"),
    ({"not": {"not": LOOKAHEAD}}, "x"),
    ({"unevaluatedItems": False}, "x"),
    ({"unevaluatedItems": False}, {"x": 1}),
)
def test_what_is_not_enforced_refuses_nothing(schema, value):
    day_or_time = {"Day": {"format": "date"}, "Time": {"format": "date-time"}}
    checked = validator({"a": schema}, **{"$defs": day_or_time}).check({"a": value})
    assert checked == {"a": value}


@table(
    "forms, value",
    ([NUMBER, {"type": "integer"}], 1),
    ([STRING, {"minLength": 1}, UUID], "shop"),
    ([{"format": "date"}, {"maxProperties": 1}], {}),
    ([OWNER, {**OWNER, "description": "Who pays"}], {"login": "ada"}),
    ([BY_ID, {"required": ["id", "name"]}], {"id": 1, "name": "x"}),
    ([BY_ID, BY_NAME, {"type": "object"}], {"id": 1, "name": "x"}),
)
def test_forms_that_cannot_be_told_apart_refuse_nothing(forms, value):
    assert validator({"a": {"oneOf": forms}}).check({"a": value}) == {"a": value}


@table(
    "schema, value, text",
    (
        {"oneOf": [BY_ID, {**BY_NAME, "maxProperties": 2}]},
        {"id": 1, "name": ""},
        "fits several forms",
    ),
    ({"oneOf": [UUID, NAME]}, 1, "must be a string"),
    ({"not": {"anyOf": [UUID, STRING]}}, "shop", "must not"),
    ({"not": {"oneOf": [UUID, {"type": "integer"}]}}, 1, "must not"),
)
def test_what_is_enforced_still_refuses(schema, value, text):
    assert text in refusal({"a": schema}, {"a": value})


@table(
    "arguments",
    {},
    {"name": "x", "count": 3.0, "price": 19.99, "when": "not a date"},
    {"owner": {"boss": {"boss": {"login": "a"}}}},
    {"price": 10**300},
)
def test_what_fits_is_returned_as_it_is(arguments):
    properties = {
        "name": {"type": "string"},
        "count": {"type": "integer"},
        "price": {"type": "number", "multipleOf": 0.01},
        "when": {"type": "string", "format": "date-time"},
        "owner": {"$ref": "#/$defs/Owner"},
    }
    found = validator(properties).check(arguments)
    assert found == arguments
    kinds = {name: type(value) for name, value in arguments.items()} | {"count": int}
    assert {name: type(value) for name, value in found.items()} == {
        name: kinds[name] for name in arguments
    }


@table(
    "schema, given, read",
    ({"$ref": "#/$defs/Owner"}, '{"login": "a"}', {"login": "a"}),
    ({"type": "array", "items": {"type": "integer"}}, " [1, 2]", [1, 2]),
    ({"anyOf": [{"type": "null"}, {"type": "array"}]}, "[]", []),
    ({"$ref": "#/$defs/Owner"}, '{"boss": "{\\"login\\": \\"a\\"}"}', {"boss": {"login": "a"}}),
    ({"type": "array", "items": {"type": "object"}}, ['{"a": 1}', {}], [{"a": 1}, {}]),
    ({"type": ["string", "object"]}, '{"a": 1}', '{"a": 1}'),
    ({"type": "integer"}, "2047948614742839297", 2047948614742839297),
    ({"type": "number"}, "-1.5e1", -15.0),
    ({"type": "integer"}, "3.0", 3.0),
    ({"type": "boolean"}, "true", True),
    ({"type": ["integer", "null"]}, "null", None),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "10", 10),
    ({"oneOf": [{"type": "boolean"}, {"type": "integer"}]}, "10", 10),
    ({"enum": [1, 2, 10]}, "10", 10),
    ({"const": False}, "false", False),
    ({"type": "array", "items": {"type": "integer"}}, ["1"] * 900, [1] * 900),
    ({"type": "array", "items": {"type": "object"}}, '["{}"]', [{}]),
    ({"type": ["string", "integer"]}, "10", "10"),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "10", "10"),
    ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "[]", "[]"),
    ({}, "[]", "[]"),
)
def test_json_text_is_read_where_only_its_value_fits(schema, given, read):
    arguments = {"a": given}
    assert validator({"a": schema}).check(arguments) == {"a": read}
    assert arguments == {"a": given}


@table(
    "schema, given, text",
    ({"$ref": "#/$defs/Owner"}, '{"logn": "a"}', "`a.logn` is unknown; did you mean `login`?"),
    ({"type": "array"}, "{}", "`a` must be an array, and is the string"),
    ({"type": "object"}, "{not json", "`a` must be an object, and is the string"),
    ({"type": "object"}, "[" * 100_000, "`a` must be an object, and is the string"),
    ({"type": "integer"}, "[1]", "`a` must be an integer, and is the string"),
    ({"type": "integer"}, "1.5", "`a` must be an integer, and is the string"),
    ({"type": "integer"}, "true", "`a` must be an integer, and is the string"),
    ({"type": "integer"}, "ten", "`a` must be an integer, and is the string"),
    ({"type": "integer", "minimum": 5}, "1", "`a` must be"),
    ({"type": "number"}, "NaN", "`a` must be a number, and is the string"),
    ({"type": "number"}, "1e999", "`a` must be a number, and is the string"),
    ({"type": "integer"}, "9" * 5000, "`a` must be an integer, and is the string"),
    ({"type": "boolean"}, "True", "`a` must be a boolean, and is the string"),
    ({"enum": [1, 2]}, "3", "`a` must be one of 1, 2"),
)
def test_json_text_that_does_not_help(schema, given, text):
    assert text in refusal({"a": schema}, {"a": given})


NULLS = {
    "limit": {"type": "integer"},
    "sort": {"enum": ["up", "down"]},
    "owner": {"$ref": "#/$defs/Owner"},
    "any": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    "until": {"type": ["string", "null"]},
}


def test_null_is_left_out_where_a_tool_only_reads():
    schema = {"type": "object", "properties": NULLS, "required": [], "$defs": DEFS}
    given = {**dict.fromkeys(NULLS), "ids": "[1]"}
    schema["properties"] = {**NULLS, "ids": {"type": "array"}}
    reading = {"inputSchema": schema, "annotations": {"readOnlyHint": True}}
    assert ArgumentValidator.of(reading).check(given) == {"until": None, "ids": [1]}


BLANKS = {
    "limit": {"type": "integer"},
    "sort": {"enum": ["up", "down"]},
    "order": {"type": "string", "enum": ["", "asc"]},
    "since": {"type": "string", "format": "date"},
    "until": {"$ref": "#/$defs/When"},
    "ids": {"anyOf": [{"type": "array"}, {"type": "null"}]},
    "name": {"type": "string"},
}
WHEN = {"When": {"type": "string", "format": "date-time"}}
WRITES = {"annotations": {"readOnlyHint": False}}
READS = {"annotations": {"readOnlyHint": True}}


@pytest.mark.parametrize(("tool", "parameters"), [(READS, []), (WRITES, [*BLANKS])])
def test_an_optional_parameter_that_a_client_filled_in_for_nothing_is_left_out(tool, parameters):
    schema = {"type": "object", "properties": BLANKS, "$defs": WHEN}
    checked = ArgumentValidator.of({**tool, "inputSchema": schema}, parameters)
    assert checked.check(dict.fromkeys(BLANKS, "")) == {"order": "", "name": ""}
    assert checked.check(dict.fromkeys(BLANKS)) == {"ids": None}


@pytest.mark.parametrize("value", [None, ""])
@pytest.mark.parametrize("name", ["limit", "sort"])
def test_what_is_required_or_written_is_not(name, value):
    schema = {"type": "object", "properties": BLANKS, "$defs": WHEN}
    for tool, parameters in (({**schema, "required": [name]}, [*BLANKS]), (schema, ["name"])):
        with pytest.raises(ArgumentError, match=f"`{name}` must be"):
            ArgumentValidator.of({**WRITES, "inputSchema": tool}, parameters).check({name: value})
    given = {"since": ""}
    assert ArgumentValidator.of({**WRITES, "inputSchema": schema}).check(given) == given


@table(
    "tool, required",
    ({"annotations": {"readOnlyHint": True}}, ["limit"]),
    ({"annotations": None}, []),
    ({}, []),
)
def test_null_is_refused_where_it_may_mean_something(tool, required):
    schema = {"type": "object", "properties": NULLS, "required": required, "$defs": DEFS}
    with pytest.raises(ArgumentError, match="`limit` must be an integer, and is null"):
        ArgumentValidator.of({**tool, "inputSchema": schema}).check({"limit": None})


@table(
    "dialect, fits",
    ("http://json-schema.org/draft-04/schema#", False),
    ("https://json-schema.org/draft-04/schema#", False),
    ("http://json-schema.org/draft-07/schema#", True),
    ("https://json-schema.org/draft/2020-12/schema", True),
    ("https://spec.openapis.org/oas/3.1/dialect/base", True),
    (None, True),
)
def test_the_dialect_is_the_schemas_own(dialect, fits):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert (
        misfit({**schema, **({"$schema": dialect} if dialect else {})}, {"a": 1.0}) is None
    ) == fits


@table(
    "dialect, broken", (Draft202012Validator, {"const", "x-step"}), (Draft4Validator, {"x-step"})
)
def test_a_keyword_of_a_part_that_no_dialect_has_is_checked(dialect, broken, monkeypatch):
    def step(_validator, value, instance, _schema):
        if instance % value:
            yield ValidationError("x-step")

    monkeypatch.setattr(KEYWORDS, "parts", {**KEYWORDS.parts, "x-step": "steps"})
    monkeypatch.setitem(keywords._BOUNDED, "x-step", step)
    validator = keywords.bounded.__wrapped__(dialect)({"x-step": 2, "const": 4})
    with keywords.checking(keywords.Check(9, {})):
        assert {each.validator for each in validator.iter_errors(3)} == broken


def test_old_dialects_keep_their_keywords():
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


@table("text", "9007199254740993.0", "12345678901234567890.5", "0.1000000000000000055")
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_text_whose_number_floating_point_rounds_is_refused(text, kind):
    """The API would get another number than the agent wrote."""
    validator = ArgumentValidator({"type": "object", "properties": {"id": {"type": kind}}})
    with pytest.raises(ArgumentError):
        validator.check({"id": text})
    assert validator.check({"id": "100000000000000000000"}) == {"id": 10**20}


@pytest.mark.parametrize("place", [(), ("properties", "a")])
def test_a_part_is_judged_as_the_whole_is(place):
    text = {"$schema": "https://json-schema.org/draft/2020-12/schema", "pattern": r"^\p{Letter}+$"}
    validator = ArgumentValidator({**text, "properties": {"a": text}})
    assert validator.fits("é", *place)
    assert not validator.fits("1", *place)
