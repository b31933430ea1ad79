"""Every Python identifier of a generated server, decided once with the whole document in view."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from .api import Api, Argument, In, SecurityScheme
from .lifting import Lifted, lift
from .words import (
    BUILTINS,
    DEVICES,
    KEYWORDS,
    ascii_text,
    fingerprint,
    snake,
    split,
    unique,
    upper,
)

RESERVED_ARGUMENTS = frozenset({"ctx", "style", "self"})
RESERVED_FUNCTIONS = BUILTINS | {"annotations", "ctx", "style", "tool"}
RESERVED_MODULES = DEVICES | {"annotations", "conftest", "init", "main", "setup"}
RESERVED_CLASSES = frozenset(
    {
        "Annotated", "Any", "AsyncIterator", "Awaitable", "Callable", "ClassVar", "Context", "Final",
        "False", "Generic", "Iterable", "Iterator", "Literal", "Mapping", "None", "NotRequired", "Optional",
        "Protocol", "ReadOnly", "Required", "Response", "Self", "Sequence", "True", "Type", "TypeAlias",
        "TypeVar", "TypedDict", "TYPE_CHECKING", "UNSET", "Union", "Unset",
    }
)  # fmt: skip
_SETTINGS = (
    "ALLOWED_HOSTS ALLOWED_ORIGINS BASE_URL CA_BUNDLE CONNECT_TIMEOUT DEBUG EXTRA_HEADERS FILE_ROOT HOST HTTP"
    " LOG_LEVEL MAX_ARGUMENT_BYTES MAX_BODY_BYTES MAX_CONCURRENCY MAX_CONNECTIONS MAX_HEADER_BYTES"
    " MAX_PATH_BYTES MAX_REDIRECTS MAX_REQUEST_BYTES MAX_RESPONSE_BYTES MAX_RESULT_BYTES MAX_RETRIES"
    " MAX_URL_BYTES MOCK NO_PROXY PAGE_SIZE PATH PORT PROXY READ_TIMEOUT RETRIES TIMEOUT TOOLS"
).split()
"""Environment variables, after the prefix, that the runtime reads or may come to read."""

_FOREIGN_PREFIXES = frozenset(
    {
        "ALL", "ANTHROPIC", "AWS", "AZURE", "CI", "DYLD", "GCP", "GH", "GIT", "GITHUB", "GITLAB",
        "GOOGLE", "HF", "HTTP", "HTTPS", "LD", "MYSQL", "NO", "NODE", "NPM", "OPENAI", "PG", "PIP",
        "PYTHON", "SSH", "SSL", "TWINE", "UV",
    }
)  # fmt: skip
"""Prefixes of other software's own variables, credentials among them, which no document may name."""

_SERVER_LENGTH = 40
_NOISE = frozenset(
    {
        "a", "an", "api", "apis", "definition", "docs", "documentation", "mcp", "of", "openapi",
        "reference", "rest", "restful", "schema", "server", "service", "spec", "specification",
        "swagger", "the",
    }
)  # fmt: skip
_VERSION = re.compile(r"v\d+[a-z]?\Z|\d+\Z")
_SECRETS = frozenset({"KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"})
_AUTH_WORDS = frozenset({"AUTH", "AUTHENTICATION", "AUTHORIZATION", "HTTP", "SCHEME"})
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}\Z")


@dataclass(frozen=True)
class KnownNames:
    """Names that an earlier generation gave, from the lock; they stay."""

    modules: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Names:
    """The identifiers of one server."""

    server: str
    """The MCP server's name."""
    distribution: str
    package: str
    env_prefix: str
    modules: Mapping[str, str]
    """Handler module by tag, in the order of the tools."""
    functions: Mapping[str, str]
    """Handler function by tool, unique over all modules."""
    keywords: Mapping[str, Mapping[str, str]]
    """Handler keyword by tool and argument."""
    extras: Mapping[str, str]
    """By tool: the keyword that takes all arguments no other keyword takes."""
    classes: Mapping[str, str]
    """Python type by the key of its place (`shapes.Place`): a component's key, or where it was lifted from."""
    env: Mapping[str, Mapping[str, str]]
    """Environment variable by security scheme and role (`env`, `username_env`, ...)."""
    variables: Mapping[str, str]
    """Environment variable by server variable."""
    lifted: Lifted = field(default_factory=Lifted, repr=False, compare=False)
    """The schemas that `classes` names."""

    def known(self) -> KnownNames:
        """What a lock keeps of these names."""
        return KnownNames(self.modules, self.functions, self.keywords, self.classes)


