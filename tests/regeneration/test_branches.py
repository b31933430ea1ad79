"""Branches of one repository that both updated a server."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from git_there import needs_git

from .garden import BEDS, MINE, PACKAGE, TREES, edit, operation, run, update, write

pytestmark = [pytest.mark.usefixtures("garden"), needs_git]


def git(*arguments: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "core.autocrlf=false")
    done = subprocess.run(["git", *who, *arguments], capture_output=True, text=True, check=False)
    return done.stdout


def start() -> None:
    """A repository whose first commit has the server."""
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "start")
    git("tag", "start")


def branch(name: str, path: Path, **changed: Any) -> None:
    """Update in a branch of its own, and edit a file."""
    git("checkout", "-q", "-b", name, "start")
    write(**changed)
    update()
    edit(path, "    return await", MINE)
    git("add", "-A")
    git("commit", "-qm", name)


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_a_merge_is_settled_with_either_lock(side):
    one = {"beds": operation("listBeds", "beds", "size", "depth")}
    other = {"trees": operation("listTrees", "trees", "size", "height")}
    start()
    branch("one", BEDS, **one)
    branch("other", TREES, **other)
    git("merge", "one")
    write(**one, **other)
    for command in ("update", "check"):
        refused = run(command, "server")
        assert refused.exit_code == 1
        assert "mcpgen.lock has conflict marks of a merge" in refused.stderr
        assert "git checkout --ours server/mcpgen.lock" in " ".join(refused.stderr.split())
    git("checkout", side, "server/mcpgen.lock")
    done = run("update", "--force", "server")
    assert (done.exit_code, "conflict" in done.output) == (0, False), done.output
    for path, argument in ((BEDS, "depth"), (TREES, "height")):
        assert MINE in path.read_text()
        assert f'"{argument}": {argument}' in path.read_text()
    update()


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_a_tool_that_one_branch_renamed_keeps_its_handler(side):
    start()
    with Path("server/mcpgen.toml").open("a") as settings:
        settings.write('[tools.listBeds]\nname = "beds"\n')
    branch("one", BEDS)
    branch("other", TREES, trees=operation("listTrees", "trees", "size", "height"))
    git("merge", "one")
    assert "<<<<<<< " not in BEDS.read_text()
    git("checkout", side, "server/mcpgen.lock")
    done = run("update", "--force", "server")
    assert (done.exit_code, "note:" in done.output) == (0, False), done.output
    update()
    assert MINE in BEDS.read_text()
    assert BEDS.read_text().count("/beds") == 2
    assert '"beds": "beds:beds"' in (PACKAGE / "handlers/__init__.py").read_text()
    assert json.loads(Path("server/mcpgen.lock").read_text())["named"] == {}


@pytest.mark.parametrize(
    "path", [Path("api.json"), Path("server/mcpgen.toml"), BEDS], ids=lambda path: path.name
)
def test_a_file_whose_merge_is_not_finished_is_told_as_such(path):
    text = path.read_text()
    path.write_text(f"{text}\n<<<<<<< one\n{text}=======\n>>>>>>> other\n")
    refused = run("update", "server")
    assert refused.exit_code == 1
    assert "Choose between the two sides and remove the marks" in " ".join(
        refused.output.split()
    ), refused.output
    path.write_text(text)
    update()
