"""The files of one document: the user names the first, and references name the others."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from msgspec import Struct, field

from ..diagnostics import Diagnostics, GenerationError, Located, Location
from ..paths import seen_from
from ..settings.headers import HeaderEnv
from ..text.kinds import json_type
from ..text.words import numbered
from .access import SUFFIXES, Access, Refused, escaping, is_class, is_url, origin
from .limits import Exhausted, Limits, ReadProblem, too_large
from .sourcefile import Home, SourceFile, measure

_CHUNK_BYTES = 1024 * 1024
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(?:/|\Z)")
"""A URL without its scheme."""


class SourceOptions(Struct, frozen=True):
    """Which files may be read, and how large they may be."""

    allow_remote_refs: bool = False
    allowed_hosts: tuple[str, ...] = ()
    """Private hosts, with or without a port, that references may lead to."""
    headers: tuple[HeaderEnv, ...] = ()
    """The headers for fetching, each sent only to its own host."""
    max_bytes: int = 64 * 1024 * 1024
    """The most bytes of all files together."""
    max_files: int = 5000
    timeout: float = 30.0
    """Seconds for one file, from the first look-up to the last byte."""
    bases: Mapping[str, Path] = field(default_factory=dict)
    """Folders that replace URL prefixes."""
    root: Path | None = None
    """The folder that references must stay in; for None, see `access.Access`."""
    limits: Limits = field(default_factory=Limits)


class Files:
    """Reads the files of one document, each once, within one limit for all bytes."""

    def __init__(
        self,
        source: str,
        options: SourceOptions,
        diagnostics: Diagnostics,
        progress: Callable[[str], None] = lambda stage: None,
        called: str = "",
    ) -> None:
        self._source = source
        self._called = called or source
        self._options = options
        self._diagnostics = diagnostics
        self._progress = progress
        self._last_progress = 0.0
        self._left = options.max_bytes
        self._values = 0
        self._exhausted: GenerationError | None = None
        self._read: dict[Path | str, SourceFile | _Failure] = {}
        self._neighbours: set[Path] = set()
        self.root = self._read_root()
        root = Path(os.path.abspath(options.root)) if options.root is not None else None
        self._access = Access(
            self.root.home, root, allow_remote=options.allow_remote_refs, bases=options.bases
        )
        if self.root.home is not None:
            self._read[self.root.home] = self.root

    @property
    def missing(self) -> Iterable[str]:
        """The missing files, relative to the folder of the first file."""
        for place, outcome in self._read.items():
            is_lost = isinstance(outcome, ReadProblem) and outcome.code == "not-found"
            if is_lost and isinstance(place, Path):
                yield seen_from(self._folder, place)

    @property
    def _folder(self) -> Path:
        """The folder of the first file; for standard input, the folder where its references
        start.
        """
        home = self.root.home
        return home.parent if isinstance(home, Path) else self._access.root or Path()

    def check(self, base: SourceFile, reference: str) -> None:
        """Raise Refused for a reference that must not be followed; no file is opened."""
        if not is_class(reference):
            self._access.locate(base.home, reference.partition("#")[0])

    def open(self, base: SourceFile, reference: str, at: Located) -> SourceFile:
        """The file that a reference in `base` leads to; the fragment is ignored.

        Raises GenerationError if the file must not be read or is unreadable, ReadProblem if it is
        missing.
        """
        if is_class(reference):
            raise ReadProblem("class-name", "it is the name of a class")
        try:
            uri = reference.partition("#")[0]
            place = _target(uri, self._access.locate(base.home, uri))
        except Refused as refused:
            raise _refusal(refused, reference, at) from None
        if self._exhausted is not None:
            raise GenerationError(self._exhausted.diagnostics)
        if place not in self._read:
            self._read[place] = self._read_other(place, at)
        cached = self._read[place]
        if isinstance(cached, SourceFile):
            return cached
        if isinstance(cached, GenerationError):
            raise GenerationError(cached.diagnostics)
        if isinstance(cached, Refused):
            raise _refusal(cached, reference, at)
        raise cached

    def _read_root(self) -> SourceFile:
        source = _without_secrets(self._called)
        self._progress(f"reading {source}")
        try:
            name, home, data = self._root_bytes()
        except ReadProblem as problem:
            raise GenerationError.of(
                problem.code,
                f"cannot read {source}: {problem.message}",
                hint=problem.hint,
                location=Location(source, 1, 1),
            ) from None
        self._left -= len(data)
        self._progress(f"parsing {name}")
        file = SourceFile(name, home, data, self._options.limits)
        self._diagnostics.extend(file.oddities())
        _require_object(file)
        return file

    def _root_bytes(self) -> tuple[str, Home, bytes]:
        if not self._source:
            raise ReadProblem("not-found", "no document is named", "Give a file, a URL or `-`.")
        if self._source == "-":
            self._progress("reading standard input")
            data = _read_at_most(sys.stdin.buffer, self._left + 1)
            if len(data) > self._left:
                raise too_large(self._left)
            return "-", None, data
        if is_url(self._source):
            url, data = self._fetch(self._source, trusted=True)
            return _without_secrets(url), url, data
        if "://" in self._source:
            hint = "Download the document, or give an http(s) URL."
            raise ReadProblem("not-a-document", "its URL is neither http nor https", hint)
        path = Path(os.path.abspath(self._source))
        if _HOST_AND_PORT.match(self._source) and not _is_file(path):
            hint = f"If it is a URL, write http://{self._source}."
            raise ReadProblem("not-found", "there is no such file", hint)
        return self._called, path, _read_path(path, self._left)

    def _fetch(self, url: str, *, trusted: bool) -> tuple[str, bytes]:
        from .fetch import Fetcher  # httpx, of no use for files

        options = self._options
        fetcher = Fetcher(options.timeout, options.allowed_hosts, options.headers)
        return fetcher(url, max_bytes=self._left, trusted=trusted)

    def _read_other(self, place: Path | str, at: Located) -> SourceFile | _Failure:
        try:
            if len(self._read) >= self._options.max_files:
                raise Exhausted(
                    "too-many-files",
                    f"the document refers to more than {self._options.max_files:,} files",
                    "Bundle the document into one file.",
                )
            if isinstance(place, Path):
                file = self._read_local(place, at)
            else:
                file = self._read_remote(place, at)
            self._diagnostics.extend(file.oddities())
            self._count(file)
            return file
        except Exhausted as problem:
            self._exhausted = GenerationError.of(problem.code, problem.message, at, problem.hint)
            return self._exhausted
        except (ReadProblem, Refused, GenerationError) as failure:
            return failure

    def _read_local(self, path: Path, at: Located) -> SourceFile:
        if path.suffix.lower() not in SUFFIXES:
            raise ReadProblem("not-a-document", "its name does not end in .json, .yaml or .yml")
        real = self._access.real(path)
        if not _is_file(real):
            raise ReadProblem("not-found", "there is no such file", "Check the path.")
        name = self._name(path)
        self._tell_reading(name)
        data = _read_path(real, self._left)
        self._left -= len(data)
        neighbour = self._access.neighbour(path)
        if neighbour is None:
            return SourceFile(name, path, data, self._options.limits)
        try:
            file = SourceFile(name, path, data, self._options.limits, borrowed=True)
        except GenerationError:
            # An excerpt would show text of a file that may have nothing to do with the API.
            raise escaping() from None
        self._mention(neighbour, at)
        return file

    def _tell_reading(self, name: str) -> None:
        """Report the file that is being read, at most once per second; there may be a thousand."""
        now = time.monotonic()
        if now - self._last_progress >= 1:
            self._last_progress = now
            self._progress(f"reading {name}")

    def _read_remote(self, url: str, at: Located) -> SourceFile:
        self._progress(f"fetching {_without_secrets(url)}")
        trusted = self._access.is_own_url(url) and origin(url)[1] == origin(self._source)[1]
        try:
            final, data = self._fetch(url, trusted=trusted)
        except Exhausted:
            raise
        except ReadProblem as problem:
            # The user asked for it; a server that lacks operations for a while is no answer.
            message = f"cannot read {_without_secrets(url)}: {problem.message}"
            site = at
            raise GenerationError.of(problem.code, message, site, problem.hint) from None
        self._left -= len(data)
        return SourceFile(self._unique(_without_secrets(url)), final, data, self._options.limits)

    def _unique(self, name: str) -> str:
        """The name of a file, with a number if another file has the same name.

        The name of a URL has no query, so two URLs can have the same name.
        """
        names = {file.name for file in self._read.values() if isinstance(file, SourceFile)}
        return numbered(name, names, "{} ({})")

    def _count(self, file: SourceFile) -> None:
        if not self._values:
            self._values = measure(self.root.value)[0]
        self._values += measure(file.value)[0]
        if self._values > self._options.limits.max_values:
            raise Exhausted(
                "too-many-values",
                f"all files together hold more than {self._options.limits.max_values:,} values",
                "Raise the limit with --max-source-values, then leave tools out, as "
                "with --include-path.",
            )

    def _mention(self, neighbour: Path, at: Located) -> None:
        if neighbour in self._neighbours:
            return
        self._neighbours.add(neighbour)
        self._diagnostics.note(
            "reference-outside-folder",
            f"files are read from {neighbour.name!r}, a folder beside the document's own",
            at,
        )

    def _name(self, path: Path) -> str:
        relative = seen_from(self._folder, path)
        if not isinstance(self.root.home, Path):
            return relative
        return os.path.normpath(os.path.join(os.path.dirname(self._called), relative))


_Failure = ReadProblem | Refused | GenerationError


def _refusal(refused: Refused, reference: str, at: Located) -> GenerationError:
    message = refused.message(reference)
    return GenerationError.of(refused.code, message, at, refused.hint)


def _without_secrets(source: str) -> str:
    """A URL without credentials and query, since the query may contain credentials too."""
    if not is_url(source):
        return source
    try:
        parts = urlsplit(source)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return source
    return f"{parts.scheme}://{host}{parts.path}" + ("?..." if parts.query else "")


def _read_at_most(file: BinaryIO, size: int) -> bytes:
    """At most `size` bytes of a file, read in chunks so that a small file needs little memory."""
    parts = []
    while size and (part := file.read(min(size, _CHUNK_BYTES))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _read_path(path: Path, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > limit:
                raise too_large(limit)
            data = _read_at_most(file, limit + 1)
    except OSError as error:
        raise _os_problem(error) from None
    except ValueError:
        raise ReadProblem("not-found", "this is not a path", "Check the path.") from None
    if len(data) > limit:
        raise too_large(limit)
    return data


def _target(uri: str, place: Path | str) -> Path | str:
    """The file of a reference, adding a missing file extension (OpenAPI 3.2.0, Appendix F).

    A URI that ends in `/`, `.` or `..` means a folder, not a file.
    """
    is_folder = uri.rpartition("/")[2] in ("", ".", "..")
    if isinstance(place, str) or place.suffix or is_folder:
        return place
    candidates = (place.with_name(place.name + suffix) for suffix in sorted(SUFFIXES))
    return next((path for path in candidates if _is_file(path)), place)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _os_problem(error: OSError) -> ReadProblem:
    if error.errno == errno.ENOENT:
        return ReadProblem("not-found", "there is no such file", "Check the path.")
    if error.errno == errno.EISDIR:
        return ReadProblem("not-a-file", "it is a folder", "Name the document in it.")
    return ReadProblem("unreadable", (error.strerror or type(error).__name__).lower())


def _require_object(file: SourceFile) -> None:
    if isinstance(file.value, dict):
        return
    code, message = "empty-document", "the document is empty"
    if file.value is not None:
        code = "not-an-object"
        message = f"the document is {json_type(file.value)}; it has to be an object"
    hint = "An OpenAPI document has `openapi:` or `swagger:` in it, a tool file `tools:`."
    if file.name == "-" and file.value is None:
        hint = "It is read from standard input (`-`): pipe it in, or name a file or a URL instead."
    raise GenerationError.of(code, message, hint=hint, location=file.location(""))
