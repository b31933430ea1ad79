"""Arguments named `*`, as routers call the rest of a path, beside those that no schema names."""

from typing import Any

import generated_tests
import pytest

from .servers import packaged

TEXT = {"type": "string"}
STARS = dict.fromkeys(("*", "**", "a*", "name"), TEXT)
TOOLS: list[dict[str, Any]] = [
    {
        "name": "getFile",
        "description": "Get a file.",
        "inputSchema": {"type": "object", "properties": {"*": TEXT}, "required": ["*"]},
        "http": "GET /files/{*}",
    },
    {
        "name": "addStar",
        "description": "Add a star.",
        "inputSchema": {
            "type": "object",
            "properties": STARS,
            "required": ["name"],
            "additionalProperties": True,
        },
        "http": {
            "method": "POST",
            "path": "/stars",
            "arguments": {name: {"in": "query"} for name in ("*", "**", "a*")},
        },
    },
]


@pytest.fixture(scope="module")
def stars(upstream, tmp_path_factory):
    server = {"name": "stars", "baseUrl": "https://stars.example"}
    document = {"server": server, "tools": TOOLS}
    return packaged(document, tmp_path_factory.mktemp("stars"), upstream)


def test_arguments_named_stars(stars):
    assert stars.call("getFile", {"*": "a b"}).request.path == "/files/a%20b"
    given = {"*": "one", "**": "two", "a*": "three", "name": "x", "more": 1, "***": 2}
    request = stars.call("addStar", given).request
    assert request.query == [("*", "one"), ("**", "two"), ("a*", "three")]
    assert request.json == {"name": "x", "more": 1, "***": 2}
    done = generated_tests.run(stars.folder)
    assert done.returncode == 0, done.stdout
