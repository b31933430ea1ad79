"""A diff of tools as text, Markdown for a pull request, or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..literals import code_span, markdown
from .changes import RULES, Change, Risk
from .tools import Diff

_TITLES = {Risk.BREAKING: "Breaking", Risk.RISKY: "Risky", Risk.HARMLESS: "Harmless"}
_MARKS = {Risk.BREAKING: "🔴", Risk.RISKY: "🟡", Risk.HARMLESS: "🟢"}
_MOST = 60_000
"""Characters of Markdown; a comment on GitHub has room for 65,536."""


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
    """The diff as lines, the worst first."""
    yield _summary(diff)
    for risk in sorted(Risk, reverse=True):
        changes = diff.of(risk)
        if changes:
            yield ""
            yield f"{_TITLES[risk].lower()}:"
            yield from (f"  {change.tool or 'all'}: {change}" for change in changes)


def as_markdown(diff: Diff) -> str:
    """The diff as a comment on a pull request."""
    lines = [f"### MCP tools: {_headline(diff)}", "", _summary(diff), ""]
    for risk in sorted(Risk, reverse=True):
        changes = diff.of(risk)
        if not changes:
            continue
        fold = risk is not Risk.BREAKING
        title = f"{_MARKS[risk]} {_TITLES[risk]} ({len(changes)})"
        lines += ["<details>", f"<summary>{title}</summary>", ""] if fold else [f"#### {title}", ""]
        lines += ["| tool | where | what |", "|---|---|---|"]
        lines += [_row(change) for change in changes]
        lines += ["", "</details>", ""] if fold else [""]
    text = "\n".join(lines).rstrip() + "\n"
    if len(text) > _MOST:
        cut = text[:_MOST].rsplit("\n", 1)[0]
        text = f"{cut}\n\nCut here; `mcpgen diff` shows all of it.\n"
    return text


def _row(change: Change) -> str:
    what = RULES[change.code].meaning
    detail = f" ({code_span(change.detail)})" if change.detail else ""
    where = code_span(change.where) if change.where else ""
    return (
        f"| {code_span(change.tool) if change.tool else ''} | {where} | {markdown(what)}{detail} |"
    )


def _headline(diff: Diff) -> str:
    counts = [
        f"{len(diff.of(r))} {r.name.lower()}" for r in sorted(Risk, reverse=True) if diff.of(r)
    ]
    return ", ".join(counts) or "no change"


def _summary(diff: Diff) -> str:
    old, new = diff.old, diff.new
    change = new.tokens - old.tokens
    return (
        f"{len(old.tools)} -> {len(new.tools)} tools, "
        f"about {old.tokens:,} -> {new.tokens:,} tokens of tools/list ({change:+,})"
    )
