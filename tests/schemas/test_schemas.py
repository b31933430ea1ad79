"""What is asked of schemas, and schemas for one direction."""

from typing import Any

from fuzz.budget import count
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_documents import accepts, assert_valid, whole
from tables import table

from mcpgen import schemas
from mcpgen.schemas.definitions import Definitions
from mcpgen.schemas.renaming import renamed
from mcpgen.schemas.subschemas import walk

POOL: dict[str, Any] = {
    "Alias": {"$ref": "#/$defs/Pet"},
    "Pet": {
        "type": "object",
        "required": ["id", "name"],
        "properties": {
            "id": {"$ref": "#/$defs/Id"},
            "name": {"type": "string"},
            "secret": {"type": "string", "writeOnly": True},
            "parent": {"$ref": "#/$defs/Pet"},
        },
    },
    "Id": {"type": "integer", "readOnly": True},
    "Loop": {"$ref": "#/$defs/Loop"},
    "Image": {"type": "string", "format": "binary"},
    "Unused": {"type": "null"},
}
PET = {"$ref": "#/$defs/Pet"}


def test_reachable_is_transitive_and_in_the_order_of_keys():
    found = schemas.reachable([{"items": {"$ref": "#/$defs/Alias"}}, True], POOL)
    assert list(found) == ["Alias", "Id", "Pet"]


@table(
    "schema, expected",
    (True, True),
    ({"type": "string"}, {"type": "string"}),
    ({"$ref": "#/$defs/Id"}, POOL["Id"]),
    ({"$ref": "#/$defs/Id", "title": "t"}, {**POOL["Id"], "title": "t"}),
    ({"$ref": "#/$defs/Id", "minimum": 1}, {"minimum": 1, "allOf": [{"$ref": "#/$defs/Id"}]}),
    ({"$ref": "#/$defs/Alias"}, POOL["Pet"]),
    ({"$ref": "#/$defs/Loop"}, {}),
    ({"$ref": "#/$defs/Missing", "title": "t"}, {"title": "t"}),
)
def test_resolve(schema, expected):
    assert schemas.resolve(schema, POOL) == expected


ALL = {"array", "boolean", "null", "number", "object", "string"}


@table(
    "schema, expected",
    (True, ALL),
    (False, set()),
    ({}, ALL),
    ({"type": ["integer", "number"]}, {"number"}),
    ({"enum": [1, "a", None]}, {"integer", "string", "null"}),
    ({"enum": [1.5]}, {"number"}),
    ({"const": True}, {"boolean"}),
    ({"properties": {}}, {"object"}),
    ({"items": {}}, {"array"}),
    ({"items": {}, "type": "object"}, {"object"}),
    ({"$ref": "#/$defs/Alias"}, {"object"}),
    ({"anyOf": [PET, {"type": "null"}]}, {"object", "null"}),
    ({"anyOf": [PET, {}]}, ALL),
    ({"oneOf": [{"properties": {}}, {"type": "string"}]}, {"object", "string"}),
    ({"allOf": [{"type": ["object", "null"]}, PET]}, {"object"}),
    ({"allOf": [{"required": ["a"]}, {"description": "d"}]}, {"object"}),
    ({"allOf": [{"type": "number"}, {"type": "integer"}]}, {"integer"}),
    ({"allOf": [True, {"type": "string"}]}, {"string"}),
    ({"anyOf": [False, {"type": "string"}]}, {"string"}),
    ({"allOf": [False, {"type": "string"}]}, set()),
    ({"$ref": "#/$defs/Loop"}, ALL),
)
def test_types_of(schema, expected):
    assert schemas.types_of(schema, POOL) == expected


@table(
    "change, plain",
    ({}, True),
    ({"description": "d", "title": "t", "examples": [{}], "required": ["a"]}, True),
    ({"additionalProperties": False}, True),
    ({"additionalProperties": {}}, True),
    ({"additionalProperties": {"type": "string"}}, False),
    ({"type": ["object", "null"]}, False),
    ({"type": "string"}, False),
    ({"properties": {}}, False),
    ({"allOf": [{}]}, False),
    ({"not": {}}, False),
    ({"if": {}}, False),
    ({"patternProperties": {}}, False),
    ({"minProperties": 1}, False),
    ({"dependentRequired": {}}, False),
    ({"unevaluatedProperties": False}, False),
    ({"enum": [{}]}, False),
)
def test_is_plain_object(change, plain):
    schema = {"type": "object", "properties": {"a": {}}, **change}
    assert schemas.is_plain_object(schema, {}) is plain
    assert schemas.is_plain_object({"$ref": "#/$defs/It"}, {"It": schema}) is plain


def test_properties_are_joined_through_references_and_allof():
    schema = {
        "allOf": [PET, {"properties": {"age": {"type": "integer"}, "name": {"minLength": 1}}}],
        "properties": {"age": {"type": "integer"}},
    }
    assert schemas.properties(schema, POOL) == {
        "age": {"type": "integer"},
        "id": {"$ref": "#/$defs/Id"},
        "name": {"allOf": [{"type": "string"}, {"minLength": 1}]},
        "secret": {"type": "string", "writeOnly": True},
        "parent": PET,
    }


