"""What an earlier run wrote into a server's folder, taken over where it would be made again.

Each file that is worth it has a key in the lock: the hash of all that it is made from. A file with
the same key, whose bytes have the lock's hash, is what making it again would give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct, field

from .. import recall
from ..api import Api
from ..format import formatting, versions
from ..hashes import fingerprint
from ..lifting.lifter import Lifted
from ..lock import Lock
from ..naming import Names
from ..package import Package
from ..recall import Known, Recalled
from ..render.files import handlers_path
from .ownership import Owner, owner
from .seen import Seen


class Earlier(Struct, frozen=True):
    """The files of an earlier run, and what it knew; nothing without its lock."""

    seen: Seen
    lock: Lock | None = None
    known: Known = field(default_factory=Known)

    @property
    def knew(self) -> Recalled:
        """What it read and decided, as far as that is kept."""
        return self.known.found

    def text(self, path: str, key: str) -> str | None:
        """The text of a file that was made from what `key` is the hash of, and is unchanged."""
        same = self.lock is not None and self.lock.keys.get(path) == key
        return self.unchanged(path) if same else None

    def unchanged(self, path: str) -> str | None:
        """The text of a file that is as it was written."""
        data = self.data(path)
        return None if data is None else data.decode("utf-8", "surrogateescape")

    def data(self, path: str) -> bytes | None:
        """The bytes of the same, with line ends as we write them."""
        if self.lock is None or path not in self.lock.files:
            return None
        there = self.seen.content(path)
        if there is None or there.digest != self.lock.files[path]:
            return None
        return there.data.replace(b"\r\n", b"\n") if b"\r" in there.data else there.data

    def types(self, names: Names) -> tuple[dict[str, str], dict[str, str]] | None:
        """The texts and the keys of the modules of types, where all types are what they were."""
        old = self.knew.planned.names if self.knew.planned is not None else None
        if self.lock is None or old is None or names.classes != old.classes:
            return None
        if names.lifted.schemas is not old.lifted.schemas:
            return None
        start = f"{names.package}/"
        places = (f"{start}models/", f"{start}models.py")
        paths = [path for path in self.lock.files if path.startswith(places)]
        keys = {path: self.lock.keys.get(path) for path in paths if "/__init__." not in path}
        texts = {path: self.unchanged(path) for path in paths}
        if not paths or None in keys.values() or None in texts.values():
            return None
        return (
            {path.removeprefix(start): text for path, text in texts.items() if text is not None},
            {path.removeprefix(start): key for path, key in keys.items() if key is not None},
        )

    def new_tools(self, api: Api) -> int:
        """How many tools are not taken over."""
        planned = self.knew.planned
        old = {tool.name: tool for tool in planned.api.tools} if planned is not None else {}
        return sum(tool is not old.get(tool.name) for tool in api.tools)

    @property
    def listed(self) -> tuple[Api, bytes] | None:
        """The API, and the bytes of the `tools.json` that was written of it."""
        planned = self.knew.planned
        if planned is None:
            return None
        data = self.data(f"{planned.names.package}/tools.json")
        return (planned.api, data) if data is not None else None

    @property
    def lifted(self) -> tuple[Api, Lifted] | None:
        """The API, and what it was lifted to."""
        planned = self.knew.planned
        return (planned.api, planned.names.lifted) if planned is not None else None

    def handlers(self, package: Package, templates_sha256: str) -> dict[str, str]:
        """The texts of the modules of handlers that were planned then, by path.

        Nothing where they would be rendered or formatted otherwise now.
        """
        planned, lock = self.knew.planned, self.lock
        if lock is None or planned is None or lock.templates_sha256 != templates_sha256:
            return {}
        if self.knew.formatter != versions():
            return {}
        taken = {id(module) for module in planned.modules}
        paths = [handlers_path(package, each) for each in package.modules if id(each) in taken]
        texts = {path: self.unchanged(path) for path in paths if path in lock.keys}
        return {path: text for path, text in texts.items() if text is not None}

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys of what the earlier run made."""
        return self.lock.keys if self.lock is not None else {}


def earlier(seen: Seen, lock: Lock | None) -> Earlier:
    """What the run left that wrote a lock; of small servers nothing is worth it."""
    return Earlier(seen, lock, recall.load(lock) if lock is not None and lock.keys else Known())


def formatted(
    files: Mapping[str, str], verbatim: str, earlier: Earlier
) -> tuple[Iterator[tuple[str, str]], dict[str, str]]:
    """Format files as `formatting` does, and the keys of those that are formatted.

    A file that was formatted before from the same text is taken over.
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
