"""A diff as text, as Markdown for a pull request, or as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..text.literals import code_span, markdown
from ..text.table import aligned
from .changes import RULES, Change, Risk
from .tool_changes import Diff

_MARKS = {Risk.BREAKING: "🔴", Risk.RISKY: "🟡", Risk.HARMLESS: "🟢"}
_MAX_CHARACTERS = 60_000
"""Characters of Markdown; a comment on GitHub has room for 65,536."""
_FOLD = re.compile(r"<details><summary>(and \d+ more)</summary>.*?</details>")
"""The further tools of a row, which go before anything else is cut."""
_MAX_NAMES = 3
"""Of the tools to which the same happened; so many have a line each."""


def as_json(diff: Diff) -> dict[str, Any]:
    """The diff as one JSON object."""
    return {
        "old": {"name": diff.old.name, "tools": len(diff.old.tools), "tokens": diff.old.tokens},
        "new": {"name": diff.new.name, "tools": len(diff.new.tools), "tokens": diff.new.tokens},
        "breaking": len(diff.of(Risk.BREAKING)),
        "risky": len(diff.of(Risk.RISKY)),
        "harmless": len(diff.of(Risk.HARMLESS)),
        "changes": [change.to_json() for change in diff.changes],
    }


def as_text(diff: Diff) -> Iterator[str]:
    """The diff as lines, the worst changes first."""
    yield _summary(diff)
    yield from _lines(diff.changes)


def _lines(changes: Sequence[Change]) -> Iterator[str]:
    for risk, alike in _by_risk(changes):
        yield ""
        yield f"{risk.name.lower()}:"
        yield from (f"  {line(*row)}" for row in rows(alike))


def _by_risk(changes: Iterable[Change]) -> list[tuple[Risk, list[Change]]]:
    """The changes of each risk that occurs, the worst first."""
    listed = list(changes)
    classes = [(r, [c for c in listed if c.risk is r]) for r in sorted(Risk, reverse=True)]
    return [(risk, alike) for risk, alike in classes if alike]


def as_markdown(diff: Diff) -> str:
    """The diff as a comment on a pull request."""
    lines = [f"### MCP tools: {_headline(diff.changes)}", "", _summary(diff), ""]
    lines += _tables(diff.changes)
    return _bounded(lines)


def _tables(all_changes: Sequence[Change]) -> list[str]:
    lines = []
    for risk, changes in _by_risk(all_changes):
        fold = risk is not Risk.BREAKING
        title = f"{_MARKS[risk]} {risk.name.capitalize()} ({len(changes)})"
        lines += ["<details>", f"<summary>{title}</summary>", ""] if fold else [f"#### {title}", ""]
        lines += ["| tool | where | what |", "|---|---|---|"]
        lines += [_row(*row) for row in rows(changes)]
        lines += ["", "</details>", ""] if fold else [""]
    return lines


def _bounded(lines: Iterable[str]) -> str:
    text = "\n".join(lines).rstrip() + "\n"
    if len(text) > _MAX_CHARACTERS:
        text = _FOLD.sub(r" \1", text)
    if len(text) > _MAX_CHARACTERS:
        cut = text[:_MAX_CHARACTERS].rsplit("\n", 1)[0]
        if cut.splitlines().count("<details>") > cut.splitlines().count("</details>"):
            cut += "\n\n</details>"
        text = f"{cut}\n\nThe report is cut here; `mcpgen diff` shows all of it.\n"
    return text


def servers_as_text(servers: Mapping[str, Sequence[Change]]) -> Iterator[str]:
    """The changes that updates would bring to several servers, then a table of the servers."""
    for server, changes in servers.items():
        if changes:
            yield f"{server}: {_headline(changes)}"
            yield from _lines(changes)
            yield ""
    risks = sorted(Risk, reverse=True)
    counts = [(name, *(str(_count(c, risk)) for risk in risks)) for name, c in servers.items()]
    yield from aligned([("server", *(r.name.lower() for r in risks)), *counts], numbers=(1, 2, 3))


def servers_as_markdown(servers: Mapping[str, Sequence[Change]]) -> str:
    """The changes of several servers as a comment on a pull request."""
    parts = ([f"### {name}: {_headline(c)}", "", *_tables(c)] for name, c in servers.items() if c)
    return _bounded([line for part in parts for line in part] or ["### MCP tools: no change"])


def servers_as_json(servers: Mapping[str, Sequence[Change]]) -> dict[str, Any]:
    """The changes of several servers as one JSON object."""
    return {
        "servers": [
            {
                "server": name,
                **{risk.name.lower(): _count(changes, risk) for risk in Risk},
                "changes": [change.to_json() for change in changes],
            }
            for name, changes in servers.items()
        ]
    }


def _count(changes: Iterable[Change], risk: Risk) -> int:
    return sum(change.risk is risk for change in changes)


def rows(changes: Iterable[Change]) -> Iterator[tuple[list[str], Change]]:
    """Each change with its tools: a change that many tools have in common is reported once."""
    alike: dict[tuple[object, ...], list[Change]] = {}
    for change in changes:
        key = (change.code, change.where, change.detail, change.texts)
        alike.setdefault(key, []).append(change)
    for same in alike.values():
        if len(same) <= _MAX_NAMES:
            yield from (([each.tool] if each.tool else [], each) for each in same)
        else:
            yield [each.tool for each in same], same[0]


def line(tools: Sequence[str], change: Change) -> str:
    """A line for a change and its tools; if there are many, only the first tools are named."""
    more = f" and {len(tools) - _MAX_NAMES} more" if len(tools) > _MAX_NAMES else ""
    return f"{', '.join(tools[:_MAX_NAMES]) or 'all'}{more}: {change}"


def _row(tools: Sequence[str], change: Change) -> str:
    """A row of a table; if it has many tools, the first few are shown and the others are folded."""
    what = RULES[change.code].meaning
    detail = f" ({code_span(change.detail)})" if change.detail else ""
    if any(change.texts):
        detail = f": {' → '.join(code_span(text) if text else 'none' for text in change.texts)}"
    where = code_span(change.where) if change.where else ""
    names = ", ".join(map(code_span, tools[:_MAX_NAMES]))
    if rest := tools[_MAX_NAMES:]:
        others = ", ".join(map(code_span, rest))
        names += f"<details><summary>and {len(rest)} more</summary>{others}</details>"
    return f"| {names} | {where} | {markdown(what)}{detail} |"


def _headline(changes: Sequence[Change]) -> str:
    counts = [f"{len(alike)} {risk.name.lower()}" for risk, alike in _by_risk(changes)]
    return ", ".join(counts) or "no change"


def _summary(diff: Diff) -> str:
    old, new = diff.old, diff.new
    change = new.tokens - old.tokens
    return (
        f"{len(old.tools)} -> {len(new.tools)} tools, "
        f"about {old.tokens:,} -> {new.tokens:,} tokens of tools/list ({change:+,})"
    )
