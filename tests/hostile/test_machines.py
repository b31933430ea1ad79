"""Generator and servers on machines that lack something: they work, or say what is missing."""

import errno
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from command_line import run
from prepared import python
from runtime.support import client as api_client
from runtime.support import fast

from mcpgen.writing import all_or_nothing

from . import machine, talking
from .documents import OK, openapi
from .faults import Api
from .machine import FULL, READ_ONLY, mcpgen, mounted, needs_mount

TAGS = ("ants", "bees", "caf\u00e9", "\u732b")


def document(version: str) -> dict[str, Any]:
    paths = {}
    for number, tag in enumerate(TAGS):
        about = {"tags": [tag], "operationId": f"list{number}", "summary": f"{tag} {version}"}
        paths[f"/p{number}"] = {"get": {**about, "responses": OK}}
    return openapi(paths, info={"title": "Shop", "version": version})


def write(folder: Path, version: str, name: str = "api.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document(version), ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def read(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def generate(folder: Path) -> dict[str, bytes]:
    """What an ordinary machine gives."""
    arguments = ["from-openapi", str(folder / "api.json"), "-o", str(folder / "out")]
    assert run(*arguments).exit_code == 0
    return read(folder / "out")


def test_neither_the_machine_nor_hashes_nor_the_format_decide_anything(tmp_path: Path) -> None:
    """A document in JSON here, and in YAML with no HOME, no locale and 64 descriptors."""
    write(tmp_path, "1")
    whole = generate(tmp_path)
    (tmp_path / "out").rename(tmp_path / "first")
    text = yaml.safe_dump(document("1"), sort_keys=False, allow_unicode=True)
    (tmp_path / "api.yaml").write_text(text, encoding="utf-8")
    command = mcpgen("from-openapi", "api.yaml", "-o", "out")
    done = machine.run(command, tmp_path, PYTHONHASHSEED="1")
    assert done.returncode == 0, done.stderr
    found = read(tmp_path / "out")
    assert found.keys() == whole.keys()
    differing = {path for path in whole if found[path] != whole[path]}
    assert differing <= {"mcpgen.toml", "mcpgen.lock"}, differing


FULL_DISK = f"""{machine.IMPORTED}
import hashlib, pathlib, subprocess
disk = pathlib.Path(sys.argv[1])
out, filler = disk / "out", disk / "filler"
def digest():
    found = hashlib.sha256()
    for path in sorted(out.rglob("*")):
        found.update(str(path).encode() + (path.read_bytes() if path.is_file() else b""))
    return found.hexdigest()
def fill(free):
    with filler.open("wb", 0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - free))
def tell(when, source):
    code, left = mcpgen("from-openapi", source, "-o", str(out)), os.listdir(disk)
    print("::", when, code, left == ["filler"] if when == "new" else digest() != before, flush=True)
fill(100 << 10)
before = digest()
tell("new", "old.json")
filler.unlink()
tell("with room", "old.json")
before = digest()
fill(32 << 10)
tell("update", "new.json")
filler.unlink()
tell("with room", "new.json")
subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
before = digest()
tell("read-only", "old.json")
code = mcpgen("from-openapi", "old.json", "-o", str(disk / "new"))
print(":: read-only, new", code, os.listdir(disk) == ["out"])
"""


@needs_mount
def test_a_disk_that_is_too_small_and_then_read_only(tmp_path: Path) -> None:
    """Nothing of a new server is left, an old one stays whole; what was asked is done with room."""
    write(tmp_path, "1", "old.json")
    write(tmp_path, "2", "new.json")
    disk = tmp_path / "disk"
    disk.mkdir()
    command = mounted(FULL, disk, sys.executable, "-c", FULL_DISK, disk)
    done = machine.run(command, tmp_path, FREE="4m")
    assert [line for line in done.stdout.splitlines() if line.startswith("::")] == [
        ":: new 1 True", ":: with room 0 True", ":: update 1 False", ":: with room 0 True",
        ":: read-only 1 False", ":: read-only, new 1 True",
    ], done.stderr  # fmt: skip
    for reason in (errno.ENOSPC, errno.EROFS):
        assert done.stderr.count(f"{os.strerror(reason)}; nothing was changed") == 2
    assert "Traceback" not in done.stderr


def test_the_output_is_a_file(tmp_path: Path) -> None:
    write(tmp_path, "1")
    (tmp_path / "out").write_text("mine")
    done = machine.run(mcpgen("from-openapi", "api.json", "-o", "out"), tmp_path)
    assert done.returncode == 1
    assert "is a file, not a folder" in done.stderr
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("there", [False, True])
def test_runs_at_the_same_time_do_not_mix(tmp_path: Path, there: bool) -> None:
    """Of several runs into one folder the last to finish has it whole; the others say that not."""
    versions = ("1", "2")
    wholes = []
    for version in versions:
        write(tmp_path, version)
        wholes.append(without_lock(generate(tmp_path)))
        (tmp_path / "out").rename(tmp_path / f"whole{version}")
        write(tmp_path, version, f"api{version}.json")
    if there:
        (tmp_path / "whole1").rename(tmp_path / "out")
    running = [
        subprocess.Popen(
            python("-m", "mcpgen", "from-openapi", f"api{version}.json", "-o", "out"),
            cwd=tmp_path, env=machine.BARE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        for version in versions
    ]  # fmt: skip
    said = [process.communicate(timeout=120)[1] for process in running]
    codes = [process.returncode for process in running]
    assert 0 in codes
    for code, text in zip(codes, said, strict=True):
        assert code == 0 or "error" in text, text
        assert "Traceback" not in text
    found = without_lock(read(tmp_path / "out"))
    winners = [code for code, whole in zip(codes, wholes, strict=True) if whole == found]
    assert winners == [0]
    assert [p.name for p in tmp_path.iterdir() if "mcpgen-" in p.name] == []
    assert not (tmp_path / "out" / all_or_nothing.STAGE).exists()


def without_lock(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without the files that name the document."""
    return {path: data for path, data in files.items() if not path.startswith("mcpgen.")}


def digest(folder: Path) -> str:
    """Of what is in a folder, but for what Python compiles."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


def test_a_server_in_a_bare_environment(api: Api, shop: Path) -> None:
    """No HOME, no locale, 64 descriptors, a read-only disk: text in any script passes through."""
    before = digest(shop)
    command = [sys.executable, "-m", "shop_mcp"]
    if machine.can_mount():
        command = mounted(f'{READ_ONLY} && cd "$0"', shop, *command)
    environ = {"SHOP_BASE_URL": api.url, "LC_ALL": "C"}
    with talking.started(shop, machine.poor, command=command, **environ) as server:
        assert server.call(1, "getPet", petId=1)["structuredContent"] == {"nonce": 1}
        name = "caf\u00e9 \u732b"
        assert server.call(2, "create", name=name)["structuredContent"] == {"name": name}
        assert server.end() == 0
    assert digest(shop) == before


@pytest.mark.anyio
@pytest.mark.parametrize("jump", [-1e9, 1e9])
async def test_a_clock_that_jumps(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    """Waits, deadlines and limits are counted by a clock that nobody sets."""
    real = time.time
    asked = 0

    def answer(_: httpx2.Request) -> httpx2.Response:
        nonlocal asked
        asked += 1
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        return httpx2.Response(503 if asked == 1 else 200, json={"nonce": 1})

    began = time.monotonic()
    found = await api_client(answer, settings=fast(retries=1)).send("GET", "/x")
    assert found.data == {"nonce": 1}
    assert time.monotonic() - began < 2