def decide(api: Api, *, package: str | None = None, known: KnownNames | None = None) -> Names:
    """Name everything; `package` is the user's own choice, `known` what the lock remembers."""
    known = known or KnownNames()
    server, distribution, package = _package(api.title, package)
    prefix = _env_prefix(server)
    used = {f"{prefix}_{name}" for name in _SETTINGS}
    env = _credentials(api.security_schemes, prefix, used)
    used |= {name for roles in env.values() for name in roles.values()}
    lifted = lift(api)
    keywords, extras = _keywords(api, known)
    return Names(
        server=server,
        distribution=distribution,
        package=package,
        env_prefix=prefix,
        modules=_modules(api, known),
        functions=_functions(api, known),
        keywords=keywords,
        extras=extras,
        classes=_classes(lifted, known),
        env=env,
        variables=_variables(api, prefix, used),
        lifted=lifted,
    )


def _package(title: str, package: str | None) -> tuple[str, str, str]:
    """Return the names of the MCP server, the distribution and the package."""
    if package is not None:
        words = [word.lower() for word in split(package)]
        server = "-".join(words[:-1] if len(words) > 1 and words[-1] == "mcp" else words)
        return server or "api", package.replace("_", "-"), package
    server = "-".join(_title_words(title))
    return server, f"{server}-mcp", f"{server.replace('-', '_')}_mcp"


def _title_words(title: str) -> list[str]:
    """The words of a title that name the API: those before `API`, without what every title says."""
    text = re.sub(r"['\u2019]s\b|['\u2019]", "", title)
    words = re.findall(r"[a-z0-9]+", ascii_text(text).lower())
    telling: list[str] = []
    for word in words:
        if word in {"api", "apis", "openapi"} and telling:
            break
        if word not in _NOISE and not (word[0] == "v" and _VERSION.match(word)):
            telling.append(word)
    while len(telling) > 1 and _VERSION.match(telling[-1]):
        telling.pop()
    words = telling or ["api"]
    return _cut(words if words[0][0].isalpha() else ["api", *words])


def _cut(words: list[str]) -> list[str]:
    """As many words as have room in a server's name."""
    kept = [words[0][:_SERVER_LENGTH]]
    for word in words[1:]:
        if len("-".join([*kept, word])) > _SERVER_LENGTH:
            break
        kept.append(word)
    return kept


def _env_prefix(server: str) -> str:
    prefix = upper(server, fallback="API")
    return f"{prefix}_MCP" if prefix.split("_")[0] in _FOREIGN_PREFIXES else prefix


def _modules(api: Api, known: KnownNames) -> dict[str, str]:
    tags = dict.fromkeys(tool.tag for tool in api.tools)
    candidates = {tag: _module(tag) for tag in tags}
    return unique(candidates, known=_valid(known.modules, RESERVED_MODULES), fold=True)


def _module(tag: str) -> str:
    name = snake(tag, fallback="tag", avoid=RESERVED_MODULES)
    if name.startswith("test_") or name.endswith("_test") or name == "test":
        return f"tag_{name}" if not name.endswith("test") else f"{name}_tag"
    return name


def _functions(api: Api, known: KnownNames) -> dict[str, str]:
    candidates = {
        tool.name: snake(tool.name, fallback="call", avoid=RESERVED_FUNCTIONS) for tool in api.tools
    }
    return unique(candidates, known=_valid(known.functions, RESERVED_FUNCTIONS))


