"""The parts that a server names in `server.py`, and the classes built from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from types import ModuleType
from typing import Any

from ..values.seams import LOADED_LATER, LOADERS, SETTINGS, SURFACES, way_to
from ..values.settings import ConfigurationError, Settings, combined


class Parts:
    """Modules of `parts`, in the order in which they are installed.

    Importing a part registers what it adds to the core (`values.seams`). A part may also have:

    - `NEEDS_SESSION`: true if clients before 2026-07-28 need a session over HTTP for the part
    - `NEEDS`: the names of parts without which the part does nothing
    - `SETTINGS`: the part's settings, a subclass of `Settings`
    - `check(app, settings)` and `check_api(api, settings)`, which raise ConfigurationError
    - `checklist(settings, prefix)` and `checklist_api(api, settings)`, further lines for `--check`
    - `install(server)`, which is called for one server. The object that it returns may have
      `running()`, a context manager around each run of the server (over HTTP there is one run, in
      memory one with each client), `wrap(tool, handler)`, which returns a replacement for the
      tool's handler, and `admit(request, tool, arguments)`, which refuses calls between handlers,
      at once or awaited.
    - `create_app(app, settings, transport)`, the server as an ASGI application
    - `middleware(app, settings)`, a list of Starlette's `Middleware` around that application
    - flags of the command line, as `app.commands.Command` describes
    - `MAY_CHANGE`: the list of tools may differ from the package's list
    """

    def __init__(self, named: Sequence[Any]) -> None:
        """`named` are the parts: modules, or `Part` objects that load a module."""
        self._named = {each.__name__.rpartition(".")[2]: each for each in named}

    @cached_property
    def _modules(self) -> dict[str, ModuleType]:
        modules = {}
        for name, each in self._named.items():
            if isinstance(each, ModuleType):
                modules[name] = each
            elif name in LOADED_LATER:
                LOADERS[name] = each.load
            else:
                modules[name] = each.load()
        return modules

    @cached_property
    def kind(self) -> Any:
        """The class of the server's settings: a `Settings` with the fields of all parts."""
        return combined([kind for _, kind in self.having("SETTINGS")])

    def having(self, attribute: str) -> Iterator[tuple[str, Any]]:
        """The name of each part that has this attribute, with the attribute's value."""
        for name, module in self._modules.items():
            if hasattr(module, attribute):
                yield name, getattr(module, attribute)

    def read_settings(
        self, prefix: str, environ: Mapping[str, str], defaults: Settings
    ) -> Settings:
        """The settings: those of the environment, and the package's defaults for the rest.

        Raises:
            ConfigurationError: a variable that cannot be used.
        """
        own = {each.name for each in fields(self.kind)}
        for name, part in SETTINGS.items():
            variable = f"{prefix}_{name.upper()}"
            if environ.get(variable) and name not in own:
                raise ConfigurationError(f"{variable}: {way_to(part)}")
        settings: Settings = self.kind.from_env(prefix, environ, defaults)
        return settings

    def settings_of(self, given: Settings, prefix: str) -> Settings:
        """The given settings as an object that also has the settings of all parts.

        Raises:
            ConfigurationError: a setting is given without its part, or a part without a part that
                it needs.
        """
        own = {each.name for each in fields(self.kind)}
        for each in fields(given):
            if each.name in SETTINGS and each.name not in own and getattr(given, each.name):
                variable = f"{prefix}_{each.name.upper()}"
                raise ConfigurationError(f"{variable}: {way_to(SETTINGS[each.name])}")
        for name, needs in self.having("NEEDS"):
            missing = " and ".join(f"`{need}`" for need in needs if need not in self._named)
            if missing:
                raise ConfigurationError(
                    f"the part `{name}` needs {missing}: add {missing} to `parts` in server.py"
                )
        part = SURFACES.get(given.surface or "", "")
        if part and part not in self._named:
            raise ConfigurationError(f"{prefix}_SURFACE: {way_to(part)}")
        settings: Settings = self.kind.of(given)
        return settings
