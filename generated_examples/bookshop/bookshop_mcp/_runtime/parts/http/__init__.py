"""Streamable HTTP, and its callers: sign-in, scopes, limits, audit log, telemetry."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...values.settings import ConfigurationError
from .command import HttpCommand
from .exporting import is_exported
from .readers import ANY_ORIGIN
from .settings import HttpSettings

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from ...app.builder import Builder
    from ...calls.server import ServerParts
    from ...credentials.api import Api
    from ...values.settings import Settings

SETTINGS = HttpSettings
COMMAND = HttpCommand()


def check(app: Builder, settings: HttpSettings) -> None:
    """Refuse contradictory settings for callers; raises ConfigurationError."""
    anybody = " and ".join(f"`{each}`" for each in ANY_ORIGIN if each in settings.allow_origins)
    if anybody and not (settings.callers_sign_in or settings.brought):
        raise ConfigurationError(
            f"{app.api.env_prefix}_ALLOW_ORIGINS: with {anybody}, any page that a person in this "
            f"network opens may call this server. Set {app.api.env_prefix}_HTTP_TOKEN, or another "
            "way by which callers bring a token, or list the allowed origins instead"
        )
    if settings.is_guarded:
        from . import guard

        guard.check(app.api, settings, None if app.may_change else app.catalogue)


def check_api(api: Api, settings: HttpSettings) -> None:
    """Refuse callers' credentials for schemes that the API lacks; raises ConfigurationError."""
    if settings.brought:
        from .callers import check_callers

        check_callers(api, settings)


def remarks(app: Builder, settings: HttpSettings) -> Sequence[str]:
    """Remarks about a server's HTTP settings; raises ConfigurationError for unusable ones."""
    from . import anonymous, sessions

    prefix = app.api.env_prefix
    told = [*anonymous.check(settings, prefix, app.package)]
    if settings.http_stateless and sessions.needed(app):
        told.append(
            f"{prefix}_HTTP_STATELESS: clients before 2026-07-28 get no session, which this server "
            "needs to ask them questions and to notify them"
        )
    if settings.http_json:
        told.append(
            f"{prefix}_HTTP_JSON: clients before 2026-07-28 get no progress, no log lines and no "
            "questions to the user"
        )
    return told


def checklist(settings: HttpSettings, prefix: str) -> Iterator[str]:
    """The settings that are missing before the server can be served over HTTP."""
    from . import anonymous

    if lacking := anonymous.way_missing(settings, prefix):
        yield f"it does not start over HTTP yet: {lacking}"


def install(server: ServerParts) -> Any:
    """Put a guard before a server's handlers, if a setting needs one."""
    if server.settings_of(HttpSettings).is_guarded or is_exported(os.environ):
        from . import guard

        return guard.install(server)
    return None


def create_app(app: Builder, settings: Settings | None, transport: Any) -> Starlette:
    """The ASGI application; see `App.create_app`."""
    from .asgi import application

    return application(app, settings, transport)
