"""Faults outside the handlers: `api.py`, the tables, and the server's copy of the runtime."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from bench.faults import Fault, Server, Source, api_call
from bench.handler_faults import is_free_text, null_dropped

_SEND = """

_send = ApiClient.send


async def _faulty(self, method, template, /, **options):
    {change}
    return await _send(self, method, template, **options)


ApiClient.send = _faulty
"""
_SCHEMES = "self._backend.api.security_schemes"
# What the fault is, the module, the name it replaces, what it needs (see `_facts`), the code.
RUNTIME: tuple[tuple[str, str, str, str, str], ...] = (
    *(
        (kind, "backend/client", "ApiClient", needs, _SEND.format(change=change))
        for kind, needs, change in (
            ("method swapped", "calls", 'method = "PUT" if method == "POST" else "POST"'),
            ("query dropped", "query", 'options.pop("query", None)'),
            ("header dropped", "header", 'options.pop("header", None)'),
            ("cookie dropped", "cookie", 'options.pop("cookie", None)'),
            ("Accept dropped", "accept", 'options.pop("accept", None)'),
            ("media type dropped", "media_type", 'options.pop("media_type", None)'),
            ("servers dropped", "other servers", 'options.pop("servers", None)'),
            (
                "credential sent unasked",
                "unasked",
                f"options['security'] = [{{k: []}} for k in {_SCHEMES}]",
            ),
            ("credential dropped", "security", "options['security'] = []"),
            (
                "all credentials sent",
                "less than all",
                f"options['security'] = [{{k: [] for k in {_SCHEMES}}}]",
            ),
        )
    ),
    (
        "status mapping: errors succeed",
        *("backend/client", "is_success", "calls"),
        "\n\ndef is_success(status, expect):\n    return True\n",
    ),
    (
        "status mapping: undeclared successes fail",
        *("backend/client", "is_success", "calls"),
        "\n\ndef is_success(status, expect):\n    return str(status) in expect\n",
    ),
    (
        "error not marked",
        *("calls/calls", "error_result", ""),
        "\n\n_marked = error_result\n\n\ndef error_result(message):\n"
        "    return {**_marked(message), 'isError': False}\n",
    ),
    (
        "message of the API lost",
        *("backend/client", "api_failure", "calls"),
        "\n\n_whole = api_failure\n\n\ndef api_failure(*given):\n    error = _whole(*given)\n"
        "    error.message = 'It failed.'\n    return error\n",
    ),
    (
        "structured content lost",
        *("calls/calls", "to_result", ""),
        "\n\n_mapped = to_result\n\n\ndef to_result(*given):\n    result = _mapped(*given)\n"
        "    result.pop('structuredContent', None)\n    return result\n",
    ),
    (
        "note lost",
        *("calls/calls", "to_result", ""),
        "\n\n_mapped = to_result\n\n\ndef to_result(*given):\n    result = _mapped(*given)\n"
        "    return {**result, 'content': result['content'][:1]}\n",
    ),
    (
        "arguments not validated",
        *("schemas/validation", "ArgumentValidator", ""),
        "\n\nArgumentValidator.check = lambda self, arguments: dict(arguments)\n",
    ),
    (
        "query not escaped",
        *("values/parameters", "_query_pairs", "free query"),
        "\n\nfrom urllib.parse import unquote\n\n_pairs = _query_pairs\n\n\n"
        "def _query_pairs(*given):\n"
        "    return [(name, unquote(text)) for name, text in _pairs(*given)]\n",
    ),
    (
        "path not escaped",
        *("values/parameters", "_path_part", "free path"),
        "\n\n_part = _path_part\n\n\ndef _path_part(*given):\n"
        "    return percent_encode(_part(*given))\n",
    ),
    (
        "content type changed",
        *("backend/client", "encode_body", "json"),
        "\n\n_encode = encode_body\n\n\ndef encode_body(*given, **options):\n"
        "    body = _encode(*given, **options)\n"
        "    return type(body)(body.content_type and 'text/plain', body.content)\n",
    ),
    (
        "null dropped",
        *("backend/client", "encode_body", "null"),
        "\n\n_encode = encode_body\n\n\ndef encode_body(kind, value, *given):\n"
        "    if isinstance(value, dict) and kind == 'json':\n"
        "        value = {k: v for k, v in value.items() if v is not None}\n"
        "    return _encode(kind, value, *given)\n",
    ),
)


def of_server(server: Server) -> Iterator[Fault]:
    """Every fault outside the handlers."""
    yield from _runtime(server)
    yield from _api(server)
    yield from _table(server)
    yield from _tools(server)


def _runtime(server: Server) -> Iterator[Fault]:
    facts = _facts(server)
    for kind, module, name, needs, code in RUNTIME:
        path = f"{server.package}/_runtime/{module}.py"
        text = (server.root / path).read_text(encoding="utf-8")
        if not re.search(
            rf"\b(def|class) {name}\b|\bimport\b.*\b{name}\b|^    {name},$", text, re.M
        ):
            raise ValueError(f"{path} has no {name}: the fault `{kind}` has to be written anew")
        if needs in facts and ("credential" not in kind or server.schemes):
            yield Fault(f"runtime: {kind}", module, path, text + code)


def _facts(server: Server) -> set[str]:
    """What handlers do: calls, keywords of `send`, null in JSON, free text in path and query."""
    facts = {""}
    for handler in server.calls():
        facts |= {"calls", *handler.options}
        for location in ("path", "query"):
            values = [
                value.id for _, value in handler.pairs(location) if isinstance(value, ast.Name)
            ]
            if any(is_free_text(handler.schema(name)) for name in values):
                facts.add(f"free {location}")
        if any(null_dropped(handler)):
            facts.add("null")
        if "servers" not in handler.options:
            asked = [set(each) for each in handler.security[:1]]
            facts |= {"API's server", *(f"scheme {key}" for key in set().union(*handler.security))}
            facts |= {"unasked"} if asked != [{key} for key in server.schemes[:1]] else set()
            facts |= {"less than all"} if asked != [set(server.schemes)] else set()
        elif handler.source.text(handler.options["servers"].value) != server.servers:
            facts.add("other servers")
    return facts


def _api(server: Server) -> Iterator[Fault]:
    path = f"{server.package}/api.py"
    source = Source(server.root / path)
    call = api_call(source)
    facts = _facts(server)
    servers = ast.walk(call["servers"]) if "servers" in call else ()
    first = next((each for each in servers if isinstance(each, ast.Call)), None)
    if first is not None and "API's server" in facts and '"base_url": null' in _cases(server):
        url = ast.literal_eval(first.args[0])
        yield Fault("server changed", url, path, source.edited((first.args[0], repr(f"{url}/x"))))
    schemes = call.get("security_schemes", ast.Dict([], []))
    for key, scheme in zip(schemes.keys, schemes.values, strict=True):
        if f"scheme {ast.literal_eval(key)}" in facts:
            yield from _scheme(path, source, scheme)


def _scheme(path: str, source: Source, scheme: ast.Call) -> Iterator[Fault]:
    given: dict[str, Any] = {each.arg: each.value for each in scheme.keywords if each.arg}
    if "location" in given:
        key = ast.literal_eval(scheme.args[0])
        edit = (scheme.args[0], repr(f"{key}x"))
        yield Fault("key renamed", key, path, source.edited(edit))
        other = "query" if ast.literal_eval(given["location"]) != "query" else "header"
        yield Fault("key moved", key, path, source.edited((given["location"], repr(other))))
    if "env" in given:
        edit = (given["env"], "'NO_SUCH_VARIABLE'")
        yield Fault("credential of another variable", edit[1], path, source.edited(edit))


def _cases(server: Server) -> str:
    with (server.root / "tests" / "cases.json").open(encoding="utf-8") as file:
        return file.readline()


def _table(server: Server) -> Iterator[Fault]:
    path = f"{server.package}/handlers/__init__.py"
    source = Source(server.root / path)
    tables = [node for node in ast.walk(source.tree) if isinstance(node, ast.Dict)]
    for one, other in pairwise(tables[0].values):
        edits = (one, source.text(other)), (other, source.text(one))
        yield Fault("handlers swapped", source.text(one), path, source.edited(*edits))


def _tools(server: Server) -> Iterator[Fault]:
    path = f"{server.package}/tools.json"
    for name, tool in server.tools.items():
        schema = tool["inputSchema"]
        for kind, changed in (
            ("required emptied", {**schema, "required": []} if schema.get("required") else None),
            ("property dropped", _narrowed(schema)),
        ):
            if changed is not None:
                tools = {**server.tools, name: {**tool, "inputSchema": changed}}
                text = json.dumps({"tools": list(tools.values())})
                yield Fault(f"tools.json: {kind}", name, path, text, name)


def _narrowed(schema: dict[str, Any]) -> dict[str, Any] | None:
    names = list(schema.get("properties", {}))
    if not names:
        return None
    return {**schema, "properties": {name: schema["properties"][name] for name in names[1:]}}
