"""The merge of an edited module's imports, which keeps the imports that people wrote."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import compress, dropwhile

import libcst as cst
from msgspec import Struct

from ..text.import_order import import_order
from .names_used import bound_in, names_in
from .parts import bare, code, is_guard, is_import, is_mark, is_text
from .tokens import comments_in

_GUARD = "TYPE_CHECKING"
_FUTURE = "__future__"
_LINE_LENGTH = 100


class Imported(Struct, frozen=True):
    """A name that a module imports."""

    name: str
    """As the module calls it."""
    source: str
    """`module:name`, or only the module for `import module`."""
    guarded: bool
    """Under `if TYPE_CHECKING:`."""

    @property
    def module(self) -> str:
        """The module that the statement imports or imports from."""
        return self.source.partition(":")[0]

    @property
    def member(self) -> str:
        """The name that is imported from `module`; empty for `import module`."""
        return self.source.partition(":")[2]


def imports(module: cst.Module) -> dict[str, Imported]:
    """All imports at the top of a module, by the names that they bind."""
    return {each.name: each for each in _all(module)}


def are_ours(base: Mapping[str, str], module: cst.Module) -> bool:
    """Whether mcpgen wrote all imports, and TYPE_CHECKING blocks contain only imports."""
    if any(base.get(each.name) != each.source for each in _all(module)):
        return False
    guards = (statement for statement in module.body if is_guard(statement))
    return all(each.orelse is None and all(map(is_import, each.body.body)) for each in guards)


def rivals(
    base: Mapping[str, str], module: cst.Module, new: cst.Module, own: Mapping[str, cst.CSTNode]
) -> dict[str, tuple[cst.CSTNode, cst.CSTNode]]:
    """For each name that `new` imports and the module uses for something else: the two statements.

    `own` has the module's definitions by name.
    """
    there = imports(module)
    pairs: dict[str, tuple[cst.CSTNode, cst.CSTNode]] = {}
    for name, each in imports(new).items():
        before = base.get(name)
        if before == each.source:
            continue
        if name in own:
            pairs[name] = own[name], _statement(each)
        elif name in there and there[name].source not in (each.source, before):
            pairs[name] = _statement(there[name]), _statement(each)
    return pairs


def binding(module: cst.Module, names: Collection[str]) -> list[cst.BaseStatement]:
    """The first top-level statement that imports one of the names, as a list of at most one."""
    for statement in module.body:
        if any(each.name in names for each in _all(cst.Module([statement]))):
            return [statement]
    return []


def follow(base: Mapping[str, str], module: cst.Module, new: cst.Module) -> cst.Module:
    """The module with the imports of `new` that it needs, and without unused ones.

    `base` contains the imports that mcpgen wrote. Such an import is removed if nothing uses it any
    more, or if `new` imports its name from elsewhere. It is not added again if a person uses its
    name for something else. Imports of `__future__` stay, since other code may rely on them.
    """
    new_imports = imports(new)
    there = imports(module)
    used = _used(module) - {_GUARD}
    instead = {n for n in _otherwise(module, new_imports) if new_imports[n].source == base.get(n)}
    gone: dict[str, str] = {}
    for name, each in there.items():
        is_ours = base.get(name) == each.source and each.module != _FUTURE
        is_needed = new_imports[name].source == each.source if name in new_imports else name in used
        if is_ours and not is_needed:
            gone[name] = each.source
    missing = new_imports.keys() - there.keys() - instead
    added = [
        each
        for name, each in new_imports.items()
        if name in missing | gone.keys() and (name in used or each.module == _FUTURE)
    ]
    guard = {_GUARD: gone.pop(_GUARD)} if _GUARD in gone else {}
    body: list[cst.BaseStatement] = [*module.body]
    for each in added:
        body = _with(body, each)
    body, left = _without(body, gone)
    body, last = _with_guard_name(body, new_imports.get(_GUARD), guard)
    footer = [*left, *last, *module.footer]
    changed: cst.Module = module.with_changes(body=body, footer=footer)
    return changed


def _otherwise(module: cst.Module, new_imports: Mapping[str, Imported]) -> set[str]:
    """The names of `new_imports` that a module defines itself, or may get from `import *`."""
    bound = bound_in("".join(code(each) for each in module.body if not is_import(each)))
    there = {each.source for each in _all(module)}
    starred = {name for name, each in new_imports.items() if f"{each.module}:*" in there}
    return starred | (bound & new_imports.keys())


def _all(module: cst.Module) -> list[Imported]:
    names: list[Imported] = []
    for statement in module.body:
        if is_import(statement):
            names += bound_by(statement)
        elif is_guard(statement):
            for line in statement.body.body:
                names += bound_by(line, guarded=True)
    return names


def bound_by(line: cst.CSTNode, *, guarded: bool = False) -> list[Imported]:
    """The names that an import line binds; `import *` binds `*`."""
    names: list[Imported] = []
    if not isinstance(line, cst.SimpleStatementLine):
        return names
    for small in line.body:
        if isinstance(small, cst.ImportFrom):
            origin = _origin(small)
            if isinstance(small.names, cst.ImportStar):
                names.append(Imported("*", f"{origin}:*", guarded))
                continue
            for alias in small.names:
                name = alias.evaluated_alias or alias.evaluated_name
                names.append(Imported(name, f"{origin}:{alias.evaluated_name}", guarded))
        elif isinstance(small, cst.Import):
            for alias in small.names:
                name = alias.evaluated_alias or alias.evaluated_name.split(".")[0]
                names.append(Imported(name, alias.evaluated_name, guarded))
    return names


def _origin(small: cst.ImportFrom) -> str:
    """The module in a `from` import, as it is written."""
    return "." * len(small.relative) + (code(small.module) if small.module else "")


def _used(module: cst.Module) -> set[str]:
    used: set[str] = set()
    for statement in module.body:
        if not is_import(statement):
            used |= names_in(code(_wordless(bare(statement))))
    return used


def _wordless(statement: cst.BaseStatement) -> cst.BaseStatement:
    """A copy of the statement in which a handler's decorator has no string arguments.

    These strings are names from the document.
    """
    if not isinstance(statement, cst.FunctionDef):
        return statement
    decorators = []
    for each in statement.decorators:
        call = each.decorator
        if is_mark(each) and isinstance(call, cst.Call):
            args = [arg for arg in call.args if not isinstance(arg.value, cst.SimpleString)]
            each = each.with_changes(decorator=call.with_changes(args=args))
        decorators.append(each)
    return statement.with_changes(decorators=decorators)


def _without(
    body: Sequence[cst.BaseStatement], gone: Mapping[str, str]
) -> tuple[list[cst.BaseStatement], Sequence[cst.EmptyLine]]:
    """The statements without some imports; comments above a removed import move down."""
    statements: list[cst.BaseStatement] = []
    left: Sequence[cst.EmptyLine] = ()
    for statement in body:
        changed: cst.BaseStatement | None = statement
        if is_import(statement):
            changed = _line_without(statement, gone)
        elif is_guard(statement):
            changed = _guard_without(statement, gone)
        if changed is None:
            left = _commented([*left, *_above(statement)])
            continue
        statements.append(_below(changed, left))
        left = ()
    return statements, left


def _guard_without(guard: cst.If, gone: Mapping[str, str]) -> cst.If | None:
    """A TYPE_CHECKING block without some imports; None if the block becomes empty."""
    block = cst.ensure_type(guard.body, cst.IndentedBlock)
    inside, below = _without(block.body, gone)
    is_edited = guard.orelse is not None or comments_in(code(bare(guard)))
    if not inside and not is_edited:
        return None
    footer = [*below, *block.footer]
    return guard.with_changes(body=block.with_changes(body=inside, footer=footer))


def _above(statement: cst.BaseStatement) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def _commented(lines: Sequence[cst.EmptyLine]) -> Sequence[cst.EmptyLine]:
    """The lines if one of them is a comment; otherwise an empty list."""
    return lines if any(line.comment is not None for line in lines) else ()


def _below(statement: cst.BaseStatement, left: Sequence[cst.EmptyLine]) -> cst.BaseStatement:
    """A copy of a statement with `left`, the comments of removed statements, put above it."""
    if not left:
        return statement
    changed: cst.BaseStatement = statement.with_changes(leading_lines=[*left, *_above(statement)])
    return changed


def _line_without(
    line: cst.SimpleStatementLine, gone: Mapping[str, str]
) -> cst.BaseStatement | None:
    """An import line without some of its names; None if no name is left."""
    if len(line.body) != 1 or comments_in(code(bare(line))):
        return line
    stays = [gone.get(each.name) != each.source for each in bound_by(line)]
    if not any(stays):
        return None
    small = line.body[0]
    if all(stays) or not isinstance(small, cst.ImportFrom):
        return line
    assert not isinstance(small.names, cst.ImportStar)  # one name, which stays or does not
    return _renamed(line, small, [*compress(small.names, stays)])


def _renamed(
    line: cst.SimpleStatementLine, small: cst.ImportFrom, names: Sequence[cst.ImportAlias]
) -> cst.SimpleStatementLine:
    """A copy of the import with other `names`: on one line if it fits, else one name per line."""
    origin = _origin(small)
    texts = [code(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for alias in names]
    text = f"from {origin} import {', '.join(texts)}"
    if len(text) + 4 > _LINE_LENGTH:
        text = f"from {origin} import (\n" + "".join(f"    {each},\n" for each in texts) + ")"
    parsed = cst.parse_statement(text + "\n")
    assert isinstance(parsed, cst.SimpleStatementLine)
    return line.with_changes(body=parsed.body)


def _with(body: list[cst.BaseStatement], added: Imported) -> list[cst.BaseStatement]:
    """The statements with an import added, if possible to an existing import of its module."""
    if added.guarded:
        return _with_guarded(body, added)
    return _with_import(body, added) or _with_line(body, added)


def _with_import(
    body: Sequence[cst.BaseStatement], added: Imported
) -> list[cst.BaseStatement] | None:
    """The statements, with the import added to the first line that fits; None if none fits."""
    if not added.member:
        return None
    for index, line in enumerate(body):
        if not is_import(line) or len(line.body) != 1:
            continue
        small = line.body[0]
        if (
            isinstance(small, cst.ImportFrom)
            and not isinstance(small.names, cst.ImportStar)
            and _origin(small) == added.module
            and not comments_in(code(small))
        ):
            own = cst.AsName(cst.Name(added.name)) if added.name != added.member else None
            alias = cst.ImportAlias(cst.Name(added.member), own)
            names = sorted([*small.names, alias], key=lambda a: import_order(a.evaluated_name))
            return [*body[:index], _renamed(line, small, names), *body[index + 1 :]]
    return None


def _with_guarded(body: list[cst.BaseStatement], added: Imported) -> list[cst.BaseStatement]:
    for index, statement in enumerate(body):
        if is_guard(statement):
            inside = cst.ensure_type(statement.body, cst.IndentedBlock).body
            lines = _with_import(inside, added)
            if lines is None:
                place = _last_import(inside) + 1
                lines = [*inside[:place], _statement(added), *inside[place:]]
            changed = statement.with_changes(body=statement.body.with_changes(body=lines))
            return [*body[:index], changed, *body[index + 1 :]]
    block = cst.IndentedBlock(body=[_statement(added)])
    guard = cst.If(cst.Name(_GUARD), block, leading_lines=[cst.EmptyLine()])
    place = _last_import(body) + 1
    return [*body[:place], guard, *body[place:]]


def _with_line(body: list[cst.BaseStatement], added: Imported) -> list[cst.BaseStatement]:
    place, before = 0, None
    for index, statement in enumerate(body[: _last_import(body) + 1]):
        if is_import(statement) and _rank(bound_by(statement)[0]) <= _rank(added):
            place, before = index + 1, statement
    first = body[0] if body else None
    if before is None and isinstance(first, cst.SimpleStatementLine) and is_text(first.body[0]):
        place = 1
    line = _statement(added)
    after = body[place:]
    if not _is_beside(before, added):
        if place:
            line = line.with_changes(leading_lines=[cst.EmptyLine()])
        if after and _is_beside(after[0], added):
            lines = dropwhile(lambda each: each.comment is None, _above(after[0]))
            after[0] = after[0].with_changes(leading_lines=[*lines])
    return [*body[:place], line, *after]


def _is_beside(statement: cst.BaseStatement | None, added: Imported) -> bool:
    """Whether an import belongs in the same section as another statement."""
    if statement is None or not is_import(statement):
        return False
    return _rank(bound_by(statement)[0])[0] == _rank(added)[0]


def _last_import(body: Sequence[cst.BaseStatement]) -> int:
    """The index of the last import at the top of the module; -1 if there is none."""
    last = -1
    for index, statement in enumerate(body):
        if is_import(statement):
            last = index
        elif isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            break
    return last


def _with_guard_name(
    body: list[cst.BaseStatement], guard: Imported | None, gone: Mapping[str, str]
) -> tuple[list[cst.BaseStatement], Sequence[cst.EmptyLine]]:
    """The statements with an import of `TYPE_CHECKING` if it is used, and without one if not."""
    has = any(each.name == _GUARD for statement in body for each in bound_by(statement))
    needed = any(_GUARD in names_in(code(bare(statement))) for statement in body)
    if needed and not has and guard is not None:
        return _with(body, guard), ()
    if has and not needed and gone:
        return _without(body, gone)
    return body, ()


def _statement(added: Imported) -> cst.SimpleStatementLine:
    module, member = added.module, added.member
    alias = "" if added.name == (member or module.split(".")[0]) else f" as {added.name}"
    text = f"from {module} import {member}{alias}" if member else f"import {module}{alias}"
    parsed = cst.parse_statement(text + "\n")
    assert isinstance(parsed, cst.SimpleStatementLine)
    return parsed


def _rank(imported: Imported) -> tuple[int, int, str]:
    """The sort key of an import: future, standard library, third party, own package by distance."""
    module = imported.module
    dots = len(module) - len(module.lstrip("."))
    if dots:
        return 3, -dots, module
    top = module.split(".")[0]
    if top == _FUTURE:
        return 0, 0, module
    return (1 if top in sys.stdlib_module_names else 2), 0, module
