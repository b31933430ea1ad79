"""The definitions of a module and their parts, each with a hash that does not depend on layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard, TypeVar
from unicodedata import normalize

import libcst as cst
from msgspec import Struct

from ..text.words import Numbering
from .lists import Keyed
from .snapshot import AGAIN, DOCSTRING, HANDLER, MARK, PART_AGAIN, SEND, WRAPPER, comments_hash
from .tokens import comments_in, fingerprint

_BLANK = cst.Module([])
_PLACEHOLDER = cst.Name("__call__")
Node = TypeVar("Node", bound=cst.CSTNode)


class Definition(Struct, frozen=True):
    """A top-level statement, keyed by its name, or by its text if it has no name."""

    key: str
    """`tool <name>` for a handler; `def`, `class` and its name; `<name> =`; `statement <hash>`."""
    node: cst.BaseStatement
    hashes: dict[str, str]
    """`whole`, `comments` above it, and for a function one for each of its parts."""


def code(node: cst.CSTNode) -> str:
    """The source text of a node."""
    return _BLANK.code_for_node(node)


def bare(node: cst.BaseStatement) -> cst.BaseStatement:
    """The statement without the empty lines and comments above."""
    changed: cst.BaseStatement = node.with_changes(leading_lines=())
    return changed


def definitions(module: cst.Module) -> list[Definition]:
    """The top-level statements except imports and TYPE_CHECKING blocks, under unique keys."""
    unique = Numbering(AGAIN)
    return [Definition(unique(_key(each)), each, hashes(each)) for each in statements(module)]


def statements(module: cst.Module) -> list[cst.BaseStatement]:
    """The top-level statements except imports and TYPE_CHECKING blocks."""
    return [each for each in module.body if not (is_import(each) or is_guard(each))]


def is_import(statement: cst.CSTNode) -> TypeGuard[cst.SimpleStatementLine]:
    """Whether a line contains only imports."""
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(each, (cst.Import, cst.ImportFrom)) for each in statement.body
    )


def is_text(statement: cst.BaseSmallStatement) -> bool:
    """Whether a statement is only a string."""
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.SimpleString)


def is_guard(statement: cst.CSTNode) -> TypeGuard[cst.If]:
    """Whether a statement is an `if TYPE_CHECKING:`, which contains imports."""
    return (
        isinstance(statement, cst.If)
        and code(statement.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        and isinstance(statement.body, cst.IndentedBlock)
    )


def tool_of(function: cst.FunctionDef) -> str | None:
    """The name of the tool that a function handles; None if it is not a handler."""
    literal = tool_literal(function)
    return None if literal is None else str(literal.evaluated_value)


def as_handler(function: cst.FunctionDef, tool: cst.SimpleString | None) -> cst.FunctionDef:
    """A copy of the function, with its tool's name changed to `tool`.

    Unchanged if the name in the function or `tool` is not a literal.
    """
    literal = tool_literal(function)
    if literal is None or tool is None or literal.evaluated_value == tool.evaluated_value:
        return function
    changed = function.deep_replace(literal, cst.SimpleString(tool.value))
    assert isinstance(changed, cst.FunctionDef)
    return changed


def tool_literal(function: cst.FunctionDef) -> cst.SimpleString | None:
    """The tool's name in the decorator of a function."""
    for decorator in function.decorators:
        call = decorator.decorator
        if isinstance(call, cst.Call) and code(call.func) == MARK and call.args:
            value = call.args[0].value
            if isinstance(value, cst.SimpleString) and isinstance(value.evaluated_value, str):
                return value
    return None


def renames(function: cst.FunctionDef) -> dict[str, str]:
    """Each renamed keyword in a function's decorators, with the name of its argument."""
    pairs: dict[str, str] = {}
    for decorator in function.decorators:
        if is_mark(decorator):
            pairs |= renamed_in(decorator)
    return pairs


def is_mark(decorator: cst.Decorator) -> bool:
    """Whether a decorator marks a function as a handler."""
    call = decorator.decorator
    return isinstance(call, cst.Call) and code(call.func).rpartition(".")[2] == MARK


def renamed_in(mark: cst.Decorator) -> dict[str, str]:
    """Each renamed keyword in a decorator, with the name of its argument."""
    call = mark.decorator
    if not isinstance(call, cst.Call):
        return {}
    return {
        each.keyword.value: str(each.value.evaluated_value)
        for each in call.args
        if each.keyword is not None and isinstance(each.value, cst.SimpleString)
    }


def _key(statement: cst.BaseStatement) -> str:
    if isinstance(statement, cst.FunctionDef):
        tool = tool_of(statement)
        return f"def {statement.name.value}" if tool is None else f"{HANDLER}{tool}"
    if isinstance(statement, cst.ClassDef):
        return f"class {statement.name.value}"
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        small = statement.body[0]
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            return f"{code(small.targets[0].target)} ="
        if isinstance(small, cst.AnnAssign):
            return f"{code(small.target)} ="
        if is_text(small):
            return DOCSTRING
    return f"statement {fingerprint(code(bare(statement)), block=True)}"


