"""What clients tell agents of a server as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run
from mcp import Client

from .servers import imported
from .upstream import Upstream

ABOUT = "Lamps and their keepers. " * 200
OURS = 'Ask "keepers" first:\nlamps are listed by keeper, \\ and é.'


@pytest.mark.parametrize(("given", "wanted"), [(OURS, OURS), ("", ABOUT.strip())])
def test_instructions_are_the_settings_or_else_the_documents(
    given: str, wanted: str, upstream: Upstream, tmp_path: Path
) -> None:
    """A generation tells what long ones cost."""
    info = {"title": f"Keepers {bool(given)}", "version": "1", "description": ABOUT}
    lamps = {"operationId": "lamps", "responses": {"200": {"description": "All of them."}}}
    document = {"openapi": "3.1.0", "info": info, "paths": {"/lamps": {"get": lamps}}}
    (tmp_path / "lamps.json").write_text(json.dumps(document))
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "mcpgen.toml").write_text(f"instructions = {json.dumps(given)}\n")
    made = run("from-openapi", str(tmp_path / "lamps.json"), "-o", str(folder))
    told = "  and about 1,250 of instructions: `instructions` in mcpgen.toml replaces them"
    assert (told in made.stdout.splitlines()) is (not given)
    assert ("of instructions" in made.stdout) is (not given)
    server = imported(folder, upstream)

    async def instructions(client: Client) -> str | None:
        return client.instructions

    assert server.use(instructions) == wanted
