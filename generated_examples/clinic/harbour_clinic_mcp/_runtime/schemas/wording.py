"""How places, values and types read in a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LISTED = 20
"""Names or values that a sentence lists at most."""
_SHOWN = 60
_SHOWN_FORM = 200
_NAME = re.compile(r"[A-Za-z_$][\w$-]{0,99}", re.ASCII)
_ARTICLES = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}


def path_text(path: Iterable[str | int]) -> str:
    """A path as text: `body.items[2].name`, with odd names as `["a b"]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _NAME.fullmatch(step):
            text += f".{step}" if text else step
        else:
            odd = shown(step)
            text += f"[{odd}]" if text or not step else odd[1:-1]
    return text


def shown(value: Any) -> str:
    """A value as short JSON."""
    if isinstance(value, str):
        return json.dumps(_cut(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "an object" if value else "an empty object"
    if isinstance(value, (list, tuple)):
        return f"an array of {len(value)}" if value else "an empty array"
    return _cut(json.dumps(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _kind(value: Any) -> str:
    """A value with its type: `the string "a"`, `null`, `an object`."""
    if isinstance(value, str):
        return f"the string {shown(value)}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"the number {shown(value)}"
    return shown(value)


def found_text(value: Any) -> str:
    """How a sentence goes on with the value that is there."""
    return f", and is {_kind(value)}"


def value_text(value: Any) -> str:
    """A value that is expected: whole if it is short."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else shown(value)


def list_text(values: Sequence[Any]) -> str:
    """The first of some values, and how many more there are."""
    texts = [value_text(value) for value in list(values)[:LISTED]]
    rest = len(values) - len(texts)
    return ", ".join(texts) + (f" and {rest} more" if rest else "")


def types_text(value: Any) -> str:
    """What `type` asks for: `a string or null`."""
    kinds = value if isinstance(value, list) else [value]
    return " or ".join(_type_text(kind) for kind in kinds)


def _type_text(kind: Any) -> str:
    """One type; in draft-03 it may be a schema."""
    if isinstance(kind, str):
        return _ARTICLES.get(kind, f"a {kind}")
    return f"what fits {form_text(kind, 'another schema')}"


def form_text(schema: Any, otherwise: str) -> str:
    """A schema as JSON, if that is short."""
    text = json.dumps(schema, ensure_ascii=False, default=str)
    return text if len(text) < _SHOWN_FORM else otherwise
