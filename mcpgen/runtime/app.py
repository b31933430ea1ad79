"""The server of a generated package."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .catalogue import Catalogue
from .description import Api
from .hooks import Hooks
from .serving import preflight
from .session import Session
from .settings import ConfigurationError, Settings, of_further

if TYPE_CHECKING:
    import httpx2
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, PaginatedRequestParams
    from starlette.types import ASGIApp

logger = logging.getLogger(__name__)

_NO_TOKEN = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True)
class ServerInfo:
    """How the server introduces itself (MCP `Implementation`); icons are in wire format."""

    name: str
    version: str = ""
    title: str | None = None
    description: str | None = None
    instructions: str | None = None
    website_url: str | None = None
    icons: Sequence[Mapping[str, Any]] = ()


def product(info: ServerInfo) -> str:
    """Name and version for the User-Agent header, as tokens (RFC 9110 10.1.5)."""
    return "/".join(_NO_TOKEN.sub("-", part) for part in (info.name, info.version or "0"))


class App:
    """A generated package as an MCP server; nothing happens before `create_server` or `main`."""

    def __init__(
        self,
        *,
        package: str,
        info: ServerInfo,
        api: Api,
        apis: Mapping[str, Api] | None = None,
        handlers: Mapping[str, str],
        hooks: ModuleType | None = None,
        defaults: Settings | None = None,
        features: Sequence[str] = (),
    ) -> None:
        """`features` are modules of this package with an `install(server, app, settings)`.

        What that returns may have `running()`, a context manager around each of the server's lives
        (over HTTP it has one, in memory one with each client), and `wrap(tool, handler)`, which
        gives what serves the tool instead.
        """
        self.package = package
        self.info = info
        self.api = api
        self.apis = apis or {}
        self.defaults = defaults or Settings()
        self.catalogue = Catalogue(package, handlers)
        self._hooks = hooks
        self._features = features

    @property
    def may_change(self) -> bool:
        """Whether the list of tools may differ from the package's."""
        return "changes" in self._features

    def settings(self, environ: Mapping[str, str] | None = None) -> Settings:
        """The settings of the environment over the package's defaults.

        Raises:
            ConfigurationError: a variable that cannot be used.
        """
        variables = os.environ if environ is None else environ
        settings = Settings.from_env(self.api.env_prefix, variables, self.defaults)
        for api, own in self._with_settings(settings, variables).values():
            preflight.check(api, own, variables)
        if settings.tools_file is not None and not self.may_change:
            raise ConfigurationError(
                f"{self.api.env_prefix}_TOOLS_FILE cannot switch off tools of this server: "
                "generate it with `list_changed = true`"
            )
        if settings.is_guarded:
            from .guarding import guard

            guard.check(self.api, settings, None if self.may_change else self.catalogue)
        return settings

    def check_files(self, settings: Settings) -> None:
        """Refuse files that a server over HTTP must not start with; raises ConfigurationError."""
        for api, own in self._with_settings(settings, os.environ).values():
            preflight.check_files(api, own, os.environ)

    def missing(self, settings: Settings) -> list[str]:
        """One line for each scheme without a credential, neither set nor brought by callers."""
        found = self._with_settings(settings, os.environ).values()
        return [line for api, own in found for line in preflight.missing(api, own, os.environ)]

    def misspelled(self) -> list[str]:
        """One line for each variable whose name is nearly that of a setting."""
        return list(preflight.misspelled((self.api, *self.apis.values()), os.environ))

    @property
    def may_use(self) -> Any:
        """The author's `may_use(tool, headers)` in `hooks.py`, or None."""
        return getattr(self._hooks, "may_use", None)

    def _with_settings(
        self, settings: Settings, environ: Mapping[str, str]
    ) -> dict[str, tuple[Api, Settings]]:
        """Each API with its settings; raises ConfigurationError."""
        found = {"": (self.api, settings)}
        for name, api in self.apis.items():
            api = replace(api, shapes=self.api.shapes)  # a tool's, whichever API it asks
            found[name] = (api, of_further(settings, api.env_prefix, environ))
        for api, own in found.values():
            if own.brought:
                from .credentials.callers import check

                check(api, own)
        return found

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

        from .guarding.middleware import Sealing, declared_only, texts_only
        from .guarding.observing import is_exported

        settings = settings or self.settings()
        if self.may_use is not None and not self.may_change:
            raise ConfigurationError(
                "may_use in hooks.py is asked by no server like this one: generate it with "
                "`list_changed = true`"
            )
        info = self.info
        features: dict[str, Any] = {}
        server: Server[Any] = Server(
            info.name,
            version=info.version,
            title=info.title,
            description=info.description,
            instructions=info.instructions,
            website_url=info.website_url,
            icons=[Icon.model_validate(icon) for icon in info.icons] or None,
            lifespan=self._lifespan(settings, transport, features),
            get_tool_input_schema=self.catalogue.input_schema,
        )

        server.middleware.insert(0, texts_only)  # before the library looks at trace context
        server.middleware += [Sealing(info.name, settings.state_keys), declared_only]
        self._serve_tools(server, settings)
        if settings.is_guarded or is_exported(os.environ):
            from .guarding import guard

            guard.install(server, self, settings)
        for name in self._features:
            features[name] = import_module(f".{name}", __package__).install(server, self, settings)
        return server

    def _serve_tools(self, server: Server[Any], settings: Settings) -> None:
        from mcp_types import CallToolRequestParams, PaginatedRequestParams

        from .results.pages import page
        from .results.revisions import tools_for

        async def list_tools(
            request: ServerRequestContext[Any], params: PaginatedRequestParams
        ) -> dict[str, Any]:
            found = page("tools", self.catalogue.tools, params.cursor, settings.page_size)
            return {**found, "tools": tools_for(request.protocol_version, found["tools"])}

        async def call(
            request: ServerRequestContext[Any], params: CallToolRequestParams
        ) -> dict[str, Any]:
            from .calls import call_tool

            return await call_tool(self.catalogue, request, params)

        server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, call)

    def create_app(
        self,
        settings: Settings | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> ASGIApp:
        """Build the ASGI application that serves Streamable HTTP; takes what `create_server` does.

        Without `settings`, an unusable environment is reported on stderr and ends the process, so
        that uvicorn and gunicorn do not restart their workers for ever, and the log goes to stderr
        where nobody configured another.
        """
        from .serving import asgi, logs

        if settings is not None:
            server = self.create_server(settings, transport=transport)
            return asgi.create_app(server, settings, self.api.env_prefix)
        try:
            settings = self.settings()
            self.check_files(settings)
            server = self.create_server(settings, transport=transport)
        except ConfigurationError as problem:
            print(f"{self.info.name}: {problem}", file=sys.stderr)
            raise SystemExit(asgi.STARTUP_FAILURE) from None
        logs.of_package(self.package, settings.log_level)
        for line in self.misspelled():
            logger.warning(line)
        return asgi.create_app(server, settings, self.api.env_prefix)

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run the command line; returns the exit code."""
        from .serving.cli import run

        try:
            return run(self, argv)
        except KeyboardInterrupt:
            return 130

    def _lifespan(
        self,
        settings: Settings,
        transport: httpx2.AsyncBaseTransport | None,
        features: Mapping[str, Any],
    ) -> Any:
        agent = product(self.info)
        apis = self._with_settings(settings, os.environ)

        @asynccontextmanager
        async def lifespan(server: Server[Any]) -> AsyncIterator[Session]:
            hooks = Hooks(self._hooks)
            async with hooks.lifespan(server) as state, AsyncExitStack() as stack:
                session = Session(apis, hooks, agent, state, transport, features)
                stack.push_async_callback(session.aclose)
                for name, feature in features.items():
                    if running := getattr(feature, "running", None):
                        session.running[name] = await stack.enter_async_context(running())
                yield session

        return lifespan
