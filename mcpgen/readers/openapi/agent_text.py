"""Text of the document for agents: cleaned, limited in length, never empty."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ...text.prose import plain
from ...text.suspicious import found_in
from ...text.words import split

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_LINE_ENDS = re.compile("\r\n?|[\u0085\u2028\u2029]")
_ANSI = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])")
# Control, soft hyphen, bidirectional, zero width, fillers, interlinear, tag block, surrogates.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
APOSTROPHE = re.compile("(?<=[^\\W\\d_])['\u2019](?=[^\\W\\d_])")
"""An apostrophe within a word: `Pet's`."""
_NO_WORDS = re.compile(r"\W+")
_NO_LETTERS = re.compile(r"[\W_]+")
_LINE_START = re.compile(r"(?![-*+>|#=]|\d+[.)]\s)\S")
_MAX_SUMMARY_LENGTH = 160
_FULL_LINE_LENGTH = 50
"""After a line longer than this, the break may only be there because the line was full."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_STOP = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\d\.)\s|\s*\n(?=[ \t]*(?:\n|(?:[-*+]|\d+[.)])\s))"
)
"""The space after a sentence, a paragraph, or an item of a list."""
_FORM = re.compile(r"\b(?:an?|the)\b|(?:(?<=[sxz])es|(?<=[cs]h)es|(?<=\w\w)s)\b")
"""Articles, and the endings of words such as `Gets` and `pets`."""


def strip_hidden(text: str) -> str:
    """The text without invisible characters, and with LF line ends."""
    if text.isascii() and text.isprintable():
        return text
    plain = _HIDDEN.sub("", _ANSI.sub("", _LINE_ENDS.sub("\n", text)))
    return plain if plain.isascii() else _loose().sub("", plain)


@cache
def _loose() -> re.Pattern[str]:
    """A pattern for joiners and variation selectors in places where they are not needed.

    They are needed only after a visible character of certain scripts, or after an emoji. Anywhere
    else, or in a row, they may hide text. The pattern is compiled on first use, since few documents
    need it.
    """
    return re.compile(
        "(?<![\u0300-\u1fff\u2190-\ufdff\ufe0f\U00010000-\U0001ffff])[\u200c\u200d]"
        "|(?<![0-9#*\u00a9\u00ae\u1000-\ufdff\U00010000-\U0001ffff])[\ufe00-\ufe0f]"
        "|(?<=[\u200c\u200d])[\u200c\u200d\ufe00-\ufe0f]"
    )


def clean(text: str, at: Node, limit: int, diagnostics: Diagnostics) -> str:
    """The text without what could harm agents; removed, cut or suspicious passages are reported."""
    if not text:
        return ""
    visible, hidden, signs = _look(text)
    if hidden:
        message = "control or invisible characters were removed from this text"
        diagnostics.warning("hidden-characters", message, at)
    report_signs(signs, at, diagnostics)
    if len(visible) > limit:
        message = f"text of {len(visible):,} characters was cut at {limit:,}"
        diagnostics.warning("text-cut", message, at)
        visible = cut(visible, limit)
    return visible


def report_signs(signs: Iterable[str], at: Node, diagnostics: Diagnostics) -> None:
    """Report each sign that a text tries to instruct the agent."""
    for sign in signs:
        hint = "Read it before an agent does."
        diagnostics.warning("suspicious-text", f"this text holds {sign}", at, hint)


def report_hidden(texts: Iterable[str], at: Node, diagnostics: Diagnostics) -> None:
    """Report names and values with invisible characters; the values are not changed."""
    if any(_hides(text) for text in texts):
        message = "a name or value here holds control or invisible characters, which are kept"
        diagnostics.warning("hidden-characters", message, at, "Remove them from the document.")


def texts_in(values: Iterable[object]) -> Iterator[str]:
    """Every string in some JSON values, including the names of object members."""
    stack = list(values)
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            stack += value
        elif isinstance(value, dict):
            stack += (*value, *value.values())


