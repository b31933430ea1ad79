"""IR 2: the contents of the files to write, as Python text.

Everything here is text that a template only has to insert: identifiers that the naming stage made,
Python expressions in which every piece of the document is a literal, and whole data files.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class Keyword(Struct, frozen=True):
    """A keyword-only parameter of a handler."""

    name: str
    annotation: str
    default: str = ""
    """`UNSET`, the schema's own, or empty where the argument is required."""


class Handler(Struct, frozen=True):
    """A typed async function that serves a tool."""

    tool: str
    """Python literal of the tool's name."""
    function: str
    renames: tuple[str, ...]
    """`keyword="argument"` for the decorator, where the two differ."""
    keywords: tuple[Keyword, ...]
    returns: str
    docstring: str
    """A complete literal, quotes included."""
    call: tuple[str, ...]
    """The arguments of `send`, each a Python expression; none for a handler by hand."""
    client: str = "ctx.api"
    """The expression of the API whose `send` is called."""
    unfilled: str = ""
    """A handler by hand: literal of what it answers until somebody has written it."""


class Module(Struct, frozen=True):
    """A module of handlers: the tools of a tag."""

    name: str
    docstring: str
    typing: tuple[str, ...]
    """Names imported from `typing`, sorted."""
    mapping: bool
    """True: some annotation needs `collections.abc.Mapping`."""
    runtime: tuple[str, ...]
    """Names imported from `_runtime`, sorted."""
    models: tuple[str, ...]
    """Names imported from `models`, sorted."""
    handlers: tuple[Handler, ...]


class Function(Struct, frozen=True):
    """A function that reads a resource, makes a prompt, or completes an argument."""

    mark: str
    """The decorator without its `@`."""
    name: str
    keywords: tuple[Keyword, ...]
    returns: str
    docstring: str
    call: tuple[str, ...]
    """The arguments of the client's `send`; none for a function by hand."""
    unfilled: str
    """A function by hand: literal of what it answers until somebody has written it."""
    client: str = "ctx.api"
    """The expression of the client of its API."""


class FunctionModule(Struct, frozen=True):
    """A module next to the handlers, with the functions of resources or of prompts."""

    name: str
    docstring: str
    imports: tuple[str, ...]
    """Import statements, in order; an empty one is an empty line."""
    functions: tuple[Function, ...]


class OfferRow(Struct, frozen=True):
    """A row of the README's table of resources or prompts, cells escaped for Markdown."""

    key: str
    source: str
    summary: str


class Entry(Struct, frozen=True):
    """A row of the table that leads from a tool to its handler."""

    tool: str
    target: str
    """Python literals: the tool's name, and `module:function`."""


class FurtherApi(Struct, frozen=True):
    """An API of a further source, which handlers find in `ctx.apis`."""

    key: str
    """Python literal of its name."""
    env_prefix: str
    arguments: tuple[str, ...]
    """Keyword arguments of `Api`, each a Python expression."""


class Variable(Struct, frozen=True):
    """An environment variable that the server reads."""

    name: str
    default: str
    """What holds where it is unset."""
    description: str
    optional: bool
    """True: the server does without it."""
    callers: bool
    """True: it is about who calls the server, and what becomes of that."""
    default_cell: str
    description_cell: str
    """The two for a table in Markdown."""
    required: bool = False
    """True: no call works without it."""
    signs_in: bool = False
    """True: it is a credential of the API, or a part of one."""
    usual: bool = False
    """True: most people set it to sign in."""
    secret: bool = False
    choices: tuple[str, ...] = ()
    """The only values that it takes; empty: there are others."""
    format: str = "string"
    """What its value is: string, number, boolean or filepath."""

    @property
    def is_asked(self) -> bool:
        """Whether everybody is asked for the variable: the server needs it, or it signs in."""
        return self.required or (self.usual and not self.optional)

    @property
    def is_listed(self) -> bool:
        """Whether registries and hosts list the variable: it is required, or a way to sign in."""
        return self.required or (self.signs_in and not self.optional)


class InstallLinks(Struct, frozen=True):
    """Links and commands that add a published server to a host."""

    vs_code: str
    cursor: str
    claude_code: str
    """Two links, and a command."""


class CallerScheme(Struct, frozen=True):
    """A security scheme whose credential comes with callers' requests; its texts are Markdown."""

    scheme: str
    header: str
    exchanged: bool
    """True: what comes is exchanged for a token of the API."""


class ToolRow(Struct, frozen=True):
    """A row of the README's table, cells escaped for Markdown."""

    name: str
    operation: str
    summary: str
    hints: str
    module: str
    """The module of its handler."""
    group: str
    """The slug of its group."""


class Package(Struct, frozen=True):
    """A server package, ready for the templates."""

    name: str
    """The import name."""
    distribution: str
    """The name in `pyproject.toml` and of the console script."""
    server: str
    """The MCP server's name."""
    env_prefix: str
    version: str
    """A PEP 440 version."""
    title: str
    """One line, plain text."""
    literals: Mapping[str, str]
    """Document text as literals of other languages, by `<language>_<what>`: `toml_description`."""
    info: tuple[str, ...]
    """Keyword arguments of `ServerInfo`, each a Python expression."""
    defaults: tuple[str, ...]
    """Keyword arguments of the `Settings` the server starts from."""
    api: tuple[str, ...]
    """Keyword arguments of `Api`, each a Python expression."""
    apis: tuple[FurtherApi, ...]
    """The APIs of further sources."""
    api_imports: tuple[str, ...]
    modules: tuple[Module, ...]
    entries: tuple[Entry, ...]
    callers: tuple[CallerScheme, ...]
    variables: tuple[Variable, ...]
    tools: tuple[ToolRow, ...]
    listed: int
    """How many tools clients are shown: with the search surface, those of the surface."""
    scoped: bool
    """True: some tool needs a scope."""
    calls_api: bool
    """True: there is an API, and not only tools in Python."""
    http_tools: bool
    """True: some tool is a request to an API."""
    python_tools: bool
    """True: some tool is a function that somebody writes."""
    signs_in: bool
    """True: some API takes a credential."""
    signs_in_itself: bool
    """True: some API takes a credential that callers do not bring."""
    sign_in: str
    """Which credentials are enough, in Markdown; empty where there is nothing to choose."""
    first_tool: str
    """A tool to try first: it reads, and needs few arguments."""
    functions: tuple[FunctionModule, ...] = ()
    resources: tuple[OfferRow, ...] = ()
    prompts: tuple[OfferRow, ...] = ()
    mcpgen: str = ""
    """The version that writes it."""
    runtime: str = ""
    """The requirement of the package `mcpgen-runtime`; empty: the runtime is vendored."""
    runtime_series: str = ""
    """What the versions have in common that the requirement takes."""
    search_prefix: str = ""
    """What the names of the search surface's own tools begin with."""
    parts: tuple[str, ...] = ()
    """The parts of the runtime that the server names, in the order in which they are installed."""
    settings: str = "Settings"
    """What takes the settings that the server starts from: `dict` where a part has some of them."""
    registry_name: str = ""
    """Its name in the MCP registry; empty: it is not there."""
    install_links: InstallLinks | None = None
    """Where it is published."""
    data: Mapping[str, str] = field(default_factory=dict)
    """Whole files by path in the package, such as resources.json."""
