"""Reusing what an earlier run read of a document that has changed only in some path items.

What is read of an operation depends on its path item, apart from the other operations in it, on
everything around `paths`, and on the options. If these are unchanged, the tool is the same, and so
are the diagnostics about it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from msgspec import Struct, field
from msgspec.structs import replace

from ... import pointer as pointers
from ...literals import json_bytes
from ...sameness import identical
from ...schemas.subschemas import references
from ...source import parse_again
from .operations import METHODS
from .select import left_out

if TYPE_CHECKING:
    from ...api import Api, Schema, Tool
    from ...diagnostics import Diagnostic
    from ...source.document import Document
    from ...source.parsed import Remembered
    from .options import ReadOptions
    from .parts import Operation


_REFERENCE = re.compile(rb'"(#[^"]*)"')
_COMPONENT = re.compile(rb"#/(?:components/schemas|definitions)/[A-Za-z0-9._-]{1,100}")
"""A reference to a schema whose key is its name (`schema_keys`)."""


class Prints(Struct, frozen=True):
    """The hashes of a document, for comparing it with an earlier version."""

    around: bytes
    """Of all but its paths."""
    items: Mapping[str, bytes]
    """Of each path item."""
    references: Mapping[str, frozenset[bytes]]
    """What each path item refers to in this document."""

    def changed(self, now: Prints) -> list[str]:
        """The path items of a later document that are not as they were."""
        return [path for path, print_ in now.items.items() if self.items.get(path) != print_]


class Before(Struct, frozen=True):
    """What an earlier run read."""

    prints: Prints
    parsed: Remembered
    options: ReadOptions
    is_sound: bool
    """Whether nothing was found in the document's references."""
    tools: Mapping[str, Tool]
    """By `METHOD path`."""
    schemas: Mapping[str, Schema]
    said: tuple[Diagnostic, ...]
    """About the schemas that operations reach."""
    told: Mapping[str, tuple[Diagnostic, ...]]
    """About the operations of each path item."""
    is_valid: bool
    """Whether the document was what its version's own schema says."""


Later = Callable[[], Before | None]
"""Works out what a later run may take over; None if there is nothing."""


class Kept(Struct, frozen=True):
    """The part of an earlier reading that can be reused."""

    tools: Mapping[str, Tool]
    """By `METHOD path`."""
    schemas: Mapping[str, Schema]
    said: tuple[Diagnostic, ...] = ()
    told: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    valid: frozenset[str] = frozenset()
    """The path items, and all around them, that are known to be valid."""


NOTHING = Kept({}, {})
_known: WeakKeyDictionary[Document, Prints | None] = WeakKeyDictionary()
"""The hashes of documents, which are asked for several times."""


def nothing() -> None:
    """A `Later` for what is always read anew."""


def changed(before: Before | None, document: Document) -> list[str] | None:
    """The path items whose references must be checked; None: those of the whole document."""
    if before is None or not before.is_sound:
        return None
    now = _prints(document, before)
    if now is None or before.prints.around != now.around:
        return None
    return before.prints.changed(now)


def _prints(document: Document, before: Before | None = None) -> Prints | None:
    """The hashes of a document; None if it cannot be reused: of many files, or without paths.

    Parts that were taken over when the text was parsed again take their hashes from `before`.
    """
    if len(document.files) != 1:
        return None
    if document not in _known:
        _known[document] = _hashes(document.root.value, before)
    return _known[document]


def _hashes(root: dict[str, Any], before: Before | None) -> Prints | None:
    items = root.get("paths")
    if not isinstance(items, dict):
        return None
    was = before.parsed.value if before is not None else {}
    old = before.prints if before is not None else Prints(b"", {}, {})
    there = was.get("paths", {})
    same = {path for path, item in items.items() if path in there and there[path] is item}
    texts = {path: json_bytes(item) for path, item in items.items() if path not in same}
    same_around = _same_around(was, root)
    around = old.around if same_around else _hash(json_bytes({**root, "paths": None}))
    hashes = {path: _hash(text) for path, text in texts.items()}
    found = {path: frozenset(_REFERENCE.findall(text)) for path, text in texts.items()}
    return Prints(
        around,
        items={path: hashes.get(path) or old.items[path] for path in items},
        references={path: old.references[path] if path in same else found[path] for path in items},
    )


