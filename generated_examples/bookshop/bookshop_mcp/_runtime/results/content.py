"""Maps an answer to the result that the agent gets: content blocks and structured content."""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from ..backend import answer
from ..backend.response import Response
from ..values.display import visible
from ..values.errors import ToolError
from ..values.jsontext import MAX_DEPTH, dump, has_surrogates, is_deeper, scrub, scrub_value
from ..values.media import MediaType
from ..values.seams import READERS
from .blobs import Blob
from .limits import ResultLimit, all_of, exceeds, shorten_json, shorten_text
from .revisions import has_object

if TYPE_CHECKING:
    from ..schemas.validation import AnswerValidator

logger = logging.getLogger(__name__)

_validators: dict[int, tuple[Mapping[str, Any], AnswerValidator]] = {}
"""By the `id` of the output schema, which is held so that no other gets that `id`."""
_MAX_VALIDATORS = 2000
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
_MAX_ERROR_LENGTH = 10_000
"""Characters of what an agent is told of a failure."""
_LESS = "Ask for less, if the tool has arguments that limit, filter or page the answer"
_NO_FILTER = re.compile(
    r"(?:^|_)(?:cursor|after|before|page|offset|sort\w*|order\w*|direction|expand|include|accept"
    r"|content_type|pretty|format|lang\w*|locale)$",
    re.IGNORECASE,
)
"""Optional arguments that make no answer shorter."""
_MAX_FILTERS = 6


def error_result(message: str) -> Result:
    """The result of a failed call, whose text the agent reads."""
    text = visible(message)
    if len(text) > _MAX_ERROR_LENGTH:
        text = f"{text[:_MAX_ERROR_LENGTH]}… ({len(text) - _MAX_ERROR_LENGTH:,} more characters)"
    return {"resultType": "complete", "content": [_text(text)], "isError": True}


def filters_of(tool: Mapping[str, Any]) -> list[str]:
    """The arguments with which an agent can shorten the answer of a tool that reads."""
    schema = tool.get("inputSchema") or {}
    if not (tool.get("annotations") or {}).get("readOnlyHint"):
        return []
    required = schema.get("required", ())
    optional = (name for name in schema.get("properties", {}) if name not in required)
    return [name for name in optional if not _NO_FILTER.search(name)][:_MAX_FILTERS]


def to_result(response: Response[Any], tool: Mapping[str, Any], limit: ResultLimit) -> Result:
    """Turn an answer of the API into a tool's result, depending on `response.kind`.

    Whenever the tool advertises an `outputSchema` the result has structured content.

    Raises:
        ToolError: binary content over the limit.
    """
    return mapped(response, tool, limit).result()


