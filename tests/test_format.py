"""Formatting: many files in few processes, and where there is no place for them."""

import subprocess
import tempfile
from typing import Any

import pytest

from mcpgen import format as formatting
from mcpgen.format import FormatError, format_files
from mcpgen.processes import temporary_files

pytestmark = pytest.mark.usefixtures("processes")

MANY = {f"package/module{number}.py": f"x={number}\n" for number in range(1001)}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that are run."""
    commands: list[list[str]] = []
    start = subprocess.Popen

    def noted(command: list[str], **options: Any) -> Any:
        commands.append(command)
        return start(command, **options)

    monkeypatch.setattr(formatting.subprocess, "Popen", noted)
    return commands


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder can be made."""
    monkeypatch.setattr(temporary_files, "_MEMORY", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")


def test_many_files_take_few_processes(started: list[list[str]]) -> None:
    others = {"README.md": "x=1", "runtime/a.py": "x=1", "z.py": "y=[1,\n2]\n"}
    found = dict(formatting.formatting({**MANY, **others}, "runtime/"))
    assert list(found) == [*MANY, *others]
    assert found["package/module1000.py"] == "x = 1000\n"
    assert (found["README.md"], found["runtime/a.py"]) == ("x=1", "x=1")
    assert found["z.py"] == "y = [1, 2]\n"
    assert len(started) == 3


def test_the_first_file_that_does_not_parse_is_named() -> None:
    broken = {"a.py": "x=1\n", "c.py": "def f(:\n", "b.py": "x=(\n"}
    with pytest.raises(FormatError, match=r"^c\.py: error: Failed to parse c\.py:1:7") as refused:
        format_files(broken)
    assert refused.value.path == "c.py"


@pytest.mark.usefixtures("nowhere")
def test_without_a_place_for_files_they_are_formatted_all_the_same() -> None:
    files = dict(list(MANY.items())[:3])
    assert list(format_files(files).values()) == ["x = 0\n", "x = 1\n", "x = 2\n"]
    with pytest.raises(FormatError, match=r"^broken\.py: "):
        format_files({**files, "broken.py": "("})
