"""Which credentials a request may carry, by its destination and its operation's `security`."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..credentials import auth
from ..credentials.description import Requirement
from ..credentials.schemes import Credentials
from ..values.environment import EnvironmentWithFiles
from ..values.errors import ToolError, optional
from ..values.urls import Origin
from .destination import may_receive_credentials, own_origins
from .masking import credential_texts

if TYPE_CHECKING:
    from .shared import Backend

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Signing:
    """The credentials that a request may carry, and the secrets to mask when it fails."""

    credentials: Credentials = auth.ANONYMOUS
    allowed: bool = True
    """False: the host is none that may receive credentials."""
    wanted: bool = False
    """The operation asks for a credential."""
    hooked: bool = False
    """The author's hook is asked to sign the request."""
    missing: ToolError | None = None
    """Raised unless a hook signs the request."""
    issued: list[str] = field(default_factory=list, repr=False)
    """Further credentials: access tokens, and what a hook or a setting adds."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every text that must not be shown to anyone."""
        return (*self.credentials.secrets, *self.issued)


def sign(
    backend: Backend,
    base: str,
    security: Sequence[Requirement] | None,
    tool: str,
    caller: Mapping[str, str] | None,
) -> Signing:
    """Decide what a tool's request to the URL `base` may carry.

    `security` is the operation's own, None where it has none; `caller` holds the headers of the
    request over HTTP that is being answered. A credential that is missing is raised later, for a
    hook may sign the request.
    """
    if backend.mock:
        return Signing()
    origin = Origin.of(base)
    own = own_origins(backend.api, backend.settings, os.environ) or {origin}
    wanted = bool(backend.api.security if security is None else security)
    if may_receive_credentials(origin, own, backend.settings):
        signing = _chosen(backend, security, wanted, caller)
        signing.issued.extend(credential_texts(backend.settings.extra_headers, named=True))
        return signing
    if wanted:
        logger.warning(
            "%s: no credential is sent to %s; name it in %s_ALLOW_HOSTS to send it",
            tool,
            origin.host,
            backend.api.env_prefix,
        )
    return Signing(allowed=False, wanted=wanted)


def _chosen(
    backend: Backend,
    security: Sequence[Requirement] | None,
    wanted: bool,
    caller: Mapping[str, str] | None,
) -> Signing:
    """The credentials for a host that may receive them.

    If the only API's document declares no security at all, a hook may still sign the request.
    """
    api, settings = backend.api, backend.settings
    is_silent = security is None and not api.security_schemes
    hooked = wanted or (is_silent and backend.is_only)
    environ = EnvironmentWithFiles(os.environ)
    try:
        if caller is None or not settings.brought:
            chosen = auth.choose(api, security, environ)
        else:
            callers = optional("credentials.callers")
            chosen = callers.choose(api, security, settings, environ, caller)
    except ToolError as missing:
        return Signing(wanted=wanted, hooked=hooked, missing=missing)
    return Signing(credentials=chosen, wanted=wanted, hooked=hooked)
