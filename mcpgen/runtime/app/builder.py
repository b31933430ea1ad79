"""Builds the server of a generated package, and checks the package's modules and settings."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..calls.catalogue import Catalogue, ServerInfo, read_json
from ..credentials.api import Api
from ..values.settings import ConfigurationError, Settings, of_further
from . import preflight
from .parts import Parts

if TYPE_CHECKING:
    import httpx2
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from ..backend.session import Session
    from ..calls.server import ServerParts

_NO_TOKEN = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]+")


def product(info: ServerInfo) -> str:
    """Name and version for the User-Agent header, as tokens (RFC 9110 10.1.5)."""
    return "/".join(_NO_TOKEN.sub("-", part) for part in (info.name, info.version or "0"))


class Builder:
    """Builds the server of a package, once per call of `create_server`."""

    def __init__(
        self,
        *,
        package: str,
        info: ServerInfo,
        api: Api,
        apis: Mapping[str, Api] | None = None,
        handlers: Mapping[str, str],
        hooks: ModuleType | None = None,
        defaults: Settings | Mapping[str, Any] | None = None,
        parts: Sequence[ModuleType] = (),
    ) -> None:
        """`parts` are the server's optional parts (see `app.parts.Parts`).

        `defaults` is a mapping if some of these settings belong to an optional part.
        """
        self.package = package
        self.info = info
        self.api = api
        self.apis = apis or {}
        self._defaults = defaults or Settings()
        self.catalogue = Catalogue(package, handlers)
        self.parts = Parts(parts)
        self._hooks = hooks

    @cached_property
    def defaults(self) -> Settings:
        """The package's settings, before the environment is read."""
        given = self._defaults
        kind: type[Settings] = self.parts.kind
        return kind(**given) if isinstance(given, Mapping) else given

    @property
    def made_with(self) -> str:
        """The versions of mcpgen and of the runtime, for lists of installed software."""
        from .. import __version__

        try:
            generator = import_module(f"{self.package}._runtime").__version__
        except (ImportError, AttributeError):  # a server by hand, or one of an older mcpgen
            return f"runtime {__version__}"
        return f"mcpgen {generator}, runtime {__version__}"

    @property
    def may_change(self) -> bool:
        """Whether the server's list of tools may differ from the package's list."""
        return any(may for _, may in self.parts.having("MAY_CHANGE"))

    def settings(self, environ: Mapping[str, str] | None = None) -> Settings:
        """The settings: those of the environment, and the package's defaults for the rest.

        Raises:
            ConfigurationError: a variable that cannot be used.
        """
        variables = os.environ if environ is None else environ
        settings = self.parts.read_settings(self.api.env_prefix, variables, self.defaults)
        for api, own in self._with_settings(settings, variables).values():
            preflight.check(api, own, variables)
        for _, check in self.parts.having("check"):
            check(self, settings)
        return settings

    def check_files(self, settings: Settings) -> None:
        """Raise ConfigurationError if a file that the server needs over HTTP cannot be used."""
        for api, own in self._with_settings(settings, os.environ).values():
            preflight.check_files(api, own, os.environ)

    def remarks(self, settings: Settings, *, is_served: bool) -> list[str]:
        """The notes to log at the start; raises ConfigurationError if no caller would be let in."""
        lines = [settings.remark] if settings.remark else []
        lines += [*preflight.remarks((self.api, *self.apis.values()), os.environ)]
        if is_served:
            for _, remarks in self.parts.having("remarks"):
                lines += remarks(self, settings)
        return lines

    def missing(self, settings: Settings, *, is_served: bool) -> list[str]:
        """One line for each credential or setting that the server needs and does not have.

        First come the services that the runtime's parts need, then the security schemes whose
        credential is neither set nor brought by callers. Callers bring credentials only if the
        server `is_served` over HTTP.
        """
        from ..backend.session import Hooks

        signs = Hooks(self._hooks).signs
        told = self.parts.having("checklist")
        needed = [line for _, lines in told for line in lines(settings, self.api.env_prefix)]
        for api, own in self._with_settings(settings, os.environ).values():
            for _, lines in self.parts.having("checklist_api"):
                needed += lines(api, own)
            needed += preflight.missing(api, own, os.environ, signs=signs, is_served=is_served)
        return needed

    def _with_settings(
        self, settings: Settings, environ: Mapping[str, str]
    ) -> dict[str, tuple[Api, Settings]]:
        """Each API by its name, with its settings; raises ConfigurationError."""
        apis = {"": (self.api, settings)}
        for name, api in self.apis.items():
            # of a tool, whichever API it asks
            api = replace(api, shapes=self.api.shapes, calls=self.api.calls)
            apis[name] = (api, of_further(settings, api.env_prefix, environ, api.defaults))
        for _, check in self.parts.having("check_api"):
            for api, own in apis.values():
                check(api, own)
        return apis

    def create_server(
        self,
        settings: Settings | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> Server[Any]:
        """Build the server; `transport` replaces the network, as the tests and `--mock` do.

        Raises:
            ConfigurationError: settings or hooks that cannot be used.
        """
        from mcp.server.lowlevel import Server
        from mcp_types import Icon

        from ..calls.arrival import Arrival
        from ..calls.server import ServerParts

        settings = self.parts.settings_of(settings or self.settings(), self.api.env_prefix)
        may_use = getattr(self._hooks, "may_use", None)
        if may_use is not None and not self.may_change:
            raise ConfigurationError(
                "this server never calls may_use in hooks.py: generate it with "
                "`list_changed = true`"
            )
        info = self.info
        installed: dict[str, Any] = {}
        kept: dict[type, Any] = {}
        server: Server[Any] = Server(
            info.name,
            version=info.version,
            title=info.title,
            description=info.description,
            instructions="\n\n".join(filter(None, (settings.remark, info.instructions))) or None,
            website_url=info.website_url,
            icons=[Icon.model_validate(icon) for icon in info.icons] or None,
            lifespan=self._lifespan(settings, transport, installed, kept),
            get_tool_input_schema=self.catalogue.input_schema,
        )
        server.middleware.append(Arrival(self.catalogue, settings))
        built = ServerParts(
            *(server, settings, self.package, info, self.api, self.apis, self.catalogue, may_use),
            *(self.may_change, installed, kept),
        )
        self._serve_tools(built)
        for name, install in self.parts.having("install"):
            if (part := install(built)) is not None:
                installed[name] = part
        return server

    def _serve_tools(self, built: ServerParts) -> None:
        from mcp_types import CallToolRequestParams, PaginatedRequestParams

        from ..calls.access import Access
        from ..results.revisions import page, tools_for

        access, server = Access.of(built), built.server

        async def list_tools(
            request: ServerRequestContext[Any], params: PaginatedRequestParams
        ) -> dict[str, Any]:
            tools = self.catalogue.tools
            if access.narrows(request.request):
                tools = [each for each in tools if access.allows(request.request, each["name"])]
            result = page("tools", tools, params.cursor, built.settings.page_size)
            listed = tools_for(request.protocol_version, result["tools"])
            return {**result, "tools": listed, **access.caching(request.request)}

        async def call(
            request: ServerRequestContext[Any], params: CallToolRequestParams
        ) -> dict[str, Any]:
            from ..calls.calls import call_tool

            return await call_tool(self.catalogue, request, params)

        server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, call)

    def _effects(self) -> Any:
        from ..backend import dry_run

        known = {}
        with suppress(FileNotFoundError):
            known = read_json(self.package, dry_run.FILE)
        return dry_run.Effects(known)

    def _lifespan(
        self,
        settings: Settings,
        transport: httpx2.AsyncBaseTransport | None,
        installed: Mapping[str, Any],
        kept: Mapping[type, Any],
    ) -> Any:
        from ..backend.session import Hooks, Session
        from ..calls.access import Access

        agent = product(self.info)
        apis = self._with_settings(settings, os.environ)

        @asynccontextmanager
        async def lifespan(server: Server[Any]) -> AsyncIterator[Session]:
            hooks = Hooks(self._hooks)
            async with hooks.lifespan(server) as state, AsyncExitStack() as stack:
                effects = self._effects() if settings.dry_run else None
                session = Session(apis, hooks, agent, state, transport, installed, effects)
                stack.push_async_callback(session.aclose)
                session.catalogue, session.access = self.catalogue, kept[Access]
                for name, part in installed.items():
                    if running := getattr(part, "running", None):
                        session.running[name] = await stack.enter_async_context(running())
                yield session

        return lifespan