def _same_around(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether everything but `paths` was taken over unchanged from one value into another."""
    return list(one) == list(other) and all(one[key] is other[key] for key in one if key != "paths")


def kept(
    before: Before | None,
    document: Document,
    options: ReadOptions,
    operations: Iterable[Operation],
    named: Mapping[str, str],
) -> Kept:
    """The reusable part: unchanged path items, and the unchanged operations of others.

    `named` holds the names that the tools have now: they depend on all operations together.
    """
    if before is None or before.options != _lasting(options):
        return NOTHING
    now, old = _prints(document, before), before.prints
    if now is None or old.around != now.around:
        return NOTHING
    unchanged = now.items.keys() - set(old.changed(now))
    valid = frozenset(unchanged if before.is_valid else ())
    known = {key for key, tool in before.tools.items() if tool.name == named.get(key)}
    same = unchanged - {operation.path for operation in operations if operation.key not in known}
    tools = {
        operation.key: before.tools[operation.key]
        for operation in operations
        if operation.path in same
        or (operation.key in known and _is_untouched(operation, before, document))
    }
    read = _read_as_a_whole(operations, named, options)
    lasting = unchanged - {key.partition(" ")[2] for key in before.tools.keys() - known}
    as_much = _says_as_much(before, now, same, lasting, read)
    if _other_references(old) != _other_references(now) or not as_much:
        return NOTHING
    said = tuple(_again(each, document) for each in before.said if _is_of(each, same))
    told = {
        path: tuple(_again(each, document) for each in found)
        for path, found in before.told.items()
        if path in same
    }
    return Kept(tools, before.schemas, said, told, valid)


def _is_untouched(operation: Operation, before: Before, document: Document) -> bool:
    """Whether only other operations of its path item changed, and nothing was said about any."""
    own, path = operation.method.lower(), operation.path
    items = [root["paths"].get(path) for root in (before.parsed.value, document.root.value)]
    if None in items or path in before.told:  # None: `paths` is a reference to another place
        return False
    old, new = ({k: v for k, v in item.items() if k not in METHODS or k == own} for item in items)
    return identical(old, new)


def _read_as_a_whole(
    operations: Iterable[Operation], named: Mapping[str, str], options: ReadOptions
) -> set[str]:
    """The path items that have operations and of which none is left out."""
    out = {each.path for each in operations if left_out(each, named[each.key], options)}
    return {each.path for each in operations} - out


def _lasting(options: ReadOptions) -> ReadOptions:
    """The options without what comes from the lock, which differs after each run."""
    return replace(options, known_tools={}, known_arguments={}, known_filters={})


def agree(before: Mapping[str, Schema], now: Mapping[str, Schema]) -> bool:
    """Whether schemas that were read again equal the old ones.

    They may differ where a loop is broken: that depends on what is read first.
    """
    return all(schema == before.get(key, schema) for key, schema in now.items())


def with_earlier(made: Mapping[str, Tool], before: Before | None) -> dict[str, Tool]:
    """The tools, with the earlier object for each that has not changed.

    So whoever compares it again sees at once that it is the same.
    """
    old = before.tools if before is not None else {}
    return {key: old[key] if identical(tool, old.get(key)) else tool for key, tool in made.items()}


def reached(
    before: Before | None, kept: Kept, made: Mapping[str, Tool]
) -> Mapping[str, Schema] | None:
    """The schemas that all tools reach; None if tools came or went, or refer to other schemas."""
    if before is None or kept is NOTHING or before.tools.keys() != kept.tools.keys() | made.keys():
        return None
    same = all(_references(tool) == _references(before.tools[key]) for key, tool in made.items())
    return kept.schemas if same else None


def _references(tool: Tool) -> set[str]:
    """The schemas that a tool refers to."""
    found = [references(argument.schema) for argument in tool.arguments]
    return set().union(*found, references(tool.result) if tool.result is not None else ())


def remembered(
    document: Document,
    options: ReadOptions,
    api: Api,
    said: tuple[Diagnostic, ...],
    told: Mapping[str, tuple[Diagnostic, ...]],
    *,
    is_valid: bool,
) -> Before | None:
    """What a later run can reuse of `api`; None if path items depend on each other."""
    now = _prints(document)
    if now is None or any(node.pointer.startswith("/paths/") for node in document.followed):
        return None
    if any(map(_may_lead_into_paths, document.lost)):
        return None
    if any(each != _again(each, document) for each in chain(said, *told.values())):
        return None
    tools = {tool.operation: tool for tool in api.tools}
    parsed = parse_again.remembered(document.parsed)
    wanted = _lasting(options)
    return Before(now, parsed, wanted, document.is_sound, tools, api.schemas, said, told, is_valid)


def _may_lead_into_paths(reference: str) -> bool:
    """Whether a dangling reference may later lead into a path item or a file."""
    pointer = pointers.from_fragment(reference.removeprefix("#"))
    return not reference.startswith("#/") or pointer.startswith("/paths")


def _other_references(prints: Prints) -> frozenset[bytes]:
    """All references except those to schemas whose keys depend on nothing else."""
    found = frozenset[bytes]().union(*prints.references.values())
    return frozenset(each for each in found if not _COMPONENT.fullmatch(each))


def _says_as_much(
    before: Before, now: Prints, same: set[str], lasting: set[str], read: set[str]
) -> bool:
    """Whether the diagnostics about schemas would be the same if all was read again.

    They may differ if one of them was about a changed path item: some are given only once though
    they apply to others too. Those about components stay the same as long as a path item that is
    `read` as a whole refers to them; path items that are not `lasting` may have stopped doing so.
    """
    if not all(_is_of(each, same) for each in before.said):
        return False
    left = (found for path, found in before.prints.references.items() if path not in lasting)
    still = (found for path, found in now.references.items() if path in read)
    kept = frozenset[bytes]().union(*left) <= frozenset[bytes]().union(*still)
    return kept or all(map(_is_of_paths, before.said))


def _is_of_paths(item: Diagnostic) -> bool:
    return item.pointer.startswith("/paths/")


def _is_of(item: Diagnostic, paths: set[str]) -> bool:
    """Whether a diagnostic is about one of the path items, or about none."""
    return not _is_of_paths(item) or pointers.split(item.pointer)[1] in paths


def _again(item: Diagnostic, document: Document) -> Diagnostic:
    """A diagnostic at the place where its subject is now."""
    if item.location is None:
        return item
    return replace(item, location=document.node(document.root.file, item.pointer).location)


def _hash(text: bytes) -> bytes:
    return hashlib.sha256(text).digest()
