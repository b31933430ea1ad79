"""The credentials that calls need: alternatives of security schemes, each with its scopes."""

from __future__ import annotations

from collections.abc import Mapping

from .changes import Change

Security = tuple[Mapping[str, tuple[str, ...]], ...]
"""The `security` of an operation (OpenAPI 3.2.0, section 4.30)."""


def security_change(tool: str, where: str, before: Security, after: Security) -> Change:
    """The change from one `security` to another, which differs."""
    detail = f"{_in_words(before)} -> {_in_words(after)}"
    if not after or any(not way for way in after):
        return Change("security-relaxed", tool, where, detail)
    ways = before or ({},)
    if any(not any(set(way) >= set(other) for other in after) for way in ways):
        return Change("security-required", tool, where, detail)
    if all(any(_covers(way, other) for other in after) for way in ways):
        return Change("security-relaxed", tool, where, detail)
    return Change("security-scopes", tool, where, detail)


def _covers(have: Mapping[str, tuple[str, ...]], need: Mapping[str, tuple[str, ...]]) -> bool:
    return all(scheme in have and set(have[scheme]) >= set(s) for scheme, s in need.items())


def _in_words(security: Security) -> str:
    return " or ".join(map(_way, security)) or "nothing"


def _way(way: Mapping[str, tuple[str, ...]]) -> str:
    """The schemes of an alternative of `security`, each with its scopes, in words."""
    schemes = (f"{key} ({', '.join(scopes)})" if scopes else key for key, scopes in way.items())
    return " and ".join(schemes) or "nothing"
