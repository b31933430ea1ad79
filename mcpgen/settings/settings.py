"""The settings of a server: each is one row here, and is read by one stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..api import HINTS
from .rows import GENERATING, Row, settings_of

FILE_NAME = "mcpgen.toml"
MEMBERS = "members"
"""The one key of a workspace that its servers do not have."""
EVERY = "*"
"""Instead of a tool's name: the table has hints, arguments and scopes for every tool."""
GROUP_TABLE = "group:"
"""What stands before the slug of a group, in place of a tool's name."""
SEVERAL = rf"^(?!\*$)(?:{GROUP_TABLE}|[A-Z]+ |.*[*?\[])"
"""The form of what stands for several tools in place of a name."""
PROMISES = ("open", "strict", "none")
"""The promises that an outputSchema may make."""
_SURFACES = ("auto", "tools", "search")
_SECURITY = ("document", "all")
MAX_DESCRIPTION = 100
"""Characters of a description in the MCP registry."""
MIB = 1024 * 1024
Texts = tuple[str, ...]
Table = Mapping[str, Any]

_OPENAPI = ("from-openapi",)
_DOCUMENT = (*_OPENAPI, "diff", "inspect", "overlay")
_EVERY = (*_DOCUMENT, "from-schema")
_WORDS = r"[\s\S]*\S[\s\S]*"
"""The form of a text that says something."""
_LIST = r"(?:-.+|[^-].*)"
"""The form of a file's name or a URL: standard input is read but once."""
_PREFIX = r"[A-Za-z0-9_.-]{0,32}"
TOOL_NAME = r"[A-Za-z0-9_.-]{1,64}"
_HEADER = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # RFC 9110 5.1
_MEDIA_TYPE = r"[^\s/]+/\S.*"
_SCOPE = r"[!#-\[\]-~]+"  # RFC 6749 3.3
_IPV6 = "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
_HOST = rf"(?:[^\s/@?#*:\\\[\]]+|\[{_IPV6}\])(?::[0-9]+)?|{_IPV6}"
"""A name or an address, and perhaps a port; an IPv6 address without one may lack its brackets."""
_URL = r'https://[^\s{}"<>]+'
_SECURE = (
    r"(?:[Hh][Tt][Tt][Pp][Ss]://(?:[^\s/?#@:\[\]{}]+|\[[0-9A-Fa-f:.]+\])|[Hh][Tt][Tt][Pp]://(?:localhost|127(?:\.[0-9]{1,3}){3}|"
    r"\[::1\]))(?::[0-9]+)?(?:[/?#][!-z|~]*)?"
)
"""A URL that may receive secrets: https, or this machine."""
_BASE = r"https?://[^\s=?#@]+=[\s\S]+"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = "[\\w\u00a1-\uffff-]+"
EMAIL = rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"
"""RFC 5322 3.4.1, without quotes and brackets; packaging tools take no other."""
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
    """The way to follow an operation that answers 202."""

    status: str
    """Where an answer at the status URL gives the status: /status."""
    running: list[str]
    """The statuses with which it still runs."""
    failed: list[str]
    """The statuses with which it has failed."""
    progress: str
    """Where an answer gives a percentage."""
    result: str
    """Where the last answer has the result, or its URL."""
    operation: str
    """The operation whose answer the result is: its id, or GET /path."""
    header: str
    """The header with the status URL, if it is not a usual one."""
    cancel: str
    """The method of a request to the status URL that cancels the operation."""
    interval: float
    """Seconds between requests for the status, where Retry-After does not say."""
    timeout: float
    """Seconds for the whole operation."""


class Pages:
    """The way from page to page of a collection: one of cursor, page and offset."""

    items: str
    """Where an answer has its items, such as data.list; left out: the answer is the list."""
    cursor: Annotated[str, Row(excludes=("page", "offset"), needs="at")]
    """The argument that takes the cursor of the next page; `at` says where an answer has it."""
    at: str
    """Where an answer has that cursor, or, without `cursor`, the URL of the next page."""
    page: Annotated[str, Row(excludes=("offset",))]
    """The argument that takes the number of a page."""
    first: int
    """The number of the first page; 1 unless given."""
    offset: str
    """The argument that takes how many items to skip."""
    size: str
    """The argument that takes how many items a page has."""
    usual: int
    """How many items a page has where that is not given."""