def hashes(statement: cst.BaseStatement, base_call: str | None = None) -> dict[str, str]:
    """The hashes of a statement's parts; `base_call` is the hash of the generated API call."""
    prints = {"whole": fingerprint(code(bare(statement)), block=True)}
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    comments = comments_in("".join(code(line) for line in lines))
    prints |= {"comments": comments_hash(comments)} if comments else {}
    if isinstance(statement, cst.FunctionDef):
        prints |= _function_hashes(statement, base_call)
    return prints


def _function_hashes(function: cst.FunctionDef, base_call: str | None) -> dict[str, str]:
    call = send_call(function, base_call)
    prints = {"name": function.name.value}
    prints |= {f"decorator {each.key}": each.hash for each in decorators(function)}
    prints |= {f"argument {each.key}": each.hash for each in parameters(function)}
    prints["returns"] = fingerprint(code(function.returns.annotation)) if function.returns else ""
    text = docstring(function)
    prints["docstring"] = fingerprint(code(text)) if text is not None else ""
    prints["body"] = _body_hash(function, call)
    if call is not None:
        prints["call"] = _call_hash(call)
        for argument in arguments(call):
            prints[f"call {argument.key}"] = argument.hash
            display = members(argument.value.value)
            if display is not None:
                prefix = f"call {argument.key}."
                prints |= {prefix + e.key: e.hash for e in entries(display)}
    return prints


def decorators(function: cst.FunctionDef) -> list[Keyed[cst.Decorator]]:
    """The decorators, each keyed by the name of what it calls."""
    return _keyed(
        (
            code(each.decorator.func if isinstance(each.decorator, cst.Call) else each.decorator),
            code(each.decorator),
            each,
        )
        for each in function.decorators
    )


def parameters(function: cst.FunctionDef) -> list[Keyed[cst.Param]]:
    """The parameters other than `*` and `**` ones, keyed by their names as Python reads them.

    Identifiers that are equal after NFKC are the same (Python's reference, 2.3).
    """
    params = function.params
    listed = (*params.posonly_params, *params.params, *params.kwonly_params)
    return _keyed((normalize("NFKC", each.name.value), code(each), each) for each in listed)


def docstring(function: cst.FunctionDef) -> cst.SimpleStatementLine | None:
    """The statement that is a function's docstring; None if there is none."""
    if isinstance(function.body, cst.IndentedBlock) and function.body.body:
        first = function.body.body[0]
        if not isinstance(first, cst.SimpleStatementLine) or len(first.body) != 1:
            return None
        return first if is_text(first.body[0]) else None
    return None


def is_stub(function: cst.FunctionDef) -> bool:
    """Whether a function only raises an error."""
    body = list(function.body.body)
    if docstring(function) is not None:
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], cst.SimpleStatementLine):
        return False
    return isinstance(body[0].body[0], cst.Raise)


def _body_hash(function: cst.FunctionDef, call: cst.Call | None) -> str:
    """The hash of a function's body, without its docstring and without the arguments of `call`."""
    body = function.body
    text = docstring(function)
    if text is not None and isinstance(body, cst.IndentedBlock):
        body = body.with_changes(body=body.body[1:])
    if call is not None:
        replaced = body.deep_replace(call, _PLACEHOLDER)
        assert isinstance(replaced, cst.BaseSuite)
        body = replaced
    return fingerprint(f"if x{code(body)}", block=True)


def send_call(function: cst.FunctionDef, base_call: str | None = None) -> cst.Call | None:
    """The API call in a function; if there are several, the one with the hash `base_call`.

    None if there is no such call.
    """
    calls = list(_sends(function.body))
    if len(calls) != 1:
        calls = [call for call in calls if _call_hash(call) == base_call]
    return calls[0] if len(calls) == 1 else None


def _call_hash(call: cst.Call) -> str:
    return fingerprint(code(call))


def _sends(node: cst.CSTNode) -> Iterator[cst.Call]:
    if isinstance(node, cst.Call) and SEND.fullmatch(code(node.func)):
        yield node
    for child in node.children:
        yield from _sends(child)


def arguments(call: cst.Call) -> list[Keyed[cst.Arg]]:
    """The arguments of a call, keyed by keyword or position."""
    return _keyed(
        (each.keyword.value if each.keyword else each.star or str(index), code(each), each)
        for index, each in enumerate(call.args)
    )


def members(value: cst.BaseExpression) -> cst.Dict | None:
    """A dict display, also as the argument of `if_given(...)`; None for any other value."""
    if isinstance(value, cst.Call) and code(value.func) == WRAPPER and len(value.args) == 1:
        value = value.args[0].value
    return value if isinstance(value, cst.Dict) else None


def entries(value: cst.Dict) -> list[Keyed[cst.BaseDictElement]]:
    """The entries of a dict display, keyed by their own keys."""
    return _keyed((_entry_key(each), code(each), each) for each in value.elements)


def _entry_key(element: cst.BaseDictElement) -> str:
    if not isinstance(element, cst.DictElement):
        return f"**{code(element.value)}"
    key = element.key
    return str(key.evaluated_value) if isinstance(key, cst.SimpleString) else code(key)


def _keyed(elements: Iterator[tuple[str, str, Node]]) -> list[Keyed[Node]]:
    unique = Numbering(PART_AGAIN)
    return [Keyed(unique(key), fingerprint(text), node) for key, text, node in elements]
