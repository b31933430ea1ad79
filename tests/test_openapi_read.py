"""A whole document becomes an Api, or every reason why not is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_reading import OK, one, read_document, read_text

from mcpgen.api import In
from mcpgen.diagnostics import Diagnostics, GenerationError

PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "tag": {"type": "string", "nullable": True},
    },
}
PETSTORE: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Petstore", "version": "1.2.3", "description": "All about pets."},
    "servers": [{"url": "https://api.example.com/v1"}],
    "tags": [{"name": "pets"}],
    "security": [{"key": []}],
    "paths": {
        "/pets/{petId}": {
            "parameters": [
                {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
            ],
            "get": {
                "operationId": "getPet",
                "summary": "Get a pet",
                "tags": ["pets"],
                "responses": {
                    "200": {
                        "description": "The pet with its owner.",
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Pet"},
                                "example": {"id": 1, "name": "Rex"},
                            }
                        },
                    },
                    "404": {"description": "No such pet"},
                },
            },
            "put": {
                "operationId": "updatePet",
                "tags": ["pets"],
                "security": [],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}
                    },
                },
                "responses": {"204": {"description": "Done"}},
            },
        },
    },
    "components": {
        "schemas": {"Pet": PET},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
    },
}


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (["https://a.example", "https://b.example"], False),
        (["https://a.example", None], True),
        ([None], True),
    ],
)
def test_a_host_is_missed_where_an_operation_has_none(
    tmp_path: Path, own: list[str | None], told: bool
) -> None:
    paths = {f"/{at}": {"get": {"responses": OK}} for at in range(len(own))}
    for item, url in zip(paths.values(), own, strict=True):
        item |= {"servers": [{"url": url}]} if url else {}
    read = read_document({"paths": paths, "servers": [{"url": "/v1"}]}, tmp_path)
    notes = [note.message for note in read.diagnostics.notes]
    assert ("the document does not say at which host the API is" in notes) is told


def test_a_host_in_a_variable_is_not_missed(tmp_path: Path) -> None:
    servers = [{"url": "{host}/v1", "variables": {"host": {"description": "Yours."}}}]
    notes = read_document(one({}, servers=servers), tmp_path).diagnostics.notes
    assert not [note for note in notes if note.code == "server"]


def test_petstore(tmp_path: Path) -> None:
    read = read_document(PETSTORE, tmp_path)
    assert read.codes == []
    api = read.api
    assert (api.title, api.version, api.instructions) == ("Petstore", "1.2.3", "All about pets.")
    assert [s.url for s in api.servers] == ["https://api.example.com/v1"]
    assert api.security == ({"key": ()},)
    get, put = api.tools
    assert (get.name, get.title, get.tag) == ("getPet", "Get a pet", "pets")
    assert get.description == "Get a pet\n\nReturns: The pet with its owner."
    assert get.input_schema == {
        "type": "object",
        "properties": {"petId": {"type": "integer"}},
        "required": ["petId"],
        "additionalProperties": False,
    }
    assert get.arguments[0].location is In.PATH
    assert get.result == {"$ref": "#/$defs/Pet"}
    assert get.result_media_type == "application/json"
    assert [e.value for e in get.examples] == [{"id": 1, "name": "Rex"}]
    assert get.http.statuses == ("200",)
    assert get.http.security is None
    assert put.title == "Update pet"
    assert put.http.security == ()
    assert put.http.body is not None
    assert put.http.body.spread
    assert [a.name for a in put.arguments] == ["petId", "name", "tag"]
    assert put.input_schema["required"] == ["petId", "name"]
    assert put.input_schema["properties"]["tag"]["type"] == ["string", "null"]
    assert put.result is None
    assert put.output_schema is None
    assert set(api.schemas) == {"Pet"}


def test_the_schemas_of_arguments_and_of_results_are_kept_and_no_others(tmp_path: Path) -> None:
    at = {name: {"$ref": f"#/components/schemas/{name}"} for name in ("Given", "Got")}
    content = {name: {"content": {"application/json": {"schema": at[name]}}} for name in at}
    operation = {
        "requestBody": content["Given"],
        "responses": {"200": {"description": "", **content["Got"]}},
    }
    schemas = {"Given": {"items": {"$ref": "#/components/schemas/Inner"}}, "Inner": {}, "Got": {}}
    schemas["Other"] = {}
    document = one(operation, method="post", components={"schemas": schemas})
    assert set(read_document(document, tmp_path).api.schemas) == {"Given", "Inner", "Got"}


def test_every_input_schema_is_valid(tmp_path: Path) -> None:
    for tool in read_document(PETSTORE, tmp_path).api.tools:
        Draft202012Validator.check_schema(dict(tool.input_schema))


@pytest.mark.parametrize(
    ("version", "expected"),
    [("3.0.0", "ok"), ("3.0.4", "ok"), ("3.1.1", "ok"), ("3.2.0", "ok"), ("4.0.0", "version")],
)
def test_versions(tmp_path: Path, version: str, expected: str) -> None:
    document = {**one({}), "openapi": version}
    if expected == "ok":
        assert read_document(document, tmp_path).tool.name == "op"
    else:
        found = Diagnostics()
        with pytest.raises(GenerationError, match=r"unknown version '4\.0\.0'") as caught:
            read_document(document, tmp_path, found)
        assert (len(caught.value.diagnostics), len(found)) == (1, 0)


@pytest.mark.parametrize(
    ("key", "version", "meant", "written"),
    [
        ("openapi", "3.0.o", "3.0", "3.0.4"),
        ("openapi", "3.1", "3.1", "3.1.0"),
        ("openapi", "3.2-rc1", "3.2", "3.2.0"),
        ("openapi", 3.1, "3.1", "3.1.0"),
        ("openapi", 3, "3.0", "3.0.4"),
        ("swagger", 2.0, "2.0", "2.0"),
        ("swagger", "2", "2.0", "2.0"),
    ],
)
def test_a_version_that_is_not_whole_is_read_and_told(
    tmp_path: Path, key: str, version: Any, meant: str, written: str
) -> None:
    info = {"info": {"title": "Pets", "version": "1"}}
    read = read_text(json.dumps({key: version, **info, **one({})}), tmp_path)
    assert read.tool.name == "op"
    (told,) = read.diagnostics.warnings
    assert told.message.endswith(f"it is read as {meant}")
    assert told.hint == f'Write "{written}", in quotes.'


@pytest.mark.parametrize("version", ["3.1x", "31", "3.3.0", "", True, "three"])
def test_what_is_no_version_is_refused(tmp_path: Path, version: Any) -> None:
    with pytest.raises(GenerationError, match="unknown version"):
        read_document({**one({}), "openapi": version}, tmp_path)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"asyncapi": "3.0.0"}', "AsyncAPI"),
        ('{"swaggerVersion": "1.2"}', "Swagger 1"),
        ("[1]", "an object"),
        ("{}", "neither"),
    ],
)
def test_other_documents_are_named(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(GenerationError, match=what):
        read_text(text, tmp_path)


@pytest.mark.parametrize("key", ["openap", "openAPI", "OpenApi"])
def test_a_misspelt_key_of_the_version_is_told_at_its_place(tmp_path: Path, key: str) -> None:
    text = json.dumps({"info": {}, key: "3.0.3"}, indent=1)
    with pytest.raises(GenerationError, match="neither") as caught:
        read_text(text, tmp_path)
    [told] = caught.value.diagnostics
    assert (told.pointer, told.hint) == (f"/{key}", "Write `openapi`.")


def test_a_method_in_capitals_is_told_with_the_one_to_write(tmp_path: Path) -> None:
    item = {"GET": {"responses": OK}, "get": {"responses": OK}}
    read = read_document({"paths": {"/a": item}}, tmp_path)
    [told] = [each for each in read.diagnostics.warnings if each.code == "method"]
    assert (told.pointer, told.hint) == ("/paths/~1a/GET", "Write `get`.")


def test_a_tool_file_is_no_openapi_document(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="this is a tool file") as caught:
        read_text('{"$schema": "x", "tools": []}', tmp_path)
    assert caught.value.diagnostics[0].hint == "Use `mcpgen from-schema`."


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


def test_all_structural_problems_are_reported_together(tmp_path: Path) -> None:
    found = Diagnostics()
    document = {
        "info": [],
        "paths": {
            "/list": [],
            "/text": {"get": "x"},
            "/parameters": {"get": {"parameters": {"name": "q"}, "responses": None}},
            "/d": {
                "get": {
                    "operationId": {},
                    "parameters": [None, {"in": "query"}, {"name": "q", "in": {}}],
                    "requestBody": [],
                    "responses": [],
                }
            },
        },
        "security": {},
    }
    with pytest.raises(GenerationError) as raised:
        read_document(document, tmp_path, found)
    assert {d.pointer for d in raised.value.diagnostics} == {"/paths/~1list", "/paths/~1text/get"}
    assert {d.pointer for d in found.warnings} >= {
        "/info",
        "/security",
        "/paths/~1parameters/get/parameters",
        "/paths/~1d/get/operationId",
        "/paths/~1d/get/parameters/0",
        "/paths/~1d/get/parameters/1",
        "/paths/~1d/get/parameters/2/in",
        "/paths/~1d/get/requestBody",
        "/paths/~1d/get/responses",
    }
    assert all(d.location is not None for d in found.warnings)


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


@pytest.mark.parametrize("key", ["TODO", "pets/{id}", " /pets", "<baseUrl>/v3/pets"])
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


def test_tags_group_tools(tmp_path: Path) -> None:
    def paths(**tags: Any) -> dict[str, Any]:
        return {
            f"/api/v2/{name}/{{id}}": {"get": {"responses": OK, **({"tags": t} if t else {})}}
            for name, t in tags.items()
        }

    tagged = read_document({"paths": paths(a=["One", "Two"], b=None)}, tmp_path)
    assert [t.tag for t in tagged.api.tools] == ["One", "default"]
    untagged = read_document({"paths": paths(cats=None, dogs=None)}, tmp_path)
    assert [t.tag for t in untagged.api.tools] == ["cats", "dogs"]


def test_info(tmp_path: Path) -> None:
    read = read_document(
        {
            **one({}),
            "info": {
                "title": "A\u202e title",
                "version": 2,
                "contact": {"url": "https://example.com/contact"},
                "x-logo": {"url": "https://example.com/logo.svg"},
            },
        },
        tmp_path,
    )
    assert (read.api.title, read.api.version) == ("A title", "2")
    assert read.api.website_url == "https://example.com/contact"
    assert [i.src for i in read.api.icons] == ["https://example.com/logo.svg"]
    for url in ("javascript:alert(1)", "http://[", "https://me@example.com", "https://exämple.de"):
        docs = read_document(one({}, externalDocs={"url": url}), tmp_path)
        assert docs.api.website_url == ""


def test_icons_that_are_said_to_mcp_win_over_the_logo(tmp_path: Path) -> None:
    info = {"title": "T", "version": "1", "x-logo": {"url": "https://example.com/logo.svg"}}
    said = {"icons": [{"src": "https://example.com/icon.png"}]}
    api = read_document({**one({}), "info": info, "x-mcp": said}, tmp_path).api
    assert [icon.src for icon in api.icons] == ["https://example.com/icon.png"]


def test_a_version_is_what_the_document_spells(tmp_path: Path) -> None:
    text = json.dumps({"openapi": "3.1.0", "info": {"title": "T", "version": 0}, **one({})})
    assert read_text(text.replace(": 0}", ": 1.10}"), tmp_path).api.version == "1.10"


@pytest.mark.parametrize("info", ["absent", None, {"$ref": "#/x-info"}])
def test_a_document_that_says_nothing_of_itself(tmp_path: Path, info: Any) -> None:
    """What the extension says is not lost with it."""
    said = {"name": "herd", "title": "Her\nd", "description": "Of cattle."}
    document = {"openapi": "3.1.0", "info": info, "x-mcp": said, **one({})}
    if info == "absent":
        del document["info"]
    read = read_text(json.dumps(document), tmp_path)
    found = read.api
    assert (found.name, found.title, found.version) == ("herd", "Her d", "0")
    assert found.instructions == "Of cattle."
    assert len(read.codes) == 1
    del document["x-mcp"]
    assert read_text(json.dumps(document), tmp_path).api.title == "API"


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
