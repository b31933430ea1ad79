"""Prose without its markup, for places that do not render markup."""

from __future__ import annotations

import re

_INLINE = "a|abbr|b|code|em|font|i|img|kbd|small|span|strong|sub|sup|t[dht]|u"
_BLOCKS = "blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|tbody|thead|tr|ul"
_MARKUP = re.compile(
    r"!?\[([^\[\]]{0,300})\]\([^()]{0,500}\)"
    r"|(?<![\w*])\*{1,3}(?=[^\s*])([^*\n]{0,300}[^\s*])\*{1,3}(?![\w*])"
    r"|(?<!`)`{1,2}(?=[^`])([^`\n]{1,300})`{1,2}(?!`)"
    rf"|</?(?:{_INLINE}|({_BLOCKS}))(?:\s[a-z-]+=[^<>]{{0,200}})?\s?/?>"
    r"|<!--[^<>]{0,300}-->|^#{1,6}[ \t]+",
    re.M | re.I,
)
_HEADINGS = re.compile(r"\A\s*(?:#{1,6}[ \t][^\n]*\n\s*)+(?=\S)")
CUT_AT = 2048
"""The length at which Claude Code cuts a description, and the instructions of a server."""
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


def plain(text: str) -> str:
    """The text without Markdown and HTML; the tag of a block element ends the paragraph."""
    if any(mark in text for mark in "[*`<#"):
        text = _MARKUP.sub(_without_markup, text)
    return text.strip()


def _without_markup(match: re.Match[str]) -> str:
    return match[1] or match[2] or match[3] or ("\n\n" if match[4] else "")


def with_ours(text: str, ours: str) -> str:
    """A description with mcpgen's addition at the end, unless clients would cut it off there.

    In that case it follows a short first paragraph, or comes first.
    """
    if not (text and ours) or len(text) + len(ours) + 2 <= CUT_AT:
        return "\n\n".join(filter(None, (text, ours)))
    first, _, rest = text.partition("\n\n")
    if len(first) + len(ours) + 2 > CUT_AT:
        first, rest = "", text
    return "\n\n".join(filter(None, (first, ours, rest)))


def first_paragraph(text: str) -> str:
    """The first paragraph of a text without markup; a heading only if there is nothing else."""
    return _PARAGRAPH_END.split(plain(_HEADINGS.sub("", text)), maxsplit=1)[0]
