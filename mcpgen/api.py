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
    """The place of an argument in a request; the first five values are those of OpenAPI's `in`."""

    PATH = "path"
    QUERY = "query"
    QUERYSTRING = "querystring"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"
    """The argument is the whole request body."""
    PROPERTY = "property"
    """A property of the request body, which is an argument like the parameters."""
    CONTENT_TYPE = "content_type"
    """The media type of the body; exists only if the document offers several."""
    OWN = "own"
    """The argument is not sent: the settings added it, and only the handler gets it."""


DEFAULT_STYLE = {In.PATH: "simple", In.QUERY: "form", In.HEADER: "simple", In.COOKIE: "form"}
"""The style that OpenAPI gives a location by default."""

HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
"""The names of the hints in MCP, and in `Annotations`."""


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
    """None if the document has no usable default: the user of the server sets the value."""
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
    """apiKey: header, query or cookie; `name` is the name of the key there."""
    scheme: str = ""
    """http: basic, digest, bearer or another scheme, as in the document."""
    flows: Mapping[str, Any] = field(default_factory=dict)
    """oauth2: the document's flows object as in OpenAPI 3, with absolute URLs."""
    openid_connect_url: str = ""
    variables: tuple[ServerVariable, ...] = ()
    """The server variables that the scheme's URLs may contain as `{variables}`."""
    description: str = ""


SecurityRequirement = Mapping[str, tuple[str, ...]]
"""Scheme keys with scopes; all schemes are needed together. An empty mapping is anonymous
access."""


class Encoding(Struct, frozen=True):
    """How one property of a form, or one part of a multipart body, is written (Encoding Object)."""

    content_type: str | None = None
    style: str | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    binary: bool = False
    """The property, or each of its items, is bytes: arguments are base64, `data:` or `file:`."""
    text: bool = False
    """Binary or plain text: `data:` and `file:` are sent as bytes, and any other string as text."""
    parts: Mapping[str, Encoding] | None = None
    """The encodings of its own properties, if it is a form or multipart itself."""
    inner: str = ""
    """The separator of the items of inner arrays, as in `Argument`."""


class Argument(Struct, frozen=True):
    """One argument of a tool: a top-level property of its inputSchema."""

    name: str
    """The name by which MCP clients send it."""
    schema: Schema
    location: In
    wire_name: str
    """The name of the parameter or property in the document."""
    required: bool
    description: str = ""
    style: str | None = None
    """OpenAPI's style; None is the location's default. The style tsv of 2.0 is `tabDelimited`.
    `segments` is `simple`, but keeps the slashes of a path variable with several segments."""
    explode: bool | None = None
    """None is the default of the style."""
    inner: str = ""
    """The separator of the items of inner arrays; without one, inner arrays are written as JSON."""
    allow_reserved: bool = False
    allow_empty_value: bool = False
    media_type: str | None = None
    """The media type of a parameter with `content`."""
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    """The encodings of the fields, if the argument is the whole query string."""
    deprecated: bool = False
    pointer: str = ""
    sends_default: bool = False
    """The schema's `default` is sent if a call leaves the argument out, as the settings require."""
    of: str = ""
    """The key of the named schema that has the property, if the body refers to one."""


class Fixed(Struct, frozen=True):
    """An argument that agents never see: it sends a constant, a variable's value, or nothing."""

    argument: Argument
    value: Any = None
    env: str = ""
    parsed: bool = False
    """The variable contains JSON, because the argument cannot be a string."""
    hidden: bool = False
    """The argument is not sent."""


