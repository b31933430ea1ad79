"""Skills: instructions for agents, listed and read (extension `io.modelcontextprotocol/skills`).

The files of the package's folder `skills` are read when the server is built, so the content sent
always matches the listed entries.
"""

from __future__ import annotations

from base64 import b64encode
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    RequestParams,
)

from ...calls.access import Access
from ...results.content import Result
from ...results.revisions import TTL_MS, page
from ...values.settings import ConfigurationError
from ..content.media_names import by_name
from .files import FOLDER, SkillProblem, places, read

if TYPE_CHECKING:
    from mcp.server.context import HandlerResult, ServerRequestContext

    from ...calls.server import ServerParts

EXTENSION = "io.modelcontextprotocol/skills"
_CACHING = {"ttlMs": TTL_MS, "cacheScope": "public"}


class SkillParams(RequestParams):
    """The parameters of `skills/get`."""

    uri: str


def install(parts: ServerParts) -> Skills:
    """Let a server list its skills, and offer their files as resources.

    Raises:
        ConfigurationError: a skill cannot be served.
    """
    server = parts.server
    skills = Skills(parts.package, parts.settings.page_size, Access.of(parts))
    server.extensions[EXTENSION] = {}
    server.add_request_handler("skills/list", PaginatedRequestParams, skills.page)
    server.add_request_handler("skills/get", SkillParams, skills.get)
    listed = server.get_request_handler("resources/list")
    others = server.get_request_handler("resources/read")

    async def list_resources(
        request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> HandlerResult:
        if listed is None:
            resources = skills.resources(request)
            result: Any = page("resources", resources, params.cursor, parts.settings.page_size)
            return {**result, **skills.access.caching(request.request)}
        result = await listed.handler(request, params)
        first = skills.resources(request) if params.cursor is None else []
        resources = [*first, *result["resources"]]
        return {**result, "resources": resources, **skills.access.caching(request.request)}

    async def read_resource(
        request: ServerRequestContext[Any], params: ReadResourceRequestParams
    ) -> HandlerResult:
        if (result := skills.read(request, params.uri)) is not None:
            return result
        if others is None:
            raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": params.uri})
        return await others.handler(request, params)

    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read_resource)
    return skills


class Skills:
    """The skills of a generated package."""

    def __init__(self, package: str, page_size: int | None, access: Access) -> None:
        """`access` decides which skills are on."""
        self.access = access
        self._page_size = page_size
        self._entries: dict[str, Result] = {}
        self._files: dict[str, dict[str, bytes]] = {}
        """Those of each skill, by its URI."""
        root = Path(import_module(package).__file__ or "").parent / FOLDER
        for place in places(root):
            try:
                skill = read(place, root)
            except SkillProblem as problem:
                raise ConfigurationError(f"{place}:{problem.line}: {problem.message}") from None
            self._entries[skill.uri] = skill.entry
            self._files[skill.uri] = skill.files

    def _there(self, request: ServerRequestContext[Any]) -> dict[str, Result]:
        """The skills that the caller may see: entries of `skills/list`, keyed by URI."""
        return {
            uri: entry
            for uri, entry in self._entries.items()
            if self.access.has(request.request, "skills", entry["frontmatter"]["name"])
        }

    def resources(self, request: ServerRequestContext[Any]) -> list[Result]:
        """The `SKILL.md` of each skill as an entry of `resources/list`."""
        texts = ("name", "description")
        return [
            {"uri": uri, **{k: entry["frontmatter"][k] for k in texts}, "mimeType": "text/markdown"}
            for uri, entry in self._there(request).items()
        ]

    async def page(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> Result:
        """Answer `skills/list` with one page."""
        entries = [*self._there(request).values()]
        result = page("skills", entries, params.cursor, self._page_size)
        return {**result, **self.access.caching(request.request)}

    async def get(self, request: ServerRequestContext[Any], params: SkillParams) -> Result:
        """Answer `skills/get`.

        Raises:
            MCPError: there is no such skill.
        """
        entry = self._there(request).get(params.uri)
        if entry is None:
            raise MCPError(INVALID_PARAMS, f"No skill is served at {params.uri[:200]}")
        caching = {**_CACHING, **self.access.caching(request.request)}
        return {"resultType": "complete", "skill": entry, **caching}

    def read(self, request: ServerRequestContext[Any], uri: str) -> Result | None:
        """The contents of a skill's file, byte for byte; None if there is no such file."""
        files = {
            k: data for skill in self._there(request) for k, data in self._files[skill].items()
        }
        if uri not in files:
            return None
        data, mime = files[uri], by_name(uri)
        try:
            content = {"mimeType": mime or "text/plain", "text": data.decode()}
        except UnicodeDecodeError:
            blob = b64encode(data).decode("ascii")
            content = {"mimeType": mime or "application/octet-stream", "blob": blob}
        caching = {**_CACHING, **self.access.caching(request.request)}
        return {"resultType": "complete", "contents": [{"uri": uri, **content}], **caching}
