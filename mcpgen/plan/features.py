"""Optional parts of the runtime, copied only into servers that use them.

They are in the runtime's folder `features`. A feature is named after the module that `App` installs
for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ..api import Api
from ..contract import completes
from ..settings import Settings, refusals
from .calls import chooses

_RESOURCES = (
    "resources", "resource_contents", "uri_templates", "functions", "static_content",
)  # fmt: skip

MODULES: dict[str, tuple[str, ...]] = {
    "refusals": ("refusals",),
    "listening": ("listening",),
    "changes": ("changes", "changing_catalogue", "switches"),
    "tasks": ("tasks", "task_store", "task_client"),
    "questions": ("questions",),
    "polling": ("polling",),
    "resources": (*_RESOURCES, "completion"),
    "updates": ("updates",),
    "links": ("links", *_RESOURCES),
    "prompts": ("prompts", "functions", "static_content", "completion", "blocks"),
    "completion": ("completion", "functions"),
    "loglevels": ("loglevels",),
    "shaping": ("shaping", "field_paths"),
    "fitting": ("fitting",),
}
"""The modules of each feature; one that several name is copied for any of them.

What completes an argument stays where a person wrote it, beside functions that are still served, so
its mark has to be there.
"""

_MODULE = re.compile(r"\bfeatures\.(\w+)")

IMPORTED = ("polling", "shaping", "fitting")
"""The features that the package's own modules import; `App` installs the others."""

SETTINGS = {"tools_file": "changes", "task_ttl": "tasks", "max_tasks": "tasks"}
"""The settings of a server that only a feature reads."""


def of(api: Api, settings: Settings) -> tuple[str, ...]:
    """The features that a server needs, in the order in which they are installed."""
    functions = [o.function for o in (*api.resources, *api.prompts) if o.function is not None]
    calls = [each.http for each in (*api.tools, *functions) if each.http is not None]
    found = {
        "refusals": any(refusals.of(tool, api) for tool in api.tools),
        "listening": False,
        "resources": bool(api.resources) or settings.result_links,
        "updates": any(offer.changes for offer in api.resources),
        "links": settings.result_links,
        "prompts": bool(api.prompts),
        "completion": completes(api),
        "loglevels": any(tool.http is None for tool in (*api.tools, *functions)),
        "changes": settings.list_changed or api.list_changed,
        "tasks": any(tool.task for tool in api.tools),
        "questions": any(tool.questions for tool in api.tools),
        "polling": any(call.poll is not None for call in calls),
        "shaping": any(tool.shape for tool in api.tools),
        "fitting": any(chooses(tool) for tool in api.tools),
    }
    found["listening"] = any(found[name] for name in ("changes", "updates", "tasks"))
    return tuple(name for name, wanted in found.items() if wanted)


def is_needed(path: str, features: Collection[str]) -> bool:
    """Whether a server with these features has the runtime's file at `path`."""
    module = path.removesuffix(".py").removeprefix("features/")
    owners = [name for name, modules in MODULES.items() if module in modules]
    return not owners or any(name in features for name in owners)


def exports(text: str, modules: Collection[str]) -> str:
    """The runtime's `__init__.py` for a server that has these modules of the folder `features`."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if {*_MODULE.findall(line)} <= {*modules})


def exported(text: str) -> dict[str, str]:
    """The names of features that the runtime's `__init__.py` exports, with their modules."""
    return dict(re.findall(r'"(\w+)": "features\.(\w+)"', text))
