"""Security schemes: each knows its variables and secrets, whether it is set, and how to sign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Literal

from ..values.errors import ToolError
from ..values.media import is_token, is_value
from ..values.urls import ServerUrl

Place = str | ServerUrl
"""A URL for tokens, which may hold variables; empty where there is none."""
_NO_HEADER = "holds characters that a header cannot carry, such as a line break"
PUBLIC = ("username_env", "client_id_env", "cert_env", "key_env")
"""Fields that name variables without a secret: names, and paths of files."""


class Signer:
    """Signs requests where that needs other requests first, such as one for a token."""

    whose = ""
    """Of whom its credential is, where no variable holds it."""

    def bound(self, certificate: Any) -> Signer:
        """The signer for requests with this client certificate; the same one by default."""
        return self

    async def send(self, exchange: Any, outgoing: Any, retries: Any) -> Any:
        """Sign a request of a `backend.exchange.Exchange`, and send it; returns the answer."""
        raise NotImplementedError  # each signer has its own way to do it

    def prove(self, exchange: Any, request: Any) -> None:
        """Sign a request just before it is sent."""

    def advice(self, answer: Any, outgoing: Any) -> str:
        """The advice for an answer that failed; empty if there is none."""
        return ""


@dataclass(frozen=True)
class Credentials:
    """The credentials of a request; empty for an anonymous call."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    certificate: Any = field(default=None, repr=False)
    """What is shown of a client certificate: a `parts.accounts.certificates.Certificate`."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Every text that must not be shown to anyone: as set, and as sent."""
    signer: Signer | None = None
    of_caller: bool = False
    """Whether a caller brought one of them."""

    def joined(self, other: Credentials) -> Credentials:
        """These credentials and `other` in one request; if both have a signer, the caller's is
        used.
        """
        own = self.signer if self.of_caller else None
        return Credentials(
            headers=self.headers + other.headers,
            query=self.query + other.query,
            cookies=self.cookies + other.cookies,
            certificate=other.certificate or self.certificate,
            secrets=self.secrets + other.secrets,
            signer=own or other.signer or self.signer,
            of_caller=self.of_caller or other.of_caller,
        )


@dataclass(frozen=True)
class Source:
    """The sources of one call's credentials: the environment, and headers of the caller's
    request.
    """

    environ: Mapping[str, str] = field(repr=False)
    scopes: tuple[str, ...] = ()
    """Those that the operation needs."""
    brought: Mapping[str, str] = field(default_factory=dict)
    """The headers in which callers bring what stands for a variable."""


@dataclass(frozen=True)
class Scheme:
    """One security scheme, with its environment variables."""

    fits_header: ClassVar = True
    """Whether a caller over HTTP can bring its credential in one header."""
    gets_tokens: ClassVar = False
    """Whether its credential is an access token, which an authorization server gives."""
    takes_tokens: ClassVar = False
    """Whether an access token can be its credential."""

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The scheme's environment variables; a caller's credential replaces the first one's
        value.
        """
        return self._variables(but=())

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """The variables whose values must never be shown."""
        return self._variables(but=PUBLIC)

    def _variables(self, but: tuple[str, ...]) -> tuple[str, ...]:
        names = [each.name for each in fields(self) if each.name.endswith("env")]
        return tuple(filter(None, (getattr(self, name) for name in names if name not in but)))

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """The variables that must still be set; alternatives are joined by "or"."""
        return [name for name in self.variables if not environ.get(name)]

    def unsendable(self, environ: Mapping[str, str]) -> str:
        """The problem with a value that no request can carry; empty if there is no problem."""
        return ""

    def unreadable(self, environ: Mapping[str, str]) -> str:
        """The problem with a file that a variable names; empty if there is no problem."""
        return ""

    def remark(self, environ: Mapping[str, str]) -> str:
        """A remark for the operator on the variables that are set; empty if there is none."""
        return ""

    def sign(self, source: Source) -> Credentials:
        """The credentials of a request, if all variables are set; raises ToolError if one is
        unusable.
        """
        raise NotImplementedError  # each kind of scheme signs in its own way


class OneVariable(Scheme):
    """A scheme with one variable as its credential, usually in a header."""

    env: str

    def unsendable(self, environ: Mapping[str, str]) -> str:
        """The problem with a value that no header can carry; empty if there is no problem."""
        value = environ.get(self.env, "").strip()
        return "" if self._is_carried(value) else f"{self.env} {_NO_HEADER}"

    def _is_carried(self, value: str) -> bool:
        return is_value(value)

    def _value(self, source: Source) -> str:
        if self.unsendable(source.environ):
            place = f"The environment variable {self.env}"
            if self.env in source.brought:
                place = f"The header {source.brought[self.env]} of the request to this server"
            raise ToolError(f"{place} {_NO_HEADER}. Nothing was sent.")
        return source.environ[self.env].strip()

    def _authorization(self, scheme: str, source: Source) -> Credentials:
        """Credentials in the header Authorization; the variable's value may start with the scheme's
        name.
        """
        value = self._value(source)
        if value.lower().startswith(f"{scheme.lower()} "):
            value = value[len(scheme) + 1 :].lstrip()
        word, _, rest = value.partition(" ")
        is_whole = scheme == "Bearer" and rest and is_token(word)
        return authorized(value if is_whole else f"{scheme} {value}")


@dataclass(frozen=True)
class ApiKey(OneVariable):
    """A key in a header, a query parameter or a cookie."""

    name: str
    location: Literal["header", "query", "cookie"] = "header"
    env: str = ""

    def sign(self, source: Source) -> Credentials:
        """Add the key; a cookie's value is percent-encoded if necessary."""
        if self.location == "query":
            return Credentials(query=((self.name, self._value(source)),))
        value = self._value(source)
        if self.location == "header":
            return Credentials(headers=((self.name, value),))
        from ..values.expansion import reserved_escape

        escaped = reserved_escape("!#$&'()*+-./:<=>?@[]^_`{|}~")(value)  # escapes stay
        return Credentials(cookies=((self.name, escaped),))

    def _is_carried(self, value: str) -> bool:
        if self.location == "query":
            return True
        return is_value(value) or (self.location == "cookie" and value.isprintable())


@dataclass(frozen=True)
class Bearer(OneVariable):
    """HTTP Bearer (RFC 6750)."""

    takes_tokens = True
    env: str

    def sign(self, source: Source) -> Credentials:
        """The credentials: the header `Authorization` with the token."""
        return self._authorization("Bearer", source)


@dataclass(frozen=True)
class HttpAuth(OneVariable):
    """An HTTP scheme without a class of its own: `Authorization: <scheme> <value>`."""

    scheme: str
    env: str

    def sign(self, source: Source) -> Credentials:
        """The credentials: the header `Authorization` with this scheme and the value."""
        return self._authorization(self.scheme, source)


def authorized(value: str) -> Credentials:
    """Credentials with this value in the header Authorization."""
    return Credentials(headers=(("Authorization", value),))
