"""Values against JSON Schema: a tool's arguments before they are used, an answer after it came.

Nothing is fetched, `format` is not asserted, and every check ends in bounded time. A schema that is
itself broken is not enforced: it must not make its tool uncallable.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from jsonschema.exceptions import ValidationError

from .errors import ArgumentError
from .keywords import Check, Exhausted, build, checking
from .problems import Problem, describe

_ARGUMENT_STEPS = 250_000
_ANSWER_STEPS = 30_000
_EXPLAIN_STEPS = 50_000
_ERRORS = 20
_REPORTED = 5


class ArgumentValidator:
    """Checks the arguments of one tool against its inputSchema; built on first use."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> Any:
        return build(self._schema)

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments, with JSON text read where only its value fits the schema.

        Raises:
            ArgumentError: they do not fit; the text names every problem, up to five.
        """
        given = dict(arguments)
        if self._fits(given):
            return given
        errors = self._errors(given)
        read, changed = _read_texts(given, errors)
        if changed:
            if self._fits(read):
                return read
            given, errors = read, self._errors(read)
        problems = list(dict.fromkeys(_problems(errors)))
        if errors is not None and not errors:
            return given
        raise _refusal(problems)
