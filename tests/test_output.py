"""A server's folder: all of it or nothing, and never over what a person wrote."""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest
from msgspec.structs import replace

from mcpgen import lock as locks
from mcpgen import output, staging
from mcpgen.format import format_files
from mcpgen.hashes import digest
from mcpgen.lock import Lock
from mcpgen.regeneration import ownership
from mcpgen.regeneration.reconcile import Policy
from mcpgen.regeneration.seen import Seen
from mcpgen.regeneration.taken import taken
from mcpgen.staging import OutputError

LOCK = Lock(mcpgen="1", source="api.yaml", source_sha256="0")
LOCK_TEXT = locks.to_text(LOCK)
LARGE = 1 << 20


def read_all(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): p.read_text()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != locks.FILE_NAME
    }


def test_a_new_server_is_written_whole(tmp_path: Path) -> None:
    report = output.write(tmp_path / "out", {"a.py": "1\n", "b/c.py": "2\n"}, LOCK)
    assert report.written == ("a.py", "b/c.py")
    assert read_all(tmp_path / "out") == {"a.py": "1\n", "b/c.py": "2\n"}
    assert os.listdir(tmp_path) == ["out"]


def test_nothing_is_left_when_a_new_server_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(OutputError, match="No space left"):
        output.write(tmp_path / "out", {"a.py": "1\n"}, LOCK)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("there", [False, True])
def test_large_files_are_written_where_no_thread_is_to_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    def fail(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    folder = tmp_path / "out"
    if there:
        output.write(folder, {"a.json": "[" + "1," * LARGE + "1]\n"}, LOCK)
    monkeypatch.setattr(Thread, "start", fail)
    seen = Seen(folder, locks.read(folder))
    seen.read_ahead(["a.json"])
    seen.arrive()
    new = {"a.json": "[" + "2," * LARGE + "2]\n", "b.py": "3\n"}
    output.write(folder, new, LOCK, seen=seen)
    assert read_all(folder) == new


def test_a_large_file_is_read_once_and_again_where_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"[" + b"1," * LARGE + b"1]\n"
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(data)
    seen = Seen(tmp_path, None)
    seen.read_ahead(["a.json", "b.json", "none.json"])
    seen.hash_beside("new.json", data)
    seen.arrive()
    (tmp_path / "b.json").write_bytes(b"[]\n")
    reading = Path.read_bytes
    read: list[str] = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: (read.append(path.name), reading(path))[1])
    found = [seen.content(name) for name in ("a.json", "b.json", "none.json")]
    assert [each and each.digest for each in found] == [digest(data), digest(b"[]\n"), None]
    assert seen.hashed["new.json"].digest == digest(data)
    assert read == ["b.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is full")
@pytest.mark.parametrize("there", [False, True])
def test_nothing_is_left_of_a_large_file_that_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    folder = tmp_path / "out"
    if there:
        output.write(folder, {"a.py": "1\n"}, LOCK)
    opened = staging._open
    monkeypatch.setattr(staging, "_open", lambda _: opened(Path("/dev/full")))
    with pytest.raises(OutputError, match="No space left on device; nothing was changed"):
        output.write(folder, {"a.py": "2\n", "b.json": "[" + "1," * LARGE + "1]\n"}, LOCK)
    if there:
        assert read_all(folder) == {"a.py": "1\n"}
    assert os.listdir(tmp_path) == (["out"] if there else [])


@pytest.mark.parametrize("there", [False, True])
def test_a_large_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """Whatever stops the thread that writes it."""

    class Cut(io.BytesIO):
        def write(self, _: object) -> int:
            raise MemoryError

    folder = tmp_path / "out"
    if there:
        output.write(folder, {"a.py": "1\n"}, LOCK)
    monkeypatch.setattr(staging, "_open", lambda _: Cut())
    with pytest.raises(MemoryError):
        output.write(folder, {"a.py": "2\n", "b.json": "[" + "1," * LARGE + "1]\n"}, LOCK)
    if there:
        output.finish(folder)
        assert read_all(folder) == {"a.py": "1\n"}
    assert os.listdir(tmp_path) == (["out"] if there else [])


@pytest.mark.parametrize("path", ["a.py", "new.py", "gone.py"])
def test_what_is_edited_while_files_are_written_is_not_lost(tmp_path: Path, path: str) -> None:
    folder, text = tmp_path / "out", "mine = 1\n"
    output.write(folder, {"a.py": "a = 1\n", "gone.py": "g = 1\n"}, LOCK)

    def edit() -> None:
        (folder / path).write_text(text)

    with pytest.raises(OutputError, match=f"{path} has changed .* run again"):
        output.write(folder, {"a.py": "a = 2\n", "new.py": "n = 1\n"}, LOCK, meanwhile=edit)
    assert read_all(folder) == {"a.py": "a = 1\n", "gone.py": "g = 1\n", path: text}
    assert not (folder / staging.STAGE).exists()


