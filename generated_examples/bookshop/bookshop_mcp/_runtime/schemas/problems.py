"""What is wrong with a value, in words that an agent can act on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any, NamedTuple

from jsonschema.exceptions import ValidationError

from .forms import allowed, homes_of, knows, meant, properties_of, reached
from .keywords import TOO_MANY
from .nearest_form import by_form, nearest_form
from .wording import (
    LISTED,
    form_text,
    found_text,
    list_text,
    path_text,
    shown,
    types_text,
    value_text,
)

_ADVISED = 5
"""Unknown names for which a known one is looked for: that takes long."""
_OF_ALL = ("unevaluatedProperties",)
"""Keywords that look at all schemas that apply to a value, not only at what is beside them."""
_BARE = {"required", "type", "title", "description"}
_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
"""Up to draft-04, what says of a bound that it is excluded."""
_NONE = "fits none of the allowed forms"
MISSING = "is required, and missing"
_MANY = "fits more than one of the forms of which it must fit exactly one"
_Said = tuple[str, ...]


class Problem(NamedTuple):
    """Where something is wrong, and what; `text` continues a sentence that begins with `path`."""

    path: str
    text: str
    found: str = ""
    """The value that is there, as the end of the sentence."""
    advice: str = ""
    """What who gave the value can do about it, as the end of the sentence."""

    @property
    def advised(self) -> str:
        """All that continues the sentence."""
        return f"{self.text}{self.found}{self.advice}"

    def sentence(self, root: str, *, values: bool = True, advice: bool = True) -> str:
        """The sentence, with or without values; `root` is what the whole value is called."""
        text = f"`{self.path}` {self.text}" if self.path else f"{root} {self.text}"
        return f"{text}{self.found if values else ''}{self.advice if advice else ''}"


def describe(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    """The problems that one validation error stands for: for `anyOf` those of its best branch.

    `root` is the schema that was checked against.
    """
    several = _SEVERAL.get(str(error.validator))
    return several(error, root) if several else [Problem(_at(error), *_clauses(error))]


def _at(error: ValidationError, *further: str | int) -> str:
    """The place of an error, or one further inside."""
    return path_text((*error.absolute_path, *further))


def _clauses(error: ValidationError) -> _Said:
    """What is wrong where an error stands for one problem."""
    keyword, schema = str(error.validator), error.schema
    if error.validator is None:
        return ("is not allowed here",)
    if keyword in ("contains", "minContains", "maxContains"):
        return (_contained(keyword, schema),)
    if keyword == "pattern":
        return _pattern(error)
    if isinstance(schema, Mapping) and schema.get(_EXCLUSIVE.get(keyword, "")) is True:
        keyword = _EXCLUSIVE[keyword]
    say = _SENTENCES.get(keyword)
    return say(error.validator_value, error.instance) if say else (f"does not fit `{keyword}`",)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant."""
    names = list(known)[:2000]
    for fold in (str.lower, _folded):
        wanted = fold(name)
        for each in names:
            if wanted and fold(each) == wanted:
                return each
    return next(iter(get_close_matches(name[:200], names, n=1, cutoff=0.6)), None)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _missing(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    known = properties_of(error.schema)
    required = error.validator_value
    if required is True:  # draft-03, where the path leads to what is missing
        return [Problem(_at(error), MISSING)]
    names = required if isinstance(required, list) else []
    return [
        Problem(_at(error, name), f"{MISSING}{_such(known.get(name), root)}")
        for name in names
        if isinstance(error.instance, Mapping) and name not in error.instance
    ]


def _named(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    """The first problem with a property's name."""
    problem = describe(error.context[0], root)[0]
    text = f"holds the name {shown(error.message)}, which {problem.text}"
    return [problem._replace(path=_at(error), text=text)]


def _contained(keyword: str, schema: Any) -> str:
    most = keyword == "maxContains"
    limit = schema["maxContains"] if most else schema.get("minContains", 1)
    items = "item that fits" if limit == 1 else "items that fit"
    form = form_text(schema["contains"], "what `contains` says")
    return f"must hold at {'most' if most else 'least'} {limit} {items} {form}"


def _lacking(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    """The members that those present require, and what these require in turn."""
    known = properties_of(error.schema)
    instance: Any = error.instance
    limits: Any = error.validator_value
    needing: dict[str, str] = {}
    waiting = [(name, name) for name in instance]
    for name, given in waiting:
        wanted = limits.get(name)
        for other in wanted if isinstance(wanted, list) else ():
            if other not in instance and other not in needing:
                needing[other] = given
                waiting.append((other, given))
    return [
        Problem(
            _at(error, name),
            f"is required with `{path_text([given])}`, and missing{_such(known.get(name), root)}",
        )
        for name, given in needing.items()
    ]


def _such(schema: Any, root: Mapping[str, Any]) -> str:
    text = expected(schema, root)
    return f": {text}" if text else ""


def expected(schema: Any, root: Mapping[str, Any]) -> str:
    """What a value should be, if that is short to say."""
    schema = meant(schema, root)
    if not isinstance(schema, Mapping):
        return ""
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return f"one of {list_text(schema['enum'])}"
    return types_text(schema["type"]) if schema.get("type") else ""


def _unknown(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    forms = [*reached(error.schema, root)] if error.validator in _OF_ALL else [error.schema]
    known, expressions = allowed(forms)
    instance: Any = error.instance
    free = [key for key in known if key not in instance]
    listed = [*known, *(f"names that match {shown(each)}" for each in expressions)]
    found = []
    for number, name in enumerate(json.loads(error.message)):
        advised = number < _ADVISED
        close = nearest(name, free) if advised else None
        homes = homes_of(name, known, forms, root) if advised else ()
        sure = close is not None and (
            _folded(close) == _folded(name) or _knows_member(known[close], instance[name], root)
        )
        if _holds(instance[name], free) and not sure:
            advice = "; its members belong in its place"
        elif homes and not sure:
            places = " or ".join(f"`{_at(error, *home)}`" for home in homes)
            advice = f"; it belongs into {places}"
        elif close:
            advice = f"; did you mean `{close}`?"
        elif listed:
            names = ", ".join(listed[:LISTED])
            advice = f"; known here: {names}{'…' if len(listed) > LISTED else ''}"
        else:
            advice = "; nothing may be given here" if error.validator_value is False else ""
        found.append(Problem(_at(error, name), "is unknown", advice=advice))
    return found


def _holds(value: Any, known: Iterable[str]) -> bool:
    """Whether most members of an object are declared by the object that it stands in."""
    return isinstance(value, Mapping) and 2 * sum(name in value for name in known) > len(value)


def _knows_member(schema: Any, value: Any, root: Mapping[str, Any]) -> bool:
    """Whether a schema declares one of a value's first members."""
    members = islice(value, LISTED) if isinstance(value, Mapping) else ()
    return any(knows(schema, name, root) for name in members)


def _branches(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    if needed := _needed(error.validator_value):
        text = "must have only one of" if error.message == TOO_MANY else "must have"
        return [Problem(_at(error), f"{text} {needed}")]
    if not error.context:
        return [Problem(_at(error), _MANY if error.message == TOO_MANY else _NONE)]
    branches = by_form(error)
    if choices := _choices(branches):
        wanted = " or ".join(dict.fromkeys(choices))
        advice = _advice(error.instance, _values(error.context))
        return [Problem(_at(error), f"must be {wanted}", found_text(error.instance), advice)]
    tag = _wrong_tag(branches)
    if tag:
        return [tag]
    best = nearest_form(error, branches, root)
    return [problem for inner in best for problem in describe(inner, root)]


def _needed(forms: Any) -> str:
    """What each form requires, where all of them say nothing else."""
    bare = (form for form in forms if isinstance(form, Mapping) and not form.keys() - _BARE)
    found = [form["required"] for form in bare if isinstance(form.get("required"), list)]
    if len(found) < len(forms):
        return ""
    return " or ".join(" and ".join(f"`{name}`" for name in names) for names in found)


def _wrong_tag(branches: Iterable[list[ValidationError]]) -> Problem | None:
    """The problem of a value whose tag (`{"kind": "cow"}`) belongs to no branch."""
    choices: list[Any] = []
    places = set()
    for errors in branches:
        tags = [e for e in errors if e.validator in ("const", "enum") and len(e.relative_path) == 1]
        if any(e.validator == "type" and not e.relative_path for e in errors):
            continue
        if len(tags) != 1:
            return None
        places.add(tuple(tags[0].absolute_path))
        choices += [choice for choice in _values(tags) if choice not in choices]
        found: Any = tags[0].instance
    if len(places) != 1:
        return None
    return Problem(path_text(places.pop()), *_enum(choices, found))


def _choices(branches: list[list[ValidationError]]) -> list[str]:
    """What the branches expect, if each of them is only a type or a list of values."""
    found = [_wanted(errors) for errors in branches]
    return [wanted for each in found for wanted in each] if all(found) else []


def _wanted(errors: list[ValidationError]) -> list[str]:
    first = errors[0]
    value: Any = first.validator_value
    if first.relative_path:
        return []
    if first.validator == "type":
        return [types_text(value)]
    if len(errors) > 1:
        return []
    if first.validator in ("anyOf", "oneOf"):
        return _choices(by_form(first))
    if first.validator == "enum":
        return [f"one of {list_text(value)}"]
    return [value_text(value)] if first.validator == "const" else []


def _values(errors: Iterable[ValidationError]) -> Iterator[Any]:
    """The single values that forms allow."""
    for error in errors:
        limit: Any = error.validator_value
        if error.validator in ("enum", "const"):
            yield from limit if error.validator == "enum" else (limit,)
        yield from _values(error.context)


def _not_text(limit: Any, value: Any) -> _Said:
    if limit == {}:
        return ("is not allowed here",)
    return (f"must not fit {form_text(limit, 'the excluded form')}",)


def _enum(limit: Any, value: Any) -> _Said:
    return f"must be one of {list_text(limit)}", found_text(value), _advice(value, limit)


def _advice(value: Any, choices: Iterable[Any]) -> str:
    """The one of the choices that a text was probably meant to be."""
    texts = (choice for choice in choices if isinstance(choice, str))
    close = nearest(value, texts) if isinstance(value, str) else None
    return f"; did you mean {shown(close)}?" if close else ""


def _pattern(error: ValidationError) -> _Said:
    """The pattern, or the format that a long pattern spells out."""
    pattern = form_text(error.validator_value, shown(error.validator_value))
    named = error.schema.get("format") if isinstance(error.schema, Mapping) else None
    format_ = f" of the format {named}" if isinstance(named, str) else ""
    return f"must match the pattern {pattern}{format_}", found_text(error.instance)


def _bound(words: str) -> Callable[[Any, Any], _Said]:
    return lambda limit, value: (f"must be {words} {shown(limit)}", f", and is {shown(value)}")


def _size(words: str, unit: str) -> Callable[[Any, Any], _Said]:
    def say(limit: Any, value: Any) -> _Said:
        units = unit if limit == 1 else f"{unit}s"
        return f"must have {words} {shown(limit)} {units}", f", and has {len(value)}"

    return say


_SENTENCES: dict[str, Callable[[Any, Any], _Said]] = {
    "type": lambda limit, value: (f"must be {types_text(limit)}", found_text(value)),
    "enum": _enum,
    "const": lambda limit, value: (f"must be {value_text(limit)}", found_text(value)),
    "minimum": _bound("at least"),
    "maximum": _bound("at most"),
    "exclusiveMinimum": _bound("more than"),
    "exclusiveMaximum": _bound("less than"),
    "multipleOf": _bound("a multiple of"),
    "divisibleBy": _bound("a multiple of"),
    "minLength": _size("at least", "character"),
    "maxLength": _size("at most", "character"),
    "minItems": _size("at least", "item"),
    "maxItems": _size("at most", "item"),
    "minProperties": _size("at least", "member"),
    "maxProperties": _size("at most", "member"),
    "uniqueItems": lambda limit, value: ("must not hold an item twice",),
    "not": _not_text,
    "disallow": _not_text,
    "items": lambda limit, value: ("holds more items than are allowed",),
    "additionalItems": lambda limit, value: ("holds more items than are allowed",),
    "unevaluatedItems": lambda limit, value: ("is not allowed here",),
}
_SEVERAL: dict[str, Callable[[ValidationError, Mapping[str, Any]], list[Problem]]] = {
    "required": _missing,
    "propertyNames": _named,
    "additionalProperties": _unknown,
    "unevaluatedProperties": _unknown,
    "dependentRequired": _lacking,
    "dependencies": _lacking,
    "anyOf": _branches,
    "oneOf": _branches,
}
"""The keywords whose errors may stand for several problems."""
