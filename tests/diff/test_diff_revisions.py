"""`mcpgen diff` of revisions: what git has is compared to what is there."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import run
from diff_documents import codes, document
from git_there import needs_git

pytestmark = needs_git


def git(folder: Path, *commands: str) -> None:
    """Run commands of git in a repository."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    for command in commands:
        subprocess.run(["git", "-C", str(folder), *who, *command.split()], check=True)


COMMITTED = ("init -q", "add .", "commit -qm 1")
"""A repository of what is there."""


def test_revisions_and_servers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api").mkdir()
    part = {"get": {"operationId": "a", "responses": {"200": {"description": "ok"}}}}
    whole = {**document(), "paths": {"/a": {"$ref": "part.json"}}}
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    (tmp_path / "api/api.json").write_text(json.dumps(whole))
    done = run("from-openapi", "api/api.json", "-o", "server")
    assert done.exit_code == 0, done.output
    git(tmp_path, *COMMITTED)
    part["get"]["operationId"] = "z"  # type: ignore[index]
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    for old in ("HEAD:api/api.json", "HEAD:server", "server"):
        done = run("diff", old, "api/api.json", "--json")
        assert "tool-renamed" in codes(json.loads(done.stdout)), old
    done = run("diff", "HEAD:api/api.json", "server")
    assert done.exit_code == 0
    assert "breaking" not in done.stdout
    for wrong in ("HEAD:none.json", "NONE:api/api.json", "api", "HEAD:first"):
        assert run("diff", wrong, "server").exit_code == 1
    shutil.copytree("server", "first")
    done = run("diff", "HEAD:first", "first", "--fail-on", "breaking")
    assert (done.exit_code, done.stderr.count("first does not exist: every tool")) == (0, 1)
    assert "0 -> 1 tools" in done.stdout, done.stdout
    assert run("diff", "NONE:first", "first").exit_code == 1


def test_a_revision_is_named_from_any_folder_of_the_repository(tmp_path, monkeypatch):
    folder = tmp_path / "the docs"
    folder.mkdir()
    (folder / "api.json").write_text(json.dumps(document(a={}, b={})))
    git(tmp_path, *COMMITTED)
    (folder / "api.json").write_text(json.dumps(document(a={})))
    named = (
        (folder, "api.json"),
        (tmp_path, "the docs/api.json"),
        (folder, "../the docs/api.json"),
    )
    for place, path in named:
        monkeypatch.chdir(place)
        done = run("diff", f"HEAD:{path}", path, "--json")
        assert codes(json.loads(done.stdout)) == {"tool-removed": "breaking"}
    monkeypatch.setenv("PATH", "")
    done = run("diff", "HEAD:api.json", "api.json")
    assert done.exit_code == 1
    assert "HEAD:api.json cannot be read: git is not installed" in done.output


def test_what_is_kept_from_releases_is_of_the_revision_and_what_links_lead_out_to_is_not(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    parts = {f"/{name}": {"$ref": f"{name}.json"} for name in ("near", "far")}
    part = {"get": {"responses": {"200": {"description": "ok"}}}}
    Path("kept").mkdir()
    Path("kept/api.json").write_text(json.dumps({**document(), "paths": parts}))
    Path("kept/part.json").write_text(json.dumps(part))
    Path("kept/.gitattributes").write_text("* export-ignore\n")
    Path("far.json").write_text(json.dumps(part))
    for name, place in (("near", "part.json"), ("far", "../far.json"), ("round", "round.json")):
        Path(f"kept/{name}.json").symlink_to(place)
    git(tmp_path, *COMMITTED)
    done = run("inspect", "HEAD:kept/api.json", "--json")
    assert done.exit_code == 0, done.output
    assert [tool["name"] for tool in json.loads(done.stdout)["tools"]] == ["get_near"]


@pytest.mark.parametrize("folder", ["api", "deep/in/api"])
def test_folders_beside_a_document_are_of_its_revision_too(tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    around = Path(folder).parent

    def shared(title: str) -> None:
        for name, said in (
            ("paths/part", {"get": {"parameters": [{"$ref": "../the schemas/p.json"}]}}),
            ("the schemas/p", {"name": title, "in": "query", "schema": {"type": "string"}}),
            ("unused/p", {}),
        ):
            (around / name).parent.mkdir(exist_ok=True, parents=True)
            (around / f"{name}.json").write_text(json.dumps(said))

    Path(folder).mkdir(parents=True)
    paths = {"/a": {"$ref": "../paths/part.json"}, "/b": {"$ref": "../none/part.json"}}
    Path(folder, "api.json").write_text(json.dumps({**document(), "paths": paths}))
    shared("old")
    git(tmp_path, *COMMITTED)
    shared("new")
    done = run("diff", f"HEAD:{folder}/api.json", f"{folder}/api.json")
    assert "argument-renamed `old`: now new" in done.stdout, done.output


def test_a_document_of_a_revision_is_called_by_its_name_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api").mkdir()
    part = {"summary": "Without any operation"}
    whole = {**document(), "paths": {"/a": {"$ref": "part.json"}}}
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    (tmp_path / "api/bad.json").write_text(json.dumps(whole))
    (tmp_path / "api/api.json").write_text(json.dumps(document(a={})))
    git(tmp_path, *COMMITTED)
    for command in (["inspect", "HEAD:api/bad.json"], ["diff", "HEAD:api/bad.json", "api"]):
        done = run(*command)
        assert done.exit_code == 1
        assert done.stderr.count("--> HEAD:api/bad.json:1:") == 1, done.stderr
    done = run("inspect", "HEAD:api/api.json", "--all")
    assert "  HEAD:api/api.json:1:" in done.stdout


def test_no_filter_or_hook_of_a_repository_is_run(tmp_path, monkeypatch):
    """A folder that was cloned may hold a git directory as plain files, and what it names ran."""
    evil, folder = tmp_path / "evil", tmp_path / "project/docs"
    ran = tmp_path / "ran"
    evil.mkdir()
    (evil / "api.json").write_text(json.dumps(document(a={})))
    (evil / ".gitattributes").write_text("* filter=x\n")
    git(evil, *COMMITTED)
    for name in ("filter.x.smudge", "filter.x.process", "core.fsmonitor"):
        command = ["git", "-C", str(evil), "config", name, f"touch {ran}; cat"]
        subprocess.run(command, check=True)
    monkeypatch.chdir(evil)  # a repository of its own is read, and no filter is run
    done = run("diff", "HEAD:api.json", "HEAD:api.json")
    assert (done.exit_code, ran.exists()) == (0, False), done.output
    shutil.copytree(evil / ".git", folder)
    git(folder, "config core.bare true")
    monkeypatch.chdir(folder)
    done = run("diff", "HEAD:api.json", "HEAD:api.json")
    assert (done.exit_code, ran.exists()) == (1, False)
    assert "safe.bareRepository" in done.output


def test_what_no_document_refers_to_is_not_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("openapi").write_text(json.dumps(document(a={})))
    Path("large.bin").write_bytes(bytes(2_000_000))
    git(tmp_path, *COMMITTED)
    written: list[str] = []
    write = Path.write_bytes

    def noted(path: Path, data: bytes) -> int:
        written.append(path.name)
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", noted)
    assert run("inspect", "HEAD:openapi").exit_code == 0
    assert written == ["openapi"]
