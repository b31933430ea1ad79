"""What `tools/list` costs an agent: generated servers against FastMCP's, for real documents."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import servers
from bench.startup import Start, start
from mcpgen.diagnostics import Diagnostics
from mcpgen.source import SourceOptions, load

SUFFIXES = (".json", ".yaml", ".yml")
NOT_ARGUMENTS = frozenset(
    {"accept", "authorization", "connection", "contenttype", "cookie", "host", "transferencoding"}
)
"""Headers that no tool takes (OpenAPI 3.1.1, 4.8.12.1; the connection's own)."""


@dataclass(frozen=True)
class Row:
    """A document's two lists."""

    ours: int
    theirs: int
    shared: int
    """Tools that both have under one name."""
    lost: tuple[str, ...]
    """Arguments of theirs that ours do not have, `tool.argument`."""


def compare(documents: Path, folder: Path, peer: Path | None) -> None:
    """Print a line for each document in a folder, and the median ratio."""
    rows = []
    for name, source in _documents(documents):
        row = _row(name, source, folder / name, peer)
        if row is not None:
            rows.append(row)
    if rows:
        ratio = statistics.median(row.ours / row.theirs for row in rows)
        print(
            f"tokens of tools/list: median x{ratio:.2f} of FastMCP's over {len(rows)} documents; "
            f"{sum(len(row.lost) for row in rows)} of its arguments lost in "
            f"{sum(row.shared for row in rows)} tools"
        )


def _documents(folder: Path) -> Iterator[tuple[str, Path]]:
    """Name and file of each document: those that `list.tsv` names, or all files there are."""
    listed = folder / "list.tsv"
    if listed.exists():
        for line in listed.read_text("utf-8").splitlines():
            name, path = line.split("\t")
            yield name, folder / path
        return
    for path in sorted(folder.iterdir()):
        if path.suffix in SUFFIXES:
            yield path.stem, path


def _row(name: str, source: Path, folder: Path, peer: Path | None) -> Row | None:
    server = folder / "server"
    command = [sys.executable, "-m", "mcpgen", "from-openapi", str(source), "-o", str(server)]
    command += ["--surface", "tools"]
    if subprocess.run(command, capture_output=True).returncode:
        print(f"tokens of {name}: not generated", flush=True)
        return None
    package = next(server.glob("*/tools.json")).parent.name
    ours = start([sys.executable, "-m", package], server)
    document = load(str(source), options=SourceOptions(), diagnostics=Diagnostics()).root.value
    theirs = _fastmcp(document, folder, peer) if peer else None
    tokens = ours.list_bytes // 4
    if theirs is None:
        told = ", FastMCP does not start" if peer else ""
        print(f"tokens of {name}: {ours.tools} tools, {tokens:,}{told}", flush=True)
        return None
    shared, lost = _lost(ours, theirs, NOT_ARGUMENTS | _keys(document) | _read_only(document))
    print(
        f"tokens of {name}: {ours.tools} tools, {tokens:,}, FastMCP {theirs.tools} tools, "
        f"{theirs.list_bytes // 4:,}: x{ours.list_bytes / theirs.list_bytes:.2f}"
        f"{'; lost: ' if lost else ''}{', '.join(lost[:5])}",
        flush=True,
    )
    return Row(tokens, theirs.list_bytes // 4, shared, lost)


def _fastmcp(document: Any, folder: Path, peer: Path) -> Start | None:
    text = folder / "document.json"
    text.write_text(json.dumps(document), "utf-8")
    try:
        return start([str(peer), "-c", servers.FASTMCP, str(text)], folder)
    except RuntimeError:
        return None


def _keys(document: Mapping[str, Any]) -> set[str]:
    """The names of API keys: what signs a request is no argument."""
    schemes = document.get("components", {}).get("securitySchemes", {}).values()
    return {_plain(scheme["name"]) for scheme in schemes if scheme.get("type") == "apiKey"}


def _read_only(value: Any) -> set[str]:
    """The names of `readOnly` properties, which no request sends (OpenAPI 3.0.4, 4.7.24)."""
    if isinstance(value, list):
        return set().union(*map(_read_only, value))
    if not isinstance(value, dict):
        return set()
    properties = value.get("properties")
    named = properties.items() if isinstance(properties, dict) else ()
    own = {
        _plain(name)
        for name, schema in named
        if isinstance(schema, dict) and schema.get("readOnly") is True
    }
    return own.union(*map(_read_only, value.values()))


def _lost(ours: Start, theirs: Start, known: Set[str]) -> tuple[int, tuple[str, ...]]:
    """The tools of one name, and what theirs take and ours do not, other than what is `known`."""
    own = {_plain(tool["name"]): tool for tool in ours.listed}
    pairs = [(own[key], tool) for tool in theirs.listed if (key := _plain(tool["name"])) in own]
    lost = [
        f"{tool['name']}.{argument}"
        for mine, tool in pairs
        for argument in tool["inputSchema"].get("properties", {})
        if _plain(argument) not in known and not _takes(mine["inputSchema"], _plain(argument))
    ]
    return len(pairs), tuple(lost)


def _takes(schema: Mapping[str, Any], argument: str) -> bool:
    properties = schema.get("properties", {})
    names = {_plain(name) for name in properties}
    if "body" in names:
        names |= {_plain(name) for name in _inside(schema, properties.get("body"))}
    return argument in names or any(argument == name + where for name in names for where in _SUFFIX)


_SUFFIX = ("path", "query", "header", "cookie")
"""What tells two arguments of one name apart, in either's spelling."""


def _inside(root: Mapping[str, Any], schema: Any, depth: int = 6) -> set[str]:
    """The properties of a schema, through references and the parts that it is made of."""
    if not isinstance(schema, dict) or not depth:
        return set()
    names = set(schema.get("properties", ()))
    key = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    parts = [root.get("$defs", {}).get(key)]
    for keyword in ("allOf", "anyOf", "oneOf"):
        parts += schema.get(keyword, ())
    return names.union(*(_inside(root, part, depth - 1) for part in parts))


def _plain(name: str) -> str:
    """A name without what the two spell differently."""
    return re.sub(r"[^a-z0-9]", "", name.lower())
