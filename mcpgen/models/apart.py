"""What datamodel-code-generator wrote, checked and taken apart into the types.

Nothing is taken over that is not one of three statements: a TypedDict class, a TypedDict call, a
type alias; with exactly the keys that it was given, and types made of known names and literals.
The generator is asked once for each kind of property: the others like it are written as it is.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .text import Definition, call

_LONG_KEY = 60
_BUILTINS = frozenset({"bool", "dict", "float", "int", "list", "str"})
_TYPING = frozenset(
    {"Any", "Literal", "NotRequired", "Optional", "TypeAlias", "TypedDict", "Union"}
)
_AMBIGUOUS = frozenset({"I", "O", "l"})
"""Names that linters refuse in a class (E741)."""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

Schemas = Mapping[str, dict[str, Any]]
_Like = tuple[str, bool]
"""What a property's type depends on: its schema, and whether it is required."""


class UnexpectedSource(Exception):
    """A definition is not what its schema says."""


def thinned(schemas: Schemas) -> Schemas:
    """The schemas, without the properties whose type is that of one before.

    An object keeps its first property, and those that a class body would not hold.
    """
    seen: set[_Like] = set()
    return {name: _thin(schema, seen) for name, schema in schemas.items()}


def _thin(schema: dict[str, Any], seen: set[_Like]) -> dict[str, Any]:
    properties = schema.get("properties")
    if not properties:
        return schema
    kept: dict[str, Any] = {}
    for name, like in _likes(schema).items():
        if not kept or like not in seen or not _is_name(name):
            kept[name] = properties[name]
            seen.add(like)
    required = [name for name in schema.get("required", ()) if name in kept]
    return {**schema, "properties": kept, "required": required}


def _likes(schema: Mapping[str, Any]) -> dict[str, _Like]:
    required = set(schema.get("required", ()))
    return {
        name: (json.dumps(part), name in required) for name, part in schema["properties"].items()
    }


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


def _is_name(key: str) -> bool:
    return key.isidentifier() and not keyword.iskeyword(key) and _is_written_as_is(key)


def take_apart(
    source: str, schemas: Schemas, given: Schemas, fields: Mapping[str, Mapping[str, str]]
) -> Iterator[Definition]:
    """The definitions of `schemas`, in their order, from the generator's output.

    `given` is what of them the generator has seen (see `thinned`), `fields` the keys of each by the
    names that they have in its class.

    Raises UnexpectedSource, with the schema's name, for a definition that is not what its schema
    says, and SyntaxError for text that is not Python.
    """
    lines = source.split("\n")
    found: dict[str, _Statement] = {}
    types: dict[_Like, _Type] = {}
    for node in ast.parse(source).body:
        name = _name_of(node)
        if name not in schemas:
            continue
        reader = _Reader(name, given[name], fields[name])
        statement = found[name] = reader.statement(node, lines)
        if "properties" in given[name]:
            likes = _likes(given[name])
            types.update((likes[key], type_) for key, type_ in statement.types.items())
    for name, schema in schemas.items():
        if name not in found:
            raise UnexpectedSource(name)
        yield _definition(name, schema, found[name], types)


