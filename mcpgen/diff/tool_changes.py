"""The changes between two lists of tools, as callers of the tools see them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from ..api import HINTS
from ..catalogue.tools_json import tokens, tokens_in
from ..operations import matching
from ..runtime.values.settings import GROUPS
from . import access, offers, reach
from .anchors import by_pointer
from .changes import Change, Risk
from .reach import Reach
from .schema import Comparison
from .security import Security, security_change
from .shared_definitions import Root, Versions, roots

Wire = Mapping[str, Any]
"""A tool as `tools/list` answers it."""
_RULED = frozenset({"name", "title", "description", "inputSchema", "outputSchema", "annotations"})
"""Members of a tool that rules of their own are for."""


class ToolList(Struct, frozen=True):
    """The tools of a document or a server."""

    name: str
    tools: Sequence[Wire]
    operations: Mapping[str, str] = field(default_factory=dict)
    """What the lock knows each tool by: method and path; empty for a hand-written tool."""
    requests: Mapping[str, str] = field(default_factory=dict)
    """Method and path by hand-written tool, where they are known."""
    security: Mapping[str, Security] | None = None
    """What each tool's call needs; None: not known."""
    schemes: Mapping[str, str] = field(default_factory=dict)
    """What kind of credential each security scheme takes."""
    places: Mapping[str, str] = field(default_factory=dict)
    """File, line and column of each tool, in a document or a handler, where they are known."""
    areas: Mapping[str, str] = field(default_factory=dict)
    """What each tool belongs to: a tag, or a module of handlers."""
    server: str = ""
    """The name that the server has, or will have."""
    mcpgen: str = ""
    """The version that generated the server; empty for a document."""
    reader: str = ""
    """What a generation reads it as, openapi or tools; empty for what none is made from."""
    instructions: str | None = None
    """What agents are told of the server as a whole; None: not known."""
    advertised: Sequence[Wire] | None = None
    """What a server lists, where `tools` says more."""
    prompts: Sequence[Wire] | None = None
    """As `prompts/list` answers them; None: not known."""
    resources: Sequence[Wire] | None = None
    """With the templates of resources; None: not known."""

    surface: str = ""
    """How a server shows its tools, tools or search; empty: not known."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """How the tools that answer in pages do so: cursor, page, offset or url."""
    reach: Reach | None = None
    """Where calls and credentials go; None: not known."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """Hashes of the types of whole answers, by tool, where those are known."""
    scopes: access.Scopes | None = None
    """What callers of a server need over HTTP; None: not known."""

    @property
    def listed(self) -> Sequence[Wire]:
        """The tools that clients see; on the search surface, its own tools and the pinned ones."""
        if self.surface == "search" and self.advertised is not None:
            return self.advertised
        return self.tools

    def operation_of(self, tool: Wire) -> str:
        """Method and path of a tool, if they are known."""
        name = tool["name"]
        return self.requests.get(name) or self.operations.get(name, "")

    @property
    def tokens(self) -> int:
        """About how many tokens the list of tools costs an agent."""
        return tokens(self.tools if self.advertised is None else self.advertised)

    @property
    def tokens_of_all(self) -> int:
        """About how many tokens all tools cost, also those that clients find only by search."""
        return self.tokens if self.listed is self.tools else tokens(self.tools)


class Diff(Struct, frozen=True):
    """All changes between two lists of tools."""

    old: ToolList
    new: ToolList
    changes: tuple[Change, ...]

    def of(self, risk: Risk) -> tuple[Change, ...]:
        """The changes with the given risk."""
        return tuple(change for change in self.changes if change.risk is risk)


class _Roots(Struct, frozen=True):
    """The input and output schema of a tool."""

    input: Root
    output: Root | None


def compare(old: ToolList, new: ToolList) -> Diff:
    """Compare two lists of tools."""
    return Diff(old, new, tuple(_changes(old, new)))


def _changes(old: ToolList, new: ToolList) -> Iterator[Change]:
    before = {tool["name"]: tool for tool in old.tools}
    after = {tool["name"]: tool for tool in new.tools}
    schemas = _rooted(old.tools), _rooted(new.tools)
    yield from _surface(old, new)
    yield from _instructions(old, new)
    if old.reach is not None and new.reach is not None:
        yield from reach.changes(old.reach, new.reach)
    yield from _replaced(old, new)
    renamed = dict(_renamed(old, new, before, after))
    for name, tool in before.items():
        now = renamed.get(name, name)
        if name in renamed:
            yield Change("tool-renamed", name, detail=f"now {now}")
        elif name not in after:
            yield Change("tool-removed", name)
            continue
        yield from _tool(tool, after[now], now)
        yield from _schemas(tool, after[now], schemas[0][name], schemas[1][now])
        yield from _security(old, new, name, now)
    for name in after:
        if name not in before and name not in renamed.values():
            yield Change("tool-added", name)
    if old.scopes is not None and new.scopes is not None:
        there = {renamed.get(name, name) for name in before} & after.keys()
        yield from access.changes(
            {
                now: ways
                for name, ways in old.scopes.items()
                if (now := renamed.get(name, name)) in there or name not in before
            },
            {name: ways for name, ways in new.scopes.items() if name in there or name not in after},
        )
    yield from offers.order(list(before), list(after), "")
    for compared, was, now in (
        (offers.prompts, old.prompts, new.prompts),
        (offers.resources, old.resources, new.resources),
    ):
        if was is not None and now is not None:
            yield from compared(was, now)


def _surface(old: ToolList, new: ToolList) -> Iterator[Change]:
    if old.surface and new.surface and old.surface != new.surface:
        yield Change("surface-changed", "", detail=f"{old.surface} -> {new.surface}")


def _instructions(old: ToolList, new: ToolList) -> Iterator[Change]:
    before, after = old.instructions, new.instructions
    if before is not None and after is not None and before != after:
        detail = f"about {tokens_in(before):,} -> {tokens_in(after):,} tokens"
        yield Change("instructions-changed", "", detail=detail)


def _renamed(
    old: ToolList, new: ToolList, before: Mapping[str, Wire], after: Mapping[str, Wire]
) -> Iterator[tuple[str, str]]:
    """Each removed tool that has only been renamed, with its new name."""
    free = {name: tool for name, tool in after.items() if name not in before}
    by_operation = {op: name for name, op in new.operations.items() if name in free}
    same_operations = matching.same(old.operations.values(), new.operations.values())
    by_content: dict[str, list[str]] = {}
    for name, tool in free.items():
        by_content.setdefault(_content(tool), []).append(name)
    for name, tool in before.items():
        if name in after:
            continue
        operation = old.operations.get(name)
        if operation is not None and new.operations:
            now = by_operation.get(same_operations.get(operation, ""))
        else:
            same = [other for other in by_content.get(_content(tool), ()) if other in free]
            now = same[0] if len(same) == 1 else None
        if now is not None and now in free:
            del free[now]
            yield name, now


def _replaced(old: ToolList, new: ToolList) -> Iterator[Change]:
    """A change for each tool that has exchanged its operation with another tool.

    The other tool now has this tool's old operation, or had its new one before. After any other
    change of method or path, it may still be the same operation, so nothing is reported.
    """
    before, after = set(old.operations.values()), set(new.operations.values())
    for name, was in old.operations.items():
        now = new.operations.get(name)
        if was and now and was != now and (was in after or now in before):
            yield Change("tool-replaced", name, detail=f"{was} -> {now}")


def _content(tool: Wire) -> str:
    parts = [tool.get(key) for key in ("description", "inputSchema", "outputSchema")]
    return json.dumps(parts, sort_keys=True)


def _tool(old: Wire, new: Wire, name: str) -> Iterator[Change]:
    others = [key for key in sorted((old.keys() | new.keys()) - _RULED) if _differ(old, new, key)]
    if others:
        yield Change("tool-changed", name, detail=", ".join(others))
    if old.get("title") != new.get("title"):
        texts = old.get("title") or "", new.get("title") or ""
        yield Change("title-changed", name, texts=texts)
    if old.get("description", "") != new.get("description", ""):
        texts = old.get("description") or "", new.get("description") or ""
        yield Change("description-changed", name, texts=texts)
    yield from _annotations(old, new, name)


def _differ(old: Wire, new: Wire, key: str) -> bool:
    values = [tool.get(key) for tool in (old, new)]
    if key == "_meta":  # a document has no groups, nor has a server of an older mcpgen
        metas = [value or {} for value in values]
        told = all(GROUPS in meta for meta in metas)
        values = [{k: v for k, v in meta.items() if told or k != GROUPS} for meta in metas]
    one, other = (json.dumps(value, sort_keys=True) for value in values)
    return one != other


def _rooted(tools: Sequence[Wire]) -> dict[str, _Roots]:
    """The schemas of each tool; inputs and outputs have separate definitions."""
    described = [tool for tool in tools if tool.get("outputSchema") is not None]
    inputs = roots(by_pointer(tool["inputSchema"]) for tool in tools)
    outputs = roots(by_pointer(_described(tool["outputSchema"])) for tool in described)
    answers = {tool["name"]: root for tool, root in zip(described, outputs, strict=True)}
    pairs = ((tool["name"], root) for tool, root in zip(tools, inputs, strict=True))
    return {name: _Roots(root, answers.get(name)) for name, root in pairs}


def _schemas(old: Wire, new: Wire, before: _Roots, after: _Roots) -> Iterator[Change]:
    name = new["name"]
    compared = Comparison(Versions(before.input, after.input), output=False).changes()
    changes = [Change(code, name, where, detail) for code, where, detail in compared]
    changes += _output(before.output, after.output, name)
    one, other = (list(tool["inputSchema"].get("properties", ())) for tool in (old, new))
    changes += offers.order(one, other, name)
    changes = _with_renamed(changes, old, new)
    yield from changes
    if not changes and any(_differ(old, new, key) for key in ("inputSchema", "outputSchema")):
        yield Change("schema-rewritten", name)


def _with_renamed(changes: list[Change], old: Wire, new: Wire) -> list[Change]:
    """The changes, where a removed and an added argument with the same schema count as renamed."""
    one, other = (tool["inputSchema"].get("properties", {}) for tool in (old, new))
    gone = _by_schema({name: one[name] for name in one if name not in other})
    come = _by_schema({name: other[name] for name in other if name not in one})
    places = dict.fromkeys(c.where for c in changes if c.code.startswith("argument-"))
    for schema, names in gone.items():
        now = come.get(schema, [])
        if len(names) != 1 or len(now) != 1 or not {names[0], now[0]} <= places.keys():
            continue
        required = names[0] in old["inputSchema"].get("required", ())
        old_changes = {("argument-removed", names[0]), ("argument-undeclared", names[0])}
        old_changes |= {("argument-added", now[0])}
        old_changes |= {("argument-required", now[0])} if required else set()
        changes = [each for each in changes if (each.code, each.where) not in old_changes]
        detail = f"now {now[0]}"
        changes = [Change("argument-renamed", new["name"], names[0], detail), *changes]
    return changes


def _by_schema(arguments: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of arguments by their schemas, compared without titles."""
    names: dict[str, list[str]] = {}
    for name, schema in arguments.items():
        content = (
            {k: v for k, v in schema.items() if k != "title"}
            if isinstance(schema, dict)
            else schema
        )
        names.setdefault(json.dumps(content, sort_keys=True), []).append(name)
    return names


