"""Types of answers that the advertised outline does not show: by the documents, or by hashes."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from git_there import needs_git

pytestmark = needs_git
FIELDS = {f"field_{n}": {"type": "string"} for n in range(40)}


def git(folder: Path) -> None:
    """Commit all that a folder has, as the first revision of a repository."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    for command in ("init -q", "add .", "commit -qm 1"):
        subprocess.run(["git", "-C", str(folder), *who, *command.split()], check=True)


def job(identifier: str, **more: Any) -> dict[str, Any]:
    """What is deeper than the outline of an answer."""
    deep = {
        "type": "object",
        "properties": {"id": {"type": identifier}, **more},
        "required": ["id"],
    }
    owner = {"type": "object", "properties": {**FIELDS, "deep": deep}, "required": ["deep"]}
    return {"type": "object", "properties": {"owner": owner}, "required": ["owner"]}


def document(title: str, schema: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
    listed = {"type": "array", "items": {"$ref": "#/components/schemas/Job"}}
    answers = {"listJobs": {"application/json": {"schema": listed}}, "getJob": content}
    paths = {
        f"/{name}": {
            "get": {"operationId": name, "responses": {"200": {"description": "", "content": c}}}
        }
        for name, c in answers.items()
    }
    info = {"title": title, "version": "1"}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": paths,
        "components": {"schemas": {"Job": schema}},
    }


def write(name: str, schema: Any) -> None:
    Path("docs").mkdir(exist_ok=True)
    Path(f"docs/{name}.json").write_text(json.dumps(document(name, schema)))


@pytest.fixture(params=["", "second_"])
def changed(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Any], str]:
    """Changes the answers of a server in git, of one source or the second; the prefix of its tools.

    The value is what the update told.
    """
    monkeypatch.chdir(tmp_path)
    Path("agents/server").mkdir(parents=True)
    toml = '[[with]]\nsource = "../../docs/second.json"\nname = "second"\nprefix = "second_"\n'
    Path("agents/server/mcpgen.toml").write_text(toml if request.param else "")
    Path("agents/mcpgen.workspace.toml").write_text(
        'members = ["server"]\noutput_schema = "open"\n'
    )
    for name in ("first", "second"):
        write(name, job("integer"))
    options = ("-o", "agents/server", "--runtime", "package")
    assert run("from-openapi", "docs/first.json", *options).exit_code == 0
    git(tmp_path)

    def change(schema: Any) -> str:
        write("second" if request.param else "first", schema)
        done = run("update", "agents/server")
        assert done.exit_code == 0, done.output
        return done.output

    change.prefix = request.param  # type: ignore[attr-defined]
    return change


def gate(word: str) -> tuple[int, str]:
    done = run("diff", "HEAD:agents/server", "agents/server", "--fail-on", word)
    return done.exit_code, done.stdout


def test_the_gate_fails_for_a_type_that_only_the_documents_show(changed):
    told = changed(job("string"))
    prefix = changed.prefix  # type: ignore[attr-defined]
    for name in ("listJobs", "getJob"):
        assert f"risky: {prefix}{name}: answer-changed" in told
    code, text = gate("breaking")
    assert code == 3
    for name, where in (("getJob", ""), ("listJobs", "result[].")):
        said = f"  {prefix}{name}: output-type-changed `{where}owner.deep.id`: integer -> string"
        assert said in text.partition("breaking:\n")[2]
    assert "answer-changed" not in text


def test_words_and_order_of_an_answer_are_no_change(changed):
    told = changed({**job("integer"), "description": "A job.", "title": "Job"})
    assert "answer-changed" not in told
    assert gate("risky")[0] == 0


def test_a_harmless_change_of_a_hidden_type_is_harmless_by_the_documents(changed):
    assert "answer-changed" in changed(job("integer", more={"type": "string"}))
    code, text = gate("risky")
    assert (code, "output-added" in text) == (0, True)


def test_without_the_documents_a_line_a_tool_is_risky(changed):
    changed(job("string"))
    shutil.rmtree("docs")
    prefix = changed.prefix  # type: ignore[attr-defined]
    assert gate("breaking")[0] == 0
    code, text = gate("risky")
    assert code == 3
    for name in ("listJobs", "getJob"):
        assert text.count(f"  {prefix}{name}: answer-changed") == 1


def test_a_check_tells_it_before_the_update(changed):
    prefix = changed.prefix  # type: ignore[attr-defined]
    write("second" if prefix else "first", job("string"))
    done = run("check", "agents/server")
    assert done.exit_code == 3
    assert f"risky: {prefix}getJob: answer-changed" in done.stdout
