"""A server with one tool, of an API whose operation has the parameters that a test gives it."""

import json
from pathlib import Path
from typing import Any

HANDLERS = "server/garden_mcp/handlers/beds.py"


def document(**parameters: str) -> dict[str, Any]:
    listed = [{"name": n, "in": "query", "schema": {"type": t}} for n, t in parameters.items()]
    answer = {"200": {"description": "ok"}}
    operation = {"operationId": "listBeds", "tags": ["beds"], "responses": answer}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Garden", "version": "1"},
        "servers": [{"url": "https://garden.example"}],
        "paths": {"/beds": {"get": {**operation, "parameters": listed}}},
    }


def write(**parameters: str) -> None:
    Path("api.json").write_text(json.dumps(document(**parameters)))


def edit(old: str, new: str, path: str = HANDLERS) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))
