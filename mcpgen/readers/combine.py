"""Combines several sources into one API; tools with equal names get distinct names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..api import Api, Argument, Offer, Schema, Tool
from ..diagnostics import Diagnostics
from ..hashes import NAME_LENGTH, folded, with_hash
from ..lock import Lock, operation
from ..operations.matching import same
from ..schemas.renaming import renamed


class Part(Struct, frozen=True):
    """One source's contribution to the combined API."""

    name: str
    """The name that identifies the source; for a further source it is the key of its API."""
    api: Api
    prefix: str = ""
    """The prefix of the tools' names."""
    is_first: bool = False

    @property
    def key(self) -> str:
        """The key of this source's API; empty for the first source."""
        return "" if self.is_first else self.name


def combine(parts: list[Part], kept_names: Mapping[str, str], diagnostics: Diagnostics) -> Api:
    """All sources' tools as one API; `kept_names` maps the lock's operations to tool names."""
    first, *others = parts
    if not others and not first.prefix:
        return first.api
    tools: list[Tool] = []
    schemas: dict[str, Schema] = {}
    for part in parts:
        keys = _new_keys(part, schemas)
        schemas |= {keys.get(k, k): renamed(s, keys) for k, s in part.api.schemas.items()}
        tools += [_taken_in(tool, part, keys) for tool in part.api.tools]
    return replace(
        first.api,
        tools=tuple(_apart(tools, {p.key: p.name for p in parts}, kept_names, diagnostics)),
        list_changed=any(part.api.list_changed for part in parts),
        resources=_resources(parts, diagnostics),
        prompts=_prompts(parts, diagnostics),
        skipped=tuple(replace(s, api=part.key) for part in parts for s in part.api.skipped),
        filters={k: v for part in parts for k, v in _filters(part).items()},
        schemas=schemas,
        further={p.key: _bare(p.api) for p in others if p.api.is_called},
    )


def _bare(api: Api) -> Api:
    """The API without what is combined from all sources, such as tools and schemas."""
    return replace(api, tools=(), resources=(), prompts=(), skipped=(), filters={}, schemas={})


def _filters(part: Part) -> Mapping[str, str]:
    """A source's filters and the operations they name; both are prefixed with the source's key."""
    if not part.key:
        return part.api.filters
    return {f"{part.key} {k}": f"{part.key} {v}" for k, v in part.api.filters.items()}


def _resources(parts: list[Part], diagnostics: Diagnostics) -> tuple[Offer, ...]:
    """The resources of all sources; where two have the same URI, the first source's is kept."""
    resources: dict[str, Offer] = {}
    for part in parts:
        for offer in part.api.resources:
            if offer.key in resources:
                message = f"two sources have `{offer.key}`; that of `{part.name}` is left out"
                diagnostics.warning("duplicate-entry", message)
                continue
            resources[offer.key] = _asking(offer, part)
    return tuple(resources.values())


def _prompts(parts: list[Part], diagnostics: Diagnostics) -> tuple[Offer, ...]:
    """The prompts of all sources; where two have the same name, one is renamed."""
    prompts: dict[str, Offer] = {}
    for part in parts:
        for offer in part.api.prompts:
            name = part.prefix + offer.key
            if name in prompts:
                name = f"{part.name}_{name}"
                while name in prompts:
                    name += "_"
                message = f"two sources have a prompt `{offer.key}`; that of `{part.name}` is now"
                hint = "Give one of the sources a `prefix` in mcpgen.toml."
                diagnostics.note("prompt-name", f"{message} `{name}`", hint=hint)
            written = {**offer.written, "name": name}
            prompts[name] = replace(_asking(offer, part), key=name, name=name, written=written)
    return tuple(prompts.values())


def _asking(offer: Offer, part: Part) -> Offer:
    """A copy of the resource or prompt that sends its request to the API of its source."""
    return replace(offer, function=offer.function and replace(offer.function, api=part.key))


def lock_part(old_lock: Lock, names: Mapping[str, str], key: str, prefix: str) -> Lock:
    """The entries of a lock for one source, as if that source were the only one.

    `names` maps operations to the names of tools. `key` and `prefix` are the key and the name
    prefix of the source.
    """
    start = f"{key} " if key else ""
    return replace(
        old_lock,
        tools={
            place.removeprefix(start): name.removeprefix(prefix)
            for place, name in names.items()
            if _is_of(key, place)
        },
        arguments={
            place.removeprefix(start): argument_names
            for place, argument_names in old_lock.arguments.items()
            if _is_of(key, place)
        },
        filters={
            name.removeprefix(start): place.removeprefix(start)
            for name, place in old_lock.filters.items()
            if _is_of(key, place)
        },
    )


