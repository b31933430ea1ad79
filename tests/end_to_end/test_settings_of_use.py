"""Settings that take words away, and give a further source its own place."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from .servers import generate_from, openapi
from .upstream import Answer

ANSWERS = {"responses": {"204": {"description": "done"}}}
OAUTH = {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/t", "scopes": {}}}}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, document: dict[str, Any]) -> None:
    Path(name).write_text(json.dumps(document))


def test_a_default_of_a_tool_file_is_sent(upstream, tmp_path):
    limit = {"type": "integer", "default": 10}
    schema = {"type": "object", "properties": {"limit": limit, "page": {"type": "integer"}}}
    http = {"method": "GET", "path": "/jobs"}
    tool = {"name": "find_jobs", "description": "Finds jobs.", "inputSchema": schema, "http": http}
    file = {"server": {"name": "jobs_by_default"}, "tools": [tool]}
    server = generate_from(file, tmp_path, upstream)
    for given, target in (({}, "/jobs?limit=10"), ({"limit": 3}, "/jobs?limit=3")):
        call = server.call("find_jobs", given, Answer.of({}))
        assert call.request.target == target


@pytest.mark.parametrize("replaces", [True, False])
def test_a_further_source_has_its_own_address_and_scopes(here, replaces):
    written("one.json", openapi("One", {"/one": {"get": ANSWERS}}))
    own = {"security": [{"login": ["other:read"]}]}
    parts = {"components": {"securitySchemes": {"login": OAUTH}}}
    written("two.json", openapi("Two", {"/two": {"get": {**ANSWERS, **own}}}, **parts))
    Path("made").mkdir()
    Path("made/mcpgen.toml").write_text(
        '[[with]]\nsource = "../two.json"\nbase_url = "https://two.example/v1"\n'
        f'scopes = ["ours"]\nreplace_scopes = {str(replaces).lower()}\n'
    )
    done = run("from-openapi", "one.json", "-o", "made", "--base-url", "https://one.example")
    assert done.exit_code == 0, done.output
    assert "does not say at which host" not in done.output
    assert "https://two.example/v1" in Path("made/one_mcp/api.py").read_text()
    access = json.loads(Path("made/one_mcp/access.json").read_text())
    assert [*access.values()] == [[["ours" if replaces else "other:read"]]]


def test_warnings_that_are_known_are_not_told_again(here):
    paths = {"/one": {"get": {**ANSWERS, "parameters": [{"name": "a", "in": "query"}]}}}
    written("one.json", openapi("One", paths, servers=[{"url": "https://one.example"}]))
    told = json.loads(run("from-openapi", "one.json", "-o", "made", "--json").stdout)
    codes = {each["code"] for each in told["diagnostics"] if each["severity"] == "warning"}
    assert codes
    Path("made/mcpgen.toml").write_text(f'source = "../one.json"\nignore = {sorted(codes)}\n')
    assert run("update", "made", "--force").exit_code == 0
    done = run("from-openapi", "one.json", "-o", "made", "--strict", "--json")
    assert done.exit_code == 0, done.output
    assert not [d for d in json.loads(done.stdout)["diagnostics"] if d["severity"] == "warning"]


def test_what_has_no_place_names_its_server_where_there_are_several(here):
    for name in ("one", "two"):
        document = openapi(name, {"/one": {"get": ANSWERS}})
        document["paths"]["/one"]["get"]["parameters"] = [{"name": "a", "in": "query"}]
        written(f"{name}.json", document)
    done = run("init", "servers", "one.json", "two.json")
    assert "`mcpgen check --full` shows the warnings" in done.stdout
    for name in ("one", "two"):
        with Path(f"servers/{name}/mcpgen.toml").open("a") as file:
            file.write('title = "Another"\n')
    done = run("update")
    for name in ("one", "two"):
        assert f"note[server]: servers/{name}: the document" in done.stderr


def test_a_summary_that_was_quoted_twice_is_one_line(here):
    get = {**ANSWERS, "summary": "Lists ships\\nand more", "operationId": "ships"}
    written("one.json", openapi("One", {"/one": {"get": get}}))
    assert run("from-openapi", "one.json", "-o", "made").exit_code == 0
    (handler,) = [p for p in Path("made/one_mcp/handlers").glob("*.py") if p.stem != "__init__"]
    assert '"""Lists ships' in handler.read_text()
    assert "\\n" not in handler.read_text()
