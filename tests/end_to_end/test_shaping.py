"""`redact` and `fields` of single tools: what agents see of an answer, and what is advertised."""

import json
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run

from .servers import Call, Server, packaged, read
from .upstream import Answer

SETTINGS = """output_schema = "strict"
output_schema_bytes = 8192
[tools.redacted]
redact = ["$.customer.email", "$.lines[*].cost"]
[tools.projected]
redact = ["$['customer'].email"]
fields = ["$.id", "$.customer.id", "$.customer.email", "$.lines[*].sku"]
[tools.anywhere]
redact = ["$..email"]
[tools.listed]
fields = ["$[*].id"]
"""
SEEN = {"id": 1, "email": "ann@canary.example"}
WHOLE = {
    "id": 7,
    "customer": {**SEEN, "referrer": SEEN},
    "clerk": {"id": 2, "email": "clerk@shop.example"},
    "lines": [{"sku": "a", "cost": 1.5}, {"sku": "b", "cost": 2}],
}
MASK = "[redacted]"


@pytest.fixture(scope="module")
def shop(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shaped")
    return packaged(
        "shaped-shop", folder, upstream, "--strict", "--base-url", upstream.url, settings=SETTINGS
    )


def called(shop: Server, tool: str, value: Any, status: int = 200) -> Call:
    return shop.call(tool, {}, Answer.of(value, status))


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("content_type", ["text/html", "application/json", "application/pdf"])
def test_what_is_not_json_is_withheld(shop, content_type, status):
    page = Answer(b"<p>ann@canary.example</p>", content_type, status)
    call = shop.call("redacted", {}, page)
    assert "canary" not in call.result.model_dump_json()
    assert "withheld" in call.text


def test_what_is_redacted_and_kept(shop):
    expected = {
        **WHOLE,
        "customer": {**SEEN, "email": MASK, "referrer": SEEN},
        "lines": [{"sku": "a", "cost": MASK}, {"sku": "b", "cost": MASK}],
    }
    assert called(shop, "redacted", WHOLE).data == expected
    schema = shop.tools["redacted"].output_schema
    masked = schema["properties"]["customer"]
    assert masked["properties"]["email"]["const"] == MASK
    plain = schema["$defs"][schema["properties"]["clerk"]["$ref"].rpartition("/")[2]]
    assert plain["properties"]["email"] == {"type": "string"}
    expected = {
        "id": 7,
        "customer": {"id": 1, "email": MASK},
        "lines": [{"sku": "a"}, {"sku": "b"}],
    }
    assert called(shop, "projected", WHOLE).data == expected
    schema = shop.tools["projected"].output_schema
    assert set(schema["properties"]) == {"id", "customer", "lines"}
    assert "clerk" not in json.dumps(schema)
    assert "cost" not in json.dumps(schema)
    value = {"id": 1, "email": "x", "referrer": SEEN, "extra": [{"email": ["y"]}]}
    masked = {"id": 1, "email": MASK, "referrer": {"id": 1, "email": MASK}}
    assert called(shop, "anywhere", value).data == {**masked, "extra": [{"email": MASK}]}
    schema = shop.tools["anywhere"].output_schema
    assert MASK in json.dumps(schema["properties"]["email"])
    assert called(shop, "listed", [SEEN, SEEN]).data == {"result": [{"id": 1}, {"id": 1}]}
    assert "email" not in json.dumps(shop.tools["listed"].output_schema)
    assert called(shop, "untouched", WHOLE).data == WHOLE
    body = {"message": "no such order", "customer": SEEN, "clerk": {"id": 3}}
    for tool in ("redacted", "projected"):
        text = called(shop, tool, body, 404).failed
        assert "canary" not in text
        assert "no such order" in text
        assert MASK in text
    twice = Answer(b'{"customer": {"email": "a@canary"}, "customer": {"email": "b@canary"}}')
    assert "canary" not in shop.call("redacted", {}, twice).result.model_dump_json()
    other = {"data": WHOLE}
    call = called(shop, "projected", other)
    assert call.result.structured_content == {}
    assert "none of the fields" in call.text
    assert called(shop, "projected", {"customer": None, "id": [1]}).result.structured_content == {
        "customer": None,
        "id": [1],
    }
    done = generated_tests.run(shop.folder, "-x")
    assert done.returncode == 0, done.stdout


def outputs(tmp_path: Path, table: str) -> dict[str, Any]:
    """The output schemas of a server with that table in its settings."""
    folder = tmp_path / "server"
    folder.mkdir()
    (tmp_path / "api.json").write_text(json.dumps(read("shaped-shop")))
    (folder / "mcpgen.toml").write_text(table)
    done = run("from-openapi", str(tmp_path / "api.json"), "-o", str(folder), "--force")
    assert done.exit_code == 0, done.output
    (listed,) = folder.glob("*/tools.json")
    tools = json.loads(listed.read_text())["tools"]
    return {tool["name"]: tool.get("outputSchema") for tool in tools}


def test_what_is_promised_of_answers_is_chosen_for_single_tools(tmp_path):
    found = outputs(
        tmp_path,
        'output_schema_bytes = 64\n[tools.redacted]\noutput_schema = "none"\n'
        '[tools.projected]\noutput_schema = "strict"\noutput_schema_bytes = 8192\n',
    )
    assert found["redacted"] is None
    assert found["projected"]["required"] == ["id", "customer", "lines"]
    assert "required" not in found["untouched"]
    assert len(json.dumps(found["untouched"])) < len(json.dumps(found["projected"]))
