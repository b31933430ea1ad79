"""What clients tell agents of a server as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from .servers import generate
from .upstream import Upstream

ABOUT = "Lamps and their keepers. " * 200
OURS = 'Ask "keepers" first:\nlamps are listed by keeper, \\ and é.'


@pytest.mark.parametrize(("given", "wanted"), [(OURS, OURS), ("", ABOUT.strip())])
def test_instructions_are_the_settings_or_else_the_documents(
    given: str, wanted: str, upstream: Upstream, tmp_path: Path
) -> None:
    lamps = {"operationId": "lamps", "responses": {"200": {"description": "All of them."}}}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": f"Keepers {bool(given)}", "version": "1", "description": ABOUT},
        "paths": {"/lamps": {"get": lamps}},
    }
    (tmp_path / "lamps.json").write_text(json.dumps(document))
    (tmp_path / "server").mkdir()
    (tmp_path / "server/mcpgen.toml").write_text(f"instructions = {json.dumps(given)}\n")
    server = generate(tmp_path / "lamps.json", tmp_path / "server", upstream)

    async def instructions(client: Client) -> str | None:
        return client.instructions

    assert server.use(instructions) == wanted
