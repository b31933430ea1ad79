"""Hashes the parts of a generated module for the lock; the module `parts` does so for any module.

Both modules give the same hashes. Generated modules are formatted and have no comments between the
parts of a definition. The positions that the standard library's parser gives are therefore enough,
and ten times as fast as a concrete syntax tree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeGuard

from ..operations import matching
from ..operations.matching import renamed
from ..text.words import Numbering
from .tokens import comments_in, fingerprint

SEND = re.compile(r"ctx\.(?:api|apis\[[^\[\]]+\])\.send")
"""The call that a handler makes: its arguments follow the document one by one."""
MARK = "tool"
"""The decorator that makes a function a handler; its first argument is the tool's name."""
OFFERED = ("decorator resource", "decorator prompt", "decorator completes")
"""Parts that say which resource, prompt or argument a function is for."""
WRAPPER = "if_given"
"""What makes nothing of a body of which nothing is given; its argument is merged like a body."""
IMPORTS = "imports"
DOCSTRING = "docstring"
"""The key of a text that stands alone: the module's, or that of the variable above."""
HANDLER = "tool "
"""What the key of a handler begins with, before the tool's name."""
AGAIN, PART_AGAIN = "{} #{}", "{}#{}"
"""The keys of a definition, and of a part of one, that has the key of another."""
Snapshot = Mapping[str, Mapping[str, str]]
"""Hashes of the parts of each definition, and under `imports` where each imported name is from."""
_PLACEHOLDER = "__call__"
_Placed = ast.expr | ast.stmt | ast.arg | ast.keyword


def snapshot(text: str) -> dict[str, dict[str, str]]:
    """Hashes of the parts of each definition; the key `imports` has each imported name's module."""
    source = _Source(text)
    definitions: dict[str, dict[str, str]] = {IMPORTS: {}}
    unique = Numbering(AGAIN, definitions)
    for before, statement in zip([None, *source.tree.body], source.tree.body, strict=False):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            definitions[IMPORTS] |= _imported(statement)
        elif _is_guard(statement):
            for line in statement.body:
                if isinstance(line, (ast.Import, ast.ImportFrom)):
                    definitions[IMPORTS] |= _imported(line)
        else:
            hashes = _hashes(source, statement)
            if before is not None and (comments := source.comments_above(statement, before)):
                hashes["comments"] = comments_hash(comments)
            key = _key(source, statement, hashes["whole"])
            definitions[unique(key)] = hashes
    return definitions


def comments_hash(comments: Iterable[str]) -> str:
    """The hash of the comments above a definition."""
    return fingerprint("\n".join(comments))


def is_edited(base: Mapping[str, str], there: Mapping[str, str]) -> bool:
    """Whether a person changed a definition or the comments above it."""
    return any(base.get(part) != there.get(part) for part in ("whole", "comments"))


def keys_now(
    before: Mapping[str, str],
    now: Mapping[str, str],
    old_contents: Mapping[str, str],
    new_contents: Mapping[str, str],
) -> dict[str, str]:
    """New keys for handlers whose tools were renamed.

    `before` and `now` map operations to tools; `old_contents` and `new_contents` map the content of
    each hand-written tool to the tool's name. A tool with another name, but the same operation or
    content, counts as renamed. If another tool had the new name before, that tool's key is changed
    too, so that the two are not confused.
    """
    same = matching.same(before, now)
    names = {tool: now[same[operation]] for operation, tool in before.items() if operation in same}
    gone, came = (
        {tool: content for content, tool in each.items()} for each in (old_contents, new_contents)
    )
    names |= renamed(gone, came)
    keys = {f"{HANDLER}{old}": f"{HANDLER}{name}" for old, name in names.items() if name != old}
    return keys | {key: f"{key} as it was" for key in keys.values() if key not in keys}


def offer_keys(there: Snapshot, base: Snapshot) -> dict[str, str]:
    """For the new key of each renamed resource or prompt function, its old key.

    A function is recognized by its decorator, which names the resource or prompt.
    """
    keys: dict[str, str] = {}
    for key, parts in base.items():
        marks = {part: parts[part] for part in OFFERED if part in parts}
        if marks and key not in there:
            new = [k for k in there if k not in base and marks.items() <= there[k].items()]
            keys |= {new[0]: key} if len(new) == 1 else {}
    return keys