@pytest.mark.parametrize("steps", range(1, 5))
def test_an_empty_folder_is_filled_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
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
        output.write(Path("."), {"a.py": "1\n", "b/c.py": "2\n"}, LOCK)
    output.finish(Path("."))
    output.write(Path("."), {"a.py": "1\n", "b/c.py": "2\n"}, LOCK)
    assert read_all(tmp_path) == {"a.py": "1\n", "b/c.py": "2\n"}
    assert (tmp_path / locks.FILE_NAME).exists()
    assert not (tmp_path / staging.STAGE).exists()


@pytest.mark.skipif(os.name != "posix", reason="there is no umask")
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_folder_is_as_open_as_others(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        output.write(tmp_path / "out", {"a.py": "1\n"}, LOCK)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o777 & ~mask


@pytest.mark.parametrize("has_module", [False, True])
def test_a_file_system_need_have_no_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_module: bool
) -> None:
    """Nor need the system, as Windows has none on folders."""

    class NoLocks(ModuleType):
        LOCK_EX = LOCK_NB = 0

        def flock(self, *_: object) -> None:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setitem(sys.modules, "fcntl", NoLocks("fcntl") if has_module else None)
    for text in ("1\n", "2\n"):
        output.write(tmp_path / "out", {"a.py": text}, LOCK)
        assert read_all(tmp_path / "out") == {"a.py": text}


def test_a_name_in_another_case_may_be_the_same_file(tmp_path: Path) -> None:
    """As macOS and Windows have it: what was written must not be removed by its earlier name."""
    folder = tmp_path / "out"
    output.write(folder, {"Notes.md": "1\n", "a.py": "1\n"}, LOCK)
    if not (folder / "notes.md").exists():
        (folder / "notes.md").hardlink_to(folder / "Notes.md")
    output.write(folder, {"notes.md": "1\n", "a.py": "2\n"}, LOCK)
    assert (folder / "Notes.md").read_text() == "1\n"
    assert output.compare(folder, {"notes.md": "1\n", "a.py": "2\n"}, LOCK).clean


def test_other_keys_alone_make_no_server_stale(tmp_path: Path) -> None:
    """They come of a new release of the formatter that formats all files as before."""
    files = {"a.py": "a = 1\n"}
    output.write(tmp_path / "out", files, replace(LOCK, keys={"a.py": "1"}))
    assert output.compare(tmp_path / "out", files, replace(LOCK, keys={"a.py": "2"})).clean
    assert not output.compare(tmp_path / "out", files, replace(LOCK, server="other")).clean


def test_a_server_that_another_run_wrote_meanwhile_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, other = tmp_path / "out", {"a.py": "other = 1\n", "b.py": "same = 1\n"}
    look = output.check_target

    def look_before_the_other_writes(place: Path, *, force: bool = False) -> Lock | None:
        found = look(place, force=force)
        monkeypatch.setattr(output, "check_target", look)
        output.write(place, other, LOCK)
        return found

    monkeypatch.setattr(output, "check_target", look_before_the_other_writes)
    with pytest.raises(OutputError, match="nothing was changed"):
        output.write(folder, {"a.py": "mine = 1\n", "b.py": "same = 1\n"}, LOCK)
    assert read_all(folder) == other
    assert os.listdir(tmp_path) == ["out"]


