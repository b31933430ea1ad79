"""A diff as text, as Markdown for a pull request, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..text.literals import code_span, markdown
from .changes import RULES, Change, Risk
from .tool_changes import Diff

_MARKS = {Risk.BREAKING: "🔴", Risk.RISKY: "🟡", Risk.HARMLESS: "🟢"}
_MOST = 60_000
"""Characters of Markdown; a comment on GitHub has room for 65,536."""
_NAMED = 3
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
    """The diff as lines, the worst first."""
    yield _summary(diff)
    for risk in sorted(Risk, reverse=True):
        changes = diff.of(risk)
        if changes:
            yield ""
            yield f"{risk.name.lower()}:"
            yield from (f"  {line(*row)}" for row in rows(changes))


def as_markdown(diff: Diff) -> str:
    """The diff as a comment on a pull request."""
    lines = [f"### MCP tools: {_headline(diff)}", "", _summary(diff), ""]
    for risk in sorted(Risk, reverse=True):
        changes = diff.of(risk)
        if not changes:
            continue
        fold = risk is not Risk.BREAKING
        title = f"{_MARKS[risk]} {risk.name.capitalize()} ({len(changes)})"
        lines += ["<details>", f"<summary>{title}</summary>", ""] if fold else [f"#### {title}", ""]
        lines += ["| tool | where | what |", "|---|---|---|"]
        lines += [_row(*row) for row in rows(changes)]
        lines += ["", "</details>", ""] if fold else [""]
    text = "\n".join(lines).rstrip() + "\n"
    if len(text) > _MOST:
        cut = text[:_MOST].rsplit("\n", 1)[0]
        if cut.splitlines().count("<details>") > cut.splitlines().count("</details>"):
            cut += "\n\n</details>"
        text = f"{cut}\n\nCut here; `mcpgen diff` shows all of it.\n"
    return text


def rows(changes: Iterable[Change]) -> Iterator[tuple[list[str], str, Change]]:
    """The changes, each with the tools it applies to: the same change to many tools is told once.

    Only some of the tools are named; a text says how many more there are.
    """
    alike: dict[tuple[object, ...], list[Change]] = {}
    for change in changes:
        key = (change.code, change.where, change.detail, change.texts)
        alike.setdefault(key, []).append(change)
    for same in alike.values():
        if len(same) <= _NAMED:
            yield from (([each.tool] if each.tool else [], "", each) for each in same)
        else:
            more = f" and {len(same) - _NAMED} more"
            yield [each.tool for each in same[:_NAMED]], more, same[0]


def line(tools: Iterable[str], more: str, change: Change) -> str:
    """One line for a change and the tools it applies to."""
    return f"{', '.join(tools) or 'all'}{more}: {change}"


def _row(tools: Iterable[str], more: str, change: Change) -> str:
    what = RULES[change.code].meaning
    detail = f" ({code_span(change.detail)})" if change.detail else ""
    if any(change.texts):
        detail = f": {' → '.join(code_span(text) if text else 'none' for text in change.texts)}"
    where = code_span(change.where) if change.where else ""
    names = ", ".join(map(code_span, tools))
    return f"| {names}{more} | {where} | {markdown(what)}{detail} |"


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
