"""Descriptions of bodies and responses that only repeat the operation's own text."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from .agent_text import humanize

if TYPE_CHECKING:
    from .operation_parts import Operation

_MAX_CHARACTERS = 200
_URL = re.compile(r"https?://[^\s()]+")
_WORD = re.compile(r"\w+")
_EMPTY_WORD = re.compile(
    r"\d+|an?|and|the|to|for|from|with|of|on|if|when|is|was|has|no|not|normal|standard|typical"
    r"|default|expected|valid|ok(?:ay)?|success(?:ful(?:ly)?)?|succeeded|accepted|completed"
    r"|creat(?:ed|ion)|delet(?:ed|ion)|done|executed|notified|retrieved|subscribed|updated"
    r"|body|call|case|content|description|endpoint|entit(?:y|ies)|error|example|object|operation"
    r"|n|payload|request|resource|response|results?|return(?:ed|s)?|xxx"
)
"""A word that only says that there is a body or a success."""
_FILLER = re.compile(
    r"all|been|details?|given|have|records?|requested|s|single"
    r"|specific|specified|were|your?"
)
"""A word that adds nothing to the words around it."""
_ANNOUNCED = re.compile(r"\bsucce(?:ss|ed)|ed\W*\Z", re.I)
"""Phrases that say that something was done, but not what is returned."""
_PROSE = re.compile(r"[\w\s.,:'’()/-]*")
_QUALIFIES = re.compile(r"\b(?:if|no|not|when|(?!2\d\d\b)\d+)\b", re.I)
"""A word that restricts or reverses a statement; statuses of success do not."""
_ENDING = re.compile(r"(?<=\w\w\w)(?:e?[ds]|e|ing)\Z")
_STATUS_TEXTS = {status.description for status in HTTPStatus}
"""The texts of Python's frameworks for responses without a description."""
_CREATED = re.compile(
    r"the request has been fulfilled and has resulted in one or more new resources being created",
    re.I,
)
"""HTTP's own description of 201 (RFC 9110 15.3.2)."""


def says_something(description: str, operation: Operation) -> bool:
    """Whether a description says more than `OK`, `Request body` or the operation's name.

    The standard phrase for a status (`Not Found`) says nothing about a response either.
    """
    if len(description) > _MAX_CHARACTERS:
        return True
    if description.rstrip(".") in _STATUS_TEXTS:
        return False
    description = _CREATED.sub("", description)
    for name in (operation.key, operation.path, operation.operation_id, operation.method):
        if name and name in description:
            description = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", description)
    return bool(_own_words(description))


def announces(description: str, operation: Operation, text: str) -> bool:
    """Whether a response's description only says that the operation succeeded."""
    return bool(_ANNOUNCED.search(description)) and repeats(description, operation, text)


def repeats(description: str, operation: Operation, text: str) -> bool:
    """Whether a short description has only filler words, and words that name the operation."""
    if len(description) > _MAX_CHARACTERS or not _PROSE.fullmatch(description):
        return False
    if _QUALIFIES.search(description):
        return False
    names = " ".join(map(humanize, (operation.operation_id, operation.key)))
    stems = {_stem(word) for word in _WORD.findall(f"{text} {names}".lower())}
    own = _own_words(description)
    return all(_stem(word) in stems or _FILLER.fullmatch(word) for word in own)


def _own_words(description: str) -> list[str]:
    words = _WORD.findall(_URL.sub("", description).lower())
    return [word for word in words if not _EMPTY_WORD.fullmatch(word)]


def _stem(word: str) -> str:
    return _ENDING.sub("", word)