def handler_keys(there: Snapshot, base: Snapshot, elsewhere: Snapshot) -> dict[str, str]:
    """New keys for edited definitions that are generated handlers under another name.

    The definition that counts as a generated handler is the first of these that exists:

    - of the functions with its decorator, the one with its name, else the most similar one;
    - in the module of `base`, a function with its name, whatever its decorator, unless it belongs
      to another handler;
    - elsewhere, a handler with the same operation whose tool has not been written yet, for
      example after another branch renamed the tool.
    """
    keys: dict[str, str] = {}
    bases = {**elsewhere, **base}
    for key, parts in bases.items():
        name = parts.get("name", "")
        if not key.startswith(HANDLER) or there.get(key, {}).get("name") == name:
            continue
        marked = [k for k in there if k == key or k.startswith(f"{key} #")]
        if marked:
            own = max(marked, key=lambda k: _likeness(there[k], parts))
            keys = {own: key, key: own} | keys
        elif key in base:
            namesakes = [k for k in there if there[k].get("name") == name != _name(bases, k)]
            new = (k for k in there if k.startswith(HANDLER) and k not in bases)
            same = [k for k in new if _same_operation(there[k], parts)]
            keys |= dict.fromkeys(namesakes[-1:] or same, key)
    return keys


def _name(definitions: Snapshot, key: str) -> str | None:
    return definitions.get(key, {}).get("name")


def _same_operation(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two handlers have the same docstring (it names the operation) or the same request."""
    signs = (("docstring",), ("call 0", "call 1"))
    return any(all(other.get(p) and one.get(p) == other[p] for p in parts) for parts in signs)


def _likeness(one: Mapping[str, str], other: Mapping[str, str]) -> tuple[bool, int]:
    return one.get("name") == other.get("name"), len(one.items() & other.items())


class _Source:
    """Gives the source text of a module's nodes, whose positions are counted in bytes."""

    def __init__(self, text: str) -> None:
        self.lines = text.encode().splitlines(keepends=True)
        self.tree = ast.parse(text)

    def of(self, node: _Placed) -> str:
        """The source text of an expression."""
        return self.between(_start(node), _end(node))

    def between(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        first, last = start[0] - 1, end[0] - 1
        if first == last:
            return self.lines[first][start[1] : end[1]].decode()
        middle = self.lines[first + 1 : last]
        whole = [self.lines[first][start[1] :], *middle, self.lines[last][: end[1]]]
        return b"".join(whole).decode()

    def rows(self, first: int, last: int) -> str:
        return b"".join(self.lines[first - 1 : last]).decode()

    def last_row(self, statement: ast.stmt) -> int:
        """The last line of a statement, with trailing comments indented like its body."""
        last = end = statement.end_lineno or statement.lineno
        body = getattr(statement, "body", None)
        if body is None or body[0].lineno == statement.lineno:
            return last
        indent = self.lines[body[0].lineno - 1][: body[0].col_offset]
        for row, line in enumerate(self.lines[end:], end + 1):
            if line.strip() and not line.startswith(indent):
                break
            last = row if line.strip() else last
        return last

    def comments_above(self, statement: ast.stmt, before: ast.stmt) -> list[str]:
        """The comments between a statement and the end of the statement before it."""
        return comments_in(self.rows(self.last_row(before) + 1, _first_row(statement) - 1))


def _start(node: _Placed) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: _Placed) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def _first_row(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min((each.lineno for each in decorators), default=statement.lineno)


def _imported(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    if isinstance(statement, ast.ImportFrom):
        origin = "." * statement.level + (statement.module or "")
        return {a.asname or a.name: f"{origin}:{a.name}" for a in statement.names}
    return {a.asname or a.name.split(".")[0]: a.name for a in statement.names}


def _is_guard(statement: ast.stmt) -> TypeGuard[ast.If]:
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.test, ast.Name)
        and statement.test.id == "TYPE_CHECKING"
    )


def _key(source: _Source, statement: ast.stmt, whole: str) -> str:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            tool = _tool(statement)
            return f"def {statement.name}" if tool is None else f"{HANDLER}{tool}"
        case ast.ClassDef():
            return f"class {statement.name}"
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return f"{source.of(target)} ="
        case ast.Expr(value=ast.Constant(value=str())):
            return DOCSTRING
        case _:
            return f"statement {whole}"


def _tool(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str() as tool), *_]):
                if name == MARK:
                    return tool
    return None


