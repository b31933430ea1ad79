"""An agent that knows what it is looking for: how it finds, reads and calls tools, and the cost.

What it does next it takes from what the API has, not from how an answer is written. So an answer
may be JSON or a table; what the agent needs of it has to be there to be read.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp import Client

from bench.agent.api import Api
from bench.agent.operations import OPERATIONS
from mcpgen.catalogue.tools_json import tokens_of_value

_BYTES_PER_TOKEN = 4
_MOST_PAGES = 50
_BATCH = 50
"""Calls of one tool that are made in one."""


class Wrong(Exception):
    """A job that cannot be done as it should."""


@dataclass(frozen=True)
class How:
    """How an agent works."""

    is_careful: bool = True
    """It asks for what it needs, and not for all."""
    has_each: bool = False
    """It makes many calls of one tool in one, where the server offers that."""


class Session:
    """What an agent does with one server, and what it reads and writes for that."""

    def __init__(
        self, client: Client, listed: Sequence[Mapping[str, Any]], api: Api, how: How
    ) -> None:
        self.api = api
        self._client = client
        self._listed = {tool["name"]: tool for tool in listed}
        self._how = how
        self._known: set[str] = set()
        self.cost: Counter[str] = Counter()
        """Tokens by what they were for."""
        self.calls = 0

    @property
    def is_search(self) -> bool:
        """Whether tools have to be found."""
        return "find_tools" in self._listed

    async def learn(self, **queries: str) -> None:
        """Find tools, each by some words, and read how they are called."""
        if not self.is_search:
            return
        for name, query in queries.items():
            if name in self._known:
                continue
            text = await self._ask("finds", "find_tools", {"query": query})
            lines, _, definition = text.partition("\n\n")
            if not re.search(rf"^{name}\(", lines, re.MULTILINE):
                raise Wrong(f"{query!r} does not find {name}")
            if definition.startswith(f"{name} "):
                self._known.add(name)
        await self.describe(*queries)

    async def describe(self, *names: str) -> None:
        """Read how tools are called whose names are known."""
        names = tuple(name for name in names if name not in self._known)
        if self.is_search and names:
            self._known.update(names)
            await self._ask("describes", "describe_tools", {"names": list(names)})

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        need: Iterable[Any] = (),
        fields: Sequence[str] = (),
        frugal: Mapping[str, Any] | None = None,
        pages: bool = False,
        refused: str = "",
    ) -> None:
        """Call a tool; what is needed of the answer is looked for.

        `fields` are those of the answer that are asked for, and `frugal` the arguments of the API
        that make answers short; a careless agent gives neither, unless the answer was too long.
        `refused` is what a refusal says that is expected.
        """
        needed = [str(each) for each in need]
        texts: list[str] = []
        for is_careful in (True,) if self._how.is_careful else (False, True):
            given = {**arguments, **(frugal or {})} if is_careful else dict(arguments)
            texts += await self._pages(name, given, fields if is_careful else (), pages, refused)
            if not (lacking := _lacking(needed, texts)):
                return
            if OPERATIONS[name].method != "GET":
                break
        raise Wrong(f"{name} does not show {lacking[:3]}")

    async def each(
        self,
        name: str,
        items: Sequence[Mapping[str, Any]],
        *,
        need: Iterable[Any] = (),
        fields: Sequence[str] = (),
    ) -> None:
        """Call a tool for each of some arguments: in one call, where the server offers it.

        Refusals are for the caller to see in what the API has.
        """
        texts: list[str] = []
        calling = self._calling(name)
        fields = fields if self._how.is_careful else ()
        if self._how.has_each and "each" in _arguments(self._listed.get(calling, {})):
            for start in range(0, len(items), _BATCH):
                part = [dict(each) for each in items[start : start + _BATCH]]
                given: dict[str, Any] = {"name": name, "each": part}
                texts.append(
                    await self._ask("answers", calling, given | _if_given(fields=list(fields)))
                )
        else:
            for item in items:
                texts.append(await self._call(name, item, fields, may_fail=True))
        if lacking := _lacking([str(each) for each in need], texts):
            raise Wrong(f"{name} does not show {lacking[:3]}")

    async def _pages(
        self,
        name: str,
        arguments: Mapping[str, Any],
        fields: Sequence[str],
        pages: bool,
        refused: str,
    ) -> list[str]:
        """The texts of an answer, and of its further pages where all are asked for."""
        if not pages or self.is_search:
            more = {"pages": _MOST_PAGES} if pages else {}
            return [await self._call(name, arguments, fields, more, refused=refused)]
        fields = [*fields, "$.next_cursor"] if fields else fields
        texts = [await self._call(name, arguments, fields)]
        while cursor := self.api.last.get("next_cursor"):
            if _lacking([cursor], texts[-1:]):
                raise Wrong(f"{name} does not show its cursor")
            texts.append(await self._call(name, {**arguments, "cursor": cursor}, fields))
        return texts

    async def _call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        fields: Sequence[str] = (),
        more: Mapping[str, Any] | None = None,
        *,
        refused: str = "",
        may_fail: bool = False,
    ) -> str:
        if self.is_search:
            given: dict[str, Any] = {"name": name, "arguments": dict(arguments), **(more or {})}
            own = self._listed[self._calling(name)]
        else:
            given = dict(arguments)
            own = self._listed[name]
        if fields and _arguments(own).get("fields", {}).get("type") == "array":
            given["fields"] = list(fields)
        return await self._ask("answers", own["name"], given, refused, may_fail=may_fail)

    def _calling(self, name: str) -> str:
        """The tool that calls a tool."""
        method = OPERATIONS[name].method
        right = {"GET": "call_read_tool", "DELETE": "call_delete_tool"}.get(method, "")
        return right if right in self._listed else "call_write_tool"

    async def _ask(
        self,
        what: str,
        name: str,
        arguments: dict[str, Any],
        refused: str = "",
        *,
        may_fail: bool = True,
    ) -> str:
        self.calls += 1
        self.cost["written"] += tokens_of_value({"name": name, "arguments": arguments})
        result = await self._client.call_tool(name, arguments)
        text = "\n".join(block.text for block in result.content if block.type == "text")
        structured = json.dumps(
            result.structured_content, ensure_ascii=False, separators=(",", ":")
        )
        shown = max(text, structured if result.structured_content else "", key=len)
        self.cost[what] += len(shown.encode()) // _BYTES_PER_TOKEN
        if refused and not (result.is_error and refused in text):
            raise Wrong(f"{name} {arguments} is not refused with {refused!r}: {text[:300]}")
        if result.is_error and not refused and not may_fail:
            raise Wrong(f"{name} {arguments} fails: {text[:300]}")
        return text


def _arguments(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = tool.get("inputSchema", {}).get("properties", {})
    return properties


def _if_given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _lacking(needed: Iterable[str], texts: Sequence[str]) -> list[str]:
    """What cannot be read in any of the texts."""
    words = {*re.findall(r"[\w.+-]+", "\n".join(texts))}
    return [each for each in needed if not {*re.findall(r"[\w.+-]+", each)} <= words]
