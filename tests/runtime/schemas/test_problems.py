"""What is wrong with a value, in words that an agent can act on."""

from typing import Any

from steps import steps
from tables import table

from mcpgen.runtime.schemas.validation import misfit

from ..validating import BY_ID, BY_NAME, CAT, DOG, LIST, NULL, OWNER, PET, STRING, WORD, refusal

EITHER: list[dict[str, Any]] = [{"required": ["id", "key"]}, {"required": ["name"]}]


@table(
    "schema, value, text",
    ({"type": "integer"}, "five", '`a` must be an integer, and is the string "five".'),
    ({"type": "integer"}, 1.5, "`a` must be an integer, and is the number 1.5."),
    ({"type": "integer"}, True, "`a` must be an integer, and is true."),
    ({"type": ["string", "null"]}, 1, "`a` must be a string or null, and is the number 1."),
    ({"type": "array"}, {}, "`a` must be an array, and is an empty object."),
    ({"type": "object"}, [1], "`a` must be an object, and is an array of 1."),
    ({"type": "object"}, [], "`a` must be an object, and is an empty array."),
    (
        {"enum": ["open", "closed"]},
        "opne",
        '"open", "closed", and is the string "opne"; did you mean "open"?',
    ),
    ({"enum": ["東京"]}, "日本", 'one of "東京", and is the string "日本".'),
    ({"enum": [1, None]}, 2, "`a` must be one of 1, null, and is the number 2."),
    ({"type": "string", "enum": ["b"]}, 1, 'Argument `a` must be one of "b", and is'),
    ({"const": 1}, 2, "`a` must be 1, and is the number 2."),
    ({"const": {"x": [1]}}, {"x": 2}, '`a` must be {"x": [1]}, and is an object.'),
    ({"const": {"x": "y" * 99}}, 1, "`a` must be an object, and is the number 1."),
    ({"enum": [[1], {}]}, [2], "`a` must be one of [1], {}, and is an array of 1."),
    ({"minimum": 1}, 0, "`a` must be at least 1, and is 0."),
    ({"maximum": 1}, 2, "`a` must be at most 1, and is 2."),
    ({"exclusiveMinimum": 1}, 1, "`a` must be more than 1, and is 1."),
    ({"exclusiveMaximum": 1}, 1, "`a` must be less than 1, and is 1."),
    ({"multipleOf": 0.01}, 0.001, "`a` must be a multiple of 0.01, and is 0.001."),
    ({"minLength": 1}, "", "`a` must have 1 or more characters, and has 0."),
    ({"maxLength": 2}, "é漢x", "`a` must have 2 or fewer characters, and has 3."),
    ({"minItems": 2}, [1], "`a` must have 2 or more items, and has 1."),
    ({"maxProperties": 0}, {"x": 1}, "`a` must have 0 or fewer members, and has 1."),
    ({"uniqueItems": True}, [{"x": 1}, {"x": 1.0}], "`a` must not hold an item twice."),
    ({"pattern": "^a$"}, "b", '`a` must match the pattern "^a$", and is the string "b".'),
    ({"not": {"type": "string"}}, "b", '`a` must not fit {"type": "string"}.'),
    ({"contains": {"const": 1}}, [2], '`a` must hold an item that fits {"const": 1}.'),
    ({"contains": {"enum": ["long" * 99]}}, [], "must hold an item that fits `contains`."),
    (
        {"contains": {"const": 1}, "minContains": 2},
        [1],
        "`a` must hold 2 or more items that fit `contains`.",
    ),
    (
        {"contains": {"const": 1}, "maxContains": 2},
        [1, 1, 1],
        "`a` must hold 2 or fewer items that fit `contains`.",
    ),
    (
        {"propertyNames": {"maxLength": 1}},
        {"ab": 1},
        '`a` holds the name "ab", which must have 1 or fewer characters, and has 2.',
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
    (False, 1, "`a` is not allowed here."),
    ({"items": False, "prefixItems": [True]}, [1, 2], "`a` holds more items than are allowed."),
    ({"contains": {"const": 1}, "unevaluatedItems": False}, [1, 2], "`a[1]` is not allowed here."),
    (
        PET,
        {"name": "Rex", "owner": {"login": "A"}},
        '`a.owner.login` must match the pattern "^[a-z]+$"',
    ),
    (PET, {"name": "Rex", "tags": ["a", 1]}, "`a.tags[1]` must be a string, and is the number 1."),
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
)
def test_one_problem(schema, value, text):
    assert text in refusal({"a": schema}, {"a": value})


VECTOR = {
    "type": "object",
    "required": ["size", "metric"],
    "properties": {"size": {"type": "integer"}, "metric": {"enum": ["Cosine", "Dot"]}},
}
SPARSE = {"required": ["indices", "values"], "properties": {"indices": LIST, "values": LIST}}
FUSION = {"required": ["fusion"], "properties": {"fusion": {"enum": ["rrf", "dbsf"]}}}


def choice_of(schema: Any) -> Any:
    return {"anyOf": [schema, schema]}


def optional(schema: Any) -> Any:
    return {"anyOf": [{"type": "array", "items": schema}, NULL]}


@table(
    "schema, value, text",
    ({"anyOf": [STRING, NULL]}, 5, "must be a string or null, and is the number 5."),
    ({"anyOf": [{"enum": ["a"]}, {"const": "b"}]}, 5, 'must be one of "a" or "b", and is'),
    ({"oneOf": [CAT, DOG]}, {"kind": "dog"}, "`a.bark` is required"),
    (
        {"oneOf": [CAT, DOG]},
        {"kind": "cow", "lives": 1, "bark": "x"},
        '`a.kind` must be one of "cat", "dog", and is the string "cow".',
    ),
    (
        {"anyOf": [CAT, DOG, DOG, NULL, LIST]},
        {"kind": "cow", "lives": 1},
        '`a.kind` must be one of "cat", "dog", and is the string "cow".',
    ),
    ({"anyOf": [NULL, OWNER]}, {"logn": "x"}, "`a.logn` is unknown; did you mean `login`?"),
    ({"oneOf": [BY_ID, BY_NAME]}, {"id": 1, "name": "x"}, "fits several forms"),
    ({"oneOf": EITHER}, {}, "`a` must have `id` and `key` or `name`."),
    ({"anyOf": EITHER}, {"id": 1}, "`a` must have `id` and `key` or `name`."),
    (
        {"oneOf": EITHER},
        {"id": 1, "key": 2, "name": "x"},
        "`a` must have only one of `id` and `key` or `name`.",
    ),
    (
        {"anyOf": [{"anyOf": [LIST, {"oneOf": [WORD, {"type": "object"}]}]}, NULL]},
        5,
        'must be an array or one of "a" or an object or null, and is the number 5.',
    ),
    (
        {"anyOf": [{"enum": ["open", "closed"]}, NULL]},
        "Open",
        '"closed" or null, and is the string "Open"; did you mean "open"?',
    ),
    (
        {"anyOf": [{"oneOf": [{"const": "CA"}, {"enum": ["NV"]}]}, {"enum": ["AM", "AN"]}]},
        "ca",
        'must be "CA" or one of "NV" or one of "AM", "AN", and is the string "ca"; '
        'did you mean "CA"?',
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
        {"image": {"size": "x", "metric": "Dot"}},
        "Argument `a.image.size` must be an integer",
    ),
    (
        {"anyOf": [STRING, SPARSE, FUSION]},
        {"fusion": "rff"},
        'Argument `a.fusion` must be one of "rrf", "dbsf", and is the string "rff"',
    ),
    ({"anyOf": [FUSION, SPARSE]}, {"indices": []}, "Argument `a.values` is required"),
    ({"oneOf": [CAT, DOG]}, {"kind": "dog", "lives": 9}, "Argument `a.bark` is required"),
    (choice_of(choice_of(choice_of(choice_of(OWNER)))), {"logn": 1}, "`a.logn` is unknown"),
    (choice_of(choice_of(choice_of(choice_of(choice_of(False))))), 1, "none of the allowed forms"),
    (optional(optional(optional(optional(STRING)))), [[[[1]]]], "`a[0][0][0][0]` must be a string"),
)
def test_the_best_branch_speaks(schema, value, text):
    assert text in refusal({"a": schema}, {"a": value})


@table(
    "properties, given, text",
    ({"a": STRING}, {"": 1}, 'Argument `[""]` is unknown; known here: a.'),
    ({"a": STRING}, {"": 1, "b": 1}, '- `[""]` is unknown; known here: a'),
    ({"": {"properties": {"a": STRING}}}, {"": {"a": 1}}, 'Argument `[""].a` must be a string'),
)
def test_an_empty_name_is_a_name(properties, given, text):
    """It is not all arguments together, nor none."""
    assert text in refusal(properties, given)


UUID_PATTERN = (
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-f]{12})$"
)


