"""IR 1: the contents of a document, in OpenAPI's and MCP's terms.

Every reader ends here and every later stage starts here. Nothing in this module knows Python
spelling, templates or files. Schemas are JSON Schema 2020-12 as plain JSON values; a `$ref` in one
is always `#/$defs/<key>` and `<key>` is a key of `Api.schemas`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

Schema = Mapping[str, Any] | bool


class In(StrEnum):
    """The place of an argument in a request; the first five are OpenAPI's `in`."""

    PATH = "path"
    QUERY = "query"
    QUERYSTRING = "querystring"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"
    """The whole request body is this one argument."""
    PROPERTY = "property"
    """One property of the request body, spread beside the parameters."""
    CONTENT_TYPE = "content_type"
    """Chooses the media type of the body; exists only where the document offers several kinds."""
    OWN = "own"
    """Goes nowhere: an argument of the settings, which the handler alone sees."""


DEFAULT_STYLE = {In.PATH: "simple", In.QUERY: "form", In.HEADER: "simple", In.COOKIE: "form"}
"""The style that OpenAPI's locations have where none is given."""

HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
"""MCP's names of the hints, and those of `Annotations`."""


class Icon(Struct, frozen=True):
    """An icon of the server or of a tool (MCP `Icon`)."""

    src: str
    mime_type: str | None = None
    sizes: tuple[str, ...] = ()
    theme: str | None = None


class ServerVariable(Struct, frozen=True):
    """A variable in a server's URL (OpenAPI Server Variable Object)."""

    name: str
    default: str | None
    """None where the document gives no usable one: whoever runs the server sets it."""
    enum: tuple[str, ...] = ()
    description: str = ""


class Server(Struct, frozen=True):
    """An address of the API (OpenAPI Server Object); `url` may contain `{variables}`."""

    url: str
    description: str = ""
    variables: tuple[ServerVariable, ...] = ()


class SecurityScheme(Struct, frozen=True):
    """A way to authenticate (OpenAPI Security Scheme Object)."""

    key: str
    """The name under `components.securitySchemes`."""
    type: str
    """apiKey, http, oauth2, openIdConnect or mutualTLS."""
    name: str = ""
    location: str = ""
    """apiKey: header, query or cookie; `name` is what it is called there."""
    scheme: str = ""
    """http: basic, digest, bearer or another scheme as the document writes it."""
    flows: Mapping[str, Any] = field(default_factory=dict)
    """oauth2: the flows object of the document in the form of 3.x, its URLs absolute."""
    openid_connect_url: str = ""
    variables: tuple[ServerVariable, ...] = ()
    """Those of the server that its URLs start from: they may hold these `{variables}`."""
    description: str = ""


SecurityRequirement = Mapping[str, tuple[str, ...]]
"""Scheme keys with scopes: all of them together (AND). The empty mapping is anonymous access."""


class Encoding(Struct, frozen=True):
    """How one property of a form, or one part of a multipart body, is written (Encoding Object)."""

    content_type: str | None = None
    style: str | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    binary: bool = False
    """The property (or each of its items) is bytes: base64, `data:` or `file:` in, bytes out."""
    text: bool = False
    """Binary or plain text: `data:` and `file:` are bytes, all else goes out as it is."""
    parts: Mapping[str, Encoding] | None = None
    """How its own parts are written, where it is a form or multipart itself."""
    inner: str = ""
    """What separates the items of arrays within an array, as in an `Argument`."""


class Argument(Struct, frozen=True):
    """One argument of a tool: a top-level property of its inputSchema."""

    name: str
    """As the MCP client sends it."""
    schema: Schema
    location: In
    wire_name: str
    """The parameter's or property's own name in the document."""
    required: bool
    description: str = ""
    style: str | None = None
    """OpenAPI's style; None is the location's default (2.0's tsv is `tabDelimited`); `segments` is
    `simple` with the slashes of a path variable of several segments.
    """
    explode: bool | None = None
    """None is the style's default."""
    inner: str = ""
    """What separates the items of arrays within an array; without one such a value is JSON."""
    allow_reserved: bool = False
    allow_empty_value: bool = False
    media_type: str | None = None
    """A parameter with `content`: its media type."""
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    """How the fields of one that is the whole query string are written."""
    deprecated: bool = False
    pointer: str = ""
    sends_default: bool = False
    """The schema's `default` is sent where a call leaves it out, as the settings ask."""
    of: str = ""
    """The key of the named schema that it is a property of, if the body refers to one."""


