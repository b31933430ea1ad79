"""Compares two versions of a JSON Schema, either of arguments or of answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from ..schemas.rules import conjuncts
from ..schemas.subschemas import MAPS, SINGLE
from . import alternatives
from .joins import WORDS, Shape, conditions, groups, literal, values, without
from .limits import CONTENT, KEYWORDS, limits
from .required import needed
from .shapes import (
    choices,
    is_any_object,
    is_bare,
    is_silent,
    offers_choice,
    shape,
    types,
    types_in_words,
)
from .shared_definitions import Versions

_COMPARED = KEYWORDS | {"type", "enum", "const", "default"} | {
    "properties", "required", "additionalProperties", "items", "patternProperties", "prefixItems",
    "anyOf", "oneOf", "allOf", "dependentRequired", "contentSchema",
}  # fmt: skip

Found = Iterator[tuple[str, str, str]]
"""Code, place and detail of each change."""
Decided = dict[tuple[frozenset[str], str, str], bool]
"""By kinds of change and the texts of two schemas: whether these differ by such changes only."""

_TOO_MUCH = "more than can be compared"
_TEXT = frozenset({"argument-description-changed"})
_WIDER = _TEXT | {"input-widened", "argument-optional", "argument-added"}


class Effort:
    """A budget of work, shared by a comparison and all its nested comparisons."""

    most = 5_000
    """Pairs of schemas: more than any API has that differ, and a few seconds."""

    def __init__(self) -> None:
        self.pairs = self.most
        self.nested = 20
        """Comparisons of forms within forms."""


class Comparison:
    """Compares two versions of a schema; `output`: the schema describes an answer."""

    def __init__(self, versions: Versions, *, output: bool, effort: Effort | None = None) -> None:
        self._versions = versions
        self._old = versions.old
        self._new = versions.new
        self._output = output
        self._effort = effort or Effort()
        # Two forms that hold themselves are the same as long as nothing else tells them apart.
        self._decided: Decided = {}
        self._codes: frozenset[str] = frozenset()
        self._pairs: set[tuple[str, str]] = set()
        self._waiting: list[tuple[Any, Any, str]] = []

    def changes(self) -> Found:
        """All changes from the old schema to the new one."""
        old, new = self._old.schema, self._new.schema
        if not self._versions.are_identical(old, new):
            yield from self._between(old, new)

    def _between(self, old: Any, new: Any) -> Found:
        """All changes between two schemas and their subschemas; each pair is compared once."""
        changes: set[tuple[str, str, str]] = set()
        self._pairs.add(self._versions.texts(old, new))
        self._waiting.append((old, new, ""))
        while self._waiting:
            one, other, where = self._waiting.pop()
            self._effort.pairs -= max(len(conjuncts(one)), len(conjuncts(other)))
            start = len(self._waiting)
            for change in self._compare(shape(one, self._old), shape(other, self._new), where):
                if change not in changes:
                    changes.add(change)
                    yield change
            self._waiting[start:] = reversed(self._waiting[start:])
            if self._effort.pairs < 0:
                yield ("output-type-changed" if self._output else "input-changed"), where, _TOO_MUCH
                return

    def _schemas(self, old: Any, new: Any, where: str) -> None:
        """Queue two schemas for comparison, unless they are identical or already known."""
        pair = self._versions.texts(old, new)
        is_known = pair in self._pairs or self._decided.get((self._codes, *pair), False)
        if not is_known and not self._versions.are_identical(old, new):
            self._pairs.add(pair)
            self._waiting.append((old, new, where))

    def _compare(self, old: Shape, new: Shape, where: str) -> Found:
        if self._output and is_silent(new) and not is_silent(old):
            yield "output-shortened", where, ""
            return
        yield from self._types(old, new, where)
        if self._output and is_bare(new) and not is_bare(old):
            yield "output-shortened", where, ""
            return
        if offers_choice(old, new) or offers_choice(new, old):
            yield from self._choice(old, new, where)
        else:
            yield from self._parts(old, new, where)
        if not self._output and alternatives.excludes(old, new, self._versions):
            yield "input-narrowed", where, "values that match several alternatives"
        silent = self._output and "description" not in new
        if where and not silent and old.get("description", "") != new.get("description", ""):
            yield "argument-description-changed", where, ""

    def _parts(self, old: Shape, new: Shape, where: str) -> Found:
        kinds = self._types_of(old, new)
        for group in sorted(groups(old) | groups(new)):
            yield from self._conditions(conditions(old, group), conditions(new, group), where)
            old, new = (without(each, group) for each in (old, new))
        yield from self._values(old, new, where)
        if not self._output:
            yield from ((code, where, detail) for code, detail in limits(old, new, kinds))
        if "object" in kinds[0] & kinds[1]:
            yield from self._properties(old, new, where)
        if "array" in kinds[0] & kinds[1]:
            yield from self._items(old, new, where)
        self._schemas(*alternatives.contents(old, new), where)
        yield from self._branches(old, new, where)
        yield from self._rest(old, new, where)

    def _conditions(self, before: list[Shape], after: list[Shape], where: str) -> Found:
        """Compare conditions that must all hold, in pairs; report new and removed ones."""
        match = alternatives.match(before, after, self._versions, self._same)
        for one, other in match.changed:
            self._schemas(one, other, where)
        detail = ", ".join(sorted({key for form in (match.come or match.gone) for key in form}))
        if match.come:
            yield ("output-narrowed" if self._output else "input-narrowed"), where, detail
        elif match.gone:
            yield ("output-widened" if self._output else "input-widened"), where, detail

    def _types_of(self, old: Shape, new: Shape) -> tuple[frozenset[str], frozenset[str]]:
        return types(old, self._old), types(new, self._new)

    def _types(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = self._types_of(old, new)
        lost, gained = before - after, after - before
        detail = f"{types_in_words(before)} -> {types_in_words(after)}"
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
        detail = ""
        if before is not None and after is not None:
            detail = _moved(", ".join(sorted(before - after)), ", ".join(sorted(after - before)))
        if self._output:
            yield ("output-widened" if gained else "output-narrowed"), where, detail
        else:
            yield ("input-narrowed" if lost else "input-widened"), where, detail or "enum"

    def _properties(self, old: Shape, new: Shape, where: str) -> Found:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before:
            at = _below(where, name)
            if name not in after:
                yield from self._gone(before[name], new, at)
            elif not self._versions.are_identical(before[name], after[name]):
                self._schemas(before[name], after[name], at)
                yield from self._default(before[name], after[name], at)
        for name in after:
            if name not in before:
                at = _below(where, name)
                yield from self._come(after[name], name in new.get("required", ()), old, at)
        needs = needed(old, new)
        yield from ((self._need(come), _below(where, name), with_) for come, name, with_ in needs)
        yield from self._others(old, new, where)

    def _gone(self, property: Any, new: Shape, where: str) -> Found:
        others = new.get("additionalProperties", new.get("unevaluatedProperties", True))
        if self._output:
            yield "output-removed", where, ""
        elif others is False:
            yield "argument-removed", where, ""
        else:
            yield "argument-undeclared", where, ""
            if others is not True:
                self._schemas(property, others, where)

    def _come(self, property: Any, needed: bool, old: Shape, where: str) -> Found:
        code = "argument-required" if needed else "argument-added"
        yield ("output-added" if self._output else code), where, ""
        others = old.get("additionalProperties")
        if isinstance(others, Mapping):
            self._schemas(others, property, where)

    def _need(self, come: bool) -> str:
        if self._output:
            return "output-narrowed" if come else "output-optional"
        return "argument-required" if come else "argument-optional"

    def _default(self, old: Any, new: Any, where: str) -> Found:
        shapes = shape(old, self._old), shape(new, self._new)
        texts = [literal(each["default"]) if "default" in each else "none" for each in shapes]
        if texts[0] != texts[1] and not self._output:
            yield "default-changed", where, " -> ".join(texts)

    def _others(self, old: Shape, new: Shape, where: str) -> Found:
        """Compare `patternProperties` and `additionalProperties`."""
        one, other = (each.get("patternProperties", {}) for each in (old, new))
        at = _below(where, "*")
        for pattern in sorted(one.keys() & other.keys()):
            self._schemas(one[pattern], other[pattern], at)
        if one.keys() != other.keys():
            yield from self._unclear(where, "patternProperties")
        before, after = (each.get("additionalProperties", True) for each in (old, new))
        if after is not before and (after is False or before is False):
            yield self._open(before), at, "other properties"
        else:
            self._schemas(before, after, at)

    def _open(self, before: Any) -> str:
        if not self._output:
            return "input-widened" if before is False else "input-narrowed"
        if before is False:
            return "output-added"
        return "output-narrowed" if before in (True, {}) else "output-removed"

    def _items(self, old: Shape, new: Shape, where: str) -> Found:
        self._schemas(old.get("items", True), new.get("items", True), f"{where}[]")
        one, other = old.get("prefixItems", []), new.get("prefixItems", [])
        for index, (first, second) in enumerate(zip(one, other, strict=False)):
            self._schemas(first, second, f"{where}[{index}]")
        if len(one) != len(other):
            yield from self._unclear(where, "prefixItems")

    def _branches(self, old: Shape, new: Shape, where: str) -> Found:
        kinds = self._types_of(old, new)
        one, other = ([key for key in ("anyOf", "oneOf") if each.get(key)] for each in (old, new))
        if len(one) == len(other) == 1:
            yield from self._of_choice(choices(old), choices(new), kinds, where)
            return
        for key in sorted({*one, *other}):
            if key in one and key in other:
                yield from self._of_choice(old[key], new[key], kinds, where)
            else:
                yield from self._one_sided(key in other, where)

    def _choice(self, old: Shape, new: Shape, where: str) -> Found:
        """The changes where a schema became a choice of alternatives, or the reverse."""
        lists = alternatives.of_values(old, self._old), alternatives.of_values(new, self._new)
        if None not in map(values, lists):
            yield from self._values(*lists, where)
            return
        before, after = (choices(each) or alternatives.by_type(each) for each in (old, new))
        yield from self._of_choice(before, after, self._types_of(old, new), where)

    def _of_choice(
        self,
        before: list[Any],
        after: list[Any],
        kinds: tuple[frozenset[str], frozenset[str]],
        where: str,
    ) -> Found:
        match = alternatives.match(before, after, self._versions, self._same)
        for one, other in match.changed:
            is_split = self._output and len(before) == 1
            now = alternatives.with_others(one, other, after, self._versions) if is_split else other
            self._schemas(one, now, where)
        # What the types tell is told, and what fits another form is no change.
        lost, gained = kinds[0] - kinds[1], kinds[1] - kinds[0]
        if self._output:
            back = self._reversed._fits
            match.come = [form for form in match.come if not back(form, before)]
        else:
            match.gone = [form for form in match.gone if not self._fits(form, after)]
        gone = alternatives.labels(match.gone, self._old, lost)
        come = alternatives.labels(match.come, self._new, gained)
        detail = _moved(gone, come)
        if detail and self._output:
            wider = "output-type-changed" if gone and come else "output-widened"
            yield (wider if come else "output-narrowed"), where, detail
        elif detail:
            yield ("input-narrowed" if gone else "input-widened"), where, detail

    def _within(self, codes: frozenset[str]) -> Comparison:
        """A nested comparison that ignores changes with these `codes`, and shares this one's
        cache.
        """
        inner = Comparison(self._versions, output=False, effort=self._effort)
        inner._decided = self._decided
        inner._codes = codes
        return inner

    @cached_property
    def _reversed(self) -> Comparison:
        turned = Versions(self._new, self._old)
        return Comparison(turned, output=False, effort=self._effort)

    def _same(self, old: Any, new: Any) -> bool:
        return self._differs_by(_TEXT, old, new)

    def _fits(self, form: Any, others: list[Any]) -> bool:
        """Whether a new alternative accepts everything that an old one accepts."""
        is_any = is_any_object(shape(form, self._old), self._old)
        codes = _WIDER - {"argument-added"} if is_any else _WIDER
        return any(self._differs_by(codes, form, other) for other in others)

    def _differs_by(self, codes: frozenset[str], old: Any, new: Any) -> bool:
        """Whether two schemas differ at most by the kinds of change in `codes`."""
        if self._effort.pairs < 0 or not self._effort.nested:
            return False
        if self._versions.are_identical(old, new):
            return True
        key = (codes, *self._versions.texts(old, new))
        if key not in self._decided:
            start = len(self._decided)
            self._decided[key] = True
            self._effort.nested -= 1
            inner = self._within(codes)
            decided = all(code in codes for code, _, _ in inner._between(old, new))
            self._effort.nested += 1
            if decided:
                self._decided.update(((codes, *pair), True) for pair in inner._pairs)
            else:
                # What was taken for the same because these two were may not be.
                for later in list(islice(self._decided, start, None)):
                    if self._decided[later]:
                        del self._decided[later]
            self._decided[key] = decided
        return self._decided[key]

    def _one_sided(self, appeared: bool, where: str) -> Found:
        if self._output:
            yield ("output-narrowed" if appeared else "output-type-changed"), where, "forms"
        else:
            yield ("input-narrowed" if appeared else "input-widened"), where, "forms"

    def _rest(self, old: Shape, new: Shape, where: str) -> Found:
        for key in sorted((old.keys() | new.keys()) - _COMPARED - WORDS):
            if key[:2] != "x-" and not self._alike(key, old.get(key), new.get(key)):
                yield from self._unclear(where, key)

    def _alike(self, key: str, old: Any, new: Any) -> bool:
        """Whether both values of a keyword are equal, compared as schemas where they are
        schemas.
        """
        pairs = [(old, new)]
        if key in MAPS and isinstance(old, Mapping) and isinstance(new, Mapping):
            pairs = [(old.get(name), new.get(name)) for name in {**old, **new}]
        same = self._same if key in SINGLE | MAPS else self._versions.are_identical
        return all(None not in pair and same(*pair) for pair in pairs)

    def _unclear(self, where: str, keyword: str) -> Found:
        code = "format-changed" if keyword in CONTENT else "input-changed"
        yield ("output-widened" if self._output else code), where, keyword


def _moved(gone: str, come: str) -> str:
    """The removed and the added values in words; empty if there are none."""
    parts = [f"without {gone}"] if gone else []
    parts += [f"with {come}"] if come else []
    return "; ".join(parts)


def _below(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
