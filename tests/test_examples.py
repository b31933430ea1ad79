"""Each server of `generated_examples/` holds by itself; `.ci/run` checks that they are current."""

import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import examples
import generated_tests
import pytest
from git_there import needs_git
from ruff import find_ruff_bin
from typed import assert_typed

from mcpgen import lock
from mcpgen.regeneration.ownership import Owner, owner
from mcpgen.render import own_templates

NAMES = sorted(examples.SOURCES)
ALIKE = {"townhall": ("tests/test_search.py", "tests/test_server.py")}
"""Which tests show the rest of a server whose hundred tools do the same with other names."""


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_every_example_is_listed() -> None:
    assert sorted(p.name for p in examples.FOLDER.iterdir() if p.is_dir()) == NAMES


def test_one_has_edited_handlers_and_one_a_template() -> None:
    edited = lock.read(examples.FOLDER / "nightbus")
    assert edited is not None
    assert list(edited.merged) == ["night_buses_mcp/handlers/departures.py"]
    assert edited.named == {"reportDelay": "tell_of_delay"}
    (own,) = own_templates.overrides(examples.FOLDER / "answers" / "templates")
    assert (own.name, own.state) == ("Dockerfile.jinja", "current")
    assert "alpine" in (examples.FOLDER / "answers" / "Dockerfile").read_text()


def test_handlers_that_a_person_wrote_are_kept() -> None:
    """`examples.main` has generated onto them: no stub came back."""
    for name, own in (
        ("chandler", "def price_of("),
        ("lighthouse", "def enter("),
        ("quayside", 'ctx.apis["bookshop"]'),
    ):
        handlers = examples.FOLDER / name / f"{name}_mcp" / "handlers" / "tools.py"
        text = handlers.read_text("utf-8")
        assert own in text
        assert "not written yet" not in text


@needs_git
def test_reviews_show_what_people_read_and_fold_the_rest(tmp_path: Path) -> None:
    shutil.copytree(examples.FOLDER / "bookshop", tmp_path, dirs_exist_ok=True)
    run(["git", "init", "-q"], tmp_path)
    files = [p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()]
    done = run(["git", "check-attr", "linguist-generated", *files], tmp_path)
    folded = {line.split(":")[0] for line in done.splitlines() if line.endswith(": set")}
    ours = {each for each in files if owner(each) is Owner.OURS}
    shown = {f"bookshop_mcp/{each}" for each in ("tools.json", "py.typed", "handlers/__init__.py")}
    assert folded == (ours - shown) | {"mcpgen.lock"}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("bookshop", "wire")])
def test_the_tests_of_an_example_pass(name: str) -> None:
    """Those of the two others pass before faults are seeded into their servers, in `.ci/run`."""
    done = generated_tests.run(examples.FOLDER / name, *ALIKE.get(name, ()))
    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids="-".join)
def test_the_examples_are_clean_under_ruff(command: list[str]) -> None:
    """Each file under the settings of its own example, which lie nearest."""
    run([find_ruff_bin(), *command, "--no-cache", *NAMES], examples.FOLDER)


def test_the_examples_and_their_tests_are_clean_under_mypy(tmp_path: Path) -> None:
    """Of those with the same part of the runtime, whose files are all ours, one is checked whole.

    That of the others is only followed: bodies of its functions are not looked at again. All tests
    are copied, as modules with names of their own.
    """
    paths: list[str] = []
    seen: set[frozenset[Path]] = set()
    settings: dict[str, Any] = {}
    for name in NAMES:
        (package,) = (path.parent for path in (examples.FOLDER / name).glob("*/tools.json"))
        runtime = package / "_runtime"
        files = frozenset(path.relative_to(runtime) for path in runtime.rglob("*.py"))
        own = [path for path in package.rglob("*.py") if not path.is_relative_to(runtime)]
        paths += map(str, own if files in seen else [package])
        seen.add(files)
        tests = shutil.copytree(examples.FOLDER / name / "tests", tmp_path / f"{name}_tests")
        paths += map(str, tests.glob("*.py"))
        toml = examples.FOLDER / name / "pyproject.toml"
        settings[name] = tomllib.loads(toml.read_text("utf-8"))["tool"]["mypy"]
    vendored = settings.pop(examples.VENDORED)  # it holds what imports packages without types
    assert [*settings.values()] == [{"strict": True}] * len(settings)
    assert vendored["strict"]
    toml = examples.FOLDER / examples.VENDORED / "pyproject.toml"
    assert_typed(examples.FOLDER, "--config-file", str(toml), *paths)
