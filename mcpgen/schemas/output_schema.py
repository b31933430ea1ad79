"""The `outputSchema` of a tool; it must never make a client reject an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..api import Schema
from .cut import Outline, cut, size, stub
from .definitions import Definitions, definitions
from .directions import for_output
from .output_clean import cleaned, undescribed
from .output_join import inlined, joined
from .rules import NOTHING, Rules, types_of
from .subschemas import ANNOTATIONS, children, references, referred_key

_MAX_DEPTH = 32
"""The most nested schemas that clients can be asked to compile, since they recurse."""


def output_schema(
    schema: Schema | None,
    pool: Mapping[str, Schema],
    mode: str = "open",
    max_bytes: int = 512,
) -> dict[str, Any] | None:
    """The output schema of a tool, from the schema of its success answer; None if there is none.

    open: `{"type": "object", "anyOf": [<answer>, {"type": "object"}]}`, so that every answer fits.
    strict: the answer's schema alone. none: no output schema. An answer that is not an object is
    described as `{"result": <answer>}`. A schema larger than `max_bytes` is cut in this order: its
    descriptions; then, from the deepest level up, the types of that level, and after them the
    level's names.
    """
    if schema is None or mode == "none":
        return None
    whole_pool = definitions(pool)
    memo: dict[Any, dict[str, Any] | None] = whole_pool.memo.setdefault("output_schema", {})
    key = (repr(schema), mode, max_bytes)
    if key not in memo:
        memo[key] = _build(schema, whole_pool, mode, max_bytes)
    return memo[key]


def _build(schema: Schema, pool: Definitions, mode: str, max_bytes: int) -> dict[str, Any] | None:
    outgoing, view = for_output(schema, pool)
    types = types_of(outgoing, view)
    answer, answer_pool = cleaned(outgoing, view)
    if _says_nothing(answer, answer_pool):
        return None
    for part, parts in _shorter(answer, answer_pool, max_bytes):
        whole = _root(part, types, mode)
        defs = {key: parts[key] for key in sorted(parts)}
        if mode == "strict":
            whole, defs = _without_reference(whole, defs)
        if defs:
            whole["$defs"] = defs
        if size(whole) <= max_bytes:
            return whole
    return None


def _shorter(
    answer: Schema, pool: Definitions, max_bytes: int
) -> Iterator[tuple[Schema, Mapping[str, Schema]]]:
    """The full schema, then shorter and shorter ones; the caller uses the first that fits."""
    sizes: dict[str, int] = pool.memo.setdefault("size", {})
    total = _weight(answer)
    reached = pool.closure(references(answer))
    for key in reached:
        if key not in sizes:
            sizes[key] = _weight(pool[key])
        total += sizes[key]
        if total > max_bytes:
            break
    if total <= max_bytes:
        yield answer, {key: pool[key] for key in reached}
    bare = pool.view("undescribed", undescribed)
    plain = joined(undescribed(answer), bare)
    view = bare.view("joined", lambda schema: joined(schema, bare))
    whole = cut(plain, view, _MAX_DEPTH, max_bytes)
    if whole is not None:
        yield inlined(whole.schema, whole.defs)
    for outline in _outlines(plain, view, max_bytes):
        yield inlined(outline.schema, outline.defs)
    yield stub(answer, pool), {}
    yield stub(plain, view), {}


def _outlines(schema: Schema, pool: Definitions, room: int) -> Iterator[Outline]:
    """Outlines of a schema, from the largest to the smallest.

    For each number of levels, from the most to one: first with all types; then with only names on
    the last level; then without types too.
    """
    reached: list[Outline | None] = []
    for levels in range(1, _MAX_DEPTH):
        reached.append(cut(schema, pool, levels, room))
        if reached[-1] is None or reached[-1].is_whole:
            break
    for levels in range(len(reached), 0, -1):
        if (typed := reached[levels - 1]) is not None:
            yield typed
        for has_types in (True, False):
            outline = cut(schema, pool, levels, room, names_only=True, has_types=has_types)
            if outline is not None:
                yield outline


def _weight(schema: Schema) -> int:
    """The number of bytes of a schema; larger than any limit if the schema nests too deeply."""
    level: list[Schema] = [schema]
    for _ in range(_MAX_DEPTH):
        level = [inner for part in level if not isinstance(part, bool) for inner in children(part)]
        if not level:
            return size(schema)
    return 1 << 40


def _root(part: Schema, types: set[str], mode: str) -> dict[str, Any]:
    """The schema of the structured content, for an answer of the given types."""
    inside: Schema = {"type": "null"} if types == {"object", "null"} else part
    wrapped = {"type": "object", "properties": {"result": inside}, "required": ["result"]}
    form: Schema
    if types <= {"object"}:
        form = part
    elif "object" in types:
        form = {"anyOf": [part, wrapped]}
    else:
        form = wrapped
    if mode == "open" and form in (True, {}, {"type": "object"}):
        return {"type": "object"}
    if mode == "open":
        return {"type": "object", "anyOf": [form, {"type": "object"}]}
    return {**({} if isinstance(form, bool) else form), "type": "object"}


def _without_reference(
    root: dict[str, Any], defs: dict[str, Schema]
) -> tuple[dict[str, Any], dict[str, Schema]]:
    """The root, with its own `$ref` replaced by the target, and the definitions it still needs."""
    keys: set[str] = set()
    while (key := referred_key(root)) is not None and key in defs and key not in keys:
        keys.add(key)
        target = defs[key]
        beside = {name: value for name, value in root.items() if name not in ("$ref", "type")}
        if beside.keys() - ANNOTATIONS or isinstance(target, bool):
            break
        root = {**target, **beside, "type": "object"}
    closure = Definitions(defs).closure(references(root))
    return root, {key: defs[key] for key in sorted(closure)}


def _says_nothing(schema: Schema, pool: Definitions) -> bool:
    """Whether a schema allows every value, or no value at all."""
    parts = Rules.of(schema, pool).parts
    return all(part is NOTHING or part.keys() <= {"$ref", *ANNOTATIONS} for part, _ in parts)
