"""Reads media types, guesses them from bytes, and checks header values."""

from __future__ import annotations

import codecs
import encodings
import re
from dataclasses import dataclass
from encodings import normalize_encoding
from functools import cache

TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
"""A method, a header's name, an authentication scheme (RFC 9110 5.6.2)."""
_TOKEN = re.compile(TOKEN)
_VALUE = re.compile(r"[ -~\t]*")
_PARAMETER = rf'\s*;\s*{TOKEN}=(?:{TOKEN}|"[^"\\\x00-\x1f\x7f]*")'
_MEDIA_TYPE = re.compile(rf"{TOKEN}/{TOKEN}(?:{_PARAMETER})*\s*")
_CHARACTERS = r"[0-9a-z!#$&^_.+*-]+"
_NAME = re.compile(f"{_CHARACTERS}/{_CHARACTERS}")
"""RFC 6838 4.2, and wildcards."""
_PART = re.compile(r';\s*(charset|boundary)\s*=\s*(?:"([^"]*)"|([^\s;"]+))', re.IGNORECASE)
_JSON = ("application/json", "text/json", "application/x-json")
_LINES = re.compile(
    r"(?:application|text)/(?:(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|stream\+json|json-seq)"
    r"|.*\+json-seq)",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"(?:text|message)/.*|application/(?:.*\+xml|xml|.*\+yaml|(?:x-)?yaml|graphql|(?:x-)?javascript|sql|toml"
    r"|csv|x-sh|x-pem-file|jwt|jose|sdp)",
    re.IGNORECASE,
)
_TEXT_OF_ANSWERS = ("application/ecmascript", "application/x-www-form-urlencoded")
"""Further types of text that answers may have; no request sends them as they are."""

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftypavif", "image/avif"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
    (8, b"WAVE", "audio/wav"),
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    *((0, bytes((0xFF, second)), "audio/mpeg") for second in (0xFB, 0xFA, 0xF3, 0xF2)),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
)
SNIFFED = frozenset(media_type for _, _, media_type in _MAGIC)
"""The media types that bytes give away."""
USUAL_NAMES = {
    **dict.fromkeys(("image/jpg", "image/pjpeg"), "image/jpeg"),
    "image/x-png": "image/png",
    **dict.fromkeys(("audio/mp3", "audio/x-mp3", "audio/x-mpeg"), "audio/mpeg"),
    **dict.fromkeys(("audio/vnd.wave", "audio/wave", "audio/x-wav"), "audio/wav"),
}
"""The usual name of each media type that has several."""
_MAX_CHARSET_LENGTH = 60
_NO_CHARSETS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
"""Codecs that Python counts among those of text and that are no charset; some take hours."""


def is_token(text: str) -> bool:
    """Whether a text is a token, as the name of a header must be."""
    return _TOKEN.fullmatch(text) is not None


def is_value(text: str) -> bool:
    """Whether a header can carry this text: ASCII without control characters."""
    return _VALUE.fullmatch(text) is not None


def media_type_is_good(text: str) -> bool:
    """Whether the text is a media type that a header can carry (RFC 9110 8.3.1)."""
    return text.isascii() and _MEDIA_TYPE.fullmatch(text) is not None


