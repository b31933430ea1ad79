"""What a Content-Type header says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .media import is_json, is_json_lines, is_text

_CHARACTERS = r"[0-9a-z!#$&^_.+*-]+"
_NAME = re.compile(f"{_CHARACTERS}/{_CHARACTERS}")
"""RFC 6838 4.2, and wildcards."""
_LONGEST = 2000
_TEXT = ("application/ecmascript", "application/x-www-form-urlencoded")
"""Further types of text that answers may have; no request sends them as they are."""


@dataclass(frozen=True)
class MediaType:
    """A Content-Type header in parts; `name` is empty if the header is missing or invalid."""

    name: str
    charset: str | None = None
    boundary: str | None = None

    @classmethod
    def read(cls, header: str | None) -> MediaType:
        """Parse the header; a value that is not `type/subtype` counts as none.

        One that is longer than any real one loses its parameters, whose parsing takes a time that
        grows with the square of their length.
        """
        text = header or ""
        return cls._of(text if len(text) <= _LONGEST else text[:_LONGEST].partition(";")[0])

    @classmethod
    @lru_cache(maxsize=256)
    def _of(cls, header: str) -> MediaType:
        name = header.partition(";")[0].strip().lower()
        if not _NAME.fullmatch(name):
            return cls("")
        if ";" not in header:
            return cls(name)
        from email.message import Message  # takes a while to load

        message = Message()
        message["Content-Type"] = " ".join(header.split())
        try:
            charset, boundary = message.get_param("charset"), message.get_param("boundary")
        except (ValueError, TypeError):  # numbered pieces of a parameter that make no sense
            return cls(name)
        return cls(
            name,
            charset.strip() if isinstance(charset, str) else None,
            boundary if isinstance(boundary, str) else None,
        )

    @property
    def is_json(self) -> bool:
        """Whether this is JSON or a `+json` type, except sequences of JSON values."""
        return is_json(self.name)

    @property
    def is_text(self) -> bool:
        """Whether the type's bytes are characters; true for SVG, which models read as text."""
        if self.name.startswith(("image/", "audio/", "video/")):
            return self.name.endswith("+xml")
        sequence = is_json_lines(self.name) or self.name.endswith("+json-seq")
        return sequence or is_text(self.name) or self.name in _TEXT

    @property
    def may_be_bytes(self) -> bool:
        """Whether content of a text type may be binary: neither name nor charset promise text."""
        is_promised = self.charset or self.name.startswith("text/") or "xml" in self.name
        return is_text(self.name) and not is_promised

    @property
    def may_be_mistaken(self) -> bool:
        """Whether servers use this type where they know no better."""
        return self.is_text or self.name.startswith(("application/", "binary/"))
