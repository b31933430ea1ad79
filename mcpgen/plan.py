"""IR 1 + names + models -> IR 2: every decision about what will be written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from . import calls, contract, features, literals, offers, sign_in
from .api import Api, Argument, SecurityScheme, Shape, Tool
from .import_order import import_order
from .literals import py
from .models import Models
from .models.annotations import Annotation
from .naming import ApiNames, Names
from .package import CallerScheme, Entry, FurtherApi, Handler, Keyword, Module, Package, ToolRow
from .runtime.wire.media import essence, is_json, is_json_lines, is_text
from .sameness import identical
from .server_variables import environment
from .settings import Settings, access
from .token_urls import discovery_url, refresh_url, token_url
from .tool_scopes import scopes_file

_DOC_COLUMNS = 90
"""Of a handler's docstring: 100 without its indentation and quotes."""
_PEP_440 = re.compile(r"v?(\d+(?:\.\d+)*)((?:a|b|rc)\d+)?")


class Planned(Struct, frozen=True):
    """What a run decided about a server's handlers, and from what."""

    api: Api
    names: Names
    modules: tuple[Module, ...]
    rows: tuple[ToolRow, ...]
    """Of the tools, in their order."""

    def same(self, names: Names) -> Mapping[str, tuple[list[Tool], Module]]:
        """The tools and the module of each tag, where types and names are those of `names`."""
        old = self.names
        same = (old.package, old.classes, old.apis) == (names.package, names.classes, names.apis)
        if not same or old.lifted.schemas is not names.lifted.schemas:
            return {}
        tagged = _tagged(self.api, old)
        pairs = zip(tagged.items(), self.modules, strict=True)
        return {
            tag: (tools, module)
            for (tag, tools), module in pairs
            if old.modules[tag] == names.modules.get(tag)
            and all(_names_of(tool, old) == _names_of(tool, names) for tool in tools)
        }


def _names_of(tool: Tool, names: Names) -> tuple[object, ...]:
    return tuple(part.get(tool.name) for part in (names.functions, names.keywords, names.extras))


def _tagged(api: Api, names: Names) -> dict[str, list[Tool]]:
    tagged: dict[str, list[Tool]] = {tag: [] for tag in names.modules}
    for tool in api.tools:
        tagged[tool.tag].append(tool)
    return tagged


def _modules(api: Api, names: Names, models: Models, before: Planned | None) -> Iterator[Module]:
    """The modules of handlers; one of the same tools is what it was."""
    there = before.same(names) if before is not None else {}
    for tag, tools in _tagged(api, names).items():
        old, module = there.get(tag, ([], None))
        yield module if module and identical(old, tools) else _module(tag, tools, names, models)


def plan(
    api: Api, names: Names, models: Models, settings: Settings, before: Planned | None = None
) -> Package:
    """Decide a whole server package; `before` is what an earlier run decided."""
    modules = tuple(_modules(api, names, models, before))
    scopes = scopes_file(api, settings.tools)
    chosen = features.of(api, settings)
    return Package(
        name=names.package,
        distribution=names.distribution,
        server=names.server,
        env_prefix=names.env_prefix,
        version=_package_version(api.version),
        title=literals.one_line(api.title) or names.server,
        literals=_literals(api, names),
        info=_info(api, names),
        defaults=_defaults(settings),
        api=_api(api, names.apis[""]),
        apis=tuple(
            FurtherApi(py(key), names.apis[key].env_prefix, _api(further, names.apis[key]))
            for key, further in api.further.items()
        ),
        api_imports=_api_imports(api),
        modules=modules,
        entries=tuple(_entry(t, names) for t in api.tools),
        callers=_callers(settings),
        variables=environment(api, names, settings),
        tools=tuple(_rows(api, names, before)),
        scoped=bool(scopes),
        calls_api=api.is_called,
        signs_in=any(part.security_schemes for part in api.parts.values()),
        sign_in=sign_in.sentence(api),
        first_tool=_first_tool(api.tools),
        features=chosen,
        installed=tuple(name for name in chosen if name not in features.IMPORTED),
        functions=offers.modules(api, names),
        resources=offers.rows(api.resources, "resources.py"),
        prompts=offers.rows(api.prompts, "prompts.py"),
        data={**contract.offers_json(api, chosen), **_optional(api), **scopes},
    )