class Fixed(Struct, frozen=True):
    """An argument that agents never see: it sends a constant, a variable's value, or nothing."""

    argument: Argument
    value: Any = None
    env: str = ""
    parsed: bool = False
    """The variable holds JSON, because the argument cannot be a text."""
    hidden: bool = False
    """Nothing is sent."""


class Body(Struct, frozen=True):
    """The request body: the chosen media type, and the others that are offered."""

    media_type: str
    """A list for bytes of several types, `image/png, image/jpeg`: the bytes tell which is sent."""
    required: bool
    """It is sent with every call; else only with calls that give some of it."""
    spread: bool
    """Its properties are arguments (`In.PROPERTY`); else it is one, `body` (`In.BODY`)."""
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    """By the property's name, or the position of a part without one; `*` is every other."""
    binary: bool = False
    """The whole body is binary: the argument is base64, `data:` or `file:`."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """How a body is written as a media type that does not say it: `json`, `text` or `binary`."""
    extra: bool = False
    """Spread, and the document allows further properties: undeclared arguments go into it."""
    needed: tuple[str, ...] = ()
    """Spread, and not required: the arguments that it has to have where it is sent."""
    offered: tuple[str, ...] = ()
    """Further media types, best first; `In.CONTENT_TYPE` chooses where a body may fit several."""
    places: tuple[int, ...] = ()
    """The place of each one's schema in the `anyOf` of `In.BODY`, where several have the same."""


class HttpCall(Struct, frozen=True):
    """The HTTP operation that serves a tool."""

    method: str
    """Upper case."""
    path: str
    """The path template as in the document, `{name}` for each path parameter."""
    body: Body | None = None
    accept: tuple[str, ...] = ("application/json",)
    """Media types of the success responses that are asked for, best first."""
    declared: tuple[str, ...] = ()
    """Further media types of success responses."""
    read_as: str = ""
    """`json` or `text`: what an answer is where its media type does not say it."""
    statuses: tuple[str, ...] = ("200",)
    """Declared success statuses: `200`, `2XX`, `default`; 3xx where that is all."""
    security: tuple[SecurityRequirement, ...] | None = None
    """None: the API's default. Empty: nothing is sent."""
    servers: tuple[Server, ...] = ()
    """The operation's or path item's own servers; empty: the API's."""
    fixed_query: tuple[tuple[str, str | None], ...] = ()
    """Query pairs that the path key itself carries (`/x?action=list`); None: without `=`."""
    poll: Mapping[str, Any] | None = None
    """An operation that answers 202 is followed to its end; what differs from the usual way."""


class Annotations(Struct, frozen=True):
    """MCP ToolAnnotations, all four hints explicit."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = True
    title: str | None = None


class Question(Struct, frozen=True):
    """A question to the user before a tool runs."""

    message: str
    """May hold `{arguments}`."""
    arguments: Mapping[str, Schema] = field(default_factory=dict)
    """Asked for where a call leaves them out; none: the user is to agree."""


class Example(Struct, frozen=True):
    """An example answer, from the document or sampled from its schema."""

    status: int
    media_type: str | None
    value: Any
    """A JSON value, a string for text; for binary media types a base64 string."""


class Representation(Struct, frozen=True):
    """The success answer in one of several media types (RFC 9110, 3.2)."""

    media_type: str
    result: Schema | None
    """As `Tool.result`."""
    read_as: str = ""
    """As `HttpCall.read_as`."""
    examples: tuple[Example, ...] = ()


class Shape(Struct, frozen=True):
    """The part of a tool's answers that agents see; paths are as in `runtime.parts.shaping`."""

    redact: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.redact or self.fields)


