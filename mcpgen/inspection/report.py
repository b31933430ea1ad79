"""The text report of `mcpgen inspect`: totals, a line per kind of problem, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ..diff.tool_changes import ToolList, Wire
from ..text.literals import one_line
from ..text.table import aligned
from .catalogue import Inspection
from .kinds import KINDS, Severity
from .problems import Problem, tokens

TOP = 10
"""Of areas and tools, unless it is said how many."""
_MAX_NAMES = 3
_HEAD = ("tool", "operation", "hints", "arguments", "tokens")


class View(Struct, frozen=True):
    """The level of detail of a report."""

    only: Sequence[str] = ()
    """Codes: only such problems, each by itself, and their tools."""
    top: int = TOP
    whole: bool = False
    """All tools, and each problem by itself."""
    width: int = 0
    """Of the terminal; 0 is any width."""


def as_text(inspection: Inspection, view: View) -> Iterator[str]:
    """The inspection as lines."""
    yield from _totals(inspection.tools)
    problems = [each for each in inspection.problems if not view.only or each.code in view.only]
    if problems or view.only:
        yield ""
        yield f"{_count(len(problems), 'problem')} for agents:"
        yield from _problems(problems, view)
    concerned = {problem.tool for problem in problems}
    tools = [tool for tool in inspection.tools.tools if not view.only or tool["name"] in concerned]
    if not tools:
        return
    yield ""
    if view.whole or len(tools) <= view.top:
        yield from _tools(tools, inspection.tools, view)
        return
    if len(set(inspection.tools.areas.values())) > 1:
        yield from _areas(tools, inspection.tools, view)
        yield ""
    largest = sorted(tools, key=tokens, reverse=True)[: view.top]
    yield from _tools(largest, inspection.tools, view)
    rest = _count(len(tools) - len(largest), "smaller tool")
    yield f"{rest}: --all lists them, --top N the largest"


def effect(tool: Wire) -> str:
    """The effect of a tool by its hints: reads, writes, or `writes, destructive`."""
    hints = tool.get("annotations", {})
    if hints.get("readOnlyHint"):
        return "reads"
    return "writes, destructive" if hints.get("destructiveHint", True) else "writes"


def _totals(tools: ToolList) -> Iterator[str]:
    reads = sum(effect(tool) == "reads" for tool in tools.tools)
    count = len(tools.tools)
    shares = f" ({reads} read, {count - reads} write)" if count else ""
    cost = f"about {tools.tokens:,} tokens of tools/list"
    if tools.listed is tools.tools:
        yield f"{_count(count, 'tool')}, {cost}{shares}"
        return
    yield f"clients list {_count(len(tools.listed), 'tool')}, {cost}"
    yield f"by search: {_count(count, 'tool')}, about {tools.tokens_of_all:,}{shares}"


def _problems(problems: Sequence[Problem], view: View) -> Iterator[str]:
    """A line for each kind, the worst first; or the problems in full, under their kinds."""
    by_code: dict[str, list[Problem]] = {code: [] for code in KINDS}
    for problem in problems:
        by_code[problem.code].append(problem)
    for severity in Severity:
        kinds = {c: each for c, each in by_code.items() if each and KINDS[c].severity == severity}
        if not kinds:
            continue
        yield f"{severity}:"
        if view.whole or view.only:
            for code, each in kinds.items():
                yield f"  {code}: {KINDS[code].meaning}"
                yield f"    remedy: {KINDS[code].remedy}"
                yield from (f"    {one_line(str(problem))}" for problem in each)
            continue
        rows = [
            (f"  {code}", f"{len(each):,}", KINDS[code].remedy, _names(each))
            for code, each in kinds.items()
        ]
        yield from aligned(rows, numbers=(1,), width=view.width, flexible=(3, 2))


def _names(problems: Iterable[Problem]) -> str:
    """The tools that have the problems; only the first of many are named."""
    names = list(dict.fromkeys(problem.tool or "all tools" for problem in problems))
    more = f" and {len(names) - _MAX_NAMES:,} more" if len(names) > _MAX_NAMES else ""
    return f"{', '.join(names[:_MAX_NAMES])}{more}"


def _areas(tools: Sequence[Wire], listing: ToolList, view: View) -> Iterator[str]:
    """A table of the groups that cost the most tokens."""
    sizes: dict[str, list[int]] = {}
    for tool in tools:
        sizes.setdefault(one_line(listing.areas.get(tool["name"], "")), []).append(tokens(tool))
    largest = sorted(sizes.items(), key=lambda area: -sum(area[1]))
    rows = [("group", "tools", "tokens")]
    rows += [(area, f"{len(each):,}", f"{sum(each):,}") for area, each in largest[: view.top]]
    if rest := [size for _, each in largest[view.top :] for size in each]:
        name = _count(len(largest) - view.top, "smaller group")
        rows.append((name, f"{len(rest):,}", f"{sum(rest):,}"))
    yield from aligned(rows, numbers=(1, 2), width=view.width)


def _tools(tools: Sequence[Wire], listing: ToolList, view: View) -> Iterator[str]:
    rows = [_HEAD, *(_row(tool, listing) for tool in tools)]
    yield from aligned(rows, numbers=(4,), width=view.width, flexible=(3, 1, 2))


def _row(tool: Wire, tools: ToolList) -> tuple[str, str, str, str, str]:
    kind = "reads pages" if tool["name"] in tools.pages else effect(tool)
    schema = tool["inputSchema"]
    required = schema.get("required", ())
    names = schema.get("properties", {})
    arguments = ", ".join(name if name in required else f"{name}?" for name in names)
    text = arguments if len(arguments) <= 60 else f"{arguments[:57]}..."
    operation = one_line(tools.operation_of(tool))
    return tool["name"], operation, kind, one_line(text), f"{tokens(tool):,}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
