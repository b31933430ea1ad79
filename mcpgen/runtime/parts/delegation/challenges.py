"""Bearer challenges: the API demands more consent or a newer sign-in (RFC 6750 3, RFC 9470 3)."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...backend.answer import Answer

_BEARER = re.compile(r"(?:^|,)\s*bearer\s+(.*)", re.IGNORECASE | re.DOTALL)
_PARAMETER = re.compile(r'([A-Za-z_]{1,30})\s*=\s*(?:"([^"\\]{0,2000})"|([^\s,"]{1,2000}))')
_MORE = ("insufficient_scope", "insufficient_user_authentication", "insufficient_claims")
"""Errors that the person can mend; the last is Entra's."""


@dataclass(frozen=True)
class Challenge:
    """The requirements that an answer of 401 or 403 states."""

    error: str = ""
    scopes: tuple[str, ...] = ()
    acr_values: str = ""
    max_age: str = ""
    claims: str = ""

    @classmethod
    def of(cls, answer: Answer) -> Challenge:
        """The challenge in an answer; empty if there is none."""
        found = _BEARER.search(answer.headers.get("www-authenticate", "")[:8000])
        if answer.status not in (401, 403) or found is None:
            return cls()
        given: dict[str, str] = {}
        for name, quoted, plain in _PARAMETER.findall(found[1]):
            given.setdefault(name.lower(), quoted or plain)
        age = given.get("max_age", "")
        return cls(
            given.get("error", ""),
            tuple(given.get("scope", "").split()),
            given.get("acr_values", ""),
            age if age.isascii() and age.isdigit() else "",
            _decoded(given.get("claims", "")),
        )

    @property
    def asks_for_more(self) -> bool:
        """Whether the person can satisfy the API with a further sign-in or consent."""
        return self.error in _MORE

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that make an authorization request meet this challenge."""
        named = {"acr_values": self.acr_values, "max_age": self.max_age, "claims": self.claims}
        return {name: value for name, value in named.items() if value}


def _decoded(claims: str) -> str:
    """The claims of a challenge, decoded from base64; empty if they are not base64."""
    try:
        return b64decode(claims, validate=True).decode() if claims else ""
    except ValueError:
        return ""
