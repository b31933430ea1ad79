"""The API that a generated `api.py` declares, and which of its credentials a call sends.

A credential is read from the environment when a call is made, and only for a scheme that the
operation's own `security` names. Values never appear in an error, a log line or a repr.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from urllib.parse import quote

from ..values.errors import ToolError
from ..values.urls import Origin, ServerUrl
from .schemes import Credentials, Scheme, TokenExchange

logger = logging.getLogger(__name__)

Requirement = Mapping[str, Sequence[str]]
ANONYMOUS = Credentials()
UNSENT = "Nothing was sent to the API."
"""What is said where there is no access token."""


class Shaping(Protocol):
    """What agents see of a tool's answers: `shaping.Shape`."""

    def of_error(self, response: Any) -> Any:
        """An answer that is an error."""
        ...

    def of_returned(self, value: Any) -> Any:
        """What a handler returned."""
        ...


@dataclass(frozen=True)
class Api:
    """The API behind the tools."""

    env_prefix: str
    servers: Sequence[ServerUrl] = ()
    security_schemes: Mapping[str, Scheme] = field(default_factory=dict)
    security: Sequence[Requirement] = ()
    shapes: Mapping[str, Shaping] = field(default_factory=dict)
    """By tool."""
    refusals: Mapping[str, Mapping[str, Mapping[str, str | None]]] = field(default_factory=dict)
    """Names that members of free-form objects must not have, by tool and argument."""


def choose(
    api: Api,
    security: Sequence[Requirement] | None,
    environ: Mapping[str, str],
    exchanged: Mapping[str, Callable[[], TokenExchange] | None] | None = None,
    brought: Mapping[str, str] | None = None,
) -> Credentials:
    """Pick the first alternative of `security` whose credentials are all set.

    `security` is OpenAPI's: alternatives, each of schemes that go together. None is the API's
    default, an empty list sends nothing, and an empty alternative allows an anonymous call where no
    credential is set. `exchanged` holds the schemes for which the caller's token is exchanged, and
    whose variables are not looked at: what makes the request for it, None where the caller brought
    none; `brought` the headers in which callers bring what stands for a variable.

    Raises:
        ToolError: no alternative is complete; the text names the variables and headers.
    """
    alternatives = api.security if security is None else security
    anonymous = not alternatives
    brought = brought or {}
    missing: list[list[str]] = []
    for alternative in alternatives:
        if not alternative:
            anonymous = True
            continue
        if not alternative.keys() <= api.security_schemes.keys():
            continue
        exchanges = {key: asked for key, asked in (exchanged or {}).items() if key in alternative}
        schemes = [api.security_schemes[key] for key in alternative if key not in exchanges]
        unset = [name for scheme in schemes for name in _unset(scheme, environ, brought)]
        lacking = [key for key, asked in exchanges.items() if asked is None]
        unset += [api.security_schemes[key].variables[0] for key in lacking]
        if not unset:
            listed = [scope for scopes in alternative.values() for scope in scopes]
            scopes = tuple(dict.fromkeys(listed))
            found = _collect(schemes, environ, scopes, brought)
            asked = next(filter(None, exchanges.values()), None)
            return _exchanging(found, asked(), scopes) if asked else found
        missing.append(unset)
    if anonymous:
        return ANONYMOUS
    raise ToolError(_what_is_missing(missing, brought))


def _unset(scheme: Scheme, environ: Mapping[str, str], brought: Mapping[str, str]) -> list[str]:
    """As `Scheme.unset`, with only the first variable of a scheme that callers bring."""
    unset, first = scheme.unset(environ), scheme.variables[0]
    return [first] if unset and first in brought else unset


def _what_is_missing(missing: Sequence[Sequence[str]], brought: Mapping[str, str]) -> str:
    """What an agent is told; `missing` holds the unset variables of each alternative."""
    if not missing:
        return (
            "This operation asks for a way to sign in that the API's document does not describe. "
            "Nothing was sent."
        )
    headers = dict.fromkeys(brought[name] for names in missing for name in names if name in brought)
    own = [" and ".join(name for name in names if name not in brought) for names in missing]
    text = "A credential is missing, and nothing was sent."
    if headers:
        text += (
            " Over HTTP it is the caller's own, and comes in the request to this server, in the "
            f"header {', or '.join(headers)}."
        )
    if any(own):
        text += (
            f" Set {', or '.join(filter(None, own))} in the environment of this server and restart "
            "it. Calling again before that will not help."
        )
    return text


def _exchanging(found: Credentials, asked: TokenExchange, scopes: tuple[str, ...]) -> Credentials:
    secrets = (*found.secrets, asked.subject_token, asked.client_secret)
    grant = replace(asked, scopes=scopes, certificate=found.certificate)
    return replace(found, grant=grant, secrets=tuple(filter(None, secrets)))


def _collect(
    schemes: Sequence[Scheme],
    environ: Mapping[str, str],
    scopes: tuple[str, ...],
    brought: Mapping[str, str],
) -> Credentials:
    found = ANONYMOUS
    for scheme in schemes:
        found = found.joined(scheme.sign(environ, scopes, brought))
    sent = [value for _, value in (*found.headers, *found.query, *found.cookies)]
    sent += [quote(value, safe="") for _, value in found.query]
    sent += [value.partition(" ")[2] for name, value in found.headers if name == "Authorization"]
    sent += [environ.get(name, "") for scheme in schemes for name in scheme.secrets]
    grant = found.grant and replace(found.grant, certificate=found.certificate)
    return replace(found, grant=grant, secrets=tuple(filter(None, sent)))


def no_token(url: str, why: str, advice: str) -> ToolError:
    """The failure of a call for which there is no token; the log is told why, too."""
    host = Origin.of(url).host
    logger.warning("nothing that can be used came from %s: %s", host, why)
    return ToolError(f"No access token came from {host}: {why} {UNSENT} {advice}")
