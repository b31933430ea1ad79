"""Makes identifiers from text by other people.

A name depends on the text from which it is made. If several texts would get the same name, one of
them gets it, and the others get fingerprints of their texts too; the order of the texts never
matters.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Container, Iterable, Mapping
from functools import lru_cache

from ..hashes import FINGERPRINT_LENGTH, fingerprint

MAX_LENGTH = 76
"""The length of a tool's name of 64 characters with underscores between its words."""

_BRANDS = re.compile(
    r"(?:OAuth|(?<![A-Za-z])oAuth)(?![a-z])|OpenAPI|OpenID"
    r"|GitHub|GitLab|GraphQL|IPv(?=[46])|JavaScript|PayPal|YouTube"
)
_WORD = re.compile(
    r"(?<![A-Za-z0-9])[0-9a-f]{8}(?![A-Za-z0-9])"  # what tells the names of two tools apart
    r"|[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*|[A-Z]"
)
_MARKS = dict.fromkeys(map(ord, "™℠"), " ")
"""Symbols that consist of letters and are dropped from names: Ditto™ is not dittotm."""
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
"""Base names that Windows reserves for devices, with any extension."""


def ascii_text(text: str) -> str:
    """The text with Latin letters and digits of any script as ASCII; all else becomes blanks."""
    if text.isascii():
        return text
    return "".join(_ascii(char) for char in unicodedata.normalize("NFKD", text.translate(_MARKS)))


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
    """The words of a text, split where case changes and at all but letters and digits.

    `HTTPServer` becomes HTTP and Server, `getV2Pets` becomes get, V2 and Pets: digits stay with the
    word before them.
    """
    return _WORD.findall(_BRANDS.sub(lambda match: match[0].capitalize(), ascii_text(text)))


def bounded(name: str, text: str) -> str:
    """The name; one that is too long is cut and ends with the fingerprint of `text`."""
    return name if len(name) <= MAX_LENGTH else _marked(name, text, FINGERPRINT_LENGTH, "_")


def ended(name: str) -> str:
    """A class's name; a long one is cut to its last words.

    Names that become equal are told apart by `unique`.
    """
    return _end(name, MAX_LENGTH)


def _marked(name: str, text: str, length: int, joint: str) -> str:
    mark = fingerprint(text, length)
    room = MAX_LENGTH - length - len(joint)
    return f"{_cut(name, room)}{joint}{mark}" if joint else f"{_end(name, room)}{mark.upper()}"


def _cut(name: str, room: int) -> str:
    """The first whole words of a name, or just its beginning if these would be too short."""
    if len(name) <= room:
        return name.rstrip("_")
    ends = [match.start() for match in _NEXT_WORD.finditer(name, 0, room + 1)]
    end = ends[-1] if ends and ends[-1] > room // 2 else room
    return name[:end].rstrip("_")


def _end(name: str, room: int) -> str:
    """The last words of a class's name, since names often differ only at the end."""
    if len(name) <= room:
        return name
    starts = (match.start() for match in _NEXT_WORD.finditer(name))
    start = next((start for start in starts if len(name) - start <= room), len(name))
    last = name[start:]
    return last if len(last) > room // 2 else name[:room]


def snake(text: str, *, fallback: str, avoid: Collection[str] = ()) -> str:
    """A lower-case identifier for `text`; `fallback` is put in front if it needs a first letter.

    Keywords and names in `avoid` get an underscore at the end.
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
    """A class name for `text`, of letters and digits; a valid class name is not changed."""
    name = text
    if not _CLASS.match(text):
        name = "".join(word[0].upper() + word[1:] for word in split(text))
        if not name:
            return f"{fallback}{fingerprint(text).upper()}" if text else fallback
        if not name[0].isalpha():
            name = f"{fallback}{name}"
    return ended(name)


def upper(text: str, *, fallback: str) -> str:
    """The name of an environment variable for `text`."""
    return snake(text, fallback=fallback.lower()).rstrip("_").upper()


def unique(
    candidates: Mapping[str, str],
    *,
    in_use: Collection[str] = (),
    kept_names: Mapping[str, str] | None = None,
    fold: bool = False,
    joint: str = "_",
) -> dict[str, str]:
    """A name for each text (a key of `candidates`): its candidate, or a longer form.

    A name in `kept_names` stays. If several texts have one candidate, the text that equals the
    candidate gets it. If there is no such text, the first in the alphabet gets it, but only if
    `kept_names` is given: otherwise a text that is added later could take the name over. All other
    texts get their fingerprint added to the candidate, as does a text whose candidate is `in_use`.
    `fold`: names must differ in more than case. `joint` separates a name from its fingerprint.
    """
    key = str.lower if fold else str
    used = {key(name) for name in in_use}
    may_take = kept_names is not None
    kept_names = kept_names or {}
    names = {text: kept_names.get(text, name) for text, name in candidates.items()}
    folded_names = {key(name) for name in names.values()}
    if len(folded_names) == len(names) and folded_names.isdisjoint(used):
        return names
    result: dict[str, str] = {}
    for text, name in kept_names.items():
        if text in candidates and key(name) not in used:
            used.add(key(name))
            result[text] = name
    groups: dict[str, list[str]] = {}
    for text, name in candidates.items():
        if text not in result:
            groups.setdefault(key(name), []).append(text)
    for folded, texts in groups.items():
        fitting = texts if len(texts) == 1 else [t for t in texts if candidates[t] == t]
        fitting = fitting or (sorted(texts)[:1] if may_take else [])
        if len(fitting) == 1 and folded not in used:
            used.add(folded)
            result[fitting[0]] = candidates[fitting[0]]
    for text in sorted(candidates.keys() - result):
        lengths = range(FINGERPRINT_LENGTH, MAX_LENGTH)
        marked = (_marked(candidates[text], text, length, joint) for length in lengths)
        result[text] = next(name for name in marked if key(name) not in used)
        used.add(key(result[text]))
    return {text: result[text] for text in candidates}


def numbered(name: str, in_use: Container[str], form: str = "{}{}") -> str:
    """The name; if it is in use, the first free one of `name2`, `name3`, and so on."""
    free, number = name, 1
    while free in in_use:
        number += 1
        free = form.format(name, number)
    return free


class Numbering:
    """Makes names unique by adding numbers, in constant time for each name."""

    def __init__(self, form: str, in_use: Iterable[str] = ()) -> None:
        self._form = form
        self._taken = set(in_use)
        self._numbers: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        """Make a name unique, as `numbered` does; the result then counts as used."""
        number = self._numbers.get(name, 1)
        free = name if number == 1 else self._form.format(name, number)
        while free in self._taken:
            number += 1
            free = self._form.format(name, number)
        self._numbers[name] = number
        self._taken.add(free)
        return free
