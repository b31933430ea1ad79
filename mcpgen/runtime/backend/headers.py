"""What an agent is told of an answer's status and headers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from ..values.display import visible
from ..values.jsontext import scrub

if TYPE_CHECKING:
    from .response import Response

_TOLD_HEADERS = (
    "location",
    "content-location",
    "operation-location",
    "link",
    "etag",
    "last-modified",
    "retry-after",
    "content-type",
    "content-length",
)
_UNTOLD_HEADERS = frozenset((
    "set-cookie", "connection", "keep-alive", "transfer-encoding", "trailer", "upgrade", "date",
    "server", "via", "vary", "alt-svc", "nel", "report-to", "reporting-endpoints",
    "strict-transport-security", "content-security-policy", "referrer-policy",
    "content-security-policy-report-only", "cross-origin-embedder-policy",
    "cross-origin-opener-policy", "cross-origin-resource-policy", "origin-agent-cluster",
    "x-content-type-options", "x-frame-options", "x-xss-protection", "permissions-policy",
    "x-dns-prefetch-control", "x-download-options", "x-permitted-cross-domain-policies",
    "x-powered-by", "access-control-allow-origin", "access-control-allow-credentials",
    "access-control-expose-headers",
))  # fmt: skip
"""What says nothing of the API's answer, or must not be shown."""
_OF_CONTENT = ("content-type", "content-length")
_MOST_HEADERS = 30
_NEVER_WITH_CONTENT = {"204", "205", "304"}
"""RFC 9110 15.3.5, 15.3.6, 15.4.5."""


def in_small_letters(response: Response[Any]) -> Response[Any]:
    """The answer with its headers' names in lower case: a handler may have written others."""
    named = {name.lower(): value for name, value in response.headers.items()}
    return replace(response, headers=named)


def is_declared(status: int, expect: Sequence[str]) -> bool:
    """Whether a status is one of those that the document declares, or in a range of them."""
    return str(status) in expect or f"{status // 100}XX" in (item.upper() for item in expect)


def tells_by_status(status: int, expect: Sequence[str]) -> bool:
    """Whether the document declares several successes, and this is another than the first."""
    return str(status) not in expect[:1] and is_declared(status, expect[1:])


def may_be_empty(expect: Sequence[str]) -> bool:
    """Whether several of the declared successes can have content: then not each has to."""
    return len([status for status in expect if status not in _NEVER_WITH_CONTENT]) > 1


def about_empty(response: Response[Any]) -> str:
    """What is said in place of an answer without a body."""
    status = with_phrase(response.status)
    given = [name for name, value in response.headers.items() if value]
    names = [name for name in _TOLD_HEADERS if name in given]
    if str(response.status) in _NEVER_WITH_CONTENT:
        names = [name for name in names if name not in _OF_CONTENT]
    if 200 <= response.status < 300:
        # The answer to HEAD and OPTIONS is in its headers, whatever they are called.
        told_already = _UNTOLD_HEADERS.union(_TOLD_HEADERS)
        names += [name for name in given if name not in told_already]
    lines = told((name, scrub(response.headers[name])[:2000]) for name in names[:_MOST_HEADERS])
    if 300 <= response.status < 400 and response.status != HTTPStatus.NOT_MODIFIED:
        status += ", a redirect"
    elif response.status not in (204, 205, 304):
        status += " without content"
    return "\n".join([f"The API answered {status}.", *lines])


def with_phrase(status: int) -> str:
    """A status with the phrase that HTTP has for it."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def headers_to_tell(response: Response[Any], *names: str) -> list[tuple[str, str]]:
    """Those of the headers that the answer has, each with its value: `names`, then `tell`."""
    spelled = {name.lower(): name for name in (*names, *response.tell)}
    given = ((name, response.headers.get(key)) for key, name in spelled.items())
    return [(name, scrub(value)[:2000]) for name, value in given if value]


def told(headers: Iterable[tuple[str, str]]) -> list[str]:
    """Headers, each on a line."""
    return [f"{name}: {visible(value)}" for name, value in headers]
