"""Maps an answer to what the agent sees: content blocks and structured content."""

from __future__ import annotations

import logging
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from ..backend import answer
from ..backend.response import Response
from ..values.display import visible
from ..values.errors import ToolError
from ..values.jsontext import MAX_DEPTH, dump, has_surrogates, is_deeper, scrub, scrub_value
from ..values.media import SNIFFED, USUAL_NAMES, MediaType, fits, sniff
from ..values.seams import READERS
from ..values.settings import BYTES_PER_TOKEN, DECLARED
from .revisions import has_object

if TYPE_CHECKING:
    from ..credentials.api import Api
    from ..schemas.validation import AnswerValidator
    from ..values.settings import Settings

logger = logging.getLogger(__name__)

_validators: dict[int, tuple[Mapping[str, Any], AnswerValidator]] = {}
"""By the `id` of the output schema, which is held so that no other gets that `id`."""
_MOST_VALIDATORS = 2000
"""The oldest goes first, for tools may be replaced as long as the server runs."""

Block = dict[str, Any]
Result = dict[str, Any]

_LEADING_HEADERS = ("location", "operation-location", "content-range")
_PAGING_HEADER = re.compile(
    "(?:^|-)(?:next(?:-?(?:page|cursor|token|link|offset|marker|url))?|cursor"
    "|continuation(?:-?token)?|pagination(?:-[a-z]+)?|results?-count"
    "|total(?:-?(?:count|pages|results?|items|records))?)$"
)
"""Headers of no standard that lead on: the token of the next page, and how much there is."""
HEADERS = "_headers"
_RELATIONS = re.compile(r'rel\s*=\s*"?([^",;]*)', re.IGNORECASE)
_PAGE = re.compile(r"\b(?:next|prev|previous)\b", re.IGNORECASE)
_MISFIT = "The call succeeded, but the API's answer is not as its document says"
_MOST_CUTS = 10
"""Arrays that are named as shortened."""
_LONGEST_ERROR = 10_000
"""Characters of what an agent is told of a failure."""
_LESS = "Ask for less, if the tool has arguments that limit, filter or page the answer"
_NO_FILTER = re.compile(
    r"(?:^|_)(?:cursor|after|before|page|offset|sort\w*|order\w*|direction|expand|include|accept"
    r"|content_type|pretty|format|lang\w*|locale)$",
    re.IGNORECASE,
)
"""Optional arguments that make no answer shorter."""
_FILTERS = 6


class ResultLimit(NamedTuple):
    """The bytes of an answer that reach the agent, and the variable that sets how many."""

    size: int
    variable: str
    budget: int = sys.maxsize
    """Those that a model can read; binary content is not read."""
    budget_variable: str = ""

    @classmethod
    def of(cls, settings: Settings, api: Api, tool: Mapping[str, Any] | None = None) -> ResultLimit:
        """That of an API; of a tool, whose answers a model reads."""
        prefix = api.env_prefix
        whole = cls(settings.max_result_bytes, f"{prefix}_MAX_RESULT_BYTES")
        if tool is None:
            return whole
        budget = (tool.get("_meta") or {}).get(DECLARED) or settings.result_tokens * BYTES_PER_TOKEN
        return whole._replace(budget=budget, budget_variable=f"{prefix}_RESULT_TOKENS")

    def of_text(self) -> ResultLimit:
        """That of what a model reads: the smaller of both."""
        if self.size <= self.budget:
            return self
        return ResultLimit(self.budget, self.budget_variable)


def error_result(message: str) -> Result:
    """The result of a failed call: the agent reads the text."""
    text = visible(message)
    if len(text) > _LONGEST_ERROR:
        text = f"{text[:_LONGEST_ERROR]}… ({len(text) - _LONGEST_ERROR:,} more characters)"
    return {"resultType": "complete", "content": [_text(text)], "isError": True}


def filters_of(tool: Mapping[str, Any]) -> list[str]:
    """The arguments by which a tool that reads may answer less."""
    schema = tool.get("inputSchema") or {}
    if not (tool.get("annotations") or {}).get("readOnlyHint"):
        return []
    required = schema.get("required", ())
    optional = (name for name in schema.get("properties", {}) if name not in required)
    return [name for name in optional if not _NO_FILTER.search(name)][:_FILTERS]


