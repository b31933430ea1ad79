"""An API's answer: its status, its media type, and its body as data."""

from __future__ import annotations

import codecs
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..values.jsontext import USUAL, Most, NotJson, parse
from ..values.media import MediaType, codec
from .headers import is_declared, may_be_empty, tells_by_status
from .response import Kind, Response

logger = logging.getLogger(__name__)

_NO_TEXT = "its bytes are no text; they are passed on as they are"
_NEVER_IN_TEXT = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
"""Control characters but blanks and ESC, with which terminals' colours begin."""
_ANY_BYTES = "application/octet-stream"
_PDF = b"%PDF-"
"""How a format begins that may have none of them and is no text."""
_XML_ENCODING = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)""")
_Data = tuple[Kind, Any, str | None, list[str]]
"""How a body is to be read, its value, its text where the value does not hold it all, misfits."""


@dataclass(frozen=True)
class Answer:
    """An HTTP answer after it was read."""

    status: int
    reason: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)
    misfits: tuple[str, ...] = ()
    after: str = ""
    """As `Outgoing.after`."""
    elsewhere: bool = False
    """It is that of another resource, to which a redirect (302, 303) led."""


def is_success(status: int, expect: Sequence[str]) -> bool:
    """Whether a status is a success: 2xx always, 3xx where the document declares it."""
    return 200 <= status < 300 or (300 <= status < 400 and is_declared(status, expect))


def interpret(
    answer: Answer,
    expect: Sequence[str],
    declared: str,
    tell: Sequence[str] = (),
    most: Most = USUAL,
) -> Response[Any]:
    """Turn an answer into data; a deviation from the document is a misfit, never an error.

    `expect` and `declared` are the statuses and media types that the document declares for success,
    `tell` the headers that the agent is told.
    """
    header = answer.headers.get("content-type")
    media = MediaType.read(header)
    misfits = list(answer.misfits)
    declared_too = is_declared(answer.status, expect) or "default" in expect
    if is_success(answer.status, expect) and not declared_too:
        misfits.append(f"its status {answer.status} is not among the declared {', '.join(expect)}")
    if answer.content and not media.name:
        misfits.append(f"its Content-Type {'cannot be read' if header else 'is missing'}")
    kind: Kind
    kind, data, verbatim, notes = _body(answer.content, media, declared, most)
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
        may_be_empty=may_be_empty(expect),
    )


def verbatim_of(response: Response[Any]) -> str | None:
    """The API's own text where it was kept, and no handler made other data of it."""
    text = response.verbatim
    return text if text and is_text_of(text, response) else None


def is_text_of(text: str, response: Response[Any]) -> bool:
    """Whether an answer's data is what a text says."""
    if response.kind != "json":
        return bool(text == response.data)
    try:
        return bool(parse(text).value == response.data)
    except NotJson:
        return False


def _body(content: bytes, media: MediaType, declared: str, most: Most) -> _Data:
    if not content:
        return "empty", None, None, []
    if media.name.startswith("multipart/") and media.boundary:
        return "multipart", content, None, _undeclared(media, declared)
    if media.is_json:
        kind, data, verbatim, notes = _json(*_json_text(content, media.charset), most)
        undeclared = [] if "json" in declared else _undeclared(media, declared)
        return kind, data, verbatim, [*undeclared, *notes]
    undeclared = _undeclared(media, declared)
    is_doubtful = not media.name or (bool(undeclared) and media.may_be_mistaken)
    if not media.name or (is_doubtful and "json" in declared):
        sniffed = _sniffed(content, media, most)
        if sniffed is not None:
            return sniffed
    if media.is_text:
        found = text_of(content, media)
        if found is None:
            return "binary", content, None, [*undeclared, _NO_TEXT]
        return "text", found[0], None, [*undeclared, *found[1]]
    promises_text = not media.name or "json" in declared or "text/" in declared
    if is_doubtful and promises_text and _may_be_text(content):
        try:
            return "text", content.decode("utf-8-sig"), None, undeclared
        except UnicodeDecodeError:
            pass
    return "binary", content, None, undeclared


def _may_be_text(content: bytes) -> bool:
    return not (content.startswith(_PDF) or _NEVER_IN_TEXT.search(content))


