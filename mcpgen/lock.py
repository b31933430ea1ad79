"""`mcpgen.lock`: the inputs of a server's generation, and the hash of every generated file.

People review the file and later runs read it. So it has no timestamps and no absolute paths, and
one fact per line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from . import __version__
from .hashes import fingerprint
from .merge import conflict_marks
from .operations import answer_hashes
from .operations.argument_names import remembered
from .operations.matching import renamed
from .paths import is_inside
from .text import literals

if TYPE_CHECKING:
    from .api import Api, Offer, Tool
    from .diagnostics import Diagnostics
    from .python_names import Names

FILE_NAME = "mcpgen.lock"
VERSION = 8
_ON_ONE_LINE = {f"{{\n{' ' * 8}": "{", f",\n{' ' * 8}": ", ", f"\n{' ' * 6}}}": "}"}
"""The text around the hashes of a definition: nothing else is nested as deeply."""
_NOTHING_TOLD = "-"
_SAID = ("description", "inputSchema", "outputSchema")


class LockError(Exception):
    """The error for a lock that cannot be read; the message gives the reason and the remedy."""


class NewerLockError(LockError):
    """The error for a lock that only a newer mcpgen can read; to ignore it would lose its
    contents.
    """


class Lock(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `mcpgen.lock`: the facts about one generation of a server."""

    mcpgen: str
    source: str
    source_sha256: str
    sources: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file of every document, by its path relative to the first document.

    Empty for a file that a reference names and that did not exist.
    """
    settings_sha256: str = ""
    templates_sha256: str = ""
    """SHA-256 of the templates, and of the runtime if it is vendored."""
    server: str = ""
    """The server's name, from which its package is named."""
    surface: str = ""
    """How agents see the tools: tools or search; empty in locks of versions without search."""
    own_tools: tuple[str, ...] = ()
    """The names of the search surface's own tools; empty: there are none, or they were not
    recorded."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """The names of APIs in the settings, by the APIs' keys; without a name, the title is used."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """Tool names by `METHOD path`, preceded by the API's key if it is not the first API."""
    contents: Mapping[str, str] = field(default_factory=dict)
    """Names of hand-written tools by the hash of their contents without the name."""
    arguments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each operation, as in `tools`: the names of arguments that are not those of the document,
    by location and original name."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Slugs of groups by title."""
    modules: Mapping[str, str] = field(default_factory=dict)
    """Handler modules by tag."""
    functions: Mapping[str, str] = field(default_factory=dict)
    """Handler functions by tool name."""
    named: Mapping[str, str] = field(default_factory=dict)
    """The functions among these whose names people chose."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """Tags of tools whose edited handlers stay in another module than that of the document's
    tag."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """The operations that the tables of `mcpgen.toml` are for, by the names in the tables."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """The operations that filters name, by the names in the filters."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """The operations that the `include_` settings leave out, and why."""
    parts: tuple[str, ...] = ()
    """The parts of the runtime that `server.py` names."""
    gone: tuple[str, ...] = ()
    """Operations that once had a tool, and that edited code still sends."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """Hashes of the types of tools' complete answers; their advertised schemas may be outlines."""
    taken: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The arguments that requests may have, for each operation that edited code sends."""
    offers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Functions of resources and prompts, by the hash of their content and their key."""
    keywords: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Handler keywords by tool name and argument, where they differ from the argument's name."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Class names by the places of their schemas."""
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file as mcpgen wrote it; line ends do not count."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """For large servers: the hash of the inputs of each file that may be reused."""
    merged: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file with people's edits; `files` has the hash without the edits."""
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Hashes of the lines of each text file that people may edit, as mcpgen wrote it."""
    definitions: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    """Hashes of the parts of each definition in editable modules, as mcpgen wrote it."""
    lock: int = 0
    """The version of the file format; 0 until the lock is written."""


FACTS = tuple(each for each in Lock.__struct_fields__ if each != "lock")
"""The keys of the file, without its version."""
NOTHING = Lock("", "", "")
"""The lock of a server that does not exist yet, or has no lock."""


def make(source: str, source_sha256: str, api: Api, names: Names) -> Lock:
    """The lock of a generation, without the hashes of its files."""
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
        arguments={operation(t): by_name for t in api.tools if (by_name := _arguments(t))},
        groups={group.title: group.slug for group in api.groups},
        modules=dict(names.modules),
        functions=dict(names.functions),
        answers=answer_hashes.of(api),
        filters=dict(api.filters),
        offers={
            module: {
                f"{digest_of(each.written) or _NOTHING_TOLD} {each.key}": functions[each.key]
                for each in offers
                if each.key in functions
            }
            for module, offers in _offers(api).items()
            if (functions := names.offers[module])
        },
        keywords={tool: words for tool, words in keywords.items() if words},
        classes=dict(names.classes),
    )


def operation(tool: Tool) -> str:
    """The key of a tool in the lock: its method and path, which are unique.

    Empty for a tool without a request, and for a hand-written tool, whose author chose its name.
    """
    if tool.http is None or tool.written is not None:
        return ""
    own = tool.operation or f"{tool.http.method} {tool.http.path}"
    return f"{tool.api} {own}" if tool.api else own


def _arguments(tool: Tool) -> dict[str, str]:
    return remembered(tool) if operation(tool) else {}


def contents(tools: Iterable[Tool]) -> dict[str, str]:
    """The names of hand-written tools by the hash of their texts and schemas.

    If several tools have the same hash, each key is the hash with the tool's name added.
    """
    tools_by_key: dict[str, list[str]] = {}
    for tool in tools:
        if tool.said is not None:
            content = [tool.api, *(tool.said.get(key) for key in _SAID)]
            key = fingerprint(json.dumps(content, sort_keys=True), 16)
            tools_by_key.setdefault(key, []).append(tool.name)
    return {
        key if len(names) == 1 else f"{key} {name}": name
        for key, names in tools_by_key.items()
        for name in names
    }


def offers_now(lock: Lock, api: Api) -> dict[str, dict[str, str]]:
    """The functions that the lock has for the API's resources and prompts.

    The outer key is the module, the inner one the present key of the resource or prompt. If one of
    them is gone and exactly one new one has the same content, the new one gets its function.
    """
    by_module: dict[str, dict[str, str]] = {}
    for module, offers in _offers(api).items():
        functions: dict[str, str] = {}
        before: dict[str, str] = {}
        for entry, function in lock.offers.get(module, {}).items():
            digest, _, key = entry.partition(" ")
            functions[key] = function
            before[key] = "" if digest == _NOTHING_TOLD else digest
        now = {offer.key: digest_of(offer.written) for offer in offers}
        by_module[module] = {key: function for key, function in functions.items() if key in now}
        for key, new in renamed(before, now).items():
            by_module[module][new] = functions[key]
    return by_module


def _offers(api: Api) -> dict[str, tuple[Offer, ...]]:
    return {"resources": api.resources, "prompts": api.prompts}


def digest_of(entry: Mapping[str, Any]) -> str:
    """The hash of a resource's or prompt's description and arguments; empty if it has neither."""
    content = {key: entry[key] for key in ("description", "arguments") if entry.get(key)}
    return fingerprint(json.dumps(content, sort_keys=True), 16) if content else ""


def to_text(lock: Lock) -> str:
    """The text of the lock file: one fact per line, all hashes of a definition on one line."""
    text = literals.ascii_text({"lock": VERSION, **{each: getattr(lock, each) for each in FACTS}})
    for between, joined in _ON_ONE_LINE.items():
        text = text.replace(between, joined)
    return f"{text}\n"


def read(folder: Path) -> Lock | None:
    """The lock in a server's folder, or None if there is none.

    Raises LockError if it is damaged, NewerLockError if a newer mcpgen wrote it.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return None
    data = path.read_bytes()
    try:
        return _parsed(data)
    except OverflowError:
        newer = f"{path} was written by a newer mcpgen; upgrade mcpgen to use it"
        raise NewerLockError(newer) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        reason = _damage(path, data)
    raise LockError(f"{path} {reason}")


