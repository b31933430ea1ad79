"""What becomes of handlers while people edit them and the document changes: `scenarios.yaml`.

A scenario is a rule and steps, each a pair of a word and what it is about:

| word | what happens, or must hold |
|---|---|
| `write` | the document: operations by path, as name, tag and parameters |
| `edit`, `append`, `remove` | a person edits a file: the first of some texts is replaced |
| `update`, `run` | an update, after which the server is clean; another command |
| `has`, `lacks`, `count`, `gone` | what stands in a file |
| `serves` | the handlers of tools in the table |
| `handler` | what stands in a handler of beds |
"""

import ast
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

from . import garden
from .garden import BEDS, PACKAGE

SCENARIOS = yaml.safe_load(Path(__file__).with_name("scenarios.yaml").read_text("utf-8"))


def place(name: str) -> Path:
    """The file of a name: a module of handlers, or a path."""
    return PACKAGE / f"handlers/{name}.py" if name.isidentifier() else Path(name)


def write(operations: dict[str, list[Any] | None]) -> None:
    made = {}
    for path, given in operations.items():
        *words, type = given if given and isinstance(given[-1], dict) else (*(given or ()), {})
        made[path] = garden.operation(*words, **type) if given else None
    garden.write(**made)


def edit(name: str, old: str, new: str) -> None:
    garden.edit(place(name), old, new)


def append(name: str, text: str) -> None:
    place(name).write_text(place(name).read_text() + text)


def remove(name: str) -> None:
    place(name).unlink()


def update(about: dict[str, Any]) -> None:
    """An update: its exit code, what it says, and what it does `not` say."""
    _compare(garden.update(about.get("code", 0)), about)


def run(about: dict[str, Any]) -> None:
    """Another command."""
    done = garden.run(*about["command"].split())
    assert done.exit_code == about["code"], done.output
    _compare(done.output, about)


def _compare(told: str, about: dict[str, Any]) -> None:
    assert [text for text in about.get("says", ()) if text not in told] == []
    assert [text for text in about.get("not", ()) if text in told] == []


def has(name: str, *texts: str) -> None:
    for text in texts:
        assert text in place(name).read_text()


def lacks(name: str, *texts: str) -> None:
    for text in texts:
        assert text not in place(name).read_text()


def count(name: str, text: str, times: int) -> None:
    assert place(name).read_text().count(text) == times


def gone(name: str) -> None:
    assert not place(name).exists()


def serves(handlers: dict[str, str]) -> None:
    table = ast.parse((PACKAGE / "handlers/__init__.py").read_text()).body[-1]
    assert isinstance(table, ast.Assign)
    served = ast.literal_eval(table.value)
    for tool, handler in handlers.items():
        assert fnmatchcase(served[tool], handler)


def handler(function: str, text: str) -> None:
    source = BEDS.read_text()
    (node,) = (each for each in ast.parse(source).body if getattr(each, "name", "") == function)
    assert text in (ast.get_source_segment(source, node) or "")


WORDS = (write, edit, append, remove, update, run, has, lacks, count, gone, serves, handler)
STEPS = {each.__name__: each for each in WORDS}


@pytest.mark.usefixtures("garden")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each["rule"])
def test_it_holds(scenario):
    for step in scenario["steps"]:
        ((word, about),) = step.items()
        if isinstance(about, list):
            STEPS[word](*about)
        else:
            STEPS[word](about)