def test_regeneration_replaces_ours_and_keeps_edits(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    old = {"a.py": "a = 1\n", "b.py": "b = 1\n", "gone/c.py": "c = 1\n", "d.py": "d = 1\n"}
    output.write(folder, old, LOCK)
    (folder / "b.py").write_text("b = 3\n")
    (folder / "own.py").write_text("own\n")
    new = {"a.py": "a = 2\n", "b.py": "b = 2\n", "d.py": "d = 1\n", "new/er/e.py": "e = 1\n"}
    report = output.write(folder, new, LOCK)
    assert (report.written, report.removed) == (("a.py", "new/er/e.py"), ("gone/c.py",))
    assert report.kept == ()
    (conflict,) = report.conflicts
    assert (conflict.path, conflict.line) == ("b.py", 1)
    assert "-b = 3" in conflict.diff
    assert "+b = 2" in conflict.diff
    assert read_all(folder) == {**new, "b.py": "b = 3\n", "own.py": "own\n"}
    assert not (folder / "gone").exists()


@pytest.mark.parametrize(
    "text", ["b = {}\n", "class b:\n    x = {}\n", '@tool("b")\ndef b():\n    return {}\n']
)
def test_a_conflict_is_where_formatting_leaves_it(tmp_path: Path, text: str) -> None:
    """Here below a function that gets more lines."""
    function = "def a({}):\n    return {}\n\n\n"
    more = ", ".join(f"argument_{number}" for number in range(9))
    ours, mine, new = (
        format_files({"a.py": function.format(arguments, value) + text.format(value)})["a.py"]
        for arguments, value in (("", 1), ("", 3), (more, 1))
    )
    output.write(tmp_path, {"p/a.py": ours}, LOCK)
    (tmp_path / "p/a.py").write_text(mine)
    new = new.replace(text.format(1), text.format(2))
    report = output.write(tmp_path, {"p/a.py": new}, LOCK)
    (conflict,) = report.conflicts
    lines = (tmp_path / "p/a.py").read_text().splitlines()
    assert lines[conflict.line - 1].startswith(("b =", "class b", "def b"))


def test_a_conflict_is_told_once(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"a.py": "a = 1\n"}, LOCK)
    (folder / "a.py").write_text("a = 0\n")
    counts = [
        len(output.write(folder, {"a.py": text}, LOCK).conflicts)
        for text in ("a = 2\n", "a = 2\n", "a = 3\n", "a = 3\n")
    ]
    assert counts == [1, 0, 1, 0]
    assert output.compare(folder, {"a.py": "a = 3\n"}, LOCK).clean
    assert (folder / "a.py").read_text() == "a = 0\n"


def test_lines_of_other_texts_are_merged(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"README.md": "# It\n\nTools: 3\n\nEnd\n"}, LOCK)
    (folder / "README.md").write_bytes(b"# It\r\n\r\nTools: 3\r\n\r\nEnd\r\n\r\nOurs\r\n")
    report = output.write(folder, {"README.md": "# It\n\nTools: 4\n\nEnd\n"}, LOCK)
    assert not report.conflicts
    text = (folder / "README.md").read_bytes()
    assert text == b"# It\r\n\r\nTools: 4\r\n\r\nEnd\r\n\r\nOurs\r\n"
    report = output.write(folder, {"README.md": "# It\n\nTools: 5\n\nEnd\n"}, LOCK)
    assert not report.conflicts
    assert (folder / "README.md").read_bytes() == text.replace(b"4", b"5")


@pytest.mark.parametrize(
    ("there", "new", "merged"),
    [
        ("one\ntwo", "one\ntwo\nthree\n", "one\ntwo\nthree"),
        ("one\ntwo", "zero\none\ntwo\n", "zero\none\ntwo"),
        ("one\r\ntwo", "one\ntwo\nthree\n", "one\r\ntwo\r\nthree"),
        ("", "one\ntwo\n", ""),
        (
            "one\nmine",
            "one\nother\n",
            "one\n<<<<<<< yours\nmine\n=======\nother\n>>>>>>> generated",
        ),
    ],
)
def test_a_text_without_an_end_to_its_last_line(
    tmp_path: Path, there: str, new: str, merged: str
) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"README.md": "one\ntwo\n"}, LOCK)
    (folder / "README.md").write_bytes(there.encode())
    output.write(folder, {"README.md": new}, LOCK, Policy(conflicts="markers"))
    assert (folder / "README.md").read_bytes() == merged.encode()


def test_variables_that_a_server_no_longer_reads_are_told(tmp_path: Path) -> None:
    """They are set where it runs, which no other message reaches before it runs there."""
    same = "# Seconds.\nP_TIMEOUT=60\n"
    old = (
        f"{same}\n# A token.\nP_O_AUTH2_TOKEN=\n\n# Path in the URL.\n"
        "# P_PATH_A0AF9F is unset by default.\n\n# Bytes.\nP_MAX_BYTES=10\n"
    )
    new = f"{same}\n# Another text.\nP_OAUTH2_TOKEN=\n\n# Path in the URL.\nP_URL_PATH=v1\n"
    output.write(tmp_path, {".env.example": old}, LOCK)
    (tmp_path / ".env.example").write_text(f"# Ours.\nOUR_KEY=\n\n{old}")
    for report in (
        output.compare(tmp_path, {".env.example": new}, LOCK),
        output.write(tmp_path, {".env.example": new}, LOCK),
    ):
        assert [str(note) for note in report.notes] == [
            ".env.example: the server no longer reads `P_O_AUTH2_TOKEN` (it is `P_OAUTH2_TOKEN` "
            "now), `P_PATH_A0AF9F` (it is `P_URL_PATH` now), `P_MAX_BYTES`"
        ]
    assert output.write(tmp_path, {".env.example": new}, LOCK).notes == ()


