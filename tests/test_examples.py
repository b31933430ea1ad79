"""`generated_examples/` is what a fresh generation gives, and each server holds by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import examples
import pytest
from ruff import find_ruff_bin

from mcpgen import lock
from mcpgen.output import SEEDED

NAMES = sorted(examples.SOURCES)


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def files(folder: Path) -> dict[str, str]:
    """The files that belong to a server: what running its tests leaves behind does not."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and "cache" not in str(path.relative_to(folder))
    }


def test_every_example_is_listed() -> None:
    assert sorted(p.name for p in examples.FOLDER.iterdir() if p.is_dir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_what_a_fresh_generation_gives(name: str) -> None:
    made = examples.make(name)
    there = files(examples.FOLDER / name)
    recorded = there.pop(lock.FILE_NAME)
    assert sorted(there) == sorted(made.files)
    for path, text in made.files.items():
        if not path.endswith(SEEDED):
            assert there[path] == text, path
    assert lock.read(examples.FOLDER / name) is not None
    assert made.lock.source_sha256 in recorded


@pytest.mark.parametrize("name", NAMES)
def test_the_tests_of_an_example_pass(name: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run(command, examples.FOLDER / name)


def test_the_examples_are_clean_under_ruff() -> None:
    config = ["--no-cache", "--config", "bookshop/pyproject.toml", "."]
    for command in (["check"], ["format", "--check"]):
        run([find_ruff_bin(), *command, *config], examples.FOLDER)


def test_the_examples_are_clean_under_mypy(tmp_path: Path) -> None:
    packages = [next((examples.FOLDER / n).glob("*/tools.json")).parent.name for n in NAMES]
    paths = [f"{name}/{package}" for name, package in zip(NAMES, packages, strict=True)]
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *paths]
    run(command, examples.FOLDER)