def _annotations(old: Wire, new: Wire, name: str) -> Iterator[Change]:
    before, after = old.get("annotations", {}), new.get("annotations", {})
    for hint in [*HINTS, *sorted((before.keys() | after.keys()) - set(HINTS))]:
        one, other = before.get(hint), after.get(hint)
        if one != other:
            detail = f"{json.dumps(one)} -> {json.dumps(other)}"
            code = "title-changed" if hint == "title" else "annotation-changed"
            yield Change(code, name, hint, detail)


def _output(old: Root | None, new: Root | None, name: str) -> Iterator[Change]:
    if old is None or new is None:
        if old is not new:
            yield Change(f"output-schema-{'added' if old is None else 'removed'}", name)
        return
    changes = Comparison(Versions(old, new), output=True).changes()
    yield from (Change(code, name, where, detail) for code, where, detail in changes)


def _described(schema: Wire) -> Wire:
    """The schema of the answer in an outputSchema, without the alternative `{"type": "object"}`.

    If the answer can be something other than an object, it is described twice: as it is, and under
    `result`. The first description is returned.
    """
    match schema.get("anyOf"):
        case [Mapping() as first, {"type": "object", **others}] if not others:
            properties = {**first.get("properties", {}), **schema.get("properties", {})}
            inner = {**first, "properties": properties} if "properties" in schema else first
        case _:
            inner = schema
    match inner.get("anyOf"):
        case [Mapping() as first, other] if other in (_result(first), _result({"type": "null"})):
            inner = first
    return {**inner, "$defs": schema.get("$defs", inner.get("$defs", {}))}


def _result(schema: Wire) -> Wire:
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


def _security(old: ToolList, new: ToolList, name: str, now: str) -> Iterator[Change]:
    if old.security is None or new.security is None:
        return
    other = {k for k, kind in old.schemes.items() if new.schemes.get(k, kind) != kind}
    before = _of_kinds(old.security.get(name, ()), old.schemes, other)
    after = _of_kinds(new.security.get(now, ()), new.schemes, other)
    if before != after:
        yield security_change(now, "", before, after)


def _of_kinds(security: Security, schemes: Mapping[str, str], other: Collection[str]) -> Security:
    """A copy of `security`; scheme names that are in `other` get the kind of credential added."""
    names = {key: f"{key}: {schemes[key]}" for key in other}
    return tuple({names.get(key, key): scopes for key, scopes in way.items()} for way in security)
