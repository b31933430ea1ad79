"""Reads a git repository at a revision; never runs the programs that its files name."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..diagnostics import GenerationError
from ..paths import is_inside

_CAREFUL = (
    *("--no-pager", "--no-replace-objects"),
    *("-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}", "-c", "protocol.allow=never"),
)
"""A folder may hold a git directory as plain files, with a configuration of somebody else's."""
_READ = re.compile(r"\.(?:json|ya?ml|lock|toml)\Z|/(?:api|handlers/[^/]+)\.py\Z", re.IGNORECASE)
"""The files of a folder that a document's references may lead to, or that tell of a server."""


def check_out(label: str, revision: str, place: Path, document: str, folder: Path) -> None:
    """Write a folder of a revision into the folder `place`, except links that lead elsewhere.

    Blobs are read directly: a checkout would run the filters that a repository's files name.
    """
    tree = f"{revision}:{tidy(folder)}"
    listed = output(label, "ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
    digests: dict[bool, dict[Path, bytes]] = {False: {}, True: {}}
    for line in filter(None, listed):
        about, _, name = line.partition(b"\t")
        mode, kind, digest = about.split()
        path, is_link = Path(os.fsdecode(name)), mode == b"120000"
        whole = (folder / path).as_posix()
        is_read = is_link or whole == document or _READ.search(f"/{path.as_posix()}")
        if kind == b"blob" and is_read and is_inside(path.as_posix()):
            digests[is_link][place / folder / path] = digest
    there = place / folder
    there.mkdir(parents=True, exist_ok=True)
    for path, data in blobs(label, digests[False]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for path, data in blobs(label, digests[True]):  # when nothing is written through them any more
        if Path(os.path.realpath(path.parent / os.fsdecode(data))).is_relative_to(there.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(os.fsdecode(data))


def blobs(label: str, digests: Mapping[Path, bytes]) -> Iterator[tuple[Path, bytes]]:
    """The contents of blobs, each with its path."""
    listed = output(
        label, "cat-file", "--batch", stdin=b"".join(b"%s\n" % d for d in digests.values())
    )
    start = 0
    for path in digests:
        end = listed.index(b"\n", start)
        size = int(listed[start:end].split()[2])
        yield path, listed[end + 1 : end + 1 + size]
        start = end + 2 + size


def whole_path(label: str, path: str) -> Path:
    """A path relative to the working directory, made relative to the root of the repository."""
    return Path(os.fsdecode(output(label, "rev-parse", "--show-prefix")).rstrip("\n")) / path


def exists(label: str, revision: str, path: Path) -> bool:
    """Whether a path exists at a revision; raises GenerationError if there is no such revision."""
    return bool(output(label, "ls-tree", "--full-tree", "-z", revision, "--", tidy(path) or "."))


def is_folder(label: str, revision: str, path: Path) -> bool:
    """Whether a path is a folder at a revision; raises GenerationError."""
    return output(label, "cat-file", "-t", f"{revision}:{tidy(path)}").strip() == b"tree"


def tidy(path: Path) -> str:
    """A path as git writes it: without `.` and `..`; empty for the repository's root."""
    parts: list[str] = []
    for part in path.as_posix().split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def output(label: str, *command: str, stdin: bytes = b"") -> bytes:
    """The output of a git command that fetches nothing and runs no program of the repository."""
    try:
        done = subprocess.run(
            ["git", *_CAREFUL, *command], input=stdin, capture_output=True, check=False
        )
    except OSError:
        raise GenerationError.of("git", f"{label} cannot be read: git is not installed") from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise GenerationError.of(
            "git",
            f"{label} cannot be read: {reason[0] if reason else 'git failed'}",
            hint="Name a file, a folder, or REVISION:path in the repository around this folder.",
        )
    return done.stdout
