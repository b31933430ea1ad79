"""The settings from values of files and flags, and settings as TOML."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..bundled.parts import HTTP, asks, needs, switches
from ..paths import WORKSPACE, seen_from
from ..text import literals
from . import headers
from .locations import SettingsText
from .problems import Problem, refuse
from .rows import Row, settings_of
from .settings import FILTERS, KEYS, Auth, Settings, SignIn, Source

_EXCHANGE = ("exchange_token_url", "exchange_audience", "exchange_resource")
OF_SOURCE = {
    "caller": ("headers", "exchange", *_EXCHANGE),
    "sign_in": ("schemes", "token", "scopes", *_EXCHANGE),
}
"""The keys of a table [auth] that do something, by its `source`."""
_Holder = TypeVar("_Holder", Settings, Source)
_PASSWORD = re.compile(r"(?<=://)[^/?#]*@")
_EXAMPLES = {"base_url": "https://api.example.com", "include_tags": ("pets",), "prefix": "shop_"}
"""The settings that a new file shows as comments."""
COMMANDS = {"openapi": "from-openapi", "tools": "from-schema"}
"""By reader, the command that takes its settings."""


def override(
    base: Settings, values: Mapping[str, Any], *, origin: SettingsText | None = None
) -> Settings:
    """`base` overridden by `values`, each checked.

    Raises GenerationError, with all problems, for unknown keys and values of a wrong type.
    """
    if values:
        from . import checks  # brings a validator, of no use where nothing is said

        refuse(checks.problems(values), origin)
    try:
        return made(base, values)
    except Problem as problem:
        raise problem.error(origin) from None


def made(base: Settings, values: Mapping[str, Any]) -> Settings:
    """`base` with `values` in place of its own values; they must be valid.

    Entries of `header_env` without a host get the document's host. Raises Problem if the document
    has no host for them, or if two further sources cannot be told apart.
    """
    fields = {KEYS[key].field: _typed(value) for key, value in values.items()}
    if "with" in values:
        fields["with_"] = _sources(values["with"], base.with_)
    settings = replace(base, **fields)
    if not settings.http:
        _refuse_of_http(settings)
    sources = [settings.source] if settings.source else None
    return replace(settings, header_env=headers.bound(settings.header_env, sources))


def _typed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _sources(tables: Iterable[Any], earlier: Sequence[Source]) -> tuple[Source, ...]:
    """The `earlier` sources, then those of the tables; an entry may also be a plain string."""
    places = {_place(each.source): each for each in earlier}
    new = []
    for table in tables:
        if isinstance(table, str):
            new.append(places.get(_place(table)) or Source(source=table))
        else:
            new.append(Source(**{key: _typed(value) for key, value in table.items()}))
    sources = (*earlier, *(each for each in new if each not in earlier))
    _tell_apart(sources)
    return sources


def _tell_apart(sources: Sequence[Source]) -> None:
    """Raise Problem if two sources have the same name, or if one is listed twice without names."""
    seen: set[str] = set()
    for number, each in enumerate(sources):
        name = each.name.replace("-", "_").lower()
        key = f"name {name}" if name else _place(each.source)
        if key in seen:
            message = f"two `[[with]]` have the name `{name}`"
            message = message if name else f"`with` names {each.source} twice"
            hint = "If both are meant, give each `[[with]]` a `name` of its own."
            raise Problem(message, hint, ("with", number))
        seen.add(key)


def _place(source: str) -> str:
    return source if "://" in source else os.path.abspath(source)


def relative_to(settings: Settings, folder: Path) -> Settings:
    """The settings for a file in `folder`: paths are relative to it, URLs have no password."""

    def move(path: str) -> str:
        if path in ("", "-"):
            return path
        if "://" in path:
            return _PASSWORD.sub("", path)
        return seen_from(folder, path)

    return _with_paths(settings, move)


def seen_from_here(settings: Settings, folder: Path) -> Settings:
    """The settings of the server in `folder`, with paths relative to the working directory."""

    def move(path: str) -> str:
        if path in ("", "-") or "://" in path or os.path.isabs(path):
            return path
        return seen_from(os.curdir, folder / path)

    return _with_paths(settings, move)


def moved_path(row: Row, move: Callable[[str], str], text: str) -> str:
    """A setting's string with `move` applied to its path; a `URL=` before the path is kept."""
    url, mark, path = text.partition("=") if row.of_urls else ("", "", text)
    return f"{url}{mark}{move(path)}"


def _with_paths(holder: _Holder, move: Callable[[str], str]) -> _Holder:
    """A copy of the settings, or of a source, with `move` applied to every path."""
    changes: dict[str, Any] = {}
    table: Any = type(holder)
    for each in settings_of(table).values():
        value = getattr(holder, each.field)
        if each.row.table is Source:
            changes[each.field] = tuple(_with_paths(source, move) for source in value)
        elif each.row.path:
            moved = partial(moved_path, each.row, move)
            changes[each.field] = (
                moved(value) if isinstance(value, str) else tuple(map(moved, value))
            )
    return replace(holder, **changes)


