"""The texts for agents when the API refuses a request or cannot be reached.

The only foreign text in them is the API's own message, which is quoted, shortened, and free of
secrets.
"""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from math import ceil
from socket import gaierror
from typing import Any

import httpx2

from ..values.display import Mask, excerpt
from ..values.errors import ApiError, causes
from ..values.jsontext import dump
from .answer import Answer, headers_to_tell, with_phrase
from .outgoing import IDEMPOTENT, SAFE_METHODS, Outgoing
from .reading import BodyError, TooLarge
from .response import Response
from .tls import UNKNOWN_ISSUER

_MAX_PAGE_CHARACTERS = 256 * 1024
"""Characters of a web page in which its message is looked for."""
_MESSAGE_KEYS = ("message", "error_description", "detail", "title", "error", "errors", "reason")
_OF_REQUEST = re.compile(
    r"(?:x[-_])?(?:request|trace|correlation|event)[-_]?id|timestamp", re.IGNORECASE
)
"""Members of an error body that only people who run the API can use."""
_REFERENCE = re.compile(r"&#?\w{1,30};")
_MAX_WAIT = 24 * 3600

RETRYABLE = (408, 425, 429, 500, 502, 503, 504)
_UNSETTLED = (500, 502, 504)
"""Answers that do not say whether the request was carried out."""
_LATER = "Retrying later may help."
_IN_VAIN = "Retrying with the same arguments will not help"
_ABSENT = "Retrying will not help: nothing is there for these arguments."
_STATE = "Retrying helps only once the reported state has changed."
_DENIED = "Retrying will not help: the credentials of this server do not allow it."
_DENIED_TO_CALLER = "Retrying will not help: the caller's credential for the API does not allow it."
_ADVICE = {
    **dict.fromkeys((*RETRYABLE, *range(506, 600)), _LATER),  # as 500, RFC 9110 15
    304: "Nothing has changed since the state that the arguments name.",
    401: _DENIED,
    403: _DENIED,
    404: _ABSENT,
    407: "Retrying will not help: a proxy on the way wants credentials from this server.",
    409: _STATE,
    410: _ABSENT,
    412: _STATE,
    423: _STATE,
}
"""What helps against a status, whatever the request."""
_UNCONNECTED = "No connection to {way}: {obstacle} {unread}"
_ODD = "A header or the URL holds characters that HTTP does not allow. "
_NO_ANSWER: tuple[tuple[type[Exception], bool, str], ...] = (
    (
        httpx2.PoolTimeout,
        False,
        "Other calls held all connections to {host}, {prefix}_MAX_CONNECTIONS of them, until this "
        "one's time was up. ",
    ),
    (httpx2.ConnectTimeout, False, "No connection to {way} was made in time. {unread}"),
    (httpx2.ConnectError, False, _UNCONNECTED),
    (httpx2.ProxyError, False, _UNCONNECTED),
    (httpx2.LocalProtocolError, False, _ODD),
    (httpx2.UnsupportedProtocol, False, _ODD),
    (httpx2.TimeoutException, True, "The API at {host} did not answer in time. "),
    (httpx2.RemoteProtocolError, True, "The API at {host} sent no complete HTTP answer. "),
    (Exception, True, "The connection to {host} broke before an answer came. "),
)
"""Why there is no answer, and whether the request was sent; the first that fits counts."""


class PermanentError(ApiError):
    """An error that the same request would cause every time."""


class NoAnswer(ApiError):
    """A request that got no complete answer."""

    def __init__(
        self, status: int | None, message: str, problem: httpx2.HTTPError, *, sent: bool = True
    ) -> None:
        super().__init__(status, message)
        self.passing = is_passing(problem)
        """Another connection may fare better."""
        self.sent = sent


