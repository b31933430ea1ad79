"""What a schema asks of a value, with its `$ref` and `allOf`."""

from typing import Any

from tables import table

from mcpgen.schemas.definitions import Definitions
from mcpgen.schemas.rules import NOTHING, Rules, conjunction, parts, same, types_of

TEXT = {"type": "string"}


def ref(key: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{key}"}


ENTITY = {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}
NAMED = {"properties": {"name": TEXT}, "required": ["name", "id"]}
PET = {"allOf": [ref("Entity"), NAMED, ref("Entity")], "properties": {"id": {"minLength": 1}}}
POOL: dict[str, Any] = {
    "Entity": ENTITY,
    "Pet": PET,
    "Alias": ref("Pet"),
    "Loop": {"allOf": [ref("Loop"), {"type": "object"}]},
    "Never": False,
    "Tree": {"anyOf": [TEXT, {"type": "array", "items": ref("Tree")}, ref("Tree")]},
}


@table(
    "schema, expected",
    (True, []),
    (False, [(NOTHING, None)]),
    (TEXT, [(TEXT, None)]),
    (ref("Entity"), [(ref("Entity"), None), (ENTITY, "Entity")]),
    (ref("Gone"), [(ref("Gone"), None)]),
    (ref("Never"), [(ref("Never"), None), (NOTHING, "Never")]),
    (
        ref("Pet"),
        [
            *((ref("Pet"), None), (PET, "Pet"), (ref("Entity"), "Pet"), (ENTITY, "Entity")),
            *((NAMED, "Pet"), (ref("Entity"), "Pet")),
        ],
    ),
    (
        ref("Loop"),
        [
            *((ref("Loop"), None), (POOL["Loop"], "Loop"), (ref("Loop"), "Loop")),
            ({"type": "object"}, "Loop"),
        ],
    ),
)
def test_each_part_stands_behind_what_refers_to_it(schema, expected):
    assert [tuple(part) for part in parts(schema, POOL)] == expected


def test_parts_come_nearest_first_where_that_is_asked_for():
    schema = {"allOf": [ref("Pet"), TEXT]}
    nearest = [part for part, _ in parts(schema, POOL, nearest_first=True)]
    assert nearest == [schema, ref("Pet"), TEXT, PET, ref("Entity"), NAMED, ref("Entity"), ENTITY]


@table(
    "schema, expected",
    ({}, {"array", "boolean", "integer", "null", "number", "object", "string"}),
    ({"type": "number"}, {"integer", "number"}),
    ({"type": ["integer", "null"], "allOf": [{"type": ["number", "string"]}]}, {"integer"}),
    ({"type": "string", "allOf": [{"type": "object"}]}, set()),
    (ref("Alias"), {"object"}),
)
def test_types(schema, expected):
    assert Rules.of(schema, POOL).types == expected


def test_properties_have_all_their_schemas_with_the_definitions_that_say_them():
    properties = Rules.of(ref("Alias"), POOL).properties
    told = {
        name: [(schema, part.within) for schema, part in properties[name]] for name in properties
    }
    assert told == {"id": [({"minLength": 1}, "Pet"), (TEXT, "Entity")], "name": [(TEXT, "Pet")]}


def test_required_names_each_once():
    assert Rules.of(ref("Pet"), POOL).required == ["id", "name"]


@table(
    "schema, expected",
    ({}, None),
    ({"enum": [1, 2]}, [1, 2]),
    ({"const": None}, [None]),
    ({"enum": [1, True, 2], "allOf": [{"enum": [2.0, 1.0, 3]}]}, [2.0, 1.0]),
    ({"enum": ["a"], "const": "b"}, []),
    ({"enum": [{"a": 1, "b": [0]}], "allOf": [{"const": {"b": [0.0], "a": 1}}]}, None),
)
def test_values_are_those_that_every_part_lists(schema, expected):
    values = Rules.of(schema, {}).values
    assert values == expected or (expected is None and values == [{"a": 1, "b": [0]}])


@table(
    "one, other, equal",
    (1, 1.0, True),
    (1, True, False),
    (0, False, False),
    ([1, {"a": 0}], [1.0, {"a": 0.0}], True),
    ([True], [1], False),
    ({"a": 1}, {"a": 1, "b": 2}, False),
    ("1", 1, False),
)
def test_values_are_the_same_as_json(one, other, equal):
    assert same(one, other) is equal


def test_alternatives_are_lists_of_which_one_each_holds():
    pets, states = [ref("Pet"), {"type": "null"}], [{"const": 1}]
    schema = {"oneOf": pets, "anyOf": [], "allOf": [{"anyOf": states}]}
    assert [forms for forms, _ in Rules.of(schema, POOL).alternatives] == [pets, states]


def test_of_limits_the_tightest_hold():
    schema = {
        "minimum": 1,
        "maxLength": 9,
        "allOf": [{"minimum": 3, "maxLength": 5}, {"minimum": 2, "maximum": float("inf")}],
    }
    assert Rules.of(schema, {}).limits == {"minimum": 3, "maxLength": 5}


@table(
    "schema, expected",
    ({}, []),
    ({"properties": {"x-a": TEXT}, "additionalProperties": False}, [TEXT]),
    ({"patternProperties": {"^x-": TEXT}, "additionalProperties": False}, [TEXT]),
    ({"properties": {"x-a": {}}, "patternProperties": {"^x-": TEXT}}, [{}, TEXT]),
    ({"properties": {"b": TEXT}, "additionalProperties": False}, [False]),
    (
        {"properties": {"x-a": TEXT}, "allOf": [{"additionalProperties": {"minLength": 2}}]},
        [TEXT, {"minLength": 2}],
    ),
    (
        {"additionalProperties": {"minLength": 2}, "allOf": [{"properties": {"x-a": TEXT}}]},
        [TEXT, {"minLength": 2}],
    ),
    ({"properties": {"b": TEXT}, "unevaluatedProperties": False}, [False]),
    ({"properties": {"x-a": TEXT}, "unevaluatedProperties": False}, [TEXT]),
)
def test_a_property_must_fit_what_each_part_says_of_it(schema, expected):
    assert Rules.of(schema, {}).member("x-a") == expected


def test_an_item_must_fit_what_each_part_says_of_its_place():
    schema = {"prefixItems": [TEXT, {}], "allOf": [{"prefixItems": [{}], "items": False}]}
    rules = Rules.of(schema, {})
    assert [rules.item(index) for index in range(3)] == [[TEXT, {}], [{}, False], [True, False]]


@table(
    "schemas, expected",
    ([], True),
    ([True, True], True),
    ([True, TEXT], TEXT),
    ([TEXT, {"type": "string"}], TEXT),
    ([TEXT, False], {"allOf": [TEXT, False]}),
    ([{"const": 1}, {"const": True}], {"allOf": [{"const": 1}, {"const": True}]}),
)
def test_a_conjunction_names_each_schema_once(schemas, expected):
    assert conjunction(schemas) == expected


def test_a_pool_keeps_the_rules_of_its_definitions():
    pool = Definitions(POOL)
    assert Rules.of(ref("Pet"), pool) is Rules.of(ref("Pet"), pool)
    assert Rules.of({**ref("Pet"), "title": "t"}, pool).required == ["id", "name"]


def test_a_long_chain_is_followed_as_far_as_validators_follow_it():
    chain: dict[str, Any] = {f"S{n}": {"allOf": [ref(f"S{n + 1}"), {}]} for n in range(3_000)}
    pool = Definitions({**chain, "S3000": TEXT})
    assert max(len(Rules.of(ref(key), pool).parts) for key in chain) == 1 + 3 * 200
    assert Rules.of(ref("S2801"), pool).types == {"string"}


def test_alternatives_that_lead_back_to_themselves_say_nothing():
    assert types_of(ref("Tree"), POOL) == {
        *("array", "boolean", "null", "number", "object", "string")
    }


def test_a_long_chain_of_alternatives_ends():
    chain: dict[str, Any] = {f"S{n}": {"anyOf": [ref(f"S{n + 1}")]} for n in range(3_000)}
    assert "string" in types_of(ref("S0"), Definitions({**chain, "S3000": TEXT}))