_TYPES = ("string", "integer", "number", "boolean", "array", "object")


class Argument:
    """The changes to an argument of a tool, or one of your own."""

    new: Annotated[bool, Row(excludes=("name", "hidden", "value", "env"))]
    """true: an argument of your own, for the handler: agents see it, and the API does not."""
    type: Annotated[str, Row(choices=_TYPES, excludes=("schema", "hidden", "value", "env"))]
    """What agents give: string, integer, number, boolean, array or object."""
    schema: Annotated[dict[str, Any], Row(excludes=("hidden", "value", "env"))]
    """The same as a JSON Schema, in place of the document's: `{ type = ["integer", "string"] }`."""
    name: Annotated[str, Row(pattern=TOOL_NAME)]
    """The name that agents see; the API gets its own: at most 64 of A-Z, a-z, 0-9, `_-.`."""
    description: str
    """What agents read; replaces the document's."""
    default: Annotated[Any, Row(excludes=("hidden", "value", "env"))]
    """Advertised, and sent where the agent leaves the argument out."""
    hidden: Annotated[bool, Row(excludes=("value", "env"))]
    """true: agents do not see the argument, and it is not sent."""
    value: Annotated[Any, Row(excludes=("env",))]
    """Agents do not see the argument; this is sent."""
    env: Annotated[str, Row(pattern=r"[A-Z_][A-Z0-9_]*")]
    """Agents do not see the argument; this environment variable's value is sent (A-Z, 0-9, `_`)."""


class Tool:
    """The changes to a tool."""

    enabled: Annotated[bool, Row(several=True)]
    """false: there is no such tool."""
    name: Annotated[str, Row(pattern=TOOL_NAME)]
    """The name that agents see: at most 64 of A-Z, a-z, 0-9, `_`, `-` and `.`."""
    title: Annotated[str, Row(pattern=_WORDS)]
    """The title that people see."""
    description: Annotated[str, Row(pattern=_WORDS)]
    """What agents read; replaces the document's."""
    annotations: Annotated[dict[str, bool], Row(keys=tuple(HINTS), every=True, several=True)]
    """Hints over those that are made from the method."""
    arguments: Annotated[dict[str, Any], Row(table=Argument, named="argument", every=True)]
    """Tables for single arguments; in [tools."*"]: of every tool."""
    redact: Annotated[list[str], Row(pattern=_ANY_FIELD)]
    """Fields of its answers that are masked: paths such as $.customer.email or $..token."""
    headers: Annotated[list[str], Row(pattern=_HEADER)]
    """Further headers of its answers that agents are told: X-Trace."""
    accept: Annotated[str | bool, Row(pattern=_MEDIA_TYPE)]
    """A declared media type of its answers that it asks for, such as text/csv; true: agents choose
    one by an argument."""
    scopes: Annotated[list[str], Row(pattern=_SCOPE, every=True, several=True)]
    """Over HTTP, where callers have tokens: the scopes that it needs.
    In [tools."*"]: of each tool that would need none."""
    fields: Annotated[list[str], Row(pattern=_FIELD)]
    """The only fields that are kept of its answers: paths such as $.items[*].id, without `..`."""
    output_schema: Annotated[str, Row(choices=PROMISES)]
    """open, strict or none: what its outputSchema promises."""
    output_schema_bytes: Annotated[int, Row(least=0)]
    """At this size its outputSchema becomes a short outline."""
    timeout: Annotated[float, Row(above=0, several=True)]
    """Seconds for a call of it, in place of TIMEOUT."""
    retries: Annotated[int, Row(least=0, several=True)]
    """How often its request is sent again, in place of RETRIES."""
    result_tokens: Annotated[int, Row(least=1, several=True)]
    """Tokens of its answers that reach agents, in place of RESULT_TOKENS; clients are told."""
    meta: dict[str, Any]
    """The `_meta` of the tool, which clients read: {"com.example/team" = "shop"}."""
    task: Annotated[str, Row(choices=("forbidden", "optional", "required"))]
    """optional or required: it may or must run as a task; forbidden: it may not."""
    pinned: bool
    """true: the search surface lists it beside its own tools."""
    keywords: Annotated[list[str], Row(pattern=_WORDS)]
    """Words by which the search surface finds it too."""
    pages: Annotated[dict[str, Any], Row(table=Pages)]
    """How call_read_tool goes from page to page of its answers; {}: it does not."""
    poll: Annotated[dict[str, Any], Row(table=Poll)]
    """An operation that answers 202 is followed to its end; {}: in the usual way."""


