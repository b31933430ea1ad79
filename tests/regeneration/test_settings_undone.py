"""A setting that was made and taken back leaves nothing behind, whatever it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tables import table

from .garden import BEDS, MINE, run, write

TOML = Path("server/mcpgen.toml")
FURTHER = '\n[[with]]\nsource = "../more.json"\n'


@pytest.fixture(autouse=True)
def server(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first_time: Callable[..., None]
) -> None:
    """A server of two sources, up to date; somebody edited a handler."""
    monkeypatch.chdir(tmp_path)
    write()
    Path("more.json").write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    first_time(edited)


def edited() -> None:
    made = run("from-openapi", "api.json", "--with", "more.json", "-o", "server")
    assert made.exit_code == 0
    BEDS.write_text(BEDS.read_text().replace("    return await", MINE))
    update()


def update() -> None:
    done = run("update", "server")
    assert done.exit_code == 0, done.output


def undone(before: str, after: str) -> None:
    """Update with other settings, then with those that were there."""
    there = files()
    TOML.write_text(after)
    update()
    assert files() != there
    assert run("check", "server", "--full").exit_code == 0
    TOML.write_text(before)
    update()
    assert files() == there


def files() -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}


@table(
    "setting",
    'name = "plot"',
    'package = "plot"',
    'prefix = "g_"',
    'resources = ["GET /*"]',
    'output_schema = "none"',
)
def test_a_key(setting):
    before = TOML.read_text()
    undone(before, before.replace(FURTHER, f"{setting}\n{FURTHER}"))


@table(
    "line",
    'name = "plot"',
    'prefix = "o_"',
    '[tools.orchard_listBeds]\nname = "trees"',
    '[tools.listBeds]\nredact = ["$.id"]',
    '[tools."*".arguments]\nsize.hidden = true',
)
def test_a_key_of_a_further_source_or_a_table(line):
    before = TOML.read_text()
    undone(before, f"{before}{line}\n")