@table(
    "schema, binary",
    ({"$ref": "#/$defs/Image"}, True),
    ({"anyOf": [{"$ref": "#/$defs/Image"}, {"type": "null"}]}, True),
    ({"contentMediaType": "image/png"}, True),
    ({"contentMediaType": "text/html"}, False),
    ({"contentMediaType": "application/json"}, False),
    ({"contentMediaType": "application/x-ndjson"}, False),
    ({"contentMediaType": "text/html", "format": "binary"}, True),
    ({"contentMediaType": "image/png", "contentEncoding": "base64"}, False),
    ({"contentMediaType": "image/png", "contentEncoding": "Binary"}, True),
    ({"type": "string", "contentEncoding": "binary"}, True),
    ({"type": "string", "format": "byte"}, False),
    (True, False),
)
def test_is_binary(schema, binary):
    assert schemas.is_binary(schema, POOL) is binary


def test_a_discriminator_follows_its_definitions_to_other_keys():
    told = {
        "propertyName": "kind",
        "mapping": {"c": "#/$defs/Cat", "d": "#/$defs/Dog", "e": "elk.json"},
        "defaultMapping": "#/$defs/Dog",
    }
    given = {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "discriminator": told}
    assert renamed(given, {"Dog": "zoo.Dog"}) == {
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/zoo.Dog"}],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"c": "#/$defs/Cat", "d": "#/$defs/zoo.Dog", "e": "elk.json"},
            "defaultMapping": "#/$defs/zoo.Dog",
        },
    }


def test_an_input_schema_has_what_it_reaches():
    schema, pool = schemas.for_input(PET, POOL)
    root = schemas.input_root({"pet": schema, "any": True}, ["pet", "pet"], False, pool)
    assert root == {
        "type": "object",
        "properties": {"pet": PET, "any": {}},
        "required": ["pet"],
        "additionalProperties": False,
        "$defs": {
            "Pet": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "secret": {"type": "string", "writeOnly": True},
                    "parent": PET,
                },
            }
        },
    }
    assert_valid(root)


def test_an_input_schema_without_arguments():
    assert schemas.input_root({}, [], True, {}) == {
        "type": "object",
        "properties": {},
        "additionalProperties": True,
    }


def test_for_output_leaves_out_what_is_write_only():
    schema, pool = schemas.for_output({"items": {"$ref": "#/$defs/Alias"}}, POOL)
    assert schema == {"items": {"$ref": "#/$defs/Alias"}}
    assert list(schemas.properties(PET, pool)) == ["id", "name", "parent"]


READ_ONLY = {"readOnly": True}


