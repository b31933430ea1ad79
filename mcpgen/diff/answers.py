"""Compares servers by their full answers if their documents are there, else by hashes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import structs

from .. import lock as locks
from .. import settings
from ..adjusting import answers
from ..catalogue.tools_json import wire_tool
from ..diagnostics import Diagnostics, GenerationError
from ..paths import WORKSPACE
from ..readers import all_sources
from ..settings import Settings
from . import git, inputs, tool_changes
from .changes import Change, Risk
from .tool_changes import Diff, ToolList

_MAX_SCHEMA_BYTES = 65_536
"""Bytes to which output schemas are cut."""
_CODE = "answer-changed"
_PROMISES = ("output_schema", "output_schema_bytes")
_Outputs = Mapping[str, Any]
"""The output schemas of tools, by name."""


def changed(old: Mapping[str, str], new: Mapping[str, str]) -> set[str]:
    """The tools in both locks whose answers have different hashes, and therefore different
    types.
    """
    return {name for name, digest in old.items() if new.get(name, digest) != digest}


def hidden(names: Set[str], changes: Iterable[Change]) -> list[Change]:
    """A change for each tool in `names` whose answer has no other reported change."""
    told = {c.tool for c in changes if c.code.startswith("output-") and c.risk >= Risk.RISKY}
    return [Change(_CODE, name) for name in sorted(names - told)]


def compare(old: ToolList, new: ToolList) -> Diff:
    """Compare two servers by the full answers of the tools whose hashes differ.

    An answer that is unreadable on one side is compared by its hash alone.
    """
    names = {tool["name"] for tool in old.tools} & {tool["name"] for tool in new.tools}
    other = changed(old.answers, new.answers) & names
    known = old.answers.keys() & new.answers.keys()
    schemas = [_schemas(each) for each in (old, new)] if other or names - known else [{}, {}]
    read = schemas[0].keys() & schemas[1].keys() & (other | (names - known))
    sides = (_with(side, own, read) for side, own in zip((old, new), schemas, strict=True))
    done = tool_changes.compare(*sides)
    return structs.replace(done, changes=(*done.changes, *hidden(other - read, done.changes)))


def _with(side: ToolList, schemas: _Outputs, names: Set[str]) -> ToolList:
    """A copy of the list, in which the tools in `names` have the schemas of their full answers."""
    tools = [
        {**tool, "outputSchema": schemas[tool["name"]]} if tool["name"] in names else tool
        for tool in side.tools
    ]
    return structs.replace(side, tools=tools, advertised=side.advertised or side.tools)


def _schemas(side: ToolList) -> _Outputs:
    """The output schemas of a server's tools from its documents; empty if they cannot be read."""
    with suppress(GenerationError, locks.LockError, OSError, ValueError), _folder(side) as folder:
        return _read(folder)
    return {}


@contextmanager
def _folder(side: ToolList) -> Iterator[Path]:
    """A server's folder with its documents; a server in git is written to a temporary folder.

    Raises GenerationError, or ValueError if a document is outside the folder.
    """
    revision = inputs.revision_of(side.name)
    if revision is None:
        yield Path(side.name)
        return
    whole = Path(git.tidy(git.whole_path(side.name, revision[1])))
    with TemporaryDirectory(prefix="mcpgen-") as scratch:
        place = Path(scratch, "files")
        check_out = partial(git.check_out, side.name, revision[0], place, "")
        check_out(whole)
        for above in whole.parents:
            name = git.tidy(above / WORKSPACE)
            with suppress(GenerationError):
                text = git.output(side.name, "cat-file", "blob", f"{revision[0]}:{name}")
                (place / name).write_bytes(text)
        there = {whole}
        for file in _files(_settings(place / whole)):
            if "://" in file or file in ("", "-"):
                raise ValueError(file)
            folder = Path(os.path.relpath(os.path.dirname(file), place))
            if ".." in folder.parts:
                raise ValueError(file)
            if not any(folder.is_relative_to(each) for each in there):
                check_out(folder)
                there.add(folder)
        yield place / whole


def _settings(folder: Path) -> Settings:
    return settings.seen_from_here(settings.load(folder / settings.FILE_NAME), folder)


def _read(folder: Path) -> _Outputs:
    """The full answers of a server; raises GenerationError, LockError, OSError or ValueError."""
    own = _settings(folder)
    if not all(map(os.path.isfile, _files(own))):
        return {}
    asked = replace(
        own,
        tools={n: {k: v for k, v in t.items() if k not in _PROMISES} for n, t in own.tools.items()},
        output_schema="open",
        output_schema_bytes=_MAX_SCHEMA_BYTES,
        allow_remote_refs=False,
        strict=False,
    )
    silent = Diagnostics()
    sources = all_sources.load(asked, silent, lambda stage: None)
    read = all_sources.read(sources, locks.read(folder), silent)
    api = answers.apply(read.api, read.settings, silent)
    tools = [wire_tool(tool) for tool in api.tools if tool.written is None]
    listed = json.loads(json.dumps(tools))
    return {each["name"]: each["outputSchema"] for each in listed if "outputSchema" in each}


def _files(own: Settings) -> Iterator[str]:
    """The sources of a server: its documents and their overlays, as paths or URLs."""
    yield own.source
    yield from own.overlays
    for each in own.with_:
        yield each.source
        yield from each.overlays