def of_source(settings: Settings, each: Source) -> Settings:
    """The settings for reading one further source. Its reader is chosen when it is loaded."""
    own: dict[str, Any] = {"name": each.name, "prefix": each.prefix, "with_": ()}
    own |= {"reader": "", "package": "", "base_url": each.base_url, "overlays": each.overlays}
    own |= {"auth": each.auth, "security_schemes": {}, "security": each.security}
    own |= {key: getattr(each, key) for key in FILTERS}
    return replace(settings, source=each.source, **own)


def _refuse_of_http(settings: Settings) -> None:
    """Raise Problem if a server without HTTP has settings that need HTTP."""
    callers = any(map(callers_defaults, (settings.auth, *(each.auth for each in settings.with_))))
    asked = {key: asks(getattr(settings, key), value) for key, value in _of_http().items()}
    for key, is_asked in {**asked, "auth": callers}.items():
        if is_asked:
            shown = key if KEYS[key].row.table is None else f"[{key}]"
            hint = "Remove one of the two: a server has HTTP unless `http = false` is set."
            raise Problem(f"`{shown}` needs HTTP, which `http = false` turns off", hint, (key,))


def without_http(settings: Settings) -> Settings:
    """The settings for a server that only uses stdio."""
    further = tuple(replace(each, auth={}) for each in settings.with_)
    off: dict[str, Any] = {key: KEYS[key].default for key in _of_http()}
    return replace(settings, http=False, with_=further, **{**off, "auth": {}})


def _of_http() -> dict[str, Any]:
    """The values that switch on a part which needs HTTP, by the keys of their settings."""
    return {key: value for part, (key, value) in switches().items() if HTTP in needs(part)}


def server_defaults(settings: Settings) -> dict[str, Any]:
    """The initial values of the running server's settings, keyed by their names in the runtime."""
    values = {key: getattr(settings, each.field) for key, each in KEYS.items()}
    closed = settings.http and _speaks_of_callers(settings)
    return {
        **served(Settings, values),
        **({"http_anonymous": False} if closed else {}),
        **callers_defaults(settings.auth),
        **served(SignIn, settings.sign_in),
    }


def _speaks_of_callers(settings: Settings) -> bool:
    """Whether callers over HTTP must be identified: they have tokens, or need scopes."""
    tables = (*settings.tools.values(), *({"scopes": each.scopes} for each in settings.with_))
    own = settings.http_tokens or settings.sign_in
    return bool(own) or any(table.get("scopes") for table in tables)


def callers_defaults(table: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the running server for which an `[auth]` table gives values.

    Only the keys that the table's `source` uses count.
    """
    keys = OF_SOURCE.get(table.get("source", ""), ())
    return served(Auth, {key: value for key, value in table.items() if key in keys})


def served(table: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values for settings of the running server, taken from a table of `mcpgen.toml`."""
    defaults: dict[str, Any] = {}
    for key, each in settings_of(table).items():
        value, row = values.get(key, each.default), each.row
        if row.server and value != each.default and value in (row.served or (value,)):
            defaults[row.server] = _frozen(value)
    return defaults


def _frozen(value: Any) -> Any:
    """The value with tuples for lists; a table becomes pairs, in which a list is joined to a
    string.
    """
    if not isinstance(value, Mapping):
        return tuple(value) if isinstance(value, list) else value
    pairs = value.items()
    return tuple((key, " ".join(each) if isinstance(each, list) else each) for key, each in pairs)


def to_toml(settings: Settings, shared: Settings | None = None) -> str:
    """The text of a new `mcpgen.toml`, without settings that are at their default or `shared`."""
    defaults = Settings()
    shared = shared or defaults
    lines = [
        "# The settings this server was generated with. The file is yours: change it and run",
        "# `mcpgen update` in this folder. `mcpgen settings` lists every key and table.",
    ]
    if shared != defaults:
        lines.append(f"# Settings of {WORKSPACE} further up apply too, unless they are set here.")
    lines.append("")
    plain = {key: each for key, each in KEYS.items() if each.row.table is None}
    for key, each in plain.items():
        if (value := getattr(settings, each.field)) != getattr(shared, each.field):
            lines.append(f"{key} = {literal(value)}")
    lines += ["", "# Such as:"]
    command = COMMANDS[settings.reader]
    for key, value in _EXAMPLES.items():
        if command in plain[key].row.commands and getattr(settings, key) == getattr(defaults, key):
            lines.append(f"# {key} = {literal(value)}")
    return "\n".join(lines) + "\n" + "".join(source_table(each) for each in settings.with_)


def source_table(each: Source) -> str:
    """A further source as a table of a `mcpgen.toml`."""
    values = {key: getattr(each, key) for key in settings_of(Source)}
    defaults = Source()
    lines = (f"{k} = {literal(v)}\n" for k, v in values.items() if v != getattr(defaults, k))
    return "\n[[with]]\n" + "".join(lines)


def literal(value: Any) -> str:
    """A setting's value as TOML."""
    if isinstance(value, tuple):
        return "[" + ", ".join(literals.toml(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        members = (f"{literals.toml(key)} = {literal(each)}" for key, each in value.items())
        return f"{{{', '.join(members)}}}"
    return literals.toml(value) if isinstance(value, str) else str(value)
