"""The credentials for the API that a call sends.

A credential is read from the environment when a call is made, and only for a scheme that the
operation's own `security` names. Values never appear in an error, a log line or a repr.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from ..values.errors import ToolError
from ..values.urls import Origin
from .api import Api, Requirement
from .schemes import Credentials, Scheme, Source

logger = logging.getLogger(__name__)

ANONYMOUS = Credentials()
UNSENT = "Nothing was sent to the API."
"""What is said where there is no access token."""


def choose(
    api: Api,
    security: Sequence[Requirement] | None,
    environ: Mapping[str, str],
    brought: Mapping[str, str] | None = None,
) -> Credentials:
    """Pick the first alternative of `security` whose credentials are all set.

    `security` has OpenAPI's format: alternatives, each with schemes that go together. None means
    the API's default, an empty list sends nothing, and an empty alternative allows an anonymous
    call if no credential is set. `brought` has, by variable, the headers in which callers bring its
    value.

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
        schemes = [api.security_schemes[key] for key in alternative]
        unset = [name for scheme in schemes for name in scheme.unset(environ)]
        if not unset:
            scopes = dict.fromkeys(scope for scopes in alternative.values() for scope in scopes)
            return _combined(schemes, Source(environ, tuple(scopes), brought))
        missing.append(unset)
    if anonymous:
        return ANONYMOUS
    raise ToolError(_what_is_missing(missing, brought))


def _combined(schemes: Sequence[Scheme], source: Source) -> Credentials:
    whole = ANONYMOUS
    for scheme in schemes:
        whole = whole.joined(scheme.sign(source))
    secrets = [value for _, value in (*whole.headers, *whole.query, *whole.cookies)]
    secrets += [quote(value, safe="") for _, value in whole.query]
    secrets += [value.partition(" ")[2] for name, value in whole.headers if name == "Authorization"]
    secrets += [source.environ.get(name, "") for scheme in schemes for name in scheme.secrets]
    signer = whole.signer and whole.signer.bound(whole.certificate)
    return replace(
        whole,
        signer=signer,
        secrets=tuple(filter(None, (*secrets, *whole.secrets))),
        of_caller=whole.of_caller
        or any(name in source.brought for scheme in schemes for name in scheme.variables[:1]),
    )


def _what_is_missing(missing: Sequence[Sequence[str]], brought: Mapping[str, str]) -> str:
    """The message for an agent; `missing` lists the unset variables of each alternative."""
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
            " Over HTTP, the caller sends it with the request to this server, in the "
            f"header {', or '.join(headers)}."
        )
    if any(own):
        text += (
            f" Set {', or '.join(filter(None, own))} in the environment of this server and restart "
            "it. Calling again before that will not help."
        )
    return text


def no_token(url: str, why: str, advice: str) -> ToolError:
    """The error of a call that gets no access token; the reason is logged too."""
    host = Origin.of(url).host
    logger.warning("no usable token came from %s: %s", host, why)
    return ToolError(f"No access token came from {host}: {why} {UNSENT} {advice}")