def to_result(response: Response[Any], tool: Mapping[str, Any], limit: ResultLimit) -> Result:
    """Map an answer of the API by its kind.

    Whenever the tool advertises an `outputSchema` the result has structured content.

    Raises:
        ToolError: binary content over the limit.
    """
    return mapped(response, tool, limit).result()


def mapped(response: Response[Any], tool: Mapping[str, Any], limit: ResultLimit) -> Mapped:
    """As `to_result`, for who wants to know whether something was left out."""
    response = answer.in_small_letters(response)
    mapping = Mapped(tool, limit, list(response.misfits))
    if 300 <= response.status < 400:
        mapping.redirect(response)
        return mapping
    match response.kind:
        case "json":
            mapping.json(response.data, answer.verbatim_of(response))
        case "text":
            mapping.text(str(response.data))
        case "empty":
            mapping.empty(response)
        case kind if READERS.has(kind):
            READERS[kind](mapping, response)
        case _:
            mapping.binary(response)
    if 200 <= response.status < 300:
        mapping.leads(response)
    return mapping


@dataclass
class Mapped:
    """A result that is being built."""

    tool: Mapping[str, Any]
    limit: ResultLimit
    misfits: list[str]
    blocks: list[Block] = field(default_factory=list)
    structured: Any = None
    note: str = ""
    """What was left out."""
    logged: dict[str, str] = field(default_factory=dict)
    """What the log says instead of a misfit that shows values of the answer."""

    def json(self, value: Any, verbatim: str | None) -> None:
        """Add a JSON value and its text: `verbatim`, the API's own, if it was kept and is small."""
        if is_deeper(value, MAX_DEPTH):
            self.misfits.append(f"it is nested deeper than {MAX_DEPTH} levels")
            self.text(verbatim or dump(value))
            return
        size = self.limit.of_text().size
        text = verbatim if verbatim and not exceeds(verbatim, size) else dump(value)
        text = text if exceeds(text, size) else visible(text)
        if not exceeds(text, size):
            self._check(value)
        elif shortened := shorten_json(value, size):
            value, self.note = shortened
            self.note += all_of(text)
            text = visible(dump(value))
        else:
            self.text(text)
            return
        if has_surrogates(value):
            value = scrub_value(value)
            self.misfits.append(
                "it holds half of a surrogate pair, which is U+FFFD in the structured content"
            )
        self.blocks.append(_text(text))
        self.structured = self._structure(value)

    def text(self, text: str) -> None:
        """Add a text, shortened if it exceeds the limit."""
        text = self.shortened(text)
        self.blocks.append(_text(visible(text)))
        self.promise(text)

    def shortened(self, text: str) -> str:
        """The text, or its beginning if it exceeds the limit."""
        size = self.limit.of_text().size
        if exceeds(text, size):
            whole = text
            text, self.note = shorten_text(text, size)
            self.note += all_of(whole)
        return scrub(text)

    def empty(self, response: Response[Any]) -> None:
        """Add a few words in place of an answer without a body."""
        self.blocks.append(_text(answer.about_empty(response)))
        self.promise(None)

    def redirect(self, response: Response[Any]) -> None:
        """Add where a redirect leads that is not followed, and the text it came with."""
        self.empty(response)
        if response.kind in ("text", "json"):
            body = str(response.data)
            if response.kind == "json":
                body = answer.verbatim_of(response) or dump(response.data)
            shortened, _ = shorten_text(scrub(body), self.limit.of_text().size)
            self.blocks.append(_text(visible(shortened)))

    def binary(self, response: Response[Any]) -> None:
        """Add bytes as the block that suits their media type."""
        media = MediaType.read(response.content_type).name or "application/octet-stream"
        content, media = self.as_it_is(response.data, media)
        self.blocks.append(self.blob(content, media))
        self.promise({"mimeType": media, "bytes": len(content)})

    def link(self, block: Block, media: str, size: int) -> None:
        """Add a link in place of binary content."""
        self.blocks.append(block)
        self.promise({"mimeType": media, "bytes": size})

    def leads(self, response: Response[Any]) -> None:
        """Add where the answer leads: to the next page (RFC 8288), or to what was created.

        If the document declares several successes, and this is not the first, that is told before.
        """
        pairs = response.headers.items()
        names = [name for name, value in pairs if value and _leads(name, value, response.status)]
        headers = answer.headers_to_tell(response, *names)
        self._add_headers(dict(headers))
        if response.kind == "empty":  # whose text has them all
            return
        about = f"The API answered {answer.with_phrase(response.status)}."
        lines = [*([about] if response.tells_by_status else []), *answer.format_headers(headers)]
        if lines:
            self.blocks.append(_text("\n".join(lines)))

    def _add_headers(self, headers: Mapping[str, str]) -> None:
        """Add headers to the structured content, which is all that some hosts show a model."""
        own = self.structured
        if headers and isinstance(own, dict) and HEADERS not in own:
            whole = {**own, HEADERS: headers}
            self.structured = own if self.problem_of(whole) else whole

    def result(self) -> Result:
        """Build the result; misfits go into a block of their own and into the log."""
        notes = []
        if self.misfits:
            misfits = dict.fromkeys(self.misfits)
            notes.append(f"{_MISFIT}: {'; '.join(misfits)}.")
            logged = "; ".join(self.logged.get(each, each) for each in misfits)
            logger.warning("%s: %s: %s.", self.tool.get("name"), _MISFIT, logged)
        if self.note:
            notes.append(f"{self.note.strip()} {self.way_to_less()}")
        problem = None if self.structured is None else self.problem_of(self.structured)
        if problem:
            notes.append(
                "It is marked as an error only because it does not fit this tool's strict output "
                f"schema, and clients drop such results; the answer is whole. Misfit: {problem}."
            )
        blocks = self.blocks + ([_text(visible(" ".join(notes)))] if notes else [])
        result: Result = {"resultType": "complete", "content": blocks}
        if self.structured is not None:
            result["structuredContent"] = self.structured
        if problem:
            result["isError"] = True
        return result

    def way_to_less(self) -> str:
        """What helps where something was left out."""
        names = ", ".join(filters_of(self.tool))
        less = f"Ask for less by {names}" if names else _LESS
        return f"{less}, or raise {self.limit.of_text().variable}."

    @property
    def _schema(self) -> Mapping[str, Any] | None:
        return self.tool.get("outputSchema")

    @property
    def _own_schema(self) -> Mapping[str, Any] | None:
        """The document's, where the advertised one takes any other object too."""
        branches = (self._schema or {}).get("anyOf", [])
        return branches[0] if {"type": "object"} in branches else None

    def promise(self, value: Any) -> None:
        """Structured content in place of JSON, where the tool promises some."""
        if self._schema is not None:
            self.structured = self._structure(value)

    def _structure(self, value: Any) -> Any:
        """Structured content: any value if the schema allows it, else always an object."""
        return value if isinstance(value, dict) or not has_object(self.tool) else {"result": value}

    def _check(self, value: Any) -> None:
        """Note a misfit if the value does not fit the document's own schema."""
        schema, own = self._schema, self._own_schema
        if schema is None or own is None:
            return
        validator = _validator(schema, own)
        problems = validator.misfits(self._structure(value) if validator.wraps else value)
        if problems:
            from ..schemas.validation import describe_misfits

            misfit = describe_misfits(problems)
            self.misfits.append(misfit)
            self.logged[misfit] = describe_misfits(problems, values=False)

    def problem_of(self, structured: Any) -> str | None:
        """Why clients would reject a result that must fit the advertised schema; else None."""
        schema = self._schema
        if schema is None or self._own_schema is not None:
            return None
        from ..schemas.validation import describe_misfits

        return describe_misfits(_validator(schema, schema).misfits(structured)) or None

    def as_it_is(self, content: bytes, media: str) -> tuple[bytes, str]:
        """An image or audio, decoded if it arrived as base64.

        Its media type follows its bytes if they contradict the header: models' APIs refuse the
        whole conversation otherwise.
        """
        kind, name = media.partition("/")[0], USUAL_NAMES.get(media, media)
        if kind not in ("image", "audio") or name not in SNIFFED:
            return content, media
        for read in (bytes, _unpacked):
            each = read(content)
            media_type = sniff(each)
            if media_type is not None and fits(media_type, f"{kind}/*"):
                if media_type != name:
                    text = f"its Content-Type is {media} although its bytes are {media_type}"
                    self.misfits.append(text)
                return each, media_type
        return content, media

    def blob(self, content: bytes, media: str, uri: str = "") -> Block:
        """Bytes as the block that suits their media type; a resource has its own URI, if no other.

        Raises:
            ToolError: they are over the limit.
        """
        if len(content) > self.limit.size:
            raise ToolError(
                f"The answer is {len(content):,} bytes of {media}, more than the "
                f"{self.limit.size:,} that this server passes on. Binary content is not cut. "
                f"{_LESS}, or raise {self.limit.variable}."
            )
        data = b64encode(content).decode("ascii")
        kind = media.partition("/")[0]
        if kind in ("image", "audio"):
            return {"type": kind, "data": data, "mimeType": media}
        uri = uri or f"resource://{self.tool.get('name')}/{sha256(content).hexdigest()[:16]}"
        return {"type": "resource", "resource": {"uri": uri, "mimeType": media, "blob": data}}


