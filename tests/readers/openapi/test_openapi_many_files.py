"""Documents of many files, with references where OpenAPI has none and bundlers follow them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_reading import Reading, one, read_document, read_text

from mcpgen.diagnostics import GenerationError

FILES = {
    "parts/list.yaml": """
        operationId: listRacks
        summary: List the racks
        parameters: {$ref: "parameters.yaml#/paging"}
        responses: {$ref: "responses.yaml#/listed"}
    """,
    "parts/parameters.yaml": """
        paging:
          - {name: page, in: query, schema: {type: integer}}
          - {name: size, in: query, schema: {type: integer}}
    """,
    "parts/responses.yaml": """
        listed: {"200": {description: The racks of the hall.}}
    """,
    "parts/add.yaml": """
        operationId: addRack
        requestBody:
          required: true
          content:
            application/json:
              schema:
                type: object
                properties: {$ref: "rack.yaml#/properties", note: {type: string}}
        responses: {"201": {description: Added.}}
    """,
    "parts/rack.yaml": """
        properties:
          name: {type: string}
          units: {type: integer}
    """,
    "parts/texts.yaml": """
        introduction: The racks of a hall.
    """,
}
ROOT = """
openapi: 3.0.3
info: {title: Racks, version: "1", description: {$ref: "parts/texts.yaml#/introduction"}}
servers: [{url: "https://racks.example"}]
paths:
  /racks:
    get: {$ref: "parts/list.yaml"}
    post: {$ref: "parts/add.yaml"}
    delete: {$ref: "parts/gone.yaml#/nowhere"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {**FILES, "parts/gone.yaml": "somewhere: {}"}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_references_are_followed_wherever_they_stand(folder: Path) -> None:
    read = read_text(ROOT, folder)
    tools = {tool.name: tool for tool in read.api.tools}
    assert list(tools) == ["listRacks", "addRack"]
    assert list(tools["listRacks"].input_schema["properties"]) == ["page", "size"]
    assert tools["listRacks"].title == "List the racks"
    assert list(tools["addRack"].input_schema["properties"]) == ["name", "units", "note"]
    assert read.api.description == "The racks of a hall."


def test_an_operation_that_is_not_there_is_left_out_and_reported(folder: Path) -> None:
    read = read_text(ROOT, folder)
    assert [(s.method, s.path) for s in read.api.skipped] == [("DELETE", "/racks")]
    assert "skipped" in read.codes


def test_what_stands_beside_a_reference_counts_whatever_its_place_in_its_file(
    tmp_path: Path,
) -> None:
    parameter = "parameters: [{name: middle, in: query, schema: {type: string}}]"
    (tmp_path / "b.yaml").write_text(f"paths: {{/x: {{$ref: 'c.yaml#/paths/~1x', {parameter}}}}}")
    (tmp_path / "c.yaml").write_text("paths: {/x: {get: {operationId: getX}}}")
    head = "openapi: 3.1.0\ninfo: {title: Racks, version: '1'}\n"
    read = read_text(head + "paths: {/x: {$ref: 'b.yaml#/paths/~1x'}}", tmp_path)
    assert list(read.tool.input_schema["properties"]) == ["middle"]


def test_paths_in_a_file_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "paths").mkdir()
    parts = {
        "paths/index.yaml": "/racks: {$ref: racks.yaml}\n/units: {get: {operationId: listUnits}}",
        "paths/racks.yaml": "get: {operationId: listRacks}",
    }
    for name, text in parts.items():
        (tmp_path / name).write_text(text)
    head = "openapi: 3.0.3\ninfo: {title: Racks, version: '1'}\n"
    read = read_text(head + "paths: {$ref: paths/index.yaml, /halls: {get: {}}}", tmp_path)
    assert [tool.name for tool in read.api.tools] == ["listRacks", "listUnits", "get_halls"]

    with pytest.raises(GenerationError, match="no operations"):
        read_text(head + "paths: {$ref: paths/none.yaml}", tmp_path)


def taking(schema: str, folder: Path, **components: str) -> Reading:
    """A document whose only operation takes a body of a schema, and components in files."""
    document = {
        "openapi": "3.0.3",
        **one(
            {"requestBody": {"content": {"application/json": {"schema": yaml.safe_load(schema)}}}},
            method="post",
        ),
        "components": {"schemas": {name: {"$ref": file} for name, file in components.items()}},
    }
    return read_document(document, folder)


def mapped(read: Reading) -> tuple[Any, dict[str, str]]:
    """The definitions of the only tool, and what a discriminator among them maps to."""
    defs = read.tool.input_schema["$defs"]
    [mapping] = [each["discriminator"]["mapping"] for each in defs.values() if "anyOf" in each]
    return defs, mapping


def test_a_base_of_another_file_is_extended_there_and_mapped_to_names_of_that_file(
    tmp_path: Path,
) -> None:
    (tmp_path / "common.yaml").write_text(
        """
        components:
          schemas:
            Part:
              type: object
              required: [kind]
              properties: {kind: {type: string}}
              discriminator: {propertyName: kind, mapping: {shelf: Shelf}}
            Shelf:
              allOf: [{$ref: "#/components/schemas/Part"}]
              properties: {depth: {type: integer}}
        """,
        encoding="utf-8",
    )
    read = taking('{$ref: "common.yaml#/components/schemas/Part"}', tmp_path)
    defs, mapping = mapped(read)
    assert list(mapping) == ["shelf"]
    assert "depth" in defs[mapping["shelf"].rpartition("/")[2]]["properties"]
    assert read.codes == []


