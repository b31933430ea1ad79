"""The names of an answer's fields, and how an agent chooses fields by name.

An agent may leave out the path to a field if its name is unique: `login` is `$.items[*].user.login`
if the answer has no other `login`.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ..values.errors import ToolError
from .shaping import FIELDS, Shape, read_path, shape_value

MOST = 50
_LONGEST, _SHOWN = 1000, 400
_DEEPEST, _MOST_NODES, _ITEMS = 6, 1000, 50
"""Levels of an answer that are looked at, its members, and the items of each list."""
_OURS = ("_headers", "_pages")
"""What the server itself puts beside an answer, whatever is asked for."""
_STEPS = re.compile(r"\.|\[(?:\*|[0-9]*)\]")
_WRAPPERS = ("data", "items", "result", "results", "records", "values", "rows")
"""Names by which agents call the list in an answer, whatever it is called there."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^{}\[\],:"]+')


@dataclass
class Outline:
    """The structure of an answer: the members of an object, or the items of a list."""

    members: dict[str, Outline] = field(default_factory=dict)
    items: Outline | None = None
    is_open: bool = False
    """There may be more than it says."""

    def __str__(self) -> str:
        if self.items is not None:
            return f"[{self.items}]"
        pairs = self.members.items()
        names = [f"{name}: {inner}" if inner.has_names else name for name, inner in pairs]
        return "{" + ", ".join([*names, *["…"] * self.is_open]) + "}"

    @property
    def is_known(self) -> bool:
        """Whether the outline has members or items."""
        return bool(self.members) or self.items is not None

    @property
    def has_names(self) -> bool:
        """Whether the outline has named members."""
        return bool(self.members) or (self.items is not None and self.items.has_names)

    def places(self, names: Sequence[str], path: str = "$") -> list[str] | None:
        """The paths from this outline to `names`; None if the outline is too incomplete."""
        if self.items is not None:
            return self.items.places(names, f"{path}[*]")
        if not names:
            return [path]
        name, *rest = names
        inner = self.members.get(name) or self.members.get("*")
        if inner is not None:
            return inner.places(rest, f"{path}[{_quoted(name)}]")
        return None if self.is_open else []

    def below(self) -> Iterable[tuple[int, str, Outline]]:
        """This outline and those inside it, with their depths and paths, the outermost first."""
        waiting = deque([(0, "$", self)])
        while waiting:
            depth, path, here = waiting.popleft()
            while here.items is not None:
                path, here = f"{path}[*]", here.items
            yield depth, path, here
            for name, inner in here.members.items():
                if inner.is_known or inner.is_open:
                    waiting.append((depth + 1, f"{path}[{_quoted(name)}]", inner))


def _quoted(name: str) -> str:
    return f'"{name}"' if "'" in name else f"'{name}'"


def outline_of_value(value: Any, deep: int = 0) -> Outline:
    """The outline of an actual answer; parts too large to outline are marked `is_open`."""
    if isinstance(value, list):
        inner = Outline()
        for item in islice(value, _ITEMS):
            _join(inner, outline_of_value(item, deep))
        inner.is_open = inner.is_open or len(value) > _ITEMS
        return Outline(items=inner)
    if not isinstance(value, dict):
        return Outline()
    if deep >= _DEEPEST:
        return Outline(is_open=True)
    members = {k: outline_of_value(v, deep + 1) for k, v in islice(value.items(), _MOST_NODES)}
    return Outline(members, is_open=len(value) > _MOST_NODES)


def _join(one: Outline, other: Outline) -> None:
    """Add to the first outline the members and items of the second."""
    for name, inner in other.members.items():
        if name in one.members:
            _join(one.members[name], inner)
        elif len(one.members) < _MOST_NODES:
            one.members[name] = inner
    if other.items is not None and one.items is not None:
        _join(one.items, other.items)
    one.items = one.items or other.items
    one.is_open = one.is_open or other.is_open


def outline_of_text(text: str) -> Outline | None:
    """The outline in a text of the search index: `{items: [{id, owner: {…}}]}`; None if empty."""
    tokens = deque(token.strip() for token in _TOKEN.findall(text) if token.strip())
    try:
        read = _read(tokens)
    except (IndexError, ValueError):
        return None
    return read if read.is_known and not tokens else None


def _read(tokens: deque[str]) -> Outline:
    token = tokens.popleft()
    if token == "[":
        inner = _read(tokens)
        if tokens.popleft() != "]":
            raise ValueError
        return Outline(items=inner)
    if token != "{":
        return Outline()
    here = Outline()
    while (name := tokens.popleft()) != "}":
        if name == "…":
            here.is_open = True
        elif name != ",":
            name = json.loads(name) if name[:1] == '"' else name
            is_more = tokens[0] == ":" and bool(tokens.popleft())
            here.members[name] = _read(tokens) if is_more else Outline()
    return here


