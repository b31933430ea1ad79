"""Reusing what an earlier run wrote into a server's folder.

Each file that is slow to make has a key in the lock: the hash of everything it is made from. If the
key is unchanged and the file still has the hash the lock gives for it, the file is reused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from .. import recall
from ..api import Api
from ..format import formatting, versions
from ..hashes import fingerprint
from ..lifting.lifter import Lifted
from ..lock import Lock
from ..naming import Names
from ..package import Package
from ..recall import Known, Recalled
from ..render.files import around_handlers, handlers_path
from .ownership import Owner, owner
from .seen import Seen
from .textfile import decoded

if TYPE_CHECKING:
    from ..plan.planning import Planned


class Earlier(Struct, frozen=True):
    """The output of the previous run; empty if the server has no lock."""

    seen: Seen
    lock: Lock | None = None
    known: Known = field(default_factory=Known)

    @property
    def recalled(self) -> Recalled:
        """What the previous run read and planned, as far as it is still cached."""
        return self.known.found

    @property
    def planned(self) -> Planned | None:
        """What the previous run planned, if it is still cached."""
        return self.recalled.planned

    def text(self, path: str, key: str) -> str | None:
        """The file's text, if it was made from inputs with the hash `key` and nobody edited it."""
        same = self.lock is not None and self.lock.keys.get(path) == key
        return self.unchanged(path) if same else None

    def unchanged(self, path: str) -> str | None:
        """The file's text, if nobody edited it."""
        data = self.data(path)
        return None if data is None else decoded(data)

    def data(self, path: str) -> bytes | None:
        """The file's bytes with LF line ends, if nobody edited it."""
        if self.lock is None or path not in self.lock.files:
            return None
        there = self.seen.content(path)
        if there is None or there.digest != self.lock.files[path]:
            return None
        return there.data.replace(b"\r\n", b"\n") if b"\r" in there.data else there.data

    def named(self, names: Names) -> Names:
        """The names with the earlier object for each part that is as it was.

        Such a part need not be compared by its members, nor cached again.
        """
        if self.planned is None:
            return names
        old = self.planned.names
        keywords = {
            tool: _earlier(old.keywords.get(tool, now), now) for tool, now in names.keywords.items()
        }
        return replace(
            names,
            modules=_earlier(old.modules, names.modules),
            functions=_earlier(old.functions, names.functions),
            keywords=keywords,
            extras=_earlier(old.extras, names.extras),
            classes=_earlier(old.classes, names.classes),
        )

    def types(self, names: Names) -> tuple[dict[str, str], dict[str, str]] | None:
        """The texts and keys of the modules of types, if every type is unchanged."""
        if self.lock is None or self.planned is None:
            return None
        old = self.planned.names
        if names.classes != old.classes or names.lifted.schemas is not old.lifted.schemas:
            return None
        start = f"{names.package}/"
        texts: dict[str, str] = {}
        keys: dict[str, str] = {}
        for path in self.lock.files:
            if not path.startswith((f"{start}models/", f"{start}models.py")):
                continue
            name, text = path.removeprefix(start), self.unchanged(path)
            if text is None:
                return None
            texts[name] = text
            if "/__init__." not in path:
                if path not in self.lock.keys:
                    return None
                keys[name] = self.lock.keys[path]
        return (texts, keys) if texts else None

    def new_tools(self, api: Api) -> int:
        """How many tools are new or have changed."""
        before = self.planned.api.tools if self.planned is not None else ()
        old = {tool.name: tool for tool in before}
        return sum(tool is not old.get(tool.name) for tool in api.tools)

    @property
    def listed(self) -> tuple[Api, bytes] | None:
        """The previous run's API, and the bytes of the `tools.json` written from it."""
        if self.planned is None:
            return None
        data = self.data(f"{self.planned.names.package}/tools.json")
        return (self.planned.api, data) if data is not None else None

    @property
    def lifted(self) -> tuple[Api, Lifted] | None:
        """The previous run's API, and its lifted schemas."""
        if self.planned is None:
            return None
        return self.planned.api, self.planned.names.lifted

    def pages(self, package: Package, templates_sha256: str) -> dict[str, str]:
        """The texts, by path, of the files whose input is the same as last time.

        Empty if the templates or the formatter have changed since.
        """
        planned, lock = self.planned, self.lock
        if lock is None or planned is None or lock.templates_sha256 != templates_sha256:
            return {}
        if self.recalled.formatter != versions():
            return {}
        taken = {id(module) for module in planned.package.modules}
        paths = [handlers_path(package, each) for each in package.modules if id(each) in taken]
        if _all_but_handlers(planned.package) == _all_but_handlers(package):
            paths += around_handlers(package)
        texts = {path: self.unchanged(path) for path in paths}
        return {path: text for path, text in texts.items() if text is not None}

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys of the files that the previous run wrote."""
        return self.lock.keys if self.lock is not None else {}


def earlier(seen: Seen, lock: Lock | None) -> Earlier:
    """The output of the run that wrote `lock`; small servers have no keys, and reuse nothing."""
    if lock is None or not lock.keys:
        return Earlier(seen, lock)
    seen.read_ahead(path for path in lock.files if path.endswith(".json"))
    return Earlier(seen, lock, recall.load(lock))


def formatted(
    files: Mapping[str, str], verbatim: str, earlier: Earlier
) -> tuple[Iterator[tuple[str, str]], dict[str, str]]:
    """Format files as `formatting` does; the second value holds the key of each formatted file.

    A file that was formatted from the same text last time is taken from the server's folder.
    """
    made_with = versions()
    keys = {
        path: fingerprint(f"{made_with}\0{text}", 16)
        for path, text in files.items()
        if path.endswith(".py") and not path.startswith(verbatim) and owner(path) is not Owner.USER
    }
    found = {path: earlier.text(path, key) for path, key in keys.items()}
    kept = {path: text for path, text in found.items() if text is not None}
    made = formatting({p: text for p, text in files.items() if p not in kept}, verbatim)
    return chain(made, kept.items()), keys


def _all_but_handlers(package: Package) -> tuple[Package, list[str]]:
    """What the files around the handlers are rendered from."""
    return replace(package, modules=()), [module.name for module in package.modules]


def _earlier(was: Mapping[str, str], now: Mapping[str, str]) -> Mapping[str, str]:
    """The earlier of two mappings if they are the same."""
    return was if list(was.items()) == list(now.items()) else now
