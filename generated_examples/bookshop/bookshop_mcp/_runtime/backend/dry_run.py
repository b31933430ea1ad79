"""A dry run: a request that would change something is shown and not sent.

The request is built without credentials: a mark replaces each credential, and is shown as
`[credential NAME]`.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

from ..credentials.auth import ANONYMOUS
from ..values.display import LEAST, LEAST_IN_ERROR, spellings
from ..values.environment import HIDDEN
from ..values.errors import DryRun
from .exchange import Exchange
from .outgoing import SAFE_METHODS, Outgoing
from .signing import has_credential
from .threads import aside

if TYPE_CHECKING:
    import httpx2

    from .session import Backend

FILE = "effects.json"
_HEAD = "Dry run: nothing was sent, and nothing has changed. This server would send:"
_MARK = f"credential{token_hex(8)}"
"""What stands before and behind the name of a credential, so that its place is known for sure."""
_MARKED = re.compile(f"{_MARK}(.*?){_MARK}")
_TEXT = re.compile(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*")
_BOUNDARY = re.compile(r'boundary="?([^";]+)', re.IGNORECASE)
_PLAIN = "application/octet-stream"


def _named(name: str) -> str:
    return f"{_MARK}{name}{_MARK}"


@dataclass(frozen=True)
class Effects:
    """Decides whether a request writes: as `known` says, or else by its HTTP method."""

    known: Mapping[str, Mapping[str, str]]
    """`read` or `write` by tool and operation."""

    def writes(self, tool: str, method: str, template: str) -> bool:
        """Whether a request of a tool's handler changes something."""
        effect = self.known.get(tool, {}).get(f"{method} {template}")
        return effect == "write" if effect else method not in SAFE_METHODS


class Marks(Mapping[str, str]):
    """An environment in which each credential that is set is replaced by a mark."""

    def __init__(self, environ: Mapping[str, str], names: Iterable[str]) -> None:
        self._environ = environ
        self._names = frozenset(names)

    @classmethod
    def of(cls, backend: Backend, environ: Mapping[str, str]) -> Marks:
        """The environment, with a mark in place of each credential of the API's schemes."""
        schemes = backend.api.security_schemes.values()
        return cls(environ, (name for scheme in schemes for name in scheme.variables))

    @classmethod
    def of_caller(cls, backend: Backend, headers: Mapping[str, str] | None) -> Marks | None:
        """The caller's headers, with marks in place of credentials; None without an HTTP request.

        The names of these headers are in lower case.
        """
        names = (name.lower() for _, name in backend.settings.brought)
        return None if headers is None else cls(headers, names)

    def __getitem__(self, name: str) -> str:
        value = self._environ[name]
        if name not in self._names or not value:
            return value
        scheme, blank, _ = value.strip().partition(" ")
        return f"{scheme} {_named(name)}" if blank and scheme.lower() == "bearer" else _named(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._environ)

    def __len__(self) -> int:
        return len(self._environ)


async def shown(exchange: Exchange, outgoing: Outgoing) -> DryRun:
    """The exception that ends a call in a dry run; its text shows the request, without
    credentials.
    """
    hooks, signing = exchange.backend.hooks, exchange.signing
    signs = signing.hooked and hooks.signs
    request, credentials = outgoing.build(exchange.tool), signing.credentials
    if credentials.signer is not None and "authorization" not in request.headers:
        whose = credentials.signer.whose
        mark = f"Bearer {_named(whose)}" if whose else _unplaced(credentials.secrets, outgoing)
        request.headers["Authorization"] = mark
    before = request.headers.multi_items()
    bare = replace(signing, credentials=ANONYMOUS, hooked=False, missing=None)
    await replace(exchange, signing=bare).prepare(request)
    hidden = Hidden(exchange)
    lines = [_HEAD, f"{request.method} {hidden(_url(request, outgoing))}"]
    names = (name.decode("ascii") for name, _ in request.headers.raw)
    for name, (key, value) in zip(names, request.headers.multi_items(), strict=True):
        by_hook = (key, value) not in before and has_credential(key)
        lines.append(f"{name}: {'[credential of hooks.py]' if by_hook else hidden.of(key, value)}")
    if credentials.certificate is not None:
        lines.append(f"(With the client certificate {hidden(credentials.certificate.file)}.)")
    if signing.missing is not None and not signs:
        lines.append(f"({signing.missing.message})")
    if signs:
        lines.append("(`authenticate` in hooks.py signs it too.)")
    read = partial(hidden.body, request.content, request.headers.get("content-type", ""))
    body = await aside(len(request.content), read)
    return DryRun("\n".join([*lines, *(["", body] if body else [])]))


