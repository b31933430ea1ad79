"""The generated tests of a handler that somebody edited say so where they fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from command_line import run

API = """openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    delete: {operationId: drop, summary: Pets, responses: {"204": {description: ok}}}
"""


def test_a_failure_names_the_edited_handler_and_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(API)
    server = tmp_path / "s"
    assert run("from-openapi", str(tmp_path / "api.yaml"), "-o", str(server)).exit_code == 0
    handlers = server / "pets_mcp" / "handlers" / "pets.py"
    handlers.write_text(handlers.read_text().replace('"DELETE"', '"POST"'))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "test_call"]
    done = subprocess.run(command, cwd=server, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pets_mcp/handlers/pets.py is not as mcpgen wrote it." in done.stdout
    assert "name it in OWN_TOOLS of tests/conftest.py" in done.stdout
    lock = server / "mcpgen.lock"
    lock.unlink()
    done = subprocess.run(command, cwd=server, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "as mcpgen wrote it" not in done.stdout
