"""Every Python identifier of a generated server, decided once for the whole document."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct, field
from msgspec.structs import replace

from ..api import Api, Tool
from ..lifting.lifter import Lifted, lift
from ..operations.matching import segments
from ..text.words import BUILTINS, DEVICES, KEYWORDS, snake, split, unique
from . import env_names, offer_names
from .server_name import chosen_name, server_name

RESERVED_ARGUMENTS = frozenset({"ctx", "fitting", "from_env", "if_given", "l", "self", "style"})
RESERVED_FUNCTIONS = BUILTINS | RESERVED_ARGUMENTS | {"annotations", "tool"}
RESERVED_MODULES = DEVICES | {"annotations", "conftest", "init", "main", "setup"}
RESERVED_PACKAGES = DEVICES | {"httpx", "httpx2", "jsonschema", "mcp", "mcp_types", "test", "tests"}
RESERVED_CLASSES = frozenset(
    {
        "Annotated", "Any", "AsyncIterator", "Awaitable", "Callable", "ClassVar", "Context",
        "False", "Final", "Generic", "I", "Iterable", "Iterator", "Literal", "Mapping", "None",
        "NotRequired", "O", "Optional", "Protocol", "ReadOnly", "Required", "Response", "Self",
        "Sequence", "ServerUrl", "True", "Type", "TypeAlias", "TypeVar", "TypedDict", "UNSET",
        "Union", "Unset", "Variable",
    }
)  # fmt: skip

_SNAKE = re.compile(r"[a-z][a-z0-9_]{0,79}\Z")
_SEGMENTS = re.compile(r"(?:/[^/{]*(?=/|\Z))*")
"""The whole segments of a path before its first variable."""
_PASCAL = re.compile(r"[A-Z][A-Za-z0-9]{0,79}\Z")
_SERVER = re.compile(r"[a-z][a-z0-9]{0,39}(?:-[a-z0-9]{1,40})*\Z")


class KnownNames(Struct, frozen=True):
    """The names of an earlier generation, which the lock keeps."""

    server: str = ""
    modules: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    offers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The functions of resources and prompts by module and key."""
    given: Mapping[str, str] = field(default_factory=dict)
    """The functions of handlers that people edited, by tool: they have those names already."""
    taken: frozenset[str] = frozenset()
    """Names that no other function gets: modules that people edited have them already."""
    api_module: str = ""
    """The text of `api.py`, which names the variables of credentials."""


class ApiNames(Struct, frozen=True):
    """The environment variables of one API."""

    env_prefix: str
    env: Mapping[str, Mapping[str, str]]
    """Environment variable by security scheme and role (`env`, `username_env`, ...)."""
    variables: Mapping[str, str]
    """Environment variable by server variable."""


class Names(Struct, frozen=True):
    """The names in one server's code, such as those of its package, modules and functions."""

    server: str
    """The MCP server's name."""
    distribution: str
    package: str
    modules: Mapping[str, str]
    """Handler module by tag, in the order of the tools."""
    functions: Mapping[str, str]
    """Handler function by tool, unique over all modules but where people gave names."""
    keywords: Mapping[str, Mapping[str, str]]
    """Handler keyword by tool and argument."""
    extras: Mapping[str, str]
    """By tool: the keyword that takes all arguments no other keyword takes."""
    apis: Mapping[str, ApiNames]
    """The environment variables of each API, by its key."""
    offers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By module, `resources` or `prompts`: function by key, and by `offer_names.completion` for
    what completes an argument.
    """
    classes: Mapping[str, str] = field(default_factory=dict)
    """Python type by its place (`shapes.Place`): a component's key, or where it was lifted."""
    lifted: Lifted = field(default_factory=Lifted)
    """The schemas that `classes` names."""

    @property
    def env_prefix(self) -> str:
        """The prefix of all variables of the server itself."""
        return self.apis[""].env_prefix


def decide(
    api: Api,
    *,
    name: str = "",
    package: str | None = None,
    kept_names: KnownNames | None = None,
) -> Names:
    """The names of everything except the types.

    `name` and `package` are the user's own choices; `kept_names` has the names in the lock.
    """
    kept_names = kept_names or KnownNames()
    server, distribution, package = _package(api, name or api.name, package, kept_names)
    keywords, extras = _keywords(api, kept_names)
    return Names(
        server=server,
        distribution=distribution,
        package=package,
        modules=modules(api, kept_names.modules),
        functions=_functions(api, kept_names),
        keywords=keywords,
        extras=extras,
        apis=_apis(api, server, kept_names.api_module),
        offers={
            module: offer_names.functions(
                offers,
                RESERVED_FUNCTIONS,
                _valid(kept_names.offers.get(module, {}), _SNAKE, RESERVED_FUNCTIONS),
            )
            for module, offers in (("resources", api.resources), ("prompts", api.prompts))
        },
    )


def with_classes(names: Names, api: Api, kept_names: KnownNames | None = None) -> Names:
    """A copy of `names` with the types' names added; `kept_names` has the names in the lock."""
    kept_names = kept_names or KnownNames()
    lifted = lift(api, kept_names.classes)
    return replace(names, classes=_classes(lifted, kept_names), lifted=lifted)


def _apis(api: Api, server: str, api_module: str) -> dict[str, ApiNames]:
    """The variables of each API, under prefixes that do not overlap."""
    apis: dict[str, ApiNames] = {}
    for key, part in api.parts.items():
        start = env_names.prefix(key or server, [each.env_prefix for each in apis.values()])
        env = env_names.credentials(part, start, api_module)
        apis[key] = ApiNames(start, env, env_names.server_variables(part, start, env))
    return apis