def test_what_extends_a_base_in_files_of_their_own_is_found_by_its_mapping(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    parts = {
        "part.yaml": """
            type: object
            required: [kind]
            properties: {kind: {type: string}}
            discriminator:
              propertyName: kind
              mapping: {shelf: shelf.yaml, rail: "rails.yaml#/Rail", "no": bolt.yaml, x: none.yaml}
            """,
        "shelf.yaml": "{allOf: [{$ref: part.yaml}], properties: {depth: {type: integer}}}",
        "rails.yaml": "Rail: {allOf: [{$ref: part.yaml}], properties: {length: {type: integer}}}",
        "bolt.yaml": "{properties: {size: {type: integer}}}",
    }
    for name, text in parts.items():
        (tmp_path / "parts" / name).write_text(text, encoding="utf-8")
    defs, mapping = mapped(taking("{$ref: parts/part.yaml}", tmp_path))
    assert list(mapping) == ["shelf", "rail"]
    for value, name in (("shelf", "depth"), ("rail", "length")):
        assert name in defs[mapping[value].rpartition("/")[2]]["properties"]


def test_what_extends_a_base_is_found_where_the_first_file_names_files(tmp_path: Path) -> None:
    parts = {
        "part.yaml": """
            type: object
            properties: {kind: {type: string}}
            discriminator: {propertyName: kind, mapping: {shelf: "api.json#/components/schemas/S"}}
            """,
        "shelf.yaml": 'allOf: [{$ref: "api.json#/components/schemas/Part"}]',
        "rail.yaml": "allOf: [{$ref: part.yaml}]",
    }
    for name, text in parts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    named = {"Part": "part.yaml", "S": "shelf.yaml", "Rail": "rail.yaml"}
    named["Other"] = "#/components/schemas/Rail"
    _, mapping = mapped(taking('{$ref: "#/components/schemas/Part"}', tmp_path, **named))
    assert list(mapping) == ["shelf", "Rail"]


def test_a_mapping_may_name_an_alternative_by_another_way(tmp_path: Path) -> None:
    for name in ("shelf", "rail"):
        text = f"{{type: object, properties: {{{name}: {{type: integer}}}}}}"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    schema = """
        oneOf: [{$ref: "#/components/schemas/Shelf"}, {$ref: rail.yaml}]
        discriminator:
          propertyName: kind
          mapping: {a: shelf.yaml, b: "#/components/schemas/Rail"}
        """
    read = taking(schema, tmp_path, Shelf="shelf.yaml", Rail="rail.yaml")
    body = read.tool.input_schema["properties"]["body"]
    keys = [each["$ref"] for each in body["anyOf"]]  # nothing tells shelf and rail apart
    assert body["discriminator"]["mapping"] == dict(zip("ab", keys, strict=True))


OPENAPI = """
openapi: 3.2.0
info: {title: Foos, version: "1"}
servers: [{url: "https://foos.example"}]
$self: SELF/openapi
paths:
  /foo:
    post:
      operationId: addFoo
      requestBody: {$ref: "shared/foo#/components/requestBodies/Foo"}
"""
SHARED = """
openapi: 3.2.0
info: {title: Shared components, version: "1"}
$self: SELF/shared/foo
components:
  requestBodies:
    Foo: {required: true, content: {application/json: {schema: {$ref: ../schemas/foo}}}}
  schemas:
    Foo: {$id: SELF/schemas/foo, type: object, properties: {bar: {$ref: bar}}}
    Bar: {$id: SELF/schemas/bar, type: string}
"""


@pytest.mark.parametrize("base", ["https://example.com/api", "/api"])
@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json"])
def test_references_by_self_and_id_as_the_specification_shows_them(
    tmp_path: Path, base: str, suffix: str
) -> None:
    """OpenAPI 3.2.0, Appendix F: neither URI says what the files are called."""
    (tmp_path / "shared").mkdir()
    shared = SHARED.replace("SELF", base)
    text = json.dumps(yaml.safe_load(shared)) if suffix == ".json" else shared
    (tmp_path / f"shared/foo{suffix}").write_text(text, encoding="utf-8")
    reading = read_text(OPENAPI.replace("SELF", base), tmp_path)
    assert reading.tool.input_schema["properties"] == {"bar": {"$ref": "#/$defs/Bar"}}
    assert reading.tool.input_schema["$defs"] == {"Bar": {"type": "string"}}
    assert reading.codes == []


def test_a_reference_without_a_format_leads_to_documents_alone(tmp_path: Path) -> None:
    for name in ("foo", "foo.txt", "foo.json5"):
        (tmp_path / name).write_text(SHARED, encoding="utf-8")
    (tmp_path / "api").mkdir()
    text = OPENAPI.replace("SELF", "https://example.com/api").replace("shared/foo", "../foo")
    with pytest.raises(GenerationError, match="leads out of the document's folder"):
        read_text(text, tmp_path / "api")
    with pytest.raises(GenerationError, match="does not end in"):
        read_text(text.replace("../foo", "foo"), tmp_path)


@pytest.mark.parametrize("reference", [".", "./", "shared/", "shared/.", "shared/.."])
def test_a_reference_to_a_folder_leads_to_no_document_beside_it(
    tmp_path: Path, reference: str
) -> None:
    (tmp_path / "api/shared").mkdir(parents=True)
    for name in ("api.yaml", "api/shared.yaml"):
        (tmp_path / name).write_text(SHARED, encoding="utf-8")
    text = OPENAPI.replace("SELF", "/api").replace("shared/foo", reference)
    with pytest.raises(GenerationError, match="does not end in"):
        read_text(text, tmp_path / "api")
