"""What a release asks before it publishes: of PyPI, of bills of materials and of the changes."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from document_host import Api

from mcpgen import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "REPOSITORY", "acme/mcpgen")
    return module


def answer(api: Api, path: str, value: Any) -> None:
    body = json.dumps(value).encode()

    def reply(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    api.routes[path] = reply


def published(api: Api, name: str, repository: str) -> None:
    """A project on PyPI whose newest version a repository's workflow published."""
    project = {
        "info": {"version": "0.0.9"},
        "releases": {"0.0.9": []},
        "urls": [{"filename": f"{name}.whl"}],
    }
    bundle = {"publisher": {"kind": "GitHub", "repository": repository}, "attestations": [{}]}
    answer(api, f"/pypi/{name}/json", project)
    path = f"/integrity/{name}/0.0.9/{name}.whl/provenance"
    answer(api, path, {"version": 1, "attestation_bundles": [bundle]})


def test_only_names_that_are_free_or_ours_are_published_under(
    release: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pypi = Api()
    monkeypatch.setattr(release, "PYPI", pypi.url)
    try:
        assert list(release.names("0.1.0")) == []
        published(pypi, "mcpgen", "acme/mcpgen")
        assert list(release.names("0.1.0")) == []
        assert list(release.names("0.0.9")) == ["mcpgen: 0.0.9 is there already"]
        published(pypi, "mcpgen-runtime", "acme/mcpgen-but-another")
        (said,) = release.names("0.1.0")
        assert said == "mcpgen-runtime: another's, for no provenance names acme/mcpgen"
        del pypi.routes["/integrity/mcpgen/0.0.9/mcpgen.whl/provenance"]
        assert len(list(release.names("0.1.0"))) == 2
    finally:
        pypi.close()


def test_what_has_no_licence_or_one_that_asks_for_more_is_told(
    release: ModuleType, tmp_path: Path
) -> None:
    licences: dict[str, list[Any]] = {
        "a": [{"expression": "MIT"}],
        "b": [{"license": {"name": "License :: OSI Approved :: BSD License"}}],
        "c": [{"license": {"id": "GPL-3.0-only"}}],
        "d": [],
        "e": [{"license": {"id": "MPL-2.0"}}, {"license": {"id": "GPL-2.0-or-later"}}],
    }
    rows = [{"name": name, "version": "1", "licenses": each} for name, each in licences.items()]
    bill = tmp_path / "bill.json"
    bill.write_text(json.dumps({"components": rows}))
    assert list(release.licences(str(bill))) == ["c 1: GPL-3.0-only", "d 1: no licence"]
    bill.write_text("{}")
    assert list(release.licences(str(bill))) == [f"{bill}: there are no components"]


def test_the_notes_of_a_release_are_its_part_of_the_changes(
    release: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(release.notes(__version__)) == []
    said = capsys.readouterr().out
    assert said.strip()
    assert "\n## " not in said
    assert list(release.notes("9.9.9")) == ["CHANGELOG.md does not tell of 9.9.9"]