def test_variables_of_a_further_source_are_followed_when_it_has_another_name(
    tmp_path: Path,
) -> None:
    def of(source: str) -> str:
        start = source.upper()
        return (
            f"# For `{source}`: Where it is.\n{start}_BASE_URL=\n\n"
            f"# `P_TIMEOUT` for `{source}` alone.\n# {start}_TIMEOUT is unset by default.\n\n"
            f"# `P_READ_TIMEOUT` for `{source}` alone.\n"
            f"# {start}_READ_TIMEOUT is unset by default.\n"
        )

    output.write(tmp_path, {".env.example": of("copy")}, LOCK)
    report = output.write(tmp_path, {".env.example": of("shop")}, LOCK)
    assert [str(note) for note in report.notes] == [
        ".env.example: the server no longer reads `COPY_BASE_URL` (it is `SHOP_BASE_URL` now), "
        "`COPY_TIMEOUT` (it is `SHOP_TIMEOUT` now), "
        "`COPY_READ_TIMEOUT` (it is `SHOP_READ_TIMEOUT` now)"
    ]


def test_a_block_that_moved_leaves_the_text_it_moved_past_as_it_is(tmp_path: Path) -> None:
    """The block is longer than any other run of lines that both versions have."""
    table = "".join(f"| setting {n} |\n" for n in range(12))
    parts = "".join(f"## Part {n}\n\nText {n}.\nSee {{page}}#{n}.\n\n" for n in range(8))
    old, new = parts.format(page="a"), parts.format(page="b")
    folder = tmp_path / "out"
    output.write(folder, {"README.md": f"# It\n\n{table}\n{old}End\n"}, LOCK)
    mine = f"# It\n\n{table}\n{old}".replace("## Part 5", "Ours.\n\n## Part 5")
    (folder / "README.md").write_text(f"{mine}End\n")
    report = output.write(folder, {"README.md": f"# It\n\n{new}End\n\n{table}"}, LOCK)
    assert report.conflicts == ()
    merged = new.replace("## Part 5", "Ours.\n\n## Part 5")
    assert (folder / "README.md").read_text() == f"# It\n\n{merged}End\n\n{table}"


@pytest.mark.parametrize("goes", [False, True])
@pytest.mark.parametrize("path", ["p/tools.json", "p/_runtime/app.py", "p/models/a.py"])
def test_an_edit_of_what_is_ours_is_refused_with_advice(
    tmp_path: Path, path: str, goes: bool
) -> None:
    folder = tmp_path / "out"
    output.write(folder, {path: "1\n", "a.py": "a = 1\n"}, LOCK)
    (folder / path).write_text("edited\n")
    new = {"a.py": "a = 2\n"} if goes else {path: "2\n", "a.py": "a = 2\n"}
    with pytest.raises(OutputError, match=f"{path}: was edited, but it is generated: "):
        output.write(folder, new, LOCK)
    assert read_all(folder) == {path: "edited\n", "a.py": "a = 1\n"}
    report = output.write(folder, new, LOCK, Policy(force=True))
    assert [note.path for note in report.notes] == [path]
    assert read_all(folder) == new


def test_a_file_that_leaves_may_be_gone_already(tmp_path: Path) -> None:
    output.write(tmp_path, {"a.py": "a = 1\n", "b.py": "b = 1\n"}, LOCK)
    (tmp_path / "b.py").unlink()
    report = output.write(tmp_path, {"a.py": "a = 1\n"}, LOCK)
    assert (report.removed, report.kept, report.notes) == ((), (), ())
    assert output.compare(tmp_path, {"a.py": "a = 1\n"}, LOCK).clean


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (
            "# coding: latin-1\na = 1\n# \xe4\n".encode("latin-1"),
            "what is new does not fit its encoding, latin-1; save it as UTF-8",
        ),
        (b"a = 1\n\n# \xe4\n", "cannot be read: line 3 is no utf-8; save it as UTF-8"),
        ("a = 1\n".encode("utf-16"), "cannot be read: invalid .* declaration; save it as UTF-8"),
        (b"# coding: none\na = 1\n", "cannot be read: unknown encoding: none; save it as UTF-8"),
        (
            b"a = 1\n\0",
            "(does not parse|cannot be read): source code string cannot contain null bytes",
        ),
    ],
)
def test_an_edited_module_in_another_encoding_is_refused(
    tmp_path: Path, there: bytes, told: str
) -> None:
    output.write(tmp_path, {"p/a.py": "a = 1\n", "b.py": "b = 1\n"}, LOCK)
    (tmp_path / "p/a.py").write_bytes(there)
    with pytest.raises(OutputError, match=f"nothing was changed\n  p/a.py(:1:1)?: {told}"):
        output.write(tmp_path, {"p/a.py": "a = '\u2192'\n", "b.py": "b = 2\n"}, LOCK)
    assert (tmp_path / "p/a.py").read_bytes() == there
    assert (tmp_path / "b.py").read_text() == "b = 1\n"


