"""The audit log: one line of JSON for each call, whatever its outcome."""

from __future__ import annotations

import errno
import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from ..backend.masking import credential_texts
from ..backend.observing import Observed
from ..credentials.description import Api
from ..values.display import MASKED, Mask, visible
from ..values.errors import ToolError
from ..values.settings import ConfigurationError, Settings, of_further
from .access import WATCHED, Call
from .stderr import LossyWriter

logger = logging.getLogger(__name__)

_MOST_NAMES = 50
_LONGEST = 1000
_STDERR = "stderr"
_NEVER = ("password", "secret", "token", "credential", "api_key", "apikey", "authorization")
"""Values whose name has one of these parts, of arguments or inside them, are not written down."""


class Audit:
    """Writes to stderr, or appends to a file that only its owner may read."""

    def __init__(self, api: Api, settings: Settings, further: Iterable[Api] = ()) -> None:
        """Open the log of a server of one API, or of `further` ones too.

        Raises:
            ConfigurationError: the file cannot be written.
        """
        self._values = settings.audit_values
        own = {"": (api, settings)}
        own |= {a.env_prefix: (a, of_further(settings, a.env_prefix, os.environ)) for a in further}
        secrets = (text for each in own.values() for text in _secrets(*each))
        self._mask = Mask(secrets, least=4)
        self._file: _File | None = None
        self._stderr = LossyWriter(sys.stderr, "the audit log") if sys.stderr is not None else None
        if settings.audit and settings.audit != _STDERR:
            try:
                self._file = _File(settings.audit)
            except OSError as problem:
                variable = f"{api.env_prefix}_AUDIT"
                reason = type(problem).__name__
                raise ConfigurationError(
                    f"{variable} names a file that cannot be written: {reason}"
                ) from None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def write(
        self,
        call: Call,
        schema: Mapping[str, Any],
        outcome: str,
        observed: Observed,
        seconds: float,
    ) -> None:
        """Write the line of a call; `schema` is that of its arguments, empty if it is not known."""
        known = call.request_id
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "caller": {
                name: value[:_LONGEST]
                for name in ("client", "subject", "issuer")
                if (value := getattr(call.caller, name))
            },
            "request_id": known[:200] if isinstance(known, str) else known,
            WATCHED[call.method][0]: self._mask(call.name)[:200],
            "operations": [
                {"operation": each.operation, "status": each.status, "bytes": each.size}
                for each in observed.requests
            ],
            "outcome": outcome,
            "duration_ms": round(seconds * 1000, 1),
            "arguments": self._shown(call.arguments, schema),
        }
        self._append(visible(json.dumps(line, ensure_ascii=False)))

    def _append(self, line: str) -> None:
        """Append a line; if that fails the call keeps its answer, since what it did is done."""
        whole = line.encode("utf-8", "replace")
        try:
            if self._file is not None:
                self._file.append(whole + b"\n")
            elif self._stderr is not None:
                self._stderr.write_line(whole.decode())
        except (OSError, ValueError) as problem:
            logger.error("a line of the audit log cannot be written%s", _because(problem))

    def _shown(self, arguments: Any, schema: Mapping[str, Any]) -> Any:
        """The names of the arguments, with their values if the settings ask for them."""
        if not isinstance(arguments, Mapping):
            return []
        names = list(arguments)[:_MOST_NAMES]
        if not self._values:
            return [self._mask(str(name))[:200] for name in names]
        properties = schema.get("properties", {})
        return {
            self._mask(str(name))[:200]: self._value(
                _without_secrets(str(name), arguments[name], properties.get(name), schema)
            )
            for name in names
        }

    def _value(self, value: Any) -> str:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return self._mask(text)[:_LONGEST]


def _without_secrets(name: str, value: Any, schema: Any, root: Mapping[str, Any]) -> Any:
    """A value with its secrets masked at any depth: what is called or described as one.

    What lies beyond the part that is written down is left out; a value that is nested too deep is
    masked as a whole.
    """
    from ..schemas.forms import reached

    left = iter(range(_LONGEST))

    def shown(name: str, value: Any, schema: Any) -> Any:
        if next(left, None) is None:
            return None
        forms = [form for form in reached(schema, root) if isinstance(form, Mapping)]
        if any(part in name.lower() for part in _NEVER) or any(map(_is_secret, forms)):
            return MASKED
        value = _read(value)
        if isinstance(value, Mapping):
            members = islice(value.items(), _LONGEST)
            return {key: shown(str(key), each, _of_member(key, forms)) for key, each in members}
        if isinstance(value, list):
            items = {"anyOf": [form["items"] for form in forms if "items" in form]}
            return [shown("", item, items) for item in value[:_LONGEST]]
        return value

    try:
        return shown(name, value, schema)
    except RecursionError:
        return MASKED


def _of_member(key: Any, forms: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of a member of an object that has one of these forms."""
    from ..schemas.forms import properties_of

    others = ((form, form.get("additionalProperties", True)) for form in forms)
    return {"anyOf": [properties_of(form).get(key, other) for form, other in others]}


def _is_secret(schema: Mapping[str, Any]) -> bool:
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def _read(value: Any) -> Any:
    """A value, or the array or object that stands in its place as JSON text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError):
            return json.loads(value)
    return value


class _File:
    """A file that whole lines are appended to, under its name: one that was rotated is left."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor = self._opened()
        self._torn = False
        """The last line has no end, for the disk was full in the middle of it."""

    def append(self, line: bytes) -> None:
        """Append a line; raises OSError where that does not succeed whole."""
        self._follow()
        whole = b"\n" + line if self._torn else line
        written = os.write(self._descriptor, whole)
        self._torn = written < len(whole)
        if self._torn:
            raise OSError(errno.ENOSPC, "only a part of it was")

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _opened(self) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        flags |= getattr(os, "O_BINARY", 0)  # Windows would end lines in two characters
        flags |= getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody reads stops no call
        return os.open(self._path, flags, 0o600)

    def _follow(self) -> None:
        """Open the file again if another one, or none, has its name; else go on with this one."""
        try:
            if os.path.samestat(os.stat(self._path), os.fstat(self._descriptor)):
                return
        except FileNotFoundError:
            pass
        except OSError:
            return
        try:
            earlier, self._descriptor = self._descriptor, self._opened()
        except OSError as problem:
            logger.error("the audit log cannot be opened again%s", _because(problem))
        else:
            os.close(earlier)
            self._torn = False


def _because(problem: Exception) -> str:
    """Why, in the system's words, which hold no path."""
    return f": {getattr(problem, 'strerror', None) or type(problem).__name__}"


def _secrets(api: Api, settings: Settings) -> Iterator[str]:
    """Every credential in this process's environment; a file that cannot be read holds none."""
    from ..values.environment import EnvironmentWithFiles

    environ = EnvironmentWithFiles(os.environ)
    for scheme in api.security_schemes.values():
        for variable in scheme.secrets:
            with suppress(ToolError):
                yield environ.get(variable, "")
    yield settings.http_token or ""
    yield from credential_texts(settings.extra_headers, named=True)
