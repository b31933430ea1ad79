"""A server is written into no folder of something else, and to no place outside of its own."""

from pathlib import Path

import pytest
from tables import table
from written_folders import LOCK

from mcpgen import lock as locks
from mcpgen.regeneration.outcome import Policy
from mcpgen.writing import server
from mcpgen.writing.all_or_nothing import OutputError

LOCK_TEXT = locks.to_text(LOCK)


@pytest.mark.parametrize("inside", ["", "/server"])
def test_a_file_is_no_folder(tmp_path, inside):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match=f"{tmp_path / 'out'} is a file, not a folder"):
        server.write(Path(f"{tmp_path}/out{inside}"), {"a.py": "1\n"}, LOCK, Policy(force=True))
    assert (tmp_path / "out").read_text() == "mine"


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="--force"):
        server.check_target(tmp_path)
    server.write(tmp_path, {"a.py": "1\n"}, LOCK, Policy(force=True))
    assert (tmp_path / "notes.txt").read_text() == "mine"


_FOREIGN = LOCK_TEXT.replace('"files": {}', '"files": {".git/tools.json": "0"}')


@pytest.mark.parametrize("text", ["", "{", "[]", '{"lock": 1}', '{"lock": 99}', _FOREIGN])
def test_a_lock_that_cannot_be_read_is_refused(tmp_path, text):
    (tmp_path / locks.FILE_NAME).write_text(text)
    with pytest.raises(OutputError, match=r"damaged|newer"):
        server.check_target(tmp_path)


@table(
    "path",
    "../x.py",
    "/x.py",
    "a/../../x.py",
    "a\\x.py",
    "a//x.py",
    "a\0",
    ".git/config",
    "a/.Git/x",
    ".g\u200cit/x",
)
def test_no_path_leaves_the_folder(tmp_path, path):
    with pytest.raises(OutputError):
        server.write(tmp_path / "out", {path: ""}, LOCK)


def test_two_files_that_are_one_on_some_systems_are_refused(tmp_path):
    with pytest.raises(OutputError, match="the same file"):
        server.write(tmp_path / "out", {"a.py": "", "A.py": ""}, LOCK)


def test_nothing_is_written_through_a_link(tmp_path):
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    server.write(folder, {"a.py": "1\n"}, LOCK)
    (folder / "p").symlink_to(elsewhere)
    with pytest.raises(OutputError, match="symbolic link"):
        server.write(folder, {"a.py": "1\n", "p/b.py": "1\n"}, LOCK)
    assert list(elsewhere.iterdir()) == []


@table(
    "path, message",
    ("link.py", "link.py is a symbolic link"),
    ("folder.py", "folder.py is a folder, not a file"),
    ("a.py/b.py", "a.py is a file, not a folder"),
)
def test_what_is_in_the_way_stays_and_nothing_is_staged(tmp_path, path, message):
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere.py"
    server.write(folder, {"a.py": "1\n"}, LOCK)
    elsewhere.write_text("mine\n")
    (folder / "link.py").symlink_to(elsewhere)
    (folder / "folder.py").mkdir()
    with pytest.raises(OutputError, match=f"{message}; nothing was changed"):
        server.write(folder, {"c.py": "1\n", path: "1\n"}, LOCK, Policy(force=True))
    assert elsewhere.read_text() == "mine\n"
    assert {each.name for each in folder.iterdir()} == {
        "a.py", "folder.py", "link.py", "mcpgen.lock"
    }  # fmt: skip
