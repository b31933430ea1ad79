"""Requests in edited code for operations that have no tool any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from ..lock import Lock
from .lost_imports import Modules
from .notes import Note

_TEXT = "sends `{}`, which has no tool any more: look whether the API still has it"
_NAME = re.compile(r"\{[^{}]*\}")


def between(old: Lock, new: Lock) -> set[str]:
    """The operations that only the `old` lock has; the names of path parameters do not count."""
    paths = {_NAME.sub("{}", each) for each in (*new.tools, *new.left_out)}
    operations = {*old.gone, *old.tools, *old.left_out}
    return {each for each in operations if _NAME.sub("{}", each) not in paths}


def requests(
    modules: Modules, gone: Collection[str], edited: Iterable[str]
) -> Iterator[tuple[str, Note]]:
    """Find the calls of `send` in `edited` modules for the `gone` operations, each with a note."""
    texts = {path: modules.text(path) or "" for path in edited if path.endswith(".py") and gone}
    for path, text in texts.items():
        try:
            calls = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call)]
        except (SyntaxError, ValueError, RecursionError):
            continue  # which is told where it is merged
        for call in calls:
            operation = _operation(call)
            if operation in gone:
                yield operation, Note(path, _TEXT.format(operation), call.lineno)


def _operation(call: ast.Call) -> str:
    """`METHOD path` of a call of `send` that has both as literals, else nothing."""
    texts = [each.value for each in call.args[:2] if isinstance(each, ast.Constant)]
    is_send = isinstance(call.func, ast.Attribute) and call.func.attr == "send"
    return " ".join(map(str, texts)) if is_send and len(texts) == 2 else ""
