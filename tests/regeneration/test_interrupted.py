"""Updates that end too early, or meet each other: nothing is lost, and what to do is said."""

import errno
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from killing import killed_at
from tables import table

from mcpgen.writing import all_or_nothing

from . import garden
from .garden import Make, operation

SERVER = Path("server")
HANDLERS = SERVER / "garden_mcp" / "handlers"


def write(*tags: str, argument: str) -> None:
    operations = {tag: operation(f"list_{tag}", tag, argument) for tag in tags}
    garden.write(**dict.fromkeys(("beds", "rows", "trees")) | operations)


def edit(text: str = "# Mine.") -> None:
    path = HANDLERS / "beds.py"
    path.write_text(path.read_text().replace("    return ", f"    {text}\n    return ", 1))


def files() -> dict[str, bytes]:
    found = {p.relative_to(SERVER).as_posix(): p for p in SERVER.rglob("*") if p.is_file()}
    return {
        name: path.read_bytes() for name, path in found.items() if all_or_nothing.STAGE not in name
    }


@pytest.fixture(autouse=True)
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, made_once: Make) -> None:
    monkeypatch.chdir(tmp_path)
    write("beds", "trees", argument="a")
    made_once("from-openapi", "api.json")
    edit()
    write("beds", "walls", argument="b")


def updated() -> None:
    """The update is whole, and what the person wrote is there."""
    text = (HANDLERS / "beds.py").read_text()
    assert "# Mine." in text
    assert '"b": b' in text
    assert not (HANDLERS / "trees.py").exists()
    assert (HANDLERS / "walls.py").exists()
    assert not (SERVER / all_or_nothing.STAGE).exists()
    assert run("check", "server", "--full").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_instant(seed):
    before = files()
    instant = random.Random(seed).randint(1, 40)
    changes = killed_at(instant, SERVER, "update", "server")
    if instant <= changes and (SERVER / all_or_nothing.STAGE / "plan.json").exists():
        done = run("check", "server")
        assert done.exit_code == 1
        assert "run `mcpgen update`" in done.stderr
    elif instant <= changes:
        assert files() == before or run("check", "server").exit_code == 0
    assert run("update", "server").exit_code == 0
    updated()


class Stop(BaseException):
    """The end of the process."""


@contextmanager
def stopping(
    monkeypatch: pytest.MonkeyPatch, name: str, after: int, end: type[BaseException]
) -> Iterator[None]:
    """An end before the call of `os.NAME` in the server after so many."""
    real, calls = getattr(os, name), 0

    def stop(*given: Any, **options: Any) -> Any:
        nonlocal calls
        calls += str(given[0]).startswith("server")
        if calls > after:
            raise end
        return real(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, stop)
        yield


def stopped(monkeypatch: pytest.MonkeyPatch, name: str, after: int) -> None:
    """Update with such an end of the process."""
    with stopping(monkeypatch, name, after, Stop), pytest.raises(Stop):
        run("update", "server", catch_exceptions=False)


@table(
    "name, after, told",
    ("mkdir", 0, "nothing is half written"),
    ("replace", 1, "run `mcpgen update` again to finish the update"),
    ("unlink", 0, "run `mcpgen update` again to finish the update"),
    ("rmdir", 0, "nothing is half written"),
)
def test_what_an_interrupt_by_hand_says(monkeypatch, name, after, told):
    """Before anything is written, in between, and after everything was."""
    with stopping(monkeypatch, name, after, KeyboardInterrupt):
        done = run("update", "server")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == f"error: server: interrupted; {told}"
    assert run("update", "server").exit_code == 0
    updated()


def test_only_what_was_to_be_removed_is_left(monkeypatch):
    """Everything has its new hash by then; the update is not over all the same."""
    stopped(monkeypatch, "unlink", 0)
    assert run("check", "server").exit_code == 1
    assert run("update", "server").exit_code == 0
    updated()


def test_an_edit_after_an_interruption_is_not_written_over(monkeypatch):
    stopped(monkeypatch, "replace", 1)
    edit("# Mine too.")
    before = files()
    done = run("update", "server")
    assert done.exit_code == 1
    assert "beds.py was edited since" in done.stderr
    assert files() == before
    edited = HANDLERS / "beds.py"
    edited.write_text(edited.read_text().replace("    # Mine too.\n", ""))
    assert run("update", "server").exit_code == 0
    updated()


def test_a_full_disk(monkeypatch):
    """Whichever file does not fit any more, the folder is as it was."""
    before, real = files(), Path.write_bytes
    for room in range(100):
        left = room

        def full(self: Path, data: bytes) -> int:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(self, data)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", full)
            done = run("update", "server")
        if done.exit_code == 0:
            break
        assert "No space left on device; nothing was changed" in done.stderr
        assert files() == before
        assert not (SERVER / all_or_nothing.STAGE).exists()
    assert room > 3
    updated()


def test_a_disk_that_fails_halfway(monkeypatch):
    real, calls = os.replace, 0

    def failing(source: Any, target: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        done = run("update", "server")
    assert done.exit_code == 1
    assert "run `mcpgen update` again to finish" in done.stderr
    assert run("update", "server").exit_code == 0
    updated()


def test_two_at_once():
    fcntl = pytest.importorskip("fcntl")
    before = files()
    handle = os.open(SERVER, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        done = run("update", "server")
    finally:
        os.close(handle)
    assert done.exit_code == 1
    assert "another mcpgen is writing to server; try again later" in done.stderr
    assert files() == before
    assert run("update", "server").exit_code == 0
    updated()
