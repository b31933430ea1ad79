"""The owner of a generated file: mcpgen, the user, or both."""

from __future__ import annotations

import re
from enum import Enum

from ..diagnostics import visible
from ..lock import Lock
from ..merge.snapshot import HANDLER
from .server_folder import Content

_SEEDED = re.compile(r"mcpgen\.toml|[^/]+/hooks\.py")
"""Files that are written once and then belong to the user: the package's own hooks, not others."""

_ADVICE = {
    "tools.json": 'write it to mcpgen.toml under [tools."<name>"], or to the document as x-mcp',
    "mock.json": "give the document an example",
    "server.json": "write it to mcpgen.toml under [publish], or to the document",
    "server_card.json": "write it to mcpgen.toml under [publish], or to the document",
    "search_cases.json": "write questions into questions.toml beside it",
    "cases.json": "write tests of your own in a file beside it",
    "_runtime": "hooks.py sees every request and response; handlers are yours to change",
    "models": "change the document, or annotate the handler with a type of your own",
    "__init__.py": "rename functions in their own modules; choose tools in mcpgen.toml",
}


_DATA = ("tools.json", "search.json", "mock.json", "cases.json", "search_cases.json")
_PUBLISHED = ("server.json", "server_card.json")


class Owner(Enum):
    """Who may change a file, and how an edit of it is treated."""

    OURS = "ours"
    """Replaced; an edit is refused."""
    MODULE = "module"
    """Python that people edit: merged by definition."""
    TEXT = "text"
    """Other text that people edit: merged by lines."""
    USER = "user"
    """Written once."""


def owner(path: str) -> Owner:
    """The owner of the file at a path in a server's folder."""
    name = path.rsplit("/", 1)[-1]
    if _SEEDED.fullmatch(path):
        return Owner.USER
    if _part(path) or name == "py.typed":
        return Owner.OURS
    return Owner.MODULE if name.endswith(".py") else Owner.TEXT


def advice(path: str) -> str:
    """Where people should make an edit that they made in one of mcpgen's own files."""
    return _ADVICE.get(_part(path), "use --force to write over it")


def hiding(path: str, kind: Owner) -> str:
    """The `__init__.py` of a package that Python would import instead of a module; else empty."""
    is_theirs = kind in (Owner.MODULE, Owner.USER) and path.endswith(".py")
    return f"{path.removesuffix('.py')}/__init__.py" if is_theirs else ""


def hidden_by(package: str) -> str:
    """The reason why a module has no effect beside a package of the same name, and what to do."""
    return (
        f"Python imports {visible(package)} instead; rename that folder, and import from it what "
        "this module needs"
    )


def is_handlers(path: str) -> bool:
    """Whether the file at a path has handlers."""
    return "/handlers/" in path and owner(path) is Owner.MODULE


def is_untouched(lock: Lock, path: str, there: Content) -> bool:
    """Whether a file is unchanged since mcpgen wrote it, and has no function that a person
    named.
    """
    is_named = any(f"{HANDLER}{tool}" in lock.definitions.get(path, ()) for tool in lock.named)
    return there.digest == lock.files.get(path) and not is_named


def _part(path: str) -> str:
    folders, _, name = path.rpartition("/")
    parts = folders.split("/")
    if name in (*_DATA, *_PUBLISHED):
        return name
    if "_runtime" in parts:
        return "_runtime"
    if (name == "models.py" and parts[-1] != "handlers") or "models" in parts[1:]:
        return "models"
    return name if name == "__init__.py" and parts[-1] == "handlers" else ""
