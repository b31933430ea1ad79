"""What an agent is told when the API refuses a request or cannot be reached.

The words are ours, except the API's own message, which is quoted, bounded, and without secrets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import ceil
from typing import TYPE_CHECKING, Any

from ..credentials.no_token import UNSENT
from ..values.display import excerpt
from ..values.errors import ApiError, ToolError
from ..values.jsontext import dump
from .answer import Answer
from .headers import headers_to_tell, with_phrase
from .outgoing import IDEMPOTENT, SAFE_METHODS, Outgoing
from .reading import BodyError, TooLarge
from .response import Response

if TYPE_CHECKING:
    import httpx2

_PAGE = 256 * 1024
"""Characters of a web page in which its message is looked for."""
_MESSAGE_KEYS = ("message", "error_description", "detail", "title", "error", "errors", "reason")
RETRYABLE = (408, 425, 429, 500, 502, 503, 504)
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
"""A character reference of HTML or XML."""
_UNSEEN = re.compile(r"(?:script|style)(?![^\s/])", re.IGNORECASE)
"""The name of an element whose text a web page does not show."""
_UNSETTLED = (500, 502, 504)
"""Answers that do not say whether the request was carried out."""
_LATER = " Retrying later may help."
_MAX_WAIT = 24 * 3600
_IN_VAIN = "Retrying with the same arguments will not help"
_CERTIFICATE: dict[int | None, str] = {
    9: "is not valid yet, or this machine's clock is wrong",
    10: "has expired, or this machine's clock is wrong",
    62: "is that of another host",
    64: "is that of another host",
}
"""What is wrong with a certificate, by the numbers of OpenSSL's X509_V_ERR_..."""


class PermanentError(ApiError):
    """An error that the same request would meet again."""


def api_failure(
    answer: Answer, response: Response[Any], outgoing: Outgoing, hint: str, secrets: Collection[str]
) -> ApiError:
    """The error for an answer whose status is no success; `secrets` are all that were sent."""
    wait = retry_after(answer.headers.get("retry-after"))
    if wait is None and (answer.status == 429 or _too_many(answer)):
        wait = _reset(answer.headers.get("x-ratelimit-reset"))
    lines = [f"The API answered {excerpt(_status(answer), secrets)}."]
    message = _message(response) or _challenge(answer)
    if message:
        lines.append(f"It says: {excerpt(message, secrets)}")
    signed = bool(secrets) or outgoing.certificate is not None
    advice = _advice(answer, wait, outgoing, signed=signed)
    lines.append(_carried_out(answer.after) if answer.after else advice)
    lines += [f"{name}: {excerpt(text, secrets)}" for name, text in headers_to_tell(response)]
    if hint:
        lines.append(hint)
    return ApiError(answer.status, "\n".join(lines), data=response.data, retry_after=wait)


def _status(answer: Answer) -> str:
    reason = "".join(filter(str.isprintable, answer.reason))[:100]
    return f"{answer.status} {reason}".rstrip() if reason else with_phrase(answer.status)


def _advice(answer: Answer, wait: float | None, outgoing: Outgoing, *, signed: bool) -> str:
    status = answer.status
    if wait is not None and status >= 400:
        if wait > _MAX_WAIT:
            return "Retrying soon will not help: the API asks to wait more than a day."
        return f"Retrying after {wait:g} seconds may help."
    if status in _UNSETTLED and outgoing.method not in IDEMPOTENT:
        return _repeat(outgoing)
    # What is no known server error is one like 500 (RFC 9110 15).
    if status in RETRYABLE or 505 < status < 600 or _too_many(answer):
        return "Retrying later may help."
    if status in (401, 403) and not signed:  # such as that of a tool that signs in
        return f"{_IN_VAIN}: no credentials of this server went with them."
    if status in (401, 403):
        return "Retrying will not help: the credentials of this server do not allow it."
    if status == 407:
        return "Retrying will not help: a proxy on the way wants credentials from this server."
    if status in (404, 410):
        return "Retrying will not help: nothing is there for these arguments."
    if status in (409, 412, 423):
        return "Retrying helps only once the state that it objects to has changed."
    if status == 304 and outgoing.method in SAFE_METHODS:
        return "Nothing has changed since the state that the arguments name."
    if status == 304:  # outside RFC 9110 15.4.5, as container engines answer start and stop
        return "Nothing was changed: it is already as this call would make it."
    if status < 400:
        return "This is not an answer that a call can end in."
    return f"{_IN_VAIN}."


