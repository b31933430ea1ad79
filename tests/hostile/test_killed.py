"""Killed at any instant, a run leaves the old output or the new one, or says that it is neither.

`MCPGEN_KILLS` is a number of random instants to try besides a few that are chosen.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import command_line
import pytest
from killing import killed_at

from mcpgen.writing.server import STAGE

from .documents import OK, openapi

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

INSTANTS = (0.0, 0.5, 0.9, 1.0)
"""Parts of the changes that a run makes to the disk."""
RANDOM = int(os.environ.get("MCPGEN_KILLS", "0"))


def document(version: str, tags: list[str]) -> dict[str, Any]:
    paths = {}
    for tag in tags:
        about = {"operationId": f"list_{tag}", "tags": [tag], "summary": f"{tag} {version}"}
        paths[f"/{tag}"] = {"get": {**about, "responses": OK}}
    return openapi(paths)


OLD = document("1.0", ["ants", "bees", "cats"])
NEW = document("2.0", ["bees", "cats", "dogs"])


def run(folder: Path, found: Mapping[str, Any]) -> None:
    """Generate, as a user does."""
    (folder / "api.json").write_text(json.dumps(found))
    result = command_line.run(*arguments(folder))
    assert result.exit_code == 0, result.output


def arguments(folder: Path) -> list[str]:
    return ["from-openapi", str(folder / "api.json"), "-o", str(folder / "out")]


def read(folder: Path) -> dict[str, bytes]:
    """The output, without what is staged in it."""
    out = folder / "out"
    paths = [path for path in out.rglob("*") if path.is_file()]
    found = {path.relative_to(out).as_posix(): path.read_bytes() for path in paths}
    return {path: data for path, data in found.items() if not path.startswith(STAGE)}


def instants(changes: int) -> list[int]:
    chosen = {max(1, round(part * changes)) for part in INSTANTS}
    return sorted(chosen | {random.randint(1, changes) for _ in range(RANDOM)})


def test_a_new_server_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    run(tmp_path, OLD)
    whole = read(tmp_path)
    (tmp_path / "out").rename(tmp_path / "first")
    changes = killed_at(0, tmp_path, *arguments(tmp_path))
    assert changes > len(whole)
    (tmp_path / "out").rename(tmp_path / "second")
    for instant in instants(changes):
        killed_at(instant, tmp_path, *arguments(tmp_path))
        assert not (tmp_path / "out").exists()
    run(tmp_path, OLD)
    assert read(tmp_path) == whole


def test_an_update_is_whole_or_goes_on(tmp_path: Path) -> None:
    run(tmp_path, NEW)
    new = read(tmp_path)
    (tmp_path / "out").rename(tmp_path / "new")
    run(tmp_path, OLD)
    old = read(tmp_path)
    assert old.keys() - new.keys()
    (tmp_path / "api.json").write_text(json.dumps(NEW))
    subprocess.run(["cp", "-r", "out", "old"], cwd=tmp_path, check=True)
    seen = set()
    for instant in instants(killed_at(0, tmp_path, *arguments(tmp_path))):
        subprocess.run(["rm", "-rf", "out"], cwd=tmp_path, check=True)
        subprocess.run(["cp", "-r", "old", "out"], cwd=tmp_path, check=True)
        killed_at(instant, tmp_path, *arguments(tmp_path))
        left = read(tmp_path)
        marked = (tmp_path / "out" / STAGE / "plan.json").exists()
        assert marked or left in (old, new)
        seen.add("marked" if marked else "old" if left == old else "new")
        run(tmp_path, NEW)
        assert read(tmp_path) == new
        assert not (tmp_path / "out" / STAGE).exists()
    assert seen >= {"old", "marked"}


def test_the_command_itself(tmp_path: Path) -> None:
    """The process with all it starts, killed as a CI job is."""
    (tmp_path / "api.json").write_text(json.dumps(OLD))
    command = [sys.executable, "-m", "mcpgen", *arguments(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    time.sleep(0.7)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "out").exists() or (tmp_path / "out" / "mcpgen.lock").exists()