def _package(
    api: Api, name: str, package: str | None, kept_names: KnownNames
) -> tuple[str, str, str]:
    """The names of the MCP server, the distribution and the package."""
    if package is not None:
        package = _importable(package)
        server = chosen_name(package)
        # A distribution's name begins and ends with a letter or digit (PyPA, "Names").
        distribution = package.replace("_", "-").strip("-")
        return server, distribution or f"{server}-mcp", package
    remembered = "" if name or not _SERVER.match(kept_names.server) else kept_names.server
    server = remembered or server_name(api.title, name, api.servers)
    return server, f"{server}-mcp", f"{server.replace('-', '_')}_mcp"


def _importable(package: str) -> str:
    """The chosen package name, or the most similar valid name that shadows nothing."""
    if not (package.isascii() and package.isidentifier()):
        package = snake(package, fallback="api").rstrip("_")
    in_use = sys.stdlib_module_names | RESERVED_PACKAGES | KEYWORDS
    return package if in_use.isdisjoint({package, package.lower()}) else f"{package}_mcp"


def modules(api: Api, kept_names: Mapping[str, str]) -> dict[str, str]:
    """The module of an API's handlers for each tag; valid names in `kept_names` are kept."""
    tagged: dict[str, list[Tool]] = {}
    for tool in api.tools:
        tagged.setdefault(tool.tag, []).append(tool)
    candidates = {tag: _module(_telling(tag, tools)) for tag, tools in tagged.items()}
    remembered = {
        tag: name
        for tag, name in _valid(kept_names, _SNAKE, RESERVED_MODULES).items()
        if not _is_collected(name)
    }
    return unique(candidates, kept_names=remembered, fold=True)


def _telling(tag: str, tools: Sequence[Tool]) -> str:
    """The tag; if it has no usable letters, the first words that all paths of its tools share."""
    source = tools[0].api
    if split(tag.removeprefix(f"{source}/")):
        return tag
    starts = [_SEGMENTS.match(tool.http.path) for tool in tools if tool.http is not None]
    words = [segments(start[0]) if start else [] for start in starts]
    together = takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))
    shared = " ".join(column[0] for column in together)
    return f"{source} {shared}".strip() if split(shared) else tag


@functools.lru_cache(10_000)
def _module(tag: str) -> str:
    name = snake(tag, fallback="tag", avoid=RESERVED_MODULES)
    return f"tag_{name}_" if _is_collected(name) else name


def _is_collected(module: str) -> bool:
    """Whether pytest would collect a module of that name as tests."""
    return module.startswith("test_") or module.endswith("_test")


@functools.lru_cache(10_000)
def function(tool: str) -> str:
    """The function name of a tool, before collisions with other tools are resolved."""
    return snake(tool, fallback="call", avoid=RESERVED_FUNCTIONS)


def _functions(api: Api, kept_names: KnownNames) -> dict[str, str]:
    candidates = {t.name: function(t.name) for t in api.tools if t.name not in kept_names.given}
    remembered = _valid(kept_names.functions, _SNAKE, RESERVED_FUNCTIONS)
    names = unique(candidates, in_use=kept_names.taken, kept_names=remembered)
    return {tool.name: kept_names.given.get(tool.name) or names[tool.name] for tool in api.tools}


def _keywords(api: Api, kept_names: KnownNames) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    keywords: dict[str, dict[str, str]] = {}
    extras: dict[str, str] = {}
    for tool in api.tools:
        candidates = {argument.name: _keyword(argument.name) for argument in tool.arguments}
        remembered = _valid(kept_names.keywords.get(tool.name, {}), _SNAKE, RESERVED_ARGUMENTS)
        keywords[tool.name] = unique(candidates, kept_names=remembered)
        if tool.takes_extra:
            in_use = keywords[tool.name].values()
            extras[tool.name] = unique({"*": "extra"}, in_use=in_use)["*"]
    return keywords, extras


@functools.lru_cache(10_000)
def _keyword(name: str) -> str:
    return snake(name, fallback="arg", avoid=RESERVED_ARGUMENTS)


def _classes(lifted: Lifted, kept_names: KnownNames) -> dict[str, str]:
    """Name the types: first those in the lock, then components, then lifted schemas."""
    components = {place.name for key, place in lifted.places.items() if "/" not in key}

    def candidate(key: str, name: str) -> str:
        if name in RESERVED_CLASSES:
            return f"{name}Model"
        return f"{name}Inline" if "/" in key and name in components else name

    candidates = {key: candidate(key, place.name) for key, place in lifted.places.items()}
    remembered = _valid(kept_names.classes, _PASCAL, RESERVED_CLASSES)
    names: dict[str, str] = {}
    for keys in (
        [key for key in candidates if key in remembered],
        [key for key in candidates if key not in remembered and "/" not in key],
        [key for key in candidates if key not in remembered and "/" in key],
    ):
        in_use = RESERVED_CLASSES.union(names.values())
        group = {key: candidates[key] for key in keys}
        names |= unique(group, in_use=in_use, kept_names=remembered, joint="")
    return {key: names[key] for key in candidates}


def _valid(
    names: Mapping[str, str], pattern: re.Pattern[str], reserved: Collection[str]
) -> dict[str, str]:
    """The names from a lock that mcpgen could have given; others are dropped, since anyone can edit
    it.
    """
    return {
        text: name
        for text, name in names.items()
        if pattern.match(name) and name not in KEYWORDS and name not in reserved
    }
