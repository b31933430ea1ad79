"""Masks secrets in texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import quote, quote_plus

MASKED = "[credential]"
LEAST = 8
"""Characters of the shortest credential that is masked in an answer: others occur as words."""
_EXCERPT = 4000
"""Characters of a text that is quoted."""
_LEAST = 4
"""Characters of the shortest credential that is masked in an error's text."""
_PLAIN = re.compile("[A-Za-z0-9_.~-]+")
"""What JSON and URLs spell as it is."""
_OCTET = re.compile("%[0-9A-F]{2}")


class Mask:
    """Replaces texts of at least `least` characters wherever they occur, also in URLs and JSON."""

    def __init__(self, secrets: Iterable[str], least: int = LEAST) -> None:
        forms = {form for secret in secrets if len(secret) >= least for form in _spellings(secret)}
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._octets = [each for form in self._forms for each in _octets(form)]

    def __bool__(self) -> bool:
        return bool(self._forms)

    def __call__(self, text: str) -> str:
        """The text with all secrets masked."""
        for form in self._forms:
            text = text.replace(form, MASKED)
        return text

    def in_bytes(self, content: bytes) -> bytes:
        """The bytes with all secrets masked."""
        for octets in self._octets:
            content = content.replace(octets, MASKED.encode())
        return content

    def may_be_in(self, content: bytes) -> bool:
        """Whether a body may hold one of the texts, in any encoding that is masked."""
        return any(piece in content for piece in (b"\\u00", b"\0", *self._octets))


def _spellings(text: str) -> tuple[str, ...]:
    if _PLAIN.fullmatch(text):
        return (text,)
    in_json = json.dumps(text)[1:-1]
    in_url = (quote(text, safe=""), quote(text), quote_plus(text))
    # Hexadecimal digits in lower case say the same (RFC 3986 2.1).
    lower = (_OCTET.sub(lambda octet: octet[0].lower(), form) for form in in_url)
    return (text, *in_url, *lower, in_json, in_json.replace("/", "\\/"))


def _octets(form: str) -> Iterator[bytes]:
    """A text in UTF-8, and in Latin-1, which a body may be in too."""
    yield form.encode()
    if not form.isascii():
        with suppress(UnicodeEncodeError):
            yield form.encode("latin-1")


def excerpt(text: str, secrets: Iterable[str]) -> str:
    """The text without credentials, at most 4,000 characters of it."""
    text = Mask(secrets, least=_LEAST)(text)
    if len(text) <= _EXCERPT:
        return text
    return f"{text[:_EXCERPT]} ... ({len(text) - _EXCERPT:,} more characters)"
