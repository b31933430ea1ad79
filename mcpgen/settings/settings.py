"""The settings of a server: each has one row here, and is read by one stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..api import HINTS
from .rows import GENERATING, Row, settings_of

FILE_NAME = "mcpgen.toml"
MEMBERS = "members"
"""The only key of a workspace that is not a key of its servers too."""
EVERY = "*"
"""The name of the table that has hints, arguments and scopes for every tool."""
GROUP_TABLE = "group:"
"""The prefix in the name of a table for a group, as in `group:order-desk`."""
SEVERAL = rf"^(?!\*$)(?:{GROUP_TABLE}|[A-Z]+ |.*[*?\[])"
"""The pattern of the names of tables that are for several tools."""
PROMISES = ("open", "strict", "none")
"""The values of `output_schema`."""
_SURFACES = ("auto", "tools", "search")
_SECURITY = ("document", "all")
MAX_DESCRIPTION = 100
"""The most characters of a description in the MCP registry."""
MIB = 1024 * 1024
Texts = tuple[str, ...]
Table = Mapping[str, Any]

_OPENAPI = ("from-openapi",)
_DOCUMENT = (*_OPENAPI, "diff", "inspect", "overlay")
_EVERY = (*_DOCUMENT, "from-schema")
_WORDS = r"[\s\S]*\S[\s\S]*"
"""A string that is not blank."""
_LIST = r"(?:-.+|[^-].*)"
"""A file name or a URL, but not `-`: standard input can be read only once."""
_PREFIX = r"[A-Za-z0-9_.-]{0,32}"
TOOL_NAME = r"[A-Za-z0-9_.-]{1,64}"
_HEADER = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # RFC 9110 5.1
_MEDIA_TYPE = r"[^\s/]+/\S.*"
_SCOPE = r"[!#-\[\]-~]+"  # RFC 6749 3.3
_IPV6 = "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
_HOST = rf"(?:[^\s/@?#*:\\\[\]]+|\[{_IPV6}\])(?::[0-9]+)?|{_IPV6}"
"""A host name or an IP address, perhaps with a port, which requires brackets around IPv6."""
_URL = r'https://[^\s{}"<>]+'
_SECURE = (
    r"(?:[Hh][Tt][Tt][Pp][Ss]://(?:[^\s/?#@:\[\]{}]+|\[[0-9A-Fa-f:.]+\])|[Hh][Tt][Tt][Pp]://(?:localhost|127(?:\.[0-9]{1,3}){3}|"
    r"\[::1\]))(?::[0-9]+)?(?:[/?#][!-z|~]*)?"
)
"""A URL that may receive secrets: https, or http to this machine."""
_BASE = r"https?://[^\s=?#@]+=[\s\S]+"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = "[\\w\u00a1-\uffff-]+"
EMAIL = rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"
"""An address of RFC 5322 3.4.1 without quotes and brackets, which packaging tools refuse."""
PERSON = r"[^<>\x00-\x1f]*[^<>\s]"
_AUTHOR = rf"\s*(?:{PERSON}\s*(?:<{EMAIL}>\s*)?|<{EMAIL}>\s*)"
_STEP = r"""\.[^\s.\[\]'"*$]+|\.\*|\[(?:\*|'[^']+'|"[^"]+")\]"""
_FIELD = rf"\$(?:{_STEP})+"
_ANY_FIELD = rf"\$(?:\.?(?:{_STEP}))+"
_SPDX_ID = r"\(*[A-Za-z0-9.+-]+(?: (?:WITH|with) [A-Za-z0-9.-]+)?\)*"
_SPDX = rf"(?:{_SPDX_ID}(?: (?:AND|OR|and|or) {_SPDX_ID})*)?"
ORIGIN = r"\s*https?://[^\s/?#@]+/?\s+"
HEADER = rf"{_HEADER}=[A-Za-z_][A-Za-z0-9_]*\s*"


class Poll:
    """How to wait for an operation that answers 202."""

    status: str
    """The JSON Pointer of the operation's state in an answer at the status URL: /status."""
    running: list[str]
    """The states in which the operation is still running."""
    failed: list[str]
    """The states in which the operation has failed."""
    progress: str
    """The JSON Pointer of the percentage that is done, in an answer at the status URL."""
    result: str
    """The JSON Pointer of the result, or of its URL, in the last answer."""
    operation: str
    """The operation whose answer is the result: its operationId, or GET /path."""
    header: str
    """The header with the status URL; left out: Operation-Location, Location, Content-Location."""
    cancel: str
    """The method that cancels the operation at the status URL: DELETE, POST or PUT."""
    interval: float
    """The seconds between two requests to the status URL, if the API sends no Retry-After."""
    timeout: float
    """The most seconds that the whole operation may take."""


class Pages:
    """Settings for the pagination of a collection: by cursor, by page number or by offset."""

    items: str
    """The path of the items in an answer, such as data.list; left out: the answer is the list."""
    cursor: Annotated[str, Row(excludes=("page", "offset"), needs="at")]
    """The argument for the cursor of the next page, which an answer has at the path `at`."""
    at: str
    """The path of that cursor in an answer; without `cursor`, the path of the next page's URL."""
    page: Annotated[str, Row(excludes=("offset",))]
    """The argument for the number of the page."""
    first: int
    """The number of the first page; left out: 1."""
    offset: str
    """The argument for the number of items to skip."""
    size: str
    """The argument for the number of items on a page."""
    usual: int
    """The number of items on a page if a call does not give it."""


_TYPES = ("string", "integer", "number", "boolean", "array", "object")


class Argument:
    """Settings for an argument of a tool, or for an additional argument."""

    new: Annotated[bool, Row(excludes=("name", "hidden", "value", "env"))]
    """true: an additional argument, which agents see; only the handler gets it, not the API."""
    type: Annotated[str, Row(choices=_TYPES, excludes=("schema", "hidden", "value", "env"))]
    """The type of the value: string, integer, number, boolean, array or object."""
    schema: Annotated[dict[str, Any], Row(excludes=("hidden", "value", "env"))]
    """The value's JSON Schema, replacing the document's: `{ type = ["integer", "string"] }`."""
    name: Annotated[str, Row(pattern=TOOL_NAME)]
    """The name that agents see: at most 64 of A-Z, a-z, 0-9, `_-.`; the API gets its own name."""
    description: str
    """The description that agents read; it replaces the document's."""
    default: Annotated[Any, Row(excludes=("hidden", "value", "env"))]
    """The default that agents see; it is sent if a call leaves the argument out."""
    hidden: Annotated[bool, Row(excludes=("value", "env"))]
    """true: agents do not see the argument, and it is not sent."""
    value: Annotated[Any, Row(excludes=("env",))]
    """The value that is always sent; agents do not see the argument."""
    env: Annotated[str, Row(pattern=r"[A-Z_][A-Z0-9_]*")]
    """An environment variable (A-Z, 0-9, `_`) whose value is sent; the argument is hidden."""


class Tool:
    """Settings that change one tool."""

    enabled: Annotated[bool, Row(several=True)]
    """false: the server does not have the tool."""
    name: Annotated[str, Row(pattern=TOOL_NAME)]
    """The name that agents see: at most 64 of A-Z, a-z, 0-9, `_`, `-` and `.`."""
    title: Annotated[str, Row(pattern=_WORDS)]
    """The title that people see."""
    description: Annotated[str, Row(pattern=_WORDS)]
    """The description that agents read; it replaces the document's."""
    annotations: Annotated[dict[str, bool], Row(keys=tuple(HINTS), every=True, several=True)]
    """Hints that replace those made from the HTTP method: { destructiveHint = false }."""
    arguments: Annotated[dict[str, Any], Row(table=Argument, named="argument", every=True)]
    """Tables for single arguments; in [tools."*"], for the arguments of every tool."""
    redact: Annotated[list[str], Row(pattern=_ANY_FIELD)]
    """Fields that are masked in the tool's answers: paths such as $.customer.email or $..token."""
    headers: Annotated[list[str], Row(pattern=_HEADER)]
    """Further headers of the tool's answers that agents see, such as X-Trace."""
    accept: Annotated[str | bool, Row(pattern=_MEDIA_TYPE)]
    """The declared media type in which answers are requested, such as text/csv; true: agents choose
    one in an argument."""
    scopes: Annotated[list[str], Row(pattern=_SCOPE, every=True, several=True)]
    """The scopes that callers with tokens need for the tool, over HTTP. In [tools."*"]: for each
    tool that would otherwise need none."""
    fields: Annotated[list[str], Row(pattern=_FIELD)]
    """The only fields that agents get of answers: paths such as $.items[*].id, without `..`."""
    output_schema: Annotated[str, Row(choices=PROMISES)]
    """What the tool's outputSchema promises: open, strict or none."""
    output_schema_bytes: Annotated[int, Row(least=0)]
    """The most bytes of the tool's outputSchema; a longer one is cut to an outline."""
    timeout: Annotated[float, Row(above=0, several=True)]
    """The most seconds that a call of the tool may take; replaces TIMEOUT."""
    retries: Annotated[int, Row(least=0, several=True)]
    """How often a failed request of the tool is sent again; replaces RETRIES."""
    result_tokens: Annotated[int, Row(least=1, several=True)]
    """The most tokens of an answer that agents get (clients are told); replaces RESULT_TOKENS."""
    meta: dict[str, Any]
    """The `_meta` of the tool, which clients read: {"com.example/team" = "shop"}."""
    task: Annotated[str, Row(choices=("forbidden", "optional", "required"))]
    """Whether calls run as tasks: optional (they may), required (they must) or forbidden."""
    pinned: bool
    """true: the search surface lists the tool together with its own tools."""
    keywords: Annotated[list[str], Row(pattern=_WORDS)]
    """Additional words by which the search surface finds the tool."""
    pages: Annotated[dict[str, Any], Row(table=Pages)]
    """How call_read_tool gets further pages of the tool's answers; {}: it gets none."""
    poll: Annotated[dict[str, Any], Row(table=Poll)]
    """How to wait for an operation that answers 202; {}: with the defaults."""


class Group:
    """Tools that belong together, and are switched on and off together."""

    tools: list[str]
    """The tools of the group: names, or a method and a path, with globs: orders_*, GET /books/*."""
    prompts: list[str]
    """The names of prompts that are switched on and off with the tools."""
    skills: list[str]
    """The names of skills that are switched on and off with the tools."""
    description: Annotated[str, Row(pattern=_WORDS)]
    """The purpose of the group, which agents read."""


class Search:
    """Settings for the tools that the search surface adds itself."""

    prefix: Annotated[str, Row(pattern=r"[A-Za-z0-9_.-]{0,40}")]
    """The prefix of the names of the search surface's own tools: at most 40 of A-Z, a-z, 0-9, `_`,
    `-` and `.`, such as shop_."""


class Scheme:
    """A Security Scheme Object of OpenAPI, which may have other keys, too."""

    type: Annotated[str, Row(choices=("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"))]
    """apiKey, http, oauth2, openIdConnect or mutualTLS."""
    in_: str
    """For apiKey: header, query or cookie."""
    name: str
    """For apiKey: the name of the header, parameter or cookie."""
    scheme: str
    """For http: bearer, basic, digest, or another scheme."""
    flows: dict[str, Any]
    """For oauth2: the flows with their URLs and scopes, as in OpenAPI."""
    openIdConnectUrl: str
    """For openIdConnect: the URL of the discovery document."""


class Auth:
    """How an API gets its credentials: from the environment, from callers or from a sign-in."""

    source: Annotated[str, Row(choices=("environment", "caller", "sign_in"))]
    """Where the API's credentials come from: environment; caller (callers over HTTP send their
    own); or sign_in (a token of the person who signed in, see [sign_in])."""
    schemes: Annotated[list[str], Row(server="delegated_schemes")]
    """For sign_in: the security schemes that get the token; left out: all that take tokens."""
    token: Annotated[str, Row(choices=("own", "exchanged"), server="delegated_token")]
    """For sign_in: own (the provider's access token), or exchanged (a token of the API, which the
    provider gives in exchange: RFC 8693, or Entra's on-behalf-of)."""
    scopes: Annotated[list[str], Row(pattern=_SCOPE, server="delegated_scopes")]
    """For sign_in: the scopes of that token; left out: those that the operations require."""
    headers: Annotated[dict[str, str], Row(pattern=_HEADER, server="caller_auth")]
    """For caller: the header in which callers send the credential of each security scheme."""
    exchange: Annotated[dict[str, str], Row(pattern=_HEADER, server="caller_exchange")]
    """For caller: the header with a token that is exchanged for one of the API (RFC 8693), for each
    security scheme."""
    exchange_token_url: Annotated[str, Row(pattern=_SECURE, server="exchange_token_url")]
    """The URL (https) at which tokens are exchanged; left out: the token endpoint of the scheme, or
    of the provider."""
    exchange_audience: Annotated[str, Row(server="exchange_audience")]
    """The audience that an exchange requests."""
    exchange_resource: Annotated[str, Row(server="exchange_resource")]
    """The resource that an exchange requests, a URI."""


class SignIn:
    """Settings for sign-in at a provider; MCP clients use this server as authorization server."""

    provider: Annotated[
        str,
        Row(
            choices=("entra", "google", "github", "okta", "auth0", "oidc"),
            server="sign_in_provider",
        ),
    ]
    """The provider: entra, google, github, okta, auth0 or oidc (any other OpenID provider)."""
    issuer: Annotated[str, Row(pattern=_SECURE, server="sign_in_issuer")]
    """The provider's issuer URL: https://acme.okta.com; not needed for Google and github.com."""
    groups: Annotated[str, Row(server="sign_in_groups")]
    """The claim that has a person's groups or roles, if it is not one of the usual claims."""
    scopes: Annotated[dict[str, list[str]], Row(pattern=_SCOPE, server="sign_in_scopes")]
    """The scopes that people in a group, role or organisation get; `*` is everybody. People in none
    of them are refused. Left out: everybody may do everything."""


class Publish:
    """The places where a server is published, and its names there."""

    registry_name: Annotated[
        str, Row(pattern=r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", longest=200, shared=False)
    ]
    """The name in the MCP registry: a reversed domain and a name, such as io.github.acme/shop."""
    description: Annotated[str, Row(longest=MAX_DESCRIPTION, shared=False)]
    """A description in at most 100 characters; empty: taken from the document."""
    author: str
    """The author, for bundles; empty: the server's title."""
    repository: Annotated[str, Row(pattern=_URL)]
    """The https URL of the source code."""
    pypi: bool
    """false: the server is not on PyPI."""
    image: Annotated[
        str, Row(pattern=r"[a-z0-9.-]+\.[a-z0-9.-]+(?::[0-9]+)?(?:/[a-z0-9._-]+)+", shared=False)
    ]
    """The server's container image without a tag, such as ghcr.io/acme/shop."""
    remotes: Annotated[list[str], Row(pattern=_URL, shared=False)]
    """The https URLs at which the server runs."""


@dataclass(frozen=True)
class Source:
    """A further source: a tool file or an OpenAPI document, whose tools are added to the server."""

    source: Annotated[str, Row(path=True, pattern=r"[\s\S]+")] = ""
    """A tool file or an OpenAPI document: a file or a URL."""
    name: str = ""
    """The name of the source's API, for handlers and variables; empty: made from its title."""
    prefix: Annotated[str, Row(pattern=_PREFIX)] = ""
    """The prefix of the names of its tools: at most 32 of A-Z, a-z, 0-9, `_`, `-` and `.`."""
    overlays: Annotated[Texts, Row(path=True, pattern=_LIST)] = ()
    """OpenAPI Overlays that change the document, in order: files or URLs."""
    auth: Annotated[Table, Row(table=Auth)] = field(default_factory=dict)
    """The same as the table [auth], but for this source: [with.auth]."""
    scopes: Annotated[Texts, Row(pattern=_SCOPE)] = ()
    """The scopes that its tools need over HTTP, unless its document or settings have any."""
    replace_scopes: bool = False
    """true: `scopes` replace the scopes in its document."""
    base_url: str = ""
    """The address of its API; replaces the document's servers."""
    security: Annotated[str, Row(choices=_SECURITY)] = _SECURITY[0]
    """The same as for the first source, like all keys that follow."""
    include_tags: Texts = ()
    exclude_tags: Texts = ()
    include_paths: Texts = ()
    exclude_paths: Texts = ()
    include_operations: Texts = ()
    exclude_operations: Texts = ()
    methods: Texts = ()
    read_only: bool = False


FILTERS = tuple(settings_of(Source))[9:]
"""The keys that choose the operations that become tools."""


@dataclass(frozen=True)
class Settings:
    """All settings of a server; each field is a key of `mcpgen.toml`."""

    source: Annotated[str, Row(path=True, shared=False)] = ""
    """The document: a file (relative to mcpgen.toml), a URL, or `-` for standard input."""
    overlays: Annotated[
        Texts, Row("--overlay FILE", (*GENERATING, "diff", "inspect"), pattern=_LIST, path=True)
    ] = ()
    """OpenAPI Overlays that change the document, in order: files or URLs."""
    reader: Annotated[str, Row(choices=("openapi", "tools"), shared=False)] = "openapi"
    """The kind of the document: openapi, or tools for a tool file."""
    name: Annotated[str, Row("--name NAME", shared=False)] = ""
    """The server's name; empty: made from the document's title."""
    package: Annotated[str, Row("--package NAME", longest=80, shared=False)] = ""
    """The name of the Python package, at most 80 characters; empty: made from the server's name."""
    runtime: Annotated[
        str, Row("--runtime WORD", (*GENERATING, "update"), choices=("vendored", "package"))
    ] = "vendored"
    """Where the runtime is: vendored (in the server), or package (`mcpgen-runtime`)."""
    prefix: Annotated[str, Row("--prefix TEXT", pattern=_PREFIX)] = ""
    """A prefix for the name of each tool: at most 32 of A-Z, a-z, 0-9, `_`, `-` and `.`."""
    base_url: Annotated[str, Row("--base-url URL", _OPENAPI)] = ""
    """The API's address; replaces the document's servers."""
    version: Annotated[str, Row(pattern=r"(?:[vV]?[0-9][0-9A-Za-z.!+_-]*)?")] = ""
    """The server's version, such as 1.2.0 (PEP 440); empty: the document's."""
    title: Annotated[str, Row(shared=False)] = ""
    """The name that people see; empty: the document's title."""
    description: Annotated[str, Row(shared=False)] = ""
    """A sentence about the server; empty: the document's."""
    website: Annotated[str, Row(pattern=r"(?:https?://[^\s/?#]+[^\s]*)?")] = ""
    """The URL of the server's web page, http or https; empty: the document's."""
    icons: Annotated[Texts, Row(pattern=r"https://[^\s/?#]+[^\s]*|data:image/[^\s]+")] = ()
    """The URLs of the server's icons, https or `data:image/...`; none: the document's."""
    license: Annotated[str, Row(pattern=_SPDX)] = ""
    """The package's license, an SPDX expression: MIT, Apache-2.0, LicenseRef-Proprietary."""
    authors: Annotated[Texts, Row(pattern=_AUTHOR)] = ()
    """The package's authors: `Ann <ann@example.com>`."""
    ignore: Annotated[Texts, Row(pattern=r"[a-z]+(?:-[a-z0-9]+)*")] = ()
    """Codes of warnings and notes that are not reported, such as schema-keyword."""
    instructions: str = ""
    """The instructions that agents get from the server; empty: the document's."""
    include_tags: Annotated[Texts, Row("--include-tag NAME", _OPENAPI)] = ()
    """Only operations with one of these tags."""
    exclude_tags: Annotated[Texts, Row("--exclude-tag NAME", _OPENAPI)] = ()
    """No operation with one of these tags."""
    include_paths: Annotated[Texts, Row("--include-path GLOB", _OPENAPI)] = ()
    """Only paths that match one of these globs."""
    exclude_paths: Annotated[Texts, Row("--exclude-path GLOB", _OPENAPI)] = ()
    """No path that matches one of these globs."""
    include_operations: Annotated[Texts, Row("--include-operation ID", _OPENAPI)] = ()
    """Only operations with one of these operationIds."""
    exclude_operations: Annotated[Texts, Row("--exclude-operation ID", _OPENAPI)] = ()
    """No operation with one of these operationIds."""
    methods: Annotated[Texts, Row("--methods LIST", _OPENAPI)] = ()
    """Only operations with one of these HTTP methods."""
    read_only: Annotated[bool, Row("--read-only", _OPENAPI)] = False
    """Only operations that read: GET, HEAD, OPTIONS and QUERY."""
    ignored_arguments: Annotated[
        Texts, Row(pattern=r"[^\s,]{1,100}", server="ignored_arguments")
    ] = ()
    """Arguments that a host adds to calls, such as toolCallId of n8n; a tool without such an
    argument does not get it."""
    input_schema_bytes: Annotated[int, Row("--input-schema-bytes N", _OPENAPI, least=0)] = 0
    """The most bytes of an inputSchema; a longer one is cut, from the deepest level up, and only
    the API checks what was cut. 0: no limit, if all together have less than 48 MiB."""
    argument_texts: Annotated[
        str, Row("--argument-texts WORD", _OPENAPI, choices=("whole", "first"))
    ] = "whole"
    """Descriptions of arguments: whole, or first (the first sentence, and sentences with rules)."""
    output_schema: Annotated[str, Row("--output-schema WORD", _OPENAPI, choices=PROMISES)] = "open"
    """What each outputSchema promises: open, strict or none."""
    output_schema_bytes: Annotated[int, Row("--output-schema-bytes N", _OPENAPI, least=0)] = 512
    """The most bytes of an outputSchema; a longer one loses its descriptions, then types, then its
    deepest levels."""
    closed_objects: Annotated[
        str, Row("--closed-objects WORD", _OPENAPI, choices=("written", "whole"))
    ] = "written"
    """How an allOf with closed parts is read: written (as it is), or whole (closed as a whole)."""
    description_limit: Annotated[int, Row("--description-limit N", _OPENAPI, least=1)] = 8000
    """The most characters of a tool's description."""
    page_size: Annotated[int, Row("--page-size N", least=0, server="page_size")] = 0
    """The most tools on a page of tools/list; 0: all on one page."""
    result_text: Annotated[str, Row(choices=("full", "summary"), server="result_text")] = "full"
    """The text that comes with structured content: full, or summary (one line)."""
    surface: Annotated[
        str,
        Row("--surface WORD", choices=_SURFACES, server="surface", served=("search",)),
    ] = "auto"
    """How agents see tools: tools (in a list), search (by searching), or auto (by their size)."""
    list_changed: Annotated[bool, Row("--list-changed")] = False
    """The tools may change while the server runs, and clients are notified."""
    http: bool = True
    """false: the server uses only stdio, without sign-in, limits, audit log and telemetry."""
    http_tokens: bool = False
    """Callers over HTTP can have tokens with names, scopes and an expiry time, from a file."""
    identity_assertions: bool = False
    """Clients over HTTP can present assertions (ID-JAG) from the provider in `sign_in`, so that
    people see no sign-in page."""
    metrics: bool = False
    """The server can serve metrics for Prometheus, on a separate address."""
    page: Annotated[bool, Row("--page")] = False
    """Browsers get a page at the server's address, on which people see its tools and try them."""
    store: bool = False
    """Replicas can share limits, tasks, links and tokens in Redis or Valkey."""
    max_tools: Annotated[int, Row("--max-tools N", least=0)] = 0
    """The most tools that a server may have; 0: no limit."""
    max_tokens: Annotated[int, Row("--max-tokens N", least=0)] = 0
    """The most tokens that tools/list may have; 0: no limit."""
    resources: Texts = ()
    """GET operations that are resources as well as tools: `GET /a/*`."""
    result_links: bool = False
    """Large and binary answers are stored, and agents get links to them."""
    skills: bool = False
    """The server offers agents the skills in the package's folder `skills`."""
    templates: Annotated[str, Row("--templates DIR", path=True)] = ""
    """A folder whose templates replace those of mcpgen."""
    reference_root: Annotated[str, Row("--reference-root DIR", _DOCUMENT, path=True)] = ""
    """A folder; references may name any file in it."""
    reference_bases: Annotated[
        Texts, Row("--reference-base URL=FOLDER", _DOCUMENT, path=True, of_urls=True, pattern=_BASE)
    ] = ()
    """A folder for references that begin with a URL: `https://api.example.com/schemas=schemas`."""
    allow_remote_refs: Annotated[bool, Row("--allow-remote-refs", _DOCUMENT)] = False
    """Follow references to other hosts."""
    allowed_hosts: Annotated[Texts, Row("--allow-host NAME", _DOCUMENT, pattern=_HOST)] = ()
    """Private hosts that references may name, no patterns: files.example.com, localhost:8080."""
    header_env: Annotated[
        Texts, Row("--header-env NAME=VARIABLE", _EVERY, pattern=rf"(?:{ORIGIN}|\s*){HEADER}")
    ] = ()
    """Headers with which the document is fetched: `Authorization=VARIABLE`, for its host only, or
    `https://docs.example.com Authorization=VARIABLE`."""
    max_source_bytes: Annotated[int, Row("--max-source-bytes N", _EVERY, least=1)] = 64 * MIB
    """The most bytes that all files of a document have together."""
    max_source_values: Annotated[int, Row("--max-source-values N", _EVERY, least=1)] = 1_500_000
    """The most values that all files of a document have together."""
    repeated_keys: Annotated[
        str, Row("--repeated-keys WORD", _EVERY, choices=("refuse", "last"))
    ] = "refuse"
    """What to do if an object has a key twice: refuse the document, or use the last value (last).
    Of two descriptions, summaries or titles the last always counts."""
    strict: Annotated[bool, Row("--strict")] = False
    """Treat warnings as errors."""
    security: Annotated[str, Row(choices=_SECURITY)] = _SECURITY[0]
    """Which operations get credentials: document (those that require some), or all (by the
    document's `security`, or else by `security_schemes`)."""
    security_schemes: Annotated[Table, Row(table=Scheme, named="name")] = field(
        default_factory=dict
    )
    """How to sign in to the API, if the document does not say; names have A-Z, 0-9, `._-`."""
    auth: Annotated[Table, Row(table=Auth)] = field(default_factory=dict)
    """Where the API's credentials come from."""
    sign_in: Annotated[Table, Row(table=SignIn)] = field(default_factory=dict)
    """The identity provider of people who call over HTTP."""
    search: Annotated[Table, Row(table=Search)] = field(default_factory=dict)
    """The search surface's own tools."""
    publish: Annotated[Table, Row(table=Publish)] = field(default_factory=dict)
    """Where the server is published, and its names there."""
    with_: Annotated[tuple[Source, ...], Row("--with FILE", table=Source, shared=False)] = ()
    """Further sources of tools (documents or tool files), each in a table."""
    tools: Annotated[Mapping[str, Table], Row(table=Tool, named="name")] = field(
        default_factory=dict
    )
    """Tables for single tools."""
    groups: Annotated[
        Mapping[str, Table], Row(table=Group, named="name", commands=(*GENERATING, "inspect"))
    ] = field(default_factory=dict)
    """Groups of tools, a table for each title; other tools are in the group of their tag."""


KEYS = settings_of(Settings)