def test_what_is_left_of_an_edited_file_that_left_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n", "c.txt": "1\n"}, LOCK)
    (folder / "b.py").write_text("b = 1\n\nown = 1\n")
    (folder / "c.txt").write_text("2\n")
    report = output.write(folder, {"a.py": "a = 1\n"}, LOCK)
    assert [note.path for note in report.kept] == ["b.py", "c.txt"]
    assert (folder / "b.py").read_text() == "own = 1\n"
    assert (folder / "c.txt").read_text() == "2\n"


def test_a_read_only_file_stops_the_whole_run(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n"}, LOCK)
    (folder / "b.py").chmod(0o444)
    with pytest.raises(OutputError, match="read-only"):
        output.write(folder, {"a.py": "a = 2\n", "b.py": "b = 2\n"}, LOCK)
    assert (folder / "a.py").read_text() == "a = 1\n"


def test_hooks_are_the_users_from_the_first_day(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"p/hooks.py": "seed\n"}, LOCK)
    (folder / "p/hooks.py").write_text("mine\n")
    report = output.write(folder, {"p/hooks.py": "other seed\n"}, LOCK)
    assert report.kept == ()
    assert (folder / "p/hooks.py").read_text() == "mine\n"


def test_imports_of_runtime_modules_that_moved_are_told_where_people_wrote_them(
    tmp_path: Path,
) -> None:
    old = {
        **{f"p/_runtime/{name}.py": f"{name} = 1\n" for name in ("errors", "media", "urls")},
        "p/_runtime/__init__.py": "",
        "p/hooks.py": "",
        "p/handlers/a.py": "from .._runtime.media import media\n\na = 1\n",
        "p/handlers/b.py": "b = 1\n",
    }
    output.write(tmp_path, old, LOCK)
    mine = "import p._runtime.media\nfrom ._runtime import errors, urls\nfrom . import _runtime\n"
    (tmp_path / "p/hooks.py").write_text(mine)
    (tmp_path / "p/handlers/b.py").write_text("from .._runtime.errors import *\n\nb = 2\n")
    new = {
        path: text.replace("_runtime.media", "_runtime.wire.media")
        for path, text in old.items()
        if path not in ("p/_runtime/media.py", "p/_runtime/urls.py")
    }
    new |= {"p/_runtime/wire/media.py": "media = 1\n", "p/_runtime/wire/__init__.py": ""}
    report = output.write(tmp_path, new, LOCK)
    assert report.conflicts == ()
    assert [str(note) for note in report.notes] == [
        "p/hooks.py:1: imports `p/_runtime/media.py`, which is `p/_runtime/wire/media.py` now",
        "p/hooks.py:2: imports `p/_runtime/urls.py`, which is gone",
    ]
    assert output.compare(tmp_path, new, LOCK).clean


def test_names_that_generated_modules_lost_are_told_where_people_take_them(tmp_path: Path) -> None:
    old = {
        "p/__init__.py": "",
        "p/_runtime/__init__.py": "from .errors import Fault\n",
        "p/_runtime/errors.py": "class Fault(Exception): ...\nHINT = old_hint = older = 1\n",
        "p/_runtime/results/__init__.py": "",
        "p/_runtime/results/pages.py": "",
        "p/api.py": "API = 1\n",
        "p/hooks.py": "",
        "tests/conftest.py": "def text_of(): ...\n",
    }
    output.write(tmp_path, old, LOCK)
    helpers = [
        "from typing import TYPE_CHECKING",
        "import p._runtime.errors as errors",
        "from ._runtime import Fault, errors as same, results",
        "from ._runtime.results import pages",
        "from ._runtime.errors import HINT, old_hint",
        "from .api import API, KEY",
        "from .api import Fault",
        "from . import _version, hooks",
        "try:",
        "    from ._runtime.ancient import age",
        "except ImportError:",
        "    from ._runtime.errors import age",
        "def pick(errors_of, results):",
        "    print(errors.older)",
        "    return errors.old_hint, same.HINT, Fault.args, results.mine, results.pages",
    ]
    (tmp_path / "p/helpers.py").write_text("\n".join(helpers))
    (tmp_path / "tests/test_mine.py").write_text(
        "from .conftest import text_of\nfrom p.api import VALUE\n"
    )
    (tmp_path / "check.py").write_text("from p._runtime.late import wait\nimport q._runtime.x\n")
    new = {
        **old,
        "p/_runtime/errors.py": "class Fault(Exception): ...\n\nif 1:\n    HINT: int = 1\n",
        "p/_runtime/hints.py": "def old_hint() -> None: ...\n",
        "p/_runtime/listing/pages.py": "",
        "tests/conftest.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from .texts import text_of\n",
        "tests/texts.py": "text_of = str\n",
    }
    del new["p/_runtime/results/pages.py"]
    told = [
        "check.py:1: imports `p/_runtime/late.py`, which is gone",
        "p/helpers.py:4: imports `p/_runtime/results/pages.py`, which is "
        "`p/_runtime/listing/pages.py` now",
        "p/helpers.py:5: takes `old_hint` from `p/_runtime/errors.py`, which has none; "
        "`p/_runtime/hints.py` has one",
        "p/helpers.py:6: takes `KEY` from `p/api.py`, which has none",
        "p/helpers.py:7: takes `Fault` from `p/api.py`, which has none; "
        "`p/_runtime/__init__.py` has one",
        "p/helpers.py:14: takes `older` from `p/_runtime/errors.py`, which has none",
        "tests/test_mine.py:1: takes `text_of` from `tests/conftest.py`, which has none; "
        "`tests/texts.py` has one",
        "tests/test_mine.py:2: takes `VALUE` from `p/api.py`, which has none",
    ]
    assert [str(note) for note in output.write(tmp_path, new, LOCK).notes] == told
    again = output.compare(tmp_path, new, LOCK)
    assert again.clean
    assert [str(note) for note in again.notes] == told, "as long as it is so"


