"""The names of a server's environment variables: prefix, credentials and server variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import chain, count

from ..api import Api, SecurityScheme
from ..bundled.settings import OF_PARTS
from ..hashes import fingerprint
from ..operations.scheme_classes import class_of
from ..operations.token_urls import discovery_url, login_url, refresh_url, token_url
from ..text.words import split, unique, upper

_RESERVED = frozenset(
    {"DEBUG", "HOST", "HTTP", "MAX_RETRIES", "MOCK", "NO_PROXY", "PATH", "PORT", "TOOLS"}
)
SETTINGS = _RESERVED | {field.name.upper() for _, kind in OF_PARTS for field in fields(kind)}
"""What the runtime reads after the prefix, or may come to read."""

_FOREIGN = frozenset(
    {
        "ALL", "ANTHROPIC", "AWS", "AZURE", "CI", "DYLD", "GCP", "GH", "GIT", "GITHUB", "GITLAB",
        "GOOGLE", "HF", "HTTP", "HTTPS", "LD", "MYSQL", "NO", "NODE", "NPM", "OPENAI", "PG", "PIP",
        "PYTHON", "SSH", "SSL", "TWINE", "UV",
    }
)  # fmt: skip
"""How other software's own variables start, credentials among them: no document may name those."""

_SECRETS = frozenset({"KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"})
_AUTH = frozenset({"AUTH", "AUTHENTICATION", "AUTHORIZATION", "HTTP", "SCHEME"})
_LOGINS = ("Basic", "Digest")
_FALLBACKS = {"apiKey": "API", "oauth2": "OAUTH", "openIdConnect": "OIDC"}
"""What a variable is called after where its scheme's key has no telling word."""


def prefix(server: str, in_use: Iterable[str]) -> str:
    """The prefix of an API's variables, made from its name; it overlaps with no prefix in `in_use`.

    Otherwise a variable of one API could be taken for a variable of another API.
    """
    name = upper(server, fallback="API")
    name = f"{name}_MCP" if name.split("_")[0] in _FOREIGN else name
    used = list(in_use)
    joined = name.replace("_", "")
    candidates = chain([name, joined], (f"{joined}{number}" for number in count(2)))
    return next(each for each in candidates if not any(_meet(each, other) for other in used))


def _meet(one: str, other: str) -> bool:
    return f"{one}_".startswith(f"{other}_") or f"{other}_".startswith(f"{one}_")


def credentials(api: Api, start: str, api_there: str = "") -> dict[str, dict[str, str]]:
    """The variables of each security scheme, by role.

    `api_there` is the text of the existing `api.py`. If it reads a token from a variable with an
    older name, the server goes on reading that variable.
    """
    candidates = {
        f"{scheme.key}\n{role}": f"{start}_{name}"
        for scheme in api.security_schemes
        for role, name in _roles(scheme, start).items()
    }
    env: dict[str, dict[str, str]] = {}
    for text, name in unique(candidates, in_use=_settings(start)).items():
        key, _, role = text.rpartition("\n")
        env.setdefault(key, {})[role] = name.upper()
    for scheme in api.security_schemes:
        earlier = f"{start}_{'_'.join(_all_words(scheme.key, start))}"
        if _is_of_password(scheme) and f'"{earlier}"' in api_there:
            env[scheme.key]["earlier_env"] = earlier
    return env


def server_variables(api: Api, start: str, used: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The environment variable for each server variable.

    `used` has the variables of the credentials. If a name is one of these, or a setting of the
    runtime, `URL` is put into it.
    """
    names = dict.fromkeys(v.name for server in api.every_server for v in server.variables)
    in_use = _settings(start) | {name for roles in used.values() for name in roles.values()}
    words = {name: upper(name, fallback="SERVER") for name in names}
    candidates = {
        name: f"{start}_URL_{word}" if f"{start}_{word}" in in_use else f"{start}_{word}"
        for name, word in words.items()
    }
    return {name: env.upper() for name, env in unique(candidates, in_use=in_use).items()}


def _settings(start: str) -> set[str]:
    return {f"{start}_{name}" for name in SETTINGS}


def _roles(scheme: SecurityScheme, start: str) -> dict[str, str]:
    """The variables of a scheme by role, without the prefix."""
    words = _words(scheme, start)
    if class_of(scheme) in _LOGINS:
        stem = "".join(f"{word}_" for word in words if word != scheme.scheme.upper())
        return {"username_env": f"{stem}USERNAME", "password_env": f"{stem}PASSWORD"}
    if scheme.type == "mutualTLS":
        stem = "_".join(words or ["MTLS"])
        return {"cert_env": f"{stem}_CERT", "key_env": f"{stem}_KEY"}
    secret = "KEY" if scheme.type == "apiKey" else "TOKEN"
    fallback = _FALLBACKS.get(scheme.type, "BEARER")
    words = words or [fallback]
    env = {"env": "_".join(words if _SECRETS.intersection(words) else [*words, secret])}
    return env | _token_roles(scheme, words, fallback)


def _token_roles(scheme: SecurityScheme, words: list[str], fallback: str) -> dict[str, str]:
    """The variables with which an OAuth 2.0 token can be requested if no token is given."""
    discovered = bool(discovery_url(scheme))
    refreshed = discovered or bool(refresh_url(scheme))
    granted = discovered or bool(token_url(scheme))
    stem = "_".join(words[:-1] if words[-1] in _SECRETS else words) or fallback
    roles = {}
    if login_url(scheme):
        roles = {"username_env": f"{stem}_USERNAME", "password_env": f"{stem}_PASSWORD"}
    roles |= {"refresh_token_env": f"{stem}_REFRESH_TOKEN"} if refreshed else {}
    if refreshed or granted:
        roles |= {
            "client_id_env": f"{stem}_CLIENT_ID",
            "client_secret_env": f"{stem}_CLIENT_SECRET",
        }
    return roles


def _is_of_password(scheme: SecurityScheme) -> bool:
    """Whether the name of an OAuth 2.0 scheme contains `password`; its value is still a token."""
    return scheme.type == "oauth2" and "PASSWORD" in map(str.upper, split(scheme.key))


def _words(scheme: SecurityScheme, start: str) -> list[str]:
    words = _all_words(scheme.key, start)
    if not _is_of_password(scheme):
        return words
    return [word for word in words if word not in ("PASSWORD", "BEARER", "FLOW")]


def _all_words(key: str, start: str) -> list[str]:
    """The words of a scheme's key, except those of the prefix and words such as `Auth`."""
    words = [word.upper() for word in split(key)]
    if not words and key:
        return [f"AUTH_{fingerprint(key).upper()}"]
    while words and words[0] in {*start.split("_"), "HTTP"}:
        del words[0]
    while words and words[-1] in _AUTH:
        del words[-1]
    return words
