"""The settings of a running server, grouped by the part of the runtime that defines them."""

from __future__ import annotations

from dataclasses import fields

from ..runtime.parts.changes.settings import ChangeSettings
from ..runtime.parts.delegation.settings import DelegationSettings
from ..runtime.parts.http.settings import (
    HttpSettings,
    MetricsSettings,
    SharedSettings,
    TokenSettings,
)
from ..runtime.parts.identity_assertions.settings import AssertionSettings
from ..runtime.parts.search.settings import SearchSettings
from ..runtime.parts.sign_in.settings import SignInSettings
from ..runtime.parts.store.settings import StoreSettings
from ..runtime.parts.tasks.settings import TaskSettings
from ..runtime.values.settings import Settings

OF_PARTS: tuple[tuple[str, type[Settings]], ...] = (
    ("", Settings),
    ("changes", ChangeSettings),
    ("http", SharedSettings),
    ("search", SearchSettings),
    ("tasks", TaskSettings),
    ("http", HttpSettings),
    ("tokens", TokenSettings),
    ("sign_in", SignInSettings),
    ("delegation", DelegationSettings),
    ("identity_assertions", AssertionSettings),
    ("metrics", MetricsSettings),
    ("store", StoreSettings),
)
"""The settings of the core and of each part, in the order in which they are told."""

OF_CORE = frozenset(each.name for each in fields(Settings))
"""The settings that every server has."""