@pytest.mark.parametrize(
    ("top", "encoding"),
    [("", "utf-8"), ("", "utf-8-sig"), ("# coding: latin-1\n# \xe4\n", "latin-1")],
)
def test_what_modules_take_is_told_whatever_their_encoding(
    tmp_path: Path, top: str, encoding: str
) -> None:
    old = {"p/a.py": "a = 1\n", "p/b.py": "b = 1\n"}
    output.write(tmp_path, old, LOCK)
    (tmp_path / "p/b.py").write_bytes(f"{top}from .a import mine\n\nb = 1\n".encode(encoding))
    (tmp_path / "p/a.py").write_bytes(f"{top}a = 1\nmine = 2\n".encode(encoding))
    assert output.write(tmp_path, {**old, "c.py": ""}, LOCK).notes == ()
    (tmp_path / "p/a.py").write_bytes(f"{top}a = 1\n".encode(encoding))
    [note] = output.write(tmp_path, old, LOCK).notes
    assert (note.path, note.text) == ("p/b.py", "takes `mine` from `p/a.py`, which has none")


def test_what_a_module_has_whose_conflicts_are_marked_is_not_known(tmp_path: Path) -> None:
    output.write(tmp_path, {"p/a.py": "a = 1\n"}, LOCK)
    (tmp_path / "p/a.py").write_text("a = 2\n")
    (tmp_path / "p/b.py").write_text("from .a import b\n")
    report = output.write(tmp_path, {"p/a.py": "a = 3\n"}, LOCK, Policy(conflicts="markers"))
    assert (len(report.conflicts), report.notes) == (1, ())


def test_what_is_not_for_type_checkers_is_run() -> None:
    text = "if {}TYPE_CHECKING:\n    from .models import Pet\n"
    tests = ("", "t.", "not ", "not t.")
    typed = [taken("p/helpers.py", text.format(test))[0].typed for test in tests]
    assert typed == [True, True, False, False]


def test_imports_that_nobody_misses_are_not_told(tmp_path: Path) -> None:
    old = {
        "p/_runtime/__init__.py": "",
        "p/_runtime/errors.py": "if TYPE_CHECKING:\n    from .ages import Age\n"
        "else:\n    from .ages import Year\n",
        "p/_runtime/results.py": "",
        "p/hooks.py": "",
    }
    output.write(tmp_path, old, LOCK)
    helpers = [
        "if typing.TYPE_CHECKING:",
        "    from ._runtime.errors import Age",
        "from ._runtime.errors import Year",
        "with contextlib.suppress(ImportError):",
        "    from ._runtime.errors import Month",
        "    from ._runtime.months import Month",
        "from . import hooks",
        "from ._runtime import errors, results",
        "from .soil import PH",
        "hooks.found = 1",
        "print(hooks.found, hooks.__file__)",
        "def results(): ...",
        "print(results.cache)",
        "def pick():",
        "    from mine import errors",
        "    return errors.late",
    ]
    (tmp_path / "p/helpers.py").write_text("\n".join(helpers))
    (tmp_path / "p/soil.py").write_text("from mine import *\n")
    assert output.write(tmp_path, {**old, "p/new.py": ""}, LOCK).notes == ()
    (tmp_path / "p/helpers.py").write_text("from ._runtime.errors import Age\n")
    [note] = output.compare(tmp_path, {**old, "p/new.py": ""}, LOCK).notes
    assert note.text == "takes `Age` from `p/_runtime/errors.py`, which has none"


