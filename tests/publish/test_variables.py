"""Hosts ask for credentials, and for where the API is; `.env.example` has the same."""

import re

import examples
import pytest

from mcpgen import generate, lock, settings
from mcpgen.diagnostics import Diagnostics
from mcpgen.publish import bundle_manifest, registry_entry
from mcpgen.text import literals

from .schemas import check_manifest, check_server

PUBLISHED = {
    "registry_name": "io.github.acme/shop",
    "image": "ghcr.io/acme/shop",
    "repository": "https://github.com/acme/shop",
    "remotes": ["https://mcp.example.com/mcp"],
}


NAMES = sorted(examples.SOURCES.keys() - {"answers", "bodies", "next", "wire"})
"""Those have the variables of the library or the bookshop, with another beginning."""


@pytest.mark.parametrize("name", NAMES)
def test_hosts_are_told_of_credentials_and_of_what_is_needed(name):
    folder = examples.FOLDER / name
    asked = settings.seen_from_here(settings.load(folder / settings.FILE_NAME), folder)
    made = generate.generate(asked, folder, Diagnostics(), old_lock=lock.read(folder))
    shown = made.files[".env.example"]
    assert isinstance(shown, str)
    listed = re.findall(r"^([A-Z]\w+)=", shown, re.MULTILINE)
    given = (made.package, made.api, PUBLISHED)
    secrets = {name for roles in made.names.apis[""].env.values() for name in roles.values()}
    assert secrets <= {*listed}
    entry = literals.parsed(registry_entry.server_json(*given, Diagnostics()))
    check_server(entry)
    for package in entry["packages"]:
        assert [each["name"] for each in package.get("environmentVariables", ())] == listed
    manifest = bundle_manifest.manifest(*given, literals.parsed(made.tools_json)["tools"])
    check_manifest(manifest)
    assert [*manifest.get("user_config", ())] == listed
    assert [*manifest["server"]["mcp_config"].get("env", ())] == listed
    for key, option in manifest.get("user_config", {}).items():
        assert option["required"] is ("default" not in option), key
