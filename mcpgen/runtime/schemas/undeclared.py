"""Members of arguments that the schemas neither declare nor forbid."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from .forms import FORMS, all_forms, properties_of
from .problems import intended_name, place

_TELLING = frozenset(
    {"additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties"}
)
"""Keywords by which a schema says what it takes beside what it names."""
_MOST, _NAMED = 300, 3
"""Objects and lists that are looked at, and members that are named."""


def note(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """A note on undeclared members of arguments that fit the inputSchema; empty if there are none.

    These members are passed on, since the schema allows them. They may be misspelled, but that is
    no reason to fail.
    """
    named = [*islice(_undeclared(arguments, schema), _NAMED + 1)]
    if not named:
        return ""
    more = " and others" * (len(named) > _NAMED)
    return f"Not declared, and passed on as given: {', '.join(named[:_NAMED])}{more}."


def _undeclared(arguments: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[str]:
    properties = properties_of(root)
    waiting: deque[tuple[tuple[str | int, ...], Any, list[Any]]] = deque(
        ((name,), value, [properties[name]])
        for name, value in arguments.items()
        if name in properties and _has_parts(value)
    )
    for _ in range(_MOST):
        if not waiting:
            return
        path, value, schemas = waiting.popleft()
        forms = [*islice(all_forms({"allOf": schemas}, root), FORMS)]
        told = [form for form in forms if isinstance(form, Mapping)]
        if len(forms) == FORMS:
            continue
        if isinstance(value, list):
            items = [form["items"] for form in told if "items" in form]
            waiting += [((*path, n), e, items) for n, e in enumerate(value) if _has_parts(e)]
            continue
        members: dict[str, list[Any]] = {}
        for form in told:
            for name, inner in properties_of(form).items():
                members.setdefault(name, []).append(inner)
            for name in form.get("required", ()):
                members.setdefault(name, [])
        is_silent = members and all(_TELLING.isdisjoint(form) for form in told)
        if any(form.get("minProperties", 0) > len(members) for form in told):
            is_silent = False  # it asks for members that it does not name
        for name, each in value.items():
            if name in members:
                waiting += [((*path, name), each, members[name])] * _has_parts(each)
            elif is_silent:
                close = intended_name(name, members.keys() - value.keys())
                yield f"`{place((*path, name))}`" + (f" (did you mean `{close}`?)" if close else "")


def _has_parts(value: Any) -> bool:
    return isinstance(value, (dict, list))
