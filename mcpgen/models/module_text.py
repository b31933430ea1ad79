"""Puts the types together into modules."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ..text.import_order import import_order

WIDTH = 88


class Definition(Struct, frozen=True):
    """One type of the models."""

    name: str
    text: str
    typing: frozenset[str]
    """What it needs from `typing`."""
    uses: frozenset[str]
    """Other types that it names."""
    eager: frozenset[str]
    """Those of them that are evaluated when the module is imported."""
    noqa: frozenset[str] = frozenset()
    """Rules of ruff that its keys make it break."""


def call(name: str, items: Mapping[Any, str]) -> str:
    """A TypedDict as a call."""
    lines = [f"    {key!r}: {value},\n" for key, value in items.items()]
    return f"{name} = TypedDict({name!r}, {{\n{''.join(lines)}}})"


def module(docstring: str, definitions: Iterable[Definition], home: Mapping[str, str]) -> str:
    """One module of types; `home` says in which sibling module each other type is."""
    definitions = list(definitions)
    own = {definition.name for definition in definitions}
    defined: set[str] = set()
    body = []
    typing: set[str] = set()
    elsewhere: dict[str, set[str]] = {}
    for definition in definitions:
        text, needs = definition.text, definition.typing
        if definition.eager:
            text, union = quote(text, definition.eager - defined)
            needs = needs - {"Optional", "Union"} | ({"Union"} if union else set())
        typing |= needs
        body.append(text)
        defined.add(definition.name)
        for name in definition.uses - own:
            elsewhere.setdefault(home[name], set()).add(name)
    if not body:
        return f'"""{docstring}"""\n'
    if elsewhere:
        typing.add("TYPE_CHECKING")
    noqa = sorted({code for definition in definitions for code in definition.noqa})
    head = [f"# ruff: noqa: {', '.join(noqa)}\n"] if noqa else []
    head += [f'"""{docstring}"""\n', "from __future__ import annotations\n"]
    head += [_import("typing", typing)] if typing else []
    if elsewhere:
        lines = [f"    {_import(f'.{other}', elsewhere[other])}" for other in sorted(elsewhere)]
        head.append("if TYPE_CHECKING:\n" + "".join(lines))
    gap = "\n\n" if body[0].startswith("class ") else "\n"
    return "\n".join(head) + gap + "\n\n\n".join(body) + "\n"


def package(docstring: str, modules: Iterable[str]) -> str:
    """The `__init__` of a package of types, which re-exports all that its modules define."""
    lines = [f"from .{name} import *  # noqa: F403\n" for name in modules]
    return f'"""{docstring}"""\n\n{"".join(lines)}'


def _import(source: str, names: Iterable[str]) -> str:
    return f"from {source} import {', '.join(sorted(names, key=import_order))}\n"


def quote(text: str, late: Collection[str]) -> tuple[str, bool]:
    """A call or an alias with the names in `late`, which are defined later, as strings.

    A string cannot be an operand of `|`, so such a union is written with `Union`; the second value
    says whether there is one.
    """
    comments = "".join(f"{line}\n" for line in text.split("\n") if line.startswith("# "))
    statement = ast.parse(text).body[0]
    quoter = _Quoter(late)
    match statement:
        case ast.AnnAssign(value=ast.expr() as value):
            statement.value = quoter.type(value)
            text = ast.unparse(statement)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[_, ast.Dict() as body])):
            keys = [key.value for key in body.keys if isinstance(key, ast.Constant)]
            types = [ast.unparse(quoter.type(value)) for value in body.values]
            text = call(name, dict(zip(keys, types, strict=True)))
    return comments + text, quoter.union


class _Quoter:
    """Writes types with strings for some names, and with `|` wherever that is possible."""

    def __init__(self, late: Collection[str]) -> None:
        self.late = late
        self.union = False

    def type(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Name(id=name) | ast.Constant(value=str(name)):
                return ast.Constant(name) if name in self.late else ast.Name(name)
            case ast.BinOp() | ast.Subscript(value=ast.Name(id="Union" | "Optional")):
                return self._members([self.type(member) for member in alternatives(node)])
            case ast.Tuple(elts=elements):
                return ast.Tuple([self.type(element) for element in elements])
            case ast.Subscript(value=ast.Name(id=name)) if name != "Literal":
                return ast.Subscript(node.value, self.type(node.slice))
        return node

    def _members(self, members: list[ast.expr]) -> ast.expr:
        if any(isinstance(m, ast.Constant) and isinstance(m.value, str) for m in members):
            self.union = True
            return ast.Subscript(ast.Name("Union"), ast.Tuple(members))
        return either(members)


def either(members: Iterable[ast.expr]) -> ast.expr:
    """The union of types, with `|`."""
    return functools.reduce(lambda left, right: ast.BinOp(left, ast.BitOr(), right), members)


def alternatives(node: ast.expr) -> Iterator[ast.expr]:
    """The members of a union, however it is written."""
    match node:
        case ast.BinOp(left=left, right=right):
            yield from alternatives(left)
            yield from alternatives(right)
        case ast.Subscript(value=ast.Name(id="Union"), slice=ast.Tuple(elts=members)):
            for member in members:
                yield from alternatives(member)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=member):
            yield from alternatives(member)
            yield ast.Constant(None)
        case _:
            yield node