class Group:
    """Tools that belong together, and are switched on and off together."""

    tools: list[str]
    """Its tools: names, or a method and a path, with globs: orders_*, GET /books/*."""
    prompts: list[str]
    """The names of prompts that are switched with them."""
    skills: list[str]
    """The names of skills that are switched with them."""
    description: Annotated[str, Row(pattern=_WORDS)]
    """What they are for; agents read it."""


class Search:
    """The search surface's own tools."""

    prefix: Annotated[str, Row(pattern=r"[A-Za-z0-9_.-]{0,40}")]
    """What the names of the search surface's own tools begin with: at most 40 of A-Z, a-z, 0-9,
    `_`, `-` and `.`, such as shop_."""


class Scheme:
    """A Security Scheme Object of OpenAPI, which may have other keys, too."""

    type: Annotated[str, Row(choices=("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"))]
    """apiKey, http, oauth2, openIdConnect or mutualTLS."""
    in_: str
    """Of an apiKey: header, query or cookie."""
    name: str
    """Of an apiKey: the header, parameter or cookie that holds it."""
    scheme: str
    """Of http: bearer, basic, digest, or another one."""
    flows: dict[str, Any]
    """Of oauth2: the flows with their URLs and scopes, as in OpenAPI."""
    openIdConnectUrl: str
    """Of openIdConnect: where its discovery document is."""


class Auth:
    """The settings of an API's credentials that come from the caller over HTTP."""

    source: Annotated[str, Row(choices=("environment", "caller", "sign_in"))]
    """environment; caller: callers over HTTP bring credentials of their own; or sign_in: the API
    gets a token of whoever signed in, as [sign_in] says."""
    schemes: Annotated[list[str], Row(server="delegated_schemes")]
    """Of sign_in: the security schemes that take it; left out: all that take tokens."""
    token: Annotated[str, Row(choices=("own", "exchanged"), server="delegated_token")]
    """Of sign_in: own, the provider's access token itself, or exchanged, one of the API that the
    provider gives for it (RFC 8693, and Entra's on-behalf-of)."""
    scopes: Annotated[list[str], Row(pattern=_SCOPE, server="delegated_scopes")]
    """Of sign_in: the scopes of that token; left out: those that operations ask for."""
    headers: Annotated[dict[str, str], Row(pattern=_HEADER, server="caller_auth")]
    """For each security scheme, the header in which a caller's credential comes."""
    exchange: Annotated[dict[str, str], Row(pattern=_HEADER, server="caller_exchange")]
    """The same for a token that is exchanged for one of the API (RFC 8693)."""
    exchange_token_url: Annotated[str, Row(pattern=_SECURE, server="exchange_token_url")]
    """The https URL for the exchange, if not the token endpoint of the scheme or the provider."""
    exchange_audience: Annotated[str, Row(server="exchange_audience")]
    """The audience of the token that is asked for."""
    exchange_resource: Annotated[str, Row(server="exchange_resource")]
    """The resource (a URI) of the token that is asked for."""


class SignIn:
    """The identity provider of people; to MCP clients, this server is the authorization server."""

    provider: Annotated[
        str,
        Row(
            choices=("entra", "google", "github", "okta", "auth0", "oidc"),
            server="sign_in_provider",
        ),
    ]
    """entra, google, github, okta, auth0 or oidc (any other OpenID provider)."""
    issuer: Annotated[str, Row(pattern=_SECURE, server="sign_in_issuer")]
    """The provider's issuer URL, such as https://acme.okta.com; Google has only one."""
    groups: Annotated[str, Row(server="sign_in_groups")]
    """The claim that names a person's groups or roles, where it is not one of the usual ones."""
    scopes: Annotated[dict[str, list[str]], Row(pattern=_SCOPE, server="sign_in_scopes")]
    """What the people of a group, a role or an organisation may do here; `*` is everybody. Whoever
    is in none is not let in. Left out: all may do all."""


