"""What is written grows with the document, and not with the square of it."""

import json
from typing import Any

import pytest
from command_line import run

from mcpgen.adjusting.budget import check_size
from mcpgen.diagnostics import GenerationError


def document(count: int, kind: str) -> dict[str, Any]:
    """As many security schemes as operations."""
    keys = [f"s{number}" for number in range(count)]
    schemes = {key: {"type": "apiKey", "in": "header", "name": f"X-{key}"} for key in keys}
    own = [{"url": "https://files.example"}] if kind == "own" else []
    paths: dict[str, Any] = {}
    for number, key in enumerate(keys):
        operation: dict[str, Any] = {"operationId": f"o{number}", "responses": {}}
        if kind == "own":
            operation |= {"servers": own, "security": [{key: []}]}
        paths[f"/p{number}"] = {"get": operation}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example"}],
        "security": [{k: [] for k in keys}] if kind == "together" else [{k: []} for k in keys],
        "components": {"securitySchemes": schemes},
        "paths": paths,
    }


@pytest.mark.parametrize("kind", ["together", "own", "each"])
def test_twice_as_many_schemes_and_operations_write_twice_as_much(tmp_path, kind):
    """181 kB gave 209 MB."""
    sizes = []
    for count in (40, 80) if kind == "together" else (20, 40):
        source, folder = tmp_path / f"{count}.json", tmp_path / f"server{count}"
        source.write_text(json.dumps(document(count, kind)))
        done = run("from-openapi", str(source), "--runtime", "package", "-o", str(folder))
        assert done.exit_code == 0, done.output
        assert ("joins" in done.stderr) == (kind == "together")
        sizes.append((folder / "tests/cases.json").stat().st_size)
    assert sizes[1] < 2.2 * sizes[0]


def test_far_more_than_a_document_can_need_is_not_written():
    files: dict[str, str | bytes] = {"a.py": "a" * 100, "tests/cases.json": bytes(40_000_000)}
    with pytest.raises(
        GenerationError, match=r"too-much-written.*of 1,000 char.* tests/cases\.json$"
    ):
        check_size(files, 1_000)
    check_size(files, 1_000_000)
