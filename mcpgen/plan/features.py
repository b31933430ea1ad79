"""Optional parts of the runtime, copied only into servers that use them.

They are in the runtime's folder `parts`, and named after the module that `App` installs. Others
are what the document decides: forms, and keywords of its schemas.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ..adjusting import refusals
from ..api import Api, In, Tool
from ..catalogue.tools_json import completes
from ..runtime.values.media import essence, is_json_lines
from ..settings import Settings
from .calls import FORM, body_kind, chooses

_FILES = ("content/__init__", "content/files", "content/media_names")
_STATIC = ("completion", "content/static_content", *_FILES)
_ACCOUNTS = "accounts/__init__"

PARTS: dict[str, tuple[str, ...]] = {
    "servers": ("servers",),
    "cookies": ("forms/__init__", "forms/cookies"),
    "bodies": ("forms/__init__", "forms/kinds", "content/__init__", "content/media_names"),
    "forms": ("forms/__init__", "forms/forms", "forms/multipart", *_FILES),
    "parts": ("multipart_answers",),
    "branches": ("branches",),
    "unevaluated": ("unevaluated",),
    "dialects": ("dialects",),
    "variables": ("variables",),
    "asking": ("asking",),
    "certificates": (_ACCOUNTS, "accounts/certificates"),
    "login": (_ACCOUNTS, "accounts/login"),
    "digest": (_ACCOUNTS, "accounts/digest", "accounts/sign_in"),
    "oauth": (_ACCOUNTS, "accounts/oauth", "accounts/sign_in"),
}
"""What the document decides; people who write handlers may need any of it."""

MODULES: dict[str, tuple[str, ...]] = {
    **PARTS,
    "refusals": ("refusals",),
    "listening": ("listening",),
    "changes": ("changes",),
    "search": (
        "search/__init__",
        "search/search",
        "search/answers",
        "search/calls",
        "search/index",
        "search/signatures",
        "shaping",
    ),
    "tasks": ("tasks/__init__", "tasks/tasks", "tasks/store"),
    "questions": ("questions",),
    "polling": ("polling",),
    "resources": ("resources", *_STATIC),
    "updates": ("updates",),
    "links": ("links", "resources", *_STATIC),
    "prompts": ("prompts", *_STATIC),
    "skills": (
        "skills/__init__",
        "skills/skills",
        "skills/files",
        "content/__init__",
        "content/media_names",
    ),
    "completion": ("completion",),
    "loglevels": ("loglevels",),
    "shaping": ("shaping",),
    "fitting": ("fitting",),
    "tokens": ("http/tokens",),
    "metrics": ("http/metrics",),
}
"""The modules of each feature; one that several name is copied for any of them.

What completes an argument stays where a person wrote it, beside functions that are still served, so
its mark has to be there.
"""

_MODULE = re.compile(r"""^ +(?:from \.|")([\w.]+)""")
_ASKS = re.compile(r"\.ask\(|\bInputRequiredResult\b")
_USES = {
    "servers": re.compile(r"\bservers="),
    "cookies": re.compile(r"\bcookie="),
    "bodies": re.compile(r"\b(?:text|form|multipart|binary|body)="),
    "forms": re.compile(
        r"\b(?:form|multipart|binary|body|querystring)=|\bstyle\.(?:fields|part|urlencoded)\b"
    ),
    "parts": re.compile(r"\bmultipart/"),
    "asking": _ASKS,
    "branches": _ASKS,
}
"""In a handler: what sends cookies or other bodies than JSON, and what asks the user."""

IMPORTED = ("polling", "shaping", "fitting", "tokens", "metrics", *PARTS)
"""What the package's own modules import; `App` installs the other features."""

SETTINGS = {
    "tools_file": "changes",
    "task_ttl": "tasks",
    "max_tasks": "tasks",
    "surface": "search",
    "http_tokens_file": "tokens",
    "metrics": "metrics",
}
"""The settings of a server that only a feature reads."""