def _name_of(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


@dataclass(frozen=True)
class _Type:
    """A type as it is written, and the names in it."""

    text: str
    typing: frozenset[str]
    uses: frozenset[str]


@dataclass(frozen=True)
class _Statement:
    """What the generator wrote of one definition."""

    form: str
    """`TypedDict` or `TypeAlias`."""
    head: str
    """An alias whole, a class up to its fields, the comments before a call."""
    types: dict[str, _Type]
    """Of the fields; of an alias the one that it is another name of, without a key."""
    is_call: bool = False


def _definition(
    name: str, schema: Mapping[str, Any], statement: _Statement, types: Mapping[_Like, _Type]
) -> Definition:
    """The type as the generator would have written it with all properties."""
    own = statement.types
    if "properties" in schema:
        likes = _likes(schema)
        try:
            own = {key: own[key] if key in own else types[like] for key, like in likes.items()}
        except KeyError:
            raise UnexpectedSource(name) from None
    text = statement.head
    if statement.is_call:
        text += call(name, {key: type_.text for key, type_ in own.items()})
    elif statement.form == "TypedDict":
        text += "".join(f"\n    {key}: {type_.text}" for key, type_ in own.items())
        text += "" if own or text.endswith('"') else "\n    pass"
    uses = frozenset().union(*(type_.uses for type_ in own.values()))
    is_class = statement.form == "TypedDict" and not statement.is_call
    noqa = {"E501"} if any(len(key) > _LONG_KEY for key in own) else set()
    if statement.is_call and all(k.isidentifier() and not keyword.iskeyword(k) for k in own):
        noqa.add("UP013")
    return Definition(
        name,
        text,
        frozenset({statement.form}).union(*(type_.typing for type_ in own.values())),
        uses,
        frozenset() if is_class else uses,
        frozenset(noqa),
    )


class _Reader:
    """Reads one definition of the generator's output, and checks it."""

    def __init__(self, name: str, schema: Mapping[str, Any], fields: Mapping[str, str]) -> None:
        self.name = name
        self.schema = schema
        self.fields = fields

    def statement(self, node: ast.stmt, lines: list[str]) -> _Statement:
        match node:
            case ast.ClassDef(
                bases=[ast.Name(id="TypedDict" as form)], keywords=[], decorator_list=[]
            ):
                types = self._class(node)
                found = _Statement(form, self._class_head(node, lines), types)
            case ast.Assign(
                value=ast.Call(
                    func=ast.Name(id="TypedDict" as form),
                    args=[ast.Constant(), ast.Dict() as body],
                    keywords=[],
                )
            ):
                about = textwrap.indent(self.schema.get("description", ""), "# ")
                types = self._call(body)
                found = _Statement(form, f"{about}\n" if about else "", types, is_call=True)
            case ast.AnnAssign(
                annotation=ast.Name(id="TypeAlias" as form), value=ast.expr() as value
            ):
                text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                return _Statement(form, text, {"": self._type(value)})
            case _:
                raise UnexpectedSource(self.name)
        if list(types) != list(self.schema.get("properties", ())):
            raise UnexpectedSource(self.name)
        return found

    def _class(self, class_: ast.ClassDef) -> dict[str, _Type]:
        """The types of a class's fields, by their keys where the generator changed them."""
        types = {}
        for index, node in enumerate(class_.body):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None):
                    types[self.fields.get(name, "")] = self._type(annotation)
                case ast.Expr(value=ast.Constant(value=str())) if index == 0:
                    pass
                case ast.Pass():
                    pass
                case _:
                    raise UnexpectedSource(self.name)
        if not all(key.isidentifier() for key in types):
            raise UnexpectedSource(self.name)
        return types

    def _class_head(self, class_: ast.ClassDef, lines: list[str]) -> str:
        """The lines of a class before its fields."""
        first = class_.body[0]
        last = first.end_lineno if isinstance(first, ast.Expr) else class_.lineno
        return "\n".join(lines[class_.lineno - 1 : last])

    def _call(self, body: ast.Dict) -> dict[str, _Type]:
        """The types of a call's items, by the true keys for the placeholders."""
        true = {used: name for name, used in placeholders(self.schema["properties"]).items()}
        types = {}
        for key, value in zip(body.keys, body.values, strict=True):
            if not isinstance(key, ast.Constant) or key.value not in true:
                raise UnexpectedSource(self.name)
            types[true[key.value]] = self._type(value)
        return types

    def _type(self, node: ast.expr) -> _Type:
        names = list(self._names(node))
        typing = _TYPING.intersection(names)
        text = ast.unparse(_Unquoted().visit(node))
        return _Type(text, typing, frozenset(names) - typing - _BUILTINS)

    def _names(self, node: ast.expr) -> Iterator[str]:
        """The names in a type that is made of nothing else but literals."""
        match node:
            case ast.Name(id=name):
                yield name
            case ast.Constant(value=None):
                pass
            case ast.Constant(value=str(name)) if _PLAIN.match(name):
                yield name
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                yield from self._names(left)
                yield from self._names(right)
            case ast.Tuple(elts=elements):
                for element in elements:
                    yield from self._names(element)
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                yield name
                if name == "Literal":
                    self._check_literals(inner)
                else:
                    yield from self._names(inner)
            case _:
                raise UnexpectedSource(self.name)

    def _check_literals(self, node: ast.expr) -> None:
        for value in node.elts if isinstance(node, ast.Tuple) else [node]:
            if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
                value = value.operand
            if not (isinstance(value, ast.Constant) and isinstance(value.value, (str, int))):
                raise UnexpectedSource(self.name)


class _Unquoted(ast.NodeTransformer):
    """Makes names of the strings that stand for types: a type of a call may go into a class."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """A string outside of `Literal` is a name."""
        return ast.Name(node.value) if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """What `Literal` holds are values."""
        is_literal = isinstance(node.value, ast.Name) and node.value.id == "Literal"
        return node if is_literal else self.generic_visit(node)
