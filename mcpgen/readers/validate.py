"""Validates a document against OpenAPI's JSON Schema; violations become warnings.

If a document has violations, it is checked in pieces of a few path items or components, so that the
work is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..schemas.violations import Form, Violation
from ..schemas.wording import Terms, correction, words
from ..source.suggestions import QUOTED
from ..text.pointer import escape
from .misspelled_keywords import is_keyword

if TYPE_CHECKING:
    from ..diagnostics import Diagnostics
    from ..source.document import Node

_MAX_FINDINGS = 50
_BATCH_SIZE = 20
_MAPS = ("paths", "webhooks", "definitions", "parameters", "responses", "securityDefinitions")
_LARGE = (*_MAPS, "components")


def findings(root: Any, version: str) -> list[Violation]:
    """The violations of the OpenAPI schema of `version` (`3.1`) in a document, up to a limit."""
    return _form(version).violations(root, _pieces(root))


def report(root: Node, version: str, diagnostics: Diagnostics) -> None:
    """Warn about violations, except where a node or its parent has a warning already."""
    warned = (*diagnostics.warnings, *diagnostics.errors)
    pointers = {item.pointer for item in warned if item.pointer}
    fresh = (each for each in findings(root.value, version) if not _is_known(each.path, pointers))
    for each in islice(fresh, _MAX_FINDINGS):
        message, hint = in_words(each, version)
        diagnostics.warning("specification", message, root.nearest(each.path), hint)
    if next(fresh, None) is not None:
        message = f"more than {_MAX_FINDINGS} places break the specification; "
        diagnostics.note("specification", f"{message}the rest is not listed")


def in_words(violation: Violation, version: str) -> tuple[str, str]:
    """The message about a violation, and the hint."""
    unknown = f"OpenAPI {version} has no `{{}}` here"
    terms = Terms("the document", unknown, is_ours=False)
    said = words(violation, terms)
    hint = _beside(violation) if violation.keyword == "unexpected" else said.hint
    if violation.value is None and violation.path[-1:] == ("$ref",):
        hint = QUOTED
    return said.message, hint


def _beside(violation: Violation) -> str:
    """A hint about an unexpected member: a similar name, or where it belongs."""
    names, holder = violation.wants, violation.value
    if "$ref" in names and "$ref" in holder:
        return "Beside `$ref` it is ignored."
    member = str(violation.path[-1])
    if "schema" in names and "schema" not in holder and is_keyword(member):
        return "It is a keyword of schemas: write it in `schema`."
    return "" if member in names else correction(violation)


def _small(root: dict[str, Any]) -> dict[str, Any]:
    """The smallest valid document of the same OpenAPI version as `root`."""
    key = "openapi" if "openapi" in root else "swagger"
    return {key: root[key], "info": {"title": "", "version": ""}, "paths": {}}


def _pieces(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Parts of `root` as small documents, each valid if `root` is.

    The first is `root` with empty maps; each further one has a few members of one map.
    """
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
    while batch := dict(islice(members, _BATCH_SIZE)):
        yield batch


@cache
def _form(version: str) -> Form:
    """OpenAPI's schema as in openapi-spec-validator, whose import would take 0.2 seconds."""
    spec = find_spec("openapi_spec_validator")
    assert spec is not None
    folder = Path(str(spec.origin)).parent / "resources" / "schemas" / f"v{version}"
    text = (folder / "schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = _static(json.loads(text))
    if version == "3.1":  # the specification allows fields beside the `$ref` of a path item
        schema["$defs"]["path-item"]["properties"]["$ref"] = {"type": "string"}
        schema["$defs"]["path-item-or-reference"] = {"$ref": "#/$defs/path-item"}
    return Form(schema, formats=None)


def _static(value: Any) -> Any:
    """The schema, with its one `$dynamicRef` (to Schema Objects) replaced by a plain reference."""
    if isinstance(value, list):
        return [_static(item) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {"$ref" if k == "$dynamicRef" else k: _static(v) for k, v in value.items()}
    return {**renamed, "$ref": "#/$defs/schema"} if "$dynamicRef" in value else renamed


def _is_known(path: Iterable[str | int], names: set[str]) -> bool:
    pointer = ""
    for token in path:
        pointer += f"/{escape(str(token))}"
        if pointer in names:
            return True
    # What is wrong with the document itself is not what is wrong anywhere in it.
    return pointer != "" and any(other.startswith(pointer + "/") for other in names)
