"""Reuses files of the last run that were made from the same input.

Each file that is slow to make has a key in the lock: the hash of everything it is made from. If the
key is unchanged and the file still has the hash that the lock gives for it, the file is taken from
the server's folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct

from ..format import formatting, versions
from ..hashes import fingerprint
from ..lock import Lock
from .ownership import Owner, owner
from .server_folder import ServerFolder
from .textfile import decoded


class Reuse(Struct, frozen=True):
    """The files that an earlier run wrote, which this run may reuse; none without that run's
    lock.
    """

    server_folder: ServerFolder
    lock: Lock | None

    def text(self, path: str, key: str) -> str | None:
        """The file's text, if it was made from inputs with the hash `key` and was not edited
        since.
        """
        if self.lock is None or self.lock.keys.get(path) != key:
            return None
        there = self.server_folder.content(path)
        if there is None or there.digest != self.lock.files.get(path):
            return None
        return decoded(there.data.replace(b"\r\n", b"\n"))

    def formatted(
        self, files: Mapping[str, str], verbatim: str
    ) -> tuple[Iterator[tuple[str, str]], dict[str, str]]:
        """Format files as `formatting` does; the second value has the key of each file.

        A text from the last run is used again if it was formatted from the same text.
        """
        made_with = versions()
        keys = {
            path: fingerprint(f"{made_with}\0{text}", 16)
            for path, text in files.items()
            if path.endswith(".py")
            and not path.startswith(verbatim)
            and owner(path) is not Owner.USER
        }
        texts = {path: self.text(path, key) for path, key in keys.items()}
        old_texts = {path: text for path, text in texts.items() if text is not None}
        new_texts = formatting({p: t for p, t in files.items() if p not in old_texts}, verbatim)
        return chain(new_texts, old_texts.items()), keys
