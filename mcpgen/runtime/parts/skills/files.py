"""Skills as files: folders with a `SKILL.md` (https://agentskills.io/specification).

The header of a `SKILL.md` is YAML. In this reader, each value is on one line, as JSON (which is
YAML) or as plain text; a key without a value may have indented keys below it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any
from urllib.parse import quote

FILE_NAME = "SKILL.md"
FOLDER = "skills"
MOST_FILES, MOST_BYTES = 512, 16 << 20
"""What every host takes of one skill (Skills extension, "Limits")."""
_NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*")
_LINE = re.compile(r"( *)([\w./-]+):(?: +(.+))?")
_PLAIN = re.compile(r"(?![-?:,\[\]{}#&*!|>'\"%@`])(?:(?!: | #|:$).)+")
"""Text that YAML takes without quotes."""
_MAX_CHARACTERS = 1024


class SkillProblem(Exception):
    """A skill that cannot be served: the problem, and its line in `SKILL.md`."""

    def __init__(self, message: str, line: int = 1) -> None:
        self.message = message
        self.line = line
        super().__init__(message)


@dataclass(frozen=True)
class Skill:
    """One skill with all files in its folder, including those of nested skills."""

    uri: str
    frontmatter: dict[str, Any]
    files: dict[str, bytes]
    """By URI."""

    @property
    def entry(self) -> dict[str, Any]:
        """The skill as an entry of `skills/list`."""
        listed = [
            {"uri": uri, "digest": f"sha256:{sha256(data).hexdigest()}", "size": len(data)}
            for uri, data in self.files.items()
        ]
        return {"uri": self.uri, "frontmatter": self.frontmatter, "resources": listed}


def places(root: Path) -> list[Path]:
    """The `SKILL.md` files of all skills in a folder."""
    return [path for path in _files(root) if path.name == FILE_NAME]


def read(place: Path, root: Path) -> Skill:
    """The skill of a `SKILL.md` below `root`.

    Raises:
        SkillProblem: the skill breaks a rule of the Agent Skills specification, or hosts would
            reject it.
    """
    files = {
        f"skill://{quote(path.relative_to(root).as_posix())}": path.read_bytes()
        for path in _files(place.parent)
    }
    uri = f"skill://{quote(place.relative_to(root).as_posix())}"
    frontmatter, lines = header(files[uri])
    name, about = frontmatter.get("name"), frontmatter.get("description")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        text = "`name` must be 1 to 64 of a-z, 0-9 and single hyphens, as in `refund-orders`"
        raise SkillProblem(text, lines.get("name", 1))
    if place.parent == root or place.parent.name != name:
        text = f"the skill `{name}` must be in a folder `{name}`: rename the one or the other"
        raise SkillProblem(text, lines["name"])
    if not isinstance(about, str) or not 0 < len(about) <= _MAX_CHARACTERS:
        text = f"`description` must be 1 to {_MAX_CHARACTERS} characters that say what it is for"
        raise SkillProblem(text, lines.get("description", 1))
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
        text = (
            f"hosts accept at most {MOST_FILES} files and {MOST_BYTES >> 20} MiB a skill: split it"
        )
        raise SkillProblem(text)
    return Skill(uri, frontmatter, files)


def header(data: bytes) -> tuple[dict[str, Any], dict[str, int]]:
    """The values of a `SKILL.md`'s header, and the line of each key; raises SkillProblem."""
    first, *rest = data.decode("utf-8", "replace").split("\n")
    if first.rstrip() != "---":
        text = "it has no header: begin with the lines `---`, `name: …`, `description: …`, `---`"
        raise SkillProblem(text)
    frontmatter: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(map(str.rstrip, rest), 2):
        if line == "---":
            return frontmatter, lines
        if not line or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None or (match[1] and not isinstance(_last(frontmatter), dict | None)):
            text = "write `key: value` in one line; a long text can stand in double quotes"
            raise SkillProblem(text, number)
        if match[1]:
            key = [*frontmatter][-1]
            frontmatter[key] = {**(frontmatter[key] or {}), match[2]: _value(match[3], number)}
        else:
            frontmatter[match[2]] = _value(match[3], number)
            lines[match[2]] = number
    raise SkillProblem("its header has no end: a line `---` below it")


def _last(frontmatter: dict[str, Any]) -> Any:
    return [*frontmatter.values()][-1] if frontmatter else ""


def _value(text: str | None, line: int) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text, parse_constant=str)
    except ValueError:
        if _PLAIN.fullmatch(text):
            return text
        raise SkillProblem("write this value in double quotes, in one line", line) from None


def _files(folder: Path) -> list[Path]:
    return [path for path, is_taken in files_below(folder) if is_taken]


def files_below(folder: Path) -> Iterator[tuple[Path, bool]]:
    """The paths below a folder, in order, and whether each is a file that a skill includes.

    Links are not included, wherever they lead: a stranger's commit may contain one. Hidden files
    are not included either.
    """
    for path in sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else ():
        mode, is_hidden = path.lstat().st_mode, path.name.startswith(".")
        if S_ISDIR(mode) and not is_hidden:
            yield from files_below(path) if path.name != "__pycache__" else ()
        else:
            yield path, S_ISREG(mode) and not is_hidden
