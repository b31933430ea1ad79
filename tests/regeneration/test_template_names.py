"""Paths that differ in the names of their templates alone are identical, and so are operations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
def test_edits_and_settings_stay_with_an_operation_whose_template_is_called_otherwise() -> None:
    write("/shoots/{shoot}", "/shoots")
    told = update()
    assert "breaking: get_shoots_id: tool-renamed: now get_shoots_shoot" in told
    assert "`get_shoots_id` is for has another name: `get_shoots_shoot`" in told
    text = HANDLERS.read_text()
    assert text.count("async def ") == 2
    handler = text[text.index('@tool("get_shoots_shoot")') : text.index('@tool("get_shoots")')]
    assert MINE in handler
    assert 'path={"shoot": shoot}' in handler
    assert '"description": "Ours."' in (PACKAGE / "tools.json").read_text()


@pytest.mark.usefixtures("server")
def test_edits_and_settings_stay_with_an_operation_whose_path_gets_a_version() -> None:
    Path("old.json").write_bytes(Path("api.json").read_bytes())
    write("/v2/shoots/{id}", "/v2/shoots")
    told = update()
    assert "breaking: get_shoots_id: tool-renamed: now get_v2_shoots_id" in told
    assert "`get_shoots_id` is for has another name: `get_v2_shoots_id`" in told
    text = HANDLERS.read_text()
    assert text.count("async def ") == 2
    handler = text[text.index('@tool("get_v2_shoots_id")') : text.index('@tool("get_v2_shoots")')]
    assert MINE in handler
    assert '"/v2/shoots/{id}"' in handler
    assert '"description": "Ours."' in (PACKAGE / "tools.json").read_text()
    told = run("diff", "old.json", "api.json").output
    assert "get_shoots: tool-renamed: now get_v2_shoots" in told
    assert "tool-removed" not in told


@pytest.mark.usefixtures("server")
def test_a_diff_of_documents_says_the_same() -> None:
    Path("old.json").write_bytes(Path("api.json").read_bytes())
    write("/shoots/{shoot}", "/shoots")
    told = run("diff", "old.json", "api.json").output
    assert "get_shoots_id: tool-renamed: now get_shoots_shoot" in told
    assert "tool-removed" not in told


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
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
    ],
)
def test_which_are_the_same(before: list[str], now: list[str], same: dict[str, str]) -> None:
    assert matching.same(before, now) == same
