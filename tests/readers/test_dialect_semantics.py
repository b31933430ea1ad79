"""A converted schema accepts exactly what the OpenAPI 3.0 schema means."""

import tempfile
from pathlib import Path
from typing import Any

from fuzz.budget import count
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from schema_documents import Converted, accepts, assert_valid, whole

from mcpgen.diagnostics import GenerationError
from mcpgen.readers.dialect import Dialect

SCALARS = st.sampled_from([None, True, 0, 1, 2, 2.5, "", "a", "ab"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("pqr"), inner, max_size=2)
    ),
    max_leaves=4,
)
TYPES = {"string": str, "boolean": bool, "array": list, "object": dict}


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.sampled_from(["string", "number", "integer", "boolean", "array", "object"]),
        "nullable": st.booleans(),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
        "minimum": st.integers(0, 2),
        "exclusiveMinimum": st.booleans(),
        "maximum": st.integers(0, 2),
        "exclusiveMaximum": st.booleans(),
        "minLength": st.integers(0, 2),
        "required": st.lists(st.sampled_from("pqr"), max_size=2),
        "properties": st.dictionaries(st.sampled_from("pq"), inner, max_size=2),
        "additionalProperties": inner | st.booleans(),
        "items": inner,
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "not": inner,
        "description": st.just("d"),
        "default": st.just(None),
    }
    return st.fixed_dictionaries({}, optional=keywords)


REFERENCE = st.fixed_dictionaries(
    {"$ref": st.just("#/components/schemas/Other")}, optional={"nullable": st.booleans()}
)
SCHEMAS = st.recursive(_schemas(st.just({})), _schemas, max_leaves=4)


def means(schema: Any, value: Any, other: Any) -> bool:
    """OpenAPI 3.0 read directly; `nullable: true` accepts null whatever else is said."""
    if isinstance(schema, bool):
        return schema
    if schema.get("nullable") and value is None:
        return True
    if "$ref" in schema:
        return means(other, value, other)
    if schema.get("type") == "array" and set(schema.get("enum", ())) - {None}:
        items = {"allOf": [schema.get("items", {})], "enum": schema["enum"]}
        schema = {**schema, "items": items, "enum": [value]}
    return (
        _type(schema, value)
        and ("enum" not in schema or any(_same(value, item) for item in schema["enum"]))
        and _limits(schema, value)
        and _object(schema, value, other)
        and (not isinstance(value, list) or _each(schema.get("items", True), value, other))
        and all(means(part, value, other) for part in schema.get("allOf", ()))
        and ("anyOf" not in schema or any(_form(p, value, other) for p in schema["anyOf"]))
        and ("oneOf" not in schema or sum(_form(p, value, other) for p in schema["oneOf"]) == 1)
        and ("not" not in schema or not means(schema["not"], value, other))
    )


def _form(schema: Any, value: Any, other: Any) -> bool:
    """An alternative that is only nullable is null."""
    return value is None if schema == {"nullable": True} else means(schema, value, other)


def _type(schema: Any, value: Any) -> bool:
    kind = schema.get("type")
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "number":
        return number
    if kind == "integer":
        return number and bool(value == int(value))
    return kind is None or isinstance(value, TYPES[kind])


def _same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _limits(schema: Any, value: Any) -> bool:
    if isinstance(value, str):
        return bool(len(value) >= schema.get("minLength", 0))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return True
    low, high = schema.get("minimum"), schema.get("maximum")
    return not (
        (low is not None and (value < low or (schema.get("exclusiveMinimum") and value == low)))
        or (
            high is not None
            and (value > high or (schema.get("exclusiveMaximum") and value == high))
        )
    )


def _object(schema: Any, value: Any, other: Any) -> bool:
    if not isinstance(value, dict):
        return True
    named = schema.get("properties", {})
    return set(schema.get("required", ())) <= value.keys() and all(
        means(named.get(name, schema.get("additionalProperties", True)), item, other)
        for name, item in value.items()
    )


def _each(schema: Any, values: list[Any], other: Any) -> bool:
    return all(means(schema, value, other) for value in values)


@settings(max_examples=count(15), deadline=None)
@given(
    schema=SCHEMAS | REFERENCE | _schemas(REFERENCE),
    other=SCHEMAS,
    values=st.lists(VALUES, max_size=8),
)
def test_3_0_keeps_its_meaning(schema, other, values):
    with tempfile.TemporaryDirectory() as folder:
        converted = Converted(Path(folder), {"It": schema, "Other": other}, Dialect.OAS30)
        found = whole(converted.add(), converted.pool.schemas)
    told = ("no value fits", "as a whole", "as the declared type", "it is left out")
    told += ("of the items", "`items: {}`", "nothing is accepted")
    messages = [message.partition("; not required: ")[0] for _, message in converted.warnings]
    assert all(message.endswith(told) for message in messages)
    assert_valid(found)
    for value in (None, 1, "a", {}, [], *values):
        assert accepts(found, value) == means(schema, value, other), value


KEYWORDS = [
    *("type", "nullable", "enum", "const", "items", "prefixItems", "minItems", "properties"),
    *("patternProperties", "required", "additionalProperties", "pattern", "minimum", "allOf"),
    *("exclusiveMinimum", "oneOf", "not", "$ref", "$defs", "$anchor", "discriminator", "x-a"),
    *("dependencies", "examples", "format", "readOnly", "a"),
]
ANYTHING = st.recursive(
    SCALARS | st.sampled_from(["string", "object", "#/components/schemas/Other", "#/x"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=count(15), deadline=None)
@given(schema=ANYTHING, dialect=st.sampled_from(list(Dialect)))
def test_whatever_stands_there_becomes_a_valid_schema(schema, dialect):
    with tempfile.TemporaryDirectory() as folder:
        try:
            converted = Converted(Path(folder), {"It": {"items": schema}, "Other": {}}, dialect)
        except GenerationError:
            assume(False)
        found = whole(converted.add(), converted.pool.schemas)
    assert_valid(found)
