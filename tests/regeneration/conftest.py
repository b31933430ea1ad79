"""Regeneration without what takes long and has no part in it: the models and the tests' cases."""

import shutil
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from ruff import find_ruff_bin

from mcpgen import format as formatting
from mcpgen import generate
from mcpgen.bundled import contents
from mcpgen.merge import imports as merge_imports
from mcpgen.merge import modules as merge_modules
from mcpgen.merge import names_used, parts
from mcpgen.models import modules
from mcpgen.regeneration import broken_edits, edits, telling, up_to_date
from mcpgen.regeneration.names_used_elsewhere import taken
from mcpgen.render import files as render
from mcpgen.render import templating

from .beds import write as write_beds
from .garden import Make, run, write


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The templates as they are when the tests begin."""
    folder = tmp_path_factory.mktemp("mcpgen") / "templates"
    shutil.copytree(contents.templates_folder(), folder)
    return folder


# What a check finds in a module, the update before it found there too.
_ruff = cache(find_ruff_bin)
_taken = lru_cache(256)(taken)
_undefined_in = lru_cache(256)(lambda path, text: formatting.undefined_names({path: text}))
_names = {
    name: lru_cache(2048)(getattr(names_used, name))
    for name in ("bound_in", "names_in", "own_names_in")
}


class _EachNodeOnce:
    """`parts._BLANK`: the text of a node, which never changes."""

    code_for_node = staticmethod(lru_cache(4096)(parts._BLANK.code_for_node))


def _undefined(files: Mapping[str, str]) -> list[tuple[str, int, str]]:
    return [each for path, text in files.items() for each in _undefined_in(path, text)]


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look into no text twice."""
    monkeypatch.setattr(formatting, "find_ruff_bin", _ruff)
    monkeypatch.setattr(broken_edits, "undefined_names", _undefined)
    for module in (broken_edits, telling):
        monkeypatch.setattr(module, "taken", _taken)
    for module in (edits, merge_imports, merge_modules):
        for name in _names.keys() & vars(module).keys():
            monkeypatch.setattr(module, name, _names[name])
    monkeypatch.setattr(parts, "_BLANK", _EachNodeOnce)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, templates: Path) -> None:
    """Leave the models and the cases of servers empty."""

    class Quick(generate.models.Models):
        files: Any = {"models.py": '"""No types."""\n'}  # noqa: RUF012

    make = generate.models.generate

    def quickly(*given: Any, **options: Any) -> Any:
        made = make(*given, **options)
        made.__class__ = Quick
        return made

    monkeypatch.setattr(generate.models, "generate", quickly)
    monkeypatch.setattr(generate, "runtime_of", lambda *given: {})
    for module in (render, templating, up_to_date):
        monkeypatch.setattr(module, "templates_folder", lambda: templates)
    monkeypatch.setattr(up_to_date, "RUNTIME", templates)
    nothing = generate._Tests(b"{}\n", b"{}\n", {}, None)
    monkeypatch.setattr(generate, "_tests", lambda *given: nothing)


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every server counts as large, and has its models in a folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(generate, "MANY_TOOLS", 0)
    monkeypatch.setattr(modules, "FOLDER_SIZE", 0)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Generates `server` in the working folder; from the same source it is a copy after that."""
    kept: dict[tuple[str, ...], Path] = {}

    def make(command: str, source: str, *options: str) -> None:
        key = command, Path(source).read_text(), *options
        if key in kept:
            shutil.copytree(kept[key], "server")
            return
        assert run(command, source, *options, "-o", "server").exit_code == 0
        kept[key] = tmp_path_factory.mktemp("made") / "server"
        shutil.copytree("server", kept[key])

    return make


@pytest.fixture(scope="module")
def first_time(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[], None]], None]:
    """Makes `server` in the working folder as told; in later tests of a module it is a copy."""
    kept = tmp_path_factory.mktemp("first") / "server"

    def make(as_told: Callable[[], None]) -> None:
        if not kept.exists():
            as_told()
            shutil.copytree("server", kept)
        else:
            shutil.copytree(kept, "server")

    return make


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, made_once: Make) -> None:
    """The server of `garden`, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    write()
    made_once("from-openapi", "api.json")


@pytest.fixture
def beds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, made_once: Make) -> None:
    """The server of `beds`, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    write_beds(a="integer")
    made_once("from-openapi", "api.json")
