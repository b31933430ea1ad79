"""Extensions that speak of MCP, annotations, and filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, one, read_document

from mcpgen.catalogue.tools_json import wire_icon
from mcpgen.diagnostics import GenerationError


def hints(tmp_path: Path, method: str, **operation: Any) -> tuple[bool, bool, bool, bool]:
    """Read-only, destructive, idempotent, open world."""
    found = read_document(one(operation, method=method), tmp_path).tool.annotations
    return found.read_only, found.destructive, found.idempotent, found.open_world


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("get", (True, False, True, True)),
        ("head", (True, False, True, True)),
        ("options", (True, False, True, True)),
        ("post", (False, True, False, True)),
        ("put", (False, True, True, True)),
        ("patch", (False, True, False, True)),
        ("delete", (False, True, True, True)),
    ],
)
def test_annotations(tmp_path: Path, method: str, expected: tuple[bool, ...]) -> None:
    assert hints(tmp_path, method) == expected


SAFE = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}


@pytest.mark.parametrize(
    ("method", "expected", "refused"),
    [
        ("delete", (False, True, True, True), 2),
        ("put", (False, False, True, True), 1),
        ("patch", (False, False, True, True), 1),
        ("post", (True, False, True, True), 0),
    ],
)
@pytest.mark.parametrize("key", ["x-mcp", "x-mcp-annotations", "x-speakeasy-mcp"])
def test_what_an_extension_may_change(
    tmp_path: Path, method: str, expected: tuple[bool, ...], refused: int, key: str
) -> None:
    value = {"annotations": SAFE} if key == "x-mcp" else SAFE
    read = read_document(one({key: value}, method=method), tmp_path)
    found = read.tool.annotations
    assert (found.read_only, found.destructive, found.idempotent, found.open_world) == expected
    assert read.codes.count("annotation") == refused


@pytest.mark.parametrize(
    ("path", "operation_id", "is_safe"),
    [
        ("/#Action=DeleteTopic", "GET_DeleteTopic", False),
        ("/?action=delete", "deleteTopic", False),
        ("/topics", "deleteTopic", True),
        ("/#Action=ListTopics", "GET_ListTopics", True),
        ("/#deleted", "getDeletedTopics", True),
        ("/#", "get", True),
    ],
)
def test_a_get_with_an_action_that_changes_something_is_not_safe(
    tmp_path: Path, path: str, operation_id: str, is_safe: bool
) -> None:
    document = one({})
    document["paths"][path] = {"get": {"operationId": operation_id, "responses": OK}}
    found = read_document(document, tmp_path).api.tools[-1].annotations
    assert (found.read_only, found.destructive, found.idempotent) == (is_safe, not is_safe, is_safe)
    chosen = read_document(document, tmp_path, read_only=True).api.tools
    assert [tool.operation_id for tool in chosen] == ["op", *([operation_id] if is_safe else [])]


def test_what_names_one_thing_is_not_inherited(tmp_path: Path) -> None:
    document = one({})
    said = {"name": "shop", "title": "Shop", "description": "A shop.", "icons": ["https://a/b.png"]}
    document["x-mcp"] = said
    document["paths"]["/pets"]["x-mcp"] = said
    tool = read_document(document, tmp_path).tool
    assert "shop" not in f"{tool.name} {tool.title} {tool.description}".lower()
    assert tool.icons == ()


def test_hints_are_inherited(tmp_path: Path) -> None:
    document = {
        "x-mcp": {"annotations": {"openWorldHint": False}},
        "paths": {
            "/a": {
                "x-mcp": {"annotations": {"idempotent": True}},
                "post": {"responses": OK, "x-mcp": {"annotations": {"destructiveHint": False}}},
            }
        },
    }
    found = read_document(document, tmp_path).tool.annotations
    assert (found.read_only, found.destructive, found.idempotent, found.open_world) == (
        False,
        False,
        True,
        False,
    )


def test_the_texts_of_a_tool(tmp_path: Path) -> None:
    icon = {
        "src": "https://example.com/i.png",
        "mimeType": "image/png",
        "sizes": ["48x48"],
        "theme": "dark",
    }
    extension = {
        "name": "pets.list",
        "title": "Pets",
        "description": "For agents.",
        "icons": [
            icon,
            {"src": "javascript:x"},
            {"src": "data:image/png;base64,AA==", "theme": "sepia"},
        ],
    }
    tool = read_document(one({"summary": "s", "x-mcp": extension}), tmp_path).tool
    assert (tool.name, tool.title) == ("pets.list", "Pets")
    assert tool.description == "For agents."
    assert [*map(wire_icon, tool.icons)] == [icon, {"src": "data:image/png;base64,AA=="}]


@pytest.mark.parametrize(
    ("extension", "told"),
    [
        ({"enabeld": False}, ["`x-mcp` knows no `enabeld`; it is not used"]),
        ({"Name": "x"}, ["`x-mcp` knows no `Name`; it is not used"]),
        (
            {"annotations": {"readonlyHint": True}},
            ["`x-mcp.annotations` knows no `readonlyHint`; it is not used"],
        ),
        ({"annotations": {"destructive": False, "title": "T"}, "disabled": False}, []),
        ({"namespace": "ours", "scopes": ["read"]}, []),
    ],
)
def test_a_misspelt_key_is_told(tmp_path: Path, extension: Any, told: list[str]) -> None:
    read = read_document(one({"x-mcp": extension}, method="post"), tmp_path)
    assert [d.message for d in read.diagnostics.items if d.code == "extension"] == told


def test_a_reference_in_its_place_is_told(tmp_path: Path) -> None:
    read = read_document(one({"x-mcp": {"$ref": "#/x-hidden"}}), tmp_path)
    [told] = read.diagnostics.warnings
    assert (told.code, told.pointer) == ("extension", "/paths/~1pets/get/x-mcp")


def test_aliases(tmp_path: Path) -> None:
    gram = one({"x-gram": {"name": "g", "summary": "Gram", "description": "d"}})
    tool = read_document(gram, tmp_path).tool
    assert (tool.name, tool.title, tool.description) == ("g", "Gram", "d")
    both = one({"x-gram": {"name": "g"}, "x-speakeasy-mcp": {"name": "s"}, "x-mcp": {"name": "m"}})
    assert read_document(both, tmp_path).tool.name == "m"


@pytest.mark.parametrize(
    ("document", "path", "operation", "kept"),
    [
        (None, None, None, True),
        (None, None, {"enabled": False}, False),
        (None, None, False, False),
        (None, {"enabled": False}, None, False),
        (None, {"enabled": False}, {"enabled": True}, True),
        ({"enabled": False}, None, None, False),
        ({"enabled": False}, {"enabled": True}, None, True),
        (None, None, {"enabled": "no"}, True),
        (None, None, ["enabled"], True),
        (None, {"enabled": False}, "enabled", False),
    ],
)
def test_enabled(tmp_path: Path, document: Any, path: Any, operation: Any, kept: bool) -> None:
    def extension(value: Any) -> dict[str, Any]:
        return {} if value is None else {"x-mcp": value}

    whole = {
        **extension(document),
        "paths": {
            "/a": {**extension(path), "get": {"responses": OK, **extension(operation)}},
            "/b": {"get": {"responses": OK, "x-mcp": {"enabled": True}}},
        },
    }
    read = read_document(whole, tmp_path)
    assert ("/a" in [t.http.path for t in read.api.tools]) == kept
    assert [s.path for s in read.api.skipped] == ([] if kept else ["/a"])


def test_speakeasys_switch(tmp_path: Path) -> None:
    paths = {
        "/a": {"get": {"responses": OK, "x-speakeasy-mcp": {"disabled": True}}},
        "/b": {"get": {"responses": OK}},
    }
    read = read_document({"paths": paths}, tmp_path)
    assert [t.http.path for t in read.api.tools] == ["/b"]


PATHS = {
    "/pets": {
        "get": {"operationId": "listPets", "tags": ["pets"], "responses": OK},
        "post": {"operationId": "createPet", "tags": ["pets", "admin"], "responses": OK},
    },
    "/users/{id}": {"delete": {"operationId": "deleteUser", "tags": ["users"], "responses": OK}},
    "/health": {"get": {"responses": OK}},
}


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, ["listPets", "createPet", "deleteUser", "get_health"]),
        ({"include_tags": ("pets",)}, ["listPets", "createPet"]),
        ({"exclude_tags": ("adm*",)}, ["listPets", "deleteUser", "get_health"]),
        ({"include_tags": ("pets",), "exclude_tags": ("admin",)}, ["listPets"]),
        ({"include_paths": ("/p*", "/health")}, ["listPets", "createPet", "get_health"]),
        ({"exclude_paths": ("/users/*",)}, ["listPets", "createPet", "get_health"]),
        ({"include_operations": ("*Pet",)}, ["createPet"]),
        ({"include_operations": ("get_health", "DELETE *")}, ["deleteUser", "get_health"]),
        ({"exclude_operations": ("list*",)}, ["createPet", "deleteUser", "get_health"]),
        ({"methods": ("get", "DELETE")}, ["listPets", "deleteUser", "get_health"]),
        ({"read_only": True}, ["listPets", "get_health"]),
    ],
)
def test_filters(tmp_path: Path, options: dict[str, Any], kept: list[str]) -> None:
    read = read_document({"paths": PATHS}, tmp_path, **options)
    assert [t.name for t in read.api.tools] == kept
    assert len(read.api.skipped) == 4 - len(kept)
    assert all("--" in s.reason for s in read.api.skipped)


def test_filters_that_nothing_is_for(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "include_tags": ("pets", "user"),
        "exclude_paths": ("/pet",),
        "exclude_tags": ("tags, pets",),
        "exclude_operations": ("listpets", "createPet"),
        "methods": ("get", "put", "fetch"),
    }
    read = read_document({"paths": PATHS}, tmp_path, **options)
    assert [tool.name for tool in read.api.tools] == ["listPets"]
    found = [
        (d.code, d.message.removesuffix(" matches no operation"), d.hint)
        for d in read.diagnostics.warnings
    ]
    several = "It is read as one: give the flag once for each, in mcpgen.toml a text for each."
    assert found == [
        ("filter-unused", "--include-tag user", "Did you mean `users`?"),
        ("filter-unused", "--exclude-tag tags, pets", several),
        ("filter-unused", "--exclude-path /pet", "Did you mean `/pets`?"),
        ("filter-unused", "--exclude-operation listpets", "Did you mean `listPets`?"),
        ("filter-unused", "--methods FETCH", "Did you mean `PATCH`?"),
    ]


def test_an_exclusion_alone_that_nothing_is_for_is_told(tmp_path: Path) -> None:
    read = read_document({"paths": PATHS}, tmp_path, exclude_tags=("user",))
    assert "filter-unused" in read.codes


def test_read_only_trusts_the_method_alone(tmp_path: Path) -> None:
    says = {"x-mcp": {"annotations": {"readOnlyHint": True}}}
    with pytest.raises(GenerationError, match="--read-only"):
        read_document(one(says, method="post"), tmp_path, read_only=True)


def with_headers(*parameters: dict[str, Any], **properties: Any) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Body"}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    document = one({"parameters": list(parameters), "requestBody": body}, method="post")
    schemas = {"Body": {"type": "object", "properties": properties}}
    return {**document, "components": {"schemas": schemas}}


def query(name: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, **more}


def test_a_header_for_clients_of_a_parameter_and_of_a_property(tmp_path: Path) -> None:
    """It may stand on the Parameter Object, on its schema, and on a property of a spread body."""
    document = with_headers(
        query("region", {"type": "string"}, **{"x-mcp-header": "Region"}),
        query("shard", {"type": "integer", "x-mcp-header": "Shard"}),
        tenant={"type": "string", "x-mcp-header": "Tenant"},
        nextPageToken={"type": "string", "x-mcp-header": "Place"},
        plain={"type": "string"},
    )
    found = read_document(document, tmp_path)
    properties = found.tool.input_schema["properties"]
    assert {name: schema.get("x-mcp-header") for name, schema in properties.items()} == {
        "region": "Region",
        "shard": "Shard",
        "tenant": "Tenant",
        "nextPageToken": "Place",
        "plain": None,
    }
    assert not found.diagnostics.warnings


@pytest.mark.parametrize(
    ("name", "schema", "said"),
    [
        ("apiToken", {"type": "string", "x-mcp-header": "T"}, "would show a secret"),
        ("page_access_token", {"type": "string", "x-mcp-header": "T"}, "would show a secret"),
        ("word", {"type": "string", "format": "password", "x-mcp-header": "T"}, "show a secret"),
        (
            "many",
            {"type": "array", "items": {}, "x-mcp-header": "T"},
            "a string, an integer or a boolean",
        ),
        ("maybe", {"type": ["string", "null"], "x-mcp-header": "T"}, "a string, an integer"),
        ("blank", {"type": "string", "x-mcp-header": "T T"}, "must be a header's name"),
        ("twice", {"type": "string", "x-mcp-header": "region"}, "is also that of `region`"),
    ],
)
def test_a_header_that_the_protocol_forbids_is_left_out(
    tmp_path: Path, name: str, schema: dict[str, Any], said: str
) -> None:
    """Clients refuse a tool for it, so that the argument is better without."""
    first = query("region", {"type": "string", "x-mcp-header": "Region"})
    found = read_document(with_headers(first, **{name: schema}), tmp_path)
    properties = found.tool.input_schema["properties"]
    assert "x-mcp-header" not in properties[name]
    assert properties["region"]["x-mcp-header"] == "Region"
    (problem,) = found.diagnostics.warnings
    assert said in problem.message
    assert problem.location is not None
