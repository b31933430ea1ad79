"""`[security_schemes]` in mcpgen.toml: how to sign in where a document does not say."""

import json
from pathlib import Path
from typing import Any

from command_line import run
from tables import table

BEARER = '[security_schemes.token]\ntype = "http"\nscheme = "bearer"\n'
OWN = {"basic": {"type": "basic"}}
FIRST = 'source = "../api.json"\nruntime = "package"\n'


def update(folder: Path, toml: str, document: dict[str, Any]) -> Any:
    """A server of the document with these settings."""
    paths = {
        "/boats": {"get": {"operationId": "listBoats"}},
        "/open": {"get": {"operationId": "listPiers", "security": []}},
    }
    whole = {"info": {"title": "Marina", "version": "1"}, "paths": paths, **document}
    (folder / "api.json").write_text(json.dumps(whole))
    (folder / "server").mkdir()
    (folder / "server" / "mcpgen.toml").write_text(f"{FIRST}{toml}")
    return run("update", str(folder / "server"))


@table(
    "document, scheme",
    ({"openapi": "3.1.0"}, "Bearer"),
    ({"swagger": "2.0"}, "Bearer"),
    ({"swagger": "2.0", "securityDefinitions": OWN, "security": [{"basic": []}]}, "Basic"),
)
def test_calls_are_signed_where_the_document_says_nothing(tmp_path, document, scheme):
    done = update(tmp_path, BEARER, document)
    assert done.exit_code == 0, done.output
    assert "no operation uses" not in done.output
    cases = json.loads((tmp_path / "server" / "tests" / "cases.json").read_text())["cases"]
    sent: dict[str, set[str]] = {}
    for case in cases:
        if "request" in case:
            header = case["request"]["headers"].get("authorization", "none")
            sent.setdefault(case["tool"], set()).add(header.split()[0])
    assert scheme in sent["listBoats"]
    assert sent["listPiers"] == {"none"}


@table(
    "toml, said",
    ("security_schemes = 1", "`security_schemes` must be a table"),
    ("[security_schemes]\ntoken = 1", '`security_schemes."token"` must be a table'),
    ('[security_schemes.token]\ntype = "bearer"', "must be one of apiKey, http, oauth2"),
    ('[security_schemes.token]\ntype = "http"', "has no `scheme`"),
    ('[security_schemes.token]\ntype = "oauth2"\nflows = "a"', ".flows` must be a table"),
    ('[security_schemes."a b"]\ntype = "http"', "the name does not match"),
)
def test_a_table_that_says_too_little_is_refused(tmp_path, toml, said):
    done = update(tmp_path, toml, {"openapi": "3.1.0"})
    assert done.exit_code == 1
    assert said in done.output
    assert "mcpgen.toml:" in done.output
    assert not (tmp_path / "server" / "README.md").exists()
