"""Where calls and secrets go is compared: it was no change that all of them go elsewhere."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import run

SPECS = Path(__file__).parents[2] / "specs"
FLOWS = {
    "clientCredentials": {"tokenUrl": "https://login.shop.example/token", "scopes": {}},
    "authorizationCode": {
        "authorizationUrl": "https://login.shop.example/authorize",
        "tokenUrl": "https://login.shop.example/token",
        "scopes": {},
    },
}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [
        {
            "url": "https://{place}.shop.example/v1",
            "variables": {"place": {"default": "eu"}},
        }
    ],
    "security": [{"key": []}, {"login": []}],
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "login": {"type": "oauth2", "flows": FLOWS},
            "till": {"type": "http", "scheme": "digest"},
        }
    },
    "paths": {
        "/a": {"get": {"operationId": "a", "responses": {}}},
        "/b": {
            "get": {
                "operationId": "b",
                "responses": {},
                "servers": [{"url": "https://files.shop.example"}],
            }
        },
    },
}
SCHEMES = DOCUMENT["components"]["securitySchemes"]


def server(document: Any) -> None:
    document["servers"] = [{"url": "https://evil.example/v1"}]


def variable(document: Any) -> None:
    document["servers"][0]["variables"]["place"]["default"] = "evil.example/"


def further(document: Any) -> None:
    document["servers"].append({"url": "https://evil.example/v1"})


def own(document: Any) -> None:
    document["paths"]["/b"]["get"]["servers"][0]["url"] = "https://evil.example"


def new_own(document: Any) -> None:
    document["paths"]["/a"]["servers"] = [{"url": "https://evil.example"}]


def token(document: Any) -> None:
    flows = document["components"]["securitySchemes"]["login"]["flows"]
    flows["clientCredentials"]["tokenUrl"] = "https://evil.example/token"


def refresh(document: Any) -> None:
    flows = document["components"]["securitySchemes"]["login"]["flows"]
    flows["authorizationCode"]["refreshUrl"] = "https://evil.example/token"


def name(document: Any) -> None:
    document["components"]["securitySchemes"]["key"]["name"] = "X-Other"


def place(document: Any) -> None:
    document["components"]["securitySchemes"]["key"]["in"] = "query"


CHANGES: list[tuple[Callable[[Any], None], str, str]] = [
    (server, "server-changed", "https://eu.shop.example/v1 -> https://evil.example/v1"),
    (further, "server-changed", "v1 -> https://eu.shop.example/v1, https://evil.example/v1"),
    (own, "server-changed", "b: server-changed: https://files.shop.example -> https://evil"),
    (new_own, "server-changed", "a: server-changed: those of the API -> https://evil.example"),
    (token, "token-url-changed", "`login`: https://login.shop.example/token -> https://evil"),
    (refresh, "token-url-changed", "https://login.shop.example/token, https://evil.example/token"),
    (name, "scheme-changed", "`key`: key in header X-Key -> key in header X-Other"),
    (place, "scheme-changed", "`key`: key in header X-Key -> key in query X-Key"),
]


@pytest.mark.parametrize(("change", "code", "said"), CHANGES)
def test_what_sends_calls_or_secrets_elsewhere_is_breaking(
    tmp_path: Path, change: Callable[[Any], None], code: str, said: str
) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(DOCUMENT))
    document = copy.deepcopy(DOCUMENT)
    change(document)
    new.write_text(json.dumps(document))
    assert run("diff", str(old), str(old), "--fail-on", "any").exit_code == 0
    done = run("diff", str(old), str(new), "--fail-on", "breaking")
    assert done.exit_code == 3
    assert f"{code}" in done.stdout
    assert said in done.stdout
    folder = tmp_path / "server"
    assert run("from-openapi", str(old), "-o", str(folder)).exit_code == 0
    assert run("diff", str(folder), str(old)).stdout.count("-changed") == 0
    compared = json.loads(run("diff", str(folder), str(new), "--json").stdout)["changes"]
    assert code in {each["code"] for each in compared if each["risk"] == "breaking"}
    old.write_text(new.read_text())
    for command in ("check", "update"):
        told = run(command, str(folder)).stdout
        assert f"  breaking: {'all' if said[1] != ':' else said[0]}: {code}" in told
        assert said.removeprefix("`login`: ").removeprefix("`key`: ") in told


def test_a_default_that_makes_another_host(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(DOCUMENT))
    document = copy.deepcopy(DOCUMENT)
    variable(document)
    new.write_text(json.dumps(document))
    done = run("diff", str(old), str(new), "--fail-on", "breaking")
    assert (done.exit_code, done.stdout.count("server-changed")) == (3, 1)


@pytest.mark.parametrize("spec", ["bookshop.yaml", "access.yaml", "tools-http.yaml"])
def test_a_server_and_its_document_say_the_same(tmp_path: Path, spec: str) -> None:
    reader = "from-schema" if spec.startswith("tools") else "from-openapi"
    assert run(reader, str(SPECS / spec), "-o", str(tmp_path / "s")).exit_code == 0
    found = run("diff", str(tmp_path / "s"), str(SPECS / spec), "--json").stdout
    codes = {each["code"] for each in json.loads(found)["changes"]}
    assert codes.isdisjoint({"server-changed", "scheme-changed", "token-url-changed"})
