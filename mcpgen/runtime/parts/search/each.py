"""Many calls of one tool in a single call: each is counted, and gives a row or an error."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, cast

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from ...backend.threads import LARGE, aside
from ...results.content import HEADERS, Result
from ...results.limits import ResultLimit
from ...values.display import visible
from ...values.errors import DRY_RUN
from ...values.jsontext import dump
from .calls import NO_DATA, VIA, Via
from .tables import Path, Split, Table, size_of_json

AT_ONCE = 5
"""Reads at a time."""
_NUMBERS = ("#", "##", "call")
"""Names of the column with the numbers of the calls; the first that no answer has."""
_OTHERS = ("image", "audio", "resource")
_TOO_LATE = "the time for one call is over"
_NO_ROOM = "there is no room for more in one answer"
_LEFT_OUT = "done; its answer had no room"
_UNTOLD = "there was no room for the reason"
_ASKS = "it asks the user a question: call it alone"

Make = Callable[[ServerRequestContext[Any], Mapping[str, Any]], Awaitable[Any]]
"""Makes one call in a context, with its arguments."""


@dataclass
class Item:
    """The outcome of one call."""

    data: Any = NO_DATA
    text: str = ""
    """What was answered that is no JSON."""
    error: str = ""
    note: str = ""
    """What is told beside the data, such as that it is not as its document says."""


@dataclass
class Each:
    """Many calls of one tool, and their outcomes."""

    via: Via
    """How each of them is asked for."""
    arguments: Sequence[Mapping[str, Any]]
    limit: ResultLimit
    seconds: float
    """For all of them: none begins later."""
    stops: bool
    """An error ends it."""
    outcomes: dict[int, Item] = field(default_factory=dict)
    stopped: str = ""
    """Why not all were made."""
    hint: str = ""
    """How the tool is called, where arguments were refused."""
    _next: int = 0
    _size: int = 0

    async def run(self, ctx: ServerRequestContext[Any], make: Make, at_once: int) -> None:
        """Make the calls in order, at most `at_once` at a time."""
        until = time.monotonic() + self.seconds
        whole = ctx.session
        quiet: Any = replace(ctx, session=cast(Any, _Quiet(whole)))

        async def work() -> None:
            while self._next < len(self.arguments) and not self.stopped:
                if time.monotonic() > until:
                    self.stopped = _TOO_LATE
                    return
                number, self._next = self._next, self._next + 1
                await self._made(number, quiet, make)
                await whole.report_progress(len(self.outcomes), len(self.arguments))

        async with anyio.create_task_group() as group:
            for _ in range(min(at_once, len(self.arguments))):
                group.start_soon(work)

    async def _made(self, number: int, ctx: ServerRequestContext[Any], make: Make) -> None:
        via = replace(self.via, notes=[])
        token = VIA.set(via)
        try:
            result = await make(ctx, self.arguments[number])
        except MCPError as problem:
            item, is_made = Item(error=problem.message), via.accepted
        else:
            item, is_made = _outcome(result, via), via.is_reached
        finally:
            VIA.reset(token)
        item.note = " ".join(dict.fromkeys(filter(None, [item.note, *via.notes])))
        self.hint = self.hint or via.signature
        if item.error and not is_made:
            self.stopped = self.stopped or item.error
            return
        if item.error and self.stops:
            self.stopped = self.stopped or f"call {number + 1} failed"
        await aside(LARGE, partial(self._keep, number, item), alone=True)

    def _keep(self, number: int, item: Item) -> None:
        """Keep an outcome; without room for it, keep a note about it and make no more calls."""
        text = item.error or item.text
        size = len(text.encode()) if text else size_of_json(item.data) + len(item.note.encode())
        self.outcomes[number] = item
        self._size += size
        largest = self.limit.most_written
        if self._size > largest and (self.via.as_json or len(self.text().encode()) > largest):
            self._size -= size
            left_out = Item(error=_UNTOLD) if item.error else Item(text=_LEFT_OUT)
            self.outcomes[number] = left_out
            self.stopped = self.stopped or _NO_ROOM

    @property
    def has_failed(self) -> bool:
        """Whether no call succeeded."""
        return all(item.error for item in self.outcomes.values())

    @property
    def missing(self) -> list[int]:
        """The numbers of the calls that were not made."""
        return [n for n in range(len(self.arguments)) if n not in self.outcomes]

    def text(self) -> str:
        """The answer: tables of results, then each message after the numbers of its calls."""
        answers: dict[int, Any] = {}
        lines: dict[str, list[int]] = {}
        for number, item in sorted(self.outcomes.items()):
            said = f"failed: {item.error}" if item.error else item.text
            said = said or ("0 results" if item.data == [] else "")
            if not said:
                answers[number] = item.data
            for line in filter(None, (said, item.note)):
                lines.setdefault(" ".join(line.split()), []).append(number)
        texts = [rows_of(answers)]
        texts += [f"{spans(numbers)}: {said}" for said, numbers in lines.items()]
        return "\n".join(filter(None, [*texts, self.end]))

    @property
    def end(self) -> str:
        """A sentence on the calls that were not made, with the reason; empty if all were made."""
        if not self.missing:
            return ""
        count = f"{len(self.outcomes)} of {len(self.arguments)} calls were made"
        return f"{count}: {self.stopped.rstrip('.')}. Calls not made: {spans(self.missing)}."

    def result(self) -> Result:
        """The result: text for an agent, or structured content and text for a program."""
        result: Result = {"resultType": "complete"}
        if self.via.as_json:
            outcomes = sorted(self.outcomes.items())
            data: dict[str, Any] = {"results": [_structured(*each) for each in outcomes]}
            if self.missing:
                data |= {"stopped": self.stopped, "not_made": [n + 1 for n in self.missing]}
            result["structuredContent"] = data
            text = visible(dump(data, allow_nan=True))
        else:
            text = self.text()
        texts = [text, *filter(None, [self.hint])]
        result["content"] = [{"type": "text", "text": each} for each in texts]
        return {**result, "isError": True} if self.has_failed else result


class _Quiet:
    """A session for calls whose own progress is not reported: they are reported together."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def report_progress(self, *_: Any, **__: Any) -> None:
        """Do nothing."""


