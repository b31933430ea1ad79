"""Folders that `mcpgen update` and `check` take, and those that they refuse as no whole server."""

import json
import os
from pathlib import Path

import pytest
from command_line import run
from msgspec.structs import replace
from tables import table

from mcpgen import lock as locks
from mcpgen.diagnostics import Diagnostics
from mcpgen.hashes import digest

from .beds import HANDLERS, edit, write

pytestmark = pytest.mark.usefixtures("beds")


def refused(told: str, *commands: str) -> None:
    before = {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}
    for command in commands or ("check", "update", "inspect"):
        done = run(command, "server")
        assert (done.exit_code, type(done.exception)) == (1, SystemExit)
        assert told in done.stderr or (command == "inspect" and "not-a-server" in done.stderr)
    assert before == {p: p.read_bytes() for p in Path("server").rglob("*") if p.is_file()}


@pytest.mark.parametrize("text", ["", "{", "[]", "<<<<<<< HEAD\n{}", "\ud800", "[" * 99_999])
def test_a_lock_that_cannot_be_read(text):
    Path("server/mcpgen.lock").write_bytes(text.encode("utf-8", "surrogatepass"))
    refused("mcpgen.lock is damaged; restore it from version control")


@pytest.mark.parametrize("known", [False, True])
def test_a_lock_of_a_newer_version(known):
    path = Path("server/mcpgen.lock")
    members = json.loads(path.read_text()) if known else {"later": True}
    path.write_text(json.dumps({**members, "lock": 99}))
    refused("mcpgen.lock was written by a newer mcpgen; upgrade mcpgen")
    before = path.read_bytes()
    for command in (("update", "server"), ("from-openapi", "api.json", "-o", "server")):
        done = run(*command, "--force")
        assert (done.exit_code, "upgrade mcpgen" in done.stderr) == (1, True)
    assert path.read_bytes() == before


@table(
    "version, newer",
    *[(newer, True) for newer in ("99.0", "0.10.0", "0.1.0.1", "0.2.0rc1", "0.2.0.dev1")],
    *[(same, False) for same in ("0.1.0", "0.1", "0.1.0.0", "0.1.0rc1", "0.1.0.dev3+g15")],
    *[(other, False) for other in ("0.0.9", "unknown", "0.0.9+99")],
)
def test_versions_that_are_newer(version, newer):
    found = Diagnostics()
    locks.tell_if_newer(replace(locks.NOTHING, mcpgen=version), found)
    assert [each.code for each in found.items] == ["older-mcpgen"] * newer


def test_a_server_of_another_mcpgen():
    path = Path("server/mcpgen.lock")
    path.write_text(path.read_text().replace('"mcpgen": "0.1.0"', '"mcpgen": "99.0"'))
    told = "mcpgen 99.0 generated this server, and 0.1.0 is older"
    for command in ("check", "update"):
        done = run(command, "server")
        assert (done.exit_code, told in done.stderr) == (0, True)


@pytest.mark.parametrize("key", locks.FACTS)
def test_a_lock_with_values_that_cannot_be(key):
    path = Path("server/mcpgen.lock")
    good = json.loads(path.read_text())
    for bad in (1, None, [], {"a": 1}, {"a": {"b": {"c": 1}}}, [[]]):
        if bad != good[key] and not (bad == [] and isinstance(good[key], list)):
            path.write_text(json.dumps({**good, key: bad}))
            with pytest.raises(locks.LockError, match=r"mcpgen\.lock is damaged"):
                locks.read(path.parent)


def test_a_lock_whose_version_cannot_be():
    path = Path("server/mcpgen.lock")
    good = json.loads(path.read_text())
    for bad in (None, "3", 0, -1, [], {}):
        path.write_text(json.dumps({**good, "lock": bad}))
        refused("mcpgen.lock is damaged", "update")
    del good["lock"]
    path.write_text(json.dumps(good))
    refused("mcpgen.lock is damaged")


