"""Masks credentials that the API sends back, so that nobody sees them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import quote, quote_plus

from ..context import Response

MASKED = "[credential]"
LEAST = 8
"""Characters of the shortest credential that is masked in an answer: others occur as words."""

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_PLAIN = re.compile("[A-Za-z0-9_.~-]+")
"""What JSON and URLs spell as it is."""
_OCTET = re.compile("%[0-9A-F]{2}")
_NAMES = re.compile(r"auth|cookie|credential|key|passw|secret|token", re.IGNORECASE)


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


def credential_texts(headers: Iterable[tuple[str, str]], *, named: bool = False) -> Iterator[str]:
    """The values of headers, also without their authentication scheme.

    `named`: only headers whose name says that they hold a credential.
    """
    for name, value in headers:
        if not named or _NAMES.search(name):
            yield value
            yield value.partition(" ")[2]


def without_credentials(response: Response[Any], secrets: Iterable[str]) -> Response[Any]:
    """The answer with its request's credentials masked in body, headers and misfits."""
    mask = Mask(secrets)
    if not mask:
        return response
    headers = _headers(response.headers, mask)
    response = replace(
        response,
        headers=headers,
        content_type=headers.get("content-type", response.content_type),
        misfits=tuple(mask(misfit) for misfit in response.misfits),
    )
    if not mask.may_be_in(response.content):
        return response
    content = mask.in_bytes(response.content)
    is_bytes = response.kind in ("binary", "multipart")
    verbatim = response.verbatim
    if verbatim is not None:
        verbatim = _JSON_STRING.sub(lambda found: _string(found[0], mask), verbatim)
    data = content if is_bytes else _value(response.data, mask)
    return replace(response, data=data, content=content, verbatim=verbatim)


def _headers(headers: Mapping[str, str], mask: Mask) -> Mapping[str, str]:
    if all(mask(value) == value for value in headers.values()):
        return headers
    import httpx2

    masked = {name: mask(value) for name, value in headers.items()}
    return httpx2.Headers(masked, encoding="utf-8")  # by itself it takes ASCII alone


def _value(value: Any, mask: Mask) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {mask(key): _value(child, mask) for key, child in value.items()}
    if isinstance(value, list):
        return [_value(child, mask) for child in value]
    return value


def _string(token: str, mask: Mask) -> str:
    """A JSON string, in its original spelling unless it holds a credential."""
    try:
        value = json.loads(token, strict=False)
    except ValueError:
        return mask(token)
    masked = mask(value)
    return token if masked == value else json.dumps(masked, ensure_ascii=False)
