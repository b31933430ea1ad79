"""Sets and choices of security schemes: all of a set is sent, or nothing of it."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from mcp import Client

from .credentials import PLACES, credentials, expected, folded, set_only, variables
from .servers import SPECS, Server, packaged
from .upstream import Seen


def subsets() -> Iterator[tuple[str, ...]]:
    """Sets of schemes that can go together: each one of each place, with none, one or all others.

    Of those that need no `Authorization`, every set.
    """
    keys = [key for key, place in PLACES.items() if place != "authorization"]
    for count in range(1, len(keys) + 1):
        yield from itertools.combinations(keys, count)
    for number, signed in enumerate(key for key in PLACES if key not in keys):
        for others in ((), (keys[number % len(keys)],), keys):
            yield (*others, signed)


TOGETHER = list(subsets())
NEXT = list(zip(PLACES, [*list(PLACES)[1:], next(iter(PLACES))], strict=True))
CHOICES = [*NEXT, *(pair[::-1] for pair in NEXT)]
"""Each scheme before and after two others, of the same place and of another."""


@pytest.fixture(scope="module")
def matrix(upstream, tmp_path_factory):
    """A server of combinations of the schemes: together, and one or the other."""
    document = yaml.safe_load((SPECS / "access.yaml").read_text())
    document["paths"] = {}
    for number, schemes in enumerate(TOGETHER):
        _operation(document, f"all{number}", [{scheme: [] for scheme in schemes}])
    for number, pair in enumerate(CHOICES):
        _operation(document, f"either{number}", [{scheme: []} for scheme in pair])
        _operation(document, f"maybe{number}", [*({scheme: []} for scheme in pair), {}])
    document["info"]["title"] = "Access Matrix"
    document.pop("x-mcp")
    folder = tmp_path_factory.mktemp("matrix")
    return packaged(document, folder, upstream, "--package", "access_matrix")


def _operation(document: dict[str, Any], name: str, security: list[dict[str, Any]]) -> None:
    answer = {"$ref": "#/components/responses/Welcome"}
    operation = {"operationId": name, "summary": name, "security": security}
    document["paths"][f"/{name}"] = {"get": {**operation, "responses": {"200": answer}}}


def requests(server: Server, tools: list[str]) -> dict[str, tuple[bool, list[Seen], str]]:
    """Call tools one after the other with one client; (is error, requests, text) of each."""
    found = {}

    async def use(client: Client) -> None:
        for tool in tools:
            server.upstream.seen = []
            result = await client.call_tool(tool, {})
            text = "\n".join(getattr(block, "text", "") for block in result.content)
            found[tool] = (result.is_error, server.upstream.seen, text)

    server.use(use)
    return found


def test_every_set_of_schemes_together(matrix, monkeypatch):
    set_only(matrix, monkeypatch, tuple(variables(matrix)))
    for number, (is_error, seen, text) in enumerate(
        requests(matrix, [f"all{number}" for number in range(len(TOGETHER))]).values()
    ):
        assert not is_error, text
        (request,) = seen
        assert folded(credentials(request)) == folded(expected(matrix, TOGETHER[number]))


def test_a_set_that_is_not_complete_sends_nothing(matrix, monkeypatch):
    for missing in PLACES:
        set_only(matrix, monkeypatch, tuple(key for key in variables(matrix) if key != missing))
        tools = [f"all{number}" for number, schemes in enumerate(TOGETHER) if missing in schemes]
        for is_error, seen, text in requests(matrix, tools).values():
            assert is_error
            assert not seen
            assert any(name in text for name in variables(matrix)[missing])
            assert "sentinel" not in text


def test_one_of_two(matrix, monkeypatch):
    set_only(matrix, monkeypatch, tuple(variables(matrix)))
    _expect(matrix, {number: first for number, (first, _) in enumerate(CHOICES)})
    for missing in PLACES:
        set_only(matrix, monkeypatch, tuple(key for key in variables(matrix) if key != missing))
        pairs = {number: pair for number, pair in enumerate(CHOICES) if missing in pair}
        _expect(
            matrix,
            {n: second if first == missing else first for n, (first, second) in pairs.items()},
        )


def _expect(server: Server, chosen: Mapping[int, str]) -> None:
    """Call each choice, required and optional, and expect the credential of one scheme."""
    tools = {f"{word}{n}": scheme for n, scheme in chosen.items() for word in ("either", "maybe")}
    for tool, (is_error, seen, text) in requests(server, list(tools)).items():
        assert not is_error, text
        (request,) = seen
        assert folded(credentials(request)) == folded(expected(server, (tools[tool],)))


def test_neither_of_two(matrix, monkeypatch):
    set_only(matrix, monkeypatch, ())
    numbers = range(len(CHOICES))
    for number, (is_error, seen, text) in enumerate(
        requests(matrix, [f"either{number}" for number in numbers]).values()
    ):
        assert is_error
        assert not seen
        for scheme in CHOICES[number]:
            assert any(name in text for name in variables(matrix)[scheme])
    for is_error, seen, text in requests(matrix, [f"maybe{number}" for number in numbers]).values():
        assert not is_error, text
        assert credentials(seen[0]) == {}
