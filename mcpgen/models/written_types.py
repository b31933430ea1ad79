"""Takes only the types out of the output of datamodel-code-generator."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

_BUILTINS = frozenset({"bool", "dict", "float", "int", "list", "str"})
_PLAIN = _BUILTINS | {"Any", "NotRequired"}
_TYPING = frozenset({"Any", "Literal", "NotRequired", "Union"})


class UnexpectedSource(Exception):
    """A definition in the generator's output that does not match its schema."""


class Type(Struct, frozen=True):
    """A type, with `|` for unions and without quotes."""

    text: str
    uses: frozenset[str]
    """Other types that it names."""
    typing: frozenset[str]
    """What it needs from `typing`."""

    @property
    def not_required(self) -> Type:
        """The type as the annotation of a field that may be absent."""
        return Type(f"NotRequired[{self.text}]", self.uses, self.typing | {"NotRequired"})

    def quoted(self, late: Collection[str]) -> Type:
        """The type; names in `late`, which are defined later, are put in quotes."""
        if self.uses.isdisjoint(late):
            return self
        names = {name: name for name in self.uses}
        return checked(ast.parse(self.text, mode="eval").body, names, late)


ANYTHING = Type("Any", frozenset(), frozenset({"Any"}))


def field_types(source: str, name: str) -> dict[str, ast.expr]:
    """The types of the fields of one class.

    Raises SyntaxError for text that is not Python, UnexpectedSource for anything but a TypedDict.
    """
    types: dict[str, ast.expr] = {}
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(
                name=own, bases=[ast.Name(id="TypedDict")], keywords=[], decorator_list=[]
            ) if own == name:
                types |= map(_field, node.body)
    return types


def _field(node: ast.stmt) -> tuple[str, ast.expr]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None):
            return name, annotation
    raise UnexpectedSource(ast.unparse(node)[:50])


def checked(node: ast.expr, names: Mapping[str, str], late: Collection[str] = ()) -> Type:
    """A type that consists only of literals, the names in `names`, builtins and names of `typing`.

    Names are written as `names` gives them, and quoted if they are in `late`, which means that they
    are defined later. A string cannot be an operand of `|`, so a union with one is written with
    `Union`. Raises UnexpectedSource for any other type.
    """
    seen: set[str] = set()
    text = ast.unparse(_rewritten(node, names, late, seen))
    return Type(text, frozenset(seen - _BUILTINS - _TYPING), frozenset(seen & _TYPING))


def _rewritten(
    node: ast.expr, names: Mapping[str, str], late: Collection[str], seen: set[str]
) -> ast.expr:
    """The type as `checked` writes it; adds the names it uses to `seen`."""

    def inner(part: ast.expr) -> ast.expr:
        return _rewritten(part, names, late, seen)

    match node:
        case ast.Name(id=name) | ast.Constant(value=str(name)):
            if name not in _PLAIN:
                if name not in names:
                    raise UnexpectedSource(name)
                name = names[name]
            seen.add(name)
            return ast.Constant(name) if name in late else ast.Name(name)
        case ast.Constant(value=None):
            return node
        case ast.BinOp(op=ast.BitOr()) | ast.Subscript(value=ast.Name(id="Optional" | "Union")):
            members = [inner(member) for member in _members(node)]
            if not any(isinstance(each, ast.Constant) and each.value for each in members):
                return functools.reduce(
                    lambda one, other: ast.BinOp(one, ast.BitOr(), other), members
                )
            seen.add("Union")
            return ast.Subscript(ast.Name("Union"), ast.Tuple(members))
        case ast.Tuple(elts=elements):
            return ast.Tuple([inner(element) for element in elements])
        case ast.Subscript(value=ast.Name(id="Literal"), slice=values) if _is_literal(values):
            seen.add("Literal")
            return node
        case ast.Subscript(value=ast.Name(id="list" | "dict" | "NotRequired") as outer):
            return ast.Subscript(inner(outer), inner(node.slice))
    raise UnexpectedSource(ast.unparse(node)[:50])


def _is_literal(node: ast.expr) -> bool:
    """Whether a `Literal` contains only strings, integers and booleans."""
    for value in node.elts if isinstance(node, ast.Tuple) else [node]:
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            value = value.operand
        if not (isinstance(value, ast.Constant) and isinstance(value.value, (str, int))):
            return False
    return True


def _members(node: ast.expr) -> Iterator[ast.expr]:
    """The members of a union in any notation."""
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
