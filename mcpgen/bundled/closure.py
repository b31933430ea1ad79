"""The modules of the runtime that files import, directly or through other modules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from .. import runtime
from .contents import RUNTIME, runtime_sources

_IMPORT = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?")
_EXPORT = re.compile(r' +(?:"([\w.]+)": |"(\w+)",$|from \.([\w.]+) import (\w+) as )')
"""A line of the runtime's `__init__.py` that exports something."""
_SHORT = re.compile(r"\(\n(?: {4}(.*)\n)?\)\n")
"""A tuple of one name at most, which formatters write on one line."""
_OF_RUNTIME = re.compile(r"(?:[.\w]*\.)?_runtime(?:\.([.\w]+))?")
"""What server files import from, with the module in the runtime if it is not the runtime itself."""


def closure(texts: Iterable[str]) -> frozenset[str]:
    """The paths, in the runtime, of all modules that the server's files need."""
    roots = {path for text in texts for path in _taken(text)}
    return frozenset(_reached({"__init__.py", *roots}))


def runtime_of(files: Mapping[str, str | bytes], package: str) -> dict[str, str]:
    """The runtime that is vendored into a server with these files, by path."""
    texts = (text for path, text in files.items() if path.endswith(".py") and isinstance(text, str))
    modules = closure(texts)
    folder = f"{package}/_runtime"
    copied = {f"{folder}/{path}": source(path) for path in modules if path != "__init__.py"}
    return {f"{folder}/__init__.py": exports(modules), **copied}


@cache
def source(path: str) -> str:
    """The text of a module of the runtime."""
    return runtime_sources()[path].read_text(encoding="utf-8")


def exports(modules: Collection[str]) -> str:
    """The runtime's `__init__.py` for a server with these modules."""
    text = (RUNTIME / "__init__.py").read_text(encoding="utf-8")
    own = "".join(line for line in text.splitlines(keepends=True) if _is_there(line, modules))
    return _SHORT.sub(r"(\1)\n", own)


def _is_there(line: str, modules: Collection[str]) -> bool:
    match = _EXPORT.match(line)
    if match is None:
        return True
    module, part, base, name = match.groups()
    return {*_paths(module or (f"parts.{part}" if part else f"{base}.{name}"))} <= {*modules}


def _taken(text: str) -> Iterator[str]:
    """The modules of the runtime that a server's file imports, found in its text."""
    if "_runtime" not in text:
        return
    for base, names in _imports(text):
        if place := _OF_RUNTIME.fullmatch(base):
            for name in names:
                home = place[1] or runtime.HOMES.get(name, "")
                yield from _paths(f"{home}.{name}")


def _imports(text: str) -> Iterator[tuple[str, list[str]]]:
    """The modules in import statements, as they are written, each with the imported names."""
    for base, names in _IMPORT.findall(text):
        yield base, _NAME.findall(_COMMENT.sub("", names))


def _paths(module: str) -> Iterator[str]:
    """The files of a dotted module name, and of the packages around it."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        stem = "/".join(parts[:end])
        yield from {f"{stem}.py", f"{stem}/__init__.py"} & runtime_sources().keys()


def _reached(waiting: set[str]) -> Iterator[str]:
    """The given modules, all modules that they import, and their data files."""
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting |= {*_imported(path)} - seen
        yield path
        yield from _data_beside(path)


def _data_beside(path: str) -> Iterator[str]:
    """The data files in the folder of an `__init__.py`: all files there that are not modules."""
    folder, _, name = path.rpartition("/")
    if folder and name == "__init__.py":
        data = (each for each in runtime_sources() if not each.endswith(".py"))
        yield from (each for each in data if each.rpartition("/")[0] == folder)


@cache
def _imported(path: str) -> frozenset[str]:
    """The modules that a runtime module imports; none for `__init__.py`, which re-exports."""
    if path == "__init__.py":
        return frozenset()
    folder = path.split("/")[:-1]
    found: set[str] = set()
    for base, names in _imports(source(path)):
        level = len(base) - len(base.lstrip("."))
        if 0 < level <= len(folder) + 1:
            above = folder[: len(folder) - level + 1]
            start = ".".join([*above, *filter(None, base.lstrip(".").split("."))])
            found.update(*(_paths(f"{start}.{name}".lstrip(".")) for name in names))
    return frozenset(found)
