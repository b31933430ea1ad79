"""Servers that depend on the runtime as a package, and switching between the two ways."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import runtime_package
from command_line import run
from prepared import python
from tables import table

from mcpgen.bundled import runtime_wheel
from mcpgen.regeneration import up_to_date

SPECS = Path(__file__).parents[2] / "specs"
PACKAGE = "bookshop_mcp"
EDIT = ("book_id: int", "book_id: int = 7")


def generate(folder: Path, runtime: str) -> Path:
    asked = ("from-openapi", str(SPECS / "bookshop.yaml"), "-o", str(folder))
    done = run(*asked, "--runtime", runtime)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """A server of each way."""
    root = tmp_path_factory.mktemp("both")
    return {runtime: generate(root / runtime, runtime) for runtime in ("vendored", "package")}


@pytest.fixture
def copied(servers, tmp_path):
    """A copy of one of them, to be changed."""
    return lambda runtime: shutil.copytree(servers[runtime], tmp_path / "copied")


def texts(folder: Path) -> dict[str, bytes]:
    """What people read: all files but the runtime, its dependency, the settings and the lock."""
    named = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    apart = re.compile(
        r".*/_runtime(/.*)?|pyproject\.toml|mcpgen\..*|README\.md|DEPLOY\.md|Dockerfile|\.git.*"
    )
    return {
        name: path.read_bytes()
        for name, path in named.items()
        if path.is_file() and not apart.fullmatch(name) and "__pycache__" not in name
    }


def started(folder: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """What a Python command says in a server's folder."""
    env = os.environ | environ
    return subprocess.run(
        python(*command), cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def mocked(folder: Path) -> str:
    command = ("-m", PACKAGE, "--mock", "--call", "listBooks")
    done = started(folder, *command, PYTHONPATH=runtime_package.folder())
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_is_asked_for_where_it_is_missing(servers):
    code = (
        "import importlib.metadata, runpy, sys\n"
        "def version(name): raise importlib.metadata.PackageNotFoundError(name)\n"
        "importlib.metadata.version = version\n"
        f"sys.argv = ['server', '--list']\nrunpy.run_module({PACKAGE!r}, run_name='__main__')"
    )
    done = started(servers["package"], "-c", code)
    assert done.returncode == 1
    assert done.stderr == (
        "mcpgen-runtime>=0.1,<0.2 is not installed. Run: pip install 'mcpgen-runtime>=0.1,<0.2'\n"
    )


def test_another_range_is_refused(servers, tmp_path):
    other = shutil.copytree(runtime_package.folder(), tmp_path / "other")
    (info,) = other.glob("*.dist-info")
    metadata = (info / "METADATA").read_text()
    (info / "METADATA").write_text(metadata.replace("\nVersion: 0.1.0", "\nVersion: 0.2.0"))
    done = started(servers["package"], "-m", PACKAGE, "--list", PYTHONPATH=str(other))
    assert done.returncode == 1
    assert done.stderr.startswith("mcpgen-runtime 0.2.0 is installed. Run: pip install")
    assert done.stderr.count("\n") == 1


@table(
    "version, series, requirement",
    ("0.1.0", "0.1", "mcpgen-runtime>=0.1,<0.2"),
    ("0.9.3", "0.9", "mcpgen-runtime>=0.9,<0.10"),
    ("1.4.2", "1", "mcpgen-runtime>=1.4,<2"),
)
def test_the_range_is_that_of_semantic_versioning(version, series, requirement):
    assert runtime_wheel.series(version) == series
    assert runtime_wheel.requirement(version) == requirement


def test_a_switch_and_back_keeps_edits_and_answers(copied):
    folder = copied("package")
    handlers = folder / PACKAGE / "handlers" / "books.py"
    edited = handlers.read_text().replace(*EDIT, 1)
    handlers.write_text(edited)
    answer = mocked(folder)
    assert answer
    for end in ("vendored", "package"):
        done = run("update", str(folder), "--runtime", end)
        assert done.exit_code == 0, done.output
        assert ("runtime-unpublished" in done.output) is (end == "package")
        assert handlers.read_text() == edited
        assert f'runtime = "{end}"' in (folder / "mcpgen.toml").read_text()
        assert (folder / PACKAGE / "_runtime" / "py.typed").exists() is False
        modules = [*(folder / PACKAGE / "_runtime").rglob("*.py")]
        assert (len(modules) == 1) is (end == "package")
        assert run("check", str(folder)).exit_code == 0
        assert mocked(folder) == answer


def test_an_edited_runtime_is_not_thrown_away(copied):
    folder = copied("vendored")
    edited = folder / PACKAGE / "_runtime" / "app" / "app.py"
    edited.write_text(edited.read_text() + "EDITED = True\n")
    before = texts(folder)
    done = run("update", str(folder), "--runtime", "package")
    assert done.exit_code == 1
    assert f"{PACKAGE}/_runtime/app/app.py: was edited, but it is generated" in done.output
    assert texts(folder) == before
    assert "EDITED" in edited.read_text()
    assert 'runtime = "package"' not in (folder / "mcpgen.toml").read_text()


@pytest.mark.parametrize("runtime", ["vendored", "package"])
def test_a_new_mcpgen_makes_no_server_stale_whose_files_stay(servers, runtime, monkeypatch):
    monkeypatch.setattr(up_to_date, "__version__", "0.1.1")
    monkeypatch.setattr("mcpgen.lock.__version__", "0.1.1")
    assert run("check", str(servers[runtime])).exit_code == 0


def test_a_changed_runtime_concerns_servers_that_hold_it(servers, monkeypatch):
    folder = servers["package"]
    monkeypatch.setattr(up_to_date, "RUNTIME", folder)
    up_to_date._shipped.cache_clear()

    def generated(*_, **__):
        raise AssertionError("hashes are enough")

    monkeypatch.setattr("mcpgen.generate.generate", generated)
    assert run("check", str(folder)).exit_code == 0
    up_to_date._shipped.cache_clear()


def test_versions_and_the_same_bytes(servers, tmp_path):
    assert texts(servers["vendored"]) == texts(servers["package"])
    runtime = servers["package"] / PACKAGE / "_runtime"
    assert [path.name for path in runtime.iterdir() if path.is_file()] == ["__init__.py"]
    assert '"mcpgen-runtime>=0.1,<0.2"' in (servers["package"] / "pyproject.toml").read_text()
    newer = shutil.copytree(runtime_package.folder(), tmp_path / "newer")
    module = newer / "mcpgen_runtime/__init__.py"
    module.write_text(module.read_text().replace('"0.1.0"', '"0.1.7"', 1))
    for runtime, expected in (("vendored", "0.1.0"), ("package", "0.1.7")):
        command = ("-m", PACKAGE, "--version")
        said = started(servers[runtime], *command, PYTHONPATH=str(newer)).stdout
        assert said == f"bookshop 1.4.0 (mcpgen 0.1.0, runtime {expected})\n"
    done = run("update", str(servers["vendored"]), "--runtime", "pypi")
    assert done.exit_code == 2
    assert "vendored or package" in done.output


def test_wheels(tmp_path):
    assert run("runtime-wheel", "-o", str(tmp_path)).exit_code == 0
    wheel = (tmp_path / runtime_wheel.FILE_NAME).read_bytes()
    assert wheel == runtime_wheel.wheel()
    (tmp_path / "file").write_text("")
    done = run("runtime-wheel", "-o", str(tmp_path / "file" / "wheels"))
    assert done.exit_code == 1
    assert done.stderr.startswith("error: ")