def api_failure(
    answer: Answer,
    response: Response[Any],
    outgoing: Outgoing,
    hint: str,
    secrets: Collection[str],
    *,
    of_caller: bool = False,
) -> ApiError:
    """The error for an answer whose status is not a success.

    `secrets` are all secrets that were sent; `of_caller`: the credential was the caller's.
    """
    wait = retry_after(answer.headers.get("retry-after"))
    if wait is None and (answer.status == 429 or _too_many(answer)):
        wait = _reset(answer.headers.get("x-ratelimit-reset"))
    lines = [f"The API answered {with_phrase(answer.status)}."]
    message = _message(response)
    if not message and answer.status in (401, 403):  # RFC 9110 11.6.1
        message = _printable(answer.headers.get("www-authenticate", ""))
    if message:
        lines.append(f"It says: {excerpt(message, secrets)}")
    signed = bool(secrets) or outgoing.certificate is not None
    if answer.after:
        lines.append(carried_out(answer.after))
    else:
        advice = _advice(answer, wait, outgoing, signed=signed)
        lines.append(_DENIED_TO_CALLER if of_caller and advice is _DENIED else advice)
    lines += [f"{name}: {excerpt(text, secrets)}" for name, text in headers_to_tell(response)]
    if hint:
        lines.append(Mask(secrets)(hint))  # it may repeat what the API says
    return ApiError(answer.status, "\n".join(lines), data=response.data, retry_after=wait)


def _advice(answer: Answer, wait: float | None, outgoing: Outgoing, *, signed: bool) -> str:
    status = answer.status
    if wait is not None and status >= 400:
        if wait > _MAX_WAIT:
            return "Retrying soon will not help: the API asks to wait more than a day."
        return f"Retrying after {wait:g} seconds may help."
    if status in _UNSETTLED and outgoing.method not in IDEMPOTENT:
        return _repeat(outgoing)
    if _too_many(answer):
        return _LATER
    if status in (401, 403) and not signed:  # such as that of a tool that signs in
        return f"{_IN_VAIN}: this server sent no credentials."
    if status == 304 and outgoing.method not in SAFE_METHODS:
        # outside RFC 9110 15.4.5, as container engines answer start and stop
        return "Nothing was changed: it is already as this call would make it."
    default = f"{_IN_VAIN}." if status >= 400 else "A call cannot end with this status."
    return _ADVICE.get(status, default)


def _too_many(answer: Answer) -> bool:
    """Whether a 403 means that a rate limit is exceeded, as GitHub uses it."""
    return answer.status == 403 and answer.headers.get("x-ratelimit-remaining", "").strip() == "0"


def _reset(header: str | None) -> float | None:
    """Seconds until the time in X-RateLimit-Reset, as GitHub and other APIs send it."""
    text = (header or "").strip()
    if not re.fullmatch(r"[0-9]{10}(?:\.[0-9]{1,9})?", text):
        return None  # some mean seconds, others milliseconds
    return _until(datetime.fromtimestamp(float(text), UTC))


