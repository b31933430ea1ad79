"""Validates a tool's arguments before the call, and answers after they arrive.

Nothing is fetched, `format` is not asserted, and every check ends in bounded time. A schema that is
itself broken is not enforced: it must not make its tool uncallable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry

from ..values.errors import ArgumentError
from ..values.jsontext import NotJson, parse
from ..values.seams import DIALECTS
from .forms import all_forms, as_list, types_of, whole
from .keywords import Check, Exhausted, TooDeep, bounded, checking, is_valid
from .problems import MISSING, Problem, describe, expected

_MAX_ARGUMENT_STEPS = 250_000
_MAX_ANSWER_STEPS = 30_000
_MAX_EXPLAIN_STEPS = 20_000
_MAX_ERRORS = 20
_MAX_TEXTS = 1000
"""Errors among which texts that spell another value are looked for."""
_DATES = ("date", "date-time", "time")
_METASCHEMA = re.compile(r"https?://json-schema\.org/(draft[-/][\d-]+)/schema#?")
_COMMAS = re.compile(r"comma[- ]?(?:separated|delimited)|separated by (?:a )?comma", re.IGNORECASE)
_READ, _ITEMS = 2000, 1000
"""Characters of a description that are looked at, and items that a text may list."""
_NOTHING = object()
_MAX_PROBLEMS = 5
_MAX_NAMES = 20
_MAX_MISFITS = 3
_MAX_ATTEMPTS = 4
"""Checks of the arguments of a call: a text that is read may hold another."""
_DATA = ("const", "enum", "default", "example", "examples")
_OF_NAMES = (
    *("properties", "patternProperties", "$defs", "definitions"),
    *("dependentSchemas", "dependencies"),
)


def build(schema: Any) -> Any:
    """A validator in the dialect that the schema names; 2020-12 if that is unknown.

    Returns None if the schema is too broken or too deep for a validator.
    """
    uri = schema.get("$schema") if isinstance(schema, Mapping) else None
    base = dialect(uri) or Draft202012Validator
    try:
        # Nothing is ever fetched: a reference out of the schema allows anything.
        return bounded(base)(_enforceable(schema), registry=Registry())
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None


def dialect(uri: Any) -> Any:
    """The validator class of jsonschema for a dialect's `$schema`; None for an unknown dialect."""
    match = _METASCHEMA.fullmatch(uri) if isinstance(uri, str) else None
    name = match[1] if match else ""
    if name in DIALECTS.parts:
        return DIALECTS[name]
    return Draft202012Validator if name == "draft/2020-12" else None


