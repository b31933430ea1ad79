"""The versions of what files are made with."""

import sys
from importlib import metadata
from pathlib import Path

import pytest

from mcpgen import format


@pytest.mark.parametrize("distribution", ["ruff", "datamodel-code-generator", "jinja2"])
def test_a_version_is_what_the_metadata_says(distribution: str) -> None:
    assert format.version(distribution) == metadata.version(distribution)


def test_a_name_that_begins_alike_is_another_distribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("alike-lsp-9.0", "alike-1.2.post1"):
        (tmp_path / f"{name}.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert format.version("alike") == "1.2.post1"


def test_what_has_no_folder_by_its_name_is_asked_of_the_metadata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(metadata, "version", lambda name: f"{name} of another place")
    assert format.version("elsewhere") == "elsewhere of another place"


def test_what_is_not_installed_has_no_version() -> None:
    with pytest.raises(metadata.PackageNotFoundError):
        format.version("no-such-distribution")
