"""Reusing the test cases of an earlier run for tools that have not changed.

Tools are grouped by a hash of their names, so that the lock keeps one key per group, not per tool.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Set
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from .. import __version__
from ..api import Api
from ..sameness import identical
from ..schemas.definitions import definitions
from ..schemas.subschemas import references
from .mock_answers import answers_in

if TYPE_CHECKING:
    from ..naming import Names

GROUPS = 64

_TOOL, _KIND = b'{"tool": "', b'", "kind": "'
"""What stands before the name in a case's line, and between it and the kind."""
_SECURITY, _REQUIRED = (b'%b%b"' % (_KIND, kind) for kind in (b"security", b"required"))
_BETWEEN, _END = b",\n", b"\n]}\n"
"""What stands between the lines of two cases, and behind the last."""


class Written(Struct, frozen=True):
    """The test cases of a tool: where they stand in the text of `cases.json`."""

    data: bytes = b""
    start: int = 0
    end: int = 0

    @property
    def text(self) -> memoryview:
        """The lines of the cases."""
        return memoryview(self.data)[self.start : self.end]

    @property
    def is_callable(self) -> bool:
        """Whether one of them has the fewest arguments."""
        return self._least >= 0

    @property
    def least(self) -> dict[str, Any]:
        """The arguments of that case; empty if there is none."""
        kind = self._least
        if kind < 0:
            return {}
        start = self.data.rindex(b"\n", 0, kind) + 1
        end = self.data.find(_BETWEEN, kind, self.end)
        line = self.data[start : end if end >= 0 else self.end]
        found: dict[str, Any] = json.loads(line)["arguments"]
        return found

    @property
    def _least(self) -> int:
        return self.data.find(_REQUIRED, self.start, self.end)


NO_CASES = Written()


class Earlier(Struct, frozen=True):
    """Answers and cases that an earlier run made, by tool name."""

    answers: Mapping[str, memoryview] = field(default_factory=dict)
    """Each with its name, as it stands in `mock.json`."""
    cases: Mapping[str, Written] = field(default_factory=dict)
    """Without the cases that try credentials, which belong to no single tool."""
    untested: Mapping[str, str] = field(default_factory=dict)


class Basis(Struct, frozen=True):
    """The inputs of an earlier run, and the keys it computed from them."""

    api: Api
    names: Names
    keys: Mapping[str, str]

    def same(self, api: Api, names: Names) -> set[str]:
        """The names of the tools whose answers and cases would come out the same."""
        same_schemas = identical(api.schemas, self.api.schemas)
        if not same_schemas or _shared(api, names) != _shared(self.api, self.names):
            return set()
        old = {tool.name: tool for tool in self.api.tools}
        return {tool.name for tool in api.tools if identical(old.get(tool.name), tool)}


def keys(
    api: Api, names: Names, before: Basis | None = None, same: Set[str] = frozenset()
) -> dict[str, str]:
    """For each group, the hash of everything that its tools' answers and cases are made from.

    A group whose tools are all in `same` takes its key from `before`.
    """
    found = {} if before is None else _unchanged(api, before, same)
    pool = definitions(api.schemas)
    shared = _shared(api, names)
    groups: dict[str, Any] = {}
    digests: dict[str, bytes] = {}
    for tool in sorted(api.tools, key=lambda tool: tool.name):
        group = _group(tool.name)
        if group in found:
            continue
        whole = groups.setdefault(group, hashlib.sha256(shared))
        whole.update(_bytes(tool))
        if tool.result is not None:
            for key in sorted(pool.closure(references(tool.result))):
                if key not in digests:
                    digests[key] = hashlib.sha256(_bytes(pool[key])).digest()
                whole.update(digests[key])
    made = {group: whole.hexdigest()[:16] for group, whole in groups.items()}
    return dict(sorted({**found, **made}.items()))


def _shared(api: Api, names: Names) -> bytes:
    """The inputs that the cases of all tools depend on."""
    parts = [
        (key, part.servers, part.security_schemes, part.security, names.apis[key])
        for key, part in {"": api, **api.further}.items()
    ]
    return _bytes([__version__, parts])


def _unchanged(api: Api, before: Basis, same: Set[str]) -> dict[str, str]:
    """The keys of the groups in which no tool changed, came or went."""
    names = {tool.name for each in (before.api, api) for tool in each.tools}
    groups = {_group(name) for name in same} - {_group(name) for name in names - same}
    return {group: before.keys[group] for group in groups & before.keys.keys()}


def earlier(
    data: tuple[bytes, bytes],
    known: Mapping[str, str],
    now: Mapping[str, str],
    api: Api,
    same: Set[str] = frozenset(),
) -> Earlier:
    """Read `mock.json` and `cases.json`, for tools in `same` or in an unchanged group."""
    answers, cases = data
    same |= {t.name for t in api.tools if known.get(_group(t.name)) == now[_group(t.name)]}
    head = cases[: cases.index(b"\n")]
    found = _written(cases, len(head) + 1)
    return Earlier(
        {name: answer for name, answer in answers_in(answers) if name in same},
        {name: found.get(name, NO_CASES) for name in same},
        {n: reason for n, reason in json.loads(head + b"]}")["untested"].items() if n in same},
    )


def _written(data: bytes, start: int) -> dict[str, Written]:
    """The cases of each tool, without those that try credentials, which come last."""
    found: dict[bytes, tuple[int, int]] = {}
    while data.startswith(_TOOL, start):
        kind = data.index(_KIND, start)
        if data.startswith(_SECURITY, kind):
            break
        name = data[start + len(_TOOL) : kind]
        end = data.find(_BETWEEN, kind)
        end = end if end >= 0 else len(data) - len(_END)
        found[name] = found.get(name, (start,))[0], end
        start = end + len(_BETWEEN)
    return {
        json.loads(b'"%b"' % name) if b"\\" in name else name.decode(): Written(data, *span)
        for name, span in found.items()
    }


@lru_cache(10_000)
def _group(name: str) -> str:
    return f"cases {hashlib.sha256(name.encode()).digest()[0] % GROUPS:02}"


def _bytes(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except (TypeError, ValueError):  # a lone surrogate
        return repr(value).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else repr(value)
