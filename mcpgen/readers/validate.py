"""Validates a document against OpenAPI's own schema; violations become located warnings.

Nothing is fetched, and no reference is resolved. A document with violations is checked piece by
piece, some path items or components at a time, so that the work is bounded.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..source.suggestions import QUOTED
from ..text.nearest import nearest
from ..text.pointer import escape
from .misspelled_keywords import is_keyword
from .unexpected_members import KEYWORDS, Broken, expected

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema_rs import ValidationError

    from ..diagnostics import Diagnostics
    from ..source.document import Node

_MAX_FINDINGS = 50
_MAX_KEPT = 2000
_HINTED = 500
"""Findings whose unexpected members are compared with others, which takes a while."""
_BATCH = 20
_MESSAGE = 200
_CONSTANTS = 10
_TOO_FEW = "minProperties"
_ALIKE = 0.66
_BESIDE = "Beside `$ref` it is ignored."
_DIGITS = re.compile(r"\+?[0-9]{1,20}")

_MAPS = ("paths", "webhooks", "definitions", "parameters", "responses", "securityDefinitions")
_LARGE = (*_MAPS, "components")


class Finding(Struct, frozen=True):
    """A violation of the specification, and where it is."""

    path: list[str | int]
    message: str
    hint: str = ""


def findings(root: Any, version: str) -> list[Finding]:
    """The violations of an OpenAPI version's schema (`3.1`) in a document, up to a limit."""
    errors = _findings(_validator(version), root)
    deepest = [_deepest(error) for error in errors]
    broken = Broken((each.instance_path, each.kind.name) for each in deepest)
    empty = {tuple(each.instance_path) for each in deepest if each.kind.name == _TOO_FEW}
    violations: list[Finding] = []
    for error, telling in zip(errors, deepest, strict=True):
        if telling.kind.name != _TOO_FEW and tuple(telling.instance_path) in empty:
            continue  # what it lacks besides says the same again
        if telling.kind.name in KEYWORDS:
            violations += _unexpected(
                telling, broken, root, version, hinted=len(violations) < _HINTED
            )
        elif not _is_elsewhere(telling, root):
            violations.append(_finding(error, telling, root))
    return violations


def report(root: Node, findings: Iterable[Finding], diagnostics: Diagnostics) -> None:
    """Warn about violations, except where something is already warned of at or around the place."""
    warned = (*diagnostics.warnings, *diagnostics.errors)
    pointers = {item.pointer for item in warned if item.pointer}
    fresh = (each for each in findings if not _is_known(each.path, pointers))
    for each in islice(fresh, _MAX_FINDINGS):
        diagnostics.warning("specification", each.message, root.nearest(each.path), each.hint)
    if next(fresh, None) is not None:
        message = f"more than {_MAX_FINDINGS} places break the specification; "
        diagnostics.note("specification", f"{message}the rest is not listed")


def _small(root: dict[str, Any]) -> dict[str, Any]:
    """The smallest valid document of the same version."""
    key = "openapi" if "openapi" in root else "swagger"
    return {key: root[key], "info": {"title": "", "version": ""}, "paths": {}}


def _findings(validator: jsonschema_rs.Validator, root: dict[str, Any]) -> list[ValidationError]:
    """The first violations."""
    if validator.is_valid(root):
        return []
    errors: list[ValidationError] = []
    for piece in _pieces(root):
        errors += islice(validator.iter_errors(piece), _MAX_KEPT)
        if len(errors) > _MAX_KEPT:
            break
    return errors


