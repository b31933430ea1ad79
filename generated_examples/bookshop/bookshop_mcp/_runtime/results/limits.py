"""The limits of an answer: one for the text a model reads, one for the whole message."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..values.display import visible
from ..values.jsontext import dump
from ..values.settings import BYTES_PER_TOKEN, DECLARED
from .blobs import MOST_BASE64, Blob

if TYPE_CHECKING:
    from ..credentials.api import Api
    from ..values.settings import Settings

_SPARE_BYTES = 4_000
"""Bytes of a message that are kept free for what stands beside an answer, such as notes."""
_MAX_CUTS = 10
"""Arrays that are named as shortened."""
_MAX_ESCAPE_BYTES = 12
"""Bytes of a character as an escape: of one beyond U+FFFF."""


class ResultLimit(NamedTuple):
    """The limit for the bytes of an answer's message, and the variable that sets it."""

    size: int
    variable: str
    budget: int = sys.maxsize
    """Those of text that a model can read; binary content is not read."""
    budget_variable: str = ""
    is_summary: bool = False
    """Whether a line stands in place of the text of structured content."""

    @classmethod
    def of(cls, settings: Settings, api: Api, tool: Mapping[str, Any] | None = None) -> ResultLimit:
        """The limit of an API's answers; with a `tool`, also the limit of the text that a model
        reads.
        """
        prefix = api.env_prefix
        is_summary = settings.result_text == "summary"
        variable = f"{prefix}_MAX_RESULT_BYTES"
        whole = cls(settings.max_result_bytes, variable, is_summary=is_summary)
        if tool is None:
            return whole
        budget = (tool.get("_meta") or {}).get(DECLARED) or settings.result_tokens * BYTES_PER_TOKEN
        return whole._replace(budget=budget, budget_variable=f"{prefix}_RESULT_TOKENS")

    @property
    def room(self) -> int:
        """The number of bytes in the message that content may use."""
        return self.size - min(self.size // 8, _SPARE_BYTES)

    @property
    def most_text(self) -> int:
        """The maximum bytes of a text: the smaller of the model's limit and the message's limit."""
        return min(self.size, self.budget)

    @property
    def most_written(self) -> int:
        """The most bytes of a text that fits a message, even if escaping triples its length."""
        return min(self.most_text, self.room // 3)

    def variable_for(self, text: str) -> str:
        """The name of the variable to raise for a text that was too large."""
        return self.budget_variable if exceeds(text, self.budget) else self.variable

    def holds(self, text: str, structured: Any = None) -> bool:
        """Whether a text is short enough to read, and fits a message together with structured
        content.
        """
        return not exceeds(text, self.most_text) and self.excess(text, structured) <= 1

    def excess(self, text: str, structured: Any = None) -> float:
        """The size of a text and structured content, as a multiple of the room in a message."""
        if len(text) * (6 if text.isascii() else 2 * _MAX_ESCAPE_BYTES) <= self.room:
            return 0  # however it is escaped
        is_left_out = self.is_summary and structured is not None
        size = 0 if is_left_out else written(text)
        size += 0 if structured is None else written(structured)
        return size / max(self.room, 1)

    def refusal(self, blob: Blob) -> str | None:
        """The reason why bytes cannot be passed on; None if they can."""
        size = -(-len(blob.content) // 3) * 4
        is_picture = blob.is_shown and blob.media.startswith("image/")
        if size <= self.room and not (is_picture and size > MOST_BASE64):
            return None
        what = f"The answer is {len(blob.content):,} bytes of {blob.media}, {size:,} as base64"
        if size > self.room:
            why = f"more than the {self.room:,} that this server passes on"
            way = f"Ask for less, or raise {self.variable}."
        else:
            why = f"more than the {MOST_BASE64:,} that models accept for a picture"
            way = "Ask for a smaller one."
        link = "`result_links = true` in mcpgen.toml gives such an answer as a link."
        return f"{what}: {why}. Binary content is not cut. {way} {link}"


def written(value: Any) -> int:
    """The size of a value as compact JSON, in bytes; non-ASCII characters count as escaped."""
    return len(json.dumps(value, separators=(",", ":")))


def shorten_json(value: Any, limit: ResultLimit) -> tuple[Any, str] | None:
    """Keep the first items of every long array, so that the JSON fits the limit.

    All arrays keep the same number of items, the largest that fits. Returns the value and a text
    that describes what was left out; None if even empty arrays are too large. Call it only if the
    whole value is too large.
    """
    keep, too_many = -1, 0
    while _fits(_cut(value, too_many), limit):
        keep, too_many = too_many, 2 * too_many + 1
    while too_many - keep > 1:
        middle = (keep + too_many) // 2
        if _fits(_cut(value, middle), limit):
            keep = middle
        else:
            too_many = middle
    if keep < 0:
        return None
    cuts: list[str] = []
    value = _cut(value, keep, cuts)
    further = len(cuts) - _MAX_CUTS
    more = f", and {further} more arrays" if further > 0 else ""
    return value, f"Shown: {'; '.join(cuts[:_MAX_CUTS])}{more}"


def shorten_text(text: str, limit: ResultLimit, *, is_doubled: bool = False) -> tuple[str, str]:
    """The beginning of a text within the limit, and a note on how much was left out.

    `is_doubled`: the text is in the structured content too.
    """
    most = limit.most_text
    start = text[:most].encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
    while (excess := limit.excess(visible(start), start if is_doubled else None)) > 1:
        start = start[: int(len(start) / excess)]
    return start, f"The text is cut: {len(start):,} of {len(text):,} characters"


def all_of(text: str) -> str:
    """The end of a sentence about a shortened text: the number of tokens in the complete text."""
    return f" (all: about {len(text.encode('utf-8', 'replace')) // BYTES_PER_TOKEN:,} tokens)."


def exceeds(text: str, limit: int) -> bool:
    """Whether a text has more than `limit` bytes of UTF-8."""
    return len(text) > limit or len(text.encode("utf-8", "replace")) > limit


def _fits(value: Any, limit: ResultLimit) -> bool:
    text = dump(value)
    return len(text) <= limit.most_text and limit.holds(visible(text), value)


def _cut(value: Any, keep: int, cuts: list[str] | None = None, name: str = "") -> Any:
    """A copy with at most `keep` items of each array; `cuts` gets a text for each longer array."""
    if isinstance(value, dict):
        return {key: _cut(child, keep, cuts, key) for key, child in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if cuts is not None and len(value) > keep:
        cuts.append(f"{keep:,} of {len(value):,} items" + (f" of `{name}`" if name else ""))
    return [_cut(child, keep, cuts, name) for child in value[:keep]]
