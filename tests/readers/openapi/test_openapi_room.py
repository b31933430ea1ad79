"""What the inputSchemas of all tools may take together, and which are cut where they take more."""

from typing import Any

from openapi_reading import OK, read_document
from tables import table

from mcpgen import schemas
from mcpgen.readers.openapi import schema_budget


def taking(*names: str) -> dict[str, Any]:
    """An operation for each of these schemas, which differ in length."""
    inner = {"type": "object", "properties": {f"a{i}": {"type": "string"} for i in range(50)}}
    deep = {"properties": {"d": {"type": "object", "properties": {"e": inner}}}}
    schemas = {"Short": {"type": "string"}, "Long": {"type": "object", "properties": {"b": deep}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            f"/{name}": {
                "put": {
                    "requestBody": {
                        "content": {"application/json": {"schema": {"anyOf": [schemas[name]]}}}
                    },
                    "responses": OK,
                }
            }
            for name in names
        },
    }


@table(
    "sizes, share",
    ([], 0),
    ([50, 50], 0),
    ([10, 200], 90),
    ([10, 60, 200], 45),
    ([200, 60, 10], 45),
    ([300, 300], 50),
)
def test_what_is_short_leaves_its_room_to_the_others(sizes, share):
    assert schema_budget._limit(sizes, 100) == share


def test_beyond_the_room_the_longest_are_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(schema_budget, "ROOM", 1000)
    read = read_document(taking("Short", "Long"), tmp_path)
    assert read.pointers("input-schemas-cut") == ["/paths/~1Long/put"]
    short, long = (str(tool.input_schema) for tool in read.api.tools)
    assert "string" in short
    assert "'d'" in long
    assert "a49" not in long


def test_within_the_room_or_with_a_length_of_the_users_own_nothing_is_cut(tmp_path, monkeypatch):
    assert "input-schemas-cut" not in read_document(taking("Long"), tmp_path).codes
    monkeypatch.setattr(schema_budget, "ROOM", 1000)
    read = read_document(taking("Long"), tmp_path, input_schema_bytes=100_000)
    assert "input-schemas-cut" not in read.codes
    assert "a49" in str(read.tool.input_schema)


def test_what_is_not_made_yet_is_never_taken_for_more_than_it_will_be(tmp_path, monkeypatch):
    measured: list[int] = []
    monkeypatch.setattr(schema_budget, "_limit", lambda sizes, room: measured.extend(sizes) or 0)
    document = taking("Short", "Long")
    document["components"] = {"schemas": {f"S{i}": {"type": "string"} for i in range(30)}}
    text = {f"s{i}": {"$ref": f"#/components/schemas/S{i}"} for i in range(30)}
    inner = {"type": "object", "properties": text}
    content = {"application/json": {"schema": inner}}
    document["paths"]["/many"] = {"put": {"requestBody": {"content": content}, "responses": OK}}
    read = read_document(document, tmp_path)
    for tool, size in zip(read.api.tools, measured, strict=True):
        assert 0.3 < size / schemas.size(tool.input_schema) <= 1
