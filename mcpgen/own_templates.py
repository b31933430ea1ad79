"""The templates of mcpgen, and those that replace them."""

from __future__ import annotations

import difflib
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from . import __version__
from .shipped import templates_folder

ABOUT = {
    "Dockerfile.jinja": "a container image of the server",
    "README.md.jinja": "the server's README: tools, environment, clients",
    "pyproject.toml.jinja": "the package's metadata",
    ".env.example.jinja": "every environment variable the server reads",
    ".gitignore.jinja": "what stays out of version control",
    "package/__init__.py.jinja": "the import package",
    "package/__main__.py.jinja": "`python -m`",
    "package/api.py.jinja": "where the API is, and how to sign in",
    "package/handlers/__init__.py.jinja": "the table that finds a tool's handler",
    "package/handlers/module.py.jinja": "the handlers of one tag; rendered once for each",
    "package/hooks.py.jinja": "the user's hooks, written once",
    "package/py.typed.jinja": "the mark of a typed package",
    "package/server.py.jinja": "the server put together",
    "tests/__init__.py.jinja": "the tests' package",
    "tests/conftest.py.jinja": "what the tests share",
    "tests/test_server.py.jinja": "tests of the server as a whole",
    "tests/test_tools.py.jinja": "tests of every tool",
}
_STAMP = re.compile(r"\{#-? mcpgen (?P<version>\S+) (?P<name>\S+) (?P<hash>[0-9a-f]{16}) -?#\}\n?")


class TemplatesError(Exception):
    """A template that is not there, or a file in the way."""


@dataclass(frozen=True)
class Override:
    """A template in a user's folder, and how it stands to ours."""

    name: str
    state: str
    """`current`, `outdated`, `unmarked` (ejected by hand), or `extra` (none of ours)."""
    version: str = ""
    diff: str = ""
    """What is different in ours now."""


def names() -> list[str]:
    """The names of our templates."""
    root = templates_folder()
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.jinja"))


def eject(name: str, folder: Path) -> Path:
    """Write one of our templates into a folder, marked with its version; raises TemplatesError."""
    if name not in names():
        near = difflib.get_close_matches(name, names(), n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise TemplatesError(f"there is no template {name}{hint}")
    target = folder / name
    if target.exists():
        raise TemplatesError(f"{target} is there already; it was left as it is")
    text = _ours(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"{{#- mcpgen {__version__} {name} {_hash(text)} #}}\n{text}", "utf-8")
    return target


def overrides(folder: Path) -> list[Override]:
    """Every template of a user's folder."""
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.jinja"))
    return [_state(folder, name) for name in found]


def _state(folder: Path, name: str) -> Override:
    if name not in names():
        return Override(name, "extra")
    text = (folder / name).read_text("utf-8", "replace")
    stamp = _STAMP.match(text)
    ours = _ours(name)
    if stamp is None:
        return Override(name, "unmarked", diff=_diff(name, text, ours))
    if stamp["hash"] == _hash(ours):
        return Override(name, "current", stamp["version"])
    return Override(name, "outdated", stamp["version"], _diff(name, text[stamp.end() :], ours))


def _ours(name: str) -> str:
    return (templates_folder() / name).read_text("utf-8")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _diff(name: str, theirs: str, ours: str) -> str:
    sides = (theirs.splitlines(), ours.splitlines())
    lines = difflib.unified_diff(*sides, f"yours/{name}", f"mcpgen/{name}", lineterm="", n=2)
    return "\n".join(lines)
