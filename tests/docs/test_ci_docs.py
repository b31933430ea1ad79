"""The hooks and workflows that docs/ci.md shows: read by those who run them, and run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import check_jsonschema
import command_line
import pytest
import yaml
from click.testing import CliRunner
from git_there import needs_git
from pre_commit.commands.validate_config import validate_config
from pre_commit.commands.validate_manifest import validate_manifest
from prepared import python
from tables import table

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
BLOCKS = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "ci.md").read_text(), re.DOTALL)
PRE_COMMIT, *WORKFLOWS = BLOCKS
GITLAB = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "ci-gitlab.md").read_text(), re.DOTALL)
PUBLISHING = (ROOT / "docs" / "publish.md").read_text()
(PUBLISH,) = re.findall(r"```yaml\n(.*?)```", PUBLISHING, re.DOTALL)


def run(*command: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    found = {**os.environ, "PATH": f"{folder}:{BIN}:{os.environ['PATH']}", **env}
    return subprocess.run(
        command, cwd=folder, env=found, capture_output=True, text=True, check=False
    )


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    done = run("git", *who, *arguments, folder=folder)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a document and its server, and the command as it would be installed."""
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "mcpgen"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(python("-m", "mcpgen"))} "$@"\n')
    program.chmod(0o755)
    (tmp_path / "api.yaml").write_bytes((ROOT / "specs" / "next.yaml").read_bytes())
    assert command_line.run("from-openapi", "api.yaml", "-o", "server").exit_code == 0
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "api.yaml", "server")
    git(tmp_path, "commit", "-qm", "First")
    return tmp_path


