"""The server's name: the user's choice, or the words of the API's title that identify it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..api import Server
from ..text.words import ascii_text, split

_MAX_LENGTH = 40
_NOISE = frozenset(
    {
        "a", "an", "api", "apis", "definition", "docs", "documentation", "mcp", "of", "openapi",
        "reference", "rest", "restful", "schema", "server", "service", "spec", "specification",
        "swagger", "the",
    }
)  # fmt: skip
NAMELESS = "api"
"""The name of a server where nothing identifies its API."""
_OF_FRAMEWORKS = frozenset({"fastapi"})
"""Titles of documents to which nobody gave one: the packages of such names are others'."""
_NO_HOST = frozenset({"ac", "co", "com", "edu", "example", "go", "gov", "net", "or", "org", "www"})
"""Parts of a host that say nothing of whose it is, before its last one."""
_LINKS = frozenset({"and", "by", "for", "from", "in", "is", "on", "or", "to", "with"})
_HOST = re.compile(r"https?://([^/:?#]+)\.[a-z]+\.?(?=[/:?#]|\Z)", re.IGNORECASE)
_LABEL = re.compile(r"[a-z][a-z0-9-]*\Z")
_DASH = re.compile(" [\u2013\u2014|] ")
_VERSION = re.compile(r"v\d+[a-d]?\Z|\d+\Z")


def server_name(title: str, name: str, servers: Sequence[Server] = ()) -> str:
    """The words that name an API, joined by hyphens, from its name or its title.

    A title such as `REST API` identifies nothing, and a title in another script has no usable
    words; then the first server's host is used.
    """
    if name:
        return chosen_name(name)
    own = "" if title.strip().lower() in _OF_FRAMEWORKS else title
    return "-".join(_title_words(own) or _cut(_host_words(servers) or [NAMELESS]))


def chosen_name(name: str) -> str:
    """The words of a chosen name, without `mcp` at the end."""
    words = [word.lower() for word in split(name)] or ["api"]
    return "-".join(_cut(words[:-1] if len(words) > 1 and words[-1] == "mcp" else words))


def _title_words(title: str) -> list[str]:
    """The words of a title that name the API: the words before `API`, except common ones.

    A single word before `API` may be a family of APIs; the words after a dash are then added: `OGC
    API - Tiles`.
    """
    spaced = _DASH.sub(" - ", " ".join(title.split()))
    text = ascii_text(re.sub(r"['\u2019]s\b|['\u2019]", "", spaced)).lower()
    telling: list[str] = []
    for match in re.finditer(r"[a-z0-9]+", re.sub(r"\bopen api\b", "openapi", text)):
        word = match.group()
        if word in {"api", "apis", "openapi"} and telling:
            if len(telling) > 1 or not match.string.startswith((" - ", ": "), match.end()):
                break
        elif word in _LINKS and not telling and match.start():
            continue
        if word not in _NOISE and not (word[0] == "v" and _VERSION.match(word)):
            telling.append(word)
    while len(telling) > 1 and _VERSION.match(telling[-1]):
        telling.pop()
    words = _cut(telling) if telling else []
    while 1 < len(words) < len(telling) and words[-1] in _LINKS:
        words.pop()
    return words


def _host_words(servers: Sequence[Server]) -> list[str]:
    """The part of the first host that names its owner: `cohere` of `https://api.cohere.com`."""
    match = _HOST.match(servers[0].url) if servers else None
    labels = match[1].lower().split(".") if match else []
    telling = [x for x in labels if _LABEL.match(x) and x not in _NOISE | _NO_HOST]
    return split(telling[-1]) if telling else []


def _cut(words: list[str]) -> list[str]:
    """The first words that fit into a server's name, which must start with a letter."""
    first = words[0][:_MAX_LENGTH]
    parts = [first] if first[0].isalpha() else ["api", first]
    for word in words[1:]:
        if len("-".join([*parts, word])) > _MAX_LENGTH:
            break
        parts.append(word)
    return parts