class Publish:
    """The places where a server is published, and its names there."""

    registry_name: Annotated[
        str, Row(pattern=r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", longest=200, shared=False)
    ]
    """Its name in the MCP registry, a domain backwards and a name, such as io.github.acme/shop."""
    description: Annotated[str, Row(longest=MAX_DESCRIPTION, shared=False)]
    """What it is, in at most 100 characters; empty: the document's words."""
    author: str
    """Who makes it, for bundles; empty: its title."""
    repository: Annotated[str, Row(pattern=_URL)]
    """The https URL of its source code."""
    pypi: bool
    """false: it is not on PyPI."""
    image: Annotated[
        str, Row(pattern=r"[a-z0-9.-]+\.[a-z0-9.-]+(?::[0-9]+)?(?:/[a-z0-9._-]+)+", shared=False)
    ]
    """Its container image without a tag, such as ghcr.io/acme/shop."""
    remotes: Annotated[list[str], Row(pattern=_URL, shared=False)]
    """The https URLs at which it is served."""


@dataclass(frozen=True)
class Source:
    """A tool file or an OpenAPI document whose tools join those of the first."""

    source: Annotated[str, Row(path=True, pattern=r"[\s\S]+")] = ""
    """A tool file or an OpenAPI document: a file or a URL."""
    name: str = ""
    """Its API's name, for handlers and variables; empty: from its title."""
    prefix: Annotated[str, Row(pattern=_PREFIX)] = ""
    """What the names of its tools begin with: at most 32 of A-Z, a-z, 0-9, `_`, `-` and `.`."""
    overlays: Annotated[Texts, Row(path=True, pattern=_LIST)] = ()
    """OpenAPI Overlays that change it, in order: files, or URLs."""
    auth: Annotated[Table, Row(table=Auth)] = field(default_factory=dict)
    """Like the table [auth], for this source: [with.auth]."""
    scopes: Annotated[Texts, Row(pattern=_SCOPE)] = ()
    """Over HTTP: the scopes of each of its tools that would need none."""
    replace_scopes: bool = False
    """true: `scopes` replace those of its document."""
    base_url: str = ""
    """The address of its API, in place of the document's servers."""
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
"""The keys that say which tools are wanted."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides the form of a server; each field is a key of `mcpgen.toml`."""

    source: Annotated[str, Row(path=True, shared=False)] = ""
    """The document: a file (relative to this one), a URL, or `-`."""
    overlays: Annotated[
        Texts, Row("--overlay FILE", (*GENERATING, "diff", "inspect"), pattern=_LIST, path=True)
    ] = ()
    """OpenAPI Overlays that change the document, in order: files, or URLs."""
    reader: Annotated[str, Row(choices=("openapi", "tools"), shared=False)] = "openapi"
    """What the document is: openapi, or tools for a tool file."""
    name: Annotated[str, Row("--name NAME", shared=False)] = ""
    """The server's name; empty: made from the document's title."""
    package: Annotated[str, Row("--package NAME", longest=80, shared=False)] = ""
    """The Python package, at most 80 characters; empty: made from the name."""
    runtime: Annotated[
        str, Row("--runtime WORD", (*GENERATING, "update"), choices=("vendored", "package"))
    ] = "vendored"
    """The runtime: vendored into the server, or package (`mcpgen-runtime`)."""
    prefix: Annotated[str, Row("--prefix TEXT", pattern=_PREFIX)] = ""
    """Put before the name of each tool: at most 32 of A-Z, a-z, 0-9, `_`, `-` and `.`."""
    base_url: Annotated[str, Row("--base-url URL", _OPENAPI)] = ""
    """The API's address, in place of the document's servers."""
    version: Annotated[str, Row(pattern=r"(?:[vV]?[0-9][0-9A-Za-z.!+_-]*)?")] = ""
    """The server's version, such as 1.2.0 (PEP 440); empty: the document's."""
    title: Annotated[str, Row(shared=False)] = ""
    """The name that people see; empty: the document's title."""
    description: Annotated[str, Row(shared=False)] = ""
    """One sentence about it; empty: the document's."""
    website: Annotated[str, Row(pattern=r"(?:https?://[^\s/?#]+[^\s]*)?")] = ""
    """The URL of its web page, http or https; empty: the document's."""
    icons: Annotated[Texts, Row(pattern=r"https://[^\s/?#]+[^\s]*|data:image/[^\s]+")] = ()
    """URLs of its icons, https or `data:image/...`; none: the document's."""
    license: Annotated[str, Row(pattern=_SPDX)] = ""
    """The package's license, as SPDX has it: MIT, Apache-2.0, LicenseRef-Proprietary."""
    authors: Annotated[Texts, Row(pattern=_AUTHOR)] = ()
    """The package's authors: `Ann <ann@example.com>`."""
    ignore: Annotated[Texts, Row(pattern=r"[a-z]+(?:-[a-z0-9]+)*")] = ()
    """Codes of warnings and notes that are not printed: schema-keyword."""
    instructions: str = ""
    """What agents are told about the server; empty: the document's."""
    include_tags: Annotated[Texts, Row("--include-tag NAME", _OPENAPI)] = ()
    """Only operations with one of these tags."""
    exclude_tags: Annotated[Texts, Row("--exclude-tag NAME", _OPENAPI)] = ()
    """No operation with one of these tags."""
    include_paths: Annotated[Texts, Row("--include-path GLOB", _OPENAPI)] = ()
    """Only paths that match one of these globs."""
    exclude_paths: Annotated[Texts, Row("--exclude-path GLOB", _OPENAPI)] = ()
    """No path that matches one of these globs."""
    include_operations: Annotated[Texts, Row("--include-operation ID", _OPENAPI)] = ()
    """Only these operationIds."""
    exclude_operations: Annotated[Texts, Row("--exclude-operation ID", _OPENAPI)] = ()
    """None of these operationIds."""
    methods: Annotated[Texts, Row("--methods LIST", _OPENAPI)] = ()
    """Only these HTTP methods."""
    read_only: Annotated[bool, Row("--read-only", _OPENAPI)] = False
    """Only operations that read: GET, HEAD, OPTIONS and QUERY."""
    ignored_arguments: Annotated[
        Texts, Row(pattern=r"[^\s,]{1,100}", server="ignored_arguments")
    ] = ()
    """Arguments that a host adds to calls, such as toolCallId of n8n: tools that lack them do not
    see them."""
    input_schema_bytes: Annotated[int, Row("--input-schema-bytes N", _OPENAPI, least=0)] = 0
    """A longer inputSchema is cut, from the deepest level up; only the API checks what is cut.
    0: no limit, as long as all together have less than 48 MiB."""
    argument_texts: Annotated[
        str, Row("--argument-texts WORD", _OPENAPI, choices=("whole", "first"))
    ] = "whole"
    """Texts of arguments: whole, or first (their first sentences, and those that say a rule)."""
    output_schema: Annotated[str, Row("--output-schema WORD", _OPENAPI, choices=PROMISES)] = "open"
    """What outputSchema promises: open, strict or none."""
    output_schema_bytes: Annotated[int, Row("--output-schema-bytes N", _OPENAPI, least=0)] = 512
    """A longer outputSchema loses its texts, then types, then its deepest levels."""
    closed_objects: Annotated[
        str, Row("--closed-objects WORD", _OPENAPI, choices=("written", "whole"))
    ] = "written"
    """Closed parts of an allOf: written (as they are), or whole (closed as a whole)."""
    description_limit: Annotated[int, Row("--description-limit N", _OPENAPI, least=1)] = 8000
    """At most so many characters of a tool's description."""
    page_size: Annotated[int, Row("--page-size N", least=0, server="page_size")] = 0
    """Tools on a page of tools/list; 0: all on one."""
    result_text: Annotated[str, Row(choices=("full", "summary"), server="result_text")] = "full"
    """The text beside structured content: full, or summary (one line)."""
    surface: Annotated[
        str,
        Row("--surface WORD", choices=_SURFACES, server="surface", served=("search",)),
    ] = "auto"
    """How tools are shown: tools (each), search (found by search), or auto, by size."""
    list_changed: Annotated[bool, Row("--list-changed")] = False
    """Tools may change while the server runs; clients are told."""
    http: bool = True
    """false: the server speaks only stdio, without sign-in, limits, audit log and telemetry."""
    http_tokens: bool = False
    """Callers over HTTP can have tokens with names, scopes and an end, in a file."""
    identity_assertions: bool = False
    """Clients over HTTP can bring assertions (ID-JAG) of the provider of `sign_in`, and no page
    asks people."""
    metrics: bool = False
    """The server can give metrics to Prometheus, on a separate address."""
    page: Annotated[bool, Row("--page")] = False
    """Browsers get a page at the server's address, on which people see its tools and try them."""
    store: bool = False
    """Replicas can share limits, tasks, links and tokens in Redis or Valkey."""
    max_tools: Annotated[int, Row("--max-tools N", least=0)] = 0
    """More tools are an error; 0: no limit."""
    max_tokens: Annotated[int, Row("--max-tokens N", least=0)] = 0
    """More tokens of tools/list are an error; 0: no limit."""
    resources: Texts = ()
    """GET operations that are resources too: `GET /a/*`."""
    result_links: bool = False
    """Large and binary answers are kept and given as links."""
    skills: bool = False
    """The folder `skills` of the package is served to agents."""
    templates: Annotated[str, Row("--templates DIR", path=True)] = ""
    """A folder whose templates replace those of mcpgen."""
    reference_root: Annotated[str, Row("--reference-root DIR", _DOCUMENT, path=True)] = ""
    """References may lead to any file below this folder."""
    reference_bases: Annotated[
        Texts, Row("--reference-base URL=FOLDER", _DOCUMENT, path=True, of_urls=True, pattern=_BASE)
    ] = ()
    """A local folder for references that begin with a URL: `https://api.example.com/schemas=schemas`."""
    allow_remote_refs: Annotated[bool, Row("--allow-remote-refs", _DOCUMENT)] = False
    """Follow references to other hosts."""
    allowed_hosts: Annotated[Texts, Row("--allow-host NAME", _DOCUMENT, pattern=_HOST)] = ()
    """Private hosts that references may name: files.example.com, localhost:8080; no patterns."""
    header_env: Annotated[
        Texts, Row("--header-env NAME=VARIABLE", _EVERY, pattern=rf"(?:{ORIGIN}|\s*){HEADER}")
    ] = ()
    """Headers to fetch the document with: `Authorization=VARIABLE`, for its host alone, or
    `https://docs.example.com Authorization=VARIABLE`."""
    max_source_bytes: Annotated[int, Row("--max-source-bytes N", _EVERY, least=1)] = 64 * MIB
    """At most so many bytes in all files of a document."""
    max_source_values: Annotated[int, Row("--max-source-values N", _EVERY, least=1)] = 1_500_000
    """At most so many values in all files of a document."""
    repeated_keys: Annotated[
        str, Row("--repeated-keys WORD", _EVERY, choices=("refuse", "last"))
    ] = "refuse"
    """If an object has a key twice (except texts for people): refuse, or last (the last counts)."""
    strict: Annotated[bool, Row("--strict")] = False
    """Treat warnings as errors."""
    security: Annotated[str, Row(choices=_SECURITY)] = _SECURITY[0]
    """document: credentials go to operations that ask for them; all: to every operation, as
    `security` of the document, or else `security_schemes`, says."""
    security_schemes: Annotated[Table, Row(table=Scheme, named="name")] = field(
        default_factory=dict
    )
    """How to sign in to the API, where the document does not say; names have A-Z, 0-9, `._-`."""
    auth: Annotated[Table, Row(table=Auth)] = field(default_factory=dict)
    """Credentials that callers bring along."""
    sign_in: Annotated[Table, Row(table=SignIn)] = field(default_factory=dict)
    """Where people who call over HTTP sign in."""
    search: Annotated[Table, Row(table=Search)] = field(default_factory=dict)
    """The search surface's own tools."""
    publish: Annotated[Table, Row(table=Publish)] = field(default_factory=dict)
    """Where and as what it is published."""
    with_: Annotated[tuple[Source, ...], Row("--with FILE", table=Source, shared=False)] = ()
    """Further sources of tools, a table for each: documents or tool files."""
    tools: Annotated[Mapping[str, Table], Row(table=Tool, named="name")] = field(
        default_factory=dict
    )
    """Tables for single tools."""
    groups: Annotated[
        Mapping[str, Table], Row(table=Group, named="name", commands=(*GENERATING, "inspect"))
    ] = field(default_factory=dict)
    """Groups of tools, by their names; other tools are in the group of their tag."""


KEYS = settings_of(Settings)
