"""Media types: reading them, choosing one of a list, and knowing bytes by their first few."""

from __future__ import annotations

import codecs
import encodings
import re
from collections.abc import Iterable
from encodings import normalize_encoding
from functools import cache

from .headers import TOKEN

_PARAMETER = rf'\s*;\s*{TOKEN}=(?:{TOKEN}|"[^"\\\x00-\x1f\x7f]*")'
_MEDIA_TYPE = re.compile(rf"{TOKEN}/{TOKEN}(?:{_PARAMETER})*\s*")
_JSON = ("application/json", "text/json", "application/x-json")
_LINES = re.compile(
    r"(?:application|text)/(?:(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|stream\+json|json-seq)"
    r"|.*\+json-seq)",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"text/.*|application/(?:.*\+xml|xml|.*\+yaml|(?:x-)?yaml|graphql|(?:x-)?javascript|sql|toml"
    r"|csv|x-sh|x-pem-file|jwt|jose|sdp)",
    re.IGNORECASE,
)

_EXTENSIONS = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "bmp": "image/bmp",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "avif": "image/avif",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "gz": "application/gzip",
    "json": "application/json",
    "xml": "application/xml",
    "csv": "text/csv",
    "txt": "text/plain",
    "md": "text/markdown",
    "html": "text/html",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "flac": "audio/flac",
    "ogg": "audio/ogg",
    "mp4": "video/mp4",
    "webm": "video/webm",
}

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
    (0, b"\xff\xfb", "audio/mpeg"),
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
_LONGEST_CHARSET = 60
_NO_CHARSETS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
"""Codecs that Python counts among those of text and that are no charset; some take hours."""


def media_type_is_good(text: str) -> bool:
    """Whether the text is a media type that a header can carry (RFC 9110 8.3.1)."""
    return text.isascii() and _MEDIA_TYPE.fullmatch(text) is not None


def essence(media_type: str) -> str:
    """The type without its parameters, lower case."""
    return media_type.partition(";")[0].strip().lower()


def charset(media_type: str) -> str | None:
    """The charset that its parameters name, if any."""
    for parameter in media_type.split(";")[1:]:
        name, _, value = parameter.strip().partition("=")
        if name.lower() == "charset":
            return value.strip('"') or None
    return None


def codec(charset: str) -> str | None:
    """The codec of a charset, where it is one of text (Python also has `zip`, `rot13`, ...).

    Python keeps each name that it looked up for ever, so only those that it has are looked up.
    """
    name = normalize_encoding(charset[:_LONGEST_CHARSET]).lower()
    if not {name, name.replace(".", "_")} & _codecs():
        return None
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    is_charset = getattr(found, "_is_text_encoding", False) and found.name not in _NO_CHARSETS
    return found.name if is_charset else None


@cache
def _codecs() -> frozenset[str]:
    from encodings.aliases import aliases
    from pkgutil import iter_modules

    return frozenset({*aliases, *(module.name for module in iter_modules(encodings.__path__))})


def is_json(media_type: str) -> bool:
    """application/json and its old names, everything `+json`, also the wrong way round as in
    application/json+merge-patch, but no sequences of JSON values."""
    kind = essence(media_type)
    named = kind in _JSON or kind.endswith("+json") or kind.startswith("application/json+")
    return named and not is_json_lines(kind)


def is_json_lines(media_type: str) -> bool:
    """A sequence of JSON values, a line each."""
    return bool(_LINES.fullmatch(essence(media_type)))


def is_stream(media_type: str) -> bool:
    """A sequence of events or JSON values, each of use before the next one comes."""
    kind = essence(media_type)
    return is_events(kind) or kind.endswith("json-seq") or is_json_lines(kind)


def is_events(media_type: str) -> bool:
    """Server-sent events."""
    return essence(media_type) == "text/event-stream"


def is_text(media_type: str) -> bool:
    """Text that is sent as it is: text/*, XML, YAML and the like."""
    return bool(_TEXT.fullmatch(essence(media_type)))


def is_range(media_type: str) -> bool:
    """A wildcard such as `image/*`, or `*`."""
    return "*" in essence(media_type)


def fits(media_type: str, listed: str) -> bool:
    """Whether a media type is one that a list entry, perhaps a wildcard, names."""
    kind, wanted = essence(media_type), essence(listed)
    if wanted in ("*", "*/*") or kind == wanted:
        return True
    return wanted.endswith("/*") and kind.startswith(wanted[:-1])


def accepting(listed: str, declared: str = "") -> str:
    """An Accept header: the media types of a success, then further ones that the API declares.

    JSON is last where none is, as APIs tell errors in it: one that negotiates answers 406, or an
    error without its text, where errors are refused.
    """
    further = [f"{kind.strip()};q=0.5" for kind in declared.split(",") if kind and listed != "*/*"]
    listed = ", ".join(filter(None, (listed, *further)))
    kinds = listed.split(",")
    if not listed or any(is_json(kind) or fits("application/json", kind) for kind in kinds):
        return listed
    return f"{listed}, application/json;q=0.1"


def sniff(content: bytes) -> str | None:
    """The media type that the first bytes give away, if they do."""
    for offset, magic, media_type in _MAGIC:
        if content.startswith(magic, offset):
            return media_type
    return None


def by_name(filename: str | None) -> str | None:
    """The media type that a file name's extension stands for; the same on every machine."""
    if not filename or "." not in filename:
        return None
    return _EXTENSIONS.get(filename.rpartition(".")[2].lower())


def extension(media_type: str) -> str:
    """The usual extension with its dot, or nothing."""
    kind = essence(media_type)
    return next((f".{ext}" for ext, known in _EXTENSIONS.items() if known == kind), "")


def choose(listed: str | None, offers: Iterable[str | None], default: str) -> str:
    """Choose a media type from a comma-separated list such as `image/png, image/jpeg`.

    The first offer that the list names wins, with the list's parameters unless it has its own; then
    the list's first type that is no wildcard. Without a list the first offer wins; what no header
    can carry is passed over.
    """
    entries = [entry.strip() for entry in (listed or "").split(",")]
    entries = [entry for entry in entries if entry == "*" or media_type_is_good(entry)]
    good = [offer for offer in offers if offer and media_type_is_good(offer)]
    if not entries:
        return good[0] if good else default
    for offer in good:
        if any(fits(offer, entry) for entry in entries):
            same = (entry for entry in entries if essence(entry) == offer.lower())
            return offer + next(same, "")[len(offer) :]
    return next((entry for entry in entries if not is_range(entry)), default)
