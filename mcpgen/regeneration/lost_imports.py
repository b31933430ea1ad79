"""People's code that imports modules of the runtime which have moved or no longer exist."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

_RUNTIME = "_runtime"


def moved(removed: Iterable[str], written: Iterable[str]) -> dict[str, str]:
    """The names of the runtime's removed modules, each with the new module of that name, if any."""
    now = {name: path for path in written if (name := _module(path)[-1:])}
    return {name: now.get((name,), "") for name in places(removed)}


def places(removed: Iterable[str]) -> dict[str, str]:
    """The paths of the runtime's own modules among the removed files, by name."""
    return {name[0]: path for path in removed if len(name := _module(path)) == 1}


def told(imported: Collection[str], lost: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each removed module among those that are imported."""
    for name in sorted(lost.keys() & set(imported)):
        where = f"which is `{lost[name]}` now" if lost[name] else "which is gone"
        yield f"imports `{_RUNTIME}/{name}.py`, {where}"


def _module(path: str) -> tuple[str, ...]:
    """The name of a module of the runtime in that folder."""
    pure = PurePosixPath(path)
    parts = pure.with_suffix("").parts
    if pure.suffix != ".py" or _RUNTIME not in parts:
        return ()
    return parts[parts.index(_RUNTIME) + 1 :]


def imported(text: str) -> set[str]:
    """The runtime's own modules that a Python text imports; none if it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            inside = [f"{node.module or ''}.{each.name}" for each in node.names]
        elif isinstance(node, ast.Import):
            inside = [each.name for each in node.names]
        else:
            continue
        for dotted in inside:
            _, runtime, rest = f".{dotted}.".partition(f".{_RUNTIME}.")
            found |= {rest.partition(".")[0]} if runtime else set()
    return found
