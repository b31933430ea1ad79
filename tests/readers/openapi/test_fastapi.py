"""A FastAPI application as people write it: the names and titles that its author would give.

`fastapi_shop.json` is what `app.openapi()` of FastAPI 0.165 gave.
"""

import json
from pathlib import Path

import pytest
from command_line import run

DOCUMENT = Path(__file__).with_name("fastapi_shop.json")


BODIES = {"cancel_orders": "order_ids", "set_note": "note", "set_tags": "tags"}
"""The tools whose body is an array or a text, with what the author calls it."""


def bodies(folder: Path) -> dict[str, str]:
    """The last argument of each of them in a server."""
    (path,) = folder.glob("*/tools.json")
    tools = {tool["name"]: tool for tool in json.loads(path.read_text())["tools"]}
    return {name: [*tools[name]["inputSchema"]["properties"]][-1] for name in BODIES}


@pytest.mark.parametrize("is_older", [False, True])
def test_a_body_is_called_as_its_schema_and_keeps_its_name(tmp_path, is_older):
    """A server whose lock knows nothing of it was generated when each was called `body`."""
    source, folder = tmp_path / "shop.json", tmp_path / "server"
    source.write_text(DOCUMENT.read_text())
    asked = ("from-openapi", str(source), "-o", str(folder), "--runtime", "package")
    assert run(*asked).exit_code == 0
    assert bodies(folder) == BODIES
    lock = folder / "mcpgen.lock"
    if is_older:
        lock.write_text(json.dumps({**json.loads(lock.read_text()), "arguments": {}}))
    source.write_text(source.read_text().replace('"Order Ids"', '"Numbers"'))
    assert run("update", str(folder)).exit_code == 0
    assert bodies(folder) == (dict.fromkeys(BODIES, "body") if is_older else BODIES)
