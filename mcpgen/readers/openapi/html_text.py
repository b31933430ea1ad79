"""Converts HTML in descriptions to Markdown; links within the author's own site become text."""

from __future__ import annotations

import re

from .agent_text import strip_hidden

_INLINE = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "kbd": "`", "tt": "`"}
_BARE = ("a", "abbr", "font", "img", "small", "span", "sub", "sup", "u")
_BREAKS = {"br": "\n", "td": " | ", "th": " | ", "tr": "\n"}
_BLOCKS = (
    *("blockquote", "details", "div", "dl", "dt", "dd", "hr", "ol", "p", "pre", "section"),
    *("summary", "table", "ul"),
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_NAMES = "|".join((*_INLINE, *_BARE, *_BREAKS, *_BLOCKS, *_HEADINGS, "li"))
_ATTRIBUTES = r"(?:\s[a-z-]+=[^<>]{0,300})?\s?"
_ANY = r"(?:\s[^<>]{0,300})?"
"""Other contents of a table's tags, which are not placeholders: `<td nowrap>`."""
_ENTITIES = (
    "&(?:nbsp|amp|lt|gt|quot|apos|lsquo|rsquo|ldquo|rdquo|ndash|mdash|hellip"
    r"|#\d{2,5}|#x[0-9a-f]{2,5});"
)
_IS_HTML = rf"(?im)</(?:{_NAMES}|style)\s?>|<br\s?/?>|^[ \t]{{0,90}}<p>|<p>(?-i:[A-Z])|{_ENTITIES}"
"""This pattern and the next are compiled on use, since compiling them is slow."""
_CODE = r"```[\s\S]{0,9000}?```|`[^`\n]{1,300}`"
_LEADS_NOWHERE = (
    rf"(?P<code>{_CODE})|(?<!!)\[(?P<text>[^\[\]]{{1,300}})\]"
    r"\((?:/(?!/)|\.{1,2}/|#(?![^()\s]{0,200}operation/))"
    r"[^()\s\[\]{}<>|\\^]{0,500}(?:\s\"[^\"]{0,200}\")?\)"
)
"""A link to a place in the author's own pages, which may name an operation. A target with
characters that URLs lack (RFC 3986 2) is a path template, or the text is a regular expression.
"""
_MARKUP = (
    r"(?i)"
    rf"(?P<code>{_CODE})"
    r"|<a\s(?P<attributes>[^<>]{0,900})>(?P<text>[^<>\[\]]{1,300})</a>"
    rf"|<(?P<around>{'|'.join(_INLINE)})>(?P<inside>[^<>]{{0,90}})</(?P=around)>"
    rf"|<style{_ANY}>(?P<style>[^<>]{{0,3000}})</style\s?>"
    r"|(?P<item><li>\s{0,90}(?:<p>\s{0,90})?)"
    rf"|\s{{0,90}}<tr{_ANY}>(?P<row>[\s\S]{{0,3000}}?)</tr\s?>\s{{0,90}}"
    rf"|(?P<rows>\s{{0,90}}</?t(?:head|body|foot){_ANY}>\s{{0,90}})"
    rf"|<(?P<end>/?)(?P<name>{_NAMES}){_ATTRIBUTES}/?>"
    rf"|(?P<entity>{_ENTITIES})"
)
_CELL = re.compile(rf"<t[dh]{_ANY}>", re.I)
_CELL_END = re.compile(r"</t[dh]\s?>", re.I)
_LINK = re.compile(r"\bhref=[\"']?(https?://[^\s\"'()]+)", re.I)


def as_markdown(text: str) -> str:
    """The text, with HTML for formatting rewritten as Markdown.

    A text is HTML only if a tag closes an element, breaks a line, or starts a paragraph (before a
    line break or a capital letter, as in Javadoc): `<id>` alone is a placeholder. A link without a
    host is reduced to its text, since readers of the tool cannot open it.
    """
    if "](" in text:
        text = re.sub(_LEADS_NOWHERE, lambda match: match["code"] or match["text"], text)
    if ("<" not in text and "&" not in text) or not re.search(_IS_HTML, text):
        return text
    return re.sub(r"(?<=\n)[ \t]+\n", "\n", re.sub(_MARKUP, _markdown, text))


def _markdown(match: re.Match[str]) -> str:
    if match["code"]:
        return match["code"]
    if match["around"]:
        inside, mark = re.sub(_MARKUP, _markdown, match["inside"]), _INLINE[match["around"].lower()]
        return f"{mark}{inside}{mark}" if strip_hidden(inside).strip() else inside
    if match["item"]:
        return "\n- "
    if match["row"] is not None:
        return _row(match["row"])
    if match["rows"] or match["style"] is not None:
        return ""
    if match["text"]:
        link = _LINK.search(match["attributes"])
        return f"[{match['text'].strip()}]({link[1]})" if link else match["text"]
    if match["entity"]:
        from html import unescape  # slow to import, and few texts have entities

        return unescape(match["entity"].lower()).replace("\xa0", " ")
    name, ends = match["name"].lower(), bool(match["end"])
    if name in _INLINE or name in _BREAKS:
        return _INLINE.get(name) or _BREAKS[name]
    if name == "li":
        return "" if ends else "\n- "
    if name in _HEADINGS:
        return "\n\n" if ends else "\n\n" + _HEADINGS[name]
    return "" if name in _BARE else "\n\n"


def _row(text: str) -> str:
    """A table row as Markdown; a row that only has `th` cells is the head of the table."""
    before, *cells = map(_cell, _CELL.split(text))
    if before:
        cells.insert(0, before)
    if not cells:
        return ""
    rule = "" if "<td" in text.lower() else f"\n|{' --- |' * len(cells)}"
    return f"\n| {' | '.join(cells)} |{rule}"


def _cell(text: str) -> str:
    text = " ".join(re.sub(_MARKUP, _markdown, _CELL_END.sub("", text)).split())
    return text.replace("|", "\\|")
