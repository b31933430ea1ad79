"""The names that a Python module imports from other modules, and where it uses them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

_CAUGHT = ("ImportError", "ModuleNotFoundError", "AttributeError", "Exception")
"""Code that catches one of these is prepared for missing names."""


class Taken(Struct, frozen=True):
    """A name that is imported from a module; `name` is empty if the module itself is imported."""

    module: str
    """The module's dotted name; for a relative import, from the server's folder."""
    name: str
    line: int
    imported: bool = True
    """False if it is an attribute of the module's name, which may mean something else."""
    typed: bool = False
    """Only type checkers see the import."""


def taken(path: str, text: str) -> list[Taken]:
    """What a module imports, and which attributes of imported modules it uses.

    `path` is the module's path. The result is empty if the text does not parse.
    """
    try:
        nodes = dict(_unguarded(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return []
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    uses = [each for node in imports for each in _imported(node, path, nodes[node])]
    modules = _modules(imports, path)
    for name in filter(None, map(_bound, nodes)):
        modules.pop(name, None)
    used = [n for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    own_names = {ast.unparse(node) for node in used if not isinstance(node.ctx, ast.Load)}
    for node in used:
        module, is_own = modules.get(ast.unparse(node.value)), ast.unparse(node) in own_names
        if module is not None and not is_own and not node.attr.startswith("__"):
            uses.append(Taken(module, node.attr, node.lineno, False, nodes[node]))
    return uses


def only_types(node: ast.AST, child: ast.AST) -> bool:
    """Whether only type checkers see a child of a node."""
    if not isinstance(node, ast.If) or child not in node.body:
        return False
    is_name = isinstance(node.test, (ast.Name, ast.Attribute))
    return is_name and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _unguarded(node: ast.AST, typed: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes below a node, except inside code that catches an ImportError or AttributeError.

    Each node comes with a flag: whether only type checkers see it.
    """
    for child in ast.iter_child_nodes(node):
        if not _tries(child):
            is_typed = typed or only_types(node, child)
            yield child, is_typed
            yield from _unguarded(child, is_typed)


def _tries(node: ast.AST) -> bool:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any("suppress(" in ast.unparse(e) and _catches(e) for e in node.items)
    if isinstance(node, (ast.Try, ast.TryStar)):
        return any(each.type is None or _catches(each.type) for each in node.handlers)
    return False


def _catches(node: ast.AST) -> bool:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return not names.isdisjoint(_CAUGHT)


def _bound(node: ast.AST) -> str | None:
    """The name that a node assigns or defines, other than by an import."""
    match node:
        case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
            return name
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return name
        case ast.ExceptHandler(_, name) | ast.MatchAs(_, name) | ast.MatchStar(name):
            return name
        case _:
            return None


def _imported(node: ast.Import | ast.ImportFrom, path: str, typed: bool) -> Iterator[Taken]:
    for each in node.names:
        if isinstance(node, ast.Import):
            yield Taken(each.name, "", each.lineno, typed=typed)
        else:
            name = "" if each.name == "*" else each.name
            yield Taken(_origin(path, node), name, each.lineno, typed=typed)


def _modules(imports: list[ast.Import | ast.ImportFrom], path: str) -> dict[str, str]:
    """The imported names that may be modules, each with the module's dotted name."""
    targets: dict[str, set[str]] = {}
    for node in imports:
        for each in node.names:
            name = each.asname or each.name
            if isinstance(node, ast.ImportFrom):
                targets.setdefault(name, set()).add(f"{_origin(path, node)}.{each.name}")
            elif each.asname or "." not in each.name:
                targets.setdefault(name, set()).add(each.name)
    return {name: meant.pop() for name, meant in targets.items() if len(meant) == 1}


def _origin(path: str, node: ast.ImportFrom) -> str:
    """The full name of the module that `node` imports from, in the module at `path`."""
    if not node.level:
        return node.module or ""
    folder = PurePosixPath(path).parent.parts
    start = folder[: max(len(folder) - node.level + 1, 0)]
    return ".".join([*start, *([node.module] if node.module else [])])