def essence(media_type: str) -> str:
    """The media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


@dataclass(frozen=True)
class MediaType:
    """The parts of a Content-Type header; `name` is empty if the header is missing or invalid."""

    name: str
    charset: str | None = None
    boundary: str | None = None

    @classmethod
    def read(cls, header: str | None) -> MediaType:
        """Parse the header; a value that is not `type/subtype` counts as missing."""
        name = essence(header or "")
        if not _NAME.fullmatch(name):
            return cls("")
        matches = _PART.finditer(header or "")
        parts = {match[1].lower(): match[2] or match[3] for match in matches}
        return cls(name, parts.get("charset"), parts.get("boundary"))

    @property
    def is_json(self) -> bool:
        """Whether this is JSON or a `+json` type, except sequences of JSON values."""
        return is_json(self.name)

    @property
    def is_text(self) -> bool:
        """Whether content of this type is text; true for SVG, which models read as text."""
        if self.name.startswith(("image/", "audio/", "video/")):
            return self.name.endswith("+xml")
        return is_json_lines(self.name) or is_text(self.name) or self.name in _TEXT_OF_ANSWERS

    @property
    def may_be_bytes(self) -> bool:
        """Whether content counted as text may be binary: no type name or charset says it is
        text.
        """
        is_promised = self.charset or self.name.startswith("text/") or "xml" in self.name
        return is_text(self.name) and not is_promised

    @property
    def may_be_mistaken(self) -> bool:
        """Whether servers use this type as a default when they do not know the real one."""
        return self.is_text or self.name.startswith(("application/", "binary/"))


def charset(media_type: str) -> str | None:
    """The charset parameter of a media type, if it has one."""
    return MediaType.read(media_type).charset or None


def codec(charset: str) -> str | None:
    """Python's codec for a charset of text (Python also has `zip`, `rot13`, ...), or None.

    Python caches each looked-up name for ever, so only known names are looked up.
    """
    name = normalize_encoding(charset[:_MAX_CHARSET_LENGTH]).lower()
    if not {name, name.replace(".", "_")} & _codecs():
        return None
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    is_charset = getattr(info, "_is_text_encoding", False) and info.name not in _NO_CHARSETS
    return info.name if is_charset else None


@cache
def _codecs() -> frozenset[str]:
    from encodings.aliases import aliases
    from pkgutil import iter_modules

    return frozenset({*aliases, *(module.name for module in iter_modules(encodings.__path__))})


def is_json(media_type: str) -> bool:
    """Whether the type is application/json or an old name for it, or a `+json` type, also reversed
    as in application/json+merge-patch; false for sequences of JSON values.
    """
    kind = essence(media_type)
    is_named = kind in _JSON or kind.endswith("+json") or kind.startswith("application/json+")
    return is_named and not is_json_lines(kind)


def is_json_lines(media_type: str) -> bool:
    """Whether the type is a sequence of JSON values, one on each line."""
    return bool(_LINES.fullmatch(essence(media_type)))


def is_stream(media_type: str) -> bool:
    """Whether the type is a sequence of events or JSON values, each useful on its own."""
    kind = essence(media_type)
    return kind == "text/event-stream" or is_json_lines(kind)


def is_text(media_type: str) -> bool:
    """Whether the type is text that is sent unchanged: text/*, XML, YAML and the like."""
    return bool(_TEXT.fullmatch(essence(media_type)))


def is_range(media_type: str) -> bool:
    """Whether the type is a wildcard such as `image/*`, or `*`."""
    return "*" in essence(media_type)


def fits(media_type: str, listed: str) -> bool:
    """Whether a media type matches an entry of a list, such as `image/png` or `image/*`."""
    kind, entry = essence(media_type), essence(listed)
    if entry in ("*", "*/*") or kind == entry:
        return True
    return entry.endswith("/*") and kind.startswith(entry[:-1])


def accepting(listed: str, declared: str = "") -> str:
    """An Accept header: the media types of a success, then the API's other types.

    If JSON is not among them, it is added at the end, since APIs report errors in JSON: otherwise
    an API that negotiates would answer 406, or send an error without its text.
    """
    further = [f"{kind.strip()};q=0.5" for kind in declared.split(",") if kind and listed != "*/*"]
    listed = ", ".join(filter(None, (listed, *further)))
    kinds = listed.split(",")
    if not listed or any(is_json(kind) or fits("application/json", kind) for kind in kinds):
        return listed
    return f"{listed}, application/json;q=0.1"


def sniff(content: bytes) -> str | None:
    """The media type that the first bytes identify, such as `image/png`; None if they identify
    none.
    """
    for offset, magic, media_type in _MAGIC:
        if content.startswith(magic, offset):
            return media_type
    return None
