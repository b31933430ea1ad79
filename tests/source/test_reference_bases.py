"""Folders that stand for what begins with a URL."""

import json
import os
from pathlib import Path

import pytest
from command_line import run
from documents import load
from tables import table
from written_documents import referring, write

from mcpgen.diagnostics import GenerationError
from mcpgen.source import fetch
from mcpgen.source.document import Node

URL = "https://raw.example.com/acme/specs/main"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a repository of schemas; nothing is fetched."""
    monkeypatch.setattr(fetch.Fetcher, "__call__", None)
    folder = tmp_path / "elsewhere/specs"
    write(folder / "shared/pet.json", {"$ref": "../parts/name.json#/Name"})
    write(folder / "parts/name.json", {"Name": {"type": "string", "title": "A name"}})
    write(folder / "more/pet.json", {"title": "of more"})
    write(tmp_path / "elsewhere/secret.json", {"title": "secret"})
    return folder


def target(tmp_path: Path, reference: str, bases: dict[str, Path] | None = None) -> Node:
    path = referring(tmp_path / "docs/api.json", reference)
    document = load(path, bases=bases or {URL: tmp_path / "elsewhere/specs"})
    return document.node(document.root.file, "/components/schemas/S0").resolve()


@table(
    "reference, title",
    (f"{URL}/shared/pet.json", "A name"),
    (f"{URL.replace('raw', 'RAW')}/parts/name.json#/Name", "A name"),
    (f"{URL}/parts/na%6De.json#/Name", "A name"),
    (f"{URL.replace('https', 'HTTPS').replace('.com', '.com:443')}/more/pet.json", "of more"),
)
def test_what_is_below_the_url_is_read_in_the_folder(tmp_path, copy, reference, title):
    assert target(tmp_path, reference).value["title"] == title


@table(
    "reference",
    f"{URL}-other/shared/pet.json",
    f"{URL}/../secret.json",
    f"{URL}/shared/%2e%2e/%2e%2e/secret.json",
    f"{URL}/shared/pet.json?token=1",
    URL.replace("https", "http") + "/shared/pet.json",
    URL.replace("raw.", "") + "/shared/pet.json",
    "https://raw.example.com/acme/specs/other/pet.json",
)
def test_what_is_not_below_it_is_refused(tmp_path, copy, reference):
    with pytest.raises(GenerationError) as caught:
        target(tmp_path, reference)
    [found] = caught.value.diagnostics
    assert found.code == "remote-reference"
    assert "--reference-base URL=FOLDER" in (found.hint or "")


@pytest.mark.parametrize("inner", ["../../secret.json", "out.json"])
def test_a_file_of_the_folder_leads_out_of_it_no_more_than_the_document(tmp_path, copy, inner):
    write(copy / "shared/pet.json", {"$ref": inner})
    if inner == "out.json":
        os.symlink(tmp_path / "elsewhere/secret.json", copy / "shared/out.json")
    with pytest.raises(GenerationError) as caught:
        target(tmp_path, f"{URL}/shared/pet.json")
    assert caught.value.diagnostics[0].code == "escaping-reference"


def test_the_longest_url_wins(tmp_path, copy):
    bases = {URL: copy / "shared", f"{URL}/x": copy / "more"}
    assert target(tmp_path, f"{URL}/x/pet.json", bases).value["title"] == "of more"


def test_the_settings_keep_the_folder_as_the_server_sees_it(tmp_path, copy, monkeypatch):
    schema = {"$ref": f"{URL}/shared/pet.json"}
    content = {"application/json": {"schema": schema}}
    operation = {"operationId": "add", "responses": {"200": {"description": "ok"}}}
    write(
        tmp_path / "docs/api.json",
        {
            "openapi": "3.1.0",
            "info": {"title": "Bases", "version": "1"},
            "servers": [{"url": "https://api.example.com"}],
            "paths": {"/a": {"post": {**operation, "requestBody": {"content": content}}}},
        },
    )
    monkeypatch.chdir(tmp_path)
    flags = ["--reference-base", f"{URL}=elsewhere/specs", "--runtime", "package"]
    done = run("from-openapi", "docs/api.json", "-o", "made/server", *flags)
    assert done.exit_code == 0, done.output
    toml = (tmp_path / "made/server/mcpgen.toml").read_text()
    assert f'reference_bases = ["{URL}=../../elsewhere/specs"]' in toml
    monkeypatch.chdir(tmp_path / "made")
    assert run("check", "server").exit_code == 0
    write(copy / "parts/name.json", {"Name": {"type": "integer"}})
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    tools = json.loads((tmp_path / "made/server/bases_mcp/tools.json").read_text())
    assert '"integer"' in json.dumps(tools)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    path = referring(tmp_path / "docs/api.json", f"{URL}/pet.json")
    done = run("inspect", str(path), "--reference-base", f"{URL}=nowhere")
    assert done.exit_code == 1
    assert "nowhere: there is no such folder" in done.output
    done = run("inspect", str(path), "--reference-base", "specs")
    assert done.exit_code in (1, 2)
    assert "specs" in done.output
