"""Identifiers made from other people's text.

A name is a function of its own original text: where two meet, the text's fingerprint tells them
apart, never the order in which they came.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache

from .hashes import FINGERPRINT_LENGTH, fingerprint

MAX_LENGTH = 76
"""Room for a tool's name of 64 characters whose words get underscores between them."""

_BRANDS = re.compile(
    r"(?:OAuth|(?<![A-Za-z])oAuth)(?![a-z])|OpenAPI|OpenID"
    r"|GitHub|GitLab|GraphQL|IPv(?=[46])|JavaScript|PayPal|YouTube"
)
_WORD = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*|[A-Z]"
)
_NEXT_WORD = re.compile(r"_|(?<=[a-z0-9])(?=[A-Z])")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*\Z")
_CLASS = re.compile(r"[A-Z][A-Za-z0-9]*\Z")
_LATIN = re.compile(
    r"LATIN (?:SMALL|CAPITAL) (?:LETTER|LIGATURE) ([A-Z]{1,2}|SHARP S)(?: WITH .*)?$"
)

KEYWORDS = frozenset(keyword.kwlist)
BUILTINS = frozenset(name for name in dir(builtins) if name.islower() and not name.startswith("_"))
DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin", "conout", "clock"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
"""Base names that Windows gives to devices, whatever the extension."""


def ascii_text(text: str) -> str:
    """Transliterate Latin letters, and digits of any script, to ASCII; the rest becomes blanks."""
    if text.isascii():
        return text
    return "".join(_ascii(char) for char in unicodedata.normalize("NFKD", text))


def _ascii(char: str) -> str:
    if char.isascii():
        return char
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return ""
    if (digit := unicodedata.digit(char, None)) is not None:
        return str(digit)
    if match := _LATIN.match(unicodedata.name(char, "")):
        letters = "SS" if match[1] == "SHARP S" else match[1]
        return letters.lower() if char.islower() else letters
    return " "


def split(text: str) -> list[str]:
    """Split text into words at changes of case and at all that is no letter or digit.

    `HTTPServer` is HTTP and Server, `getV2Pets` get, V2 and Pets; digits stay with the word before.
    """
    return _WORD.findall(_BRANDS.sub(lambda match: match[0].capitalize(), ascii_text(text)))


def bounded(name: str, text: str, *, joint: str = "_") -> str:
    """Return the name, cut and ended with the fingerprint of `text` where it is too long."""
    return name if len(name) <= MAX_LENGTH else _marked(name, text, FINGERPRINT_LENGTH, joint)


def _marked(name: str, text: str, length: int, joint: str) -> str:
    mark = fingerprint(text, length)
    room = MAX_LENGTH - length - len(joint)
    return f"{_cut(name, room)}{joint}{mark}" if joint else f"{_end(name, room)}{mark.upper()}"


def _cut(name: str, room: int) -> str:
    """The first words of a name, the verb among them; a part of one where they would be little."""
    if len(name) <= room:
        return name.rstrip("_")
    ends = [found.start() for found in _NEXT_WORD.finditer(name, 0, room + 1)]
    return name[: ends[-1] if ends and ends[-1] > room // 2 else room].rstrip("_")


def _end(name: str, room: int) -> str:
    """The last words of a class's name, which tell it from what stands in the same place."""
    if len(name) <= room:
        return name
    starts = (found.start() for found in _NEXT_WORD.finditer(name))
    last = name[next((start for start in starts if len(name) - start <= room), len(name)) :]
    return last if len(last) > room // 2 else name[:room]


def snake(text: str, *, fallback: str, avoid: Collection[str] = ()) -> str:
    """Return a lower-case identifier for `text`; `fallback` comes before what is no letter.

    Keywords and names in `avoid` get an underscore after them.
    """
    name = text
    if not _SNAKE.match(text):
        name = "_".join(word.lower() for word in split(text))
    if not name:
        name = f"{fallback}_{fingerprint(text)}" if text else fallback
    elif not name[0].isalpha():
        name = f"{fallback}_{name}"
    name = bounded(name, text)
    return f"{name}_" if name in KEYWORDS or name in avoid else name


@lru_cache(maxsize=10_000)
def pascal(text: str, *, fallback: str = "Model") -> str:
    """Return a class name for `text`, of letters and digits; one that is such a name stays."""
    name = text
    if not _CLASS.match(text):
        name = "".join(word[0].upper() + word[1:] for word in split(text))
        if not name:
            return f"{fallback}{fingerprint(text).upper()}" if text else fallback
        if not name[0].isalpha():
            name = f"{fallback}{name}"
    return bounded(name, text, joint="")


def upper(text: str, *, fallback: str) -> str:
    """Return an environment variable's name for `text`."""
    return snake(text, fallback=fallback.lower()).rstrip("_").upper()


def unique(
    candidates: Mapping[str, str],
    *,
    taken: Collection[str] = (),
    known: Mapping[str, str] | None = None,
    fold: bool = False,
    joint: str = "_",
) -> dict[str, str]:
    """Give each text, a key of `candidates`, a name of its own, starting from its candidate.

    A name in `known` stays. Where candidates meet, or one is `taken`, the one equal to its own
    text keeps it and all others get their text's fingerprint. `fold`: names differ in more than
    case; `joint` stands between a name and its fingerprint.
    """
    key = str.lower if fold else str
    used = {key(name) for name in taken}
    known = known or {}
    wanted = {text: known.get(text, name) for text, name in candidates.items()}
    folded_names = {key(name) for name in wanted.values()}
    if len(folded_names) == len(wanted) and folded_names.isdisjoint(used):
        return wanted
    result: dict[str, str] = {}
    for text, name in known.items():
        if text in candidates and key(name) not in used:
            used.add(key(name))
            result[text] = name
    groups: dict[str, list[str]] = {}
    for text, name in candidates.items():
        if text not in result:
            groups.setdefault(key(name), []).append(text)
    losers: list[str] = []
    for folded, texts in groups.items():
        exact = [text for text in texts if candidates[text] == text]
        winner = texts[0] if len(texts) == 1 else exact[0] if len(exact) == 1 else None
        if winner is not None and folded not in used:
            used.add(folded)
            result[winner] = candidates[winner]
        losers.extend(text for text in texts if text not in result)
    for text in sorted(losers):
        result[text] = _apart(candidates[text], text, used, joint, fold=fold)
    return {text: result[text] for text in candidates}


def _apart(name: str, text: str, used: set[str], joint: str, *, fold: bool) -> str:
    """Return the name with enough of the text's fingerprint to be new, and note that it is used."""
    lengths = range(FINGERPRINT_LENGTH, MAX_LENGTH)
    marked = (_marked(name, text, length, joint) for length in lengths)
    pairs = ((apart.lower() if fold else apart, apart) for apart in marked)
    folded, apart = next(pair for pair in pairs if pair[0] not in used)
    used.add(folded)
    return apart
