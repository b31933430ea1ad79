"""The problems of people's skills, which every update and check reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..regeneration.notes import Note
from ..runtime.parts.skills import files
from ..runtime.parts.skills.files import SkillProblem
from ..source.limits import Limits, ParseProblem
from ..source.parse_yaml import parse_yaml
from ..text import literals


def notes(folder: Path) -> Iterator[Note]:
    """A note on each skill that cannot be served, or that hosts would read differently.

    Hosts compare the header of a `SKILL.md` with the server's own listing.
    """
    for root in sorted(folder.glob(f"*/{files.FOLDER}")):
        for place in files.places(root):
            try:
                skill = files.read(place, root)
                _compare(skill.files[skill.uri], skill.frontmatter)
            except SkillProblem as problem:
                path = place.relative_to(folder).as_posix()
                yield Note(path, problem.message, problem.line, breaks=True)


def _compare(data: bytes, fields: dict[str, object]) -> None:
    """Raise SkillProblem if a YAML parser reads the header's `fields` differently."""
    text = data.decode("utf-8", "replace").split("\n---", 1)[0].removeprefix("---")
    try:
        parsed = parse_yaml(text, Limits()).value
    except ParseProblem as problem:
        line = text.count("\n", 0, problem.offset or 0) + 1
        raise SkillProblem(problem.message, line) from None
    lines = files.header(data)[1]
    for key, value in fields.items():
        if not literals.alike(parsed.get(key), value):
            raise SkillProblem(f"write `{key}` in double quotes, in one line", lines[key])
