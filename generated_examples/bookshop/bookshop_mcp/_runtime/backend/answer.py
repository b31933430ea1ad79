"""An API's answer: its status, its headers, its media type, and its body as data."""

from __future__ import annotations

import codecs
import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Literal

from ..values.display import visible
from ..values.jsontext import USUAL, Most, NotJson, parse, scrub
from ..values.media import MediaType, codec
from .response import Kind, Response

logger = logging.getLogger(__name__)

_NO_TEXT = "its bytes are not text; they are passed on as they are"
_NEVER_IN_TEXT = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
"""Control characters but blanks and ESC, with which terminals' colours begin."""
_ANY_BYTES = "application/octet-stream"
_XML_ENCODING = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)""")
_TOLD_HEADERS = (
    "location", "content-location", "operation-location", "link", "etag", "last-modified",
    "retry-after", "content-type", "content-length",
)  # fmt: skip
_UNTOLD_HEADERS = re.compile(
    "set-cookie|connection|keep-alive|transfer-encoding|trailer|upgrade|date|server|via|vary|nel"
    "|alt-svc|report-to|reporting-endpoints|strict-transport-security|referrer-policy"
    "|permissions-policy|origin-agent-cluster|x-powered-by|(?:content-security|cross-origin|x-frame"
    "|x-xss|x-content-type|x-dns|x-download|x-permitted|access-control-expose)-.*"
    "|access-control-allow-(?:origin|credentials)"
)
"""What says nothing of the API's answer, or must not be shown."""
_MAX_HEADERS = 30
_MAX_HEADER_LENGTH = 2000
_NEVER_WITH_CONTENT = ("204", "205", "304")
"""RFC 9110 15.3.5, 15.3.6, 15.4.5."""

ReadAs = Literal["", "json", "text"]
_Data = tuple[Kind, Any, str | None, list[str]]
"""How a body is to be read, its value, its text where the value does not hold it all, misfits."""


@dataclass(frozen=True)
class Answer:
    """An HTTP answer that has been read."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)
    misfits: tuple[str, ...] = ()
    after: str = ""
    """As `Outgoing.after`."""
    elsewhere: bool = False
    """It is that of another resource, to which a redirect (302, 303) led."""


def is_success(status: int, expect: Sequence[str]) -> bool:
    """Whether a status is a success: always for 2xx; for 3xx if the document declares it."""
    return 200 <= status < 300 or (300 <= status < 400 and is_declared(status, expect))


def is_declared(status: int, expect: Sequence[str]) -> bool:
    """Whether the document declares a status, as a number or in a range such as `2XX`."""
    return str(status) in expect or f"{status // 100}XX" in (item.upper() for item in expect)


def tells_by_status(status: int, expect: Sequence[str]) -> bool:
    """Whether the document declares several success statuses, and `status` is not the first."""
    return str(status) not in expect[:1] and is_declared(status, expect[1:])


def interpret(
    answer: Answer,
    expect: Sequence[str],
    declared: str,
    tell: Sequence[str] = (),
    most: Most = USUAL,
    read_as: ReadAs = "",
) -> Response[Any]:
    """Turn an answer into data; deviations from the document are noted in `misfits`, never raised.

    `expect` and `declared` are the statuses and media types that the document declares for success.
    `tell` names the headers that the agent gets to see. `read_as` is the media type that is assumed
    if the answer names no specific type and the bytes allow it.
    """
    header = answer.headers.get("content-type")
    media = MediaType.read(header)
    misfits = list(answer.misfits)
    declared_too = is_declared(answer.status, expect) or "default" in expect
    if is_success(answer.status, expect) and not declared_too:
        misfits.append(f"its status {answer.status} is not among the declared {', '.join(expect)}")
    if answer.content and not media.name:
        misfits.append(f"its Content-Type {'cannot be read' if header else 'is missing'}")
    kind, data, verbatim, notes = _body(answer.content, media, declared, most, read_as)
    return Response(
        data=data,
        status=answer.status,
        headers=answer.headers,
        content_type=header,
        content=answer.content,
        misfits=(*misfits, *notes),
        kind=kind,
        verbatim=verbatim,
        tells_by_status=tells_by_status(answer.status, expect),
        tell=tuple(tell),
    )


def verbatim_of(response: Response[Any]) -> str | None:
    """The text of the answer's body, if it was kept and no handler has replaced the data."""
    text = response.verbatim
    return text if text and is_text_of(text, response) else None