def _enforceable(schema: Any, names: bool = False) -> Any:
    """A copy of the schema without what jsonschema would treat in an unwanted way.

    A `$schema` inside a schema is left out: it would bring back the stock keywords of its dialect.
    A property or branch that is `false` becomes `{"not": {}}`, since jsonschema's error for `false`
    does not name it. `names`: the keys of `schema` are names of properties, not keywords.
    """
    if isinstance(schema, list):
        return [{"not": {}} if each is False else _enforceable(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    copy = {}
    for key, value in schema.items():
        if names:
            copy[key] = {"not": {}} if value is False else _enforceable(value)
        elif key != "$schema":
            copy[key] = value if key in _DATA else _enforceable(value, key in _OF_NAMES)
    return copy


class ArgumentValidator:
    """Checks the arguments of one tool against its inputSchema.

    The validator is built on first use. A value may fit several schemas of a `oneOf`, except where
    each of them requires a property that the others do not.
    """

    def __init__(self, schema: Mapping[str, Any], omissible: Collection[str] = ()) -> None:
        """`omissible` are the arguments that are left out if a client sends null or an empty
        string.
        """
        self._schema = schema
        self._omissible = frozenset(omissible)
        self._parameters = self._omissible

    @classmethod
    def of(cls, tool: Mapping[str, Any], parameters: Collection[str] = ()) -> ArgumentValidator:
        """The validator of a tool in the format of `tools/list`.

        `parameters`: if the tool writes, the arguments that are not part of the content it writes.
        """
        schema = tool["inputSchema"]
        only_reads = (tool.get("annotations") or {}).get("readOnlyHint") is True
        properties, required = schema.get("properties"), schema.get("required")
        names = properties if only_reads and isinstance(properties, Mapping) else parameters
        made = cls(schema, set(names).difference(required if isinstance(required, list) else ()))
        made._parameters = frozenset(names)
        return made

    @cached_property
    def _validator(self) -> Any:
        return build(self._schema)

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments after lenient reading, which corrects only values that do not fit.

        A string that holds the JSON of a fitting value is replaced by that value. A comma-separated
        string becomes an array if the schema describes the array in that notation. A number or
        boolean for a string parameter becomes a string, and a whole number becomes an integer where
        the schema asks for one. An optional parameter is left out if it is null and its schema does
        not allow null, or if it is an empty string and the schema takes no strings, only certain
        strings, or a date. Null also counts as not given for every optional argument of a tool
        that only reads, since it could clear nothing there.

        Raises:
            ArgumentError: they do not fit; the text names up to five problems, and the missing
                arguments.
        """
        values = {n: v for n, v in arguments.items() if v != "" or not self._is_date(n)}
        for _ in range(_MAX_ATTEMPTS):
            errors = self._errors(values)
            if errors is None:
                return {n: whole(v, self._of(n), self._schema) for n, v in values.items()}
            read = _read_texts(self._without_blanks(values, errors), errors)
            read = _as_texts(read, errors, self._parameters)
            if read == values:
                break
            values = read
        raise _refusal(_problems((errors or [])[:_MAX_ERRORS], self._schema))

    def fits(self, value: Any, *place: str | int) -> bool:
        """Whether a value fits the schema at a path in the inputSchema; true if that cannot be
        decided.
        """
        if self._validator is None:
            return True
        root = schema = self._validator.schema
        try:
            for key in place:
                schema = schema[key]
            with checking(Check(_MAX_ARGUMENT_STEPS, root, overlapping=True)):
                return is_valid(self._validator, value, schema)
        except (LookupError, TypeError, Exhausted, TooDeep, RecursionError):
            return True

    def _is_date(self, name: str) -> bool:
        """Whether an optional argument is a date; this is checked here, since `format` is not
        enforced.
        """
        if name not in self._omissible:
            return False
        texts = [
            form
            for form in all_forms(self._of(name), self._schema)
            if isinstance(form, Mapping) and "string" in types_of(form)
        ]
        return bool(texts) and all(form.get("format") in _DATES for form in texts)

    def _of(self, name: str) -> Any:
        """The schema of the argument `name`."""
        properties = self._schema.get("properties")
        return properties.get(name) if isinstance(properties, Mapping) else None

    def _without_blanks(
        self, arguments: dict[str, Any], errors: list[ValidationError]
    ) -> dict[str, Any]:
        """The arguments without the nulls and empty strings that a client sends for absent
        values.
        """
        blank = {
            error.absolute_path[0]
            for error in errors
            if len(error.absolute_path) == 1
            and (error.instance is None or (error.instance == "" and _takes_no_blank(error)))
        }
        return {n: v for n, v in arguments.items() if n not in blank & self._omissible}

    def _errors(self, arguments: dict[str, Any]) -> list[ValidationError] | None:
        try:
            steps = _MAX_ARGUMENT_STEPS
            return _errors(self._validator, arguments, steps, _MAX_TEXTS, overlapping=True)
        except Exhausted:
            raise ArgumentError(
                "",
                "The arguments are too large to be checked in reasonable time: send less at once.",
            ) from None
        except (TooDeep, RecursionError):
            raise ArgumentError("", "The arguments are nested too deeply.") from None


class AnswerValidator:
    """Checks answers against one schema; the validator is built on first use."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> Any:
        return build(self._schema)

    @property
    def wraps(self) -> bool:
        """Whether the schema describes a wrapper, `{"result": ...}`, for an answer that is not an
        object.
        """
        return any(map(_is_wrapped, (self._schema, *self._schema.get("anyOf", ()))))

    def misfits(self, value: Any) -> list[Problem]:
        """The first places where a value does not fit; empty if the check takes too long."""
        try:
            errors = _errors(self._validator, value, _MAX_ANSWER_STEPS)
        except (Exhausted, TooDeep, RecursionError):
            return []
        if errors is None:
            return []
        if isinstance(value, Mapping) and "result" not in value and _is_wrapped(self._schema):
            kind = expected(self._schema["properties"]["result"], self._schema)
            text = f"is an object without `result`, where {kind or 'another value'} is declared"
            return [Problem("", text)]
        return _problems(errors, self._schema)[:_MAX_MISFITS] or [
            Problem("", "does not fit the schema")
        ]


def _is_wrapped(schema: Any) -> bool:
    """Whether a schema looks like a wrapper whose only property is `result`."""
    return (
        isinstance(schema, Mapping)
        and schema.get("required") == ["result"]
        and list(schema.get("properties", ())) == ["result"]
    )


def misfit(schema: Mapping[str, Any], value: Any) -> str | None:
    """A description of where a value does not fit; None if it fits, or if the check takes
    too long.
    """
    return "; ".join(each.sentence("it") for each in AnswerValidator(schema).misfits(value)) or None


def describe_misfits(problems: Iterable[Problem], *, values: bool = True) -> str:
    """The problems of an answer in one sentence; with `values` it also shows the wrong values.

    The sentence has no advice, since an agent cannot change the API's answers.
    """
    return "; ".join(each.sentence("it", values=values, advice=False) for each in problems)


def _errors(
    validator: Any, value: Any, steps: int, most: int = _MAX_ERRORS, *, overlapping: bool = False
) -> list[ValidationError] | None:
    """The first errors of a value, computed only if a quick check fails; None if the value fits.

    Raises:
        Exhausted: the quick check takes too many steps.
        TooDeep, RecursionError: the value is nested too deeply.
    """
    if validator is None:
        return None
    check = Check(steps, validator.schema, overlapping=overlapping)
    errors: list[ValidationError] = []
    with checking(check):
        try:
            if validator.is_valid(value):
                return None
            check.explaining, check.steps = True, _MAX_EXPLAIN_STEPS
            errors.extend(islice(validator.iter_errors(value), most))
        except (Exhausted, TooDeep, RecursionError):
            if not check.explaining:
                raise
        except Exception:
            # A schema that is itself broken; what jsonschema raises then depends on how.
            return None
    return errors


def _problems(errors: Sequence[ValidationError], root: Mapping[str, Any]) -> list[Problem]:
    """The problems without duplicates; a wrong type is left out if `enum` or `const` fails too."""
    single = {tuple(e.absolute_path) for e in errors if e.validator in ("enum", "const")}
    telling = (e for e in errors if e.validator != "type" or tuple(e.absolute_path) not in single)
    return list(dict.fromkeys(problem for error in telling for problem in describe(error, root)))


def _refusal(problems: list[Problem]) -> ArgumentError:
    if not problems:
        return ArgumentError("", "The arguments do not fit the tool's inputSchema.")
    if len(problems) == 1 and problems[0].path:
        only = problems[0]
        text = f"{only.text}{only.value}{only.advice}"
        return ArgumentError(only.path, text if text.endswith("?") else f"{text}.")
    sentences = [problem.sentence("all together") for problem in problems]
    if len(sentences) > _MAX_PROBLEMS:
        sentences = _together(problems)
    lines = [f"- {sentence}" for sentence in sentences[:_MAX_PROBLEMS]]
    if len(sentences) > _MAX_PROBLEMS:
        lines.append(f"- and {len(sentences) - _MAX_PROBLEMS} more")
    return ArgumentError("", "\n".join(["These arguments cannot be used as they are:", *lines]))


def _together(problems: list[Problem]) -> list[str]:
    """The problems as sentences; one sentence names all missing members, to save room."""
    missing = [each for each in problems if each.text.startswith(MISSING)]
    sentences = [each.sentence("all together") for each in problems if each not in missing]
    if missing:
        names = ", ".join(f"`{each.path}`" for each in missing[:_MAX_NAMES])
        rest = f" and {len(missing) - _MAX_NAMES} more" if len(missing) > _MAX_NAMES else ""
        sentences.insert(problems.index(missing[0]), f"required, and missing: {names}{rest}")
    return sentences


def _read_texts(arguments: dict[str, Any], errors: list[ValidationError]) -> dict[str, Any]:
    """Replace each string by the JSON value that it spells, if the schema expects no string
    there.
    """
    for error in _innermost(errors):
        path = tuple(error.absolute_path)
        if path and path[0] in arguments and isinstance(error.instance, str):
            value = _spelled(error.instance, error)
            if value is _NOTHING:
                value = _parted(error.instance, error)
            if value is not _NOTHING:
                arguments = _replaced(arguments, path, value)
    return arguments


def _as_texts(
    arguments: dict[str, Any], errors: list[ValidationError], parameters: Collection[str]
) -> dict[str, Any]:
    """Replace each number or boolean by its text, if the parameter's schema expects a string."""
    for error in _innermost(errors):
        path = tuple(error.absolute_path)
        is_text = error.validator == "type" and "string" in as_list(error.validator_value)
        is_value = isinstance(error.instance, (bool, int, float))
        if is_text and is_value and path and path[0] in parameters and path[0] in arguments:
            arguments = _replaced(arguments, path, json.dumps(error.instance))
    return arguments


def _takes_no_blank(error: ValidationError) -> bool:
    return error.validator in ("type", "enum", "const", "anyOf", "oneOf")


def _innermost(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    for error in errors:
        if error.context:
            yield from _innermost(error.context)
        else:
            yield error


def _spelled(text: str, error: ValidationError) -> Any:
    """The JSON value that a string spells, if the failed `type`, `enum` or `const` allows it.

    Otherwise `_NOTHING`.
    """
    try:
        parsed = parse(text)
    except NotJson:
        return _NOTHING
    value = parsed.value
    if isinstance(value, str) or parsed.losses:  # a rounded number is another value
        return _NOTHING
    limit: Any = error.validator_value
    if error.validator == "type":
        kinds = limit if isinstance(limit, list) else [limit]
        fits = any(Draft202012Validator.TYPE_CHECKER.is_type(value, kind) for kind in kinds)
    else:
        values = {"enum": limit, "const": [limit]}.get(str(error.validator))
        fits = isinstance(values, list) and value in values
    return value if fits else _NOTHING


def _parted(text: str, error: ValidationError) -> Any:
    """The items of a comma-separated text, if the schema describes an array that is written so."""
    schema, limit = error.schema, error.validator_value
    kinds = limit if isinstance(limit, list) else [limit]
    if error.validator != "type" or "array" not in kinds or not isinstance(schema, Mapping):
        return _NOTHING
    if not _COMMAS.search(str(schema.get("description") or "")[:_READ]) or not text.strip():
        return _NOTHING
    parts = text.split(",", _ITEMS)
    return [part.strip() for part in parts] if len(parts) <= _ITEMS else _NOTHING


def _replaced(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """A copy of the value with `new` at the path."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], new)
    return copy
