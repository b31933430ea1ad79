"""Finds media types by file name, chooses one from a list, and encodes texts in a charset."""

from __future__ import annotations

from collections.abc import Iterable

from ...values.errors import ArgumentError
from ...values.media import codec, essence, fits, is_range, media_type_is_good

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


def by_name(filename: str | None) -> str | None:
    """The media type for a file name's extension, the same on every machine."""
    if not filename or "." not in filename:
        return None
    return _EXTENSIONS.get(filename.rpartition(".")[2].lower())


def extension(media_type: str) -> str:
    """The usual extension with its dot; empty if there is none."""
    kind = essence(media_type)
    return next((f".{ext}" for ext, name in _EXTENSIONS.items() if name == kind), "")


def choose(listed: str | None, offers: Iterable[str | None], default: str) -> str:
    """Choose a media type from a comma-separated list such as `image/png, image/jpeg`.

    The first offer that is in the list is chosen; if it has no parameters, it gets those from the
    list. If no offer is in the list, the list's first type that is not a wildcard is chosen.
    Without a list, it is the first offer. Types that cannot be written in a header are skipped. If
    nothing is left, the result is `default`.
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


def in_charset(argument: str, text: str, name: str | None) -> bytes:
    """The bytes of a text, in UTF-8 if no charset is named.

    Raises:
        ArgumentError: the charset lacks a character, or does not exist.
    """
    encoding = codec(name or "utf-8")
    if encoding is None:
        raise ArgumentError(argument, f"cannot be written in {name}, which is not a charset.")
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        raise ArgumentError(argument, f"holds characters that {name} does not have.") from None
