"""Facts about the runtime's parts, read from their modules, and the parts that a file uses."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any

from .. import runtime
from ..runtime import PARTS
from ..runtime.values.seams import (
    ASKED_BY,
    ASKING,
    FLAGS,
    LOADED_LATER,
    LOADERS,
    READERS,
    STYLES,
    WRITERS,
)
from .contents import runtime_sources

HTTP = FLAGS["--http"]
"""The part that serves HTTP."""
_NEEDS = re.compile(r"^NEEDS = \((.*)\)$", re.MULTILINE)


def with_needs(names: Iterable[str]) -> tuple[str, ...]:
    """The given parts and the parts that they need, in the order of installation."""
    waiting, chosen = [*names], set[str]()
    while waiting:
        name = waiting.pop()
        chosen.add(name)
        waiting += {*needs(name)} - chosen
    return tuple(name for name in PARTS if name in chosen)


@cache
def switches() -> dict[str, tuple[str, Any]]:
    """For each part, the key of `mcpgen.toml` that turns it on, and the value that does so."""
    return {part: next(iter(tomllib.loads(text).items())) for part, text in ASKED_BY.items()}


def asks(given: Any, value: Any) -> bool:
    """Whether the value `given` for a key in `mcpgen.toml` is the one that turns a part on."""
    if isinstance(value, Mapping):
        return bool(given) and value.items() <= given.items()
    return bool(given == value)


@cache
def needs(name: str) -> tuple[str, ...]:
    """The other parts without which a part does nothing."""
    match = _NEEDS.search(_source(name))
    return tuple(re.findall(r'"(\w+)"', match[1])) if match else ()


@cache
def needs_session(name: str) -> bool:
    """Whether a part needs a session over HTTP with clients of protocols before 2026-07-28."""
    return "\nNEEDS_SESSION = True\n" in _source(name)


@cache
def about(name: str) -> str:
    """A sentence about a part: the first line of its module's docstring."""
    return _source(name).removeprefix('"""').partition("\n")[0].removesuffix('"""')


def _source(name: str) -> str:
    sources = runtime_sources()
    path = sources.get(f"parts/{name}/__init__.py") or sources[f"parts/{name}.py"]
    return path.read_text(encoding="utf-8")


def offer_all() -> None:
    """Let validators and writers in this process have all parts, although a server never does."""
    for name in LOADED_LATER:
        LOADERS[name] = partial(import_module, f"{runtime.__name__}.parts.{name}")


def used(text: str) -> set[str]:
    """The parts that a server's file uses without importing them, found in its source text."""
    try:
        nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError):
        return set()
    calls = [node for node in nodes if isinstance(node, ast.Call) and _sends(node)]
    names = {keyword.arg or "" for call in calls for keyword in call.keywords}
    parts = {WRITERS.parts[name] for name in names & WRITERS.parts.keys()}
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name("style"), attr=attr) if attr in STYLES:
                parts.add(STYLES[attr])
            case ast.Attribute(attr="ask") | ast.Name("InputRequiredResult"):
                parts.add(ASKING)
            case ast.Constant(str(value)):
                parts |= {part for kind, part in READERS.parts.items() if f"{kind}/" in value}
    return parts


def _sends(call: ast.Call) -> bool:
    """Whether a call calls `send`, or passes `send` on."""
    heads = (call.func, *call.args)
    return any(isinstance(each, ast.Attribute) and each.attr == "send" for each in heads)
