"""Path keys: which are valid, their template expressions, and the queries in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from urllib.parse import unquote, unquote_plus

from .agent_text import strip_hidden

_NAME = re.compile(r"\{([^{}]+)\}")
_DOUBLE = re.compile(r"\{\{([^{}]+)\}\}")
_PIECE = re.compile(r"\{[^{}]*\}|[^{}]+")
_FOREIGN = re.compile(r"\{[+.;*]*(.+?)(?:\*[0-9]*|\+|[:=].*)?\}")
_SPANNING = re.compile(r"\{(?:(?:\+|\*\*?)[^:=]+|[^:=]+(?:\+|\*[0-9]+|:\.[*+]|=.*(?:/|\*\*).*))\}")
_PATTERN = re.compile(r"\{([^{}]+)\}\{(\.[*+?]+|[\[\\(^][^{}]+)\}")
_REST = re.compile(r"(?<=/)(\*\*?|\{\*\})$")
_EXPANSION = re.compile(r"\{[?&]([^{}]+)\}")
_MODIFIER = re.compile(r"(?:\*|:[0-9]+)$")
_SLIP = re.compile(r"[\w{}<> -]+(?:/[\w{}<> -]+)*/?|//\{[^/\\]*\}[^\\]*|/{2,}[\w-]+(?:/[^\\]*)?")
_UNSAFE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_DOTS = re.compile(r"\.{1,2}(?:;.*)?")


def problem_of(key: str) -> str:
    """Why a key under `paths` is not a path; empty if it is a path.

    An absolute or scheme-relative key would send credentials to another host, and a dot segment
    would leave the API's base path.
    """
    path = visible(key)
    if not path.startswith("/"):
        return "a path must start with `/`"
    if path.startswith(("//", "/\\")):
        return "a path must start with one `/`: more would name another host"
    if _UNSAFE.search(key):
        return "a path must not hold control characters or half a surrogate pair"
    path = path.partition("#")[0].partition("?")[0]
    path = unquote(unquote(path))
    if "." in path and any(map(_DOTS.fullmatch, re.split(r"[/\\]", path))):
        return "a path must not hold the segments `.` and `..`"
    return ""


def is_harmless(key: str) -> bool:
    """Whether an invalid path key is only a slip: `Orders`, ` /pets`, `<base>/pets`, `//id`.

    A key that may be the name of a host is not a slip: host names usually have a dot.
    """
    return _SLIP.fullmatch(key) is not None


def template_names(path: str) -> list[str]:
    """The names of the template expressions in order, without duplicates."""
    return list(dict.fromkeys(_NAME.findall(path)))


def repeated_names(path: str) -> list[str]:
    """The names that occur in a path more than once."""
    return [name for name, times in Counter(_NAME.findall(path)).items() if times > 1]


def is_balanced(path: str) -> bool:
    """Whether every brace belongs to a template expression."""
    return not set("{}") & set(_NAME.sub("", path))


def sent(key: str) -> str:
    """The path as it is sent: without query and fragment, and with `{name}` for `{{name}}`.

    Invisible characters are removed too, since two paths must not differ in these only.
    """
    path = visible(_without_fragment(key).partition("?")[0])
    return _DOUBLE.sub(r"{\1}", path) if "{{" in path else path


def visible(key: str) -> str:
    """The key, with invisible characters removed except inside template expressions."""
    if key.isascii() and key.isprintable():
        return key
    return _PIECE.sub(lambda match: _visible(match[0]), key)


def _visible(piece: str) -> str:
    return piece if piece.startswith("{") else strip_hidden(piece).replace("\n", "")


def colon_names(path: str) -> set[str]:
    """The names in segments such as `/:name`, which routers read as parameters."""
    return {segment[1:] for segment in path.split("/") if segment[:1] == ":"}


def with_braces(path: str, names: Collection[str]) -> str:
    """The path, with the expressions of other template languages rewritten as `{name}`.

    Routers write `:name`, `{name:.*}` or `{name+}`; RFC 6570 has operators before a name and
    modifiers after it, as in `{+name}` and `{;name*}`.
    """
    segments = path.split("/")
    path = "/".join(f"{{{s[1:]}}}" if s[:1] == ":" and s[1:] in names else s for s in segments)
    return _NAME.sub(lambda match: _plain(match[0], names), path)


def without_patterns(path: str, names: Collection[str]) -> str:
    """The path, with Hono's `{name}{pattern}` rewritten as `{name:pattern}`."""
    return _PATTERN.sub(
        lambda match: match[0] if match[2] in names else f"{{{match[1]}:{match[2]}}}", path
    )


def rest(path: str) -> str:
    """A wildcard without a name at the end of a path (`*`), which some routers use; else empty."""
    match = _REST.search(path)
    return match[0].strip("{}") if match else ""


def with_rest(path: str, name: str) -> str:
    """The path, with the wildcard at its end rewritten as `{name}`."""
    return _REST.sub(lambda _: f"{{{name}}}", path)


def without_expansions(key: str, names: Collection[str]) -> tuple[str, set[str]]:
    """The key without the query expansions of declared names, and the names in those expansions.

    `{?q,page*}` and `{&q}` (RFC 6570 3.2.8, 3.2.9) list the parameters that the query may have.
    """
    taken: set[str] = set()

    def place(match: re.Match[str]) -> str:
        own = {_MODIFIER.sub("", name) for name in match[1].split(",")}
        if not own <= set(names):
            return match[0]
        taken.update(own)
        return ""

    return _EXPANSION.sub(place, key), taken


def spanning(path: str, names: Collection[str]) -> set[str]:
    """The names of parameters that span several segments, whose slashes are not encoded.

    Their templates are `{+name}` (RFC 6570 3.2.3), `{name=a/*}` and `{name=**}` (google.api.http),
    `{name+}` (Smithy, API Gateway), `{**name}` (ASP.NET), `{*name}` (Nitro, axum), `{name*2}`
    (hapi), and `{name:.*}` of routers with patterns.
    """
    templates = [template for template in _PIECE.findall(path) if _SPANNING.fullmatch(template)]
    return {_plain(each, names)[1:-1] for each in templates}.intersection(names)


def _plain(template: str, names: Collection[str]) -> str:
    name = _FOREIGN.sub(r"\1", template)
    return f"{{{name}}}" if name in names and template[1:-1] not in names else template


def query_pairs(key: str) -> list[tuple[str, str | None]]:
    """The decoded names and values of the query in a path key; a name without `=` has None."""
    query = _without_fragment(key).partition("?")[2]
    pairs = (part.partition("=") for part in query.split("&") if part)
    return [
        (unquote_plus(name), _DOUBLE.sub(r"{\1}", unquote_plus(value)) if equals else None)
        for name, equals, value in pairs
    ]


def _without_fragment(key: str) -> str:
    """The path without its fragment, which is never sent."""
    return key.partition("#")[0]
