"""What datamodel-code-generator wrote, taken apart, checked and put together into modules.

Nothing is taken over that is not one of three statements: a TypedDict class, a TypedDict call, a
type alias; with exactly the keys of its schema, and types made of known names and literals.
"""

from __future__ import annotations

import ast
import functools
import keyword
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

WIDTH = 88
_LONG_KEY = 60
_BUILTINS = frozenset({"bool", "dict", "float", "int", "list", "str"})
_TYPING = frozenset(
    {"Any", "Literal", "NotRequired", "Optional", "TypeAlias", "TypedDict", "Union"}
)
_AMBIGUOUS = frozenset({"I", "O", "l"})
"""Names that linters refuse in a class (E741)."""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class UnexpectedSource(Exception):
    """A definition is not what its schema says."""


@dataclass(frozen=True)
class Definition:
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


def placeholders(properties: Collection[str]) -> dict[str, str]:
    """A harmless property name for each that a class body would not hold unchanged.

    None of them is an identifier, so the type is written as a call, and we write the true name.
    That is for names that Python would normalise (PEP 3131) or mangle, that linters refuse, and for
    all that is not printable ASCII.
    """
    free = (f"-{number}" for number in range(1, len(properties) * 2 + 2))
    unused = (name for name in free if name not in properties)
    return {name: name if _is_written_as_is(name) else next(unused) for name in properties}


def _is_written_as_is(name: str) -> bool:
    harmless = name.isascii() and name.isprintable() and len(name) <= _LONG_KEY
    return harmless and not name.startswith("__") and name not in _TYPING | _AMBIGUOUS


def take_apart(
    source: str, schemas: Mapping[str, Mapping[str, Any]], fields: Mapping[str, Mapping[str, str]]
) -> Iterator[Definition]:
    """The definitions of `schemas` in the generator's output; others in it are left out.

    `fields` are the keys of each by the names that they have in its class.

    Raises UnexpectedSource, with the schema's name, for a definition that is not what its schema
    says, and SyntaxError for text that is not Python.
    """
    lines = source.split("\n")
    for node in ast.parse(source).body:
        name = _name_of(node)
        if name not in schemas:
            continue
        text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        yield _Checker(name, schemas[name], fields[name]).definition(node, text)


def _is_name(key: str) -> bool:
    return key.isidentifier() and not keyword.iskeyword(key)


