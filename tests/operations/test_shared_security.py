"""`security` that most operations state stands once, in `api.py`."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run

KEY = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
NONE: dict[str, Any] = {}


def written(folder: Path, *operations: dict[str, Any], **more: Any) -> tuple[str, str]:
    """The text of `api.py`, and of all handlers."""
    answers = {"responses": {"204": {"description": "done"}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Doors", "version": "1"},
        "servers": [{"url": "https://doors.example"}],
        "components": {"securitySchemes": {**KEY, "other": {**KEY["key"], "name": "X-Other"}}},
        "paths": {
            f"/doors/{number}": {"get": {**answers, **operation, "tags": ["doors"]}}
            for number, operation in enumerate(operations)
        },
        **more,
    }
    (folder / "doors.json").write_text(json.dumps(document))
    done = run("from-openapi", str(folder / "doors.json"), "-o", str(folder / "made"))
    assert done.exit_code == 0, done.output
    package = folder / "made" / "doors_mcp"
    handlers = "".join(path.read_text() for path in sorted((package / "handlers").glob("*.py")))
    return (package / "api.py").read_text(), handlers


def test_operations_without_it_say_so_and_others_say_theirs(tmp_path: Path) -> None:
    own, other = {"security": [{"key": []}]}, {"security": [{"other": []}]}
    api, handlers = written(tmp_path, own, own, own, other, NONE)
    assert 'security=[{"key": []}]' in api
    assert handlers.count('security=[{"other": []}]') == handlers.count("security=[]") == 1
    assert '"key"' not in handlers


@pytest.mark.parametrize(
    ("first", "more"),
    [
        (NONE, {}),  # no more than half
        ({"security": [{"other": []}]}, {}),
        ({"security": [{"key": []}]}, {"security": []}),  # the document's own stays
    ],
)
def test_else_each_handler_has_its_own(
    tmp_path: Path, first: dict[str, Any], more: dict[str, Any]
) -> None:
    api, handlers = written(tmp_path, first, {"security": [{"key": []}]}, **more)
    assert "    security=" not in api
    assert 'security=[{"key": []}]' in handlers
