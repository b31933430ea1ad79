"""Sample arguments for a tool's tests: all arguments, the required ones, nulls, and wrong ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..api import Argument, In, Schema, Tool
from ..runtime.parts.forms.kinds import kind_of
from ..runtime.schemas import undeclared
from ..samples.instances import Variant
from ..samples.scalars import NoSample
from ..samples.shared import Samplers

if TYPE_CHECKING:
    from ..runtime.schemas.validation import ArgumentValidator

HARD = "a/b?c#d&e=f +é%"
"""What percent-encoding must bring through unchanged, in a path, a query and a body."""

UNDECLARED = "undeclared_property"
HARD_ASCII = HARD.replace("é", "")
"""The same for the cookie style of OpenAPI 3.2, which escapes nothing."""

_MAX_PROBLEMS = 5
"""Problems that a server names in one answer (`runtime/schemas/validation.py`)."""
_HARD_PLACES = (In.PATH, In.QUERY, In.COOKIE, In.PROPERTY)
_WRONG: tuple[Any, ...] = ({"wrong": "type"}, [["wrong"]], "wrong type", -0.5, True)


class Wrong(Struct, frozen=True):
    """Arguments that a tool must refuse, and words that the refusal must contain."""

    arguments: Mapping[str, Any]
    mentions: list[str]


class Arguments:
    """Makes the arguments of one tool; `samplers` may be shared with other tools."""

    def __init__(self, tool: Tool, samplers: Samplers | None = None) -> None:
        self.tool = tool
        self._sampler = (samplers or Samplers()).of(tool.input_schema.get("$defs", {}))
        self._schemas: Mapping[str, Schema] = tool.input_schema.get("properties", {})
        self._avoided: dict[str, int] = {}
        self._whole = {key: rule for key, rule in tool.input_schema.items() if key != "$defs"}
        self._least: dict[str, Any] | None = None
        self._written = _as_written(tool)

    def avoid(self, wire_name: str) -> bool:
        """Choose plainer values for an argument; when called a second time, leave the argument out.

        This is for values that fit the schema but cannot be sent, such as an item with a space in a
        space-separated array. Returns False if nothing plainer is left to try.
        """
        matches = (each for each in self.tool.arguments if each.wire_name == wire_name)
        argument = next(matches, self._only(In.BODY))
        if argument is None or self._avoided.get(argument.name, 0) >= 2 - argument.required:
            return False
        self._avoided[argument.name] = self._avoided.get(argument.name, 0) + 1
        self._least = None
        return True

    def full(self) -> dict[str, Any]:
        """Values for all arguments, but no choice of the body's media type.

        If the body allows undeclared members, one is added. Raises NoSample.
        """
        arguments = self._make("full")
        body = self.tool.call.body
        if body is not None and body.extra and UNDECLARED not in self._schemas:
            more = {**arguments, UNDECLARED: "not declared"}
            if self._is_taken(more):
                return more
        return arguments

    def required(self) -> dict[str, Any]:
        """Only the required arguments. Raises NoSample."""
        if self._least is None:
            self._least = self._make("required")
        return dict(self._least)

    def _make(self, variant: Variant) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        for argument in self.tool.arguments:
            left_out = self._avoided.get(argument.name) == 2
            is_included = argument.required or (variant == "full" and not left_out)
            if is_included and (argument.required or argument.location is not In.CONTENT_TYPE):
                self._put(arguments, argument, variant)
        if self._is_taken(arguments):
            return arguments
        if variant == "full":
            return self.required()
        raise NoSample("the arguments fit one by one, but not together")

    def _put(self, arguments: dict[str, Any], argument: Argument, variant: Variant) -> None:
        try:
            for turn in range(4):
                value = self._value(argument, variant, turn)
                if not _is_among(value, list(arguments.values())):
                    break
            arguments[argument.name] = value
        except NoSample:
            if argument.required:
                raise

    def _value(self, argument: Argument, variant: Variant, turn: int) -> Any:
        schema = self._schema_of(argument)
        sample = self.tool.sample_arguments.get(argument.name)
        plain = argument.name in self._avoided
        rich = variant == "full" and not plain
        telling = turn == 0 and rich and sample not in (None, "", [], {})
        if (
            telling
            and self._sampler.checker.valid(sample, schema)
            and self._knows(argument, sample)
        ):
            return sample
        name = argument.name if turn == 0 else f"{argument.name} {turn + 1}"
        value = self._sampler.sample(
            schema, variant=variant, name=name, own_values=not plain and turn == 0
        )
        if not self._knows(argument, value):
            value = self._sampler.sample(schema, variant=variant, name=name, own_values=False)
        if rich and argument.location in _HARD_PLACES and _is_free_text(schema):
            hard = f"{value} {HARD if argument.style != 'cookie' else HARD_ASCII}"
            return hard if self._sampler.checker.valid(hard, schema) else value
        return value

    def _knows(self, argument: Argument, value: Any) -> bool:
        """Whether the schema declares all members of a value; servers report undeclared ones."""
        if not isinstance(value, (dict, list)):
            return True
        return not undeclared.note({argument.name: value}, self.tool.input_schema)

    def nulls(self) -> dict[str, Any] | None:
        """The required arguments, with null wherever it is allowed; None if it never is."""
        arguments = self.required()
        has_null = False
        for argument in self.tool.arguments:
            schema = self._schema_of(argument)
            if argument.location in (In.PATH, In.CONTENT_TYPE):
                continue
            if schema is not True and self._sampler.checker.valid(None, schema):
                arguments[argument.name] = None
                has_null = True
            elif argument.location is In.BODY:
                has_null = self._null_inside(arguments, argument, schema) or has_null
        self._complete(arguments)
        return arguments if has_null and self._is_taken(arguments) else None

    def _schema_of(self, argument: Argument) -> Schema:
        """The schema of an argument in the inputSchema, which may shorten the document's schema."""
        return self._schemas.get(argument.name, argument.schema)

    def _is_taken(self, arguments: dict[str, Any]) -> bool:
        if not self._sampler.checker.taken(arguments, self._whole):
            return False
        return self._written is None or self._written.fits(arguments)

    def _complete(self, arguments: dict[str, Any]) -> None:
        """Add the body's required members if any member of the body is given."""
        body = self.tool.call.body
        parts = {a.name: a for a in self.tool.arguments if a.location is In.PROPERTY}
        if body is None or parts.keys().isdisjoint(arguments):
            return
        for name in body.needed:
            if name not in arguments:
                self._put(arguments, parts[name], "required")

    def _null_inside(self, arguments: dict[str, Any], argument: Argument, schema: Schema) -> bool:
        """Set nullable members of a body to null; returns whether there were any."""
        try:
            body = self._sampler.sample(schema, name=argument.name, own_values=False)
        except NoSample:
            return False
        if not isinstance(body, dict):
            return False
        changed = False
        for name in body:
            other = {**body, name: None}
            if body[name] is not None and self._sampler.checker.valid(other, schema):
                body, changed = other, True
        arguments[argument.name] = body
        return changed

    def media_types(self) -> Iterator[dict[str, Any]]:
        """For each alternative media type, the required arguments and a body of that type."""
        body, chooser = self.tool.call.body, self._only(In.CONTENT_TYPE)
        whole = self._only(In.BODY)
        if body is None or whole is None:
            return
        schema = self._schema_of(whole)
        branches = schema.get("anyOf", [schema]) if isinstance(schema, Mapping) else [schema]
        for number, offered in enumerate(body.offered, 1):
            place = body.places[number] if body.places else number
            is_form = kind_of(offered, {}) in ("multipart", "form")
            expected_type = dict if is_form or body.kinds.get(offered) == "json" else str
            for branch in branches[place:] + branches[:place]:
                with suppress(NoSample):
                    value = self._sampler.sample(branch, name=whole.name)
                    if isinstance(value, expected_type):
                        asked = {} if chooser is None else {chooser.name: offered.partition(",")[0]}
                        yield {**self.required(), whole.name: value, **asked}
                        break

    def _only(self, location: In) -> Argument | None:
        return next((each for each in self.tool.arguments if each.location is location), None)

    def wrong(self) -> Iterator[Wrong]:
        """Calls that must be refused: a missing argument, a wrong type, an unknown argument.

        If no arguments can be sampled, and more are required than one error message names, only a
        missing argument is tested.
        """
        try:
            good = self.required()
        except NoSample:
            good = {}
        required = [argument.name for argument in self.tool.arguments if argument.required]
        is_told = len(required) - len(good) < _MAX_PROBLEMS
        if required:
            name = required[-1 if is_told else 0]
            rest = {key: value for key, value in good.items() if key != name}
            yield Wrong(rest, [_beginning(name)])
        if not is_told:
            return
        yield from self._incomplete(good)
        yield from self._mistyped(good)
        if self.tool.input_schema.get("additionalProperties") is False:
            unknown = "no_such_argument"
            yield Wrong({**good, unknown: "x"}, [unknown])

    def _incomplete(self, good: Mapping[str, Any]) -> Iterator[Wrong]:
        """Calls with an argument whose required companion is missing."""
        arguments = {argument.name: argument for argument in self.tool.arguments}
        for name, others in self._whole.get("dependentRequired", {}).items():
            missing = [other for other in others if other not in good]
            if name in arguments.keys() - good.keys() and missing:
                with suppress(NoSample):
                    value = self._value(arguments[name], "required", 0)
                    yield Wrong({**good, name: value}, [_beginning(missing[0])])
                    return

    def _mistyped(self, good: Mapping[str, Any]) -> Iterator[Wrong]:
        for argument in self.tool.arguments:
            schema = self._schema_of(argument)
            for value in _WRONG:
                arguments = {**good, argument.name: value}
                if not self._sampler.checker.refused(value, schema):
                    continue
                if self._written is None or not self._written.fits(arguments):
                    yield Wrong(arguments, [_beginning(argument.name)])
                    return


def _as_written(tool: Tool) -> ArgumentValidator | None:
    """The validator of a hand-written tool's arguments, in the dialect of its schema."""
    if tool.written is None:
        return None
    from ..runtime.schemas.validation import ArgumentValidator  # of no use for OpenAPI documents

    return ArgumentValidator(tool.written["inputSchema"])


def _beginning(name: str) -> str:
    """The start of an argument's name, short enough that an error message is sure to contain it."""
    text = re.split("[\ud800-\udfff]", name[:60])[0]
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _is_free_text(schema: Schema) -> bool:
    """Whether a schema is a string without format, pattern, enum or examples."""
    if not isinstance(schema, Mapping) or schema.get("type") not in ("string", ["string", "null"]):
        return False
    limited = {"format", "pattern", "enum", "const", "examples", "default", "contentEncoding"}
    return not limited & schema.keys() and not {"allOf", "anyOf", "oneOf", "not"} & schema.keys()


def _is_among(value: Any, others: list[Any]) -> bool:
    """Whether a value is too similar to another argument's value to be recognized in a request."""
    if isinstance(value, bool):
        return value in [other for other in others if isinstance(other, bool)][-1:]
    return any(type(value) is type(other) and value == other for other in others)
