"""The problems of settings: violations of their schema, and of rules that it cannot express."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

from msgspec.structs import replace
from packaging.licenses import canonicalize_license_expression
from packaging.version import Version

from ..diagnostics import did_you_mean
from ..schemas.violations import Form, Violation
from ..schemas.wording import Terms, words
from ..text.kinds import KINDS
from . import schema
from .problems import Path, Problem
from .settings import EVERY

_TERMS = Terms(kinds={**KINDS, "object": "a table", "array": "a list"}, is_yaml=False)
"""The types of JSON Schema, in words of TOML."""
_LIMITS = ("minimum", "exclusiveMinimum", "maxLength", "minItems")
_ABOVE = "Settings of the whole server go above all tables."
_OF_ONE = "Write it in that server's mcpgen.toml."
_READ: Mapping[str, tuple[Callable[[str], object], str, str]] = {
    "version": (
        Version,
        "`version` is not a valid version",
        "Write a PEP 440 version, such as 1.2.0.",
    ),
    "license": (
        canonicalize_license_expression,
        "`license` is not an SPDX license expression",
        "Such as MIT, Apache-2.0 or LicenseRef-Proprietary.",
    ),
}
"""What reads a text whose form is more than a pattern can say."""


def problems(values: Mapping[str, Any], *, shared: bool = False) -> Iterator[Problem]:
    """The problems of settings, or of a workspace's shared settings."""
    plain = {key: _plain(key, value) for key, value in values.items()}
    form = schema.of_workspace() if shared else schema.of_server()
    odd = {key: list(_no_json(value, (key,), form)) for key, value in plain.items()}
    yield from (problem for each in odd.values() for problem in each)
    wrong = set()
    for each in Form(form).violations({key: plain[key] for key in plain if not odd[key]}):
        wrong.add(each.path[:1])
        yield _problem(each, form, plain)
    for key, (read, message, hint) in _READ.items():
        try:
            if plain.get(key) and (key,) not in wrong and not odd[key]:
                read(plain[key])
        except ValueError:
            yield Problem(message, hint, (key,))


def _plain(key: str, value: Any) -> Any:
    """A setting's value in JSON types; a further source that is a string becomes a table."""
    if key == "with" and isinstance(value, list | tuple):
        return [{"source": each} if isinstance(each, str) else each for each in value]
    return list(value) if isinstance(value, tuple) else value


def _no_json(value: Any, path: Path, form: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems with values that TOML has and JSON lacks, such as dates."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _no_json(inner, (*path, key), form)
    elif not isinstance(value, str | int) and not (isinstance(value, float) and isfinite(value)):
        hint = "Write dates and times as strings, in quotes."
        yield Problem(f"{_name(path, form)} holds {value}, which JSON cannot express", hint, path)


def _problem(each: Violation, form: Mapping[str, Any], values: Any) -> Problem:
    """Describe a violation in words, with the meaning of the setting as a hint."""
    path, code = each.path, "settings-type" if each.keyword == "type" else "settings-value"
    if each.keyword == "unexpected":
        return _unknown(each, form)
    if rival := _rival(path, form, values):
        message = f"`{rival}` and `{path[-1]}` of {_dotted(path[:-1], form)} exclude each other"
        return Problem(message, _about(path, form), path)
    name = _name(path, form)
    schema = {"description": _about(path, form), **each.schema}
    told = words(replace(each, schema=schema), _TERMS, name)
    message = f"{name} {each.message}" if each.keyword in _LIMITS else told.message
    return Problem(message, told.hint, path, code)


def _name(path: Path, form: Mapping[str, Any]) -> str:
    """The name that messages give the setting at a path."""
    if not path:
        return "the file"
    is_further = path[:1] == ("with",) and len(path) > 1
    dotted = _dotted(path, form, 2 if is_further else 0)
    if is_further and not dotted:
        return "a `[[with]]`"
    name = f"`{dotted}` of `[[with]]`" if is_further else f"`{dotted}`"
    return f"an entry of {name}" if isinstance(path[-1], int) else name


def _unknown(each: Violation, form: Mapping[str, Any]) -> Problem:
    *around, key = each.path
    *_, (_, node) = _steps(around, schema.of_server())
    if key in node.get("properties", ()) or isinstance(node["additionalProperties"], Mapping):
        name = _dotted(each.path, schema.of_server())
        message = f"`{name}` cannot be shared: it belongs to one server"
        return Problem(message, _OF_ONE, each.path, "settings-workspace")
    hint = did_you_mean(str(key), list(each.wants), f"Known keys: {', '.join(each.wants)}.")
    where = f" of {_dotted(around, form)}" if around else ""
    hint += f" {_ABOVE}" if around else ""
    message = f"unknown setting `{key}`{where}"
    return Problem(message, hint, each.path, "settings-unknown-key")


def _rival(path: Path, form: Mapping[str, Any], values: Any) -> str:
    """The key in `values` that excludes the last key of `path`; empty if there is none."""
    *_, (_, around) = _steps(path[:-1], form)
    for key in path[:-1]:
        values = values[key]
    for rule in around.get("allOf", ()):
        (given,) = rule["if"]["required"]
        closed = rule["then"].get("properties", {}).get(path[-1])
        if closed in (False, {"const": False}) and given in values:
            return str(given)
    return ""


def _about(path: Path, form: Mapping[str, Any]) -> str:
    """The last description of a setting on a path; empty if there is none."""
    texts = [node["description"] for _, node in _steps(path, form) if "description" in node]
    return texts[-1] if texts else ""


def _steps(
    path: Iterable[str | int], form: Mapping[str, Any]
) -> Iterator[tuple[str | int, Mapping[str, Any]]]:
    """Each key of a path with the schema that contains it, and then the schema at the end."""
    node: Any = form
    for key in path:
        yield key, node
        inner = node.get("items" if isinstance(key, int) else "additionalProperties")
        for pattern, schema_of_it in node.get("patternProperties", {}).items():
            inner = schema_of_it if re.search(pattern, str(key)) else inner
        node = inner if isinstance(key, int) else node.get("properties", {}).get(key, inner)
        node = node if isinstance(node, Mapping) else {}
    yield "", node


def _dotted(path: Iterable[str | int], form: Mapping[str, Any], start: int = 0) -> str:
    """The keys of a path from index `start`, as in TOML; names that people chose are in quotes."""
    steps = [(key, node) for key, node in _steps(path, form)][start:-1]
    texts = [
        str(key) if key in node.get("properties", ()) and key != EVERY else f'"{key}"'
        for key, node in steps
        if not isinstance(key, int)
    ]
    return "[[with]]" if texts == ["with"] and steps[1:] else ".".join(texts)