def _hashes(source: _Source, statement: ast.stmt) -> dict[str, str]:
    rows = source.rows(_first_row(statement), source.last_row(statement))
    hashes = {"whole": fingerprint(rows, block=True)}
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        hashes |= _function(source, statement)
    return hashes


def _function(source: _Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, str]:
    call = _send(source, function)
    hashes = {"name": function.name}
    hashes |= _hash_parts(
        "decorator ",
        (
            (source.of(d.func if isinstance(d, ast.Call) else d), source.of(d))
            for d in function.decorator_list
        ),
    )
    hashes |= _hash_parts("argument ", _parameters(source, function.args))
    hashes["returns"] = fingerprint(source.of(function.returns)) if function.returns else ""
    text = ast.get_docstring(function, clean=False)
    rest = function.body if text is None else function.body[1:]
    hashes["docstring"] = "" if text is None else fingerprint(source.of(function.body[0]))
    hashes["body"] = fingerprint(f"if x\n{_rows(source, rest, call)}", block=True)
    if call is not None:
        hashes["call"] = fingerprint(source.of(call))
        hashes |= _arguments(source, call)
    return hashes


def _parameters(source: _Source, args: ast.arguments) -> Iterator[tuple[str, str]]:
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    listed = [*zip(positional, defaults, strict=True)]
    listed += zip(args.kwonlyargs, args.kw_defaults, strict=True)
    for arg, default in listed:
        yield arg.arg, source.between(_start(arg), _end(default or arg))


def _rows(source: _Source, rest: Sequence[ast.stmt], call: ast.Call | None) -> str:
    if not rest:
        return "    pass"
    start, end = (rest[0].lineno, 0), (rest[-1].end_lineno or 0, None)
    whole = source.rows(start[0], end[0])
    if call is None:
        return whole
    before = source.between(start, _start(call))
    line, column = _end(call)
    after = source.lines[line - 1][column:].decode() + source.rows(line + 1, end[0])
    return f"{before}{_PLACEHOLDER}{after}"


def _send(source: _Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.Call | None:
    """The API call in a function, if there is exactly one."""
    text = source.rows(function.lineno, function.end_lineno or 0)
    calls = (c for c in _calls(function.body) if SEND.fullmatch(source.of(c.func)))
    sends = [*islice(calls, 1 if text.count("send") == 1 else 2)]
    return sends[0] if len(sends) == 1 else None


def _calls(body: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield node


def _arguments(source: _Source, call: ast.Call) -> dict[str, str]:
    pairs: list[tuple[str, str, ast.expr]] = []
    for index, each in enumerate(call.args):
        starred = isinstance(each, ast.Starred)
        pairs.append(("*" if starred else str(index), source.of(each), each))
    for keyword in call.keywords:
        pairs.append((keyword.arg or "**", source.of(keyword), keyword.value))
    hashes = _hash_parts("call ", ((key, text) for key, text, _ in pairs))
    for key, _, value in pairs:
        display = _members(value)
        if display is not None:
            hashes |= _hash_parts(f"call {key}.", _entries(source, display))
    return hashes


def _members(value: ast.expr) -> ast.Dict | None:
    match value:
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name == WRAPPER:
            value = inner
    return value if isinstance(value, ast.Dict) else None


def _entries(source: _Source, value: ast.Dict) -> Iterator[tuple[str, str]]:
    for key, item in zip(value.keys, value.values, strict=True):
        if key is None:
            text = f"**{source.of(item)}"
            yield text, text
            continue
        match key:
            case ast.Constant(value=str() as name):
                pass
            case _:
                name = source.of(key)
        yield name, source.between(_start(key), _end(item))


def _hash_parts(prefix: str, parts: Iterable[tuple[str, str]]) -> dict[str, str]:
    unique = Numbering(PART_AGAIN)
    return {unique(prefix + key): fingerprint(text) for key, text in parts}
