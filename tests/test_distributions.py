"""The distributions of mcpgen and its runtime, as they are built: `.ci/run` installs them."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement

from mcpgen import __version__
from mcpgen.bundled import runtime_wheel

ROOT = Path(__file__).parents[1]
WHEELS = (f"mcpgen-{__version__}-py3-none-any.whl", runtime_wheel.FILE_NAME)
SOURCES = (f"mcpgen-{__version__}.tar.gz", f"mcpgen_runtime-{__version__}.tar.gz")
WITHOUT_GIT = {"PATH": "/nowhere"}


def run(*command: str, folder: Path, **env: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def build(project: Path, into: Path, *targets: str) -> None:
    """Build distributions of a project as `python -m build` does, in an environment without git."""
    command = ("-m", "hatchling", "build", "-d", str(into))
    chosen = [part for target in targets for part in ("-t", target)]
    run(sys.executable, *command, *chosen, folder=project, **WITHOUT_GIT)


def fields(metadata: str) -> set[tuple[str, object]]:
    """The fields of a distribution's metadata."""
    pairs = (line.partition(": ")[::2] for line in metadata.splitlines())
    return {
        (name, Requirement(value) if name == "Requires-Dist" else value) for name, value in pairs
    }


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is published of both projects."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    build(ROOT / "mcpgen" / "runtime", folder)
    return folder


def test_each_holds_its_licence_and_what_it_needs(dist: Path) -> None:
    assert sorted(path.name for path in dist.iterdir()) == sorted((*WHEELS, *SOURCES))
    for name in WHEELS:
        with zipfile.ZipFile(dist / name) as archive:
            names = archive.namelist()
        assert [each for each in names if each.endswith("dist-info/licenses/LICENSE")]
    with zipfile.ZipFile(dist / WHEELS[0]) as archive:
        names = archive.namelist()
    templates = ROOT / "templates"
    shipped = [path for path in templates.rglob("*") if path.is_file()]
    assert {f"mcpgen/templates/{path.relative_to(templates)}" for path in shipped} <= {*names}
    assert {each.split("/")[0] for each in names} == {"mcpgen", f"mcpgen-{__version__}.dist-info"}
    assert (ROOT / "LICENSE").read_text() == (ROOT / "mcpgen/runtime/LICENSE").read_text()


def test_builds_give_the_same_bytes_from_the_source_distributions_alone_too(
    dist: Path, tmp_path: Path
) -> None:
    for name in SOURCES:
        with tarfile.open(dist / name) as archive:
            archive.extractall(tmp_path)
        build(tmp_path / name.removesuffix(".tar.gz"), tmp_path, "wheel")
    build(ROOT, tmp_path, "sdist")
    for name in (*WHEELS, SOURCES[0]):
        assert (dist / name).read_bytes() == (tmp_path / name).read_bytes(), name


def test_both_ways_to_a_wheel_of_the_runtime_give_the_same_files(dist: Path) -> None:
    """What `mcpgen runtime-wheel` writes is what is published, but for what made it."""
    (tmp := dist.parent / "own.whl").write_bytes(runtime_wheel.wheel())
    files = []
    for path in (dist / runtime_wheel.FILE_NAME, tmp):
        with zipfile.ZipFile(path) as archive:
            files.append({each: archive.read(each) for each in archive.namelist()})
    built, own = files
    assert own.keys() == built.keys()
    made = ("WHEEL", "RECORD", "METADATA")
    assert [each for each in own if own[each] != built[each] and not each.endswith(made)] == []
    one, other = (fields(data[f"{runtime_wheel.INFO}/METADATA"].decode()) for data in files)
    assert {name for name, _ in one ^ other} <= {"Metadata-Version"}


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda p: p.name)
def test_the_files_for_github_fit_its_schemas(path: Path) -> None:
    kind = "dependabot" if path.name == "dependabot.yml" else "github-workflows"
    schema = ("--builtin-schema", f"vendor.{kind}")
    done = CliRunner().invoke(check_jsonschema.main, [*schema, str(path)])
    assert done.exit_code == 0, done.output


def test_the_changes_of_this_version_are_told() -> None:
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_each_release_is_tested_on_every_python_that_is_supported() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    versions = yaml.safe_load(text)["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert versions[0] == "3.11"
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in versions


def test_no_page_holds_a_placeholder() -> None:
    """No command of a page names an address that nobody has yet."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob(".*.yaml")]
    for path in pages:
        text = path.read_text()
        for placeholder in ("OWNER", "YOUR_", "your-org", "<owner>", "pip install mcpgen"):
            assert placeholder not in text, f"{path.name}: {placeholder}"