def retry_after(header: str | None) -> float | None:
    """The seconds in a Retry-After header (RFC 9110 10.2.3); None if its value is not usable."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError, TypeError):
        return None
    return _until(date if date.tzinfo else date.replace(tzinfo=UTC))


def _until(moment: datetime) -> float:
    return max(0.0, float(ceil((moment - datetime.now(UTC)).total_seconds())))


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text[:2000])


def _message(response: Response[Any]) -> str:
    if response.kind == "json":
        words = _own_words(response.data, response.status)
        return "; ".join(dict.fromkeys(words)) or dump(response.data)
    if response.kind == "text":
        text = str(response.data)
        if "html" in (response.content_type or "") or text.lstrip()[:1] == "<":
            text = _without_tags(text)
        return " ".join(text.split())
    if response.kind == "empty":
        return ""
    return f"({len(response.content):,} bytes of {response.content_type or 'unknown type'})"


def _own_words(data: Any, status: int) -> Iterator[str]:
    """The messages of an error body: problem details (RFC 9457), or the usual fields.

    Members that an agent cannot use are left out: the status, as a number or as a phrase, and the
    ids of the request.
    """
    if isinstance(data, str):
        yield data
    if not isinstance(data, dict):
        return
    said = (status, str(status))
    rest = {key: value for key, value in data.items() if value not in (None, "", [], {}, *said)}
    words = [rest[key] for key in _MESSAGE_KEYS if isinstance(rest.get(key), str)]
    phrase = with_phrase(status).partition(" ")[2].casefold()
    yield from [word for word in words if word.casefold() != phrase] or words
    others = {
        key: value for key, value in rest.items() if value not in words and not _names(key, value)
    }
    if others:
        yield dump(others)


def _names(key: str, value: Any) -> bool:
    """Whether a member is an id or a time of the request, or the URI of a problem type."""
    if key in ("type", "instance") and isinstance(value, str):
        return key == "instance" or value.startswith(("http:", "https:", "about:", "urn:", "/"))
    return _OF_REQUEST.fullmatch(key) is not None and isinstance(value, str | int)


def _without_tags(html: str) -> str:
    """The visible text of a web page; takes bounded time, whatever the page contains."""
    if len(html) > _MAX_PAGE_CHARACTERS:  # what is cut in two at the end may be a credential
        html = html[:_MAX_PAGE_CHARACTERS].rpartition("<")[0] or "".join(
            html[:_MAX_PAGE_CHARACTERS].rsplit(None, 1)[:1]
        )
    first, *pieces = html.split("<")
    words, unseen = [first], ""
    for piece in pieces:
        tag, end, text = piece.partition(">")
        name = f"{tag} ".split(" ", 1)[0].lower()
        if unseen and name != f"/{unseen}":
            continue  # a script compares with `<`
        unseen = name if name in ("script", "style") else ""
        if not unseen:
            words.append(text if end else f"<{piece}")
    return _REFERENCE.sub(lambda match: unescape(match[0]), " ".join(words))


def refused_redirect(
    answer: Answer, outgoing: Outgoing, secrets: Collection[str]
) -> PermanentError:
    """The error for a redirect that was not followed."""
    location = _printable(answer.headers.get("location", ""))
    is_answered = answer.status == 303 and outgoing.method not in IDEMPOTENT
    after = outgoing.method if is_answered else outgoing.after
    advice = "Calling again will not help unless the API's base URL is corrected."
    if outgoing.method in SAFE_METHODS or answer.status == 303:
        why = "it leaves the API's own origin, or its target is not a URL"
        if location.lower().startswith(("https://", "http://", "//")):
            why += ". The content may be there: fetch it without this server"
    else:
        why = f"the {outgoing.method} may have been carried out already"
    where = f" to {excerpt(location, secrets)}" if location else " without a Location"
    return PermanentError(
        answer.status,
        f"The API answered {with_phrase(answer.status)}, a redirect{where}.\n"
        f"It was not followed: {why}. {carried_out(after) if after else advice}",
    )


def endless_redirect(limit: int, outgoing: Outgoing) -> PermanentError:
    """The error for a chain of redirects that is too long."""
    advice = carried_out(outgoing.after) if outgoing.after else "Retrying will not help."
    return PermanentError(None, f"The API redirected more than {limit} times. {advice}")


def late(outgoing: Outgoing, seconds: float, variable: str) -> ApiError:
    """The error for a call that exceeded its time limit."""
    why = f"The API did not answer completely within {seconds:g} seconds, which {variable} sets."
    return ApiError(None, f"{why} {_repeat(outgoing)}")


def unreadable(problem: BodyError, status: int, outgoing: Outgoing) -> ApiError:
    """The error for a body that cannot be read completely."""
    lines = [f"The API answered {status}, but its answer {problem}."]
    if outgoing.after or status in _UNSETTLED:
        lines.append(_repeat(outgoing))
    elif outgoing.method not in SAFE_METHODS and status < 400:
        lines.append("The request itself was probably carried out.")
    if isinstance(problem, TooLarge):
        lines.append(
            "Ask for less, if the tool has arguments that limit, filter or page the answer."
        )
    kind = ApiError if status in RETRYABLE else PermanentError
    return kind(status, " ".join(lines))


def broken_off(problem: httpx2.HTTPError, status: int, outgoing: Outgoing) -> NoAnswer:
    """The error for an answer that ended too early."""
    how = "stopped coming" if isinstance(problem, httpx2.TimeoutException) else "broke off"
    why = f"The API answered {status}, but its answer {how} before its end."
    return NoAnswer(status, f"{why} {_repeat(outgoing)}", problem)


def unreachable(
    problem: httpx2.HTTPError, outgoing: Outgoing, prefix: str, *, proxied: bool
) -> NoAnswer:
    """The error for a request that got no answer, or an answer that is not HTTP.

    `prefix` is the prefix of the API's environment variables.
    """
    host = f"{outgoing.origin.host}:{outgoing.origin.port}"
    words = {
        "host": host,
        "prefix": prefix,
        "way": f"{host} through the proxy set in {prefix}_PROXY" if proxied else host,
        "obstacle": _obstacle(problem, prefix, proxied=proxied),
        "unread": "" if proxied else unread_proxy(outgoing.origin.scheme, prefix, os.environ),
    }
    sent, why = next((sent, why) for kind, sent, why in _NO_ANSWER if isinstance(problem, kind))
    end = _repeat(outgoing)
    if not (sent or outgoing.after or outgoing.tried):
        may_pass = is_passing(problem) or isinstance(problem, httpx2.PoolTimeout)
        end = f"Nothing was sent. {_LATER}" if may_pass else "Nothing was sent."
    return NoAnswer(None, why.format(**words) + end, problem, sent=sent)


def unanswered(problem: BaseException, prefix: str, *, proxied: bool) -> str:
    """The reason why a host gave no usable answer; `prefix` is the prefix of the API's
    variables.
    """
    if isinstance(problem, httpx2.ConnectError | httpx2.ProxyError):
        way = f" through the proxy set in {prefix}_PROXY" if proxied else ""
        unread = "" if proxied else unread_proxy("https", prefix, os.environ)
        obstacle = _obstacle(problem, prefix, proxied=proxied)
        return f"there is no connection{way}: {obstacle} {unread}".rstrip()
    if isinstance(problem, httpx2.TimeoutException):
        return "it did not answer in time."
    return "its answer cannot be read."


def unread_proxy(scheme: str, prefix: str, environ: Mapping[str, str]) -> str:
    """A note on a system proxy variable that the server ignores; empty if none is set."""
    variables = (f"{scheme}_proxy", "all_proxy")
    for name, value in environ.items():
        if value and name.lower() in variables:
            return f"{name} is set but ignored: {prefix}_PROXY sets this server's proxy. "
    return ""


def _obstacle(problem: BaseException, prefix: str, *, proxied: bool) -> str:
    """The reason why a connection failed; it never quotes the host."""
    for cause in causes(problem):
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = str(getattr(cause, "verify_message", "it is not trusted")).rstrip(".")
            text = f"its certificate is refused: {why}."
            is_unknown = getattr(cause, "verify_code", 0) in UNKNOWN_ISSUER
            return f"{text} {prefix}_CA_BUNDLE names trusted ones." if is_unknown else text
        if isinstance(cause, ssl.SSLError):
            return "it does not speak TLS as expected."
        if isinstance(cause, gaierror):
            return f"the {'proxy' if proxied else 'host'}'s name cannot be resolved."
        if isinstance(cause, ConnectionRefusedError):
            return "the connection is refused: nothing seems to run there."
    if isinstance(problem, httpx2.ProxyError):
        status = str(problem)[:3]  # of its answer to CONNECT
        answered = f": it answered {status}" if status.isdigit() else ""
        return f"the proxy does not forward it{answered}."
    return "it cannot be made."


def is_passing(problem: httpx2.HTTPError) -> bool:
    """Whether a further attempt to connect may succeed."""
    kinds = (httpx2.NetworkError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError)
    is_tls = any(isinstance(cause, ssl.SSLError) for cause in causes(problem))
    return isinstance(problem, kinds) and not is_tls


def carried_out(method: str) -> str:
    """Advice for when a request with this method was answered, but a later request failed."""
    return f"The {method} itself was answered before that: find out what it did, do not repeat it."


def _repeat(outgoing: Outgoing) -> str:
    if outgoing.after:
        return carried_out(outgoing.after)
    if outgoing.method in IDEMPOTENT:
        return "Retrying may help and does no harm."
    return "The request may have been carried out: find out before calling again."
