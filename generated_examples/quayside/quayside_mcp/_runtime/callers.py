"""Credentials that each caller over HTTP brings along, where the operator has turned that on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .auth import variables
from .description import Api, Basic, MutualTls, OAuth2
from .errors import ToolError
from .settings import ConfigurationError, Settings


class CallerEnvironment(Mapping[str, str]):
    """The environment of one request: its own headers in place of the server's credentials.

    It lives as long as the call, so nothing of one caller can reach another.
    """

    def __init__(
        self, environ: Mapping[str, str], api: Api, settings: Settings, headers: Mapping[str, str]
    ) -> None:
        self._environ = environ
        self._brought = {
            variable: headers.get(header.lower(), "") if variable == variables(scheme)[0] else ""
            for key, header in settings.caller_auth
            for scheme in (api.security_schemes[key],)
            for variable in _all_variables(scheme)
        }

    def __getitem__(self, name: str) -> str:
        brought = self._brought.get(name)
        return self._environ[name] if brought is None else brought

    def __iter__(self) -> Iterator[str]:
        return iter({**self._brought, **dict.fromkeys(self._environ)})

    def __len__(self) -> int:
        return len(list(iter(self)))


def _all_variables(scheme: object) -> tuple[str, ...]:
    if isinstance(scheme, OAuth2):
        others = (scheme.refresh_token_env, scheme.client_id_env, scheme.client_secret_env)
        return (scheme.env, *filter(None, others))
    return (getattr(scheme, "env", ""),)


def advice(settings: Settings, missing: ToolError) -> ToolError:
    """What a caller is told that brought no credential, or not all."""
    headers = ", ".join(header for _, header in settings.caller_auth)
    return ToolError(
        f"{missing.message} Over HTTP, the caller's own credential comes in the request to this "
        f"server, in the header {headers}."
    )


def check(api: Api, settings: Settings) -> None:
    """Refuse a setting that names what the API does not have or a header cannot carry.

    Raises:
        ConfigurationError: naming the variable.
    """
    variable = f"{api.env_prefix}_CALLER_AUTH"
    for key, _ in settings.caller_auth:
        scheme = api.security_schemes.get(key)
        if scheme is None:
            known = ", ".join(api.security_schemes) or "none"
            raise ConfigurationError(
                f"{variable} names a scheme that is none of the API's: {known}"
            )
        if isinstance(scheme, Basic | MutualTls):
            raise ConfigurationError(f"{variable} names a scheme that no single header can carry")
