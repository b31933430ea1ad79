"""The files and hosts that references may lead to, decided before any file is opened."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import unquote, urljoin, urlsplit

from .sourcefile import Home

SUFFIXES = frozenset([".json", ".yaml", ".yml"])

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HTTP = re.compile(r"https?://[^/]", re.IGNORECASE)
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\]|\A\s|\s\Z")
_CLASS = re.compile(r"(?:\\?[^\W\d]\w*)(?:\\[^\W\d]\w*)+\Z")


class Refused(Exception):
    """A reference that must not be followed; `why` completes a sentence about the reference."""

    def __init__(self, code: str, why: str, hint: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.hint = hint

    def message(self, reference: str) -> str:
        """The sentence about a reference; it is the same for all references to one file."""
        return f"the reference {reference.partition('#')[0]!r} {self.why}"


def _remote() -> Refused:
    return Refused(
        "remote-reference",
        "leads to another host",
        "Refer to a copy of the file beside the document, or pass --allow-remote-refs, or "
        "--reference-base URL=FOLDER for a copy elsewhere.",
    )


def _not_a_file() -> Refused:
    return Refused(
        "external-reference",
        "is neither a relative path nor an http(s) URL",
        "Refer to a file below the document's folder, by a relative path with '/'.",
    )


def escaping(way_out: str = "Move the file below the document's folder.") -> Refused:
    """The refusal of a target outside of the files that the document may read."""
    return Refused("escaping-reference", "leads out of the document's folder", way_out)


def no_part() -> Refused:
    """The error for a reference into a neighbouring folder that leads to no component."""
    return escaping(
        "From a folder beside that one, only whole components can be used. Move the file below "
        "the document's folder, or pass a folder above both as --reference-root."
    )


def _above(folder: Path, target: Path) -> Refused:
    """The refusal of `target`, which is outside `folder`; it names a folder above both."""
    try:
        name = Path(os.path.commonpath([os.path.abspath(each) for each in (folder, target)])).name
    except ValueError:  # on two drives
        name = ""
    which = f"the folder above both, `{name}`," if name else "a folder above both"
    return escaping(f"Pass {which} as --reference-root, if mcpgen may read every file below it.")


def is_class(reference: str) -> bool:
    """Whether a reference is a class name, which swagger-php writes if a schema is missing."""
    return _CLASS.match(reference) is not None


def is_url(source: str) -> bool:
    """Whether the source that a user gave is a URL."""
    return source.lower().startswith(("http://", "https://"))


class Access:
    """The files and hosts that the references of one document may reach.

    Files below `root` may be read if the document is below it too, or is not a file; otherwise
    files below the document's folder. In the latter case `../models/Pet.json` may also reach a
    folder beside the document's own, which is a common layout. It may not if the parent of both
    folders is shared by unrelated things: a home folder or one above it, a file system's root, a
    temporary or world-writable folder. Hidden files are never reached there. Files that replace a
    URL may be read without these limits.
    """

    def __init__(
        self,
        home: Home,
        root: Path | None,
        *,
        allow_remote: bool,
        bases: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        """`bases` maps URL prefixes to the folders that replace them."""
        folders = ((url.rstrip("/"), each) for url, each in bases.items())
        self._bases = {url: Path(os.path.abspath(each)) for url, each in folders}
        self.home = home
        self.allow_remote = allow_remote
        self.root = root
        self._neighbours: Path | None = None
        if isinstance(home, Path) and (root is None or not home.is_relative_to(root)):
            self.root = home.parent
            self._neighbours = self.root.parent if _is_dedicated(self.root.parent) else None

    def locate(self, base: Home, reference: str) -> Path | str:
        """The path or URL of a reference (without its fragment) in the file at `base`.

        Raises Refused. It opens no file and does not use the network.
        """
        if _UNSAFE.search(reference):
            raise _not_a_file()
        if isinstance(base, str) or _HTTP.match(reference):
            return self._url(base, reference)
        if reference.startswith("//"):
            raise _remote()
        return self._path(base, reference)

    def _url(self, base: Home, reference: str) -> Path | str:
        if _SCHEME.match(reference) and not _HTTP.match(reference):
            raise _not_a_file()
        try:
            url = urljoin(base, reference) if isinstance(base, str) else reference
            scheme, host, _ = origin(url)
        except ValueError:
            raise _not_a_file() from None
        if not host or scheme not in ("http", "https") or "@" in urlsplit(reference).netloc:
            raise _not_a_file()
        if (path := self._standing_for(url)) is not None:
            return path
        if self.allow_remote or self.is_own_url(url):
            return url
        raise escaping() if self._is_same_origin(url) else _remote()

    def _standing_for(self, url: str) -> Path | None:
        """The file that replaces a URL, by the longest matching prefix; None if there is none."""
        parts = urlsplit(url)
        path = PurePosixPath(unquote(parts.path))
        if parts.query or ".." in path.parts or "\\" in str(path):
            return None
        for base in sorted(self._bases, key=len, reverse=True):
            above = PurePosixPath(unquote(urlsplit(base).path) or "/")
            if origin(base) == origin(url) and path != above and path.is_relative_to(above):
                return self._bases[base] / path.relative_to(above)
        return None

    def _base_of(self, path: Path) -> Path | None:
        """Which of the folders that replace URL prefixes contains a file; None if none does."""
        return next((each for each in self._bases.values() if path.is_relative_to(each)), None)

    def is_own_url(self, url: str) -> bool:
        """Whether `url` has the document's origin and is below the document's folder."""
        if not isinstance(self.home, str) or not self._is_same_origin(url):
            return False
        path = unquote(urlsplit(url).path)
        if ".." in PurePosixPath(path).parts or "\\" in path:
            return False
        folder = unquote(urlsplit(self.home).path).rpartition("/")[0]
        return path.startswith(f"{folder}/")

    def _is_same_origin(self, url: str) -> bool:
        return isinstance(self.home, str) and origin(self.home) == origin(url)

    def _path(self, base: Home, reference: str) -> Path:
        path = unquote(reference)
        folder = base.parent if isinstance(base, Path) else self.root
        if path.startswith("/"):
            raise escaping()
        if _UNSAFE.search(path) or _SCHEME.match(path):
            raise _not_a_file()
        if folder is None or self.root is None:
            raise Refused(
                "escaping-reference",
                "has no folder to start from",
                "Give the document as a file, not on standard input.",
            )
        target = Path(os.path.normpath(folder / path))
        own = self._base_of(base) if isinstance(base, Path) else None
        if own is not None and target.is_relative_to(own):
            return target
        if not target.is_relative_to(self.root) and self.neighbour(target) is None:
            raise _above(self.root, target)
        return target

    def neighbour(self, target: Path) -> Path | None:
        """The folder beside the document's own folder that contains `target`; None if there is
        none.
        """
        if self._neighbours is None or not target.is_relative_to(self._neighbours):
            return None
        parts = target.relative_to(self._neighbours).parts
        inside = self.root is not None and target.is_relative_to(self.root)
        if inside or self._base_of(target) is not None:
            return None
        if len(parts) < 2 or any(part.startswith(".") for part in parts):
            return None
        return self._neighbours / parts[0]

    def real(self, target: Path) -> Path:
        """The file at the end of symbolic links; raises Refused if it is outside the allowed
        folder.
        """
        neighbour = self.neighbour(target)
        around = neighbour or self.root
        if around is None or not target.is_relative_to(around):
            around = self._base_of(target)
        try:
            real = target.resolve()
            outside = around is None or not real.is_relative_to(around.resolve())
        except (OSError, RuntimeError):
            raise escaping() from None
        if outside or (neighbour is not None and neighbour.is_symlink()):
            raise escaping()
        return real


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of a URL."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    return (
        scheme,
        (parts.hostname or "").lower(),
        parts.port or {"http": 80, "https": 443}.get(scheme),
    )


def _is_dedicated(folder: Path) -> bool:
    """Whether a folder can belong to a single project, unlike a home or temporary folder."""
    try:
        home = Path.home()
        mode = folder.stat().st_mode
    except (OSError, RuntimeError):
        return False
    # Not tempfile.gettempdir(), which writes a file to find out.
    temporary = {Path(os.environ[name]) for name in ("TMPDIR", "TEMP", "TMP") if name in os.environ}
    shared = {home, *home.parents, *temporary}
    return folder != folder.parent and folder not in shared and not mode & stat.S_IWOTH