@table(
    "schema, text",
    ({"pattern": UUID_PATTERN}, f'must match the pattern "{UUID_PATTERN}", and is'),
    (
        {"pattern": UUID_PATTERN, "format": "uuid"},
        f'must match the pattern "{UUID_PATTERN}" of the format uuid, and is the string "x"',
    ),
    (
        {"pattern": "^(ab|" + "c" * 300 + ")$", "format": "code"},
        f'must match the pattern "^(ab|{"c" * 55}…" of the format code, and is the string "x"',
    ),
)
def test_a_pattern_is_told_with_the_format_that_it_spells_out(schema, text):
    assert text in refusal({"a": schema}, {"a": "x"})


def test_many_long_and_odd_values_are_told_short():
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
        "- required, and missing: `name`, `id`",
    ]
    text = refusal({"a": {"type": "integer"}}, {"a": "x" * 100_000})
    assert len(text) < 200
    text = refusal({}, {"\ud800\n" + "y" * 1000: 1})
    text.encode()
    assert len(text) < 300
    assert "\n" not in text
    assert len(refusal({"a": {"enum": list(range(10_000))}}, {"a": -1})) < 300
    assert len(refusal({f"p{number}": {} for number in range(1000)}, {"zzzz": 1})) < 300


def test_a_long_value_is_compared_with_many_in_few_steps():
    """The call is refused on the event loop, where all others wait."""
    schema = {"enum": [f"value {number}" for number in range(100)]}
    short, long = (steps(lambda n=n: refusal({"a": schema}, {"a": "v" * n})) for n in (500, 50_000))
    assert long < 2 * short


@table(
    "schema, value, text",
    ({"items": [{}], "additionalItems": False}, [1, 2], "holds more items than are allowed"),
    ({"minimum": 0, "exclusiveMinimum": True}, 0, "`a` must be more than 0, and is 0"),
    ({"maximum": 1, "exclusiveMaximum": True}, 1, "`a` must be less than 1, and is 1"),
    ({"maximum": 1, "exclusiveMaximum": False}, 2, "`a` must be at most 1, and is 2"),
)
def test_old_dialects_have_words_too(schema, value, text):
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": schema}}
    assert text in str(misfit(draft4, {"a": value}))