def is_text_of(text: str, response: Response[Any]) -> bool:
    """Whether the text is the answer's data; for a JSON answer, the parsed text is compared."""
    if response.kind != "json":
        return bool(text == response.data)
    try:
        return bool(parse(text).value == response.data)
    except NotJson:
        return False


def _body(
    content: bytes, media: MediaType, declared: str, most: Most, read_as: ReadAs = ""
) -> _Data:
    if not content:
        return "empty", None, None, []
    undeclared = _undeclared(media, declared)
    if media.name.startswith("multipart/") and media.boundary:
        return "multipart", content, None, undeclared
    if media.is_json:
        kind, data, verbatim, notes = _json(content, media, most)
        return kind, data, verbatim, [*([] if "json" in declared else undeclared), *notes]
    is_doubtful = not media.name or (bool(undeclared) and media.may_be_mistaken)
    if not media.name or read_as == "json" or (is_doubtful and "json" in declared):
        sniffed = _sniffed(content, media if is_doubtful else MediaType(""), most)
        if sniffed is not None:
            return sniffed
    if media.is_text:
        text = text_of(content, media)
        if text is None:
            return "binary", content, None, [*undeclared, _NO_TEXT]
        return "text", text[0], None, [*undeclared, *text[1]]
    promises_text = not media.name or "json" in declared or "text/" in declared
    if ((is_doubtful and promises_text) or read_as) and not _NEVER_IN_TEXT.search(content):
        try:
            return "text", content.decode("utf-8-sig"), None, undeclared
        except UnicodeDecodeError:
            pass
    return "binary", content, None, undeclared


def _undeclared(media: MediaType, declared: str) -> list[str]:
    types = [item.partition(";")[0].strip().lower() for item in declared.split(",")]
    kind = media.name.partition("/")[0]
    if not media.name or any(item in ("*/*", f"{kind}/*", media.name) for item in types):
        return []
    misfit = f"it is {media.name} and not the declared {', '.join(types)}"
    kinds = [MediaType.read(item) for item in types]
    texts = any(each.is_text for each in kinds)
    of_bytes = media.name == _ANY_BYTES and not (texts or any(each.is_json for each in kinds))
    if _ANY_BYTES in types or of_bytes or (texts and media.is_text):  # of no use to an agent
        logger.warning("an answer is not as its document says: %s", misfit)
        return []
    return [misfit]


def _json(content: bytes, media: MediaType, most: Most) -> _Data:
    text, notes = _json_text(content, media.charset)
    try:
        parsed = parse(text, most)
    except NotJson as problem:
        return "text", text, None, [*notes, f"its body {problem}; it is passed on as text"]
    return "json", parsed.value, text if parsed.losses else None, [*notes, *parsed.losses]


def _json_text(content: bytes, charset: str | None) -> tuple[str, list[str]]:
    """Decode a JSON body; UTF-8 is tried before a doubtful charset such as Latin-1 (RFC 8259 11).

    Web servers declare Latin-1 for every answer, and no Latin-1 text is valid UTF-8 by chance.
    UTF-16 and UTF-32 are doubtful without a zero byte at the start, since JSON begins with an ASCII
    character.
    """
    encoding = (codec(charset) or "") if charset else ""
    is_wide = encoding.startswith(("utf-16", "utf-32"))
    is_doubtful = encoding == "iso8859-1" or (is_wide and b"\0" not in content[:2])
    return decode(content, charset, is_doubtful=is_doubtful)


def _sniffed(content: bytes, media: MediaType, most: Most) -> _Data | None:
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in b'{["tfn-0123456789':
        return None
    kind, data, verbatim, notes = _json(content, media, most)
    if kind != "json":
        return (kind, data, verbatim, notes) if most.variable in notes[-1] else None
    if media.name:
        notes.insert(0, f"its Content-Type is {media.name} although it is JSON")
    return kind, data, verbatim, notes


