"""Writing a server again: what is ours is replaced, and what people edited is kept."""

import pytest
from msgspec.structs import replace
from tables import table
from written_folders import LOCK, read_all

from mcpgen import lock as locks
from mcpgen.format import format_files
from mcpgen.regeneration import ownership
from mcpgen.regeneration.outcome import Policy
from mcpgen.writing import server
from mcpgen.writing.all_or_nothing import OutputError


def test_other_keys_alone_make_no_server_stale(tmp_path):
    """They come of a new release of the formatter that formats all files as before."""
    files = {"a.py": "a = 1\n"}
    server.write(tmp_path / "out", files, replace(LOCK, keys={"a.py": "1"}))
    assert server.compare(tmp_path / "out", files, replace(LOCK, keys={"a.py": "2"})).clean
    assert not server.compare(tmp_path / "out", files, replace(LOCK, server="other")).clean


def test_regeneration_replaces_ours_and_keeps_edits(tmp_path):
    folder = tmp_path / "out"
    old = {"a.py": "a = 1\n", "b.py": "b = 1\n", "gone/c.py": "c = 1\n", "d.py": "d = 1\n"}
    server.write(folder, old, LOCK)
    (folder / "b.py").write_text("b = 3\n")
    (folder / "own.py").write_text("own\n")
    new = {"a.py": "a = 2\n", "b.py": "b = 2\n", "d.py": "d = 1\n", "new/er/e.py": "e = 1\n"}
    report = server.write(folder, new, LOCK)
    assert (report.written, report.removed) == (("a.py", "new/er/e.py"), ("gone/c.py",))
    assert report.kept == ()
    (conflict,) = report.conflicts
    assert (conflict.path, conflict.line) == ("b.py", 1)
    assert "-b = 3" in conflict.diff
    assert "+b = 2" in conflict.diff
    assert read_all(folder) == {**new, "b.py": "b = 3\n", "own.py": "own\n"}
    assert not (folder / "gone").exists()


@table("text", "b = {}\n", "class b:\n    x = {}\n", '@tool("b")\ndef b():\n    return {}\n')
def test_a_conflict_is_where_formatting_leaves_it(tmp_path, text):
    """Here below a function that gets more lines."""
    function = "def a({}):\n    return {}\n\n\n"
    more = ", ".join(f"argument_{number}" for number in range(9))
    ours, mine, new = (
        format_files({"a.py": function.format(arguments, value) + text.format(value)})["a.py"]
        for arguments, value in (("", 1), ("", 3), (more, 1))
    )
    server.write(tmp_path, {"p/a.py": ours}, LOCK)
    (tmp_path / "p/a.py").write_text(mine)
    new = new.replace(text.format(1), text.format(2))
    report = server.write(tmp_path, {"p/a.py": new}, LOCK)
    (conflict,) = report.conflicts
    lines = (tmp_path / "p/a.py").read_text().splitlines()
    assert lines[conflict.line - 1].startswith(("b =", "class b", "def b"))


def test_a_conflict_is_told_once(tmp_path):
    folder = tmp_path / "out"
    server.write(folder, {"a.py": "a = 1\n"}, LOCK)
    (folder / "a.py").write_text("a = 0\n")
    counts = [
        len(server.write(folder, {"a.py": text}, LOCK).conflicts)
        for text in ("a = 2\n", "a = 2\n", "a = 3\n", "a = 3\n")
    ]
    assert counts == [1, 0, 1, 0]
    assert server.compare(folder, {"a.py": "a = 3\n"}, LOCK).clean
    assert (folder / "a.py").read_text() == "a = 0\n"


def test_lines_of_other_texts_are_merged(tmp_path):
    folder = tmp_path / "out"
    server.write(folder, {"README.md": "# It\n\nTools: 3\n\nEnd\n"}, LOCK)
    (folder / "README.md").write_bytes(b"# It\r\n\r\nTools: 3\r\n\r\nEnd\r\n\r\nOurs\r\n")
    report = server.write(folder, {"README.md": "# It\n\nTools: 4\n\nEnd\n"}, LOCK)
    assert not report.conflicts
    text = (folder / "README.md").read_bytes()
    assert text == b"# It\r\n\r\nTools: 4\r\n\r\nEnd\r\n\r\nOurs\r\n"
    report = server.write(folder, {"README.md": "# It\n\nTools: 5\n\nEnd\n"}, LOCK)
    assert not report.conflicts
    assert (folder / "README.md").read_bytes() == text.replace(b"4", b"5")


