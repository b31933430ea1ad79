"""`mcpgen.workspace.toml`: the servers of a repository, and the settings that they share."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..diagnostics import GenerationError
from ..paths import is_server, seen_from, workspace_file
from .locations import SettingsText
from .problems import refuse
from .settings import KEYS, MEMBERS
from .values import moved_path


class Workspace(Struct, frozen=True):
    """A workspace file: the servers that it names and the settings that they share."""

    folder: Path
    members: tuple[str, ...]
    """Folders, or globs, as seen from its own."""
    shared: Mapping[str, Any]
    """The settings that its servers share, as the file has them."""
    text: SettingsText

    def holds(self, folder: Path) -> bool:
        """Whether a folder belongs to the workspace's servers, even if it does not exist yet."""
        inside = seen_from(self.folder, folder)
        return any(_fits(_parts(inside), _parts(each)) for each in self.members)

    def servers(self) -> list[Path]:
        """The folders of the workspace's servers.

        Raises GenerationError for a member that does not exist, or that another member names too.
        """
        members: dict[str, str] = {}
        for each in self.members:
            there = [name for name in self._expand(each) if is_server(self.folder / name)]
            if not there:
                message = f"there is no server at `{each}`"
                hint = "Remove it, or make the server: `mcpgen from-openapi DOCUMENT -o FOLDER`."
                raise self._problem("workspace-member", message, hint, each)
            for name in map(os.path.normpath, there):
                if name in members:
                    other = members[name]
                    both = f"`{other}` and `{each}` both name" if other != each else ""
                    message = f"{both} `{name}`" if both else f"`{each}` is named twice"
                    raise self._problem("workspace-member", message, "Name each folder once.", each)
                members[name] = each
        return [self.folder / name for name in members]

    def _expand(self, member: str) -> list[str]:
        if not has_magic(member):
            return [member]
        return sorted(glob(member, root_dir=self.folder, recursive=True))

    def _problem(self, code: str, message: str, hint: str, word: str) -> GenerationError:
        place = self.text.of_words((MEMBERS, f'"{word}"')) or self.text.of_path((MEMBERS,))
        return GenerationError.of(code, message, hint=hint, location=place)


def around(folder: Path) -> Workspace | None:
    """The workspace whose file is in a folder or in one of its parents; else None.

    Raises GenerationError for an invalid file.
    """
    file = workspace_file(folder)
    return None if file is None else load(file)


def load(path: Path) -> Workspace:
    """Read a workspace file.

    Raises GenerationError for text that is not TOML, for keys that are unknown or that servers
    cannot share, and for values of a wrong type.
    """
    from . import checks  # brings a validator, of no use where there is no such file

    text = SettingsText.read(path)
    values = text.values()
    refuse(checks.problems(values, shared=True), text)
    members = values.pop(MEMBERS)
    return Workspace(path.parent, tuple(members), values, text)


def shared(folder: Path) -> Mapping[str, Any]:
    """The workspace's settings for a server, with paths relative to the server's folder.

    Raises GenerationError as `load` does.
    """
    workspace = around(folder)
    if workspace is None or not workspace.holds(folder):
        return {}
    relocate = partial(_relocate, workspace.folder, folder)
    values = dict(workspace.shared)
    for key in (key for key in values if KEYS[key].row.path):
        value, moved = values[key], partial(moved_path, KEYS[key].row, relocate)
        values[key] = list(map(moved, value)) if isinstance(value, list) else moved(value)
    return values


def _relocate(root: Path, folder: Path, path: str) -> str:
    """A path from the workspace file, made relative to the server's folder; a URL is unchanged."""
    return path if "://" in path else seen_from(folder, root / path)


def over(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The shared settings, overridden by a server's own; tables are merged key by key."""
    both = {key: over(shared[key], own[key]) for key in shared if _are_tables(shared, own, key)}
    return {**shared, **own, **both}


def _are_tables(shared: Mapping[str, Any], own: Mapping[str, Any], key: str) -> bool:
    return isinstance(shared[key], dict) and isinstance(own.get(key), dict)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _fits(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path, given in parts, matches a glob."""
    if not pattern:
        return not path
    first, *rest = pattern
    if first == "**":
        return _fits(path, rest) or (bool(path) and _fits(path[1:], pattern))
    return bool(path) and fnmatchcase(path[0], first) and _fits(path[1:], rest)
