"""Who a server is, as `mcpgen.toml` says."""

from pathlib import Path

import pytest
from command_line import run
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from tables import table

API = """openapi: 3.1.0
info: {title: Pets, version: "2024-01"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get: {operationId: listPets, summary: List, responses: {"200": {description: ok}}}
"""
IDENTITY = """source = "../api.yaml"
version = "1.4.0rc1"
title = 'Acme "Gateway"'
description = "Pets and all else."
website = "https://acme.example/gateway"
icons = ["https://acme.example/icon.svg"]
license = "Apache-2.0"
authors = ["Ann Example <ann@example.com>", "Acme", "<ops@example.com>"]
instructions = "Look up pets first."
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "api.yaml").write_text(API)
    (tmp_path / "s").mkdir()
    return tmp_path / "s"


def test_a_server_is_who_its_settings_say(folder):
    (folder / "mcpgen.toml").write_text(IDENTITY)
    assert run("update", str(folder)).exit_code == 0
    core = ProjectMetadata(str(folder), PluginManager()).core
    assert core.version == "1.4.0rc1"
    assert core.description == "Pets and all else."
    assert core.license_expression == "Apache-2.0"
    assert core.authors_data == {
        "name": ["Acme"],
        "email": ["Ann Example <ann@example.com>", "ops@example.com"],
    }
    assert core.urls == {"Homepage": "https://acme.example/gateway"}
    [server] = folder.glob("*/server.py")
    text = server.read_text()
    assert 'version="1.4.0rc1"' in text
    assert "Acme" in text
    assert 'description="Pets and all else."' in text
    assert 'website_url="https://acme.example/gateway"' in text
    assert "https://acme.example/icon.svg" in text
    assert 'instructions="Look up pets first."' in text
    assert run("check", str(folder)).exit_code == 0


@table(
    "line, said",
    ('version = "one"', "`version` cannot be 'one'"),
    (r'version = "1.0\n"', "such as 1.2.0"),
    ('license = "My own"', "`license` cannot be 'My own'"),
    ('license = "MITT"', "`license` is not an SPDX license expression"),
    ('authors = ["<no address>"]', "an entry of `authors` cannot be"),
    ('authors = ["Ann <a..b@acme.example>"]', "an entry of `authors` cannot be"),
    ('authors = ["Ann <a,b@acme.example>"]', "an entry of `authors` cannot be"),
    ('authors = [" "]', "an entry of `authors` cannot be"),
    ('website = "javascript:alert(1)"', "`website` cannot be 'javascript:alert(1)'"),
    ('icons = ["http://acme.example/a.png"]', "an entry of `icons` cannot be"),
    ('authors = "Ann"', "`authors` must be"),
)
def test_what_would_break_the_package_is_refused(line, said, folder):
    (folder / "mcpgen.toml").write_text(f'source = "../api.yaml"\n{line}\n')
    result = run("update", str(folder))
    assert result.exit_code == 1
    assert said in result.stderr
    assert "mcpgen.toml:2:1" in result.stderr
    assert [path.name for path in folder.iterdir()] == ["mcpgen.toml"]
