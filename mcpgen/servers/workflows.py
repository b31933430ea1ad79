"""The workflows that check and update servers on GitHub and GitLab, as docs/ci.md shows them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from .. import lock as locks
from ..diagnostics import GenerationError
from ..paths import seen_from
from ..readers.openapi.servers import LOCAL

WHERE = {
    "github": {
        ".github/workflows/mcp-server.yml": "github-check.yml",
        ".github/workflows/mcp-update.yml": "github-update.yml",
    },
    "gitlab": {".gitlab/mcp-server.yml": "gitlab.yml"},
}
"""The files of each service, relative to the repository's root, and their templates."""
_INCLUDING = Path(".gitlab-ci.yml")
_INCLUDED = 'include: [{ local: ".gitlab/mcp-server.yml" }]\n'
_PLAIN = re.compile(r"[\w./+-]+")
"""Folder names that a shell reads as one word."""
_SERVERS = "SERVERS: server\n"
_UNREACHABLE = (
    "CI cannot reach the document of {0}: save it in the repository, and name that file as `source`"
    " in {0}/mcpgen.toml."
)


def texts(service: str, servers: Sequence[str]) -> dict[str, str]:
    """The workflow files of a CI service for the servers in these folders.

    The keys are paths relative to the root of the repository.
    """
    folder = files(__package__) / "ci"
    named = _SERVERS.replace("server", " ".join(servers))
    return {
        path: (folder / name).read_text("utf-8").replace(_SERVERS, named)
        for path, name in WHERE[service].items()
    }


def write(service: str, servers: Sequence[Path]) -> list[str]:
    """Write a service's workflows; returns the files written and the steps left to a person.

    Raises GenerationError, and writes nothing, if one of the files exists with other contents.
    """
    root = _root()
    folders = [seen_from(root, each) for each in servers]
    if odd := [each for each in folders if not _PLAIN.fullmatch(each) or each.startswith("..")]:
        message = f"a workflow cannot name the folder {odd[0]!r}"
        hint = "A server must be in the repository, in a folder without blanks."
        raise GenerationError.of("workflow-folder", message, hint=hint)
    made = {root / path: text for path, text in texts(service, folders).items()}
    including = root / _INCLUDING
    if service == "gitlab" and not including.exists():
        made[including] = _INCLUDED
    for path, text in made.items():
        if path.exists() and path.read_text("utf-8", "replace") != text:
            hint = "Nothing was written. Move the file away to have it written."
            raise GenerationError.of("workflow-there", f"{path} is there already", hint=hint)
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    lines = [f"{path}: written" for path in made]
    lines += [_UNREACHABLE.format(each) for each in servers if _is_of_this_machine(each)]
    return lines + _left(service, root, including in made)


def _is_of_this_machine(server: Path) -> bool:
    """Whether a document of the server is at a URL that only this machine reaches."""
    lock = locks.read(server)
    return lock is not None and any(LOCAL.match(urlsplit(each).netloc) for each in lock.sources)


def _root() -> Path:
    """The root of the repository that contains the working directory, or else that directory."""
    here = Path(os.path.abspath(os.curdir))
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), here)


def _left(service: str, root: Path, is_included: bool) -> list[str]:
    """The steps that a person still has to do."""
    lines = []
    if not any((root / "wheels").glob("mcpgen-*.whl")):
        wheel = f"pip wheel --no-deps --wheel-dir {shlex.quote(str(root / 'wheels'))} ."
        lines.append(
            f"Put mcpgen's wheel into `wheels/` and commit it. In a clone of mcpgen: {wheel}"
        )
    if service == "gitlab":
        if not is_included and ".gitlab/mcp-server.yml" not in (root / _INCLUDING).read_text():
            lines.append(f"Write into {_INCLUDING}: {_INCLUDED.rstrip()}")
        lines.append("The variable MCPGEN_TOKEN needs an access token with write permission.")
    return lines