def steps(workflow: str) -> list[dict[str, Any]]:
    (job,) = yaml.safe_load(workflow)["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


@table("schema, workflows", ("github-workflows", (*WORKFLOWS, PUBLISH)), ("gitlab-ci", GITLAB))
def test_workflows_fit_the_schema_of_their_service(tmp_path, schema, workflows):
    paths = [tmp_path / f"{number}.yml" for number in range(len(workflows))]
    for path, workflow in zip(paths, workflows, strict=True):
        path.write_text(workflow)
    options = ("--builtin-schema", f"vendor.{schema}")
    done = CliRunner().invoke(check_jsonschema.main, [*options, *map(str, paths)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(("service", "shown"), [("github", WORKFLOWS), ("gitlab", GITLAB)])
def test_init_writes_what_the_pages_show(repository, service, shown):
    """For the servers that are there; neither it nor an update writes over a file."""
    done = command_line.run("init", "--ci", service)
    assert done.exit_code == 0, done.output
    paths = [line.partition(": written")[0] for line in done.output.splitlines()]
    written = [Path(path) for path in paths if path.endswith(".yml")]
    assert "Put mcpgen's wheel into `wheels/`" in done.output
    assert [path.read_text() for path in written[: len(shown)]] == shown
    assert command_line.run("init", "--ci", service).exit_code == 0
    command_line.run("from-openapi", "api.yaml", "-o", "more/other")
    again = command_line.run("init", "--ci", service)
    assert (again.exit_code, "is there already" in again.output) == (1, True)
    (repository / written[0]).unlink()
    for path in written[1 : len(shown)]:
        path.unlink()
    assert command_line.run("init", "--ci", service).exit_code == 0
    assert "SERVERS: more/other server\n" in written[0].read_text()
    before = {path: path.read_bytes() for path in written if path.exists()}
    assert command_line.run("update", "server").exit_code == 0
    assert {path: path.read_bytes() for path in before} == before
    lock = repository / "server/mcpgen.lock"
    lock.write_text(lock.read_text().replace('"api.yaml":', '"http://localhost:1/api":'))
    done = command_line.run("init", "--ci", service)
    assert "CI cannot reach the document of server" in done.output


def test_init_without_a_server_or_a_service(repository, tmp_path):
    assert "github or gitlab" in command_line.run("init", "--ci", "jenkins").output
    (repository / "server").rename(repository / "a server")
    done = command_line.run("init", "--ci", "github")
    assert (done.exit_code, "without blanks" in done.output) == (1, True)
    shutil.rmtree(repository / "a server")
    done = command_line.run("init", "--ci", "github")
    assert (done.exit_code, "there is no server here" in done.output) == (1, True)
    assert not (repository / ".github").exists()


OURS = (ROOT / ".github" / "workflows" / "release.yml").read_text()


@pytest.mark.parametrize("workflow", [*WORKFLOWS, PUBLISH, OURS])
def test_no_workflow_runs_what_somebody_else_can_change(workflow):
    """Actions are named by commits; nothing that is fetched is run unseen."""
    used = re.findall(r"uses: (\S+)(.*)", workflow)
    assert used
    for action, version in used:
        assert re.fullmatch(r"[\w-]+/[\w./-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", version), action
    assert not re.search(r"(curl|wget)[^\n]*\||releases/latest|docker://|image:", workflow)
    commits = dict(action.split("@") for action, _ in used)
    assert len({*used}) == len(commits)


@pytest.mark.parametrize("workflow", [*WORKFLOWS, PUBLISH, OURS])
def test_no_job_that_may_sign_in_as_the_repository_runs_tests(workflow):
    document = yaml.safe_load(workflow)
    common = document["permissions"]
    assert "id-token" not in common
    for name, job in document["jobs"].items():
        said = " ".join(step.get("run", "") for step in job["steps"])
        if "id-token" in job.get("permissions", common):
            assert "pytest" not in said, name
            assert ".[test]" not in said, name
        elif "pytest" in said:
            checkout = next(s for s in job["steps"] if "checkout@" in s.get("uses", ""))
            assert checkout["with"]["persist-credentials"] is False, name


@needs_git
def test_the_commands_of_the_pull_request_workflow(repository):
    """They pass on what is committed, and tell of a stale server, and of a breaking change."""
    commands = [s["run"] for s in steps(WORKFLOWS[0]) if "mcpgen " in s.get("run", "")]
    commands = [command for command in commands if "pip" not in command]
    called = [re.findall(r"mcpgen \w+", command) for command in commands]
    assert called == [["mcpgen check"], ["mcpgen diff"], ["mcpgen diff"]]
    given = {"BASE": "main", "SERVERS": "server"}
    done = run("bash", "-euc", commands[2], folder=repository, **given)
    assert done.returncode == 0, done.stderr
    document = yaml.safe_load((repository / "api.yaml").read_text())
    path, _ = next(iter(document["paths"].items()))
    del document["paths"][path]
    (repository / "api.yaml").write_text(yaml.safe_dump(document))
    stale = run("bash", "-euc", commands[0], folder=repository, **given)
    assert stale.returncode == 3
    assert "::error file=server/" in stale.stdout
    assert command_line.run("update", "server").exit_code == 0
    ends = [run("bash", "-euc", c, folder=repository, **given) for c in commands]
    assert [done.returncode for done in ends] == [0, 0, 3]
    assert "#### 🔴 Breaking (" in (repository / "diff.md").read_text()


@needs_git
def test_a_server_at_the_root_of_a_repository(repository):
    """What docs/publish.md types, among files that are there already."""
    part = PUBLISHING.partition("\n## On GitHub\n")[2]
    (commands,) = re.findall(r"```console\n(.*?)```", part, re.DOTALL)
    (repository / "root").mkdir()
    (repository / "root" / "openapi.yaml").write_bytes((repository / "api.yaml").read_bytes())
    path = f"{repository}:{os.environ['PATH']}"
    done = run("bash", "-euc", commands, folder=repository / "root", PATH=path)
    assert done.returncode == 0, done.stderr
    assert command_line.run("check", str(repository / "root")).exit_code == 0


@needs_git
def test_the_scheduled_update_commits_new_files_too(repository):
    _, update, publish, _ = [step["run"] for step in steps(WORKFLOWS[1]) if "run" in step]
    gh = repository / "gh"
    gh.write_text('#!/bin/sh\ncp "$5" said.md\n')
    gh.chmod(0o755)
    git(repository, "init", "-q", "--bare", "origin.git")
    git(repository, "remote", "add", "origin", str(repository / "origin.git"))
    document = yaml.safe_load((repository / "api.yaml").read_text())
    document["paths"]["/new"] = {
        "get": {
            "operationId": "newOne",
            "tags": ["fresh"],
            "responses": {"204": {"description": ""}},
        }
    }
    (repository / "api.yaml").write_text(yaml.safe_dump(document))
    given = {"SERVERS": "server", "RUNNER_TEMP": str(repository)}
    done = run("bash", "-eo", "pipefail", "-c", update, folder=repository, **given)
    assert done.returncode == 0, done.stderr
    done = run("bash", "-ec", publish, folder=repository, **given)
    assert done.returncode == 0, done.stderr
    show = ("git", "show", "--name-only", "--format=", "origin/mcpgen-update")
    named = run(*show, folder=repository).stdout
    assert "/handlers/fresh.py" in named
    assert "update.txt" not in named
    said = (repository / "said.md").read_text().splitlines()
    assert any("tool-added" in line for line in said)
    assert all(line.startswith("    ") for line in said)


@needs_git
def test_the_hooks_run_under_pre_commit(repository):
    """As in the documented configuration, on the installed command."""
    manifest = ROOT / ".pre-commit-hooks.yaml"
    (repository / "config.yaml").write_text(PRE_COMMIT)
    assert validate_manifest([str(manifest)]) == validate_config(["config.yaml"]) == 0
    shown, manual = yaml.safe_load(manifest.read_text())
    (asked,) = yaml.safe_load(PRE_COMMIT)["repos"][0]["hooks"]
    assert {**asked, "files": "", "language": ""} == {**asked, "files": "", "language": ""} | {
        key: shown[key] for key in ("id", "entry", "pass_filenames")
    }
    hooks = [asked, {**manual, "language": "system"}]
    hooks[1]["args"] = ["server"]
    hooks[1]["stages"] = ["manual"]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git(repository, "add", ".pre-commit-config.yaml")
    home = {"PRE_COMMIT_HOME": str(repository / ".cache")}
    check = ("pre-commit", "run", "--all-files", "mcpgen-check")
    done = run(*check, folder=repository, **home)
    assert (done.returncode, "Passed" in done.stdout) == (0, True), done.stdout
    text = (repository / "api.yaml").read_text()
    (repository / "api.yaml").write_text(text.replace("summary: ", "summary: Now ", 1))
    git(repository, "add", "api.yaml")
    done = run(*check, folder=repository, **home)
    assert done.returncode == 1
    assert "run `mcpgen update`" in done.stdout
    manual = ("pre-commit", "run", "--hook-stage", "manual", "--all-files", "mcpgen-update")
    done = run(*manual, folder=repository, **home)
    assert "files were modified by this hook" in done.stdout
    assert command_line.run("check", "server").exit_code == 0
