"""What clients tell agents of a server as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from mcp import Client

from .servers import generate
from .upstream import Upstream

ABOUT = "Lamps and their keepers. " * 200
OURS = 'Ask "keepers" first:\nlamps are listed by keeper, \\ and é.'


def write(path: Path, title: str) -> Path:
    lamps = {"operationId": "lamps", "responses": {"200": {"description": "All of them."}}}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1", "description": ABOUT},
        "paths": {"/lamps": {"get": lamps}},
    }
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(("given", "wanted"), [(OURS, OURS), ("", ABOUT.strip())])
def test_instructions_are_the_settings_or_else_the_documents(
    given: str, wanted: str, upstream: Upstream, tmp_path: Path
) -> None:
    lamps = write(tmp_path / "lamps.json", f"Keepers {bool(given)}")
    (tmp_path / "server").mkdir()
    (tmp_path / "server/mcpgen.toml").write_text(f"instructions = {json.dumps(given)}\n")
    server = generate(lamps, tmp_path / "server", upstream)

    async def instructions(client: Client) -> str | None:
        return client.instructions

    assert server.use(instructions) == wanted


def test_a_generation_tells_what_long_instructions_cost(tmp_path: Path) -> None:
    lamps = write(tmp_path / "lamps.json", "Keepers' words")
    told = "  and about 1,250 of instructions: `instructions` in mcpgen.toml replaces them"
    folder = tmp_path / "server"
    assert told in run("from-openapi", str(lamps), "-o", str(folder)).stdout.splitlines()
    with (folder / "mcpgen.toml").open("a") as settings:
        settings.write("\ninstructions = 'Ask.'\n")
    assert "instructions" not in run("from-openapi", str(lamps), "-o", str(folder)).stdout
