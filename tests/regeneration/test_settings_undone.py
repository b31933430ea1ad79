"""A setting that was made and taken back leaves nothing behind, whatever it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from .garden import BEDS, MINE, Make, run, write

TOML = Path("server/mcpgen.toml")
FURTHER = '\n[[with]]\nsource = "../more.json"\n'


@pytest.fixture(autouse=True)
def server(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_once: Make) -> None:
    """A server of two sources; somebody edited a handler."""
    monkeypatch.chdir(tmp_path)
    write()
    Path("more.json").write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    made_once("from-openapi", "api.json", "--with", "more.json")
    BEDS.write_text(BEDS.read_text().replace("    return await", MINE))
    update()


def update() -> None:
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    assert run("check", "server", "--full").exit_code == 0


def files() -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    "setting",
    [
        'name = "plot"',
        'package = "plot"',
        'package = "plot_mcp"',
        'prefix = "g_"',
        'resources = ["GET /*"]',
        'output_schema = "none"',
    ],
)
def test_a_key(setting: str) -> None:
    before = files()
    TOML.write_text(TOML.read_text().replace(FURTHER, f"{setting}\n{FURTHER}"))
    update()
    assert files() != before
    TOML.write_bytes(before[str(TOML)])
    update()
    assert files() == before


@pytest.mark.parametrize("setting", ['name = "plot"', 'prefix = "o_"'])
def test_a_key_of_a_further_source(setting: str) -> None:
    before = files()
    TOML.write_text(f"{TOML.read_text()}{setting}\n")
    update()
    TOML.write_bytes(before[str(TOML)])
    update()
    assert files() == before


@pytest.mark.parametrize(
    "table",
    [
        '[tools.listBeds]\nname = "beds"\n',
        '[tools.orchard_listBeds]\nname = "trees"\n',
        '[tools.listBeds]\nredact = ["$.id"]\n',
        "[tools.listBeds.arguments]\nsize.value = 3\n",
        '[tools."*".arguments]\nsize.hidden = true\n',
    ],
)
def test_a_table(table: str) -> None:
    before = files()
    TOML.write_text(f"{TOML.read_text()}\n{table}")
    update()
    assert files() != before
    TOML.write_bytes(before[str(TOML)])
    update()
    assert files() == before