class Body(Struct, frozen=True):
    """The request body: the chosen media type, and the others that are offered."""

    media_type: str
    """For bytes of several types a list, `image/png, image/jpeg`: the bytes decide which is
    sent."""
    required: bool
    """The body is sent with every call, else only if a call has one of its arguments."""
    spread: bool
    """Its properties are arguments (`In.PROPERTY`); else the body is one argument (`In.BODY`)."""
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    """The encodings by property name, or by position for unnamed parts; `*` is for all others."""
    binary: bool = False
    """The whole body is bytes: the argument is base64, `data:` or `file:`."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """How to write the body in a media type that does not imply it: `json`, `text` or `binary`."""
    extra: bool = False
    """The body is spread, and undeclared arguments become properties of it."""
    needed: tuple[str, ...] = ()
    """The arguments that a spread body must have if it is sent, although it is optional."""
    offered: tuple[str, ...] = ()
    """Further media types, best first; `In.CONTENT_TYPE` chooses if a body may fit several."""
    places: tuple[int, ...] = ()
    """For each media type, the index of its schema in the `anyOf` of `In.BODY`."""


class HttpCall(Struct, frozen=True):
    """The HTTP operation that serves a tool."""

    method: str
    """The method in upper case."""
    path: str
    """The path template of the document, with `{name}` for each path parameter."""
    body: Body | None = None
    accept: tuple[str, ...] = ("application/json",)
    """The requested media types of success responses, best first."""
    declared: tuple[str, ...] = ()
    """Further media types of success responses."""
    read_as: str = ""
    """`json` or `text`: how to read an answer whose media type does not imply it."""
    statuses: tuple[str, ...] = ("200",)
    """Declared success statuses: `200`, `2XX`, `default`; 3xx if there are no others."""
    security: tuple[SecurityRequirement, ...] | None = None
    """None: the API's default security. Empty: no credentials are sent."""
    servers: tuple[Server, ...] = ()
    """The servers of the operation or path item; empty: the servers of the API."""
    fixed_query: tuple[tuple[str, str | None], ...] = ()
    """Query pairs in the document's path key (`/x?action=list`); None: a name without `=`."""
    poll: Mapping[str, Any] | None = None
    """How to poll an operation that answers 202, as far as it differs from the default; else
    None."""


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
    """The text of the question, which may contain `{arguments}`."""
    arguments: Mapping[str, Schema] = field(default_factory=dict)
    """Arguments that the user is asked for if a call lacks them; empty: the user has to agree."""


class Example(Struct, frozen=True):
    """An example answer, from the document or sampled from its schema."""

    status: int
    media_type: str | None
    value: Any
    """A JSON value, a string for text, or a base64 string for binary media types."""


class Representation(Struct, frozen=True):
    """The success answer in one of its media types (RFC 9110, 3.2)."""

    media_type: str
    result: Schema | None
    """The schema, as in `Tool.result`."""
    read_as: str = ""
    """The same as `HttpCall.read_as`."""
    examples: tuple[Example, ...] = ()


class Shape(Struct, frozen=True):
    """Which fields of a tool's answers agents see; the paths are those of
    `runtime.parts.shaping`.
    """

    redact: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.redact or self.fields)


class Group(Struct, frozen=True):
    """A group of tools that belong together."""

    slug: str
    """1 to 64 of a-z, 0-9 and hyphens, unique in the server. Empty for a mere heading: hand-written
    tools are in no group, unless the settings put them into one."""
    title: str
    about: str = ""
    """The description in the settings."""
    prompts: tuple[str, ...] = ()
    """The names of prompts that are switched on and off with the group."""
    skills: tuple[str, ...] = ()
    """The names of skills that are switched on and off with the group."""


