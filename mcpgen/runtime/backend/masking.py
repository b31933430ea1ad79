"""Masks credentials that the API sends back, so that nobody sees them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..values.display import Mask
from .response import Response

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w.+-])\d{8,}(?![.eE])')
"""Strings, and whole numbers as long as the credentials that are masked."""
_NAMES = re.compile(r"auth|cookie|credential|key|passw|secret|token", re.IGNORECASE)


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
    if isinstance(value, int) and not isinstance(value, bool):
        masked = mask(str(value))
        return value if masked == str(value) else masked
    return value


def _string(token: str, mask: Mask) -> str:
    """A JSON string, in its original spelling unless it holds a credential."""
    try:
        value = json.loads(token, strict=False)
    except ValueError:
        return mask(token)
    masked = _value(value, mask)
    return token if masked == value else json.dumps(masked, ensure_ascii=False)