@table(
    "there, new, merged",
    ("one\ntwo", "one\ntwo\nthree\n", "one\ntwo\nthree"),
    ("one\ntwo", "zero\none\ntwo\n", "zero\none\ntwo"),
    ("one\r\ntwo", "one\ntwo\nthree\n", "one\r\ntwo\r\nthree"),
    ("", "one\ntwo\n", ""),
    ("one\nmine", "one\nother\n", "one\n<<<<<<< yours\nmine\n=======\nother\n>>>>>>> generated"),
)
def test_a_text_without_an_end_to_its_last_line(tmp_path, there, new, merged):
    folder = tmp_path / "out"
    server.write(folder, {"README.md": "one\ntwo\n"}, LOCK)
    (folder / "README.md").write_bytes(there.encode())
    server.write(folder, {"README.md": new}, LOCK, Policy(conflicts="markers"))
    assert (folder / "README.md").read_bytes() == merged.encode()


def test_a_block_that_moved_leaves_the_text_it_moved_past_as_it_is(tmp_path):
    """The block is longer than any other run of lines that both versions have."""
    table = "".join(f"| setting {n} |\n" for n in range(12))
    parts = "".join(f"## Part {n}\n\nText {n}.\nSee {{page}}#{n}.\n\n" for n in range(8))
    old, new = parts.format(page="a"), parts.format(page="b")
    folder = tmp_path / "out"
    server.write(folder, {"README.md": f"# It\n\n{table}\n{old}End\n"}, LOCK)
    mine = f"# It\n\n{table}\n{old}".replace("## Part 5", "Ours.\n\n## Part 5")
    (folder / "README.md").write_text(f"{mine}End\n")
    report = server.write(folder, {"README.md": f"# It\n\n{new}End\n\n{table}"}, LOCK)
    assert report.conflicts == ()
    merged = new.replace("## Part 5", "Ours.\n\n## Part 5")
    assert (folder / "README.md").read_text() == f"# It\n\n{merged}End\n\n{table}"


@pytest.mark.parametrize("goes", [False, True])
@pytest.mark.parametrize("path", ["p/tools.json", "p/_runtime/app.py", "p/models/a.py"])
def test_an_edit_of_what_is_ours_is_refused_with_advice(tmp_path, path, goes):
    folder = tmp_path / "out"
    server.write(folder, {path: "1\n", "a.py": "a = 1\n"}, LOCK)
    (folder / path).write_text("edited\n")
    new = {"a.py": "a = 2\n"} if goes else {path: "2\n", "a.py": "a = 2\n"}
    with pytest.raises(OutputError, match=f"{path}: was edited, but it is generated: "):
        server.write(folder, new, LOCK)
    assert read_all(folder) == {path: "edited\n", "a.py": "a = 1\n"}
    report = server.write(folder, new, LOCK, Policy(force=True))
    assert [note.path for note in report.notes] == [path]
    assert read_all(folder) == new


def test_a_file_that_leaves_may_be_gone_already(tmp_path):
    server.write(tmp_path, {"a.py": "a = 1\n", "b.py": "b = 1\n"}, LOCK)
    (tmp_path / "b.py").unlink()
    report = server.write(tmp_path, {"a.py": "a = 1\n"}, LOCK)
    assert (report.removed, report.kept, report.notes) == ((), (), ())
    assert server.compare(tmp_path, {"a.py": "a = 1\n"}, LOCK).clean


