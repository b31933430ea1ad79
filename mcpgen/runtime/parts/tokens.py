"""Named bearer tokens of callers: a file holds a hash of each token, one per line.

    # name  salt:hash  end  scopes
    alice 9f86d081884c7d65:2c26b46b68ffc68f... 2027-01-31 pets:read pets:write
    robot 7d793037a0760186:fcde2b2edba56bf4... never *

A token has 256 random bits, so it cannot be guessed: a salted SHA-256 is enough, and a slow hash
would only delay each request. A token begins with its salt, so that only one hash is compared.
"""

from __future__ import annotations

import hmac
import logging
import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ..app.commands import Command
from ..app.logs import print_lines
from ..calls.access import FILE
from ..calls.caller import NAMELESS, SHARED_TOKEN
from ..calls.catalogue import read_json
from ..values.environment import actual, is_scope
from ..values.settings import ConfigurationError
from .http.settings import TokenSettings

if TYPE_CHECKING:
    import argparse

    from mcp.server.auth.provider import AccessToken

    from ..app.builder import Builder
    from ..calls.server import ServerParts

logger = logging.getLogger(__name__)

_POLL_SECONDS = 2.0
"""Seconds until the file is read again, where a request comes."""
_NAME = re.compile(rf"(?!{NAMELESS}|{SHARED_TOKEN}$)[A-Za-z0-9][A-Za-z0-9_.@-]{{0,63}}")
_HASH = re.compile(r"[0-9a-f]{16}:[0-9a-f]{64}")
_EVERY = "*"
_NEVER = "never"


class Entry(NamedTuple):
    """The entry of a token in the tokens file."""

    name: str
    hash: str
    end: int | None
    """In seconds since 1970."""
    scopes: tuple[str, ...]
    line: int


NEEDS = ("http",)
SETTINGS = TokenSettings


def check(app: Builder, settings: TokenSettings) -> None:
    """Refuse a tokens file that cannot be used; raises ConfigurationError."""
    if settings.http_tokens_file:
        NamedTokens(settings, app.api.env_prefix)


def install(server: ServerParts) -> None:
    """If a file of tokens is set, let callers over HTTP sign in with its tokens."""
    from .http import guard

    settings = server.settings_of(TokenSettings)
    if settings.http_tokens_file:
        named = partial(NamedTokens, settings, server.api.env_prefix)
        guard.of(server.server).named = named


