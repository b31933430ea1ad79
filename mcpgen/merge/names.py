"""The names that code uses."""

from __future__ import annotations

import ast

_LONGEST = 200
"""A longer string is no expression."""


def names_in(code: str) -> set[str]:
    """Every name that statements use, also inside strings that can be expressions."""
    return _names(ast.parse(code))


def _names(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    words = {word for node in ast.walk(tree) for word in _words(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                found.add(name)
            case ast.Constant(value=str() as text) if node not in words and len(text) < _LONGEST:
                found |= _mentioned(text)
    return found


def _words(node: ast.AST) -> list[ast.expr | None]:
    """The strings of a node that are never expressions: dict keys, and the text of f-strings."""
    match node:
        case ast.Dict(keys=keys):
            return keys
        case ast.JoinedStr(values=values):
            return [*values]
    return []


def _mentioned(text: str) -> set[str]:
    try:
        return _names(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError):
        return set()
