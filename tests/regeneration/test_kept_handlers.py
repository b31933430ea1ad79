"""Handlers that people edited stay when their tools go, and load with what they import."""

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from prepared import python

from .garden import Make, updated

HANDLERS = Path("server/kiln_mcp/handlers/http.py")
MINE = "    # Mine.\n    return"
POLLING = Path("server/kiln_mcp/_runtime/parts/polling.py")

pytestmark = pytest.mark.usefixtures("kiln")


def write(*tools: dict[str, Any]) -> None:
    server = {"name": "kiln", "baseUrl": "https://kiln.example"}
    Path("tools.json").write_text(json.dumps({"server": server, "tools": tools}))


def tool(name: str, **http: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {}}
    call = {"method": "GET", "path": f"/{name}", **http}
    return {"name": name, "description": name, "inputSchema": schema, "http": call}


@pytest.fixture
def kiln(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_once: Make) -> None:
    """A server of two tools; somebody edited the handler of the one that waits for the API."""
    monkeypatch.chdir(tmp_path)
    write(tool("fire", poll=True), tool("look"))
    made_once("from-schema", "tools.json")
    start, end = HANDLERS.read_text().split('@tool("fire"')
    HANDLERS.write_text(f'{start}@tool("fire"{end.replace("    return", MINE, 1)}')


def update() -> str:
    told = updated()
    loaded = "import kiln_mcp.handlers.http"
    environment = {**os.environ, "PYTHONPATH": "server"}
    subprocess.run(python("-c", loaded), env=environment, check=True)
    return told


def test_what_a_handler_imports_stays_as_long_as_the_handler():
    there = POLLING.read_bytes()
    write(tool("look"))
    for _ in range(2):
        told = update()
        assert "which is gone" not in told
        assert "# Mine." in HANDLERS.read_text()
        assert POLLING.read_bytes() == there
    text = HANDLERS.read_text()
    kept = text.index('@tool("fire"')
    after = text.find("@tool", kept + 1)
    rest = text[after:] if after > 0 else ""
    HANDLERS.write_text(text[:kept].replace("Poll, ", "") + rest)
    update()
    assert not POLLING.exists()
    assert "Poll" not in POLLING.parents[1].joinpath("__init__.py").read_text()


def test_what_it_imports_is_that_of_a_newer_mcpgen(monkeypatch):
    write(tool("look"))
    update()
    there = POLLING.read_bytes()
    older = there + b"# Of yesterday.\n"
    POLLING.write_bytes(older)
    lock = Path("server/mcpgen.lock")
    was, now = (hashlib.sha256(each).hexdigest() for each in (older, there))
    lock.write_text(lock.read_text().replace(now, was))
    for module in ("lock", "regeneration.up_to_date"):
        monkeypatch.setattr(f"mcpgen.{module}.__version__", "9.9.9")
    assert "which is gone" not in update()
    assert POLLING.read_bytes() == there


def test_what_no_handler_imports_goes():
    text = HANDLERS.read_text()
    HANDLERS.write_text(text.replace(MINE, "    return"))
    write(tool("look"))
    update()
    assert not POLLING.exists()