class Tool(Struct, frozen=True):
    """An MCP tool, with the HTTP operation or the Python function that serves it."""

    name: str
    title: str
    description: str
    summary: str
    """One line of plain text for a docstring."""
    arguments: tuple[Argument, ...]
    input_schema: Mapping[str, Any]
    """The complete schema: `properties` in the arguments' order, and all `$defs` that they use."""
    output_schema: Mapping[str, Any] | None
    result: Schema | None
    """The schema of the success answer as in the document; None: no JSON body."""
    result_media_type: str | None
    """The media type of the success answer that `result` or the content mapping is for."""
    annotations: Annotations
    http: HttpCall | None
    """None: a Python function serves the tool, which its author writes."""
    tag: str
    """The tag that decides the handler's module: the document's if `tagged`, else a word of the
    path, or `default`."""
    tagged: bool = True
    group: Group | None = None
    """None: not yet decided."""
    scopes: tuple[str, ...] = ()
    """The scopes in `[[with]]` that callers need if the document requires none."""
    replaces_scopes: bool = False
    """`scopes` replace the scopes in the document."""
    icons: tuple[Icon, ...] = ()
    deprecated: bool = False
    examples: tuple[Example, ...] = ()
    """Success answers for `--mock` and the generated tests, best first."""
    sample_arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments from the document's own examples."""
    operation_id: str = ""
    operation: str = ""
    """`METHOD path` as in the document, with the query or fragment of the path key."""
    pointer: str = ""
    fixed: tuple[Fixed, ...] = ()
    """Arguments that agents do not see; they are not in `arguments`."""
    written: Mapping[str, Any] | None = None
    """The hand-written tool as in `tools/list`; None for other tools."""
    said: Mapping[str, Any] | None = None
    """`written` before the settings changed it."""
    task: str = ""
    """`optional` or `required`: calls may or must run as tasks
    (`io.modelcontextprotocol/tasks`)."""
    questions: tuple[Question, ...] = ()
    """The questions to the user before a call."""
    open_arguments: bool = False
    """Undeclared arguments reach the handler of a Python tool."""
    shape: Shape = Shape()
    call_settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the running server for calls of this tool: `timeout`, `retries`."""
    pinned: bool = False
    """The search surface lists the tool together with its own tools."""
    pages: Mapping[str, Any] | None = None
    """The pagination in the settings; empty: no pages; None: the settings do not have any."""
    keywords: tuple[str, ...] = ()
    """Additional words by which the search surface finds the tool; agents do not see them."""
    is_wide: bool = False
    """Answers have so many fields that agents can choose the fields that they get."""
    result_tokens: int = 0
    """The most tokens of an answer that agents get, by the settings; 0: as for any tool."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """The tool's `_meta`, from the settings."""
    links: bool = False
    """Agents get links to binary answers, and to answers that are too large."""
    answer_headers: tuple[str, ...] = ()
    """The headers of answers that agents see."""
    representations: tuple[Representation, ...] = ()
    """The declared representations, if the settings may choose among several."""
    api: str = ""
    """The key of its API in `Api.further`; empty for a tool of the first source."""

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
    """The URI of a resource, the uriTemplate of a template, or the name of a prompt."""
    name: str
    written: Mapping[str, Any]
    """The entry in the list of resources, templates or prompts (MCP Resource, ...)."""
    served: Mapping[str, Any] = field(default_factory=dict)
    """`text`, `blob`, `file` or `messages`, or the `tool` that answers; `subscribe`: the resource
    may change."""
    function: Tool | None = None
    """The request or Python function that makes the content, as a tool; None if it is in
    `served`."""
    completions: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)
    """Values by argument; None: a Python function returns them."""
    pointer: str = ""

    @property
    def changes(self) -> bool:
        """Whether clients may subscribe to the resource."""
        return bool(self.served.get("subscribe"))

    @property
    def is_template(self) -> bool:
        """Whether this is a template for many resources."""
        return "uriTemplate" in self.written


class Skipped(Struct, frozen=True):
    """An operation that has no tool, and the reason."""

    method: str
    path: str
    reason: str
    pointer: str = ""
    api: str = ""
    """The key of its API in `Api.further`; empty for the first source."""


class Api(Struct, frozen=True):
    """The contents of a whole document."""

    title: str
    version: str
    name: str = ""
    """The server's name in an extension of the document; else empty."""
    description: str = ""
    instructions: str = ""
    website_url: str = ""
    icons: tuple[Icon, ...] = ()
    servers: tuple[Server, ...] = ()
    security_schemes: tuple[SecurityScheme, ...] = ()
    security: tuple[SecurityRequirement, ...] = ()
    """The security of operations whose `security` is None. Empty: no credentials are sent."""
    tools: tuple[Tool, ...] = ()
    groups: tuple[Group, ...] = ()
    """The groups of the server's tools, prompts and skills."""
    list_changed: bool = False
    """The tools may change while the server runs (MCP's capability `listChanged`)."""
    resources: tuple[Offer, ...] = ()
    """The resources, and the templates of resources."""
    prompts: tuple[Offer, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    filters: Mapping[str, str] = field(default_factory=dict)
    """`METHOD path` of the operation that each name in a filter is for, after its API's key."""
    schemas: Mapping[str, Schema] = field(default_factory=dict)
    """Every schema that a `$ref` in a tool reaches, by key; keys are unique and stable."""
    further: Mapping[str, Api] = field(default_factory=dict)
    """The APIs of further sources; `tools` and `schemas` include those of these APIs."""
    callers: Mapping[str, Any] = field(default_factory=dict)
    """For a further source: the table `[with.auth]`, on credentials that callers send."""

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
        """Each API by its key, with its own tools.

        The first API also has the tools of sources that have no API.
        """
        tools: dict[str, list[Tool]] = {key: [] for key in ("", *self.further)}
        for tool in self.tools:
            tools[tool.api if tool.api in tools else ""].append(tool)
        apis = {"": self, **self.further}
        shared = {"schemas": self.schemas, "further": {}}
        return {key: replace(api, tools=tuple(tools[key]), **shared) for key, api in apis.items()}
