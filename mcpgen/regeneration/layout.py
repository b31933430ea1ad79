"""Whether two files of a server differ only in their layout, as formatters change it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from itertools import groupby

from ..merge.tokens import comments_in

_IMPORTS = (ast.Import, ast.ImportFrom)


def is_same(path: str, one: str, other: str) -> bool:
    """Whether two texts of the file at `path` are the same to Python or to a JSON parser."""
    try:
        if path.endswith(".py"):
            return _module(one) == _module(other)
        return path.endswith(".json") and _data(one) == _data(other)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _data(text: str) -> str:
    return json.dumps(json.loads(text))


def _module(text: str) -> tuple[str, list[str]]:
    """A module's code without its layout, and its comments, which a person may have written."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [*_with_sorted_imports(body)]  # type: ignore[attr-defined]  # it has one
    return ast.dump(tree), sorted(comments_in(text))


def _with_sorted_imports(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements; each block of imports is split into single names, which are sorted."""
    for is_import, run in groupby(body, lambda each: isinstance(each, _IMPORTS)):
        if is_import:
            names = {ast.dump(each): each for statement in run for each in _apart(statement)}
            yield from (names[key] for key in sorted(names))
        else:
            yield from run


def _apart(statement: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(statement, ast.ImportFrom):
        for name in statement.names:
            yield ast.ImportFrom(statement.module, [name], statement.level)
    elif isinstance(statement, ast.Import):
        for name in statement.names:
            yield ast.Import([name])