@table(
    "schema, pool, expected",
    (
        {"properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}]}}, "required": ["a"]},
        {"A": READ_ONLY},
        {"properties": {}},
    ),
    (
        {"allOf": [{"properties": {"a": READ_ONLY}}, {"required": ["a", "b"]}]},
        {},
        {"allOf": [{"properties": {}}, {"required": ["b"]}]},
    ),
    (
        {"$ref": "#/$defs/A", "required": ["a", "b"]},
        {"A": {"properties": {"a": READ_ONLY}}},
        {"$ref": "#/$defs/A", "required": ["b"]},
    ),
    (
        {"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"a": READ_ONLY}}]},
        {"A": {"properties": {"a": {}, "b": {}}, "required": ["a"]}},
        {"allOf": [{"properties": {"b": {}}}, {"properties": {}}]},
    ),
    (
        {"allOf": [{"$ref": "#/$defs/A", "title": "t"}, {"properties": {"a": READ_ONLY}}]},
        {"A": {"required": ["a"]}},
        {"allOf": [{"title": "t", "allOf": [{}]}, {"properties": {}}]},
    ),
    (
        {"not": {"properties": {"a": READ_ONLY}, "required": ["a"]}, "minProperties": 1},
        {},
        {"minProperties": 1},
    ),
    (
        {"anyOf": [True, {"properties": {"a": READ_ONLY}}], "required": ["a"]},
        {},
        {"anyOf": [True, {"properties": {}}], "required": ["a"]},
    ),
    (
        {"anyOf": [{"properties": {"a": READ_ONLY}}, {"required": ["a"]}]},
        {},
        {"anyOf": [{"properties": {}}, {"required": ["a"]}]},
    ),
    (
        {
            "properties": {"a": READ_ONLY, "b": {}},
            "oneOf": [{"required": ["a", "b"]}, {"$ref": "#/$defs/A"}],
            "then": {"required": ["a"]},
        },
        {"A": {"required": ["a"]}},
        {"properties": {"b": {}}, "oneOf": [{"required": ["b"]}, {}], "then": {}},
    ),
    (
        {
            "required": ["a", "b"],
            "oneOf": [{"$ref": "#/$defs/A"}, {"properties": {"a": READ_ONLY, "b": READ_ONLY}}],
        },
        {"A": {"properties": {"a": READ_ONLY}}},
        {"required": ["b"], "oneOf": [{"$ref": "#/$defs/A"}, {"properties": {}}]},
    ),
    (
        {
            "properties": {"a": READ_ONLY},
            "oneOf": [{"$ref": "#/$defs/A"}],
            "discriminator": {"propertyName": "b", "mapping": {"c": "#/$defs/A"}},
        },
        {"A": {"required": ["a"]}},
        {
            "properties": {},
            "oneOf": [{"$ref": "#/$defs/A"}],
            "discriminator": {"propertyName": "b", "mapping": {"c": "#/$defs/A"}},
        },
    ),
    (
        {"$ref": "#/$defs/A", "properties": {"a": READ_ONLY}},
        {"A": {"properties": {"a": {}, "b": {}}, "required": ["a", "b"]}},
        {"properties": {}, "allOf": [{"properties": {"b": {}}, "required": ["b"]}]},
    ),
    (
        {
            "properties": {"a": READ_ONLY, "b": {}},
            "dependentRequired": {"a": ["b"], "b": ["a"]},
            "dependentSchemas": {"a": {}, "b": {"properties": {"a": {}}, "required": ["a"]}},
            "patternProperties": {"a": {"properties": {"a": READ_ONLY}}},
        },
        {},
        {
            "properties": {"b": {}},
            "dependentRequired": {"b": []},
            "dependentSchemas": {"b": {"properties": {}}},
            "patternProperties": {"a": {"properties": {}}},
        },
    ),
    (
        {
            "properties": {"a": READ_ONLY, "b": {}},
            "enum": [{"a": 1, "b": True}, {"a": 2, "b": 1}, {"a": 3, "b": True}],
            "default": {"a": 1, "b": True},
            "allOf": [{"const": {"a": 1, "b": True}}],
            "examples": [{"a": 1}],
            "not": {"const": {"a": 2, "b": 3}, "properties": {"a": READ_ONLY}},
        },
        {},
        {
            "properties": {"b": {}},
            "enum": [{"b": True}, {"b": 1}],
            "default": {"b": True},
            "allOf": [{"const": {"b": True}}],
            "examples": [{}],
        },
    ),
)
def test_for_input(schema, pool, expected):
    found, view = schemas.for_input(schema, pool)
    assert found == expected
    again, _ = schemas.for_input(found, view)
    assert again == expected


def test_what_has_nothing_to_remove_stays_the_same_object():
    schema = {"properties": {"a": {"items": {"type": "string"}}}, "required": ["a"]}
    assert schemas.for_input(schema, {})[0] is schema


def test_a_pool_may_grow():
    pool = Definitions({"A": {"type": "string"}})
    _, view = schemas.for_input(True, pool)
    assert list(view) == ["A"]
    pool.add("B", {"properties": {"a": READ_ONLY}})
    assert view["B"] == {"properties": {}}
    assert list(view) == ["A", "B"]


def _parts(inner: st.SearchStrategy[Any], refs: tuple[str, ...]) -> st.SearchStrategy[Any]:
    keywords = {
        "readOnly": st.booleans(),
        "type": st.sampled_from(["object", "string"]),
        "properties": st.dictionaries(
            st.sampled_from("pqr"), inner | st.sampled_from([{"$ref": "#/$defs/A"}]), max_size=3
        ),
        "required": st.lists(st.sampled_from("pqr"), max_size=2, unique=True),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "items": inner,
        "not": inner,
        "dependentRequired": st.dictionaries(st.sampled_from("pq"), st.just(["r"]), max_size=1),
    }
    if refs:
        keywords["$ref"] = st.sampled_from(refs)
    return st.fixed_dictionaries({}, optional=keywords)


def _any(*refs: str) -> st.SearchStrategy[Any]:
    leaf = _parts(st.just({"readOnly": True}), refs)
    return st.recursive(leaf, lambda inner: _parts(inner, refs), max_leaves=4)


@settings(max_examples=count(25), deadline=None)
@given(schema=_any("#/$defs/A", "#/$defs/B"), a=_any("#/$defs/B"), b=_any())
def test_for_input_is_complete_valid_and_idempotent(schema, a, b):
    found, view = schemas.for_input(schema, {"A": a, "B": b})
    result = whole(found, view)
    assert_valid(result)
    again, again_view = schemas.for_input(found, view)
    assert whole(again, again_view) == result
    for top in (found, *schemas.reachable([found], view).values()):
        for part in walk(top):
            kept = part.get("properties", {}).values()
            assert not any(not isinstance(it, bool) and it.get("readOnly") for it in kept)


def test_a_request_without_read_only_properties_fits():
    schema, pool = schemas.for_input(PET, POOL)
    assert accepts(whole(schema, pool), {"name": "x"})
    assert not accepts(whole(*schemas.for_output(PET, POOL)), {"name": "x"})
