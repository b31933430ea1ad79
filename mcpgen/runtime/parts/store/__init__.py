"""The state that replicas share in Redis or Valkey: encrypted values, and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...calls.store import Store
from ...values.settings import ConfigurationError
from .settings import StoreSettings

if TYPE_CHECKING:
    from ...app.builder import Builder
    from ...calls.server import ServerParts
    from .redis import RedisStore

NEEDS = ("http",)
SETTINGS = StoreSettings


def check(app: Builder, settings: StoreSettings) -> None:
    """Raise ConfigurationError if a store has no keys, or if its package is not installed."""
    if not settings.store:
        return
    prefix = app.api.env_prefix
    if not settings.state_keys:
        raise ConfigurationError(
            f"{prefix}_STORE needs {prefix}_STATE_KEYS, secrets of 32 characters or more: what is "
            "kept there is encrypted with the first of them"
        )
    try:
        import redis  # noqa: F401  # of the extra `store`
    except ImportError:
        raise ConfigurationError(
            f"{prefix}_STORE needs a package that is missing: install the extra `store`"
        ) from None


def install(server: ServerParts) -> Any:
    """Let the other parts use a store, if the settings name one."""
    settings = server.settings_of(StoreSettings)
    if not settings.store:
        return None
    from .redis import RedisStore

    server.kept[Store] = store = RedisStore(settings, server.info.name)
    return Installed(store)


class Installed:
    """The attributes of this part that the server uses."""

    def __init__(self, store: RedisStore) -> None:
        from .tasks import SharedTasks
        from .tokens import SharedTokens

        self.running = store.running
        self.shared_tokens = SharedTokens(store)
        self.shared_tasks = SharedTasks(store)
        self._store = store

    @property
    def lacks(self) -> str:
        """The problem for `/readyz` if the store does not answer; otherwise empty."""
        return "" if self._store.answers_since is not None else "the store does not answer"

    def counting(self, seconds: Any) -> None:
        """Call `seconds` after each store operation, with its duration and whether it failed."""
        self._store.seconds = seconds
