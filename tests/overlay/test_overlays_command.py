"""Overlays at the command line and in `mcpgen.toml`."""

import json
from pathlib import Path

import pytest
from command_line import run

API = """openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get: {operationId: listPets, summary: List, responses: {"200": {description: ok}}}
    delete: {operationId: deletePets, summary: Delete, responses: {"200": {description: ok}}}
"""
FIX = """overlay: 1.1.0
info: {title: Fix, version: 1.0.0}
extends: api.yaml
actions:
  - target: $.paths.*.delete
    remove: true
  - target: $.paths['/pets'].get
    update: {summary: All pets of the shop}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api.yaml").write_text(API)
    (tmp_path / "fix.yaml").write_text(FIX)
    return tmp_path


def test_a_server_is_made_checked_and_updated_with_its_overlays(folder):
    given = ("api.yaml", "--overlay", "fix.yaml", "--runtime", "package", "-o", "s")
    assert run("from-openapi", *given).exit_code == 0
    assert 'overlays = ["../fix.yaml"]' in (folder / "s" / "mcpgen.toml").read_text()
    tools = folder / "s" / "pets_mcp" / "tools.json"
    assert [t["title"] for t in json.loads(tools.read_text())["tools"]] == ["All pets of the shop"]
    assert "fix.yaml" in json.loads((folder / "s" / "mcpgen.lock").read_text())["sources"]
    assert run("check", "s").exit_code == 0
    (folder / "fix.yaml").write_text(FIX.replace("All pets", "Each pet"))
    assert run("check", "s").exit_code == 3
    assert run("update", "s").exit_code == 0
    assert "Each pet of the shop" in tools.read_text()
    assert run("check", "s").exit_code == 0


def test_a_further_source_has_overlays_of_its_own(folder):
    (folder / "s").mkdir()
    (folder / "other.yaml").write_text(API.replace("Pets", "Cats"))
    (folder / "s" / "mcpgen.toml").write_text(
        'source = "../api.yaml"\nruntime = "package"\n'
        '[[with]]\nsource = "../other.yaml"\nprefix = "cats_"\noverlays = ["../fix.yaml"]\n'
    )
    assert run("update", "s").exit_code == 0
    [tools] = (folder / "s").glob("*/tools.json")
    names = [tool["name"] for tool in json.loads(tools.read_text())["tools"]]
    assert names == ["listPets", "deletePets", "cats_listCats"]
    assert run("check", "s").exit_code == 0


def test_the_result_is_printed(folder):
    result = run("overlay", "api.yaml", "fix.yaml")
    assert result.exit_code == 0
    assert list(json.loads(result.stdout)["paths"]["/pets"]) == ["get"]


def test_documents_are_inspected_and_compared_with_overlays(folder):
    assert "deletePets" not in run("inspect", "api.yaml", "--overlay", "fix.yaml").stdout
    assert "deletePets" in run("inspect", "api.yaml").stdout


@pytest.mark.parametrize("command", ["from-openapi", "from-schema"])
def test_an_overlay_in_the_place_of_its_document_is_recognised(command, folder):
    result = run(command, "fix.yaml", "-o", "s")
    assert result.exit_code == 1
    assert "fix.yaml:1:1" in result.stderr
    assert "`api.yaml --overlay fix.yaml`" in result.stderr
    assert not (folder / "s").exists()


def test_a_document_in_the_place_of_an_overlay_is_refused(folder):
    result = run("from-openapi", "api.yaml", "--overlay", "api.yaml", "-o", "s")
    assert result.exit_code == 1
    assert "this is not an overlay" in result.stderr
    assert not (folder / "s").exists()


def test_an_overlay_that_is_not_there_is_told(folder):
    result = run("from-openapi", "api.yaml", "--overlay", "none.yaml", "-o", "s")
    assert result.exit_code == 1
    assert "cannot read none.yaml: there is no such file" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_overlay_is_not_read_from_standard_input(folder):
    result = run("from-openapi", "api.yaml", "--overlay", "-", "-o", "s")
    assert result.exit_code == 1
    assert "an entry of `overlays` cannot be '-'" in result.stderr
