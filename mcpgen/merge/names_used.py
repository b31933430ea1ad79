"""The names that code uses."""

from __future__ import annotations

import ast
import symtable

_MAX_CHARACTERS = 200
"""A longer string is no expression."""


def names_in(code: str) -> set[str]:
    """Every name in statements, and in strings that may be expressions."""
    return _names(ast.parse(code))


def variables_in(code: str) -> set[str]:
    """The variables, functions and modules that statements name."""
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def bound_in(code: str) -> set[str]:
    """The names that statements bind, also in branches."""
    symbols = symtable.symtable(code, "", "exec").get_symbols()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def own_names_in(code: str) -> set[str]:
    """The module-level names that a module's code uses, and those that it exports."""
    names = set(exported(ast.parse(code)))
    scopes = [symtable.symtable(code, "", "exec")]
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        is_module = scope.get_type() == "module"
        names |= {
            each.get_name()
            for each in scope.get_symbols()
            if each.is_referenced() and (is_module or each.is_global())
        }
    return names


def exported(module: ast.Module) -> list[str]:
    """The names in a module's `__all__`."""
    names: list[str] = []
    for statement in module.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=value)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value)
                | ast.AugAssign(target=ast.Name(id="__all__"), value=value)
            ):
                texts = (n.value for n in ast.walk(value) if isinstance(n, ast.Constant))
                names += (each for each in texts if isinstance(each, str))
    return names


def _names(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    words = {word for node in ast.walk(tree) for word in _words(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                names.add(name)
            case ast.Constant(value=str() as text) if (
                node not in words and len(text) < _MAX_CHARACTERS
            ):
                names |= _mentioned(text)
    return names


def _words(node: ast.AST) -> list[ast.expr | None]:
    """The strings in a node that are never expressions: dict keys, and text in f-strings."""
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