def mapped(response: Response[Any], tool: Mapping[str, Any], limit: ResultLimit) -> Mapped:
    """The unfinished result of `to_result`; its `note` tells what was left out."""
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
    """A result while it is built."""

    tool: Mapping[str, Any]
    limit: ResultLimit
    misfits: list[str]
    blocks: list[Block] = field(default_factory=list)
    structured: Any = None
    note: str = ""
    """What was left out."""
    logged: dict[str, str] = field(default_factory=dict)
    """What the log says instead of a misfit that shows values of the answer."""
    remarks: list[str] = field(default_factory=list)
    """Why something is given in another form than usual."""
    _variable: str = ""
    """The variable to raise."""

    def json(self, value: Any, verbatim: str | None) -> None:
        """Add a JSON value and its text: `verbatim` is the API's own text, if that was kept."""
        if is_deeper(value, MAX_DEPTH):
            self.misfits.append(f"it is nested deeper than {MAX_DEPTH} levels")
            self.text(verbatim or dump(value))
            return
        most = self.limit.most_text
        text = verbatim if verbatim and self.limit.holds(verbatim, value) else dump(value)
        text = text if exceeds(text, most) else visible(text)
        if self.limit.holds(text, value):
            self._check(value)
        elif shortened := shorten_json(value, self.limit):
            value, self.note = shortened
            self._leave_out(text)
            text = visible(dump(value))
        else:
            self.text(text)
            return
        if has_surrogates(value):
            value = scrub_value(value)
            self.misfits.append(
                "it holds half of a surrogate pair, shown as U+FFFD in the structured content"
            )
        self.blocks.append(_text(text))
        self.structured = self._structure(value)

    def text(self, text: str) -> None:
        """Add a text to the result's content, shortened if it exceeds the limit."""
        text = self.shortened(text)
        self.blocks.append(_text(visible(text)))
        self.promise(text)

    def shortened(self, text: str) -> str:
        """The text, or its beginning if it exceeds the limit."""
        is_doubled = self._schema is not None
        if not self.limit.holds(visible(text), text if is_doubled else None):
            whole = text
            text, self.note = shorten_text(text, self.limit, is_doubled=is_doubled)
            self._leave_out(whole)
        return scrub(text)

    def _leave_out(self, whole: str) -> None:
        """Add the size of the complete text to the note, and remember which limit it exceeds."""
        self.note += all_of(whole)
        self._variable = self.limit.variable_for(whole)

    def empty(self, response: Response[Any]) -> None:
        """Add a note with the status and headers, for an answer without a body."""
        self.blocks.append(_text(answer.about_empty(response)))
        self.promise(None)

    def redirect(self, response: Response[Any]) -> None:
        """Add the target of a redirect that is not followed, and the text of its body."""
        self.empty(response)
        if response.kind in ("text", "json"):
            body = str(response.data)
            if response.kind == "json":
                body = answer.verbatim_of(response) or dump(response.data)
            shortened, _ = shorten_text(scrub(body), self.limit)
            self.blocks.append(_text(visible(shortened)))

    def binary(self, response: Response[Any]) -> None:
        """Add bytes as the kind of block that suits their media type."""
        media = MediaType.read(response.content_type).name or "application/octet-stream"
        blob = Blob.of(response.data, media)
        self.blocks.append(self.block(blob))
        self.promise({"mimeType": blob.media, "bytes": len(blob.content)})

    def link(self, block: Block, media: str, size: int) -> None:
        """Add a link in place of binary content."""
        self.blocks.append(block)
        self.promise({"mimeType": media, "bytes": size})

    def leads(self, response: Response[Any]) -> None:
        """Add the headers that tell what to request next: the next page (RFC 8288), a new resource.

        If the document declares several success statuses and the answer does not have the first of
        them, the text begins with the status.
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
        """Build the result.

        Deviations of the answer from the document are described in a separate text block, and
        logged.
        """
        notes = []
        if self.misfits:
            misfits = dict.fromkeys(self.misfits)
            notes.append(f"{_MISFIT}: {'; '.join(misfits)}.")
            logged = "; ".join(self.logged.get(each, each) for each in misfits)
            logger.warning("%s: %s: %s.", self.tool.get("name"), _MISFIT, logged)
        notes += [f"{remark}." for remark in dict.fromkeys(self.remarks)]
        if self.note:
            notes.append(f"{self.note.strip()} {self.way_to_less()}")
        problem = None if self.structured is None else self.problem_of(self.structured)
        if problem:
            notes.append(
                "Clients drop results that do not fit this tool's strict output schema, so this "
                f"one is marked as an error; the answer is complete. Problem: {problem}."
            )
        blocks = self.blocks + ([_text(visible(" ".join(notes)))] if notes else [])
        result: Result = {"resultType": "complete", "content": blocks}
        if self.structured is not None:
            result["structuredContent"] = self.structured
        if problem:
            result["isError"] = True
        return result

    def way_to_less(self) -> str:
        """The advice on how to get a smaller answer, or a larger limit."""
        names = ", ".join(filters_of(self.tool))
        less = f"Ask for less by {names}" if names else _LESS
        return f"{less}, or raise {self._variable or self.limit.variable}."

    @property
    def _schema(self) -> Mapping[str, Any] | None:
        return self.tool.get("outputSchema")

    @property
    def _own_schema(self) -> Mapping[str, Any] | None:
        """The document's own schema, if the advertised schema is a choice (`anyOf`) between it and
        any object; else None.
        """
        branches = (self._schema or {}).get("anyOf", [])
        return branches[0] if {"type": "object"} in branches else None

    def promise(self, value: Any) -> None:
        """Structure an answer that is not JSON, if the tool advertises an outputSchema."""
        if self._schema is not None:
            self.structured = self._structure(value)

    def _structure(self, value: Any) -> Any:
        """The value as structured content, which is an object unless the schema allows other
        values.
        """
        return value if isinstance(value, dict) or not has_object(self.tool) else {"result": value}

    def _check(self, value: Any) -> None:
        """Add to `misfits` if the value does not fit the document's own schema."""
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
        """The reason why clients would reject structured content by the advertised schema,
        or None.
        """
        schema = self._schema
        if schema is None or self._own_schema is not None:
            return None
        from ..schemas.validation import describe_misfits

        return describe_misfits(_validator(schema, schema).misfits(structured)) or None

    def block(self, blob: Blob, uri: str = "") -> Block:
        """The content block for a blob; remarks about the blob are added to those of this answer.

        `uri` is the URI of an embedded resource; without it, the URI is made from a hash of the
        bytes.

        Raises:
            ToolError: the bytes are over the limit.
        """
        self.misfits += [blob.misfit] if blob.misfit else []
        self.remarks += [blob.remark] if blob.remark else []
        if blob.text is not None:
            return _text(visible(self.shortened(blob.text)))
        if refusal := self.limit.refusal(blob):
            raise ToolError(refusal)
        data = b64encode(blob.content).decode("ascii")
        if blob.is_shown:
            return {"type": blob.media.partition("/")[0], "data": data, "mimeType": blob.media}
        uri = uri or f"resource://{self.tool.get('name')}/{sha256(blob.content).hexdigest()[:16]}"
        return {"type": "resource", "resource": {"uri": uri, "mimeType": blob.media, "blob": data}}


def _leads(name: str, value: str, status: int) -> bool:
    """Whether a header tells what to request next, and so is shown beside the content."""
    if name == "link":
        return any(_PAGE.search(relation[1]) for relation in _RELATIONS.finditer(value))
    if name == "retry-after":
        return status == HTTPStatus.ACCEPTED
    return name in _LEADING_HEADERS or _PAGING_HEADER.search(name) is not None


def _validator(schema: Mapping[str, Any], branch: Mapping[str, Any]) -> AnswerValidator:
    """The validator of a branch of an output schema, cached for later answers."""
    from ..schemas.validation import AnswerValidator

    entry = _validators.get(id(schema))
    if entry is None:
        if len(_validators) >= _MAX_VALIDATORS:
            _validators.pop(next(iter(_validators)), None)
        own = AnswerValidator({**branch, "$defs": schema.get("$defs", {})})
        entry = _validators[id(schema)] = (schema, own)
    return entry[1]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
