"""Operations are found under every method and behind references; a broken one costs only itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from openapi_reading import OK, one, read_document

from mcpgen.diagnostics import GenerationError


def test_a_method_in_capitals_is_told_with_the_one_to_write(tmp_path: Path) -> None:
    item = {"GET": {"responses": OK}, "get": {"responses": OK}}
    read = read_document({"paths": {"/a": item}}, tmp_path)
    [told] = [each for each in read.diagnostics.warnings if each.code == "method"]
    assert (told.pointer, told.hint) == ("/paths/~1a/GET", "Write `get`.")


def test_no_operations(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="no operations"):
        read_document({"paths": {}}, tmp_path)
    with pytest.raises(GenerationError, match="webhooks only"):
        read_document({"webhooks": {"new": {"post": {"responses": OK}}}}, tmp_path)
    with pytest.raises(GenerationError, match="--exclude-path"):
        read_document(one({}), tmp_path, exclude_paths=("*",))


def test_an_empty_path_item_hides_no_operation(tmp_path: Path) -> None:
    """3.2.0, Path Item Object: it may be empty; YAML reads a key with nothing below it as null."""
    found = read_document({"paths": {"/a": {"get": {"responses": OK}}, "/b": {}}}, tmp_path)
    assert found.codes == []
    found = read_document({"paths": {"/a": {"get": {"responses": OK}}, "/b": None}}, tmp_path)
    assert [tool.operation for tool in found.api.tools] == ["GET /a"]
    assert found.pointers("path-item") == ["/paths/~1b"]
    assert set(found.codes) == {"path-item"}


@pytest.mark.parametrize(
    "key",
    [
        "http://evil.test/x",
        "//evil.test/x",
        "/\\evil.test",
        "/a/../b",
        "/a/.\u200b./b",
        "/\u200b/evil.test/x",
        "/a/%2e%2e/b",
        "/a/./b",
        "/a\r\nX-Evil: 1",
    ],
)
def test_keys_that_are_no_paths_are_errors(tmp_path: Path, key: str) -> None:
    with pytest.raises(GenerationError) as raised:
        read_document({"paths": {key: {"get": {"responses": OK}}}}, tmp_path)
    assert [d.code for d in raised.value.diagnostics] == ["path-key"]


@pytest.mark.parametrize(
    "options",
    [{"exclude_paths": ("//*",)}, {"include_paths": ("/a", "/b")}, {"exclude_paths": ("//x",)}],
)
def test_a_key_that_is_no_path_may_be_left_out_by_name(
    tmp_path: Path, options: dict[str, tuple[str, ...]]
) -> None:
    item = {"get": {"responses": OK}}
    read = read_document({"paths": {"//x": item, "/a": item, "/b": item}}, tmp_path, **options)
    assert [t.name for t in read.api.tools] == ["get_a", "get_b"]
    assert [s.path for s in read.api.skipped] == ["//x"]
    assert read.codes == []


@pytest.mark.parametrize("key", ["TODO", "pets/{id}", " /pets", "<baseUrl>/v3/pets", "//{id}"])
def test_a_key_that_is_a_note_or_a_slip_costs_its_own_operations_only(
    tmp_path: Path, key: str
) -> None:
    read = read_document({"paths": {key: {"get": {}}, "/a": {"get": {"responses": OK}}}}, tmp_path)
    assert [t.name for t in read.api.tools] == ["get_a"]
    assert ([s.path for s in read.api.skipped], read.codes.count("path-key")) == ([key], 1)


def test_methods(tmp_path: Path) -> None:
    names = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
    item = {name: {"responses": OK} for name in names}
    read = read_document({"paths": {"/a": {**item, "x-own": {}, "GET": {}}}}, tmp_path)
    assert [t.http.method for t in read.api.tools] == [n.upper() for n in names[:-1]]
    assert [(s.method, s.path) for s in read.api.skipped] == [("TRACE", "/a")]
    assert "credentials" in read.api.skipped[0].reason
    assert read.pointers("method") == ["/paths/~1a/GET"]
    assert [w.hint for w in read.diagnostics.warnings if w.code == "method"] == ["Write `get`."]


def test_query_and_additional_operations_of_3_2(tmp_path: Path) -> None:
    item = {
        "query": {"operationId": "search", "responses": OK},
        "additionalOperations": {
            "COPY": {"operationId": "copy", "responses": OK},
            "CONNECT": {"responses": OK},
            "no token": {"responses": OK},
            "QUERY": {"responses": OK},
        },
    }
    read = read_document({"openapi": "3.2.0", "paths": {"/a": item}}, tmp_path)
    search, copy = read.api.tools
    assert (search.http.method, search.annotations.read_only) == ("QUERY", True)
    assert (copy.http.method, copy.annotations.destructive) == ("COPY", True)
    assert [s.method for s in read.api.skipped] == ["CONNECT"]
    assert len(read.pointers("method")) == 2
    for place, methods in (("#/x-more", ["COPY", "MOVE"]), ("#/nowhere", ["MOVE"])):
        more = {"$ref": place}
        paths = {"/a": {"additionalOperations": more}, "/b": {"additionalOperations": {"MOVE": {}}}}
        further = {"x-more": {"COPY": {"responses": OK}}}
        read = read_document({"openapi": "3.2.0", "paths": paths, **further}, tmp_path)
        assert [t.http.method for t in read.api.tools] == methods
        assert ("dangling-reference" in read.codes) == (len(methods) == 1)
    none = {"additionalOperations": ["COPY"], "get": None, "put": {"responses": OK}}
    read = read_document({"openapi": "3.2.0", "paths": {"/a": none}}, tmp_path)
    assert read.tool.http.method == "PUT"
    assert read.pointers("wrong-type") == ["/paths/~1a/additionalOperations"]
    assert read.pointers("specification") == ["/paths/~1a/get"]
    older = read_document({"paths": {"/a": {**item, "get": {"responses": OK}}}}, tmp_path)
    assert [t.http.method for t in older.api.tools] == ["GET"]
    assert older.api.skipped[0].reason == "the method `query` exists since OpenAPI 3.2"


def test_a_path_item_elsewhere_with_fields_beside_its_reference(tmp_path: Path) -> None:
    document = {
        "paths": {"/a": {"$ref": "#/components/pathItems/A", "summary": "Beside"}},
        "components": {
            "pathItems": {"A": {"summary": "There", "get": {"responses": OK, "operationId": "a"}}}
        },
    }
    assert read_document(document, tmp_path).tool.title == "Beside"


def test_an_operation_elsewhere_with_fields_beside_its_reference(tmp_path: Path) -> None:
    shared = {"operationId": "shared", "tags": ["there"], "summary": "There", "responses": OK}
    document = {
        "x-shared": shared,
        "paths": {
            "/a": {"get": {"$ref": "#/x-shared", "operationId": "own", "tags": ["here"]}},
            "/b": {"get": {"$ref": "#/x-shared"}},
        },
    }
    read = read_document(document, tmp_path)
    assert [(t.name, t.tag, t.title) for t in read.api.tools] == [
        ("own", "here", "There"),
        ("shared", "there", "There"),
    ]


def test_a_dangling_reference_leaves_one_operation_out(tmp_path: Path) -> None:
    paths = {
        "/fine": {"get": {"responses": OK}},
        "/parameter": {"get": {"parameters": [{"$ref": "#/nope"}], "responses": OK}},
        "/item": {"$ref": "#/components/pathItems/none"},
    }
    read = read_document({"paths": paths}, tmp_path)
    assert [t.http.path for t in read.api.tools] == ["/fine"]
    assert {s.path for s in read.api.skipped} == {"/parameter", "/item"}
    assert all("leads nowhere" in s.reason for s in read.api.skipped)


def test_a_parameter_may_be_anything_where_its_schema_dangles(tmp_path: Path) -> None:
    missing = {"$ref": "#/components/schemas/Nope"}
    deep = {"type": "object", "properties": {"a": missing}}
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": missing},
        {"name": "q", "in": "query", "schema": {"$ref": "#/x-defs/Deep"}},
    ]
    paths = {"/of/{id}": {"get": {"parameters": parameters, "responses": OK}}}
    read = read_document({"paths": paths, "x-defs": {"Deep": deep}}, tmp_path)
    assert list(read.tool.input_schema["properties"]) == ["id", "q"]
    assert {d.code for d in read.diagnostics.warnings} == {"dangling-reference"}


def test_paths_that_an_extension_has_are_told_and_can_be_moved(tmp_path: Path) -> None:
    item = {"get": {"operationId": "get_tags", "responses": OK}}
    beside = read_document({**one({}), "x-ms-paths": {"/blobs?comp=tags": item}}, tmp_path)
    (note,) = [each for each in beside.diagnostics.notes if each.code == "further-paths"]
    assert (note.message, note.pointer) == (
        "`x-ms-paths` is not read: 1 path is left out",
        "/x-ms-paths",
    )
    assert "Move what is in it to `paths`" in note.hint
    for nothing in ({}, None, True, "x"):
        assert not read_document({**one({}), "x-ms-paths": nothing}, tmp_path).diagnostics.warnings
    moved = read_document({"paths": {"/blobs?comp=tags": item}}, tmp_path)
    assert moved.tool.call.fixed_query == (("comp", "tags"),)
    assert "further-paths" not in [each.code for each in moved.diagnostics.notes]
