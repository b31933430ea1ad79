"""The scopes that callers over HTTP need: the document's own, or those of `mcpgen.toml`."""

import json

import pytest
from command_line import run

from .servers import packaged

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
    common = f'[tools."*"]\nscopes = {json.dumps(every)}\n' if every else ""
    server = packaged("scoped-shop", tmp_path, upstream, settings=SETTINGS + common)
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