class Group(Struct, frozen=True):
    """A group of tools that belong together."""

    slug: str
    """1 to 64 of a-z, 0-9 and hyphens, which no other group of the server has; empty for what is
    no group but a heading: hand-written tools have none, unless the settings give them one."""
    title: str
    about: str = ""
    """What the settings say of it."""
    prompts: tuple[str, ...] = ()
    """The names of prompts that are switched with it."""
    skills: tuple[str, ...] = ()
    """The names of skills that are."""


class Tool(Struct, frozen=True):
    """An MCP tool, and the way it is served."""

    name: str
    title: str
    description: str
    summary: str
    """One line for a docstring; plain text."""
    arguments: tuple[Argument, ...]
    input_schema: Mapping[str, Any]
    """Complete: `properties` in the arguments' order, and every `$defs` that they reach."""
    output_schema: Mapping[str, Any] | None
    result: Schema | None
    """Schema of the success answer as in the document; None: no JSON body."""
    result_media_type: str | None
    """Media type of the success answer that `result` or the content mapping speaks of."""
    annotations: Annotations
    http: HttpCall | None
    """None: a Python handler serves it, which its author writes."""
    tag: str
    """Groups handlers into modules: the document's, if `tagged`; a path's word, or `default`."""
    tagged: bool = True
    group: Group | None = None
    """None: not decided yet."""
    scopes: tuple[str, ...] = ()
    """What `[[with]]` asks of its callers, where its document asks nothing."""
    replaces_scopes: bool = False
    """Those take the place of the document's."""
    icons: tuple[Icon, ...] = ()
    deprecated: bool = False
    examples: tuple[Example, ...] = ()
    """Success answers for `--mock` and the generated tests, the best first."""
    sample_arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that the document's own examples give, where they do."""
    operation_id: str = ""
    operation: str = ""
    """`METHOD path` as the document has them, also the query or fragment of a path's key."""
    pointer: str = ""
    fixed: tuple[Fixed, ...] = ()
    """What agents do not set; none of `arguments`."""
    written: Mapping[str, Any] | None = None
    """The tool as `tools/list` answers it, where its author wrote that; else None."""
    said: Mapping[str, Any] | None = None
    """The same before the settings changed anything."""
    task: str = ""
    """`optional` or `required`: it may or must run as a task (`io.modelcontextprotocol/tasks`)."""
    questions: tuple[Question, ...] = ()
    """What the user is asked first."""
    open_arguments: bool = False
    """Arguments that no property declares reach the handler of a Python tool."""
    shape: Shape = Shape()
    call_settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the running server for calls of it: `timeout`, `retries`."""
    pinned: bool = False
    """The search surface lists it beside its own tools."""
    pages: Mapping[str, Any] | None = None
    """How its collection has pages, as the settings say; empty: it has none, None: they do not."""
    keywords: tuple[str, ...] = ()
    """Words by which the search surface finds it too; agents do not see them."""
    is_wide: bool = False
    """Its answers have so many names that agents can ask for some of them."""
    result_tokens: int = 0
    """Tokens of an answer that reach an agent, as the settings say; 0: as of any tool."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Its `_meta`, as the settings say."""
    links: bool = False
    """Binary answers, and those that are too large, come as links."""
    answer_headers: tuple[str, ...] = ()
    """Headers of its answers that agents are told."""
    representations: tuple[Representation, ...] = ()
    """Those that its document declares, where the settings may choose among several."""
    api: str = ""
    """Its API's key in `Api.further`; empty for a tool of the first source."""

    @property
    def call(self) -> HttpCall:
        """The HTTP operation of a tool; only for tools that have one."""
        assert self.http is not None
        return self.http

    @property
    def takes_extra(self) -> bool:
        """Whether arguments that no property declares are sent to the API."""
        if self.http is None:
            return self.open_arguments
        return self.http.body is not None and self.http.body.spread and self.http.body.extra