def _undeclared(media: MediaType, declared: str) -> list[str]:
    types = [item.partition(";")[0].strip().lower() for item in declared.split(",")]
    kind = media.name.partition("/")[0]
    if not media.name or any(item in ("*/*", f"{kind}/*", media.name) for item in types):
        return []
    said = f"it is {media.name} and not the declared {', '.join(types)}"
    known = [MediaType.read(item) for item in types]
    texts = any(each.is_text for each in known)
    of_bytes = media.name == _ANY_BYTES and not (texts or any(each.is_json for each in known))
    if _ANY_BYTES in types or of_bytes or (texts and media.is_text):  # of no use to an agent
        logger.warning("an answer is not as its document says: %s", said)
        return []
    return [said]


def _json(text: str, notes: list[str], most: Most) -> _Data:
    try:
        parsed = parse(text, most)
    except NotJson as problem:
        return "text", text, None, [*notes, f"its body {problem}; it is passed on as text"]
    return "json", parsed.value, text if parsed.losses else None, [*notes, *parsed.losses]


def _json_text(content: bytes, charset: str | None) -> tuple[str, list[str]]:
    """The text of a JSON body, ignoring its declared charset (RFC 8259 11), Latin-1 above all.

    Web servers declare Latin-1 for every answer, and no Latin-1 text is valid UTF-8 by chance. In
    UTF-16 and UTF-32, JSON begins with an ASCII character beside a zero byte.
    """
    named = (codec(charset) or "") if charset else ""
    is_wide = named.startswith(("utf-16", "utf-32"))
    is_doubtful = named == "iso8859-1" or (is_wide and b"\0" not in content[:2])
    return decode(content, charset, is_doubtful=is_doubtful)


def _sniffed(content: bytes, media: MediaType, most: Most) -> _Data | None:
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in b'{["tfn-0123456789':
        return None
    kind, data, verbatim, notes = _json(*_json_text(content, media.charset), most)
    if kind != "json":
        return (kind, data, verbatim, notes) if most.variable in notes[-1] else None
    if media.name:
        notes.insert(0, f"its Content-Type is {media.name} although it is JSON")
    return kind, data, verbatim, notes


def text_of(content: bytes, media: MediaType) -> tuple[str, list[str]] | None:
    """The text of bytes, and its misfits; None for bytes of a type that is not text."""
    if media.is_json:
        return _json_text(content, media.charset)
    text, notes = decode(content, media.charset or _xml_encoding(content, media))
    return None if notes and media.may_be_bytes else (text, notes)


def _xml_encoding(content: bytes, media: MediaType) -> str | None:
    """The encoding that an XML declaration names (RFC 7303 3.2), if the bytes can be in it."""
    found = _XML_ENCODING.match(content) if "xml" in media.name else None
    named = codec(found[1].decode("latin-1")) if found else None
    if found is None or named is None:
        return None
    is_in_it = found[0].decode(named, "replace") == found[0].decode("latin-1")
    return named if is_in_it else None


def decode(
    content: bytes, charset: str | None, *, is_doubtful: bool = False
) -> tuple[str, list[str]]:
    """Decode text by its byte order mark, else its charset, else as UTF-8, else as ISO-8859-1.

    The last never fails and loses nothing, but comes with a misfit. A charset that is doubtful
    comes after UTF-8.
    """
    notes: list[str] = []
    named = codec(charset) if charset else None
    if charset and named is None:
        notes.append("its charset is unknown")
    marked = json.detect_encoding(content) if content[:4].strip() else "utf-8"
    if named in ("utf-16", "utf-32") and marked.startswith(f"{named}-"):
        named = marked  # which says what comes first, where no mark does
    order = ("utf-8", named, marked) if is_doubtful else (named, marked, "utf-8")
    for each in dict.fromkeys((_bom(content, marked), *order)):
        if each is None:
            continue
        try:
            return content.decode(each), notes
        except (UnicodeError, LookupError):
            continue
    notes.append("its bytes are not in the charset it names or UTF-8; they are read as ISO-8859-1")
    return content.decode("latin-1"), notes


def _bom(content: bytes, detected: str) -> str | None:
    if content.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return detected
    return None
