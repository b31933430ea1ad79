"""One table: what hosts ask for are the variables of `.env.example`."""

from __future__ import annotations

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


SERVING = (
    "_(ALLOW_ORIGINS|CALLER_AUTH|CALLER_EXCHANGE|EXCHANGE_[A-Z_]+|PUBLIC_HOSTS|MAX_REQUEST_BYTES"
    "|REQUEST_TIMEOUT|SHUTDOWN_TIMEOUT|HTTP_[A-Z_]+|CALLS_[A-Z_]+|AUDIT|AUDIT_VALUES"
    "|TRACE_UPSTREAM|METRICS)$"
)
"""Bundles run over stdio: nobody is asked for these."""


NAMES = sorted(examples.SOURCES.keys() - {"answers", "bodies", "next", "wire"})
"""Those have the variables of the library or the bookshop, with another beginning."""


@pytest.mark.parametrize("name", NAMES)
def test_hosts_are_told_exactly_the_variables_of_the_env_file(name: str) -> None:
    folder = examples.FOLDER / name
    asked = settings.seen_from_here(settings.load(folder / settings.FILE_NAME), folder)
    made = generate.generate(asked, folder, Diagnostics(), old_lock=lock.read(folder))
    shown = made.files[".env.example"]
    assert isinstance(shown, str)
    listed = re.findall(r"^(?:# )?([A-Z]\w+)(?:=| is unset)", shown, re.MULTILINE)
    given = (made.package, made.api, PUBLISHED)
    entry = literals.parsed(registry_entry.server_json(*given, Diagnostics()))
    check_server(entry)
    for package in entry["packages"]:
        assert [each["name"] for each in package["environmentVariables"]] == listed
    manifest = bundle_manifest.manifest(*given, literals.parsed(made.tools_json)["tools"])
    check_manifest(manifest)
    own = [name for name in listed if not re.search(SERVING, name)]
    assert [*manifest["user_config"]] == own
    assert [*manifest["server"]["mcp_config"]["env"]] == own
    for key, option in manifest["user_config"].items():
        assert option["required"] is ("default" not in option), key
