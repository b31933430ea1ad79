"""No argument makes a server send what its document forbids, or fail inside."""

import copy
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from mcp import Client, MCPError

from mcpgen.api import Api, Tool
from mcpgen.diagnostics import Diagnostics
from mcpgen.generate import generate
from mcpgen.settings import Settings

from . import requests
from .budget import tries
from .grammar import SPECS, VALUE
from .hosting import Hosted, hosted

NAMES = ("bookshop.yaml", "wire.yaml", "bodies.yaml", "access.yaml", "next.yaml", "nightbus.json")
SECRET = "sentinel"

TEXTS = st.sampled_from([
    "", ".", "..", "../admin", "%2e%2e", "..;/x", "a/b", "a?x=1", "a#f", "a&b=c", "a;b=c", "a\\b",
    "a\r\nX-Evil: 1", "a\nb", "\x00", "a, b", "a=b", "a b", "é", " a ", "{id}", "//evil.example",
    "http://evil.example/", "@evil.example", "x" * 9000, "true", "1", "null", '["a"]', '{"a": 1}',
    "file:///etc/passwd", "data:text/plain,x", "%", "%zz", "\u202e", "a|b", "[0]", "__proto__",
])  # fmt: skip
VALUES = st.one_of(
    TEXTS, st.text(max_size=5), VALUE, st.lists(TEXTS, max_size=3),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
    st.sampled_from([0, -1, 2**53 + 1, 10**30, 1e21, 1e-7, 0.1, True, None]),
)  # fmt: skip
KEYS = st.sampled_from(
    ["url", "base_url", "Host", "Authorization", "Content-Length", "ctx", "body", "self", "a\r\nb"]
)


class Served:
    """A server and the IR of its document."""

    def __init__(self, server: Hosted, api: Api) -> None:
        self.server = server
        self.api = api
        self.tools = {tool.name: tool for tool in api.tools}
        self.good = [(case["tool"], case["arguments"]) for case in server.cases
                     if case["kind"] in ("full", "required", "null")]  # fmt: skip

    def judge(self, calls: list[tuple[str, dict[str, Any]]]) -> None:
        """Make calls and look at what came of each."""

        async def use(client: Client) -> None:
            for name, arguments in calls:
                result = await self.server.call(client, name, arguments)
                self._judge(self.tools[name], arguments, result)

        self.server.use(use)

    def _judge(self, tool: Tool, arguments: dict[str, Any], result: Any) -> None:
        assert not self.server.logged, self.server.logged[0]
        if isinstance(result, MCPError) or not self.server.requests:
            assert not self.server.requests
            assert isinstance(result, MCPError) or result.is_error
            return
        (request,) = self.server.requests
        requests.check(request, self.api, tool, arguments, SECRET)


@pytest.fixture(scope="module")
def served() -> Iterator[list[Served]]:
    """The servers of the documents."""
    with ExitStack() as stack:
        found = []
        for name in NAMES:
            package = f"fuzzed_{Path(name).stem}_mcp"
            asked = Settings(source=str(SPECS / name), package=package)
            made = generate(asked, Path("out"), Diagnostics())
            found.append(Served(stack.enter_context(hosted(made.files, package)), made.api))
        yield found


def test_the_servers_share_one_runtime(served):
    """Another copy of a module has other classes than those that calls are answered with."""
    for name, module in list(sys.modules.items()):
        package, inner, rest = name.partition("._runtime")
        if inner and package.startswith("fuzzed_"):
            assert module is sys.modules[f"mcpgen.runtime{rest}"], name


@st.composite
def arguments(draw: DrawFn, good: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a tool takes, a few of them replaced, renamed, added or left out."""
    made = copy.deepcopy(good)
    for _ in range(draw(st.integers(0, 3))):
        holder: Any = made
        while isinstance(holder, (dict, list)) and holder:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            key = draw(st.sampled_from(keys))
            if not isinstance(holder[key], (dict, list)) or draw(st.booleans()):
                break
            holder = holder[key]
        how = draw(st.sampled_from(["replace", "replace", "add", "remove"]))
        if how == "add" and isinstance(holder, dict):
            holder[draw(KEYS)] = draw(VALUES)
        elif how == "remove" and holder:
            del holder[key]
        elif holder:
            holder[key] = draw(VALUES)
    return made


@tries(10)
@given(data=st.data())
def test_arguments_beyond_the_schema(served, data):
    one = data.draw(st.sampled_from(served))
    calls = []
    for tool, good in data.draw(st.lists(st.sampled_from(one.good), min_size=1, max_size=8)):
        calls.append((tool, data.draw(arguments(good))))
    one.judge(calls)
