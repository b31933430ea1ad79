"""The README's sentences about the credentials that a server needs."""

from __future__ import annotations

from ..api import Api
from ..text import literals

_MAX_WAYS = 6
"""More ways to sign in are no longer a sentence."""
_Way = tuple[str, ...]


def sentence(api: Api) -> str:
    """Sentences that say which credentials are enough, and which no operation requires.

    The first part is left out if operations differ, or if there are fewer than two ways to sign in,
    or too many. The text is empty if there are several APIs.
    """
    if api.further:
        return ""
    asked = {ways for ways in _asked(api) if any(ways)}
    idle: list[_Way] = [(key,) for key in unasked(api)]
    sentences = [_enough(*asked)] if len(asked) == 1 else []
    if idle:
        sentences.append(f"No operation asks for {_in_words(idle)}.")
    return " ".join(filter(None, sentences))


def unasked(api: Api) -> tuple[str, ...]:
    """The security schemes that no operation requires; empty if no operation requires any."""
    asked = {key for ways in _asked(api) for way in ways for key in way}
    keys = (scheme.key for scheme in api.security_schemes)
    return tuple(key for key in keys if key not in asked) if asked else ()


def always_asked(api: Api) -> tuple[str, ...]:
    """The security schemes without which no operation can be called."""
    ways = [way for each in _asked(api) for way in each]
    keys = (scheme.key for scheme in api.security_schemes)
    return tuple(key for key in keys if ways and all(key in way for way in ways))


def _asked(api: Api) -> set[tuple[_Way, ...]]:
    requirements = (api.security_of(tool.http) for tool in api.tools if tool.http is not None)
    return {tuple(tuple(way) for way in security) for security in requirements}


def _enough(ways: tuple[_Way, ...]) -> str:
    signed = [way for way in ways if way]
    if not 1 < len(signed) <= _MAX_WAYS:
        return ""
    return (
        "One way to sign in is enough; the first whose credentials are set is used: "
        f"{_in_words(signed)}."
    )


def _in_words(ways: list[_Way]) -> str:
    return ", or ".join(" with ".join(map(literals.code_span, way)) for way in ways)