def _pieces(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Documents that are valid if the whole is: its frame, then members of each map."""
    yield {k: {} if k in _LARGE and isinstance(v, dict) else v for k, v in root.items()}
    small = _small(root)
    for key in _MAPS:
        for members in _batches(root.get(key)):
            yield {**small, key: members}
    components = root.get("components")
    for section, values in components.items() if isinstance(components, dict) else ():
        if not isinstance(values, dict):
            yield {**small, "components": {section: values}}
        for members in _batches(values):
            yield {**small, "components": {section: members}}


def _batches(value: Any) -> Iterator[dict[str, Any]]:
    members = iter(value.items() if isinstance(value, dict) else ())
    while batch := dict(islice(members, _BATCH)):
        yield batch


@cache
def _validator(version: str) -> jsonschema_rs.Validator:
    """The validator; values stay out of its messages, as they may be large or secret."""
    import jsonschema_rs  # of no use for tool files

    return jsonschema_rs.validator_for(_schema(version), mask="this", offline=True)


@cache
def _schema(version: str) -> dict[str, Any]:
    """The schema that openapi-spec-validator ships, without its import of a fifth of a second."""
    spec = find_spec("openapi_spec_validator")
    assert spec is not None
    folder = Path(str(spec.origin)).parent / "resources" / "schemas" / f"v{version}"
    text = (folder / "schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = _static(json.loads(text))
    if version == "3.1":  # the specification allows fields beside the `$ref` of a path item
        schema["$defs"]["path-item"]["properties"]["$ref"] = {"type": "string"}
        schema["$defs"]["path-item-or-reference"] = {"$ref": "#/$defs/path-item"}
    return schema


def _static(value: Any) -> Any:
    """The schema with its one `$dynamicRef`, to Schema Objects, as a reference to OpenAPI's own."""
    if isinstance(value, list):
        return [_static(item) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {"$ref" if k == "$dynamicRef" else k: _static(v) for k, v in value.items()}
    return {**renamed, "$ref": "#/$defs/schema"} if "$dynamicRef" in value else renamed


def _deepest(error: ValidationError) -> ValidationError:
    """The most telling error inside one that only says that no alternative fits.

    That is the deepest of the alternative that was meant, by `_misfit`; a reference was not meant
    if there is no `$ref`.
    """
    while branches := [branch for branch in getattr(error.kind, "context", ()) if branch]:
        branches = [b for b in branches if not any(map(_is_no_reference, b))] or branches
        depth = len(error.instance_path) + 1
        counts = Counter(name for branch in branches for name in _fixed_names(branch))
        misfits = [_misfit(branch, depth, counts) for branch in branches]
        least = min(misfits)
        meant = [branch for branch, each in zip(branches, misfits, strict=True) if each == least]
        inner = [each for branch in meant for each in branch]
        error = max(inner, key=lambda e: (len(e.instance_path), e.kind.name != "required"))
    return error


def _misfit(
    branch: list[ValidationError], depth: int, counts: Mapping[str | int, int]
) -> tuple[int, int, int]:
    """How much speaks against an alternative: the least is what was meant.

    Most of all that members have another constant, such as a parameter's `in`; then that they are
    members by which many alternatives are told apart (`counts`); then the number of its errors.
    """
    names = _fixed_names(branch)
    return sum(_fixed(each, depth) for each in branch), sum(counts[n] for n in names), len(branch)


def _fixed(error: ValidationError, depth: int) -> int:
    """How many members have another constant than is asked for, at least."""
    branches = getattr(error.kind, "context", ())
    if branches:
        return min(sum(_fixed(each, depth) for each in branch) for branch in branches)
    return _is_constant(error) and len(error.instance_path) == depth


def _fixed_names(branch: Iterable[ValidationError]) -> set[str | int]:
    """The members that have another constant than an alternative asks for."""
    return {each.instance_path[-1] for each in branch if _is_constant(each) and each.instance_path}


def _is_constant(error: ValidationError) -> bool:
    return error.kind.name in ("enum", "const")


def _constants(error: ValidationError, path: list[str | int]) -> Iterator[str]:
    """What the alternatives in an error have as constants at a path, as JSON."""
    for branch in getattr(error.kind, "context", ()):
        for each in branch:
            yield from _constants(each, path)
    if _is_constant(error) and list(error.instance_path) == path:
        fields = error.kind.as_dict()
        values = fields["options"] if "options" in fields else [fields["expected_value"]]
        yield from map(json.dumps, values)


def _is_no_reference(error: ValidationError) -> bool:
    return error.kind.name == "required" and error.kind.as_dict()["property"] == "$ref"


def _is_elsewhere(error: ValidationError, root: Any) -> bool:
    """Whether what is required may be where an object refers to, which is told by itself."""
    return error.kind.name == "required" and "$ref" in _followed(error.instance_path, root)[1]


def _unexpected(
    error: ValidationError, broken: Broken, root: Any, version: str, *, hinted: bool
) -> Iterator[Finding]:
    """The members that nothing provides for, each at its own place, up to a limit."""
    path, holder = _followed(error.instance_path, root)
    names = expected(error.schema_path[:-1], _schema(version))
    absent = sorted(names - holder.keys())
    refers = "$ref" in names and "$ref" in holder
    members = broken.unexpected(error.instance_path, error.kind.as_dict()["unexpected"], names)
    for member in islice(members, _MAX_FINDINGS):
        message = _cut(f"OpenAPI {version} has no `{member}` here")
        hint = _meant(member, absent) if hinted and member not in names and not refers else ""
        yield Finding([*path, member], message, _BESIDE if refers else hint)


def _meant(member: str, absent: list[str]) -> str:
    """What was probably meant by a member: one that is absent, or a keyword of a schema."""
    if "schema" in absent and is_keyword(member):
        return "It is a keyword of schemas: write it in `schema`."
    near = nearest(member, absent, _ALIKE)
    return f"Did you mean `{near}`?" if near else ""


def _followed(path: Iterable[str | int], root: Any) -> tuple[list[str | int], Any]:
    """The keys that a path leads through, and the value there; empty names are not in the path."""
    keys: list[str | int] = []
    value = root
    for token in path:
        while (key := _key(value, token)) is None:
            keys.append("")
            value = value[""]
        keys.append(key)
        value = value[key]
    return keys, value


def _key(holder: Any, token: str | int) -> str | int | None:
    """The key that a token of a path stands for, which has names of digits as numbers: 007 as 7.

    None: the token is one of what has the empty name.
    """
    if not isinstance(holder, dict) or token in holder:
        return token
    alike = (key for key in holder if _DIGITS.fullmatch(key) and int(key) == token)
    return str(token) if str(token) in holder else next(alike, None)


def _finding(error: ValidationError, telling: ValidationError, root: Any) -> Finding:
    constants = set(_constants(error, list(telling.instance_path)))
    path, value = _followed(telling.instance_path, root)
    if telling.kind.name == "propertyNames":
        name: ValidationError = telling.kind.as_dict()["error"]
        return Finding(
            [*path, str(name.instance)], f"the name {name.message.removeprefix('this ')}"
        )
    return Finding(path, _message(telling, constants), _hint(telling, value, constants))


def _hint(error: ValidationError, value: Any, constants: set[str]) -> str:
    """How a value is written that is right but for its spelling."""
    if value is None and error.instance_path[-1:] == ["$ref"]:
        return QUOTED
    if _is_constant(error) and isinstance(value, str):
        near = nearest(json.dumps(value), sorted(constants))
        return f"Did you mean {near}?" if near else ""
    types = error.kind.as_dict()["types"] if error.kind.name == "type" else []
    if types == ["boolean"] and isinstance(value, str):
        return "Write true or false, without quotes."
    if types == ["string"] and isinstance(value, bool | int | float):
        return "Write it in quotes."
    return ""


def _message(error: ValidationError, constants: set[str]) -> str:
    if _is_constant(error) and 1 < len(constants) <= _CONSTANTS:
        return f"this is not one of {', '.join(sorted(constants))}"
    if error.kind.name == "type":
        types = error.kind.as_dict()["types"]
        return f"this must be of type {' or '.join(types)}"
    return _cut(error.message)


def _cut(text: str) -> str:
    return text if len(text) <= _MESSAGE else f"{text[:_MESSAGE]}…"


def _is_known(path: list[str | int], names: set[str]) -> bool:
    pointer = ""
    for token in path:
        pointer += f"/{escape(str(token))}"
        if pointer in names:
            return True
    # What is wrong with the document itself is not what is wrong anywhere in it.
    return pointer != "" and any(other.startswith(pointer + "/") for other in names)
