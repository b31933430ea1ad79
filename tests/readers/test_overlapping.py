"""`oneOf` of arguments: what is advertised is satisfiable, and accepted."""

import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from openapi_bodies import body_tool

from bench.values import refused
from mcpgen import source
from mcpgen.cases.arguments import Arguments
from mcpgen.diagnostics import Diagnostics
from mcpgen.readers.openapi import read
from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.samples.shared import Samplers
from mcpgen.settings import Settings

SPECS = Path(__file__).parents[2] / "specs"
TEXT = {"type": "string"}
NAME = {"type": "string", "pattern": "^(?![0-9a-f]{8}-)[a-z][a-z0-9-]*$"}
UUID = {"type": "string", "format": "uuid"}
OVERLAPPING: list[tuple[list[Any], list[Any]]] = [
    ([UUID, NAME], ["550e8400-e29b-41d4-a716-446655440000", "web"]),
    (
        [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}],
        ["2024-01-01"],
    ),
    ([{"type": "string", "enum": ["latest"]}, NAME], ["latest", "a"]),
    ([{"enum": ["a"]}, {"$ref": "#/components/schemas/Dangling"}], ["a"]),
    ([{**TEXT, "title": "A name"}, {**TEXT, "title": "An address"}], ["x"]),
    (
        [
            {"type": "object", "required": ["id"], "properties": {"id": NAME}},
            {"type": "object", "required": ["id"], "properties": {"id": UUID}},
        ],
        [{"id": "web"}],
    ),
    ([{"allOf": [NAME]}, {"allOf": [UUID]}], ["web"]),
    (
        [
            {"properties": {"a": TEXT}, "type": "object"},
            {"properties": {"b": TEXT}, "type": "object"},
        ],
        [{"a": "x"}],
    ),
]


def schema_of(tmp_path: Path, branches: list[Any], place: str) -> dict[str, Any]:
    """The inputSchema of a tool whose argument `p`, or each item of it, is one of the branches."""
    choice: dict[str, Any] = {"oneOf": branches}
    if place == "items":
        choice = {"type": "array", "items": choice}
    own = {"type": "object", "properties": {"p": choice}}
    return dict(body_tool(tmp_path, {"application/json": own}).input_schema)


@pytest.mark.parametrize("place", ["property", "items"])
@pytest.mark.parametrize(("branches", "values"), OVERLAPPING)
def test_a_value_that_is_advertised_fits_and_is_taken(tmp_path, branches, values, place):
    schema = schema_of(tmp_path, branches, place)
    assert "'oneOf':" not in str(schema)
    judge = Draft202012Validator(schema, format_checker=FormatChecker())
    for value in values:
        arguments = {"p": [value] if place == "items" else value}
        assert judge.is_valid(arguments)
        ArgumentValidator(schema).check(arguments)


DOCUMENTS = [
    path for path in sorted(SPECS.glob("*.*")) if "\ntools:" not in path.read_text("utf-8")
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_values_of_arguments_satisfy_a_validator_of_others(document):
    """JSON Schema as it is written, with formats: 20 operations of each document."""
    found = Diagnostics()
    api = read(source.load(str(document), diagnostics=found), Settings(), found)
    chosen = random.Random(document.name).sample(api.tools, min(20, len(api.tools)))
    samplers = Samplers()
    for tool in chosen:
        arguments = Arguments(tool, samplers)
        judge = Draft202012Validator(dict(tool.input_schema), format_checker=FormatChecker())
        for values in (arguments.required(), arguments.full()):
            assert [error.message for error in judge.iter_errors(values)] == []
            ArgumentValidator(dict(tool.input_schema)).check(values)
    judged = [each for tool in chosen for each in refused(tool, 3)]
    assert len(judged) >= 2 * len(chosen)
    assert [each for each in judged if each[1]] == []