def _hides(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return False
    return len(strip_hidden(text)) < len(_LINE_ENDS.sub("\n", text))


@lru_cache(maxsize=4096)
def _look(text: str) -> tuple[str, bool, tuple[str, ...]]:
    """The visible text, whether hidden characters were removed, and signs of an attack."""
    visible = strip_hidden(text)
    return _BLANK_LINES.sub("\n\n", visible).strip(), _hides(text), tuple(found_in(visible))


def cut(text: str, limit: int) -> str:
    """The text, cut to `limit` characters with an ellipsis, between words if possible."""
    if len(text) <= limit:
        return text
    beginning = text[: limit - 1].rstrip()
    if not text[len(beginning)].isspace():
        words = beginning.rsplit(maxsplit=1)
        if len(words) > 1 and len(words[0]) > limit // 2:
            beginning = words[0]
    return beginning + "…"


def whole(text: str, limit: int) -> str:
    """The complete sentences and lists that fit into `limit` characters.

    If they are less than half as long as the limit, the text is cut instead. A last sentence that
    ends in a colon is left out, since its list is missing.
    """
    if len(text) <= limit and not text.endswith(":"):
        return text
    beginnings = [text[: stop.start()] for stop in _STOP.finditer(text[: limit + 1])]
    beginning = next((each for each in reversed(beginnings) if not each.endswith(":")), "")
    return beginning if len(text) <= limit or len(beginning) > limit // 2 else cut(text, limit)


def first_line(text: str) -> str:
    """The first line of a text, unchanged except that it is cut to the length of a summary."""
    return cut(next(iter(text.strip().splitlines()), ""), _MAX_SUMMARY_LENGTH)


def one_line(text: str, limit: int = 200) -> str:
    """The first paragraph of a text as one line, without Markdown.

    If it is too long, only its first sentence is returned.
    """
    lines: list[str] = []
    text = text.replace("\\n", "\n")  # as documents have it that were quoted twice
    for line in map(str.strip, plain(text).splitlines()):
        if lines and not _goes_on(lines[-1], line):
            break
        if line:
            lines.append(line)
    first = " ".join(lines)
    if len(first) > limit:
        first = _SENTENCE_END.split(first, maxsplit=1)[0]
    return cut(" ".join(first.split()), limit)


def _goes_on(before: str, line: str) -> bool:
    """Whether the sentence in `before` continues in `line`, after a line break."""
    if not _LINE_START.match(line) or before.endswith((".", "!", "?", ":")):
        return False
    return line[0].islower() or len(before) > _FULL_LINE_LENGTH


def humanize(name: str) -> str:
    """An identifier as words: `listPetsById` becomes `List pets by id`."""
    text = "'".join(" ".join(map(_uncapitalized, _words(part))) for part in APOSTROPHE.split(name))
    return text[:1].upper() + text[1:]


def _uncapitalized(word: str) -> str:
    return word if word.isupper() and len(word) > 1 else word.lower()


def _words(name: str) -> list[str]:
    """The words of an identifier: runs of letters and digits, also split as in `petId`."""
    if name.isascii():
        return split(name)
    chars = [" "]
    for char in strip_hidden(name):
        kind = unicodedata.category(char)
        if kind == "Lu" and chars[-1].islower():
            chars.append(" ")
        chars.append(char if kind[0] in "LMN" else " ")
    return "".join(chars).split()


def contains(text: str, part: str) -> bool:
    """Whether a text contains a phrase, ignoring case and punctuation."""
    return part in text or _squash(part) in _squash(text)


def spells(title: object, name: str) -> bool:
    """Whether a title has the same letters as a name: `Pet Id` and `pet_id`."""
    if not isinstance(title, str):
        return False
    letters, own = (_NO_LETTERS.sub("", text).lower() for text in (name, title))
    return bool(own) and own == letters


def begins_with(text: str, part: str) -> bool:
    """Whether a phrase is in a text's first sentence, even if inflected (`Gets the pets`)."""
    first = _SENTENCE_END.split(text.partition("\n\n")[0], maxsplit=1)[0]
    return bool(part) and f" {_basic(part)} " in f" {_basic(first)} "


def _basic(text: str) -> str:
    return " ".join(_FORM.sub("", _squash(text)).split())


@lru_cache(maxsize=256)
def _squash(text: str) -> str:
    return _NO_WORDS.sub(" ", text).strip().lower()