def test_imports_of_types_that_are_gone_are_told_where_people_wrote_them(tmp_path: Path) -> None:
    old = {
        "p/models.py": "Pet = Toy = dict\n",
        "p/handlers/a.py": "from ..models import Toy\n\na = 1\n",
        "p/handlers/b.py": "b = 1\n",
        "p/hooks.py": "",
    }
    output.write(tmp_path, old, replace(LOCK, classes={"pet": "Pet", "toy": "Toy"}))
    twice = "from ..models import Pet, Toy\nfrom p.models import Toy as Same\n\nb = 2\n"
    (tmp_path / "p/handlers/b.py").write_text(twice)
    (tmp_path / "p/hooks.py").write_text("from toys import Toy\n")
    new = {**old, "p/models.py": "Pet = dict\n", "p/handlers/a.py": "a = 1\n"}
    now = replace(LOCK, classes={"pet": "Pet"})
    report = output.write(tmp_path, new, now)
    assert [str(note) for note in report.notes] == [
        "p/handlers/b.py:1: imports `Toy` from `models`, which no longer has it"
    ]
    assert output.compare(tmp_path, new, now).clean


@pytest.mark.parametrize("text", [None, "{"])
def test_without_a_lock_that_can_be_read_force_keeps_edits(
    tmp_path: Path, text: str | None
) -> None:
    old = {"a.py": "a = 1\n", "b.md": "1\n2\n", "c.py": "c = 1\n", "gone.py": "g = 1\n"}
    output.write(tmp_path, old, LOCK)
    mine = {**old, "a.py": "a = 2\n", "b.md": "1\nmine\n"}
    for path, there in mine.items():
        (tmp_path / path).write_text(there)
    (tmp_path / locks.FILE_NAME).unlink()
    if text is not None:
        (tmp_path / locks.FILE_NAME).write_text(text)
    new = {"a.py": "a = 3\n", "b.md": "1\n3\n", "c.py": "c = 1\n"}
    with pytest.raises(OutputError):
        output.write(tmp_path, new, LOCK)
    report = output.write(tmp_path, new, LOCK, Policy(force=True))
    assert [conflict.path for conflict in report.conflicts] == ["a.py", "b.md"]
    assert read_all(tmp_path) == mine
    assert output.compare(tmp_path, new, LOCK).clean


@pytest.mark.parametrize("inside", ["", "/server"])
def test_a_file_is_no_folder(tmp_path: Path, inside: str) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match=f"{tmp_path / 'out'} is a file, and no folder"):
        output.write(Path(f"{tmp_path}/out{inside}"), {"a.py": "1\n"}, LOCK, Policy(force=True))
    assert (tmp_path / "out").read_text() == "mine"


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="--force"):
        output.check_target(tmp_path)
    output.write(tmp_path, {"a.py": "1\n"}, LOCK, Policy(force=True))
    assert (tmp_path / "notes.txt").read_text() == "mine"


_FOREIGN = LOCK_TEXT.replace('"files": {}', '"files": {".git/tools.json": "0"}')


@pytest.mark.parametrize("text", ["", "{", "[]", '{"lock": 1}', '{"lock": 99}', _FOREIGN])
def test_a_lock_that_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / locks.FILE_NAME).write_text(text)
    with pytest.raises(OutputError, match=r"damaged|newer"):
        output.check_target(tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        "../x.py",
        "/x.py",
        "a/../../x.py",
        "a\\x.py",
        "a//x.py",
        "a\0",
        ".git/config",
        "a/.Git/x",
        ".g\u200cit/x",
    ],
)
def test_no_path_leaves_the_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError):
        output.write(tmp_path / "out", {path: ""}, LOCK)


def test_two_files_that_are_one_on_some_systems_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="one file"):
        output.write(tmp_path / "out", {"a.py": "", "A.py": ""}, LOCK)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    output.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / "p").symlink_to(elsewhere)
    with pytest.raises(OutputError, match="symbolic link"):
        output.write(folder, {"a.py": "1\n", "p/b.py": "1\n"}, LOCK)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("link.py", "link.py is a symbolic link"),
        ("folder.py", "folder.py is a folder, and no file"),
        ("a.py/b.py", "a.py is a file, and no folder"),
    ],
)
def test_what_is_in_the_way_stays_and_nothing_is_staged(
    tmp_path: Path, path: str, message: str
) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere.py"
    output.write(folder, {"a.py": "1\n"}, LOCK)
    elsewhere.write_text("mine\n")
    (folder / "link.py").symlink_to(elsewhere)
    (folder / "folder.py").mkdir()
    with pytest.raises(OutputError, match=f"{message}; nothing was changed"):
        output.write(folder, {"c.py": "1\n", path: "1\n"}, LOCK, Policy(force=True))
    assert elsewhere.read_text() == "mine\n"
    assert {each.name for each in folder.iterdir()} == {
        "a.py", "folder.py", "link.py", "mcpgen.lock"
    }  # fmt: skip


