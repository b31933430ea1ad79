"""The media type that a body goes out in, where several are offered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mcpgen.runtime.fitting import fitting
from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.runtime.unset import UNSET

OFFERED = ("application/json", "text/plain")
SCHEMA = {"properties": {"body": {"anyOf": [{"type": "object"}, {"type": "string"}]}}}


@pytest.mark.parametrize("validator", [ArgumentValidator(SCHEMA), None])
@pytest.mark.parametrize("asked", [UNSET, "application/xml", "text/plain"])
@pytest.mark.parametrize("body", [{}, "text", 1, UNSET])
def test_what_is_not_offered_is_never_chosen(validator: Any, asked: Any, body: Any) -> None:
    context: Any = SimpleNamespace(validator=validator)
    wanted = asked if asked in OFFERED else OFFERED[0]
    fits = {"{}": OFFERED[0], "'text'": OFFERED[1]} if validator else {}
    assert fitting(context, body, OFFERED, asked) == fits.get(repr(body), wanted)
