"""Requests in edited code that the document no longer has, or whose arguments have changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..api import In
from ..lock import Lock, operation
from ..merge.snapshot import HANDLER
from ..plan.calls import body_kind
from .lost_imports import Modules
from .notes import Note

if TYPE_CHECKING:
    from ..api import Api, Argument, Tool

_GONE = "sends `{}`, which the document no longer has"
_ANY, _NEEDED = "*", "needs "
_NAME = re.compile(r"\{[^{}]*\}")
_PLACES = ("query", "header", "cookie", "json", "form", "multipart")
"""The arguments of `send` whose members have names from the document."""


def taken_by(api: Api) -> dict[str, list[str]]:
    """The arguments of each operation's request, such as `query limit` or `json *` (any member).

    The first entry is the operation's tool, as in `tool listJobs`. A required argument is also
    listed with `needs`, as in `needs json name`. An operation without a tool has no entries.
    """
    skipped = (each for each in api.skipped if each.method)
    left: dict[str, list[str]] = {
        f"{each.api} {each.method} {each.path}".strip(): [] for each in skipped
    }
    return left | {_key(tool): [*_places(tool)] for tool in api.tools if tool.http is not None}


def _key(tool: Tool) -> str:
    own = operation(tool) or f"{tool.api} {tool.call.method} {tool.call.path}"
    return own.strip()


def _places(tool: Tool) -> Iterator[str]:
    yield f"{HANDLER}{tool.name}"
    body = tool.call.body
    kind = "" if body is None else body_kind(body)[0]
    if body is not None and (body.extra or not body.spread):
        yield f"{kind} {_ANY}"
    for argument in (*tool.arguments, *(each.argument for each in tool.fixed)):
        place = kind if argument.location is In.PROPERTY else argument.location.value
        if place in _PLACES:
            if argument.required and _is_always(argument, tool):
                yield f"{_NEEDED}{place} {argument.wire_name}"
            yield f"{place} {argument.wire_name}"
        elif argument.location is In.QUERYSTRING:
            yield f"query {_ANY}"


def _is_always(argument: Argument, tool: Tool) -> bool:
    """Whether a required argument is part of every request of the tool."""
    body = tool.call.body
    return argument.location is not In.PROPERTY or (body is not None and body.required)


def between(old: Lock, new: Lock) -> set[str]:
    """The operations that only the `old` lock has; names of path parameters are ignored."""
    paths = set(map(_plain, (*new.tools, *new.left_out, *new.taken)))
    operations = {*old.gone, *old.tools, *old.left_out, *old.taken}
    return {each for each in operations if _plain(each) not in paths}


def _plain(key: str) -> str:
    return _NAME.sub("{}", key)


def notes(
    modules: Modules, gone: Collection[str], lock: Lock, edited: Iterable[str]
) -> Iterator[tuple[str, Note]]:
    """Find calls of `send` in `edited` modules that cannot work; each note has its operation.

    In the handler of an operation's own tool, a call is only reported if the operation is gone:
    other changes are merged, and the server's tests cover them. A handler without a tool does no
    harm unless something calls it.
    """
    lost = {_plain(key): key for key in gone}
    taken = {_plain(key): places for key, places in lock.taken.items()}
    calls = [*_calls(modules, edited)]
    called = set(_called(modules, edited)) if lost else set()
    for path, key, call, home in calls:
        places, tools = taken.get(_plain(key), ()), set(_marks(home))
        if _plain(key) in lost:
            name = getattr(home, "name", "")
            is_idle = tools and all(lock.functions.get(tool) != name for tool in tools)
            breaks = not is_idle or name in called
            yield lost[_plain(key)], Note(path, _GONE.format(key), call.lineno, breaks)
        elif places and places[0].removeprefix(HANDLER) not in tools:
            for problem in _problems(call, places):
                yield key, Note(path, f"sends {problem} `{key}`", call.lineno, True)


def sent(modules: Modules, edited: Iterable[str]) -> set[str]:
    """The operations that `edited` modules send, without the names of path parameters."""
    return {_plain(key) for _, key, _, _ in _calls(modules, edited)}


def of_sent(lock: Lock, plain: Collection[str]) -> dict[str, Sequence[str]]:
    """The lock's entries for `plain`: operations, without the names of path parameters."""
    return {key: places for key, places in lock.taken.items() if _plain(key) in plain}


def _calls(
    modules: Modules, edited: Iterable[str]
) -> Iterator[tuple[str, str, ast.Call, ast.stmt]]:
    """The calls of `send` with a literal method and path.

    Each comes with the path of its module, its operation and the definition that contains it.
    """
    for path, home in _statements(modules, edited):
        for call in ast.walk(home):
            if isinstance(call, ast.Call) and (key := _operation(call)):
                yield path, key, call, home


def _called(modules: Modules, edited: Iterable[str]) -> Iterator[str]:
    """The names of functions that edited code calls; calls of a function within itself do not
    count.
    """
    for _, home in _statements(modules, edited):
        for call in ast.walk(home):
            if isinstance(call, ast.Call):
                name = ast.unparse(call.func).rpartition(".")[2]
                if name != getattr(home, "name", ""):
                    yield name


def _statements(modules: Modules, edited: Iterable[str]) -> Iterator[tuple[str, ast.stmt]]:
    for path in edited:
        text = modules.text(path) if path.endswith(".py") else None
        with suppress(SyntaxError, ValueError, RecursionError):  # told where it is merged
            yield from ((path, each) for each in ast.parse(text or "").body)


def _marks(node: ast.stmt) -> Iterator[str]:
    """The names in a function's decorators, such as the name of its tool."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for each in node.decorator_list:
            if isinstance(each, ast.Call) and each.args and isinstance(each.args[0], ast.Constant):
                yield str(each.args[0].value)


def _operation(call: ast.Call) -> str:
    """The operation of a call of `send` whose method and path are literals; else empty."""
    values = (each.value for each in call.args[:2] if isinstance(each, ast.Constant))
    texts = [each for each in values if isinstance(each, str)]
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "send" and len(texts) == 2):
        return ""
    match call.func.value:
        case ast.Subscript(ast.Attribute(attr="apis"), ast.Constant(str(api))):
            return f"{api} {texts[0]} {texts[1]}"
        case _:
            return f"{texts[0]} {texts[1]}"


def _problems(call: ast.Call, places: Sequence[str]) -> Iterator[str]:
    """Describe each argument that is unknown to the operation, or required by it and not given."""
    if not places or any(keyword.arg is None for keyword in call.keywords):
        return
    given = {k.arg: k.value for k in call.keywords if k.arg in _PLACES}
    names = {place: _names(value) for place, value in given.items() if place is not None}
    for place, (known, _) in names.items():
        if f"{place} {_ANY}" not in places:
            for name in known:
                if f"{place} {name}" not in places:
                    yield f"{place} `{name}`, which is unknown to"
    for needed in (each.removeprefix(_NEEDED) for each in places if each.startswith(_NEEDED)):
        place, _, name = needed.partition(" ")
        known, is_whole = names.get(place, (frozenset(), True))
        if is_whole and name not in known:
            yield f"no {place} `{name}`, which is required by"


def _names(value: ast.expr) -> tuple[frozenset[str], bool]:
    """The names that an expression is sure to contain, and whether it can contain no others."""
    if not isinstance(value, ast.Dict):
        return frozenset(), False
    keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
    return frozenset(map(str, keys)), len(keys) == len(value.keys)
