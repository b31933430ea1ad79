"""Two versions of a JSON Schema compared: what is accepted, or answered, now and was not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_ALL = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_WORDS = frozenset(
    {"title", "description", "examples", "example", "deprecated", "$comment", "$defs", "$schema",
     "$id", "readOnly", "writeOnly", "externalDocs", "xml", "discriminator"}
)  # fmt: skip
_COMPARED = frozenset(
    {"type", "enum", "const", "properties", "required", "additionalProperties", "items", "default",
     "prefixItems", "pattern", "format", "uniqueItems", "multipleOf", "anyOf", "oneOf", "allOf",
     "$ref", "dependentRequired", *_LOWER, *_UPPER}
)  # fmt: skip

Found = Iterator[tuple[str, str, str]]
"""Code, place and detail of each change."""


class Comparison:
    """Compares two roots; `output`: they say what is answered, else what is accepted."""

    def __init__(
        self,
        old: Any,
        new: Any,
        *,
        output: bool,
        decided: dict[tuple[str, str], bool] | None = None,
    ) -> None:
        self._old = old
        self._new = new
        self._output = output
        # Two forms that hold themselves are the same as long as nothing else tells them apart.
        self._decided = {} if decided is None else decided
        self._seen: set[tuple[str, str]] = set()

    def changes(self) -> Found:
        """Every change between the two roots."""
        yield from self._compare(_shape(self._old, self._old), _shape(self._new, self._new), "")

    def _schemas(self, old: Any, new: Any, where: str) -> Found:
        pair = (json.dumps(old, sort_keys=True), json.dumps(new, sort_keys=True))
        if pair in self._seen:
            return
        self._seen.add(pair)
        yield from self._compare(_shape(old, self._old), _shape(new, self._new), where)

    def _compare(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        yield from self._types(old, new, where)
        if self._output and _is_bare(new) and not _is_bare(old):
            yield "output-shortened", where, ""
            return
        yield from self._values(old, new, where)
        if not self._output:
            yield from _limits(old, new, where)
            yield from _forms(old, new, where)
        yield from self._properties(old, new, where)
        yield from self._items(old, new, where)
        yield from self._branches(old, new, where)
        yield from self._rest(old, new, where)
        silent = self._output and "description" not in new
        if where and not silent and old.get("description", "") != new.get("description", ""):
            yield "argument-description-changed", where, ""

    def _types(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        before, after = _types(old), _types(new)
        lost, gained = before - after, after - before
        detail = f"{_listed(before)} -> {_listed(after)}"
        if self._output:
            if gained == {"null"}:
                yield "output-optional", where, detail
            elif gained:
                yield "output-type-changed", where, detail
            elif lost:
                yield "output-narrowed", where, detail
        elif lost:
            yield "input-narrowed", where, detail
        elif gained:
            yield "input-widened", where, detail

    def _values(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        before, after = _enum(old), _enum(new)
        if before == after:
            return
        lost = before is None or (after is not None and bool(before - after))
        gained = after is None or (before is not None and bool(after - before))
        gone = "" if before is None or after is None else ", ".join(sorted(before - after))
        come = "" if before is None or after is None else ", ".join(sorted(after - before))
        detail = "; ".join(x for x in (gone and f"without {gone}", come and f"with {come}") if x)
        if self._output:
            yield ("output-widened" if gained else "output-narrowed"), where, detail
        else:
            yield ("input-narrowed" if lost else "input-widened"), where, detail or "enum"

    def _properties(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        before, after = old.get("properties", {}), new.get("properties", {})
        needed, needs = set(old.get("required", ())), set(new.get("required", ()))
        closed = new.get("additionalProperties") is False
        for name in before:
            at = f"{where}.{name}" if where else name
            if name in after:
                yield from self._schemas(before[name], after[name], at)
                yield from self._default(before[name], after[name], at)
            elif self._output:
                yield "output-removed", at, ""
            else:
                yield ("argument-removed" if closed else "argument-undeclared"), at, ""
        for name in after:
            at = f"{where}.{name}" if where else name
            if name not in before:
                if self._output:
                    yield "output-added", at, ""
                else:
                    yield ("argument-required" if name in needs else "argument-added"), at, ""
            elif (name in needs) != (name in needed):
                yield self._need(name in needs), at, ""
        yield from self._dependent(old, new, where)
        if not self._output:
            yield from self._rest_of_object(old, new, where)
        if list(before) != list(after) and sorted(before) == sorted(after):
            yield "order-changed", where, ""

    def _dependent(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        """What a property needs beside it, if that is not needed anyway."""
        if old.get("dependentRequired") == new.get("dependentRequired"):
            return
        before, after = old.get("properties", {}), new.get("properties", {})
        ruled = {*old.get("dependentRequired", ()), *new.get("dependentRequired", ())}
        kept = sorted(ruled - (before.keys() ^ after.keys()))
        for needed, one, other in ((True, new, old), (False, old, new)):
            found: dict[str, list[str]] = {}
            always = one.get("required", ())
            for name in kept:
                for missing in sorted(_needs(one, name) - _needs(other, name)):
                    if missing not in always:
                        found.setdefault(missing, []).append(name)
            for missing, names in found.items():
                at = f"{where}.{missing}" if where else missing
                yield self._need(needed), at, f"with {', '.join(names)}"

    def _need(self, needed: bool) -> str:
        if self._output:
            return "output-narrowed" if needed else "output-optional"
        return "argument-required" if needed else "argument-optional"

    def _default(self, old: Any, new: Any, where: str) -> Found:
        before, after = _shape(old, self._old), _shape(new, self._new)
        if self._output or before.get("default", _shape) == after.get("default", _shape):
            return
        texts = [json.dumps(x["default"]) if "default" in x else "none" for x in (before, after)]
        yield "default-changed", where, " -> ".join(texts)

    def _rest_of_object(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        before, after = (x.get("additionalProperties", True) for x in (old, new))
        if "object" not in _types(new) or "object" not in _types(old):
            return
        if isinstance(before, bool) and before == after:
            return
        at = f"{where}.*" if where else "*"
        if after is False:
            yield "input-narrowed", at, "other properties are refused"
        elif before is False or after is True or after == {}:
            yield "input-widened", at, "other properties are let through"
        else:
            yield from self._schemas(before, after, at)

    def _items(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        both = "array" in _types(old) and "array" in _types(new)
        before, after = old.get("items", True), new.get("items", True)
        if both:
            yield from self._schemas(before, after, f"{where}[]")
        one, other = old.get("prefixItems", []), new.get("prefixItems", [])
        for index, (first, second) in enumerate(zip(one, other, strict=False)):
            yield from self._schemas(first, second, f"{where}[{index}]")
        if len(one) != len(other):
            yield from self._unclear(where, "prefixItems")

    def _branches(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        before = old.get("anyOf") or old.get("oneOf") or []
        after = new.get("anyOf") or new.get("oneOf") or []
        if not (before or after):
            return
        if not before or not after:
            yield from self._one_sided(bool(after), where)
            return
        gone = [b for b in before if not any(self._same(b, a) for a in after)]
        come = [a for a in after if not any(self._same(b, a) for b in before)]
        if len(gone) == len(come):
            for one, other in zip(gone, come, strict=True):
                yield from self._schemas(one, other, where)
        elif gone:
            code = "output-type-changed" if self._output and come else None
            yield code or ("output-narrowed" if self._output else "input-narrowed"), where, "forms"
        else:
            yield ("output-widened" if self._output else "input-widened"), where, "forms"

    def _same(self, old: Any, new: Any) -> bool:
        pair = (json.dumps(old, sort_keys=True), json.dumps(new, sort_keys=True))
        if pair not in self._decided:
            self._decided[pair] = True
            roots = _as_root(old, self._old), _as_root(new, self._new)
            found = Comparison(*roots, output=False, decided=self._decided).changes()
            self._decided[pair] = all(
                code == "argument-description-changed" for code, _, _ in found
            )
        return self._decided[pair]

    def _one_sided(self, appeared: bool, where: str) -> Found:
        if self._output:
            yield ("output-narrowed" if appeared else "output-type-changed"), where, "forms"
        else:
            yield ("input-narrowed" if appeared else "input-widened"), where, "forms"

    def _rest(self, old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
        for key in sorted(old.keys() | new.keys()):
            known = key in _COMPARED or key in _WORDS or key.startswith("x-")
            if not known and old.get(key) != new.get(key):
                yield from self._unclear(where, key)

    def _unclear(self, where: str, keyword: str) -> Found:
        yield ("output-widened" if self._output else "input-changed"), where, keyword


def _needs(schema: dict[str, Any], given: str) -> set[str]:
    """The properties that an object has to have where it has the given one."""
    rules = schema.get("dependentRequired", {})
    waiting = [given, *schema.get("required", ())]
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += rules.get(name, ())
    return needed


def _limits(old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
    for key in (*_LOWER, *_UPPER):
        before, after = old.get(key), new.get(key)
        if before == after or (
            not before and not after and key.startswith("min") and key != "minimum"
        ):
            continue
        tighter = before is None or (
            after is not None and (after > before if key in _LOWER else after < before)
        )
        yield (
            ("input-narrowed" if tighter else "input-widened"),
            where,
            f"{key} {before} -> {after}",
        )


def _forms(old: dict[str, Any], new: dict[str, Any], where: str) -> Found:
    for key in ("pattern", "multipleOf", "uniqueItems", "format"):
        before, after = old.get(key) or None, new.get(key) or None
        if before == after:
            continue
        code = "format-changed" if key == "format" else "input-narrowed"
        looser = key == "multipleOf" and before is not None and after and before % after == 0
        if key != "format" and (after is None or looser):
            code = "input-widened"
        yield code, where, f"{key} {before} -> {after}"


def _shape(schema: Any, root: Any) -> dict[str, Any]:
    """A schema as an object, references followed and what `allOf` joins joined."""
    if schema is False or schema == {"not": {}}:
        return {"enum": []}
    if not isinstance(schema, Mapping):
        return {}
    out = dict(schema)
    seen: set[str] = set()
    while "$ref" in out and out["$ref"] not in seen:
        seen.add(out["$ref"])
        target = _target(out.pop("$ref"), root)
        out = {**target, **out}
    for part in out.pop("allOf", []):
        out = _joined(out, _shape(part, root))
    return out


def _target(reference: str, root: Any) -> dict[str, Any]:
    key = reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
    found = root.get("$defs", {}).get(key) if isinstance(root, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    out = {**other, **one}
    if "properties" in one or "properties" in other:
        out["properties"] = {**other.get("properties", {}), **one.get("properties", {})}
    if "required" in one or "required" in other:
        out["required"] = [*one.get("required", ()), *other.get("required", ())]
    return out


def _types(schema: dict[str, Any]) -> frozenset[str]:
    named = schema.get("type")
    if named is None:
        found = _inferred(schema)
    else:
        found = frozenset([named] if isinstance(named, str) else named)
    return found | {"integer"} if "number" in found else found


def _inferred(schema: dict[str, Any]) -> frozenset[str]:
    values = _enum(schema)
    if values:
        kinds = {str: "string", bool: "boolean", int: "integer", float: "number"}
        return frozenset(kinds.get(type(json.loads(value)), "null") for value in values)
    if "properties" in schema and not (schema.get("anyOf") or schema.get("oneOf")):
        return frozenset({"object"})
    return _ALL


def _enum(schema: dict[str, Any]) -> frozenset[str] | None:
    if "const" in schema:
        return frozenset({json.dumps(schema["const"], sort_keys=True)})
    values = schema.get("enum")
    if not isinstance(values, list):
        return None
    return frozenset(json.dumps(value, sort_keys=True) for value in values)


def _is_bare(schema: dict[str, Any]) -> bool:
    """Whether an object or array is named and not described, as where an outline ends."""
    said = schema.keys() - _WORDS - {"$defs", "type"}
    return not said and bool(_types(schema) & {"object", "array"}) and "type" in schema


def _as_root(schema: Any, root: Any) -> dict[str, Any]:
    return {**_shape(schema, root), "$defs": root.get("$defs", {})}


def _listed(types: frozenset[str]) -> str:
    if types >= _ALL:
        return "anything"
    return " or ".join(sorted(types - ({"integer"} if "number" in types else set()))) or "nothing"
