"""`--reference-root`: a folder above the document's own, below which references lead anywhere."""

import json
import subprocess
from pathlib import Path

import pytest
from command_line import run
from git_there import needs_git
from typer.testing import Result

API = "apis/berths/stable/api.json"
COMMON = "apis/common/types.json"


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def berths(reference: str) -> dict[str, object]:
    operation = {"operationId": "getBerth", "parameters": [{"$ref": reference}], "responses": {}}
    info = {"title": "Berths", "version": "1"}
    return {"swagger": "2.0", "info": info, "paths": {"/berths/{id}": {"get": operation}}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    parameter = {"name": "id", "in": "path", "required": True, "type": "integer"}
    write(tmp_path / API, berths("../../common/types.json#/parameters/Id"))
    write(tmp_path / COMMON, {"parameters": {"Id": parameter}})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mcpgen(*arguments: str) -> Result:
    return run(*arguments, catch_exceptions=False)


def test_files_below_it_are_read_when_the_server_is_updated_too(here, monkeypatch):
    refused = mcpgen("from-openapi", API, "-o", "server")
    assert refused.exit_code == 1
    assert "the folder above both, `apis`, as --reference-root" in " ".join(refused.output.split())

    assert mcpgen("from-openapi", API, "-o", "server", "--reference-root", "apis").exit_code == 0
    (tools,) = here.glob("server/*/tools.json")
    assert '"integer"' in tools.read_text()
    assert '\nreference_root = "../apis"\n' in (here / "server" / "mcpgen.toml").read_text()

    write(here / COMMON, json.loads((here / COMMON).read_text().replace("integer", "string")))
    monkeypatch.chdir(here / "server")
    assert mcpgen("check", ".").exit_code == 3
    assert mcpgen("update", ".").exit_code == 0
    assert '"integer"' not in tools.read_text()


@pytest.mark.parametrize("reference", ["../../../x.json#/a", "../../.hidden/../../../x.json#/a"])
def test_nothing_beside_it_is_read(here, reference):
    write(here / "x.json", {"a": {"name": "id", "in": "path", "required": True, "type": "string"}})
    write(here / API, berths(reference))
    done = mcpgen("from-openapi", API, "-o", "server", "--reference-root", "apis")
    assert done.exit_code == 1
    assert "leads out of" in done.output


def test_a_document_elsewhere_keeps_to_its_own_folder(here):
    write(here / "unrelated" / "more.json", {})
    done = mcpgen("from-openapi", API, "-o", "server", "--reference-root", "unrelated")
    assert done.exit_code == 1
    assert "leads out of" in done.output


@needs_git
def test_documents_are_inspected_and_compared_with_it_too(here):
    """What a refusal names is a flag of these commands as well."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", *command], check=True)
    assert "as --reference-root" in mcpgen("inspect", API).output
    inspected = mcpgen("inspect", API, "--json", "--reference-root", "apis")
    assert json.loads(inspected.stdout)["count"] == 1
    write(here / COMMON, json.loads((here / COMMON).read_text().replace("integer", "string")))
    done = mcpgen("diff", f"HEAD:{API}", API, "--reference-root", str(here / "apis"))
    assert "getBerth: input-narrowed `id`: integer -> string" in done.stdout
    lost = mcpgen("diff", f"HEAD:{API}", API, "--reference-root", "nowhere")
    assert (lost.exit_code, lost.stdout) == (1, "")
