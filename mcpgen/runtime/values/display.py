"""Makes texts fit to be shown: masks secrets, and escapes invisible characters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from urllib.parse import quote, quote_plus

MASKED = "[credential]"
LEAST = 8
"""Characters of the shortest credential that is masked in an answer: others occur as words."""
LEAST_IN_ERROR = 4
"""The same where a call failed."""
_MAX_EXCERPT_LENGTH = 4000
"""Characters of a text that is quoted."""
_PLAIN = re.compile("[A-Za-z0-9_.~-]+")
"""What JSON and URLs spell as it is."""
_OCTET = re.compile("%[0-9A-F]{2}")


class Mask:
    """Replaces secrets of at least `least` characters wherever they occur, in URLs and JSON too."""

    def __init__(self, secrets: Iterable[str], least: int = LEAST) -> None:
        forms = {form for secret in secrets if len(secret) >= least for form in spellings(secret)}
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._octets = [octets for form in self._forms for octets in _encodings(form)]

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
        """Whether a body may contain one of the secrets, in any of the masked encodings."""
        return any(piece in content for piece in (b"\\u00", b"\0", *self._octets))


def spellings(text: str) -> tuple[str, ...]:
    """The spellings of a text: as plain text, in URLs and in JSON."""
    if _PLAIN.fullmatch(text):
        return (text,)
    in_json = json.dumps(text)[1:-1]
    in_url = (quote(text, safe=""), quote(text), quote_plus(text))
    # Hexadecimal digits in lower case say the same (RFC 3986 2.1).
    lower = (_OCTET.sub(lambda octet: octet[0].lower(), form) for form in in_url)
    return (text, *in_url, *lower, in_json, in_json.replace("/", "\\/"))


def _encodings(form: str) -> Iterator[bytes]:
    """The bytes of a text in UTF-8, and in Latin-1, since a body may use that too."""
    yield form.encode()
    if not form.isascii():
        with suppress(UnicodeEncodeError):
            yield form.encode("latin-1")


def excerpt(text: str, secrets: Iterable[str]) -> str:
    """The text with credentials masked, at most 4,000 characters of it."""
    text = Mask(secrets, least=LEAST_IN_ERROR)(text)
    if len(text) <= _MAX_EXCERPT_LENGTH:
        return text
    return f"{text[:_MAX_EXCERPT_LENGTH]} ... ({len(text) - _MAX_EXCERPT_LENGTH:,} more characters)"


def visible(text: str) -> str:
    """Escape invisible characters and terminal controls as in JSON; a JSON text keeps its value."""
    return text if text.isascii() and text.isprintable() else _hidden().sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        high, low = divmod(code - 0x10000, 0x400)
        return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return f"\\u{code:04x}"


@cache  # not for a server that starts: to compile these takes long, and most text needs neither
def _hidden() -> re.Pattern[str]:
    return re.compile(
        # Controls but for tab and line ends: they move the cursor, recolour, retitle.
        "[\x00-\x08\x0b-\x1f\x7f-\x9f"
        # Bidirectional marks, embeddings, overrides and isolates.
        "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
        # Soft hyphen, fillers, zero width, line separators, invisible operators, annotations, tags.
        "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2028\u2029\u2060-\u2065"
        "\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"
        "\U000e0000-\U000e0fff"
        # Halves of surrogate pairs, which are no characters and which UTF-8 cannot carry.
        "\ud800-\udfff"
        # Joiners and variation selectors.
        "\u200c\u200d\ufe00-\ufe0f]"
        # But for those whose effect a reader sees where they stand: the end of a line, and a joiner
        # or variation selector that is the only one after a character that takes it.
        "(?<!\r(?=\n))(?<![\u0300-\u1fff\u2190-\ufdff\ufe0f\U00010000-\U0001ffff][\u200c\u200d])"
        "(?<![0-9#*\u00a9\u00ae\u1000-\u200a\u2010-\ufdff\U00010000-\U0001ffff][\ufe00-\ufe0f])"
    )