def _keywords(api: Api, known: KnownNames) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    keywords: dict[str, dict[str, str]] = {}
    extras: dict[str, str] = {}
    for tool in api.tools:
        remembered = _valid(known.keywords.get(tool.name, {}), RESERVED_ARGUMENTS)
        candidates = {a.name: _keyword(a) for a in tool.arguments}
        keywords[tool.name] = unique(candidates, known=remembered)
        if tool.http.body is not None and tool.http.body.extra and tool.http.body.spread:
            taken = set(keywords[tool.name].values())
            names = ("extra", "extra_properties", "additional_properties")
            free = [name for name in names if name not in taken]
            extras[tool.name] = free[0] if free else unique({"*": "extra"}, taken=taken)["*"]
    return keywords, extras


def _keyword(argument: Argument) -> str:
    return snake(argument.name, fallback="arg", avoid=RESERVED_ARGUMENTS)


def _classes(lifted: Lifted, known: KnownNames) -> dict[str, str]:
    remembered = _valid(known.classes, RESERVED_CLASSES)
    components: dict[str, str] = {}
    inner: dict[str, str] = {}
    for key, place in lifted.places.items():
        into = inner if "/" in key else components
        into[key] = f"{place.name}Model" if place.name in RESERVED_CLASSES else place.name
    named = unique(components, taken=RESERVED_CLASSES, known=remembered, joint="")
    taken = RESERVED_CLASSES.union(named.values())
    return named | unique(inner, taken=taken, known=remembered, joint="")


def _credentials(
    schemes: Iterable[SecurityScheme], prefix: str, used: Collection[str]
) -> dict[str, dict[str, str]]:
    candidates = {
        f"{scheme.key}\n{role}": f"{prefix}_{name}"
        for scheme in schemes
        for role, name in _roles(scheme, prefix).items()
    }
    env: dict[str, dict[str, str]] = {}
    for text, name in unique(candidates, taken=used).items():
        key, _, role = text.rpartition("\n")
        env.setdefault(key, {})[role] = name.upper()
    return env


def _roles(scheme: SecurityScheme, prefix: str) -> dict[str, str]:
    """The environment variables of a scheme, without the prefix, by role."""
    words = _scheme_words(scheme.key, prefix)
    match scheme.type, scheme.scheme:
        case "http", "basic":
            stem = "".join(f"{word}_" for word in words if word != "BASIC")
            return {"username_env": f"{stem}USERNAME", "password_env": f"{stem}PASSWORD"}
        case "mutualTLS", _:
            stem = "_".join(words or ["MTLS"])
            return {"cert_env": f"{stem}_CERT", "key_env": f"{stem}_KEY"}
        case "apiKey", _:
            secret, fallback = "KEY", "API"
        case "oauth2", _:
            secret, fallback = "TOKEN", "OAUTH"
        case "openIdConnect", _:
            secret, fallback = "TOKEN", "OIDC"
        case _:
            secret, fallback = "TOKEN", "BEARER"
    words = words or [fallback]
    return {"env": "_".join(words if _SECRETS.intersection(words) else [*words, secret])}


def _scheme_words(key: str, prefix: str) -> list[str]:
    """The words of a scheme's key, without those of the prefix before and `Auth` and the like behind."""
    words = [word.upper() for word in split(key)]
    if not words and key:
        return [f"AUTH_{fingerprint(key).upper()}"]
    while words and words[0] in {*prefix.split("_"), "HTTP"}:
        del words[0]
    while words and words[-1] in _AUTH_WORDS:
        del words[-1]
    return words


def _variables(api: Api, prefix: str, used: Collection[str]) -> dict[str, str]:
    servers = [*api.servers, *(s for tool in api.tools for s in tool.http.servers)]
    names = dict.fromkeys(variable.name for server in servers for variable in server.variables)
    candidates = {name: f"{prefix}_{upper(name, fallback='SERVER')}" for name in names}
    return {name: env.upper() for name, env in unique(candidates, taken=used).items()}


def _valid(names: Mapping[str, str], reserved: Collection[str]) -> dict[str, str]:
    """The remembered names that still are what a name may be: a lock is a file that people can edit."""
    return {
        text: name
        for text, name in names.items()
        if _IDENTIFIER.match(name) and name not in KEYWORDS and name not in reserved
    }