@pytest.mark.parametrize("path", ["../api.json", "/tmp/api.json", "a/../../api.json"])
def test_a_lock_that_names_a_file_elsewhere(path):
    lock = Path("server/mcpgen.lock")
    known = json.loads(lock.read_text())
    known["files"][path] = digest(Path("api.json").read_bytes())
    lock.write_text(json.dumps(known))
    refused("mcpgen.lock is damaged")
    assert Path("api.json").exists()


def test_without_a_lock_nothing_is_known_and_nothing_lost():
    edit("    return await", "    # Mine.\n    return await")
    Path("server/mcpgen.lock").unlink()
    refused("server has no mcpgen.lock; restore it from version control")
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 1
    write(a="string", b="integer")
    done = run("update", "server", "--force")
    assert done.exit_code == 1
    assert f"conflict: {HANDLERS}:" in done.stdout
    assert "# Mine." in Path(HANDLERS).read_text()
    assert run("check", "server").exit_code == 0


def test_settings_may_come_before_the_server():
    Path("new").mkdir()
    assert run("inspect", "api.json", "--write-settings", "new/mcpgen.toml").exit_code == 0
    edit("# Such as:", "page_size = 7", "new/mcpgen.toml")
    done = run("check", "new")
    assert (done.exit_code, "run `mcpgen update`" in done.stderr) == (1, True)
    assert run("update", "new").exit_code == 0
    assert "page_size=7" in Path("new/garden_mcp/server.py").read_text()
    assert run("check", "new").exit_code == 0


def test_without_settings_there_is_nothing_to_go_by():
    Path("server/mcpgen.toml").unlink()
    for command in ("update", "check"):
        done = run(command, "server")
        assert done.exit_code == 1
        assert "server has no mcpgen.toml; restore it from version control" in done.stderr
        assert done.stdout == ""
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    assert run("check", "server").exit_code == 0


def test_a_folder_that_is_named_twice_is_updated_once():
    write(a="string")
    done = run("update", "server", "server/", "./serv*")
    assert (done.exit_code, done.stdout.count("server: ")) == (0, 1)


def test_a_folder_whose_name_looks_like_a_glob_is_taken_by_its_name():
    Path("server").rename("server[1]")
    assert run("check", "server[1]").exit_code == 0


def test_a_glob_passes_over_no_server_that_lost_its_lock():
    Path("server/mcpgen.lock").unlink()
    Path("serve").mkdir()
    done = run("check", "serve*")
    assert done.exit_code == 1
    assert done.stderr.count("error:") == 1
    assert "server has no mcpgen.lock" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@table(
    "arguments, code",
    (["check", "server"], 3),
    (["inspect", "server"], 1),
    (["diff", "server", "server"], 1),
)
def test_no_device_is_read_in_place_of_the_tools(monkeypatch, arguments, code):
    """Where a stranger's link leads to `/dev/zero`, reading has no end."""
    [tools] = Path("server").glob("*/tools.json")
    tools.unlink()
    tools.symlink_to(os.devnull)
    reading = Path.read_bytes

    def read(path: Path) -> bytes:
        assert path.is_file(), path
        return reading(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    done = run(*arguments)
    assert (done.exit_code, type(done.exception)) == (code, SystemExit)


def test_a_link_to_a_server_is_not_the_server():
    Path("link").symlink_to("server")
    done = run("update", "link")
    assert done.exit_code == 1
    assert "link is a symbolic link; name its target" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("command", ["check", "update"])
def test_a_file_that_cannot_be_looked_at_is_named(command):
    Path(HANDLERS).unlink()
    Path(HANDLERS).symlink_to(Path(HANDLERS).name)
    done = run(command, "server")
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert f"error: {HANDLERS}: Too many levels of symbolic links\n" in done.stderr


def test_a_folder_of_something_else():
    Path("other").mkdir()
    Path("full").mkdir()
    Path("full/notes.txt").write_text("mine")
    for name in ("other", "nothing", "full"):
        done = run("update", name)
        assert done.exit_code == 1
        assert "no mcpgen.lock" in done.output
