"""What mcpgen adds to a description comes where no client cuts it off."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import run
from openapi_reading import one, read_document

from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.text.prose import CUT_AT, with_ours

BODY = {
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["q"],
                "properties": {"q": {"type": "string"}, "t": {"type": "string"}},
            }
        }
    }
}
ANSWERS = {"200": {"description": "Rows"}, "202": {"description": "Accepted, ask again"}}


def test_ours_come_before_what_is_cut(tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {number}: {'detail ' * 40}" for number in range(20))
    operation = {"summary": "Run a query", "description": long, "deprecated": True}
    operation |= {"requestBody": BODY, "responses": ANSWERS}
    text = wire_tool(read_document(one(operation, method="post"), tmp_path).tool)["description"]
    assert text.startswith("Run a query\n\n")
    for ours in ("Status 202: Accepted", "Deprecated:", "unless there is no request body"):
        assert 0 < text.index(ours) < CUT_AT
    assert text.rstrip().endswith("detail")


def test_in_a_short_description_they_are_last(tmp_path: Path) -> None:
    operation = {"summary": "Run a query", "description": "Of rows.", "deprecated": True}
    text = read_document(one(operation), tmp_path).tool.description
    assert text.startswith("Run a query\n\nOf rows.")
    assert "Deprecated" in text.rpartition("\n\n")[2]


def test_a_first_paragraph_that_is_long_itself_comes_after() -> None:
    text = "word " * 1000
    assert with_ours(text, "Ours.") == f"Ours.\n\n{text}"
    assert with_ours("", "Ours.") == "Ours."
    assert with_ours(text, "") == text


def test_inspect_tells_of_instructions_that_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    info = {"title": "Long", "version": "1", "description": "Read this before. " * 150}
    path.write_text(json.dumps({"openapi": "3.1.0", "info": info, **one({})}), encoding="utf-8")
    done = run("inspect", str(path), "--client", "claude", "--json")
    found = json.loads(done.stdout)["problems"]
    assert ("claude-cut", "instructions") in {(each["code"], each["where"]) for each in found}