def test_a_tag_decides_for_no_other_file() -> None:
    """A module of handlers is one whatever the document calls its tag."""
    for name in ("hooks", "models", "runtime", "server", "api"):
        assert ownership.is_handlers(f"p/handlers/{name}.py")


@pytest.mark.parametrize("path", ["p/_runtime/hooks.py", "p/handlers/hooks.py"])
def test_other_modules_called_hooks_are_generated_again(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "out"
    output.write(folder, {path: "A = 1\n"}, LOCK)
    assert output.write(folder, {path: "A = 2\n"}, LOCK).written == (path,)
    assert (folder / path).read_text() == "A = 2\n"


def test_nothing_is_staged_behind_a_symbolic_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder = tmp_path / "out"
    output.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / staging.STAGE).symlink_to(elsewhere)
    with pytest.raises(OutputError, match="symbolic link"):
        output.write(folder, {"a.py": "2\n"}, LOCK)
    assert list(elsewhere.iterdir()) == []
    assert (folder / "a.py").read_text() == "1\n"


def test_a_staged_update_takes_nothing_from_elsewhere(tmp_path: Path) -> None:
    """A folder that a stranger made may come with one, and with links in it."""
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "key").write_text("secret")
    output.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / staging.STAGE).mkdir()
    (folder / staging.STAGE / "files").symlink_to(elsewhere)
    (folder / staging.STAGE / "plan.json").write_text('{"write": {"key": ""}, "remove": {}}')
    with pytest.raises(OutputError, match="symbolic link"):
        output.finish(folder)
    assert (elsewhere / "key").read_text() == "secret"
    assert not (folder / "key").exists()


def test_an_update_that_goes_on_writes_through_no_link(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    output.write(folder, {"a.py": "1\n"}, LOCK)
    elsewhere.mkdir()
    (folder / "p").symlink_to(elsewhere)
    (folder / staging.STAGE / "files/p").mkdir(parents=True)
    (folder / staging.STAGE / "files/p/key").write_text("1")
    (folder / staging.STAGE / "plan.json").write_text('{"write": {"p/key": ""}, "remove": {}}')
    with pytest.raises(OutputError, match="symbolic link"):
        output.finish(folder)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    "plan",
    [
        "", "{", "[]", '{"write": {}}', '{"write": [], "remove": {}}', "[" * 100_000,
        '{"write": {"../a": ""}, "remove": {}}', '{"write": {}, "remove": {".git/config": ""}}',
    ],
)  # fmt: skip
def test_a_staged_update_that_is_none_of_ours_is_refused(tmp_path: Path, plan: str) -> None:
    folder = tmp_path / "out"
    output.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / staging.STAGE).mkdir()
    (folder / staging.STAGE / "plan.json").write_text(plan)
    with pytest.raises(OutputError, match=r"delete it|may not be written"):
        output.finish(folder)
    assert read_all_but_stage(folder) == {"a.py": "1\n"}


@pytest.mark.parametrize("steps", range(1, 6))
def test_an_interrupted_update_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """Whichever file operation is the last, the folder is the old server or becomes the new one."""
    folder = tmp_path / "out"
    old = {"a.py": "1\n", "b.py": "1\n"}
    new = {"a.py": "2\n", "b.py": "2\n"}
    output.write(folder, old, LOCK)
    calls = 0
    replace = os.replace

    def stop(source: str, target: str) -> None:
        nonlocal calls
        calls += 1
        if calls == steps:
            raise KeyboardInterrupt
        replace(source, target)

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", stop)
        try:
            output.write(folder, new, LOCK)
        except KeyboardInterrupt:
            planned = (folder / staging.STAGE / "plan.json").exists()
            assert planned or read_all_but_stage(folder) == old
            patch.setattr(os, "replace", fail)
            goes_on = "No space left on device; the update goes on with the next `mcpgen update`"
            with pytest.raises(OutputError, match=goes_on) if planned else nullcontext():
                output.finish(folder)
    report = output.write(folder, new, LOCK)
    assert read_all(folder) == new
    assert report.kept == ()
    recorded = json.loads((folder / locks.FILE_NAME).read_text())["files"]
    assert recorded == {path: digest(text) for path, text in new.items()}


def read_all_but_stage(folder: Path) -> dict[str, str]:
    return {p: t for p, t in read_all(folder).items() if not p.startswith(staging.STAGE)}
