"""The versions of what files are made with."""

from __future__ import annotations

import sys
from importlib import metadata

import pytest

from mcpgen import installed


@pytest.mark.parametrize("distribution", ["ruff", "datamodel-code-generator", "jinja2"])
def test_a_version_is_what_the_metadata_says(distribution: str) -> None:
    assert installed.version(distribution) == metadata.version(distribution)


def test_what_has_no_folder_by_its_name_is_asked_of_the_metadata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(metadata, "version", lambda name: f"{name} of another place")
    assert installed.version("elsewhere") == "elsewhere of another place"


def test_what_is_not_installed_has_no_version() -> None:
    with pytest.raises(metadata.PackageNotFoundError):
        installed.version("no-such-distribution")
