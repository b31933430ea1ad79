"""Requests in edited code for operations that are no tool's any more: told once, by the update."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..lock import Lock
from .lost_imports import Modules
from .notes import Note

_TEXT = "sends `{}`, which was a tool's and is none's now: does the API still have it?"


def notes(modules: Modules, old: Lock, new: Lock, edited: Iterable[str]) -> Iterator[Note]:
    """Notes on calls of `send` in `edited` modules, of a method and path that only `old` has."""
    gone = {*old.tools, *old.left_out} - {*new.tools, *new.left_out}
    texts = {path: modules.text(path) or "" for path in edited if path.endswith(".py") and gone}
    for path, text in texts.items():
        try:
            calls = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call)]
        except (SyntaxError, ValueError, RecursionError):
            continue  # which is told where it is merged
        for call in calls:
            operation = _operation(call)
            if operation in gone:
                yield Note(path, _TEXT.format(operation), call.lineno)


def _operation(call: ast.Call) -> str:
    """`METHOD path` of a call of `send` that has both as literals, else nothing."""
    texts = [each.value for each in call.args[:2] if isinstance(each, ast.Constant)]
    is_send = isinstance(call.func, ast.Attribute) and call.func.attr == "send"
    return " ".join(map(str, texts)) if is_send and len(texts) == 2 else ""
