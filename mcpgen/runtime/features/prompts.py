"""Prompts: `prompts.json`, and the functions that make their messages."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    PaginatedRequestParams,
    PromptMessage,
)

from ..backend.answer import decode
from ..backend.response import Response
from ..calls.calls import context_of
from ..calls.catalogue import read_json
from ..results.content import Result, ResultLimit, to_result
from ..results.pages import page
from ..results.returned import from_handler
from ..results.revisions import askable, result_for, wire
from ..values.display import visible
from .blocks import problem_of
from .functions import Functions, guarded, marked
from .static_content import FOLDER, NoSuchFile, filled, read_file

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.parts import Parts
    from ..values.settings import Settings

logger = logging.getLogger(__name__)

prompt = marked
"""Mark the function that makes a prompt's messages, by the prompt's name."""


def install(server: Server[Any], parts: Parts, settings: Settings) -> Prompts:
    """Let a server list the package's prompts and make their messages."""
    found = Prompts(parts, settings)
    server.add_request_handler("prompts/list", PaginatedRequestParams, found.list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, found.get)
    return found


class Prompts:
    """The prompts of a generated package."""

    def __init__(self, parts: Parts, settings: Settings) -> None:
        self._package = parts.package
        self._page_size = settings.page_size
        self._limit = ResultLimit.of(settings, parts.api)
        self._functions = Functions(parts.package, "prompts")

    @cached_property
    def _data(self) -> Mapping[str, Any]:
        return read_json(self._package, "prompts.json")

    @cached_property
    def _by_name(self) -> dict[str, Result]:
        return {entry["name"]: entry for entry in self._data["prompts"]}

    async def list_prompts(
        self, _: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> Result:
        """Answer `prompts/list`."""
        return page("prompts", self._data["prompts"], params.cursor, self._page_size)

    async def get(
        self, request: ServerRequestContext[Any], params: GetPromptRequestParams
    ) -> Result:
        """Answer `prompts/get`.

        Raises:
            MCPError: there is no such prompt, its arguments are wrong, or it cannot be made.
        """
        entry = self._by_name.get(params.name)
        if entry is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: {params.name[:200]}")
        arguments = params.arguments or {}
        _check(entry, arguments)
        return await guarded(params.name, self._get(request, params, entry, arguments))

    async def _get(
        self,
        request: ServerRequestContext[Any],
        params: GetPromptRequestParams,
        entry: Result,
        arguments: Mapping[str, str],
    ) -> Result:
        served = self._data["served"].get(params.name, {})
        blank = dict.fromkeys((a["name"] for a in entry.get("arguments", ())), "")
        given = {**blank, **arguments}
        if "messages" in served:
            messages = filled(served["messages"], given)
            _check_blocks(messages)
        elif "text" in served:
            messages = [_user({"type": "text", "text": filled(served["text"], given)})]
        elif "file" in served:
            text = await self._read(params.name, served["file"], given)
            messages = [_user({"type": "text", "text": filled(text, given)})]
        else:
            context = context_of(request, f"prompts/{params.name}", params)
            value = await self._functions.get(params.name)(context, arguments)
            if isinstance(value, InputRequiredResult):
                return askable(request.protocol_version, wire(value))
            if isinstance(value, GetPromptResult):
                return _older({"resultType": "complete", **wire(value)}, request)
            messages = list(self._messages(value, params.name))
        result: Result = {"resultType": "complete", "messages": messages}
        if entry.get("description"):
            result["description"] = entry["description"]
        return _older(result, request)

    async def _read(self, prompt: str, file: str, given: Mapping[str, str]) -> str:
        """The text of a prompt's file.

        Where it is missing, the arguments are wrong if its name has any, and else the server is.
        """
        name = filled(file, given)
        try:
            content = await read_file(self._package, name, self._limit)
        except NoSuchFile as problem:
            if name != file:
                raise MCPError(code=INVALID_PARAMS, message=problem.message) from None
            said = f"{problem.message} Its place is the folder `{FOLDER}` of {self._package}."
            logger.error("%s: %s", prompt, said)
            raise MCPError(code=INTERNAL_ERROR, message=said) from None
        return decode(content, None)[0]

    def _messages(self, value: Any, name: str) -> Iterator[Result]:
        """The messages that a function returned: messages, texts, blocks, `Media` or an answer."""
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, PromptMessage):
                yield wire(item)
                continue
            make = to_result if isinstance(item, Response) else from_handler
            made = make(item, {"name": name}, self._limit)
            yield from (_user(block) for block in made["content"])


def _check(entry: Result, arguments: Mapping[str, str]) -> None:
    known = {argument["name"]: argument for argument in entry.get("arguments", ())}
    for name in arguments:
        if name not in known:
            listed = ", ".join(f"`{each}`" for each in known) or "none"
            message = f"`{name[:200]}` is no argument of this prompt; it has: {listed}."
            raise MCPError(code=INVALID_PARAMS, message=message)
    missing = [n for n, each in known.items() if each.get("required") and n not in arguments]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        raise MCPError(code=INVALID_PARAMS, message=f"This prompt needs {listed}.")


def _check_blocks(messages: Iterable[Result]) -> None:
    """Refuse arguments that make of a block what clients cannot read."""
    for message in messages:
        content: Result = message["content"]
        for member, value in (*content.items(), *content.get("resource", {}).items()):
            if problem := problem_of(member, value):
                text = f"{visible(value[:200])!r} {problem}."
                raise MCPError(code=INVALID_PARAMS, message=text)


def _user(block: Mapping[str, Any]) -> Result:
    return {"role": "user", "content": block}


def _older(result: Result, request: ServerRequestContext[Any]) -> Result:
    """The messages, with only the content blocks that the client's protocol version knows."""
    blocks = [message["content"] for message in result["messages"]]
    known = result_for(request.protocol_version, {"content": blocks})["content"]
    pairs = zip(result["messages"], known, strict=True)
    return {**result, "messages": [{**message, "content": block} for message, block in pairs]}
