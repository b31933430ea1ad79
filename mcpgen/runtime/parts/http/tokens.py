"""Bearer tokens of callers with names: a file that holds their hashes, a line for each.

    # name  salt:hash  end  scopes
    alice 9f86d081884c7d65:2c26b46b68ffc68f... 2027-01-31 pets:read pets:write
    robot 7d793037a0760186:fcde2b2edba56bf4... never *

A token has 256 random bits, which no trying finds: a salted SHA-256 is enough, where a slow hash
would cost each request its time. A token begins with its salt, so that one hash is compared.
"""

from __future__ import annotations

import hmac
import logging
import os
import re
import secrets
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp.server.auth.provider import AccessToken

from ...calls.caller import NAMELESS, SHARED_TOKEN
from ...values.environment import is_scope
from ...values.settings import ConfigurationError, Settings

if TYPE_CHECKING:
    import argparse

logger = logging.getLogger(__name__)

_AGAIN = 2.0
"""Seconds until the file is read again, where a request comes."""
_NAME = re.compile(rf"(?!{NAMELESS}|{SHARED_TOKEN}$)[A-Za-z0-9][A-Za-z0-9_.@-]{{0,63}}")
_HASH = re.compile(r"[0-9a-f]{16}:[0-9a-f]{64}")
_EVERY = "*"
_NEVER = "never"


class Entry(NamedTuple):
    """A token, as a line of the file has it."""

    name: str
    hash: str
    end: int | None
    """In seconds since 1970."""
    scopes: tuple[str, ...]
    line: int


def check(settings: Settings, prefix: str) -> None:
    """Refuse a file that cannot be used; raises ConfigurationError."""
    NamedTokens(settings, prefix)


class NamedTokens:
    """The SDK's `TokenVerifier` for the tokens of a file, which is read again while it runs."""

    def __init__(
        self, settings: Settings, prefix: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises ConfigurationError for a file that cannot be used."""
        self._variable = f"{prefix}_HTTP_TOKENS_FILE"
        self._path = settings.http_tokens_file or ""
        self._clock = clock
        self._entries = read(self._path, self._variable)
        self._next = clock() + _AGAIN
        self._problem = ""

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token with its caller's name and scopes, or None."""
        self._read_again()
        entry = self._entries.get(token.partition(".")[0])
        if entry is None or not hmac.compare_digest(entry.hash, _hash(token)):
            return None
        if entry.end is not None and entry.end <= time.time():
            logger.info("a token of %s was refused: it has ended", entry.name)
            return None
        every = _EVERY in entry.scopes
        return AccessToken(
            token=token,
            client_id=entry.name,
            scopes=[] if every else list(entry.scopes),
            claims=None if every else {},  # without claims no scopes limit it
        )

    def _read_again(self) -> None:
        """Take what the file says now; where it cannot be used, what it said before stays."""
        if self._clock() < self._next:
            return
        self._next = self._clock() + _AGAIN
        problem = ""
        try:
            self._entries = read(self._path, self._variable)
        except ConfigurationError as wrong:
            problem = f"{wrong}; the tokens that it held before stay good"
        if problem != self._problem:
            logger.warning("%s", problem or f"{self._variable} can be used again")
        self._problem = problem


def read(path: str, variable: str) -> dict[str, Entry]:
    """The tokens of a file, by their salts.

    Raises:
        ConfigurationError: naming the variable, the line and what is wrong with it.
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
        hint = "; --new-token NAME begins one" if isinstance(problem, FileNotFoundError) else ""
        raise ConfigurationError(
            f"{variable} names a file that cannot be read: {why}{hint}"
        ) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{variable} names a file that is no text in UTF-8") from None
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
    """The salt and the token of a line; raises ValueError saying what is wrong."""
    if not line.endswith("\n"):
        raise ValueError("it has no line end, so it may not be whole")
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
    """A date (its first second in UTC) or time; None for `never`; raises ValueError."""
    if text == _NEVER:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"the end must be a date such as 2027-01-31, or `{_NEVER}`") from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def add_flags(parser: argparse.ArgumentParser, once: Any) -> None:
    """The flags of the command line by which a token is made; `once` are those that end it."""
    once.add_argument(
        "--new-token", metavar="NAME", help="make a token for a caller, show it once and exit"
    )
    parser.add_argument("--scopes", help="with --new-token: scopes, separated by blanks; else all")
    parser.add_argument("--expires", metavar="DATE", help="with --new-token: when it ends")


def create(flags: argparse.Namespace, path: str | None, prefix: str) -> str:
    """Write a new token's line to the file, which is begun where it is not there; the token.

    Raises:
        ConfigurationError: a flag or the file cannot be used; nothing was written.
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
            raise ValueError("--expires must lie ahead")
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
