"""mcpgen's templates, and the user's replacements for them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from .. import __version__
from ..bundled.contents import CONTEXT_VERSION, templates_folder
from ..diagnostics import Diagnostics
from ..hashes import fingerprint
from .templating import TEXT

ABOUT = {
    "Dockerfile.jinja": "a container image of the server",
    "README.md.jinja": "the server's README: tools, credentials, clients",
    "DEPLOY.md.jinja": "how to serve it over HTTP, its callers and settings",
    "pyproject.toml.jinja": "the package's metadata",
    ".env.example.jinja": "the environment variables to fill in",
    ".gitattributes.jinja": "the files that reviews of a change need not show",
    ".gitignore.jinja": "what stays out of version control",
    "package/__init__.py.jinja": "the import package",
    "package/__main__.py.jinja": "`python -m`",
    "package/_runtime/__init__.py.jinja": "the names of `mcpgen-runtime`, where it is a package",
    "package/api.py.jinja": "where the API is, and how to sign in",
    "package/functions.py.jinja": "functions that read resources, or make prompts",
    "package/handlers/__init__.py.jinja": "the table that finds a tool's handler",
    "package/handlers/module.py.jinja": "the handlers of one tag; rendered once for each",
    "package/hooks.py.jinja": "the user's hooks, written once",
    "package/py.typed.jinja": "the mark of a typed package",
    "package/server.py.jinja": "the module that assembles the server",
    "tests/__init__.py.jinja": "the tests' package",
    "tests/conftest.py.jinja": "what the tests share",
    "tests/test_prompts.py.jinja": "tests of the prompts, where there are any",
    "tests/test_search.py.jinja": "tests that the search surface finds the tools",
    "tests/questions.toml.jinja": "tests of the search surface with questions of your own",
    "tests/test_resources.py.jinja": "tests of the resources, where there are any",
    "tests/test_server.py.jinja": "tests of the server as a whole",
    "tests/test_tools.py.jinja": "tests of every tool",
}
_HASH_LENGTH = 16
_STAMP = re.compile(
    r"\{#-? mcpgen (?P<version>\S+) (context (?P<context>\d+) )?"
    r"(?P<name>\S+) (?P<hash>[0-9a-f]{16}) -?#\}\n?"
)
_PATH = re.compile(r"\{#-? path: (?P<path>[^\n]+?) -?#\}")
"""The path that the first line of an additional template declares."""
_EJECTED = ".ejected"
"""mcpgen's templates as they were when they were ejected, beside the user's templates."""


class TemplatesError(Exception):
    """The error for a template that does not exist, or for a file that would be overwritten."""


class Override(Struct, frozen=True):
    """A template in a user's folder, and its relation to mcpgen's template."""

    name: str
    state: str
    """`current`, `outdated`, `unmarked` (ejected by hand); or none of ours: `extra`, a file more,
    or `part`, for others to include."""
    version: str = ""
    context: int = 0
    """The version of the contexts that it was made for; 0 if unknown."""
    path: str = ""
    """The path that an additional template declares."""
    diff: str = ""
    """The changes in mcpgen's template since; if these are unknown, the differences from it."""


def names() -> list[str]:
    """The names of mcpgen's templates."""
    root = templates_folder()
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.jinja"))


def eject(name: str, folder: Path) -> Path:
    """Write one of mcpgen's templates into a folder, with its version; raises TemplatesError."""
    if name not in names():
        near = difflib.get_close_matches(name, names(), n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise TemplatesError(f"there is no template {name}{hint}")
    target = folder / name
    if target.exists():
        raise TemplatesError(f"{target} exists already and was left as it is")
    text = _ours(name)
    origin = f"mcpgen {__version__} context {CONTEXT_VERSION}"
    stamp = f"{{#- {origin} {name} {fingerprint(text, _HASH_LENGTH)} #}}\n"
    for path, content in ((folder / _EJECTED / name, text), (target, stamp + text)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return target


def extras(folder: Path) -> Iterator[tuple[str, str]]:
    """The names and paths of the templates in `folder` that declare a path."""
    for override in overrides(folder):
        if override.path:
            yield override.name, override.path


def overrides(folder: Path) -> list[Override]:
    """Every template of a user's folder."""
    files = (path for path in folder.rglob("*.jinja") if path.is_file())
    paths = sorted(path.relative_to(folder).as_posix() for path in files)
    ours = set(names())
    listed = [name for name in paths if not name.startswith(f"{_EJECTED}/")]
    return [_state(folder, name) if name in ours else _extra(folder, name) for name in listed]


def tell_if_outdated(folder: Path, diagnostics: Diagnostics) -> None:
    """Note the templates of a user's folder that replace mcpgen's and are for an older mcpgen."""
    outdated = [each.name for each in overrides(folder) if each.state == "outdated"]
    if outdated:
        message = f"made for an older mcpgen: {', '.join(outdated)}"
        hint = (
            f"`mcpgen templates check {folder}` shows what has changed in mcpgen's own since then."
        )
        diagnostics.note("older-templates", message, hint=hint)


def _extra(folder: Path, name: str) -> Override:
    declared = _PATH.match((folder / name).read_text(TEXT, "replace"))
    if declared is None:
        return Override(name, "part")
    return Override(name, "extra", path=declared["path"])


def _state(folder: Path, name: str) -> Override:
    text = (folder / name).read_text(TEXT, "replace")
    stamp = _STAMP.match(text)
    if stamp is None:
        return Override(name, "unmarked")
    ours, version, context = _ours(name), stamp["version"], int(stamp["context"] or 0)
    if stamp["hash"] == fingerprint(ours, _HASH_LENGTH):
        return Override(name, "current", version, context)
    ejected = folder / _EJECTED / name
    since = ejected.read_text(TEXT, "replace") if ejected.is_file() else ""
    if fingerprint(since, _HASH_LENGTH) == stamp["hash"]:
        diff = _diff(name, since, ours, f"mcpgen {version}")
    else:
        diff = _diff(name, text[stamp.end() :], ours)
    return Override(name, "outdated", version, context, diff=diff)


def _ours(name: str) -> str:
    return (templates_folder() / name).read_text("utf-8")


def _diff(name: str, before: str, ours: str, whose: str = "yours") -> str:
    sides = (before.splitlines(), ours.splitlines())
    now = f"mcpgen {__version__}/{name}"
    return "\n".join(difflib.unified_diff(*sides, f"{whose}/{name}", now, lineterm="", n=2))
