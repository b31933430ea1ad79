"""The list that `mcpgen curate` opens: one line per tool, to check and to rename."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..diagnostics import Diagnostics, GenerationError, Location, did_you_mean
from ..settings.settings import TOOL_NAME
from ..text import literals

_LINE = re.compile(r"\[(?P<mark>[ xX]?)\]\s+(?P<name>\S+)(?P<rest>.*)")
_TEXT = re.compile(r"(?P<key>title|description)\s*=.*")
_HOW = (
    "# An `x` keeps a tool, a blank leaves it out. Write another name to rename one.",
    "# A line that you delete changes nothing, and neither does an empty list.",
)


class Item(Struct, frozen=True):
    """A tool as it appears in the checklist."""

    name: str
    enabled: bool
    area: str
    """The heading that it stands under: its group."""
    effect: str
    tokens: int
    summary: str
    title: str = ""
    description: str = ""

    @property
    def rest(self) -> str:
        """The text of a line after the tool's name."""
        return f"{self.effect}  {self.tokens:,}  {self.summary}".rstrip()


class Choice(Struct, frozen=True):
    """The choice that a line of the list makes for a tool."""

    item: Item
    enabled: bool
    name: str
    texts: dict[str, str] = {}
    """The title and description that it gives."""


def text(items: Sequence[Item], *, texts: bool = False) -> str:
    """The checklist as text: totals, then the tools by group.

    `texts` adds the tools' titles and descriptions.
    """
    chosen = [item for item in items if item.enabled]
    total = f"{len(chosen)} of {len(items)} tools, about {sum(i.tokens for i in chosen):,} tokens"
    lines = [f"# {total}", *_HOW]
    width = max((len(item.name) for item in items), default=0)
    for area in dict.fromkeys(item.area for item in items):
        own = [item for item in items if item.area == area]
        lines += ["", f"# {area}: {len(own)}, about {sum(i.tokens for i in own):,} tokens"]
        for i in own:
            lines.append(f"[{'x' if i.enabled else ' '}] {i.name:{width}}  {i.rest}")
            lines += _texts(i) if texts else ()
    return "\n".join(lines) + "\n"


def _texts(item: Item) -> Iterator[str]:
    for key in ("title", "description"):
        yield f"    {key} = {literals.toml(getattr(item, key))}"


def read(text: str, items: Sequence[Item], file: str) -> list[Choice]:
    """The choices in an edited list; raises GenerationError that names the unclear lines."""
    diagnostics = Diagnostics()
    lines = list(_lines(text, file, diagnostics))
    missing = _missing(items, {match["name"] for match, _, _ in lines})
    by_name = {item.name: item for item in items}
    choices: list[tuple[Choice, Location]] = []
    for match, place, texts in lines:
        item = by_name.get(match["name"]) or _renamed(match["rest"], missing)
        if item is None:
            hint = did_you_mean(
                match["name"], list(by_name), "On a tool's line, change only the mark and the name."
            )
            _tell(diagnostics, f"the list had no tool `{match['name']}`", place, hint)
        elif not re.fullmatch(TOOL_NAME, match["name"]):
            hint = "Use at most 64 of A-Z, a-z, 0-9, `_`, `-` and `.`."
            _tell(diagnostics, f"`{match['name']}` is not a valid name of a tool", place, hint)
        else:
            choice = Choice(item, bool(match["mark"].strip()), match["name"], texts)
            choices.append((choice, place))
    _tell_twice(choices, diagnostics)
    diagnostics.raise_if_errors()
    return [choice for choice, _ in choices]


def _lines(
    text: str, file: str, diagnostics: Diagnostics
) -> Iterator[tuple[re.Match[str], Location, dict[str, str]]]:
    """Each tool's line in the list: the regex match, its place, and the texts in lines below it."""
    texts: dict[str, str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        place = Location(file, number, 1)
        if texts is not None and _TEXT.fullmatch(content):
            texts.update(_text(content, place, diagnostics))
            continue
        match = _LINE.fullmatch(content)
        if match is None:
            hint = "Write `[x] name` or `[ ] name`, or `#` before a remark."
            _tell(diagnostics, "this line does not name a tool", place, hint)
        else:
            texts = {}
            yield match, place, texts


def _text(line: str, place: Location, diagnostics: Diagnostics) -> dict[str, str]:
    """The title or description that a line gives."""
    try:
        ((key, value),) = tomllib.loads(line).items()
    except ValueError:
        key, value = "", None
    if isinstance(value, str) and value.strip():
        return {key: value}
    _tell(
        diagnostics,
        "this line has no text in quotes",
        place,
        'Write for example `title = "Find books"`.',
    )
    return {}


def _missing(items: Sequence[Item], names: set[str]) -> dict[str, list[Item]]:
    """The tools without a line in the edited list, keyed by the text that follows their names."""
    by_rest: dict[str, list[Item]] = {}
    for item in items:
        if item.name not in names:
            by_rest.setdefault(" ".join(item.rest.split()), []).append(item)
    return by_rest


def _renamed(rest: str, missing: dict[str, list[Item]]) -> Item | None:
    """Take from `missing` the tool whose line differs only in its name; of several, the first."""
    alike = missing.get(" ".join(rest.split()), [])
    return alike.pop(0) if alike else None


def _tell_twice(choices: Sequence[tuple[Choice, Location]], diagnostics: Diagnostics) -> None:
    for counts, what in (
        (Counter(choice.name for choice, _ in choices if choice.enabled), "two tools are called"),
        (Counter(choice.item.name for choice, _ in choices), "there are two lines for"),
    ):
        names: set[str] = set()
        for choice, place in choices:
            name = choice.name if what == "two tools are called" else choice.item.name
            if counts[name] > 1 and name in names:
                _tell(diagnostics, f"{what} `{name}`", place, "Keep one of them.")
            names.add(name)


def _tell(diagnostics: Diagnostics, message: str, place: Location, hint: str) -> None:
    diagnostics.extend(
        GenerationError.of("checklist", message, hint=hint, location=place).diagnostics
    )
