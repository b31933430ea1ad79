"""Checks what datamodel-code-generator wrote, and takes it apart into patterns of types.

Only three statements are accepted: a TypedDict class, a TypedDict call and a type alias, with
exactly the keys that were given, and types made of known names and literals.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import Any

from .kinds import TYPING, Kinds, Like, Pattern, UnexpectedSource, Written, is_written_as_is
from .module_text import alternatives, either

_BUILTINS = frozenset({"bool", "dict", "float", "int", "list", "str"})


def placeholders(properties: Collection[str]) -> dict[str, str]:
    """A safe placeholder for each property name that a class body would not hold unchanged.

    No placeholder is an identifier, so the generator writes the type as a call, and we fill in the
    true name. Needed for names that Python would normalise (PEP 3131) or mangle, names that linters
    refuse, and all that is not printable ASCII.
    """
    free = (f"-{number}" for number in range(1, len(properties) * 2 + 2))
    unused = (name for name in free if name not in properties)
    return {name: name if is_written_as_is(name) else next(unused) for name in properties}


def take_apart(
    source: str, kinds: Kinds, fields: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, Written], dict[Hashable, Pattern]]:
    """The examples as the generator wrote them, and the patterns of all kinds of types.

    `fields` maps the keys of each type to field names of its class. Raises UnexpectedSource, with
    the schema's name, for a definition that does not match its schema, and SyntaxError for text
    that is not Python.
    """
    lines = source.split("\n")
    written: dict[str, Written] = {}
    patterns: dict[Hashable, Pattern] = {}
    for node in ast.parse(source).body:
        name = _name_of(node)
        if name in kinds.examples:
            reader = _Reader(name, kinds.examples[name], kinds.likes[name], fields[name])
            written[name] = reader.statement(node, lines)
            patterns.update(reader.patterns)
    return written, patterns


def _name_of(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


class _Reader:
    """Reads and checks one definition of the generator's output."""

    def __init__(
        self,
        name: str,
        schema: Mapping[str, Any],
        likes: Mapping[str, Like],
        fields: Mapping[str, str],
    ) -> None:
        self.name = name
        self.schema = schema
        self.likes = likes
        self.fields = fields
        self.patterns: dict[Hashable, Pattern] = {}

    def statement(self, node: ast.stmt, lines: list[str]) -> Written:
        match node:
            case ast.ClassDef(bases=[ast.Name(id="TypedDict")], keywords=[], decorator_list=[]):
                types = self._class(node)
                source = Written(self._class_head(node, lines))
            case ast.Assign(
                value=ast.Call(
                    func=ast.Name(id="TypedDict"),
                    args=[ast.Constant(), ast.Dict() as body],
                    keywords=[],
                )
            ):
                types = self._call(body)
                about = textwrap.indent(self.schema.get("description", ""), "# ")
                source = Written(f"{about}\n" if about else "", is_call=True)
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=ast.expr() as value):
                types = {"": value}
                source = Written("")
            case _:
                raise UnexpectedSource(self.name)
        if list(types) != list(self.schema.get("properties", ("",))):
            raise UnexpectedSource(self.name)
        for key, type_ in types.items():
            self.patterns[self.likes[key].kind] = self._pattern(type_, self.likes[key])
        return source

    def _class(self, class_: ast.ClassDef) -> dict[str, ast.expr]:
        """The types of a class's fields, by key."""
        types = {}
        for index, node in enumerate(class_.body):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None):
                    types[self.fields.get(name, "")] = annotation
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

    def _call(self, body: ast.Dict) -> dict[str, ast.expr]:
        """The types of a TypedDict call's items, by true key instead of placeholder."""
        true = {used: name for name, used in placeholders(self.schema["properties"]).items()}
        types = {}
        for key, value in zip(body.keys, body.values, strict=True):
            if not isinstance(key, ast.Constant) or key.value not in true:
                raise UnexpectedSource(self.name)
            types[true[key.value]] = value
        return types

    def _pattern(self, node: ast.expr, like: Like) -> Pattern:
        """A type with numbers in place of what its kind leaves open."""
        typing = TYPING.intersection(self._names(node, like.fills)) - {"Optional", "Union"}
        return Pattern(ast.unparse(_Opened(like.fills).visit(node)), typing)

    def _names(self, node: ast.expr, fills: Collection[str]) -> Iterator[str]:
        """The names in a type that consists only of names and literals."""
        match node:
            case ast.Name(id=name) | ast.Constant(value=str(name)):
                if name not in TYPING and name not in _BUILTINS and name not in fills:
                    raise UnexpectedSource(self.name)
                yield name
            case ast.Constant(value=None):
                pass
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                yield from self._names(left, fills)
                yield from self._names(right, fills)
            case ast.Tuple(elts=elements):
                for element in elements:
                    yield from self._names(element, fills)
            case ast.Subscript(value=ast.Name(id="Literal" as name), slice=inner):
                yield name
                if ast.unparse(node) not in fills:
                    self._check_literals(inner)
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                yield name
                yield from self._names(inner, fills)
            case _:
                raise UnexpectedSource(self.name)

    def _check_literals(self, node: ast.expr) -> None:
        """Check the literals of a type; strings beside other values belong to the kind."""
        for value in node.elts if isinstance(node, ast.Tuple) else [node]:
            if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
                value = value.operand
            if not (isinstance(value, ast.Constant) and isinstance(value.value, (str, int))):
                raise UnexpectedSource(self.name)


class _Opened(ast.NodeTransformer):
    """Replaces names and literals by numbers in braces.

    A string that stands for a type becomes a name, and a union is written with `|`, so that a type
    from a call can also stand in a class.
    """

    def __init__(self, fills: tuple[str, ...]) -> None:
        self._fills = fills

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name by its number, if the kind leaves it open."""
        return ast.Name(self._number(node.id))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Treat a string outside of `Literal` as a name."""
        return ast.Name(self._number(node.value)) if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Keep what `Literal` holds: those are values, not names."""
        match node.value:
            case ast.Name(id="Literal"):
                return ast.Name(self._number(ast.unparse(node)))
            case ast.Name(id="Optional" | "Union"):
                return either(self.visit(member) for member in alternatives(node))
        return self.generic_visit(node)

    def _number(self, text: str) -> str:
        if text in self._fills:
            return f"{{{self._fills.index(text)}}}"
        return text.replace("{", "{{").replace("}", "}}")