def _too_many(answer: Answer) -> bool:
    """Whether a 403 means too many calls, as GitHub's does."""
    return answer.status == 403 and answer.headers.get("x-ratelimit-remaining", "").strip() == "0"


def _reset(header: str | None) -> float | None:
    """Seconds until the moment in X-RateLimit-Reset, as GitHub and others send it."""
    text = (header or "").strip()
    if not re.fullmatch(r"[0-9]{10}(?:\.[0-9]{1,9})?", text, re.ASCII):
        return None  # some mean seconds, others milliseconds
    return max(0.0, float(ceil(float(text) - datetime.now(UTC).timestamp())))


def _challenge(answer: Answer) -> str:
    """The WWW-Authenticate header of a refusal that has no other words (RFC 9110 11.6.1)."""
    challenge = answer.headers.get("www-authenticate", "") if answer.status in (401, 403) else ""
    return _printable(challenge)


def retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110 10.2.3); None if it has no usable value."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError, TypeError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, float(ceil((date - datetime.now(UTC)).total_seconds())))


def _message(response: Response[Any]) -> str:
    if response.kind == "json":
        found = list(_own_words(response.data))
        return "; ".join(dict.fromkeys(found)) or dump(response.data)
    if response.kind == "text":
        text = str(response.data)
        if "html" in (response.content_type or "") or text.lstrip()[:1] == "<":
            text = _without_tags(text)
        return " ".join(text.split())
    if response.kind == "empty":
        return ""
    return f"({len(response.content):,} bytes of {response.content_type or 'unknown type'})"


def _without_tags(html: str) -> str:
    """The visible text of a web page, computed in bounded time, since it may be any page."""
    from html import unescape  # of no use while all goes well

    if len(html) > _PAGE:
        last = html.rfind("<", _PAGE // 2, _PAGE)  # in the middle of a text may be a credential
        html = html[:last] if last >= 0 else "".join(html[:_PAGE].rsplit(None, 1)[:1])
    first, *pieces = html.split("<")
    words, unseen = [first], ""
    for piece in pieces:
        tag, end, text = piece.partition(">")
        if unseen and not tag.lower().startswith(f"/{unseen}"):
            continue  # a script compares with `<`
        opened = None if tag.endswith("/") else _UNSEEN.match(tag)  # it is closed in XHTML
        unseen = opened[0].lower() if opened else ""
        if not unseen:
            words.append(text if end else f"<{piece}")
    return _REFERENCE.sub(lambda found: unescape(found[0]), " ".join(words))


def _own_words(data: Any) -> Iterator[str]:
    """The message of an error body: problem details (RFC 9457), or the usual fields."""
    if isinstance(data, str):
        yield data
        return
    if not isinstance(data, dict):
        return
    rest = {key: value for key, value in data.items() if value not in (None, "", [], {})}
    words = [rest[key] for key in _MESSAGE_KEYS if isinstance(rest.get(key), str)]
    yield from words
    others = {key: value for key, value in rest.items() if value not in words}
    if others:
        yield dump(others)


def refused_redirect(answer: Answer, outgoing: Outgoing, secrets: Iterable[str]) -> PermanentError:
    """The error for a redirect that was not followed."""
    location = answer.headers.get("location", "")
    after = outgoing.after
    if answer.status == 303 and outgoing.method not in IDEMPOTENT:
        after = outgoing.method
    where = f" to {excerpt(_printable(location), secrets)}" if location else " without a Location"
    if outgoing.method in SAFE_METHODS or answer.status == 303:
        why = "It was not followed: it leaves the API's own origin, or its target is not a URL."
        if location.lower().startswith(("https://", "http://", "//")):
            why += " What was asked for may be there, to be fetched without this server."
    else:
        why = (
            f"It was not followed: {outgoing.method} is not repeated elsewhere. "
            "Whether it was carried out is not known."
        )
    way_out = "Calling again will not help unless the API's base URL is corrected."
    return PermanentError(
        answer.status,
        f"The API answered {excerpt(_status(answer), secrets)}, a redirect{where}.\n{why} "
        f"{_carried_out(after) if after else way_out}",
    )


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text[:2000])


