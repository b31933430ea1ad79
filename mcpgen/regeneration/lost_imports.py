"""People's code that imports what has moved or no longer exists: runtime modules, types."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

_MODELS = "models"
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
    for name in sorted(lost.keys() & runtime_modules(imported)):
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
    """The dotted names that a Python text imports, each after a dot; none if it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {f".{node.module or ''}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            found |= {f".{each.name}" for each in node.names}
    return found


def runtime_modules(imported: Iterable[str]) -> set[str]:
    """The runtime's own modules among imported names."""
    parts = (f"{name}.".partition(f".{_RUNTIME}.") for name in imported)
    return {rest.partition(".")[0] for _, runtime, rest in parts if runtime}


def lost_types(imported: Iterable[str], classes: Collection[str]) -> Iterator[str]:
    """A sentence for each of the classes, which are gone, that is imported from the models."""
    parts = (name.split(".") for name in imported)
    found = {last for *module, last in parts if last in classes and _MODELS in module}
    for name in sorted(found):
        yield f"imports `{name}` from `{_MODELS}`, which no longer has it"