def tell_if_newer(lock: Lock, diagnostics: Diagnostics) -> None:
    """Warn if a newer mcpgen wrote the lock, since its improvements would be undone."""
    if _release(lock.mcpgen) <= _release(__version__):
        return
    message = f"mcpgen {lock.mcpgen} generated this server, and {__version__} is older"
    hint = "Upgrade mcpgen, here and where the server is checked."
    diagnostics.warning("older-mcpgen", message, hint=hint)


def _release(version: str) -> list[int]:
    """The numbers of a version's release segment, without zeros at its end."""
    release = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(each) for each in release[0].split(".")] if release else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def _damage(path: Path, data: bytes) -> str:
    if conflict_marks.place(data.decode(errors="replace")) is None:
        way_out = "restore it from version control, or do without it: `mcpgen update --force`"
        return f"is damaged; {way_out}"
    way_out = f"take either side, as with `git checkout --ours {path}`"
    again = f"`mcpgen update --force {path.parent}`, which keeps the edits of both sides"
    return f"has conflict marks of a merge; {way_out}, then run {again}"


@lru_cache(maxsize=1)
def _parsed(data: bytes) -> Lock:
    """Parse the bytes of a lock file; cached, since a run reads the file again before it writes.

    Raises OverflowError if a newer mcpgen wrote it, other errors if it is damaged.
    """
    try:
        lock = msgspec.json.decode(data, type=Lock)
    except msgspec.DecodeError:  # a lone surrogate, which is fine, and what is not
        members = json.loads(data.decode())
        if members["lock"] > VERSION:
            raise OverflowError from None
        lock = msgspec.convert(members, Lock)
    if lock.lock > VERSION:
        raise OverflowError
    if lock.lock < 1:
        raise ValueError(lock.lock)
    for path in chain(lock.files, lock.merged, lock.lines, lock.definitions):
        if not is_inside(path):
            raise ValueError(path)
    return lock