def endless_redirect(limit: int, outgoing: Outgoing) -> PermanentError:
    """The error for a chain of redirects."""
    advice = _carried_out(outgoing.after) if outgoing.after else "Retrying will not help."
    return PermanentError(None, f"The API redirected more than {limit} times. {advice}")


def late(outgoing: Outgoing, seconds: float, variable: str) -> ApiError:
    """The error for a call that exceeded its time limit."""
    return ApiError(
        None,
        f"The API did not answer completely within {seconds:g} seconds, which {variable} sets. "
        f"{_repeat(outgoing)}",
    )


def unreadable(problem: BodyError, status: int, outgoing: Outgoing) -> ApiError:
    """The error for a body that cannot be read whole."""
    lines = [f"The API answered {status}, but its answer {problem}."]
    if outgoing.after:
        lines.append(_carried_out(outgoing.after))
    elif status in _UNSETTLED:
        lines.append(_repeat(outgoing))
    elif outgoing.method not in SAFE_METHODS and status < 400:
        lines.append("The request itself was probably carried out.")
    if isinstance(problem, TooLarge):
        lines.append(
            "Ask for less, if the tool has arguments that limit, filter or page the answer."
        )
    kind = ApiError if status in RETRYABLE else PermanentError
    return kind(status, " ".join(lines))


def unsigned(problem: ToolError, outgoing: Outgoing) -> ToolError:
    """The error for a request that has no access token."""
    if not outgoing.after:
        return problem
    why = problem.message.partition(UNSENT)[0]
    return ApiError(None, f"{why}{_carried_out(outgoing.after)}")


def unreachable(
    problem: httpx2.HTTPError, outgoing: Outgoing, prefix: str, *, proxied: bool
) -> ApiError:
    """The error for a request without an answer, or with one that is not HTTP.

    `prefix` is that of the API's environment variables.
    """
    import httpx2

    host = f"{outgoing.origin.host}:{outgoing.origin.port}"
    way = f"{host} through the proxy that {prefix}_PROXY names" if proxied else host
    unsent, later = "Nothing was sent.", _LATER
    if outgoing.after or outgoing.tried:
        unsent, later = _repeat(outgoing), ""
    unread = "" if proxied else unread_proxy(outgoing.origin.scheme, prefix, os.environ)
    if isinstance(problem, httpx2.PoolTimeout):
        text = (
            f"Other calls held all connections to {host}, {prefix}_MAX_CONNECTIONS of them, until "
            f"this one's time was up. {unsent}{later}"
        )
    elif isinstance(problem, httpx2.ConnectTimeout):
        text = f"No connection to {way} came about in time. {unread}{unsent}{later}"
    elif isinstance(problem, httpx2.ConnectError | httpx2.ProxyError):
        obstacle = _obstacle(problem, prefix, proxied=proxied, later=later)
        text = f"No connection to {way}: {obstacle} {unread}{unsent}"
    elif isinstance(problem, httpx2.TimeoutException):
        text = f"The API at {host} did not answer in time. {_repeat(outgoing)}"
    elif isinstance(problem, httpx2.RemoteProtocolError):
        text = f"The API at {host} sent no complete HTTP answer. {_repeat(outgoing)}"
    elif isinstance(problem, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol):
        text = f"A header or the URL holds what HTTP does not allow. {unsent}"
    else:
        text = f"The connection to {host} broke before an answer came. {_repeat(outgoing)}"
    return ApiError(None, text)


