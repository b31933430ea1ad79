"""A server's folder is written whole or not at all, whatever happens to files meanwhile."""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from written_folders import LOCK, read_all

from mcpgen import lock as locks
from mcpgen.hashes import digest
from mcpgen.lock import Lock
from mcpgen.regeneration.server_folder import ServerFolder
from mcpgen.writing import all_or_nothing, server
from mcpgen.writing.all_or_nothing import OutputError


def test_a_new_server_is_written_whole(tmp_path):
    report = server.write(tmp_path / "out", {"a.py": "1\n", "b/c.py": "2\n"}, LOCK)
    assert report.written == ("a.py", "b/c.py")
    assert read_all(tmp_path / "out") == {"a.py": "1\n", "b/c.py": "2\n"}
    assert os.listdir(tmp_path) == ["out"]


def test_nothing_is_left_when_a_new_server_cannot_be_written(tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(OutputError, match="No space left"):
        server.write(tmp_path / "out", {"a.py": "1\n"}, LOCK)
    assert os.listdir(tmp_path) == []


def test_a_file_is_read_once_and_again_where_it_changes(tmp_path, monkeypatch):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(b"[1]\n")
    seen = ServerFolder(tmp_path, None)
    names = ("a.json", "b.json", "none.json")
    assert [seen.content(name) is None for name in names] == [False, False, True]
    (tmp_path / "b.json").write_bytes(b"[]\n")
    reading = Path.read_bytes
    read: list[str] = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: (read.append(path.name), reading(path))[1])
    found = [seen.content(name) for name in names]
    assert [each and each.digest for each in found] == [digest(b"[1]\n"), digest(b"[]\n"), None]
    assert read == ["b.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is full")
@pytest.mark.parametrize("there", [False, True])
def test_nothing_is_left_of_a_file_that_does_not_fit(tmp_path, monkeypatch, there):
    folder = tmp_path / "out"
    if there:
        server.write(folder, {"a.py": "1\n"}, LOCK)
    full = Path("/dev/full")
    monkeypatch.setattr(all_or_nothing, "_write_bytes", lambda _, data: full.write_bytes(data))
    with pytest.raises(OutputError, match="No space left on device; nothing was changed"):
        server.write(folder, {"a.py": "2\n", "b.json": "[1]\n"}, LOCK)
    if there:
        assert read_all(folder) == {"a.py": "1\n"}
    assert os.listdir(tmp_path) == (["out"] if there else [])


@pytest.mark.parametrize("there", [False, True])
def test_files_are_written_all_or_none(tmp_path, monkeypatch, there):
    """Whatever stops the run that writes them."""

    def stop(path: Path, data: bytes) -> None:
        if path.name == "b.json":
            raise MemoryError
        written(path, data)

    folder, written = tmp_path / "out", all_or_nothing._write_bytes
    if there:
        server.write(folder, {"a.py": "1\n"}, LOCK)
    monkeypatch.setattr(all_or_nothing, "_write_bytes", stop)
    with pytest.raises(MemoryError):
        server.write(folder, {"a.py": "2\n", "b.json": "[1]\n"}, LOCK)
    monkeypatch.undo()
    if there:
        server.finish(folder)
        assert read_all(folder) == {"a.py": "1\n"}
    assert os.listdir(tmp_path) == (["out"] if there else [])


@pytest.mark.parametrize("path", ["a.py", "new.py", "gone.py"])
def test_what_is_edited_while_files_are_written_is_not_lost(tmp_path, monkeypatch, path):
    folder, text = tmp_path / "out", "mine = 1\n"
    server.write(folder, {"a.py": "a = 1\n", "gone.py": "g = 1\n"}, LOCK)

    def write(place: Path, data: bytes) -> None:
        (folder / path).write_text(text)
        written(place, data)

    written = all_or_nothing._write_bytes
    monkeypatch.setattr(all_or_nothing, "_write_bytes", write)
    with pytest.raises(OutputError, match=f"{path} has changed .* run again"):
        server.write(folder, {"a.py": "a = 2\n", "new.py": "n = 1\n"}, LOCK)
    assert read_all(folder) == {"a.py": "a = 1\n", "gone.py": "g = 1\n", path: text}
    assert not (folder / all_or_nothing.STAGE).exists()


@pytest.mark.parametrize("steps", range(1, 5))
def test_an_empty_folder_is_filled_in_its_place(tmp_path, monkeypatch, steps):
    """It may be the working directory, or a mount; Windows replaces no folder at all."""

    def fail(*_: object) -> None:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    calls, replacing = 0, os.replace

    def stop(source: str, target: str) -> None:
        nonlocal calls
        calls += 1
        if calls == steps:
            raise KeyboardInterrupt
        replacing(source, target)

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(os, "rename", fail)
        patch.setattr(os, "replace", stop)
        server.write(Path("."), {"a.py": "1\n", "b/c.py": "2\n"}, LOCK)
    server.finish(Path("."))
    server.write(Path("."), {"a.py": "1\n", "b/c.py": "2\n"}, LOCK)
    assert read_all(tmp_path) == {"a.py": "1\n", "b/c.py": "2\n"}
    assert (tmp_path / locks.FILE_NAME).exists()
    assert not (tmp_path / all_or_nothing.STAGE).exists()


@pytest.mark.skipif(os.name != "posix", reason="there is no umask")
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_folder_is_as_open_as_others(tmp_path, mask):
    before = os.umask(mask)
    try:
        server.write(tmp_path / "out", {"a.py": "1\n"}, LOCK)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o777 & ~mask


@pytest.mark.parametrize("has_module", [False, True])
def test_a_file_system_need_have_no_locks(tmp_path, monkeypatch, has_module):
    """Nor need the system, as Windows has none on folders."""

    class NoLocks(ModuleType):
        LOCK_EX = LOCK_NB = 0

        def flock(self, *_: object) -> None:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setitem(sys.modules, "fcntl", NoLocks("fcntl") if has_module else None)
    for text in ("1\n", "2\n"):
        server.write(tmp_path / "out", {"a.py": text}, LOCK)
        assert read_all(tmp_path / "out") == {"a.py": text}


def test_a_name_in_another_case_may_be_the_same_file(tmp_path):
    """As macOS and Windows have it: what was written must not be removed by its earlier name."""
    folder = tmp_path / "out"
    server.write(folder, {"Notes.md": "1\n", "a.py": "1\n"}, LOCK)
    if not (folder / "notes.md").exists():
        (folder / "notes.md").hardlink_to(folder / "Notes.md")
    server.write(folder, {"notes.md": "1\n", "a.py": "2\n"}, LOCK)
    assert (folder / "Notes.md").read_text() == "1\n"
    assert server.compare(folder, {"notes.md": "1\n", "a.py": "2\n"}, LOCK).clean


def test_a_server_that_another_run_wrote_meanwhile_stays_whole(tmp_path, monkeypatch):
    folder, other = tmp_path / "out", {"a.py": "other = 1\n", "b.py": "same = 1\n"}
    look = server.check_target

    def look_before_the_other_writes(place: Path, *, force: bool = False) -> Lock | None:
        found = look(place, force=force)
        monkeypatch.setattr(server, "check_target", look)
        server.write(place, other, LOCK)
        return found

    monkeypatch.setattr(server, "check_target", look_before_the_other_writes)
    with pytest.raises(OutputError, match="nothing was changed"):
        server.write(folder, {"a.py": "mine = 1\n", "b.py": "same = 1\n"}, LOCK)
    assert read_all(folder) == other
    assert os.listdir(tmp_path) == ["out"]
