"""Hashes of the types in tools' complete answers, since an advertised schema may be an outline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..api import Api, Schema
from ..hashes import fingerprint
from ..schemas.definitions import Definitions
from ..schemas.subschemas import ANNOTATIONS, references, with_inner

_HASH_LENGTH = 12
_SETS = ("required", "type")
"""Keywords whose lists have no order."""


def of(api: Api) -> dict[str, str]:
    """A hash for each tool whose answer the document describes; it ignores texts and order.

    A hand-written tool has no hash: its author's outputSchema is advertised completely.
    """
    pool = Definitions(api.schemas)
    digests = {key: _digest(schema) for key, schema in api.schemas.items()}
    hashes = {}
    for tool in api.tools:
        if tool.written is None and tool.result is not None:
            reached = sorted(pool.closure(references(tool.result)))
            shape = [tool.shape.redact, tool.shape.fields]
            parts = [_digest(tool.result), [[key, digests[key]] for key in reached], shape]
            hashes[tool.name] = fingerprint(json.dumps(parts), _HASH_LENGTH)
    return hashes


def _digest(schema: Schema) -> str:
    return fingerprint(json.dumps(_types(schema), sort_keys=True), 2 * _HASH_LENGTH)


def _types(schema: Schema) -> Schema:
    """A schema without annotations; lists whose order has no meaning are sorted."""
    if not isinstance(schema, Mapping):
        return schema
    own: dict[str, Any] = {k: v for k, v in schema.items() if k not in ANNOTATIONS}
    for keyword in _SETS:
        if isinstance(own.get(keyword), list):
            own[keyword] = sorted(own[keyword])
    return with_inner(own, _types)
