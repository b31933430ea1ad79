"""Turns bytes into text and text into a JSON value, with clear messages for invalid input."""

from __future__ import annotations

import codecs
import re
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ..merge import conflict_marks
from .limits import Limits, ParseProblem, Repeated
from .numerals import NotFinite
from .parse_json import parse_json

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SNIFF_BYTES = 1024
_MAGIC = (
    (b"\x1f\x8b", "a gzip archive", "Decompress it first."),
    (b"PK\x03\x04", "a zip archive", "Unpack it first."),
    (b"%PDF-", "a PDF file", "Look for the API's OpenAPI document in YAML or JSON."),
    (b"\x89PNG", "an image", "Look for the API's OpenAPI document in YAML or JSON."),
)
_LEADING_COMMENTS = re.compile(r"(?:\s++|#[^\n]*+)*+")
_MARKUP = re.compile(r"<(?:!doctype|html|head|body|\?xml|!--|[a-z])", re.IGNORECASE)


class Parsed(NamedTuple):
    """A parsed text: its value, and how it was written."""

    value: Any
    is_json: bool
    """Whether the text is JSON; otherwise it is YAML."""
    repeated: tuple[Repeated, ...] = ()
    """The keys that are in one object twice."""
    odd: tuple[NotFinite, ...] = ()
    """The numbers that JSON does not have."""


def decode(data: bytes) -> str:
    """Decode UTF-8 with or without a byte order mark, or UTF-16 and UTF-32 with one."""
    for magic, what, hint in _MAGIC:
        if data.startswith(magic):
            raise ParseProblem("not-text", f"this is {what}, not text", None, hint)
    encoding = _encoding(data)
    if encoding == "utf-8" and b"\0" in data[:_SNIFF_BYTES]:
        raise ParseProblem(
            "not-text",
            "this is binary, or UTF-16 without a byte order mark",
            None,
            "Save the document as UTF-8.",
        )
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = len(data[: error.start].decode(encoding, "replace"))
        raise ParseProblem(
            "encoding",
            f"this is not valid {encoding.upper()}: byte {error.start} is"
            f" 0x{data[error.start]:02x}, {error.reason}",
            before,
            "Save the document as UTF-8.",
        ) from None
    return text.removeprefix("\ufeff")


def readable(data: bytes) -> str:
    """The text of bytes with an invalid encoding, for showing the place of the error."""
    return data.decode(_encoding(data), "replace")


def _encoding(data: bytes) -> str:
    return next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")


def parse(text: str, name: str, limits: Limits) -> Parsed:
    """Parse YAML or JSON; `name` is a file or a path. Raises ParseProblem."""
    try:
        return _parse(text, name, limits)
    except ParseProblem:
        marks = conflict_marks.place(text)
        if marks is None:
            raise
        message = "this has conflict marks of an unfinished merge"
        raise ParseProblem("conflict-marks", message, marks, conflict_marks.HINT) from None


def _parse(text: str, name: str, limits: Limits) -> Parsed:
    start = _LEADING_COMMENTS.match(text)
    offset = start.end() if start is not None else 0
    if _MARKUP.match(text, offset):
        raise ParseProblem(
            "not-a-document",
            "this is HTML or XML, not YAML or JSON",
            offset,
            "Perhaps it is a page about the API: apps often have the document at /openapi.json. "
            "Or a login or an error page was saved.",
        )
    if text[offset : offset + 1] in ("{", "["):
        return _braced(text, name, limits)
    return _yaml(text, limits)


def _braced(text: str, name: str, limits: Limits) -> Parsed:
    """Parse JSON, or YAML in flow style unless the name ends in `.json`."""
    try:
        repeated: list[Repeated] = []
        odd: list[NotFinite] = []
        value = parse_json(text, limits, repeated, odd)
        return Parsed(value, is_json=True, repeated=tuple(repeated), odd=tuple(odd))
    except ParseProblem as problem:
        if problem.code != "json-syntax" or PurePosixPath(name).suffix.lower() == ".json":
            raise
        try:
            return _yaml(text, limits)
        except ParseProblem as other:
            raise (problem if other.code == "yaml-syntax" else other) from None


def _yaml(text: str, limits: Limits) -> Parsed:
    from .parse_yaml import parse_yaml  # with a parser that JSON does not need

    value, repeated, odd = parse_yaml(text, limits)
    return Parsed(value, is_json=False, repeated=repeated, odd=odd)