def _optional(api: Api) -> dict[str, str]:
    """The data of optional features."""
    tasks = {tool.name: tool.task for tool in api.tools if tool.task}
    asked = {
        tool.name: [structs.asdict(q) for q in tool.questions]
        for tool in api.tools
        if tool.questions
    }
    files = {"tasks.json": tasks, "questions.json": asked}
    return {name: literals.json_text(data) for name, data in files.items() if data}


def _module(tag: str, tools: list[Tool], names: Names, models: Models) -> Module:
    annotations: list[Annotation] = []
    handlers = tuple(_handler(t, names, models, annotations) for t in tools)
    text = "\n".join("\n".join(h.call) for h in handlers)
    by_hand = is_by_hand(tools)
    runtime = {"Context", "ToolError" if by_hand else "Response", "tool"}
    if any(k.default for h in handlers for k in h.keywords):
        runtime |= {"UNSET", "Unset"}
    runtime |= {n for n in ("ServerUrl", "Variable") if f"{n}(" in text}
    runtime |= {"from_env"} if any(fixed.env for t in tools for fixed in t.fixed) else set()
    runtime |= {"if_given"} if re.search(r"\bif_given\(", text) else set()
    runtime |= {"style"} if re.search(r"\bstyle\.\w+\(", text) else set()
    extras = any(t.name in names.extras for t in tools)
    typing = {"Any"} if extras or any(a.any for a in annotations) else set()
    typing |= {"Literal"} if any(a.literal for a in annotations) else set()
    models_used = {c for a in annotations for c in a.classes}
    typing |= {"TYPE_CHECKING"} if models_used else set()
    return Module(
        name=names.modules[tag],
        docstring=literals.docstring(_about_module(tag, tools)),
        typing=tuple(sorted(typing, key=import_order)),
        mapping=extras,
        polls=any(t.http is not None and t.http.poll is not None for t in tools),
        chooses=any(calls.chooses(t) for t in tools),
        runtime=tuple(sorted(runtime, key=import_order)),
        models=tuple(sorted(models_used, key=import_order)),
        handlers=handlers,
    )


def is_by_hand(tools: Iterable[Tool]) -> bool:
    """Whether a module's handlers are written by a person, for they call no API."""
    return any(tool.http is None for tool in tools)


def _about_module(tag: str, tools: list[Tool]) -> str:
    if is_by_hand(tools):
        return "Tools in Python: fill them in. What you write here is kept."
    api = tools[0].api
    whose = f" of {api}" if api else ""
    if tools[0].written is not None:
        return f"Tools that call the API{whose}."
    own = tag.removeprefix(f"{api}/")
    return f"Tools tagged `{literals.one_line(own)}`{whose}."


def _handler(tool: Tool, names: Names, models: Models, used: list[Annotation]) -> Handler:
    keywords = names.keywords[tool.name]
    extra = names.extras.get(tool.name)
    ordered = sorted(tool.arguments, key=lambda a: not a.required)
    result = _result_annotation(tool, models)
    used.append(result)
    parameters = []
    for argument in ordered:
        annotation = models.annotate(argument.schema, f"{tool.name} {argument.name}")
        used.append(annotation)
        parameters.append(_keyword(argument, keywords[argument.name], annotation.text))
    if extra:
        required = sum(argument.required for argument in ordered)
        parameters.insert(required, Keyword(extra, "Mapping[str, Any]"))
    renames = [f"{keywords[a.name]}={py(a.name)}" for a in ordered if keywords[a.name] != a.name]
    renames += [f'{extra}="*"'] if extra else []
    return Handler(
        tool=py(tool.name),
        function=names.functions[tool.name],
        renames=tuple(renames),
        keywords=tuple(parameters),
        returns=result.text if tool.http is None else f"Response[{result.text}]",
        docstring=literals.docstring(_doc(tool)),
        call=()
        if tool.http is None
        else calls.send_arguments(tool, keywords, extra, names.apis[tool.api].variables),
        client=f"ctx.apis[{py(tool.api)}]" if tool.api else "ctx.api",
        unfilled=py(_unfilled(tool, names)) if tool.http is None else "",
    )