def _outcome(result: Mapping[str, Any], via: Via) -> Item:
    """The outcome that a call's result shows."""
    if result.get("resultType") == "input_required":
        return Item(error=_ASKS)
    if result.get("_meta", {}).get(DRY_RUN):
        return Item(text=text_in(result))
    if result.get("isError"):
        return Item(error=text_in(result))
    if via.data is NO_DATA:
        return Item(text=other(result))
    has_headers = isinstance(via.data, dict) and HEADERS in via.data
    beside = result["content"][1 + has_headers :]  # the block after the data has its headers
    return Item(via.data, note=text_in({"content": beside}))


def _structured(number: int, item: Item) -> dict[str, Any]:
    if item.error:
        return {"call": number + 1, "error": item.error}
    answer = {"text": item.text} if item.text else {"answer": item.data}
    return {"call": number + 1, **answer, **({"note": item.note} if item.note else {})}


def text_in(result: Mapping[str, Any]) -> str:
    """The texts in a result."""
    return "\n".join(block.get("text", "") for block in result.get("content", ()))


def other(result: Mapping[str, Any]) -> str:
    """The text for a result without JSON data, such as a task or an image."""
    if result.get("resultType") == "task":
        return f"goes on as the task {result.get('taskId')}"
    kinds = [block.get("type") for block in result.get("content", ())]
    others = [kind for kind in kinds if kind in _OTHERS]
    more = f"({', '.join(others)}: call it by itself)" if others else ""
    return f"{text_in(result)} {more}".strip() or "done"


def rows_of(answers: Mapping[int, Any]) -> str:
    """The answers with their numbers: as tables if that is shorter, else as one JSON line each."""
    texts = {number: visible(dump(data, allow_nan=True)) for number, data in answers.items()}
    plain = "\n".join(f"{number + 1}: {text}" for number, text in texts.items())
    name = next((each for each in _NUMBERS if f'"{each}"' not in plain), "")
    if not name or not answers:
        return plain
    rests: list[dict[str, Any]] = []
    lists: dict[Path, list[dict[str, Any]]] = {}
    for number, data in answers.items():
        own: Any = data if isinstance(data, dict) else {"value": data}
        path, rows = _only_list(data)
        lists.setdefault(path, []).extend({name: number + 1, **row} for row in rows)
        if rows:
            own = {key: value for key, value in own.items() if key != path[0]} if path else {}
        if own:
            rests.append({name: number + 1, **own})
    tables = [(path, rows) for path, rows in (((), rests), *lists.items()) if rows]
    if any(Split.of(rows).tables == [] for _, rows in tables):
        return plain
    if len(tables) == 1:
        return Table((), tables[0][1]).text()
    text = "\n".join(Table(path or ("rows",), rows).text() for path, rows in tables)
    return text if len(text) < len(plain) else plain


def _only_list(data: Any) -> tuple[Path, Sequence[Mapping[str, Any]]]:
    """The only list of objects in an answer, with its path; the answer may itself be the list."""
    lists: list[tuple[Path, list[Any]]] = [((), data)] if isinstance(data, list) else []
    if isinstance(data, dict):
        lists = [((name,), each) for name, each in data.items() if isinstance(each, list)]
    full = [(path, each) for path, each in lists if each and all(isinstance(i, dict) for i in each)]
    return full[0] if len(full) == 1 else ((), [])


def spans(numbers: Iterable[int]) -> str:
    """Numbers as ranges: `1 to 3, 5`."""
    ordered = sorted(numbers)
    starts = [n for before, n in pairwise([-2, *ordered]) if n != before + 1]
    ends = [n for n, after in pairwise([*ordered, -2]) if after != n + 1]
    pairs = zip(starts, ends, strict=True)
    return ", ".join(f"{a + 1}" if a == b else f"{a + 1} to {b + 1}" for a, b in pairs)
