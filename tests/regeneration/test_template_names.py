"""Paths that differ in the names of their templates alone are identical, and so are operations."""

import json
from pathlib import Path
from typing import Any

import pytest
from tables import table

from mcpgen.operations import matching

from .garden import MINE, PACKAGE, Make, edit, run, update

HANDLERS = PACKAGE / "handlers/shoots.py"
TOML = Path("server/mcpgen.toml")

pytestmark = pytest.mark.usefixtures("quick")


def write(*paths: str) -> None:
    """A document of operations without operationIds."""
    names = {path: path.partition("{")[2].partition("}")[0] for path in paths}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Garden", "version": "1"},
        "servers": [{"url": "https://garden.example"}],
        "paths": {
            path: {
                "get": {
                    "parameters": [
                        {"name": n, "in": "path", "required": True, "schema": {"type": "string"}}
                        for n in filter(None, [name])
                    ],
                    "responses": {"204": {"description": "ok"}},
                }
            }
            for path, name in names.items()
        },
    }
    Path("api.json").write_text(json.dumps(document))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_once: Make) -> None:
    """A server whose handler somebody edited, and whose tool has settings."""
    monkeypatch.chdir(tmp_path)
    write("/shoots/{id}", "/shoots")
    made_once("from-openapi", "api.json")
    edit(HANDLERS, "    return await", MINE)
    with TOML.open("a") as file:
        file.write('[tools.get_shoots_id]\ndescription = "Ours."\n')
    update()


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("paths", "tools", "sent", "renamed"),
    [
        (
            ("/shoots/{shoot}", "/shoots"),
            ("get_shoots_shoot", "get_shoots"),
            'path={"shoot": shoot}',
            "get_shoots_id: tool-renamed: now get_shoots_shoot",
        ),
        (
            ("/v2/shoots/{id}", "/v2/shoots"),
            ("get_v2_shoots_id", "get_v2_shoots"),
            '"/v2/shoots/{id}"',
            "get_shoots: tool-renamed: now get_v2_shoots",
        ),
    ],
    ids=["another name of a template", "a version in the path"],
)
def test_edits_and_settings_stay_with_an_operation(paths, tools, sent, renamed):
    Path("old.json").write_bytes(Path("api.json").read_bytes())
    write(*paths)
    told = update()
    assert f"breaking: get_shoots_id: tool-renamed: now {tools[0]}" in told
    assert f"the table `get_shoots_id` is now called `{tools[0]}`" in told
    text = HANDLERS.read_text()
    assert text.count("async def ") == 2
    handler = text[text.index(f'@tool("{tools[0]}")') : text.index(f'@tool("{tools[1]}")')]
    assert MINE in handler
    assert sent in handler
    assert '"description": "Ours."' in (PACKAGE / "tools.json").read_text()
    told = run("diff", "old.json", "api.json").output
    assert renamed in told
    assert "tool-removed" not in told


@table(
    "before, now, same",
    (["GET /a/{x}"], ["GET /a/{y}"], {"GET /a/{x}": "GET /a/{y}"}),
    (["GET /a/{x}"], ["PUT /a/{y}"], {}),
    (["GET /a/{x}"], ["GET /a/x"], {}),
    (["GET /a/{x}"], ["GET /a/{y}", "GET /a/{z}"], {}),
    (["GET /a/{x}", "GET /a/{z}"], ["GET /a/{y}"], {}),
    (["GET /a/{x}"], ["GET /a/{x}", "GET /a/{y}"], {"GET /a/{x}": "GET /a/{x}"}),
    (["shop GET /a/{x}"], ["shop GET /a/{y}"], {"shop GET /a/{x}": "shop GET /a/{y}"}),
    (["shop GET /a/{x}"], ["GET /a/{y}"], {}),
    (["GET /v1/a"], ["GET /v2/a"], {"GET /v1/a": "GET /v2/a"}),
    (["GET /a/{x}"], ["GET /api/v1.1/a/{y}"], {"GET /a/{x}": "GET /api/v1.1/a/{y}"}),
    (["shop GET /api/v2/a"], ["shop GET /a"], {"shop GET /api/v2/a": "shop GET /a"}),
    (["GET /v1/a"], ["GET /v1/a", "GET /v2/a"], {"GET /v1/a": "GET /v1/a"}),
    (["GET /v1/a", "GET /v2/a"], ["GET /v2/a"], {"GET /v2/a": "GET /v2/a"}),
    (["GET /v1/a", "GET /v2/a"], ["GET /v3/a"], {}),
    (["GET /v1/a"], ["GET /v2/a", "GET /v3/a"], {}),
    (["GET /v1"], ["GET /v2"], {}),
    (
        ["GET /v1/a/{x}", "GET /v2/a"],
        ["GET /v1/a/{y}", "GET /v3/a"],
        {"GET /v1/a/{x}": "GET /v1/a/{y}", "GET /v2/a": "GET /v3/a"},
    ),
)
def test_which_are_the_same(before, now, same):
    assert matching.same(before, now) == same
