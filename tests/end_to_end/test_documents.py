"""All documents of `specs/`, and those of many files and in JSON from end to end."""

import json

import pytest
from jsonschema import Draft202012Validator

DOCUMENTS = {
    "bookshop.yaml": 10,
    "clinic-v2.yaml": 10,
    "wire.yaml": 21,
    "bodies.yaml": 23,
    "answers.yaml": 22,
    "access.yaml": 25,
    "next.yaml": 10,
    "library/openapi.yaml": 7,
    "nightbus.json": 6,
}
"""Tools of each document: one for each operation that no extension hides."""


@pytest.fixture(scope="module", params=DOCUMENTS)
def each(generated, request):
    """A document, and its server."""
    return request.param, generated(request.param)


def test_tools_are_plain_and_in_order(each):
    for name, tool in each[1].tools.items():
        assert tool.description, name
        assert tool.title, name
        schema = tool.input_schema
        assert schema["type"] == "object", name
        assert not {"$ref", "oneOf", "anyOf", "allOf", "not"} & set(schema), name
        Draft202012Validator.check_schema(schema)
        reached = json.dumps(schema)
        for key in schema.get("$defs", {}):
            assert f'"#/$defs/{key}' in reached, (name, key)
        if tool.output_schema is not None:
            assert tool.output_schema["type"] == "object", name
            Draft202012Validator.check_schema(tool.output_schema)
    document, server = each
    listed = json.loads((server.folder / server.package / "tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == list(server.tools)
    assert len(listed) == DOCUMENTS[document]
    # `access.yaml` calls a DELETE harmless, hides two operations, and has a challenging scheme.
    document, server = each
    odd = document == "access.yaml"
    told = [("annotation", "/paths/~1berths/delete/x-mcp")] * 2
    told.append(("security-challenge", "/components/securitySchemes/captain"))
    warned = [found for found in server.summary["diagnostics"] if found["severity"] != "note"]
    assert [(found["code"], found["pointer"]) for found in warned] == (told if odd else [])
    skipped = [(entry["method"], entry["path"]) for entry in server.summary["skipped"]]
    assert skipped == ([("GET", "/berths/internal"), ("DELETE", "/ships")] if odd else [])