class NamedTokens:
    """The SDK's `TokenVerifier` for the tokens of a file, which is read again at intervals."""

    def __init__(
        self, settings: TokenSettings, prefix: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises ConfigurationError if the file cannot be used."""
        self._variable = f"{prefix}_HTTP_TOKENS_FILE"
        self._path = settings.http_tokens_file or ""
        self._clock = clock
        self._entries = read(self._path, self._variable)
        self._next = clock() + _POLL_SECONDS
        self._problem = ""

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token with its caller's name and scopes; None if it is not valid."""
        self._read_again()
        entry = self._entries.get(token.partition(".")[0])
        if entry is None or not hmac.compare_digest(entry.hash, _hash(token)):
            return None
        if entry.end is not None and entry.end <= time.time():
            logger.info("a token of %s was refused: it has expired", entry.name)
            return None
        from mcp.server.auth.provider import AccessToken

        every = _EVERY in entry.scopes
        return AccessToken(
            token=token,
            client_id=entry.name,
            scopes=[] if every else list(entry.scopes),
            claims=None if every else {},  # without claims no scopes limit it
        )

    def _read_again(self) -> None:
        """Read the file again; if it is unusable, the tokens that were read before stay valid."""
        if self._clock() < self._next:
            return
        self._next = self._clock() + _POLL_SECONDS
        problem = ""
        try:
            self._entries = read(self._path, self._variable)
        except ConfigurationError as wrong:
            problem = f"{wrong}; its earlier tokens stay valid"
        if problem != self._problem:
            logger.warning("%s", problem or f"{self._variable} can be used again")
        self._problem = problem


def read(path: str, variable: str) -> dict[str, Entry]:
    """The tokens of a file, keyed by their salts.

    Raises:
        ConfigurationError: the message names the variable, the line and the problem.
    """
    try:
        with open(path, "rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o026:
                raise ConfigurationError(
                    f"{variable} names a file that others can read or write: chmod 600 it"
                )
            text = file.read().decode()
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        hint = "; --new-token NAME creates it" if isinstance(problem, FileNotFoundError) else ""
        raise ConfigurationError(
            f"{variable} names a file that cannot be read: {why}{hint}"
        ) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{variable} names a file that is not text in UTF-8") from None
    entries: dict[str, Entry] = {}
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            salt, entry = _entry(line, number)
            if salt in entries:
                raise ValueError(f"the same token as in line {entries[salt].line}: remove one")
        except ValueError as problem:
            raise ConfigurationError(f"{variable}, line {number}: {problem}") from None
        entries[salt] = entry
    return entries


def _entry(line: str, number: int) -> tuple[str, Entry]:
    """The salt and the token of a line; raises ValueError with the problem."""
    if not line.endswith("\n"):
        raise ValueError("it has no line end, so it may be cut off")
    fields = line.split()
    if len(fields) < 3:
        raise ValueError("it must be `NAME SALT:HASH END SCOPES`, as --new-token writes it")
    name, hashed, end, *scopes = fields
    if not _NAME.fullmatch(name):
        raise ValueError(
            "the name must be at most 64 letters, digits and `_.@-`, and must not begin with "
            f"`{NAMELESS}` or be `{SHARED_TOKEN}`"
        )
    if not _HASH.fullmatch(hashed):
        raise ValueError("the second field must be a hash, as --new-token writes it")
    if not all(map(is_scope, scopes)):
        raise ValueError('scopes must be ASCII without `"` and `\\`, separated by blanks')
    salt, _, digest = hashed.partition(":")
    return salt, Entry(name, digest, _end(end), tuple(scopes), number)


def _end(text: str) -> int | None:
    """The Unix time of a date (its start in UTC) or time; None for `never`; raises ValueError."""
    if text == _NEVER:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"the end must be a date such as 2027-01-31, or `{_NEVER}`") from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


class TokenCommand(Command):
    """The command-line flag `--new-token`, and the flags that belong to it."""

    def add_flags(self, parser: argparse.ArgumentParser, once: Any) -> None:
        """Add the flags for making a token."""
        once.add_argument(
            "--new-token", metavar="NAME", help="make a token for a caller, show it once and exit"
        )
        parser.add_argument(
            "--scopes", help="with --new-token: scopes, separated by blanks; default: all"
        )
        parser.add_argument("--expires", metavar="DATE", help="with --new-token: when it expires")

    def verify(self, parser: argparse.ArgumentParser, flags: argparse.Namespace) -> None:
        """Refuse the further flags if `--new-token` is missing."""
        for name in ("scopes", "expires"):
            if getattr(flags, name) is not None and flags.new_token is None:
                parser.error(f"argument --{name}: not allowed without argument --new-token")

    def run(self, app: Builder, flags: argparse.Namespace) -> int | None:
        """Make a token, if the command line asks for one."""
        if flags.new_token is None:
            return None
        prefix = app.api.env_prefix
        path = actual(os.environ.get(f"{prefix}_HTTP_TOKENS_FILE", ""))
        token = create(flags, path, prefix)
        if unneeded := _unneeded((flags.scopes or "").split(), app.package):
            print(f"no tool needs {', '.join(unneeded)}", file=sys.stderr)
        return print_lines([token])


def _unneeded(scopes: Sequence[str], package: str) -> list[str]:
    """The scopes that are not needed by any tool."""
    needed: set[str] = set()
    with suppress(FileNotFoundError):
        needed = {s for ways in read_json(package, FILE).values() for way in ways for s in way}
    return [scope for scope in scopes if scope not in needed]


COMMAND = TokenCommand()


def create(flags: argparse.Namespace, path: str | None, prefix: str) -> str:
    """Write a new token's line to the file, which is created if necessary; returns the token.

    Raises:
        ConfigurationError: a flag or the file cannot be used, and nothing was written.
    """
    variable = f"{prefix}_HTTP_TOKENS_FILE"
    if not path:
        raise ConfigurationError(f"--new-token needs {variable}, the file that holds the tokens")
    salt = secrets.token_hex(8)
    token = f"{salt}.{secrets.token_urlsafe(32)}"
    scopes = _EVERY if flags.scopes is None else " ".join(flags.scopes.split())
    line = f"{flags.new_token} {salt}:{_hash(token)} {flags.expires or _NEVER} {scopes}".strip()
    try:
        if len(flags.new_token.split()) != 1:
            raise ValueError("the name must have no blanks")
        _, entry = _entry(f"{line}\n", 1)
        if entry.end is not None and entry.end <= time.time():
            raise ValueError("--expires must be in the future")
    except ValueError as problem:
        raise ConfigurationError(f"--new-token: {problem}") from None
    if os.path.exists(path):
        read(path, variable)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab", 0) as file:
            file.write(f"{line}\n".encode())
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        raise ConfigurationError(f"{variable} names a file that cannot be written: {why}") from None
    print(f"the token of {entry.name}, which is shown this once:", file=sys.stderr)
    return token
