"""The modules of the runtime that files import, however far away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from .. import runtime
from .contents import runtime_sources

_IMPORT = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?")
_OF_RUNTIME = re.compile(r"(?:[.\w]*\.)?_runtime(?:\.([.\w]+))?")
"""What server files import from, with the module in the runtime if it is not the runtime itself."""


def closure(texts: Iterable[str], modules: Iterable[str] = ()) -> frozenset[str]:
    """The paths in the runtime of what server files import, and of further dotted modules."""
    roots = {path for text in texts for path in _taken(text)}
    roots.update(*(_paths(module) for module in modules))
    return frozenset(_reached({"__init__.py", *roots}))


def _taken(text: str) -> Iterator[str]:
    """The modules of the runtime that the text of a server's file imports."""
    if "_runtime" not in text:
        return
    for base, names in _imports(text):
        if place := _OF_RUNTIME.fullmatch(base):
            for name in names:
                home = runtime.HOMES.get(name, "") if place[1] is None else f"{place[1]}.{name}"
                yield from _paths(home)


def _imports(text: str) -> Iterator[tuple[str, list[str]]]:
    """What is imported from, as it is written, and the names."""
    for base, names in _IMPORT.findall(text):
        yield base, _NAME.findall(_COMMENT.sub("", names))


def _paths(module: str) -> Iterator[str]:
    """The file of a dotted module, or of the one that has this name, and its packages'."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        stem = "/".join(parts[:end])
        yield from {f"{stem}.py", f"{stem}/__init__.py"} & runtime_sources().keys()


def _reached(waiting: set[str]) -> Iterator[str]:
    """The modules, and those that they import."""
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting |= {*_imported(path)} - seen
        yield path


@cache
def _imported(path: str) -> frozenset[str]:
    """The modules of the runtime that one of them imports; the names it hands on are no use."""
    if path == "__init__.py":
        return frozenset()
    folder = path.split("/")[:-1]
    found: set[str] = set()
    for base, names in _imports(runtime_sources()[path].read_text(encoding="utf-8")):
        level = len(base) - len(base.lstrip("."))
        if 0 < level <= len(folder) + 1:
            above = folder[: len(folder) - level + 1]
            start = ".".join([*above, *filter(None, base.lstrip(".").split("."))])
            found.update(*(_paths(f"{start}.{name}".lstrip(".")) for name in names))
    return frozenset(found)
