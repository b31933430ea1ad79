"""What an API answered: its status, its media type, and its body as data."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from .context import Kind, Response
from .jsontext import NotJson, parse

_TEXT = (
    "application/xml",
    "application/javascript",
    "application/ecmascript",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/graphql",
    "application/sql",
    "application/x-ndjson",
    "application/jsonl",
    "application/json-seq",
    "application/x-www-form-urlencoded",
)
_TEXT_SUFFIXES = ("+xml", "+yaml", "+json-seq")


@dataclass(frozen=True)
class Answer:
    """An HTTP answer as it was read."""

    status: int
    reason: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)
    misfits: tuple[str, ...] = ()


@dataclass(frozen=True)
class MediaType:
    """A Content-Type header in parts; `name` is empty where there is none that can be read."""

    name: str
    charset: str | None = None
    boundary: str | None = None

    @classmethod
    def read(cls, header: str | None) -> MediaType:
        """Read a header; what is not `type/subtype` counts as none."""
        name = (header or "").partition(";")[0].strip().lower()
        kind, slash, subtype = name.partition("/")
        if not (slash and kind and subtype) or not all(_token(char) for char in kind + subtype):
            return cls("")
        message = Message()
        message["Content-Type"] = " ".join((header or "").split())
        charset, boundary = message.get_param("charset"), message.get_param("boundary")
        return cls(
            name,
            charset.strip() if isinstance(charset, str) else None,
            boundary if isinstance(boundary, str) else None,
        )

    @property
    def is_json(self) -> bool:
        """JSON itself or a `+json` type."""
        return self.name in ("application/json", "text/json") or self.name.endswith("+json")

    @property
    def is_text(self) -> bool:
        """A type whose bytes are characters."""
        return (
            self.name.startswith("text/")
            or self.name in _TEXT
            or self.name.endswith(_TEXT_SUFFIXES)
        )


def _token(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char in "!#$&^_.+-*")


def is_success(status: int, expect: Sequence[str]) -> bool:
    """Whether a status is a success: 2xx always, 3xx where the document declares it."""
    return 200 <= status < 300 or (300 <= status < 400 and _declared(status, expect))


def _declared(status: int, expect: Sequence[str]) -> bool:
    return str(status) in expect or f"{status // 100}XX" in (item.upper() for item in expect)


def interpret(answer: Answer, expect: Sequence[str], accept: str) -> Response[Any]:
    """Turn an answer into data; what is not as declared becomes a misfit, never an error."""
    header = answer.headers.get("content-type")
    media = MediaType.read(header)
    wants_json = "json" in accept
    misfits = list(answer.misfits)
    if is_success(answer.status, expect) and not (
        _declared(answer.status, expect) or "default" in expect
    ):
        misfits.append(f"its status {answer.status} is not among the declared {', '.join(expect)}")
    kind: Kind
    kind, data, verbatim, notes = _body(answer.content, media, wants_json)
    if header and not media.name and answer.content:
        notes.insert(0, "its Content-Type cannot be read")
    return Response(
        data=data,
        status=answer.status,
        headers=answer.headers,
        content_type=header,
        content=answer.content,
        misfits=(*misfits, *notes),
        kind=kind,
        verbatim=verbatim,
    )


def _body(
    content: bytes, media: MediaType, wants_json: bool
) -> tuple[Kind, Any, str | None, list[str]]:
    if not content:
        return "empty", None, None, []
    if media.name.startswith("multipart/") and media.boundary:
        return "multipart", content, None, []
    if media.is_json:
        return _json(*decode(content, media.charset))
    sniffable = media.is_text or media.name in ("", "application/octet-stream")
    if sniffable and (wants_json or not media.name):
        found = _sniffed(content, media)
        if found is not None:
            return found
    if media.is_text:
        text, notes = decode(content, media.charset)
        if wants_json:
            notes.append(f"it is {media.name} where JSON was declared")
        return "text", text, None, notes
    if not media.name:
        try:
            return "text", content.decode("utf-8-sig"), None, ["it has no Content-Type"]
        except UnicodeDecodeError:
            return "binary", content, None, ["it has no Content-Type"]
    return "binary", content, None, _unless(not wants_json, f"it is {media.name}, not JSON")


def _unless(condition: bool, note: str) -> list[str]:
    return [] if condition else [note]


def _json(text: str, notes: list[str]) -> tuple[Kind, Any, str | None, list[str]]:
    try:
        parsed = parse(text)
    except NotJson as problem:
        return "text", text, None, [*notes, f"its body {problem}; it is passed on as text"]
    return "json", parsed.value, text if parsed.losses else None, [*notes, *parsed.losses]


def _sniffed(content: bytes, media: MediaType) -> tuple[Kind, Any, str | None, list[str]] | None:
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in b'{["tfn-0123456789':
        return None
    kind, data, verbatim, notes = _json(*decode(content, media.charset))
    if kind != "json":
        return None
    where = f"is {media.name}" if media.name else "is missing"
    return kind, data, verbatim, [f"its Content-Type {where} although it is JSON", *notes]


def decode(content: bytes, charset: str | None) -> tuple[str, list[str]]:
    """Decode text: its byte order mark, then its charset, then UTF-8, then ISO-8859-1.

    The last never fails and loses nothing, and comes with a misfit.
    """
    notes: list[str] = []
    named = _codec(charset) if charset else None
    if charset and named is None:
        notes.append("its charset is unknown")
    marked = json.detect_encoding(content) if content[:4].strip() else "utf-8"
    for codec in dict.fromkeys((_bom(content, marked), named, marked, "utf-8")):
        if codec is None:
            continue
        try:
            return content.decode(codec), notes
        except (UnicodeDecodeError, LookupError):
            continue
    notes.append("its bytes are not in the charset it names or UTF-8; they are read as ISO-8859-1")
    return content.decode("latin-1"), notes


def _bom(content: bytes, detected: str) -> str | None:
    if content.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return detected
    return None


def _codec(charset: str) -> str | None:
    """The codec of a charset, where it is one of text (Python also has `zip`, `rot13`, ...)."""
    try:
        found = codecs.lookup(charset)
    except (LookupError, ValueError):
        return None
    return found.name if getattr(found, "_is_text_encoding", False) else None