class Offer(Struct, frozen=True):
    """A resource, a template of resources, or a prompt, and the way it is served."""

    key: str
    """A resource's URI, a template's uriTemplate, a prompt's name."""
    name: str
    written: Mapping[str, Any]
    """As a list answers it (MCP Resource, ResourceTemplate, Prompt)."""
    served: Mapping[str, Any] = field(default_factory=dict)
    """`text`, `blob`, `file` or `messages`, or the `tool` that answers; `subscribe`: it changes."""
    function: Tool | None = None
    """What makes it, if it is not `served` so: like a tool, by a request or a Python function."""
    completions: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)
    """Values by argument; None: a Python function gives them."""
    pointer: str = ""

    @property
    def changes(self) -> bool:
        """Whether clients may subscribe to the resource."""
        return bool(self.served.get("subscribe"))

    @property
    def is_template(self) -> bool:
        """Whether the offer is a template for many resources."""
        return "uriTemplate" in self.written


class Skipped(Struct, frozen=True):
    """An operation that has no tool, and the reason."""

    method: str
    path: str
    reason: str
    pointer: str = ""
    api: str = ""
    """Its API's key in `Api.further`; empty for the first source."""


class Api(Struct, frozen=True):
    """The contents of a whole document."""

    title: str
    version: str
    name: str = ""
    """The server's name, where the document's extension gives one."""
    description: str = ""
    instructions: str = ""
    website_url: str = ""
    icons: tuple[Icon, ...] = ()
    servers: tuple[Server, ...] = ()
    security_schemes: tuple[SecurityScheme, ...] = ()
    security: tuple[SecurityRequirement, ...] = ()
    """The default for tools whose `http.security` is None. Empty: nothing is sent."""
    tools: tuple[Tool, ...] = ()
    groups: tuple[Group, ...] = ()
    """The groups of its tools, prompts and skills."""
    list_changed: bool = False
    """The tools may change while the server runs (MCP's capability `listChanged`)."""
    resources: tuple[Offer, ...] = ()
    """Templates among them."""
    prompts: tuple[Offer, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    filters: Mapping[str, str] = field(default_factory=dict)
    """By each name in a filter the operation that it means: `METHOD path`, after its API's key."""
    schemas: Mapping[str, Schema] = field(default_factory=dict)
    """Every schema that a `$ref` in a tool reaches, by its key; keys are unique and stable."""
    further: Mapping[str, Api] = field(default_factory=dict)
    """The APIs of further sources that have one; their tools and schemas are among those above."""
    callers: Mapping[str, Any] = field(default_factory=dict)
    """Of a further source: what `[with.auth]` says of the credentials that callers bring."""

    @property
    def is_called(self) -> bool:
        """Whether the server calls an API at all; tools that are only Python need none."""
        functions = (offer.function for offer in (*self.resources, *self.prompts))
        calls = any(tool.http for tool in (*self.tools, *functions) if tool is not None)
        return bool(calls or self.servers or self.security_schemes or self.further)

    @property
    def every_server(self) -> tuple[Server, ...]:
        """The API's own servers, then the servers of its tools."""
        return (*self.servers, *(s for tool in self.tools if tool.http for s in tool.http.servers))

    def security_of(self, call: HttpCall) -> tuple[SecurityRequirement, ...]:
        """The security requirements of a call: its operation's own, or else the default ones."""
        return self.security if call.security is None else call.security

    @property
    def parts(self) -> dict[str, Api]:
        """Each API by its key, with its tools; the first also has tools of sources without
        an API.
        """
        tools: dict[str, list[Tool]] = {key: [] for key in ("", *self.further)}
        for tool in self.tools:
            tools[tool.api if tool.api in tools else ""].append(tool)
        apis = {"": self, **self.further}
        shared = {"schemas": self.schemas, "further": {}}
        return {key: replace(api, tools=tuple(tools[key]), **shared) for key, api in apis.items()}