def of(api: Api, settings: Settings) -> tuple[str, ...]:
    """The features that a server needs, in the order in which they are installed."""
    functions = [o.function for o in (*api.resources, *api.prompts) if o.function is not None]
    calls = [each.http for each in (*api.tools, *functions) if each.http is not None]
    needs = {
        "refusals": any(refusals.of(tool, api) for tool in api.tools),
        "listening": False,
        "resources": bool(api.resources) or settings.result_links,
        "updates": any(offer.changes for offer in api.resources),
        "links": settings.result_links,
        "prompts": bool(api.prompts),
        "skills": settings.skills,
        "completion": completes(api),
        "loglevels": any(tool.http is None for tool in (*api.tools, *functions)),
        "changes": settings.list_changed or api.list_changed,
        "search": settings.surface == "search",
        "tasks": any(tool.task for tool in api.tools),
        "questions": any(tool.questions for tool in api.tools),
        "polling": any(call.poll is not None for call in calls),
        "shaping": any(tool.shape for tool in api.tools),
        "fitting": any(chooses(tool) for tool in api.tools),
        "tokens": settings.http_tokens,
        "metrics": settings.metrics,
    }
    served = (*api.tools, *functions)
    arguments = [argument for each in served for argument in each.arguments]
    arguments += [fixed.argument for each in served for fixed in each.fixed]
    declared = [kind for call in calls for kind in (*call.accept, *call.declared)]
    written = any(tool.http is None for tool in served) or bool(api.prompts)
    asking = written or any(needs[name] for name in ("tasks", "questions", "changes"))
    schemas = str(
        [(each.input_schema, _checked(each.output_schema), each.written) for each in api.tools]
    )
    schemes = [s for part in (api, *api.further.values()) for s in part.security_schemes]
    urls = [server.url for each in (api, *api.further.values()) for server in each.servers]
    urls += [server.url for call in calls for server in call.servers]
    needs |= {
        "asking": asking,
        "servers": any("{" in url for url in urls) or any(each.variables for each in schemes),
        "cookies": written or any(each.location is In.COOKIE for each in arguments),
        "bodies": written or any(_sends_others(each) for each in served),
        "forms": written or any(_sends_forms(each) for each in served),
        "parts": written or any(kind.startswith("multipart/") for kind in declared),
        "branches": asking or "anyOf" in schemas or "oneOf" in schemas,
        "unevaluated": needs["changes"] or "unevaluated" in schemas,
        "dialects": needs["changes"] or written or "$schema" in schemas,
        "certificates": any(each.type == "mutualTLS" for each in schemes),
        "login": any(each.is_login for each in schemes),
        "digest": any(each.scheme == "digest" for each in schemes),
        "oauth": any(each.type in ("oauth2", "openIdConnect") for each in schemes),
        "variables": written or any(fixed.env for tool in api.tools for fixed in tool.fixed),
    }
    needs["listening"] = any(needs[name] for name in ("changes", "updates", "tasks"))
    return tuple(name for name, is_used in needs.items() if is_used)


def _checked(schema: Mapping[str, Any] | None) -> Any:
    """The part of an output schema that answers are checked against: not the `anyOf` around it."""
    branches = (schema or {}).get("anyOf", ())
    if schema is None or {"type": "object"} not in branches:
        return schema
    return branches[0], schema.get("$defs")


def _sends_others(tool: Tool) -> bool:
    """Whether a tool sends a body that is not one JSON value."""
    body = tool.http.body if tool.http is not None else None
    if body is None:
        return False
    return body_kind(body)[0] != "json" or bool(body.offered) or is_json_lines(body.media_type)


def _sends_forms(tool: Tool) -> bool:
    """Whether a tool sends a form or bytes, in its body or query."""
    body = tool.http.body if tool.http is not None else None
    if body is not None and (body.offered or body_kind(body)[0] not in ("json", "text")):
        return True
    return any(
        argument.location is In.QUERYSTRING or essence(argument.media_type or "") == FORM
        for argument in tool.arguments
    )


def used(text: str) -> set[str]:
    """The parts of the runtime that the text of a handler needs beside what it imports."""
    return {part for part, pattern in _USES.items() if pattern.search(text)}


def is_needed(path: str, features: Collection[str]) -> bool:
    """Whether a server with these features has the runtime's file at `path`."""
    module = path.removesuffix(".py").removeprefix("parts/")
    owners = [name for name, modules in MODULES.items() if module in modules]
    return not owners or any(name in features for name in owners)


def place(module: str) -> str:
    """Where a module of a feature is in the runtime."""
    return f"parts/{module}.py"


def exports(text: str, features: Collection[str]) -> str:
    """The runtime's `__init__.py` for a server with these features."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if _is_exported(line, features))


def _is_exported(line: str, features: Collection[str]) -> bool:
    modules = _MODULE.findall(line)
    return all(is_needed(f"{module.replace('.', '/')}.py", features) for module in modules)


def exported(text: str) -> dict[str, str]:
    """The names that the runtime's `__init__.py` exports of features, with their modules."""
    homes = re.findall(r'"(?:parts\.)?([\w.]+)": "([\w ]+)"', text)
    optional = {module for modules in MODULES.values() for module in modules}
    pairs = ((module.replace(".", "/"), names.split()) for module, names in homes)
    return {name: module for module, names in pairs if module in optional for name in names}
