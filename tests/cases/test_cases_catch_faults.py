"""The tests of a generated server notice what goes wrong in it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run
from prepared import python

from bench.faults import Server, vendored
from bench.server_faults import of_server

ROOT = Path(__file__).parents[2]


def parameter(name: str, location: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "in": location, "required": location == "path", "schema": schema, **more}


def operation(*parameters: dict[str, Any], **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    answer = {"description": "Done", "content": {"application/json": {"schema": schema}}}
    return {"parameters": list(parameters), "responses": {"201": answer}, **more}


BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "note": {"type": ["string", "null"]},
                    "count": {"type": "integer"},
                },
            }
        }
    },
}

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Faults", "version": "1"},
    "servers": [{"url": "https://api.example.com/v1"}],
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "name": "X-Key", "in": "header"},
            "token": {"type": "http", "scheme": "bearer"},
        }
    },
    "security": [{"key": []}, {"token": []}],
    "paths": {
        "/things/{id}": {
            "get": operation(
                parameter("id", "path", {"type": "string"}),
                parameter("view", "query", {"type": "string"}),
                parameter(
                    "tags", "query", {"type": "array", "items": {"type": "string"}}, explode=False
                ),
                parameter("X-Trace", "header", {"type": "string"}),
                parameter("theme", "cookie", {"type": "string"}),
                operationId="readThing",
            ),
            "put": operation(
                parameter("id", "path", {"type": "string"}),
                operationId="writeThing",
                requestBody=BODY,
                security=[{"key": [], "token": []}],
            ),
            "patch": operation(
                parameter("id", "path", {"type": "string"}),
                operationId="changeThing",
                requestBody={**BODY, "required": False},
            ),
        },
        "/open": {"get": operation(operationId="open", security=[])},
    },
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    (folder / "api.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    made = run("from-openapi", str(folder / "api.json"), "-o", str(folder / "server"))
    assert made.exit_code == 0, made.output
    return folder / "server"


KINDS = ("credential sent unasked", "empty body sent", "runtime: arguments not validated")
"""The stage of faults in `.ci/run` has the others, in two servers of the examples."""


def test_seeded_faults_are_caught(server):
    options = ("--limit", "1", "--target", "1", *(f"--kind={kind}" for kind in KINDS))
    command = python("-m", "bench.mutants", str(server), *options)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(KINDS)}/{len(KINDS)}" in done.stdout.splitlines()[-1]


def test_no_fault_of_calls_is_seeded_where_no_handler_calls_an_api(tmp_path):
    chandler = vendored(ROOT / "generated_examples/chandler", tmp_path / "chandler")
    kinds = {fault.kind for fault in of_server(Server.read(chandler))}
    assert "runtime: arguments not validated" in kinds
    assert "runtime: method swapped" not in kinds


def test_a_test_is_named_after_its_tool_and_what_is_tried(server):
    done = generated_tests.run(server, "--collect-only", "tests")
    assert "tests/test_tools.py::test_call[readThing]" in done.stdout
    assert "tests/test_tools.py::test_api_error[writeThing]" in done.stdout
    assert "tests/test_tools.py::test_few_arguments[writeThing-required]" in done.stdout
    assert "tests/test_tools.py::test_invalid_arguments[writeThing-no_such_argument]" in done.stdout
    assert "-no credential]" in done.stdout
