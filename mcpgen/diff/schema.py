"""Two versions of a JSON Schema compared: what is accepted, or answered, now and was not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from . import forms
from .shapes import (
    WORDS,
    Shape,
    choices,
    is_bare,
    is_choice,
    listed,
    shape,
    text,
    types,
    values,
)
from .versions import Versions

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_COMPARED = frozenset(
    {"type", "enum", "const", "properties", "required", "additionalProperties", "items", "default",
     "prefixItems", "pattern", "format", "uniqueItems", "multipleOf", "anyOf", "oneOf", "allOf",
     "$ref", "dependentRequired", *_LOWER, *_UPPER}
)  # fmt: skip

Found = Iterator[tuple[str, str, str]]
"""Code, place and detail of each change."""
Decided = dict[tuple[frozenset[str], str, str], bool]
"""Whether two schemas differ by no other changes than some, by their texts."""

_TOO_MUCH = "more than can be compared"
_TEXT = frozenset({"argument-description-changed"})
_WIDER = _TEXT | {"input-widened", "argument-optional", "argument-added", "order-changed"}


@dataclass
class Effort:
    """What is left of the work that one comparison may be, with all that are within it."""

    pairs: int = 20_000
    nested: int = 20
    """Comparisons of forms within forms."""


class Comparison:
    """Compares two versions; `output`: they say what is answered, else what is accepted."""

    def __init__(
        self,
        versions: Versions,
        *,
        output: bool,
        effort: Effort | None = None,
        decided: Decided | None = None,
    ) -> None:
        self._versions = versions
        self._old = versions.old
        self._new = versions.new
        self._output = output
        self._effort = effort or Effort()
        # Two forms that hold themselves are the same as long as nothing else tells them apart.
        self._decided: Decided = {} if decided is None else decided
        self._back: Decided = {}
        self._seen: set[tuple[str, str]] = set()
        self._waiting: list[tuple[Any, Any, str]] = []

    def changes(self) -> Found:
        """Every change between the two roots."""
        return self._between(self._old, self._new)

    def _between(self, old: Any, new: Any) -> Found:
        """Every change between two schemas in the roots, once."""
        told: set[tuple[str, str, str]] = set()
        self._schemas(old, new, "")
        while self._waiting:
            one, other, where = self._waiting.pop()
            start = len(self._waiting)
            for change in self._compare(shape(one, self._old), shape(other, self._new), where):
                if change not in told:
                    told.add(change)
                    yield change
            self._waiting[start:] = reversed(self._waiting[start:])
            self._effort.pairs -= 1
            if self._effort.pairs < 0:
                yield ("output-type-changed" if self._output else "input-changed"), where, _TOO_MUCH
                return

    def _schemas(self, old: Any, new: Any, where: str) -> None:
        """Have two schemas compared after those around them."""
        pair = (text(old), text(new))
        if pair not in self._seen and not self._versions.are_identical(old, new):
            self._seen.add(pair)
            self._waiting.append((old, new, where))

    def _compare(self, old: Shape, new: Shape, where: str) -> Found:
        yield from self._types(old, new, where)
        if self._output and is_bare(new) and not is_bare(old):
            yield "output-shortened", where, ""
            return
        if _offers_choice(old, new) or _offers_choice(new, old):
            yield from self._choice(old, new, where)
        else:
            yield from self._parts(old, new, where)
        silent = self._output and "description" not in new
        if where and not silent and old.get("description", "") != new.get("description", ""):
            yield "argument-description-changed", where, ""

    def _parts(self, old: Shape, new: Shape, where: str) -> Found:
        yield from self._values(old, new, where)
        if not self._output:
            yield from _limits(old, new, where)
            yield from _forms(old, new, where)
        yield from self._properties(old, new, where)
        yield from self._items(old, new, where)
        yield from self._branches(old, new, where)
        yield from self._rest(old, new, where)

    def _types_of(self, old: Shape, new: Shape) -> tuple[frozenset[str], frozenset[str]]:
        return types(old, self._old), types(new, self._new)

    def _types(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = self._types_of(old, new)
        lost, gained = before - after, after - before
        detail = f"{listed(before)} -> {listed(after)}"
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

    def _values(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = values(old), values(new)
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

    def _properties(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = old.get("properties", {}), new.get("properties", {})
        needed, needs = set(old.get("required", ())), set(new.get("required", ()))
        closed = new.get("additionalProperties") is False
        for name in before:
            at = f"{where}.{name}" if where else name
            if name in after:
                self._schemas(before[name], after[name], at)
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

    def _dependent(self, old: Shape, new: Shape, where: str) -> Found:
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
        before, after = shape(old, self._old), shape(new, self._new)
        if self._output or before.get("default", shape) == after.get("default", shape):
            return
        texts = [json.dumps(x["default"]) if "default" in x else "none" for x in (before, after)]
        yield "default-changed", where, " -> ".join(texts)

    def _rest_of_object(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = (x.get("additionalProperties", True) for x in (old, new))
        if not all("object" in found for found in self._types_of(old, new)):
            return
        if isinstance(before, bool) and before == after:
            return
        at = f"{where}.*" if where else "*"
        if after is False:
            yield "input-narrowed", at, "other properties are refused"
        elif before is False or after is True or after == {}:
            yield "input-widened", at, "other properties are let through"
        else:
            self._schemas(before, after, at)

    def _items(self, old: Shape, new: Shape, where: str) -> Found:
        both = all("array" in found for found in self._types_of(old, new))
        before, after = old.get("items", True), new.get("items", True)
        if both:
            self._schemas(before, after, f"{where}[]")
        one, other = old.get("prefixItems", []), new.get("prefixItems", [])
        for index, (first, second) in enumerate(zip(one, other, strict=False)):
            self._schemas(first, second, f"{where}[{index}]")
        if len(one) != len(other):
            yield from self._unclear(where, "prefixItems")

    def _branches(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = choices(old), choices(new)
        if before and after:
            yield from self._of_choice(before, after, self._types_of(old, new), where)
        elif before or after:
            yield from self._one_sided(bool(after), where)

    def _choice(self, old: Shape, new: Shape, where: str) -> Found:
        """What had one form has several, or the other way round."""
        before, after = (choices(each) or forms.by_type(each) for each in (old, new))
        yield from self._of_choice(before, after, self._types_of(old, new), where)

    def _of_choice(
        self,
        before: list[Any],
        after: list[Any],
        kinds: tuple[frozenset[str], frozenset[str]],
        where: str,
    ) -> Found:
        found = forms.match(before, after, self._versions, self._same)
        for one, other in found.changed:
            self._schemas(one, other, where)
        # What the types tell is told, and what fits another form is no change.
        lost, gained = kinds[0] - kinds[1], kinds[1] - kinds[0]
        if self._output:
            back = self._reversed()
            found.come = [form for form in found.come if not back._fits(form, before)]
        else:
            found.gone = [form for form in found.gone if not self._fits(form, after)]
        gone = _labels(found.gone, self._old, lost)
        come = _labels(found.come, self._new, gained)
        detail = "; ".join(x for x in (gone and f"without {gone}", come and f"with {come}") if x)
        if not detail:
            return
        if self._output:
            wider = "output-type-changed" if gone and come else "output-widened"
            yield (wider if come else "output-narrowed"), where, detail
        else:
            yield ("input-narrowed" if gone else "input-widened"), where, detail

    def _reversed(self) -> Comparison:
        turned = Versions(self._new, self._old)
        return Comparison(turned, output=False, effort=self._effort, decided=self._back)

    def _same(self, old: Any, new: Any) -> bool:
        return self._differs_by(_TEXT, old, new)

    def _fits(self, form: Any, others: list[Any]) -> bool:
        """Whether what an old form accepts is accepted by one of the new ones."""
        return any(self._differs_by(_WIDER, form, other) for other in others)

    def _differs_by(self, codes: frozenset[str], old: Any, new: Any) -> bool:
        """Whether what two schemas accept differs by no other changes than some."""
        if self._versions.are_identical(old, new):
            return True
        key = (codes, text(old), text(new))
        if key not in self._decided:
            if not self._effort.nested:
                return False
            known = len(self._decided)
            self._decided[key] = True
            self._effort.nested -= 1
            found = Comparison(
                self._versions, output=False, effort=self._effort, decided=self._decided
            )._between(old, new)
            decided = all(code in codes for code, _, _ in found)
            self._effort.nested += 1
            if not decided:
                # What was taken for the same because these two were may not be.
                for later in [
                    each for each in islice(self._decided, known, None) if self._decided[each]
                ]:
                    del self._decided[later]
            self._decided[key] = decided
        return self._decided[key]

    def _one_sided(self, appeared: bool, where: str) -> Found:
        if self._output:
            yield ("output-narrowed" if appeared else "output-type-changed"), where, "forms"
        else:
            yield ("input-narrowed" if appeared else "input-widened"), where, "forms"

    def _rest(self, old: Shape, new: Shape, where: str) -> Found:
        for key in sorted(old.keys() | new.keys()):
            known = key in _COMPARED or key in WORDS or key.startswith("x-")
            if not known and old.get(key) != new.get(key):
                yield from self._unclear(where, key)

    def _unclear(self, where: str, keyword: str) -> Found:
        yield ("output-widened" if self._output else "input-changed"), where, keyword


def _needs(schema: Shape, given: str) -> set[str]:
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


def _limits(old: Shape, new: Shape, where: str) -> Found:
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


def _forms(old: Shape, new: Shape, where: str) -> Found:
    for key in ("pattern", "multipleOf", "uniqueItems", "format"):
        before, after = old.get(key) or None, new.get(key) or None
        if before == after:
            continue
        code = "format-changed" if key == "format" else "input-narrowed"
        if key != "format" and (after is None or (key == "multipleOf" and _divides(after, before))):
            code = "input-widened"
        yield code, where, f"{key} {before} -> {after}"


def _divides(step: Any, of: Any) -> bool:
    """Whether one number is a multiple of another as it is written: 0.1 is one of 0.01."""
    return of is not None and Fraction(str(of)) % Fraction(str(step)) == 0


def _offers_choice(one: Shape, other: Shape) -> bool:
    """Whether a schema is a choice of forms, where the other is a form of its own."""
    return is_choice(one) and not choices(other) and bool(other.keys() - WORDS)


def _labels(found: list[Any], root: Any, told: frozenset[str]) -> str:
    """Forms in words, but for those of types that are told."""
    shown = (form for form in found if not types(shape(form, root), root) <= told)
    return ", ".join(dict.fromkeys(forms.label(form, root) for form in shown))