def lasting_keys(
    titles: Sequence[str], paths: Mapping[int, Set[str]], claims: Set[str], old_lock: Lock
) -> dict[int, str]:
    """For each source, by index: the key that it keeps from the lock even if its title changes.

    A source keeps a key if it has more than half of the paths that the lock has under that key.
    `paths` are those of the sources without a configured name, by index. `titles` are the keys made
    from the titles of all sources; these keys are tried first. `claims` are the configured names,
    which no other source gets.
    """
    before: dict[str, set[str]] = {}
    for place in old_lock.tools:
        name, _, own = place.partition(" ")
        if not name.isupper() and name not in claims:
            before.setdefault(name, set()).add(own.partition(" ")[2])
    keys: dict[int, str] = {}
    by_title = [(at, titles[at]) for at in paths]
    for at, name in [*by_title, *product(paths, before)]:
        there = before.get(name, set())
        if at in keys or name in keys.values():
            continue
        if 2 * len(same(there, paths[at])) > len(there):
            keys[at] = name
    return keys


def _is_of(key: str, operation: str) -> bool:
    """Whether an operation in the lock belongs to the API whose key is `key`.

    The lock has `KEY METHOD path`, or `METHOD path` for the API without a key.
    """
    head = operation.partition(" ")[0]
    return key == ("" if head.isupper() else head)


def _new_keys(part: Part, pool: Mapping[str, Schema]) -> dict[str, str]:
    """New keys for a source's schemas whose keys are already in use."""
    keys: dict[str, str] = {}
    for name in part.api.schemas:
        if name in pool:
            keys[name] = f"{part.name}.{name}"
            while keys[name] in pool or keys[name] in part.api.schemas:
                keys[name] += "_"
    return keys


def _taken_in(tool: Tool, part: Part, keys: Mapping[str, str]) -> Tool:
    """A copy of a source's tool, with its name, tag and references in the combined API."""
    name = _prefixed(tool, part.prefix)
    tool = _called(tool, name)
    if part.key:
        tool = replace(tool, api=part.key, tag=f"{part.key}/{tool.tag}")
    return _with_schemas(tool, keys) if keys else tool


def _prefixed(tool: Tool, prefix: str) -> str:
    name = prefix + tool.name
    is_ours = tool.written is None
    return with_hash(name, operation(tool)) if is_ours and len(name) > NAME_LENGTH else name


def _called(tool: Tool, name: str) -> Tool:
    if name == tool.name:
        return tool
    written = tool.written and {**tool.written, "name": name}
    return replace(tool, name=name, written=written)


def _with_schemas(tool: Tool, keys: Mapping[str, str]) -> Tool:
    def argument(original: Argument) -> Argument:
        of = keys.get(original.of, original.of)
        return replace(original, schema=renamed(original.schema, keys), of=of)

    def result(original: Schema | None) -> Schema | None:
        return None if original is None else renamed(original, keys)

    return replace(
        tool,
        arguments=tuple(argument(a) for a in tool.arguments),
        fixed=tuple(replace(f, argument=argument(f.argument)) for f in tool.fixed),
        input_schema=_object(tool.input_schema, keys),
        output_schema=None if tool.output_schema is None else _object(tool.output_schema, keys),
        result=result(tool.result),
        representations=tuple(
            replace(each, result=result(each.result)) for each in tool.representations
        ),
    )


def _object(schema: Mapping[str, Any], keys: Mapping[str, str]) -> Mapping[str, Any]:
    changed = renamed(schema, keys)
    assert isinstance(changed, Mapping)
    return changed


def _apart(
    tools: list[Tool],
    sources: Mapping[str, str],
    kept_names: Mapping[str, str],
    diagnostics: Diagnostics,
) -> list[Tool]:
    """The tools, renamed where two sources use the same name, or names that clients confuse.

    A tool whose name is in the lock keeps it. Otherwise the first source's tool keeps the name.
    """
    tools = [_as_before(tool, sources[tool.api], kept_names) for tool in tools]
    locked = {t.name: t for t in tools if kept_names.get(operation(t)) == t.name}
    by_name = {folded(t.name): t for t in [*reversed(tools), *locked.values()]}
    names = set(by_name)
    distinct = []
    for tool in tools:
        twin = by_name[folded(tool.name)]
        if twin.api != tool.api and locked.get(tool.name) is not tool:
            source = sources[tool.api]
            name, hashed = _own_names(tool, source)
            if folded(name) in names or len(name) > NAME_LENGTH:
                name = hashed
            names.add(folded(name))
            both = f"a tool `{tool.name}`"
            if twin.name != tool.name:
                both = f"tools that clients may take for one, `{twin.name}` and `{tool.name}`"
            message = f"two sources have {both}; that of `{source}` is now `{name}`"
            hint = "Give one of the sources a `prefix` in mcpgen.toml."
            diagnostics.note("tool-name", message, hint=hint)
            tool = _called(tool, name)
        distinct.append(tool)
    return distinct


def _as_before(tool: Tool, source: str, kept_names: Mapping[str, str]) -> Tool:
    """The tool; it keeps its name from the lock if that name was made with the source's name."""
    before = kept_names.get(operation(tool))
    return _called(tool, before) if before in _own_names(tool, source) else tool


def _own_names(tool: Tool, source: str) -> tuple[str, str]:
    """Two unique names for a tool: with the source's name, and with that name and a hash.

    The hash of a hand-written tool is made from its name, since its pointer depends on the tools
    before it.
    """
    name = f"{source}_{tool.name}"
    return name, with_hash(name, tool.pointer if tool.written is None else tool.name)
