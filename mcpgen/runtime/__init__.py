"""The runtime of a generated MCP server: everything that is the same in every server.

The exports of this module are for handlers, hooks and tests; other names may move. A module imports
from its own folder and from the folders listed above it:

- `values`: values as texts, and settings
- `schemas`: arguments against JSON Schema
- `bodies`: request bodies
- `credentials`: security schemes, and where credentials come from
- `backend`: one request and its answer
- `results`: an answer as MCP content
- `calls`: one call, from arguments to result
- `app`: puts them together
- `parts`: features that only some servers have

Names load on first use (PEP 562): a handler module that needs `UNSET` does not import the MCP SDK.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_NAMES = {
    "app.app": "App",
    "backend.response": "Response",
    "calls.caller": "Caller",
    "calls.catalogue": "ServerInfo parameters_of tool",
    "calls.context": "Context Reply",
    "calls.inner": "argument_of",
    "credentials.api": "Api",
    "credentials.schemes": "ApiKey Bearer HttpAuth",
    "parts.accounts.certificates": "MutualTls",
    "parts.accounts.digest": "Digest",
    "parts.accounts.login": "Basic",
    "parts.accounts.oauth": "OAuth2 OpenIdConnect",
    "parts.changes.changes": "catalogue",
    "parts.completion": "completes",
    "parts.delegation.settings": "DelegationSettings",
    "parts.fitting": "fitting",
    "parts.changes.settings": "ChangeSettings",
    "parts.http.settings": "HttpSettings MetricsSettings TokenSettings",
    "parts.identity_assertions.settings": "AssertionSettings",
    "parts.search.settings": "SearchSettings",
    "parts.sign_in.settings": "SignInSettings",
    "parts.tasks.settings": "TaskSettings",
    "parts.polling": "Poll",
    "parts.prompts": "prompt",
    "parts.resources": "resource",
    "parts.shaping": "Shape",
    "parts.store.settings": "StoreSettings",
    "parts.servers": "Variable",
    "parts.updates": "updated",
    "parts.variables": "from_env",
    "results.returned": "Media",
    "values.arguments": "UNSET Unset if_given",
    "values.errors": "ApiError ArgumentError ProtocolError ToolError",
    "values.settings": "Settings",
    "values": "style",
    "values.urls": "ServerUrl",
}
"""The names of each module."""
PARTS: tuple[str, ...] = (
    "asking",
    "store",
    "http",
    "tokens",
    "sign_in",
    "delegation",
    "identity_assertions",
    "metrics",
    "page",
    "cards",
    "branches",
    "unevaluated",
    "dialects",
    "forms",
    "multipart_answers",
    "refusals",
    "fields",
    "listening",
    "resources",
    "updates",
    "links",
    "prompts",
    "skills",
    "completion",
    "loglevels",
    "changes",
    "search",
    "tasks",
    "questions",
)
"""The names of parts, in the order in which they are installed."""
HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
HOMES |= dict.fromkeys(PARTS, "parts")


class Part:
    """An optional part that `server.py` names; its module is imported when the server is built."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def load(self) -> ModuleType:
        """The module, imported on the first call."""
        return import_module(f".parts.{self.__name__}", __name__)


if TYPE_CHECKING:
    from .app.app import App as App
    from .backend.response import Response as Response
    from .calls.caller import Caller as Caller
    from .calls.catalogue import ServerInfo as ServerInfo
    from .calls.catalogue import parameters_of as parameters_of
    from .calls.catalogue import tool as tool
    from .calls.context import Context as Context
    from .calls.context import Reply as Reply
    from .calls.inner import argument_of as argument_of
    from .credentials.api import Api as Api
    from .credentials.schemes import ApiKey as ApiKey
    from .credentials.schemes import Bearer as Bearer
    from .credentials.schemes import HttpAuth as HttpAuth
    from .parts import asking as asking
    from .parts import branches as branches
    from .parts import cards as cards
    from .parts import changes as changes
    from .parts import completion as completion
    from .parts import delegation as delegation
    from .parts import dialects as dialects
    from .parts import fields as fields
    from .parts import forms as forms
    from .parts import http as http
    from .parts import identity_assertions as identity_assertions
    from .parts import links as links
    from .parts import listening as listening
    from .parts import loglevels as loglevels
    from .parts import metrics as metrics
    from .parts import multipart_answers as multipart_answers
    from .parts import page as page
    from .parts import prompts as prompts
    from .parts import questions as questions
    from .parts import refusals as refusals
    from .parts import resources as resources
    from .parts import search as search
    from .parts import sign_in as sign_in
    from .parts import skills as skills
    from .parts import store as store
    from .parts import tasks as tasks
    from .parts import tokens as tokens
    from .parts import unevaluated as unevaluated
    from .parts import updates as updates
    from .parts.accounts.certificates import MutualTls as MutualTls
    from .parts.accounts.digest import Digest as Digest
    from .parts.accounts.login import Basic as Basic
    from .parts.accounts.oauth import OAuth2 as OAuth2
    from .parts.accounts.oauth import OpenIdConnect as OpenIdConnect
    from .parts.changes.changes import catalogue as catalogue
    from .parts.changes.settings import ChangeSettings as ChangeSettings
    from .parts.completion import completes as completes
    from .parts.delegation.settings import DelegationSettings as DelegationSettings
    from .parts.fitting import fitting as fitting
    from .parts.http.settings import HttpSettings as HttpSettings
    from .parts.http.settings import MetricsSettings as MetricsSettings
    from .parts.http.settings import TokenSettings as TokenSettings
    from .parts.identity_assertions.settings import AssertionSettings as AssertionSettings
    from .parts.polling import Poll as Poll
    from .parts.prompts import prompt as prompt
    from .parts.resources import resource as resource
    from .parts.search.settings import SearchSettings as SearchSettings
    from .parts.servers import Variable as Variable
    from .parts.shaping import Shape as Shape
    from .parts.sign_in.settings import SignInSettings as SignInSettings
    from .parts.store.settings import StoreSettings as StoreSettings
    from .parts.tasks.settings import TaskSettings as TaskSettings
    from .parts.updates import updated as updated
    from .parts.variables import from_env as from_env
    from .results.returned import Media as Media
    from .values import style as style
    from .values.arguments import UNSET as UNSET
    from .values.arguments import Unset as Unset
    from .values.arguments import if_given as if_given
    from .values.errors import ApiError as ApiError
    from .values.errors import ArgumentError as ArgumentError
    from .values.errors import ProtocolError as ProtocolError
    from .values.errors import ToolError as ToolError
    from .values.settings import Settings as Settings
    from .values.urls import ServerUrl as ServerUrl
else:
    __all__ = [*HOMES]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in PARTS:
        return Part(name)
    home = import_module(f".{HOMES[name]}", __name__)
    if not hasattr(home, name):
        import_module(f".{name}", home.__name__)
    value = globals()[name] = getattr(home, name)
    return value
