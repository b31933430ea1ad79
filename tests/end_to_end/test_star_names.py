"""Arguments named `*`, as routers call the rest of a path, beside those that no schema names."""

from __future__ import annotations

import json
from typing import Any

import generated_tests
import pytest

from .servers import Server, generate
from .upstream import Upstream

OK = {"responses": {"200": {"description": "Done."}}}
STARS = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ("*", "**", "a*")]
BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}},
                "additionalProperties": True,
            }
        }
    },
}
PATHS: dict[str, Any] = {
    "/files/{*}": {
        "get": {
            "operationId": "getFile",
            "parameters": [
                {"name": "*", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            **OK,
        }
    },
    "/stars": {"post": {"operationId": "addStar", "parameters": STARS, "requestBody": BODY, **OK}},
}


@pytest.fixture(scope="module")
def stars(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    document = tmp_path_factory.mktemp("stars") / "api.json"
    info = {"title": "Star names", "version": "1"}
    servers = [{"url": "https://stars.example"}]
    made = {"openapi": "3.1.0", "info": info, "servers": servers, "paths": PATHS}
    document.write_text(json.dumps(made), encoding="utf-8")
    return generate(document, document.parent / "server", upstream)


def test_an_argument_named_star_is_sent(stars: Server) -> None:
    assert stars.call("getFile", {"*": "a b"}).request.path == "/files/a%20b"


def test_arguments_named_stars_are_not_all_others(stars: Server) -> None:
    given = {"*": "one", "**": "two", "a*": "three", "name": "x", "more": 1, "***": 2}
    request = stars.call("addStar", given).request
    assert request.query == [("*", "one"), ("**", "two"), ("a*", "three")]
    assert request.json == {"name": "x", "more": 1, "***": 2}


def test_the_generated_tests_agree(stars: Server) -> None:
    done = generated_tests.run(stars.folder)
    assert done.returncode == 0, done.stdout
