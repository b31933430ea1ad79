"""Descriptions of what is wrong with a value, worded so that an agent can correct it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, NamedTuple

from jsonschema.exceptions import ValidationError

from ..values.seams import KEYWORDS
from . import forms
from .forms import knows, properties_of

MISSING = "is required, and missing"
_MAX_ADVICE = 5
"""Unknown names for which another one or place is looked for: that takes long."""
_MAX_NAMES = 20
"""Names or values that a sentence lists at most."""
_MAX_CHARACTERS = 60
_MAX_FORM_CHARACTERS = 200
_NAME = re.compile(r"[A-Za-z_$][\w$-]{0,99}", re.ASCII)
_ARTICLES = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}
_Phrase = tuple[str, ...]


class Problem(NamedTuple):
    """A problem and its place; `text` continues a sentence that starts with `path`."""

    path: str
    text: str
    value: str = ""
    """The value that is there, as the end of the sentence."""
    advice: str = ""
    """What who gave the value can do about it, as the end of the sentence."""

    def sentence(self, root: str, *, values: bool = True, advice: bool = True) -> str:
        """This problem as a sentence, which can include the wrong value and advice.

        `root` is what the sentence calls the top-level value.
        """
        place = f"`{self.path}`" if self.path else root
        return f"{place} {self.text}{self.value if values else ''}{self.advice if advice else ''}"


def describe(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    """The problems of one validation error: for `anyOf`, those of its best branch.

    `root` is the schema of the whole value.
    """
    keyword: Any = error.validator
    if keyword in KEYWORDS.parts and (problems := KEYWORDS[keyword].problems):
        told: list[Problem] = problems(error, root)
        return told
    if keyword in _SEVERAL:
        return _SEVERAL[keyword](error, root)
    return [Problem(at(error), *_phrase(error))]


def expected(schema: Any, root: Mapping[str, Any]) -> str:
    """A short description of what a schema expects; empty if there is none."""
    schema = forms.target_of(schema, root)
    if not isinstance(schema, Mapping):
        return ""
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return f"one of {values_in_words(schema['enum'])}"
    return types(schema["type"]) if schema.get("type") else ""


def intended_name(name: str, choices: Iterable[str]) -> str | None:
    """The declared name that was probably meant."""
    names = list(choices)[:2000]
    for fold in (str.lower, _folded):
        target = fold(name)
        for each in names:
            if target and fold(each) == target:
                return each
    return next(iter(get_close_matches(name[:200], names, n=1, cutoff=0.6)), None)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def at(error: ValidationError, *further: str | int) -> str:
    """The path of an error in the value, extended by the steps `further`."""
    return place((*error.absolute_path, *further))


def place(steps: Iterable[str | int]) -> str:
    """The steps as a path, such as `body.items[2].name` or `["a b"]`."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _NAME.fullmatch(step):
            text += f".{step}" if text else step
        else:
            odd = _to_json(step)
            text += f"[{odd}]" if text or not step else odd[1:-1]
    return text


def _missing(error: Any, root: Mapping[str, Any]) -> list[Problem]:
    """The missing members: those always required, and those that an existing member requires."""
    limits, value = error.validator_value, error.instance
    if not isinstance(value, Mapping):
        return []
    requirements = [(name, MISSING) for name in limits if isinstance(limits, list)]
    for name, others in limits.items() if isinstance(limits, Mapping) else ():
        if name in value and isinstance(others, list):
            requirements += [(other, f"is required with `{name}`, and missing") for other in others]
    properties = properties_of(error.schema)
    return [
        Problem(at(error, name), f"{text}{_such(properties.get(name), root)}")
        for name, text in requirements
        if name not in value
    ]


def _such(schema: Any, root: Mapping[str, Any]) -> str:
    text = expected(schema, root)
    return f": {text}" if text else ""


def _describe_name(error: ValidationError, root: Mapping[str, Any]) -> list[Problem]:
    """The first problem with a property's name."""
    problem = describe(error.context[0], root)[0]
    text = f"holds the name {_to_json(error.message)}, which {problem.text}"
    return [problem._replace(path=at(error), text=text)]


def _unknown(error: Any, root: Mapping[str, Any]) -> list[Problem]:
    of_all = error.validator == "unevaluatedProperties"
    shapes = [*forms.all_forms(error.schema, root)] if of_all else [error.schema]
    properties, expressions = forms.allowed(shapes)
    names = [*properties, *(f"names that match {_to_json(each)}" for each in expressions)]
    listed = ", ".join(names[:_MAX_NAMES]) + ("…" if len(names) > _MAX_NAMES else "")
    usual = f"known here: {listed}" if names else "nothing may be given here"
    free = {key: each for key, each in properties.items() if key not in error.instance}
    problems = []
    for number, name in enumerate(json.loads(error.message)):
        better = ""
        if number < _MAX_ADVICE:
            homes = [at(error, home) for home in forms.homes_of(name, properties, shapes, root)]
            better = _better(name, error.instance[name], free, homes, root)
        problems.append(Problem(at(error, name), "is unknown", advice=f"; {better or usual}"))
    return problems