def _unfilled(tool: Tool, names: Names) -> str:
    """What a tool answers whose handler nobody has written yet."""
    file = f"{names.package}/handlers/{names.modules[tool.tag]}.py"
    return f"This tool is not written yet: fill in {names.functions[tool.name]}() in {file}."


def _keyword(argument: Argument, name: str, annotation: str) -> Keyword:
    if argument.required:
        return Keyword(name, annotation)
    return Keyword(name, f"{annotation} | Unset", "UNSET")


def _result_annotation(tool: Tool, models: Models) -> Annotation:
    if tool.result is not None:
        return models.annotate(tool.result, f"{tool.name} result")
    if tool.http is None:
        return Annotation("Any", any=True)
    kind = essence(tool.result_media_type or "")
    if not kind:
        return Annotation("None")
    if is_text(kind) or is_json_lines(kind) or kind.endswith("+xml"):
        return Annotation("str")
    return Annotation("Any", any=True) if is_json(kind) or "*" in kind else Annotation("bytes")


def _doc(tool: Tool) -> str:
    """What a handler does, and its operation; in paragraphs where they are long for one line.

    The operation alone where the words before it would be its own.
    """
    summary = literals.sentence(tool.summary, 90).rstrip(".")
    if tool.http is None:
        return f"{summary or literals.one_line(tool.name)}."
    operation = f"{tool.http.method} {literals.one_line(tool.http.path)}"
    if _words(summary) in ([], _words(operation)):
        return f"{operation}."
    line = f"{summary}: {operation}."
    if len(line) <= _DOC_COLUMNS:
        return line
    end = "" if summary.endswith("…") else "."
    return f"{summary}{end}\n\n{operation}\n"


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _entry(tool: Tool, names: Names) -> Entry:
    target = f"{names.modules[tool.tag]}:{names.functions[tool.name]}"
    return Entry(py(tool.name), py(target))


def _rows(api: Api, names: Names, before: Planned | None) -> Iterator[ToolRow]:
    """The rows of the tools; one of the same tool in the same place is what it was."""
    there: dict[str, tuple[Tool, ToolRow]] = {}
    if before is not None and before.names.modules == names.modules:
        pairs = zip(before.api.tools, before.rows, strict=True)
        there = {tool.name: (tool, row) for tool, row in pairs}
    for tool in api.tools:
        old, row = there.get(tool.name, (None, None))
        yield row if row is not None and identical(tool, old) else _row(tool, names)


def _row(tool: Tool, names: Names) -> ToolRow:
    hints = tool.annotations
    words = ["reads"] if hints.read_only else ["writes"]
    words += ["destructive"] if hints.destructive and not hints.read_only else []
    words += ["deprecated"] if tool.deprecated else []
    return ToolRow(
        name=literals.code_span(tool.name),
        operation=literals.code_span(
            f"{tool.http.method} {tool.http.path}"
            if tool.http is not None
            else f"handlers/{names.modules[tool.tag]}.py"
        )
        + (f" of {literals.markdown(tool.api)}" if tool.api else ""),
        summary=literals.markdown(literals.sentence(tool.summary or tool.title, 120)),
        hints=", ".join(words),
    )


def _first_tool(tools: tuple[Tool, ...]) -> str:
    """The tool a newcomer tries first: one that reads and needs no argument, if there is one."""
    return min(
        tools,
        key=lambda t: (not t.annotations.read_only, sum(a.required for a in t.arguments)),
    ).name


def _literals(api: Api, names: Names) -> dict[str, str]:
    title = literals.one_line(api.title) or names.server
    about = literals.sentence(api.description, 300)
    return {
        "doc_title": literals.docstring(f"{title}: an MCP server."),
        "toml_description": literals.toml(f"MCP server for {title}"),
        "md_title": literals.markdown(title),
        "md_about": literals.markdown(about),
    }


