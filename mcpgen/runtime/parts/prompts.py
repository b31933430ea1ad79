"""Prompts: `prompts.json`, and the functions that make their messages."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from ..backend.answer import decode
from ..backend.response import Response
from ..calls.access import Access
from ..calls.calls import context_of
from ..calls.catalogue import read_json
from ..results.content import Result, to_result
from ..results.limits import ResultLimit
from ..results.returned import from_handler
from ..results.revisions import askable, page, result_for, wire
from ..values.display import visible
from .completion import Functions, guarded, marked
from .content.static_content import FOLDER, NoSuchFile, filled, problem_of, read_file

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ..calls.server import ServerParts

logger = logging.getLogger(__name__)

prompt = marked
"""Mark the function that makes a prompt's messages, by the prompt's name."""


def install(parts: ServerParts) -> Prompts:
    """Let a server list the package's prompts and make their messages."""
    prompts = Prompts(parts)
    parts.server.add_request_handler(
        "prompts/list", types.PaginatedRequestParams, prompts.list_prompts
    )
    parts.server.add_request_handler("prompts/get", types.GetPromptRequestParams, prompts.get)
    return prompts


class Prompts:
    """The prompts of a generated package."""

    def __init__(self, parts: ServerParts) -> None:
        self._package = parts.package
        self._page_size = parts.settings.page_size
        self._limit = ResultLimit.of(parts.settings, parts.api)
        self._functions = Functions(parts.package, "prompts")
        self._access = Access.of(parts)

    @cached_property
    def _data(self) -> Mapping[str, Any]:
        return read_json(self._package, "prompts.json")

    @cached_property
    def _by_name(self) -> dict[str, Result]:
        return {entry["name"]: entry for entry in self._data["prompts"]}

    async def list_prompts(
        self, request: ServerRequestContext[Any], params: types.PaginatedRequestParams
    ) -> Result:
        """Answer `prompts/list`."""
        there = [entry for entry in self._data["prompts"] if self.has(request, entry["name"])]
        result = page("prompts", there, params.cursor, self._page_size)
        return {**result, **self._access.caching(request.request)}

    def has(self, request: ServerRequestContext[Any], name: str) -> bool:
        """Whether there is a prompt of that name for the caller."""
        return name in self._by_name and self._access.has(request.request, "prompts", name)

    async def get(
        self, request: ServerRequestContext[Any], params: types.GetPromptRequestParams
    ) -> Result:
        """Answer `prompts/get`.

        Raises:
            MCPError: the prompt does not exist, its arguments are wrong, or it cannot be made.
        """
        if not self.has(request, params.name):
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name[:200]}")
        entry = self._by_name[params.name]
        arguments = params.arguments or {}
        _check(entry, arguments)
        return await guarded(params.name, self._get(request, params, entry, arguments))

    async def _get(
        self,
        request: ServerRequestContext[Any],
        params: types.GetPromptRequestParams,
        entry: Result,
        arguments: Mapping[str, str],
    ) -> Result:
        names = [argument["name"] for argument in entry.get("arguments", ())]
        match self._data["served"].get(params.name, {}):
            case {"messages": blocks}:
                messages = filled(blocks, arguments, names)
                _check_blocks(messages)
            case {"text": text}:
                messages = [_to_message(filled(text, arguments, names))]
            case {"file": file}:
                text = await self._read(params.name, file, filled(file, arguments, names))
                messages = [_to_message(filled(text, arguments, names))]
            case _:
                context = context_of(request, f"prompts/{params.name}", params)
                value = await self._functions.get(params.name)(context, arguments)
                if isinstance(value, types.InputRequiredResult):
                    return askable(request.protocol_version, wire(value))
                if isinstance(value, types.GetPromptResult):
                    return _older({"resultType": "complete", **wire(value)}, request)
                messages = list(self._messages(value, params.name))
        result: Result = {"resultType": "complete", "messages": messages}
        if entry.get("description"):
            result["description"] = entry["description"]
        return _older(result, request)

    async def _read(self, prompt: str, file: str, name: str) -> str:
        """The text of a prompt's file.

        If the file is missing, the caller is told so if an argument is part of its name; otherwise
        it is an error of the server.
        """
        try:
            return decode(await read_file(self._package, name, self._limit), None)[0]
        except NoSuchFile as problem:
            if name != file:
                raise MCPError(types.INVALID_PARAMS, problem.message) from None
            message = f"{problem.message} Its place is the folder `{FOLDER}` of {self._package}."
            logger.error("%s: %s", prompt, message)
            raise MCPError(types.INTERNAL_ERROR, message) from None

    def _messages(self, value: Any, name: str) -> Iterator[Result]:
        """The messages in a function's result: messages, texts, blocks, `Media` or an answer."""
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, types.PromptMessage):
                yield wire(item)
                continue
            make = to_result if isinstance(item, Response) else from_handler
            result = make(item, {"name": name}, self._limit)
            yield from ({"role": "user", "content": block} for block in result["content"])


def _check(entry: Result, arguments: Mapping[str, str]) -> None:
    declared = {argument["name"]: argument for argument in entry.get("arguments", ())}
    unknown = [name for name in arguments if name not in declared]
    if unknown:
        listed = ", ".join(f"`{name}`" for name in declared) or "none"
        message = f"`{unknown[0][:200]}` is not an argument of this prompt; it has: {listed}."
        raise MCPError(types.INVALID_PARAMS, message)
    missing = [n for n, each in declared.items() if each.get("required") and n not in arguments]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        raise MCPError(types.INVALID_PARAMS, f"This prompt needs {listed}.")


def _check_blocks(messages: Iterable[Result]) -> None:
    """Refuse arguments that make a content block invalid for clients."""
    for message in messages:
        content: Result = message["content"]
        for member, value in (*content.items(), *content.get("resource", {}).items()):
            if problem := problem_of(member, value):
                raise MCPError(types.INVALID_PARAMS, f"{visible(value[:200])!r} {problem}.")


def _to_message(text: str) -> Result:
    return {"role": "user", "content": {"type": "text", "text": text}}


def _older(result: Result, request: ServerRequestContext[Any]) -> Result:
    """The result with only those content blocks that the client's protocol version has."""
    blocks = [message["content"] for message in result["messages"]]
    blocks = result_for(request.protocol_version, {"content": blocks})["content"]
    pairs = zip(result["messages"], blocks, strict=True)
    return {**result, "messages": [{**message, "content": block} for message, block in pairs]}
