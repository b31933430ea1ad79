"""The media type that a body goes out in, where several are offered."""

import threading
from types import SimpleNamespace
from typing import Any, cast

import httpx2
import pytest

from mcpgen.runtime.backend.threads import LARGE
from mcpgen.runtime.parts.fitting import fitting
from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.runtime.values.arguments import UNSET
from mcpgen.runtime.values.errors import ArgumentError

from ..support import client

OFFERED = ("application/json", "text/plain")
SCHEMA = {"properties": {"body": {"anyOf": [{"type": "object"}, {"type": "string"}]}}}


@pytest.mark.parametrize("validator", [ArgumentValidator(SCHEMA), None])
@pytest.mark.parametrize("asked", [UNSET, "application/xml", "text/plain"])
@pytest.mark.parametrize("body", [{}, "text", 1, UNSET])
def test_what_is_not_offered_is_never_chosen(validator, asked, body):
    context = SimpleNamespace(validator=validator)
    wanted = asked if asked in OFFERED else OFFERED[0]
    fits = {"{}": OFFERED[0], "'text'": OFFERED[1]} if validator else {}
    choose = fitting(context, body, OFFERED, asked)
    if asked in OFFERED and fits.get(repr(body), wanted) != wanted:
        with pytest.raises(ArgumentError, match=r"text/plain, and .* It fits application/json"):
            choose()
    else:
        assert choose() == fits.get(repr(body), wanted)


@pytest.mark.parametrize(("size", "aside"), [(LARGE - 1, False), (LARGE, True)])
async def test_a_large_body_is_looked_at_where_no_call_waits_for_it(size, aside):
    threads = []
    sent = []

    class Validator:
        def fits(self, value, *place):
            threads.append(threading.get_ident())
            return place[-1] == 1

    def answer(request):
        sent.append(request)
        return httpx2.Response(200)

    body, context = "a" * size, cast(Any, SimpleNamespace(validator=Validator()))
    await client(answer).send("POST", "/x", body=body, media_type=fitting(context, body, OFFERED))
    assert sent[0].headers["content-type"] == "text/plain"
    assert (set(threads) != {threading.get_ident()}) == aside