def _leads(name: str, value: str, status: int) -> bool:
    """Whether a header leads on from an answer that has content of its own."""
    if name == "link":
        return any(_PAGE.search(relation[1]) for relation in _RELATIONS.finditer(value))
    if name == "retry-after":
        return status == HTTPStatus.ACCEPTED
    return name in _LEADING_HEADERS or _PAGING_HEADER.search(name) is not None


def _validator(schema: Mapping[str, Any], branch: Mapping[str, Any]) -> AnswerValidator:
    """The validator of a branch of an output schema, kept for later answers."""
    from ..schemas.validation import AnswerValidator

    entry = _validators.get(id(schema))
    if entry is None:
        if len(_validators) >= _MOST_VALIDATORS:
            _validators.pop(next(iter(_validators)), None)
        own = AnswerValidator({**branch, "$defs": schema.get("$defs", {})})
        entry = _validators[id(schema)] = (schema, own)
    return entry[1]


def _unpacked(content: bytes) -> bytes:
    """The bytes of a base64 text (OpenAPI 3.1, "Considerations for File Uploads")."""
    try:
        return b64decode(b"".join(content.split()), validate=True)
    except ValueError:
        return b""


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def shorten_json(value: Any, limit: int) -> tuple[Any, str] | None:
    """Keep the first items of every long array so that the JSON text has at most `limit` bytes.

    One number of items holds for all arrays, the largest that fits. None where even empty arrays
    are too large. The text of the whole value must be larger than `limit`. Also says what was
    left out.
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
    further = len(cuts) - _MOST_CUTS
    more = f", and {further} more arrays" if further > 0 else ""
    return value, f"Shown: {'; '.join(cuts[:_MOST_CUTS])}{more}"


def shorten_text(text: str, limit: int) -> tuple[str, str]:
    """The beginning of a text, `limit` bytes of UTF-8 at most, and how much that is."""
    start = text[:limit].encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    return start, f"The text is cut: {len(start):,} of {len(text):,} characters"


def all_of(text: str) -> str:
    """The end of a sentence about what is shown of a text: what all of it would cost."""
    return f" (all: about {len(text.encode('utf-8', 'replace')) // BYTES_PER_TOKEN:,} tokens)."


def exceeds(text: str, limit: int) -> bool:
    """Whether a text has more than `limit` bytes of UTF-8."""
    return len(text) > limit or len(text.encode("utf-8", "replace")) > limit


def _fits(value: Any, limit: int) -> bool:
    text = dump(value)
    return len(text) <= limit and not exceeds(visible(text), limit)


def _cut(value: Any, keep: int, cuts: list[str] | None = None, name: str = "") -> Any:
    """The value with so many items of each array; `cuts` tells of each that was longer."""
    if isinstance(value, dict):
        return {key: _cut(child, keep, cuts, key) for key, child in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if cuts is not None and len(value) > keep:
        cuts.append(f"{keep:,} of {len(value):,} items" + (f" of `{name}`" if name else ""))
    return [_cut(child, keep, cuts, name) for child in value[:keep]]
