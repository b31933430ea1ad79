"""Where calls and secrets go is compared: it was no change that all of them go elsewhere."""

import copy
import json
import re
import shutil
from pathlib import Path
from typing import Any

import examples
import pytest
from command_line import run
from diff_documents import codes

FILES = "https://files.shop.example"
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
        {"url": "https://{place}.shop.example/v1", "variables": {"place": {"default": "eu"}}}
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
        "/b": {"get": {"operationId": "b", "responses": {}, "servers": [{"url": FILES}]}},
    },
}
EVIL, ELSE = "https://evil.example", "https://evil.example/token"
KEY, LOGIN = "components securitySchemes key", "components securitySchemes login flows"
SERVER, TOKEN, SCHEME = "server-changed", "token-url-changed", "scheme-changed"
NEEDED = "security-required"
CHANGES: list[tuple[str, Any, str, str]] = [
    ("servers 0 url", f"{EVIL}/v1", SERVER, f"https://eu.shop.example/v1 -> {EVIL}/v1"),
    ("servers 1", {"url": f"{EVIL}/v1"}, SERVER, f"v1 -> https://eu.shop.example/v1, {EVIL}/v1"),
    ("paths /b get servers 0 url", EVIL, SERVER, f"b: {SERVER}: {FILES} -> {EVIL}"),
    ("paths /a servers", [{"url": EVIL}], SERVER, f"a: {SERVER}: those of the API -> {EVIL}"),
    (f"{LOGIN} clientCredentials tokenUrl", ELSE, TOKEN, f"login.shop.example/token -> {ELSE}"),
    (f"{LOGIN} authorizationCode refreshUrl", ELSE, TOKEN, f"login.shop.example/token, {ELSE}"),
    (f"{KEY} name", "X-Other", SCHEME, "key in header X-Key -> key in header X-Other"),
    (f"{KEY} in", "query", SCHEME, "key in header X-Key -> key in query X-Key"),
    ("security 1", {"till": []}, NEEDED, "key or login -> key or till"),
    ("paths /a get security", [{"till": []}], NEEDED, f"a: {NEEDED}: key or login -> till"),
]


def changed(path: str, value: Any) -> str:
    """The document with another value at a place."""
    at = document = copy.deepcopy(DOCUMENT)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split())
    for step in steps:
        at = at[step]
    if isinstance(at, list):
        at[last:] = [value]
    else:
        at[last] = value
    return json.dumps(document)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document and its server."""
    folder = tmp_path_factory.mktemp("reach")
    (folder / "old.json").write_text(json.dumps(DOCUMENT))
    done = run("from-openapi", f"{folder}/old.json", "-o", f"{folder}/server")
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize(("path", "value", "code", "said"), CHANGES[:8])
def test_what_sends_calls_or_secrets_elsewhere_is_breaking(made, tmp_path, path, value, code, said):
    old, new, server = f"{made}/old.json", tmp_path / "new.json", f"{made}/server"
    new.write_text(changed(path, value))
    done = run("diff", old, str(new), "--fail-on", "breaking")
    assert done.exit_code == 3
    assert code in done.stdout
    assert said in done.stdout
    assert code == SERVER or f"`{path.split()[2]}`: " in done.stdout
    compared = json.loads(run("diff", server, str(new), "--json").stdout)["changes"]
    assert code in {each["code"] for each in compared if each["risk"] == "breaking"}


def test_what_is_the_same_sends_nothing_elsewhere(made):
    old = f"{made}/old.json"
    assert run("diff", old, old, "--fail-on", "any").exit_code == 0
    assert run("diff", f"{made}/server", old).stdout.count("-changed") == 0


@pytest.mark.parametrize(
    ("path", "value", "code", "said"), [CHANGES[n] for n in (0, 2, 4, 6, 8, 9)]
)
def test_check_and_update_tell_it_too(made, tmp_path, path, value, code, said):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    (tmp_path / "old.json").write_text(changed(path, value))
    for command in ("check", "update"):
        told = run(command, str(tmp_path / "server")).stdout
        assert f"  breaking: {'all' if said[1] != ':' else said[0]}: {code}" in told
        assert said in told
    done = run("diff", f"{made}/server", str(tmp_path / "server"), "--fail-on", "breaking")
    assert (done.exit_code, said in done.stdout) == (3, True), done.output


def test_what_a_person_wrote_hides_no_change(made, tmp_path):
    server = shutil.copytree(f"{made}/server", tmp_path / "server")
    for path in server.glob("*_mcp/**/*.py"):
        text = path.read_text().replace("{place}", "evil").replace("@tool", "@own(3)\n@tool")
        path.write_text(re.sub(r"\.send\((.*)\)", r".send(\1, security=OWN)", text))
    found = json.loads(run("diff", f"{made}/server", str(server), "--json").stdout)
    assert list(codes(found)) == [SERVER]


def test_a_default_that_makes_another_host(made, tmp_path):
    new = tmp_path / "new.json"
    new.write_text(changed("servers 0 variables place default", "evil.example/"))
    done = run("diff", f"{made}/old.json", str(new), "--fail-on", "breaking")
    assert (done.exit_code, done.stdout.count("server-changed")) == (3, 1)


@pytest.mark.parametrize("name", ["bookshop", "access", "marina"])
def test_a_server_and_its_document_say_the_same(name):
    document = examples.ROOT / "specs" / examples.SOURCES[name]
    found = run("diff", str(examples.FOLDER / name), str(document), "--json").stdout
    codes = {each["code"] for each in json.loads(found)["changes"]}
    assert codes.isdisjoint({"server-changed", "scheme-changed", "token-url-changed"})
