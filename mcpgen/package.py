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
    """`UNSET`, the schema's default, or empty for a required argument."""


class Handler(Struct, frozen=True):
    """A typed async function that serves a tool."""

    tool: str
    """The tool's name, as a Python literal."""
    function: str
    renames: tuple[str, ...]
    """`keyword="argument"` for the decorator, if the two names differ."""
    keywords: tuple[Keyword, ...]
    returns: str
    docstring: str
    """A complete Python literal, with its quotes."""
    call: tuple[str, ...]
    """The arguments of `send`, each a Python expression; empty for a hand-written handler."""
    client: str = "ctx.api"
    """The Python expression for the API whose `send` is called."""
    unfilled: str = ""
    """For a hand-written handler: the literal that it returns until somebody has written it."""


class Module(Struct, frozen=True):
    """A module of handlers, which contains those for the tools of one tag."""

    name: str
    docstring: str
    typing: tuple[str, ...]
    """Names imported from `typing`, sorted."""
    mapping: bool
    """Whether an annotation needs `collections.abc.Mapping`."""
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
    """The arguments of the client's `send`; empty for a hand-written function."""
    unfilled: str
    """For a hand-written function: the literal that it returns until somebody has written it."""
    client: str = "ctx.api"
    """The Python expression for the client of its API."""


class FunctionModule(Struct, frozen=True):
    """A module next to the handlers, with the functions of resources or of prompts."""

    name: str
    docstring: str
    imports: tuple[str, ...]
    """The import statements, in order; an empty string is an empty line."""
    functions: tuple[Function, ...]


class OfferRow(Struct, frozen=True):
    """A row of the README's table of resources or prompts, cells escaped for Markdown."""

    key: str
    source: str
    summary: str


class Entry(Struct, frozen=True):
    """A row of the table that maps a tool to its handler."""

    tool: str
    target: str
    """Both are Python literals: the tool's name, and `module:function`."""


class FurtherApi(Struct, frozen=True):
    """An API of a further source, which handlers find in `ctx.apis`."""

    key: str
    """The API's name, as a Python literal."""
    env_prefix: str
    arguments: tuple[str, ...]
    """Keyword arguments of `Api`, each a Python expression."""


class Variable(Struct, frozen=True):
    """An environment variable that the server reads."""

    name: str
    default: str
    """The value that is used if the variable is not set."""
    description: str
    optional: bool
    """Whether the server works without the variable."""
    callers: bool
    """Whether the variable is for identifying, restricting, limiting or monitoring callers."""
    default_cell: str
    description_cell: str
    """Both cells are for a table in Markdown."""
    required: bool = False
    """Whether every call fails without the variable."""
    signs_in: bool = False
    """Whether the variable is a credential of the API, or a part of a credential."""
    usual: bool = False
    """Whether most people set the variable to sign in."""
    secret: bool = False
    choices: tuple[str, ...] = ()
    """The only possible values; empty: other values are possible."""
    format: str = "string"
    """The format of the value: string, number, boolean or filepath."""

    @property
    def is_asked(self) -> bool:
        """Whether everybody is asked for the variable: it is required, or most people sign in with
        it.
        """
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
    """A command; the other two are links."""


class CallerScheme(Struct, frozen=True):
    """A security scheme whose credential comes with callers' requests; its texts are Markdown."""

    scheme: str
    header: str
    exchanged: bool
    """Whether the credential is exchanged for a token of the API."""


class ToolRow(Struct, frozen=True):
    """A row of the README's table, cells escaped for Markdown."""

    name: str
    operation: str
    summary: str
    hints: str
    module: str
    """The module of the tool's handler."""
    group: str
    """The slug of the tool's group."""


class Package(Struct, frozen=True):
    """A server package, ready for the templates."""

    name: str
    """The import name of the package."""
    distribution: str
    """The name in `pyproject.toml`, and of the console script."""
    server: str
    """The name of the MCP server."""
    env_prefix: str
    version: str
    """A PEP 440 version."""
    title: str
    """A line of plain text."""
    literals: Mapping[str, str]
    """Strings of the document as literals of other languages, by `<language>_<name>`, such as
    `toml_description`."""
    info: tuple[str, ...]
    """Keyword arguments of `ServerInfo`, each a Python expression."""
    defaults: tuple[str, ...]
    """Keyword arguments of the `Settings` with which the server starts."""
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
    """The number of tools that clients see in the list; with the search surface, only its own."""
    scoped: bool
    """Whether a tool needs a scope."""
    calls_api: bool
    """Whether there is an API; else all tools are written in Python."""
    http_tools: bool
    """Whether a tool is a request to an API."""
    python_tools: bool
    """Whether a tool is a Python function that somebody writes."""
    signs_in: bool
    """Whether an API takes a credential."""
    signs_in_itself: bool
    """Whether an API takes a credential that callers do not send."""
    sign_in: str
    """Markdown that names the credentials that suffice; empty if there is no choice."""
    first_tool: str
    """A tool to try first: it reads, and needs few arguments."""
    functions: tuple[FunctionModule, ...] = ()
    resources: tuple[OfferRow, ...] = ()
    prompts: tuple[OfferRow, ...] = ()
    mcpgen: str = ""
    """The version of mcpgen that writes the package."""
    runtime: str = ""
    """The requirement on the package `mcpgen-runtime`; empty: the runtime is vendored."""
    runtime_series: str = ""
    """The part of the version number that all versions accepted by `runtime` share."""
    search_prefix: str = ""
    """The prefix of the names of the search surface's own tools."""
    parts: tuple[str, ...] = ()
    """The parts of the runtime that the server names, in the order of installation."""
    settings: str = "Settings"
    """The class of the initial settings: `Settings`, or `dict` if a part has some of them."""
    registry_name: str = ""
    """The name in the MCP registry; empty: the server is not there."""
    install_links: InstallLinks | None = None
    """The links with which people add the server; None if it is not published."""
    data: Mapping[str, str] = field(default_factory=dict)
    """Complete files by path in the package, such as resources.json."""