def text_of(content: bytes, media: MediaType) -> tuple[str, list[str]] | None:
    """The decoded text of a body, with notes on its charset; None if the content seems to be
    binary.
    """
    if media.is_json:
        return _json_text(content, media.charset)
    text, notes = decode(content, media.charset or _xml_encoding(content, media))
    return None if notes and media.may_be_bytes else (text, notes)


def _xml_encoding(content: bytes, media: MediaType) -> str | None:
    """The encoding that an XML declaration names (RFC 7303 3.2); None if the bytes
    contradict it.
    """
    declaration = _XML_ENCODING.match(content) if "xml" in media.name else None
    encoding = codec(declaration[1].decode("latin-1")) if declaration else None
    if declaration is None or encoding is None:
        return None
    is_in_it = declaration[0].decode(encoding, "replace") == declaration[0].decode("latin-1")
    return encoding if is_in_it else None


def decode(
    content: bytes, charset: str | None, *, is_doubtful: bool = False
) -> tuple[str, list[str]]:
    """Decode text by its byte order mark, else by its charset, else as UTF-8, else as ISO-8859-1.

    ISO-8859-1 never fails and loses nothing, but its use is noted. A doubtful charset is tried
    after UTF-8.
    """
    encoding = codec(charset) if charset else None
    notes = ["its charset is unknown"] if charset and encoding is None else []
    marked = json.detect_encoding(content) if content[:4].strip() else "utf-8"
    if encoding in ("utf-16", "utf-32") and marked.startswith(f"{encoding}-"):
        encoding = marked  # which says what comes first, where no mark does
    order = ["utf-8", encoding, marked] if is_doubtful else [encoding, marked, "utf-8"]
    if content.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        order.insert(0, marked)
    for each in filter(None, order):
        try:
            return content.decode(each), notes
        except (UnicodeError, LookupError):
            continue
    notes.append(
        "its bytes are neither in its charset nor in UTF-8; they are decoded as ISO-8859-1"
    )
    return content.decode("latin-1"), notes


def in_small_letters(response: Response[Any]) -> Response[Any]:
    """The answer with header names in lower case; a handler may have used capitals."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    return replace(response, headers=headers)


def about_empty(response: Response[Any]) -> str:
    """The text that replaces an answer without a body."""
    status = with_phrase(response.status)
    present = [name for name, value in response.headers.items() if value]
    names = [name for name in _TOLD_HEADERS if name in present]
    if str(response.status) in _NEVER_WITH_CONTENT:
        names = [name for name in names if name not in ("content-type", "content-length")]
    if 200 <= response.status < 300:
        # The answer to HEAD and OPTIONS is in its headers, whatever they are called.
        others = (name for name in present if name not in _TOLD_HEADERS)
        names += [name for name in others if not _UNTOLD_HEADERS.fullmatch(name)]
    lines = format_headers(
        (name, scrub(response.headers[name])[:_MAX_HEADER_LENGTH]) for name in names[:_MAX_HEADERS]
    )
    if 300 <= response.status < 400 and response.status != HTTPStatus.NOT_MODIFIED:
        status += ", a redirect"
    elif str(response.status) not in _NEVER_WITH_CONTENT:
        status += " without content"
    return "\n".join([f"The API answered {status}.", *lines])


def with_phrase(status: int) -> str:
    """A status code with its HTTP phrase, such as `404 Not Found`."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def headers_to_tell(response: Response[Any], *names: str) -> list[tuple[str, str]]:
    """The response headers that the agent is told: those in `names` and in `response.tell`."""
    spelled = {name.lower(): name for name in (*names, *response.tell)}
    present = ((name, response.headers.get(key)) for key, name in spelled.items())
    return [(name, scrub(value)[:_MAX_HEADER_LENGTH]) for name, value in present if value]


def format_headers(headers: Iterable[tuple[str, str]]) -> list[str]:
    """Headers as text lines, one for each."""
    return [f"{name}: {visible(value)}" for name, value in headers]