def outline_of_schema(
    schema: Any, root: Mapping[str, Any], deep: int = 0, steps: Iterator[int] | None = None
) -> Outline:
    """The outline of an outputSchema; marked `is_open` where the schema is too large."""
    here = Outline()
    budget = iter(range(_MOST_NODES)) if steps is None else steps
    waiting = deque([schema])
    while waiting:
        form = waiting.popleft()
        if next(budget, None) is None:
            here.is_open = True
            return here
        if not isinstance(form, Mapping):
            continue
        if isinstance(ref := form.get("$ref"), str):
            waiting.append((root.get("$defs") or {}).get(ref.rpartition("/")[2]))
        for key in ("anyOf", "oneOf", "allOf"):
            waiting += [each for each in form.get(key, ()) if each != {"type": "object"}]
        if deep < _DEEPEST:
            for name, inner in (form.get("properties") or {}).items():
                here.members.setdefault(name, outline_of_schema(inner, root, deep + 1, budget))
            if "items" in form and here.items is None:
                here.items = outline_of_schema(form["items"], root, deep + 1, budget)
            if isinstance(more := form.get("additionalProperties"), Mapping) and more:
                here.members.setdefault("*", outline_of_schema(more, root, deep + 1, budget))
    is_object = isinstance(schema, Mapping) and schema.get("type") in ("object", None)
    here.is_open = not here.is_known and (is_object or deep >= _DEEPEST)
    return here


class UnknownField(Exception):
    """A field that the answer does not have; the message lists the existing ones."""


def resolved(text: str, outline: Outline | None) -> list[str] | None:
    """The paths for a field's name or path; None if only the answer can decide.

    Raises:
        UnknownField: the answer cannot have the field.
    """
    text = text.strip()
    if ".." in text:
        read_path(text)  # refuses what is none
        return [text]
    names = _names(text)
    if names[0] in _OURS:
        return []
    if outline is None:
        return None
    direct = outline.places(names)
    if direct or direct is None:
        return direct
    ways = [names, names[1:]] if names[0] in _WRAPPERS and names[1:] else [names]
    places = [_anywhere(way, outline) for way in ways]
    if paths := next(filter(None, places), None):
        return paths
    if None in places:
        return None
    raise UnknownField(f"The answer has no field `{text[:100]}`. It has {_short(outline)}.")


def _anywhere(names: Sequence[str], outline: Outline) -> list[str] | None:
    """The outermost paths that end in these names; empty if the outline has none.

    None if no path was found and the outline is incomplete, so the actual answer may have one.
    """
    paths: list[str] = []
    level, is_open = 0, False
    for depth, start, here in islice(outline.below(), _MOST_NODES):
        if paths and depth > level:
            break
        is_open = is_open or here.is_open
        if more := here.places(names, start):
            paths += more
            level = depth
    return paths or (None if is_open else [])


def _names(text: str) -> list[str]:
    """The names in a path, such as `owner` and `name` in `owner.name`.

    Raises:
        ValueError: the path has no names, or too many.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"must have at most {_LONGEST:,} characters")
    if (text.startswith("$") and "'" in text) or '"' in text:
        return [step.name for step in read_path(text) if step.name is not None]
    names = [name for name in _STEPS.split(text.removeprefix("$")) if name]
    if not names or len(names) > 20 or any(set(name) & set("[]*?@()'\"") for name in names):
        raise ValueError("must be the name of a field, such as id, owner.name or $.items[*].id")
    return names


def _short(outline: Outline) -> str:
    text = str(outline)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def check_fields(texts: Sequence[str], outline: Outline | None) -> None:
    """Before a call, raise ToolError for a field that no answer can have."""
    if len(texts) > MOST:
        raise ToolError(f"`{FIELDS}` can have at most {MOST} paths. Nothing was done.")
    for text in texts:
        try:
            resolved(text, outline)
        except ValueError as problem:
            named = f"`{text[:100]}` in `{FIELDS}`"
            raise ToolError(f"{named} {problem}. Nothing was done.") from None
        except UnknownField as problem:
            raise ToolError(f"{problem} Nothing was done.") from None


def named_fields(texts: Sequence[str], outline: Outline | None) -> tuple[list[str], list[str]]:
    """The requested fields that can exist according to the outline, and messages about the
    others.
    """
    named, notes = [], []
    for text in texts[:MOST]:
        try:
            resolved(text, outline)
        except ValueError as problem:
            notes.append(f"`{text[:100]}` in `{FIELDS}` {problem}.")
        except UnknownField as problem:
            notes.append(str(problem))
        else:
            named.append(text)
    return named, notes


def selected(data: Any, texts: Sequence[str], outline: Outline | None) -> tuple[Any, list[str]]:
    """The requested fields of an answer, and messages about missing ones."""
    paths: list[str] = []
    notes: list[str] = []
    if outline is not None and isinstance(data, list) and outline.items is None:
        outline = outline.members.get("result")  # which is around a list in structured content
    there: Outline | None = None
    for text in texts:
        known = resolved(text, outline)
        if known is None:
            there = there or outline_of_value(data)
            try:
                known = resolved(text, there) or []
            except UnknownField as problem:
                notes.append(str(problem))
        paths += known or []
    if all(text.lstrip("$.").startswith(_OURS) for text in texts):
        return {}, []
    rest = shape_value(data, Shape(fields=paths)) if paths else None
    if data in ([], {}, None):
        return data, []
    if not notes and _is_hollow(rest):
        what = _short(outline_of_value(data))
        notes.append(f"This answer has none of these fields. It has {what}.")
    return rest, notes


def _is_hollow(value: Any) -> bool:
    """Whether a value has only nulls and empty objects in it; an empty list counts as content."""
    if isinstance(value, dict):
        return all(map(_is_hollow, value.values()))
    if isinstance(value, list):
        return bool(value) and all(map(_is_hollow, value))
    return value is None
