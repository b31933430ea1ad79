"""The scopes that callers over HTTP need: the document's own, or those of `mcpgen.toml`."""

import json
from typing import Any

import pytest
from command_line import run

from .servers import packaged

FLOW = {"tokenUrl": "https://a.example/t", "scopes": {"read": "", "write": "", "all": ""}}
SCHEMES = {
    "login": {"type": "oauth2", "flows": {"clientCredentials": FLOW}},
    "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://a.example/.well-known/x"},
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
}
SECURITY: dict[str, Any] = {
    "byDefault": None,
    "either": [{"login": ["write", "read"]}, {"oidc": ["all"]}],
    "together": [{"login": ["write"], "oidc": ["all"], "key": ["role"]}],
    "orByKey": [{"login": ["write"]}, {"key": []}],
    "orNothing": [{"login": ["write"]}, {}],
    "forLater": [{"login": ["write", "offline_access"]}],
    "forLaterOnly": [{"login": ["offline_access"]}],
    "open": [],
    "ownWords": [{"login": ["write"]}],
    "freed": [{"login": ["write"]}],
}
SETTINGS = """
[tools.ownWords]
name = "renamed"
scopes = ["one", "two"]
[tools.freed]
scopes = []
"""


@pytest.mark.parametrize("every", [(), ("all:use",)])
def test_scopes_come_from_security_and_from_settings(upstream, tmp_path, every):
    """Those of `[tools."*"]` hold for what would be open, and only for that."""
    paths = {}
    for name, security in SECURITY.items():
        operation = {"operationId": name, "responses": {"204": {"description": ""}}}
        if security is not None:
            operation["security"] = security
        paths[f"/{name}"] = {"get": operation}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Scoped Shop", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": SCHEMES},
        "security": [{"login": ["read"]}],
    }
    common = f'[tools."*"]\nscopes = {json.dumps(every)}\n' if every else ""
    server = packaged(document, tmp_path, upstream, settings=SETTINGS + common)
    folder = server.folder
    elsewhere = ("orByKey", "orNothing", "forLaterOnly", "open") if every else ()
    assert json.loads((folder / server.package / "access.json").read_text()) == {
        **{tool: [["all:use"]] for tool in elsewhere},
        "byDefault": [["read"]],
        "either": [["read", "write"], ["all"]],
        "together": [["all", "write"]],
        "forLater": [["write"]],
        "renamed": [["one", "two"]],
    }
    assert "access.json` says which scopes" in (folder / "DEPLOY.md").read_text()
    with (folder / "mcpgen.toml").open("a") as file:
        file.write('[tools.open]\nscopes = ["own"]\n[tools.forLater]\nscopes = []\n')
    told = [f"open: caller-scopes: {'all:use' if every else 'none'} -> own", "write -> none"]
    for command in ("check", "update"):
        output = run(command, str(folder)).output
        assert [line in output for line in told] == [True, True], output
