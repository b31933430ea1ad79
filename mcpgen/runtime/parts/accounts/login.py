"""HTTP Basic, and the base class of schemes with a user name and a password."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...credentials.schemes import Credentials, Scheme, Source, authorized


@dataclass(frozen=True)
class User:
    """A user name and a password."""

    name: str
    password: str = field(repr=False)


class Login(Scheme):
    """A scheme with a user name and a password; the password may be empty."""

    fits_header = False
    username_env: str
    password_env: str

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """The unset variables; empty if the user name is set, because the password may be empty."""
        return [] if environ.get(self.username_env) else super().unset(environ)

    def user(self, source: Source) -> User:
        """The user name and the password."""
        environ = source.environ
        return User(environ.get(self.username_env, ""), environ.get(self.password_env, ""))


@dataclass(frozen=True)
class Basic(Login):
    """HTTP Basic (RFC 7617)."""

    username_env: str
    password_env: str

    def sign(self, source: Source) -> Credentials:
        """Credentials with the user name and the password, as HTTP Basic."""
        user = self.user(source)
        pair = f"{user.name}:{user.password}".encode()
        return authorized(f"Basic {b64encode(pair).decode('ascii')}")