def _unplaced(secrets: Iterable[str], outgoing: Outgoing) -> str:
    """Marks of the secrets that are in neither the URL nor the headers, as in a digest."""
    there = f"{outgoing.target} {outgoing.headers}"
    marks = dict.fromkeys(_named(name) for each in secrets for name in _MARKED.findall(each))
    return " ".join(mark for mark in marks if mark not in there)


def _url(request: httpx2.Request, outgoing: Outgoing) -> str:
    """The URL as it would be sent: byte for byte as built, unless a hook has changed it."""
    target = request.extensions.get("target")
    return str(request.url) if target is None else outgoing.root + target.decode("ascii")


class Hidden:
    """Shows a request's texts in a dry run; values that agents must not see are replaced."""

    def __init__(self, exchange: Exchange) -> None:
        settings, api = exchange.backend.settings, exchange.backend.api
        self._extra = [(key.lower(), value) for key, value in settings.extra_headers]
        self._variable = f"{api.env_prefix}_EXTRA_HEADERS"
        hidden = ((text, name) for text, name in HIDDEN.items() if len(text) >= LEAST_IN_ERROR)
        self._names = {form: name for text, name in hidden for form in spellings(text)}
        parts = (
            re.escape(form) if len(form) >= LEAST else rf"(?<!\w){re.escape(form)}(?!\w)"
            for form in sorted(self._names, key=lambda form: (-len(form), form))
        )
        self._values = re.compile("|".join(parts)) if self._names else None

    def of(self, key: str, value: str) -> str:
        """A header's value as the dry run shows it."""
        if has_credential(key) and (key, value) in self._extra:
            return f"[credential {self._variable}]"
        return self(value)

    def __call__(self, text: str) -> str:
        """A URL, a header's value or another text as the dry run shows it."""
        scheme, _, rest = text.partition(" ")
        if scheme == "Basic":
            text = f"Basic {_decoded(rest)}"
        text = _MARKED.sub(r"[credential \1]", text)
        if self._values is None:
            return text
        return self._values.sub(lambda match: f"[credential {self._names[match[0]]}]", text)

    def body(self, content: bytes, media_type: str) -> str:
        """A body as the dry run shows it: its text, or a placeholder for bytes."""
        boundary = _BOUNDARY.search(media_type)
        if not (boundary and media_type.lower().startswith("multipart/")):
            return self._readable(content, media_type)
        line = b"--" + boundary[1].encode()
        return self._readable(line, "").join(map(self._part, content.split(line)))

    def _part(self, part: bytes) -> str:
        """One part of a multipart body as the dry run shows it, with its headers and line ends."""
        head, blank, content = part.partition(b"\r\n\r\n")
        if not blank:
            return self._readable(part, "")
        kind = re.search(rb"^content-type: *(.+?)\r?$", head, re.IGNORECASE | re.MULTILINE)
        value, end = content[:-2], content[-2:]
        shown = self._readable(value, kind[1].decode() if kind else "")
        return f"{self._readable(head, '')}\n\n{shown}{end.decode()}"

    def _readable(self, content: bytes, media_type: str) -> str:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = "\0"
        if _TEXT.fullmatch(text):
            return self(text)
        digest = sha256(content).hexdigest()
        return f"[{media_type or _PLAIN}, {len(content):,} bytes, SHA-256 {digest}]"


def _decoded(pair: str) -> str:
    """Decode HTTP Basic's user name and password if they contain a mark; else return `pair`."""
    try:
        text = b64decode(pair, validate=True).decode()
    except ValueError:
        return pair
    return text if _MARK in text else pair
