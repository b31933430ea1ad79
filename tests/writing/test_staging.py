"""An update is staged beside the server: an interrupted one goes on, and only ours is finished."""

import errno
import json
import os
from contextlib import nullcontext
from pathlib import Path

import pytest
from written_folders import LOCK, read_all

from mcpgen import lock as locks
from mcpgen.hashes import digest
from mcpgen.writing import all_or_nothing, server
from mcpgen.writing.all_or_nothing import OutputError


def test_nothing_is_staged_behind_a_symbolic_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder = tmp_path / "out"
    server.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / all_or_nothing.STAGE).symlink_to(elsewhere)
    with pytest.raises(OutputError, match="symbolic link"):
        server.write(folder, {"a.py": "2\n"}, LOCK)
    assert list(elsewhere.iterdir()) == []
    assert (folder / "a.py").read_text() == "1\n"


def test_a_staged_update_takes_nothing_from_elsewhere(tmp_path: Path) -> None:
    """A folder that a stranger made may come with one, and with links in it."""
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "key").write_text("secret")
    server.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / all_or_nothing.STAGE).mkdir()
    (folder / all_or_nothing.STAGE / "files").symlink_to(elsewhere)
    (folder / all_or_nothing.STAGE / "plan.json").write_text('{"write": {"key": ""}, "remove": {}}')
    with pytest.raises(OutputError, match="symbolic link"):
        server.finish(folder)
    assert (elsewhere / "key").read_text() == "secret"
    assert not (folder / "key").exists()


def test_an_update_that_goes_on_writes_through_no_link(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    server.write(folder, {"a.py": "1\n"}, LOCK)
    elsewhere.mkdir()
    (folder / "p").symlink_to(elsewhere)
    (folder / all_or_nothing.STAGE / "files/p").mkdir(parents=True)
    (folder / all_or_nothing.STAGE / "files/p/key").write_text("1")
    (folder / all_or_nothing.STAGE / "plan.json").write_text(
        '{"write": {"p/key": ""}, "remove": {}}'
    )
    with pytest.raises(OutputError, match="symbolic link"):
        server.finish(folder)
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
    server.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / all_or_nothing.STAGE).mkdir()
    (folder / all_or_nothing.STAGE / "plan.json").write_text(plan)
    with pytest.raises(OutputError, match=r"delete it|may not be written"):
        server.finish(folder)
    assert read_all_but_stage(folder) == {"a.py": "1\n"}


@pytest.mark.parametrize("steps", range(1, 6))
def test_an_interrupted_update_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """Whichever file operation is the last, the folder is the old server or becomes the new one."""
    folder = tmp_path / "out"
    old = {"a.py": "1\n", "b.py": "1\n"}
    new = {"a.py": "2\n", "b.py": "2\n"}
    server.write(folder, old, LOCK)
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
            server.write(folder, new, LOCK)
        except KeyboardInterrupt:
            planned = (folder / all_or_nothing.STAGE / "plan.json").exists()
            assert planned or read_all_but_stage(folder) == old
            patch.setattr(os, "replace", fail)
            goes_on = "No space left on device; run `mcpgen update` again to finish the update"
            with pytest.raises(OutputError, match=goes_on) if planned else nullcontext():
                server.finish(folder)
    report = server.write(folder, new, LOCK)
    assert read_all(folder) == new
    assert report.kept == ()
    recorded = json.loads((folder / locks.FILE_NAME).read_text())["files"]
    assert recorded == {path: digest(text) for path, text in new.items()}


def read_all_but_stage(folder: Path) -> dict[str, str]:
    return {p: t for p, t in read_all(folder).items() if not p.startswith(all_or_nothing.STAGE)}
