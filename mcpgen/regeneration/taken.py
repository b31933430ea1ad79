"""What a Python text takes from other modules: what it imports, and what it uses of that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

_CAUGHT = ("ImportError", "ModuleNotFoundError", "AttributeError", "Exception")
"""Who catches one of these is prepared for what is not there."""


class Taken(Struct, frozen=True):
    """A name of a module; empty where the module itself is imported."""

    module: str
    """Its dotted name, from the server's folder for one that is imported relatively."""
    name: str
    line: int
    imported: bool = True
    """False: it is used of what has the module's name, which may be a module or something else."""


def taken(path: str, text: str) -> list[Taken]:
    """What the text at a path takes; nothing if it does not parse."""
    try:
        nodes = list(_unguarded(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return []
    imports = [n for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom))]
    folder = PurePosixPath(path).parent.parts
    found = [each for node in imports for each in _imported(node, folder)]
    modules = _modules(imports, folder)
    for node in nodes:  # a name that means something else somewhere is not followed
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                modules.pop(name, None)
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                if not attribute.startswith("__"):
                    found.append(Taken(modules[name], attribute, node.lineno, imported=False))
    return found


def _unguarded(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one, but not what is tried for its being there."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Try) and any(map(_catches, child.handlers)):
            continue
        yield child
        yield from _unguarded(child)


def _catches(handler: ast.ExceptHandler) -> bool:
    named = ast.walk(handler.type) if handler.type else ()
    names = {each.id for each in named if isinstance(each, ast.Name)}
    return handler.type is None or not names.isdisjoint(_CAUGHT)


def _imported(node: ast.Import | ast.ImportFrom, folder: tuple[str, ...]) -> Iterator[Taken]:
    for each in node.names:
        if isinstance(node, ast.Import):
            yield Taken(each.name, "", each.lineno)
        else:
            name = "" if each.name == "*" else each.name
            yield Taken(_from(node, folder), name, each.lineno)


def _modules(imports: list[ast.Import | ast.ImportFrom], folder: tuple[str, ...]) -> dict[str, str]:
    """The names that may stand for modules, each with the module's dotted name."""
    found: dict[str, str] = {}
    for node in imports:
        for each in node.names:
            if isinstance(node, ast.ImportFrom):
                found[each.asname or each.name] = f"{_from(node, folder)}.{each.name}"
            elif each.asname or "." not in each.name:
                found[each.asname or each.name] = each.name
    return found


def _from(node: ast.ImportFrom, folder: tuple[str, ...]) -> str:
    """The dotted name of what is imported from."""
    if not node.level:
        return node.module or ""
    start = folder[: max(len(folder) - node.level + 1, 0)]
    return ".".join([*start, *([node.module] if node.module else [])])