def _better(
    name: str, value: Any, free: Mapping[str, Any], homes: list[str], root: Mapping[str, Any]
) -> str:
    """Advice on the name or place that was probably meant; empty if none is likely."""
    members = value if isinstance(value, Mapping) else {}
    close = intended_name(name, free)
    advice = f"did you mean `{close}`?" if close else ""
    if close and _folded(close) == _folded(name):
        return advice
    if close and any(knows(free[close], member, root) for member in islice(members, _MAX_NAMES)):
        return advice
    if 2 * sum(key in members for key in free) > len(members):
        return "give its members in its place"
    if homes:
        return f"it belongs in {' or '.join(f'`{home}`' for home in homes)}"
    return advice


def advice_of(value: Any, choices: Iterable[Any]) -> str:
    """The advice `did you mean ...?` with the most similar choice; empty if no choice is
    similar.
    """
    texts = (choice for choice in choices if isinstance(choice, str))
    close = intended_name(value, texts) if isinstance(value, str) else None
    return f"; did you mean {_to_json(close)}?" if close else ""


def _to_json(value: Any) -> str:
    """A value as shortened JSON."""
    if isinstance(value, str):
        return json.dumps(_cut(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "an object" if value else "an empty object"
    if isinstance(value, (list, tuple)):
        return f"an array of {len(value)}" if value else "an empty array"
    return _cut(json.dumps(value))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"


def actual(value: Any) -> str:
    """The end of a sentence that shows the actual value, such as `, and is the number 3`."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    kind = "the string " if isinstance(value, str) else "the number " if is_number else ""
    return f", and is {kind}{_to_json(value)}"


def whole(value: Any) -> str:
    """An expected value as JSON, shortened if it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_CHARACTERS else _to_json(value)


def values_in_words(values: Sequence[Any]) -> str:
    """The first of the values as JSON, and the number of further values."""
    rest = len(values) - _MAX_NAMES
    more = f" and {rest} more" if rest > 0 else ""
    return ", ".join(whole(value) for value in values[:_MAX_NAMES]) + more


def types(value: Any) -> str:
    """The types of `type` as words: `a string or null`."""
    kinds = value if isinstance(value, list) else [value]
    return " or ".join(_ARTICLES.get(kind, f"a {kind}") for kind in kinds)


def _form(schema: Any, otherwise: str) -> str:
    """A schema as JSON if the JSON is short, else the text `otherwise`."""
    text = json.dumps(schema, ensure_ascii=False, default=str)
    return text if len(text) < _MAX_FORM_CHARACTERS else otherwise


def one_of(choices: Sequence[Any], value: Any) -> _Phrase:
    """The message about a value that is not one of the choices."""
    return f"must be one of {values_in_words(choices)}", actual(value), advice_of(value, choices)


def _phrase(error: Any) -> _Phrase:
    keyword, limit, value = error.validator, error.validator_value, error.instance
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    match keyword:
        case "type":
            return f"must be {types(limit)}", actual(value)
        case "enum":
            return one_of(limit, value)
        case "const":
            return f"must be {whole(limit)}", actual(value)
        case "pattern":  # a long one spells out a format
            format_ = f" of the format {schema['format']}" if "format" in schema else ""
            return f"must match the pattern {_form(limit, _to_json(limit))}{format_}", actual(value)
        case "not" if limit == {}:
            keyword = None
        case "minimum" | "maximum" if schema.get(f"exclusive{keyword.capitalize()}") is True:
            keyword = f"exclusive{keyword.capitalize()}"  # draft-04
    sentence = _SENTENCES.get(keyword, "does not fit {form}").format(
        limit=_to_json(limit),
        value=_to_json(value),
        size=len(value) if isinstance(value, (str, list, Mapping)) else 0,
        form=_form(limit, f"`{keyword}`"),
    )
    text, mark, rest = sentence.partition(", and ")
    return text, f"{mark}{rest}"


_SENTENCES: dict[Any, str] = {
    None: "is not allowed here",
    "minimum": "must be at least {limit}, and is {value}",
    "maximum": "must be at most {limit}, and is {value}",
    "exclusiveMinimum": "must be more than {limit}, and is {value}",
    "exclusiveMaximum": "must be less than {limit}, and is {value}",
    "multipleOf": "must be a multiple of {limit}, and is {value}",
    "minLength": "must have {limit} or more characters, and has {size}",
    "maxLength": "must have {limit} or fewer characters, and has {size}",
    "minItems": "must have {limit} or more items, and has {size}",
    "maxItems": "must have {limit} or fewer items, and has {size}",
    "minProperties": "must have {limit} or more members, and has {size}",
    "maxProperties": "must have {limit} or fewer members, and has {size}",
    "uniqueItems": "must not hold an item twice",
    "contains": "must hold an item that fits {form}",
    "minContains": "must hold {limit} or more items that fit `contains`",
    "maxContains": "must hold {limit} or fewer items that fit `contains`",
    "not": "must not fit {form}",
    "items": "holds more items than are allowed",
    "additionalItems": "holds more items than are allowed",
    "unevaluatedItems": "is not allowed here",
}
"""What is wrong by keyword, and the value behind `, and `."""
_SEVERAL: dict[Any, Callable[[Any, Mapping[str, Any]], list[Problem]]] = {
    "required": _missing,
    "propertyNames": _describe_name,
    "additionalProperties": _unknown,
    "unevaluatedProperties": _unknown,
    "dependentRequired": _missing,
    "dependencies": _missing,
}
"""The keywords whose errors may stand for several problems."""
