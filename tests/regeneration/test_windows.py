"""What Windows does differently, played on other systems."""

import json
import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import pytest
from command_line import run

from mcpgen.bundled import contents
from mcpgen.regeneration import up_to_date


def api(summary: str, schema: dict[str, Any]) -> str:
    answer = {"description": "", "content": {"application/json": {"schema": schema}}}
    operation = {"operationId": "getDrive", "summary": summary, "responses": {"200": answer}}
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "Two drives", "version": "1"},
            "servers": [{"url": "https://drives.example"}],
            "paths": {"/drive": {"get": operation}},
        }
    )


@pytest.fixture
def drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None) -> tuple[Path, Path]:
    """Two folders that no relative path connects; the working directory, and another."""
    relative = os.path.relpath
    found = (tmp_path / "c", tmp_path / "d")

    def drive(path: Any) -> Path | None:
        whole = Path(os.path.abspath(path))
        return next((each for each in found if whole.is_relative_to(each)), None)

    def relpath(path: Any, start: Any = os.curdir) -> str:
        if drive(path) != drive(start):
            raise ValueError(f"path is on mount {drive(path)}, start on mount {drive(start)}")
        return relative(path, start)

    for each in found:
        each.mkdir()
    monkeypatch.chdir(found[0])
    monkeypatch.setattr(os.path, "relpath", relpath)
    return found


def test_document_and_server_may_be_on_two_drives(drives):
    ours, other = drives
    document = other / "api.json"
    document.write_text(api("One", {"$ref": "shared.json"}))
    (other / "shared.json").write_text('{"type": "object"}')
    done = run("from-openapi", str(document), "-o", "server")
    assert done.exit_code == 0, done.stderr
    assert f'source = "{document.as_posix()}"' in (ours / "server" / "mcpgen.toml").read_text()
    assert run("check", "server", "--full").exit_code == 0
    document.write_text(api("Two", {"$ref": "shared.json"}))
    assert run("update", "server").exit_code == 0
    os.chdir(other)
    assert run("check", str(ours / "server")).exit_code == 0


def test_sources_may_be_on_two_drives(drives):
    ours, other = drives
    (ours / "api.json").write_text(api("One", {"type": "object"}))
    (other / "api.json").write_text(api("Two", {"type": "object"}))
    done = run("from-openapi", "api.json", "--with", str(other / "api.json"), "-o", "server")
    assert done.exit_code == 0, done.stderr
    assert run("check", "server").exit_code == 0


@pytest.fixture
def forgetful() -> Iterator[None]:
    """What is read once of the templates and the runtime is read anew."""
    forget()
    yield
    forget()


def forget() -> None:
    up_to_date._shipped.cache_clear()
    contents.runtime_sources.cache_clear()


def test_paths_are_in_the_same_order(tmp_path, monkeypatch, quick, forgetful):
    """Windows orders them without regard to case: a server was stale there, or its lock changed."""

    def less(one: PurePath, other: PurePath) -> bool:
        return str(one).lower() < str(other).lower()

    monkeypatch.chdir(tmp_path)
    Path("api.json").write_text(api("One", {"type": "object"}))
    Path("mine").mkdir()
    for name in ("Upper", "lower"):
        Path("mine", f"{name}.md.jinja").write_text(f"{{# path: {name}.md #}}\n")
    done = run("from-openapi", "api.json", "--templates", "mine", "-o", "server")
    assert done.exit_code == 0, done.stderr
    monkeypatch.setattr(PurePath, "__lt__", less)
    forget()
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        assert done.exit_code == 0, done.stdout
