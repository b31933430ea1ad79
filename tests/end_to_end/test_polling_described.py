"""What is said of the answer of an operation that the API finishes later."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import pytest
from command_line import run
from mcp import Client
from mcp_types import CallToolResult
from prepared import python

from .servers import generate
from .test_polling import Script, answer
from .upstream import Upstream


def described(**properties: Any) -> dict[str, Any]:
    """A JSON answer whose members are these, all of them required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"description": "It.", "content": {"application/json": {"schema": schema}}}


ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
WORD, NUMBER = {"type": "string"}, {"type": "integer"}
JOBS = {
    "/exports": {
        "post": {"operationId": "export", "responses": {"202": described(job=WORD)}},
    },
    "/exports/{id}": {
        "get": {"operationId": "getExport", "parameters": [ID], "responses": {}},
    },
    "/reports": {
        "get": {
            "operationId": "report",
            "responses": {"202": {"description": "Later."}, "200": described(pages=NUMBER)},
        }
    },
    "/indexes": {"put": {"operationId": "index", "responses": {"202": described(state=WORD)}}},
    "/indexes/{id}": {
        "get": {
            "operationId": "getIndex",
            "parameters": [ID],
            "responses": {"200": described(state=WORD)},
        }
    },
}
JOBS["/exports/{id}"]["get"]["responses"] = {"200": described(rows=NUMBER)}


@pytest.mark.parametrize(
    ("tool", "poll", "last", "says"),
    [
        ("export", 'result = "/at", operation = "getExport"', {"rows": 3}, "rows"),
        ("export", 'result = "/at", operation = "GET /exports/{id}"', {"rows": 3}, "rows"),
        ("export", 'result = "/at"', {"rows": 3}, None),
        ("export", "", {"status": "done"}, None),
        ("report", "", {"pages": 4}, "pages"),
        ("index", "", {"state": "done"}, "state"),
    ],
)
def test_an_answer_is_judged_by_what_the_operation_ends_with(
    upstream: Upstream, tmp_path: Path, tool: str, poll: str, last: Any, says: str | None
) -> None:
    """It was judged by the schema of the 202, which it never fits: each success had a note."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Press", "version": "1"},
        "servers": [{"url": "https://api.example"}],
        "paths": JOBS,
    }
    (tmp_path / "api.json").write_text(json.dumps(document), "utf-8")
    folder = tmp_path / "press"
    folder.mkdir()
    package = f"press_{tool}_{abs(hash(poll))}"
    toml = f'source = "../api.json"\npackage = "{package}"\n[tools.{tool}]\npoll = {{{poll}}}\n'
    (folder / "mcpgen.toml").write_text(toml, "utf-8")
    server = generate(tmp_path / "api.json", folder, upstream, "--force")
    schema = server.tools[tool].output_schema
    assert says in schema["anyOf"][0]["properties"] if schema and says else schema is says
    ending = [answer(200, {"at": "/exports/9"})] if "result" in poll else []
    api = Script(answer(202, {"job": "7"}, Location="/ops/1"), *ending, answer(200, last))

    async def use(client: Client) -> CallToolResult:
        return await client.call_tool(tool, {})

    result = server.use(use, transport=httpx2.MockTransport(api), base_url=None)
    assert result.structured_content == last
    assert len(result.content) == 1
    subprocess.run(python("-m", "pytest", "-q", "tests"), cwd=folder, check=True)


def test_an_operation_that_is_not_in_the_document_ends_nothing(tmp_path: Path) -> None:
    document = {"openapi": "3.1.0", "info": {"title": "Press", "version": "1"}, "paths": JOBS}
    (tmp_path / "api.json").write_text(json.dumps(document), "utf-8")
    toml = 'source = "api.json"\n[tools.export.poll]\noperation = "getExports"\n'
    (tmp_path / "mcpgen.toml").write_text(toml, "utf-8")
    done = run("from-openapi", str(tmp_path / "api.json"), "-o", str(tmp_path), "--force")
    assert done.exit_code == 1
    assert "Did you mean `getExport`?" in done.stderr
