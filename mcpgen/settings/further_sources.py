"""The tables `[[with]]` of a `mcpgen.toml`: further sources of tools."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from . import auth
from .tool_tables import SettingProblem, check_scopes, typed, types_of, unknown

PREFIX = re.compile(r"[A-Za-z0-9_.-]{0,32}")
PREFIX_HINT = "Use at most 32 of A-Z, a-z, 0-9, `_`, `-` and `.`."


def described(default: Any, description: str) -> Any:
    """A field of a class of settings, and what it means."""
    return field(default=default, metadata={"description": description})


@dataclass(frozen=True)
class Source:
    """A tool file or an OpenAPI document whose tools join those of the first."""

    source: str = described("", "A tool file or an OpenAPI document: a file or a URL.")
    name: str = described("", "Its API's name, for handlers and variables; empty: from its title.")
    prefix: str = described("", "What the names of its tools begin with.")
    overlays: tuple[str, ...] = described((), "OpenAPI Overlays that change it, in order.")
    auth: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "As the table [auth], for it: [with.auth]."}
    )
    scopes: tuple[str, ...] = described((), "Over HTTP: of each of its tools that would need none.")
    include_tags: tuple[str, ...] = described((), "As for the first source, like all that follow.")
    exclude_tags: tuple[str, ...] = described((), "")
    include_paths: tuple[str, ...] = described((), "")
    exclude_paths: tuple[str, ...] = described((), "")
    include_operations: tuple[str, ...] = described((), "")
    exclude_operations: tuple[str, ...] = described((), "")
    methods: tuple[str, ...] = described((), "")
    read_only: bool = described(False, "")

    @property
    def filters(self) -> dict[str, Any]:
        """What of its tools is wanted, in the words of the settings."""
        return {key: value for key, value in asdict(self).items() if key not in _IDENTITY}

    @property
    def given(self) -> dict[str, Any]:
        """The keys that are not at their defaults."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) not in (f.default, {})
        }


KEYS = {f.name: f for f in fields(Source)}
_IDENTITY = ("source", "name", "prefix", "overlays", "auth", "scopes")


def check(tables: Any, earlier: Sequence[Source] = ()) -> tuple[Source, ...]:
    """The `earlier` sources, and those that the tables name beside them; a text alone is one too.

    Raises SettingProblem.
    """
    if not isinstance(tables, list | tuple):
        raise SettingProblem("settings-type", "`with` must be an array of tables: `[[with]]`")
    sources = [_source(table, earlier) for table in tables]
    all_sources = (*earlier, *(each for each in sources if each not in earlier))
    _tell_apart(all_sources)
    return all_sources


def _tell_apart(sources: Sequence[Source]) -> None:
    """Raise SettingProblem where two have the same name, or are the same without names."""
    names = Counter(each.name.replace("-", "_").lower() for each in sources if each.name)
    unnamed = [each.source for each in sources if not each.name]
    places = Counter(map(_place, unnamed))
    for name, count in names.items():
        if count > 1:
            message = f"two `[[with]]` have the name `{name}`"
            raise SettingProblem("settings-value", message, "Give each a name of its own.")
    for place, count in places.items():
        if count > 1:
            source = next(each for each in unnamed if _place(each) == place)
            message = f"`with` names {source} twice"
            hint = "If both are meant, give each `[[with]]` a `name` of its own."
            raise SettingProblem("settings-value", message, hint)


def _source(table: Any, earlier: Sequence[Source]) -> Source:
    if isinstance(table, str):
        same = (each for each in earlier if _place(each.source) == _place(table))
        table = next(same, {"source": table})
    if isinstance(table, Source):
        return table
    if not isinstance(table, Mapping):
        raise SettingProblem("settings-type", "each `[[with]]` must be a table")
    values = {key: _value(key, value) for key, value in table.items()}
    if not values.get("source"):
        raise SettingProblem("settings-value", "a `[[with]]` has no `source`")
    if not PREFIX.fullmatch(values.get("prefix", "")):
        raise SettingProblem(
            "settings-value",
            "`prefix` of `[[with]]` cannot begin a tool's name",
            PREFIX_HINT,
        )
    return Source(**values)


def _value(key: str, value: Any) -> Any:
    if key not in KEYS:
        raise unknown("[[with]]", key, KEYS)
    if key == "auth":
        return _auth(value)
    typed_value = typed(f"`{key}` of `[[with]]`", value, types_of(Source)[key])
    if key == "overlays":
        refuse_input(typed_value)
    if key == "scopes":
        check_scopes("scopes", typed_value)
    return typed_value


def _auth(value: Any) -> dict[str, Any]:
    try:
        return auth.check(value)
    except SettingProblem as problem:
        message = f"{problem.message}, in `auth` of a `[[with]]`"
        raise SettingProblem(problem.code, message, problem.hint) from None


def refuse_input(overlays: Sequence[str]) -> None:
    """Raise SettingProblem for an overlay that is no file: it is read at each update."""
    if "-" in overlays or "" in overlays:
        raise SettingProblem("settings-value", "`overlays` must be files or URLs")


def _place(source: str) -> str:
    return source if "://" in source else os.path.abspath(source)
