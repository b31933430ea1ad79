"""`mcpgen.lock`: what a server was generated from, and the hash of every file we wrote.

The file is for people to review and for later runs to read: no timestamp, no absolute path, one
fact a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring_ascii as _quoted
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from . import __version__, conflict_marks
from .hashes import fingerprint
from .places import is_inside

if TYPE_CHECKING:
    from .api import Api, Offer, Tool
    from .naming import Names

FILE_NAME = "mcpgen.lock"
VERSION = 4
_OF_DEFINITION = " " * 6
"""Before the hashes of one definition, which stand on one line."""
_NOTHING_TOLD = "-"
_SAID = ("description", "inputSchema", "outputSchema")


class LockError(Exception):
    """A lock that cannot be read; the message says why and what to do."""


class Lock(Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of one generation."""

    mcpgen: str
    source: str
    source_sha256: str
    sources: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file of every document, by its place beside the first; empty for one that a
    reference names and that was not there.
    """
    settings_sha256: str = ""
    templates_sha256: str = ""
    """Of the templates and of the runtime that is copied into servers."""
    server: str = ""
    """The server's name, which its package is called after."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """Tool names by `METHOD path`, after the key of their API where it is not the first."""
    contents: Mapping[str, str] = field(default_factory=dict)
    """Names of hand-written tools by what they say beside their name."""
    modules: Mapping[str, str] = field(default_factory=dict)
    """Handler modules by tag."""
    functions: Mapping[str, str] = field(default_factory=dict)
    """Handler functions by tool name."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Those of them that people named."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """Tags at which tools stay although the document has others: their handlers were edited."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """The operations that tables of `mcpgen.toml` are for, by the names that these have there."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """The operations that filters name, by these names."""
    offers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Functions of resources and of prompts, by what these say beside their name, and their key."""
    keywords: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Handler keywords by tool name and argument, where the two differ."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Class names by the place of their schema."""
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of our version of each file, line ends aside."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Hashes of what files, or groups of their entries, are made from; of large servers only."""
    merged: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file in which our version is merged with edits; `files` has our version's."""
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Hashes of the lines of our version of each text that people may edit."""
    definitions: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    """Hashes of the parts of each definition of our version of each module that people may edit."""
    lock: int = 0
    """The version of its form, once it is written."""


FACTS = tuple(each for each in Lock.__struct_fields__ if each != "lock")
"""What a lock says."""
NOTHING = Lock("", "", "")
"""That of a server which is not there yet, or which has none."""


def make(source: str, source_sha256: str, api: Api, names: Names) -> Lock:
    """The lock of a generation, without its files."""
    keywords = {
        tool: {argument: word for argument, word in words.items() if argument != word}
        for tool, words in names.keywords.items()
    }
    return Lock(
        mcpgen=__version__,
        source=source,
        source_sha256=source_sha256,
        server=names.server,
        tools={operation(t): t.name for t in api.tools if operation(t)},
        contents=contents(api.tools),
        modules=dict(names.modules),
        functions=dict(names.functions),
        filters=dict(api.filters),
        offers={
            module: {f"{_told(o)} {o.key}": functions[o.key] for o in offers if o.key in functions}
            for module, offers in _offers(api).items()
            if (functions := names.offers[module])
        },
        keywords={tool: words for tool, words in keywords.items() if words},
        classes=dict(names.classes),
    )


def operation(tool: Tool) -> str:
    """What a lock knows a tool by, whatever its name: method and path, unlike any other's.

    Empty where that names no tool: for one without, and for one whose author chose its name.
    """
    if tool.http is None or tool.written is not None:
        return ""
    own = tool.operation or f"{tool.http.method} {tool.http.path}"
    return f"{tool.api} {own}" if tool.api else own


def contents(tools: Iterable[Tool]) -> dict[str, str]:
    """The names of hand-written tools by the hash of their texts and schemas.

    What several say alike is none's own: their names come with it.
    """
    found: dict[str, list[str]] = {}
    for tool in tools:
        if tool.written is not None:
            said = [tool.api, *(tool.written.get(key) for key in _SAID)]
            key = fingerprint(json.dumps(said, sort_keys=True), 16)
            found.setdefault(key, []).append(tool.name)
    return {
        key if len(names) == 1 else f"{key} {name}": name
        for key, names in found.items()
        for name in names
    }


def offers_now(lock: Lock, api: Api) -> dict[str, dict[str, str]]:
    """The functions that a lock knows of resources and prompts, by the keys that these have now.

    One that is gone became the new one that alone says what it alone said.
    """
    found: dict[str, dict[str, str]] = {}
    for module, offers in _offers(api).items():
        known = [(*key.partition(" ")[::2], f) for key, f in lock.offers.get(module, {}).items()]
        now, before = {offer.key for offer in offers}, {key for _, key, _ in known}
        gone = [(told, function) for told, key, function in known if key not in now]
        came = [(_told(offer), offer.key) for offer in offers if offer.key not in before]
        found[module] = {key: function for _, key, function in known if key in now}
        for told, function in gone:
            keys = [key for said, key in came if said == told != _NOTHING_TOLD]
            if len(keys) == 1 and [said for said, _ in gone].count(told) == 1:
                found[module][keys[0]] = function
    return found


def _offers(api: Api) -> dict[str, tuple[Offer, ...]]:
    return {"resources": api.resources, "prompts": api.prompts}


def _told(offer: Offer) -> str:
    """The hash of what an offer says beside its name."""
    said = offer.written
    told = {key: said[key] for key in ("description", "arguments") if said.get(key)}
    return fingerprint(json.dumps(told, sort_keys=True), 16) if told else _NOTHING_TOLD


def to_text(lock: Lock) -> str:
    """The lock as the text of its file: a fact a line, a definition's hashes on one."""
    members = {"lock": VERSION, **{each: getattr(lock, each) for each in FACTS}}
    parts = [f'  "{key}": {_value(value, key)}' for key, value in members.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(fact: Any, key: str = "", start: str = "  ") -> str:
    if isinstance(fact, str):
        return _quoted(fact)
    if not isinstance(fact, list | dict) or not fact:
        return json.dumps(fact)
    if isinstance(fact, list):
        return _rows("[", [_quoted(each) for each in fact], "]", start)
    if key == "definitions" and start == _OF_DEFINITION:
        return "{" + ", ".join([f"{_quoted(n)}: {_quoted(h)}" for n, h in fact.items()]) + "}"
    inner = f"{start}  "
    rows = [f"{_quoted(name)}: {_value(each, key, inner)}" for name, each in fact.items()]
    return _rows("{", rows, "}", start)


def _rows(opened: str, rows: list[str], closed: str, start: str) -> str:
    return f"{opened}\n{start}  " + f",\n{start}  ".join(rows) + f"\n{start}{closed}"


def read(folder: Path) -> Lock | None:
    """The lock in a server's folder, or None where there is none.

    Raises LockError for one that is damaged or of a newer version.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return None
    data = path.read_bytes()
    try:
        return _parsed(data)
    except OverflowError:
        reason = "was written by a newer mcpgen; upgrade mcpgen to use it"
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        reason = _damage(path, data)
    raise LockError(f"{path} {reason}")


def _damage(path: Path, data: bytes) -> str:
    if conflict_marks.place(data.decode(errors="replace")) is None:
        way_out = "restore it from version control, or go without: `mcpgen update --force`"
        return f"is damaged; {way_out}"
    way_out = f"take either side, as with `git checkout --ours {path}`"
    again = f"`mcpgen update --force {path.parent}`, which keeps the edits of both sides"
    return f"has the marks of a merge; {way_out}, then run {again}"


@lru_cache(maxsize=1)
def _parsed(data: bytes) -> Lock:
    """The lock in the bytes of its file, which a run reads again before it writes.

    Raises OverflowError for one of a newer version, other errors for one that is damaged.
    """
    try:
        found = msgspec.json.decode(data, type=Lock)
    except msgspec.DecodeError:  # a lone surrogate, which is fine, and what is not
        members = json.loads(data.decode())
        if members["lock"] > VERSION:
            raise OverflowError from None
        found = msgspec.convert(members, Lock)
    if found.lock > VERSION:
        raise OverflowError
    if found.lock < 1:
        raise ValueError(found.lock)
    for path in chain(found.files, found.merged, found.lines, found.definitions):
        if not is_inside(path):
            raise ValueError(path)
    return found