def _info(api: Api, names: Names) -> tuple[str, ...]:
    fields: dict[str, Any] = {
        "name": names.server,
        "version": api.version,
        "title": api.title,
        "description": literals.sentence(api.description, 300),
        "instructions": api.instructions,
        "website_url": api.website_url,
        "icons": [contract.wire_icon(i) for i in api.icons],
    }
    kept = {k: v for k, v in fields.items() if v or k in ("name", "version")}
    return tuple(f"{key}={literals.py_lines(value)}" for key, value in kept.items())


def _defaults(settings: Settings) -> tuple[str, ...]:
    given = {"page_size": settings.page_size} if settings.page_size else {}
    given |= access.server_defaults(settings.auth)
    return tuple(f"{name}={value!r}" for name, value in given.items())


def _callers(settings: Settings) -> tuple[CallerScheme, ...]:
    given = access.server_defaults(settings.auth)
    return tuple(
        CallerScheme(literals.code_span(scheme), literals.code_span(header), name != "caller_auth")
        for name in ("caller_auth", "caller_exchange")
        for scheme, header in given.get(name, ())
    )


def _api(api: Api, names: ApiNames) -> tuple[str, ...]:
    servers = ", ".join(calls.server_expression(s, names.variables) for s in api.servers)
    schemes = ", ".join(f"{py(s.key)}: {_scheme(s, names)}" for s in api.security_schemes)
    out = [f"env_prefix={py(names.env_prefix)}", f"servers=[{servers}]"]
    out += [f"security_schemes={{{schemes}}}"] if schemes else []
    out += [f"security={calls.security_literal(api.security)}"] if api.security else []
    shapes = ", ".join(f"{py(t.name)}: {_shape(t.shape)}" for t in api.tools if t.shape)
    out += [f"shapes={{{shapes}}}"] if shapes else []
    return tuple(out)


def _shape(shape: Shape) -> str:
    given = {"redact": shape.redact, "fields": shape.fields}
    return f"Shape({', '.join(f'{k}={py(list(v))}' for k, v in given.items() if v)})"


def _scheme(scheme: SecurityScheme, names: ApiNames) -> str:
    env = ", ".join(f"{role}={py(name)}" for role, name in names.env[scheme.key].items())
    match scheme.type, scheme.scheme:
        case "apiKey", _:
            return f"ApiKey({py(scheme.name)}, location={py(scheme.location)}, {env})"
        case "http", "basic":
            return f"Basic({env})"
        case "http", "bearer":
            return f"Bearer({env})"
        case "http", other:
            return f"HttpAuth({py(other)}, {env})"
        case "oauth2", _:
            urls = {"token_url": token_url(scheme), "refresh_url": refresh_url(scheme)}
            return f"OAuth2({', '.join([env, *(f'{k}={py(v)}' for k, v in urls.items() if v)])})"
        case "openIdConnect", _:
            url = discovery_url(scheme)
            return f"OpenIdConnect({env}{f', discovery_url={py(url)}' if url else ''})"
        case _:
            return f"MutualTls({env})"


def _api_imports(api: Api) -> tuple[str, ...]:
    used = {"Api"}
    kinds = {"apiKey": "ApiKey", "oauth2": "OAuth2", "openIdConnect": "OpenIdConnect"}
    apis = (api, *api.further.values())
    servers = [server for each in apis for server in each.servers]
    for scheme in (scheme for each in apis for scheme in each.security_schemes):
        if scheme.type == "http":
            used.add({"basic": "Basic", "bearer": "Bearer"}.get(scheme.scheme, "HttpAuth"))
        else:
            used.add(kinds.get(scheme.type, "MutualTls"))
    used |= {"ServerUrl"} if servers else set()
    used |= {"Variable"} if any(s.variables for s in servers) else set()
    return tuple(sorted(used, key=import_order))


def _package_version(version: str) -> str:
    """The document's version where it is one that Python packages can have (PEP 440)."""
    match = _PEP_440.fullmatch(version.strip())
    return match[1] + (match[2] or "") if match else "0.1.0"