@table(
    "there, told",
    (
        "# coding: latin-1\na = 1\n# \xe4\n".encode("latin-1"),
        "the new text does not fit the encoding, latin-1; save the file as UTF-8",
    ),
    (b"a = 1\n\n# \xe4\n", "cannot be read: line 3 is not valid utf-8; save it as UTF-8"),
    ("a = 1\n".encode("utf-16"), "cannot be read: invalid .* declaration; save it as UTF-8"),
    (b"# coding: none\na = 1\n", "cannot be read: unknown encoding: none; save it as UTF-8"),
    (b"a = 1\n\0", "(does not parse|cannot be read): source code string cannot contain null bytes"),
)
def test_an_edited_module_in_another_encoding_is_refused(tmp_path, there, told):
    server.write(tmp_path, {"p/a.py": "a = 1\n", "b.py": "b = 1\n"}, LOCK)
    (tmp_path / "p/a.py").write_bytes(there)
    with pytest.raises(OutputError, match=f"nothing was changed\n  p/a.py(:1:1)?: {told}"):
        server.write(tmp_path, {"p/a.py": "a = '\u2192'\n", "b.py": "b = 2\n"}, LOCK)
    assert (tmp_path / "p/a.py").read_bytes() == there
    assert (tmp_path / "b.py").read_text() == "b = 1\n"


def test_what_is_left_of_an_edited_file_that_left_is_kept(tmp_path):
    folder = tmp_path / "out"
    server.write(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n", "c.txt": "1\n"}, LOCK)
    (folder / "b.py").write_text("b = 1\n\nown = 1\n")
    (folder / "c.txt").write_text("2\n")
    report = server.write(folder, {"a.py": "a = 1\n"}, LOCK)
    assert [note.path for note in report.kept] == ["b.py", "c.txt"]
    assert (folder / "b.py").read_text() == "own = 1\n"
    assert (folder / "c.txt").read_text() == "2\n"


def test_a_read_only_file_stops_the_whole_run(tmp_path):
    folder = tmp_path / "out"
    server.write(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n"}, LOCK)
    (folder / "b.py").chmod(0o444)
    with pytest.raises(OutputError, match="read-only"):
        server.write(folder, {"a.py": "a = 2\n", "b.py": "b = 2\n"}, LOCK)
    assert (folder / "a.py").read_text() == "a = 1\n"


def test_hooks_are_the_users_from_the_first_day(tmp_path):
    folder = tmp_path / "out"
    server.write(folder, {"p/hooks.py": "seed\n"}, LOCK)
    (folder / "p/hooks.py").write_text("mine\n")
    report = server.write(folder, {"p/hooks.py": "other seed\n"}, LOCK)
    assert report.kept == ()
    assert (folder / "p/hooks.py").read_text() == "mine\n"


@pytest.mark.parametrize("text", [None, "{"])
def test_without_a_lock_that_can_be_read_force_keeps_edits(tmp_path, text):
    old = {"a.py": "a = 1\n", "b.md": "1\n2\n", "c.py": "c = 1\n", "gone.py": "g = 1\n"}
    server.write(tmp_path, old, LOCK)
    mine = {**old, "a.py": "a = 2\n", "b.md": "1\nmine\n"}
    for path, there in mine.items():
        (tmp_path / path).write_text(there)
    (tmp_path / locks.FILE_NAME).unlink()
    if text is not None:
        (tmp_path / locks.FILE_NAME).write_text(text)
    new = {"a.py": "a = 3\n", "b.md": "1\n3\n", "c.py": "c = 1\n"}
    with pytest.raises(OutputError):
        server.write(tmp_path, new, LOCK)
    report = server.write(tmp_path, new, LOCK, Policy(force=True))
    assert [conflict.path for conflict in report.conflicts] == ["a.py", "b.md"]
    assert read_all(tmp_path) == mine
    assert server.compare(tmp_path, new, LOCK).clean


def test_a_tag_decides_for_no_other_file():
    """A module of handlers is one whatever the document calls its tag."""
    for name in ("hooks", "models", "runtime", "server", "api"):
        assert ownership.is_handlers(f"p/handlers/{name}.py")


@pytest.mark.parametrize("path", ["p/_runtime/hooks.py", "p/handlers/hooks.py"])
def test_other_modules_called_hooks_are_generated_again(tmp_path, path):
    folder = tmp_path / "out"
    server.write(folder, {path: "A = 1\n"}, LOCK)
    assert server.write(folder, {path: "A = 2\n"}, LOCK).written == (path,)
    assert (folder / path).read_text() == "A = 2\n"
