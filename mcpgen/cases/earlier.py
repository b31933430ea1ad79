"""The tests' cases of an earlier run, for the tools that are as they were.

Tools are in groups by their names, so that a lock keeps a key for each group and not for each tool.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticSerializationError, to_json

from .. import __version__
from ..api import Api
from ..schemas.definitions import definitions
from ..schemas.subschemas import references

if TYPE_CHECKING:
    from .tool_cases import EnvironmentNames

GROUPS = 64


@dataclass(frozen=True)
class Earlier:
    """What an earlier run made for some tools, by their names."""

    answers: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    cases: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    """All but the choice of credentials."""
    untested: Mapping[str, str] = field(default_factory=dict)


def keys(api: Api, names: EnvironmentNames) -> dict[str, str]:
    """For each group of tools the hash of all that its answers and cases are made from."""
    pool = definitions(api.schemas)
    digests = {key: hashlib.sha256(_bytes(schema)).digest() for key, schema in pool.items()}
    parts = [
        (key, part.servers, part.security_schemes, part.security, names.apis[key])
        for key, part in {"": api, **api.further}.items()
    ]
    shared = _bytes([__version__, parts])
    groups: dict[str, Any] = {}
    for tool in sorted(api.tools, key=lambda tool: tool.name):
        whole = groups.setdefault(_group(tool.name), hashlib.sha256(shared))
        whole.update(_bytes(tool))
        if tool.result is not None:
            for key in sorted(pool.closure(references(tool.result))):
                whole.update(digests[key])
    return {group: groups[group].hexdigest()[:16] for group in sorted(groups)}


def earlier(
    answers: str, cases: str, known: Mapping[str, str], now: Mapping[str, str], api: Api
) -> Earlier:
    """Read the texts of `mock.json` and `cases.json` for the tools whose groups have kept keys."""
    same = {t.name for t in api.tools if known.get(_group(t.name)) == now[_group(t.name)]}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in same}
    data = json.loads(cases)
    for case in data["cases"]:
        if case["tool"] in same and case["kind"] != "security":
            found[case["tool"]].append(case)
    return Earlier(
        {name: answer for name, answer in json.loads(answers).items() if name in same},
        found,
        {name: reason for name, reason in data["untested"].items() if name in same},
    )


def _group(name: str) -> str:
    return f"cases {hashlib.sha256(name.encode()).digest()[0] % GROUPS:02}"


def _bytes(value: Any) -> bytes:
    try:
        return to_json(value, inf_nan_mode="constants")
    except PydanticSerializationError:  # a lone surrogate
        return repr(value).encode("utf-8", "surrogatepass")