def broken_off(problem: httpx2.HTTPError, status: int, outgoing: Outgoing) -> ApiError:
    """The error for an answer that broke off."""
    import httpx2

    how = "stopped coming" if isinstance(problem, httpx2.TimeoutException) else "broke off"
    return ApiError(
        status,
        f"The API answered {status}, but its answer {how} before its end. {_repeat(outgoing)}",
    )


def unanswered(problem: BaseException, prefix: str, *, proxied: bool) -> str:
    """Why a host other than the API gave no answer; `prefix` is that of the API's variables."""
    import httpx2

    if isinstance(problem, httpx2.ConnectError | httpx2.ProxyError):
        obstacle = _obstacle(problem, prefix, proxied=proxied, later="")
        way = f" through the proxy that {prefix}_PROXY names" if proxied else ""
        unread = "" if proxied else unread_proxy("https", prefix, os.environ)
        return f"there is no connection{way}: {obstacle} {unread}".rstrip()
    if isinstance(problem, httpx2.TimeoutException):
        return "it did not answer in time."
    return "it gave no answer that can be read."


def unread_proxy(scheme: str, prefix: str, environ: Mapping[str, str]) -> str:
    """That a proxy variable of the system is set, which is not read; empty if none is."""
    asked = (f"{scheme}_proxy", "all_proxy")
    name = next((name for name in environ if name.lower() in asked and environ[name]), "")
    own = f"{prefix}_PROXY names this server's proxy"
    return f"{name} is set, but not read: {own}. " if name else ""


def _obstacle(problem: BaseException, prefix: str, *, proxied: bool, later: str) -> str:
    """Why a connection failed, without the host's own texts; `later` follows if it may pass."""
    import ssl
    from socket import gaierror

    for cause in _causes(problem):
        if isinstance(cause, ssl.SSLCertVerificationError):
            untrusted = f"is not trusted ({prefix}_CA_BUNDLE names further trusted ones)"
            found = getattr(cause, "verify_code", None)
            return f"its certificate {_CERTIFICATE.get(found, untrusted)}."
        if isinstance(cause, ssl.SSLError):
            return "it does not speak TLS as expected."
        if isinstance(cause, gaierror):
            return f"the {'proxy' if proxied else 'host'}'s name cannot be resolved."
        if isinstance(cause, ConnectionRefusedError):
            return "it is refused, as if nothing were running there."
    if type(problem).__name__ == "ProxyError":
        status = str(problem)[:3]  # of its answer to CONNECT
        why = f": it answered {status}" if status.isdigit() else ""
        return f"the proxy does not forward it{why}."
    return f"it cannot be made.{later}"


def is_passing(problem: httpx2.HTTPError) -> bool:
    """Whether another attempt to connect may succeed."""
    import ssl

    import httpx2

    kinds = (httpx2.NetworkError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError)
    return isinstance(problem, kinds) and not any(
        isinstance(cause, ssl.SSLError) for cause in _causes(problem)
    )


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    for _ in range(10):
        if problem is None:
            return
        yield problem
        if isinstance(problem, BaseExceptionGroup):
            yield from problem.exceptions
        problem = problem.__cause__ or problem.__context__


def _carried_out(method: str) -> str:
    return f"The {method} itself was answered before that: find out what it did, do not repeat it."


def _repeat(outgoing: Outgoing) -> str:
    if outgoing.after:
        return _carried_out(outgoing.after)
    if outgoing.method in IDEMPOTENT:
        return "Retrying may help and does no harm."
    return "The request may have been carried out: find out before calling again."