def _name_of(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


class _Checker:
    """Checks one definition, and notes the names in it."""

    def __init__(self, name: str, schema: Mapping[str, Any], fields: Mapping[str, str]) -> None:
        self.name = name
        self.schema = schema
        self.fields = fields
        self.typing: set[str] = set()
        self.uses: set[str] = set()

    def definition(self, node: ast.stmt, text: str) -> Definition:
        eager: Collection[str] = ()
        match node:
            case ast.ClassDef(
                bases=[ast.Name(id="TypedDict" as form)], keywords=[], decorator_list=[]
            ):
                keys, text = self._class(node, text)
            case ast.Assign(
                value=ast.Call(
                    func=ast.Name(id="TypedDict" as form),
                    args=[ast.Constant(), ast.Dict() as body],
                    keywords=[],
                )
            ):
                keys, text = self._call(body)
                eager = self.uses
            case ast.AnnAssign(
                annotation=ast.Name(id="TypeAlias" as form), value=ast.expr() as value
            ):
                keys = []
                self._type(value)
                eager = self.uses
            case _:
                raise UnexpectedSource(self.name)
        if keys != list(self.schema.get("properties", ())):
            raise UnexpectedSource(self.name)
        typing = frozenset({form, *self.typing})
        noqa = {"E501"} if any(len(key) > _LONG_KEY for key in keys) else set()
        if isinstance(node, ast.Assign) and all(_is_name(key) for key in keys):
            noqa.add("UP013")
        return Definition(
            self.name,
            text,
            typing,
            frozenset(self.uses),
            frozenset(eager),
            frozenset(noqa),
        )

    def _class(self, class_: ast.ClassDef, text: str) -> tuple[list[str], str]:
        """Check a class, and give its fields the keys' names where the generator changed them."""
        lines = text.split("\n")
        keys = []
        for index, node in enumerate(class_.body):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None):
                    self._type(annotation)
                    keys.append(self.fields.get(name, ""))
                    line = node.lineno - class_.lineno
                    lines[line] = lines[line].replace(f"{name}:", f"{keys[-1]}:", 1)
                case ast.Expr(value=ast.Constant(value=str())) if index == 0:
                    pass
                case ast.Pass():
                    pass
                case _:
                    raise UnexpectedSource(self.name)
        if not all(key.isidentifier() for key in keys):
            raise UnexpectedSource(self.name)
        return keys, "\n".join(lines)

    def _call(self, body: ast.Dict) -> tuple[list[str], str]:
        """Write the call form again, with the true keys for the placeholders."""
        true = {used: name for name, used in placeholders(self.schema["properties"]).items()}
        items = {}
        for key, value in zip(body.keys, body.values, strict=True):
            if not isinstance(key, ast.Constant) or key.value not in true:
                raise UnexpectedSource(self.name)
            self._type(value)
            items[true[key.value]] = value
        about = textwrap.indent(self.schema.get("description", ""), "# ")
        head = f"{about}\n" if about else ""
        return list(items), head + _call(self.name, items)

    def _type(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                self._name(name)
            case ast.Constant(value=None):
                pass
            case ast.Constant(value=str(name)) if _PLAIN.match(name):
                self._name(name)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                self._type(left)
                self._type(right)
            case ast.Tuple(elts=elements):
                for element in elements:
                    self._type(element)
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                self._name(name)
                if name == "Literal":
                    self._literals(inner)
                else:
                    self._type(inner)
            case _:
                raise UnexpectedSource(self.name)

    def _literals(self, node: ast.expr) -> None:
        for value in node.elts if isinstance(node, ast.Tuple) else [node]:
            if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
                value = value.operand
            if not (isinstance(value, ast.Constant) and isinstance(value.value, (str, int))):
                raise UnexpectedSource(self.name)

    def _name(self, name: str) -> None:
        if name in _TYPING:
            self.typing.add(name)
        elif name not in _BUILTINS:
            self.uses.add(name)


def _call(name: str, items: Mapping[Any, ast.expr]) -> str:
    """A TypedDict as a call."""
    lines = [f"    {key!r}: {ast.unparse(value)},\n" for key, value in items.items()]
    return f"{name} = TypedDict({name!r}, {{\n{''.join(lines)}}})"


def module(docstring: str, definitions: Iterable[Definition], home: Mapping[str, str]) -> str:
    """One module of types; `home` says in which sibling module each other type is."""
    found = list(definitions)
    own = {definition.name for definition in found}
    defined: set[str] = set()
    body = []
    typing: set[str] = set()
    elsewhere: dict[str, set[str]] = {}
    for definition in found:
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
    noqa = sorted({code for definition in found for code in definition.noqa})
    head = [f"# ruff: noqa: {', '.join(noqa)}\n"] if noqa else []
    head += [f'"""{docstring}"""\n', "from __future__ import annotations\n"]
    head += [_import("typing", typing)] if typing else []
    if elsewhere:
        lines = [f"    {_import(f'.{other}', elsewhere[other])}" for other in sorted(elsewhere)]
        head.append("if TYPE_CHECKING:\n" + "".join(lines))
    gap = "\n\n" if body[0].startswith("class ") else "\n"
    return "\n".join(head) + gap + "\n\n\n".join(body) + "\n"


def package(docstring: str, modules: Iterable[str]) -> str:
    """The `__init__` of a package of types: all that its modules define."""
    lines = [f"from .{name} import *  # noqa: F403\n" for name in modules]
    return f'"""{docstring}"""\n\n{"".join(lines)}'


def _import(source: str, names: Iterable[str]) -> str:
    return f"from {source} import {', '.join(sorted(names, key=import_order))}\n"


def import_order(name: str) -> tuple[Any, ...]:
    """Where ruff's isort puts a name in an import: constants, classes, others; numbers by value."""
    rank = 0 if len(name) > 1 and name.isupper() else 1 if name[0].isupper() else 2
    pieces = re.split(r"([0-9]+)", name.lower())
    return rank, [_piece(piece) for piece in pieces if piece], name


def _piece(piece: str) -> tuple[Any, ...]:
    if not piece.isdigit():
        return 1, piece
    return (0, 0, piece) if piece.startswith("0") else (0, 1, len(piece), piece)


def quote(text: str, late: Collection[str]) -> tuple[str, bool]:
    """A call or an alias with the names in `late`, which are not there yet, as strings.

    A string is no operand of `|`, so such a union is written with `Union`; the second value says
    whether there is one.
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
            types = [quoter.type(value) for value in body.values]
            text = _call(name, dict(zip(keys, types, strict=True)))
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
                return self._members([self.type(member) for member in _members(node)])
            case ast.Tuple(elts=elements):
                return ast.Tuple([self.type(element) for element in elements])
            case ast.Subscript(value=ast.Name(id=name)) if name != "Literal":
                return ast.Subscript(node.value, self.type(node.slice))
        return node

    def _members(self, members: list[ast.expr]) -> ast.expr:
        if any(isinstance(m, ast.Constant) and isinstance(m.value, str) for m in members):
            self.union = True
            return ast.Subscript(ast.Name("Union"), ast.Tuple(members))
        return functools.reduce(lambda left, right: ast.BinOp(left, ast.BitOr(), right), members)


def _members(node: ast.expr) -> Iterator[ast.expr]:
    """The members of a union, however it is written."""
    match node:
        case ast.BinOp(left=left, right=right):
            yield from _members(left)
            yield from _members(right)
        case ast.Subscript(value=ast.Name(id="Union"), slice=ast.Tuple(elts=members)):
            for member in members:
                yield from _members(member)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=member):
            yield from _members(member)
            yield ast.Constant(None)
        case _:
            yield node
